// GPT-2's layout as different programs write it: tied weights, wrappers' names, matrices turned round, no biases.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Case, readCases } from '../lib/cases.ts';
import { assertSameInWidths, assertWalks } from '../lib/layout-cases.ts';
import { loadInNode } from '../lib/operators.ts';
import { type Tiny, fileOf, gpt2Tensors, numbers, refusal } from '../lib/model-files.ts';
import { type Beside, LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';
import { ModelReader } from '../../web/src/parameters/language-model/reader.ts';
import type { Operators } from '../../web/src/engine/operators/operators.ts';

type Tensors = Tiny['tensors'];

let operators: Operators;
before(async () => {
  operators = await loadInNode();
});

const open = (tensors: Tensors, beside: Beside = {}) => LanguageModel.open(fileOf({ tensors, metadata: { format: 'pt' } }), beside, { operators: async () => operators });
const sizesOf = (given: Case, more = {}) => ({ config: JSON.stringify({ n_head: given.attributes.get('num_heads'), activation_function: 'gelu_new', ...more }) });
const cases = readCases('Decoder');
const [first] = cases as [Case];
const tied = cases.filter(({ inputs }) => !inputs.has('lm_head'));

/** PyTorch's logits come out. */
async function assertReads(given: Case, tensors: Tensors, beside: Beside = sizesOf(given)): Promise<void> {
  const model = await open(tensors, beside);
  const tokens = given.inputs.get('tokens')?.numbers as number[];
  const run = model.run(tokens);
  const expected = given.outputs.get('Y')?.numbers as number[];
  const { vocabulary } = model.configuration;
  tokens.forEach((_, t) => run.logits(t).forEach((logit, i) => assert.ok(Math.abs(logit - (expected[t * vocabulary + i] ?? NaN)) < 2e-5, `${logit} is not ${expected[t * vocabulary + i]}`)));
  model.free();
}

const renamed = (tensors: Tensors, rename: (name: string) => string): Tensors => Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [rename(name), tensor]));
const without = (tensors: Tensors, isLeftOut: (name: string) => boolean): Tensors => Object.fromEntries(Object.entries(tensors).filter(([name]) => !isLeftOut(name)));

/** Matrices of blocks lie (out, in). */
function turnedRound(tensors: Tensors): Tensors {
  const turned = Object.entries(tensors).map(([name, tensor]) => {
    const [rows = 0, columns = 0] = tensor.shape;
    if (!/\.c_\w+\.weight$/.test(name)) return [name, tensor];
    return [name, { shape: [columns, rows], numbers: Array.from({ length: rows * columns }, (_, i) => tensor.numbers[(i % rows) * columns + Math.floor(i / rows)]) }];
  });
  return Object.fromEntries(turned) as Tensors;
}

test('tied weights are read where they are stored once, under the name of either end', async () => {
  assert.ok(tied.length > 0);
  for (const each of tied) {
    for (const prefix of ['', 'transformer.']) {
      await assertReads(each, gpt2Tensors(each, prefix));
      await assertReads(each, renamed(gpt2Tensors(each, prefix), (name) => name.replace(`${prefix}wte.weight`, 'lm_head.weight')));
    }
  }
});

test('matrices of 16 bits give the bits of the same file widened, whichever way round they lie', async () => {
  for (const each of cases) {
    for (const tensors of [gpt2Tensors(each), turnedRound(gpt2Tensors(each))]) await assertSameInWidths(each, tensors, sizesOf(each));
  }
});

test('names that a wrapper put before or between the others are passed over', async () => {
  for (const each of cases) {
    for (const prefix of ['_orig_mod.', 'module.', '_orig_mod.module.', 'model.', 'model.gpt.']) {
      await assertReads(each, renamed(gpt2Tensors(each, 'transformer.'), (name) => prefix + name));
      await assertReads(each, renamed(gpt2Tensors(each), (name) => prefix + name));
    }
    await assertReads(each, renamed(gpt2Tensors(each, 'transformer.'), (name) => name.replace(/(h\.\d+\.)/, '$1_orig_mod.')));
    await assertReads(each, renamed(gpt2Tensors(each), (name) => `transformer.${name}`));
  }
});

