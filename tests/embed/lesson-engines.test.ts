// The lesson in a stranger's page says in every engine what it says in Chromium, at each of its seven steps: the first is
// answered with a guess, the others by the button, and what a step's figure says is read with it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIST, host } from '../lib/embedded.ts';
import { type Engine, type Tab, openEngine, wantedEngines } from '../lib/engines.ts';
import { type Served, serve } from '../lib/serve.ts';

const STEPS = ['it', 'choose', 'scale', 'future', 'heads', 'learn', 'trained'];

/** All words and numbers of the step that are seen, in the figure's own tree too; null while something is on its way. */
const said = () => {
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
async function settled(tab: Tab, step: string, other = ''): Promise<string> {
  for (let [last, same, until] = ['', 0, Date.now() + 30_000]; Date.now() < until;) {
    const now = await tab.waitFor(said) ?? '';
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

async function visit(engine: Engine, address: string): Promise<string[]> {
  const tab = await engine.newTab();
  await tab.goto(address);
  const all = [await settled(tab, 'it')];
  await tab.click(guess);
  all.push(await settled(tab, 'it', all[0]));
  for (const step of STEPS.slice(1)) {
    await tab.click(onward);
    all.push(await settled(tab, step, all.at(-1)));
    if (step === STEPS.at(-1) || !(await tab.evaluate(isAsking))) continue;
    await tab.click(onward);
    all.push(await settled(tab, step, all.at(-1)));
  }
  assert.deepEqual(await tab.problems(), []);
  await tab.close();
  return all;
}

for (const name of wantedEngines()) {
  describe(name, () => {
    let [engine, chromium]: (Engine | undefined)[] = [];
    let site: Served | undefined;
    before(async () => {
      site = await serve({ folders: [DIST], pages: { 'lesson.html': host('<attention-playground view="lesson" loading="eager"></attention-playground>') } });
      engine = await openEngine(name);
      chromium = name === 'chromium' ? engine : await openEngine('chromium');
    });
    after(async () => {
      await engine?.close();
      if (chromium !== engine) await chromium?.close();
      await site?.close();
    });

    test('seven steps of the lesson, by a guess and the button, say what they say in Chromium', async () => {
      const address = `${site?.address}lesson.html`;
      const [here, there] = [await visit(engine as Engine, address), await visit(chromium as Engine, address)];
      assert.deepEqual([...new Set(here.map((text) => text.split('\n')[0]))], STEPS);
      assert.match(here[1] ?? '', /94%/);
      assert.ok(here.every((text) => /\d/.test(text) && text.length > 100));
      here.forEach((text, i) => {
        const [these, those] = [text.split('\n'), there[i]?.split('\n') ?? []];
        const at = these.findIndex((each, j) => each !== those[j]);
        assert.deepEqual(at < 0 ? [] : [these.slice(at - 2, at + 3), those.slice(at - 2, at + 3)], [], `screen ${i + 1}`);
        assert.equal(these.length, those.length);
      });
    });
  });
}
