// The walk through a trained model's stages, from the loss back to the embeddings, or forwards to it: one stage is open, as a
// small matrix, and one of its numbers is written out, with each number that it is made of to be gone to in turn.
import { msg, str } from '@lit/localize';
import { type TemplateResult, css, html, nothing } from 'lit';
import type { ModelState } from '../../engine/training/types.ts';
import { comma, gap, plural, significant } from '../../lib/format.ts';
import { inPhase } from '../../lib/schedule.ts';
import { math } from '../../text/mathml.ts';
import { exact } from '../../text/numbers.ts';
import { radioGroup } from '../../ui/kit/controls.ts';
import type { Place } from '../../ui/kit/grid.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import { StageMatrix, stageFrame } from '../../ui/walk/matrix-view.ts';
import { sized } from '../kit/plot.ts';
import { type Axis, type Cell, EPSILON, type Note, type Spot, type StageSymbol, Stages, type Sum, type Term, type Walked, type Written, axesOf, isOfHead, isOfLayer, nameOf } from './stages.ts';

export interface StageWalkData {
  run: Walked;
  state: ModelState;
  /** What is marked on the maps: where the walk begins. */
  layer: number;
  head: number;
  place: Place;
  /** Words of the shown text. */
  tokens: readonly string[];
  paint: Paint;
}

// What stages, and their rows and columns, are called.

const NAMES: Readonly<Record<StageSymbol, () => string>> = {
  E: () => msg('Embeddings'), E_pos: () => msg('Position'), X: () => msg('Residual stream'), g: () => msg('Gain of the norm'), b: () => msg('Bias of the norm'),
  N: () => msg('Residual stream, normed'), 'N′': () => msg('Input of queries and keys'),
  W_Q: () => msg('Matrix of the queries'), W_K: () => msg('Matrix of the keys'), W_V: () => msg('Matrix of the values'),
  Q: () => msg('Query'), K: () => msg('Key'), V: () => msg('Value'), U: () => msg('Scores'), S: () => msg('Scaled scores'), P: () => msg('Weights'), O: () => msg('Context'),
  W_O: () => msg('Output matrix of the heads'), Y: () => msg('Output'),
  'X′': () => msg('Residual stream behind attention'), g_2: () => msg('Gain of the MLP’s norm'), b_2: () => msg('Bias of the MLP’s norm'), N_2: () => msg('Input of the MLP'),
  W_1: () => msg('First matrix of the MLP'), A: () => msg('Hidden numbers before GELU'), G: () => msg('Hidden numbers after GELU'), W_2: () => msg('Second matrix of the MLP'), M: () => msg('Output of the MLP'),
  X_L: () => msg('Residual stream at the end'), g_F: () => msg('Gain of the last norm'), b_F: () => msg('Bias of the last norm'),
  F: () => msg('The end, normed'), W_U: () => msg('Matrix of the answers'), Z: () => msg('Scores of the answers'), p: () => msg('Probabilities of the answers'), L: () => msg('Loss of each answer'),
};

const titleOf = (spot: Spot): string => (spot.isGradient ? msg(str`Gradient of “${NAMES[spot.symbol]()}”`) : NAMES[spot.symbol]());

const AXES: Readonly<Record<Axis, () => string>> = {
  query: () => msg('query'), key: () => msg('key'), place: () => msg('place', { id: 'place-in-text', desc: 'in a formula: P [ place ]' }), word: () => msg('word'), answer: () => msg('answer'), slot: () => msg('answer'), width: () => msg('dimension'), one: () => '',
};

const NOTES: Readonly<Record<Note, () => string>> = {
  hidden: () => msg('This key comes later, so it is hidden: its weight is exactly 0, and so is its gradient.'),
  unasked: () => msg('No answer is asked at this word, so the gradient is 0.'),
  absent: () => msg('It does not occur in this text, so its gradient is 0.'),
};

const back = () => msg('The gradient of what the matrix made, times the transposed matrix.');
const learns = () => msg('Each word’s input times the gradient of its output, summed over all words. A step of training follows these gradients.');
const throughNorm = () => msg('Through the norm: the gradient loses its mean over the row, and its part along the normed row.');

