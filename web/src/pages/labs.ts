// The page of labs, and that of training: one sentence for all labs of a page, and an address that says which was set how.
import '../element/define.ts';
import type { AttentionPlayground } from '../element/element.ts';
import { readLabLink, writeLabLink } from '../link/cells.ts';
import { isLab } from '../state/views.ts';
import { keepOffline } from './keep-offline.ts';
import { languageSwitch, themeSwitch } from './switches.ts';

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

function readFragment(): void {
  if (location.hash === written || document.getElementById(location.hash.slice(1))) return;
  const link = readLabLink(location.hash);
  if (!link) return;
  if (link.text !== null) share(link.text);
  const lab = labs.find(({ view }) => view === link.view);
  if (!lab) return;
  lab.preset = link.preset;
  // Those above it have their height only now.
  void Promise.all(labs.map(({ updateComplete }) => updateComplete)).then(() => lab.scrollIntoView());
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
if (toggle) themeSwitch(toggle, (choice) => labs.forEach((lab) => { lab.theme = choice; }));
keepOffline(document.querySelector('#offline'), window, 'load');
