// What attention costs: every figure is the closed formula's, in whole numbers of any size; what is measured is measured.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { read } from '../lib/shown-numbers.ts';
import { figure, numbersOf, openLab } from '../lib/lab.ts';
import { referenceStages } from '../lib/native.ts';
import { Reader } from '../lib/page.ts';
import type { StageId } from '../../web/src/engine/engine.ts';
import { DEFAULTS } from '../../web/src/engine/defaults.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const whole = (text: string): bigint => BigInt(text.replaceAll(',', ''));

/** Of a row: the texts of its facts. */
async function facts(lab: Locator, stage: string): Promise<Record<'numbers' | 'bytes' | 'work', string>> {
  const of = (fact: string) => lab.locator(`tr[data-stage=${stage}] [data-fact=${fact}]`).innerText();
  return { numbers: await of('numbers'), bytes: await of('bytes'), work: await of('work') };
}

const UNITS: Record<string, number> = { bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15 };
function bytesOf(text: string): { low: number; high: number } {
  const [, size = '', unit = ''] = /^([\d.,]+)\s(\w+)$/.exec(text) ?? [];
  const { low, high } = read(size);
  return { low: low * (UNITS[unit] ?? NaN), high: high * (UNITS[unit] ?? NaN) };
}

const MODELS = [
  { label: 'GPT-3, 175B', d_model: 12288n, heads: 96n, d_k: 128n, blocks: 96n },
  { label: 'GPT-2 XL', d_model: 1600n, heads: 25n, d_k: 64n, blocks: 48n },
  { label: 'This page’s layer', d_model: 64n, heads: 4n, d_k: 16n, blocks: 1n },
] as const;

/** What stands behind the claim. */
const openMore = (lab: Locator) => lab.locator('.lab-frame > .lab-more > summary').click();

