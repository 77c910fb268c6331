// One row of one head, moving through the stages: drawn, played, and compared with what it was before the last change.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing, render, svg } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { Selection } from '../../engine/types.ts';
import { isStill, setMeasure } from '../../lib/dom.ts';
import { Work } from '../../lib/schedule.ts';
import { language } from '../../lib/language.ts';
import { Space } from '../../lib/space.ts';
import type { Picture } from '../../state/result.ts';
import type { Paint } from '../kit/paint.ts';
import { ONE_COLUMN, WIDE } from '../styles/measures.ts';
import { wordText } from '../../text/word.ts';
import { RowsCanvas } from './canvas.ts';
import { type Drawn, drawing } from './drawing.ts';
import { LABELS, type Layout, MANY, MOST_PACKED, type Span, layout, roomOf } from './layout.ts';
import { EVERY_MS, type Motion, move, standing } from './motion.ts';
import { NAMES, type Row, type Step, type StripId, indexOf, laidOver, numbersOf, rowAt, sentence } from './row.ts';

export { stageStyles } from '../styles/stage.ts';

export interface StageEvents {
  select(part: Partial<Selection>): void;
  update(): void;
}

export interface StageInput {
  picture: Picture;
  selection: Selection;
  /** Where the words stand in the sentence over the stage; null where they take more than a line. */
  over: readonly Span[] | null;
  paint: Paint;
}

/** Whether the same words stand at the same places, in the same colours. */
function isSame(a: StageInput, b: StageInput): boolean {
  const isOver = a.over?.length === b.over?.length && (a.over ?? []).every(({ from, to }, i) => from === b.over?.[i]?.from && to === b.over[i]?.to);
  return isOver && a.paint === b.paint && a.picture === b.picture && a.selection.head === b.selection.head && a.selection.query === b.selection.query && a.selection.key === b.selection.key;
}

/** On a phone, so many words are rows under a sentence of full size. */
const FEW = 12;
/** The smallest type of a sentence on one line over its row: what the playground asks of it. */
const SMALLEST_LINE = 16;
/** A sentence over rows that share the screen: its type, and how many lines of it there are. */
const LINES = [[24, 2], [18, 3], [14, 4]] as const;

const STEPS: readonly Step[] = ['scores', 'scaled_scores', 'capped_scores', 'masked_scores', 'weights', 'dropped_weights', 'context'];

