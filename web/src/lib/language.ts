// Which language the page speaks. English stands in the code; each of the others is one file beside the script, which
// comes when it is first wanted. Every script of a page shares what is known here: it may hold several copies of this file.
import { type LocaleModule, msg, str } from '@lit/localize';
import { configureReentrantLocalization } from '@lit/localize/init/reentrant.js';
import { bringScript } from './load-script.ts';

/** Each by its own name. */
export const LANGUAGES = { en: 'English', 'zh-Hans': '简体中文', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

interface Spoken {
  language: Language;
  /** The one that is on its way, or the one in use. */
  wanted: Language;
  loading: Promise<boolean> | null;
  readonly catalogues: Map<string, LocaleModule>;
  readonly listeners: Set<() => void>;
}

const HERE = Symbol.for('attention-playground.language');
const page = globalThis as { [HERE]?: Spoken };
const spoken: Spoken = (page[HERE] ??= { language: 'en', wanted: 'en', loading: null, catalogues: new Map(), listeners: new Set() });

configureReentrantLocalization({
  sourceLocale: 'en',
  targetLocales: Object.keys(LANGUAGES).filter((each) => each !== 'en'),
  getLocale: () => spoken.language,
  loadLocaleSync: (language) => spoken.catalogues.get(language),
});

/** The language in use. */
export const language = (): Language => spoken.language;

/** A promise until the requested language is loaded; null if it is. Never rejects. */
export const languageLoading = (): Promise<boolean> | null => spoken.loading;

/**
 * Takes up a language. Everything stays as it is until its words are there, and also when they cannot be loaded.
 * @param besides brings what else has to be there
 * @returns whether they could be loaded; when another language was asked for meanwhile, that one is taken up
 */
export function speak(wanted: Language, besides?: () => Promise<unknown>): Promise<boolean> {
  if (wanted === spoken.wanted) return spoken.loading ?? Promise.resolve(true);
  spoken.wanted = wanted;
  if (!besides && isKnown(wanted)) {
    spoken.loading = null;
    take(wanted);
    return Promise.resolve(true);
  }
  const loading = load(wanted, besides).finally(() => {
    if (spoken.loading === loading) spoken.loading = null;
  });
  spoken.loading = loading;
  return loading;
}

const isKnown = (wanted: Language): boolean => wanted === 'en' || spoken.catalogues.has(wanted);

/** Written out, so that bundlers see which files belong to the script. */
const FILES = {
  es: () => new URL('language-es.js', import.meta.url),
  'zh-Hans': () => new URL('language-zh-Hans.js', import.meta.url),
} as const satisfies Record<Exclude<Language, 'en'>, () => URL>;

async function load(wanted: Language, besides?: () => Promise<unknown>): Promise<boolean> {
  try {
    await Promise.all([besides?.(), bring(wanted)]);
  } catch {
    if (spoken.wanted !== wanted) return true;
    spoken.wanted = spoken.language;
    return false;
  }
  if (spoken.wanted === wanted) take(wanted);
  return true;
}

async function bring(wanted: Language): Promise<void> {
  if (wanted === 'en' || isKnown(wanted)) return;
  const address = FILES[wanted]();
  // The file puts its words into the catalogues by itself.
  await bringScript(address);
  if (!spoken.catalogues.has(wanted)) throw new Error(address.href);
}

function take(wanted: Language): void {
  if (wanted === spoken.language) return;
  spoken.language = wanted;
  for (const listener of [...spoken.listeners]) listener();
}

/** What is said there is said in English, whatever the page speaks. */
export function inEnglish<Said>(say: () => Said): Said {
  const { language } = spoken;
  spoken.language = 'en';
  try {
    return say();
  } finally {
    spoken.language = language;
  }
}

/** Calls when another language is in use. @returns what ends that */
export function onLanguage(listener: () => void): () => void {
  spoken.listeners.add(listener);
  return () => spoken.listeners.delete(listener);
}

/** The language that a tag asks for: es-MX is es, zh-CN is zh-Hans; null for one that the page does not speak. */
export function languageOf(tag: string): Language | null {
  // The browser's tables take milliseconds to open, and so does an error: most tags need neither.
  const [, plain] = /^(en|es)(?:-[a-z\d]{2,8})*$/i.exec(tag) ?? [];
  if (plain) return plain.toLowerCase() as Language;
  if (tag === '') return null;
  try {
    const { language: name, script } = new Intl.Locale(tag).maximize();
    if (name === 'zh') return script === 'Hans' ? 'zh-Hans' : null;
    return name === 'en' || name === 'es' ? name : null;
  } catch {
    return null;
  }
}

/** Said in the language that stays. */
export const missingLanguage = (wanted: Language): string =>
  msg(str`${LANGUAGES[wanted]} could not be loaded, so the language stays as it is. Check that you are online, and choose it again.`);

/** The first of these that the page speaks. */
export const firstSpoken = (tags: readonly string[]): Language | null =>
  tags.map(languageOf).find((each) => each !== null) ?? null;

/** What the nearest `lang` around an element asks for that the page speaks, through shadow roots; English without any. */
export function languageAround(element: Element): Language {
  for (let at: Element | null = element; at; at = parentOf(at)) {
    const found = languageOf(at.getAttribute('lang') ?? '');
    if (found) return found;
  }
  return 'en';
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