test('numbers, bytes and work of every stage are the closed formulas’, to the last digit, up to 131,072 tokens', async () => {
  const { page, lab } = await openLab(reader, 'lab-cost', { text: 'one two three', preset: { bytes: 2 } });
  await openMore(lab);
  const slider = lab.getByRole('slider', { name: /Tokens/ });
  for (const { label, d_model: D, heads: H, d_k, blocks } of MODELS) {
    await lab.getByRole('combobox', { name: 'Model' }).selectOption({ label });
    for (const [key, n] of [['Home', 3n], ['End', 131072n]] as const) {
      await slider.press(key);
      const [adds, cells] = [4n * n * D * H * d_k + 2n * H * n * n * d_k, H * n * n];
      const expected: Record<string, [numbers: bigint, work: bigint]> = {
        projections: [3n * n * H * d_k, 3n * n * D * H * d_k], scores: [cells, cells * d_k], scaled_scores: [cells, cells], masked_scores: [cells, cells],
        weights: [cells, cells], context: [n * H * d_k, cells * d_k], output: [n * D, n * H * d_k * D],
      };
      const held = Object.values(expected).reduce((sum, [numbers]) => sum + numbers, 0n);
      Object.assign(expected, { layer: [held, adds], all: [held * blocks, adds * blocks] });
      for (const [stage, [numbers, work]] of Object.entries(expected)) {
        const shown = await facts(lab, stage);
        assert.equal(whole(shown.numbers), numbers, `${label}, ${stage}`);
        assert.equal(whole(shown.work), work, `${label}, ${stage}`);
        const { low, high } = bytesOf(shown.bytes);
        assert.ok(Number(2n * numbers) >= low && Number(2n * numbers) <= high, `${shown.bytes} of ${2n * numbers}`);
      }
      const said = await lab.locator('.lab-said').innerText();
      assert.match(said, new RegExp(`${(n * n).toLocaleString('en')} cells`));
      const share = Number((200n * H * n * n * d_k * 100n) / adds) / 100;
      assert.ok(Math.abs(Number(/(\d+)\s?%/.exec(said)?.[1]) - share) <= 0.51, said);
    }
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the formulas count the numbers that the engine really holds for the sentence', async () => {
  const words = ['three', 'small', 'words'];
  const { page, lab } = await openLab(reader, 'lab-cost', { text: words.join(' '), preset: { d_model: 64, heads: 4, d_k: 16, blocks: 1 } });
  await openMore(lab);
  const stages = referenceStages({ tokens: words }, DEFAULTS);
  const held = (...ids: StageId[]) => BigInt(ids.reduce((sum, id) => sum + stages.get(id).length, 0));
  assert.equal(whole((await facts(lab, 'projections')).numbers), held('query', 'key', 'value'));
  for (const id of ['scores', 'scaled_scores', 'masked_scores', 'weights', 'context', 'output'] as const) assert.equal(whole((await facts(lab, id)).numbers), held(id));
  await lab.locator('textarea').fill('four are these words');
  assert.equal(whole((await facts(lab, 'scores')).numbers), 4n * 4n * 4n);
  await page.close();
});

test('the parameters of GPT-3 come out to the last digit, and of any configuration as products that hold', async () => {
  const { page, lab } = await openLab(reader, 'lab-cost');
  await openMore(lab);
  const lines = async () => Object.fromEntries(await lab.locator('tr[data-count]').evaluateAll((rows) => rows.map((row) => [row.getAttribute('data-count') ?? '', [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim() ?? '')])));
  await lab.getByRole('button', { name: 'GPT-3' }).click();
  assert.deepEqual(await lines(), {
    matrix: ['128 × 12,288 =', '1,572,864'], head: ['4 × 1,572,864 =', '6,291,456'], block: ['96 × 6,291,456 =', '603,979,776'], all: ['96 × 603,979,776 =', '57,982,058,496'],
  });
  assert.match(await lab.locator('.parameters').innerText(), /175,000,000,000 .* 33\s?%/);
  const field = (name: string) => lab.getByRole('spinbutton', { name, exact: true });
  for (const [name, typed, used] of [['d_model', '5000', '5000'], ['heads', '0', '1'], ['d_k', '99999', '4096'], ['layers', '', '96'], ['layers', '3.6', '4']] as const) {
    await field(name).fill(typed);
    await field(name).blur();
    assert.equal(await field(name).inputValue(), used, `${name} ${typed}`);
  }
  const shown = await lines();
  for (const [product = '', result = ''] of Object.values(shown)) {
    assert.equal(product.replace(' =', '').split(' × ').map(whole).reduce((all, factor) => all * factor, 1n), whole(result));
  }
  assert.equal(whole(shown['all']?.[1] ?? ''), 4n * 1n * 4096n * 5000n * 4n);
  assert.equal(await lab.getByRole('combobox', { name: 'Model' }).locator('option:checked').innerText(), 'of your own');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the curves are the formulas’: the work of both parts is the same at n = 2·d_model', async () => {
  const { page, lab } = await openLab(reader, 'lab-cost', { preset: { n: 1024, d_model: 1024, heads: 16, d_k: 64 } });
  const { rows } = await numbersOf(lab, 'Work of one layer');
  assert.equal(rows.length, 18);
  for (const [n = '', linear = '', square = ''] of rows) {
    const tokens = read(n).value;
    for (const [text, exact] of [[linear, 4 * tokens * 1024 * 1024], [square, 2 * tokens ** 2 * 1024]] as const) {
      const { low, high } = read(text);
      assert.ok(exact >= low && exact <= high, `${text} at ${n}`);
    }
    if (tokens === 2048) assert.equal(linear, square);
  }
  assert.match(await figure(lab, 'Work of one layer').innerText(), /n = 2·D = 2,048/);
  await page.close();
});

test('twice as many words make a table four times as large: drawn line by line, and as numbers', async () => {
  const { page, lab } = await openLab(reader, 'lab-cost', { text: 'one two three four five' });
  assert.match(await lab.locator('.lab-claim').innerText(), /four times as large/);
  const shown = figure(lab, 'A cell for every pair of words');
  const tables = await shown.locator('.lab-cells-lines').evaluateAll((all) => all.map((path) => ({ lines: (path.getAttribute('d')?.match(/M/g) ?? []).length, size: Number(/h(\d+)/.exec(path.getAttribute('d') ?? '')?.[1]) })));
  assert.deepEqual(tables.map(({ lines }) => lines), [2 * 6, 2 * 11]);
  assert.equal(tables[1]?.size, 2 * (tables[0]?.size ?? NaN), 'cells of one size');
  assert.deepEqual((await numbersOf(lab, 'A cell for every pair of words')).rows, [['5', '25'], ['10', '100']]);
  await lab.getByRole('slider', { name: /Tokens/ }).press('End');
  assert.match(await shown.locator('svg').first().getAttribute('aria-label') ?? '', /131,072 words make 17,179,869,184 cells, 262,144 words 68,719,476,736/);
  await page.close();
});

test('trace and fused are measured here in pieces: the page answers between, both compute the same, and it stops when told to', async () => {
  const { page, lab } = await openLab(reader, 'lab-cost');
  assert.equal(await lab.locator('.timed').count(), 0);
  await lab.getByRole('button', { name: 'Measure' }).press('Enter');
  // While it is measured, the page computes what is typed.
  await lab.locator('.timed').waitFor();
  assert.equal(await lab.getByRole('button', { name: 'Stop' }).count(), 1);
  await lab.locator('textarea').fill('just two');
  assert.match(await lab.locator('.lab-said').innerText(), /2 tokens make 4 cells/);
  await lab.getByRole('button', { name: 'Measure again' }).waitFor({ timeout: 120_000 });
  const rows = await lab.locator('.timed tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
  assert.deepEqual(rows.map(([n = '']) => read(n).value), [64, 128, 256, 512, 1024, 2048]);
  for (const [n = '', fused = '', trace = '', ratio = '', kept = '', difference = ''] of rows) {
    const [a, b] = [fused, trace].map((text) => read(text.replace(/\sms$/, '')).value) as [number, number];
    assert.ok(a > 0 && b > 0);
    assert.ok(Math.abs(b / a - read(ratio).value) <= 0.006 + 0.01 * (b / a), `${b} ÷ ${a} is not ${ratio}`);
    const { low, high } = bytesOf(kept);
    assert.ok(4 * 4 * read(n).value ** 2 >= low && 4 * 4 * read(n).value ** 2 <= high, kept);
    assert.ok(read(difference).value < 1e-5, 'both ways give the same context, to rounding');
  }
  const plotted = await numbersOf(lab, 'Milliseconds of one head');
  const [, times = ''] = /32 times as many words as 64, and ([\d,]+) times the time; 32² is 1,024/.exec((await lab.locator('.timings [role=status]').innerText()).replaceAll('\u00a0', ' ')) ?? [];
  const [first, last] = [rows[0], rows.at(-1)].map((row) => read((row?.[1] ?? '').replace(/\sms$/, '')).value) as [number, number];
  assert.ok(Math.abs(Number(times.replaceAll(',', '')) / (last / first) - 1) < 0.02, `${times}, not ${last} ÷ ${first}`);
  assert.deepEqual(plotted.rows.map(([n, fused, trace]) => [n, `${fused}\u00a0ms`, `${trace}\u00a0ms`]), rows.map((row) => row.slice(0, 3)));

  await lab.getByRole('button', { name: 'Measure again' }).click();
  await lab.getByRole('button', { name: 'Stop' }).click();
  await lab.getByRole('button', { name: /^Measure/ }).waitFor();
  assert.ok(await lab.locator('.timed tbody tr').count() < 6);
  assert.deepEqual(page.problems, []);
  await page.close();
});
