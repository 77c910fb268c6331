// The figure: the store, the parts that show it, and the painting of changes.
import { msg } from '@lit/localize';
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { readArray } from '../engine/stages.ts';
import { tokenize } from '../engine/tokens.ts';
import type { Selection } from '../engine/types.ts';
import { atMost } from '../lib/dom.ts';
import { takeDrops } from '../lib/dropped.ts';
import { Schedule, Work, inPhase, isTyping } from '../lib/schedule.ts';
import { isOffScreen } from '../lib/space.ts';
import { type Picture, fit } from '../state/result.ts';
import type { LinkState, Only, Reading } from '../state/state.ts';
import { Store } from '../state/store.ts';
import { type Controls, type FigureName, type Part, controlsOf, figureName, isTask, partsOf } from '../state/views.ts';
import { cellLabel } from '../text/caption.ts';
import type { Link } from '../ui/export/panel.ts';
import { Drawing } from '../ui/figure/drawing.ts';
import { FigurePart } from '../ui/figure/figure.ts';
import { addingRows, markRows } from '../ui/figure/matrix-view.ts';
import type { Paint } from '../ui/kit/paint.ts';
import { inBox } from '../ui/kit/text-box.ts';
import { fetchLate, late, noticeSentences } from '../ui/late.ts';
import { SentencePart } from '../ui/sentence/sentence.ts';
import type { SwitchesPart } from '../ui/settings/settings.ts';
import type { TaskPart } from '../ui/task/task.ts';
import type { WalkInput } from '../ui/walk/view-model.ts';
import { type VisibilityController, openLink, wayBack } from './surroundings.ts';
import { PageParts } from './page-parts.ts';

/** The longest time that a figure's frame waits for its content. */
const ENGINE_PATIENCE_MS = 150;
/** The smallest type, in CSS pixels, that keeps all words on one line. Over the stage, words become rows below it. */
const SMALLEST = { alone: 11, wordy: 16 };

/** What the figure needs of the element that it stands in. */
export interface FigureElement extends HTMLElement {
  readonly renderRoot: HTMLElement | DocumentFragment;
  readonly hasUpdated: boolean;
  readonly colours: Paint;
  readonly view: string;
  readonly controls: string;
  readonly step: string | null | undefined;
  readonly task: string;
  readonly playground: string;
  readonly isConfined: boolean;
  readonly coreSrc: string;
  linkTo: ((state: LinkState) => Link) | null;
  requestUpdate(): void;
  readonly updateComplete: Promise<boolean>;
  emit(name: string, detail: unknown): void;
}

export class FigureHost {
  readonly #element: FigureElement;
  readonly #schedule: Schedule;
  readonly #sentence: SentencePart;
  readonly #figure: FigurePart;
  readonly #pageParts: PageParts;
  #switches: SwitchesPart | null = null;
  #question: TaskPart | null = null;
  #drawing: Drawing | null = null;
  #starting: Promise<void> | null = null;
  /** For the current drawing. */
  #phase: 'first' | 'full' = 'full';
  /** Events, sent when the change is drawn. */
  #announce: string[] = [];
  #spoken = '';
  #marked = false;
  #encode: ((state: LinkState) => string) | null = null;

  readonly store = new Store({
    changed: () => this.#schedule.ask(),
    arrived: () => this.#schedule.arrive(),
    looked: () => this.#announce.push('attention-select'),
    computed: (first) => this.#announce.push(...(first ? ['attention-ready'] : []), 'attention-change'),
    failed: (problem) => {
      const tell = () => this.#element.emit('attention-error', { code: problem.code, message: problem.message || problem.code });
      // Of the core's errors the sentences come after the first figure.
      if (problem.message !== '') tell();
      else void fetchLate().catch(() => null).then(tell);
    },
    restored: (link, picture) => void this.#sayLimits(link, picture),
  });

