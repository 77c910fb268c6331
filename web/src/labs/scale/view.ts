// The lab of √d as it is seen: one row of softmax that moves, and behind it why the divisor is √d, measured on random vectors.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, svg } from 'lit';
import { count, fixed, percent } from '../../lib/format.ts';
import { short } from '../../text/numbers.ts';
import { math } from '../../text/mathml.ts';
import { ownWord, withSubs } from '../../text/word.ts';
import { type Axis, type Field, across, plot, roomFor } from '../kit/plot.ts';
import { button, list, segments, sentenceField, slider } from '../kit/controls.ts';
import { frame } from '../kit/lab.ts';
import type { Measured, Sample } from './experiment.ts';

export interface ScaleKnobs { d: number; divide: boolean; row: number; pairs: '500' | '2000' | '4000'; keys: number; seed: number }

export interface ScaleData {
  text: string;
  knobs: Readonly<ScaleKnobs>;
  /** Null without a word. */
  own: Row | null;
  /** Null while the operators are loading. */
  measured: Measured | null;
}

export interface ScaleEvents {
  type(text: string): void;
  set(part: Partial<ScaleKnobs>): void;
}

/** Where the slider of d stops: four times between each power of two and the next. */
const STOPS = [...new Set(Array.from({ length: 41 }, (_, i) => Math.round(2 ** (i / 4))))];

export function scaleView({ text, knobs, own, measured }: ScaleData, { type, set }: ScaleEvents): TemplateResult {
  const { d, divide, seed } = knobs;
  return frame({
    title: msg('Why scores are divided by √d'),
    lesson: html`
      <p class="lab-claim">${msg('Without the division, long vectors give one word nearly everything.')}</p>
      <p>${msg('A score is a sum of d products, and a sum of d random products lies about √d from 0. Where scores lie far apart, softmax gives one word nearly everything, before anything is learnt, and training can hardly correct it. Divided by √d, scores lie equally far apart at any length.')}</p>
    `,
    controls: html`
      ${slider(msg('Length of the vectors, d'), { least: 0, most: STOPS.length - 1, value: stopOf(d), words: count(d) }, (at) => set({ d: STOPS[at] ?? d }))}
      ${segments(msg('Divide by √d'), 'lab-scale-divide', [['on', msg('yes')], ['off', msg('no')]], divide ? 'on' : 'off', (value) => set({ divide: value === 'on' }))}
      ${own ? list(msg('Word that looks'), own.words.map((word, i) => [String(i + 1), `${i + 1}  ${word}`] as const), String(own.query + 1), (value) => set({ row: Number(value) })) : ''}
      ${button(msg('Try other random numbers'), () => set({ seed: (seed + 1) % 2 ** 32 }))}
      ${sentenceField(msg('Your sentence'), text, type)}
    `,
    figure: own ? softmaxRow(own, divide, d) : html`<p class="muted">${msg('Type a word.')}</p>`,
    said: own ? saidOf(own, d) : null,
    tries: [
      { label: msg('The shortest: d = 1'), act: () => set({ d: 1 }) },
      { label: msg('As in GPT-3’s heads: d = 128'), act: () => set({ d: 128 }) },
      { label: msg('The longest here: d = 1,024'), act: () => set({ d: 1024 }) },
    ],
    more: { title: msg('Where √d comes from, measured on many random vectors'), body: html`${sample(knobs, measured, set)}${derivation(d)}` },
  });
}

const stopOf = (d: number): number => STOPS.reduce((best, stop, i) => (Math.abs(Math.log(stop / d)) < Math.abs(Math.log((STOPS[best] ?? 1) / d)) ? i : best), 0);

function saidOf({ words, query, raw, divided }: Row, d: number): TemplateResult {
  const word = (at: number) => html`<b>${ownWord(words[at])}</b>`;
  const [undivided, best] = [top(raw.weights), top(divided.weights)];
  const [most, less] = [html`<b>${percent(raw.weights[undivided] ?? NaN)}</b>`, html`<b>${percent(divided.weights[best] ?? NaN)}</b>`];
  const root = fixed(Math.sqrt(d), 2);
  return msg(html`At d = ${count(d)}, ${word(query)} gives ${word(undivided)} ${most} without the division. With it, by √d = ${root}, no word gets more than ${less}.`);
}

