// Layers and heads as one sheet: what it shows, how it is sorted, and how large.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { count, percent } from '../../lib/format.ts';
import type { Patch, Place } from '../../parameters/language-model/edits.ts';
import { type Answers, type Steps, got } from '../../lib/answers.ts';
import { inPhase, isTyping } from '../../lib/schedule.ts';
import type { AnyMeasures, Configuration, Together } from '../../parameters/language-model/language-model.ts';
import type { Reading } from '../../parameters/language-model/reader.ts';
import type { Picture } from '../../state/result.ts';
import { word } from '../../text/word.ts';
import { radioGroup } from '../kit/controls.ts';
import { type Grid, Strip, reduced } from '../kit/grid.ts';
import type { Paint } from '../kit/paint.ts';
import { attribution, partsOf } from './attribution.ts';
import { type GalleryData, ROLES, type Sort, everyHead, headFacts, isRole, roleWords } from './gallery.ts';

export interface SheetData {
  picture: Picture;
  reading: Reading;
  silenced: readonly Place[];
  changed: readonly Patch[];
  chosen: Place;
  query: number;
  isPlain: boolean;
}

type Show = 'heads' | 'weighted' | keyof Together | 'parts';
const isLayers = (show: Show): show is keyof Together => show === 'mean' || show === 'rollout';
type Size = 'S' | 'M' | 'L';

/** What the reader chose, of whatever sentence. */
interface View { show: Show; sort: Sort; only: boolean; size: Size; word: number | null }

/** With more heads the reader chooses how large they are. */
const MOST_LARGE = 48;
/** Dots across the smallest pictures, which have no room for more. */
const SMALLEST = 32;
/** In ms, of drawing at once. */
const SLICE = 6;

export class HeadSheet {
  #view: View = { show: 'heads', sort: 'layer', only: false, size: 'S', word: null };
  #measures: AnyMeasures | null = null;
  /** What each canvas shows, so that it is drawn once. */
  #round = 0;
  readonly #drawn = new WeakMap<HTMLCanvasElement, { numbers: Float32Array; from: number; paint: Paint; size: string | null }>();

  /** @param changed is called when the reader chose something else */
  constructor(public answers: Answers, private readonly changed: () => void) {}

