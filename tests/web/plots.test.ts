// What the labs' figures are made of: axes, lines that name their series, and matrices that are grids.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { figure, numbersOf, openLab } from '../lib/lab.ts';
import { Reader } from '../lib/page.ts';
import { type Axis, share, ticks } from '../../web/src/labs/kit/plot.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const axis = (least: number, most: number, log?: 2 | 10): Axis => ({ label: '', least, most, words: String, ...(log && { log }) });

test('ticks are round numbers within the axis, never more than fit', () => {
  assert.deepEqual(ticks(axis(0, 1), 5), [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(ticks(axis(-4, 4), 9), [-4, -3, -2, -1, 0, 1, 2, 3, 4]);
  assert.deepEqual(ticks(axis(0, 217), 5), [0, 100, 200]);
  assert.deepEqual(ticks(axis(1, 1024, 2), 11), Array.from({ length: 11 }, (_, i) => 2 ** i));
  assert.deepEqual(ticks(axis(1, 1024, 2), 5), [1, 8, 64, 512]);
  assert.deepEqual(ticks(axis(0.5, 2000, 10), 9), [1, 10, 100, 1000]);
  for (let i = 0; i < 500; i += 1) {
    const [least, most, fit] = [Math.sin(i) * 10 ** (i % 7), Math.sin(i) * 10 ** (i % 7) + 10 ** ((i % 9) - 3), 2 + (i % 9)];
    const found = ticks(axis(least, most), fit);
    assert.ok(found.length <= fit && found.every((tick) => tick >= least - 1e-9 * Math.abs(least) && tick <= most + 1e-9 * Math.abs(most)), `${least} … ${most}: ${found}`);
  }
});

test('a number lies where its axis says, and stays on it', () => {
  assert.equal(share(axis(0, 4), 1), 0.25);
  assert.equal(share(axis(1, 1024, 2), 32), 0.5);
  assert.equal(share(axis(1, 100, 10), 10), 0.5);
  assert.deepEqual([-1, 9].map((value) => share(axis(0, 4), value)), [0, 1]);
});

test('a small matrix is a grid of one tab stop: arrows, Home and End go through it, each cell says its number', async () => {
  const { page, lab } = await openLab(reader, 'lab-mask', { text: 'one two three' });
  const title = 'Weights';
  const { columns, rows } = await numbersOf(lab, title);
  const grid = figure(lab, title).locator('[role=grid]');
  const cell = grid.locator('[role=gridcell]');
  assert.deepEqual([await grid.getAttribute('aria-rowcount'), await grid.getAttribute('aria-colcount'), await cell.count()], ['3', '3', 1]);
  assert.match(await grid.getAttribute('aria-label') ?? '', /^Weights\. .+\.$/);
  await cell.focus();
  const at = async (row: number, column: number) => {
    assert.equal(await cell.getAttribute('aria-label'), `query ${rows[row]?.[0]}, key ${columns[column + 1]}: ${rows[row]?.[column + 1]}`);
    assert.equal(await cell.getAttribute('aria-colindex'), String(column + 1));
    assert.equal(await grid.locator('[role=row]').getAttribute('aria-rowindex'), String(row + 1));
    const box = await cell.boundingBox();
    const drawn = figure(lab, title).locator(`[data-cell="${row},${column}"]`);
    if (await drawn.count()) assert.ok(Math.abs((box?.x ?? 0) - ((await drawn.boundingBox())?.x ?? NaN)) < 1.5, 'the frame is on the cell');
  };
  await at(0, 0);
  for (const [key, row, column] of [['ArrowDown', 1, 0], ['ArrowRight', 1, 1], ['End', 1, 2], ['Home', 1, 0], ['Control+End', 2, 2], ['ArrowRight', 2, 2], ['ArrowUp', 1, 2], ['Control+Home', 0, 0], ['ArrowLeft', 0, 0]] as const) {
    await page.page.keyboard.press(key);
    await at(row, column);
  }
  assert.equal(rows[0]?.[3], 'masked');
  // A click goes there, too, and its number stands beneath.
  await figure(lab, title).locator('[data-cell="2,1"]').click();
  await at(2, 1);
  assert.equal(await figure(lab, title).locator('.plot-read').innerText(), `query three, key two: ${rows[2]?.[2]}`);
  // The next tab stop is outside.
  await page.page.keyboard.press('Tab');
  assert.equal(await cell.evaluate((each) => (each.getRootNode() as ShadowRoot).activeElement === each), false);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('figures are drawn to the width they have, again when it changes, and name their series in words', async () => {
  const { page, lab } = await openLab(reader, 'lab-lookup');
  const picture = figure(lab, 'The shares of the three').locator('svg.plot-picture');
  for (const width of [1440, 360, 800]) {
    await page.page.setViewportSize({ width, height: 900 });
    await page.page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
    await page.page.waitForFunction((svg) => svg && Math.abs(svg.getBoundingClientRect().width - (svg.parentElement?.clientWidth ?? NaN)) <= 1, await picture.elementHandle());
    const [box, words] = [await picture.boundingBox(), await picture.locator('text').evaluateAll((all) => all.map((text) => text.getBoundingClientRect()).map(({ left, right }) => [left, right] as const))];
    for (const [left, right] of words) assert.ok(left >= (box?.x ?? NaN) - 2 && right <= (box?.x ?? NaN) + (box?.width ?? NaN) + 2, `a word reaches past the picture at ${width} px`);
  }
  assert.deepEqual(await figure(lab, 'The shares of the three').locator('.plot-names li').allInnerTexts().then((all) => all.map((text) => text.trim()).toSpliced(0, 3)), ['1 ÷ 6']);
  assert.match(await picture.getAttribute('aria-label') ?? '', /^The shares of the three best keys\. At τ = 1 the best has \d/);
  await page.close();
});