/** Means over many rows, each of one query and its keys; what is expected stands beside what is measured. */
function sample({ d, pairs, keys }: ScaleKnobs, measured: Measured | null, set: ScaleEvents['set']): TemplateResult {
  const row = (id: string, name: string, { moments, softmax }: Sample, expected: number) => html`
    <tr data-row=${id}><th scope="row">${name}</th>
      <td data-fact="mean">${fixed(moments.mean, 3)}</td>
      <td data-fact="deviation">${short(Math.sqrt(moments.variance))}</td><td class="muted">${short(Math.sqrt(expected))}</td>
      <td data-fact="largest">${fixed(softmax.largest, 3)}</td><td data-fact="entropy">${fixed(softmax.entropy, 2)}</td><td data-fact="gradient">${fixed(softmax.gradient, 3)}</td>
    </tr>`;
  return html`
    <div class="lab-controls" data-sets>
      ${list(msg('Random pairs'), (['500', '2000', '4000'] as const).map((many) => [many, count(Number(many))] as const), pairs, (many) => set({ pairs: many }))}
      ${slider(msg('Keys in a row of softmax'), { least: 2, most: 128, value: keys, words: count(keys) }, (many) => set({ keys: many }))}
    </div>
    ${measured ? html`
      <div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('Measured and expected')}><table class="lab-table measured">
        <thead><tr>
          <th scope="col">${msg(str`d = ${count(d)}: ${count(Number(pairs))} pairs, ${count(measured.raw.softmax.rows)} rows of ${keys} keys`)}</th><th scope="col">${msg('mean')}</th><th scope="col">${msg('standard deviation')}</th><th scope="col">${msg('expected')}</th>
          <th scope="col">${msg('largest share')}</th><th scope="col">${msg('entropy in bits')}</th><th scope="col">${msg('size of softmax’s slope')}</th>
        </tr></thead>
        <tbody>${row('raw', 'q·k', measured.raw, d)}${row('divided', 'q·k ÷ √d', measured.divided, 1)}</tbody>
      </table></div>` : html`<p class="muted">${msg('Loading…')}</p>`}
  `;
}

function derivation(d: number): TemplateResult {
  const [length, root] = [count(d), fixed(Math.sqrt(d), 2)];
  return html`
    <p>${math('q · k = q_1 k_1 + q_2 k_2 + … + q_d k_d', true)}</p>
    <p>${msg('Each product of two independent numbers of mean 0 and variance 1 has mean 0 and variance 1 · 1 = 1. Variances of independent terms add, so d terms have variance d; the standard deviation is its root.')}</p>
    <p>${msg(str`Dividing a number by c divides its variance by c². So dividing by √d = √${length} = ${root} brings variance d back to 1, and no other power of d does.`)}</p>
    <p>${withSubs(msg('In a layer with several heads each score is a sum over one head’s numbers only: the divisor is √d_k, with d_k = d_model ÷ H, not √d_model. Learned queries and keys are not independent of each other; then the division is where training starts, not what it ends with.'))}</p>
    <p>${msg('The slope is the Frobenius norm of softmax’s Jacobian, diag(w) − w·wᵀ: how far all weights move when the scores move a little. It is at most ½, and 0 where one weight is 1: nothing is left of a gradient.')}</p>
  `;
}

// One row of softmax: one query's score with every word, and the shares that these become, on axes that never change.

/** Scores as softmax is given them, and its shares. */
export interface Side { scores: Float32Array; weights: Float32Array }

export interface Row {
  words: readonly string[];
  /** The word that asks. */
  query: number;
  raw: Side;
  divided: Side;
}

const SCORES: Axis = { label: '', least: -40, most: 40, words: short };
const SHARES: Axis = { label: '', least: 0, most: 1, words: percent };
const [LINE, TOP, BAR] = [26, 40, 14];
const MOST_NAME = 96;
const GAP = 16;

const top = (numbers: Float32Array): number => numbers.indexOf(Math.max(...numbers));

