// Whether the page around the element is light or dark, by the marks that documentation systems and CSS frameworks
// leave on its ancestors. Followed while it changes.
import type { Theme } from './colour.ts';

const WORDS: Readonly<Record<string, Theme>> = {
  light: 'light', dark: 'dark', default: 'light', slate: 'dark', night: 'dark', black: 'dark', white: 'light',
};
/** data-md-color-scheme: Material for MkDocs; data-bs-theme: Bootstrap; data-jp-theme-light: Jupyter. */
const MARKS = ['data-theme', 'data-bs-theme', 'data-md-color-scheme', 'data-color-mode', 'data-mode', 'data-color-scheme'] as const;
const FILTER = [...MARKS, 'data-jp-theme-light', 'class'];
const CLASSES: Readonly<Record<string, Theme>> = {
  'dark': 'dark', 'light': 'light', 'dark-mode': 'dark', 'light-mode': 'light', 'theme-dark': 'dark', 'theme-light': 'light', 'quarto-dark': 'dark', 'quarto-light': 'light',
};

function markOf(element: Element): Theme | null {
  const jupyter = element.getAttribute('data-jp-theme-light');
  if (jupyter !== null) return jupyter === 'false' ? 'dark' : 'light';
  for (const mark of MARKS) {
    const value = element.getAttribute(mark)?.toLowerCase() ?? '';
    if (Object.hasOwn(WORDS, value)) return WORDS[value] ?? null;
  }
  // A class of the page, not of any box: "light" is too common a word elsewhere.
  if (element !== document.documentElement && element !== document.body) return element.classList.contains('dark') ? 'dark' : null;
  for (const [name, theme] of Object.entries(CLASSES)) if (element.classList.contains(name)) return theme;
  return null;
}

/** The nearest mark around the element, through shadow roots; null where there is none. */
export function themeAround(element: Element): Theme | null {
  let at: Node | null = element.parentNode;
  while (at) {
    const mark = at instanceof Element ? markOf(at) : null;
    if (mark) return mark;
    at = at instanceof ShadowRoot ? at.host : at.parentNode;
  }
  return null;
}

export class HostTheme {
  readonly #watch: MutationObserver;
  readonly #system = matchMedia('(prefers-color-scheme: dark)');

  constructor(private readonly host: Element, private readonly changed: () => void) {
    this.#watch = new MutationObserver(() => this.changed());
  }

  get theme(): Theme {
    return themeAround(this.host) ?? (this.#system.matches ? 'dark' : 'light');
  }

  connect(): void {
    this.#system.addEventListener('change', this.changed);
    for (let at: Element | null = this.host.parentElement; at; at = at.parentElement) this.#watch.observe(at, { attributeFilter: FILTER });
  }

  disconnect(): void {
    this.#system.removeEventListener('change', this.changed);
    this.#watch.disconnect();
  }
}
