// "Row it: 26 % from animal, 23 % from itself …": the selected row in one sentence.
import { type TemplateResult, html } from 'lit';
import { cellWeight, percent, plural } from '../format.ts';
import { type Picture, rowOf } from '../picture.ts';
import type { Selection } from '../fragment.ts';
import { word, wordText } from './word.ts';

const NAMED = 4;

export function caption(picture: Picture, { head, query }: Selection): TemplateResult {
  const weights = rowOf(picture, picture.weights, head, query);
  const masked = rowOf(picture, picture.masked, head, query);
  const allowed: number[] = [];
  for (let key = 0; key < weights.length; key += 1) if (masked[key] !== -Infinity) allowed.push(key);
  const ranked = allowed.toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
  const named = ranked.length <= NAMED + 1 ? ranked : ranked.slice(0, NAMED);
  const shares = named.map((key, i) => {
    const share = html`${percent(weights[key] ?? 0)} from ${key === query ? 'itself' : html`<b>${word(picture, key)}</b>`}`;
    return html`${i === 0 ? ' ' : ', '}${share}`;
  });
  return html`
    <p class="row-caption">Row <b class="accent">${word(picture, query)}</b>:${shares}.</p>
    <p class="row-rest">${rest(allowed.length - named.length, weights.length - allowed.length, allowed.length)}</p>
  `;
}

function rest(others: number, hidden: number, allowed: number): string {
  const parts: string[] = [];
  if (others > 0) parts.push(`The other ${others} share the rest`);
  if (hidden > 0) {
    const what = others > 0 ? `the ${plural(hidden, 'later token')}` : `The ${plural(hidden, 'later token')}`;
    parts.push(`${what} ${hidden === 1 ? 'is' : 'are'} masked`);
  }
  if (parts.length > 0) return `${parts.join('; ')}.`;
  return allowed === 1 ? 'There is no other word to look at.' : 'Nothing is masked.';
}

/** The selected cell, for a screen reader: "query it, key animal, weight 0.26". */
export function cellLabel(picture: Picture, { head, query, key }: Selection): string {
  const value = rowOf(picture, picture.weights, head, query)[key] ?? 0;
  const masked = rowOf(picture, picture.masked, head, query)[key] === -Infinity;
  const share = masked ? 'masked, weight 0' : `weight ${cellWeight(value).replace('<.01', 'less than 0.01')}`;
  return `query ${wordText(picture, query)}, key ${wordText(picture, key)}, ${share}`;
}
