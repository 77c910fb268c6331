// A page is sound when it shows a right picture of what the box and the switches say, or says in a sentence why not.
import assert from 'node:assert/strict';
import { firstDifference, nativeStages } from './native.ts';
import type { Playground } from './page.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import type { Settings } from '../../web/src/engine/engine.ts';
import { type Knobs, type SettingName, setting } from '../../web/src/state/settings.ts';

/** More words than this are compared by their labels only: the native run would take long. */
const MOST_COMPARED = 200;

export async function settingsInUse(page: Playground): Promise<Settings> {
  return page.page.evaluate(() => (document.querySelector('attention-playground') as AttentionPlayground).state.settings);
}

export async function assertSound(page: Playground, what: string): Promise<void> {
  const [screen, text, tokens] = [await page.read(), await page.text(), await page.tokens()];
  assert.ok(await page.textBox.isVisible(), `${what}: the text box is there`);
  if (!screen.figure) {
    const said = screen.problem || screen.state;
    assert.match(said, /\w.*[.]$/s, `${what}: no figure, and no sentence on why`);
    assert.deepEqual(tokens, [], `${what}: no numbers behind a figure that is not shown`);
    assert.equal((await page.stage('weights')).length, 0, what);
    assert.equal(screen.title + screen.weight, '', `${what}: no inspector without a figure`);
    return;
  }
  assert.equal(screen.problem, '', `${what}: a figure and an error at once`);
  const visible = (whole: string) => whole.normalize('NFC').replace(/[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  assert.equal(visible(tokens.join('')), visible(text), `${what}: the figure is of another text`);
  const settings = await settingsInUse(page);
  const knobs: Knobs = { ...settings, ...(await page.page.evaluate(() => {
    const { source, rows, layer, actsOn } = (document.querySelector('attention-playground') as AttentionPlayground).state;
    return { source, rows, layer, actsOn };
  })) };
  const shown = await page.switches();
  for (const [name, value] of Object.entries(shown)) {
    assert.equal(value, setting(name as SettingName).format(knobs), `${what}: the switch ${name} shows what is in use`);
  }
  if (tokens.length > MOST_COMPARED) return;
  const native = nativeStages(tokens, settings);
  assert.equal(firstDifference(await page.stage('weights'), native.get('weights')), -1, `${what}: the weights are not this text's`);
  assert.equal(firstDifference(await page.stage('residual'), native.get('residual')), -1, what);
}

/** Nothing that the reader typed, or a link held, became part of the page or ran. */
export async function assertUnharmed(page: Playground, what: string): Promise<void> {
  const found = await page.page.evaluate(() => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    return {
      foreign: [...root.querySelectorAll('script, img, iframe, object, embed, link, base, form:not(.edit-number), meta, b > b')].map((element) => element.outerHTML),
      scripts: [...document.scripts].map((script) => script.getAttribute('src')),
      hacked: 'hacked' in window,
      polluted: Object.keys(Object.prototype).length + Object.getOwnPropertyNames(Object.prototype).filter((name) => /^(?:heads|polluted|text)$/.test(name)).length,
    };
  });
  assert.deepEqual(found, { foreign: [], scripts: ['early.js', 'page.js'], hacked: false, polluted: 0 }, what);
  assert.deepEqual(page.problems, [], what);
}

/** A trained model reads, one of its heads taken away and its mask gone. */
export async function readWithModel(page: Playground): Promise<void> {
  await page.set({ source: 'trained' });
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  await page.set({ mask: 'none' });
  await page.page.locator('[data-silence]').click();
  await page.page.locator('.model-head.silenced').waitFor();
  await page.unfold('.manner > summary');
  await page.page.locator('.manner').getByText('drawn', { exact: true }).click();
  await page.page.locator('.writing [data-write=one]').click();
  await page.page.locator('[data-written]').waitFor();
}
