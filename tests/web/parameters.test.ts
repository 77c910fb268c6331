// Parameters: random, designed and the reader's own; pasted, dropped, edited by hand, refused with line and column, put back.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Playground, Reader, link } from '../lib/page.ts';
import { Random } from '../lib/random.ts';
import { assertWhole, wholeOf } from '../lib/page-checks.ts';
import { parseMatrix } from '../../web/src/parameters/matrix-text.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

async function paste(page: Playground, id: string, text: string): Promise<void> {
  await page.page.locator('[data-matrix]').selectOption(id);
  await page.page.locator('.paste').fill(text);
  await page.page.locator('[data-use]').click();
  await page.ready();
}

/** What reads weights of any model comes on demand. */
const problem = (page: Playground) => page.page.locator('#paste-problem', { hasText: /./ }).innerText();
const csv = (rows: number, columns: number, random: Random, separator = ',') =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => (random.number() * 2 - 1).toFixed(3)).join(separator)).join('\n');

test('matrices of the reader\'s own are pasted as CSV, TSV and JSON, and computed with', async () => {
  const random = new Random(5);
  const page = await reader.open({ fragment: link({ text: 'one two three', 'd-model': 8, heads: 2 }) });
  await page.set({ source: 'yours' });
  await paste(page, 'W_Q', csv(8, 8, random));
  await paste(page, 'W_K', csv(8, 8, random, '\t'));
  await paste(page, 'W_V', JSON.stringify(Array.from({ length: 8 }, () => Array.from({ length: 8 }, () => random.number()))));
  await paste(page, 'W_O', csv(8, 8, random, ' '));
  const { whole } = await assertWhole(page, 'four matrices');
  assert.deepEqual(Object.keys(whole.request.given ?? {}).sort(), ['W_K', 'W_O', 'W_Q', 'W_V']);
  assert.match(await page.page.locator('.matrix-title').innerText(), /your parameters/);
  await paste(page, 'query', csv(3, 8, random, ';'));
  await assertWhole(page, 'Q with its heads side by side');
  await paste(page, 'key', JSON.stringify(Array.from({ length: 2 }, () => Array.from({ length: 3 }, () => [1, 2, 3, 4.5]))));
  await paste(page, 'value', csv(3, 8, random, '\t'));
  await paste(page, 'content', csv(3, 8, random));
  const pasted = await assertWhole(page, 'Q, K, V and embeddings');
  assert.deepEqual(Object.keys(pasted.whole.request.given ?? {}).sort(), ['W_K', 'W_O', 'W_Q', 'W_V', 'content', 'key', 'query', 'value']);
  await page.paste('four words do not fit');
  assert.match(await page.page.locator('.yours-list').innerText(), /Q waits: these settings need \[2 × 5 × 4\], so random numbers stand in for it/);
  await page.page.locator('[data-reset]').click();
  assert.deepEqual((await wholeOf(page)).request.given, {});
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('Q stands as it was pasted, its heads side by side', async () => {
  const page = await reader.open({ fragment: link({ text: 'a b', 'd-model': 4, heads: 2, parameters: 'yours' }) });
  await paste(page, 'query', '1,2,3,4\n5,6,7,8');
  assert.deepEqual([...(await page.stage('query'))], [1, 2, 5, 6, 3, 4, 7, 8]);
  await page.close();
});

const WRONG: readonly (readonly [text: string, says: RegExp])[] = [
  ['', /There is no number here/],
  ['1,2\n3', /Line 2, column 1: This row has 1 number where the rows before have 2/],
  ['1,2\n3,x', /Line 2, column 3: “x” is not a number/],
  ['1,,2', /Line 1, column 3: A number is missing/],
  ['1,NaN', /Line 1, column 3: “NaN” is not finite/],
  ['1.5;2,5', /Line 1, column 5: “2,5” is not a number here. Write a decimal point, as in 2\.5/],
  ['1,1e99', /Line 1, column 3: 1e99 is too large/],
  ['[[1,2],[3]]', /Line 1, column 10: This list has 1 entries where those before have 2/],
  ['[[1,2],3]', /Line 1, column 8: There is a number where a list was/],
  ['[1,[2]]', /Line 1, column 4: There is a list where a number was/],
  ['[[1,2],', /The text ends inside a list/],
  ['[[1,\n null]]', /Line 2, column 2: “null” is not a number/],
  ['[[1"2]]', /There is “"2” where “,” or “]” belongs|not a number/],
  ['[[1 ... 2]]', /Line 1, column 5: Dots stand here for numbers that were not printed/],
  ['[[1]] [2]', /more after the end/],
  ['[[]]', /This list is empty/],
  ['[[[[[[1]]]]]]', /The shape is \[1, 1, 1, 1, 1, 1\]; weights have one of these/],
  ['<b>1</b>', /“<b>1<\/b>” is not a number/],
  ['1,2,3\n4,5,6', /W_?Q needs \[64 × 64\] numbers, and here are \[2 × 3\]/],
];

test('what is wrong is said with its line and column, and nothing typed is lost', async () => {
  const page = await reader.open();
  await page.set({ source: 'yours' });
  const before = await page.stage('weights');
  for (const [text, says] of WRONG) {
    await paste(page, 'W_Q', text);
    assert.match(await problem(page), says, JSON.stringify(text));
    assert.equal(await page.page.locator('.paste').inputValue(), text);
    assert.deepEqual(await page.stage('weights'), before, text);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('sizes that do not fit are offered as settings', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two three', parameters: 'yours' }) });
  await paste(page, 'W_Q', '1,0,2\n0,1,0\n3,0,1');
  assert.match(await page.page.locator('[data-offer]').innerText(), /Set dmodel 3, heads 1, and use it/);
  await page.page.locator('[data-offer]').click();
  await page.ready();
  const { whole } = await assertWhole(page, 'd_model 3');
  assert.deepEqual([whole.settings.d_model, whole.settings.num_heads], [3, 1]);
  assert.deepEqual([...(whole.request.given?.W_Q ?? [])], [1, 0, 2, 0, 1, 0, 3, 0, 1]);
  await paste(page, 'W_K', '1,2\n3,4\n5,6');
  assert.match(await page.page.locator('[data-offer]').innerText(), /dk and dv 2/);
  await page.page.locator('[data-offer]').click();
  await assertWhole(page, 'd_k 2');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the present matrix is copied, changed and used; a file is dropped or chosen', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two', 'd-model': 4, heads: 2, parameters: 'yours' }), context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  await page.page.locator('[data-present]').click();
  const text = await page.page.locator('.paste').inputValue();
  const parsed = parseMatrix(text);
  assert.ok('values' in parsed && parsed.extents.join() === '4,4');
  const before = await page.stage('weights');
  await page.page.locator('[data-use]').click();
  assert.deepEqual(await page.stage('weights'), before, 'to the last bit what it was');
  await page.page.locator('.yours input[multiple]').setInputFiles({ name: 'q.csv', mimeType: 'text/csv', buffer: Buffer.from('1,2,3,4\n5,6,7,8\n1,1,1,1\n0,0,0,9') });
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.yours')?.textContent?.includes('is yours now'));
  const { whole } = await assertWhole(page, 'from a file');
  assert.equal(whole.request.given?.W_Q?.[15], 9);
  await page.page.locator('.paste').evaluate((area) => {
    const data = new DataTransfer();
    data.items.add(new File(['broken'], 'x.csv'));
    area.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true, composed: true }));
  });
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('#paste-problem')?.textContent?.includes('not a number'));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a .npy file is dropped, a column of decimal commas read by its size, names left out are told, an archive is refused', async () => {
  const page = await reader.open({ fragment: link({ text: 'a b', 'd-model': 2, heads: 1, parameters: 'yours', biases: 'on' }) });
  await page.page.locator('.paste').waitFor();
  const drop = (name: string, bytes: number[]) => page.page.locator('.paste').evaluate((area, [file, content]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(content as number[])], file as string));
    area.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true, composed: true }));
  }, [name, bytes] as const);
  const says = (words: string) => page.page.waitForFunction((wanted) => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.yours')?.textContent?.includes(wanted), words);
  const header = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }\n";
  await drop('W.npy', [0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0, ...Buffer.from(header), ...new Uint8Array(Float32Array.of(1, 3, 2, 4).buffer)]);
  await says('is yours now');
  assert.deepEqual([...(await wholeOf(page)).request.given?.W_Q ?? []], [1, 2, 3, 4]);
  await paste(page, 'b_Q', '0,1\n0,3');
  assert.deepEqual([...(await wholeOf(page)).request.given?.b_Q ?? []], [Math.fround(0.1), Math.fround(0.3)]);
  await paste(page, 'W_K', '0,1\n0,3');
  assert.deepEqual([...(await wholeOf(page)).request.given?.W_K ?? []], [0, 1, 0, 3]);
  await paste(page, 'W_V', '     0    1\n0  0.5  0.2\n1  0.3  0.4');
  await says('Names of rows or columns were left out.');
  await drop('book.xlsx', [0x50, 0x4b, 3, 4]);
  await says('“book.xlsx” is an archive');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('numbers set by hand are listed with what they were, and put back one by one or all', async () => {
  const page = await reader.open({ fragment: link({ text: 'it was it', numbers: 'W_Q:1:2:5,word:it:3:-4,b_Q:1:1:2' }) });
  await assertWhole(page, 'edits of a link');
  const content = await page.stage('content');
  assert.deepEqual([content[2], content[2 * 64 + 2]], [-4, -4], 'the word, wherever it stands');
  await page.page.locator('.edits summary').click();
  await page.page.locator('.edits li').nth(2).waitFor();
  const lines = await page.page.locator('.edits li').allInnerTexts();
  assert.match(lines[0] ?? '', /WQ, row 1, column 2: −?0\.\d+ → 5/);
  assert.match(lines[1] ?? '', /every it, number 3: −?\d\.\d+ → −4/);
  assert.match(lines[2] ?? '', /not in this run/);
  await page.page.locator('.edits li button').first().click();
  assert.equal((await wholeOf(page)).edits.length, 2);
  await assertWhole(page, 'one put back');
  await page.page.locator('[data-put-all-back]').click();
  assert.equal((await wholeOf(page)).edits.length, 0);
  await page.page.locator('[data-undo]').click();
  assert.equal((await wholeOf(page)).edits.length, 2);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('designed heads are called designed, say what they look for and how often they are right, and what they do not know', async () => {
  const page = await reader.open({ fragment: link({ text: 'a fluffy blue creature roamed the verdant blorpwood' }) });
  assert.ok(!page.requests.some((address) => address.includes('lexicon')), 'the list of words is loaded when it is wanted');
  await page.set({ source: 'designed' });
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.designed'));
  const { whole } = await assertWhole(page, 'designed');
  assert.equal(whole.settings.positions, 'none');
  const panel = await page.page.locator('.designed').innerText();
  assert.match(panel, /designed by hand, not learnt/);
  assert.match(panel, /Don’t know this word: blorpwood/);
  await page.page.locator('.designed > details > summary').click();
  assert.match(await page.page.locator('.designed-heads').innerText(), /\d+\s?%[^]*\d+\s?%, always \d back/);
  assert.match(await page.page.locator('.matrix-title').innerText(), /designed: .*, right in \d+/);
  assert.match(await page.page.locator('.honest').innerText(), /designed by hand/);
  await page.set({ mask: 'none' });
  await assertWhole(page, 'designed, without a mask');
  await page.paste('the animal didn\'t cross the street');
  await assertWhole(page, 'designed, other words');
  assert.ok(await page.page.locator('[data-setting=heads] select').isDisabled(), 'a design decides its own sizes');
  assert.match((await page.read()).effects['heads'] ?? '', /fixed by the design/);
  await page.set({ source: 'random' });
  await assertWhole(page, 'random again');
  assert.match(await page.page.locator('.honest').innerText(), /random numbers/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('without the list of words, parameters stay random and a sentence says why', async () => {
  const page = await reader.open({ before: (each) => each.route('**/lexicon.txt', (route) => route.abort()) });
  await page.set({ source: 'designed' });
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.designed'));
  assert.equal((await assertWhole(page, 'words that are known without it')).whole.source, 'designed');
  await page.paste('the zebra');
  await page.page.waitForFunction(() => /could not be loaded/.test(document.querySelector('attention-playground')?.shadowRoot?.querySelector('.notices')?.textContent ?? ''));
  const { whole } = await assertWhole(page, 'no list');
  assert.equal(whole.source, 'random');
  await page.close();
});

test('any text at all is read as a matrix or refused with a place in it', () => {
  const random = new Random(17);
  const pieces = ['1', '-2.5', '1e3', ',', ';', '\t', ' ', '\n', '[', ']', 'NaN', '"', '0x1', '−3', '', '1e400', '.', '-', '{', '\r', 'é', '\u2028'];
  for (let trial = 0; trial < 4000; trial += 1) {
    const text = Array.from({ length: random.whole(0, 24) }, () => random.pick(pieces)).join('');
    const found = parseMatrix(text);
    if ('message' in found) {
      assert.match(found.message, /[.]$/, JSON.stringify(text));
      const lines = text.split('\n');
      assert.ok(found.line >= 1 && found.line <= lines.length && found.column >= 1 && found.column <= (lines[found.line - 1]?.length ?? 0) + 1, JSON.stringify(text));
    } else {
      assert.equal(found.extents.reduce((product, extent) => product * extent, 1), found.values.length, JSON.stringify(text));
      assert.ok(found.values.every(Number.isFinite), JSON.stringify(text));
    }
  }
});
