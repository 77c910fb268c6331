// Any number written out: its operands are the engine's numbers, add up to it, and lead back to the embedding.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { read } from '../lib/shown-numbers.ts';
import { DEFAULTS, nativeStages, referenceStages } from '../lib/native.ts';
import { Reader, link, linkSettings } from '../lib/page.ts';
import { Random } from '../lib/random.ts';
import { Walk, full } from '../lib/walk.ts';
import { DEFAULT_TEXT, KNOBS } from '../../web/src/state/settings.ts';
import type { ArrayId } from '../../web/src/engine/engine.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const WORDS = DEFAULT_TEXT.split(' ');
const f = Math.fround;

const open = async (fragment = '#v1') => new Walk(await reader.open({ fragment })).show();

/** Every operand on screen is the number that stands there in the engine. */
async function checkOperands(walk: Walk, operands: readonly { array: ArrayId; index: number; text: string }[]): Promise<void> {
  const arrays = new Map<ArrayId, Float32Array>();
  for (const { array, index, text } of operands) {
    if (!arrays.has(array)) arrays.set(array, (await walk.array(array)).numbers);
    assert.equal(full(text), arrays.get(array)?.[index], `${array}[${index}]`);
  }
}

test('one worked cell is open when the page opens: a scaled score, which leads to its score, its products and its angle', async () => {
  const walk = await open();
  const { name, value } = await walk.explained();
  assert.match(name, /Scaled scores/);
  assert.equal(value, (await walk.number('scaled_scores')).text, 'rounded until somebody asks');
  await walk.follow(0);
  const score = await walk.explained();
  assert.match(score.name, /Scores/);
  assert.ok(score.operands.length >= 6);
  await checkOperands(walk, score.operands);
  assert.equal(score.norms.length, 3);
  await walk.playground.close();
});

