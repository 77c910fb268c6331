// The lab of order as it is seen: the shuffled words and how far each word's output moved, under every mask and position.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import type { Trace } from '../../engine/engine.ts';
import { fixed, short, significant } from '../../lib/format.ts';
import { ownWord } from '../../text/word.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import { bars } from '../kit/bars.ts';
import { button, segments, sentenceField } from '../kit/controls.ts';
import { frame } from '../kit/frame.ts';
import { smallMatrix } from '../kit/small-matrix.ts';

export const MASKS = ['none', 'causal'] as const;
export const POSITIONS = ['none', 'sinusoidal', 'rope', 'alibi'] as const;
type Mask = (typeof MASKS)[number];
type Position = (typeof POSITIONS)[number];

export interface Combination { mask: Mask; positions: Position; moved: readonly number[] }

/** How far what a feed-forward network and attention make of each word moves when the sentence loses its last word. */
export interface Layers { hidden: number; words: readonly { network: number; attention: number }[] }

/** Lengths of a word's row before, of what is added, and after; and the angle between the first two, by its cosine. */
export interface Stream { before: number; added: number; cosine: number; after: number }

export interface OrderData {
  text: string;
  words: readonly string[];
  mask: Mask;
  positions: Position;
  reversed: boolean;
  /** Null without words, or while the operators load. `order[place]` is the word that stands there now. */
  shuffled: { order: readonly number[]; combinations: readonly Combination[]; now: Trace; later: Trace; layers: Layers; stream: readonly Stream[] } | null;
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
      <p>${msg('Attention compares contents. Without a mask and without positions a word gets the same output wherever it stands: shuffle the words, and the outputs are shuffled alike. That is called permutation-equivariant.')}</p>
      <p>${msg('Order comes in from outside: by positions that are added or turned into the rows, or by a mask, which lets each word see only what is before it.')}</p>
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
      { label: msg('Read it backwards'), act: events.reverse },
    ] : [],
    figure: words.length === 0 ? html`<p class="muted">${msg('Type a word.')}</p>` : shuffled ? html`
      ${both(data, shuffled)}
      ${table(data, shuffled.combinations)}
      ${words.length > 1 ? layers(words, shuffled.layers) : ''}
      ${stream(words, shuffled.stream)}
    ` : html`<p class="muted">${msg('Loading…')}</p>`,
  });
}

const largest = (moved: readonly number[]): number => Math.max(0, ...moved);

function saidOf({ words, mask, positions }: OrderData, combinations: readonly Combination[]): TemplateResult | null {
  const moved = combinations.find((each) => each.mask === mask && each.positions === positions)?.moved ?? [];
  if (words.length < 2) return html`${msg('One word has no order.')}`;
  const most = largest(moved);
  const word = html`<b>${ownWord(words[moved.indexOf(most)])}</b>`;
  if (most === 0) return html`${msg('No output moves at all.')}`;
  return most < ROUNDING
    ? msg(html`No output moves by more than ${significant(most, 2)}, which is rounding: the same numbers are added in another order.`)
    : msg(html`The output of ${word} moves by ${short(most)}, and ${moved.filter((by) => by >= ROUNDING).length} of ${words.length} outputs move.`);
}

/** The weights of head 1 before and after, and each word's own movement between. */
function both({ words, mask, positions, paint }: OrderData, { order, now, later, combinations }: NonNullable<OrderData['shuffled']>): TemplateResult {
  const moved = combinations.find((each) => each.mask === mask && each.positions === positions)?.moved ?? [];
  const most = Math.max(largest(moved), ROUNDING);
  const picture = (title: string, trace: Trace, names: readonly string[]) => {
    const [weights, masked, { S }] = [trace.head('weights', 0), trace.head('masked_scores', 0), trace.shape];
    return smallMatrix({
      title, summary: names.join(' '), rows: names, columns: names, axes: { down: msg('query'), across: msg('key') }, paint, kind: 'weights',
      value: (q, k) => (masked[q * S + k] === -Infinity ? null : (weights[q * S + k] ?? 0)),
    });
  };
  return html`
    <div class="lab-columns">
      ${picture(msg('Weights of head 1, as you wrote it'), now, words)}
      ${picture(msg('The same, shuffled'), later, order.map((i) => words[i] ?? ''))}
    </div>
    ${bars({
      title: msg('How far each word’s output moves, wherever it stands now'), columns: [msg('Word'), msg('length of the difference')], domain: ['0', short(most)],
      bars: words.map((word, i) => ({ name: html`<span dir="auto" lang="">${word}</span>`, share: (moved[i] ?? 0) / most, words: (moved[i] ?? 0) === 0 ? '0' : significant(moved[i] ?? 0, 3) })),
    })}
  `;
}

