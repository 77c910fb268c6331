// What the page looks like, at three widths and in both themes. To have the pictures:
//   UPDATE_PICTURES=1 tools/test gallery   (they lie in build/gallery)
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Playground, Reader, link } from '../lib/page.ts';
import { Walk } from '../lib/walk.ts';
import { LabTab } from '../lib/lab.ts';
import { LESSONS } from '../../web/src/state/views.ts';

const FOLDER = process.env['ATTENTION_GALLERY'] ?? fileURLToPath(new URL('../../build/gallery', import.meta.url));
const KB = 1024;

const reader = await Reader.arrive();
after(() => reader.leave());

const see = (page: Playground, part: string) => page.page.locator(part).first().evaluate((element) => element.scrollIntoView());
const toFigure = (page: Playground) => see(page, '.figure');

/** Words of these that lie beyond their part's edge, where nobody finds them. */
const cut = (page: Playground) => page.page.locator('.stage-words p, .designed-heads tr > *').evaluateAll((parts) => parts.flatMap((part) => {
  const edge = part.closest('.stage, .table-scroll')?.getBoundingClientRect().right ?? Infinity;
  const range = document.createRange();
  range.selectNodeContents(part);
  return [...range.getClientRects()].some(({ right }) => right > edge + 1) ? [part.textContent ?? ''] : [];
}));

/** One after the other on one page: what to do, and a part to look at. */
const STATES: Readonly<Record<string, (page: Playground, walk: Walk) => Promise<unknown>>> = {
  top: async () => {},
  walk: (page) => see(page, '.walk'),
  explanation: (_, walk) => walk.choose('weights', 7, 2),
  multiples: async (page, walk) => {
    await walk.unfold('scores');
    await walk.card('scores').getByRole('button', { name: 'all 4 heads' }).click();
    await see(page, '[data-stage-card=scores]');
  },
  difference: async (page) => {
    await see(page, '.walk');
    await page.page.getByRole('button', { name: 'Pin this state' }).click();
    await page.set({ mask: 'none' });
    await page.page.locator('.pin .segment', { hasText: 'Now − pinned' }).click();
    await see(page, '[data-group=compare]');
  },
  trained: async (page) => {
    await page.page.getByRole('button', { name: 'Unpin' }).click();
    await page.set({ mask: 'causal', source: 'trained' });
    await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
    await page.page.evaluate(() => scrollTo(0, 0));
  },
  model: (page) => see(page, '.model'),
  designed: async (page) => {
    await page.set({ source: 'designed' });
    await page.paste('a fluffy blue creature roamed the verdant forest, said Zqwxyl');
    await page.page.locator('.designed').waitFor();
    await page.page.evaluate(() => scrollTo(0, 0));
  },
  'designed-heads': async (page) => {
    await page.page.locator('.designed > details > summary').first().click();
    await see(page, '.designed');
  },
  yours: async (page) => {
    await page.set({ source: 'yours' });
    await see(page, '.yours');
  },
  switches: async (page) => {
    await page.set({ source: 'random' });
    await page.openMore();
    await see(page, '.switch-bar');
  },
  masking: async (page) => {
    await page.page.getByRole('button', { name: 'Mask cells by hand' }).click();
    await page.walkTo(5, 2);
    await page.page.keyboard.press('m');
    await toFigure(page);
  },
  'rows-as-keys': async (page) => {
    await page.turn({ name: 'rows', control: { kind: 'choice' } } as never, 'keys');
    await toFigure(page);
  },
  'second-sentence': async (page) => {
    await page.page.evaluate((fragment) => { location.hash = fragment; }, link({ text: 'three small words', 'key-text': 'tres palabras pequeñas y una más', mask: 'none' }));
    await page.page.locator('[data-keys] .mirror').waitFor();
    await page.page.evaluate(() => scrollTo(0, 0));
  },
  summed: async (page) => {
    await page.page.evaluate((fragment) => { location.hash = fragment; }, link({ text: 'several rows are read together here', mask: 'none' }));
    await page.page.locator('.rows bdi').nth(1).click();
    await page.page.locator('.rows bdi').nth(4).click({ modifiers: ['Shift'] });
    await page.page.evaluate(() => scrollTo(0, 0));
  },
  senses: async (page) => {
    await page.page.locator('.senses > summary').click();
    await page.page.locator('[data-preset=mole]').click();
    await page.page.locator('[data-compared]').first().waitFor();
    await see(page, '.senses-section');
  },
};

async function keep(page: Playground, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  const picture = await page.page.screenshot({ caret: 'hide', animations: 'disabled', ...options });
  assert.ok(picture.length > 8 * KB && picture.length < 600 * KB, `${name}: ${picture.length} bytes`);
  if (!process.env['UPDATE_PICTURES']) return;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(path.join(FOLDER, `${name}.png`), picture);
}

for (const width of [360, 768, 1440]) {
  for (const theme of ['light', 'dark'] as const) {
    test(`pictures of each training lesson after 200 steps, ${width} px, ${theme}`, async () => {
      for (const lesson of LESSONS) {
        const tab = await LabTab.open(reader, 'training', { preset: `lesson=${lesson}&step=200&ask=off`, context: { viewport: { width, height: 900 }, colorScheme: theme } });
        await tab.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.training-walk')?.getAttribute('data-step') === '200', null, { timeout: 60_000 });
        await keep(tab.playground, `training-${lesson}-${width}-${theme}`, { fullPage: true });
        assert.deepEqual(tab.problems, [], lesson);
        await tab.close();
      }
    });

    test(`pictures of the page's parts, ${width} px, ${theme}`, async () => {
      const height = width === 360 ? 780 : 1000;
      const page = await reader.open({ context: { viewport: { width, height }, colorScheme: theme } });
      const walk = await new Walk(page).show();
      await page.page.evaluate(() => scrollTo(0, 0));
      for (const [name, reach] of Object.entries(STATES)) {
        await reach(page, walk);
        await walk.settle();
        assert.deepEqual(await cut(page), [], name);
        await keep(page, `${name}-${width}-${theme}`);
      }
      assert.deepEqual(page.problems, []);
      await page.close();
    });
  }
}