  template({ picture, reading, silenced, changed, chosen, query, isPlain }: SheetData, events: { choose(place: Place): void }): TemplateResult {
    const { configuration, evidence } = reading.reader;
    const { sort, only, word } = this.#view;
    const measures = this.#measured(reading);
    const show = this.#shown(reading);
    const data: GalleryData = { configuration, evidence, silenced, changed, chosen, facts: measures.facts, repeated: measures.repeated, sort, only, size: this.#sizeOf(reading), isPlain };
    return html`
      <div class="model-heads" part="model-heads">
        <h3 class="small-heading" id="model-heads-title">${this.#title(show)}</h3>
        ${this.#controls(reading)}
        ${isLayers(show) ? this.answers.part('together', [measures], () => got(measures.together), (together) => everyLayer({ configuration, together, show, chosen, picture, query }, events))
          : show === 'parts' ? this.answers.part('parts', [measures, query, word], () => partsOf(measures, query, word), (found) => attribution({ ...data, found, picture, query }, { ...events, word: (id) => this.#change({ word: id }) }))
          : show === 'weighted' ? this.answers.part('weighted', [measures], () => weightedOf(measures), () => html`${weightedWords()}${everyHead(data, events)}${headFacts(data)}`)
          : html`${everyHead(data, events)}${headFacts(data)}`}
      </div>
    `;
  }

  /** Masked and zero stay paper: these pictures are read as shapes. Those of a model in a worker are drawn a few at a time, after a pause in typing. */
  draw(host: HTMLElement, reading: Reading, paint: Paint): void {
    const strip = new Strip();
    const labels = [...host.querySelectorAll<HTMLElement>('.model-head')];
    const round = (this.#round += 1);
    const next = () => {
      if (round !== this.#round) return;
      const { isAway } = reading.reader.model;
      const until = !isAway ? Infinity : isTyping() ? 0 : performance.now() + SLICE;
      while (labels.length > 0 && performance.now() < until) this.#drawHead(strip, labels.shift() as HTMLElement, reading, paint);
      host.querySelector('.model-heads')?.toggleAttribute('data-drawing', labels.length > 0);
      if (labels.length > 0) inPhase(until === 0 ? 'pause' : 'task', next);
    };
    next();
  }

  /** Heads that are not yet drawn stay as they are until `draw`. */
  stop(): void {
    this.#round += 1;
  }

  #drawHead(strip: Strip, label: HTMLElement, reading: Reading, paint: Paint): void {
    const T = reading.ids.length;
    const size = this.#sizeOf(reading);
    const canvas = label.querySelector('canvas') as HTMLCanvasElement;
    const numbers = this.#numbers(reading, label);
    if (!numbers) return;
    const [before, buffer] = [this.#drawn.get(canvas), numbers.byteOffset];
    if (before?.numbers.buffer === numbers.buffer && before.from === buffer && before.paint === paint && before.size === size) return;
    const whole: Grid = { rows: T, columns: T, rowStride: T, columnStride: 1, numbers, masked: null, kind: 'weights', range: 1, paint };
    const grid = size === 'S' ? reduced(whole, SMALLEST) : whole;
    strip.draw([grid]);
    strip.show(canvas, 0, grid.columns, grid.rows);
    this.#drawn.set(canvas, { numbers, from: buffer, paint, size });
  }

  /** Null until they have come. */
  #numbers(reading: Reading, { dataset: { layer, head } }: HTMLElement): Float32Array | null {
    if (head !== undefined) {
      const show = this.#shown(reading);
      const numbers = show === 'weighted' ? this.#measured(reading).weighted(Number(layer), Number(head)) : reading.run.weights(Number(layer), Number(head));
      return numbers instanceof Promise ? null : numbers;
    }
    const { together } = this.#measured(reading);
    if (together instanceof Promise) return null;
    const found = together[Number(layer)] as Together;
    return this.#view.show === 'rollout' ? found.rollout : found.mean;
  }

  #measured(reading: Reading): AnyMeasures {
    if (this.#measures?.run !== reading.run) this.#measures = reading.reader.model.measure(reading.run);
    return this.#measures;
  }

  #sizeOf({ reader: { configuration: { layers, heads } } }: Reading): Size | null {
    return !isLayers(this.#view.show) && layers * heads > MOST_LARGE ? this.#view.size : null;
  }

  #change(part: Partial<View>): void {
    this.#view = { ...this.#view, ...part };
    this.changed();
  }

  /** A model whose logits are no sums has no parts of them. */
  #shown(reading: Reading): Show {
    const { show } = this.#view;
    return show === 'parts' && !this.#measured(reading).isSum ? 'heads' : show;
  }

