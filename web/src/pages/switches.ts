// What the header of each page lets its reader choose: the language and the theme. And what keeps the page on the device.
import { msg, str } from '@lit/localize';
import { LANGUAGES, type Language, firstSpoken, language, languageOf, missingLanguage, onLanguage, speak } from '../lib/language.ts';
import { fieldOf } from '../link/fields.ts';

// The list in the header that says which language the page speaks: what a link asks for, or else what was chosen here
// before, or else the first of the browser's languages that the page speaks.

const KEPT = 'attention-language';

/** @returns what the page's address says of its language: a link that asked for one goes on asking */
export function languageSwitch(list: HTMLSelectElement, status: HTMLElement, page: string): () => string {
  let isInLink = false;
  /** The page's own words, which come when it is to speak another language than it was built in. */
  let words: typeof import('./live-prose.ts') | null = null;
  const bringWords = async () => {
    words ??= await import('./live-prose.ts');
  };
  const name = () => list.setAttribute('aria-label', msg('Language'));
  const take = async (wanted: Language): Promise<void> => {
    status.textContent = '';
    list.value = wanted;
    const isThere = await speak(wanted, words || wanted === 'en' ? undefined : bringWords);
    if (list.value !== wanted) return;
    if (!isThere) status.textContent = missingLanguage(wanted);
    list.value = language();
    document.documentElement.lang = language();
  };
  const follow = () => {
    const asked = inLink(location.hash);
    if (!asked) return null;
    isInLink = true;
    void take(asked);
    return asked;
  };

  list.append(...Object.entries(LANGUAGES).map(([tag, own]) => {
    const option = new Option(own, tag);
    option.lang = tag;
    return option;
  }));
  list.addEventListener('change', () => {
    keepLanguage(list.value);
    void take(list.value as Language);
  });
  name();
  onLanguage(() => {
    name();
    words?.say(page);
  });
  addEventListener('hashchange', follow);
  if (!follow()) void take(recallLanguage() ?? firstSpoken(navigator.languages) ?? 'en');
  list.hidden = false;
  return () => (isInLink ? `&lang=${list.value}` : '');
}

const inLink = (hash: string): Language | null => languageOf(fieldOf(hash, 'lang') ?? '');

function recallLanguage(): Language | null {
  try {
    return languageOf(localStorage.getItem(KEPT) ?? '');
  } catch {
    return null;
  }
}

function keepLanguage(chosen: string): void {
  try {
    localStorage.setItem(KEPT, chosen);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

// The button that turns the page light or dark, and remembers.

const THEMES = ['auto', 'light', 'dark'] as const;
export type Choice = (typeof THEMES)[number];
const WORDS: Record<Choice, () => string> = {
  auto: () => msg('Theme: as your system'), light: () => msg('Theme: light'), dark: () => msg('Theme: dark'),
};

/** `show` is told at once, and after every press. */
export function themeSwitch(toggle: HTMLButtonElement, show: (choice: Choice) => void): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const name = () => {
    toggle.title = WORDS[choice]();
    toggle.setAttribute('aria-label', msg(str`${WORDS[choice]()}. Change it`));
  };
  const take = (choice: Choice) => {
    document.documentElement.dataset['theme'] = choice;
    name();
    show(choice);
  };
  let choice = recallTheme();
  onLanguage(name);
  take(choice);
  toggle.addEventListener('click', () => {
    const seen = choice === 'auto' ? (dark.matches ? 'dark' : 'light') : choice;
    const other: Choice = seen === 'dark' ? 'light' : 'dark';
    // Back to what the system says as soon as that looks the same.
    choice = (other === 'dark') === dark.matches ? 'auto' : other;
    take(choice);
    keepTheme(choice);
  });
}

function recallTheme(): Choice {
  try {
    const kept = localStorage.getItem('attention-theme');
    return THEMES.find((name) => name === kept) ?? 'auto';
  } catch {
    return 'auto';
  }
}

function keepTheme(choice: Choice): void {
  try {
    localStorage.setItem('attention-theme', choice);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

// Asks the browser to keep the page for use without a network, and says so once it is kept. Only for the page itself:
// an element in somebody else's page keeps nothing.

/** Where a page is worked on, and every build is to be seen at once. */
const AT_HOME = ['localhost', '127.0.0.1', '[::1]'];

/** Once `first` has sent `event`: nothing is in a hurry then. Not where the reader saves data, or the browser cannot. */
export function keepOffline(line: HTMLElement | null, first: EventTarget, event: string): void {
  const saving = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
  if (!('serviceWorker' in navigator) || AT_HOME.includes(location.hostname) || saving) return;
  const say = () => {
    if (!line) return;
    line.textContent = msg('Kept on this device: this page opens and works without a network. Your browser can install it as an app, too.');
    line.hidden = false;
  };
  void navigator.serviceWorker.ready.then(() => {
    say();
    addEventListener('lit-localize-status', say);
  });
  first.addEventListener(event, () => {
    const later = typeof requestIdleCallback === 'function' ? requestIdleCallback : (act: () => void) => setTimeout(act, 1000);
    // Refused where storage is forbidden: the page then works as before.
    later(() => void navigator.serviceWorker.register('service-worker.js', { updateViaCache: 'none' }).catch(() => {}));
  }, { once: true });
}
