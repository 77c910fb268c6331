// Whole models from files: what they compute, what changes do, and what is refused.
import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import { type Case, readCases } from '../lib/cases.ts';
import { loadEngine } from '../lib/built.ts';
import { loadInNode } from '../lib/operators.ts';
import { Random } from '../lib/random.ts';
import { type Tiny, WORDS, fileOf, gpt2Tensors, numbers, refusal, tinyNative } from '../lib/model-files.ts';
import { type Beside, LanguageModel, type ModelRun } from '../../web/src/parameters/language-model/language-model.ts';
import { MASK_IDS, MASK_NUMBERS, type MaskId } from '../../web/src/engine/masks.ts';
import { ModelReader, type Reading } from '../../web/src/parameters/language-model/reader.ts';
import type { Operators } from '../../web/src/engine/operators/operators.ts';
import { DEFAULTS } from '../../web/src/engine/defaults.ts';
import { openShipped } from '../lib/shipped-model.ts';
import type { Engine } from '../../web/src/engine/engine.ts';

let operators: Operators;
before(async () => {
  operators = await loadInNode();
});

const open = (file: Blob | Uint8Array, beside: Beside = {}) => LanguageModel.open(file, beside, { operators: async () => operators });
const openTiny = (tiny: Tiny = tinyNative()) => open(fileOf(tiny));
const configOf = (given: Case) => ({ config: JSON.stringify({ n_head: given.attributes.get('num_heads'), activation_function: 'gelu_new' }) });
/** A mask that hides nothing. */
const everyKey = (T: number) => new Uint8Array(T * T).fill(1);
const farthest = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.from(a).reduce((most, number, i) => Math.max(most, Math.abs(number - (b[i] ?? NaN))), a.length === b.length ? 0 : Infinity);

test("PyTorch's logits come out of files in GPT-2's layout: with and without a prefix, tied and not", async () => {
  const cases = readCases('Decoder');
  assert.ok(cases.length >= 3);
  for (const each of cases) {
    for (const prefix of ['', 'transformer.']) {
      const model = await open(new Blob([fileOf({ tensors: gpt2Tensors(each, prefix), metadata: { format: 'pt' } })]), configOf(each));
      const tokens = each.inputs.get('tokens')?.numbers as number[];
      const run = model.run(tokens);
      const { vocabulary } = model.configuration;
      const expected = each.outputs.get('Y')?.numbers as number[];
      tokens.forEach((_, t) => {
        assert.ok(farthest(run.logits(t), expected.slice(t * vocabulary, (t + 1) * vocabulary)) < 2e-5);
      });
      model.free();
    }
  }
});

test('predictions are shares of 1, likeliest first, and any single word’s can be read', async () => {
  const model = await openTiny();
  const run = model.run([0, 2, 3, 4]);
  const all = run.predictions(2, WORDS.length);
  assert.ok(Math.abs(all.reduce((sum, { probability }) => sum + probability, 0) - 1) < 1e-6);
  assert.deepEqual(all.map(({ probability }) => probability), all.map(({ probability }) => probability).sort((a, b) => b - a));
  assert.deepEqual(run.predictions(2, 3), all.slice(0, 3));
  assert.deepEqual(run.probabilities(2, all.map(({ id }) => id)), all.map(({ probability }) => probability));
  const logits = run.logits(2);
  assert.equal(all[0]?.id, logits.indexOf(Math.max(...logits)));
  assert.deepEqual(run.predictions(2, 0), []);
  assert.equal(run.predictions(2, 999).length, WORDS.length);
  // Read out after the last layer by default; the embeddings are what is read before the first.
  assert.deepEqual(run.logits(2, 1), logits);
  assert.notDeepEqual(run.logits(2, 0), logits);
  // All positions at once say the same.
  for (const layer of [undefined, 0]) {
    const outlooks = run.outlooks(3, layer);
    assert.deepEqual(outlooks.map(({ predictions }) => predictions), [0, 1, 2, 3].map((position) => run.predictions(position, 3, layer)));
    assert.deepEqual(outlooks.map(({ ofNext }) => ofNext), [2, 3, 4].map((next, position) => run.probabilities(position, [next], layer)[0] as number | null).concat(null));
  }
  assert.deepEqual(run.residual(-1), run.embeddings);
  model.free();
});

