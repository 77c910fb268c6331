// The element: its attributes and events, and the way from a keystroke to the views. Importing it defines nothing.
import { msg, str } from '@lit/localize';
import { type PropertyDeclarations, type PropertyValues, type TemplateResult, html, noChange, nothing } from 'lit';
import type { StageId, Trace } from '../engine/engine.ts';
import { readArray } from '../engine/stages.ts';
import { tokenize } from '../engine/tokens.ts';
import type { Selection } from '../engine/types.ts';
import { Near, atMost } from '../lib/dom.ts';
import { version } from '../lib/version.ts';
import { decode, encode } from '../link/fragment.ts';
import { type Picture, fit } from '../state/result.ts';
import { KNOBS, SETTINGS, type SettingName, setting } from '../state/settings.ts';
import { type LinkState, type Only, type Reading, isPlace } from '../state/state.ts';
import { Model } from '../state/store.ts';
import { type Controls, type FigureName, type Part, controlsOf, figureName, isTask, partsOf } from '../state/views.ts';
import { cellLabel } from '../text/caption.ts';
import type { Link } from '../ui/export/panel.ts';
import { Drawing } from '../ui/figure/drawing.ts';
import { FigurePart } from '../ui/figure/figure.ts';
import { addingRows, markRows } from '../ui/figure/row-picker.ts';
import { fetchRest, noticeSentences, rest } from '../ui/late.ts';
import { SentencePart } from '../ui/sentence/sentence.ts';
import type { SwitchesPart } from '../ui/settings/settings.ts';
import type { TaskPart } from '../ui/task/task.ts';
import type { WalkInput } from '../ui/walk/view-model.ts';
import { AuthorPart } from './author.ts';
import { Shell } from './base.ts';
import { openLink } from './open-link.ts';
import { Below } from './page-parts.ts';

/** A figure's frame does not wait longer for what is in it. */
const ENGINE_PATIENCE_MS = 150;

type Raw = string | number | boolean | null | undefined;

/** Each setting is a property, too, which takes strings and says what is in use. */
export interface AttentionPlayground extends Record<SettingName, Raw> {}

/**
 * @fires {CustomEvent<State | LabState>} attention-ready - the first picture is drawn; detail is the state
 * @fires {CustomEvent<State | LabState>} attention-change - a new picture is computed; detail is the state, ready to be kept
 * @fires {CustomEvent<Selection>} attention-select - another cell or head is selected; detail is { head, query, key }
 * @fires {CustomEvent<{ task: string; answer: unknown; right: boolean }>} attention-answer - a task is answered; detail is { task, answer, right }
 * @fires {CustomEvent<{ code: string; message: string }>} attention-error - detail is { code, message }
 */
export class AttentionPlayground extends Shell {
  static override properties: PropertyDeclarations = {
    ...Object.fromEntries(SETTINGS.map(({ name, attribute }) => [name, { attribute }])),
  };

  static readonly version: string = version;

  /** Makes an address that opens this state; the page around the element sets it, where it has one. @internal */
  linkTo: ((state: LinkState) => Link) | null = null;

