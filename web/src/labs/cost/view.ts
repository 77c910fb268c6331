// The lab of costs: what was measured in this browser, how the work grows, and on demand each stage and the parameters.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing, svg } from 'lit';
import { count, fixed, percent, percentOf, significant } from '../../lib/format.ts';
import { math } from '../../text/mathml.ts';
import { withSubs } from '../../text/word.ts';
import { type Axis, plot } from '../kit/plot.ts';
import { button, list, segments, sentenceField, slider } from '../kit/controls.ts';
import { frame } from '../kit/lab.ts';
import { lines } from '../kit/lines.ts';
import { KEPT, MATRICES, MODELS, type Model, type ModelName, type StageCost, type Work, crossing, linearWork, nameOf, parameterCounts, squareWork, stageCosts } from './formulas.ts';
import { type CostKnobs, RUNS, SIZES, type Timing, WIDTH } from './measure.ts';

export interface CostData {
  text: string;
  knobs: Readonly<CostKnobs>;
  /** Of the reader's sentence. */
  words: number;
  timings: readonly Timing[];
  running: boolean;
  /** Whether there is anything to measure with yet. */
  ready: boolean;
  /** Why measuring ended early; empty when it did not. */
  refused: string;
}

export interface CostEvents {
  type(text: string): void;
  set(part: Partial<CostKnobs>): void;
  measure(): void;
  stop(): void;
}

/** 0 = the sentence's own number, then 1, 2, 4 … 131,072. */
const POWERS = Array.from({ length: 18 }, (_, i) => 2 ** i);
const MOST = 2 ** 17;

export function costView(data: CostData, events: CostEvents): TemplateResult {
  const { knobs, words, text } = data;
  const n = tokensOf(data);
  const name = nameOf(knobs);
  const models = Object.keys(MODELS) as ModelName[];
  return frame({
    title: msg('What attention costs'),
    lesson: html`
      <p class="lab-claim">${msg('Twice as many words make a table four times as large.')}</p>
      <p>${msg('Every word asks every other: n words make n² cells in each head, and in long texts the work for them outgrows all else. The parameters do not grow: the same matrices read one word or a whole book. The table need not be kept either: fused attention goes through it in blocks and forgets each.')}</p>
    `,
    controls: html`
      ${slider(msg('Tokens, n'), { least: 0, most: POWERS.length, value: knobs.n === 0 ? 0 : Math.round(Math.log2(knobs.n)) + 1, words: knobs.n === 0 ? msg(str`${count(words)}, your sentence’s`) : count(n) }, (at) => events.set({ n: at === 0 ? 0 : (POWERS[at - 1] ?? 0) }))}
      ${list(msg('Model'), [...(name ? [] : [['own', msg('of your own')] as const]), ...models.map((each) => [each, modelWords(each)] as const)], name ?? 'own', (chosen) => events.set(modelOf(MODELS[chosen as ModelName] ?? knobs)))}
      ${sentenceField(msg('Your sentence'), text, events.type)}
    `,
    figure: html`
      <div class="lab-columns">
        ${n > 0 ? tables(n) : nothing}
        ${timingsView(data, events)}
      </div>
      ${n > 0 ? growth(knobs, n) : html`<p class="muted">${msg('Type a word.')}</p>`}
    `,
    said: n > 0 ? saidOf(data, n) : null,
    tries: [
      { label: msg('GPT-3 and its 2,048 tokens'), act: () => events.set({ ...modelOf(MODELS['gpt-3']), n: 2048 }) },
      { label: msg('128 k tokens'), act: () => events.set({ n: MOST }) },
      { label: msg('Your own sentence'), act: () => events.set({ n: 0 }) },
    ],
    more: { title: msg('Stage by stage, and all parameters'), body: html`
      <div class="lab-behind">
        ${segments(msg('Bytes of a number'), 'lab-cost-bytes', [['4', '4'], ['2', '2']], knobs.bytes, (bytes) => events.set({ bytes }))}
        ${n > 0 ? stageTable(knobs, n, Number(knobs.bytes)) : nothing}
        ${parametersView(knobs, events.set)}
      </div>` },
  });
}

const tokensOf = ({ knobs, words }: CostData): number => (knobs.n === 0 ? words : knobs.n);
const modelOf = ({ d_model, heads, d_k, blocks }: Model): Model => ({ d_model, heads, d_k, blocks });

function saidOf({ knobs, words }: CostData, n: number): TemplateResult {
  const bold = (said: string) => html`<b>${said}</b>`;
  const [tokens, cells, size] = [bold(count(n)), bold(count(n * n)), bold(bytesWords(knobs.heads * n * n * Number(knobs.bytes)))];
  const share = bold(percentOf(squareWork(knobs, n) / (squareWork(knobs, n) + linearWork(knobs, n))));
  const heads = count(knobs.heads);
  const many = knobs.n === 0 || words === 0 ? '' : html` ${msg(str`Your sentence has ${count(words)}, and ${count(words * words)} cells.`)}`;
  return html`${msg(html`${tokens} tokens make ${cells} cells in a head; in ${heads} heads, one layer’s scores take ${size}. Of the layer’s multiply-adds ${share} grow as n².`)}${many}`;
}

