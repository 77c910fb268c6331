// What the figure shows, in sentences: the row that is selected, and a matrix for whoever does not see it.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import type { ArrayId } from '../engine/engine.ts';
import { maskOf } from '../engine/masks.ts';
import { side } from '../engine/stages.ts';
import type { Selection } from '../engine/types.ts';
import { cellDifference, cellWeight, count, gap, listed, percent, plural, significant } from '../lib/format.ts';
import { type Picture, fit, isByHand, isCross, lineOf, maskedRow, weightsRow, type Shown } from '../state/result.ts';
import type { Knobs } from '../state/settings.ts';
import { type Whose, keyWord, word, wordText } from './word.ts';

// "Row it: 26% from animal, 23% from itself …": the selected row in one sentence.

const NAMED = 4;

export function caption(picture: Picture, { head, query }: Selection): TemplateResult {
  const weights = weightsRow(picture, head, query);
  const masked = maskedRow(picture, head, query);
  const allowed: number[] = [];
  for (let key = 0; key < weights.length; key += 1) if (masked[key] !== -Infinity) allowed.push(key);
  const known = allowed.filter((key) => Number.isFinite(weights[key]));
  const ranked = known.toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
  const named = ranked.length <= NAMED + 1 ? ranked : ranked.slice(0, NAMED);
  const shares = listed(named.map((key) => {
    const share = percent(weights[key] ?? 0);
    return key === query && !isCross(picture) ? msg(str`${share} from itself`) : msg(html`${share} from <b>${keyWord(picture, key)}</b>`);
  }));
  const hidden = Array.from(weights.keys()).filter((key) => masked[key] === -Infinity);
  return html`
    <p class="row-caption">${about(lineOf(picture), word(picture, query), allowed.length === 0 ? null : known.length === 0 ? [msg('no weight is a finite number')] : shares)}</p>
    <p class="row-rest">${rest(picture, query, allowed, known.length === 0 ? 0 : allowed.length - known.length, ranked.slice(named.length).map((key) => weights[key] ?? 0), hidden)}${dropped(picture)}</p>
  `;
}

function about(line: 'row' | 'column', query: TemplateResult, shares: unknown[] | null): TemplateResult {
  if (shares === null) {
    return line === 'row'
      ? msg(html`Row <b class="accent">${query}</b> sees nothing: its weights and its context are 0.`)
      : msg(html`Column <b class="accent">${query}</b> sees nothing: its weights and its context are 0.`);
  }
  return line === 'row' ? msg(html`Row <b class="accent">${query}</b>: ${shares}.`) : msg(html`Column <b class="accent">${query}</b>: ${shares}.`);
}

/** Dropout comes after the weights: what is shown here is not what goes on. */
const dropped = ({ trace }: Picture): string => (trace.settings.dropout > 0 ? `${gap()}${msg('These are the weights before dropout; the walk shows what it leaves.')}` : '');

/** The share of the keys that are not named; at temperature 0, or next to a far larger score, it can be 0. */
function others(shares: readonly number[]): string[] {
  const some = shares.filter((share) => share > 0).length;
  const none = shares.length - some;
  if (none === 0) return some === 0 ? [] : [plural(some, msg('the other one takes the rest'), msg(str`the other ${count(some)} share the rest`))];
  const left = plural(none, msg('the other one takes nothing'), msg(str`the other ${count(none)} take nothing`));
  return some === 0 ? [left] : [plural(some, msg('1 more takes the rest'), msg(str`${count(some)} more share the rest`)), left];
}

function rest(picture: Picture, query: number, allowed: readonly number[], broken: number, unnamed: readonly number[], hidden: readonly number[]): string {
  const parts = others(unnamed);
  if (broken > 0) parts.push(plural(broken, msg('1 weight is not a finite number'), msg(str`${count(broken)} weights are not finite numbers`)));
  const hand = hidden.filter((key) => isByHand(picture, query, key)).length;
  const { cells } = maskOf(picture.trace.settings.mask);
  if (cells && hidden.length > hand) parts.push(cells.several(hidden.length - hand));
  if (hand > 0) parts.push(plural(hand, msg('1 token is hidden by hand'), msg(str`${count(hand)} tokens are hidden by hand`)));
  const words = parts.join(msg('; ', { desc: 'between the parts of a sentence' }));
  if (words) return msg(str`${words.charAt(0).toUpperCase()}${words.slice(1)}.`);
  if (picture.ready) return '';
  return allowed.length === 1 ? msg('There is no other word to look at.') : msg('Nothing is hidden.');
}

/** The selected cell of what is shown: "it → animal 0.26". */
export function cellWords({ picture, mode, numbers, masked }: Shown, selection: Selection): TemplateResult {
  const { query, key } = fit(selection, picture);
  const at = query * picture.trace.shape.S + key;
  const words = mode === 'difference' ? cellDifference : cellWeight;
  return html`${word(picture, query)} → ${keyWord(picture, key)} <b>${masked[at] === -Infinity ? msg('masked') : words(numbers[at] ?? 0)}</b>`;
}

/** The selected cell, for a screen reader: "query it, key animal, weight 0.26". */
export function cellLabel(picture: Picture, { head, query, key }: Selection): string {
  const hand = isByHand(picture, query, key);
  const value = weightsRow(picture, head, query)[key] ?? 0;
  const masked = maskedRow(picture, head, query)[key] === -Infinity;
  const [asks, answers] = [wordText(picture, query), wordText(picture, key, 'key')];
  if (masked) return hand ? msg(str`query ${asks}, key ${answers}, masked by hand, weight 0`) : msg(str`query ${asks}, key ${answers}, masked, weight 0`);
  const weight = aloud(cellWeight(value));
  return hand ? msg(str`query ${asks}, key ${answers}, weight ${weight}, shown by hand`) : msg(str`query ${asks}, key ${answers}, weight ${weight}`);
}

/** The same of a difference: "query it, key animal, now − pinned −0.12". */
export function differenceLabel({ picture, numbers, masked }: Shown, { query, key }: Selection): string {
  const at = query * picture.trace.shape.S + key;
  const [asks, answers] = [wordText(picture, query), wordText(picture, key, 'key')];
  return masked[at] === -Infinity
    ? msg(str`query ${asks}, key ${answers}, masked in both`)
    : msg(str`query ${asks}, key ${answers}, now − pinned ${aloud(cellDifference(numbers[at] ?? 0))}`);
}

const aloud = (written: string): string => written.replace('<.01', msg('less than 0.01'));

// A matrix in one sentence, for whoever does not see it; and which way it lies.

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
