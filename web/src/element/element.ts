// The element: its attributes, properties, methods and events. It shows a figure, a lab or a lesson. Importing this file does not define the tag.
import { msg } from '@lit/localize';
import { type CSSResult, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult, html, nothing, render } from 'lit';
import { Engine, type StageId, type Trace, version } from '../engine/engine.ts';
import type { Theme } from '../lib/colour.ts';
import { adoptAgain } from '../lib/dom.ts';
import { language } from '../lib/language.ts';
import { SETTINGS, type SettingName } from '../state/settings.ts';
import type { LinkState, Reading } from '../state/state.ts';
import { type LabName, isApart, isLab, pageOf } from '../state/views.ts';
import type { Link } from '../ui/export/panel.ts';
import { type Paint, readPaint } from '../ui/kit/paint.ts';
import { Printing } from '../ui/kit/printing.ts';
import { fetchScreenSheet, screenSheet } from '../ui/late.ts';
import { styles } from '../ui/styles/first.ts';
import { ATTRIBUTES, OLD_NAMES } from './attributes.ts';
import { AuthorPart, IN_USE } from './author.ts';
import { FigureHost } from './figure-host.ts';
import { LanguageController, ThemeController, VisibilityController, keepOwnKeys, openLink } from './surroundings.ts';
import type { LabEvents, LabHost } from './lab-host.ts';
import type { LessonHost } from './lesson-host.ts';

/** `readonly="false"` is what frameworks write of a false property. */
const isPresent = (value: string | null): boolean => value !== null && value !== 'false';

type Raw = string | number | boolean | null | undefined;

/** Each setting is also a property, which accepts strings and returns the value in use. */
export interface AttentionPlayground extends Record<SettingName, Raw> {}

/**
 * @fires {CustomEvent<State | LabState>} attention-ready - the first picture is drawn; detail is the state
 * @fires {CustomEvent<State | LabState>} attention-change - a new picture is computed; detail is the state, ready to be kept
 * @fires {CustomEvent<Selection>} attention-select - another cell or head is selected; detail is { head, query, key }
 * @fires {CustomEvent<{ task: string; answer: unknown; right: boolean }>} attention-answer - a task is answered; detail is { task, answer, right }
 * @fires {CustomEvent<{ code: string; message: string }>} attention-error - detail is { code, message }
 */
export class AttentionPlayground extends LitElement {
  static override styles = styles;

  static override properties: PropertyDeclarations = {
    ...Object.fromEntries(ATTRIBUTES.filter(({ attribute }) => attribute !== 'lang').map(({ attribute, property, type }) => [property, {
      attribute, noAccessor: IN_USE.has(property), ...(type === 'boolean' && { converter: isPresent }),
    }])),
    ...Object.fromEntries(SETTINGS.map(({ name, attribute }) => [name, { attribute, noAccessor: true }])),
    // By the accessor below.
    ...Object.fromEntries(Object.keys(OLD_NAMES).map((name) => [name, { noAccessor: true }])),
    config: { attribute: false },
  };

  static readonly version: string = version;

