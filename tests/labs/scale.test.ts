// Why √d: the lab's sample, moments and softmax are plain double loops' over the same random numbers; its controls drive it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { read } from '../lib/shown-numbers.ts';
import { figure, numbersOf, openLab } from '../lib/lab.ts';
import { referenceStages } from '../lib/native.ts';
import { loadInNode } from '../lib/operators.ts';
import { Reader } from '../lib/page.ts';
import { DEFAULTS } from '../../web/src/engine/defaults.ts';
import type { Locator } from 'playwright-core';

const reader = await Reader.arrive();
after(() => reader.leave());
const operators = await loadInNode();

const WIDEST = 1024;

function draw(pairs: number, seed: number): [Float32Array, Float32Array] {
  const tensor = operators.tensor([pairs, WIDEST]);
  const [query, key] = [0, 1].map((stream) => (operators.statistics.normals(tensor, { seed, stream }), tensor.read()));
  tensor.free();
  return [query as Float32Array, key as Float32Array];
}

/** Of each pair; or, with `keys`, of one query with the keys of as many pairs: the first pair's. */
function dots([query, key]: [Float32Array, Float32Array], d: number, keys = 1): number[] {
  return Array.from({ length: query.length / WIDEST }, (_, pair) => {
    const asking = pair - (pair % keys);
    let sum = 0;
    for (let i = 0; i < d; i += 1) sum += (query[asking * WIDEST + i] as number) * (key[pair * WIDEST + i] as number);
    return sum;
  });
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
const variance = (numbers: readonly number[]) => mean(numbers.map((x) => (x - mean(numbers)) ** 2));

function softmaxFacts(scores: readonly number[], keys: number) {
  const rows = Array.from({ length: Math.floor(scores.length / keys) }, (_, row) => {
    const own = scores.slice(row * keys, (row + 1) * keys);
    const exps = own.map((score) => Math.exp(score - Math.max(...own)));
    const weights = exps.map((each) => each / exps.reduce((sum, x) => sum + x, 0));
    return {
      entropy: -weights.reduce((sum, w) => sum + (w > 0 ? w * Math.log2(w) : 0), 0),
      largest: Math.max(...weights),
      gradient: Math.hypot(...weights.flatMap((w, i) => weights.map((v, j) => w * (Number(i === j) - v)))),
    };
  });
  return { entropy: mean(rows.map((row) => row.entropy)), largest: mean(rows.map((row) => row.largest)), gradient: mean(rows.map((row) => row.gradient)) };
}

function says(text: string, expected: number, tolerance: number, significant?: number): void {
  const { low, high } = read(text, significant);
  assert.ok(expected >= low - tolerance && expected <= high + tolerance, `${text} is not ${expected}`);
}

async function assertMoments(lab: Locator, row: string, numbers: readonly number[]): Promise<void> {
  const fact = (name: string) => lab.locator(`tr[data-row=${row}] [data-fact=${name}]`).innerText();
  const slack = 1e-4 * Math.max(1, variance(numbers));
  says(await fact('mean'), mean(numbers), slack);
  says(await fact('variance'), variance(numbers), slack, 4);
  says(await fact('deviation'), Math.sqrt(variance(numbers)), slack, 4);
}

test('mean, variance and every bar are those of the same numbers in double, at any d', async () => {
  const sample = draw(500, 7);
  const { page, lab } = await openLab(reader, 'lab-scale', { preset: { d: 50, pairs: 500, seed: 7 } });
  for (const d of [50, 1, 1024]) {
    if (d !== 50) await lab.getByRole('button', { name: d === 1 ? 'The shortest' : 'The longest' }).click();
    const raw = dots(sample, d);
    const scaled = raw.map((score) => score / Math.sqrt(d));
    await assertMoments(lab, 'raw', raw);
    await assertMoments(lab, 'scaled', scaled);
    for (const [title, scores] of [['Raw scores', raw], ['Divided scores', scaled]] as const) {
      const { rows } = await numbersOf(lab, title);
      for (const [range = '', count = ''] of rows) {
        const [from = NaN, to = NaN] = range.split(' to ').map((edge) => read(edge).value);
        const between = (slack: number) => scores.filter((score) => score >= from - slack && score < to + slack).length;
        assert.ok(Number(count) >= between(-1e-4) && Number(count) <= between(1e-4), `${count} from ${range}, not ${between(0)}, at d = ${d}`);
      }
      const drawn = await figure(lab, title).locator('.plot-bar').evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('data-count'))));
      assert.deepEqual(drawn, rows.map(([, count]) => Number(count)));
      const beyond = (await figure(lab, title).innerText()).match(/(\d+) lie beyond/)?.[1] ?? '0';
      assert.equal(drawn.reduce((sum, count) => sum + count, 0) + Number(beyond), 500);
    }
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('entropy, largest weight and slope of softmax are those of plain loops at every power of two, with and without division', async () => {
  const sample = draw(500, 1);
  const { page, lab } = await openLab(reader, 'lab-scale', { preset: { d: 64, pairs: 500, keys: 20 } });
  const titles = { entropy: 'How evenly', largest: 'What the largest', gradient: 'What is left' } as const;
  for (const [fact, title] of Object.entries(titles) as [keyof typeof titles, string][]) {
    const { rows } = await numbersOf(lab, title);
    assert.deepEqual(rows.map(([d = '']) => read(d).value), Array.from({ length: 11 }, (_, i) => 2 ** i));
    for (const [d = '', divided = '', raw = ''] of rows) {
      const scores = dots(sample, read(d).value, 20);
      says(raw, softmaxFacts(scores, 20)[fact], 1e-4);
      says(divided, softmaxFacts(scores.map((score) => score / Math.sqrt(read(d).value)), 20)[fact], 1e-4);
    }
  }
  const { rows } = await numbersOf(lab, 'The variance grows');
  for (const [d = '', deviation = '', square = '', expected = ''] of rows) {
    says(square, variance(dots(sample, read(d).value)), 1e-2, 4);
    says(deviation, Math.sqrt(variance(dots(sample, read(d).value))), 1e-3, 4);
    assert.equal(read(expected).value, read(d).value);
  }
  await page.close();
});

test('a row of softmax is one query’s: at d = 1 many keys share it, and division changes nothing', async () => {
  const { page, lab } = await openLab(reader, 'lab-scale', { preset: { d: 1 } });
  // The mean of 125 rows over one normal query and 16 normal keys, by an independent draw of a million rows: 20.9 %, 3.51 bits.
  const of = async (title: string) => (await numbersOf(lab, title)).rows[0]?.slice(1).map((text) => read(text).value) as [number, number];
  const [[divided, raw], [even]] = [await of('What the largest'), await of('How evenly')];
  assert.equal(divided, raw);
  assert.ok(Math.abs(raw - 0.209) < 0.025, `the largest takes ${raw}`);
  assert.ok(Math.abs(even - 3.51) < 0.08, `${even} bits`);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the reader’s sentence is one of the samples: its scores at the chosen length, as the double reference has them', async () => {
  const words = ['one', 'two', 'one', 'three'];
  const { page, lab } = await openLab(reader, 'lab-scale', { text: words.join(' '), preset: { d: 200, pairs: 500 } });
  const reference = (tokens: readonly string[], d: number) => referenceStages({ tokens }, { ...DEFAULTS, num_heads: 1, d_k: d, positions: 'none', mask: 'none' });
  await assertMoments(lab, 'own', [...reference(words, 200).get('scores')]);
  await assertMoments(lab, 'own-scaled', [...reference(words, 200).get('scaled_scores')]);
  assert.match(await figure(lab, 'Raw scores').innerText(), /your sentence’s 16 scores/);
  await lab.locator('textarea').fill('quite another one');
  await lab.getByRole('button', { name: 'GPT-3' }).click();
  await assertMoments(lab, 'own', [...reference(['quite', 'another', 'one'], 128).get('scores')]);
  await lab.locator('textarea').fill('');
  assert.equal(await lab.locator('[data-row=own]').count(), 0);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('by keys: the length goes from 1 to 1,024, the raw spread with its root, the divided one not at all', async () => {
  const { page, lab } = await openLab(reader, 'lab-scale', { preset: { d: 1, pairs: 500 } });
  const slider = lab.getByRole('slider', { name: /Length of the vectors/ });
  const deviation = async (row: string) => read(await lab.locator(`tr[data-row=${row}] [data-fact=deviation]`).innerText()).value;
  await slider.focus();
  const seen: number[] = [];
  for (const key of ['Home', 'ArrowRight', 'PageUp', 'PageUp', 'PageUp', 'End']) {
    await page.page.keyboard.press(key);
    const d = read(await slider.getAttribute('aria-valuetext') ?? '').value;
    seen.push(d);
    assert.ok(Math.abs((await deviation('raw')) / Math.sqrt(d) - 1) < 0.25, `√${d}`);
    assert.ok(Math.abs((await deviation('scaled')) - 1) < 0.25);
    assert.match(await lab.locator('.lab-said').innerText(), new RegExp(`d = ${d.toLocaleString('en')} `));
  }
  assert.deepEqual([seen[0], seen[1], seen.at(-1)], [1, 2, 1024]);
  assert.deepEqual([...seen].sort((a, b) => a - b), seen);
  await page.close();
});

test('another draw has other numbers, which its link brings back; more keys and pairs are counted', async () => {
  const { page, lab } = await openLab(reader, 'lab-scale', { preset: { pairs: 500 } });
  const raw = () => lab.locator('tr[data-row=raw]').innerText();
  const before = await raw();
  await lab.getByRole('button', { name: 'Draw others' }).press('Enter');
  const other = await raw();
  assert.notEqual(other, before);
  await page.page.waitForFunction(() => location.hash.includes('seed'));
  const address = page.page.url();
  const again = await reader.open({ file: 'labs.html', fragment: new URL(address).hash });
  const there = again.page.locator('#lab-scale');
  await there.locator('.lab-said').waitFor();
  assert.equal(await there.locator('tr[data-row=raw]').innerText(), other);
  await lab.getByRole('combobox', { name: 'Random pairs' }).selectOption('2000');
  await lab.getByRole('button', { name: '128 keys' }).click();
  assert.match(await figure(lab, 'How evenly').innerText(), /128 keys, mean of 15 rows/);
  await assertMoments(lab, 'raw', dots(draw(2000, 2), 64));
  await again.close();
  await page.close();
});
