// Ready weights of any model: read from JSON, .npy and .npz, shown as a source of their own, refused in a sentence when they are broken.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { loadInNode } from '../lib/operators.ts';
import { type Opening, type Playground, Reader, link } from '../lib/page.ts';
import type { Operators } from '../../web/src/engine/operators/operators.ts';
import { type Attention, readAttention } from '../../web/src/parameters/attention/files.ts';
import { AttentionReader, faultWords } from '../../web/src/parameters/attention/reader.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

// Made by NumPy 1.24: np.save of float16 [2, 1, 2, 3, 3] and of float64 in Fortran order [2, 2, 3, 3], np.savez_compressed of float32
// `attention` with `tokens`, np.savez of two layers [1, 2, 3, 3] of float16. All hold these weights.
const OF_NUMPY = {
  float16: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPGYyJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDEsIDIsIDMsIDMpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAPAAAAAAANAA6AAAAOAAwADYAPAAAAAAAOAA4AAAAMAA0ADkAPAAAAAAAOAA4AAAAMAA0ADkAPAAAAAAANAA6AAAAOAAwADY=',
  fortran: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPGY4JywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMiwgMywgMyksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAADwPwAAAAAAAPA/AAAAAAAA8D8AAAAAAADwPwAAAAAAANA/AAAAAAAA4D8AAAAAAADgPwAAAAAAANA/AAAAAAAA4D8AAAAAAADAPwAAAAAAAMA/AAAAAAAA4D8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAOg/AAAAAAAA4D8AAAAAAADgPwAAAAAAAOg/AAAAAAAAwD8AAAAAAADQPwAAAAAAANA/AAAAAAAAwD8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA2D8AAAAAAADkPwAAAAAAAOQ/AAAAAAAA2D8=',
  archive: 'UEsDBBQAAAAIAAAAIQD2RumiawAAABABAAANABQAYXR0ZW50aW9uLm5weQEAEAAQAQAAAAAAAGsAAAAAAAAAm+wX6hsQychQxlCtnpJanFykbqWgbpNmoq6joJ6WX1RSlJgXn1+UkgoSd0vMKU4FihdnJBakAvkaRjoKQGQMRJo6CrUKZAAuBoYGewY4aLBjYHCA8UE0kH/ADlUNWBzGt4PoUbAnXQ12uwBQSwMEFAAAAAgAAAAhANKO0zhgAAAAvAAAAAoAFAB0b2tlbnMubnB5AQAQALwAAAAAAAAAYAAAAAAAAACb7BfqGxDJyFDGUK2eklqcXKRupaBuE2qqrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RrGOpo6CrUKFACuEgYGhgwgTmVAgDQgzgfiCiSxHCB+AsSlUHmQPgBQSwECFAMUAAAACAAAACEA9kbpomsAAAAQAQAADQAAAAAAAAAAAAAAgAEAAAAAYXR0ZW50aW9uLm5weVBLAQIUAxQAAAAIAAAAIQDSjtM4YAAAALwAAAAKAAAAAAAAAAAAAACAAaoAAAB0b2tlbnMubnB5UEsFBgAAAAACAAIAcwAAAEYBAAAAAA==',
  layers: 'UEsDBBQAAAAAAAAAIQCFmrUhpAAAAKQAAAAJABQAYXJyXzAubnB5AQAQAKQAAAAAAAAApAAAAAAAAACTTlVNUFkBAHYAeydkZXNjcic6ICc8ZjInLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOiAoMSwgMiwgMywgMyksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgCgA8AAAAAAA0ADoAAAA4ADAANgA8AAAAAAA4ADgAAAAwADQAOVBLAwQUAAAAAAAAACEA6p7q16QAAACkAAAACQAUAGFycl8xLm5weQEAEACkAAAAAAAAAKQAAAAAAAAAk05VTVBZAQB2AHsnZGVzY3InOiAnPGYyJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDEsIDIsIDMsIDMpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAPAAAAAAAOAA4AAAAMAA0ADkAPAAAAAAANAA6AAAAOAAwADZQSwECFAMUAAAAAAAAACEAhZq1IaQAAACkAAAACQAAAAAAAAAAAAAAgAEAAAAAYXJyXzAubnB5UEsBAhQDFAAAAAAAAAAhAOqe6tekAAAApAAAAAkAAAAAAAAAAAAAAIAB3wAAAGFycl8xLm5weVBLBQYAAAAAAgACAG4AAAC+AQAAAAA=',
};
const A = [[1, 0, 0], [0.25, 0.75, 0], [0.5, 0.125, 0.375]];
const B = [[1, 0, 0], [0.5, 0.5, 0], [0.125, 0.25, 0.625]];
const WEIGHTS = [[A, B], [B, A]];
const WORDS = ['the', 'fox', 'läuft'];

