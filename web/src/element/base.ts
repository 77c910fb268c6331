// What surrounds the figure and the labs alike: theme, language, printing, the lab in the figure's place, the element's events,
// and the keys that it takes for itself.
import { LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult, html, type noChange, nothing } from 'lit';
import type { Theme } from '../lib/colour.ts';
import { language } from '../lib/language.ts';
import { writeLabLink } from '../link/lab-fragment.ts';
import { DEFAULT_TEXT } from '../state/settings.ts';
import { isLab } from '../state/views.ts';
import { type Paint, readPaint } from '../ui/kit/paint.ts';
import { Printing } from '../ui/kit/printing.ts';
import { styles } from '../ui/styles/index.ts';
import { ATTRIBUTES } from './attributes.ts';
import type { AuthorPart } from './author.ts';
import { LabPart } from './lab-host.ts';
import { LanguagePart } from './language.ts';
import { openLink } from './open-link.ts';
import { HostTheme } from './theme.ts';

/** `readonly="false"` is what frameworks write of a false property. */
const isPresent = (value: string | null): boolean => value !== null && value !== 'false';

export abstract class Shell extends LitElement {
  static override styles = styles;

  static override properties: PropertyDeclarations = {
    ...Object.fromEntries(ATTRIBUTES.filter(({ attribute }) => attribute !== 'lang').map(({ attribute, property, type }) => [property, { attribute, ...(type === 'boolean' && { converter: isPresent }) }])),
    config: { attribute: false },
  };

  declare text: string;
  /** A lab's name, such as lab-scale, shows that lab alone; anything else the playground. */
  declare view: string;
  /** What a lab's own controls are set to: "d=64&pairs=2000". */
  declare preset: string;
  declare theme: Theme | 'auto';
  declare coreSrc: string;
  declare step: string | null | undefined;
  declare controls: string;
  declare loading: string;
  declare task: string;
  declare playground: string;
  declare src: string;
  declare config: unknown;
  // Taken as attributes are, and said as what is in use.
  declare keyText: unknown;
  declare maskCells: unknown;
  declare head: unknown;
  declare row: unknown;
  declare key: unknown;
  declare readonly: unknown;
  declare locked: unknown;

