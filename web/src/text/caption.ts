// "Row it: 26% from animal, 23% from itself …": the selected row in one sentence.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { maskOf } from '../engine/masks.ts';
import type { Selection } from '../engine/types.ts';
import { cellDifference, cellWeight, count, listed, percent, plural } from '../lib/format.ts';
import type { Shown } from '../state/comparison.ts';
import { type Picture, fit, isByHand, isCross, lineOf, maskedRow, weightsRow } from '../state/result.ts';
import { keyWord, word, wordText } from './word.ts';

const NAMED = 4;

export function caption(picture: Picture, { head, query }: Selection): TemplateResult {
  const weights = weightsRow(picture, head, query);
  const masked = maskedRow(picture, head, query);
  const allowed: number[] = [];
  for (let key = 0; key < weights.length; key += 1) if (masked[key] !== -Infinity) allowed.push(key);
  const ranked = allowed.toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
  const named = ranked.length <= NAMED + 1 ? ranked : ranked.slice(0, NAMED);
  const shares = listed(named.map((key) => {
    const share = percent(weights[key] ?? 0);
    return key === query && !isCross(picture) ? msg(str`${share} from itself`) : msg(html`${share} from <b>${keyWord(picture, key)}</b>`);
  }));
  const hidden = Array.from(weights.keys()).filter((key) => masked[key] === -Infinity);
  return html`
    <p class="row-caption">${about(lineOf(picture), word(picture, query), allowed.length === 0 ? null : shares)}</p>
    <p class="row-rest">${rest(picture, query, allowed.length, ranked.slice(named.length).map((key) => weights[key] ?? 0), hidden)}${dropped(picture)}</p>
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
const dropped = ({ trace }: Picture): string => (trace.settings.dropout > 0 ? ` ${msg('These are the weights before dropout; the walk shows what it leaves.')}` : '');

/** What the keys that are not named take; at temperature 0, or beside a far larger score, some of them take nothing. */
function others(shares: readonly number[]): string[] {
  const some = shares.filter((share) => share > 0).length;
  const none = shares.length - some;
  if (none === 0) return some === 0 ? [] : [plural(some, msg('the other one takes the rest'), msg(str`the other ${count(some)} share the rest`))];
  const left = plural(none, msg('the other one takes nothing'), msg(str`the other ${count(none)} take nothing`));
  return some === 0 ? [left] : [plural(some, msg('1 more takes the rest'), msg(str`${count(some)} more share the rest`)), left];
}

function rest(picture: Picture, query: number, allowed: number, unnamed: readonly number[], hidden: readonly number[]): string {
  const parts = others(unnamed);
  const hand = hidden.filter((key) => isByHand(picture, query, key)).length;
  const { cells } = maskOf(picture.trace.settings.mask);
  if (cells && hidden.length > hand) parts.push(cells.several(hidden.length - hand));
  if (hand > 0) parts.push(plural(hand, msg('1 token is masked by hand'), msg(str`${count(hand)} tokens are masked by hand`)));
  const words = parts.join(msg('; ', { desc: 'between the parts of a sentence' }));
  if (words) return msg(str`${words.charAt(0).toUpperCase()}${words.slice(1)}.`);
  return allowed === 1 ? msg('There is no other word to look at.') : msg('Nothing is masked.');
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
