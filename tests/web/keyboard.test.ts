// The page by the keyboard alone.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
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

test('Tab meets the header first, then what stands on the first screen, and scrolls nothing', async () => {
  const { page } = await reader.open({ context: { viewport: { width: 1280, height: 720 } } });
  await page.locator('.row-play').waitFor();
  await page.locator('.add-row').waitFor({ state: 'attached' });
  await page.keyboard.press('Tab');
  assert.ok(await page.evaluate(() => document.activeElement?.closest('header')), 'the header first');
  for (const selector of ['.switches *', 'textarea#text', '.row-play', '.row-step']) {
    for (let i = 0; i < 20 && !await page.evaluate((wanted) => document.activeElement?.shadowRoot?.activeElement?.matches(wanted), selector); i += 1) await page.keyboard.press('Tab');
    assert.ok(await page.evaluate((wanted) => document.activeElement?.shadowRoot?.activeElement?.matches(wanted), selector), selector);
    assert.equal(await page.evaluate(() => scrollY), 0, selector);
  }
});

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
  await tabTo(page, '[data-stage-card=query] > summary');
  await keyboard.press('Enter');
  await walk.settle();
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
