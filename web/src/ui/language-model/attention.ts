// What is read under the figure, of a model or of ready weights; it comes when the first of them has. Of ready weights: all
// heads of all layers as one sheet, what is wrong with their rows, and what is not known of them.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing, render } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Selection } from '../../engine/types.ts';
import { count, plural } from '../../lib/format.ts';
import { type AttentionReading, type Fault, faultWords } from '../../parameters/attention/reader.ts';
import type { Configuration, HeadFacts } from '../../parameters/language-model/language-model.ts';
import type { Picture } from '../../state/result.ts';
import type { Store } from '../../state/store.ts';
import { type Grid, Strip, reduced } from '../kit/grid.ts';
import type { Paint } from '../kit/paint.ts';
import { type GalleryData, ROLES, type Sort, everyHead, headFacts, isRole, roleWords } from './gallery.ts';
import { type ModelEvents, ModelPanel } from './panel.ts';
import { everyLayer, list, sizes } from './sheet.ts';

export { modelStyles } from '../styles/language-model.ts';

type Show = 'heads' | 'mean' | 'rollout';
type Size = 'S' | 'M' | 'L';
type Place = GalleryData['chosen'];

/** With more heads the reader chooses how large they are. */
const MOST_LARGE = 48;
/** Dots across the smallest pictures, and across the others. */
const [SMALLEST, MOST_DOTS] = [32, 256];
/** Weights of all heads of which what they do is found at once. */
const MOST_MEASURED = 2 ** 24;

class AttentionPanel {
  #view: { show: Show; sort: Sort; only: boolean; size: Size } = { show: 'heads', sort: 'layer', only: false, size: 'S' };
  #input: { picture: Picture; selection: Selection; paint: Paint } | null = null;
  readonly #strip = new Strip();
  readonly #drawn = new WeakMap<HTMLCanvasElement, { from: number; of: unknown; paint: Paint; size: string | null }>();

  constructor(private readonly host: HTMLElement, private readonly store: Store, private readonly events: { select(part: Partial<Selection>): void }) {}

  update(input: { picture: Picture; selection: Selection; paint: Paint }): void {
    this.#input = input;
    const { picture, selection, paint } = input;
    const ready = picture.ready as AttentionReading;
    const { reader, reader: { attention: { layers, heads, T, S }, faults } } = ready;
    const data = this.#gallery(picture, ready, selection);
    const events = { choose: (place: Place) => this.#choose(place) };
    const show = this.#shown(ready);
    this.host.hidden = false;
    render(html`
      <h2>${msg('What the file holds')}</h2>
      <p class="model-about">${msg(str`${plural(layers, msg('1 layer'), msg(str`${layers} layers`))} of ${plural(heads, msg('1 head'), msg(str`${heads} heads`))}`, { id: 'layers-of-heads' })}, ${msg(str`${count(T)} rows and ${count(S)} columns each. Choose a head; the figure above shows it.`)}
        ${msg('The weights are all that is in the file: scores, values, embeddings and next words are not known, so there is no walk, and switches that act on them do nothing.')}</p>
      ${faultsOf(faults, (fault) => this.#choose(fault, fault.query))}
      <div class="model-heads" part="model-heads">
        <h3 class="small-heading" id="model-heads-title">${this.#title(show)}</h3>
        ${this.#controls(ready, data.size)}
        ${show === 'heads' ? html`${everyHead(data, events)}${data.facts.length > 0 ? headFacts(data) : html`<p class="sheet-note">${picture.keyTokens === picture.tokens ? msg('These are too many weights to say what each head does.') : msg('Rows and columns are of different words, so roles, mean and rollout are not said.')}</p>`}`
          : everyLayer({ configuration: data.configuration, together: reader.together, show, chosen: data.chosen, picture, query: selection.query }, events)}
      </div>
    `, this.host);
    this.#draw(ready, paint, data.size);
  }

  /** Whether weights are of one text with itself, and few enough for what heads do in it. */
  #isMeasured({ reader: { attention: { weights }, isSquare } }: AttentionReading, picture: Picture | null = this.#input?.picture ?? null): boolean {
    return isSquare && picture?.keyTokens === picture?.tokens && weights.length <= MOST_MEASURED;
  }