function softmaxRow(row: Row, isDivided: boolean, d: number): TemplateResult {
  const { words, query, raw, divided } = row;
  const [now, other] = isDivided ? [divided, raw] : [raw, divided];
  const names = { raw: msg('without ÷ √d'), divided: msg('with ÷ √d') };
  const best = top(now.weights);
  return plot({
    title: msg(str`What “${words[query] ?? ''}” looks at`), note: msg(str`one query and ${words.length} keys, vectors of ${count(d)} random numbers`),
    summary: msg(str`The largest share is ${words[best] ?? ''}’s: ${percent(now.weights[best] ?? NaN)}.`),
    height: TOP + LINE * words.length + 24,
    draw: (width) => picture(words, query, now, other, isDivided, width),
    legend: html`<ul class="plot-names">
      <li><svg width="26" height="12" aria-hidden="true"><rect class="plot-bar" width="26" height="12"></rect></svg> ${isDivided ? names.divided : names.raw}</li>
      <li><svg width="26" height="12" aria-hidden="true"><rect class="plot-ghost" x="0.5" y="0.5" width="25" height="11"></rect></svg> ${isDivided ? names.raw : names.divided}</li>
    </ul>`,
    numbers: {
      columns: [msg('Word'), 'q·k', msg('its share'), 'q·k ÷ √d', msg('its share')],
      rows: words.map((word, i) => [word, ...[raw, divided].flatMap(({ scores, weights }) => [short(scores[i] ?? NaN), short(weights[i] ?? NaN)])]),
    },
  });
}

function picture(words: readonly string[], query: number, now: Side, other: Side, isDivided: boolean, width: number): SVGTemplateResult {
  const name = Math.min(MOST_NAME, Math.max(...words.map((word) => roomFor(word, 7.6)))) + 12;
  const bottom = TOP + LINE * words.length;
  const half = (width - name) / 2;
  // Each bar has its number behind it.
  const scores: Field = { left: name, right: name + half - 40 - GAP, top: TOP, bottom };
  const shares: Field = { left: name + half, right: width - 44, top: TOP, bottom };
  const best = top(now.weights);
  return svg`
    <g class="plot-axes">
      ${scale(SCORES, scores, [-40, 0, 40], isDivided ? msg('score, q·k ÷ √d') : msg('score, q·k'))}
      ${scale(SHARES, shares, width < 480 ? [0, 1] : [0, 0.5, 1], msg('share, after softmax'))}
    </g>
    <g class="plot-moving">${words.map((word, i) => {
      const y = TOP + LINE * i;
      const [score, share] = [now.scores[i] ?? 0, now.weights[i] ?? 0];
      return svg`
        <text class=${i === query ? 'plot-lit' : 'plot-name'} x=${name - 10} y=${y + 18} text-anchor="end">${clipped(word)}</text>
        ${bar(SCORES, scores, score, y, 'plot-bar')}${bar(SCORES, scores, other.scores[i] ?? 0, y, 'plot-ghost')}
        <text x=${scores.right + 40} y=${y + 18} text-anchor="end">${short(Number(score.toFixed(1)))}</text>
        ${bar(SHARES, shares, share, y, i === best ? 'plot-bar plot-most' : 'plot-bar')}${bar(SHARES, shares, other.weights[i] ?? 0, y, 'plot-ghost')}
        <text class=${i === best ? 'plot-name' : ''} x=${width} y=${y + 18} text-anchor="end" data-share=${i}>${percent(share)}</text>
      `;
    })}</g>
  `;
}

const clipped = (word: string): string => (roomFor(word, 7.6) > MOST_NAME ? `${[...word].slice(0, 11).join('')}…` : word);

/** From 0 to its number; beyond the axis on the edge. */
function bar(axis: Axis, field: Field, value: number, y: number, look: string): SVGTemplateResult {
  const [from, to] = [across(axis, field, 0), across(axis, field, value)];
  return svg`<rect class=${look} x=${Math.min(from, to).toFixed(1)} y=${y + (LINE - BAR) / 2} width=${Math.abs(to - from).toFixed(1)} height=${BAR}></rect>`;
}

function scale(axis: Axis, field: Field, at: readonly number[], label: string): SVGTemplateResult {
  const anchor = (i: number) => (['start', 'middle', 'end'] as const)[at.length === 2 ? 2 * i : i] ?? 'middle';
  return svg`
    <text x=${field.left} y="14">${label}</text>
    ${at.map((value, i) => svg`
      <line class="plot-grid" x1=${across(axis, field, value)} x2=${across(axis, field, value)} y1=${field.top - 6} y2=${field.bottom}></line>
      <text x=${across(axis, field, value)} y=${field.bottom + 18} text-anchor=${anchor(i)}>${axis.words(value).replace('-', '−')}</text>
    `)}
  `;
}
