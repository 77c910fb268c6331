// With the causal mask a row cannot know later words; without it, it does. And what every head's matrix must be.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { firstDifference } from '../lib/native.ts';
import { type Playground, Reader } from '../lib/page.ts';
import type { Screen } from '../lib/screen.ts';
import type { StageId } from '../../web/src/engine/engine.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const [D, H] = [64, 4];
const d_v = D / H;
const EARLIER = ['the', 'animal', 'was', 'too'];
const T = EARLIER.length + 1;
const BY_QUERY: readonly StageId[] = ['query', 'key', 'value', 'context'];
const ROWS_OF_KEYS: readonly StageId[] = ['scores', 'scaled_scores', 'masked_scores', 'weights'];
const BY_TOKEN: readonly StageId[] = ['content', 'position', 'embeddings', 'concat', 'output', 'residual'];

/** Puts another last word by the keyboard. */
async function typeLastWord(page: Playground, word: string): Promise<void> {
  await page.textBox.focus();
  await page.page.keyboard.press('Control+End');
  await page.page.keyboard.press('Control+Backspace');
  await page.type(word);
}

/** What the rows before the last one show: the numbers of their cells that do not come later. */
async function earlierRows(page: Playground): Promise<{ table: string[][]; row: Screen['row']; caption: string }> {
  await page.walkTo(T - 2, 0);
  const { table, row, caption } = await page.read();
  return { table: table.slice(0, T - 1).map((line) => line.slice(0, T - 1)), row: row.slice(0, T - 1), caption };
}

/** The parts of a stage that belong to the earlier tokens; of a matrix, the cells of earlier keys. */
function earlierPart(id: StageId, numbers: Float32Array): Float32Array {
  if (BY_TOKEN.includes(id)) return numbers.slice(0, (T - 1) * D);
  const width = BY_QUERY.includes(id) ? d_v : T;
  const kept = BY_QUERY.includes(id) ? d_v : T - 1;
  const part: number[] = [];
  for (let head = 0; head < H; head += 1) {
    for (let query = 0; query < T - 1; query += 1) {
      const from = (head * T + query) * width;
      part.push(...numbers.subarray(from, from + kept));
    }
  }
  return Float32Array.from(part);
}

async function change(page: Playground): Promise<{ shown: boolean; bits: Map<StageId, boolean> }> {
  const ids = [...BY_TOKEN, ...BY_QUERY, ...ROWS_OF_KEYS];
  const [shownBefore, before] = [await earlierRows(page), await page.stages(ids)];
  await typeLastWord(page, 'wide');
  const [shownAfter, later] = [await earlierRows(page), await page.stages(ids)];
  const part = (stages: Map<StageId, Float32Array>, id: StageId) => earlierPart(id, stages.get(id) as Float32Array);
  assert.notDeepEqual(before.get('weights'), later.get('weights'), 'the last row must change');
  return {
    shown: JSON.stringify(shownBefore) !== JSON.stringify(shownAfter),
    bits: new Map(ids.map((id) => [id, firstDifference(part(before, id), part(later, id)) >= 0])),
  };
}

async function open(mask: 'causal' | 'none'): Promise<Playground> {
  const page = await reader.open();
  await page.paste([...EARLIER, 'tired'].join(' '));
  await page.set({ mask });
  await page.openDetails('as a table');
  return page;
}

test('with the mask on, typing another later word leaves earlier rows as they were, bit for bit', async () => {
  const page = await open('causal');
  const { shown, bits } = await change(page);
  assert.equal(shown, false);
  for (const [id, changed] of bits) assert.equal(changed, false, id);
  await page.close();
});

test('with the mask off, it changes them', async () => {
  const page = await open('none');
  const { shown, bits } = await change(page);
  assert.equal(shown, true);
  for (const id of ['weights', 'context', 'concat', 'output', 'residual'] as const) assert.equal(bits.get(id), true, id);
  for (const id of ['content', 'query', 'key', 'value', 'scores'] as const) assert.equal(bits.get(id), false, id);
  await page.close();
});

test('a causal matrix is lower-triangular with a first row of 1, on screen and in full precision', async () => {
  const page = await open('causal');
  for (let head = 0; head < H; head += 1) {
    await page.chooseHead(head);
    const { table } = await page.read();
    table.forEach((line, query) => line.forEach((text, key) => assert.equal(text === 'masked', key > query)));
    assert.equal(Number(table[0]?.[0]), 1);
  }
  const weights = await page.stage('weights');
  const masked = await page.stage('masked_scores');
  weights.forEach((weight, i) => {
    const [query, key] = [Math.floor(i / T) % T, i % T];
    assert.equal(masked[i] === -Infinity, key > query);
    if (key > query) assert.equal(weight, 0);
    if (query === 0 && key === 0) assert.equal(weight, 1);
  });
  await page.close();
});

test('each head\'s first context row is its first value row', async () => {
  const page = await open('causal');
  const [context, value] = [await page.stage('context'), await page.stage('value')];
  for (let head = 0; head < H; head += 1) {
    const from = head * T * d_v;
    assert.deepEqual(context.slice(from, from + d_v), value.slice(from, from + d_v), `head ${head + 1}`);
  }
  await page.close();
});

for (const mask of ['causal', 'none'] as const) {
  test(`every row sums to 1, mask ${mask}`, async () => {
    const page = await open(mask);
    const weights = await page.stage('weights');
    for (let row = 0; row < H * T; row += 1) {
      const sum = weights.subarray(row * T, (row + 1) * T).reduce((total, weight) => total + weight, 0);
      assert.ok(Math.abs(sum - 1) < 2e-6, `row ${row} sums to ${sum}`);
    }
    const { table } = await page.read();
    for (const line of table) {
      const sum = line.reduce((total, text) => total + (text === 'masked' ? 0 : Number(text)), 0);
      assert.ok(Math.abs(sum - 1) <= 0.00005 * T, `${line.join(' ')} sums to ${sum}`);
    }
    await page.close();
  });
}

test('heads split d_model and come together again: concat is the contexts side by side', async () => {
  const page = await open('causal');
  for (const num_heads of [1, 2, 8, 64]) {
    await page.set({ num_heads });
    const [context, concat] = [await page.stage('context'), await page.stage('concat')];
    const width = D / num_heads;
    const joined = new Float32Array(T * D);
    for (let token = 0; token < T; token += 1) {
      for (let head = 0; head < num_heads; head += 1) {
        const from = (head * T + token) * width;
        joined.set(context.subarray(from, from + width), token * D + head * width);
      }
    }
    assert.equal(firstDifference(concat, joined), -1, `${num_heads} heads`);
    assert.equal((await page.read()).heads, num_heads);
  }
  await page.close();
});

test('changing the number of heads re-slices the same queries', async () => {
  const page = await open('none');
  const whole = async (num_heads: number) => {
    await page.set({ num_heads });
    const query = await page.stage('query');
    const width = D / num_heads;
    return Float32Array.from({ length: T * D }, (_, i) => {
      const [token, column] = [Math.floor(i / D), i % D];
      return query[(Math.floor(column / width) * T + token) * width + (column % width)] ?? NaN;
    });
  };
  const one = await whole(1);
  for (const num_heads of [2, 4, 16]) assert.equal(firstDifference(await whole(num_heads), one), -1, `${num_heads} heads`);
  await page.close();
});
