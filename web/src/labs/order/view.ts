// The lab of order as it is seen: what a shuffle of the words changes in who looks at whom, under each mask and position.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import type { Trace } from '../../engine/engine.ts';
import { significant } from '../../lib/format.ts';
import { short } from '../../text/numbers.ts';
import { ownWord } from '../../text/word.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import { button, segments, sentenceField } from '../kit/controls.ts';
import { frame } from '../kit/lab.ts';
import { smallMatrix } from '../kit/small-matrix.ts';

export const MASKS = ['none', 'causal'] as const;
export const POSITIONS = ['none', 'sinusoidal', 'rope', 'alibi'] as const;
type Mask = (typeof MASKS)[number];
type Position = (typeof POSITIONS)[number];

/** How far each word's output moves under one setting. */
export interface Combination { mask: Mask; positions: Position; moved: readonly number[] }

export interface Shuffled {
  /** `order[place]` is the word that stands there now. */
  order: readonly number[];
  combinations: readonly Combination[];
  now: Trace;
  /** Head 1's weights minus those before, by the words themselves, wherever they stand; null where both are masked. */
  changed: readonly (number | null)[];
}

export interface OrderData {
  text: string;
  words: readonly string[];
  mask: Mask;
  positions: Position;
  /** Null without words, or while the operators load. */
  shuffled: Shuffled | null;
  paint: Paint;
}

export interface OrderEvents {
  type(text: string): void;
  set(part: { mask?: Mask; positions?: Position }): void;
  again(): void;
  reverse(): void;
}

/** Sums in another order differ in their last digits; outputs have a length of about 3, so less than this is rounding. */
export const ROUNDING = 1e-4;

const MASK_WORDS: Record<Mask, () => string> = { none: () => msg('none'), causal: () => msg('causal') };
const POSITION_WORDS: Record<Position, () => string> = {
  none: () => msg('none'), sinusoidal: () => msg('sinusoidal'), rope: () => msg('RoPE'), alibi: () => msg('ALiBi'),
};

export function orderView(data: OrderData, events: OrderEvents): TemplateResult {
  const { text, words, mask, positions, shuffled } = data;
  return frame({
    title: msg('Order: what attention knows of it'),
    lesson: html`
      <p class="lab-claim">${msg('Attention by itself does not know in which order the words stand.')}</p>
      <p>${msg('It compares contents. Without a mask and without positions a word looks at the same words and gets the same output wherever it stands: shuffle the sentence, and nothing changes but the places. Order comes in from outside, by positions or by a mask.')}</p>
    `,
    controls: html`
      ${sentenceField(msg('Your sentence'), text, events.type)}
      ${segments(msg('Mask'), 'lab-order-mask', MASKS.map((each) => [each, MASK_WORDS[each]()] as const), mask, (value) => events.set({ mask: value }))}
      ${segments(msg('Positions'), 'lab-order-positions', POSITIONS.map((each) => [each, POSITION_WORDS[each]()] as const), positions, (value) => events.set({ positions: value }))}
      ${button(msg('Shuffle'), events.again)}
    `,
    said: shuffled ? saidOf(data, shuffled.combinations) : null,
    tries: words.length > 1 ? [
      { label: msg('Neither mask nor positions'), act: () => events.set({ mask: 'none', positions: 'none' }) },
      { label: msg('A mask alone'), act: () => events.set({ mask: 'causal', positions: 'none' }) },
      { label: msg('Positions alone'), act: () => events.set({ mask: 'none', positions: 'sinusoidal' }) },
      { label: msg('Read it backwards'), act: events.reverse },
    ] : [],
    figure: words.length === 0 ? html`<p class="muted">${msg('Type a word.')}</p>` : shuffled ? html`
      ${order(data, shuffled)}
      ${matrices(data, shuffled)}
      ${table(data, shuffled.combinations)}
    ` : html`<p class="muted">${msg('Loading…')}</p>`,
  });
}

const largest = (moved: readonly number[]): number => Math.max(0, ...moved);
const movedBy = ({ mask, positions }: OrderData, combinations: readonly Combination[]): readonly number[] =>
  combinations.find((each) => each.mask === mask && each.positions === positions)?.moved ?? [];

