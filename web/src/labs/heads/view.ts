// The heads' lab as it is seen: a picture of each head, what the split costs, and concat times W_O as a sum over heads.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import type { Trace } from '../../engine/engine.ts';
import { count, fixed, listed, short, significant } from '../../lib/format.ts';
import { ownWord } from '../../text/word.ts';
import { headHues } from '../../ui/kit/hues.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import { list, segments, sentenceField } from '../kit/controls.ts';
import { frame } from '../kit/frame.ts';
import { smallMatrix } from '../kit/small-matrix.ts';

export const HEADS = ['1', '2', '4', '8', '16'] as const;
export const D_MODEL = 16;

export interface Updates {
  /** [H·d_v], [H·d_v, D], [H, D], and two rows of [D]. */
  concat: Float32Array;
  out_proj: Float32Array;
  each: Float32Array;
  sum: Float32Array;
  output: Float32Array;
  /** The largest distance between the two. */
  apart: number;
  norms: readonly number[];
}

export interface HeadsData {
  text: string;
  words: readonly string[];
  heads: number;
  row: number;
  trace: Trace | null;
  updates: Updates | null;
  paint: Paint;
}

export interface HeadsEvents {
  type(text: string): void;
  heads(heads: (typeof HEADS)[number]): void;
  row(index: number): void;
}

export function headsView(data: HeadsData, events: HeadsEvents): TemplateResult {
  const { text, words, heads, row, trace, updates } = data;
  const width = D_MODEL / heads;
  return frame({
    title: msg('Heads: the same numbers, split'),
    lesson: html`
      <p>${msg(html`Each word has d<sub>model</sub> = ${D_MODEL} numbers for its query, and as many for its key and value. One head compares all ${D_MODEL} at once; ${heads > 1 ? msg(str`${heads} heads compare ${width} each`) : msg('more heads compare fewer each')}, and every head gets a pattern of its own.`)}</p>
      <p>${msg('Nothing is added by the split: the matrices are as large with one head as with many. Only what is compared with what is another.')}</p>
    `,
    controls: html`
      ${sentenceField(msg('Your sentence'), text, events.type)}
      ${segments(msg('Heads'), 'lab-heads-heads', HEADS.map((value) => [value, value] as const), String(heads) as (typeof HEADS)[number], events.heads)}
      ${words.length > 0 ? list(msg('Row'), words.map((word, i) => [String(i), `${i + 1}  ${word}`] as const), String(row), (value) => events.row(Number(value))) : ''}
    `,
    said: trace ? saidOf(data, trace) : null,
    tries: trace ? [
      { label: msg('One head for everything'), act: () => events.heads('1') },
      { label: msg('As many heads as numbers'), act: () => events.heads('16') },
    ] : [],
    figure: trace
      ? html`${pictures(data, trace)}${costs(heads)}${updates ? sums(data, updates) : html`<p class="muted">${msg('Loading…')}</p>`}`
      : html`<p class="muted">${msg('Type a word.')}</p>`,
  });
}

/** Where each head looks most, of the chosen row. */
function largest(trace: Trace, head: number, row: number): { key: number; weight: number } {
  const { S } = trace.shape;
  const weights = trace.head('weights', head).subarray(row * S, (row + 1) * S);
  const weight = Math.max(...weights);
  return { key: weights.indexOf(weight), weight };
}

function saidOf({ words, heads, row }: HeadsData, trace: Trace): TemplateResult {
  const word = html`<b>${ownWord(words[row])}</b>`;
  // A word that stands twice is one word.
  const found = new Set(Array.from({ length: heads }, (_, head) => words[largest(trace, head, row).key]));
  if (heads === 1) {
    const { key, weight } = largest(trace, 0, row);
    return msg(html`The only head of ${word} looks most at <b>${ownWord(words[key])}</b>, ${fixed(weight, 2)}.`);
  }
  const names = listed([...found].map((name) => html`<b>${ownWord(name)}</b>`));
  return found.size === 1
    ? msg(html`The ${heads} heads of ${word} look most at one word: ${names}.`)
    : msg(html`The ${heads} heads of ${word} look most at ${found.size} different words: ${names}.`);
}

function pictures({ words, row, heads, paint }: HeadsData, trace: Trace): TemplateResult {
  const { S } = trace.shape;
  return html`
    <div class=${heads > 2 ? 'lab-columns lab-many' : 'lab-columns'}>
      ${Array.from({ length: heads }, (_, head) => {
        const [weights, masked] = [trace.head('weights', head), trace.head('masked_scores', head)];
        const { key, weight } = largest(trace, head, row);
        return html`<div class="lab-head-card" .style=${`--hue: ${headHues(heads, paint.theme)[head] ?? ''}`}>${smallMatrix({
          title: heads === D_MODEL ? msg(str`Head ${head + 1}: number ${head + 1}`) : msg(str`Head ${head + 1}: numbers ${head * (D_MODEL / heads) + 1} to ${(head + 1) * (D_MODEL / heads)}`),
          summary: msg(str`Row ${words[row] ?? ''} looks most at ${words[key] ?? ''}, ${fixed(weight, 2)}.`),
          rows: words, columns: words, axes: { down: msg('query'), across: msg('key') }, paint, kind: 'weights', lit: { row }, legend: head === 0 || heads <= 4,
          value: (q, k) => (masked[q * S + k] === -Infinity ? null : (weights[q * S + k] ?? 0)),
        })}</div>`;
      })}
    </div>
  `;
}

