// A matrix in one sentence, for whoever does not see it; and which way it lies.
import { msg, str } from '@lit/localize';
import type { ArrayId } from '../engine/engine.ts';
import { side } from '../engine/stages.ts';
import { cellWeight, significant } from '../lib/format.ts';
import { type Picture, lineOf } from '../state/result.ts';
import type { Knobs } from '../state/settings.ts';
import { type Whose, wordText } from './word.ts';

export interface Summed {
  id: ArrayId;
  numbers: Float32Array;
  /** −Infinity where masked; null where nothing can be. */
  masked: Float32Array | null;
  columns: number;
  row: number;
  kind: 'weights' | 'signed';
}

/** "Row it attends most to animal, 0.45."; of other numbers, the row's largest and smallest. */
export function summary(picture: Picture, { id, numbers, masked, columns, row, kind }: Summed): string {
  const from = row * columns;
  let [most, least] = [-1, -1];
  for (let at = from; at < from + columns; at += 1) {
    const x = numbers[at] ?? NaN;
    if (masked?.[at] === -Infinity || !Number.isFinite(x)) continue;
    if (most < 0 || x > (numbers[most] ?? 0)) most = at;
    if (least < 0 || x < (numbers[least] ?? 0)) least = at;
  }
  const across = lineOf(picture) === 'row' || side(id) !== 'pair';
  const line = lineText(picture, id, row);
  if (most < 0) return across ? msg(str`Row ${line} sees nothing.`) : msg(str`Column ${line} sees nothing.`);
  const [at, value] = [columnText(picture, id, most - from), numbers[most] ?? 0];
  if (kind === 'weights') {
    const weight = cellWeight(value).replace('<.01', msg('less than 0.01'));
    return across ? msg(str`Row ${line} attends most to ${at}, ${weight}.`) : msg(str`Column ${line} attends most to ${at}, ${weight}.`);
  }
  const [largest, smallest, where] = [significant(value, 3), significant(numbers[least] ?? 0, 3), columnText(picture, id, least - from)];
  return across
    ? msg(str`Row ${line}: largest ${largest} at ${at}, smallest ${smallest} at ${where}.`)
    : msg(str`Column ${line}: largest ${largest} at ${at}, smallest ${smallest} at ${where}.`);
}

function lineText(picture: Picture, id: ArrayId, row: number): string {
  const whose = side(id);
  return whose === 'parameter' ? String(row + 1) : wordText(picture, row, whose === 'key' ? 'key' : 'query' satisfies Whose);
}

const columnText = (picture: Picture, id: ArrayId, column: number): string => (
  side(id) === 'pair' ? wordText(picture, column, 'key') : msg(str`number ${column + 1}`));

// Which way the matrix lies, in words: the same on its edges, in its name and in what is read aloud.

export interface Axes {
  /** Beside the first row's name. */
  down: readonly [string, string];
  /** Over the columns' names. */
  across: string;
  sums: string;
  /** For the grid's name. */
  aloud: string;
}

export function axes(rows: Knobs['rows'], cross: boolean): Axes {
  return rows === 'queries'
    ? {
        down: [msg('query (row):'), msg('who looks ↓')],
        across: cross ? msg('key (column): the word of the second sentence that is looked at →') : msg('key (column): the word that is looked at →'),
        sums: msg('each row sums to 1'),
        aloud: msg('rows are queries, columns are keys'),
      }
    : {
        down: [msg('key (row):'), msg('looked at ↓')],
        across: cross ? msg('query (column): the word of your sentence that looks →') : msg('query (column): the word that looks →'),
        sums: msg('each column sums to 1'),
        aloud: msg('rows are keys, columns are queries'),
      };
}