for (const positions of ['rope', 'query_key', 'learned'] as const) {
  for (const rotary_interleaved of positions === 'rope' ? [false, true] : [false]) {
    test(`any layer of a run walks through the page's own layer with the same weights: ${positions}${rotary_interleaved ? ', interleaved' : ''}`, async () => {
      const tiny = tinyNative(positions, { rotary_interleaved });
      for (const layer of [0, 1]) Object.assign(tiny.tensors[`layers.${layer}.down.weight`] as object, { numbers: new Array(96).fill(0) });
      const model = await openTiny(tiny); // without its MLPs a layer adds what attention adds
      const engine = await loadEngine();
      const session = engine.session();
      const run = model.run([0, 2, 3, 4, 2, 3]);
      for (const layer of [0, 1]) {
        const { settings, given } = model.walk(run, layer);
        const trace = session.run({ tokens: ['<s>', 'a', 'b', 'c', 'a', 'b'], given }, { ...DEFAULTS, ...settings });
        for (const head of [0, 1]) assert.ok(farthest(trace.head('weights', head), run.weights(layer, head)) < 2e-6);
        const added = run.residual(layer).map((number, i) => number - (run.residual(layer - 1)[i] ?? NaN));
        // In units of the numbers that the residual adds: what was added is known no better than they are.
        const unit = 2 ** -24 * Math.max(...Array.from(run.residual(layer), Math.abs));
        assert.ok(farthest(trace.stage('output'), added) <= 8 * unit);
      }
      session.free();
      model.free();
    });
  }
}

test('every mask of the page acts on the model as on its own walk: the weights are the same', async () => {
  const engine = await loadEngine();
  const reader = new ModelReader(await openTiny(tinyNative('learned')));
  const tokens = [0, 2, 3, 4, 2, 3].map((id, i) => ({ id, text: `t${i}`, start: i, end: i + 1 }));
  for (const mask of engine.schema.masks as MaskId[]) {
    for (const n of [0, 1, 3]) {
      const settings = { ...DEFAULTS, ...reader.sizes, mask, ...Object.fromEntries(MASK_NUMBERS.map(({ field }) => [field, n])) };
      for (const [layer, actsOn] of [[1, 'every'], [2, 'every'], [2, 'this']] as const) {
        const reading = reader.read(tokens, { layer, actsOn, silenced: [], patches: [], edits: [], maskEdits: [], settings }, () => engine.session()) as Reading;
        const session = engine.session();
        const trace = session.run({ tokens: tokens.map(({ text }) => text), given: reading.given }, { ...settings, ...reading.settings });
        reading.settle(trace);
        for (const head of [0, 1]) {
          const [walked, used] = [trace.head('weights', head), reading.run.weights(layer - 1, head)];
          assert.ok(farthest(walked, used) < 2e-6, `${mask} of ${n}, layer ${layer}, ${actsOn}`);
          assert.deepEqual(Array.from(used, (weight) => weight === 0), Array.from(trace.head('masked_scores', head), (score) => score === -Infinity));
        }
        session.free();
      }
    }
  }
  reader.free();
});

test('positions tell the kinds of them apart', async () => {
  const runs = [];
  for (const positions of ['rope', 'query_key', 'learned'] as const) {
    const model = await openTiny(tinyNative(positions));
    const [first, second] = [model.run([2, 2]), model.run([2, 2], [{ allowed: everyKey(2) }, { allowed: everyKey(2) }])];
    assert.notDeepEqual(second.weights(0, 0).slice(0, 2), first.weights(0, 0).slice(0, 2));
    assert.equal(farthest(first.embeddings.slice(0, 8), first.embeddings.slice(8)) > 0, positions === 'learned');
    runs.push(second.weights(0, 0));
    model.free();
  }
  assert.notDeepEqual(runs[0], runs[1]);
});

