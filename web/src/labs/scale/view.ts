// The lab of √d as it is seen: two histograms, a table of what is measured beside what is expected, and what softmax does.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import type { Moments } from '../../engine/operators/operators.ts';
import { count, fixed, percent, short } from '../../lib/format.ts';
import { math } from '../../text/mathml.ts';
import { withSubs } from '../../text/subscripts.ts';
import type { Axis } from '../kit/axis.ts';
import { button, list, sentenceField, slider } from '../kit/controls.ts';
import { frame } from '../kit/frame.ts';
import { bins, histogram } from '../kit/histogram.ts';
import { lines } from '../kit/lines.ts';
import { type Facts, type Measured, type Sample, WIDEST } from './experiment.ts';

/** The reader's own sentence: its scores, all queries with all keys. */
export interface Own {
  words: number;
  scores: Float32Array;
  scaled: Float32Array;
  raw: Moments;
  divided: Moments;
}

export interface ScaleKnobs { d: number; pairs: '500' | '2000' | '4000'; keys: number; seed: number }

export interface ScaleData {
  text: string;
  knobs: Readonly<ScaleKnobs>;
  /** Null while the operators are loading. */
  measured: { now: Measured; powers: readonly Measured[] } | null;
  own: Own | null;
}

export interface ScaleEvents {
  type(text: string): void;
  set(part: Partial<ScaleKnobs>): void;
}

/** Where the slider of d stops: four times between each power of two and the next. */
const STOPS = [...new Set(Array.from({ length: 41 }, (_, i) => Math.round(2 ** (i / 4))))];

export function scaleView(data: ScaleData, { type, set }: ScaleEvents): TemplateResult {
  const { text, knobs: { d, pairs, keys, seed }, measured } = data;
  return frame({
    title: msg('Why scores are divided by √d'),
    lesson: html`
      <p>${msg('A score is a sum of d products, one for each number of a query and a key. Where these are random, with mean 0 and variance 1, the sum has variance d, so its standard deviation is √d: longer vectors, wider scores.')}</p>
      <p>${msg('Softmax makes one winner of scores that lie far apart, and where one key has everything, it hardly reacts any more: training could not correct it. Divided by √d, scores spread alike at any length.')}</p>
    `,
    controls: html`
      ${slider(msg('Length of the vectors, d'), { least: 0, most: STOPS.length - 1, value: stopOf(d), words: count(d) }, (at) => set({ d: STOPS[at] ?? d }))}
      ${list(msg('Random pairs'), (['500', '2000', '4000'] as const).map((many) => [many, count(Number(many))] as const), pairs, (many) => set({ pairs: many }))}
      ${slider(msg('Keys in a row of softmax'), { least: 2, most: 128, value: keys, words: count(keys) }, (many) => set({ keys: many }))}
      ${button(msg('Draw others'), () => set({ seed: (seed + 1) % 2 ** 32 }))}
      ${sentenceField(msg('Your sentence'), text, type)}
    `,
    figure: measured ? figures(data, measured) : html`<p class="muted">${msg('Loading…')}</p>`,
    said: measured ? saidOf(measured.now, keys) : null,
    tries: [
      { label: msg('The shortest: d = 1'), act: () => set({ d: 1 }) },
      { label: msg('As in GPT-3’s heads: d = 128'), act: () => set({ d: 128 }) },
      { label: msg('The longest here: d = 1,024'), act: () => set({ d: 1024 }) },
      { label: msg('128 keys in a row'), act: () => set({ keys: 128 }) },
    ],
    more: { title: msg('Where d and √d come from'), body: derivation(d) },
  });
}

const stopOf = (d: number): number => STOPS.reduce((best, stop, i) => (Math.abs(Math.log(stop / d)) < Math.abs(Math.log((STOPS[best] ?? 1) / d)) ? i : best), 0);

function saidOf({ d, raw, scaled }: Measured, keys: number): TemplateResult {
  const bold = (words: string) => html`<b>${words}</b>`;
  const [length, wide, narrow] = [bold(count(d)), bold(fixed(deviation(raw), 2)), bold(fixed(deviation(scaled), 2))];
  const [winner, shared] = [bold(percent(raw.softmax.largest)), bold(percent(scaled.softmax.largest))];
  const root = fixed(Math.sqrt(d), 2);
  return msg(html`At d = ${length} the scores spread by ${wide} around 0, near √d = ${root}; divided by it, by ${narrow}. Softmax over ${keys} raw scores gives ${winner} to one key on average, over divided ones ${shared}.`);
}