function saidOf(data: OrderData, combinations: readonly Combination[]): TemplateResult {
  const { words } = data;
  if (words.length < 2) return html`${msg('One word has no order.')}`;
  const moved = movedBy(data, combinations);
  const most = largest(moved);
  const word = html`<b>${ownWord(words[moved.indexOf(most)])}</b>`;
  if (most === 0) return html`${msg('No output moves at all.')}`;
  return most < ROUNDING
    ? msg(html`<b>Nothing changes.</b> No output moves by more than ${significant(most, 2)}, which is rounding: the same numbers are added in another order.`)
    : msg(html`<b>${moved.filter((by) => by >= ROUNDING).length} of ${words.length} outputs move</b>, that of ${word} the farthest, by ${short(most)}.`);
}

/** The sentence as it stands now; words whose output has moved are marked. */
function order(data: OrderData, { order: places, combinations }: Shuffled): TemplateResult {
  const moved = movedBy(data, combinations);
  return html`
    <ol class="lab-context lab-order" aria-label=${msg('The shuffled words')}>${places.map((from) => {
      const isMoved = (moved[from] ?? 0) >= ROUNDING;
      return html`<li ?data-moved=${isMoved}><bdi lang="">${data.words[from]}</bdi><small>${isMoved ? msg('changed') : msg('unchanged')}</small></li>`;
    })}</ol>
  `;
}

/** What was before, and beside it the change alone: nothing has to be compared by eye. */
function matrices({ words, paint }: OrderData, { now, changed }: Shuffled): TemplateResult {
  const [weights, masked, { S }] = [now.head('weights', 0), now.head('masked_scores', 0), now.shape];
  const axes = { down: msg('query'), across: msg('key') };
  const most = Math.max(0, ...changed.map((by) => Math.abs(by ?? 0)));
  return html`
    <div class="lab-columns">
      ${smallMatrix({
        title: msg('Who looked at whom, as you wrote it'), note: msg('weights of head 1'), summary: words.join(' '), rows: words, columns: words, axes, paint, kind: 'weights',
        value: (q, k) => (masked[q * S + k] === -Infinity ? null : (weights[q * S + k] ?? 0)),
      })}
      ${smallMatrix({
        title: msg('What the shuffle changed'), note: most < ROUNDING ? msg('nothing') : msg('the same two words, after − before'),
        summary: most < ROUNDING ? msg('No weight changes.') : msg(str`The largest change of a weight is ${short(most)}.`),
        rows: words, columns: words, axes, paint, kind: 'signed', range: Math.max(0.5, most),
        // Rounding is no change that could be seen.
        words: (by) => (Math.abs(by) < 0.005 ? '' : `${by < 0 ? '−' : '+'}${Math.abs(by).toFixed(2)}`),
        value: (q, k) => changed[q * S + k] ?? null,
      })}
    </div>
  `;
}

function table({ positions }: OrderData, combinations: readonly Combination[]): TemplateResult {
  const cell = (each: Mask, where: Position) => {
    const most = largest(combinations.find((one) => one.mask === each && one.positions === where)?.moved ?? []);
    return html`<td>${most < ROUNDING ? msg('no') : html`<b>${msg('yes')}</b> <span class="muted">${short(most)}</span>`}</td>`;
  };
  return html`
    <section>
      <h3>${msg('Does order matter? The largest movement of any word’s output')}</h3>
      <div class="lab-scroll"><table class="lab-table">
        <thead><tr><th scope="col">${msg('Positions')}</th>${MASKS.map((each) => html`<th scope="col">${each === 'none' ? msg('no mask') : msg('causal mask')}</th>`)}</tr></thead>
        <tbody>${POSITIONS.map((where) => html`<tr ?data-chosen=${where === positions}><th scope="row">${POSITION_WORDS[where]()}</th>${MASKS.map((each) => cell(each, where))}</tr>`)}</tbody>
      </table></div>
    </section>
  `;
}