/** What a stage does on the way back, in a sentence or two. */
const WORDS: Readonly<Record<string, (stages: Stages, spot: Spot, place: Place) => string>> = {
  dZ: () => msg('The probability, minus 1 for the right answer, divided by the number of answers asked.'),
  dF: back, dO: back, dN: back, dG: back, dN_2: back,
  dA: () => msg('The gradient, times GELU’s own slope at this number.'), dM: () => msg('The MLP’s output was added to the stream, so the gradient reaches it as it is.'),
  dW_U: learns, dW_1: learns, dW_2: learns, dW_O: learns, dW_Q: learns, dW_K: learns, dW_V: learns,
  dX_L: throughNorm,
  dX: () => `${throughNorm()}${gap()}${msg('The gradient that passes the block by is added.')}`,
  'dX′': () => `${throughNorm()}${gap()}${msg('The gradient that passes the MLP by is added.')}`,
  dY: () => msg('The block’s output was added to the stream, so the gradient reaches it as it is.'),
  dP: () => msg('How fast the loss grows with this weight: the dot product of the context’s gradient and the key’s value.'),
  dV: () => msg('The gradients of all contexts, each times its query’s weight on this key, summed.'),
  dS: (stages, spot, { row }) => msg(str`The weight, times how far its gradient differs from the row’s mean. Softmax’s own slope, 1 − Σ P², is ${significant(stages.slope(spot, row), 3)} in this row and ${significant(stages.meanSlope(spot), 3)} on average: near 0, softmax has decided and passes on almost no gradient.`),
  dU: ({ run }) => (run.rule.scales ? msg('The gradient is divided by √d, too.') : msg('Scores are not divided here: the gradient passes as it is.')),
  dQ: () => msg('The keys, each times the gradient of its score with this query, summed.'),
  dK: () => msg('The queries, each times the gradient of its score with this key, summed.'),
  dE: ({ run }) => (run.shape.tied ? msg('The gradients of all places where the word stands, and of all places where it may be the answer, summed: one matrix serves both.') : msg('The gradients of all places where the word stands, summed.')),
};

const n = (value: number): string => significant(value);
const bracketed = (value: number): string => (value < 0 ? `(${n(value)})` : n(value));
/** Terms on a line: the largest, in their order. */
const SHOWN = 3;
const CELL = { least: 12, most: 26 };
const MOST_DOWN = 336;
/** Layers. */
const MOST_LAID_OUT = 2;

/** They come with it: whoever shows it gives them to the root. */
export const walkStyles = css`
  .model-backwards { border-block-start: 1px solid var(--hairline); margin-block-start: 24px; }
  .model-backwards > summary { min-height: 44px; align-content: center; font-weight: 700; cursor: pointer; }
  .model-backwards .training-note { color: var(--muted); font-size: 14px; line-height: 20px; }
  .model-backwards .training-button { font: inherit; font-weight: 700; color: var(--ink); background: var(--paper); border: 1px solid var(--border); border-radius: 6px; min-height: 44px; padding-inline: 16px; cursor: pointer; }
  .model-backwards .training-button[aria-disabled] { color: var(--muted); cursor: default; }
  .model-backwards .lab-scroll { overflow-x: auto; position: relative; }
  .model-backwards .lab-table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; line-height: 20px; }
  .model-backwards .lab-table :is(td, th) { text-align: end; font-weight: 400; padding: 3px 0 3px 20px; border-top: 1px solid var(--hairline); }
  .training-stages { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; justify-items: start; }
  .training-symbols { display: grid; gap: 8px; }
  .training-symbols > div { display: flex; flex-wrap: wrap; gap: 4px; align-items: center; }
  .training-symbols > div > .muted { flex: 0 0 104px; font-size: 14px; line-height: 20px; }
  .training-symbols button { font: inherit; min-width: 44px; min-height: 44px; padding: 0 6px; color: var(--ink); background: var(--paper); border: 1px solid var(--hairline); border-radius: 6px; cursor: pointer; }
  .training-symbols button:hover { border-color: var(--ink); }
  .training-symbols [aria-current] { border: 2px solid var(--accent); color: var(--accent); }
  .training-stage { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); gap: 8px 32px; width: 100%; align-items: start; font-variant-numeric: tabular-nums; }
  .training-stage > :is(h4, .training-beside) { grid-column: 1 / -1; }
  .training-of { display: grid; gap: 8px; min-width: 0; }
  .training-stages .operand { font: inherit; color: var(--ink); background: none; border: 0; border-block-end: 1.5px solid var(--accent); padding: 0 1px; cursor: pointer; }
  .training-stages .operand:hover { background: var(--surface); color: var(--accent); }
  .training-stage h4 { font-size: 16px; line-height: 24px; margin: 0; }
  .training-stage-room { min-width: 0; }
  .training-number b { font-size: 18px; color: var(--accent); }
  .training-line-of, .training-sums dd { overflow-wrap: anywhere; line-height: 28px; margin: 0; }
  .training-sums { margin: 0; }
  .training-sums > div { display: flex; gap: 8px; align-items: baseline; }
  .training-sums dt { flex: none; }
  .training-terms > summary { min-height: 44px; align-content: center; }
  .training-terms .lab-scroll { max-height: 320px; overflow: auto; }
  .training-beside { display: flex; flex-wrap: wrap; gap: 8px 12px; }
  .training-back { justify-self: start; }
  @container attention (max-width: 720px) {
    .training-symbols > div > .muted { flex-basis: 100%; }
    .training-stage { grid-template-columns: minmax(0, 1fr); }
    .training-stages .operand { min-width: 44px; min-height: 44px; }
  }
`;

