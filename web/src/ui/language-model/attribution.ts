// What heads, MLPs, the embedding and biases add to the logit of one next word; and each number of a layer’s norms and MLP, written out.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { count, fixed, plural, significant } from '../../lib/format.ts';
import { type Place, samePlace } from '../../parameters/language-model/edits.ts';
import { type Configuration, evidenceWords } from '../../parameters/language-model/configuration.ts';
import { type Answers, type Steps, got } from '../../lib/answers.ts';
import type { AnyMeasures, Attribution, Prediction, RowExplanation } from '../../parameters/language-model/language-model.ts';
import type { Reading } from '../../parameters/language-model/reader.ts';
import type { Picture } from '../../state/result.ts';
import { exact } from '../../text/numbers.ts';
import { word as wordOf } from '../../text/word.ts';
import { type GalleryData, roleOf, roleWords } from './gallery.ts';

interface AttributionData extends GalleryData {
  found: Parts;
  picture: Picture;
  query: number;
}

export interface Parts { words: readonly Prediction[]; id: number; parts: Attribution }

/** Next words to choose from, and heads that are listed. */
const WORDS = 8;
const HEADS = 10;

/** @param word the next word that was chosen; the likeliest where it is none of the likely ones */
export function* partsOf(measures: AnyMeasures, query: number, word: number | null): Steps<Parts> {
  const words = yield* got(measures.run.predictions(query, WORDS));
  const { id = 0 } = words.find((each) => each.id === word) ?? words[0] ?? {};
  return { words, id, parts: yield* got(measures.attribution(query, id)) };
}

export function attribution(data: AttributionData, events: { choose(place: Place): void; word(id: number): void }): TemplateResult {
  const { found: { words, id, parts }, picture, query, chosen } = data;
  const all = parts.heads.flatMap((heads, layer) => heads.map((added, head) => ({ layer, head, added })));
  const listed = [...all].sort((a, b) => Math.abs(b.added) - Math.abs(a.added)).slice(0, HEADS).sort((a, b) => b.added - a.added);
  const { embedding, heads, mlps, biases, logit } = parts.sums;
  const rows: readonly [string, string, number][] = [
    ['embedding', msg('the word’s own embedding'), embedding], ['heads', plural(all.length, msg('the head'), msg(str`all ${count(all.length)} heads`)), heads],
    ['mlps', msg('all MLPs'), mlps], ['biases', msg('all biases'), biases], ['logit', msg('together: its logit'), logit],
  ];
  return html`
    <p class="sheet-note" data-definition="parts">${msg(html`<b>Direct logit attribution</b> (Elhage and others 2021): a row is the sum of what the embedding, heads and MLPs wrote into it, so a next word’s logit is a sum of parts, too. For a head that is context·W<sub>O</sub>, times the final norm’s gain, times the word’s column of the output matrix. The final norm’s mean and scale are held at this row’s own. What a head does by way of later layers is counted there. <a href="docs/models.md">More</a>`)}</p>
    <label class="sheet-list sheet-word"><span>${msg(html`After ${wordOf(picture, query)}, for`)}</span>
      <span class="segments"><select data-sheet="word" aria-label=${msg('Next word')} @change=${(event: Event) => events.word(Number((event.target as HTMLSelectElement).value))}>
        ${words.map((each) => html`<option value=${each.id} .selected=${live(each.id === id)}>${each.piece ? `·${each.word}` : each.word.trim() || each.word}</option>`)}
      </select></span>
    </label>
    <div class="sheet-tables">
      <table class="parts by-head" aria-label=${msg('Heads that add most, and take most')}>
        <thead><tr><th scope="col">${msg('head')}</th><th scope="col">${msg('adds')}</th><th scope="col"></th></tr></thead>
        <tbody>${listed.map((place) => html`
          <tr data-part="${place.layer + 1}.${place.head + 1}" class=${samePlace(place, chosen) ? 'chosen' : ''} @click=${() => events.choose({ layer: place.layer, head: place.head })}>
            <th scope="row">${place.layer + 1}.${place.head + 1}</th><td>${fixed(place.added, 2)}</td><td class="muted">${nameOf(data, place)}</td></tr>`)}</tbody>
      </table>
      <table class="parts" aria-label=${msg('What the logit is a sum of')}>
        <thead><tr><th scope="col">${msg('part')}</th><th scope="col">${msg('adds')}</th></tr></thead>
        <tbody>${rows.map(([part, words, added]) => html`<tr data-part=${part}><th scope="row">${words}</th><td>${fixed(added, 2)}</td></tr>`)}</tbody>
      </table>
    </div>
  `;
}

function nameOf({ evidence, facts }: GalleryData, place: Place): string {
  const measured = evidence.find((each) => samePlace(each, place) && each.named);
  if (measured) return evidenceWords(measured);
  const own = facts[place.layer]?.[place.head];
  const role = own ? roleOf(own) : null;
  return role ? roleWords(role) : '';
}

// Forwards through one layer, a number at a time.

interface RowPlace { stage: string; index: number }
type Operand = NonNullable<RowExplanation['bias']>;

/** Products of a sum that are shown: the largest. */
const SHOWN = 6;
/** How many numbers a stage has: those of a row, of the MLP between, or of all heads. */
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
  #of = '';
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
    // What a layer makes of a row is where its way ends.
    const of = `${layer}`;
    if (this.#of !== of || !stages.includes(this.#place.stage) && this.#place.stage !== 'contexts') {
      this.#of = of;
      this.#go({ stage: stages.at(-1) as string, index: this.#place.index % configuration.d_model }, []);
    }
    const { stage, index } = this.#place;
    const most = OF_MLP.includes(stage) ? configuration.d_mlp : stage === 'contexts' ? Infinity : configuration.d_model;
    return html`
      <p class="model-about">${msg(html`The row of ${wordOf(picture, query)} on its way through layer ${layer + 1}. Choose an operand to see how it came about in turn.`)}</p>
      <p class="sheet-line">
        <select data-forward="stage" aria-label=${msg('Stage')} @change=${(event: Event) => this.#visit({ stage: (event.target as HTMLSelectElement).value, index: 0 }, [])}>
          ${[...stages, ...(stage === 'contexts' ? [stage] : [])].map((each) => html`<option value=${each} .selected=${live(each === stage)}>${stageName(each, configuration)}</option>`)}
        </select>
        <label>${msg('number')} <input class="field" data-forward="index" inputmode="numeric" size="5" .value=${live(String(index + 1))} @change=${(event: Event) => this.#type((event.target as HTMLInputElement).value, most)}></label>
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

  #type(text: string, most: number): void {
    const wanted = Math.floor(Number(text)) - 1;
    this.#visit({ ...this.#place, index: Number.isFinite(wanted) ? Math.min(Math.max(wanted, 0), most - 1) : this.#place.index }, []);
  }

  /** Where this number came from: the end of the layer before. */
  #before(layer: number, index: number, configuration: Configuration): void {
    this.#of = `${layer - 1}`;
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
