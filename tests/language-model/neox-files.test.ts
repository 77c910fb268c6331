// GPT-NeoX's layout: what PyTorch computes from the same tensors, how its configuration is read, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Case, readCases } from '../lib/cases.ts';
import { type Tensors, assertReads, assertSameInWidths, assertWalks, attribute, farthest, open, tensorsOf } from '../lib/layout-cases.ts';
import { refusal } from '../lib/model-files.ts';
import type { Beside } from '../../web/src/parameters/language-model/language-model.ts';

const cases = readCases('GPTNeoX');
const [first] = cases as [Case];
const widthOf = (given: Case) => (given.inputs.get('gpt_neox.embed_in.weight')?.shape[1] ?? NaN) / attribute(given, 'num_heads');

/** As transformers writes it. */
function configOf(given: Case, more: object = {}): Beside {
  return { config: JSON.stringify({
    architectures: ['GPTNeoXForCausalLM'], model_type: 'gpt_neox', max_position_embeddings: 128, layer_norm_eps: 1e-5,
    hidden_act: given.attributes.get('approximate') === 'tanh' ? 'gelu_new' : 'gelu', use_parallel_residual: attribute(given, 'parallel') === 1,
    num_attention_heads: attribute(given, 'num_heads'), num_hidden_layers: attribute(given, 'layers'), hidden_size: widthOf(given) * attribute(given, 'num_heads'),
    rotary_emb_base: attribute(given, 'base'), rotary_pct: attribute(given, 'rotary_dim') / widthOf(given), ...more,
  }) };
}

/** Masks and tables that older files hold besides. */
function withTables(tensors: Tensors): Tensors {
  return {
    ...tensors, 'gpt_neox.layers.0.attention.bias': { type: 'I64', shape: [1, 1, 2, 2], numbers: [1, 0, 1, 1] },
    'gpt_neox.layers.0.attention.masked_bias': { shape: [], numbers: [-1e9] }, 'gpt_neox.layers.0.attention.rotary_emb.inv_freq': { shape: [1], numbers: [1] },
  };
}

test("PyTorch's logits and weights come out of files in GPT-NeoX's layout: both residuals, a part of each head turned, both GELUs, with and without biases", async () => {
  assert.ok(cases.length >= 4);
  for (const each of cases) {
    const names = [(name: string) => name, (name: string) => name.replace(/^gpt_neox\./, ''), (name: string) => `_orig_mod.${name}`];
    for (const rename of names) await assertReads(each, tensorsOf(each, rename), configOf(each));
  }
  await assertReads(first, withTables(tensorsOf(first)), configOf(first));
});

test('what configurations leave out or say in newer words is read alike', async () => {
  const { use_parallel_residual, hidden_act, rotary_pct, rotary_emb_base, layer_norm_eps, ...rest } = JSON.parse(configOf(first).config ?? '') as Record<string, unknown>;
  assert.deepEqual([use_parallel_residual, hidden_act, rotary_pct, rotary_emb_base, layer_norm_eps], [true, 'gelu', 0.25, 10000, 1e-5]);
  await assertReads(first, tensorsOf(first), { config: JSON.stringify(rest) });
  for (const each of cases) {
    const newer = { rotary_pct: undefined, rotary_emb_base: undefined, rope_parameters: { rope_type: 'default', rope_theta: attribute(each, 'base'), partial_rotary_factor: attribute(each, 'rotary_dim') / widthOf(each) } };
    await assertReads(each, tensorsOf(each), configOf(each, newer));
  }
});

test('each layer can be walked: the page’s own layer has the weights that the model went on with', async () => {
  for (const each of cases) await assertWalks(each, tensorsOf(each), configOf(each));
});

test('matrices of 16 bits give the bits of the same file widened', async () => {
  for (const each of cases) await assertSameInWidths(each, tensorsOf(each), configOf(each));
});

test('what the file says of its residual and its turned share changes what comes out', async () => {
  const whole = cases.find((each) => attribute(each, 'rotary_dim') === 4 && widthOf(each) === 4) as Case; // two pairs: the first turns alike in all bases
  const logits = async (more: object) => {
    const model = await open(tensorsOf(whole), configOf(whole, more));
    const found = model.run([1, 2, 3]).logits(2);
    model.free();
    return found;
  };
  const own = await logits({});
  for (const more of [{ use_parallel_residual: false }, { rotary_pct: 0.5 }, { rotary_emb_base: 3 }, { hidden_act: 'gelu_new' }, { layer_norm_eps: 0.1 }]) assert.ok(farthest(own, await logits(more)) > 1e-5, JSON.stringify(more));
});

test('a model of another kind is refused by its own name, with what would be needed', async () => {
  const tensors = tensorsOf(first);
  const refuses = (beside: Beside, reason: RegExp, more: Tensors = {}) => assert.rejects(open({ ...tensors, ...more }, beside), refusal('bad_file', reason), String(reason));
  await refuses({}, /do not say how many heads.*Choose its config\.json, too/);
  await refuses(configOf(first, { model_type: 'gpt_neox_japanese' }), /type “gpt_neox_japanese”; of this layout gpt_neox can be run/);
  await refuses(configOf(first, { hidden_act: 'relu' }), /activation “relu”; gelu_new, gelu_pytorch_tanh, gelu_fast, gelu can be run/);
  await refuses(configOf(first, { use_parallel_residual: 'yes' }), /use_parallel_residual “yes”; true or false/);
  await refuses(configOf(first, { rope_scaling: { type: 'dynamic', factor: 2 } }), /rotary positions by “dynamic”/);
  await refuses(configOf(first, { rotary_pct: 0 }), /rotary_pct “0”; a number above 0/);
  await refuses(configOf(first, { rotary_pct: '0.25' }), /rotary_pct “0\.25”/);
  for (const rotary_pct of [0.01, 0.5 - 1 / 8, 2]) await refuses(configOf(first, { rotary_pct }), /numbers cannot be turned in pairs/);
  await refuses(configOf(first, { layer_norm_eps: -1 }), /layer_norm_eps “-1”/);
  await refuses(configOf(first, { num_attention_heads: 5 }), /5 heads do not divide d_model 24 evenly/);
  await refuses(configOf(first, { num_attention_heads: [3] }), /heads “\[3\]” as a text or a list/);
  await refuses(configOf(first, { num_attention_heads: undefined }), /heads “undefined”; a whole number from 1/);
  await refuses(configOf(first, { num_hidden_layers: 9 }), /says “9” where the tensors say 2/);
  await refuses(configOf(first, { hidden_size: 25 }), /says “25” where the tensors say 24/);
  await refuses(configOf(first, { max_position_embeddings: 0 }), /context “0”/);
  await refuses(configOf(first), /“layers\.0\.attention\.query_norm\.weight”, which no layer of GPT-NeoX has/, { 'gpt_neox.layers.0.attention.query_norm.weight': { shape: [8], numbers: new Array<number>(8).fill(1) } });
  await refuses(configOf(first), /query_key_value\.weight” is 24 × 24 where 72 × 24 is needed/, { 'gpt_neox.layers.1.attention.query_key_value.weight': { shape: [24, 24], numbers: new Array<number>(576).fill(0) } });
  await refuses({ config: '[' }, /config\.json is not JSON/);
  for (const name of ['layers.1.mlp.dense_4h_to_h.bias', 'layers.1.attention.dense.bias', 'final_layer_norm.bias']) {
    const { [`gpt_neox.${name}`]: _, ...cut } = tensors;
    await assert.rejects(open(cut, configOf(first)), refusal('bad_file', new RegExp(`no tensor “${name.replaceAll('.', '\\.')}”`)));
  }
});
