// The page under a finger: controls are large enough, small cells are had by dragging and by arrows, and all of it can be used.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import type { BrowserContextOptions, Locator } from 'playwright-core';
import { type Playground, Reader, link, saved } from '../lib/page.ts';
import { Walk } from '../lib/walk.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };
const TABLET: BrowserContextOptions = { viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true };

/** Controls that a finger would miss. Links within sentences are as large as their words. */
const small = (page: Playground) => page.page.evaluate(() => {
  const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
  const controls = [...document.querySelectorAll('header :is(button, a, select)'), ...root.querySelectorAll('button, select, textarea, summary, input:not([type=radio], [type=file]), .segment, .heads-scroll label')];
  return controls.filter((control) => control.checkVisibility({ visibilityProperty: true }) && !(control as HTMLButtonElement).disabled && !control.closest('.unseen')).map((control) => {
    const { width, height } = control.getBoundingClientRect();
    return { name: `${control.localName}.${control.className} ${(control.getAttribute('aria-label') ?? control.textContent ?? '').trim().slice(0, 24)}`, width: Math.round(width), height: Math.round(height) };
  }).filter(({ width, height }) => width < 44 || height < 44);
});

const STATES: Record<string, (page: Playground) => Promise<unknown>> = {
  'as opened': async () => {},
  'with every switch open': (page) => page.openMore(),
  'masking cells by hand': (page) => page.page.getByRole('button', { name: 'Mask cells by hand' }).tap(),
  'with a second sentence': (page) => page.page.getByRole('button', { name: 'Add a second sentence' }).tap(),
  'with what is taken along': (page) => page.openTake(),
  'with two senses': async (page) => {
    await page.page.locator('.senses > summary').focus();
    await page.page.keyboard.press('Enter');
    await page.page.locator('.senses[open]').waitFor();
  },
  'with a number written out': async (page) => {
    await page.page.locator('.fold').tap();
    await page.page.locator('[data-down]').waitFor();
  },
  'pinned': (page) => page.page.getByRole('button', { name: 'Pin this state' }).tap(),
  'with a design': async (page) => {
    await page.page.getByRole('button', { name: 'Remove' }).first().tap();
    await page.set({ source: 'designed' });
    await page.page.locator('.designed').waitFor();
  },
  'with a model': async (page) => {
    await page.set({ source: 'trained' });
    await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  },
  'with matrices of one’s own': (page) => page.set({ source: 'yours' }),
};

