// Several words selected: the sum of their rows, in words, over the sentence and as bars.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { read } from '../lib/shown-numbers.ts';
import { DEFAULTS, referenceStages } from '../lib/native.ts';
import { type Opening, type Playground, Reader } from '../lib/page.ts';
import { DEFAULT_TEXT } from '../../web/src/state/settings.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const WORDS = DEFAULT_TEXT.split(' ');

function sums(head: number, queries: readonly number[]): number[] {
  const weights = referenceStages(WORDS, DEFAULTS).get('weights');
  return WORDS.map((_, key) => queries.reduce((sum, query) => sum + (weights[(head * 11 + query) * 11 + key] ?? 0), 0));
}

async function check(page: Playground, queries: readonly number[], head = 0): Promise<void> {
  const expected = sums(head, queries);
  await page.page.locator('.sum-caption').waitFor();
  const caption = await page.page.locator('.sum-caption').innerText();
  assert.match(caption, new RegExp(`^${queries.length} rows together`));
  const shares = [...caption.matchAll(/([\d.]+) from (\S+?)\d*[,.](?=\s|$)/g)].map(([, sum = '']) => sum);
  const ranked = expected.toSorted((a, b) => b - a);
  assert.ok(shares.length >= 2, caption);
  shares.forEach((text, i) => assert.ok(Math.abs(read(text).value - (ranked[i] ?? NaN)) <= 0.0051, `${text} for ${ranked[i]}`));
  const bars = await page.page.locator('[data-sum]').evaluateAll((items) => items.map((item) => ({ exact: (item as HTMLElement).title, height: item.querySelector('i')?.style.height ?? '' })));
  assert.equal(bars.length, WORDS.length);
  const masked = await page.page.locator('.sum-bars .masked').evaluateAll((hatched) => hatched.map((bar) => Number(bar.closest('li')?.dataset['sum'])));
  assert.deepEqual(masked, WORDS.map((_, key) => key).filter((key) => key > Math.max(...queries)), 'masked for all of them: a hatch');
  bars.forEach(({ exact, height }, key) => {
    const value = read(exact).value;
    assert.ok(Math.abs(value - (expected[key] ?? NaN)) < 1e-4, `${exact} for ${expected[key]}`);
    assert.ok(Math.abs(Number.parseFloat(height) - (value / queries.length) * 100) < 0.06, 'bars run from 0 to the number of rows');
  });
  assert.match(await page.page.locator('.caption').innerText(), new RegExp(`between 0 and ${queries.length}`));
}

const open = (opening: Opening = {}) => reader.open(opening);

test('words selected in the text are read together, and one word again when the selection goes', async () => {
  const page = await open();
  await page.textBox.focus();
  await page.textBox.evaluate((area) => (area as HTMLTextAreaElement).setSelectionRange(4, 17));
  await check(page, [1, 2]);
  await page.page.keyboard.press('Shift+ArrowRight');
  await page.page.keyboard.press('Shift+ArrowRight');
  await check(page, [1, 2, 3]);
  await page.page.keyboard.press('ArrowRight');
  await page.page.locator('.sum-caption').waitFor({ state: 'detached' });
  assert.match((await page.read()).caption, /^Row cross/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('words that stand twice have their place beside the bars, too', async () => {
  const page = await open();
  await page.textBox.focus();
  await page.textBox.evaluate((area) => (area as HTMLTextAreaElement).setSelectionRange(4, 17));
  await page.page.locator('.sum-caption').waitFor();
  const words = await page.page.locator('[data-sum] .word').allInnerTexts();
  assert.deepEqual(words, WORDS.map((word, i) => (word === 'the' ? `the${i + 1}` : word)));
  assert.match((await page.page.locator('.sum-bars').textContent()) ?? '', /masked/);
  await page.close();
});

test('Shift adds rows of the matrix, by mouse and by arrows; each can be taken out, and all cleared', async () => {
  const page = await open();
  await page.page.locator('.rows bdi').nth(7).click();
  assert.equal((await page.read()).query, 7);
  await page.page.locator('.rows bdi').nth(9).click({ modifiers: ['Shift'] });
  await check(page, [7, 9]);
  await page.page.locator('.rows bdi').nth(2).click({ modifiers: ['Shift'] });
  await check(page, [2, 7, 9]);
  await page.chooseHead(2);
  await check(page, [2, 7, 9], 2);
  await page.page.locator('.chip').nth(1).click();
  await check(page, [2, 9], 2);
  await page.page.locator('[data-clear-sum]').click();
  assert.match((await page.read()).caption, /^Row it/);
  await page.walkTo(4, 1);
  await page.page.keyboard.press('Shift+ArrowDown');
  await page.page.keyboard.press('Shift+ArrowDown');
  await check(page, [4, 5, 6], 2);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('on a phone, rows are added from a list', async () => {
  const page = await open({ context: { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true } });
  const { query } = await page.read();
  await page.page.locator('button.add-row').tap();
  await page.page.locator('.add-row select').selectOption('3');
  await check(page, [3, query]);
  for (const key of [1, 3]) {
    await page.page.locator('.row-table tbody tr').nth(key).tap();
    const sum = await page.page.locator('[data-sum-of-key]').innerText();
    assert.ok(Math.abs(read(sum).value - (sums(0, [3, query])[key] ?? NaN)) < 1e-5, `the chosen word’s sum in full: ${sum}`);
  }
  await page.page.locator('.chip').first().tap();
  await page.page.locator('.sum-caption').waitFor({ state: 'detached' });
  await page.close();
});

test('several rows have an arc each to every word that gets 2% of them, from their own word, as wide as their own weight', async () => {
  const page = await open();
  await page.page.locator('.rows bdi').nth(10).click();
  await page.page.locator('.rows bdi').nth(8).click({ modifiers: ['Shift'] });
  await check(page, [8, 10]);
  assert.deepEqual(await page.page.locator('.mirror .query').allInnerTexts(), ['was', 'tired']);
  const middles = await page.page.locator('.mirror .query').evaluateAll((spans) => spans.map((span) => {
    const [box, origin] = [span.getBoundingClientRect(), span.closest('.mirror')?.getBoundingClientRect()];
    return (box.left + box.right) / 2 - (origin?.left ?? 0);
  }));
  const arcs = await page.page.locator('.arcs path').evaluateAll((paths) => paths.map((path) => ({
    end: Number(/(\S+) \S+$/.exec(path.getAttribute('d') ?? '')?.[1]), width: path.getAttribute('stroke-width') ?? '',
  })));
  const weights = referenceStages(WORDS, DEFAULTS).get('weights');
  let count = 0;
  for (const [i, query] of [8, 10].entries()) {
    const own = arcs.filter(({ end }) => Math.abs(end - (middles[i] ?? NaN)) < 24).map(({ width }) => width);
    const expected = Array.from(weights.subarray(query * 11, query * 11 + query + 1)).filter((weight) => weight >= 0.015).map((weight) => Math.max(1, 12 * weight).toFixed(1));
    count += expected.length;
    assert.deepEqual(own.toSorted(), expected.toSorted(), WORDS[query]);
  }
  assert.equal(arcs.length, count, 'and no other');
  await page.close();
});
