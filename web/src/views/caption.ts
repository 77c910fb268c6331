// "Row it: 26 % from animal, 23 % from itself …": the selected row in one sentence.
import { type TemplateResult, html } from 'lit';
import { cellDifference, cellWeight, percent, plural } from '../format.ts';
import { type Picture, fit, isCross, lineOf, weightsRow, maskedRow, whyMasked } from '../picture.ts';
import type { Selection } from '../fragment.ts';
import type { Shown } from '../pinned.ts';
import { keyWord, word, wordText } from './word.ts';

const NAMED = 4;

export function caption(picture: Picture, { head, query }: Selection): TemplateResult {
  const weights = weightsRow(picture, head, query);
  const masked = maskedRow(picture, head, query);
  const allowed: number[] = [];
  for (let key = 0; key < weights.length; key += 1) if (masked[key] !== -Infinity) allowed.push(key);
  const ranked = allowed.toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
  const named = ranked.length <= NAMED + 1 ? ranked : ranked.slice(0, NAMED);
  const shares = named.map((key, i) => {
    const share = html`${percent(weights[key] ?? 0)} from ${key === query && !isCross(picture) ? 'itself' : html`<b>${keyWord(picture, key)}</b>`}`;
    return html`${i === 0 ? ' ' : ', '}${share}`;
  });
  const hidden = Array.from(weights.keys()).filter((key) => masked[key] === -Infinity);
  const about = allowed.length === 0 ? html` sees nothing: its weights and its context are 0` : html`:${shares}`;
  return html`
    <p class="row-caption">${lineOf(picture) === 'row' ? 'Row' : 'Column'} <b class="accent">${word(picture, query)}</b>${about}.</p>
    <p class="row-rest">${rest(picture, query, allowed, named.length, hidden)}${dropped(picture)}</p>
  `;
}

/** Dropout comes after the weights: what is shown here is not what goes on. */
const dropped = ({ trace }: Picture): string => (trace.settings.dropout > 0 ? ' These are the weights before dropout; the walk shows what it leaves.' : '');

function rest(picture: Picture, query: number, allowed: readonly number[], named: number, hidden: readonly number[]): string {
  const parts: string[] = [];
  const others = allowed.length - named;
  if (others > 0) parts.push(`the other ${others} share the rest`);
  const why = (reason: string) => hidden.filter((key) => whyMasked(picture, query, key) === reason).length;
  const [later, outside, hand] = [why('later'), why('window'), why('hand')];
  const are = (n: number) => (n === 1 ? 'is' : 'are');
  if (later > 0) parts.push(`the ${plural(later, 'later token')} ${are(later)} masked`);
  if (outside > 0) parts.push(`the ${plural(outside, 'token')} outside the window ${are(outside)} masked`);
  if (hand > 0) parts.push(`${plural(hand, 'token')} ${are(hand)} masked by hand`);
  const words = parts.join('; ');
  if (words) return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  return allowed.length === 1 ? 'There is no other word to look at.' : 'Nothing is masked.';
}

/** The selected cell of what is shown: "it → animal 0.26". */
export function cellWords({ picture, mode, numbers, masked }: Shown, selection: Selection): TemplateResult {
  const { query, key } = fit(selection, picture);
  const at = query * picture.trace.shape.S + key;
  const words = mode === 'difference' ? cellDifference : cellWeight;
  return html`${word(picture, query)} → ${keyWord(picture, key)} <b>${masked[at] === -Infinity ? 'masked' : words(numbers[at] ?? 0)}</b>`;
}

/** The selected cell, for a screen reader: "query it, key animal, weight 0.26". */
export function cellLabel(picture: Picture, { head, query, key }: Selection): string {
  const hand = picture.edited.has(query * picture.trace.shape.S + key);
  const value = weightsRow(picture, head, query)[key] ?? 0;
  const masked = maskedRow(picture, head, query)[key] === -Infinity;
  const share = masked ? `masked${hand ? ' by hand' : ''}, weight 0` : `weight ${cellWeight(value).replace('<.01', 'less than 0.01')}`;
  return `query ${wordText(picture, query)}, key ${wordText(picture, key, 'key')}, ${share}${hand && !masked ? ', shown by hand' : ''}`;
}

/** The same of a difference: "query it, key animal, now − pinned −0.12". */
export function differenceLabel({ picture, numbers, masked }: Shown, { query, key }: Selection): string {
  const at = query * picture.trace.shape.S + key;
  const value = masked[at] === -Infinity ? 'masked in both' : `now − pinned ${cellDifference(numbers[at] ?? 0).replace('<.01', 'less than 0.01')}`;
  return `query ${wordText(picture, query)}, key ${wordText(picture, key, 'key')}, ${value}`;
}