  #title(show: Show): TemplateResult {
    const { sort } = this.#view;
    if (show === 'parts') return msg(html`<b>Every head</b>: what it adds to a next word`);
    if (show === 'mean') return msg(html`<b>Every layer</b>: the mean of its heads`);
    if (show === 'rollout') return msg(html`<b>Every layer</b>: attention rollout`);
    return sort === 'layer' ? msg(html`<b>Every head</b>, one line a layer`) : msg(html`<b>Every head</b>, from most to least`);
  }

  #controls(reading: Reading): TemplateResult {
    const { sort, only } = this.#view;
    const size = this.#sizeOf(reading);
    const show = this.#shown(reading);
    const shows: readonly [Show, string][] = [
      ['heads', msg('each head')], ['weighted', msg('value-weighted')], ['mean', msg('mean of a layer')], ['rollout', msg('rollout')],
      ...(this.#measured(reading).isSum ? [['parts', msg('part of the next word')] as [Show, string]] : []),
    ];
    const sorts: readonly (readonly [Sort, string])[] = [['layer', msg('layer')], ...ROLES.map((role) => [role, roleWords(role)] as const), ['entropy', msg('entropy')]];
    return html`
      <div class="sheet-line">
        ${list('show', msg('Show'), shows, show, (value) => this.#change({ show: value }))}
        ${show === 'heads' || show === 'weighted' ? html`
          ${list('sort', msg('Sort by'), sorts, sort, (value) => this.#change({ sort: value }))}
          ${isRole(sort) ? html`<label class="sheet-only"><input type="checkbox" data-only .checked=${live(only)} @change=${() => this.#change({ only: !only })}> ${msg('Only heads of this kind')}</label>` : nothing}
          ${size ? sizes(size, (value) => this.#change({ size: value })) : nothing}` : nothing}
      </div>
    `;
  }
}

/** Of one head: with it come all. */
function* weightedOf(measures: AnyMeasures): Steps<true> {
  yield* got(measures.weighted(0, 0));
  return true;
}

const weightedWords = (): TemplateResult => html`
  <p class="sheet-note" data-definition="weighted">${msg(html`<b>Value-weighted attention</b> (Kobayashi and others 2020): each weight times the length of what it brings, ‖v·W<sub>O</sub>‖, each row over its sum. A word that gets much weight and brings little fades. Names and order are still those of the weights. <a href="docs/models.md">More</a>`)}</p>`;

export function list<Value extends string>(name: string, label: string, choices: readonly (readonly [Value, string])[], chosen: Value, choose: (value: Value) => void): TemplateResult {
  return html`
    <label class="sheet-list"><span>${label}</span>
      <span class="segments"><select data-sheet=${name} @change=${(event: Event) => choose((event.target as HTMLSelectElement).value as Value)}>
        ${choices.map(([value, words]) => html`<option value=${value} .selected=${live(value === chosen)}>${words}</option>`)}
      </select></span>
    </label>
  `;
}

export function sizes(chosen: Size, choose: (size: Size) => void): TemplateResult {
  const all: readonly [Size, string][] = [['S', msg('small pictures')], ['M', msg('pictures of middle size')], ['L', msg('large pictures')]];
  return html`
    <div class="segments" role="radiogroup" aria-label=${msg('Size of the pictures')} data-sheet="size">
      ${all.map(([size, words]) => html`
        <label class="segment" title=${words}><input type="radio" ${radioGroup('model-size')} value=${size} aria-label=${words} .checked=${live(size === chosen)} @change=${() => choose(size)}><span>${size}</span></label>`)}
    </div>
  `;
}

export interface TogetherData {
  configuration: Configuration;
  /** By layer. */
  together: readonly Together[];
  show: keyof Together;
  chosen: Place;
  picture: Picture;
  query: number;
}

export function everyLayer(data: TogetherData, events: { choose(place: Place): void }): TemplateResult {
  const { configuration: { layers, heads }, show, chosen } = data;
  return html`
    <p class="sheet-note" data-definition=${show}>${show === 'mean'
      ? msg(html`Each picture is the average of its layer’s ${count(heads)} heads, cell by cell.`)
      : msg(html`<b>Attention rollout</b> (Abnar and Zuidema 2020): each layer’s mean over its heads counts half, and the word itself the other half, for the residual connection; these tables are multiplied, layer by layer from the first. It says how much of each word may have reached a row by looking alone, not what was made of it. <a href="docs/models.md">More</a>`)}</p>
    <div class="gallery" role="radiogroup" aria-labelledby="model-heads-title" data-columns="many" data-size="L">
      <div class="gallery-line">${Array.from({ length: layers }, (_, layer) => html`
        <label class="model-head model-layer ${layer === chosen.layer ? 'chosen' : ''}" data-layer=${layer}>
          <input class="unseen" type="radio" ${radioGroup('model-layer')} .checked=${live(layer === chosen.layer)} @change=${() => events.choose({ ...chosen, layer })}
            aria-label=${msg(str`Layer ${layer + 1}`)}>
          <canvas width="1" height="1" aria-hidden="true"></canvas>
          <span class="head-words" aria-hidden="true"><b>${layer + 1}</b></span>
        </label>`)}</div>
    </div>
    ${rowTable(data)}
  `;
}

/** What the selected word's row gives to each word. */
function rowTable({ together, chosen: { layer }, picture, query }: TogetherData): TemplateResult {
  const T = picture.tokens.length;
  const { mean, rollout } = together[layer] as Together;
  const at = (numbers: Float32Array, key: number) => numbers[query * T + key] ?? NaN;
  const keys = picture.tokens.flatMap((_, key) => (at(mean, key) > 0 || at(rollout, key) > 0 ? [key] : []));
  return html`
    <div class="table-scroll row-scroll" tabindex="0" role="region" aria-label=${msg(str`One row of layer ${layer + 1}`)}>
      <table class="layer-row">
        <thead><tr><th scope="col">${msg(html`${word(picture, query)} in layer <b>${layer + 1}</b>`)}</th><th scope="col">${msg('mean of heads')}</th><th scope="col">${msg('rollout')}</th></tr></thead>
        <tbody>${keys.map((key) => html`<tr data-key=${key}><th scope="row">${word(picture, key)}</th><td>${percent(at(mean, key))}</td><td>${percent(at(rollout, key))}</td></tr>`)}</tbody>
      </table>
    </div>
  `;
}