  static {
    for (const name of IN_USE) {
      Object.defineProperty(this.prototype, name, {
        configurable: true, enumerable: true,
        get(this: AttentionPlayground) { return this.#author.get(name); },
        set(this: AttentionPlayground, value: unknown) { this.#author.set(name, value); },
      });
    }
  }

  // Said as what is in use.
  declare text: string;
  declare keyText: unknown;
  declare maskCells: unknown;
  declare replay: unknown;
  declare head: unknown;
  declare row: unknown;
  declare column: unknown;
  /** A lab's name, such as lab-scale, shows that lab alone; anything else the playground. */
  declare view: string;
  /** What a lab's own controls are set to: "d=64&pairs=2000". */
  declare preset: string;
  declare lesson: string | null | undefined;
  declare atStep: unknown;
  declare theme: Theme | 'auto';
  declare coreSrc: string;
  declare step: string | null | undefined;
  declare controls: string;
  declare loading: string;
  declare task: string;
  declare playground: string;
  declare src: string;
  declare config: unknown;
  declare readonly: unknown;
  declare locked: unknown;

  /** Makes an address that opens this state; the page around the element sets it, where it has one. @internal */
  linkTo: ((state: LinkState) => Link) | null = null;

  /** Files dropped on a place are opened here. @returns what ends that @internal */
  takeDrops(place: Element | Window): () => void {
    return this.#figure.takeDrops(place);
  }

  /** Its links and its files stay on its page's own site. @internal */
  isConfined = false;

  readonly #figure = new FigureHost(this);
  readonly #author = new AuthorPart(this, this.#figure.store, () => this.requestUpdate());
  readonly #visibility = new VisibilityController(this);
  #lab: LabHost | null = null;
  #lesson: LessonHost | null = null;
  readonly #language = new LanguageController(this, {
    changed: () => {
      this.#figure.store.relabel();
      this.requestUpdate();
    },
    missing: (say) => {
      this.#figure.store.notice(say);
      this.requestUpdate();
    },
  });
  readonly #printing = new Printing(this, (on) => this.#print(on));
  readonly #hostTheme = new ThemeController(this, () => this.#recolour());
  /** It has the styles of the playground's screen. */
  #isDressed = false;
  /** A link whose first figure is waited for. */
  #following: Promise<unknown> | null = null;
  /** One promise for all links: browsers settle several import() of a file that is on its way in any order. */
  #links: Promise<typeof import('../link/fragment.ts')> | null = null;
  #paint: Paint | null = null;

  constructor() {
    super();
    Object.assign(this, { view: '', theme: 'auto', coreSrc: '' });
  }

  /** The former name of `column`; React and Vue reserve it. */
  get key(): unknown {
    return this.column;
  }

  set key(value: unknown) {
    this.column = value;
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    keepOwnKeys(root);
    return root;
  }

  // The public methods.

  /** The last run, or null if there is none for the present text and settings. */
  get trace(): Trace | null {
    const { store } = this.#figure;
    return store.isCurrent ? (store.picture?.trace ?? null) : null;
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

  /** The same numbers with the text, the settings and the axes. */
  toJSON(stage?: string): Promise<string> {
    return this.#export('json', stage) as Promise<string>;
  }

  /** What makes them comes with the first. */
  async #export(kind: 'svg' | 'png' | 'csv' | 'json', what: string | undefined): Promise<string | Blob> {
    const made = this.#isLab ? await this.#lab?.exported(kind, what ?? '', this.#labState) : await this.#exportFigure(kind, what ?? 'weights');
    if (made == null) throw new Error(msg('There is no figure yet: wait for attention-ready.'));
    return made;
  }