function stageTable(model: Model, n: number, bytes: number): TemplateResult {
  const costs = stageCosts(model, n);
  const adds = costs.filter(({ kind }) => kind === 'multiply-adds').reduce((sum, { work }) => sum + work, 0n);
  const held = costs.reduce((sum, { numbers }) => sum + numbers, 0n);
  const { d_model, heads, d_k, blocks } = model;
  return html`
    <section>
      <h3>${msg(str`One layer over ${count(n)} tokens, stage by stage`)}</h3>
      <p class="lab-note">${withSubs(msg(str`n = ${count(n)}, D = d_model = ${count(d_model)}, H = ${count(heads)} heads of d_k = ${count(d_k)}, ${bytes} bytes a number.`))}</p>
      <div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('Stage by stage')}>
        <table class="lab-table costs">
          <thead><tr><th scope="col">${msg('Stage')}</th><th scope="col" colspan="2">${msg('numbers')}</th><th scope="col">${msg('bytes')}</th><th scope="col" colspan="2">${msg('work')}</th><th scope="col"><span class="unseen">${msg('of what')}</span></th></tr></thead>
          <tbody>${costs.map((each) => html`
            <tr data-stage=${each.stage}><th scope="row">${stageWords(each.stage)}</th>
              <td class="muted">${math(each.held)}</td><td data-fact="numbers">${digits(each.numbers)}</td><td data-fact="bytes">${bytesWords(Number(each.numbers) * bytes)}</td>
              <td class="muted">${math(each.formula)}</td><td data-fact="work">${digits(each.work)}</td><td class="muted">${workWords(each.kind)}</td>
            </tr>`)}
          </tbody>
          <tfoot>
            <tr data-stage="layer"><th scope="row">${msg('the layer, all of it kept')}</th><td></td><td data-fact="numbers">${digits(held)}</td><td data-fact="bytes">${bytesWords(Number(held) * bytes)}</td><td></td><td data-fact="work">${digits(adds)}</td><td class="muted">${msg('multiply-adds')}</td></tr>
            <tr data-stage="all"><th scope="row">${msg(str`all ${count(blocks)} layers`)}</th><td></td><td data-fact="numbers">${digits(held * BigInt(blocks))}</td><td data-fact="bytes">${bytesWords(Number(held) * blocks * bytes)}</td><td></td><td data-fact="work">${digits(adds * BigInt(blocks))}</td><td class="muted">${msg('multiply-adds')}</td></tr>
          </tfoot>
        </table>
      </div>
    </section>
  `;
}

/** Of more words lines would lie on each other. */
const MOST_LINES = 48;

/** The cells of one head, and those of twice as many words, drawn alike. */
function tables(n: number): TemplateResult {
  const [once, twice] = [count(n * n), count(4 * n * n)];
  return plot({
    title: msg('A cell for every pair of words'), height: 252, summary: msg(str`${count(n)} words make ${once} cells, ${count(2 * n)} words ${twice}.`),
    draw: (width) => {
      const side = Math.min(104, Math.floor((width - 32) / 3));
      const table = (x: number, size: number, words: number, cells: string) => svg`
        <path class="lab-cells-lines" d=${Array.from({ length: (words <= MOST_LINES ? words : 1) + 1 }, (_, i, all = (words <= MOST_LINES ? words : 1)) => `M${x} ${(20 + (i * size) / all).toFixed(1)}h${size}M${(x + (i * size) / all).toFixed(1)} 20v${size}`).join('')}></path>
        <text class="plot-name" x=${x} y="12">${msg(str`${count(words)} words`)}</text>
        <text class="plot-name" x=${x} y=${size + 38}>${msg(str`${cells} cells`)}</text>`;
      return svg`${table(0.5, side, n, once)}${table(side + 32.5, 2 * side, 2 * n, twice)}`;
    },
    numbers: { columns: [msg('words, n'), msg('cells, n²')], rows: [[count(n), once], [count(2 * n), twice]] },
  });
}

