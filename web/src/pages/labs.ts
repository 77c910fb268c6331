// The page of labs, and that of training: one sentence for all labs of a page, and an address that says which was set how.
import '../element/define.ts';
import type { AttentionPlayground } from '../element/element.ts';
import { readLabLink, writeLabLink } from '../link/fields.ts';
import { isLab } from '../state/views.ts';
import { keepOffline, languageSwitch, themeSwitch } from './switches.ts';

const WRITE_AFTER_MS = 300;

const labs = [...document.querySelectorAll('attention-playground')];
const toggle = document.querySelector<HTMLButtonElement>('#theme');
const list = document.querySelector<HTMLSelectElement>('#language');
const status = document.querySelector<HTMLElement>('.language-status');
const linkedLanguage = list && status ? languageSwitch(list, status, document.querySelector('main')?.dataset['page'] ?? 'labs') : () => '';

let written = '';
let timer = 0;

/** Also with the lab that it comes from, which else takes no earlier sentence again. */
function share(text: string): void {
  for (const lab of labs) lab.text = text;
}

// What the address names stays at the top while labs above it come and grow, until the reader moves away.

const page = document.documentElement;
let [top, height, watch] = [0, 0, 0];

/** An observer of the page's size would report each lab's own drawing as a loop of sizes. */
function hold(place: Element): void {
  const again = () => {
    place.scrollIntoView();
    [top, height] = [scrollY, page.scrollHeight];
  };
  leave();
  again();
  watch = window.setInterval(() => { if (page.scrollHeight !== height) again(); }, 100);
}

function leave(): void {
  clearInterval(watch);
}

function readFragment(): void {
  if (location.hash === written) return;
  const place = document.getElementById(location.hash.slice(1));
  if (place) return hold(place);
  const link = readLabLink(location.hash);
  if (!link) return;
  if (link.text !== null) share(link.text);
  const lab = labs.find(({ view }) => view === link.view);
  if (!lab) return;
  lab.preset = link.preset;
  hold(lab.closest('section') ?? lab);
}

// Browsers refuse addresses that change at every keystroke.
function writeFragment({ view, text, preset }: AttentionPlayground): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    written = writeLabLink({ view, text, preset }) + linkedLanguage();
    history.replaceState(null, '', written);
  }, WRITE_AFTER_MS);
}

for (const lab of labs) {
  lab.addEventListener('attention-change', () => {
    if (!isLab(lab.view)) return;
    const { text, preset } = lab;
    share(text);
    Object.assign(lab, { preset });
    writeFragment(lab);
  });
}
readFragment();
addEventListener('hashchange', readFragment);
for (const kind of ['wheel', 'touchmove', 'pointerdown', 'keydown']) addEventListener(kind, leave, { passive: true, capture: true });
addEventListener('scroll', () => {
  if (scrollY !== top && page.scrollHeight === height) leave();
}, { passive: true });
if (toggle) themeSwitch(toggle, (choice) => labs.forEach((lab) => { lab.theme = choice; }));
keepOffline(document.querySelector('#offline'), window, 'load');
