// What a model writes: the token that its logits and the seed's number choose, found again by sorting in double; and a
// text that is read as the same tokens and this one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readCases } from '../lib/cases.ts';
import { loadEngine } from '../lib/built.ts';
import { drawn, loadInNode, sharesBySorting } from '../lib/operators.ts';
import { openShipped } from '../lib/shipped-model.ts';
import { WORDS, fileOf, gpt2Tensors, tinyNative } from '../lib/model-files.ts';
import { DEFAULTS } from '../../web/src/engine/defaults.ts';
import type { Engine } from '../../web/src/engine/engine.ts';
import { LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';
import { ModelReader, type ReadRequest, type Reading } from '../../web/src/parameters/language-model/reader.ts';
import { type End, type Manner, type Step, Written, continued, nextStep, withToken } from '../../web/src/parameters/language-model/writing.ts';

const LIKELIEST: Manner = { temperature: 0, topK: 0, topP: 1, seed: 1 };
const TEXT = 'the old dog ran to the house because it was';

let engine: Engine;
let shipped: ModelReader;
before(async () => {
  engine = await loadEngine();
  shipped = new ModelReader(await openShipped());
});
after(() => shipped.free());

/** Step by step, until there is none. */
function write(reader: ModelReader, text: string, manner: Manner, most: number, change: Partial<ReadRequest> = {}) {
  const steps: Step[] = [];
  let now = text;
  while (steps.length < most) {
    const wanted = { layer: 1, actsOn: 'every' as const, silenced: [], patches: [], edits: [], maskEdits: [], ...change, settings: { ...DEFAULTS, ...reader.sizes, mask: reader.mask, ...change.settings } };
    const reading = reader.read(reader.tokenize(now), wanted, () => engine.session()) as Reading;
    const step = nextStep(reading, now, manner) as Step | End;
    if (typeof step === 'string') return { text: now, steps, end: step };
    steps.push(step);
    now = step.text;
  }
  return { text: now, steps, end: null };
}

/** The same in plain loops: the candidate that the number falls on; one that no text goes on with is left out. */
function expected(reader: ModelReader, text: string, { seed, ...rule }: Manner, changes: Parameters<LanguageModel['run']>[1] = []): string {
  const ids = reader.tokenize(text).map(({ id = -1 }) => id);
  const logits = (reader.model as LanguageModel).run(ids, changes).logits(ids.length - 1);
  for (;;) {
    const id = drawn(sharesBySorting(logits, rule), seed, ids.length);
    const { word, piece } = reader.word(id);
    const whole = `${text}${piece || /^[^\p{L}\p{N}]/u.test(word) ? '' : ' '}${word}`;
    const read = reader.tokenize(whole).map((token) => token.id);
    if (read.length === ids.length + 1 && read.at(-1) === id && read.every((other, i) => i === ids.length || other === ids[i])) return whole;
    logits[id] = -Infinity;
  }
}

test('the likeliest: each word is the first that the shipped model expects', () => {
  let text = TEXT;
  const { steps } = write(shipped, TEXT, LIKELIEST, 8);
  for (const step of steps) {
    text = expected(shipped, text, LIKELIEST);
    assert.equal(step.text, text);
    assert.deepEqual([step.share, step.among], [1, 1]);
  }
  assert.equal(steps.length, 8);
});

test('drawn: each word is the one that the seed’s number falls on, among those that are kept', () => {
  for (const manner of [{ temperature: 0.8, topK: 40, topP: 1, seed: 1 }, { temperature: 1.5, topK: 0, topP: 0.9, seed: 7 }, { temperature: 1, topK: 5, topP: 1, seed: 4294967295 }]) {
    let text = TEXT;
    const { steps } = write(shipped, TEXT, manner, 5);
    for (const step of steps) {
      const ids = shipped.tokenize(text).map(({ id = -1 }) => id);
      text = expected(shipped, text, manner);
      assert.equal(step.text, text, JSON.stringify(manner));
      if (step.passed === 0) {
        const shares = sharesBySorting((shipped.model as LanguageModel).run(ids).logits(ids.length - 1), manner);
        assert.equal(step.among, shares.filter((share) => share > 0).length);
        assert.ok(Math.abs(step.share - (shares[shipped.tokenize(text).at(-1)?.id ?? -1] ?? NaN)) < 1e-5);
      }
    }
  }
});

test('the same seed writes the same, from any point; another seed something else; top-k 1 is the likeliest', () => {
  const manner = { temperature: 1, topK: 40, topP: 1, seed: 3 };
  const once = write(shipped, TEXT, manner, 10);
  assert.equal(write(shipped, TEXT, manner, 10).text, once.text);
  assert.equal(write(shipped, once.steps[3]?.text ?? '', manner, 6).text, once.text);
  assert.notEqual(write(shipped, TEXT, { ...manner, seed: 4 }, 10).text, once.text);
  assert.equal(write(shipped, TEXT, { ...manner, topK: 1 }, 6).text, write(shipped, TEXT, LIKELIEST, 6).text);
  assert.equal(write(shipped, TEXT, { ...manner, topP: 1e-6 }, 6).text, write(shipped, TEXT, LIKELIEST, 6).text);
});

test('a head that is taken away is away for every word that is written', () => {
  const silenced = [{ layer: 1, head: 1 }, { layer: 3, head: 0 }, { layer: 0, head: 2 }];
  const changes = Array.from({ length: 4 }, (_, layer) => ({ headGains: [0, 1, 2, 3].map((head) => Number(!silenced.some((place) => place.layer === layer && place.head === head))) }));
  const { steps } = write(shipped, TEXT, LIKELIEST, 6, { silenced });
  let text = TEXT;
  for (const step of steps) assert.equal(step.text, (text = expected(shipped, text, LIKELIEST, changes)));
  assert.notEqual(text, write(shipped, TEXT, LIKELIEST, 6).text);
});

test('it stops where it reads no more, and every word before is one token', async () => {
  const reader = new ModelReader(await LanguageModel.open(fileOf(tinyNative()), {}, { operators: () => loadInNode() }));
  const { end, steps, text } = write(reader, 'the cat', { temperature: 1, topK: 0, topP: 1, seed: 2 }, 100);
  assert.equal(end, 'context');
  assert.equal(reader.tokenize(text).length, reader.model.mostTokens);
  assert.equal(steps.length, reader.model.mostTokens - reader.tokenize('the cat').length);
  reader.free();
});

test('tokens that no text goes on with are passed over, and counted', async () => {
  const reader = new ModelReader(await LanguageModel.open(fileOf(tinyNative()), {}, { operators: () => loadInNode() }));
  // After a word its pieces can follow, and no start; after a dot no piece can.
  assert.equal(withToken(reader, 'the', WORDS.indexOf('cat')), 'the cat');
  assert.equal(withToken(reader, 'the', WORDS.indexOf('<s>')), null);
  assert.equal(withToken(reader, 'the.', WORDS.indexOf('##s')), null);
  assert.equal(continued(reader, 'the ', WORDS.indexOf('.'))?.text, 'the .');
  const passed = [1, 2, 3, 4, 5].flatMap((seed) => write(reader, 'the cat.', { temperature: 2, topK: 0, topP: 1, seed }, 6).steps.map((step) => step.passed));
  assert.ok(passed.some((count) => count > 0) && passed.some((count) => count === 0), `${passed}`);
  reader.free();
});

test('a file of GPT-2’s kind without a tokenizer writes numbers, those that sorting finds', async () => {
  const [given] = readCases('Decoder').filter(({ inputs }) => !inputs.has('lm_head'));
  assert.ok(given);
  const model = await LanguageModel.open(fileOf({ tensors: gpt2Tensors(given) }), { config: JSON.stringify({ n_head: given.attributes.get('num_heads'), activation_function: 'gelu_new' }) }, { operators: () => loadInNode() });
  const reader = new ModelReader(model);
  for (const manner of [LIKELIEST, { temperature: 1.2, topK: 4, topP: 1, seed: 9 }]) {
    const { steps } = write(reader, '1 2', manner, 3);
    let ids = [1, 2];
    for (const step of steps) {
      const shares = sharesBySorting(model.run(ids).logits(ids.length - 1), manner);
      ids = [...ids, drawn(shares, manner.seed, ids.length)];
      assert.equal(step.text, ids.join(' '));
    }
    assert.ok(steps.length > 0);
  }
  reader.free();
});

test('steps are those of the text as it is: back, on again, and from another text', () => {
  const step = (text: string): Step => ({ text, by: 'model', share: 1, among: 1, passed: 0 });
  const texts = (written: Written, text: string) => written.of(text).map((each) => each.text);
  const written = new Written();
  written.add('a', step('a b'));
  written.add('a b', step('a b c'));
  assert.deepEqual(texts(written, 'a b c'), ['a b', 'a b c']);
  assert.deepEqual(texts(written, 'a b'), ['a b']);
  assert.deepEqual(texts(written, 'a'), []);
  assert.deepEqual(texts(written, 'something else'), []);
  assert.deepEqual(texts(written, 'a b c'), ['a b', 'a b c'], 'on again');
  written.add('a b', step('a b d'));
  assert.deepEqual([texts(written, 'a b d'), texts(written, 'a b c'), written.first], [['a b', 'a b d'], [], 'a']);
  written.add('x', step('x y'));
  assert.deepEqual([texts(written, 'x y'), texts(written, 'a b'), written.first], [['x y'], [], 'x']);
});
