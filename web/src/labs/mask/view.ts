// The mask's lab as it is seen: how far each row moves, the triangle, and three ways of hiding a score.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Trace } from '../../engine/engine.ts';
import { fixed, percent } from '../../lib/format.ts';
import { short } from '../../text/numbers.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import { list, segments, sentenceField, wordField } from '../kit/controls.ts';
import { frame } from '../kit/lab.ts';
import { smallMatrix } from '../kit/small-matrix.ts';

export interface Hiding {
  /** Whether the row may see at least its own word. */
  row: 'some' | 'nothing';
  by: 'infinity' | 'zero' | 'large';
  scores: Float32Array;
  weights: Float32Array;
}

export interface MaskData {
  text: string;
  words: readonly string[];
  /** The word that is changed, and the new one. */
  word: number;
  by: string;
  /** How far each row's output moves, with and without the mask; null without words. */
  moved: Record<'causal' | 'none', readonly number[]> | null;
  shown: 'causal' | 'none';
  now: Trace | null;
  row: number;
  head: number;
  heads: number;
  hiding: readonly Hiding[] | null;
  paint: Paint;
}

export interface MaskEvents {
  type(text: string): void;
  word(index: number): void;
  by(word: string): void;
  row(index: number): void;
  head(head: number): void;
  shown(mask: 'causal' | 'none'): void;
}

/** Scores of one row, those of later words hidden in each way; and once more with all of them hidden. */
export function hidings(scores: Float32Array, row: number): Omit<Hiding, 'weights'>[] {
  const hide: Record<Hiding['by'], (score: number) => number> = { infinity: () => -Infinity, zero: () => 0, large: (score) => score - 1e9 };
  return (['some', 'nothing'] as const).flatMap((which) => (['infinity', 'zero', 'large'] as const).map((by) => ({
    row: which, by, scores: scores.map((score, key) => (which === 'nothing' || key > row ? hide[by](score) : score)),
  })));
}

export function maskView(data: MaskData, events: MaskEvents): TemplateResult {
  const { words, word, by, moved } = data;
  return frame({
    title: msg('The mask: what a later word can change'),
    lesson: html`
      <p class="lab-claim">${msg('With the causal mask, no later word can change a row.')}</p>
      <p>${msg('Change a word and see which rows of the output move. A row is made of its own word and earlier ones: what comes later leaves it as it is, to the last bit.')}</p>
      <p>${msg('That is what lets a model be trained on every position at once: no position has seen the word that it is asked to predict.')}</p>
    `,
    controls: html`
      ${sentenceField(msg('Your sentence'), data.text, events.type)}
      ${words.length > 0 ? list(msg('Change a word'), words.map((each, i) => [String(i), `${i + 1}  ${each}`] as const), String(word), (value) => events.word(Number(value))) : nothing}
      ${wordField(msg('New word'), by, events.by)}
    `,
    figure: moved ? html`${movedTable(data)}${triangle(data, events)}${ways(data, events)}` : html`<p class="muted">${msg('Type a word.')}</p>`,
    said: moved ? saidOf(data, moved) : null,
    tries: words.length > 1 ? [
      { label: msg('Change the first word'), act: () => events.word(0) },
      { label: msg('Change the last word'), act: () => events.word(words.length - 1) },
    ] : [],
  });
}

function saidOf({ words, word, by }: MaskData, moved: Record<'causal' | 'none', readonly number[]>): TemplateResult {
  const still = (list: readonly number[]) => list.filter((by) => by === 0).length;
  const [from, to] = [html`<b>${words[word]}</b>`, html`<b>${by}</b>`];
  const total = words.length;
  return msg(html`${from} → ${to}: with the mask ${still(moved.causal)} of ${total} rows stay exactly as they were, without it ${still(moved.none)}.`);
}

function movedTable({ words, word, by, moved }: MaskData): TemplateResult {
  const all = moved as NonNullable<typeof moved>;
  const most = Math.max(...all.causal, ...all.none);
  const cell = (by: number) => html`<td>${by === 0 ? html`<span class="muted">0</span>` : short(by)}</td><td class="bar-cell"><svg class="cell-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width=${most > 0 ? (100 * by) / most : 0} height="10"></rect></svg></td>`;
  return html`
    <div class="lab-scroll">
      <table class="lab-table moved">
        <caption class="small-heading">${msg('How far each row of the output moves: the length of the difference')}</caption>
        <thead><tr><th scope="col">${msg('Row')}</th><th scope="col" colspan="2">${msg('with the causal mask')}</th><th scope="col" colspan="2">${msg('without a mask')}</th></tr></thead>
        <tbody>${words.map((each, t) => html`
          <tr ?data-chosen=${t === word}>
            <th scope="row" dir="auto" lang="">${each}${t === word ? html` <span class="accent">→ ${by}</span>` : nothing}</th>
            ${cell(all.causal[t] ?? 0)}${cell(all.none[t] ?? 0)}
          </tr>
        `)}</tbody>
      </table>
    </div>
  `;
}