test('changes act on their layer and on what follows, and leave no trace', async () => {
  const model = await openTiny();
  const ids = [0, 2, 3, 4, 5, 2, 3];
  const plain = model.run(ids);
  const logits = plain.logits(6);
  const same = model.run(ids, [{ temperature: 1, headGains: [1, 1], patches: [] }, undefined]);
  assert.deepEqual(same.logits(6), logits);

  const without = model.run(ids, [undefined, { headGains: [0, 1] }]);
  assert.deepEqual(without.weights(1, 0), plain.weights(1, 0));
  assert.deepEqual(without.residual(0), plain.residual(0));
  assert.notDeepEqual(without.residual(1), plain.residual(1));

  const own = model.run(ids, [{ patches: [{ head: 1, weights: plain.weights(0, 1) }] }]);
  assert.deepEqual(own.logits(6), logits);
  const patch = new Float32Array(49).map((_, i) => Number(i % 7 === 0));
  const patched = model.run(ids, [{ patches: [{ head: 1, weights: patch }] }]);
  assert.deepEqual(patched.weights(0, 1), patch);
  assert.notDeepEqual(patched.logits(6), logits);

  const open = model.run(ids, [{ allowed: everyKey(7) }]);
  assert.deepEqual(open.weights(0, 0).slice(42), plain.weights(0, 0).slice(42));
  assert.ok(open.weights(0, 0).every((weight) => weight > 0));
  const isNear = (i: number) => [0, 1].includes(Math.floor(i / 7) - i % 7);
  const near = model.run(ids, [{ allowed: everyKey(7).map((_, i) => Number(isNear(i))) }]).weights(0, 0);
  assert.ok(near.every((weight, i) => (weight > 0) === isNear(i)));
  const lower = model.run(ids, [{ allowed: everyKey(7).map((_, i) => Number(i % 7 <= Math.floor(i / 7))) }]);
  assert.ok(farthest(lower.weights(1, 1), plain.weights(1, 1)) < 2e-6, 'the mask of its training, cell by cell');

  // A temperature is one over a scale: d_k is 4.
  assert.deepEqual(model.run(ids, [{ temperature: 4 }]).weights(0, 0), model.run(ids, [{ scale: 0.125 }]).weights(0, 0));
  assert.deepEqual(model.run(ids, [{ scale: 0.5 }]).logits(6), logits);
  assert.notDeepEqual(model.run(ids, [{ softcap: 0.5 }]).weights(0, 0), plain.weights(0, 0));
  assert.deepEqual(model.run(ids).logits(6), logits);
  assert.deepEqual(plain.logits(6), logits); // copies outlive later runs
  model.free();
});

/** A model whose decoder tells how many tokens each of its layers was given. */
async function told(file: Uint8Array): Promise<{ model: LanguageModel; given: number[] }> {
  const given: number[] = [];
  const module = new Proxy(operators, { get: (own, name) => (name !== 'decoder' ? bound(own, Reflect.get(own, name)) : (...args: Parameters<Operators['decoder']>) => {
    const decoder = own.decoder(...args);
    const explore = decoder.explore.bind(decoder);
    decoder.explore = (tokens, ...rest) => {
      explore(tokens, ...rest);
      given.push(tokens.length);
    };
    return decoder;
  }) });
  return { model: await LanguageModel.open(file, {}, { operators: async () => module }), given };
}
const bound = (own: object, value: unknown): unknown => (typeof value === 'function' ? value.bind(own) as unknown : value);

