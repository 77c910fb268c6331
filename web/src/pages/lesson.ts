// The front page: a lesson, in the language of the page, at the step that the address says. The element comes behind its
// first screen, for the steps that show it.
import { Engine } from '../engine/engine.ts';
import { adopt, atMost } from '../lib/dom.ts';
import { language, languageLoading, onLanguage } from '../lib/language.ts';
import { writeLabLink } from '../link/fields.ts';
import { type Place, lessonIn, readPlace, writePlace } from '../link/lesson-place.ts';
import type { Lesson } from '../lesson/lesson.ts';
import { Player } from '../lesson/player.ts';
import { shippedLesson } from '../lesson/shipped.ts';
import { lessonStyles } from '../lesson/styles.ts';
import { theme } from '../ui/styles/theme.ts';
import { keepOffline, languageSwitch, themeSwitch } from './switches.ts';
import { opensAt, opensNext } from './opens.ts';

/** Until then it does not begin in a language that is about to change. */
const PATIENCE_MS = 2000;

const host = document.querySelector<HTMLElement>('#lesson') as HTMLElement;
const toggle = document.querySelector<HTMLButtonElement>('#theme');
const list = document.querySelector<HTMLSelectElement>('#language');
const status = document.querySelector<HTMLElement>('.language-status');
const linkedLanguage = list && status ? languageSwitch(list, status, 'lesson') : () => '';
const dark = matchMedia('(prefers-color-scheme: dark)');

const root = document.createElement('div');
root.className = 'root whole';
root.lang = language();
adopt(host.attachShadow({ mode: 'open' }), [theme, lessonStyles]);
host.shadowRoot?.append(root);

/** What the address says of the lesson itself: another one than the page's own. */
let own = '';
let written = '';

const playground = (state: string): string => `playground.html${state}${linkedLanguage()}`;

const player = new Player(root, Engine.load(), {
  moved: (place) => show(place, true),
  playground,
  ready: () => {
    void import('../element/define.ts');
    host.dispatchEvent(new Event('lesson-ready', { bubbles: true }));
  },
});

/** The address, the header and the next visit follow the reader. */
function show(place: Place, isMove: boolean): void {
  const address = writePlace(place, own) + linkedLanguage();
  const isOther = readPlace(location.hash)?.step !== place.step;
  written = address;
  if (isMove) history[isOther ? 'pushState' : 'replaceState'](null, '', address);
  if (own === '') opensNext(place.step);
  for (const each of [document.documentElement, host]) each.toggleAttribute('data-presenter', place.presenter);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="playground.html"]')) link.href = playground(player.state);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="labs.html"]')) link.href = place.text === null ? 'labs.html' : `labs.html${writeLabLink({ view: 'lab-scale', text: place.text, preset: '' })}`;
}

/** Counts addresses: of several that are being opened, the last is played. */
let openings = 0;

async function open(): Promise<void> {
  const opening = (openings += 1);
  if (location.hash !== '' && location.hash === written) return;
  const loading = player.lesson ? null : languageLoading();
  if (loading) await atMost(PATIENCE_MS, loading);
  const place: Partial<Place> = readPlace(location.hash) ?? { step: opensAt() };
  try {
    const packed = own = lessonIn(location.hash);
    const lesson: Lesson = packed === '' ? await shippedLesson() : await (await import('../lesson/format.ts')).lessonOf(packed);
    if (opening !== openings) return;
    root.lang = lesson.lang || language();
    player.play(lesson, { shown: false, ...place });
    show(player.place, false);
  } catch (error) {
    if (opening === openings) player.fail(error instanceof Error ? error.message : String(error));
  }
}

addEventListener('hashchange', () => void open());
addEventListener('popstate', () => void open());
addEventListener('keydown', (event) => player.key(event));
onLanguage(() => {
  // Before a step's figure looks which language is spoken around it.
  root.lang = (own === '' ? '' : player.lesson?.lang) || language();
  // It begins in this one.
  if (!player.lesson) return;
  const spoken = language();
  void shippedLesson().then((lesson) => {
    if (language() !== spoken) return;
    player.play(own === '' ? lesson : player.lesson ?? lesson);
    show(player.place, false);
  });
});
const paint = () => {
  const { theme: choice } = document.documentElement.dataset;
  const seen = choice === 'dark' || (choice !== 'light' && dark.matches) ? 'dark' : 'light';
  root.dataset['theme'] = seen;
  player.theme = seen;
};
dark.addEventListener('change', paint);
if (toggle) themeSwitch(toggle, paint);
else paint();
keepOffline(document.querySelector('#offline'), host, 'lesson-ready');
void open();
