// The page around the element: its address's fragment and its theme switch. The element's own script, in somebody
// else's page, touches neither that page's address nor its focus.
import './early.ts';
import './shared.ts';
import './attention-playground.define.ts';
import { decode, encode } from './fragment.ts';

const WRITE_AFTER_MS = 300;
const THEMES = ['auto', 'light', 'dark'] as const;
type Choice = (typeof THEMES)[number];

const playground = document.querySelector('attention-playground');
const toggle = document.querySelector<HTMLButtonElement>('#theme');

if (playground) {
  let written = '';
  let seen = '';
  let timer = 0;

  const readFragment = () => {
    seen = location.hash;
    if (location.hash === written || (location.hash.length > 1 && document.getElementById(location.hash.slice(1)))) return;
    const reading = decode(location.hash);
    if (reading) playground.restore(reading);
  };
  // Browsers refuse addresses that change at every keystroke.
  const writeFragment = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      // A link that was just followed is still to be read.
      if (location.hash !== seen) return;
      written = seen = encode(playground.state);
      history.replaceState(null, '', written);
    }, WRITE_AFTER_MS);
  };

  readFragment();
  addEventListener('hashchange', readFragment);
  let opened = false;
  const changed = () => {
    // The first picture is the address's own, or the default: there is nothing to write yet.
    if (opened) writeFragment();
    opened = true;
  };
  playground.addEventListener('attention-change', changed);
  playground.addEventListener('attention-select', changed);
  // A phone's keyboard would hide the figure; a mouse's reader may start typing.
  if (matchMedia('(pointer: fine)').matches) void playground.updateComplete.then(() => playground.focus({ preventScroll: true }));
}

if (playground && toggle) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const show = (choice: Choice) => {
    document.documentElement.dataset['theme'] = choice;
    playground.theme = choice;
    toggle.setAttribute('aria-label', `Theme: ${choice === 'auto' ? 'as your system' : choice}. Change it`);
    toggle.title = `Theme: ${choice === 'auto' ? 'as your system' : choice}`;
  };
  let choice = recall();
  show(choice);
  toggle.addEventListener('click', () => {
    const seen = choice === 'auto' ? (dark.matches ? 'dark' : 'light') : choice;
    const other: Choice = seen === 'dark' ? 'light' : 'dark';
    // Back to what the system says as soon as that looks the same.
    choice = (other === 'dark') === dark.matches ? 'auto' : other;
    show(choice);
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
