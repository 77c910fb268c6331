// Axe finds nothing in any state, look or size.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { BrowserContextOptions } from 'playwright-core';
import { axe } from '../lib/embedded.ts';
import { type Playground, Reader } from '../lib/page.ts';
import { readWithModel } from '../lib/page-checks.ts';
import { Walk } from '../lib/walk.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

async function violationsOn(page: Playground): Promise<string[]> {
  // What is still fading in would be judged by a colour that nobody is asked to read.
  await page.page.evaluate(() => {
    const roots = [document, ...[...document.querySelectorAll('attention-playground, #lesson')].map(({ shadowRoot }) => shadowRoot)].filter((root) => root !== null);
    return Promise.allSettled(roots.flatMap((root) => root.getAnimations()).map(({ finished }) => finished));
  });
  await page.page.evaluate(axe());
  const { violations } = await page.page.evaluate(() =>
    (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({ resultTypes: ['violations'] }));
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join('; ')}`);
}

const LOOKS: Record<string, BrowserContextOptions> = {
  'light': { colorScheme: 'light' },
  'dark': { colorScheme: 'dark' },
  'forced colours': { forcedColors: 'active' },
  'a 200 % zoom': { viewport: { width: 720, height: 500 }, deviceScaleFactor: 2 },
  'a phone': { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true },
  'a phone in the dark': { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, colorScheme: 'dark' },
};

for (const [name, context] of Object.entries(LOOKS)) {
  test(`axe finds nothing amiss: ${name}`, async () => {
    const page = await reader.open({ context });
    assert.deepEqual(await violationsOn(page), [], 'as opened');
    await page.openDetails('Every term');
    await page.openDetails('as a table');
    await page.set({ scale: 'factor', scale_factor: 2 });
    await page.walkTo(2, 5);
    await page.page.getByLabel('Factor', { exact: true }).last().fill('x');
    assert.deepEqual(await violationsOn(page), [], 'with all open, a masked cell and a wrong factor');
    await page.paste('the cat sat on it');
    await readWithModel(page);
    assert.deepEqual(await violationsOn(page), [], 'with a trained model, changed');
    await page.paste('');
    assert.deepEqual(await violationsOn(page), [], 'empty');
    await page.close();
  });

  test(`axe finds nothing with the panels open, a state pinned, ranges kept and numbers outside: ${name}`, async () => {
    const page = await reader.open({ context });
    await page.openMore();
    for (const panel of ['.take > summary', '.senses > summary', '.as-table > summary']) {
      await page.page.locator(panel).focus();
      await page.page.keyboard.press('Enter');
    }
    await page.page.locator('[data-take=link]').waitFor();
    await page.page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); });
    await page.page.locator('[data-take=link]').press('Enter');
    await page.page.locator('.take-link').waitFor();
    const walk = await new Walk(page).show();
    await page.page.locator('.lock-range').press('Enter');
    await page.page.getByRole('button', { name: 'Pin this state' }).press('Enter');
    await page.set({ scale: 'factor', scale_factor: 3 });
    await walk.show();
    await page.page.locator('.range-lock', { hasText: 'lies outside' }).waitFor();
    assert.deepEqual(await violationsOn(page), [], 'open, pinned and kept');
    await page.page.locator('.pin .segment', { hasText: 'Now − pinned' }).click();
    assert.deepEqual(await violationsOn(page), [], 'the difference');
    await page.set({ source: 'yours' });
    assert.deepEqual(await violationsOn(page), [], 'with matrices of one’s own');
    await page.close();
  });

  test(`axe finds nothing while the engine is on its way, and when it cannot come: ${name}`, async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => { release = resolve; });
    const waiting = await reader.open({ context, file: 'playground.html', before: (tab) => tab.route('**/attention.wasm', async (route) => {
      await held;
      await route.abort();
    }) });
    await waiting.page.locator('#text').waitFor();
    assert.deepEqual(await violationsOn(waiting), [], 'loading');
    release();
    await waiting.page.locator('.problem', { hasText: 'engine' }).first().waitFor();
    assert.deepEqual(await violationsOn(waiting), [], 'an error');
    await waiting.close();
  });
}

test('axe finds nothing on paper, with a long text, either', async () => {
  const page = await reader.open();
  await page.paste('It is not down on any map; true places never are. '.repeat(3));
  await page.page.emulateMedia({ media: 'print' });
  await page.page.locator('attention-playground[data-printing]').waitFor();
  assert.deepEqual(await violationsOn(page), []);
  await page.close();
});

for (const [name, context] of Object.entries({ 'a desk': { viewport: { width: 1280, height: 720 } }, 'a phone': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } })) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe finds nothing amiss in any step of the lesson, before its answer and after: ${name}, ${colorScheme}`, async () => {
      const { steps } = JSON.parse(await readFile(new URL('../../web/lessons/en.json', import.meta.url), 'utf8')) as { steps: { id: string }[] };
      const page = await reader.open({ file: 'index.html', context: { ...context, colorScheme, reducedMotion: 'reduce' } });
      for (const fragment of ['step=it&shown', 'step=choose&shown', ...steps.map(({ id }) => `step=${id}`)]) {
        await page.page.evaluate((hash) => { location.hash = hash; }, fragment);
        await page.page.waitForTimeout(1200);
        assert.deepEqual(await violationsOn(page), [], fragment);
      }
      await page.close();
    });
  }
}
