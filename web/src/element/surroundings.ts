// The element's surroundings: language and theme, whether it is near the screen, which keys it
// passes on to the page; and the link to the playground.
import { msg } from '@lit/localize';
import { type ReactiveController, type ReactiveControllerHost, type TemplateResult, html, nothing } from 'lit';
import type { Theme } from '../lib/colour.ts';
import { atMost } from '../lib/dom.ts';
import { languageAround, languageLoading, missingLanguage, onLanguage, speak } from '../lib/language.ts';
import { isOwnAddress } from '../lib/parse.ts';

// Which language an element's surroundings ask for: its own `lang`, or the nearest around it. Follows both when they change.

/** A first figure does not wait longer for its configuration, or for the words of another language. */
export const PATIENCE_MS = 2000;

export interface LanguageEvents {
  /** All texts must be rendered again. */
  changed(): void;
  /** The wanted language could not be loaded: a sentence on it. */
  missing(say: () => string): void;
}

export class LanguageController implements ReactiveController {
  readonly #watch = new MutationObserver(() => this.listen());
  #end = (): void => {};

  constructor(private readonly host: ReactiveControllerHost & Element, private readonly events: LanguageEvents) {
    host.addController(this);
  }

  hostConnected(): void {
    this.#end = onLanguage(() => this.events.changed());
    this.#watch.observe(document.documentElement, { attributeFilter: ['lang'] });
    this.listen();
  }

  hostDisconnected(): void {
    this.#end();
    this.#watch.disconnect();
  }

  listen(): void {
    if (!this.host.isConnected) return;
    const loading = languageLoading();
    // The page may be loading another language; its `lang` changes only when that is loaded.
    if (loading) return void loading.then(() => this.listen());
    const wanted = languageAround(this.host);
    void speak(wanted).then((isThere) => {
      if (!isThere) this.events.missing(() => missingLanguage(wanted));
    });
  }

  /** The first figure comes in its language; null where there is nothing to wait for. */
  get firstWords(): Promise<unknown> | null {
    const loading = languageLoading();
    return loading && atMost(PATIENCE_MS, loading);
  }
}

// Whether the page around the element is light or dark, by the marks that documentation systems and CSS frameworks
// leave on its ancestors. Followed while it changes.

const WORDS: Readonly<Record<string, Theme>> = {
  light: 'light', dark: 'dark', default: 'light', slate: 'dark', night: 'dark', black: 'dark', white: 'light',
};
/** data-md-color-scheme: Material for MkDocs; data-bs-theme: Bootstrap; data-jp-theme-light: Jupyter; has-dark-background: reveal.js. */
const MARKS = ['data-theme', 'data-bs-theme', 'data-md-color-scheme', 'data-color-mode', 'data-mode', 'data-color-scheme'] as const;
const FILTER = [...MARKS, 'data-jp-theme-light', 'class'];
const CLASSES: Readonly<Record<string, Theme>> = {
  'light': 'light', 'dark-mode': 'dark', 'light-mode': 'light', 'theme-dark': 'dark', 'theme-light': 'light', 'quarto-dark': 'dark', 'quarto-light': 'light',
  'vscode-dark': 'dark', 'vscode-light': 'light',
};
/** Of any box. */
const BOXES: Readonly<Record<string, Theme>> = { 'dark': 'dark', 'has-dark-background': 'dark', 'has-light-background': 'light' };

const classOf = (element: Element, classes: Readonly<Record<string, Theme>>): Theme | null =>
  Object.entries(classes).find(([name]) => element.classList.contains(name))?.[1] ?? null;

function markOf(element: Element): Theme | null {
  const jupyter = element.getAttribute('data-jp-theme-light');
  if (jupyter !== null) return jupyter === 'false' ? 'dark' : 'light';
  for (const mark of MARKS) {
    const value = element.getAttribute(mark)?.toLowerCase() ?? '';
    if (Object.hasOwn(WORDS, value)) return WORDS[value] ?? null;
  }
  // Of the page, not of any box: "light" is too common a word elsewhere.
  const isPage = element === document.documentElement || element === document.body;
  return (isPage ? classOf(element, CLASSES) : null) ?? classOf(element, BOXES);
}

/** The element's ancestors, from the inside out, through shadow roots. */
function* around(element: Element): Generator<Element> {
  for (let at: Node | null = element.parentNode; at; at = at instanceof ShadowRoot ? at.host : at.parentNode) if (at instanceof Element) yield at;
}