/** What grows as n beside what grows as n². */
function growth(model: Model, n: number): TemplateResult {
  const points = (y: (n: number) => number) => POWERS.map((each) => ({ x: each, y: y(each) }));
  const [linear, square] = [(tokens: number) => linearWork(model, tokens), (tokens: number) => squareWork(model, tokens)];
  const decade = (round: (x: number) => number, of: number) => 10 ** round(Math.log10(of));
  const x: Axis = { label: msg('words, n'), least: 1, most: MOST, log: 2, words: count };
  const y: Axis = {
    label: msg('multiply-adds'), log: 10, words: largeWords, tick: powerWords,
    least: decade(Math.floor, Math.min(linear(1), square(1))), most: decade(Math.ceil, Math.max(linear(MOST), square(MOST))),
  };
  return lines({
    title: msg('Work of one layer'), note: msg(str`as much of both at n = 2·D = ${count(crossing(model))}`),
    summary: msg(str`At n = ${count(n)} the products with parameters take ${largeWords(linear(n))} multiply-adds, scores and context ${largeWords(square(n))}.`),
    x, y, at: { x: Math.min(n, MOST), words: `n = ${count(n)}` },
    series: [{ label: msg('parameters, ∝ n'), points: points(linear) }, { label: msg('scores and context, ∝ n²'), points: points(square) }],
  });
}

// What was measured in this browser: attention that keeps every stage, beside attention that keeps none.

interface Data { timings: readonly Timing[]; running: boolean; ready: boolean; refused: string }

export function timingsView({ timings, running, ready, refused }: Data, events: { measure(): void; stop(): void }): TemplateResult {
  const last = timings.at(-1);
  const next = SIZES[timings.length];
  return html`
    <section class="timings">
      <h3>${msg('Measure it here')}</h3>
      <div class="lab-controls">
        ${running ? button(msg('Stop'), events.stop) : ready ? button(timings.length > 0 ? msg('Measure again') : msg('Measure'), events.measure) : html`<p class="muted">${msg('Loading…')}</p>`}
        <p role="status">${running && next ? msg(str`${count(next)} tokens…`) : last ? longest(timings, last) : msg('How long does one head take in this browser, for 64 words up to 2,048?')} ${refused}</p>
      </div>
      ${timings.length > 0 ? html`<div class="lab-columns">${lines({
        title: msg('Milliseconds of one head'), note: msg('measured here'),
        summary: last ? msg(str`At ${count(last.n)} tokens fused attention takes ${ms(last.fused)}, a trace ${ms(last.trace)}.`) : '',
        x: { label: msg('tokens, n'), least: SIZES[0], most: SIZES.at(-1) ?? 2048, log: 2, words: count },
        y: { label: msg('milliseconds'), log: 10, words: (value) => significant(value, 3), tick: (value) => (value < 1 ? String(value) : count(value)), ...range(timings) },
        series: [
          { label: msg('fused'), points: timings.map(({ n, fused }) => ({ x: n, y: fused })) },
          { label: msg('trace'), points: timings.map(({ n, trace }) => ({ x: n, y: trace })) },
          ...(last ? [{ label: '∝ n²', reference: true, points: timings.map(({ n }) => ({ x: n, y: last.fused * (n / last.n) ** 2 })) }] : []),
        ],
      })}
        <div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('Measured here')}>
          <table class="lab-table timed">
            <thead><tr><th scope="col">n</th><th scope="col">${msg('fused')}</th><th scope="col">${msg('trace')}</th><th scope="col">${msg('trace ÷ fused')}</th><th scope="col">${msg('kept, 4 · n² · 4 bytes')}</th><th scope="col">${msg('largest difference of a number')}</th></tr></thead>
            <tbody>${timings.map((each) => html`<tr data-n=${each.n}><th scope="row">${count(each.n)}</th><td>${ms(each.fused)}</td><td>${ms(each.trace)}</td><td>${fixed(each.trace / each.fused, 2)}</td><td>${bytesWords(kept(each))}</td><td>${significant(each.difference, 2)}</td></tr>`)}</tbody>
          </table>
        </div>
      </div>
      <p class="lab-note">${msg(str`One head of ${WIDTH} numbers over random queries, keys and values, on this machine and in this browser, now. A trace writes scores, scaled scores, masked scores and weights to memory, as this page does for you to look at; fused attention goes through them block by block and keeps none. Median of ${RUNS} runs, in turns.`)}</p>` : nothing}
    </section>
  `;
}

/** What the last took, and how much longer that is than the first. */
function longest(timings: readonly Timing[], last: Timing): TemplateResult {
  const [first = last] = timings;
  const times = last.n / first.n;
  const took = msg(html`${count(last.n)} words take <b>${ms(last.fused)}</b>, or ${ms(last.trace)} where all stages are kept, which takes ${bytesWords(kept(last))}.`);
  return times > 1 ? html`${took} ${msg(html`That is ${times} times as many words as ${first.n}, and <b>${count(Math.round(last.fused / first.fused))} times</b> the time; ${times}² is ${count(times ** 2)}.`)}` : took;
}

const kept = ({ n }: Timing): number => KEPT * n * n * 4;
const ms = (time: number): string => `${significant(time, 3)}\u00a0ms`;