test('a tensor that two names would be is refused', async () => {
  const tensors = gpt2Tensors(first);
  await assert.rejects(open({ ...tensors, 'module.wpe.weight': tensors['wpe.weight'] as Tensors[string] }, sizesOf(first)), refusal('bad_file', /“wpe.weight” is there twice/));
});

test('nanoGPT’s matrices are read the other way round, with their names and its two names for tied weights', async () => {
  for (const each of cases) {
    const tensors = turnedRound(gpt2Tensors(each, 'transformer.'));
    await assertReads(each, tensors);
    await assertReads(each, renamed({ 'lm_head.weight': tensors['transformer.wte.weight'] as Tensors[string], ...tensors }, (name) => `_orig_mod.${name}`));
  }
});

test('Flax’s words for weights are read', async () => {
  const flax = (name: string) => name.replace(/(w[tp]e)\.weight$/, '$1.embedding').replace(/(ln_\w+)\.weight$/, '$1.scale').replace(/(c_\w+)\.weight$/, '$1.kernel');
  for (const each of tied) {
    const tensors = renamed(turnedRound(gpt2Tensors(each, 'transformer.')), flax);
    await assertReads(each, tensors);
    await assertReads(each, renamed(tensors, (name) => name.replaceAll('.', '/')));
  }
});

test('numbers of 64 bits make the same model', async () => {
  for (const each of cases) {
    const tensors = Object.entries(gpt2Tensors(each)).map(([name, { type = 'F64', shape, numbers: values }]) => [name, { type, shape, numbers: values }]);
    await assertReads(each, Object.fromEntries(tensors) as Tensors);
  }
});

test('a model without any bias is as one whose biases are 0; one that lacks a single bias is not whole', async () => {
  const isBias = (name: string) => name.endsWith('.bias') && !name.endsWith('.attn.bias');
  const tensors = gpt2Tensors(first);
  const zero = Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, isBias(name) ? { ...tensor, numbers: Array.from(tensor.numbers, () => 0) } : tensor]));
  for (const change of [(given: Tensors) => given, turnedRound]) {
    const [own, none] = [await open(change(zero), sizesOf(first)), await open(without(change(tensors), isBias), sizesOf(first))];
    assert.deepEqual(none.run([0, 1, 2]).logits(2), own.run([0, 1, 2]).logits(2));
    assert.equal(none.walk(none.run([0, 1]), 0).settings.biases, false);
    own.free();
    none.free();
  }
  await assert.rejects(open(without(tensors, (name) => name === 'h.0.ln_2.bias'), sizesOf(first)), refusal('bad_file', /no tensor “h\.0\.ln_2\.bias”/));
});

test('a bias of the logits is added to them', async () => {
  const [vocabulary = 0] = gpt2Tensors(first)['wte.weight']?.shape ?? [];
  const bias = numbers(vocabulary, 5);
  const [plain, added] = [await open(gpt2Tensors(first), sizesOf(first)), await open({ ...gpt2Tensors(first), 'lm_head.bias': { shape: [vocabulary], numbers: bias } }, sizesOf(first))];
  const before = plain.run([1, 2]).logits(1);
  added.run([1, 2]).logits(1).forEach((logit, i) => assert.ok(Math.abs(logit - (before[i] ?? NaN) - (bias[i] ?? NaN)) < 1e-5));
  plain.free();
  added.free();
});

test('a block with more in it than GPT-2’s, and a config.json of another model, are refused for that', async () => {
  const tensors = gpt2Tensors(first);
  const [, D = 0] = tensors['wte.weight']?.shape ?? [];
  await assert.rejects(open({ ...tensors, 'h.0.crossattention.c_attn.weight': { shape: [1], numbers: [1] } }, sizesOf(first)), refusal('bad_file', /“h\.0\.crossattention\.c_attn\.weight”, which no layer of GPT-2 has/));
  await assert.rejects(open(tensors, sizesOf(first, { n_embd: 768 })), refusal('bad_file', new RegExp(`n_embd “768”, and the tensors say ${D}`)));
  await assert.rejects(open(tensors, sizesOf(first, { n_layer: 99 })), refusal('bad_file', /n_layer “99”/));
  for (const n_head of ['4', [4]]) await assert.rejects(open(tensors, sizesOf(first, { n_head })), refusal('bad_file', /heads “\[?4\]?” as a text or a list, where a number is needed/));
});