function figures(data: ScaleData, { now, powers }: { now: Measured; powers: readonly Measured[] }): TemplateResult {
  return html`
    <div class="lab-columns">${bell(data, now, 'raw')}${bell(data, now, 'scaled')}</div>
    <div class="lab-columns"><div>${table(data, now)}</div>${spread(now, powers)}</div>
    <div class="lab-columns">
      ${softmaxLines(data, now, powers, { title: msg('How evenly softmax spreads'), unit: msg('entropy in bits'), most: Math.log2(data.knobs.keys), of: ({ entropy }) => entropy, bound: { label: msg('all alike'), y: Math.log2(data.knobs.keys) } })}
      ${softmaxLines(data, now, powers, { title: msg('What the largest weight takes'), unit: msg('largest weight'), most: 1, of: ({ largest }) => largest, bound: { label: msg('all alike'), y: 1 / data.knobs.keys } })}
      ${softmaxLines(data, now, powers, { title: msg('What is left of a gradient'), unit: msg('size of softmax’s slope'), most: 0.5, of: ({ gradient }) => gradient })}
    </div>
  `;
}

const deviation = ({ moments }: Sample): number => Math.sqrt(moments.variance);

/** Fixed axes: on the left the bell grows wider with d, on the right it stays. */
const BELLS = {
  raw: { most: 100, sizes: [1, 2, 2.5, 4, 5, 8, 10] },
  scaled: { most: 4, sizes: [0.25] },
} as const;

function bell({ own, knobs: { d, pairs } }: ScaleData, now: Measured, which: 'raw' | 'scaled'): TemplateResult {
  const { numbers, moments } = now[which];
  const { most, sizes } = BELLS[which];
  const expected = which === 'raw' ? Math.sqrt(d) : 1;
  const size = sizes.findLast((each) => each <= expected / 4) ?? sizes[0];
  const sd = Math.sqrt(moments.variance);
  const words = (value: number) => short(Number(value.toFixed(2)));
  const many = count(Number(pairs));
  return histogram({
    title: which === 'raw' ? msg('Raw scores, q·k') : msg('Divided scores, q·k ÷ √d'),
    note: msg(str`${many} random pairs`),
    summary: msg(str`Mean ${fixed(moments.mean, 2)}, standard deviation ${fixed(sd, 2)}, where ${fixed(expected, 2)} is expected.`),
    x: { label: which === 'raw' ? msg('score') : msg('score ÷ √d'), least: -most, most, words },
    counted: msg(str`pairs in each ${short(size)}`),
    bins: bins(numbers, -most, size, Math.round((2 * most) / size)),
    curve: { label: which === 'raw' ? msg('a normal curve of variance d') : msg('a normal curve of variance 1'), at: normalCurve(numbers.length * size, expected) },
    spread: { mean: moments.mean, deviation: sd, words: msg(str`mean ± standard deviation: ${fixed(moments.mean, 2)} ± ${fixed(sd, 2)}`) },
    marks: own && { label: msg(str`your sentence’s ${count(own.scores.length)} scores`), at: [...(which === 'raw' ? own.scores : own.scaled)] },
  });
}

/** The count expected near x of a normal distribution around 0: area · exp(−x²/2σ²) ÷ σ√(2π). */
const normalCurve = (area: number, sigma: number) => (x: number): number => (area * Math.exp(-0.5 * (x / sigma) ** 2)) / (sigma * Math.sqrt(2 * Math.PI));

/** What is measured, beside what is expected. */
function table({ own, knobs: { d } }: ScaleData, { raw, scaled }: Measured): TemplateResult {
  const row = (id: string, name: string, { mean, variance }: Moments, expected: number | null) => html`
    <tr data-row=${id}><th scope="row">${name}</th>
      <td data-fact="mean">${fixed(mean, 3)}</td><td class="muted">${expected === null ? '' : '0'}</td>
      <td data-fact="variance">${short(variance)}</td><td class="muted">${expected === null ? '' : count(expected)}</td>
      <td data-fact="deviation">${short(Math.sqrt(variance))}</td><td class="muted">${expected === null ? '' : short(Math.sqrt(expected))}</td>
    </tr>`;
  return html`
    <div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('Measured and expected')}>
      <table class="lab-table measured">
        <thead><tr><th scope="col">${msg('Measured, and expected in grey')}</th><th scope="col" colspan="2">${msg('mean')}</th><th scope="col" colspan="2">${msg('variance')}</th><th scope="col" colspan="2">${msg('standard deviation')}</th></tr></thead>
        <tbody>
          ${row('raw', msg('q·k'), raw.moments, d)}
          ${row('scaled', msg('q·k ÷ √d'), scaled.moments, 1)}
          ${own ? html`
            ${row('own', msg(str`your sentence, ${count(own.words)} × ${count(own.words)} scores`), own.raw, null)}
            ${row('own-scaled', msg('your sentence ÷ √d'), own.divided, null)}
          ` : ''}
        </tbody>
      </table>
    </div>
    ${own ? html`<p class="lab-note">${msg('Your sentence runs through one head of d numbers with random parameters, without positions. Its scores are few, and words that come twice bring the same score twice; so they lie near the bell, not on it.')}</p>` : ''}
  `;
}