const file = (name: string, content: Uint8Array | string) => new File([content as Uint8Array<ArrayBuffer>], name);
const numpy = (kind: keyof typeof OF_NUMPY, name: string) => file(name, Buffer.from(OF_NUMPY[kind], 'base64'));
const json = (name: string, content: unknown) => file(name, JSON.stringify(content));
const read = async (...files: File[]): Promise<Attention> => (await readAttention(files)) as Attention;
const flat = (list: unknown): number[] => [list].flat(9) as number[];

function assertSame({ weights, ...rest }: Attention, expected: Partial<Attention>, numbers: unknown = WEIGHTS): void {
  assert.deepEqual([...weights], flat(numbers).map(Math.fround));
  assert.deepEqual({ ...rest, name: undefined }, { name: undefined, layers: 2, heads: 2, T: 3, S: 3, queries: null, keys: null, ...expected });
}

test('files that NumPy wrote: float16, Fortran order, archives with words, and one array a layer', async () => {
  assertSame(await read(numpy('float16', 'a.npy')), {});
  assertSame(await read(numpy('fortran', 'a.npy')), {});
  assertSame(await read(numpy('archive', 'a.npz')), { queries: WORDS });
  assertSame(await read(numpy('layers', 'a.npz')), {});
});

test('JSON under any of the names, with a batch of one or without, and words in it or beside it', async () => {
  for (const key of ['attention', 'attentions', 'cross_attentions', 'weights']) assertSame(await read(json('a.json', { tokens: WORDS, [key]: WEIGHTS })), { queries: WORDS });
  assertSame(await read(json('a.json', { attentions: WEIGHTS.map((layer) => [layer]) })), {});
  assertSame(await read(json('a.json', WEIGHTS)), {});
  assertSame(await read(json('a.json', WEIGHTS[0])), { layers: 1 }, WEIGHTS[0]);
  assertSame(await read(json('a.json', { attention: A })), { layers: 1, heads: 1 }, A);
  assertSame(await read(numpy('float16', 'a.npy'), json('tokens.json', WORDS)), { queries: WORDS });
  assertSame(await read(file('words.txt', 'the fox läuft\n'), numpy('float16', 'a.npy')), { queries: WORDS });
  assertSame(await read(file('words.txt', 'the\nred fox\nläuft\n'), numpy('float16', 'a.npy')), { queries: ['the', 'red fox', 'läuft'] });
});

test('rows and columns of different words: queries and keys, in one file or beside it, and keys kept from before', async () => {
  const wide = [[[[0.5, 0.25, 0.25], [0, 1, 0]]]];
  const cross = { layers: 1, heads: 1, T: 2, S: 3 };
  assertSame(await read(json('a.json', { queries: ['a', 'b'], keys: WORDS, attention: wide })), { ...cross, queries: ['a', 'b'], keys: WORDS }, wide);
  assertSame(await read(json('a.json', wide), file('keys.txt', 'the fox läuft'), file('queries.txt', 'a b')), { ...cross, queries: ['a', 'b'], keys: WORDS }, wide);
  assertSame(await read(json('a.json', { tokens: WORDS, attention: wide })), { ...cross, queries: ['fox', 'läuft'], keys: WORDS }, wide);
  assertSame(await read(json('a.json', { attention: wide })), { ...cross, keys: ['1', '2', '3'] }, wide);
});