export class StageView {
  #step: Step = 'weights';
  #timer = 0;
  #row: Row | null = null;
  #of: { picture: Picture; head: number; query: number } | null = null;
  /** The language of its words. */
  #said = '';
  /** As it was before the last change. */
  #before: Row | null = null;
  #input: StageInput | null = null;
  #isSwapped = false;
  /** A lesson asks first: what comes after its stage is drawn once the reader plays on or has guessed. */
  #isHeld = false;
  /** Whether the reader has chosen a word or a cell, and not closed what is said of it. */
  #isChosen = false;
  readonly #size = { width: 0, height: 0 };
  /** Of all of the element. */
  #whole = 0;
  /** What of the figure is on the screen. */
  #seen: Span = { from: 0, to: innerHeight };
  /** The row that the table has; it gets another when nothing has changed for a while. */
  #tabled: Row | null = null;
  readonly #tabling = new Work(() => {
    this.#tabled = this.#row;
    this.#draw();
  });
  readonly #resizes = new ResizeObserver(([entry]) => {
    if (!entry) return;
    const { width, height } = entry.contentRect;
    if (width === this.#size.width && height === this.#size.height) return;
    Object.assign(this.#size, { width, height });
    this.#whole = this.#root?.clientWidth ?? 0;
    // A drawing sets its own height, which must not be within the same round of sizes.
    this.#resized.at('frame');
  });
  readonly #resized = new Work(() => this.#draw());
  readonly #lies = new Work(() => this.#scrolled());
  readonly #ruler = document.createElement('canvas').getContext('2d');

  constructor(private readonly host: HTMLElement, private readonly events: StageEvents) {
    host.addEventListener('keydown', this.#keyed);
  }

  connect(): void {
    const figure = this.#figure;
    if (figure) this.#resizes.observe(figure);
    // Scrolling within a shadow tree is not heard outside of it.
    for (const root of [document, this.host.getRootNode()]) root.addEventListener('scroll', this.#scrolled, { capture: true, passive: true });
    addEventListener('resize', this.#scrolled);
    this.#settle();
  }

  disconnect(): void {
    this.#resizes.disconnect();
    for (const root of [document, this.host.getRootNode()]) root.removeEventListener('scroll', this.#scrolled, { capture: true });
    removeEventListener('resize', this.#scrolled);
    for (const work of [this.#tabling, this.#resized, this.#lies]) work.stop();
    this.#stop();
  }

  get #figure(): HTMLElement | null {
    return this.host.querySelector('.row-figure');
  }

  get #element(): Element {
    return (this.host.getRootNode() as ShadowRoot).host;
  }

  #release(): void {
    this.#isHeld = false;
    this.#element.removeAttribute('data-held');
  }

  get #root(): HTMLElement | null {
    return this.host.closest<HTMLElement>('.root');
  }

  /** Draws the rows that have come into view. */
  readonly #scrolled = (): void => {
    const figure = this.#figure;
    if (!figure?.isConnected || !this.#layout?.turned || this.#isPrinting) return;
    const { top, bottom } = new Space(figure).screen;
    this.#seen = { from: top, to: bottom };
    const [is, wanted] = [this.#layout.drawn, this.#layoutOf(this.#row)?.drawn];
    if (wanted && (wanted.from !== is.from || wanted.to !== is.to)) this.#draw();
  };

  #isPrinting = false;

  /** All of it at once, at the paper's width. */
  print(on: boolean): void {
    const figure = this.#figure;
    if (!figure) return;
    this.#isPrinting = on;
    this.#size.width = figure.clientWidth;
    this.#seen = { from: 0, to: on ? Infinity : innerHeight };
    this.#draw();
    if (!on) this.#scrolled();
  }

  /** Opens at a stage that the page asks for. */
  open(step: string): void {
    const found = STEPS.find((each) => each === step);
    if (found) this.#step = found;
  }

  update(input: StageInput | null): void {
    const [before, said] = [this.#input, this.#said];
    [this.#input, this.#said] = [input, language()];
    const held = this.#isHeld;
    this.#isHeld = this.#element.hasAttribute('data-held');
    // The answer shows all of it, up to the shares.
    if (held && !this.#isHeld) this.#step = 'weights';
    if (!input || (before && said === this.#said && held === this.#isHeld && isSame(before, input))) return;
    const { picture, selection } = input;
    const { head, query } = selection;
    const row = rowAt(picture, selection);
    const last = this.#of;
    const isOpening = last?.picture === picture && (last.query !== query || this.#row?.key !== row.key);
    // Nothing opens under the hands of whoever types.
    if ((this.host.getRootNode() as ShadowRoot).activeElement instanceof HTMLTextAreaElement) this.#isChosen = false;
    else if (isOpening) this.#isChosen = true;
    const isOther = last !== null && (last.picture !== picture || last.head !== head);
    const shown = this.#row;
    const laid = isOther && shown !== null ? laidOver(row, shown) : null;
    if (isOther || last?.query !== query) {
      this.#stop();
      this.#before = laid;
    }
    this.#of = { picture, head, query };
    this.#row = row;
    if (indexOf(row, this.#step) < 0) this.#step = 'weights';
    // Bars move from where the same key's bar stood: with or without a start token, that is another word's.
    this.#draw(laid && laid === shown ? { kind: 'flip' } : null);
    if (isOpening) this.#uncover();
    this.#settle();
  }

  /** What may wait: the table, and where the figure lies, which the words over it may have moved. */
  #settle(): void {
    if (this.#tabled !== this.#row) this.#tabling.at('pause');
    this.#lies.at('full');
  }

  get #isPlaying(): boolean {
    return this.#timer !== 0;
  }

  get #steps(): Step[] {
    return [...(this.#row?.strips ?? []).map(({ id }) => id), 'context'];
  }

  #toggle(): void {
    this.#release();
    if (this.#isPlaying) {
      this.#stop();
      this.#draw();
      return;
    }
    this.#before = null;
    this.#step = 'scores';
    this.#timer = window.setInterval(() => this.#advance(), EVERY_MS);
    this.#draw();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = 0;
  }

  /** The next stage, out of the one before it. */
  #advance(): void {
    const next = this.#steps[this.#steps.indexOf(this.#step) + 1];
    if (!next) {
      this.#stop();
      this.#draw();
      return;
    }
    const last = this.#step as StripId;
    this.#step = next;
    this.#draw(next === 'context' ? { kind: 'pour' } : { kind: 'drop', id: next, before: last });
  }

  #go(step: Step | undefined): void {
    if (!step) return;
    this.#release();
    this.#stop();
    this.#step = step;
    this.#draw();
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    const act = this.#keys(event);
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };

  #keys(event: KeyboardEvent): (() => void) | null {
    const row = this.#row;
    const isButton = event.composedPath()[0] instanceof HTMLButtonElement;
    const by = (way: number) => () => this.#turn(way);
    const word = (way: number) => () => row && this.#look(row.query + way);
    switch (event.key) {
      case ' ': return isButton ? null : () => this.#toggle();
      case 'ArrowLeft': return by(-1);
      case 'ArrowRight': return by(1);
      case 'ArrowUp': return word(-1);
      case 'ArrowDown': return word(1);
      case 'Escape': return this.#before || this.#isPlaying ? () => this.#forget() : null;
      default: return null;
    }
  }

  #forget(): void {
    this.#stop();
    this.#before = null;
    this.#draw();
  }

  #look(query: number): void {
    const { picture, selection } = this.#input ?? {};
    if (!picture || !selection || query < 0 || query >= picture.tokens.length) return;
    const { weights, masked } = { weights: picture.trace.head('weights', selection.head), masked: picture.trace.head('masked_scores', selection.head) };
    const { S } = picture.trace.shape;
    const own = picture.keyTokens === picture.tokens ? query : -1;
    let key = -1;
    for (let at = 0; at < S; at += 1) {
      if (at === own || masked[query * S + at] === -Infinity) continue;
      if (key < 0 || (weights[query * S + at] ?? 0) > (weights[query * S + key] ?? 0)) key = at;
    }
    this.events.select({ query, key: key < 0 ? Math.min(query, S - 1) : key });
  }

  #measured: { font: string; words: readonly string[]; widths: readonly number[] } = { font: '', words: [], widths: [] };

  /** Of a text at 1 px. */
  #widthIn(font: string): (text: string) => number {
    const ruler = this.#ruler;
    if (ruler) ruler.font = `100px ${font}`;
    return (text) => (ruler ? ruler.measureText(text).width / 100 : text.length * 0.5);
  }

  /** Of the words at 1 px; a key changes one of them. */
  #widths(words: readonly string[]): readonly number[] {
    const [font, last] = [this.#input?.paint.wordFont ?? '', this.#measured];
    const width = this.#widthIn(font);
    const widths = words.map((word, i) => (font === last.font && word === last.words[i] && last.widths[i]) || width(word));
    this.#measured = { font, words, widths };
    return widths;
  }

  #layout: Layout | null = null;

  /** Its type where all rows share the playground's screen; null where they do not. */
  #packed(row: Row): number | null {
    const { length } = row.words;
    const isNarrow = this.#whole <= ONE_COLUMN;
    if (!this.#input || !row.isOwn || this.#isPrinting || length > MOST_PACKED || !this.#root?.hasAttribute('data-screen')) return null;
    const { width } = this.#size;
    const { picture: { text }, paint: { wordFont } } = this.#input;
    const long = this.#widthIn(wordFont)(text);
    // Few words have the room that is kept before this script has come.
    if (this.#whole < WIDE && length <= FEW) return null;
    if (!isNarrow && Math.floor((width - LABELS - 4) / long) >= SMALLEST_LINE) return null;
    const [size] = LINES.find(([type, lines]) => (long * type * 1.06) / width <= lines) ?? LINES[2];
    return size;
  }

  /** Of a phone’s playground, where few words have their arcs in the sentence; the rows' height does not follow the screen's. */
  #isFew({ isOwn, words: { length } }: Row): boolean {
    return isOwn && length <= FEW && this.#whole <= ONE_COLUMN && !this.#isPrinting && (this.#root?.hasAttribute('data-screen') ?? false);
  }

  /** Not those of another text. */
  #over(row: Row): readonly Span[] | null {
    const over = this.#input?.over ?? null;
    return row.isOwn && over?.length === row.words.length ? over : null;
  }

  #layoutOf(row: Row | null): Layout | null {
    const { width, height } = this.#size;
    if (!row || width === 0) return null;
    const isFew = this.#isFew(row);
    const isPacked = isFew || this.#packed(row) !== null;
    return layout({ row, before: this.#before, step: this.#step, width, height: isFew ? roomOf(row.words.length) : height, letters: this.#widths(row.words), over: isPacked ? null : this.#over(row), seen: this.#seen, isPacked, isFew, isPresented: this.#element.hasAttribute('data-presented') });
  }

  #draw(wanted: Motion | null = null): void {
    const row = this.#row;
    if (!row) return;
    const motion = isStill() ? null : wanted;
    const before = motion && standing(this.host, motion);
    const made = this.#layoutOf(row);
    this.#layout = made;
    const isCanvas = made !== null && made.turned && row.words.length >= MANY && !this.#isPrinting;
    const drawn = made && { row, before: this.#before, step: this.#step, layout: made, reached: this.#isPlaying || this.#isHeld ? indexOf(row, this.#step) : null, isCanvas };
    render(this.#template(row, drawn), this.host);
    if (isCanvas && drawn) this.#drawRows(drawn, motion);
    if (motion && before) move(this.host, motion, before, made?.turned ?? false);
    const figure = this.#figure;
    if (figure && made) setMeasure(figure, '--row-height', `${this.#isFew(row) ? made.height : made.least}px`);
    const packed = String(this.#packed(row) ?? '');
    if (made && this.#root && packed !== (this.#root.dataset['packed'] ?? '')) {
      if (packed) this.#root.dataset['packed'] = packed;
      else delete this.#root.dataset['packed'];
    }
    if (!made && figure) {
      this.#resizes.observe(figure);
      const size = { width: figure.clientWidth, height: figure.clientHeight };
      if (size.width > 0) {
        Object.assign(this.#size, size);
        this.#whole = this.#root?.clientWidth ?? 0;
        this.#draw();
      }
    }
  }

  #rows: { canvas: HTMLCanvasElement; view: RowsCanvas } | null = null;

  #drawRows(drawn: Drawn, motion: Motion | null): void {
    const canvas = this.host.querySelector<HTMLCanvasElement>('.row-canvas');
    if (!canvas || !this.#input) return;
    if (this.#rows?.canvas !== canvas) this.#rows = { canvas, view: new RowsCanvas(canvas, () => this.#draw()) };
    this.#rows.view.draw(drawn, this.#input.paint, motion);
  }

  #template(row: Row, drawn: Drawn | null): TemplateResult {
    const events = { query: (query: number) => this.#look(query), key: (key: number) => this.events.select({ key }), step: (step: Step) => this.#go(step) };
    return html`
      <div class="row-line"><p class="row-words" aria-live="polite">${sentence(row, this.#step)}</p><span class="row-was" ?hidden=${!this.#before}><i aria-hidden="true"></i> ${msg('before the last change')}</span></div>
      <div class="row-figure" tabindex="0" role="group" aria-label=${msg(str`The row of ${this.#name(row)}, stage by stage`)} aria-keyshortcuts="Space ArrowLeft ArrowRight ArrowUp ArrowDown Escape" ?data-turned=${drawn?.layout.turned ?? false}>
        ${drawn ? svg`<svg class="row-drawing" width=${drawn.layout.width} height=${drawn.layout.height} aria-hidden="true">${drawing(drawn, events)}</svg>` : nothing}
        ${drawn?.isCanvas ? html`<canvas class="row-canvas" aria-hidden="true"></canvas>` : nothing}
        <div class="unseen" aria-busy=${this.#tabled !== row}>${guard([this.#tabled], () => this.#table())}</div>
      </div>
      <div class="row-transport">
        <div class="row-bar">
          ${this.#sheet(row)}
          <button type="button" class="row-way" aria-label=${msg('The stage before')} ?disabled=${this.#step === this.#steps[0]} @click=${() => this.#turn(-1)}>‹</button>
          <button type="button" class="row-play" aria-pressed=${this.#isPlaying} ?data-playing=${this.#isPlaying} @click=${() => this.#toggle()}><span>${this.#isPlaying ? msg('Pause') : msg('Play')}</span></button>
          <button type="button" class="row-way" aria-label=${msg('The next stage')} ?disabled=${this.#step === 'context'} @click=${() => this.#turn(1)}>›</button>
          <button type="button" class="row-swap" @click=${() => this.#swap()}>${this.#isSwapped ? msg('Row') : msg('Matrix')}</button>
        </div>
        <div class="row-steps" role="group" aria-label=${msg('Stages')}>
          ${this.#steps.map((step) => html`<button type="button" class="row-step" data-step=${step} aria-current=${step === this.#step ? 'step' : nothing} @click=${() => this.#go(step)}>${NAMES[step]()}</button>`)}
        </div>
        <span class="row-keys" aria-hidden="true"><span><kbd>${msg('Space')}</kbd> ${msg('play', { desc: 'beside a key' })} <kbd>←</kbd><kbd>→</kbd> ${msg('stage', { desc: 'beside keys' })} <kbd>↑</kbd><kbd>↓</kbd> ${msg('word')}</span></span>
      </div>`;
  }

  /** On a phone: what was chosen last, through the stages, over the buttons. */
  #sheet(row: Row): TemplateResult | typeof nothing {
    if (!this.#isChosen) return nothing;
    const close = () => {
      this.#isChosen = false;
      this.#draw();
    };
    return html`
      <div class="row-sheet" role="status">
        <p><b lang=""><bdi class="accent">${row.queryWord}</bdi> → <bdi>${row.words[row.key] ?? ''}</bdi></b></p>
        <button type="button" class="row-close" aria-label=${msg('Close')} @click=${close}>×</button>
        <dl>${row.strips.map(({ id, values }) => html`<div><dt>${NAMES[id]()}</dt><dd>${numbersOf(id, values)(values[row.key] ?? NaN)}</dd></div>`)}</dl>
      </div>`;
  }

  /** Scrolls what the sheet is about out from under it. */
  #uncover(): void {
    const sheet = this.host.querySelector<HTMLElement>('.row-sheet');
    if (!sheet?.offsetHeight) return;
    const space = new Space(sheet);
    const marks = this.#isSwapped ? this.#root?.querySelectorAll('.matrix [role=gridcell]') : this.host.querySelectorAll('.row-word:is(.query, .key)');
    const boxes = [...marks ?? []].map((mark) => space.box(mark));
    const switches = this.#root?.querySelector<HTMLElement>('.switch-line');
    const covered = switches && getComputedStyle(switches).position === 'sticky' ? switches.offsetHeight : 0;
    const by = Math.min(Math.max(...boxes.map(({ bottom }) => bottom)) + 4, Math.min(...boxes.map(({ top }) => top)) - space.screen.top - covered - 4);
    if (by > 0) scrollBy({ top: by, behavior: isStill() ? 'instant' : 'smooth' });
  }

  #turn(way: number): void {
    this.#go(this.#steps[this.#steps.indexOf(this.#step) + way]);
  }

  /** On a phone the matrix comes into the row's place, and the row back. */
  #swap(): void {
    this.#isSwapped = !this.#isSwapped;
    this.host.closest<HTMLElement>('.root')?.toggleAttribute('data-swapped', this.#isSwapped);
    this.#draw();
  }

  #name({ query }: Row): string {
    return this.#input ? wordText(this.#input.picture, query) : '';
  }

  /** The numbers for whoever does not see the bars, as the strips write them. */
  #table(): TemplateResult | typeof nothing {
    const row = this.#tabled;
    if (row === null) return nothing;
    const strips = row.strips.map(({ id, values }) => ({ id, values, write: numbersOf(id, values) }));
    return html`
      <table>
        <thead><tr><th scope="col">${msg('word')}</th>${strips.map(({ id }) => html`<th scope="col">${NAMES[id]()}</th>`)}</tr></thead>
        <tbody>${row.words.map((word, key) => html`<tr><th scope="row" lang="">${word}</th>${strips.map(({ id, values, write }) => html`<td data-stage=${id}>${write(values[key] ?? NaN)}</td>`)}</tr>`)}</tbody>
      </table>`;
  }
}
