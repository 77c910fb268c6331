// Rows are queries, or columns are: labelled on every edge, in words and for the keyboard; the numbers stay the same.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DEFAULTS, nativeStages } from '../lib/native.ts';
import { Reader, link } from '../lib/page.ts';
import { Walk, full } from '../lib/walk.ts';
import { assertWhole } from '../lib/page-checks.ts';
import { setting } from '../../web/src/state/settings.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

test('turned round, every label says so and not a number changes', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two three four', 'key-text': 'alpha beta', mask: 'none', row: 3, key: 2 }) });
  const before = await page.read();
  const weights = await page.stage('weights');
  await page.turn(setting('rows'), 'keys');
  const after = await page.read();
  assert.deepEqual(after.rowLabels, before.columnLabels);
  assert.deepEqual(after.columnLabels, before.rowLabels);
  assert.deepEqual([after.query, after.key], [before.key, before.query], 'the cell stands at the mirrored place');
  assert.equal(after.label, before.label);
  assert.equal(after.weight, before.weight);
  assert.match(after.caption, /^Column three:/);
  const words = await page.page.locator('.matrix-area').innerText();
  assert.match(words, /each column sums to 1/);
  assert.match(words, /query \(column\): the word of your sentence that looks/);
  assert.match(words, /key \(row\):/);
  assert.match(await page.page.locator('.matrix [role=grid]').getAttribute('aria-label') ?? '', /rows are keys, columns are queries/);
  assert.deepEqual(await page.stage('weights'), weights);
  await assertWhole(page, 'turned round');
  await page.close();
});

test('turned round, keys and the mouse go where the eye does', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two three four five six', rows: 'keys', mask: 'none', row: 2, key: 2 }) });
  await page.cell.focus();
  await page.page.keyboard.press('ArrowRight');
  assert.match((await page.read()).label, /query \u2068three\u2069, key \u2068two\u2069/);
  await page.page.keyboard.press('ArrowDown');
  assert.match((await page.read()).label, /query \u2068three\u2069, key \u2068three\u2069/);
  const [box, size] = [await page.page.locator('.matrix canvas').boundingBox(), await page.cell.evaluate((cell) => cell.getBoundingClientRect().width)];
  await page.page.mouse.click((box?.x ?? 0) + 4.5 * size, (box?.y ?? 0) + 0.5 * size);
  assert.match((await page.read()).label, /query \u2068five\u2069, key \u2068one\u2069/);
  await page.page.keyboard.press('m');
  const edits = await page.page.evaluate(() => (document.querySelector('attention-playground') as unknown as { state: { maskEdits: unknown } }).state.maskEdits);
  assert.deepEqual(edits, [{ query: 4, key: 0 }]);
  await page.close();
});

test('the masked triangle lies where later words do, either way', async () => {
  for (const [rows, masked, open] of [['queries', [4.5, 0.5], [0.5, 4.5]], ['keys', [0.5, 4.5], [4.5, 0.5]]] as const) {
    const page = await reader.open({ fragment: link({ text: 'one two three four five six', rows }) });
    const [box, size] = [await page.page.locator('.matrix canvas').boundingBox(), await page.cell.evaluate((cell) => cell.getBoundingClientRect().width)];
    const labelAt = async ([x, y]: readonly [number, number]) => {
      await page.page.mouse.click((box?.x ?? 0) + x * size, (box?.y ?? 0) + y * size);
      return (await page.read()).label;
    };
    assert.match(await labelAt(masked), /masked/, rows);
    assert.doesNotMatch(await labelAt(open), /masked/, rows);
    await page.close();
  }
});

test('the walk turns its matrices of pairs with it, labelled, and not a number changes', async () => {
  const [tokens, keyTokens] = [['one', 'two', 'three', 'four'], ['alpha', 'beta']];
  const settings = { ...DEFAULTS, mask: 'none' as const };
  const native = nativeStages({ tokens, keyTokens }, settings);
  const walk = await new Walk(await reader.open({ fragment: link({ text: tokens.join(' '), 'key-text': keyTokens.join(' '), mask: 'none', rows: 'keys', row: 3, key: 2 }) })).show();
  const compare = walk.page.locator('[data-group=compare]');
  for (const id of ['scores', 'scaled_scores', 'masked_scores', 'weights'] as const) {
    // A row is a key here, a column a query.
    await walk.choose(id, 1, 3);
    assert.equal(full(await walk.value(id)), native.get(id)[3 * 2 + 1], id);
    const { row, column, label } = await walk.place(id);
    assert.deepEqual([row, column], [1, 3], id);
    assert.match(label, /query \u2068four\u2069, key \u2068beta\u2069/);
    assert.match(await walk.page.locator(`[data-array=${id}] [role=grid]`).getAttribute('aria-label') ?? '', /rows are keys, columns are queries/);
    assert.match((await walk.explained()).title, /four.*beta/s);
  }
  await walk.walkTo('scores', 0, 2);
  assert.match((await walk.place('scores')).label, /query \u2068three\u2069, key \u2068alpha\u2069/, 'by the arrow keys, too');
  assert.match((await walk.playground.read()).label, /query \u2068three\u2069, key \u2068alpha\u2069/);
  assert.deepEqual(await compare.locator('.line-labels').first().locator('bdi').allInnerTexts(), keyTokens, 'the words beside the rows are keys');
  assert.match(await compare.innerText(), /rows are keys, columns are queries/);
  assert.match(await compare.locator('.line-title').first().innerText(), /keys ↓/);
  await walk.choose('query', 2, 5);
  assert.equal(full(await walk.value('query')), native.get('query')[2 * 16 + 5], 'a word’s own numbers lie as before');
  const size = await walk.page.locator('[data-array=weights] canvas').evaluate((canvas) => [canvas.clientWidth > canvas.clientHeight]);
  assert.deepEqual(size, [true], 'four columns, two rows');
  await walk.playground.turn(setting('rows'), 'queries');
  await walk.settle();
  await walk.choose('weights', 3, 1);
  assert.equal(full(await walk.value('weights')), native.get('weights')[3 * 2 + 1]);
  assert.match(await compare.innerText(), /rows are queries, columns are keys/);
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('turned round, operands light up where they are drawn', async () => {
  const walk = await new Walk(await reader.open({ fragment: link({ text: 'one two three four five', rows: 'keys', mask: 'none', row: 2, key: 4 }) })).show();
  await walk.choose('context', 1, 3);
  // The query's weights are a column now.
  assert.ok((await walk.accentAt('weights', 0, 1)) > 4);
  assert.equal(await walk.accentAt('weights', 1, 4), 0);
  await walk.playground.close();
});
