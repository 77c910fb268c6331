// What heads do on a text, and their weights together, of a model that is read from a file.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadEngine } from '../lib/built.ts';
import { readCases } from '../lib/cases.ts';
import { type Tensors, attribute, open, tensorsOf } from '../lib/layout-cases.ts';
import { fileOf, gpt2Tensors, tinyNative } from '../lib/model-files.ts';
import { loadInNode } from '../lib/operators.ts';
import { openShipped } from '../lib/shipped-model.ts';
import { DEFAULTS } from '../../web/src/engine/defaults.ts';
import type { Attribution } from '../../web/src/parameters/language-model/head-measures.ts';
import { LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';

const IDS = [0, 2, 3, 4, 2, 3, 3, 5];
let model: LanguageModel;
before(async () => {
  model = await LanguageModel.open(fileOf(tinyNative('learned')), {}, { operators: () => loadInNode() });
});

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);
const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

test('what each head does is what plain loops find in its weights', () => {
  const run = model.run(IDS);
  const measures = model.measure(run);
  const T = IDS.length;
  const rows = IDS.map((_, t) => t).slice(1);
  // Rows 4 and 5 come back after another token; row 6 stands right behind its like, but also after an earlier one.
  const after = new Map([[4, 2], [5, 3], [6, 3]]);
  assert.equal(measures.repeated, 3);
  measures.facts.forEach((heads, layer) => heads.forEach((facts, head) => {
    const weights = run.weights(layer, head);
    const at = (t: number, key: number) => weights[t * T + key] as number;
    near(facts.previous, mean(rows.map((t) => at(t, t - 1))));
    near(facts.start, mean(rows.map((t) => at(t, 0))));
    near(facts.self, mean(rows.map((t) => at(t, t))));
    near(facts.induction, mean([...after].map(([t, key]) => at(t, key))));
    near(facts.entropy, mean(rows.map((t) => -IDS.reduce((sum, _, key) => sum + (at(t, key) > 0 ? at(t, key) * Math.log2(at(t, key)) : 0), 0))));
  }));
  assert.deepEqual(measures.facts.map(({ length }) => length), [2, 2]);
});

test('the mean of a layer, and rollout from the first layer up', () => {
  const run = model.run(IDS);
  const T = IDS.length;
  let below = Array.from({ length: T }, (_, i) => Array.from({ length: T }, (__, k) => Number(i === k)));
  model.measure(run).together.forEach(({ mean: average, rollout }, layer) => {
    const [a, b] = [run.weights(layer, 0), run.weights(layer, 1)];
    const own = below.map((_, i) => below.map((__, k) => ((a[i * T + k] as number) + (b[i * T + k] as number)) / 2));
    const mixed = own.map((row, i) => row.map((weight, k) => (weight + Number(i === k)) / 2));
    below = mixed.map((row) => below.map((_, k) => row.reduce((sum, share, j) => sum + share * ((below[j] as number[])[k] as number), 0)));
    own.flat().forEach((each, i) => near(average[i] as number, each));
    below.flat().forEach((each, i) => near(rollout[i] as number, each));
  });
});

test('a text of one token has no row to speak of', () => {
  const { facts, repeated, together } = model.measure(model.run([2]));
  assert.equal(repeated, 0);
  assert.ok(Object.values(facts[0]?.[0] ?? {}).every(Number.isNaN));
  assert.deepEqual([...together[1]?.rollout ?? []], [1]);
});

test('value-weighted attention is each weight times the length of what its value writes, each row over its sum', async () => {
  const engine = await loadEngine();
  const session = engine.session();
  const run = model.run(IDS);
  const measures = model.measure(run);
  const T = IDS.length;
  for (const layer of [0, 1]) {
    // The page's own layer makes the same values from the same rows.
    const { settings, given } = model.walk(run, layer);
    const trace = session.run({ tokens: IDS.map(String), given }, { ...DEFAULTS, ...settings });
    const W_O = given.W_O as Float32Array;
    const { d_v } = trace.shape;
    const D = W_O.length / (2 * d_v);
    for (const head of [0, 1]) {
      const [value, weights, found] = [trace.head('value', head), run.weights(layer, head), measures.weighted(layer, head)];
      const lengths = IDS.map((_, s) => Math.hypot(...Array.from({ length: D }, (__, i) => Array.from({ length: d_v }, (___, j) => (value[s * d_v + j] as number) * (W_O[(head * d_v + j) * D + i] as number)).reduce((a, b) => a + b))));
      for (let t = 0; t < T; t += 1) {
        const row = lengths.map((length, s) => (weights[t * T + s] as number) * length);
        const sum = row.reduce((a, b) => a + b);
        row.forEach((each, s) => near(found[t * T + s] as number, each / sum));
      }
    }
  }
  session.free();
});

