// What stands around attention, as the operators' module has it: positions, norms, GELU and whole decoders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Case, firstWrong, readCases } from '../lib/cases.ts';
import { loadInNode, runDecoder, runDecoderWithWeights, runGelu, runNorm, runRotary } from '../lib/operators.ts';
import { AttentionError, type DecoderParameters } from '../../web/src/engine/operators/operators.ts';

const operators = await loadInNode();

const coded = (code: string) => (error: unknown) =>
  error instanceof AttentionError && error.code === code && /[.]$/.test(error.message);

const expected = (each: Case) => (each.outputs.get('Y') ?? each.outputs.get('Y_f64'))?.numbers as number[];

function assertCases(op: string, least: number, run: (each: Case) => number[], only: (each: Case) => boolean = () => true): void {
  const cases = readCases(op).filter(only);
  assert.ok(cases.length >= least, `${cases.length} cases`);
  for (const each of cases) assert.equal(firstWrong(run(each), expected(each), each), undefined);
}

test("PyTorch's answers for rotary positions, norms and GELU come out of the module", () => {
  assertCases('RotaryEmbedding', 8, (each) => runRotary(operators, each), ({ inputs }) => inputs.get('cos_cache')?.shape.length === 2);
  assertCases('LayerNormalization', 3, (each) => runNorm(operators, each), ({ attributes }) => !attributes.has('axis') || attributes.get('axis') === -1);
  assertCases('Gelu', 2, (each) => runGelu(operators, each));
});

test("PyTorch's logits come out of whole decoders, read at once or token by token", () => {
  assertCases('Decoder', 3, (each) => runDecoder(operators, each));
  for (const each of readCases('Decoder')) {
    assert.deepEqual(runDecoder(operators, each, 1), runDecoder(operators, each));
    assert.deepEqual(runDecoder(operators, each, 4), runDecoder(operators, each));
  }
});