  async #exportFigure(kind: 'svg' | 'png' | 'csv' | 'json', what: string): Promise<string | Blob | null> {
    const { exported } = await import('../ui/export/panel.ts');
    // The run may have been replaced meanwhile.
    const input = this.#figure.walkInput;
    return input && exported(kind, what, input);
  }

  /** Everything that a link holds. */
  get state(): LinkState {
    return this.#figure.state;
  }

  /** Takes up a state read from a link; what it does not say stays as it is. @internal */
  restore(reading: Reading): void {
    this.#figure.restore(reading);
  }

  /** Takes up a link's fragment, "#v1&text=…" or "#text=…": when it resolves, the state is the link's. */
  async follow(fragment: string): Promise<void> {
    if (/^#?$/.test(fragment)) return;
    const links = (this.#links ??= import('../link/fragment.ts'));
    this.#following = links.catch(() => { this.#links = null; });
    const { decode } = await links;
    const reading = decode(fragment);
    if (!reading) return;
    if (this.#isLab) this.#figure.store.change({ text: reading.text ?? this.text }, { by: 'author' });
    else this.restore(reading);
  }

  override focus(options?: FocusOptions): void {
    this.#figure.focus(options);
  }

  // Life cycle.

  get #isLab(): boolean {
    return isLab(this.view);
  }

  /** A lab, or a lesson. */
  get #isApart(): boolean {
    return isApart(this.view);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // A lab computes in the lab, and a lesson in its own figures.
    if (this.#isApart) this.requestUpdate();
    else this.#figure.connect(this.#visibility);
    this.#author.connect();
  }

  adoptedCallback(): void {
    if (this.shadowRoot) adoptAgain(this.shadowRoot, AttentionPlayground.elementStyles as CSSResult[]);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#figure.disconnect();
    this.#author.disconnect();
    this.#endApart();
  }

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang'];
  }

  override attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    super.attributeChangedCallback(name, before, after);
    if (name === 'lang') this.#language.listen();
  }

  protected override scheduleUpdate(): void | Promise<unknown> {
    const awaited = [this.#dress(), ...(this.hasUpdated ? [] : [this.#language.firstWords, this.#figure.starting, this.#following, this.#author.awaited])].filter((each) => each !== null);
    if (awaited.length === 0) return super.scheduleUpdate();
    const room = this.hasUpdated ? null : this.#keepRoom();
    return Promise.all(awaited).then(() => {
      room?.remove();
      return super.scheduleUpdate();
    });
  }

  /** Gives a playground its own styles; what is returned waits for them, where they have not come. */
  #dress(): Promise<void> | null {
    if (!this.#isScreen || this.#isDressed) return null;
    // It works without them, and the next change loads them again.
    if (!screenSheet()) return fetchScreenSheet().then(() => void this.#dress(), () => {});
    this.#isDressed = true;
    this.#figure.dress();
    return null;
  }

  /** An empty box of the figure's size, until its words or its engine are loaded. */
  #keepRoom(): HTMLElement {
    const room = document.createElement('div');
    room.className = 'root';
    Object.assign(room.dataset, { theme: this.#scheme, ...(this.#isScreen && { screen: '' }), ...this.#frame });
    this.renderRoot.append(room);
    return room;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('theme')) this.#paint = null;
    if (changed.has('view') && this.hasUpdated) this.#changeView(String(changed.get('view') ?? ''));
    this.#author.take(changed);
    if (!this.#isApart) this.#figure.update(changed);
  }

  /** Changes between playground, lab and lesson: frees what the other had. */
  #changeView(before: string): void {
    if (before === 'lesson' || !this.#isLab) this.#endApart();
    if (this.#isApart) this.#isDressed = false;
    if (isApart(before) && !this.#isApart) this.#figure.connect(this.#visibility);
    else if (!isApart(before) && this.#isApart) this.#figure.leave();
  }

  /** A figure alone, in a box whose height is known; null where it takes what it needs. */
  get #frame(): { view: string; controls: string; isWaiting: boolean } | null {
    return this.#isApart ? null : this.#figure.frame;
  }

  /** The playground, whose parts stand on a screen of their own. */
  get #isScreen(): boolean {
    return !this.#isApart && this.#frame === null;
  }

  protected override render(): TemplateResult {
    const frame = this.#frame;
    return html`
      <div class="root" lang=${language()} data-theme=${this.#scheme} data-view=${frame?.view ?? nothing} data-controls=${frame?.controls ?? (this.#isLab && this.controls ? this.controls : nothing)} ?data-screen=${this.#isScreen} ?data-waiting=${frame?.isWaiting} part="root" @keydown=${this.#keyed}>
        ${this.view === 'lesson' ? html`<div class="lesson-place" part="lesson"></div>` : this.#isLab ? html`<section class="lab" part="lab" data-lab=${this.view}></section>${openLink(this, () => this.#lab?.link ?? null, pageOf(this.view))}` : this.#figure.render()}
      </div>
    `;
  }

  protected override updated(): void {
    if (!this.#isApart) return this.#figure.updated();
    const shown = this.#isLab ? this.#lab : this.#lesson;
    if (shown) return shown.update();
    if (!this.isConnected) return;
    const place = this.renderRoot.querySelector('.lab, .lesson-place') as HTMLElement;
    place.classList.toggle('waiting', this.#isLab);
    this.#visibility.wait(() => void this.#open(place));
  }

  /** What shows a lab or a lesson comes with the first. */
  async #open(place: HTMLElement): Promise<void> {
    const { view } = this;
    const isWanted = () => this.isConnected && this.view === view && !this.#lab && !this.#lesson;
    try {
      if (isLab(view)) {
        const { LabHost: Host } = await import('./lab-host.ts');
        if (isWanted()) this.#lab = new Host(this.renderRoot as ShadowRoot, () => Engine.load(this.coreSrc), () => ({ name: this.view as LabName, text: this.text, preset: this.preset, paint: this.colours, ...this.#author.ofLab }), this.#labEvents(place));
      } else {
        const { LessonHost: Host } = await import('./lesson-host.ts');
        if (isWanted()) this.#lesson = new Host(this, place, () => ({ raw: this.#author.lesson, text: this.#author.ownText, preset: this.preset, theme: this.#scheme }));
      }
      // The view may have changed meanwhile.
      this.requestUpdate();
    } catch (error) {
      this.#fail(place, error, () => void this.#open(place));
    }
  }

  get #labState(): { view: string; text: string; preset: string } {
    return { view: this.view, text: this.text, preset: this.preset };
  }

  #labEvents(place: HTMLElement): LabEvents {
    return {
      changed: ({ text, preset }) => {
        this.#author.dismiss();
        this.#figure.store.change({ text }, { by: 'author' });
        this.#author.preset = preset;
        this.requestUpdate();
        this.emit('attention-change', { view: this.view, text, preset });
      },
      answered: (answer) => this.emit('attention-answer', answer),
      shown: (content) => render(content, place),
      ready: () => {
        place.classList.remove('waiting');
        this.emit('attention-ready', this.#labState);
      },
      failed: (error, again) => this.#fail(place, error, again),
    };
  }

  #fail(place: HTMLElement, error: unknown, again: () => void): void {
    place.classList.remove('waiting');
    const message = error instanceof Error ? error.message : String(error);
    render(html`<p class="problem" role="alert">${this.#isLab ? msg('This lab could not be loaded.') : msg('This lesson could not be loaded.')} ${message} <button type="button" class="plain" @click=${again}>${msg('Try again')}</button></p><slot></slot>`, place);
    this.emit('attention-error', { code: this.#isLab ? 'lab_unavailable' : 'lesson_unavailable', message });
  }

  #endApart(): void {
    this.#lab?.free();
    this.#lesson?.free();
    this.#lab = this.#lesson = null;
  }

  /** Sends an event that others hear, too. @internal */
  emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    if (!this.#isApart) this.#figure.keyed(event);
  };

  // How it looks.

  /** Draws everything at once, because printing does not wait for frames. */
  #print(on: boolean): void {
    if (!this.hasUpdated) return;
    this.toggleAttribute('data-printing', on);
    this.#paint = null;
    this.#figure.beforePrint(on);
    this.requestUpdate();
    this.performUpdate();
    this.#figure.afterPrint(on);
  }

  get #scheme(): Theme {
    if (this.#printing.on) return 'light';
    if (this.theme === 'light' || this.theme === 'dark') return this.theme;
    return this.#hostTheme.theme;
  }

  /** What canvases are painted with. @internal */
  get colours(): Paint {
    if (this.#paint) return this.#paint;
    const root = this.renderRoot.querySelector('.root') as HTMLElement;
    // The template sets it, too, but a moment after the colours are read.
    root.dataset['theme'] = this.#scheme;
    this.#paint = readPaint(root, this.#scheme);
    return this.#paint;
  }

  #recolour(): void {
    this.#paint = null;
    this.requestUpdate();
  }
}