test('Python’s NaN and Infinity are read as what they are, and not inside of words', async () => {
  const found = await read(file('a.json', '{"tokens": ["NaN", "\\"Infinity"], "attention": [[NaN, -Infinity], [Infinity, 1e-3]]}'));
  assert.deepEqual([...found.weights].map(String), ['NaN', '-Infinity', 'Infinity', String(Math.fround(1e-3))]);
  assert.deepEqual(found.queries, ['NaN', '"Infinity']);
});

test('a file of another kind is none, and a model’s own files are not taken for weights', async () => {
  assert.equal(await readAttention([json('config.json', { attention: 3 }), json('vocab.json', { tokens: 1, weights: 2 }), file('merges.txt', 'a b')]), null);
  assert.equal(await readAttention([file('a.bin', 'x')]), null);
});

/** A .npy file of float32. */
function npy(shape: readonly number[], numbers: readonly number[] = [], descr = '<f4'): Uint8Array {
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(', ')}), }\n`;
  return Uint8Array.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length & 255, header.length >> 8, ...Buffer.from(header), ...new Uint8Array(Float32Array.from(numbers).buffer)]);
}

/** An archive of one packed file that says it unpacks to `size` bytes. */
function archive(content: Uint8Array, size = content.length): Uint8Array {
  const [packed, name] = [deflateRawSync(content), Buffer.from('attention.npy')];
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  [[8, 10, 2], [packed.length, 20, 4], [size, 24, 4], [name.length, 28, 2]].forEach(([value = 0, at = 0, bytes = 0]) => central.writeUIntLE(value, at, bytes));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(local.length + name.length + packed.length, 16);
  return Buffer.concat([local, name, packed, central, name, end]);
}

const REFUSED: readonly (readonly [what: string, files: readonly File[], reason: RegExp])[] = [
  ['lists of unequal length', [json('a.json', [[[[1, 0], [1]]]])], /list at \[1, 1, 2\] of the weights has 1 entries, and the first has 2/],
  ['a text among the numbers', [json('a.json', [[1, 0], [1, '0']])], /At \[2, 2\] of the weights stands "0", where a number belongs/],
  ['a number where a list belongs', [json('a.json', [[[1, 0], [1, 0]], [1]])], /list at \[2\] of the weights has 1 entries/],
  ['lists that are too deep', [file('a.json', `{"attention": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`)], /The shape is|cannot be read|not JSON/],
  ['an empty list', [json('a.json', { attention: [[]] })], /The shape is \[1, 0\]; weights have one of these/],
  ['no list', [json('a.json', { attention: 'yes' })], /The weights are no list/],
  ['no weights', [json('a.json', { scores: [[1]] })], /“a.json” holds no weights/],
  ['words alone', [json('a.json', { tokens: WORDS })], /holds words and no weights/],
  ['broken JSON', [file('a.json', '{"attention": [[1, ')], /“a.json” is not JSON/],
  ['too few words', [json('a.json', { tokens: ['the'], attention: WEIGHTS })], /There are 1 words, and the weights have 3 rows and 3 columns/],
  ['too many keys', [json('a.json', { keys: [...WORDS, 'x'], attention: WEIGHTS })], /“keys” holds 4 words, and the weights have 3 columns/],
  ['words that are none', [json('a.json', { tokens: [{}], attention: [[1]] })], /“tokens” is no list of at most/],
  ['two files of weights', [numpy('float16', 'a.npy'), numpy('fortran', 'b.npy')], /Several of these files hold weights: a.npy, b.npy/],
  ['a batch of texts', [file('a.npy', npy([2, 4, 2, 1, 1], Array<number>(16).fill(1)))], /the second extent is a batch of 4 texts/],
  ['six extents', [file('a.npy', npy([1, 1, 1, 1, 1, 1], [1]))], /The shape is \[1, 1, 1, 1, 1, 1\]/],
  ['more numbers than there is room for', [file('a.npy', npy([99, 99, 9999, 9999]))], /at most 33,554,432 are read/],
  ['a size past any whole number', [file('a.npy', npy([1e15, 1e15, 1e15]))], /at most 33,554,432 are read/],
  ['a size of nothing', [file('a.npy', npy([0, 4, 4, 4]))], /The shape is \[0, 4, 4, 4\]/],
  ['more tokens than are shown', [file('a.npy', npy([1, 5000], Array<number>(5000).fill(0)))], /at most 4,096 tokens/],
  ['more heads than are shown', [file('a.npy', npy([10, 1000, 1, 1], Array<number>(10_000).fill(1)))], /10,000 heads; at most 6,144/],
  ['a file that is cut off', [file('a.npy', npy([1, 2, 3, 3], [1]))], /cut off or damaged/],
  ['objects', [file('a.npy', npy([2], [1], '|O'))], /holds '\|O'/],
  ['complex numbers', [file('a.npy', npy([1], [1, 1], '<c8'))], /holds '<c8'/],
  ['a name without content', [file('a.npy', '')], /“a.npy” is no file of NumPy’s/],
  ['an archive of nothing', [file('a.npz', Buffer.from('PK\x05\x06'))], /cut off or damaged/],
  ['an archive that unpacks to more than it says', [file('a.npz', archive(npy([1, 1, 2, 2], Array<number>(4096).fill(1)), 200))], /cut off or damaged/],
  ['an archive that says it unpacks to 4 GB', [file('a.npz', archive(new Uint8Array(10), 0xffffffff))], /the most that are unpacked/],
  ['an archive of something else', [file('a.npz', archive(new Uint8Array(10)))], /cut off or damaged/],
];
for (const [what, files, reason] of REFUSED) {
  test(`is refused in a sentence: ${what}`, async () => {
    await assert.rejects(readAttention(files), (error: Error & { code?: string }) => {
      assert.match(error.message, reason);
      assert.match(error.code ?? '', /^(?:bad_file|too_large)$/);
      return true;
    });
  });
}

test('an archive that is cut off anywhere is refused, and never read in part', async () => {
  const whole = Buffer.from(OF_NUMPY.archive, 'base64');
  for (let length = 2; length < whole.length; length += 1) await assert.rejects(readAttention([file('a.npz', whole.subarray(0, length))]), { code: 'bad_file' });
});

let operators: Operators;
before(async () => { operators = await loadInNode(); });

const openIn = async (content: unknown) => new AttentionReader(await read(json('a.json', content)), operators);

test('rows that are no shares of 1 are found, each kind with where the first stands', async () => {
  const rows = (...own: readonly (readonly (number | null)[])[]) => own;
  const good = rows([1, 0], [0.5, 0.495]);
  const opened = await openIn({ attention: [[good, rows([1, 0.1], [1, 0])], [rows([0.2, 0.2], [1.5, -0.5]), rows([null, 1], [0, 0])]] });
  assert.deepEqual(opened.faults.map(faultWords), [
    '3 rows do not add up to 1, first of all layer 1, head 2, row 1, whose sum is 1.100.',
    '1 row holds negative weights: layer 2, head 1, row 2.',
    '1 row holds what is not a finite number: layer 2, head 2, row 1.',
  ]);
  assert.deepEqual((await openIn({ attention: WEIGHTS })).faults, []);
});

test('what heads do is measured as of a model: roles, entropy, mean and rollout', async () => {
  const opened = await openIn({ tokens: ['a', 'b', 'a'], attention: WEIGHTS });
  const facts = opened.facts(['a', 'b', 'a']);
  const close = (found: number | undefined, expected: number) => assert.ok(Math.abs((found ?? NaN) - expected) < 1e-6, `${found} is not ${expected}`);
  // Of A: rows b and a.
  close(facts[0]?.[0]?.previous, (0.25 + 0.125) / 2);
  close(facts[0]?.[0]?.start, (0.25 + 0.5) / 2);
  close(facts[0]?.[0]?.self, (0.75 + 0.375) / 2);
  close(facts[0]?.[0]?.induction, 0.125);
  close(facts[1]?.[1]?.previous, (0.25 + 0.125) / 2);
  const [first, second] = opened.together;
  close(first?.mean[3], (0.25 + 0.5) / 2);
  // (mean + 1) / 2, and the second layer's times the first's.
  close(first?.rollout[4], ((0.75 + 0.5) / 2 + 1) / 2);
  close(second?.rollout[4], (((0.75 + 0.5) / 2 + 1) / 2) ** 2);
});

test('words as vocabularies write them stand in the box with spaces between, and are cut there again', async () => {
  const tokens = ['Ġthe', '▁fox', '##es', ' a b', '', '\n', 'x'.repeat(200), '🦊'];
  const opened = await openIn({ tokens, attention: tokens.map((_, q) => tokens.map((__, k) => Number(q === k))) });
  assert.equal(opened.opening.text, `the fox ·es a␣b ␣ ⏎ ${'x'.repeat(47)}… 🦊`);
  assert.equal(opened.tokenize(opened.opening.text).length, tokens.length);
});

// As a reader does it.

const given = (name: string, content: Uint8Array | string) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
const TOKENS = ['the', 'old', 'fox', 'saw', 'the', 'hen'];

/** Every head looks at one distance: head h at the word h places before, or at the first. The rest of a row is shared among the words before and itself. */
const looking = (layers: number, heads: number, T = TOKENS.length) => Array.from({ length: layers }, (_, layer) => Array.from({ length: heads }, (__, head) => Array.from({ length: T }, (___, query) => {
  const [share, at] = [0.5 + layer / 10, Math.max(0, query - head)];
  return Array.from({ length: T }, (____, key) => (key > query ? 0 : (1 - share) / (query + 1) + (key === at ? share : 0)));
})));

async function openYours(context: Opening['context'] = {}): Promise<Playground> {
  const page = await reader.open({ fragment: link({ text: 'something else', parameters: 'yours' }), context });
  await page.page.locator('.yours').waitFor();
  return page;
}

async function give(page: Playground, ...files: ReturnType<typeof given>[]): Promise<void> {
  await page.page.locator('.yours input[multiple]').setInputFiles(files);
  await page.page.locator('.model:not([hidden]) .model-head').first().waitFor();
  await page.still();
}

const row = (page: Playground, at: number) => page.page.locator('.weights-table tbody tr').nth(at).innerText().then((text) => text.split(/\s+/));
const openTable = (page: Playground) => page.unfold('.as-table > summary');

test('dropped weights with their words: the numbers of the file, another layer’s, and none of a mask or a scale', async () => {
  const page = await openYours();
  const content = JSON.stringify({ tokens: TOKENS, attention: looking(3, 4) });
  const files = await page.page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'mine.json'));
    return data;
  }, content);
  await page.page.locator('.yours .paste').dispatchEvent('drop', { dataTransfer: files });
  await page.page.locator('.model:not([hidden]) .model-head').first().waitFor();
  await page.still();
  assert.equal(await page.text(), TOKENS.join(' '));
  assert.match(await page.page.locator('.yours').innerText(), /mine\.json: 3 layers of 4 heads, 6 × 6 weights each, opened from your file/);
  await openTable(page);
  assert.deepEqual(await row(page, 3), ['saw', '0.1250', '0.1250', '0.1250', '0.6250', '0', '0']);
  await page.page.locator('[data-setting=layer] .segment').nth(2).click();
  await page.chooseHead(1);
  await page.still();
  // A share of 0.7 at the word before, and 0.3 for four.
  assert.deepEqual(await row(page, 3), ['saw', '0.0750', '0.0750', '0.7750', '0.0750', '0', '0']);
  assert.match(await page.page.locator('.matrix-title').innerText(), /head 3\.2 of 12, weights of your file/);
  await page.openMore();
  const settings = page.page.locator('fieldset[data-setting]');
  for (const name of await settings.evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset['setting'] ?? ''))) {
    const field = page.page.locator(`fieldset[data-setting=${name}]`);
    const isDisabled = await field.evaluate((each) => (each as HTMLFieldSetElement).disabled);
    assert.equal(isDisabled, !['parameters', 'layer', 'rows'].includes(name), name);
    if (isDisabled) assert.match(await field.locator('.effect').innerText(), /unused: weights are ready|the file has 4/);
  }
  const shown = await page.page.locator('.root').innerText();
  assert.doesNotMatch(shown, /each row sums to 1|Nothing is hidden|√dk\s*=|Mask cells by hand/);
  for (const part of ['.walk', '.row-stages', '.senses']) assert.equal(await page.page.locator(part).isVisible(), false, part);
  assert.match(shown, /Scores, values and embeddings are not in it/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the sheet of all heads: roles found in the words, sorted, filtered; mean and rollout of a layer', async () => {
  const page = await openYours();
  await give(page, given('mine.json', JSON.stringify({ tokens: TOKENS, attention: looking(2, 3) })));
  const names = () => page.page.locator('.model-head .head-words').allInnerTexts().then((all) => all.map((text) => text.replace(/\s+/g, ' ').trim()));
  assert.equal((await names()).length, 6);
  assert.equal((await names())[0], '1.1 the word itself');
  assert.equal((await names())[1], '1.2 previous word');
  await page.page.locator('[data-sheet=sort]').selectOption('previous');
  await page.page.locator('[data-only]').check();
  assert.deepEqual((await names()).map((name) => name.slice(0, 3)), ['2.2', '1.2']);
  await page.page.locator('.model-head[data-layer="1"][data-head="1"]').click();
  await page.still();
  assert.match(await page.page.locator('.matrix-title').innerText(), /head 2\.2 of 6/);
  await page.page.locator('[data-sheet=show]').selectOption('mean');
  assert.equal(await page.page.locator('.model-layer').count(), 2);
  await page.walkTo(0, 0);
  await page.page.keyboard.press('ArrowDown');
  await page.still();
  // Of "old" in layer 2: 0.2 a word and 0.6 at itself, at "the", at "the".
  assert.deepEqual(await page.page.locator('.layer-row tbody tr').first().locator('td').first().innerText(), '60%');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('queries and keys of different words stand as two sentences, in .npy with words beside it', async () => {
  const page = await openYours();
  const rows = [[0.5, 0.25, 0.25], [0, 1, 0]];
  await give(page, given('cross.npy', npy([1, 1, 2, 3], rows.flat())), given('queries.txt', 'who looks'), given('keys.txt', 'at these words'));
  assert.equal(await page.text(), 'who looks');
  assert.equal(await page.page.locator('#key-text').inputValue(), 'at these words');
  await openTable(page);
  assert.deepEqual(await row(page, 0), ['who', '0.5000', '0.2500', '0.2500']);
  assert.match(await page.page.locator('.model').innerText(), /Rows and columns are of different words/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('other words may be typed, as many as there are rows; the file’s own come back, and so does the layer when the file is closed', async () => {
  const page = await openYours();
  await give(page, given('mine.npy', npy([1, 2, 3, 3], flat([A, B]))));
  assert.equal(await page.text(), '1 2 3');
  assert.match(await page.page.locator('[data-note=opened]').innerText(), /no words, so rows are numbered/);
  await page.paste('a red-brown fox');
  assert.deepEqual((await page.read()).rowLabels, ['a', 'red-brown', 'fox']);
  await page.paste('one two three four');
  assert.match(await page.page.locator('#problem').innerText(), /The file has 3 rows, and here are 4 words\. Type 3 words with spaces between/);
  await page.page.locator('[data-own-words]').click();
  await page.still();
  assert.deepEqual((await page.read()).rowLabels, ['1', '2', '3']);
  await page.page.locator('[data-close-model]').click();
  await page.still();
  assert.ok(await page.page.locator('.walk').isVisible());
  assert.equal(await page.page.locator('.model').isVisible(), false);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('rows that are no shares are shown as they are, and said with where; what is no weights is refused, and all stays', async () => {
  const page = await openYours();
  const attention: (number | null)[][][][] = looking(2, 2);
  attention[1]![1]![2] = [2, -0.5, 0, 0, 0, 0];
  attention[0]![1]![1] = [null, 0.5, 0, 0, 0, 0];
  await page.page.locator('.yours input[multiple]').setInputFiles([given('bad.json', '{"tokens": 3, "attention": [[1]]}')]);
  await page.page.locator('.yours .problem', { hasText: '“tokens” is no list' }).waitFor();
  assert.equal(await page.text(), 'something else');
  await give(page, given('odd.json', JSON.stringify({ tokens: TOKENS, attention })));
  assert.match(await page.page.locator('[data-fault=negative]').innerText(), /1 row holds negative weights: layer 2, head 2, row 3\./);
  assert.match(await page.page.locator('[data-fault=number]').innerText(), /1 row holds what is not a finite number: layer 1, head 2, row 2\./);
  await page.page.locator('[data-fault=negative] button').click();
  await page.still();
  await openTable(page);
  assert.deepEqual(await row(page, 2), ['fox', '2.0000', '−0.5000', '0', '0', '0', '0']);
  assert.match(await page.page.locator('.cell-title').innerText(), /fox/);
  await page.walkTo(2, 1);
  await page.ready();
  assert.match(await page.page.locator('.cell-title').innerText(), /−0\.5000/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('no sentence and no cell calls what is not a finite number a percentage', async () => {
  const page = await openYours();
  const attention: (number | null)[][][][] = looking(1, 1);
  attention[0]![0]![1] = [null, 0.5, 0.25, 0, 0, 0];
  attention[0]![0]![2] = [null, null, null, null, null, null];
  await give(page, given('odd.json', JSON.stringify({ tokens: TOKENS, attention })));
  const said: string[] = [];
  for (const row of [1, 2]) {
    for (const key of [0, 1]) {
      await page.walkTo(row, key);
      await page.ready();
      const whole = await page.page.evaluate(() => (document.querySelector('attention-playground')?.shadowRoot?.querySelector('.root') as HTMLElement).innerText);
      assert.doesNotMatch(whole, /NaN|Infinity/);
    }
    said.push(`${await page.page.locator('.row-caption').innerText()} ${await page.page.locator('.row-rest').innerText()}`);
  }
  assert.match(said[0] ?? '', /50% from itself, 25% from .*1 weight is not a finite number/);
  assert.match(said[1] ?? '', /no weight is a finite number/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('weights are pasted as JSON, too, where the list says so', async () => {
  const page = await openYours();
  await page.page.locator('[data-matrix]').selectOption('attention');
  await page.page.locator('.paste').fill(JSON.stringify(A));
  await page.page.locator('[data-use]').click();
  await page.page.locator('.model:not([hidden]) .model-head').first().waitFor();
  await openTable(page);
  assert.deepEqual(await row(page, 2), ['3', '0.5000', '0.1250', '0.3750']);
  assert.deepEqual(page.problems, []);
  await page.close();
});