interface Step { spot: Spot; place: Place }

/** A stage as it is drawn. */
interface Painted { stages: Stages; key: string; rows: number; columns: number; numbers: Float32Array; masked: Float32Array; range: number }

export class StageWalk {
  #data: StageWalkData | null = null;
  #stages: Stages | null = null;
  #at: Step | null = null;
  readonly #trail: Step[] = [];
  #isForwards = false;
  #areTermsOpen = false;
  #width = 0;
  #matrix: StageMatrix | null = null;
  #painted: Painted | null = null;
  #isFocused = false;
  #isDue = false;

  /** @param changed draws it again */
  constructor(private readonly host: HTMLElement, private readonly changed: () => void) {}

  view(data: StageWalkData): TemplateResult {
    const before = this.#data;
    this.#data = data;
    if (this.#stages?.state !== data.state) this.#stages = new Stages(data.state, data.run);
    const { place, run, layer, head } = data;
    // Another cell was marked, or another map: the walk goes there.
    if (!before || before.run !== run || before.layer !== layer || before.head !== head || before.place.row !== place.row || before.place.column !== place.column || before.tokens !== data.tokens) this.#begin(this.#at?.spot);
    const stages = this.#stages;
    const at = this.#at as Step;
    this.#later();
    return html`
      <div class="training-stages">
        ${this.#way()}
        ${data.state.text.targets.every((target) => target < 0) ? html`<p>${msg('Of this text nothing is asked, so it has no loss, and all its gradients are 0.')}</p>` : nothing}
        ${this.#list(stages, at)}
        ${this.#open(stages, at, data)}
      </div>
    `;
  }

  #way(): TemplateResult {
    const ways = [[false, msg('Backwards')], [true, msg('Forwards')]] as const;
    return html`<div class="segments" role="group" aria-label=${msg('Direction')}>${ways.map(([isForwards, name]) => html`
      <label class="segment"><input type="radio" ${radioGroup('training-way')} .checked=${isForwards === this.#isForwards} @change=${() => this.#turn(isForwards)}><span>${name}</span></label>`)}</div>`;
  }

  /** The same stage, the other way. */
  #turn(isForwards: boolean): void {
    this.#isForwards = isForwards;
    const spot = this.#at?.spot as Spot;
    const all = this.#all(this.#stages as Stages);
    const found = all.find(({ symbol, layer }) => symbol === spot.symbol && layer === spot.layer) ?? all[0] as Spot;
    this.#go(found, spot.symbol === found.symbol ? this.#at?.place : undefined);
  }

