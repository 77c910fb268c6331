// In a stranger's page, each lab and the lesson say in every engine what they say in Chromium, whose numbers tests/labs holds
// to the double reference. Labs: as they come, with another sentence, and with another choice. The lesson: its seven steps,
// the first answered with a guess, the others by the button.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LABS } from '../../web/src/state/views.ts';
import { DIST, host } from '../lib/embedded.ts';
import { type Engine, type Tab, openEngine, wantedEngines } from '../lib/engines.ts';
import { type Served, serve } from '../lib/serve.ts';

const pages = {
  'lesson.html': host('<attention-playground view="lesson" loading="eager"></attention-playground>'),
  ...Object.fromEntries(LABS.map((view) => [`${view}.html`, host(`<attention-playground view="${view}" text="the cat sat on the mat" loading="eager" ${view === 'training' ? 'lesson="heads" at-step="20"' : ''}></attention-playground>`)])),
};

// Labs.

/** All words and numbers that are seen, text by text, once nothing is on its way; engines differ in where they break lines. */
const said = () => {
  const lab = document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>('.lab');
  if (!lab?.querySelector('.lab-frame') || !lab.querySelector(':scope > [aria-busy=false]') || lab.matches('.waiting')) return null;
  const texts: string[] = [];
  for (const walker = document.createTreeWalker(lab, NodeFilter.SHOW_TEXT); walker.nextNode();) {
    const { parentElement, data } = walker.currentNode as Text;
    if (data.trim() && parentElement?.checkVisibility({ visibilityProperty: true })) texts.push(data.trim().replace(/\s+/g, ' '));
  }
  return texts.join('\n');
};

/** Until two looks, a few frames apart, say the same, and something other than before. */
async function settled(tab: Tab, other = ''): Promise<string> {
  for (let before = other, until = Date.now() + 20_000; Date.now() < until;) {
    const now = await tab.waitFor(said) ?? '';
    if (now !== other && now === before) return now;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  throw new Error(other ? 'What is done in the lab changes nothing, or it does not come to rest' : 'The lab does not come to rest');
}

/** The last choice that is not made yet; without choices, the second thing to try (another may be how the lab comes), or the first button. */
const choose = () => {
  const lab = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.lab');
  const seen = (selector: string) => [...lab?.querySelectorAll<HTMLElement>(selector) ?? []].filter((each) => each.checkVisibility());
  const others = 'label:has(input[type=radio]:not(:checked, :disabled))';
  // Another pace of training changes no number.
  return (seen(`.training-option ${others}`).at(-1) ?? seen(others).at(-1) ?? seen('.lab-tries button')[1] ?? seen('button:not(:disabled)')[0]);
};
const field = () => document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>('.lab-sentence textarea');

async function visit(engine: Engine, address: string): Promise<{ came: string; typed: string; chosen: string }> {
  const tab = await engine.newTab();
  await tab.goto(address);
  const came = await settled(tab);
  let typed = came;
  if (await tab.evaluate(() => Boolean(document.querySelector('attention-playground')?.shadowRoot?.querySelector('.lab-sentence textarea')))) {
    await tab.click(field);
    await tab.press('Control+a');
    await tab.type('she gave him the very old book');
    // Not every question names a word.
    typed = await settled(tab, address.includes('quiz') ? '' : came);
  }
  await tab.click(choose);
  const chosen = await settled(tab, typed);
  assert.deepEqual(await tab.problems(), []);
  await tab.close();
  return { came, typed, chosen };
}

// The lesson.

const STEPS = ['it', 'choose', 'scale', 'future', 'heads', 'learn', 'trained'];

/** All words and numbers of the step that are seen, in the figure's own tree too; null while something is on its way. */
const saidByStep = () => {
  const lesson = document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>('.lesson-place:not([data-waiting]) .lesson');
  if (!lesson) return null;
  const texts: string[] = [lesson.querySelector('article')?.getAttribute('data-step') ?? ''];
  const read = (root: Node): boolean => {
    for (const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT); walker.nextNode();) {
      const node = walker.currentNode;
      if (node instanceof Element) {
        if (node.matches('attention-playground') && !node.shadowRoot?.querySelector('.lab-frame, .figure[data-state=ready]')) return false;
        if (node.matches('[aria-busy=true]') || (node.shadowRoot && !read(node.shadowRoot))) return false;
      } else if ((node as Text).data.trim() && node.parentElement?.checkVisibility({ visibilityProperty: true }) && !node.parentElement.closest('style')) {
        texts.push((node as Text).data.trim().replace(/\s+/g, ' '));
      }
    }
    return true;
  };
  return read(lesson) ? texts.join('\n') : null;
};