test('the last token alone has the same logits, and weights are kept of every head: rows of 1 that look back', () => {
  for (const each of readCases('Decoder')) {
    const { last, weights } = runDecoderWithWeights(operators, each);
    assert.equal(firstWrong(last, expected(each).slice(-last.length), { ...each, rtol: 1e-4, atol: 1e-5 }), undefined);
    const T = each.inputs.get('tokens')?.numbers.length ?? 0;
    for (let row = 0; row * T < weights.length; row += 1) {
      const here = weights.slice(row * T, (row + 1) * T);
      assert.ok(Math.abs(here.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-5);
      assert.ok(here.slice((row % T) + 1).every((weight) => weight === 0));
    }
  }
});

test('tables: sinusoids and rotary angles, added and turned', () => {
  const table = operators.sinusoids(5, 4);
  const x = operators.tensor([1, 2, 4], new Float32Array(8).fill(1));
  operators.addPositions(x, table, x, [3, 0]);
  const angles = [3, 3 / 100];
  const wanted = [...angles.flatMap((angle) => [1 + Math.sin(angle), 1 + Math.cos(angle)]), 1, 2, 1, 2];
  x.read().forEach((number, i) => assert.ok(Math.abs(number - (wanted[i] ?? NaN)) < 1e-6));
  const { cosines, sines } = operators.rotaryTables(6, 4, 100);
  cosines.read().forEach((number, i) => assert.ok(Math.abs(number - Math.cos((i >> 1) / (i % 2 ? 10 : 1))) < 1e-6));
  sines.read().forEach((number, i) => assert.ok(Math.abs(number - Math.sin((i >> 1) / (i % 2 ? 10 : 1))) < 1e-6));
  const half = operators.tensor([1, 1, 1, 4], Float32Array.of(1, 2, 3, 4));
  operators.rotate(half, { cosines, sines, pairs: 'interleaved' }, half, [0]);
  assert.deepEqual([...half.read()], [1, 2, 3, 4]);
});

function tiny(change: (parameters: DecoderParameters) => void = () => {}): DecoderParameters {
  const tensor = (...shape: number[]) => operators.tensor(shape, new Float32Array(shape.reduce((a, b) => a * b)).map((_, i) => Math.sin(i)));
  const linear = (from: number, to: number) => ({ weight: tensor(from, to) });
  const parameters: DecoderParameters = {
    embeddings: tensor(7, 4), positions: tensor(9, 4),
    blocks: [{
      norm1: { gain: tensor(4) }, norm2: { gain: tensor(4) }, up: linear(4, 8), down: linear(8, 4),
      attention: { heads: 2, query: linear(4, 4), key: linear(4, 4), value: linear(4, 4), outProj: linear(4, 4) },
    }],
  };
  change(parameters);
  return parameters;
}

test('a whole text is explored for what lies between, with blocks changed, and nothing of it stays', () => {
  const decoder = operators.decoder(tiny(), 4);
  const tokens = [1, 2, 3];
  const stages = { embeddings: operators.tensor([3, 4]), residuals: operators.tensor([1, 3, 4]), weights: operators.tensor([1, 2, 3, 3]) };
  decoder.explore(tokens, stages);
  const [plain, rows] = [stages.weights.read(), stages.residuals.read()];
  const [logits, weights] = [operators.tensor([3, 7]), operators.tensor([1, 2, 3, 3])];
  decoder.run(tokens, logits, weights);
  assert.deepEqual(plain, weights.read());
  // Without a final norm, logits are the last rows times the embeddings.
  const again = operators.tensor([3, 7]);
  operators.linear(operators.tensor([3, 4], rows), { weight: tiny().embeddings, layout: 'out_in' }, again);
  assert.ok(again.read().every((logit, i) => Math.abs(logit - (logits.read()[i] ?? NaN)) < 1e-5));

  const patch = operators.tensor([3, 3], Float32Array.of(1, 0, 0, 1, 0, 0, 1, 0, 0));
  decoder.explore(tokens, stages, [{ attention: { windowLeft: 0, windowRight: 0 }, headGains: [1, 0], patches: [{ head: 1, weights: patch }] }]);
  assert.deepEqual([...stages.weights.read()], [1, 0, 0, 0, 1, 0, 0, 0, 1, ...patch.read()]);
  assert.notDeepEqual(stages.residuals.read(), rows);
  assert.equal(decoder.length, 0);
  decoder.explore(tokens, stages);
  assert.deepEqual(stages.residuals.read(), rows);
  decoder.explore(tokens, { residuals: stages.residuals }); // by a faster path, which rounds otherwise
  stages.residuals.read().forEach((number, i) => assert.ok(Math.abs(number - (rows[i] ?? NaN)) < 1e-5));

  const refuses = (run: () => void) => assert.throws(run, AttentionError);
  for (const part of [{ first: 0, last: 2 }, { first: 1, last: 1 }, { first: -1, last: 1 }, { first: 1, last: 2 }]) refuses(() => decoder.explore(tokens, stages, [], part));
  refuses(() => decoder.explore([], stages));
  refuses(() => decoder.explore([1, 2], stages));
  refuses(() => decoder.explore(tokens, stages, [{}, {}]));
  refuses(() => decoder.explore(tokens, stages, [{ headGains: [1, NaN] }]));
  refuses(() => decoder.explore(tokens, stages, [{ patches: [{ head: -1, weights: patch }] }]));
  refuses(() => decoder.explore(tokens, stages, [{ patches: [{ head: 2, weights: patch }] }]));
  refuses(() => decoder.explore(tokens, stages, [{ patches: [{ head: 0, weights: operators.tensor([9]) }] }]));
  refuses(() => decoder.explore(tokens, stages, [{ attention: { dropoutSeed: -1 } }]));
  decoder.free();
});

test('a text that is explored block by block has the bits of one that is explored at once, and another may be read between', () => {
  const parameters = tiny((each) => { each.blocks = [...each.blocks, ...tiny().blocks, ...tiny().blocks]; });
  const decoder = operators.decoder({ ...parameters, embeddingsNorm: { gain: operators.tensor([4], Float32Array.of(1, 2, 3, 4)) }, output: { weight: operators.tensor([4, 7]) } }, 4);
  const stages = (T: number) => ({ embeddings: operators.tensor([T, 4]), residuals: operators.tensor([3, T, 4]), weights: operators.tensor([3, 2, T, T]), values: operators.tensor([3, T, 4]), contexts: operators.tensor([3, T, 4]) });
  const changes = [{ headGains: [1, 0] }, undefined, { attention: { isCausal: true, temperature: 2 } }];
  for (const interventions of [[], changes]) {
    const [whole, parts, other] = [stages(3), stages(3), stages(2)];
    decoder.explore([1, 2, 3], whole, interventions);
    for (const part of [{ first: 0, last: 1 }, { first: 1, last: 3 }]) {
      decoder.explore([1, 2, 3], parts, interventions, part);
      decoder.explore([6, 5], other);
    }
    for (const name of ['embeddings', 'residuals', 'weights', 'values', 'contexts'] as const) assert.deepEqual(parts[name].read(), whole[name].read(), name);
    assert.equal(decoder.length, 0);
  }
  assert.throws(() => decoder.explore([1, 2, 3], { weights: stages(3).weights }, [], { first: 1, last: 3 }), AttentionError, 'without the rows before');
  decoder.free();
});

test('a text that is explored on from its first tokens, block by block, has the bits of one that is explored whole', () => {
  const parameters = tiny((each) => { each.blocks = [...each.blocks, ...tiny().blocks]; });
  const decoder = operators.decoder(parameters, 5);
  const tokens = [1, 2, 3, 6];
  const stages = (T: number, keys = T) => ({ embeddings: operators.tensor([T, 4]), residuals: operators.tensor([2, T, 4]), weights: operators.tensor([2, 2, T, keys]), values: operators.tensor([2, T, 4]), contexts: operators.tensor([2, T, 4]) });
  const changes = [{ headGains: [1, 0] }, { attention: { isCausal: true, temperature: 2, windowLeft: 2 } }];
  for (const interventions of [[], changes]) {
    const whole = stages(4);
    decoder.explore(tokens, whole, interventions);
    for (const after of [1, 2, 3]) {
      const own = stages(4 - after, 4);
      decoder.explore(tokens.slice(0, after), { weights: stages(after).weights }, interventions, { after: 0 });
      for (const part of [{ first: 0, last: 1 }, { first: 1, last: 2 }]) decoder.explore(tokens.slice(after), own, interventions, { ...part, after });
      assert.equal(decoder.length, 4);
      // [outer, T, width]: the last rows of each.
      for (const [name, outer] of [['embeddings', 1], ['residuals', 2], ['weights', 4], ['values', 2], ['contexts', 2]] as const) {
        const [all, last] = [whole[name].read(), own[name].read()];
        const [each, count] = [all.length / outer, last.length / outer];
        assert.deepEqual([...last], Array.from({ length: outer }, (_, i) => [...all.subarray((i + 1) * each - count, (i + 1) * each)]).flat(), name);
      }
    }
  }
  const refuses = (run: () => void, why: RegExp) => assert.throws(run, (error: unknown) => error instanceof AttentionError && why.test(error.message));
  decoder.explore([1, 2], stages(2), [], { after: 0 });
  for (const after of [3, -1]) refuses(() => decoder.explore([4], {}, [], { after }), /holds 2 tokens/);
  refuses(() => decoder.explore([4], stages(1, 2), [], { after: 2 }), /tokens read in all/);
  refuses(() => decoder.explore([4], {}, [{ attention: {} }, {}], { after: 2 }), /not causal read a whole text/);
  refuses(() => decoder.explore([4], {}, [{ patches: [{ head: 0, weights: operators.tensor([1, 1]) }] }, {}], { after: 2 }), /Reshape the patch/);
  assert.equal(decoder.length, 2);
  decoder.explore([4], {}, [{ patches: [{ head: 0, weights: operators.tensor([1, 3]) }] }, {}], { after: 2 });
  assert.equal(decoder.length, 3);
  decoder.free();
});

test('blocks that are not causal see all tokens, and read a whole text in one call', () => {
  const decoder = operators.decoder(tiny(({ blocks }) => { Object.assign(blocks[0] as object, { isCausal: false, isPostNorm: true, gelu: 'erf' }); }), 4);
  const [logits, weights] = [operators.tensor([3, 7]), operators.tensor([1, 2, 3, 3])];
  decoder.run([1, 2, 3], logits, weights);
  assert.ok(weights.read().every((weight) => weight > 0));
  assert.throws(() => decoder.run([4], operators.tensor([1, 7])), /Blocks that are not causal read a whole text at once, and the state holds 3 tokens/);
  decoder.truncate(0);
  const residuals = operators.tensor([1, 3, 4]);
  decoder.explore([1, 2, 3], { residuals });
  // Behind the last addition stands norm2, whose gain is sin(i): of a mean of 0 and a variance of 1 before it.
  const rows = residuals.read();
  for (let row = 0; row < 3; row += 1) {
    const last = [1, 2, 3].map((i) => (rows[4 * row + i] ?? NaN) / Math.sin(i));
    const missing = -last.reduce((sum, number) => sum + number, 0); // its gain is sin(0)
    assert.ok(Math.abs([...last, missing].reduce((sum, number) => sum + number ** 2, 0) / 4 - 1) < 1e-3);
  }
  decoder.free();
});

test('softmax makes shares of 1 of each row', () => {
  const [x, y] = [operators.tensor([2, 3], Float32Array.of(0, Math.log(2), Math.log(5), 1000, -1000, 1000)), operators.tensor([2, 3])];
  operators.softmax(x, y);
  [1 / 8, 2 / 8, 5 / 8, 0.5, 0, 0.5].forEach((share, i) => assert.ok(Math.abs((y.read()[i] ?? NaN) - share) < 1e-6));
  assert.throws(() => operators.softmax(x, operators.tensor([3, 2])), coded('invalid_shape'));
});

test('what does not fit a decoder is refused in a sentence, and it goes on', () => {
  const decoder = operators.decoder(tiny(), 4);
  const logits = operators.tensor([2, 7]);
  for (const tokens of [[1, 7], [1, -1], [1, 2.5], [NaN, 1], [1, 2 ** 40]]) assert.throws(() => decoder.run(tokens, logits), AttentionError);
  assert.throws(() => decoder.run([1, 2], operators.tensor([3, 7])), coded('invalid_shape'));
  assert.throws(() => decoder.run([1, 2], logits, operators.tensor([1, 2, 2, 3])), coded('invalid_shape'));
  assert.throws(() => decoder.run([], logits), AttentionError);
  assert.equal(decoder.length, 0);
  decoder.run([1, 2], logits);
  decoder.run([3, 4], logits);
  const before = [...logits.read()];
  assert.throws(() => decoder.run([5, 6], logits), AttentionError); // no room
  assert.equal(decoder.length, 4);
  decoder.truncate(2);
  decoder.run([3, 4], logits);
  assert.deepEqual([...logits.read()], before);
  decoder.free();
  for (const capacity of [0, 1.5, NaN, 2 ** 60]) assert.throws(() => operators.decoder(tiny(), capacity), AttentionError);
  const wrong = (change: (parameters: DecoderParameters) => void) => assert.throws(() => {
    operators.decoder(tiny(change), 4).run([1, 2], logits);
  }, AttentionError);
  wrong((parameters) => { parameters.embeddings = operators.tensor([7]); });
  wrong((parameters) => { parameters.positions = operators.tensor([9, 5]); });
  wrong((parameters) => { parameters.output = { weight: operators.tensor([3, 7]) }; });
  wrong((parameters) => { parameters.finalNorm = { gain: operators.tensor([4]), bias: operators.tensor([5]) }; });
  wrong(({ blocks }) => { (blocks[0] as { up: object }).up = { weight: operators.tensor([5, 8]) }; });
  wrong(({ blocks }) => { (blocks[0] as { norm1: object }).norm1 = { gain: operators.tensor([3]) }; });
  wrong(({ blocks }) => { (blocks[0] as { attention: { heads: number } }).attention.heads = 3; });
  wrong(({ blocks }) => { Object.assign(blocks[0] as object, { alibiSlopes: [1, 2, 3] }); });
  wrong(({ blocks }) => { Object.assign(blocks[0] as object, { isParallel: true, isPostNorm: true }); });
  wrong((parameters) => { parameters.embeddingsNorm = { gain: operators.tensor([5]) }; });
  wrong((parameters) => { parameters.transform = { weight: operators.tensor([4, 5]) }; });
  wrong(({ blocks }) => { (blocks[0] as { queryKeyPositions: object }).queryKeyPositions = operators.tensor([2, 3]); });
});