  #all(stages: Stages): readonly Spot[] {
    const head = this.#at?.spot && isOfHead(this.#at.spot.symbol) ? this.#at.spot.head : this.#head;
    return this.#isForwards ? stages.forwards(head) : stages.backwards(head);
  }

  /** The head that the walk is in. */
  #head = 0;

  #begin(spot: Spot | undefined): void {
    const { layer, head } = this.#data as StageWalkData;
    this.#trail.length = 0;
    this.#head = head;
    const stages = this.#stages as Stages;
    // A model without places has none of their stages.
    const isThere = [...stages.forwards(0), ...stages.backwards(0)].some(({ symbol }) => symbol === spot?.symbol);
    const first = spot && isThere ? spot : stages.backwards(0)[0] as Spot;
    this.#at = { spot: { ...first, layer: isOfLayer(first.symbol) ? layer : 0, head: isOfHead(first.symbol) ? head : 0 }, place: { row: 0, column: 0 } };
    this.#at.place = this.#start(this.#at.spot);
  }

  /** Where a stage has what is marked. */
  #start(spot: Spot): Place {
    const { place: { row, column }, state: { text: { tokens, targets } }, run: { shape: { slots } } } = this.#data as StageWalkData;
    const at = (axis: Axis): number => ({ query: row, place: row, key: column, word: tokens[row] ?? 0, answer: Math.max(0, targets[row * slots] ?? 0), slot: 0, width: 0, one: 0 })[axis];
    const [down, across] = axesOf(spot);
    return { row: at(down), column: at(across) };
  }

  #go(spot: Spot, place: Place = this.#start(spot)): void {
    if (isOfHead(spot.symbol)) this.#head = spot.head;
    // The loss ends the one way and begins the other.
    if (spot.symbol !== 'L') this.#isForwards = !spot.isGradient;
    this.#at = { spot, place };
    this.changed();
  }

  #follow({ spot, row, column }: Cell): void {
    if (!spot || !this.#at) return;
    this.#trail.push(this.#at);
    this.#isFocused = true;
    this.#go(spot, { row, column });
  }

  /** All stages, by their symbols, in the order of the walk. */
  #list(stages: Stages, { spot: open }: Step): TemplateResult {
    const all = this.#all(stages);
    const groupOf = ({ symbol, layer }: Spot) => (isOfLayer(symbol) ? msg(str`Layer ${layer + 1}`) : symbol === 'E' || symbol === 'E_pos' ? msg('Embeddings') : msg('Answers'));
    const groups = [...new Set(all.map(groupOf))];
    // Of many layers one is laid out; each of the others has its first stage alone.
    const layer = isOfLayer(open.symbol) ? open.layer : this.#data?.layer;
    const isLaidOut = (spot: Spot) => stages.state.layers.length <= MOST_LAID_OUT || !isOfLayer(spot.symbol) || spot.layer === layer || spot === all.find((first) => groupOf(first) === groupOf(spot));
    return html`<div class="training-symbols" role="group" aria-label=${msg('Stages')}>${groups.map((group) => html`
      <div role="group" aria-label=${group}><span class="muted" aria-hidden="true">${group}</span>${all.filter((spot) => groupOf(spot) === group && isLaidOut(spot)).map((spot) => {
        const isOpen = nameOf(spot) === nameOf(open) && spot.layer === open.layer;
        return html`<button type="button" data-stage=${nameOf(spot)} data-layer=${spot.layer + 1} title=${titleOf(spot)} aria-current=${isOpen ? 'step' : nothing}
          @click=${() => { this.#trail.length = 0; this.#go(spot); }}>${math(nameOf(spot))}<span class="unseen">${titleOf(spot)}</span></button>`;
      })}</div>`)}</div>`;
  }

  #open(stages: Stages, { spot, place }: Step, { run }: StageWalkData): TemplateResult {
    const matrix = stages.matrix(spot);
    const written = stages.write(spot, place);
    const value = matrix.at(place.row, place.column);
    const own = [isOfLayer(spot.symbol) && run.shape.layers > 1 && msg(str`layer ${spot.layer + 1}`), isOfHead(spot.symbol) && run.shape.heads > 1 && msg(str`head ${spot.head + 1}`)].filter(Boolean).join(', ');
    const [down, across] = axesOf(spot).map((axis) => AXES[axis]());
    const words = spot.isGradient ? WORDS[nameOf(spot)] : undefined;
    const all = this.#all(stages);
    const i = all.findIndex((each) => nameOf(each) === nameOf(spot) && each.layer === spot.layer);
    const beside = (by: number, name: string) => {
      const to = all[i + by];
      return html`<button type="button" class="training-button" data-go=${by} aria-disabled=${to ? nothing : 'true'} @click=${() => { if (to) { this.#trail.length = 0; this.#go(to); } }}>${name}</button>`;
    };
    return html`
      <section class="training-stage" aria-label=${titleOf(spot)} data-open=${nameOf(spot)} data-layer=${spot.layer + 1} data-head=${spot.head + 1}>
        <h4>${math(nameOf(spot))} ${titleOf(spot)}${own ? html`<span class="muted">${comma()}${own}</span>` : nothing}</h4>
        <div>
          <div class="training-stage-room">${sized((width) => {
            this.#width = width;
            this.#later();
            return stageFrame('trained');
          })}</div>
          <p class="training-note">${down ? `${down} ↓ ` : ''}${across} →, ${matrix.rows} × ${matrix.columns}</p>
        </div>
        <div class="training-of">
          <p class="training-number" role="status"><span>${this.#words(spot, place)}</span> <b data-value title=${exact(value)}>${n(value)}</b></p>
          ${written.formula ? html`<p>${math(written.formula)}</p>` : html`<p>${msg('A parameter: training has set it, step by step; it has no formula.')}</p>`}
          ${written.note ? html`<p>${NOTES[written.note]()}</p>` : written.line.length > 0 ? this.#line(written, value) : nothing}
          ${words ? html`<p>${words(stages, spot, place)}</p>` : nothing}
          ${this.#trail.length > 0 ? this.#back() : nothing}
        </div>
        <div class="training-beside">${beside(-1, msg('Previous stage'))} ${beside(1, msg('Next stage'))}</div>
      </section>
    `;
  }

  /** To where this number was met. */
  #back(): TemplateResult {
    const to = this.#trail.at(-1) as Step;
    return html`<button type="button" class="plain training-back" @click=${() => {
      this.#trail.pop();
      this.#isFocused = true;
      this.#go(to.spot, to.place);
    }}>← ${math(nameOf(to.spot))} <span class="unseen">${titleOf(to.spot)}</span></button>`;
  }

  #line({ line, within = [] }: Written, value: number): TemplateResult {
    const isOne = line.length === 1 ? line[0] : null;
    const only = isOne && typeof isOne !== 'string' && 'terms' in isOne ? isOne : null;
    const sums = [...line.filter((part): part is Sum => typeof part !== 'string' && 'terms' in part), ...within];
    return html`
      <p class="training-line-of" data-line>= ${only ? this.#terms(only) : line.map((part) => (typeof part === 'string' ? plain(part) : 'terms' in part ? html`<span title=${exact(part.value)}>${bracketed(part.value)}</span>` : this.#number(part)))} = <b>${n(value)}</b></p>
      ${only ? nothing : html`<dl class="training-sums">${sums.map((sum) => html`<div><dt>${math(sum.name)}</dt><dd>= ${around(sum, this.#terms(sum))} = <b title=${exact(sum.value)}>${n(sum.value)}</b></dd></div>`)}</dl>`}
      ${sums.some(({ terms }) => terms.length > SHOWN) ? this.#every(sums) : nothing}
    `;
  }

  #number(cell: Cell): TemplateResult {
    const { spot, value } = cell;
    if (!spot) return html`<span title=${exact(value)}>${bracketed(value)}</span>`;
    return html`<button type="button" class="operand" data-operand=${nameOf(spot)} title=${`${titleOf(spot)}, ${this.#words(spot, cell)} ${exact(value)}`} @click=${() => this.#follow(cell)}>${bracketed(value)}</button>`;
  }

  #term({ cells, value }: Term): unknown {
    const product = cells.reduce((all, cell) => all * cell.value, 1);
    return Math.abs(product - value) <= Math.abs(value) * 1e-12 ? cells.map((cell, i) => [i > 0 ? ' × ' : '', this.#number(cell)]) : html`<span title=${exact(value)}>${bracketed(value)}</span>`;
  }

  #terms({ terms }: Sum): unknown {
    const largest = terms.map((term, i) => ({ term, i })).sort((a, b) => Math.abs(b.term.value) - Math.abs(a.term.value)).slice(0, SHOWN).sort((a, b) => a.i - b.i);
    const shown = largest.map(({ term }, i) => [i > 0 ? ' + ' : '', this.#term(term)]);
    const left = terms.length - largest.length;
    return left > 0 ? html`${shown} + … <span class="muted">(${plural(left, msg('1 smaller term'), msg(str`${left} smaller terms`))})</span>` : shown;
  }

  /** Only while it is open. */
  #every(sums: readonly Sum[]): TemplateResult {
    return html`
      <details class="training-terms" ?open=${this.#areTermsOpen} @toggle=${(event: Event) => {
        const { open } = event.target as HTMLDetailsElement;
        if (open === this.#areTermsOpen) return;
        this.#areTermsOpen = open;
        this.changed();
      }}>
        <summary>${msg('All its terms, one by one')}</summary>
        ${this.#areTermsOpen ? html`
          <div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('Every term')}>
            <table class="lab-table">${sums.map(({ name, terms }) => html`
              <tbody>${terms.map(({ cells, value }, i) => html`<tr><th scope="row">${i === 0 ? math(name) : ''} ${i + 1}</th><td>${cells.map((cell, at) => [at > 0 ? ' × ' : '', this.#number(cell)])}</td><td title=${exact(value)}>${n(value)}</td></tr>`)}</tbody>`)}
            </table>
          </div>` : nothing}
      </details>
    `;
  }

  /** “query 21 N, key 19 C:” */
  #words(spot: Spot, { row, column }: Place): string {
    const { tokens, run: { words } } = this.#data as StageWalkData;
    const name = (axis: Axis, at: number): string => ({
      query: `${at + 1} ${tokens[at] ?? ''}`, key: `${at + 1} ${tokens[at] ?? ''}`, word: words[at] ?? '', answer: `${words[at % words.length] ?? ''}${run2(at, words.length)}`,
      place: String(at + 1), slot: String(at + 1), width: String(at + 1), one: '',
    })[axis];
    const [down, across] = axesOf(spot);
    return `${[[down, row] as const, [across, column] as const].filter(([axis]) => axis !== 'one').map(([axis, at]) => `${AXES[axis]()} ${name(axis, at)}`).join(comma())}:`;
  }

  // The canvas is painted once it is on the page.

  #later(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    inPhase('first', () => {
      this.#isDue = false;
      this.#paint();
    });
  }

  /** Of the open stage, kept while places in it are gone to. */
  #numbers(stages: Stages, spot: Spot): Painted {
    const key = JSON.stringify(spot);
    if (this.#painted?.stages === stages && this.#painted.key === key) return this.#painted;
    const { rows, columns, at } = stages.matrix(spot);
    const of = (value: (row: number, column: number) => number) => Float32Array.from({ length: rows * columns }, (_, i) => value(Math.floor(i / columns), i % columns));
    const [numbers, masked] = [of(at), of((row, column) => (stages.isHidden(spot, { row, column }) ? -Infinity : 0))];
    const range = numbers.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
    return (this.#painted = { stages, key, rows, columns, numbers, masked, range });
  }

  #paint(): void {
    const host = this.host.querySelector<HTMLElement>('.stage-matrix');
    if (!host || !this.#at || !this.#stages || !this.#data || this.#width === 0) return;
    if (this.#matrix?.host !== host) {
      this.#matrix = new StageMatrix(host, { choose: (place) => this.#go((this.#at as Step).spot, place), hover: () => {}, scrolled: () => {} });
    }
    const { spot, place: { row, column } } = this.#at;
    const { rows, columns, numbers, masked, range } = this.#numbers(this.#stages, spot);
    const side = Math.max(CELL.least, Math.min(CELL.most, Math.floor(this.#width / columns), Math.floor(MOST_DOWN / rows)));
    const words = this.#words(spot, { row, column });
    this.#matrix.update({
      rows, columns, rowStride: columns, columnStride: 1, numbers, masked, kind: !spot.isGradient && 'Pp'.includes(spot.symbol) ? 'weights' : 'signed', range, paint: this.#data.paint,
      row, column, label: `${words} ${n(numbers[row * columns + column] ?? NaN)}`, gridLabel: titleOf(spot), summary: `${rows} × ${columns}`,
      frames: [{ top: row, bottom: row, left: column, right: column, look: 'focus' }], hues: null, cell: { width: side, height: side }, view: { width: this.#width, height: MOST_DOWN },
    });
    if (this.#isFocused) this.#matrix.focus();
    this.#isFocused = false;
  }
}

/** Of two answers to a word, which. */
const run2 = (at: number, words: number): string => (at >= words ? ` (${Math.floor(at / words) + 1})` : '');

const plain = (notation: string): string => notation.replace(/[“”]/g, '');

/** A mean, and the root of one, as they are computed. */
function around({ of, terms }: Sum, inner: unknown): unknown {
  return { sum: inner, mean: html`( ${inner} ) ÷ ${terms.length}`, root: html`√( ( ${inner} ) ÷ ${terms.length} + ${n(EPSILON)} )` }[of];
}
