// One word in two sentences: one embedding, two contexts; their cosines and lengths are the reference's.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { read } from '../lib/shown-numbers.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import { referenceStages } from '../lib/native.ts';
import { wholeOf } from '../lib/page-checks.ts';
import type { StageId } from '../../web/src/engine/engine.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

async function table(page: Playground): Promise<Record<string, { here: number; there: number; cosine: number }>> {
  const lines = await page.page.locator('[data-compared]').evaluateAll((rows) => rows.map((row) => [
    row.getAttribute('data-compared') ?? '', ...[...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim() ?? ''),
  ]));
  return Object.fromEntries(lines.map(([what = '', here = '', there = '', cosine = '']) => [what, { here: read(here).value, there: read(there).value, cosine: read(cosine).value }]));
}

const norm = (x: readonly number[]) => Math.hypot(...x);
const cosine = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0) / (norm(x) * norm(y));

function compare(here: Float64Array, there: Float64Array, a: number, b: number, width: number) {
  const [x, y] = [[...here.subarray(a * width, (a + 1) * width)], [...there.subarray(b * width, (b + 1) * width)]];
  return { here: norm(x), there: norm(y), cosine: cosine(x, y) };
}

const STAGES: Record<string, StageId> = { content: 'content', concat: 'concat', output: 'output', residual: 'residual' };

async function assertTable(page: Playground, word: string, otherTokens: readonly string[]): Promise<void> {
  const { request, settings } = await wholeOf(page);
  const shown = await table(page);
  const [here, there] = [referenceStages(request, settings), referenceStages({ ...request, tokens: otherTokens }, settings)];
  for (const [what, id] of Object.entries(STAGES)) {
    const wanted = compare(here.get(id), there.get(id), request.tokens.indexOf(word), otherTokens.indexOf(word), settings.d_model);
    for (const field of ['here', 'there', 'cosine'] as const) {
      assert.ok(Math.abs((shown[what]?.[field] ?? NaN) - wanted[field]) <= 2e-3 * Math.max(1, Math.abs(wanted[field])), `${what}, ${field}: ${shown[what]?.[field]}, not ${wanted[field]}`);
    }
  }
}

test('mole and have: one embedding, two contexts, with the reference\'s cosines and lengths', async () => {
  const page = await reader.open();
  await page.unfold('.senses > summary');
  for (const [word, other] of [['mole', 'one mole of carbon dioxide weighs 44 grams'], ['have', 'you have to go home now']] as const) {
    await page.page.locator(`[data-preset=${word}]`).click();
    await page.ready();
    const shown = await table(page);
    assert.equal(shown['content']?.cosine, 1);
    assert.ok((shown['concat']?.cosine ?? 1) < 0.999, `${word} has two contexts`);
    await assertTable(page, word, other.split(' '));
  }
  assert.match(await page.page.locator('.senses').textContent() ?? '', /random parameters [^]* not because anything is understood/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('any word of two sentences of one\'s own', async () => {
  const page = await reader.open({ fragment: link({ text: 'a bank of the river', 'other-text': 'the bank lends money', mask: 'none' }) });
  const words = await page.page.locator('[data-word] option').allTextContents();
  assert.deepEqual(words.sort(), ['bank', 'the']);
  await page.page.locator('[data-word]').selectOption('bank');
  await assertTable(page, 'bank', ['the', 'bank', 'lends', 'money']);
  await page.page.locator('#other-text').fill('nothing shared here');
  assert.match(await page.page.locator('.senses').textContent() ?? '', /no word in common/);
  await page.page.locator('#other-text').fill('');
  assert.doesNotMatch(await page.page.locator('.senses').textContent() ?? '', /no word in common/);
  await page.page.locator('#other-text').fill('x '.repeat(5000));
  assert.match(await page.page.locator('.senses .problem').textContent() ?? '', /Shorten it/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('it opens with the reader’s own sentence without its first word, at the word of the row, and says “itself”', async () => {
  const page = await reader.open({ fragment: link({ text: 'my old dog sleeps', mask: 'none' }) });
  await page.unfold('.senses > summary');
  assert.equal(await page.page.locator('#other-text').inputValue(), 'old dog sleeps');
  assert.equal(await page.page.locator('[data-word]').inputValue(), 'sleeps');
  await assertTable(page, 'sleeps', ['old', 'dog', 'sleeps']);
  await page.page.locator('[data-word]').selectOption('old');
  await assertTable(page, 'old', ['old', 'dog', 'sleeps']);
  // Under the causal mask the other sentence's first word has only itself.
  await page.set({ mask: 'causal' });
  assert.match(await page.page.locator('.senses').textContent() ?? '', /in your sentence, and to itself \(100\s?%\) in the other/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('what is said of the numbers is true of where they come from', async () => {
  const page = await reader.open();
  await page.unfold('.senses > summary');
  await page.page.locator('[data-preset=have]').click();
  const said = async () => await page.page.locator('.senses').textContent() ?? '';
  // Out of sight, what is there has no innerText.
  const first = () => page.page.locator('[data-compared=content] th').textContent();
  assert.match(await said(), /With random parameters/);
  await page.set({ source: 'trained' });
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.senses')?.textContent?.includes('The model was trained'), undefined, { timeout: 30_000 });
  assert.doesNotMatch(await said(), /random/);
  await page.set({ layer: 1 });
  await page.ready();
  assert.match(await first() ?? '', /embedding/);
  assert.equal((await table(page))['content']?.cosine, 1);
  await page.set({ layer: 2 });
  await page.ready();
  assert.match(await first() ?? '', /input/);
  assert.ok(((await table(page))['content']?.cosine ?? 1) < 1, 'layers before have mixed in other words');
  await page.set({ source: 'yours' });
  await page.ready();
  assert.match(await said(), /With your parameters/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('with designed heads the word alone is the same, and its contexts are not', async () => {
  const page = await reader.open();
  await page.unfold('.senses > summary');
  await page.page.locator('[data-preset=mole]').click();
  await page.set({ source: 'designed' });
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.designed'));
  const shown = await table(page);
  assert.equal(shown['content']?.cosine, 1);
  assert.ok((shown['concat']?.cosine ?? 1) < 0.99);
  assert.match(await page.page.locator('.senses').textContent() ?? '', /heads were designed/);
  assert.deepEqual(page.problems, []);
  await page.close();
});