/** Until three looks, a few frames apart, say the same, of that step and of another text than before. */
async function settledAt(tab: Tab, step: string, other = ''): Promise<string> {
  for (let [last, same, until] = ['', 0, Date.now() + 30_000]; Date.now() < until;) {
    const now = await tab.waitFor(saidByStep) ?? '';
    same = now === last ? same + 1 : 0;
    last = now;
    if (same >= 2 && now !== other && now.startsWith(`${step}\n`)) return now;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`The step “${step}” does not come to rest`);
}

const guess = () => document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>('button[data-word="1"]');
const onward = () => document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>('.footer .go');
const isAsking = () => !document.querySelector('attention-playground')?.shadowRoot?.querySelector('.footer .go.primary');

async function play(engine: Engine, address: string): Promise<string[]> {
  const tab = await engine.newTab();
  await tab.goto(address);
  const all = [await settledAt(tab, 'it')];
  await tab.click(guess);
  all.push(await settledAt(tab, 'it', all[0]));
  for (const step of STEPS.slice(1)) {
    await tab.click(onward);
    all.push(await settledAt(tab, step, all.at(-1)));
    if (step === STEPS.at(-1) || !(await tab.evaluate(isAsking))) continue;
    await tab.click(onward);
    all.push(await settledAt(tab, step, all.at(-1)));
  }
  assert.deepEqual(await tab.problems(), []);
  await tab.close();
  return all;
}

// Both.

/** Line by line; where they first differ, with the lines around. */
function assertSame(here: string, there: string, what: string): void {
  const [these, those] = [here.split('\n'), there.split('\n')];
  const at = these.findIndex((text, i) => text !== those[i]);
  assert.deepEqual(at < 0 ? [] : [these.slice(at - 2, at + 3), those.slice(at - 2, at + 3)], [], what);
  assert.equal(these.length, those.length, what);
}

for (const name of wantedEngines()) {
  describe(name, () => {
    let [engine, chromium]: (Engine | undefined)[] = [];
    let site: Served | undefined;
    before(async () => {
      site = await serve({ folders: [DIST], pages });
      engine = await openEngine(name);
      chromium = name === 'chromium' ? engine : await openEngine('chromium');
    });
    /** Chromium itself is looked at once. */
    const inBoth = async <Seen>(look: (each: Engine) => Promise<Seen>): Promise<[here: Seen, there: Seen]> => {
      const here = await look(engine as Engine);
      return [here, chromium === engine ? here : await look(chromium as Engine)];
    };
    after(async () => {
      await engine?.close();
      if (chromium !== engine) await chromium?.close();
      await site?.close();
    });

    for (const view of LABS) {
      test(`${view} comes, reads another sentence and takes another choice, as in Chromium`, async () => {
        const address = `${site?.address}${view}.html`;
        const [here, there] = await inBoth((each) => visit(each, address));
        assert.match(here.came, /\d/);
        for (const when of ['came', 'typed', 'chosen'] as const) assertSame(here[when], there[when], when);
      });
    }

    test('seven steps of the lesson, by a guess and the button, say what they say in Chromium', async () => {
      const address = `${site?.address}lesson.html`;
      const [here, there] = await inBoth((each) => play(each, address));
      assert.deepEqual([...new Set(here.map((text) => text.split('\n')[0]))], STEPS);
      assert.match(here[1] ?? '', /94%/);
      assert.ok(here.every((text) => /\d/.test(text) && text.length > 100));
      here.forEach((text, i) => assertSame(text, there[i] ?? '', `screen ${i + 1}`));
    });
  });
}
