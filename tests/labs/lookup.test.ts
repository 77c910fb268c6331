// The soft dictionary: scores, shares and the mixture are plain loops' over the engine's word vectors, at any temperature.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { read } from '../lib/shown-numbers.ts';
import { numbersOf, openLab } from '../lib/lab.ts';
import { referenceStages } from '../lib/native.ts';
import { Reader } from '../lib/page.ts';
import { DEFAULTS } from '../../web/src/engine/defaults.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const WIDTH = 16;
const vectors = (words: readonly string[]): number[][] => {
  const content = referenceStages({ tokens: words }, { ...DEFAULTS, d_model: WIDTH, num_heads: 1, positions: 'none' }).get('content');
  return words.map((_, i) => [...content.subarray(i * WIDTH, (i + 1) * WIDTH)]);
};
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * (b[i] as number), 0);

interface Entry { key: string; value: number[]; score: string; weight: string; part: string }

async function entries(lab: Locator): Promise<Entry[]> {
  return lab.locator('.lookup tbody tr').evaluateAll((rows) => rows.map((row) => {
    const fact = (name: string) => row.querySelector(`[data-fact=${name}]`)?.textContent?.trim() ?? '';
    return { key: row.querySelector('input')?.value ?? '', value: JSON.parse(fact('value')) as number[], score: fact('score'), weight: fact('weight'), part: fact('part') };
  }));
}

function within(text: string, expected: number, tolerance: number): void {
  const { low, high } = read(text);
  assert.ok(expected >= low - tolerance && expected <= high + tolerance, `${text} is not ${expected}`);
}

/** By plain loops, from the words and colours on the screen. */
async function assertLookup(lab: Locator, query: readonly number[], temperature: number): Promise<Entry[]> {
  const shown = await entries(lab);
  const scores = vectors(shown.map(({ key }) => key || '?')).map((key) => dot(query, key) / Math.sqrt(WIDTH));
  const best = Math.max(...scores);
  const exps = scores.map((score) => (temperature === 0 ? Number(score === best) : Math.exp((score - best) / temperature)));
  const weights = exps.map((each) => each / exps.reduce((sum, x) => sum + x, 0));
  shown.forEach(({ score, weight, part, value }, i) => {
    within(score, scores[i] as number, 1e-5);
    within(weight, weights[i] as number, 1e-5);
    const parts = part.replace(/[[\]]/g, '').split(', ');
    value.forEach((x, c) => within(parts[c] as string, x * (weights[i] as number), 1e-3));
  });
  const found = (await lab.locator('[data-fact=found]').innerText()).replace(/[[\]]/g, '').split(', ');
  for (let c = 0; c < 3; c += 1) within(found[c] as string, shown.reduce((sum, { value }, i) => sum + (weights[i] as number) * (value[c] as number), 0), 1e-3);
  assert.match(await lab.locator('.lab-said').innerText(), new RegExp(`\\[${found.join(', ')}\\]`));
  return shown;
}

const [sky, sun, grass] = vectors(['sky', 'sun', 'grass']) as [number[], number[], number[]];

