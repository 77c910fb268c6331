// The page around the element: its address's fragment, its language and its theme. The element's own script, in somebody
// else's page, touches neither that page's address nor its focus.
import '../element/define.ts';
import { decode, encode, leftOut } from '../link/fragment.ts';
import { writeFields } from '../link/address.ts';
import { writeLabLink } from '../link/fields.ts';
import { keepOffline, languageSwitch, themeSwitch } from './switches.ts';
import { opensNext } from './opens.ts';

const WRITE_AFTER_MS = 300;
/** For an address without settings: designed heads, not random ones. */
const OPENING = '#v1&parameters=designed';
/** The lesson's sentence, its words and the one that looks back. */
const SENTENCES: Readonly<Record<string, string>> = {
  'es': '&text=Ana+sacó+el+libro+del+cajón+y+lo+leyó&tokens=0.3.1.4.1.2.1.5.1.3.1.5.1.1.1.2.1.4&row=8',
  'zh-Hans': '&text=这只动物没有过马路，因为它太累了&tokens=0.2.0.2.0.2.0.1.0.2.0.1.0.2.0.1.0.1.0.1.0.1&row=8',
};
const saysNothing = (hash: string): boolean => /^#?(?:lang=[\w-]+)?$/.test(hash);

const playground = document.querySelector('attention-playground');
const toggle = document.querySelector<HTMLButtonElement>('#theme');
const list = document.querySelector<HTMLSelectElement>('#language');
const status = document.querySelector<HTMLElement>('.language-status');
const linkedLanguage = list && status ? languageSwitch(list, status, 'playground') : () => '';

opensNext('playground');
if (playground) {
  const { text } = playground;
  const opening = () => ({ settings: {}, selection: {}, notice: null, text, ...decode(OPENING + (SENTENCES[list?.value ?? ''] ?? '')) });
  /** The address that says what is shown; null before any does. */
  let written: string | null = null;
  let seen = '';
  let timer = 0;

  const readFragment = (isBack: boolean) => {
    seen = location.hash;
    if (location.hash === written) return;
    const isPlace = location.hash.length > 1 && document.getElementById(location.hash.slice(1)) !== null;
    if (isPlace && isBack) return;
    // A link that names only a language keeps what is shown; going back to an address without settings shows what the page opened with.
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
    if (add) add.href = `teach.html#${writeFields([['add', state]])}`;
    for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a[href^="labs.html"]')) link.href = playground.text === text ? 'labs.html' : `labs.html${writeLabLink({ view: 'lab-scale', text: playground.text, preset: '' })}`;
  };
  for (const type of ['pointerdown', 'keydown', 'focusin']) document.addEventListener(type, carry, true);
}

if (playground && toggle) themeSwitch(toggle, (choice) => { playground.theme = choice; });