/** All that is kept of a run, and what its heads do. */
function allOf(model: LanguageModel, run: ModelRun): unknown {
  const measures = model.measure(run);
  return [run.tokens, run.embeddings, [0, 1].map((layer) => [run.residual(layer), run.layerWeights(layer)]), measures.weightedLayers, measures.attribution(run.tokens.length - 1, 3), run.drawNext({ temperature: 1, topK: 0, topP: 1, seed: 7 })];
}
type Change = NonNullable<Parameters<LanguageModel['run']>[1]>[number];
const maskOf = (T: number, isSeen: (query: number, key: number) => boolean) => Uint8Array.from({ length: T * T }, (_, i) => Number(isSeen(Math.floor(i / T), i % T)));
/** By how many tokens there are; which text after another can be read on. */
const CHANGES: readonly (readonly [string, 'any' | 'the same' | 'none', (T: number) => Change[]])[] = [
  ['nothing', 'any', () => []],
  ['a scale and a temperature', 'any', () => [{ scale: 0.3, temperature: 2 }]],
  ['arg-max under a softcap', 'any', () => [undefined, { temperature: 0, softcap: 3 }]],
  ['a head taken away', 'any', () => [{ headGains: [1, 0] }]],
  ['a window', 'any', (T) => [{ allowed: maskOf(T, (q, k) => k <= q && k > q - 3) }, { allowed: maskOf(T, (q, k) => k <= q && k > q - 3) }]],
  ['a prefix', 'any', (T) => [{ allowed: maskOf(T, (q, k) => k <= q || k < 2) }]],
  ['no mask', 'the same', (T) => [undefined, { allowed: everyKey(T) }]],
  ['a share by hand', 'none', (T) => [{ patches: [{ head: 0, weights: new Float32Array(T * T).fill(1 / T) }] }]],
];

test('a text that goes on from the one before is read from there, and has the bits of one that is read whole', async () => {
  for (const positions of ['rope', 'query_key', 'learned'] as const) {
    const { model, given } = await told(fileOf(tinyNative(positions)));
    for (const [name, readOn, changes] of CHANGES) {
      model.run([7]);
      let before = '';
      // A word more, three more, one back, two others at the end, the same again, another text in between.
      for (const [tokens, count] of [[[0, 2, 3, 4], 4], [[0, 2, 3, 4, 5], 1], [[0, 2, 3, 4, 5, 2, 2, 3], 3], [[0, 2, 3, 4, 5, 2, 2], 0], [[0, 2, 3, 4, 5, 6, 7], 2], [[0, 2, 3, 4, 5, 6, 7], 0], [[3, 2], 2], [[0, 2, 3, 4, 5], 5]] as const) {
        given.length = 0;
        const run = model.run(tokens, changes(tokens.length));
        const read = readOn === 'any' || (readOn === 'the same' && before === tokens.join()) ? count : tokens.length;
        assert.deepEqual(given, read === 0 ? [] : [read], `${name}, ${tokens}`);
        before = tokens.join();
        const { model: fresh } = await told(fileOf(tinyNative(positions)));
        assert.deepEqual(allOf(model, run), allOf(fresh, fresh.run(tokens, changes(tokens.length))), `${positions}, ${name}, ${tokens}`);
        fresh.free();
      }
      // What was changed otherwise is read anew; what is not changed is kept besides.
      for (const [other, , otherwise] of CHANGES) {
        if (other === name) continue;
        model.run([0, 2, 3, 4, 5], changes(5));
        model.run([0, 2, 3, 4, 5], otherwise(5));
        given.length = 0;
        model.run([0, 2, 3, 4, 5, 6], changes(6));
        assert.deepEqual(given, [readOn === 'any' && [name, other].includes('nothing') ? 1 : 6], `${name} after ${other}`);
      }
    }
    model.free();
  }
});

