// The page by the keyboard alone; and axe finds nothing in any state, look or size.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { BrowserContextOptions } from 'playwright-core';
import { type Playground, Reader } from '../lib/page.ts';
import { Walk } from '../lib/walk.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

/** Presses Tab until the focus is on what is looked for, as a reader without a mouse must. */
async function tabTo(page: Playground, selector: string, most = 120): Promise<void> {
  for (let i = 0; i < most; i += 1) {
    const found = await page.page.evaluate((wanted) => {
      const at = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
      return at?.matches(wanted) ?? false;
    }, selector);
    if (found) return;
    await page.page.keyboard.press('Tab');
  }
  throw new Error(`${selector} is not to be reached in ${most} steps`);
}

test('the page is used wholly by the keyboard: typing, switches, head and cell, the walk, pinning, taking along', async () => {
  const page = await reader.open({ context: { acceptDownloads: true } });
  const { keyboard } = page.page;
  await page.page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await tabTo(page, 'textarea#text');
  await keyboard.press('Control+A');
  await keyboard.type('the cat saw it');
  await page.ready();
  await tabTo(page, '[data-setting=mask] input');
  await keyboard.press('ArrowLeft');
  await tabTo(page, '[data-setting=scale] input');
  await keyboard.press('ArrowRight');
  await page.ready();
  assert.match(await page.page.evaluate(() => JSON.stringify((document.querySelector('attention-playground') as unknown as { state: { settings: object } }).state.settings)), /"mask":"none".*"scale":"none"/);
  await tabTo(page, '.pin button');
  await keyboard.press('Enter');
  await tabTo(page, '.heads-scroll input');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await tabTo(page, '.matrix [role=gridcell]');
  await keyboard.press('Control+Home');
  await keyboard.press('ArrowDown');
  await keyboard.press('End');
  const { query, key, head, text } = { ...(await page.read()), text: await page.text() };
  assert.deepEqual([query, key, head, text], [1, 3, 2, 'the cat saw it']);
  const walk = await new Walk(page).show();
  await tabTo(page, '[data-array=query] [role=gridcell]');
  await keyboard.press('ArrowRight');
  await walk.settle();
  assert.equal((await walk.explained()).value, await walk.value('query'));
  await keyboard.press('Enter');
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.activeElement?.matches('.operand'));
  await keyboard.press('Enter');
  await walk.settle();
  assert.equal((await walk.explained()).trail, 1);
  await tabTo(page, '.take > summary');
  await keyboard.press('Enter');
  await page.page.locator('[data-take=svg]').waitFor();
  await tabTo(page, '[data-take=svg]');
  const [download] = await Promise.all([page.page.waitForEvent('download'), keyboard.press('Enter')]);
  assert.match(await readFile(await download.path(), 'utf8'), /<title>Weights, head 3 of 4/);
  // Back up to what steers the comparison, which is in view while a state is pinned.
  await page.page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.page.locator('#text').focus();
  await tabTo(page, '[data-setting=mask] input');
  await keyboard.press('ArrowRight');
  await page.ready();
  await tabTo(page, '.pin input');
  await keyboard.press('ArrowLeft');
  assert.match(await page.page.locator('.legend').innerText(), /now − pinned/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

const axe = readFileSync(createRequire(new URL('../../web/package.json', import.meta.url)).resolve('axe-core/axe.min.js'), 'utf8');

async function violationsOn(page: Playground): Promise<string[]> {
  // What is still fading in would be judged by a colour that nobody is asked to read.
  await page.page.evaluate(() => {
    const roots = [document, document.querySelector('attention-playground')?.shadowRoot].filter((root) => root != null);
    return Promise.allSettled(roots.flatMap((root) => root.getAnimations()).map(({ finished }) => finished));
  });
  await page.page.evaluate(axe);
  const { violations } = await page.page.evaluate(() =>
    (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({ resultTypes: ['violations'] }));
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join('; ')}`);
}

const LOOKS: Record<string, BrowserContextOptions> = {
  'light': { colorScheme: 'light' },
  'dark': { colorScheme: 'dark' },
  'forced colours': { forcedColors: 'active' },
  'a 200 % zoom': { viewport: { width: 720, height: 500 }, deviceScaleFactor: 2 },
  'a phone in the dark': { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, colorScheme: 'dark' },
};

for (const [name, context] of Object.entries(LOOKS)) {
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
    const waiting = await reader.open({ context, file: 'index.html', before: (tab) => tab.route('**/attention.wasm', async (route) => {
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