function range(timings: readonly Timing[]): { least: number; most: number } {
  const all = timings.flatMap(({ fused, trace }) => [fused, trace]);
  return { least: 10 ** Math.floor(Math.log10(Math.min(...all))), most: 10 ** Math.ceil(Math.log10(Math.max(...all))) };
}

// How many parameters attention has, as products that the reader can check.

const FIELDS: readonly (readonly [keyof Model, most: number, label: () => string])[] = [
  ['d_model', 65_536, () => 'd_model'], ['heads', 512, () => msg('heads')], ['d_k', 4096, () => 'd_k'], ['blocks', 1024, () => msg('layers')],
];

function parametersView(model: Model, set: (part: Partial<Model>) => void): TemplateResult {
  const { matrix, head, block, all } = parameterCounts(model);
  const { d_model, heads, d_k, blocks } = model;
  const name = nameOf(model);
  const total = name && MODELS[name].total;
  const line = (id: string, words: string, factors: readonly number[], result: number) => html`
    <tr data-count=${id}><th scope="row">${withSubs(words)}</th><td class="muted">${factors.map(count).join(' × ')} =</td><td><b>${count(result)}</b></td></tr>`;
  return html`
    <section class="parameters">
      <h3>${msg('The parameters of attention, by formula')}</h3>
      <div class="lab-controls" data-sets>${FIELDS.map(([field, most, label]) => html`
        <label class="lab-field"><span>${withSubs(label())}</span><input class="field" type="number" aria-label=${label()} min="1" max=${most} step="1" .value=${String(model[field])} @change=${(event: Event) => set({ [field]: whole(event, most, model[field]) })}></label>
      `)}</div>
      <div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('The parameters of attention, by formula')}>
        <table class="lab-table counted">
          <tbody>
            ${line('matrix', msg('one matrix of one head, d_k × d_model'), [d_k, d_model], matrix)}
            ${line('head', msg('one head: W_Q, W_K, W_V and its part of W_O'), [MATRICES, matrix], head)}
            ${line('block', msg('one layer’s attention: all heads'), [heads, head], block)}
            ${line('all', msg('all layers'), [blocks, block], all)}
          </tbody>
        </table>
      </div>
      <p class="lab-note">${withSubs(msg('Without biases, which add 3 · H · d_k + d_model numbers a layer where a model has them. The part of W_O that belongs to a head is what some texts call the upper half of a value matrix of low rank.'))}
        ${name && total ? msg(str`${modelWords(name)} was published with ${count(total)} parameters in all; ${percent(all / total)} of them are these.`) : nothing}
        ${name === 'transformer' ? msg('Its 18 blocks are 6 of the encoder, 6 of the decoder, and 6 through which the decoder looks at the encoder.') : nothing}</p>
    </section>
  `;
}

/** The field's number as it may be used; it shows what is used from then on. */
function whole(event: Event, most: number, before: number): number {
  const field = event.target as HTMLInputElement;
  const wanted = Math.round(field.valueAsNumber);
  const used = Number.isFinite(wanted) ? Math.max(1, Math.min(most, wanted)) : before;
  field.value = String(used);
  return used;
}

// Large numbers and names, as the lab of costs says them.

const DIGITS = new Intl.NumberFormat('en-GB');
/** To the last digit, however many there are. */
const digits = (whole: bigint): string => DIGITS.format(whole);

const UNITS = ['', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/** 50.3 MB, in powers of 1,000. */
function bytesWords(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3 + 1e-12));
  const size = bytes / 1000 ** power;
  return `${power === 0 ? count(bytes) : size >= 99.95 ? count(Math.round(size)) : size.toPrecision(3)}\u00a0${power === 0 ? msg('bytes') : (UNITS[power] ?? '')}`;
}

/** Whole while it is short, else 1.23×10⁹. */
const largeWords = (x: number): string => (x < 1e6 ? count(Math.round(x)) : significant(x, 3));
/** A power of ten below an axis. */
const powerWords = (x: number): string => (x < 1e4 ? count(x) : significant(x, 1).replace(/^1×/, ''));

const stageWords = (stage: StageCost['stage']): string => ({
  projections: msg('queries, keys, values'), scores: msg('scores'), scaled_scores: msg('scaled scores'), masked_scores: msg('masked scores'),
  weights: msg('weights'), context: msg('context'), output: msg('output'),
})[stage];

const workWords = (kind: Work): string => ({
  'multiply-adds': msg('multiply-adds'), multiplications: msg('multiplications'), choices: msg('choices'), exponentials: msg('exponentials'),
})[kind];

const modelWords = (name: ModelName): string => ({
  'gpt-3': 'GPT-3, 175B', 'gpt-2-xl': 'GPT-2 XL', 'gpt-2': 'GPT-2', transformer: msg('Transformer of 2017, base'), page: msg('This page’s layer'),
})[name];