  readonly #model = new Model({
    changed: () => this.requestUpdate(),
    computed: (first) => {
      this.#announce.push(...(first ? ['attention-ready'] : []), 'attention-change');
    },
    failed: (problem) => {
      const tell = () => this.emit('attention-error', { code: problem.code, message: problem.message || problem.code });
      // Of the core's errors the sentences come after the first figure.
      if (problem.message !== '') tell();
      else void fetchRest().catch(() => null).then(tell);
    },
    restored: (link, picture) => void this.#sayLimits(link, picture),
  });
  protected override readonly author = new AuthorPart(this, this.#model, () => this.requestUpdate());
  readonly #near = new Near(this);
  #question: TaskPart | null = null;
  #starting: Promise<void> | null = null;
  #announce: string[] = [];
  #spoken = '';
  /** A keystroke paints the words, their arcs and the matrix; what else follows from them comes right after that paint. */
  #hasty = false;
  /** These are drawn by hand: where all of them stand already, the template waits, too. */
  #isOnlyDrawn = false;
  #drawing: Drawing | null = null;
  readonly #settle = (): void => {
    this.#reflect();
    this.requestUpdate();
  };
  readonly #sentence = new SentencePart(this.#model, {
    update: () => this.requestUpdate(),
    settle: this.#settle,
    select: (part) => this.#select(part),
    root: () => this.shadowRoot,
    rest: () => this.#below.rest,
  });
  readonly #below = new Below(this.#model, {
    select: (part) => this.#select(part),
    edit: (edits) => this.#model.change({ edits }),
    focused: () => this.#toggle(() => this.#announce.push('attention-select')),
    update: () => this.requestUpdate(),
    settle: this.#settle,
    now: () => this.#walkInput,
    link: () => this.#link(),
  });
  #switches: SwitchesPart | null = null;
  readonly #figure = new FigurePart(this.#model, {
    pinnedWords: (then, now) => rest()?.pinnedWords(then, now) ?? '',
    update: () => this.requestUpdate(),
    select: (part) => this.#select(part),
    rest: () => this.#below.rest,
    isWaiting: () => this.#below.isWaiting,
    isArched: () => this.#drawing?.arched === true,
    scrollRow: (top) => requestAnimationFrame(() => this.renderRoot.querySelector('.row-scroll')?.scrollTo(0, top)),
  });

  // What other code may read.

  /** The last run, or null when there is none for the text and the settings as they stand. */
  get trace(): Trace | null {
    return this.#model.isCurrent ? (this.#model.picture?.trace ?? null) : null;
  }

  /** A copy of one stage's numbers, row-major; empty when nothing is computed. */
  stage(id: StageId): Float32Array {
    return this.trace?.stage(id).slice() ?? new Float32Array();
  }

  /** A figure as SVG: "weights", which is meant where nothing is said, "arcs", "all weights" or any other stage, as it stands there; in a lab, the figure of that title or number from 1. @throws Error with a sentence */
  toSVG(figure?: string): Promise<string> {
    return this.#export('svg', figure) as Promise<string>;
  }

  /** The same as pixels. */
  toPNG(figure?: string): Promise<Blob> {
    return this.#export('png', figure) as Promise<Blob>;
  }

  /** A stage's numbers with their shape, in full precision. @throws Error with a sentence */
  toCSV(stage?: string): Promise<string> {
    return this.#export('csv', stage) as Promise<string>;
  }

  /** The same with all that tells what it is of. */
  toJSON(stage?: string): Promise<string> {
    return this.#export('json', stage) as Promise<string>;
  }

  /** What makes them comes with the first. */
  async #export(kind: 'svg' | 'png' | 'csv' | 'json', what: string | undefined): Promise<string | Blob> {
    if (this.isLab) return this.lab.exported(kind, what ?? '', { view: this.view, text: this.text, preset: this.preset });
    const { exported } = await import('../ui/export/panel.ts');
    // What was there before may have been replaced meanwhile.
    const input = this.#walkInput;
    if (!input) throw new Error(msg('There is no figure yet: wait for attention-ready.'));
    return exported(kind, what ?? 'weights', input);
  }

  /** All that a link would hold. */
  get state(): LinkState {
    const { tokens, keyTokens, wanted, selection } = this.#model;
    return {
      // The model's own pieces come back with the model.
      ...wanted, tokens: this.#model.models.of(wanted.source) ? tokenize(wanted.text) : tokens, keyTokens, settings: { ...wanted.settings }, selection: { ...selection }, focus: this.#below.visited, keptRanges: this.#below.keptRanges,
    };
  }

  #link(): Link | null {
    const link = this.linkTo?.(this.state);
    const isOwn = this.#model.wanted.source === 'yours' && this.#model.models.of('yours') !== null;
    return link ? { ...link, without: [...link.without, ...(isOwn ? ['model' as const] : [])] } : null;
  }

  /** Takes up a state read from a link; what it does not say stays as it is. @internal */
  restore(reading: Reading): void {
    this.#model.restore(reading);
    if (!isPlace(reading)) this.#below.keptRanges = reading.keptRanges ?? null;
    if (reading.focus) this.#below.goTo(reading.focus, true);
    this.#reflect();
  }

  /** Takes up a link's fragment, "#v1&text=…" or "#text=…". */
  follow(fragment: string): void {
    const reading = decode(fragment);
    if (!reading) return;
    if (this.isLab) this.text = reading.text ?? this.text;
    else this.restore(reading);
  }

  override focus(options?: FocusOptions): void {
    this.#sentence.area?.focus(options);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('selectionchange', this.#sentence.moveCaret);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('selectionchange', this.#sentence.moveCaret);
  }

  protected override connectFigure(): void {
    this.#drawing?.connect();
    this.#below.connect();
    this.#near.wait(this.loading === 'eager', () => { this.#starting = this.#model.connect(this.coreSrc); });
  }

  /** With the engine there, a figure is drawn once. The whole playground takes longer to draw than the engine to come. */
  protected override get starting(): Promise<unknown> | null {
    return this.frame && this.#starting && atMost(ENGINE_PATIENCE_MS, this.#starting);
  }

  protected override disconnectFigure(): void {
    this.#near.stop();
    this.#drawing?.disconnect();
    this.#below.disconnect();
    this.#model.disconnect();
  }

  protected override leaveFigure(): void {
    this.disconnectFigure();
    this.#drawing = null;
    this.#below.leave();
  }

  // Properties and the model.

  protected override updateFigure(changed: PropertyValues): void {
    this.#model.rights = this.author.rights;
    this.#takeTask();
    if (changed.has('text') && this.text !== this.#model.wanted.text) this.#model.set({ text: String(this.text ?? '') });
    this.author.take(changed);
    const step = changed.has('step') && readArray(String(this.step ?? ''));
    if (step) this.#below.goTo({ array: step, cell: null }, false);
    for (const { name } of SETTINGS) if (changed.has(name)) this.#readProperty(name);
    const before = this.#model.picture;
    this.#model.update();
    const typed = this.#sentence.takeTyped();
    // A figure alone is small enough to come whole at once; the playground's first picture comes as a key's does.
    const quick = before === null ? this.frame === null : typed;
    this.#hasty = quick && this.#model.picture !== null && this.#model.picture !== before;
    this.#isOnlyDrawn = this.#hasty && before !== null;
    this.#reflect();
    // Its words must be measured, and a layout is cheap while nothing else has changed yet.
    if (this.hasUpdated) this.#drawSentence();
  }

  #takeTask(): void {
    const { rest } = this.#below;
    if (rest && isTask(this.task)) {
      this.#question ??= new rest.TaskPart(this.#model, {
        update: () => this.requestUpdate(),
        answered: (detail) => this.emit('attention-answer', detail),
      });
    }
    if (this.#question) this.#question.task = this.task;
  }

  /** A question that has not been drawn yet is open, too. */
  get #isAsking(): boolean {
    return this.#question?.isOpen ?? isTask(this.task);
  }

  #readProperty(name: SettingName): void {
    const raw = this[name];
    const { parse, rule, format } = setting(name);
    const { knobs } = this.#model;
    // An attribute that is taken away leaves the default; one that never was says nothing.
    const wanted = raw === null ? format(KNOBS) : raw;
    if (wanted === undefined || String(wanted) === format(knobs)) return;
    const parsed = parse(String(wanted));
    const now = format(knobs);
    if (!parsed) this.#model.notice(() => msg(str`“${String(raw)}” is not understood: ${rule()}. It is ${now} now.`));
    this.#model.setKnobs(parsed ?? {});
  }

  /** The properties say what is in use. */
  #reflect(): void {
    this.text = this.#model.wanted.text;
    this.author.reflect();
    if (this.#model.outcome.kind === 'loading') return;
    const { knobs } = this.#model;
    for (const { name, format } of SETTINGS) this[name] = format(knobs);
  }

  // What the reader does.

  #select(part: Partial<Selection>, aloud = false): void {
    const { picture } = this.#model;
    if (!picture) return;
    this.#model.select(part);
    if (aloud) this.#spoken = cellLabel(picture, this.#model.selection);
    this.#announce.push('attention-select');
  }

  #look(at: { query: number; key: number } | null): void {
    const { picture, selection } = this.#model;
    const place = at && picture && fit({ ...selection, ...at }, picture);
    this.#figure.look(place);
    this.#below.look(place);
  }

  #flip(query: number, key: number): void {
    const { maskEdits } = this.#model.wanted;
    const others = maskEdits.filter((edit) => edit.query !== query || edit.key !== key);
    this.#model.change({ maskEdits: others.length < maskEdits.length ? others : [...maskEdits, { query, key }] });
    this.#select({ query, key });
  }

  protected override beforePrint(on: boolean): void {
    this.#drawing?.print(on);
  }

  protected override afterPrint(on: boolean): void {
    this.#below.print(on);
  }

  protected override relabel(): void {
    this.#model.relabel();
  }

  protected override notice(say: () => string): void {
    this.#model.notice(say);
  }

  /** Undo, outside of fields, where it is the browser's own. */
  protected override keyed(event: KeyboardEvent): void {
    if (this.isLab) return;
    const at = event.composedPath()[0];
    const isField = at instanceof HTMLTextAreaElement || (at instanceof HTMLInputElement && !['radio', 'checkbox', 'range', 'file'].includes(at.type));
    const letter = event.key.toLowerCase();
    if (isField || event.altKey || !(event.ctrlKey || event.metaKey) || (letter !== 'z' && letter !== 'y')) return;
    event.preventDefault();
    if (letter === 'y' || event.shiftKey) this.#sentence.past.redo();
    else this.#sentence.past.undo();
  }

  // What the reader sees.

  get #view(): FigureName {
    return figureName(this.view);
  }

  get #controls(): Controls {
    return controlsOf(this.#view, this.controls);
  }

  /** A question that is still open keeps the numbers back. */
  get #parts(): ReadonlySet<Part> {
    return this.#isAsking ? new Set<Part>(['sentence']) : partsOf(this.#view, this.#controls, String(this.step ?? ''));
  }

  protected override get frame(): { view: string; controls: string; isWaiting: boolean } | null {
    return this.#view === 'playground' ? null : { view: this.#view, controls: this.#controls, isWaiting: this.#model.outcome.kind === 'loading' };
  }

  protected override renderFigure(): TemplateResult | typeof noChange {
    if (this.#isOnlyDrawn) return noChange;
    const { picture, outcome, selection } = this.#model;
    const parts = this.#parts;
    const notices = [...noticeSentences(this.#model.notices), ...this.#below.missing];
    return html`
      ${this.#sentence.render(parts)}
      <section class="switches" aria-label=${msg('Settings')} part="switches" ?hidden=${!parts.has('settings') && notices.length === 0}>
        ${parts.has('settings') ? this.#later(() => this.#renderSwitches(parts)) : nothing}
        ${parts.has('rest') ? this.#later(() => this.#below.source(picture)) : nothing}
        <p class="notices" role="status">${notices.join(' ')}</p>
      </section>
      ${parts.has('rest') && parts.has('matrix') ? this.#later(() => this.#figure.pinBar()) : nothing}
      ${this.#question?.render() ?? nothing}
      ${this.#figure.render(this.#hasty, parts)}
      <section class="model" aria-label=${msg('The language model')} part="model" hidden></section>
      <section class="walk" aria-label=${msg('The walk')} part="walk" ?hidden=${!parts.has('walk') || (!picture && outcome.kind !== 'loading')}></section>
      <section class="senses-section" aria-label=${msg('One word, two sentences')} part="senses" ?hidden=${!parts.has('rest')}>${parts.has('rest') ? this.#later(() => this.#below.senses(picture, selection.head)) : nothing}</section>
      <section class="take-section" aria-label=${msg('Take it with you')} part="take" hidden></section>
      ${picture ? openLink(this.playground, () => encode(this.state)) : nothing}
      <p class="unseen" role="status">${this.#spoken}</p>
    `;
  }

  #renderSwitches(parts: ReadonlySet<Part>): TemplateResult {
    const come = this.#below.rest;
    if (!come) return html`<div class="switch-room"></div>`;
    this.#switches ??= new come.SwitchesPart(this.#model, () => this.requestUpdate());
    return this.#switches.render(parts);
  }

  /** After a key, the frame behind it brings this up to date; at the first drawing all takes its place. */
  #later<T>(part: () => T): T | typeof noChange {
    return this.#hasty && this.hasUpdated ? noChange : part();
  }

  #toggle(change: () => void): void {
    change();
    this.requestUpdate();
  }

  #start(): Drawing {
    const drawing = new Drawing(this.renderRoot as ShadowRoot, {
      selectHead: (head) => this.#select({ head }),
      selectCell: (query, key) => this.#select({ query, key }, true),
      look: (at) => this.#look(at),
      flip: (query, key) => this.#flip(query, key),
      resize: () => {
        this.#draw();
        this.requestUpdate();
      },
    });
    addingRows(this.renderRoot.querySelector('.matrix') as HTMLElement, (row, add) => {
      const { query, key } = this.#model.selection;
      if (add) this.#toggle(() => this.#sentence.sum.toggle(row, query));
      else this.#select({ query: row, key });
    }, () => this.#model.selection.query);
    return drawing;
  }

  protected override figureUpdated(): void {
    if (!this.#drawing) {
      this.#drawing = this.#start();
      this.#drawSentence();
    }
    this.#sentence.settled();
    // The box of a second sentence is there only now.
    if (this.#drawing?.missesKeys) this.#drawSentence();
    this.#drawFigure();
    this.#figure.markBusy(this.renderRoot, this.#hasty);
    if (this.#hasty) {
      this.#below.hold();
      this.#send('attention-ready');
      requestAnimationFrame(() => setTimeout(() => this.requestUpdate()));
      return;
    }
    this.#below.update(this.renderRoot as ShadowRoot, this.#walkInput, this.#parts, this.#only, this.#wantsRest);
    this.#markRows();
    this.#send(...this.#announce);
  }

  /** Events that wait, each once. */
  #send(...names: readonly string[]): void {
    for (const name of new Set(names)) {
      if (!this.#announce.includes(name)) continue;
      this.#announce = this.#announce.filter((other) => other !== name);
      this.emit(name, name === 'attention-select' ? { ...this.#model.selection } : this.state);
    }
  }

  /** What a link asks for that its picture does not have is said as soon as the words for it are there. */
  async #sayLimits(link: Reading, picture: Picture): Promise<void> {
    const { wanted } = this.#model;
    const parts = await import('../link/missing.ts').catch(() => null);
    // A run that has been replaced meanwhile can no longer be asked.
    if (!parts || this.#model.picture !== picture) return;
    const sentences = parts.limits(link, picture, wanted);
    for (const sentence of sentences) this.#model.notice(sentence);
    if (sentences.length > 0) this.requestUpdate();
  }

  #marked = false;

  #markRows(): void {
    const { picture } = this.#model;
    const queries = picture ? this.#sentence.sum.in(picture) : [];
    const matrix = this.renderRoot.querySelector('.matrix');
    if (matrix && (this.#marked || queries.length > 0)) markRows(matrix, queries);
    this.#marked = queries.length > 0;
  }

  get #walkInput(): WalkInput | null {
    const model = this.#model;
    const { picture, selection, wanted } = model;
    // Building what the stages are called takes long, and not every figure has a walk.
    return picture && { picture, selection, get stages() { return model.stages; }, mayEdit: model.may('parameters'), edits: wanted.edits, paint: this.colours, pinned: this.#figure.pin.state, mode: this.#figure.pin.mode, keptRanges: this.#below.keptRanges };
  }

  /** What alone of the walk is shown. */
  get #only(): Only | null {
    const array = readArray(String(this.step ?? ''));
    return array && (this.#view === 'matrix' || this.#view === 'cell') ? { array, sum: this.#view === 'cell' } : null;
  }

  /** Heads alone, for one, do without, as long as there is nothing to be said of them. */
  get #wantsRest(): boolean {
    const parts = this.#parts;
    const { outcome, notices } = this.#model;
    return (rest() !== null || outcome.kind !== 'loading') && (this.#isAsking || outcome.kind === 'refused' || notices.length > 0 || ['settings', 'cell', 'walk', 'rest'].some((part) => parts.has(part as Part)));
  }

  #drawFigure(): void {
    const { picture, selection } = this.#model;
    if (!picture) this.#drawing?.forget();
    else this.#drawing?.drawFigure(picture, selection, this.#figure.pin.shown(picture, selection.head), this.colours, this.#figure.masking, this.#parts);
  }

  #drawSentence(): void {
    const { tokens, keyTokens, selection, wanted, picture } = this.#model;
    const { keyText } = wanted;
    const isOfThese = picture?.text === this.text && picture.keyText === keyText;
    this.#drawing?.drawSentences({
      text: this.text, tokens, arcs: this.#parts.has('arcs') && (this.#view === 'arcs' ? 'always' : true), compact: this.#view !== 'playground', keys: keyText === null ? null : { text: keyText, tokens: keyTokens },
      picture: isOfThese && !this.#isAsking ? picture : null, selection, queries: isOfThese ? this.#sentence.sum.in(picture) : [], paint: this.colours,
    });
  }

  #draw(): void {
    this.#drawSentence();
    this.#drawFigure();
  }
}
