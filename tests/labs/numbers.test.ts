// The lab of worked numbers: what is on the screen against the same sums in double, and every field that can be changed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Random } from '../lib/random.ts';
import { type Playground, Reader, link } from '../lib/page.ts';

let reader: Reader;
before(async () => { reader = await Reader.arrive(); });
after(() => reader.leave());

const open = async (preset = '', context = {}): Promise<Playground> => {
  const page = await reader.open({ file: 'labs.html', fragment: link({ view: 'lab-numbers', preset }), context });
  await page.page.locator('#lab-numbers .lab-frame').waitFor();
  return page;
};

const lab = ({ page }: Playground, selector: string) => page.locator(`#lab-numbers ${selector}`);
const choose = (page: Playground, name: string) => lab(page, '.lab-choices .segment').filter({ hasText: name }).click();
const field = (page: Playground, array: string, index: number) => lab(page, `[data-array=${array}][data-index="${index}"]`);
const said = (page: Playground) => lab(page, '.lab-said').innerText();

/** A number as the page prints it: −1.5, 1,024, 4.54×10⁻⁵. */
function read(text: string): number {
  const raised = /^(.*)×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/.exec(text.trim());
  const plain = (raised?.[1] ?? text).trim().replace('−', '-').replaceAll(',', '');
  const power = [...(raised?.[2] ?? '')].map((c) => ('⁰¹²³⁴⁵⁶⁷⁸⁹'.includes(c) ? '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c) : '-')).join('');
  return Number(plain) * 10 ** Number(power || 0);
}

const numbersAt = async (page: Playground, selector: string): Promise<number[]> => (await lab(page, selector).allInnerTexts()).map(read);

function near(found: readonly number[], expected: readonly number[], what: string, tolerance = 6e-4): void {
  assert.equal(found.length, expected.length, `${what}: how many`);
  expected.forEach((value, i) => assert.ok(Math.abs((found[i] ?? NaN) - value) <= tolerance * Math.max(1, Math.abs(value)), `${what} ${i}: ${found[i]}, in double ${value}`));
}

async function fieldsOf(page: Playground, array: string): Promise<number[]> {
  const fields = lab(page, `[data-array=${array}]`);
  const texts = await fields.evaluateAll((all) => (all as HTMLInputElement[]).sort((a, b) => Number(a.dataset['index']) - Number(b.dataset['index'])).map(({ value }) => value));
  return texts.map(read);
}

const rows = (numbers: readonly number[], width: number): number[][] => Array.from({ length: numbers.length / width }, (_, r) => numbers.slice(r * width, (r + 1) * width));
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
const times = (a: readonly number[][], b: readonly number[][]): number[][] => a.map((row) => (b[0] ?? []).map((_, c) => dot(row, b.map((each) => each[c] ?? 0))));
function softmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores);
  const exps = scores.map((s) => Math.exp(s - most));
  const sum = exps.reduce((a, b) => a + b, 0);
  return exps.map((e) => e / sum);
}

async function checkValue(page: Playground): Promise<void> {
  const [weights, values] = [await fieldsOf(page, 'weights'), rows(await fieldsOf(page, 'values'), 3)];
  near(await numbersAt(page, '[data-product]'), values.flatMap((row, i) => row.map((x) => (weights[i] ?? 0) * x)), 'weight × value');
  near(await numbersAt(page, '[data-context]'), times([weights], values).flat(), 'context', 2e-3);
}

