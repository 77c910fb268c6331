// Puts the page's words into the page, in the language in use.
import { render } from 'lit';
import { PAGE_WORDS, TITLES } from './prose.ts';

const taken = new WeakSet<Element>();

export function say(page: string): void {
  document.title = TITLES[page]?.() ?? document.title;
  for (const place of document.querySelectorAll<HTMLElement>('[data-words]')) {
    const words = PAGE_WORDS[place.dataset['words'] ?? ''];
    if (!words) continue;
    // What the build wrote there goes once.
    if (!taken.has(place)) place.replaceChildren();
    taken.add(place);
    render(words(), place);
  }
}
