// Forwards through a layer: each number of its norms, its MLP and its residual sums, written out.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { type Answers, got } from '../../lib/answers.ts';
import { count, significant } from '../../lib/format.ts';
import type { Configuration } from '../../parameters/language-model/configuration.ts';
import type { AnyMeasures, RowExplanation } from '../../parameters/language-model/language-model.ts';
import type { Reading } from '../../parameters/language-model/reader.ts';
import type { Picture } from '../../state/result.ts';
import { exact } from '../../text/numbers.ts';
import { word as wordOf } from '../../text/word.ts';

interface RowPlace { stage: string; index: number }
type Operand = NonNullable<RowExplanation['bias']>;

/** Products of a sum that are shown: the largest. */
const SHOWN = 6;
/** Stages as wide as the MLP. */
const OF_MLP: readonly string[] = ['gate', 'up', 'active', 'hidden'];

/** The row's stages in a layer of this kind, in their order. */
function stagesOf({ d_mlp, activation, postNorm = false }: Configuration): readonly string[] {
  const mlp = d_mlp === 0 ? [] : [...(activation === 'swiglu' ? ['gate', 'up', 'active', 'hidden'] : ['up', 'active']), 'mlp', 'sum_2'];
  const second = d_mlp === 0 ? [] : ['norm_2'];
  return postNorm ? ['x', 'attention', 'sum_1', 'norm_1', ...mlp, ...second] : ['x', 'norm_1', 'attention', 'sum_1', ...second, ...mlp];
}

function stageName(stage: string, { postNorm = false, activation }: Configuration): string {
  const isGated = activation === 'swiglu';
  switch (stage) {
    case 'x': return msg('Residual stream');
    case 'norm_1': return postNorm ? msg('Residual stream behind attention, normed') : msg('Residual stream, normed');
    case 'contexts': return msg('Contexts of all heads');
    case 'attention': return msg('Output of attention');
    case 'sum_1': return msg('Residual stream behind attention');
    case 'norm_2': return postNorm ? msg('Residual stream behind the layer, normed') : msg('Input of the MLP');
    case 'gate': return msg('Gate of the MLP, before SiLU');
    case 'up': return isGated ? msg('Hidden numbers before the gate') : msg('Hidden numbers before GELU');
    case 'active': return isGated ? msg('Gate of the MLP, after SiLU') : msg('Hidden numbers after GELU');
    case 'hidden': return msg('Hidden numbers, gated');
    case 'mlp': return msg('Output of the MLP');
    case 'sum_2': return msg('Residual stream behind the layer');
    default: return PARAMETERS[stage]?.() ?? stage;
  }
}

const PARAMETERS: Readonly<Record<string, () => string>> = {
  gain_1: () => msg('gain'), gain_2: () => msg('gain'), bias_1: () => msg('bias'), bias_2: () => msg('bias'), b_O: () => msg('bias'), b_gate: () => msg('bias'), b_up: () => msg('bias'), b_down: () => msg('bias'),
};

const RULES: Readonly<Record<RowExplanation['rule'], (constants: RowExplanation['constants']) => TemplateResult | string>> = {
  given: () => '',
  copy: () => msg('Taken over as it is.'),
  add: () => msg('Two numbers added.'),
  multiply: () => msg('Two numbers multiplied: the gate says how much of the other goes on.'),
  dot: () => msg('A row and a column, number by number, added up.'),
  'layer-norm': () => msg('Layer norm: less the mean of its row, over its standard deviation; then times a learnt gain, plus a learnt bias.'),
  'rms-norm': () => msg('RMSNorm: divided by the root mean square of its row, times a learnt gain.'),
  silu: () => msg(html`SiLU: the number times 1 / (1 + e<sup>−x</sup>).`),
  gelu: ({ is_erf }) => (is_erf === 1 ? msg('GELU: the number times the share of a normal distribution that lies below it.') : msg('GELU, by tanh as in GPT-2: the number times about the share of a normal distribution that lies below it.')),
};

const CONSTANTS: Readonly<Record<string, () => string>> = {
  mean: () => msg('mean of the row'), deviation: () => msg('standard deviation, with epsilon'), rms: () => msg('root mean square of the row'), normed: () => msg('normed'), share: () => msg('share'),
};

/** Written out once it is opened. */
export class ForwardFold {
  #isOpen = false;
  #layer = -1;
  #place: RowPlace = { stage: '', index: 0 };
  #trail: readonly RowPlace[] = [];
  #measures: AnyMeasures | null = null;

  /** @param layer goes to another layer, from 0 */
  constructor(private readonly again: () => void, private readonly layer: (layer: number) => void) {}

  template(answers: Answers, picture: Picture, reading: Reading, query: number): TemplateResult {
    return html`
      <details class="model-backwards model-forwards" ?open=${this.#isOpen} @toggle=${(event: Event) => this.#toggle((event.target as HTMLDetailsElement).open)}>
        <summary>${msg('Forwards: every number of the norms and the MLP')}</summary>
        ${this.#isOpen ? this.#open(answers, picture, reading, query) : nothing}
      </details>
    `;
  }

