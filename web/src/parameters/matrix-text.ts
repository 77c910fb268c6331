// Numbers as text: CSV, TSV, JSON, and what NumPy, PyTorch, pandas, R, MATLAB, Julia and spreadsheets print or copy. CSV out.
// Errors have a line and a column.
import { msg, str } from '@lit/localize';
import { clipped, count as said, plural } from '../lib/format.ts';

/** Read row by row; `extents` outermost first, one or two of them (three from nested lists). */
export interface Matrix {
  extents: readonly number[];
  values: Float32Array;
  /** Names of rows or columns stood beside the numbers, and are left out. */
  named?: boolean;
  /** One column, where commas are decimal ones: which of the two it is, only its size tells. */
  other?: Matrix;
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
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy;
const WHOLE = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** Dots that stand for numbers which were not printed. */
const LEFT_OUT = /^(?:\.{2,}|[…⋮⋯⋱])$/;

class Trouble extends Error {
  constructor(readonly at: number, message: string) {
    super(message);
  }
}

export function parseMatrix(text: string): Matrix | MatrixProblem {
  try {
    if (text.length > MAX_CHARACTERS) throw new Trouble(0, msg(str`This is ${said(text.length)} characters; the largest matrix needs fewer. Paste one matrix.`));
    if (text.trim() === '') throw new Trouble(0, msg('There is no number here. Paste rows of numbers, or a nested list.'));
    return parse(plain(text));
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
    const value = Math.fround(Number(written));
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

/** Each sign as one of the same length that stands for it: minus signs, spaces, and what does not show. */
const plain = (text: string): string => text.replace(/[\u2212\uff0d\ufe63]/g, '-').replace(/[^\S\n\t ]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, ' ');

/** A name, and what makes an array in Python, PyTorch, TensorFlow and JAX. */
const NAMED = /^\s*(?:[A-Za-z_]\w*\s*=\s*(?=\S))?(?:Parameter containing:\s*)?(?:<tf\.Tensor:[^]*?numpy=\s*)?(?:(?:np|numpy|torch|jnp|tf)\.)?(?:[A-Za-z]*(?:array|tensor|matrix|constant|Variable|Parameter)\s*\(\s*)?/i;
const TAIL = /^\s*(?:,\s*[a-z_]+\s*=\s*[^\n]*?)*,?\s*\)?\s*>?\s*;?\s*$/i;
const OF_R = /^\s*(?:\[\d+,\]|\[,\d+\]|\[1\]\s+[^\s,\]])/;

function parse(text: string): Matrix {
  if (/^\s*(?:structure|matrix|c)\s*\(\s*(?:c\s*\(|[^[({\s])/.test(text)) throw new Trouble(text.search(/\S/), msg('R writes columns first in such a call. Print the matrix in R, and paste what it prints.'));
  const start = NAMED.exec(text)?.[0].length ?? 0;
  return /[[({]/.test(text[start] ?? '') && !OF_R.test(text) ? parseNested(text, start) : parseTable(text);
}

interface Field { text: string; at: number }

/** Rows of fields between tabs, semicolons, commas or spaces; names beside and above them are left out. */
function parseTable(text: string): Matrix {
  let scale = 1;
  let [vector, isWrapped] = [false, false];
  const blocks: Field[][][] = [[]];
  const { separator, comma, other } = separatorOf(text);
  let at = 0;
  for (const line of text.split('\n')) {
    const factor = /^\s*(\d+(?:\.\d+)?e[+-]?\d+)\s*\*\s*$/i.exec(line)?.[1];
    if (factor) scale = Number(factor);
    // R, MATLAB and pandas print what is too wide in several blocks.
    const isNext = /^\s*(?:(?:\[,\d+\]\s*)+|Columns? \d+.*)$/.test(line);
    if ((isNext || (isWrapped && line.trim() === '')) && blocks.at(-1)?.length) blocks.push([]);
    if (/\\\s*$/.test(line)) isWrapped = true;
    if (/^\s*\[\d+\]\s/.test(line)) vector = true;
    const numbers = line.replace(/^\s*\[\d+,?\]/, (label) => ' '.repeat(label.length));
    if (!isNext && !factor && !ASIDE.test(line)) {
      const fields = fieldsOf(numbers, separator, at);
      blocks.at(-1)?.push(fields.filter(({ text: each }) => each !== '\\'));
    }
    at += line.length + 1;
  }
  const tables = blocks.filter((rows) => rows.length > 0).map(withoutNames);
  const [first] = tables;
  if (!first) throw new Trouble(0, msg('There is no number here. Paste rows of numbers, or a nested list.'));
  const values = new Values();
  const whole = first.rows.map((row, r) => [...row, ...tables.slice(1).flatMap(({ rows }) => rows[r] ?? [])]);
  const read = vector ? [whole.flat()] : whole;
  read.forEach((row) => {
    const width = read[0]?.length ?? 0;
    if (row.length !== width) {
      throw new Trouble(row[0]?.at ?? 0, plural(
        row.length, msg(str`This row has 1 number where the rows before have ${width}. Every row must be as long.`), msg(str`This row has ${row.length} numbers where the rows before have ${width}. Every row must be as long.`),
      ));
    }
    for (const { text: each, at: place } of row) add(each, place, comma, scale, values);
  });
  const [rows, width] = [read.length, read[0]?.length ?? 0];
  return { extents: vector ? [width] : [rows, width], values: values.all, ...(tables.some(({ named }) => named) && { named: true }), ...(other && { other: other() }) };
}

/** Lines that tools print around the numbers. */
const ASIDE = /^\s*$|^\s*[A-Za-z_]\w*\s*=\s*$|^\s*\[\d+ rows? x \d+ columns?\]\s*$|^\s*(?:Name: .*, )?(?:Length: \d+, )?dtype: \w+\s*$|^\s*\d+×\d+ .*:\s*$|^\s*\d+-element .*:\s*$/;

function add(field: string, at: number, comma: boolean, scale: number, values: Values): void {
  const written = comma ? field.replace(',', '.') : field;
  if (LEFT_OUT.test(field)) throw new Trouble(at, leftOut());
  if (!WHOLE.test(written)) throw new Trouble(at, notNumber(field));
  values.add(scale === 1 ? written : String(Number(written) * scale), at);
}

const leftOut = () => msg('Dots stand here for numbers that were not printed. Print all of them, in NumPy after np.set_printoptions(threshold=10**9), in PyTorch after torch.set_printoptions(threshold=10**9), or save the array as .npy and drop the file here.');

const DECIMAL = /^[+-]?\d*,\d+(?:e[+-]?\d+)?$/i;

/** What stands between fields, and whether a comma is a decimal one: the whole text says it. */
function separatorOf(text: string): { separator: string; comma: boolean; other?: () => Matrix } {
  const separator = text.includes('\t') ? '\t' : text.includes(';') ? ';' : text.includes(',') ? ',' : ' ';
  const bare = text.replace(/\[\d*,\d*\]/g, '');
  if (!bare.includes(',')) return { separator: separator === ',' ? ' ' : separator, comma: false };
  const fields = bare.split(separator === '\t' || separator === ';' ? new RegExp(`[${separator}\\n]`) : /\s+/).map((each) => each.trim().replace(/^"(.*)"$/, '$1')).filter(Boolean);
  const commas = fields.filter((each) => each.includes(','));
  const isDecimal = commas.length > 0 && commas.every((each) => DECIMAL.test(each)) && !fields.some((each) => /\d\.\d|\.\d/.test(each));
  if (separator !== ',') {
    if (isDecimal && commas.every((each) => /^[+-]?[1-9]\d{0,2},\d{3}$/.test(each))) {
      throw new Trouble(text.indexOf(commas[0] as string), msg(str`Is “${clipped(commas[0] as string)}” a number with decimals, or one with thousands? Nothing here tells. Write decimal points, and no signs between thousands.`));
    }
    return { separator, comma: isDecimal };
  }
  // Between spaces only decimal ones can be meant; one to a line may be either.
  const perLine = bare.split('\n').map((line) => line.trim()).filter(Boolean);
  const isSpaced = isDecimal && perLine.some((line) => /\s/.test(line)) && !/,\s/.test(bare);
  if (isSpaced) return { separator: ' ', comma: true };
  const isColumn = isDecimal && perLine.every((line) => DECIMAL.test(line) || WHOLE.test(line));
  if (!isColumn) return { separator, comma: false };
  const column = (): Matrix => {
    const values = new Values();
    for (const line of perLine) add(line, text.indexOf(line), true, 1, values);
    return { extents: [perLine.length, 1], values: values.all };
  };
  // No table of whole numbers has 05 in it; one of many rows has no short ones.
  const isSure = perLine.some((line) => /,0\d/.test(line) || /,\d{5,}/.test(line)) || (perLine.filter((line) => line.includes(',')).length > 2 && perLine.some((line) => !line.includes(',')));
  if (isSure) return { separator: ' ', comma: true };
  return { separator, comma: false, other: column };
}

function fieldsOf(line: string, separator: string, from: number): Field[] {
  const trimmed = line.replace(/\s+$/, '').replace(new RegExp(`${separator}$`), '');
  const parts = separator === ' ' ? trimmed.split(/(\s+)/) : trimmed.split(new RegExp(`(${separator})(?=(?:[^"]*"[^"]*")*[^"]*$)`));
  const fields: Field[] = [];
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const start = at + (part.length - part.trimStart().length);
    at += part.length;
    // Every other part is a separator, which counts for places only.
    if (i % 2 === 1 || (separator === ' ' && part === '')) continue;
    fields.push({ text: part.trim().replace(/^"(.*)"$/, '$1'), at: from + start });
  }
  return fields;
}

const isNumeric = (text: string): boolean => WHOLE.test(text) || DECIMAL.test(text);
const isName = (text: string): boolean => /^[^\d.,+-]/.test(text) && !LEFT_OUT.test(text) && !/^[+-]?(?:nan|inf(?:inity)?|na|∞)$/i.test(text);
/** Columns that this page's own files have before the numbers. */
const OWN: readonly string[] = ['head', 'row', 'token'];

/** A line of names above the numbers, a column of names or counts before them. */
function withoutNames(all: readonly (readonly Field[])[]): { rows: readonly (readonly Field[])[]; named: boolean } {
  const [top = [], ...below] = all;
  if (below.length === 0) return { rows: all, named: false };
  const rest = below[0]?.length ?? 0;
  const isEven = below.every((row) => row.length === rest);
  const isCounted = (fields: readonly Field[]) => fields.every(({ text }, i) => text === String(Number(fields[0]?.text) + i));
  const own = OWN.filter((name) => top.some(({ text }) => text === name)).length;
  const first = top[0]?.text ?? '';
  // Names, or counts that stand above one column fewer, or behind an empty corner.
  const isShort = isEven && top.length === rest - 1;
  const isAbove = (top.length > 0 && top.every(({ text }) => isName(text) || text === '') && top.some(({ text }) => text !== ''))
    || (isEven && (isShort || first === '') && top.length > 0 && isCounted(first === '' && !isShort ? top.slice(1) : top))
    || (own > 0 && isCounted(top.slice(own)));
  const body = isAbove ? below : all;
  const isBeside = body.length > 0 && ((isAbove && (isShort || first === '')) || (body.every((row) => row.length > 1 && isName(row[0]?.text ?? '')) && body.every((row) => row.slice(1).every(({ text }) => isNumeric(text)))));
  const left = own > 0 && isAbove ? own : Number(isBeside);
  return { rows: left > 0 ? body.map((row) => row.slice(left)) : body, named: isAbove || left > 0 };
}

function notNumber(written: string): string {
  if (written === '') return msg('A number is missing here.');
  if (/^[+-]?(nan|inf(inity)?|∞)$/i.test(written)) return msg(str`“${clipped(written)}” is not finite. Every number must be.`);
  if (/^[+-]?\d+,\d+$/.test(written)) return msg(str`“${written.slice(0, 24)}” is not a number here. Write a decimal point, as in ${written.slice(0, 24).replace(',', '.')}.`);
  return msg(str`“${clipped(written)}” is not a number. Write one like −0.25 or 1e-3.`);
}

/** Nested lists as JSON, Python and NumPy write them, with commas or spaces between, all of one shape; MATLAB’s rows end with semicolons. */
function parseNested(text: string, start: number): Matrix {
  const values = new Values();
  const extents: number[] = [];
  const counts: number[] = [];
  const isOfRows = /^[[({][^[({]*;/.test(text.slice(start, start + 100_000));
  let at = start;
  /** A comma has come: a list or number is due, or the list's end. */
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
  const open = () => {
    counts.push(0);
    due = true;
    if (counts.length > 3) throw new Trouble(at, msg('Lists may be nested three deep at most: heads, rows, columns.'));
    if (numbersAt > 0 && counts.length > numbersAt) throw new Trouble(at, msg('There is a list where a number was before. Lists side by side must be alike.'));
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
    const parted = due || /[\s,;[({]/.test(text[at - 1] ?? ' ');
    NUMBER.lastIndex = at;
    const number = parted && counts.length > 0 ? NUMBER.exec(text)?.[0] : undefined;
    if (/[[({]/.test(letter) && parted) {
      open();
      if (isOfRows && counts.length === 1) open();
    } else if (number !== undefined) {
      numbersAt ||= counts.length;
      if (numbersAt !== counts.length) throw new Trouble(at, msg('There is a number where a list was before. Lists side by side must be alike.'));
      values.add(number, at);
      count();
      at += number.length - 1;
      // 1abc is none.
      if (/[\w.%+-]/.test(text[at + 1] ?? '')) throw new Trouble(at + 1 - number.length, notNumber(/^[^\s,;[\]{}()]+/.exec(text.slice(at + 1 - number.length, at + 32))?.[0] ?? number));
    } else if (/[\])}]/.test(letter)) {
      // A comma, or a semicolon, may stand before the end.
      if (isOfRows && counts.length === 2) {
        if (counts[1] === 0) counts.pop();
        else close();
      }
      close();
    } else if (letter === ',' && !due) {
      due = true;
    } else if (letter === ';' && isOfRows && counts.length === 2) {
      close();
      open();
    } else {
      const [word = letter] = /^[^\s,;[\]{}()]+/.exec(text.slice(at, at + 32)) ?? [];
      if (LEFT_OUT.test(word)) throw new Trouble(at, leftOut());
      throw new Trouble(at, letter === ',' ? notNumber('') : parted ? notNumber(word) : msg(str`There is “${word}” where “,” or “]” belongs.`));
    }
    at += 1;
  } while (counts.length > 0);
  const rest = text.slice(at);
  if (!(start > 0 ? TAIL : /^\s*;?\s*$/).test(rest)) {
    at += /^\s*\)?\s*/.exec(rest)?.[0].length ?? 0;
    throw new Trouble(at, msg('There is more after the end of the list. Paste one matrix at a time.'));
  }
  return { extents, values: values.all };
}

/** Each number in the shortest decimal that reads back as itself. */
export function toCsv(values: Float32Array, columns: number, write: (x: number) => string): string {
  const lines: string[] = [];
  for (let from = 0; from < values.length; from += columns) lines.push(Array.from(values.subarray(from, from + columns), write).join(','));
  return lines.join('\n');
}
