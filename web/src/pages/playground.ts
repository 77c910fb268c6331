// The page around the element: its address's fragment, its language and its theme. The element's own script, in somebody
// else's page, touches neither that page's address nor its focus.
import '../element/define.ts';
import { decode, encode, leftOut } from '../link/fragment.ts';
import { writeLabLink } from '../link/cells.ts';
import { keepOffline } from './keep-offline.ts';
import { languageSwitch, themeSwitch } from './switches.ts';
import { opensNext } from './opens.ts';

const WRITE_AFTER_MS = 300;
/** What an address shows that says nothing of the figure: not random heads. */
const OPENING = '#v1&parameters=designed';
const saysNothing = (hash: string): boolean => /^#?(?:lang=[\w-]+)?$/.test(hash);

const playground = document.querySelector('attention-playground');
const toggle = document.querySelector<HTMLButtonElement>('#theme');
const list = document.querySelector<HTMLSelectElement>('#language');
const status = document.querySelector<HTMLElement>('.language-status');
const linkedLanguage = list && status ? languageSwitch(list, status, 'playground') : () => '';

opensNext('playground');
if (playground) {
  const { text } = playground;
  const opening = () => ({ settings: {}, selection: {}, notice: null, ...decode(OPENING), text });
  /** The address that says what is shown; null before any does. */
  let written: string | null = null;
  let seen = '';
  let timer = 0;

  const readFragment = (isBack: boolean) => {
    seen = location.hash;
    if (location.hash === written) return;
    const isPlace = location.hash.length > 1 && document.getElementById(location.hash.slice(1)) !== null;
    if (isPlace && isBack) return;
    // A link may say a language alone, of what is seen; back to an address that says nothing: as the page opened.
    playground.restore(isBack || !(isPlace || saysNothing(location.hash)) ? decode(location.hash) ?? opening() : opening());
  };
  // Browsers refuse addresses that change at every keystroke.
  const writeFragment = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      // A link that was just followed is still to be read.
      if (location.hash !== seen) return;
      written = seen = encode(playground.state) + linkedLanguage();
      history.replaceState(null, '', written);
    }, WRITE_AFTER_MS);
  };

  playground.linkTo = (state) => ({ address: `${location.href.split('#')[0]}${encode(state)}${linkedLanguage()}`, without: leftOut(state) });
  playground.takeDrops(window);
  keepOffline(document.querySelector('#offline'), playground, 'attention-ready');
  readFragment(false);
  addEventListener('hashchange', () => readFragment(true));
  let opened = false;
  const changed = () => {
    // The first picture is the address's own, or the default: there is nothing to write yet.
    if (opened) writeFragment();
    opened = true;
  };
  playground.addEventListener('attention-change', changed);
  playground.addEventListener('attention-select', changed);
  // What is seen becomes a step of a lesson, and its sentence is that of the labs.
  const carry = ({ target }: Event) => {
    if (!(target instanceof Element && target.closest('a'))) return;
    const state = encode(playground.state);
    const add = document.querySelector<HTMLAnchorElement>('.add-to-lesson');
    if (add) add.href = `teach.html#add=${encodeURIComponent(state)}`;
    for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a[href^="labs.html"]')) link.href = playground.text === text ? 'labs.html' : `labs.html${writeLabLink({ view: 'lab-scale', text: playground.text, preset: '' })}`;
  };
  for (const type of ['pointerdown', 'keydown', 'focusin']) document.addEventListener(type, carry, true);
  // A phone's keyboard would hide the figure; a mouse's reader may start typing.
  if (matchMedia('(pointer: fine)').matches) void playground.updateComplete.then(() => playground.focus({ preventScroll: true }));
}

if (playground && toggle) themeSwitch(toggle, (choice) => { playground.theme = choice; });