/** The nearest mark around the element; null where there is none. */
export function themeAround(element: Element): Theme | null {
  for (const each of around(element)) {
    const mark = markOf(each);
    if (mark) return mark;
  }
  return null;
}

export class ThemeController implements ReactiveController {
  readonly #watch: MutationObserver;
  readonly #system = matchMedia('(prefers-color-scheme: dark)');

  /** As it was looked up last; a mark or the system's theme that changes asks again. */
  #theme: Theme | null = null;
  readonly #turn = (): void => {
    this.#theme = null;
    this.changed();
  };

  constructor(private readonly host: ReactiveControllerHost & Element, private readonly changed: () => void) {
    host.addController(this);
    this.#watch = new MutationObserver(this.#turn);
  }

  get theme(): Theme {
    return this.#theme ??= themeAround(this.host) ?? (this.#system.matches ? 'dark' : 'light');
  }

  hostConnected(): void {
    this.#theme = null;
    this.#system.addEventListener('change', this.#turn);
    for (const each of around(this.host)) this.#watch.observe(each, { attributeFilter: FILTER });
  }

  hostDisconnected(): void {
    this.#system.removeEventListener('change', this.#turn);
    this.#watch.disconnect();
  }
}

// Whether the element is near what the reader sees.

export class VisibilityController implements ReactiveController {
  #watch: IntersectionObserver | null = null;
  #ends: AbortController | null = null;

  constructor(private readonly host: ReactiveControllerHost & HTMLElement & { readonly loading: string }) {
    host.addController(this);
  }

  /** Calls once: at once where the host loads eagerly, else as soon as it is within a screen's distance, in focus or printed. What was waited for before is forgotten. */
  wait(start: () => void): void {
    this.hostDisconnected();
    if (this.host.loading === 'eager' || typeof IntersectionObserver !== 'function') return start();
    const begin = () => {
      this.hostDisconnected();
      start();
    };
    this.#watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) begin();
    }, { rootMargin: '600px' });
    this.#watch.observe(this.host);
    this.#ends = new AbortController();
    const once = { once: true, signal: this.#ends.signal };
    this.host.addEventListener('focusin', begin, once);
    addEventListener('beforeprint', begin, once);
  }

  hostDisconnected(): void {
    this.#watch?.disconnect();
    this.#watch = null;
    // Without a reason given, the browser makes an error: for its place in the script, V8 reads all of that once more.
    this.#ends?.abort(0);
  }
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

/** Undo or redo, outside of fields, where they are the browser's own; null for any other key. */
export function wayBack(event: KeyboardEvent): 'undo' | 'redo' | null {
  const at = event.composedPath()[0];
  const isField = at instanceof HTMLTextAreaElement || (at instanceof HTMLInputElement && !['radio', 'checkbox', 'range', 'file'].includes(at.type));
  const letter = event.key.toLowerCase();
  if (isField || event.altKey || !(event.ctrlKey || event.metaKey) || (letter !== 'z' && letter !== 'y')) return null;
  return letter === 'y' || event.shiftKey ? 'redo' : 'undo';
}

// The link from an embedded figure to the whole playground, with the same state.

const SAFE: ReadonlySet<string> = new Set(['http:', 'https:', 'file:']);

/** The address with that fragment; null where the author named none, or none that is a page's. */
export function playgroundAddress(playground: unknown, fragment: string, page = ''): string | null {
  if (typeof playground !== 'string' || playground === '') return null;
  try {
    const address = new URL(page, new URL(playground, document.baseURI));
    return SAFE.has(address.protocol) ? `${address.href.split('#')[0]}${fragment}` : null;
  } catch {
    return null;
  }
}

/** `fragment`: null until what writes it is there; its line is kept free. */
export function openLink({ playground, isConfined }: { playground: unknown; isConfined: boolean }, fragment: () => string | null, page = ''): TemplateResult | typeof nothing {
  // Whoever has set it: one click would hand the reader's text over.
  if (isConfined && !isOwnAddress(String(playground), document.baseURI)) return nothing;
  const written = playground ? fragment() : null;
  const address = playground ? playgroundAddress(playground, written ?? '', page) : null;
  if (address === null) return nothing;
  return written === null ? html`<p class="open-link">\u00a0</p>` : html`<p class="open-link" part="link"><a href=${address} target="_blank" rel="noopener">${msg('Open in the playground')}</a></p>`;
}