  protected readonly lab = new LabPart(() => this.coreSrc, {
    changed: ({ text, preset }) => {
      this.author.dismiss();
      Object.assign(this, { text, preset });
      this.emit('attention-change', { view: this.view, text, preset });
    },
    ready: () => this.emit('attention-ready', { view: this.view, text: this.text, preset: this.preset }),
    failed: (problem) => this.emit('attention-error', problem),
  });
  readonly #ear = new LanguagePart(this, {
    changed: () => {
      this.relabel();
      this.requestUpdate();
    },
    missing: (say) => {
      this.notice(say);
      this.requestUpdate();
    },
  });
  readonly #printing = new Printing((on) => this.#print(on));
  readonly #host = new HostTheme(this, () => this.#recolour());
  #paint: Paint | null = null;

  constructor() {
    super();
    Object.assign(this, { text: DEFAULT_TEXT, view: '', preset: '', theme: 'auto', coreSrc: '' });
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    keepOwnKeys(root);
    return root;
  }

  // What the figure does at its time.

  protected abstract connectFigure(): void;
  /** It may come back as it was; `leaveFigure`: it does not. */
  protected abstract disconnectFigure(): void;
  protected abstract leaveFigure(): void;
  protected abstract updateFigure(changed: PropertyValues): void;
  protected abstract renderFigure(): TemplateResult | typeof noChange;
  protected abstract figureUpdated(): void;
  /** Before everything is drawn for paper, or for the screen again; and after it. */
  protected abstract beforePrint(on: boolean): void;
  protected abstract afterPrint(on: boolean): void;
  /** Sentences that were said before are said again in another language. */
  protected abstract relabel(): void;
  protected abstract notice(say: () => string): void;
  protected abstract readonly author: AuthorPart;
  /** What a first drawing is better left for. */
  protected abstract get starting(): Promise<unknown> | null;
  protected abstract keyed(event: KeyboardEvent): void;
  /** A figure alone, in a box whose height is known; null where it takes what it needs. */
  protected abstract get frame(): { view: string; controls: string; isWaiting: boolean } | null;

  protected get isLab(): boolean {
    return isLab(this.view);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#host.connect();
    this.#printing.connect();
    // One that is a lab computes in the lab.
    if (this.isLab) this.requestUpdate();
    else this.connectFigure();
    this.author.connect();
    this.#ear.connect();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#host.disconnect();
    this.#printing.disconnect();
    this.disconnectFigure();
    this.author.disconnect();
    this.lab.disconnect();
    this.#ear.disconnect();
  }

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang'];
  }

  override attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    super.attributeChangedCallback(name, before, after);
    if (name === 'lang') this.#ear.listen();
  }

  protected override scheduleUpdate(): void | Promise<unknown> {
    const awaited = this.hasUpdated ? [] : [this.#ear.firstWords, this.starting].filter((each) => each !== null);
    if (awaited.length === 0) return super.scheduleUpdate();
    const room = this.#keepRoom();
    return Promise.all(awaited).then(() => {
      room.remove();
      return super.scheduleUpdate();
    });
  }

  /** An empty box as large as the figure that waits for its words or its engine. */
  #keepRoom(): HTMLElement {
    const room = document.createElement('div');
    room.className = 'root';
    Object.assign(room.dataset, { theme: this.#scheme, ...this.frame });
    this.renderRoot.append(room);
    return room;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('theme')) this.#paint = null;
    if (changed.has('view') && this.hasUpdated) this.#changeView(String(changed.get('view') ?? ''));
    if (this.isLab) this.author.take(changed);
    else this.updateFigure(changed);
  }

  /** From a lab to the playground, or back: what the other had is let go. */
  #changeView(before: string): void {
    if (isLab(before) && !this.isLab) {
      this.lab.disconnect();
      this.connectFigure();
    } else if (!isLab(before) && this.isLab) {
      this.leaveFigure();
    }
  }

  protected override render(): TemplateResult {
    const { frame } = this;
    return html`
      <div class="root" lang=${language()} data-theme=${this.#scheme} data-view=${frame?.view ?? nothing} data-controls=${frame?.controls ?? (this.isLab && this.controls ? this.controls : nothing)} ?data-waiting=${frame?.isWaiting} part="root" @keydown=${this.keyed}>
        ${this.isLab ? html`<section class="lab" part="lab" data-lab=${this.view}></section>${openLink(this.playground, () => writeLabLink(this), 'labs.html')}` : this.renderFigure()}
      </div>
    `;
  }

  protected override updated(): void {
    if (!isLab(this.view)) return this.figureUpdated();
    this.lab.update(this.renderRoot.querySelector('.lab') as HTMLElement, this.view, { text: this.text, preset: this.preset, paint: this.colours, ...this.author.ofLab });
  }

  protected emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }

  /** All of it at once: a printer waits for no frame. */
  #print(on: boolean): void {
    if (!this.hasUpdated) return;
    this.toggleAttribute('data-printing', on);
    this.#paint = null;
    this.beforePrint(on);
    this.requestUpdate();
    this.performUpdate();
    this.afterPrint(on);
  }

  get #scheme(): Theme {
    if (this.#printing.on) return 'light';
    if (this.theme === 'light' || this.theme === 'dark') return this.theme;
    return this.#host.theme;
  }

  protected get colours(): Paint {
    if (this.#paint) return this.#paint;
    const root = this.renderRoot.querySelector('.root') as HTMLElement;
    // The template sets it, too, but a moment after the colours are read.
    root.dataset['theme'] = this.#scheme;
    this.#paint = readPaint(root, this.#scheme);
    return this.#paint;
  }

  readonly #recolour = (): void => {
    this.#paint = null;
    this.requestUpdate();
  };
}

// Keys that the figure takes for itself. Slides, notebooks and docs systems have shortcuts on plain keys, and see from outside
// that the element has the focus, not the field or the matrix in it: a typed "s" would open a search, a space turn the slide.

const TAKEN = /^(?:.|Enter|Backspace|Delete|Home|End|Page(?:Up|Down)|Arrow(?:Up|Down|Left|Right))$/u;

/** Escape, Tab and what is typed with Ctrl, Alt or Meta goes on to the page, unless the figure has used it. */
function keep(event: Event): void {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event as KeyboardEvent;
  if (defaultPrevented || (TAKEN.test(key) && !ctrlKey && !metaKey && !altKey)) event.stopPropagation();
}

/** After everything inside has heard them. */
export function keepOwnKeys(root: EventTarget): void {
  for (const kind of ['keydown', 'keypress', 'keyup']) root.addEventListener(kind, keep);
}