const LENGTH = (): Axis => ({ label: msg('d, length of the vectors'), least: 1, most: WIDEST, log: 2, words: count });
const whereNow = ({ d }: Measured) => ({ x: d, words: `d = ${count(d)}` });

/** Powers of two, and where the reader stands. */
const withNow = (now: Measured, powers: readonly Measured[]): readonly Measured[] => (powers.includes(now) ? powers : [...powers, now].sort((a, b) => a.d - b.d));

function spread(now: Measured, powers: readonly Measured[]): TemplateResult {
  const all = withNow(now, powers);
  const points = (y: (each: Measured) => number) => all.map((each) => ({ x: each.d, y: y(each) }));
  return lines({
    title: msg('The variance grows as d, the standard deviation as √d'),
    summary: msg(str`At d = ${count(now.d)} the variance is ${short(now.raw.moments.variance)} and the standard deviation ${short(deviation(now.raw))}.`),
    x: LENGTH(),
    y: { label: msg('of the raw scores'), least: 0.5, most: 2000, log: 10, words: short },
    series: [
      { label: msg('standard deviation'), points: points(({ raw }) => deviation(raw)) },
      { label: msg('variance'), points: points(({ raw }) => raw.moments.variance) },
      { label: msg('d'), points: points(({ d }) => d), reference: true },
      { label: msg('√d'), points: points(({ d }) => Math.sqrt(d)), reference: true },
    ],
    at: whereNow(now),
  });
}

interface SoftmaxPlot { title: string; unit: string; most: number; of(facts: Facts): number; bound?: { label: string; y: number } }

function softmaxLines({ knobs: { keys } }: ScaleData, now: Measured, powers: readonly Measured[], { title, unit, most, of, bound }: SoftmaxPlot): TemplateResult {
  const all = withNow(now, powers);
  const points = (which: 'raw' | 'scaled') => all.map((each) => ({ x: each.d, y: of(each[which].softmax) }));
  const { rows } = now.raw.softmax;
  return lines({
    title, note: msg(str`${keys} keys, mean of ${count(rows)} rows`),
    summary: msg(str`At d = ${count(now.d)}: ${fixed(of(now.scaled.softmax), 2)} with division by √d, ${fixed(of(now.raw.softmax), 2)} without.`),
    x: LENGTH(),
    y: { label: unit, least: 0, most, words: (value) => fixed(value, 2), tick: short },
    series: [
      { label: '÷ √d', points: points('scaled') },
      { label: msg('raw'), points: points('raw') },
      ...(bound ? [{ label: bound.label, points: all.map((each) => ({ x: each.d, y: bound.y })), reference: true }] : []),
    ],
    at: whereNow(now),
  });
}

function derivation(d: number): TemplateResult {
  const [length, root] = [count(d), fixed(Math.sqrt(d), 2)];
  return html`
    <p>${math('q · k = q_1 k_1 + q_2 k_2 + … + q_d k_d', true)}</p>
    <p>${msg('Each product of two independent numbers of mean 0 and variance 1 has mean 0 and variance 1 · 1 = 1. Variances of independent terms add, so d terms have variance d; the standard deviation is its root.')}</p>
    <p>${msg(str`Dividing a number by c divides its variance by c². So dividing by √d = √${length} = ${root} brings variance d back to 1, and no other power of d does.`)}</p>
    <p>${withSubs(msg('In a layer with several heads each score is a sum over one head’s numbers only: the divisor is √d_k, with d_k = d_model ÷ H, not √d_model. Learned queries and keys are not independent of each other; then the division is where training starts, not what it ends with.'))}</p>
    <p>${msg('At d = 1 the bell is not a normal curve: a product of two normal numbers has a sharp peak and long tails. Sums of many come near it.')}</p>
    <p>${msg('The slope is the Frobenius norm of softmax’s Jacobian, diag(w) − w·wᵀ: how far all weights move when the scores move a little. It is at most ½, and 0 where one weight is 1.')}</p>
  `;
}
