// One state: what a link holds, what Undo restores and what Back shows are the same, with all that is looked at.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Playground, Reader, link } from '../lib/page.ts';
import { Pace } from '../../web/src/state/run.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const undo = (page: Playground) => page.page.locator('[data-undo]').click();
const redo = (page: Playground) => page.page.locator('[data-redo]').click();
const caption = (page: Playground) => page.page.locator('.row-caption').first().innerText();
const choose = async (page: Playground, source: string) => {
  await page.page.locator('[data-setting=parameters] .segment', { has: page.page.locator(`input[value=${source}]`) }).click();
  await page.page.waitForFunction((wanted) => document.querySelector('attention-playground')?.trace && document.querySelector('attention-playground')?.state.source === wanted, source);
  await page.still();
};
const chosen = (page: Playground) => page.page.evaluate(() => {
  const { tokens, selection, settings } = document.querySelector('attention-playground')!.state;
  return { ...selection, mask: settings.mask, words: tokens.map(({ text }) => text) };
});
test('the chosen word stays chosen when a model cuts the text into other tokens, and Undo gives back head and cell', async () => {
  const page = await reader.open();
  const before = await chosen(page);
  const said = await caption(page);
  assert.equal(before.words[before.query], 'it');
  await choose(page, 'trained');
  assert.equal((await chosen(page)).query, before.query + 1, 'behind the token that starts every text');
  assert.match(await caption(page), /\bit\b/);
  await undo(page);
  await page.still();
  assert.deepEqual(await chosen(page), before);
  assert.equal(await caption(page), said);
  await redo(page);
  await page.still();
  assert.equal((await chosen(page)).query, before.query + 1);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('settings that parameters bring along go when others are chosen; what the reader sets meanwhile stays', async () => {
  const page = await reader.open();
  const now = () => page.page.evaluate(() => {
    const { settings: { mask, positions, d_model, num_heads } } = document.querySelector('attention-playground')!.state;
    return [mask, positions, d_model, num_heads];
  });
  await page.set({ mask: 'none', num_heads: 2 });
  await choose(page, 'designed');
  assert.deepEqual((await now()).slice(0, 2), ['none', 'none'], 'the positions that the design was made for, and the reader’s own mask');
  await choose(page, 'random');
  assert.deepEqual(await now(), ['none', 'sinusoidal', 64, 2]);
  await choose(page, 'designed');
  await page.set({ mask: 'window' });
  await choose(page, 'trained');
  await choose(page, 'random');
  assert.deepEqual(await now(), ['window', 'sinusoidal', 64, 2]);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('Back and Forward show what each address says, and one that says nothing what the page opened with', async () => {
  const page = await reader.open({ fragment: '#' });
  const opened = await chosen(page);
  await page.page.evaluate((hash) => { location.hash = hash; }, link({ text: 'three other words', heads: '2', head: '2', row: '3', key: '1' }));
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.trace?.tokens.length === 3);
  await page.still();
  const second = await chosen(page);
  assert.deepEqual([second.head, second.query, second.key], [1, 2, 0]);
  await page.page.goBack();
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.trace?.tokens.length === 11);
  await page.still();
  assert.deepEqual(await chosen(page), opened);
  assert.equal(await page.textBox.inputValue(), "the animal didn't cross the street because it was too tired");
  await page.page.goForward();
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.trace?.tokens.length === 3);
  await page.still();
  assert.deepEqual(await chosen(page), second);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('added rows and locked ranges are in the link, come back with it, and are a step of Undo each', async () => {
  const page = await reader.open();
  const together = (on: Playground) => on.page.locator('.chip').allInnerTexts().then((texts) => texts.map((text) => text.split(',')[0]?.trim()));
  const locked = (on: Playground) => on.page.locator('.lock-range').getAttribute('aria-pressed');
  await page.page.locator('.rows bdi').nth(7).click();
  await page.page.locator('.rows bdi').nth(9).click({ modifiers: ['Shift'] });
  await page.page.locator('.chip').nth(1).waitFor();
  const rows = await together(page);
  await page.page.locator('.lock-range').click();
  await page.page.waitForFunction(() => /added-rows=8,10/.test(location.hash) && /ranges=/.test(location.hash));
  const hash = await page.page.evaluate(() => location.hash);

  const other = await reader.open({ fragment: hash });
  await other.page.locator('.chip').nth(1).waitFor();
  assert.deepEqual(await together(other), rows);
  await other.page.locator('.lock-range').scrollIntoViewIfNeeded();
  assert.equal(await locked(other), 'true');
  await other.close();

  await undo(page);
  await page.page.waitForFunction(() => !/ranges=/.test(location.hash));
  await page.still();
  assert.deepEqual([await locked(page), (await together(page)).length], ['false', 2]);
  await undo(page);
  await page.page.waitForFunction(() => !/added-rows=/.test(location.hash));
  assert.deepEqual(await together(page), []);
  await redo(page);
  await page.page.locator('.chip').nth(1).waitFor();
  assert.deepEqual(await together(page), rows);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a key asks the element at most five times to be drawn, and no property is set', async () => {
  const page = await reader.open();
  await page.textBox.click();
  await page.page.keyboard.press('Control+End');
  await page.still();
  await page.page.evaluate(() => {
    const element = document.querySelector('attention-playground')!;
    const counts = { asked: 0, named: [] as string[] };
    Object.assign(globalThis, { counts });
    const own = element.requestUpdate.bind(element);
    element.requestUpdate = (...args: Parameters<typeof own>) => {
      counts.asked += 1;
      if (args[0] !== undefined) counts.named.push(String(args[0]));
      own(...args);
    };
  });
  await page.page.keyboard.press('x');
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.trace?.tokens.at(-1) === 'tiredx');
  await page.still();
  await page.page.waitForTimeout(400); // the walk of a screen that nobody looks at comes later still
  const counts = await page.page.evaluate(() => (globalThis as unknown as { counts: { asked: number; named: string[] } }).counts);
  assert.ok(counts.asked >= 1 && counts.asked <= 5, `asked ${counts.asked} times`);
  assert.deepEqual(counts.named, []);
  await page.close();
});

const WORDS = 7e4, LONG = 1e8;

test('one slow run holds up no later run: neither a short one, nor a long one when the next shows it was a hitch', () => {
  const pace = new Pace();
  pace.learn(WORDS, 400);
  assert.ok(pace.expects(LONG) <= 100, 'a few words are no measure of the processor');
  pace.learn(LONG, 40_000);
  assert.ok(pace.expects(WORDS) > 20 && pace.expects(LONG) > 30_000);
  pace.learn(WORDS, 0.2);
  assert.ok(pace.expects(WORDS) <= 1, 'what it has just done, it can do again');
});

test('a slow processor is known by its long runs, and a fast one as well', () => {
  for (const speed of [1e4, 1e5, 1e6, 1e7]) {
    const pace = new Pace();
    pace.learn(LONG, LONG / speed);
    assert.ok(Math.abs(pace.expects(LONG / 2) - LONG / 2 / speed) < 1e-6);
  }
});
