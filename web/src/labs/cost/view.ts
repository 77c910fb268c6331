// The lab of costs as it is seen: stage by stage for n tokens, how it grows, measured here, and the parameters.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { count } from '../../format.ts';
import { math } from '../../views/math.ts';
import { withSubs } from '../../views/subs.ts';
import type { Axis } from '../views/axis.ts';
import { list, segments, sentenceField, slider } from '../views/controls.ts';
import { frame } from '../views/frame.ts';
import { lines } from '../views/lines.ts';
import { MODELS, type Model, type ModelName, crossing, linearWork, nameOf, squareWork, stageCosts } from './formulas.ts';
import type { CostKnobs } from './lab.ts';
import type { Timing } from './measure.ts';
import { parametersView } from './parameters-view.ts';
import { timingsView } from './timings-view.ts';
import { bytesWords, digits, largeWords, modelWords, powerWords, stageWords, workWords } from './words.ts';

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
      <p>${msg('Every token asks every other: n tokens make n² scores in each head. Twice as many tokens, four times as many cells, and four times the work that they take.')}</p>
      <p>${msg('The parameters do not grow with n at all: the same matrices read one word or a whole book. What need not be kept is the n × n matrices; fused attention goes through them in blocks and forgets each.')}</p>
    `,
    controls: html`
      ${slider(msg('Tokens, n'), { least: 0, most: POWERS.length, value: knobs.n === 0 ? 0 : Math.round(Math.log2(knobs.n)) + 1, words: knobs.n === 0 ? msg(str`${count(words)}, your sentence’s`) : count(n) }, (at) => events.set({ n: at === 0 ? 0 : (POWERS[at - 1] ?? 0) }))}
      ${list(msg('Model'), [...(name ? [] : [['own', msg('of your own')] as const]), ...models.map((each) => [each, modelWords(each)] as const)], name ?? 'own', (chosen) => events.set(modelOf(MODELS[chosen as ModelName] ?? knobs)))}
      ${segments(msg('Bytes of a number'), 'lab-cost-bytes', [['4', '4'], ['2', '2']], knobs.bytes, (bytes) => events.set({ bytes }))}
      ${sentenceField(msg('Your sentence'), text, events.type)}
    `,
    figure: html`
      ${n > 0 ? html`${stageTable(knobs, n, Number(knobs.bytes))}${growth(knobs, n, Number(knobs.bytes))}` : html`<p class="muted">${msg('Type a word.')}</p>`}
      ${timingsView(data, events)}
      ${parametersView(knobs, events.set)}
    `,
    said: n > 0 ? saidOf(data, n) : null,
    tries: [
      { label: msg('Your own sentence'), act: () => events.set({ n: 0 }) },
      { label: msg('GPT-3 and its 2,048 tokens'), act: () => events.set({ ...modelOf(MODELS['gpt-3']), n: 2048 }) },
      { label: msg('128 k tokens'), act: () => events.set({ n: MOST }) },
      { label: msg('Half the bytes'), act: () => events.set({ bytes: '2' }) },
    ],
  });
}

const tokensOf = ({ knobs, words }: CostData): number => (knobs.n === 0 ? words : knobs.n);
const modelOf = ({ d_model, heads, d_k, blocks }: Model): Model => ({ d_model, heads, d_k, blocks });

function saidOf({ knobs, words }: CostData, n: number): TemplateResult {
  const bold = (said: string) => html`<b>${said}</b>`;
  const [tokens, cells, size] = [bold(count(n)), bold(count(n * n)), bold(bytesWords(knobs.heads * n * n * Number(knobs.bytes)))];
  const share = bold(`${Math.round((100 * squareWork(knobs, n)) / (squareWork(knobs, n) + linearWork(knobs, n)))}\u00a0%`);
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

function growth(model: Model, n: number, bytes: number): TemplateResult {
  const x: Axis = { label: msg('tokens, n'), least: 1, most: MOST, log: 2, words: count };
  const at = { x: Math.min(n, MOST), words: `n = ${count(n)}` };
  const points = (y: (n: number) => number) => POWERS.map((each) => ({ x: each, y: y(each) }));
  const axis = (label: string, words: (value: number) => string, tick: (value: number) => string, ...all: ((n: number) => number)[]): Axis => ({
    label, log: 10, words, tick,
    least: 10 ** Math.floor(Math.log10(Math.min(...all.map((of) => of(1))))), most: 10 ** Math.ceil(Math.log10(Math.max(...all.map((of) => of(MOST))))),
  });
  const [linear, square] = [(tokens: number) => linearWork(model, tokens), (tokens: number) => squareWork(model, tokens)];
  const [pairs, rows] = [(tokens: number) => model.heads * tokens * tokens * bytes, (tokens: number) => 4 * tokens * model.heads * model.d_k * bytes];
  return html`
    <div class="lab-columns">
      ${lines({
        title: msg('Work of one layer'), note: msg(str`as much of both at n = 2·D = ${count(crossing(model))}`),
        summary: msg(str`At n = ${count(n)} the products with parameters take ${largeWords(linear(n))} multiply-adds, scores and context ${largeWords(square(n))}.`),
        x, y: axis(msg('multiply-adds'), largeWords, powerWords, linear, square), at,
        series: [{ label: msg('parameters, ∝ n'), points: points(linear) }, { label: msg('scores and context, ∝ n²'), points: points(square) }],
      })}
      ${lines({
        title: msg('Memory of one layer'), note: msg(str`${bytes} bytes a number`),
        summary: msg(str`At n = ${count(n)} one n × n matrix in each head takes ${bytesWords(pairs(n))}; queries, keys, values and context take ${bytesWords(rows(n))}.`),
        x, y: axis(msg('bytes'), bytesWords, bytesTick, pairs, rows), at,
        series: [{ label: msg('Q, K, V, context, ∝ n'), points: points(rows) }, { label: msg('scores, ∝ n²'), points: points(pairs) }],
      })}
    </div>
  `;
}

/** 10 MB, without the digits that a power of ten has none of. */
const bytesTick = (bytes: number): string => bytesWords(bytes).replace(/\.0+(?=\D)/, '');
