// Each lab in a stranger's page says in every engine what it says in Chromium, whose numbers tests/labs holds to the double
// reference: as it comes, with another sentence, and with another choice.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LABS } from '../../web/src/state/views.ts';
import { DIST, host } from '../lib/embedded.ts';
import { type Engine, type Tab, openEngine, wantedEngines } from '../lib/engines.ts';
import { type Served, serve } from '../lib/serve.ts';

const pages = Object.fromEntries(LABS.map((view) => [`${view}.html`, host(`<attention-playground view="${view}" text="the cat sat on the mat" loading="eager" ${view === 'training' ? 'lesson="heads" at-step="20"' : ''}></attention-playground>`)]));

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

/** Until two looks, a few frames apart, say the same, and something else than before. */
async function settled(tab: Tab, other = ''): Promise<string> {
  for (let before = other, until = Date.now() + 20_000; Date.now() < until;) {
    const now = await tab.waitFor(said) ?? '';
    if (now !== other && now === before) return now;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  throw new Error(other ? 'What is done in the lab changes nothing, or it does not come to rest' : 'The lab does not come to rest');
}

/** The last choice that is not made yet; without choices, the first button. */
const choose = () => {
  const lab = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.lab');
  const seen = (selector: string) => [...lab?.querySelectorAll<HTMLElement>(selector) ?? []].filter((each) => each.checkVisibility());
  const others = 'label:has(input[type=radio]:not(:checked, :disabled))';
  // Another pace of training changes no number.
  return (seen(`.training-option ${others}`).at(-1) ?? seen(others).at(-1) ?? seen('button:not(:disabled)')[0]);
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

for (const name of wantedEngines()) {
  describe(name, () => {
    let [engine, chromium]: (Engine | undefined)[] = [];
    let site: Served | undefined;
    before(async () => {
      site = await serve({ folders: [DIST], pages });
      engine = await openEngine(name);
      chromium = name === 'chromium' ? engine : await openEngine('chromium');
    });
    after(async () => {
      await engine?.close();
      if (chromium !== engine) await chromium?.close();
      await site?.close();
    });

    for (const view of LABS) {
      test(`${view} comes, reads another sentence and takes another choice, as in Chromium`, async () => {
        const address = `${site?.address}${view}.html`;
        const [here, there] = [await visit(engine as Engine, address), await visit(chromium as Engine, address)];
        assert.match(here.came, /\d/);
        for (const when of ['came', 'typed', 'chosen'] as const) {
          const [these, those] = [here[when].split('\n'), there[when].split('\n')];
          const at = these.findIndex((text, i) => text !== those[i]);
          assert.deepEqual(at < 0 ? [] : [these.slice(at - 2, at + 3), those.slice(at - 2, at + 3)], [], when);
          assert.equal(these.length, those.length);
        }
      });
    }
  });
}