const sumOf = ({ heads, biases, mlps, constant, sums: { embedding } }: Attribution) => [...heads.flat(), ...biases, ...mlps, embedding, constant].reduce((a, b) => a + b);

/** Of every word after the last place, and of the likeliest after the first. */
function assertAddsUp(given: LanguageModel, ids: readonly number[]): void {
  const run = given.run(ids);
  const measures = given.measure(run);
  assert.ok(measures.isSum);
  for (const position of [0, ids.length - 1]) {
    const logits = run.logits(position);
    const size = logits.reduce((most, logit) => Math.max(most, Math.abs(logit)), 1);
    for (const { id } of run.predictions(position, 4)) {
      const parts = measures.attribution(position, id);
      assert.ok(Math.abs(sumOf(parts) - (logits[id] as number)) < 1e-5 * size, `${sumOf(parts)} for ${logits[id]}`);
      assert.ok(Math.abs(parts.sums.logit - (logits[id] as number)) < 1e-5 * size);
      const { embedding, heads, mlps, biases } = parts.sums;
      assert.ok(Math.abs(embedding + heads + mlps + biases - parts.sums.logit) < 1e-5 * size);
      assert.ok(Math.abs(parts.heads.flat().reduce((a, b) => a + b) - heads) < 1e-5 * size);
      assert.deepEqual([parts.heads.length, parts.heads[0]?.length], [given.configuration.layers, given.configuration.heads]);
    }
  }
}

test('what heads, MLPs, embedding and biases add is the logit: the shipped model, GPT-2, Llama with grouped heads', async () => {
  const shipped = await openShipped();
  assertAddsUp(shipped, shipped.tokenize('the old fox saw a red hen and the old').map(({ id }) => id));
  shipped.free();
  const gpt2 = readCases('Decoder');
  assert.ok(gpt2.length > 0);
  for (const each of gpt2) {
    const read = await open(gpt2Tensors(each) as Tensors, { config: JSON.stringify({ n_head: each.attributes.get('num_heads'), activation_function: 'gelu_new' }) });
    assertAddsUp(read, each.inputs.get('tokens')?.numbers as number[]);
    read.free();
  }
  for (const each of readCases('Llama').filter((given) => attribute(given, 'factor') === 1 && !attribute(given, 'interleaved'))) {
    const read = await open(tensorsOf(each), { config: JSON.stringify({
      hidden_act: 'silu', max_position_embeddings: 128, rms_norm_eps: 1e-5, num_attention_heads: attribute(each, 'num_heads'),
      num_key_value_heads: attribute(each, 'num_kv_heads'), head_dim: attribute(each, 'head_dim'), num_hidden_layers: attribute(each, 'layers'), rope_theta: attribute(each, 'base'),
    }) });
    assertAddsUp(read, each.inputs.get('tokens')?.numbers as number[]);
    read.free();
  }
});

test('a head that is taken away adds nothing, and the others’ parts are of the run without it', () => {
  const run = model.run(IDS, [undefined, { headGains: [0, 1] }]);
  const parts = model.measure(run).attribution(5, 2);
  assert.equal(parts.heads[1]?.[0], 0);
  assert.notEqual(parts.heads[1]?.[1], 0);
  assert.ok(Math.abs(sumOf(parts) - (run.logits(5)[2] as number)) < 1e-5);
});

