// Forwards from the embedding to the chance of a next word: each number of norms, MLPs, sums and the vocabulary, written out.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { type Answers, type Steps, got } from '../../lib/answers.ts';
import { count, significant } from '../../lib/format.ts';
import type { Configuration } from '../../parameters/language-model/configuration.ts';
import type { AnyMeasures, Followed, Prediction, VocabularyWord } from '../../parameters/language-model/language-model.ts';
import type { Reading } from '../../parameters/language-model/reader.ts';
import type { Picture } from '../../state/result.ts';
import { exact } from '../../text/numbers.ts';
import { word as wordOf } from '../../text/word.ts';

interface RowPlace { stage: string; index: number }
type Operand = NonNullable<Followed['bias']>;

/** Products of a sum that are shown: the largest. */
const SHOWN = 6;
/** Next words to choose from. */
const WORDS = 8;
/** Stages as wide as the MLP. */
const OF_MLP: readonly string[] = ['gate', 'up', 'active', 'hidden'];

/** Stages with a number for each word of the vocabulary. */
const OF_WORDS: readonly string[] = ['logit', 'chance'];
/** A word that is still to be found: the likeliest. */
const LIKELIEST = -1;

/** Before the first layer, and behind the last. `places` is reached from `placed` or `embedding`. */
const beforeLayers = ({ postNorm = false }: Configuration): readonly string[] => (postNorm ? ['placed', 'embedding'] : ['embedding']);
function behindLayers({ predicts }: Configuration): readonly string[] {
  if (predicts === 'nothing') return [];
  return ['last', ...(predicts === 'hidden' ? ['transformed', 'activated'] : []), 'final', ...OF_WORDS];
}

/** Stages that are shown where one of their operands was chosen. */
const ASIDE: readonly string[] = ['contexts', 'places'];

/** The row's stages in a layer of this kind, in their order. */
function stagesOf({ d_mlp, activation, postNorm = false }: Configuration): readonly string[] {
  const mlp = d_mlp === 0 ? [] : [...(activation === 'swiglu' ? ['gate', 'up', 'active', 'hidden'] : ['up', 'active']), 'mlp', 'sum_2'];
  const second = d_mlp === 0 ? [] : ['norm_2'];
  return postNorm ? ['x', 'attention', 'sum_1', 'norm_1', ...mlp, ...second] : ['x', 'norm_1', 'attention', 'sum_1', ...second, ...mlp];
}

