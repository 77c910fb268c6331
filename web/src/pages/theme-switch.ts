// The button that turns the page light or dark, and remembers.
import { msg, str } from '@lit/localize';
import { onLanguage } from '../lib/language.ts';

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
  let choice = recall();
  onLanguage(name);
  take(choice);
  toggle.addEventListener('click', () => {
    const seen = choice === 'auto' ? (dark.matches ? 'dark' : 'light') : choice;
    const other: Choice = seen === 'dark' ? 'light' : 'dark';
    // Back to what the system says as soon as that looks the same.
    choice = (other === 'dark') === dark.matches ? 'auto' : other;
    take(choice);
    keep(choice);
  });
}

function recall(): Choice {
  try {
    const kept = localStorage.getItem('attention-theme');
    return THEMES.find((name) => name === kept) ?? 'auto';
  } catch {
    return 'auto';
  }
}

function keep(choice: Choice): void {
  try {
    localStorage.setItem('attention-theme', choice);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}