test('every term of a dot product, in full: the running sum ends in the number itself', async () => {
  const walk = await open(link({ text: DEFAULT_TEXT, heads: 4, biases: 'on' }));
  for (const [id, row, column] of [['query', 7, 3], ['scores', 5, 2], ['context', 6, 9], ['output', 3, 30]] as const) {
    await walk.choose(id, row, column);
    const terms = await walk.terms();
    const { value, operands } = await walk.explained();
    await checkOperands(walk, terms.flatMap((term) => term.operands));
    let sum = 0;
    for (const { operands: [left, right], product, sum: running } of terms) {
      assert.equal(full(product) + 0, 0 + f(full(left?.text ?? '') * full(right?.text ?? '')));
      sum = full(running);
    }
    const bias = operands.find(({ array }) => array.startsWith('b_'));
    assert.equal(f(sum + (bias ? full(bias.text) : 0)), full(value), id);
    assert.equal(bias !== undefined, id === 'query' || id === 'output');
  }
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('scaling, mask and softmax are written out with the engine’s own numbers', async () => {
  const walk = await open();
  const native = nativeStages(WORDS, DEFAULTS);
  const at = 7 * WORDS.length + 1;
  await walk.choose('scaled_scores', 7, 1);
  let shown = await walk.explained();
  assert.equal(f(full(shown.operands[0]?.text ?? '') * full(shown.constants['factor'] ?? '')), native.get('scaled_scores')[at]);
  await walk.choose('masked_scores', 1, 7);
  shown = await walk.explained();
  assert.equal(shown.value, '−∞');
  assert.match(shown.words, /animal may not look at it/);
  await walk.choose('weights', 7, 1);
  shown = await walk.explained();
  const terms = await walk.terms();
  assert.equal(terms.length, WORDS.length);
  await checkOperands(walk, terms.flatMap((term) => term.operands));
  const row = referenceStages(WORDS, DEFAULTS).get('masked_scores').subarray(7 * 11, 8 * 11);
  const most = Math.max(...row);
  const sum = row.reduce((total, score) => total + Math.exp(score - most), 0);
  assert.ok(Math.abs(full(shown.constants['exp_sum'] ?? '') - sum) < 1e-4 * sum);
  assert.ok(Math.abs(full(terms[1]?.product ?? '') - Math.exp((row[1] ?? 0) - most)) < 1e-4);
  assert.equal(f(full(terms[1]?.product ?? '') / full(shown.constants['exp_sum'] ?? '')), native.get('weights')[at]);
  await walk.playground.close();
});

test('operands are clickable in turn, back to the embedding and the word’s own numbers; the trail leads back', async () => {
  const walk = await open();
  await walk.choose('weights', 7, 1);
  const start = await walk.explained();
  const visited: string[] = [];
  for (let i = 0; i < 8; i += 1) {
    const { operands, title } = await walk.explained();
    if (operands.length === 0) break;
    await checkOperands(walk, operands);
    const own = operands.findIndex(({ index, array }) => array === 'masked_scores' && index === 7 * 11 + 1);
    const next = operands[Math.max(0, own)];
    await walk.follow(Math.max(0, own));
    const now = await walk.explained();
    assert.equal(full(now.value), full(next?.text ?? ''), `${title} led on`);
    visited.push(next?.array ?? '');
  }
  assert.deepEqual(visited, ['masked_scores', 'scaled_scores', 'scores', 'query', 'embeddings', 'content']);
  assert.equal((await walk.explained()).trail, 6);
  const { query, key } = await walk.playground.read();
  assert.deepEqual([query, key], [7, 1], 'the cell that led here stays chosen');
  await walk.page.locator('.trail button').first().click();
  await walk.settle();
  const back = await walk.explained();
  assert.deepEqual([back.value, back.title, back.trail], [start.value, start.title, 0]);
  await walk.page.locator('[data-down]').click();
  await walk.settle();
  assert.match((await walk.explained()).name, /Embeddings/);
  assert.equal((await walk.explained()).trail, 5);
  await walk.playground.close();
});

test('a dot product is also ‖a‖ · ‖b‖ · cos θ', async () => {
  const walk = await open();
  const reference = referenceStages(WORDS, DEFAULTS);
  for (const [query, key] of [[7, 1], [3, 3], [10, 0]] as const) {
    await walk.choose('scores', query, key);
    const q = reference.get('query').subarray(query * 16, (query + 1) * 16);
    const k = reference.get('key').subarray(key * 16, (key + 1) * 16);
    const [a, b] = [Math.hypot(...q), Math.hypot(...k)];
    const cosine = q.reduce((sum, x, i) => sum + x * (k[i] ?? 0), 0) / (a * b);
    const printed = (await walk.explained()).norms.map((text) => read(text).value);
    for (const [i, expected] of [a, b, cosine].entries()) assert.ok(Math.abs((printed[i] ?? NaN) - expected) < 1e-3 * Math.abs(expected) + 1e-5, `${printed} for ${[a, b, cosine]}`);
  }
  await walk.playground.close();
});

test('a number set by hand changes the run, is said, and can be put back', async () => {
  const walk = await open();
  await walk.unfold('query');
  await walk.card('query').locator('[data-parameter=W_Q] summary').click();
  await walk.settle();
  const { extents, numbers } = await walk.array('W_Q');
  await walk.choose('W_Q', 2, 3);
  const at = 2 * (extents[1] ?? 0) + 3;
  assert.equal(full((await walk.explained()).value), numbers[at]);
  const before = await walk.playground.stage('query');
  const field = walk.page.locator('.edit-number input');
  await field.fill('1.2.3');
  await field.press('Enter');
  assert.match(await walk.page.locator('#edit-problem').innerText(), /not a finite number/);
  assert.equal(await field.inputValue(), '1.2.3', 'what was typed is kept');
  await field.fill('-2.5');
  await field.press('Enter');
  await walk.settle();
  assert.equal((await walk.explained()).value, '−2.5');
  assert.match((await walk.explained()).words, /by hand/);
  const native = nativeStages({ tokens: WORDS, edits: [{ array: 'W_Q', row: 2, column: 3, value: -2.5 }] }, DEFAULTS);
  assert.deepEqual(await walk.playground.stage('query'), native.get('query'));
  await walk.page.locator('[data-put-back]').click();
  await walk.settle();
  assert.deepEqual(await walk.playground.stage('query'), before);
  await walk.choose('content', 0, 4);
  await walk.page.locator('.edit-number input').fill('3');
  await walk.page.locator('.edit-number input').press('Enter');
  await walk.settle();
  const word = nativeStages({ tokens: WORDS, edits: [{ token: 'the', column: 4, value: 3 }] }, DEFAULTS);
  assert.deepEqual(await walk.playground.stage('content'), word.get('content'), 'the word, wherever it stands');
  await walk.choose('scores', 1, 1);
  assert.equal(await walk.page.locator('.edit-number').count(), 0, 'what is computed is not set');
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('whatever the settings, any number is explained by the engine’s own numbers', async () => {
  const random = new Random(20);
  const settings = [
    { positions: 'rope', num_heads: 2, softcap: 3 }, { positions: 'alibi', mask: 'window', temperature: 0.5 }, { positions: 'learned', biases: true, dropout: 0.3 },
    { temperature: 0, value_rank: 3 }, { num_kv_heads: 2, positions: 'none', out_proj: false, residual: false },
  ] as const;
  for (const [n, each] of settings.entries()) {
    const walk = await open(link({ text: 'one word and one more', ...linkSettings({ ...KNOBS, ...each }) }));
    // Natively all numbers are held; here every second stage of a run, so that all of them come.
    for (const id of (await walk.stages() as ArrayId[]).filter((_, i) => i % 2 === n % 2)) {
      const { numbers, extents } = await walk.array(id);
      const [columns = 1, rows = 1] = extents.toReversed();
      const [row, column] = [random.whole(0, rows - 1), random.whole(0, columns - 1)];
      await walk.choose(id, row, column);
      const { value, operands, name } = await walk.explained();
      assert.equal(full(value), numbers[row * columns + column], `${name}, ${JSON.stringify(each)}`);
      await checkOperands(walk, operands);
    }
    assert.deepEqual(walk.playground.problems, [], JSON.stringify(each));
    await walk.playground.close();
  }
});