test('at any temperature scores, shares and the mixture are those of plain loops: arg-max at 0, the mean where it is hot', async () => {
  const { page, lab } = await openLab(reader, 'lab-lookup');
  await assertLookup(lab, sky, 1);
  const slider = lab.getByRole('slider', { name: /Temperature/ });
  await slider.press('Home');
  assert.deepEqual((await assertLookup(lab, sky, 0)).map(({ weight }) => weight), ['0', '1.0000', '0', '0', '0', '0']);
  assert.match(await lab.locator('.lab-said').innerText(), /sky is a key: .* gives its value alone.* takes 100\s?% from sky/);
  for (let i = 0; i < 12; i += 1) await slider.press('ArrowRight');
  const temperature = read(await slider.getAttribute('aria-valuetext') ?? '').value;
  assert.ok(temperature > 0 && temperature < 1);
  await assertLookup(lab, sky, temperature);
  await slider.press('End');
  const hot = await assertLookup(lab, sky, 100);
  for (const { weight } of hot) assert.ok(Math.abs(read(weight).value - 1 / 6) < 0.01);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('equal keys share at temperature 0; a word that is no key is answered all the same', async () => {
  const { page, lab } = await openLab(reader, 'lab-lookup');
  await lab.getByRole('button', { name: 'The same key twice' }).click();
  const twice = await assertLookup(lab, sun, 0);
  assert.deepEqual(twice.map(({ key, weight }) => [key, weight]).slice(0, 3), [['sun', '0.5000'], ['sun', '0.5000'], ['grass', '0']]);
  assert.match(await lab.locator('.lab-said').innerText(), /sun is a key twice/);
  await lab.getByRole('button', { name: 'A word that is no key' }).click();
  await assertLookup(lab, (vectors(['moon']) as [number[]])[0], 1);
  assert.match(await lab.locator('.lab-said').innerText(), /moon is no key: an exact dictionary has no answer/);
  await page.close();
});

test('words and colours of the dictionary are the reader’s to change, and its link brings them back', async () => {
  const { page, lab } = await openLab(reader, 'lab-lookup');
  await lab.getByLabel('Key 1').fill('a/b, <b>');
  await lab.getByLabel('Value of a/b, <b>').fill('#102030');
  await lab.getByRole('button', { name: 'Remove rose' }).click();
  await lab.getByRole('button', { name: 'Add a key' }).click();
  await lab.getByLabel('Key 6').fill('海');
  const shown = await assertLookup(lab, sky, 1);
  assert.deepEqual(shown.map(({ key }) => key), ['a/b, <b>', 'sky', 'grass', 'snow', 'coal', '海']);
  assert.deepEqual(shown[0]?.value, [16, 32, 48]);
  // The last change is in it: the address follows a while after.
  await page.page.waitForFunction(() => decodeURIComponent(decodeURIComponent(decodeURIComponent(location.hash))).includes('海'));
  const again = await reader.open({ file: 'labs.html', fragment: new URL(page.page.url()).hash });
  const there = again.page.locator('#lab-lookup');
  await there.locator('.lab-said').waitFor();
  assert.deepEqual(await entries(there), shown);
  await lab.getByRole('button', { name: 'Add a key' }).click();
  await lab.getByRole('button', { name: 'Add a key' }).click();
  assert.equal(await lab.getByRole('button', { name: 'Add a key' }).count(), 0);
  await assertLookup(lab, sky, 1);
  assert.deepEqual(page.problems, []);
  await again.close();
  await page.close();
});

test('a query between two words takes from both; the sentence’s words can be the keys', async () => {
  const { page, lab } = await openLab(reader, 'lab-lookup', { text: 'one two two three', preset: { query: 'sun', toward: 3, way: 40 } });
  await assertLookup(lab, sun.map((x, i) => 0.6 * x + 0.4 * (grass[i] as number)), 1);
  await lab.getByRole('slider', { name: /^by/ }).press('End');
  await assertLookup(lab, grass, 1);
  assert.match(await lab.locator('.lab-said').innerText(), /No key is equal/);
  await lab.getByRole('button', { name: 'Your sentence’s words' }).click();
  assert.deepEqual((await assertLookup(lab, (vectors(['one']) as [number[]])[0], 1)).map(({ key }) => key), ['one', 'two', 'three']);
  await page.close();
});

test('the strip and the curves show every temperature, as plain loops have them', async () => {
  const { page, lab } = await openLab(reader, 'lab-lookup');
  const shown = await entries(lab);
  const scores = vectors(shown.map(({ key }) => key)).map((key) => dot(sky, key) / 4);
  const shares = (temperature: number) => {
    const exps = scores.map((score) => Math.exp((score - Math.max(...scores)) / temperature));
    return exps.map((each) => each / exps.reduce((sum, x) => sum + x, 0));
  };
  const strip = await lab.locator('[data-temperature]').evaluateAll((rects) => rects.map((rect) => [rect.getAttribute('data-temperature') ?? '', rect.getAttribute('fill') ?? ''] as const));
  assert.equal(strip.length, 35);
  assert.deepEqual(strip[0], ['0', `rgb(${shown[1]?.value.join(' ')})`]);
  for (const [temperature, fill] of strip.slice(1)) {
    const found = (/rgb\((.*)\)/.exec(fill)?.[1] ?? '').split(' ').map(Number);
    const expected = [0, 1, 2].map((c) => shares(Number(temperature)).reduce((sum, share, i) => sum + share * (shown[i]?.value[c] as number), 0));
    expected.forEach((x, c) => assert.ok(Math.abs(x - (found[c] as number)) <= 0.51, `${fill} at ${temperature}`));
  }
  const { columns, rows } = await numbersOf(lab, 'The shares of the three');
  const order = columns.slice(1, 4).map((name) => shown.findIndex(({ key }) => key === name));
  assert.equal(columns[1], 'sky');
  for (const [temperature = '', ...cells] of rows) order.forEach((entry, i) => within(cells[i] as string, shares(read(temperature).value)[entry] as number, 1e-5));
  await page.close();
});