function stageName(stage: string, { postNorm = false, activation }: Configuration): string {
  const isGated = activation === 'swiglu';
  switch (stage) {
    case 'places': return msg('Position and kind of sentence');
    case 'placed': return msg('Embedding, before its norm');
    case 'embedding': return postNorm ? msg('Embedding, normed') : msg('Embedding');
    case 'last': return msg('Residual stream behind all layers');
    case 'transformed': return msg('Transformed, before GELU');
    case 'activated': return msg('Transformed, after GELU');
    case 'final': return msg('Row after the final norm');
    case 'logit': return msg('Logit');
    case 'chance': return msg('Chance');
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
  E: () => msg('its token’s row'), P: () => msg('its position’s row'), position: () => msg('its position’s row'), segment: () => msg('its sentence’s row'),
  gain_E: () => msg('gain'), gain_F: () => msg('gain'), bias_E: () => msg('bias'), bias_F: () => msg('bias'), b_T: () => msg('bias'), b_U: () => msg('bias'),
  gain_1: () => msg('gain'), gain_2: () => msg('gain'), bias_1: () => msg('bias'), bias_2: () => msg('bias'), b_O: () => msg('bias'), b_gate: () => msg('bias'), b_up: () => msg('bias'), b_down: () => msg('bias'),
};

const RULES: Readonly<Record<Followed['rule'], (constants: Followed['constants']) => TemplateResult | string>> = {
  given: () => '',
  copy: () => msg('Taken over as it is.'),
  add: () => msg('Two numbers added.'),
  multiply: () => msg('Two numbers multiplied: the gate says how much of the other goes on.'),
  dot: () => msg('A row and a column, number by number, added up.'),
  softmax: ({ words = 0 }) => msg(html`Softmax: e<sup>logit − largest</sup>, over the sum of that for all ${count(words)} words.`),
  'layer-norm': () => msg('Layer norm: less the mean of its row, over its standard deviation; then times a learnt gain, plus a learnt bias.'),
  'rms-norm': () => msg('RMSNorm: divided by the root mean square of its row, times a learnt gain.'),
  silu: () => msg(html`SiLU: the number times 1 / (1 + e<sup>−x</sup>).`),
  gelu: ({ is_erf }) => (is_erf === 1 ? msg('GELU: the number times the share of a normal distribution that lies below it.') : msg('GELU, by tanh as in GPT-2: the number times about the share of a normal distribution that lies below it.')),
};

const CONSTANTS: Readonly<Record<string, () => string>> = {
  mean: () => msg('mean of the row'), deviation: () => msg('standard deviation, with epsilon'), rms: () => msg('root mean square of the row'), normed: () => msg('normed'), max: () => msg('largest logit'), share: () => msg('share'),
};

const isParameter = (array: string): boolean => Object.hasOwn(PARAMETERS, array) || array.startsWith('W_');
const parameterName = (array: string, configuration: Configuration): TemplateResult | string => (array.startsWith('W_') ? html`W<sub>${array.slice(2)}</sub>` : stageName(array, configuration));
/** A piece that continues a word is told by a dot, as in the sentence. */
const said = ({ word, piece }: VocabularyWord): string => (piece ? `·${word}` : word.trim() || word);

function aboutWords(word: ReturnType<typeof wordOf>, at: number, { layers }: Configuration): TemplateResult {
  if (at < 0) return msg(html`The row of ${word} before the first layer.`);
  return at === layers ? msg(html`The row of ${word} behind the last layer.`) : msg(html`The row of ${word} on its way through layer ${at + 1}.`);
}

/** Null while the word that is meant is not known. */
function* asked(measures: AnyMeasures, at: number, query: number, { stage, index }: RowPlace): Steps<Followed | null> {
  return index === LIKELIEST ? null : yield* got(measures.number(at, query, stage, index));
}

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
        <summary>${msg('Forwards: every number from the embedding to the chances')}</summary>
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
    if (this.#layer !== layer || ![...stages, ...ASIDE, ...beforeLayers(configuration), ...behindLayers(configuration)].includes(this.#place.stage)) {
      this.#layer = layer;
      this.#go({ stage: stages.at(-1) as string, index: Math.max(0, this.#place.index) % configuration.d_model }, []);
    }
    const [before, behind] = [beforeLayers(configuration), behindLayers(configuration)];
    const likely = OF_WORDS.includes(this.#place.stage) ? answers.find('forward-words', [run, query], () => got(run.predictions(query, WORDS))) : null;
    if (likely && this.#place.index === LIKELIEST) this.#place = { ...this.#place, index: likely[0]?.id ?? 0 };
    const { stage, index } = this.#place;
    const isWord = OF_WORDS.includes(stage);
    const most = OF_MLP.includes(stage) ? configuration.d_mlp : stage === 'contexts' ? picture.trace.shape.H * picture.trace.shape.d_v : isWord ? configuration.vocabulary : configuration.d_model;
    const at = before.includes(stage) || stage === 'places' ? -1 : behind.includes(stage) ? configuration.layers : layer;
    const option = (each: string) => html`<option value=${each} .selected=${live(each === stage)}>${stageName(each, configuration)}</option>`;
    const group = (name: string, of: readonly string[], aside: string) => (of.length === 0 ? nothing : html`<optgroup label=${name}>${[...of, ...(stage === aside ? [stage] : [])].map(option)}</optgroup>`);
    return html`
      <p class="model-about">${aboutWords(wordOf(picture, query), at, configuration)} ${msg('Choose an operand to see how it came about in turn.')}</p>
      <p class="sheet-line">
        <select data-forward="stage" aria-label=${msg('Stage')} @change=${(event: Event) => this.#choose((event.target as HTMLSelectElement).value)}>
          ${group(msg('before the layers'), before, 'places')}
          ${group(msg(str`layer ${layer + 1}`), stages, 'contexts')}
          ${group(msg('behind the layers'), behind, '')}
        </select>
        ${isWord && likely ? this.#words(likely, reading) : nothing}
        <label>${isWord ? msg('token number') : msg('number')} <input class="field" data-forward="index" inputmode="numeric" size="5" .value=${index === LIKELIEST ? '' : String(isWord ? index : index + 1)} @change=${(event: Event) => this.#type(event.target as HTMLInputElement, most, isWord ? 0 : 1)}></label>
        ${this.#trail.length > 0 ? html`<button type="button" class="plain" data-forward="back" @click=${() => this.#visit(this.#trail.at(-1) as RowPlace, this.#trail.slice(0, -1))}>${msg('back')}</button>` : nothing}
      </p>
      ${answers.part('forwards', [run, at, query, stage, index], () => asked(measures, at, query, { stage, index }), (found) => (found ? this.#number(found, reading, { stage, index }) : html`${nothing}`))}
    `;
  }

  /** The likeliest, and the one that is looked at. */
  #words(likely: readonly Prediction[], { reader }: Reading): TemplateResult {
    const { index, stage } = this.#place;
    const all: readonly (VocabularyWord & { id: number })[] = likely.some(({ id }) => id === index) ? likely : [...likely, { id: index, ...reader.word(index) }];
    return html`
      <select data-forward="word" aria-label=${msg('Next word')} @change=${(event: Event) => this.#visit({ stage, index: Number((event.target as HTMLSelectElement).value) }, [])}>
        ${all.map((each) => html`<option value=${each.id} .selected=${live(each.id === index)}>${said(each)}</option>`)}
      </select>`;
  }

  #number({ rule, terms, bias, constants, result, files }: Followed, reading: Reading, { stage, index }: RowPlace): TemplateResult {
    const { reader: { configuration } } = reading;
    const named = Object.entries(constants).filter(([name]) => Object.hasOwn(CONSTANTS, name));
    const products = rule === 'dot' || rule === 'softmax';
    const own = rule === 'softmax' ? terms.findIndex(({ left }) => left.index === index) : -1;
    const largest = [...terms.keys()].sort((a, b) => Math.abs(terms[b]?.product ?? 0) - Math.abs(terms[a]?.product ?? 0)).slice(0, SHOWN);
    const shown = own < 0 || largest.includes(own) ? largest : [own, ...largest.slice(0, -1)];
    const sum = rule === 'softmax' ? Math.fround(constants.exp_sum ?? NaN) : terms.at(-1)?.partialSum ?? NaN;
    const written = Object.entries(files);
    return html`
      <p class="explained-title"><span class="pair">${this.#named(stage, index, reading)}</span> <span class="value accent" data-forward-number=${`${stage} ${index}`}>${exact(result)}</span></p>
      <p>${rule === 'given' ? this.#given(stage, index, reading) : RULES[rule](constants)}</p>
      ${terms.length === 0 ? nothing : html`
        ${rule === 'softmax' ? html`<p class="muted">${msg('Its own, and the largest of the others:')}</p>` : terms.length > SHOWN ? html`<p class="muted">${msg(str`The largest of its ${count(terms.length)} products:`)}</p>` : nothing}
        <ul class="operands">
          ${shown.map((i) => {
            const { left, right, product } = terms[i] as Followed['terms'][number];
            return html`<li>${this.#operand(left, reading)}${right ? html` × ${this.#operand(right, reading)}` : nothing}${products ? html` ${rule === 'dot' ? '=' : '→'} <span data-forward-product=${left.index}>${significant(product)}</span>` : nothing}</li>`;
          })}
          ${products ? html`<li>${msg('all of them together')}: <span data-forward-sum>${exact(sum)}</span></li>` : nothing}
          ${bias ? html`<li>+ ${this.#operand(bias, reading)}</li>` : nothing}
        </ul>`}
      ${named.length > 0 ? html`<dl class="constants">${named.map(([name, value]) => html`<div><dt>${CONSTANTS[name]?.() ?? name}</dt><dd data-constant=${name}>${exact(Math.fround(value))}</dd></div>`)}</dl>` : nothing}
      ${written.length > 0 ? html`<p class="muted file-names">${msg('In the file:')} ${written.map(([array, name], i) => html`${i > 0 ? ', ' : nothing}${parameterName(array, configuration)} <code data-forward-file=${array}>${name}</code>`)}</p>` : nothing}
    `;
  }

  #named(stage: string, index: number, { reader }: Reading): TemplateResult {
    const name = stageName(stage, reader.configuration);
    return OF_WORDS.includes(stage) ? html`${name} <bdi lang="">${said(reader.word(index))}</bdi>` : html`${name} ${count(index + 1)}`;
  }

  /** Where a number is from that no rule makes here. */
  #given(stage: string, index: number, { layer, reader: { configuration } }: Reading): TemplateResult | string {
    const button = (from: number) => html`<button type="button" class="plain" data-forward="layer" @click=${() => this.#before(from, layer, index, configuration)}>${msg(str`after layer ${from}`)}</button>`;
    if (stage === 'last') return button(configuration.layers);
    if (stage !== 'x') return msg('What the heads made of the values, side by side. The walk above shows how each came about.');
    return layer > 0 ? button(layer) : html`<button type="button" class="plain" data-forward="embedding" @click=${() => this.#visit({ stage: 'embedding', index }, [...this.#trail, this.#place])}>${msg('in the embedding')}</button>`;
  }

  /** A parameter comes from the file, and is followed no further. */
  #operand({ array, index, value }: Operand, reading: Reading): TemplateResult {
    const { reader: { configuration } } = reading;
    if (isParameter(array)) return html`<span class="operand-name">${parameterName(array, configuration)}</span> <span data-forward-parameter=${`${array} ${index}`}>${significant(value, 6)}</span>`;
    return html`<button type="button" class="operand left" data-forward-operand=${`${array} ${index}`} @click=${() => this.#visit({ stage: array, index }, [...this.#trail, this.#place])}><span class="operand-name">${this.#named(array, index, reading)}</span> ${significant(value, 6)}</button>`;
  }

  /** From a word to the same word, from a number to the same number. */
  #choose(stage: string): void {
    const isAlike = OF_WORDS.includes(stage) && OF_WORDS.includes(this.#place.stage);
    this.#visit({ stage, index: isAlike ? this.#place.index : OF_WORDS.includes(stage) ? LIKELIEST : 0 }, []);
  }

  #type(field: HTMLInputElement, most: number, first: number): void {
    const wanted = Math.floor(Number(field.value)) - first;
    const index = Number.isFinite(wanted) ? Math.min(Math.max(wanted, 0), most - 1) : this.#place.index;
    field.value = String(index + first);
    this.#visit({ ...this.#place, index }, []);
  }

  /** Where this number came from: the end of layer `from`, counted from 1. */
  #before(from: number, shown: number, index: number, configuration: Configuration): void {
    this.#layer = from - 1;
    const place = { stage: stagesOf(configuration).at(-1) as string, index };
    if (from - 1 === shown) return this.#visit(place, [...this.#trail, this.#place]);
    this.#go(place, []);
    this.layer(from - 1);
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