/** One layer of d_model 128. */
function wide(): Tensors {
  const D = 128;
  const shapes = {
    'wte.weight': [3, D], 'wpe.weight': [4, D], 'ln_f.weight': [D], 'ln_f.bias': [D],
    'h.0.ln_1.weight': [D], 'h.0.ln_1.bias': [D], 'h.0.ln_2.weight': [D], 'h.0.ln_2.bias': [D],
    'h.0.attn.c_attn.weight': [D, 3 * D], 'h.0.attn.c_attn.bias': [3 * D], 'h.0.attn.c_proj.weight': [D, D], 'h.0.attn.c_proj.bias': [D],
    'h.0.mlp.c_fc.weight': [D, 5], 'h.0.mlp.c_fc.bias': [5], 'h.0.mlp.c_proj.weight': [5, D], 'h.0.mlp.c_proj.bias': [D],
  };
  return Object.fromEntries(Object.entries(shapes).map(([name, shape], i) => [name, { shape, numbers: numbers(shape.reduce((a, b) => a * b), i) }]));
}

test('heads and epsilon are asked for where no file says them, and config.json decides; a GELU that nanoGPT does not say is said to be a guess', async () => {
  const asked = (tensors: Tensors, beside: Beside = {}) => open(tensors, beside).then(() => null, (error: unknown) => (error as { asks?: Record<string, number> }).asks);
  assert.deepEqual(await asked(wide()), { n_head: 2, layer_norm_epsilon: 1e-5 });
  assert.deepEqual(await asked(turnedRound(wide())), { n_head: 2, layer_norm_epsilon: 1e-5 });
  assert.deepEqual(await asked(gpt2Tensors(first)), { n_head: 3, layer_norm_epsilon: 1e-5 });
  await assert.rejects(open(wide(), { config: '{}' }), refusal('bad_file', /does not say n_head\. Set it here/));
  const read = async (tensors: Tensors, config: object) => {
    const reader = new ModelReader(await open(tensors, { config: JSON.stringify(config) }));
    const found = [reader.configuration.heads, reader.configuration.activation, ...reader.notes];
    reader.free();
    return found;
  };
  const gelu = 'The file does not say which GELU it has; the exact one, as nanoGPT has it, is a guess. Add config.json with its activation_function.';
  const answer = { n_head: 4, layer_norm_epsilon: 1e-5 };
  assert.deepEqual(await read(wide(), answer), [4, 'gelu_tanh']);
  assert.deepEqual(await read(turnedRound(wide()), answer), [4, 'gelu_erf', gelu]);
  for (const name of ['n_head', 'num_attention_heads', 'num_heads']) assert.deepEqual(await read(wide(), { [name]: 8 }), [8, 'gelu_tanh']);
  assert.deepEqual(await read(turnedRound(wide()), { n_head: 8, activation_function: 'gelu_new' }), [8, 'gelu_tanh']);
  // What is answered is what is read: PyTorch's logits come out, and others with another answer.
  await assertReads(first, gpt2Tensors(first), { config: JSON.stringify({ n_head: Number(first.attributes.get('num_heads')), layer_norm_epsilon: 1e-5 }) });
  await assert.rejects(assertReads(first, gpt2Tensors(first), { config: JSON.stringify({ n_head: 1, layer_norm_epsilon: 1e-5 }) }));
});