test('0.27 times [6.2, 1.4, 7.9] among five weighted values; every field changes what follows, and the text’s numbers come back', async () => {
  const page = await open();
  assert.match(await said(page), /\[1\.674, 0\.378, 2\.133\]/);
  await checkValue(page);
  const random = new Random(8);
  for (let i = 0; i < 20; i += 1) {
    const array = random.pick(['weights', 'values']);
    await field(page, array, random.whole(0, array === 'weights' ? 4 : 14)).fill(String(random.whole(-90, 90) / 10).replace('-', random.pick(['-', '−'])));
    await checkValue(page);
  }
  assert.match(await said(page), /softmax’s always sum to 1/);
  await lab(page, 'button').filter({ hasText: 'As printed' }).click();
  assert.match(await said(page), /\[1\.674, 0\.378, 2\.133\]/);
  assert.equal(await lab(page, 'button').filter({ hasText: 'As printed' }).count(), 0);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('what is no number is said in a sentence, kept while it is typed, and changes nothing', async () => {
  const page = await open();
  const weight = field(page, 'weights', 3);
  for (const [typed, sentence] of [['', 'Type a number. Still 0.27.'], ['abc', '“abc” is not a number. Still 0.27.'], ['4000', 'Numbers from −1,000 to 1,000 go here. Still 0.27.']] as const) {
    await weight.fill(typed);
    assert.equal(await lab(page, '.lab-problem').innerText(), sentence);
    assert.equal(await weight.inputValue(), typed);
    assert.equal(await weight.getAttribute('aria-invalid'), 'true');
    assert.match(await said(page), /\[1\.674, 0\.378, 2\.133\]/);
  }
  await page.page.keyboard.press('Tab');
  assert.equal(await lab(page, '.lab-problem').count(), 0);
  assert.equal(await weight.inputValue(), '0.27');
  // Key by key: "0." is not cut to "0".
  await weight.focus();
  await page.page.keyboard.press('Control+A');
  await page.page.keyboard.type('0.50');
  assert.equal(await weight.inputValue(), '0.50');
  near((await numbersAt(page, '[data-product]')).slice(9, 12), [3.1, 0.7, 3.95], 'half of the value');
  await choose(page, '720 in 12 heads');
  await field(page, 'split', 1).fill('2.5');
  assert.equal(await lab(page, '.lab-problem').innerText(), 'Whole numbers from 1 to 16,384 go here. Still 12.');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('an aligned key scores ‖q‖‖k‖ and wins, one at right angles 0, an opposed one the negative; any others as in double', async () => {
  const page = await open('example=plane');
  near(await numbersAt(page, '[data-score]'), [5, 0, -5], 'scores');
  near(await numbersAt(page, '[data-weight]'), [0.993262, 0.006693, 4.5398e-5], 'weights', 5e-5);
  const random = new Random(3);
  for (let i = 0; i < 12; i += 1) {
    await field(page, random.pick(['query2', 'keys2']), random.whole(0, 1)).fill(String(random.whole(-30, 30) / 10));
    const [query, keys] = [await fieldsOf(page, 'query2'), rows(await fieldsOf(page, 'keys2'), 2)];
    const scores = keys.map((key) => dot(query, key));
    near(await numbersAt(page, '[data-score]'), scores, 'scores');
    near(await numbersAt(page, '[data-weight]'), softmax(scores), 'weights');
  }
  await lab(page, '.lab-tries button').filter({ hasText: 'longer key' }).click();
  assert.match(await said(page), /k₂ at 12\.5° scores 9/);
  // A vector of nothing has no angle.
  await field(page, 'keys2', 0).fill('0');
  await field(page, 'keys2', 1).fill('0');
  assert.match(await said(page), /k₁ at – scores 0/);
  assert.equal(await lab(page, '.lab-arrow').count(), 4);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('one query and three keys: every step is the double reference’s', async () => {
  const page = await open('example=three');
  const random = new Random(5);
  for (let i = 0; i < 12; i += 1) {
    const [query, keys, values] = [await fieldsOf(page, 'query3'), rows(await fieldsOf(page, 'keys3'), 3), rows(await fieldsOf(page, 'values3'), 3)];
    const scores = keys.map((key) => dot(query, key));
    const weights = softmax(scores.map((s) => s / Math.sqrt(3)));
    near(await numbersAt(page, '[data-score]'), scores, 'scores');
    near(await numbersAt(page, '[data-scaled]'), scores.map((s) => s / Math.sqrt(3)), 'scaled');
    near(await numbersAt(page, '[data-weight]'), weights, 'weights', 6e-5);
    near(await numbersAt(page, '[data-context]'), times([weights], values).flat(), 'context', 1e-3);
    if (i === 0) assert.match(await said(page), /^Key 3 takes 97\s?%/);
    const array = random.pick(['query3', 'keys3', 'values3']);
    await field(page, array, random.whole(0, array === 'query3' ? 2 : 8)).fill(String(random.whole(-20, 20) / 10));
  }
  await lab(page, '.lab-tries button').filter({ hasText: 'all keys the same' }).click();
  near(await numbersAt(page, '[data-weight]'), [1 / 3, 1 / 3, 1 / 3], 'equal keys', 6e-5);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('720 in 12 heads is 60 each, 720 in 7 does not go; the engine agrees, and what divides is listed', async () => {
  const page = await open('example=heads');
  assert.match(await said(page), /^720 ÷ 12 = 60 dimensions a head.*√60 = 7\.746/s);
  assert.equal(await lab(page, '[data-engine]').innerText(), '60, 0.1291 = 1 ÷ √60');
  const random = new Random(7);
  for (let i = 0; i < 12; i += 1) {
    const [d, heads] = [random.whole(1, 400), random.whole(1, 30)];
    await field(page, 'split', 0).fill(String(d));
    await field(page, 'split', 1).fill(String(heads));
    const words = await said(page);
    if (d % heads === 0) {
      assert.ok(words.startsWith(`${d} ÷ ${heads} = ${d / heads} dimensions`), words);
      assert.ok((await lab(page, '[data-engine]').innerText()).startsWith(`${d / heads}, `));
      assert.equal(await lab(page, '.lab-block').count(), heads);
    } else assert.ok(words.startsWith(`${d} ÷ ${heads} is no whole number`), words);
    const listed = (await lab(page, '.lab-divisors button').allInnerTexts()).map(Number);
    assert.deepEqual(listed, Array.from({ length: d }, (_, n) => n + 1).filter((n) => d % n === 0));
  }
  await lab(page, '.lab-divisors button').last().click();
  assert.equal(await field(page, 'split', 1).inputValue(), await field(page, 'split', 0).inputValue());
  await lab(page, '.lab-tries button').filter({ hasText: 'GPT-3' }).click();
  assert.match(await said(page), /^12,288 ÷ 96 = 128/);
  assert.match(await lab(page, '.lab-figure').innerText(), /1,572,864/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

const PRINTED_WEIGHTS = '1.0000 0.3017 0.6983 0.3125 0.2572 0.4303 0.2190 0.3706 0.2354 0.1750 0.1901 0.2321 0.1831 0.1889 0.2058'.split(' ');
const PRINTED_OUTPUT = '0.2348 0.0224 0.5836 0.1414 0.1057 0.2104 0.6170 0.5556 0.4593 0.0303 0.7982 0.0422 0.2862 0.1033 0.6313 0.2689 0.3003 0.1009 0.6536 0.2153'.split(' ');

test('the 5 × 4 module gives the printed weights and outputs, and with other numbers what double gives', async () => {
  const page = await open('example=module');
  const figure = (title: string) => lab(page, '.plot').filter({ has: page.page.locator('figcaption b', { hasText: new RegExp(`^${title}$`) }) }).locator('.plot-numbers td');
  const shown = async (title: string): Promise<(number | null)[]> => (await figure(title).allTextContents()).map((text) => (text === 'masked' ? null : read(text)));
  assert.match(await said(page), /All 25 weights and 20 outputs are the printed ones/);
  const check = async () => {
    const [x, wq, wk, wv] = await Promise.all(['x', 'wq', 'wk', 'wv'].map(async (name) => rows(await fieldsOf(page, name), 4))) as [number[][], number[][], number[][], number[][]];
    const [q, k, v] = [times(x, wq), times(x, wk), times(x, wv)];
    const scores = q.map((row) => k.map((key) => dot(row, key)));
    const weights = scores.map((row, i) => softmax(row.slice(0, i + 1).map((s) => s / 2)));
    near(await shown('Q') as number[], q.flat(), 'Q', 1e-3);
    near(await shown('Scores') as number[], scores.flat(), 'scores', 1e-3);
    near(await shown('Scaled') as number[], scores.flat().map((s) => s / 2), 'scaled', 1e-3);
    const table = await shown('Weights');
    near(table.filter((w): w is number => w !== null), weights.flat(), 'weights', 1e-3);
    assert.deepEqual(table.map((w) => w === null), Array.from({ length: 25 }, (_, i) => i % 5 > Math.floor(i / 5)), 'what is masked');
    near(await shown('Output') as number[], weights.flatMap((row) => times([row], v.slice(0, row.length)).flat()), 'output', 1e-3);
    return { weights: weights.flat(), output: weights.flatMap((row) => times([row], v.slice(0, row.length)).flat()) };
  };
  const { weights, output } = await check();
  assert.deepEqual(weights.map((w) => w.toFixed(4)), PRINTED_WEIGHTS, 'these inputs give the printed weights in double, too');
  assert.deepEqual(output.map((w) => w.toFixed(4)), PRINTED_OUTPUT);
  const random = new Random(4);
  for (let i = 0; i < 6; i += 1) {
    await field(page, random.pick(['x', 'wq', 'wk', 'wv']), random.whole(0, 15)).fill(String(random.whole(-20, 20) / 10));
    await check();
  }
  await lab(page, 'button').filter({ hasText: 'As printed' }).click();
  await lab(page, '.lab-tries button').filter({ hasText: 'Change the last token' }).click();
  const moved = await check();
  assert.deepEqual(moved.weights.slice(0, 10).map((w) => w.toFixed(4)), PRINTED_WEIGHTS.slice(0, 10), 'earlier rows stay');
  assert.match(await said(page), /^Row 5:/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a printed row leaves the rest of 1 to the others', async () => {
  const page = await open('example=shares');
  assert.match(await said(page), /sum to 0\.70\..*share 0\.30: 0\.05 each/s);
  await field(page, 'shares', 1).fill('0.95');
  assert.match(await said(page), /sum to 1\.20, which is more than 1/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('each example has one claim and names the text that prints it; a link to one that is gone opens the first and says so', async () => {
  const page = await open();
  const seen = new Map<string, string>();
  for (const name of ['0.27 of a value', 'Three directions', 'Three keys', '720 in 12 heads', 'A 5 × 4 module', 'A row’s shares']) {
    await choose(page, name);
    seen.set(await lab(page, '.lab-claim').innerText(), await lab(page, '.lab-from cite').innerText());
  }
  assert.equal(seen.size, 6);
  assert.deepEqual(new Set(seen.values()), new Set(['What and why is self-attention?', 'A learnable, content-aware soft dictionary lookup', 'An Explanation of Self-Attention mechanism in Transformer']));
  await page.close();
  const old = await open('example=length&count=36');
  assert.match(await lab(old, '.lab-notices').innerText(), /example cannot be “length”; it is value now/);
  assert.match(await said(old), /\[1\.674, 0\.378, 2\.133\]/);
  await old.close();
});

test('a link carries the example and its numbers; hostile ones give a right picture and a sentence', async () => {
  const page = await open('example=plane&query2=3,4&keys2=1,0,0,1,9999,x&row=77&nonsense=1');
  near(await fieldsOf(page, 'query2'), [3, 4], 'query');
  near(await numbersAt(page, '[data-score]'), [11, -2, -11], 'the keys that could not be read are the text’s');
  const notices = await lab(page, '.lab-notices').innerText();
  assert.match(notices, /keys2 cannot be/);
  assert.match(notices, /row cannot be “77”; it is 5 now/);
  assert.match(notices, /One of the settings asked for is not one of this lab’s/);
  await field(page, 'query2', 0).fill('0.5');
  await page.page.waitForFunction(() => location.hash.includes('query2%3D0.5,4'));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the worked numbers are changed by keys alone', async () => {
  const page = await open();
  await lab(page, '.lab-choices input:checked').focus();
  await page.page.keyboard.press('ArrowRight');
  assert.match(await lab(page, '.lab-from').innerText(), /one at right angles/);
  await page.page.keyboard.press('Tab');
  for (let i = 0; i < 9; i += 1) {
    const at = await page.page.evaluate(() => {
      const inner = document.activeElement?.shadowRoot?.activeElement as HTMLElement | null;
      return inner?.dataset['array'] ?? '';
    });
    if (at === 'query2') break;
    await page.page.keyboard.press('Tab');
  }
  await page.page.keyboard.press('Control+A');
  await page.page.keyboard.type('2');
  near(await numbersAt(page, '[data-score]'), [6, -2, -6], 'scores');
  assert.deepEqual(page.problems, []);
  await page.close();
});