  #toggle(isOpen: boolean): void {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    this.again();
  }

  #open(answers: Answers, picture: Picture, reading: Reading, query: number): TemplateResult {
    const { reader: { configuration, model }, run, layer } = reading;
    const stages = stagesOf(configuration);
    if (this.#measures?.run !== run) this.#measures = model.measure(run);
    const measures = this.#measures;
    // Another layer opens at its last stage.
    if (this.#layer !== layer || (!stages.includes(this.#place.stage) && this.#place.stage !== 'contexts')) {
      this.#layer = layer;
      this.#go({ stage: stages.at(-1) as string, index: this.#place.index % configuration.d_model }, []);
    }
    const { stage, index } = this.#place;
    const most = OF_MLP.includes(stage) ? configuration.d_mlp : stage === 'contexts' ? picture.trace.shape.H * picture.trace.shape.d_v : configuration.d_model;
    return html`
      <p class="model-about">${msg(html`The row of ${wordOf(picture, query)} on its way through layer ${layer + 1}. Choose an operand to see how it came about in turn.`)}</p>
      <p class="sheet-line">
        <select data-forward="stage" aria-label=${msg('Stage')} @change=${(event: Event) => this.#visit({ stage: (event.target as HTMLSelectElement).value, index: 0 }, [])}>
          ${[...stages, ...(stage === 'contexts' ? [stage] : [])].map((each) => html`<option value=${each} .selected=${live(each === stage)}>${stageName(each, configuration)}</option>`)}
        </select>
        <label>${msg('number')} <input class="field" data-forward="index" inputmode="numeric" size="5" .value=${String(index + 1)} @change=${(event: Event) => this.#type(event.target as HTMLInputElement, most)}></label>
        ${this.#trail.length > 0 ? html`<button type="button" class="plain" data-forward="back" @click=${() => this.#visit(this.#trail.at(-1) as RowPlace, this.#trail.slice(0, -1))}>${msg('back')}</button>` : nothing}
      </p>
      ${answers.part('forwards', [run, layer, query, stage, index], () => got(measures.number(layer, query, stage, index)), (found) => this.#number(found, reading, { stage, index }))}
    `;
  }

  #number({ rule, terms, bias, constants, result }: RowExplanation, { layer, reader: { configuration } }: Reading, { stage, index }: RowPlace): TemplateResult {
    const named = Object.entries(constants).filter(([name]) => Object.hasOwn(CONSTANTS, name));
    const products = rule === 'dot';
    const shown = [...terms.keys()].sort((a, b) => Math.abs(terms[b]?.product ?? 0) - Math.abs(terms[a]?.product ?? 0)).slice(0, SHOWN);
    const before = layer > 0 ? html`<button type="button" class="plain" data-forward="layer" @click=${() => this.#before(layer, index, configuration)}>${msg(str`after layer ${layer}`)}</button>` : msg('in the embedding');
    return html`
      <p class="explained-title"><span class="pair">${stageName(stage, configuration)} ${count(index + 1)}</span> <span class="value accent" data-forward-number=${`${stage} ${index}`}>${exact(result)}</span></p>
      <p>${rule !== 'given' ? RULES[rule](constants) : stage === 'x' ? before : msg('What the heads made of the values, side by side. The walk above shows how each came about.')}</p>
      ${terms.length === 0 ? nothing : html`
        ${terms.length > SHOWN ? html`<p class="muted">${msg(str`The largest of its ${count(terms.length)} products:`)}</p>` : nothing}
        <ul class="operands">
          ${shown.map((i) => {
            const { left, right, product } = terms[i] as RowExplanation['terms'][number];
            return html`<li>${this.#operand(left, configuration)}${right ? html` × ${this.#operand(right, configuration)}` : nothing}${products ? html` = ${significant(product)}` : nothing}</li>`;
          })}
          ${products ? html`<li>${msg('all of them together')}: <span data-forward-sum>${exact(terms.at(-1)?.partialSum ?? NaN)}</span></li>` : nothing}
          ${bias ? html`<li>+ ${this.#operand(bias, configuration)}</li>` : nothing}
        </ul>`}
      ${named.length > 0 ? html`<dl class="constants">${named.map(([name, value]) => html`<div><dt>${CONSTANTS[name]?.() ?? name}</dt><dd data-constant=${name}>${exact(Math.fround(value))}</dd></div>`)}</dl>` : nothing}
    `;
  }

  /** A parameter comes from the file, and is followed no further. */
  #operand({ array, index, value }: Operand, configuration: Configuration): TemplateResult {
    const name = Object.hasOwn(PARAMETERS, array) ? stageName(array, configuration) : array.startsWith('W_') ? html`W<sub>${array.slice(2)}</sub>` : html`${stageName(array, configuration)} ${count(index + 1)}`;
    if (Object.hasOwn(PARAMETERS, array) || array.startsWith('W_')) return html`<span class="operand-name">${name}</span> <span data-forward-parameter=${`${array} ${index}`}>${significant(value, 6)}</span>`;
    return html`<button type="button" class="operand left" data-forward-operand=${`${array} ${index}`} @click=${() => this.#visit({ stage: array, index }, [...this.#trail, this.#place])}><span class="operand-name">${name}</span> ${significant(value, 6)}</button>`;
  }

  #type(field: HTMLInputElement, most: number): void {
    const wanted = Math.floor(Number(field.value)) - 1;
    const index = Number.isFinite(wanted) ? Math.min(Math.max(wanted, 0), most - 1) : this.#place.index;
    field.value = String(index + 1);
    this.#visit({ ...this.#place, index }, []);
  }

  /** Where this number came from: the end of the layer before. */
  #before(layer: number, index: number, configuration: Configuration): void {
    this.#layer = layer - 1;
    this.#go({ stage: stagesOf(configuration).at(-1) as string, index }, []);
    this.layer(layer - 1);
  }

  #visit(place: RowPlace, trail: readonly RowPlace[]): void {
    this.#go(place, trail);
    this.again();
  }

  #go(place: RowPlace, trail: readonly RowPlace[]): void {
    this.#place = place;
    this.#trail = trail;
  }
}
