// Why √d: the row that moves is the double reference's with the division and without; the sample behind it is plain double loops'.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { read } from '../lib/shown-numbers.ts';
import { figure, isShown, numbersOf, openLab } from '../lib/lab.ts';
import { referenceStages } from '../lib/native.ts';
import { loadInNode } from '../lib/operators.ts';
import { Reader } from '../lib/page.ts';
import { DEFAULTS } from '../../web/src/engine/defaults.ts';

const reader = await Reader.arrive();
after(() => reader.leave());
const operators = await loadInNode();

const WIDEST = 1024;
const WORDS = "the animal didn't cross the street because it was too tired".split(' ');

/** One query's scores and weights in one head of d numbers, every word a key. */
function rowOf(words: readonly string[], row: number, d: number, scale: 'none' | 'sqrt-dk'): { scores: number[]; weights: number[] } {
  const stages = referenceStages({ tokens: words }, { ...DEFAULTS, num_heads: 1, d_k: d, positions: 'none', mask: 'none', scale });
  const part = (stage: 'scaled_scores' | 'weights') => [...stages.get(stage).slice(row * words.length, (row + 1) * words.length)];
  return { scores: part('scaled_scores'), weights: part('weights') };
}

/** Widths of the bars of one look, scores and shares in turn. */
const widths = (lab: Locator, look: string) => figure(lab, 'What “').locator(`.plot-moving .${look}`).evaluateAll((all) => all.map((bar) => Number(bar.getAttribute('width'))));

async function assertRow(lab: Locator, words: readonly string[], row: number, d: number, isDivided = true): Promise<void> {
  const [raw, divided] = [rowOf(words, row, d, 'none'), rowOf(words, row, d, 'sqrt-dk')];
  const { rows } = await numbersOf(lab, 'What “');
  assert.deepEqual(rows.map(([word]) => word), words);
  rows.forEach(([, ...texts], i) => [raw.scores[i], raw.weights[i], divided.scores[i], divided.weights[i]].forEach((expected, at) => (
    assert.ok(isShown(texts[at] ?? '', expected ?? NaN, 1e-4), `${words[i]}, number ${at}, at d = ${d}: ${texts[at]}, in double ${expected}`))));
  // Bars are as long as the shares, on an axis that ends at 1.
  const [now, other] = isDivided ? [divided, raw] : [raw, divided];
  const axis = await figure(lab, 'What “').locator('.plot-grid').evaluateAll((all) => all.map((line) => Number(line.getAttribute('x1'))));
  const whole = (axis.at(-1) ?? 0) - (axis[3] ?? 0);
  const [bars, ghosts] = [await widths(lab, 'plot-bar'), await widths(lab, 'plot-ghost')];
  assert.equal(bars.length, 2 * words.length);
  words.forEach((_, i) => {
    assert.ok(Math.abs((bars[2 * i + 1] ?? NaN) - whole * (now.weights[i] ?? NaN)) < 0.1, `bar of ${words[i]}`);
    assert.ok(Math.abs((ghosts[2 * i + 1] ?? NaN) - whole * (other.weights[i] ?? NaN)) < 0.1, `outline of ${words[i]}`);
  });
}

