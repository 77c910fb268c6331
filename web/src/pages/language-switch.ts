// The list in the header that says which language the page speaks: what a link asks for, or else what was chosen here
// before, or else the first of the browser's languages that the page speaks.
import { msg } from '@lit/localize';
import { LANGUAGES, type Language, firstSpoken, language, languageOf, missingLanguage, onLanguage, speak } from '../lib/language.ts';

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
    keep(list.value);
    void take(list.value as Language);
  });
  name();
  onLanguage(() => {
    name();
    words?.say(page);
  });
  addEventListener('hashchange', follow);
  if (!follow()) void take(recall() ?? firstSpoken(navigator.languages) ?? 'en');
  list.hidden = false;
  return () => (isInLink ? `&lang=${list.value}` : '');
}

const inLink = (hash: string): Language | null => languageOf(/[#&]lang=([\w-]+)/.exec(hash)?.[1] ?? '');

function recall(): Language | null {
  try {
    return languageOf(localStorage.getItem(KEPT) ?? '');
  } catch {
    return null;
  }
}

function keep(chosen: string): void {
  try {
    localStorage.setItem(KEPT, chosen);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}
