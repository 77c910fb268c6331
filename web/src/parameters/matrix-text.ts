// Numbers as text: CSV, TSV or JSON in, CSV out. What cannot be read is said with its line and column.
import { msg, str } from '@lit/localize';
import { count as said, plural } from '../lib/format.ts';

/** Read row by row; `extents` outermost first, one or two of them (three from nested JSON). */
export interface Matrix {
  extents: readonly number[];
  values: Float32Array;
}

export interface MatrixProblem {
  /** From 1. */
  line: number;
  column: number;
  message: string;
}

/** More numbers than the largest parameter has; more characters than that many need. */
export const MAX_NUMBERS = 1024 * 4096;
export const MAX_CHARACTERS = 24 * MAX_NUMBERS;
const NUMBER = /[+\-\u2212]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy;

class Trouble extends Error {
  constructor(readonly at: number, message: string) {
    super(message);
  }
}

export function parseMatrix(text: string): Matrix | MatrixProblem {
  try {
    if (text.length > MAX_CHARACTERS) throw new Trouble(0, msg(str`This is ${said(text.length)} characters; the largest matrix needs fewer. Paste one matrix.`));
    if (text.trim() === '') throw new Trouble(0, msg('There is no number here. Paste rows of numbers, or a nested list.'));
    return /^\s*\[/.test(text) ? parseNested(text) : parseLines(text);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    const before = text.slice(0, error.at).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message: error.message };
  }
}

class Values {
  #values = new Float32Array(256);
  count = 0;

  add(written: string, at: number): void {
    if (this.count === MAX_NUMBERS) throw new Trouble(at, msg(str`There are more than ${said(MAX_NUMBERS)} numbers. No matrix has so many.`));
    const value = Math.fround(Number(written.replace('\u2212', '-')));
    if (!Number.isFinite(value)) throw new Trouble(at, msg(str`${written.slice(0, 24)} is too large: a number must fit into 32 bits, up to 3.4e38.`));
    if (this.count === this.#values.length) {
      const grown = new Float32Array(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.count] = value;
    this.count += 1;
  }

  get all(): Float32Array {
    return this.#values.slice(0, this.count);
  }
}

/** Fields between commas, semicolons, tabs or spaces; a line is a row. */
function parseLines(text: string): Matrix {
  const separator = text.includes('\t') ? '\t' : text.includes(';') ? ';' : text.includes(',') ? ',' : ' ';
  const values = new Values();
  let [rows, width, at] = [0, 0, 0];
  for (const line of text.split('\n')) {
    if (line.trim() !== '') {
      const before = values.count;
      parseFields(line, separator, at, values);
      const count = values.count - before;
      if (rows > 0 && count !== width) {
        throw new Trouble(at, plural(
          count, msg(str`This row has 1 number where the rows before have ${width}. Every row must be as long.`), msg(str`This row has ${count} numbers where the rows before have ${width}. Every row must be as long.`),
        ));
      }
      width = count;
      rows += 1;
    }
    at += line.length + 1;
  }
  return { extents: [rows, width], values: values.all };
}

function parseFields(line: string, separator: string, from: number, values: Values): void {
  const trimmed = line.replace(/\s+$/, '').replace(new RegExp(`${separator}$`), '');
  let at = 0;
  const fields = separator === ' ' ? trimmed.split(/(\s+)/) : trimmed.split(new RegExp(`(${separator})`));
  for (const [i, field] of fields.entries()) {
    const start = at + (field.length - field.trimStart().length);
    at += field.length;
    // Every other field is a separator, which counts for places only.
    if (i % 2 === 1 || (separator === ' ' && field === '')) continue;
    const written = field.trim().replace(/^"(.*)"$/, '$1');
    NUMBER.lastIndex = 0;
    const match = NUMBER.exec(written);
    if (match?.[0].length !== written.length) throw new Trouble(from + start, notNumber(written));
    values.add(written, from + start);
  }
}

function notNumber(written: string): string {
  if (written === '') return msg('A number is missing here.');
  if (/^[+-]?(nan|inf(inity)?|∞)$/i.test(written)) return msg(str`“${written}” is not finite. Every number must be.`);
  if (/^[+-]?\d+,\d+$/.test(written)) return msg(str`“${written.slice(0, 24)}” is no number here. Write a decimal point, as in ${written.slice(0, 24).replace(',', '.')}.`);
  return msg(str`“${written.slice(0, 24)}” is no number. Write one like −0.25 or 1e-3.`);
}

/** Nested lists as JSON has them, all of one shape; nothing but numbers in them. */
function parseNested(text: string): Matrix {
  const values = new Values();
  const extents: number[] = [];
  const counts: number[] = [];
  let at = 0;
  /** A list or number is due; else a comma or the list's end. */
  let due = true;
  const space = /\s*/y;
  const skip = () => {
    space.lastIndex = at;
    space.exec(text);
    at = space.lastIndex;
  };
  const count = () => {
    counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
    due = false;
  };
  const close = () => {
    const [depth, length] = [counts.length - 1, counts.pop() ?? 0];
    const wanted = (extents[depth] ??= length);
    if (length === 0) throw new Trouble(at, msg('This list is empty. Every list must hold numbers, or lists of them.'));
    if (length !== wanted) throw new Trouble(at, msg(str`This list has ${length} entries where those before have ${wanted}. Lists side by side must be as long.`));
    if (counts.length > 0) count();
  };
  let numbersAt = 0;
  do {
    skip();
    const letter = text[at];
    if (letter === undefined) throw new Trouble(at, msg('The text ends inside a list. Add the missing “]”.'));
    NUMBER.lastIndex = at;
    const number = due && counts.length > 0 ? NUMBER.exec(text)?.[0] : undefined;
    if (due && letter === '[') {
      counts.push(0);
      if (counts.length > 3) throw new Trouble(at, msg('Lists may be nested three deep at most: heads, rows, columns.'));
      if (numbersAt > 0 && counts.length > numbersAt) throw new Trouble(at, msg('There is a list where a number was before. Lists side by side must be alike.'));
    } else if (number !== undefined) {
      numbersAt ||= counts.length;
      if (numbersAt !== counts.length) throw new Trouble(at, msg('There is a number where a list was before. Lists side by side must be alike.'));
      values.add(number, at);
      count();
      at += number.length - 1;
    } else if (letter === ']' && (!due || counts.at(-1) === 0)) {
      close();
    } else if (letter === ',' && !due) {
      due = true;
    } else {
      const [word = letter] = /^[^\s,[\]]+/.exec(text.slice(at, at + 32)) ?? [];
      throw new Trouble(at, due ? notNumber(word) : msg(str`There is “${word}” where “,” or “]” belongs.`));
    }
    at += 1;
  } while (counts.length > 0);
  skip();
  if (at < text.length) throw new Trouble(at, msg('There is more after the end of the list. Paste one matrix at a time.'));
  return { extents, values: values.all };
}

/** Each number in the shortest decimal that reads back as itself. */
export function toCsv(values: Float32Array, columns: number, write: (x: number) => string): string {
  const lines: string[] = [];
  for (let from = 0; from < values.length; from += columns) lines.push(Array.from(values.subarray(from, from + columns), write).join(','));
  return lines.join('\n');
}