/** One head's scores with the mask, and what softmax makes of them. */
function triangle(data: MaskData, events: MaskEvents): TemplateResult {
  const { words, now, head, heads, shown, row, paint } = data;
  if (!now) return html``;
  const { T, S } = now.shape;
  const [scores, weights] = [now.head('masked_scores', head), now.head('weights', head)];
  const at = (numbers: Float32Array, q: number, k: number) => (scores[q * S + k] === -Infinity ? null : (numbers[q * S + k] ?? 0));
  const range = Math.max(1e-6, ...scores.filter(Number.isFinite).map(Math.abs));
  const hidden = scores.filter((score) => score === -Infinity).length;
  const shared = { rows: words, columns: words, axes: { down: msg('query'), across: msg('key') }, paint, lit: { row } };
  return html`
    <section>
      <h3>${msg('The triangle, before and after softmax')}</h3>
      <div class="lab-controls">
        ${segments(msg('Mask'), 'lab-mask-shown', [['causal', msg('causal')], ['none', msg('none')]] as const, shown, events.shown)}
        ${segments(msg('Head'), 'lab-mask-head', Array.from({ length: heads }, (_, i) => [String(i), i + 1] as const), String(head), (value) => events.head(Number(value)))}
      </div>
      <div class="lab-columns">
        ${smallMatrix({ ...shared, title: msg('Scores with the mask'), summary: msg(str`${hidden} of ${T * S} are −∞.`), kind: 'signed', range, words: (x) => fixed(x, 2), value: (q, k) => at(scores, q, k) })}
        ${smallMatrix({ ...shared, title: msg('Weights'), summary: msg(str`${hidden} of ${T * S} are masked, and exactly 0; every row adds up to 1.`), kind: 'weights', value: (q, k) => at(weights, q, k) })}
      </div>
      <p class="lab-note">${msg('Hiding comes before softmax: what is hidden gets nothing, and the others share the whole. Zeros put in after softmax would leave rows that add up to less than 1.')}</p>
    </section>
  `;
}

const BY: Record<Hiding['by'], () => string> = {
  infinity: () => msg('set to −∞'), zero: () => msg('set to 0'), large: () => msg('lowered by 10⁹'),
};

/** Why −∞ and nothing else. */
function ways(data: MaskData, events: MaskEvents): TemplateResult {
  const { words, row, hiding } = data;
  return html`
    <section>
      <h3>${msg('Why −∞, and not 0 or −10⁹')}</h3>
      <div class="lab-controls">
        ${list(msg('Row'), words.map((each, i) => [String(i), `${i + 1}  ${each}`] as const), String(row), (value) => events.row(Number(value)))}
      </div>
      ${hiding === null ? html`<p class="muted">${msg('Loading…')}</p>` : html`
        <div class="lab-scroll"><table class="lab-table">
          <thead><tr><th scope="col">${msg('Hidden scores are')}</th><th scope="col">${msg('share that leaks to hidden words')}</th><th scope="col">${msg('and where a row may see nothing at all')}</th></tr></thead>
          <tbody>${(['infinity', 'zero', 'large'] as const).map((by) => html`
            <tr><th scope="row">${BY[by]()}</th>${(['some', 'nothing'] as const).map((which) => html`<td>${leakWords(hiding, by, which, row)}</td>`)}</tr>
          `)}</tbody>
        </table></div>
        <p class="lab-note">${msg('A score of 0 is a score like any other: softmax gives it e⁰. Lowering by 10⁹ works while the row sees something; where it sees nothing, all scores become the same number, since float32 has no digits left for their differences, and the row spreads over words that it must not see. With −∞ the shares are exactly 0, and a row without keys is a row of zeros.')}</p>
      `}
    </section>
  `;
}

/** The sum of the weights on what should be hidden. */
export const leak = ({ row: which, weights }: Hiding, row: number): number => weights.reduce((sum, weight, key) => (which === 'nothing' || key > row ? sum + weight : sum), 0);

function leakWords(hiding: readonly Hiding[], by: Hiding['by'], which: Hiding['row'], row: number): unknown {
  const found = hiding.find((each) => each.by === by && each.row === which);
  if (!found) return '';
  const share = leak(found, row);
  return share === 0 ? html`<b>0</b>` : html`${percent(share)} <span class="muted">(${fixed(share, 4)})</span>`;
}