test('texts that are read a layer at a time, between each other or given up, have the bits of those that are read alone', async () => {
  const { model } = await told(fileOf(tinyNative()));
  const { model: fresh } = await told(fileOf(tinyNative()));
  const kept = (run: ModelRun) => [run.embeddings, run.residual(0), run.residual(1), run.layerWeights(0), run.layerWeights(1)];
  const texts = [[], [{ scale: 0.3 }], [undefined, { headGains: [0, 1] }]].flatMap((changes) => [[0, 2, 3, 4], [0, 2, 3, 4, 5], [0, 2, 3, 6, 7, 2], [0, 2], [3, 2, 3, 4]].map((tokens) => {
    fresh.run([7], changes);
    return { tokens, changes, expected: kept(fresh.run(tokens, changes)) };
  }));
  const random = new Random(5);
  let paused: { goOn(): void; giveUp(error: Error): void }[] = [];
  const ended: Promise<void>[] = [];
  for (let step = 0; step < 2000; step += 1) {
    const { tokens, changes, expected } = random.pick(texts);
    if (paused.length < 4 && random.number() < 0.5) {
      ended.push(model.runSlowly(tokens, changes, () => new Promise((goOn, giveUp) => { paused.push({ goOn, giveUp }); })).then(
        (run) => assert.deepEqual(kept(run), expected), (error: unknown) => assert.equal((error as Error).message, 'given up')));
    } else if (random.number() < 0.2) {
      assert.deepEqual(kept(model.run(tokens, changes)), expected);
    } else if (paused.length > 0) {
      const one = random.pick(paused);
      paused = paused.filter((each) => each !== one);
      if (random.number() < 0.3) one.giveUp(new Error('given up'));
      else one.goOn();
    }
    await new Promise(setImmediate);
  }
  while (paused.length > 0) {
    paused.splice(0).forEach(({ goOn }) => goOn());
    await new Promise(setImmediate);
  }
  assert.ok(ended.length > 600);
  await Promise.all(ended);
  model.free();
  fresh.free();
});

test('what cannot be run is refused with a sentence, and the model goes on', async () => {
  const model = await openTiny();
  const refuses = (code: string, run: () => unknown) => assert.throws(run, refusal(code));
  refuses('no_tokens', () => model.run([]));
  refuses('too_many_tokens', () => model.run(new Array<number>(17).fill(2)));
  refuses('invalid_shape', () => model.run([0, WORDS.length]));
  refuses('invalid_shape', () => model.run([-1]));
  refuses('invalid_option', () => model.run([0], [{}, {}, {}]));
  refuses('invalid_option', () => model.run([0], [{ headGains: [1] }, { headGains: [0] }]));
  refuses('invalid_option', () => model.run([0, 2], [{ patches: [{ head: 2, weights: new Float32Array(4) }] }]));
  refuses('invalid_shape', () => model.run([0, 2], [{ patches: [{ head: 0, weights: new Float32Array(3) }] }]));
  refuses('invalid_option', () => model.run([0], [{ temperature: -1 }]));
  const run = model.run([0, 2]);
  for (const [layer, head] of [[2, 0], [0, 2], [-1, 0], [0.5, 0]] as const) refuses('index_out_of_range', () => run.weights(layer, head));
  refuses('index_out_of_range', () => run.logits(2));
  refuses('index_out_of_range', () => run.residual(-2));
  refuses('index_out_of_range', () => run.probabilities(0, [WORDS.length]));
  refuses('index_out_of_range', () => model.walk(run, 2));
  assert.equal(model.run([0, 2]).weights(1, 1).length, 4);
  model.free();
});

test('a model says its sizes, its heads, its words; progress ends at 1', async () => {
  const shares: number[] = [];
  const model = await LanguageModel.open(fileOf(tinyNative()), {}, { operators: async () => operators, progress: (share) => shares.push(share) });
  assert.deepEqual([model.configuration.layers, model.configuration.heads, model.configuration.d_model, model.mostTokens], [2, 2, 8, 16]);
  assert.deepEqual(model.heads.map(({ layer, head, name, named }) => [layer, head, name, named]), [[1, 0, 'the word before', true]]);
  assert.equal(model.tokenizer, 'word-pieces');
  assert.deepEqual(model.tokenize('The cats').map(({ id }) => id), [0, 2, 3, 10]);
  assert.deepEqual(model.word(10), { word: 's', piece: true });
  assert.ok(shares.every((share, i) => share > (shares[i - 1] ?? 0)));
  assert.equal(shares.at(-1), 1);
  model.free();
});