for (const [name, context] of Object.entries({ phone: PHONE, tablet: TABLET })) {
  test(`every control takes a finger on a ${name}, in every state`, async () => {
    const page = await reader.open({ context });
    for (const [state, act] of Object.entries(STATES)) {
      await act(page);
      assert.deepEqual(await small(page), [], state);
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

/** A finger from one place to another, in steps. */
async function drag(page: Playground, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  const session = await page.page.context().newCDPSession(page.page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await send('touchStart', [from]);
  for (let i = 1; i <= 6; i += 1) await send('touchMove', [{ x: from.x + ((to.x - from.x) * i) / 6, y: from.y + ((to.y - from.y) * i) / 6 }]);
  // Lifted while it moves, it leaves a fling, which Chromium runs even where nothing scrolls; a tap then ends the fling and is no click.
  await page.page.waitForTimeout(100);
  await send('touchMove', [to]);
  await send('touchEnd', []);
  await session.detach();
}

const middle = async (locator: Locator) => {
  const box = await locator.boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width };
};

test('a finger on the chosen cell takes the choice along, and the value follows; elsewhere it scrolls', async () => {
  const page = await reader.open({ context: PHONE, fragment: link({ text: 'one two three four five six', row: 2, key: 1 }) });
  await page.page.locator('.matrix canvas').evaluate((canvas) => canvas.scrollIntoView({ block: 'center' }));
  const start = await middle(page.cell);
  const weights = await page.stage('weights');
  await drag(page, start, { x: start.x + 2 * start.width, y: start.y + 3 * start.width });
  const { query, key, weight } = await page.read();
  assert.deepEqual([query, key], [4, 2]);
  assert.equal(weight, (weights[4 * 6 + 2] ?? 0).toFixed(4));
  const scrolled = () => page.page.evaluate(() => scrollY);
  const before = await scrolled();
  const canvas = await page.page.locator('.matrix canvas').boundingBox();
  assert.ok(canvas);
  await drag(page, { x: canvas.x + 12, y: canvas.y + canvas.height - 12 }, { x: canvas.x + 12, y: canvas.y - 200 });
  await page.page.waitForFunction((y) => scrollY > y + 50, before);
  assert.deepEqual([(await page.read()).query, (await page.read()).key], [4, 2], 'scrolling chooses nothing');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('in the walk, too, the smallest cells are had by dragging, and by arrows beside the number', async () => {
  const page = await reader.open({ context: PHONE, fragment: link({ text: 'one two three four five six', 'd-model': 64 }) });
  const walk = await new Walk(page).show();
  await walk.tap('scores', 1, 1);
  const from = await walk.middleOf('scores', 1, 1);
  const to = await walk.middleOf('scores', 4, 3);
  await drag(page, from, to);
  await walk.settle();
  assert.deepEqual([(await walk.place('scores')).row, (await walk.place('scores')).column], [4, 3]);
  for (const [way, row, column] of [['left', 4, 2], ['up', 3, 2], ['right', 3, 3], ['down', 4, 3]] as const) {
    await page.page.locator(`.explanation [data-nudge=${way}]`).tap();
    await walk.settle();
    const place = await walk.place('scores');
    assert.deepEqual([place.row, place.column], [row, column], way);
    assert.equal((await walk.explained()).value, await walk.value('scores'));
  }
  await page.close();
});

test('arrows under the matrix move the chosen cell by one, either way that the matrix lies; a mouse has none', async () => {
  const page = await reader.open({ context: PHONE, fragment: link({ text: 'one two three four', row: 2, key: 2 }) });
  const nudge = (way: string) => page.page.locator(`.matrix-area [data-nudge=${way}]`).tap();
  const place = async () => [(await page.read()).query, (await page.read()).key];
  await nudge('down');
  assert.deepEqual(await place(), [2, 1]);
  await nudge('right');
  assert.deepEqual(await place(), [2, 2]);
  await nudge('up');
  await nudge('left');
  assert.deepEqual(await place(), [1, 1]);
  await page.set({ rows: 'keys' });
  await nudge('down');
  const { selection } = await page.page.evaluate(() => (document.querySelector('attention-playground') as unknown as { state: { selection: { query: number; key: number } } }).state);
  assert.deepEqual([selection.query, selection.key], [1, 2], 'down is the next key where rows are keys');
  await page.close();
  const mouse = await reader.open();
  assert.equal(await mouse.page.locator('.matrix-area .nudge').isVisible(), false);
  await mouse.close();
});

test('the page is used wholly by touch: typing, switches, head and cell, the walk, pinning, taking along', async () => {
  const page = await reader.open({ context: { ...PHONE, acceptDownloads: true } });
  await page.textBox.tap();
  await page.page.keyboard.press('Control+A');
  await page.page.keyboard.insertText('the cat saw it');
  await page.ready();
  await page.page.locator('[data-setting=mask] select').selectOption('none');
  await page.page.locator('[data-setting=scale] select').selectOption('none');
  await page.ready();
  await page.page.locator('.heads-scroll label').nth(2).tap();
  await page.page.locator('.matrix canvas').evaluate((canvas) => canvas.scrollIntoView({ block: 'center' }));
  const canvas = await page.page.locator('.matrix canvas').boundingBox();
  assert.ok(canvas);
  await page.page.touchscreen.tap(canvas.x + canvas.width * (3.5 / 4), canvas.y + canvas.height * (1.5 / 4));
  const { query, key, head, text } = { ...(await page.read()), text: await page.text() };
  assert.deepEqual([query, key, head, text], [1, 3, 2, 'the cat saw it']);
  const walk = await new Walk(page).show();
  await walk.tap('query', 2, 5);
  assert.equal((await walk.explained()).value, await walk.value('query'));
  await page.page.locator('[data-down]').tap();
  await walk.settle();
  assert.match((await walk.explained()).title, /number/);
  await page.page.locator('.fold').tap();
  await page.page.getByRole('button', { name: 'Pin this state' }).tap();
  await page.page.locator('[data-setting=mask] select').selectOption('causal');
  await page.page.locator('.pin .segment', { hasText: 'Now − pinned' }).tap();
  assert.match(await page.page.locator('.legend').innerText(), /now − pinned/);
  // The walk above is drawn again as it comes on the screen: no finger is there before it.
  await page.page.locator('.take summary').scrollIntoViewIfNeeded();
  await walk.settle();
  await page.page.locator('.take summary').tap();
  const download = await saved(page.page, () => page.page.locator('[data-take=svg]').tap());
  assert.match(await readFile(await download.path(), 'utf8'), /now − pinned/);
  assert.deepEqual(page.problems, []);
  await page.close();
});