test('every number of a row’s way through a layer is explained to the bits that the model went on with, back to the embedding: GPT-2, Llama, BERT', async () => {
  const cases: [name: string, model: LanguageModel, tokens: readonly number[]][] = [];
  for (const each of readCases('Decoder').slice(0, 1)) cases.push([each.name, await open(gpt2Tensors(each) as Tensors, { config: JSON.stringify({ n_head: each.attributes.get('num_heads'), activation_function: 'gelu_new' }) }), each.inputs.get('tokens')?.numbers as number[]]);
  for (const each of readCases('Llama').filter(({ name }) => name === 'llama_own_output')) {
    cases.push([each.name, await open(tensorsOf(each), { config: JSON.stringify({ model_type: 'llama', num_attention_heads: attribute(each, 'num_heads'), num_key_value_heads: attribute(each, 'num_kv_heads'), head_dim: attribute(each, 'head_dim'), rms_norm_eps: attribute(each, 'epsilon') || 1e-5 }) }), each.inputs.get('tokens')?.numbers as number[]]);
  }
  for (const each of readCases('BERT').slice(0, 1)) {
    cases.push([each.name, await open(tensorsOf(each), { config: JSON.stringify({ model_type: 'bert', num_attention_heads: attribute(each, 'num_heads'), layer_norm_eps: attribute(each, 'epsilon'), hidden_act: 'gelu' }) }), each.inputs.get('tokens')?.numbers as number[]]);
  }
  assert.equal(cases.length, 3);
  for (const [name, given, tokens] of cases) {
    const { layers, d_model: D, postNorm = false } = given.configuration;
    const run = given.run(tokens);
    const measures = given.measure(run);
    const [position, index] = [tokens.length - 1, D - 2];
    const last = postNorm ? 'norm_2' : 'sum_2';
    for (let layer = 0; layer < layers; layer += 1) assert.equal(measures.number(layer, position, last, index).result, run.residual(layer)[position * D + index], name);
    // Each operand is a number of its own, down to what the layer read.
    const seen = new Set<string>();
    const follow = (stage: string, at: number): void => {
      if (seen.has(`${stage} ${at}`)) return;
      seen.add(`${stage} ${at}`);
      const { rule, terms, bias, constants, result } = measures.number(layers - 1, position, stage, at);
      if (rule === 'given') return assert.ok(stage === 'contexts' || result === run.residual(layers - 2)[position * D + at]);
      const [first] = terms as [typeof terms[number]];
      const added = rule === 'dot' ? terms.reduce((sum, { left, right }) => sum + left.value * (right?.value ?? NaN), 0)
        : rule === 'add' ? terms.reduce((sum, { left }) => sum + left.value, 0)
        : rule === 'multiply' ? first.left.value * (first.right?.value ?? NaN)
        : rule === 'layer-norm' ? (first.left.value - (constants['mean'] ?? NaN)) / (constants['deviation'] ?? NaN) * (first.right?.value ?? NaN)
        : rule === 'rms-norm' ? first.left.value / (constants['rms'] ?? NaN) * (first.right?.value ?? NaN)
        : rule === 'silu' ? first.left.value / (1 + Math.exp(-first.left.value))
        : 0.5 * first.left.value * (1 + (constants['is_erf'] ? erf(first.left.value / Math.SQRT2) : Math.tanh(Math.sqrt(2 / Math.PI) * (first.left.value + 0.044715 * first.left.value ** 3))));
      assert.ok(Math.abs(added + (bias?.value ?? 0) - result) < 2e-6 * Math.max(1, Math.abs(result)), `${name} ${stage} ${at}: ${added + (bias?.value ?? 0)} for ${result}`);
      for (const { left, right } of terms.slice(0, 3)) for (const each of rule === 'multiply' && right ? [left, right] : [left]) follow(each.array, each.index);
    };
    for (const stage of [last, 'norm_1']) follow(stage, index);
    for (const stage of ['x', 'norm_1', 'attention', 'contexts', 'sum_1', 'norm_2', 'up', 'active', 'mlp', 'sum_2', ...(name.startsWith('llama') ? ['gate', 'hidden'] : [])]) assert.ok([...seen].some((each) => each.startsWith(`${stage} `)), `${name} ${stage}`);
    assert.throws(() => measures.number(0, 0, 'norm_1', D), /refused this/);
    assert.throws(() => measures.number(0, 0, 'elsewhere', 0), /refused this/);
    given.free();
  }
});

/** By its series. */
function erf(x: number): number {
  let [sum, term] = [x, x];
  for (let n = 1; n < 80; n += 1) sum += (term *= -x * x / n) / (2 * n + 1);
  return 2 / Math.sqrt(Math.PI) * sum;
}