test('opening and freeing models leaves the memory where it was', async () => {
  const file = fileOf(tinyNative());
  (await open(file)).free();
  const bytes = operators.heapBytes;
  for (let i = 0; i < 300; i += 1) {
    const model = await open(file);
    model.run([0, 2, 3], [{ headGains: [0, 1], patches: [{ head: 0, weights: numbers(9, i) }] }]).logits(0);
    model.free();
  }
  await assert.rejects(open(fileOf({ ...tinyNative(), tensors: {} })));
  assert.equal(operators.heapBytes, bytes);
});

const LAYER = 1;
type Wanted = Parameters<ModelReader['read']>[1];
const settings = (changed: Partial<Wanted['settings']>) => ({ settings: changed });
/** Of masks that have numbers, such that each leaves some keys out. */
const NARROW = Object.fromEntries(MASK_NUMBERS.map(({ field }, i) => [field, i + 1]));
/** Changes of one kind stand together: two of them do not meet. */
const KINDS: readonly (readonly [string, Partial<Omit<Wanted, 'settings'>> & { settings?: Partial<Wanted['settings']> }])[][] = [
  MASK_IDS.filter((mask) => mask !== 'causal').map((mask) => [`the mask ${mask}`, settings({ mask, ...NARROW })] as const),
  [['no scale', settings({ scale: 'none' })], ['a factor', settings({ scale: 'factor', scale_factor: 0.7 })]],
  [['softcap 1', settings({ softcap: 1 })], ['softcap 5', settings({ softcap: 5 })]],
  [['temperature 0', settings({ temperature: 0 })], ['temperature 0.5', settings({ temperature: 0.5 })], ['temperature 2', settings({ temperature: 2 })]],
  [['dropout', settings({ dropout: 0.3, dropout_seed: 7 })]],
  [['cells by hand', { maskEdits: [{ query: 4, key: 2 }, { query: 1, key: 3 }] }]],
  [['a silenced head before it', { silenced: [{ layer: 0, head: 1 }] }], ['a silenced head of its own', { silenced: [{ layer: LAYER, head: 1 }] }]],
  [['a share by hand before it', { patches: [{ layer: 0, head: 0, query: 3, key: 1, share: 0.6 }] }]],
  [['a parameter by hand', { edits: [{ array: 'W_K', row: 2, column: 5, value: 3 }] }], ['a word by hand', { edits: [{ token: 'animal', column: 4, value: -2 }] }]],
  [['this layer alone', { actsOn: 'this' }]],
];
const ALL = KINDS.flatMap((kind, at) => kind.map(([name, change]) => ({ at, name, change })));
const PAIRS = ALL.flatMap((a, i) => ALL.slice(i + 1).filter((b) => b.at !== a.at).map((b) => [a, b] as const));

describe('the walked layer has the weights that the model ran with', () => {
  let reader: ModelReader;
  let engine: Engine;
  before(async () => {
    reader = new ModelReader(await openShipped());
    engine = await loadEngine();
  });
  after(() => reader.free());

  for (const [a, b] of PAIRS) {
    it(`${a.name} and ${b.name}`, () => {
      const tokens = reader.tokenize('The animal was too tired');
      const changed = { ...DEFAULTS, ...reader.sizes, ...a.change.settings, ...b.change.settings };
      const wanted: Wanted = {
        layer: LAYER + 1, actsOn: 'every', silenced: [], patches: [], edits: [], maskEdits: [], ...a.change, ...b.change, settings: changed,
      };
      const reading = reader.read(tokens, wanted, () => engine.session()) as Reading;
      const session = engine.session();
      const trace = session.run({
        tokens: tokens.map(({ text }) => text), given: reading.given, maskEdits: wanted.maskEdits, edits: wanted.edits,
      }, { ...changed, ...reading.settings });
      reading.settle(trace);
      const stage = trace.present('dropped_weights') ? 'dropped_weights' : 'weights';
      for (let head = 0; head < reader.configuration.heads; head += 1) {
        assert.deepEqual(reading.run.weights(LAYER, head), trace.head(stage, head), `head ${head}`);
      }
      session.free();
    });
  }
});