  constructor(element: FigureElement) {
    this.#element = element;
    const update = () => element.requestUpdate();
    const select = (selection: Partial<Selection>) => this.store.change({ selection });
    this.#schedule = new Schedule({
      first: () => this.#paintFirst(), arrived: () => this.#paintArrived(), full: () => { update(); return element.updateComplete; }, isAway: () => this.#isReadAway(),
    });
    this.#pageParts = new PageParts(this.store, { select, update, now: () => this.walkInput, link: () => this.#link() });
    this.#sentence = new SentencePart(this.store, {
      update, select, key: (change) => this.#schedule.key(change), root: () => element.shadowRoot, late: () => this.#pageParts.late,
    });
    this.#figure = new FigurePart(this.store, {
      update, select,
      late: () => this.#pageParts.late,
      isWaiting: () => this.#pageParts.isWaiting,
      mayWait: (part) => isTyping() && isOffScreen(part),
      isArched: () => this.#drawing?.arched === true,
      scrollRow: (top) => inPhase('frame', () => element.renderRoot.querySelector('.row-scroll')?.scrollTo(0, top)),
    });
  }

  // Life cycle.

  connect(visibility: VisibilityController): void {
    this.#drawing?.connect();
    this.#pageParts.connect();
    this.#leaveDrops = this.takeDrops(this.#element);
    document.addEventListener('selectionchange', this.#sentence.moveCaret);
    visibility.wait(() => { this.#starting = this.store.connect(this.#element.coreSrc); });
  }

  /** It may come back as it was. */
  disconnect(): void {
    document.removeEventListener('selectionchange', this.#sentence.moveCaret);
    this.#leaveDrops?.();
    this.#drawing?.disconnect();
    this.#pageParts.disconnect();
    this.store.disconnect();
  }

  #leaveDrops: (() => void) | null = null;

  /** Files dropped on a place are opened here: on the playground itself, and on the page that is made for it. */
  takeDrops(place: Element | Window): () => void {
    return takeDrops(place, {
      mayTake: () => this.frame === null && this.store.may('parameters'),
      over: (is) => this.#element.renderRoot.querySelector('.root')?.toggleAttribute('data-dropping', is),
      take: (dropped) => this.#pageParts.drop(dropped),
    });
  }

  /** Its container was removed. */
  leave(): void {
    this.disconnect();
    this.#drawing = null;
    this.#pageParts.leave();
  }

  /** With the engine there, a figure is drawn once. The whole playground takes longer to draw than the engine to come. */
  get starting(): Promise<unknown> | null {
    return this.frame && this.#starting && atMost(ENGINE_PATIENCE_MS, this.#starting);
  }

  /** Gives the element's root all styles that have come. */
  dress(): void {
    this.#pageParts.dress(this.#element.renderRoot as ShadowRoot);
  }

  focus(options?: FocusOptions): void {
    this.#sentence.area?.focus(options);
  }

  beforePrint(on: boolean): void {
    this.#drawing?.print(on);
  }

  afterPrint(on: boolean): void {
    this.#pageParts.print(on);
  }

  keyed(event: KeyboardEvent): void {
    const way = wayBack(event);
    if (!way) return;
    event.preventDefault();
    this.store[way]();
  }

  // The state, for other code.

  /** Everything that a link holds. */
  get state(): LinkState {
    const { state, tokens, keyTokens, models } = this.store;
    // The model's own pieces come back with the model.
    return { ...state, tokens: models.of(state.source) ? tokenize(state.text) : tokens, keyTokens, settings: { ...state.settings }, selection: { ...state.selection } };
  }

  #link(): Link | null {
    const link = this.#element.linkTo?.(this.state);
    const isOwn = this.store.state.source === 'yours' && this.store.models.of('yours') !== null;
    return link ? { ...link, without: [...link.without, ...(isOwn ? ['model' as const] : [])] } : null;
  }

  restore(link: Reading): void {
    if (link.focus) this.#pageParts.scrollTo(link.focus);
    this.store.restore(link);
  }

  /** What a link asks for that its picture does not have is said as soon as the words for it are there. */
  async #sayLimits(link: Reading, picture: Picture): Promise<void> {
    const { state } = this.store;
    const parts = await import('../link/missing.ts').catch(() => null);
    // A run that has been replaced meanwhile can no longer be asked.
    if (!parts || this.store.picture !== picture) return;
    const sentences = parts.limits(link, picture, state);
    for (const sentence of sentences) this.store.notice(sentence);
    if (sentences.length > 0) this.#element.requestUpdate();
  }

  // The reader's actions on cells.

  #look(at: { query: number; key: number } | null): void {
    const { picture, selection } = this.store;
    const place = at && picture && fit({ ...selection, ...at }, picture);
    this.#figure.look(place);
    this.#pageParts.look(place);
  }

  #choose(query: number, key: number): void {
    const { picture } = this.store;
    this.store.change({ selection: { query, key } });
    if (picture) this.#spoken = cellLabel(picture, this.store.selection);
  }

  #flip(query: number, key: number): void {
    const { maskEdits } = this.store.state;
    const others = maskEdits.filter((edit) => edit.query !== query || edit.key !== key);
    this.store.change({ maskEdits: others.length < maskEdits.length ? others : [...maskEdits, { query, key }] });
    this.store.change({ selection: { query, key } });
  }

  // The view.

  get #view(): FigureName {
    return figureName(this.#element.view);
  }

  get #controls(): Controls {
    return controlsOf(this.#view, this.#element.controls);
  }

  /** A question that has not been drawn yet is open, too. */
  get #isAsking(): boolean {
    return this.#question?.isOpen ?? isTask(this.#element.task);
  }

  /** The numbers are hidden until the question is answered. */
  get #parts(): ReadonlySet<Part> {
    return this.#isAsking ? new Set<Part>(['sentence']) : partsOf(this.#view, this.#controls, String(this.#element.step ?? ''), Boolean(this.store.picture?.ready));
  }

  /** A figure alone, in a box whose height is known; null where it takes what it needs. */
  get frame(): { view: string; controls: string; isWaiting: boolean } | null {
    return this.#view === 'playground' ? null : { view: this.#view, controls: this.#controls, isWaiting: this.store.outcome.kind === 'loading' };
  }

  /** The part of the walk that is shown alone. */
  get #only(): Only | null {
    const array = readArray(String(this.#element.step ?? ''));
    return array && (this.#view === 'matrix' || this.#view === 'cell') ? { array, sum: this.#view === 'cell' } : null;
  }

  get walkInput(): WalkInput | null {
    const { store } = this;
    const { picture, selection, state } = store;
    // Building what the stages are called takes long, and not every figure has a walk.
    return picture && { picture, selection, get stages() { return store.stages; }, mayEdit: store.may('parameters'), edits: state.edits, paint: this.#element.colours, pinned: this.#figure.pin?.state ?? null, mode: this.#figure.pin?.mode ?? 'now', lockedRanges: state.lockedRanges };
  }

  /** Heads alone, for one, do without, as long as there is nothing to be said of them. */
  get #wantsLate(): boolean {
    const parts = this.#parts;
    const { outcome, notices } = this.store;
    return (late() !== null || outcome.kind !== 'loading') && (this.#isAsking || outcome.kind === 'refused' || notices.length > 0 || ['settings', 'cell', 'walk', 'rest'].some((part) => parts.has(part as Part)));
  }

  /** Computes what has changed. */
  update(changed: PropertyValues): void {
    this.#takeTask();
    const step = changed.has('step') && readArray(String(this.#element.step ?? ''));
    if (step) this.store.change({ focus: { array: step, cell: null } }, { by: 'author' });
    const before = this.store.picture;
    this.store.update();
    // A figure alone is small enough to come whole at once; the playground's first picture comes as a key's does.
    this.#phase = before === null && this.store.picture !== null && this.frame === null ? 'first' : 'full';
    // Its words must be measured, and a layout is cheap while nothing else has changed yet.
    if (this.#element.hasUpdated) this.#drawSentence();
  }

  #takeTask(): void {
    const { task } = this.#element;
    const come = this.#pageParts.late;
    if (come && isTask(task)) {
      this.#question ??= new come.TaskPart(this.store, {
        update: () => this.#element.requestUpdate(),
        answered: (detail) => this.#element.emit('attention-answer', detail),
      });
    }
    if (this.#question) this.#question.task = task;
  }

  render(): TemplateResult {
    const { picture, outcome, selection, notices } = this.store;
    const parts = this.#parts;
    const sentences = [...noticeSentences(notices), ...this.#pageParts.missing];
    const isWhole = this.#view === 'playground';
    const switches = html`
      <section class="switches" aria-label=${msg('Settings')} part="switches" ?data-more=${this.#switches?.isMore ?? false} ?hidden=${!parts.has('settings') && sentences.length === 0}>
        ${parts.has('settings') ? this.#renderSwitches(parts) : nothing}
        <p class="notices" role="status">${sentences.join(' ')}</p>
      </section>`;
    return html`
      ${isWhole ? switches : nothing}
      ${this.#sentence.render(parts)}
      ${isWhole ? nothing : switches}
      <section class="row-stages" aria-label=${msg('The stage')} part="stage" ?hidden=${!parts.has('stage') || (!picture && outcome.kind !== 'loading')}></section>
      ${parts.has('rest') ? html`<div class="source">${this.#pageParts.source(picture)}</div>${this.#sentence.caption(parts)}` : nothing}
      ${parts.has('rest') && parts.has('matrix') ? this.#figure.pinBar() : nothing}
      ${this.#question?.render() ?? nothing}
      ${this.#figure.render(parts)}
      <section class="model" aria-label=${msg('The language model')} part="model" hidden></section>
      <section class="walk" aria-label=${msg('The walk')} part="walk" ?hidden=${!parts.has('walk') || (!picture && outcome.kind !== 'loading')}></section>
      <section class="senses-section" aria-label=${msg('One word, two sentences')} part="senses" ?hidden=${!parts.has('rest')}>${parts.has('rest') ? this.#pageParts.senses(picture, selection.head) : nothing}</section>
      <section class="take-section" aria-label=${msg('Take it with you')} part="take" hidden></section>
      ${picture ? openLink(this.#element, () => this.#fragment()) : nothing}
      <p class="unseen" role="status">${this.#spoken}</p>
      ${isWhole ? html`<p class="drop-target" aria-hidden="true"><span>${msg('Drop the files here to open them: a model, its folder, or numbers of your own')}</span></p>` : nothing}
    `;
  }

  /** Of the whole state; null until what writes links is there. */
  #fragment(): string | null {
    if (this.#encode) return this.#encode(this.state);
    void import('../link/fragment.ts').then(({ encode }) => {
      this.#encode = encode;
      this.#element.requestUpdate();
    }, () => {});
    return null;
  }

  #renderSwitches(parts: ReadonlySet<Part>): TemplateResult {
    const come = this.#pageParts.late;
    if (!come) return html`<div class="switch-room"></div>`;
    this.#switches ??= new come.SwitchesPart(this.store, () => this.#element.requestUpdate());
    return this.#switches.render(parts, this.#view === 'playground' && this.#drawing?.isNarrow === true);
  }

  // What is painted, and when.

  /** After a key, and before anything else: false where there is no new picture to be painted. */
  #paintFirst(): boolean {
    const before = this.store.picture;
    if (!this.#drawing || !before) return false;
    const isAway = this.#isReadAway();
    const { picture } = this.store;
    if (isAway) this.#drawSentence();
    else if (picture === null || picture === before) return false;
    else this.#paintPicture();
    return true;
  }

  /** While a worker reads, the words alone are new. */
  #isReadAway(): boolean {
    this.store.update();
    return !this.store.isCurrent && this.store.computing;
  }

  /** What a worker has read: false where there is nothing of it to be painted. */
  #paintArrived(): boolean {
    if (!this.#drawing || !this.store.picture || this.frame !== null) return false;
    this.#paintPicture();
    return true;
  }

  #paintPicture(): void {
    this.#draw();
    this.#hold();
  }

  /** The parts below wait for the full phase, and show that they are waiting. */
  #hold(): void {
    this.#figure.markBusy(this.#element.renderRoot, true);
    this.#pageParts.hold();
  }

  updated(): void {
    if (!this.#drawing) {
      this.#drawing = this.#start();
      this.#drawSentence();
    }
    this.#sentence.settled();
    // The box of a second sentence is there only now.
    if (this.#drawing.missesKeys) this.#drawSentence();
    this.#drawFigure();
    if (this.#phase === 'first') {
      this.#hold();
      this.#send('attention-ready');
      this.#schedule.behindPaint();
      return;
    }
    this.#figure.markBusy(this.#element.renderRoot, false);
    this.#pageParts.update(this.#element.renderRoot as ShadowRoot, this.walkInput, this.#parts, this.#only, this.#wantsLate);
    this.#pageParts.updateStage(this.#element.renderRoot as ShadowRoot, this.#parts, this.#view === 'stage' ? String(this.#element.step ?? '') : '', this.#view === 'playground' && this.#isOfThese ? (this.#drawing.places ?? null) : null, this.#element.colours);
    this.#markRows();
    this.#send(...this.#announce);
  }

  /** Events that wait, each once. */
  #send(...names: readonly string[]): void {
    for (const name of new Set(names)) {
      if (!this.#announce.includes(name)) continue;
      this.#announce = this.#announce.filter((other) => other !== name);
      this.#element.emit(name, name === 'attention-select' ? { ...this.store.selection } : this.state);
    }
  }

  #start(): Drawing {
    // The rest may change sizes, which must not be within the same round of them.
    const rest = new Work(() => this.#element.requestUpdate());
    const drawing = new Drawing(this.#element.renderRoot as ShadowRoot, {
      selectHead: (head) => this.store.change({ selection: { head } }),
      selectCell: (query, key) => this.#choose(query, key),
      look: (at) => this.#look(at),
      flip: (query, key) => this.#flip(query, key),
      resize: () => {
        this.#draw();
        rest.at('frame');
      },
    });
    addingRows(this.#element.renderRoot.querySelector('.matrix') as HTMLElement, (row, add) => {
      const { query, key } = this.store.selection;
      if (add) this.#sentence.rows.toggle(row, query);
      else this.store.change({ selection: { query: row, key } });
    }, () => this.store.selection.query);
    return drawing;
  }

  #markRows(): void {
    const { picture } = this.store;
    const queries = picture ? this.#sentence.rows.in(picture) : [];
    const matrix = this.#element.renderRoot.querySelector('.matrix');
    if (matrix && (this.#marked || queries.length > 0)) markRows(matrix, queries);
    this.#marked = queries.length > 0;
  }

  #drawFigure(): void {
    const { picture, selection } = this.store;
    if (!picture) this.#drawing?.forget();
    else this.#drawing?.drawFigure(picture, selection, this.#figure.shown(picture, selection.head), this.#element.colours, this.#figure.masking, this.#parts);
  }

  /** Whether the picture is of the texts as they stand. */
  get #isOfThese(): boolean {
    const { state: { text, keyText }, picture } = this.store;
    return picture?.text === text && picture.keyText === keyText;
  }

  #drawSentence(): void {
    const { tokens, keyTokens, selection, state: { text, keyText }, picture } = this.store;
    const isOfThese = picture !== null && this.#isOfThese;
    this.#drawing?.drawSentences({
      text: inBox(text), tokens, arcs: this.#parts.has('arcs') && (this.#view === 'arcs' || this.#drawing?.isOver ? 'always' : true), smallest: this.#view === 'playground' || this.#view === 'model' ? SMALLEST.wordy : SMALLEST.alone, keys: keyText === null ? null : { text: inBox(keyText), tokens: keyTokens },
      picture: isOfThese && !this.#isAsking ? picture : null, selection, queries: isOfThese ? this.#sentence.rows.in(picture) : [], paint: this.#element.colours,
    });
  }

  #draw(): void {
    this.#drawSentence();
    this.#drawFigure();
  }
}