function table({ mask, positions }: OrderData, combinations: readonly Combination[]): TemplateResult {
  const cell = (each: Mask, where: Position) => {
    const most = largest(combinations.find((one) => one.mask === each && one.positions === where)?.moved ?? []);
    return html`<td>${most === 0 ? '0' : significant(most, 2)} <span class="muted">${most < ROUNDING ? msg('alike') : msg('moved')}</span></td>`;
  };
  return html`
    <section>
      <h3>${msg('The largest movement of any word’s output, under every setting')}</h3>
      <div class="lab-scroll"><table class="lab-table">
        <thead><tr><th scope="col">${msg('Positions')}</th>${MASKS.map((each) => html`<th scope="col">${each === 'none' ? msg('no mask') : msg('causal mask')}</th>`)}</tr></thead>
        <tbody>${POSITIONS.map((where) => html`<tr ?data-chosen=${where === positions}><th scope="row">${POSITION_WORDS[where]()}</th>${MASKS.map((each) => html`${cell(each, where)}`)}</tr>`)}</tbody>
      </table></div>
      <p class="lab-note">${msg(str`Now chosen: mask ${MASK_WORDS[mask]()}, positions ${POSITION_WORDS[positions]()}.`)}</p>
    </section>
  `;
}

function layers(words: readonly string[], { hidden, words: each }: Layers): TemplateResult {
  return html`
    <section>
      <h3>${msg('Fixed weights, and weights that depend on the input')}</h3>
      <p class="lab-note">${msg(html`A feed-forward network (${hidden} numbers wide, random weights) multiplies every word by the same matrices, whatever the sentence. Attention makes its weights anew from each sentence. So take the last word, <b>${words.at(-1)}</b>, away, without a mask and without positions: what the network makes of the other words stays to the last bit, and what attention makes of them moves.`)}</p>
      <div class="lab-scroll"><table class="lab-table">
        <thead><tr><th scope="col">${msg('Word')}</th><th scope="col">${msg('its feed-forward result moves by')}</th><th scope="col">${msg('its attention output moves by')}</th></tr></thead>
        <tbody>${words.slice(0, -1).map((word, i) => html`<tr><th scope="row" dir="auto" lang="">${word}</th><td>${each[i]?.network === 0 ? '0' : significant(each[i]?.network ?? NaN, 2)}</td><td>${each[i]?.attention === 0 ? '0' : significant(each[i]?.attention ?? NaN, 2)}</td></tr>`)}</tbody>
      </table></div>
    </section>
  `;
}

function stream(words: readonly string[], rows: readonly Stream[]): TemplateResult {
  return html`
    <section>
      <h3>${msg('The residual stream: what is added to which word')}</h3>
      <p class="lab-note">${msg('Attention does not replace a word’s row: it adds to it. The row goes on with what it was and what it has gathered.')}</p>
      <div class="lab-scroll"><table class="lab-table">
        <thead><tr><th scope="col">${msg('Word')}</th><th scope="col">${msg('length of its row')}</th><th scope="col">${msg('of what is added')}</th><th scope="col">${msg('angle between')}</th><th scope="col">${msg('length after')}</th></tr></thead>
        <tbody>${rows.map(({ before, added, cosine, after }, i) => html`<tr><th scope="row" dir="auto" lang="">${words[i]}</th><td>${fixed(before, 2)}</td><td>${fixed(added, 2)}</td><td>${Math.round((Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI)}°</td><td>${fixed(after, 2)}</td></tr>`)}</tbody>
      </table></div>
    </section>
  `;
}