test('models whose tensors have some of GPT-2’s names are refused by their own', async () => {
  const own = gpt2Tensors(first);
  const kinds: readonly (readonly [string, Tensors])[] = [['openai-gpt', without(own, (name) => /w[tp]e/.test(name))], ['gptj', { 'transformer.wte.weight': own['wte.weight'] as Tensors[string], 'transformer.h.0.attn.q_proj.weight': { shape: [1], numbers: [1] } }], ['gpt_bigcode', own], ['mpt', { 'transformer.wte.weight': own['wte.weight'] as Tensors[string] }]];
  for (const [type, tensors] of kinds) {
    await assert.rejects(open(tensors, sizesOf(first, { model_type: type })), refusal('bad_file', new RegExp(`type “${type}”[^;]*; of this layout gpt2 can`)));
  }
  const model = await open(own, sizesOf(first, { tie_word_embeddings: false, model_type: 'gpt2' }));
  assert.equal(model.configuration.predicts, 'nothing');
  model.free();
});

/** The same under GPT-Neo's names: since its scores are not divided by √d_k, what queries are made with is divided by it. */
function neoTensors(given: Case): Tensors {
  const tensors: Tensors = {};
  const D = given.inputs.get('wte')?.shape[1] as number;
  const root = Math.sqrt(D / Number(given.attributes.get('num_heads')));
  for (const [name, tensor] of Object.entries(turnedRound(gpt2Tensors(given, 'transformer.')))) {
    const inner = name.replace(/\.attn\.c_proj/, '.attn.attention.out_proj').replace(/\.attn\.bias$/, '.attn.attention.bias');
    if (!name.includes('.c_attn.')) tensors[inner] = tensor;
    else ['q', 'k', 'v'].forEach((part, i) => {
      const [rows = 0, ...columns] = tensor.shape;
      const size = tensor.numbers.length / 3;
      const own = Array.from({ length: size }, (_, at) => (tensor.numbers[i * size + at] as number) / (i === 0 ? root : 1));
      tensors[name.replace('.c_attn.', `.attention.${part}_proj.`)] = { shape: [rows / 3, ...columns], numbers: own };
    });
  }
  return tensors;
}

const neoConfig = (given: Case, more: object = {}): Beside => ({ config: JSON.stringify({
  model_type: 'gpt_neo', num_heads: given.attributes.get('num_heads'), num_layers: given.attributes.get('layers'), hidden_size: given.inputs.get('wte')?.shape[1],
  activation_function: 'gelu_new', attention_types: [[['global', 'local'], 1]], window_size: 256, layer_norm_epsilon: 1e-5, ...more,
}) });

test("PyTorch's logits come out of files in GPT-Neo's layout, which divides by no √d_k; each layer can be walked", async () => {
  for (const each of cases) {
    await assertReads(each, neoTensors(each), neoConfig(each));
    await assertReads(each, renamed(neoTensors(each), (name) => name.replace('transformer.', '')), neoConfig(each));
    await assertReads(each, without(neoTensors(each), (name) => name.endsWith('.attention.bias')), neoConfig(each, { attention_layers: ['global'] }));
    await assertWalks(each, neoTensors(each), neoConfig(each), { scale: 'none' });
  }
});

test('GPT-Neo: texts are no longer than what its local layers look at, and what cannot be run is refused', async () => {
  const context = async (more: object) => {
    const model = await open(neoTensors(first), neoConfig(first, more));
    const { context: most } = model.configuration;
    model.free();
    return most;
  };
  assert.deepEqual([await context({ window_size: 7 }), await context({ window_size: 7, attention_layers: ['global', 'global'] }), await context({})], [7, 16, 16]);
  await assert.rejects(open(neoTensors(first)), refusal('bad_file', /do not say these sizes/));
  await assert.rejects(open(neoTensors(first), neoConfig(first, { model_type: 'gptj' })), refusal('bad_file', /“gptj”.*gpt_neo/));
  await assert.rejects(open(neoTensors(first), neoConfig(first, { window_size: 0 })), refusal('bad_file', /window_size/));
  await assert.rejects(open(neoTensors(first), neoConfig(first, { hidden_size: 9 })), refusal('bad_file', /says “9”/));
  const more = { ...neoTensors(first), 'transformer.h.0.attn.attention.rotary.weight': { shape: [1], numbers: [1] } };
  await assert.rejects(open(more, neoConfig(first)), refusal('bad_file', /no layer of GPT-Neo has/));
});