/** Equal parameters, whatever the split; the scale follows the head's width. */
function costs(chosen: number): TemplateResult {
  return html`
    <section>
      <h3>${msg('What the split changes, and what it does not')}</h3>
      <div class="lab-scroll"><table class="lab-table">
        <thead><tr><th scope="col">${msg('heads H')}</th><th scope="col">${msg(html`numbers in each, d<sub>model</sub>/H`)}</th><th scope="col">${msg(html`scores are divided by √(d<sub>model</sub>/H)`)}</th><th scope="col">${msg(html`parameters, 4·d<sub>model</sub>²`)}</th></tr></thead>
        <tbody>${HEADS.map(Number).map((heads) => html`
          <tr ?data-chosen=${heads === chosen}><th scope="row">${heads}</th><td>${D_MODEL / heads}</td><td>${short(Math.sqrt(D_MODEL / heads))}</td><td>${count(4 * D_MODEL ** 2)}</td></tr>
        `)}</tbody>
      </table></div>
    </section>
  `;
}

function sums({ heads, words, row, paint }: HeadsData, { each, sum, output, concat, out_proj, apart, norms }: Updates): TemplateResult {
  const D = D_MODEL;
  const width = D / heads;
  const all = [each, sum, output];
  const range = Math.max(1e-6, ...all.flatMap((list) => [...list].map(Math.abs)));
  const columns = Array.from({ length: D }, (_, i) => String(i + 1));
  const part = (head: number) => (heads === 1 ? msg('head 1') : msg(str`head ${head + 1}`));
  const rows = [...Array.from({ length: heads }, (_, head) => part(head)), msg('sum'), msg('output')];
  const numbers = Float32Array.from([...each, ...sum, ...output]);
  const hues = headHues(heads, paint.theme);
  const matrixRange = Math.max(1e-6, ...out_proj.map(Math.abs));
  const owner = (i: number) => (width === 1 ? msg(str`head ${i + 1}`) : `${msg(str`head ${Math.floor(i / width) + 1}`)} · ${(i % width) + 1}`);
  return html`
    <section>
      <h3>${msg(html`Side by side, then W<sub>O</sub>: the same as adding the heads up`)}</h3>
      <p class="lab-note">${msg(html`The heads’ contexts of <b>${ownWord(words[row])}</b> stand side by side: ${heads} × ${width} = ${D} numbers. W<sub>O</sub> multiplies each head’s part by that head’s own ${width} rows, so the output is a sum of one update from each head.`)}</p>
      <div class="lab-concat" aria-hidden="true">${Array.from({ length: D }, (_, i) => html`<span .style=${`--hue: ${hues[Math.floor(i / width)] ?? ''}`}>${fixed(concat[i] ?? 0, 2)}</span>`)}</div>
      <div class="lab-columns">
        ${smallMatrix({
          title: msg('What each head adds to the row'), summary: msg(str`The sum of the heads’ updates is the output, to ${significant(apart, 2)}.`),
          rows, columns, axes: { down: msg('update'), across: msg('number') }, paint, kind: 'signed', range, words: (x) => fixed(x, 2), lit: { row: heads }, value: (r, c) => numbers[r * D + c] ?? 0,
        })}
        ${smallMatrix({
          title: msg('W_O, the rows of each head together'), summary: msg(str`${width} rows belong to each of ${heads} heads.`),
          rows: Array.from({ length: D }, (_, i) => owner(i)), columns, axes: { down: msg('number of concat'), across: msg('number of output') }, paint, kind: 'signed', range: matrixRange, words: (x) => fixed(x, 1), value: (r, c) => out_proj[r * D + c] ?? 0,
        })}
      </div>
      <p class="lab-equal">${msg(html`Sum of updates − output: at most <b>${apart === 0 ? '0' : significant(apart, 2)}</b>, which is float32’s rounding: the terms are added in another order.`)}</p>
      <div class="lab-scroll"><table class="lab-table">
        <thead><tr><th scope="col">${msg('Head')}</th><th scope="col">${msg('length of its update')}</th></tr></thead>
        <tbody>${norms.map((norm, head) => html`<tr><th scope="row">${head + 1}</th><td>${short(norm)}</td></tr>`)}</tbody>
      </table></div>
    </section>
  `;
}