  #shown(ready: AttentionReading): Show {
    return this.#isMeasured(ready) ? this.#view.show : 'heads';
  }

  #gallery(picture: Picture, ready: AttentionReading, { head }: Selection): GalleryData {
    const { reader } = ready;
    const { layers, heads } = reader.configuration;
    const isMeasured = this.#isMeasured(ready, picture);
    const words = picture.tokens.map(({ text }) => text);
    const facts: readonly (readonly HeadFacts[])[] = isMeasured ? reader.facts(words) : [];
    const { sort, only, size } = this.#view;
    return {
      configuration: { layers, heads } as Configuration, evidence: [], silenced: [], changed: [], chosen: { layer: ready.layer, head },
      facts, repeated: isMeasured ? reader.repeated(words) : 0, sort: isMeasured ? sort : 'layer', only, size: layers * heads > MOST_LARGE && this.#shown(ready) === 'heads' ? size : null, isPlain: false,
    };
  }

  #title(show: Show): TemplateResult {
    if (show === 'mean') return msg(html`<b>Every layer</b>: the mean of its heads`);
    if (show === 'rollout') return msg(html`<b>Every layer</b>: attention rollout`);
    return this.#view.sort === 'layer' ? msg(html`<b>Every head</b>, one line a layer`) : msg(html`<b>Every head</b>, from most to least`);
  }

  #controls(ready: AttentionReading, size: string | null): TemplateResult {
    const { sort, only } = this.#view;
    const show = this.#shown(ready);
    const shows: readonly [Show, string][] = [['heads', msg('each head')], ['mean', msg('mean of a layer')], ['rollout', msg('rollout')]];
    const sorts: readonly (readonly [Sort, string])[] = [['layer', msg('layer')], ...ROLES.map((role) => [role, roleWords(role)] as const), ['entropy', msg('entropy')]];
    return html`
      <div class="sheet-line">
        ${this.#isMeasured(ready) ? html`
          ${list('show', msg('Show'), shows, show, (value) => this.#change({ show: value }))}
          ${show === 'heads' ? list('sort', msg('Sort by'), sorts, sort, (value) => this.#change({ sort: value })) : nothing}
          ${show === 'heads' && isRole(sort) ? html`<label class="sheet-only"><input type="checkbox" data-only .checked=${live(only)} @change=${() => this.#change({ only: !only })}> ${msg('Only heads of this kind')}</label>` : nothing}` : nothing}
        ${size ? sizes(size as Size, (value) => this.#change({ size: value })) : nothing}
      </div>
    `;
  }

  #change(part: Partial<AttentionPanel['view']>): void {
    this.#view = { ...this.#view, ...part };
    if (this.#input) this.update(this.#input);
  }

  get view() {
    return this.#view;
  }

  #choose({ layer, head }: Place, query?: number): void {
    if (layer + 1 !== this.store.state.layer) this.store.change({ layer: layer + 1 });
    this.events.select({ head, ...(query !== undefined && { query }) });
  }

  #draw({ reader, reader: { attention: { T, S } } }: AttentionReading, paint: Paint, size: string | null): void {
    for (const label of this.host.querySelectorAll<HTMLElement>('.model-head')) {
      const canvas = label.querySelector('canvas') as HTMLCanvasElement;
      const { layer, head } = label.dataset;
      const together = head === undefined ? reader.together[Number(layer)] : null;
      const numbers = together ? together[this.#view.show === 'rollout' ? 'rollout' : 'mean'] : reader.weights(Number(layer), Number(head));
      const before = this.#drawn.get(canvas);
      if (before?.of === numbers.buffer && before.from === numbers.byteOffset && before.paint === paint && before.size === size) continue;
      const grid = reduced({ rows: T, columns: S, rowStride: S, columnStride: 1, numbers, masked: null, kind: 'weights', range: 1, paint } satisfies Grid, size === 'S' ? SMALLEST : MOST_DOTS);
      this.#strip.draw([grid]);
      this.#strip.show(canvas, 0, grid.columns, grid.rows);
      this.#drawn.set(canvas, { of: numbers.buffer, from: numbers.byteOffset, paint, size });
    }
  }
}

/** Rows that are no shares of 1 are shown as they are, and said. */
function faultsOf(faults: readonly Fault[], show: (fault: Fault) => void): TemplateResult | typeof nothing {
  if (faults.length === 0) return nothing;
  return html`
    <div class="model-notes" data-faults>
      ${faults.map((fault) => html`<p class="warning" data-fault=${fault.kind}>${faultWords(fault)} <button type="button" class="plain" @click=${() => show(fault)}>${msg('Show it')}</button></p>`)}
      <p>${msg('Such rows are shown as they are in the file. Cells without a finite number are hatched.')}</p>
    </div>
  `;
}

/** In one place: what a model makes of the sentence, or what a file of ready weights holds. */
export class ReadPanel {
  readonly #model: ModelPanel;
  readonly #ready: AttentionPanel;
  #isReady = false;

  constructor(host: HTMLElement, store: Store, events: ModelEvents) {
    this.#model = new ModelPanel(host, store, events);
    this.#ready = new AttentionPanel(host, store, events);
  }

  hold(): void {
    this.#model.hold();
  }

  update(input: { picture: Picture; selection: Selection; paint: Paint } | null): void {
    const wasReady = this.#isReady;
    this.#isReady = Boolean(input?.picture.ready);
    // What the model's panel showed is taken away once.
    if (!this.#isReady || !wasReady) this.#model.update(this.#isReady ? null : input);
    if (input?.picture.ready) this.#ready.update(input);
  }
}
