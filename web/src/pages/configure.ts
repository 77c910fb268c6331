// The page that writes snippets: what is chosen makes the figure, the figure changed by hand changes what is chosen, and the
// address holds it. The figure itself comes from embed/, the very script that authors copy.
import { msg } from '@lit/localize';
import { render } from 'lit';
import { languageLoading, onLanguage } from '../lib/language.ts';
import { save } from '../ui/export/files.ts';
import { switchStyles } from '../ui/styles/settings.ts';
import { type Chosen, START, type Said, readChosen, widthOf, withSaid, writeChosen } from './configurator/choices.ts';
import { type Hashes, OWN_FILE, copying, foreignIn, suggestedFallback } from './configurator/copy.ts';
import { panel } from './configurator/panel.ts';
import { Frame, Live, frameTools } from './configurator/preview.ts';
import { keepOffline, languageSwitch, themeSwitch } from './switches.ts';

const WRITE_AFTER_MS = 300;
const at = <Found extends HTMLElement>(selector: string) => document.querySelector(selector) as Found;

/** No wider than this screen has room for, unless the address says so. */
const start = (): Chosen => ({ ...START, width: Math.min(START.width, widthOf(at('.frame-scroll').clientWidth - at('.edge').offsetWidth)) });

let chosen: Chosen = readChosen(location.hash, start()) ?? start();
/** What a link has set, not the author. */
let linked = foreignIn(chosen);
let drafts: Readonly<Record<string, string>> = {};
let hashes: Hashes = null;
let [written, timer] = ['', 0];

const linkedLanguage = languageSwitch(at<HTMLSelectElement>('#language'), at('.language-status'), 'configure');
const live = new Live(at('#figure'), (said) => {
  chosen = { ...chosen, said: withSaid(chosen.said, said) };
  live.heard(chosen.said);
  show();
});
const frame = new Frame(at('.frame-view'), at('.edge'), (width) => choose({ width: widthOf(width) }));

function choose(part: Partial<Chosen>): void {
  chosen = { ...chosen, ...part };
  live.show(chosen.said, fallback());
  show();
}

const say = (said: Said) => choose({ said: withSaid(chosen.said, said) });
const fallback = () => chosen.fallback.trim() || suggestedFallback(chosen.said);

function draft(name: string, text?: string): void {
  const { [name]: _, ...others } = drafts;
  drafts = text === undefined ? others : { ...others, [name]: text };
  show();
}

/** Everything on the page but the figure. */
function show(): void {
  render(panel(chosen, suggestedFallback(chosen.said), drafts, { say, choose, draft }), at('#choices'));
  render(frameTools(chosen.width, (width) => choose({ width })), at('#frame-tools'));
  render(copying(chosen, hashes, live.hasMore, linked, { choose, copy: (code, place) => void copy(code, place), save: () => save(OWN_FILE, live.given) }), at('#snippets'));
  frame.show(chosen.width);
  clearTimeout(timer);
  // Browsers refuse addresses that change at every keystroke.
  timer = window.setTimeout(() => {
    written = writeChosen(chosen) + linkedLanguage();
    history.replaceState(null, '', written);
  }, WRITE_AFTER_MS);
}

async function copy(code: string, place: Element): Promise<void> {
  const status = at('#copied');
  status.textContent = '';
  try {
    await navigator.clipboard.writeText(code);
    status.textContent = msg('Copied.');
  } catch {
    getSelection()?.selectAllChildren(place);
    status.textContent = msg('Your browser does not let a page copy. The lines are selected: copy them with Ctrl+C or ⌘C.');
  }
}

async function loadHashes(): Promise<void> {
  try {
    const found = await (await fetch('embed/sri.json')).json() as unknown;
    hashes = Object.fromEntries(Object.entries(found as object).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
    show();
  } catch {
    // The note beside the field says so.
  }
}

// The switches are those of the figure, here outside of it.
const sheet = new CSSStyleSheet();
sheet.replaceSync(`.workbench { ${switchStyles.cssText} }`);
document.adoptedStyleSheets.push(sheet);

addEventListener('hashchange', () => {
  if (location.hash === written) return;
  const read = readChosen(location.hash, start());
  if (read) linked = foreignIn(read);
  choose(read ?? {});
});
onLanguage(() => choose({}));
themeSwitch(at<HTMLButtonElement>('#theme'), () => {});
// A figure asks for the language around it, which is known once its words are there.
void Promise.resolve(languageLoading()).then(() => choose({}));
void loadHashes();
addEventListener('load', () => {
  if (!customElements.get('attention-playground')) at('#missing').textContent = msg('The figure’s script could not be loaded. Check that you are online, and load this page again.');
});
keepOffline(at('#offline'), window, 'load');