test('the row that moves is the reference’s at any length, and its outline the same row without the division, or with it', async () => {
  const { page, lab } = await openLab(reader, 'lab-scale', { text: WORDS.join(' ') });
  await assertRow(lab, WORDS, 7, 64);
  for (const [name, d] of [['The shortest', 1], ['GPT-3', 128], ['The longest', 1024]] as const) {
    await lab.getByRole('button', { name }).click();
    await assertRow(lab, WORDS, 7, d);
    assert.match(await lab.locator('.lab-said').innerText(), new RegExp(`^At d = ${d.toLocaleString('en')}, it gives`));
  }
  await lab.locator('.segment', { hasText: 'no' }).click();
  await assertRow(lab, WORDS, 7, 1024, false);
  await lab.getByRole('combobox', { name: 'Word that looks' }).selectOption('2');
  await assertRow(lab, WORDS, 1, 1024, false);
  await lab.locator('textarea').fill('quite another one');
  await assertRow(lab, ['quite', 'another', 'one'], 1, 1024, false);
  await lab.locator('textarea').fill('');
  assert.match(await lab.locator('.lab-figure').innerText(), /Type a word/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('what is said are the two largest shares: one word takes nearly everything only without the division', async () => {
  const { page, lab } = await openLab(reader, 'lab-scale', { text: WORDS.join(' '), preset: { d: 1024 } });
  const [raw, divided] = [rowOf(WORDS, 7, 1024, 'none'), rowOf(WORDS, 7, 1024, 'sqrt-dk')];
  const top = ({ weights }: { weights: number[] }) => weights.indexOf(Math.max(...weights));
  const percent = (share = NaN) => `${Math.round(100 * share)}%`;
  const said = await lab.locator('.lab-said').innerText();
  assert.ok(said.includes(`gives ${WORDS[top(raw)]} ${percent(raw.weights[top(raw)])} without`), said);
  assert.ok(said.endsWith(`no word gets more than ${percent(divided.weights[top(divided)])}.`), said);
  assert.ok((raw.weights[top(raw)] ?? 0) > 0.95 && (divided.weights[top(divided)] ?? 1) < 0.5);
  await page.close();
});

test('by keys: the length goes from 1 to 1,024 on axes that stay where they are', async () => {
  const { page, lab } = await openLab(reader, 'lab-scale', { preset: { d: 1 } });
  const slider = lab.getByRole('slider', { name: /Length of the vectors/ });
  const axes = () => figure(lab, 'What “').locator('.plot-axes').evaluate((group) => group.innerHTML.replace(/<!--.*?-->/g, ''));
  const before = await axes();
  await slider.focus();
  const seen: number[] = [];
  for (const key of ['Home', 'ArrowRight', 'PageUp', 'PageUp', 'End']) {
    await page.page.keyboard.press(key);
    seen.push(read(await slider.getAttribute('aria-valuetext') ?? '').value);
    assert.equal(await axes(), before);
  }
  assert.deepEqual([seen[0], seen[1], seen.at(-1)], [1, 2, 1024]);
  assert.deepEqual([...seen].sort((a, b) => a - b), seen);
  await page.close();
});

// The sample behind it.

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
const deviation = (numbers: readonly number[]) => Math.sqrt(mean(numbers.map((x) => (x - mean(numbers)) ** 2)));

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

const fact = (lab: Locator, row: string, name: string) => lab.locator(`tr[data-row=${row}] [data-fact=${name}]`).innerText();

test('spread, entropy, largest share and slope are those of plain loops over the same random numbers, at any length', async () => {
  const { page, lab } = await openLab(reader, 'lab-scale', { preset: { d: 50, pairs: 500, keys: 20, seed: 7 } });
  await lab.locator('.lab-frame > .lab-more > summary').click();
  const sample = draw(500, 7);
  for (const d of [50, 1, 1024]) {
    if (d !== 50) await lab.getByRole('button', { name: d === 1 ? 'The shortest' : 'The longest' }).click();
    for (const [row, factor] of [['raw', 1], ['divided', 1 / Math.sqrt(d)]] as const) {
      const [pairs, rows] = [dots(sample, d), dots(sample, d, 20)].map((scores) => scores.map((score) => score * factor)) as [number[], number[]];
      says(await fact(lab, row, 'mean'), mean(pairs), 1e-4 * Math.max(1, deviation(pairs) ** 2));
      says(await fact(lab, row, 'deviation'), deviation(pairs), 1e-4 * Math.max(1, deviation(pairs)), 4);
      const { entropy, largest, gradient } = softmaxFacts(rows, 20);
      says(await fact(lab, row, 'entropy'), entropy, 1e-4);
      says(await fact(lab, row, 'largest'), largest, 1e-4);
      says(await fact(lab, row, 'gradient'), gradient, 1e-4);
    }
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a row of softmax is one query’s: at d = 1 many keys share it, and division changes nothing', async () => {
  const { page, lab } = await openLab(reader, 'lab-scale', { preset: { d: 1 } });
  await lab.locator('.lab-frame > .lab-more > summary').click();
  // The mean of 125 rows over one normal query and 16 normal keys, by an independent draw of a million rows: 20.9 %, 3.51 bits.
  for (const row of ['raw', 'divided']) {
    const [largest, even] = [read(await fact(lab, row, 'largest')).value, read(await fact(lab, row, 'entropy')).value];
    assert.ok(Math.abs(largest - 0.209) < 0.025, `the largest takes ${largest}`);
    assert.ok(Math.abs(even - 3.51) < 0.08, `${even} bits`);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('other random numbers come back by their link; more keys and pairs are counted', async () => {
  const { page, lab } = await openLab(reader, 'lab-scale', { preset: { pairs: 500 } });
  const said = () => lab.locator('.lab-said').innerText();
  const before = await said();
  await lab.getByRole('button', { name: 'Try other random numbers' }).press('Enter');
  const other = await said();
  assert.notEqual(other, before);
  await page.page.waitForFunction(() => location.hash.includes('seed'));
  const again = await reader.open({ file: 'labs.html', fragment: new URL(page.page.url()).hash });
  const there = again.page.locator('#lab-scale');
  await there.locator('.lab-said').waitFor();
  assert.equal(await there.locator('.lab-said').innerText(), other);
  await lab.locator('.lab-frame > .lab-more > summary').click();
  await lab.getByRole('combobox', { name: 'Random pairs' }).selectOption('2000');
  await lab.getByRole('slider', { name: /Keys in a row/ }).press('End');
  assert.match(await lab.locator('.lab-more thead').innerText(), /2,000 pairs, 15 rows of 128 keys/);
  says(await fact(lab, 'raw', 'deviation'), deviation(dots(draw(2000, 2), 64)), 1e-3, 4);
  await again.close();
  await page.close();
});
