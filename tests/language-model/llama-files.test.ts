// Llama's and GPT-NeoX's layouts: what PyTorch computes from the same tensors, how their configuration is read, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertReads, assertSameInWidths, assertWalks, attribute, farthest, open, type Tensors, tensorsOf } from '../lib/layout-cases.ts';
import { type Case, readCases } from '../lib/cases.ts';
import { loadEngine } from '../lib/built.ts';
import { DEFAULTS } from '../../web/src/engine/defaults.ts';
import { refusal } from '../lib/model-files.ts';
import type { Beside } from '../../web/src/parameters/language-model/language-model.ts';

const cases = readCases('Llama');
const [first] = cases as [Case];
const named = (name: string) => cases.find((each) => each.name === name) as Case;

/** As transformers writes it. */
function configOf(given: Case, more: object = {}): Beside {
  const [factor, original] = [attribute(given, 'factor'), attribute(given, 'original_context')];
  const yarn = Object.fromEntries([...given.attributes].filter(([name]) => name.startsWith('yarn_')).map(([name, value]) => [name.slice(5), name === 'yarn_truncate' ? value !== 0 : value]));
  return { config: JSON.stringify({
    architectures: ['LlamaForCausalLM'], model_type: given.inputs.has('model.layers.0.self_attn.q_norm.weight') ? 'qwen3' : 'llama', hidden_act: 'silu', max_position_embeddings: 128, rms_norm_eps: 1e-5,
    num_attention_heads: attribute(given, 'num_heads'), num_key_value_heads: attribute(given, 'num_kv_heads'), head_dim: attribute(given, 'head_dim'),
    num_hidden_layers: attribute(given, 'layers'), rope_theta: attribute(given, 'base'),
    rope_scaling: given.attributes.has('yarn_factor') ? { rope_type: 'yarn', ...yarn, original: undefined, original_max_position_embeddings: yarn['original'] } : factor === 1 ? null : original === 0 ? { type: 'linear', factor } : {
      rope_type: 'llama3', factor, low_freq_factor: attribute(given, 'low_turns'), high_freq_factor: attribute(given, 'high_turns'), original_max_position_embeddings: original,
    }, ...more,
  }) };
}

/** As Meta writes it, and llama2.c: those turn 2i and 2i + 1 together. */
const META: readonly [string, string][] = [
  ['model.', ''], ['embed_tokens', 'tok_embeddings'], ['self_attn.q_proj', 'attention.wq'], ['self_attn.k_proj', 'attention.wk'], ['self_attn.v_proj', 'attention.wv'], ['self_attn.o_proj', 'attention.wo'],
  ['mlp.gate_proj', 'feed_forward.w1'], ['mlp.down_proj', 'feed_forward.w2'], ['mlp.up_proj', 'feed_forward.w3'], ['input_layernorm', 'attention_norm'], ['post_attention_layernorm', 'ffn_norm'], ['lm_head', 'output'],
];
const byMeta = (name: string) => META.reduce((now, [from, to]) => now.replace(from, to), name);
const metaConfig = (given: Case): Beside => ({ params: JSON.stringify({
  n_heads: attribute(given, 'num_heads'), n_kv_heads: attribute(given, 'num_kv_heads'), n_layers: attribute(given, 'layers'), norm_eps: 1e-5,
}) });

test("PyTorch's logits and weights come out of files in Llama's layout: grouped heads, own widths, biases, scaled positions, wrapped names", async () => {
  assert.ok(cases.length >= 11);
  for (const each of cases) {
    const names = attribute(each, 'interleaved') ? [byMeta] : [(name: string) => name, (name: string) => name.replace(/^model\./, ''), (name: string) => `_orig_mod.${name}`];
    for (const rename of names) await assertReads(each, tensorsOf(each, rename), attribute(each, 'interleaved') ? metaConfig(each) : configOf(each));
  }
});

test('what configurations leave out or say in other words is read alike', async () => {
  const { head_dim, ...rest } = JSON.parse(configOf(first).config ?? '') as Record<string, unknown>;
  assert.equal(typeof head_dim, 'number');
  await assertReads(first, tensorsOf(first), { config: JSON.stringify({ ...rest, num_key_value_heads: undefined, model_type: 'mistral', sliding_window: 64 }) });
  const newer = named('llama_3_1');
  const { rope_scaling, rope_theta, ...others } = JSON.parse(configOf(newer).config ?? '') as Record<string, unknown>;
  await assertReads(newer, tensorsOf(newer), { config: JSON.stringify({ ...others, rope_parameters: { ...rope_scaling as object, rope_theta } }) });
  // Tied weights under the name of the other end; tables that are made again.
  await assertReads(first, { ...tensorsOf(first, (name) => name.replace('model.embed_tokens', 'lm_head')), 'model.layers.0.self_attn.rotary_emb.inv_freq': { shape: [2], numbers: [1, 2] } }, configOf(first));
  // Without a word of its kind, norms of the heads say that it is a Qwen 3.
  const qwen = named('llama_as_qwen_3');
  await assertReads(qwen, tensorsOf(qwen), configOf(qwen, { model_type: undefined }));
  // The original context is the model's own; zeros and nothing are YaRN's own numbers.
  const yarn = named('llama_yarn_mscale');
  await assertReads(yarn, tensorsOf(yarn), configOf(yarn, { max_position_embeddings: 64, rope_scaling: { type: 'yarn', factor: 4, beta_fast: null, beta_slow: 0, mscale: 1, mscale_all_dim: 0.7, truncate: true } }));
  // As transformers 5 writes it, and llama2.c: a type of numbers under a new name, nothing said as null.
  await assertReads(first, tensorsOf(first), configOf(first, { dtype: 'bfloat16', rope_theta: undefined, rope_scaling: undefined, rope_parameters: { rope_theta: attribute(first, 'base'), rope_type: 'default' }, pad_token_id: null, attention_bias: false, mlp_bias: false, hidden_act: 'swish' }));
  await assertReads(first, tensorsOf(first), configOf(first, { head_dim: attribute(first, 'head_dim'), sliding_window: null, rope_parameters: null, layer_types: ['full_attention', 'full_attention'], torch_dtype: 'float16' }));
  // A window that layers look through limits the text; one that none looks through does not.
  const most = async (more: object) => {
    const slid = await open(tensorsOf(first), configOf(first, more));
    const { mostTokens } = slid;
    slid.free();
    return mostTokens;
  };
  assert.deepEqual([await most({ sliding_window: 7 }), await most({ sliding_window: 7, layer_types: ['full_attention', 'sliding_attention'] })], [7, 7]);
  assert.deepEqual([await most({ sliding_window: 7, use_sliding_window: false }), await most({ sliding_window: 7, layer_types: ['full_attention', 'full_attention'] }), await most({ sliding_window: false })], [128, 128, 128]);
});

test('each layer can be walked: the page’s own layer has the weights that the model went on with', async () => {
  for (const given of cases) {
    const isMeta = Boolean(attribute(given, 'interleaved'));
    await assertWalks(given, tensorsOf(given, isMeta ? byMeta : undefined), isMeta ? metaConfig(given) : configOf(given));
  }
});

test('a query of a Qwen 3 is its row’s dot product, normed over its head; YaRN’s tables are more than cosines', async () => {
  const given = named('llama_yarn_mscale');
  const model = await open(tensorsOf(given), configOf(given));
  const { request, amplitude } = { request: model.walk(model.run([1, 2, 3]), 0), amplitude: model.configuration.rotary_scaling?.amplitude ?? 0 };
  assert.ok(Math.abs(amplitude - (0.1 * Math.log(4) + 1) / (0.07 * Math.log(4) + 1)) < 1e-12);
  assert.ok(Math.abs((request.given.cos?.[0] ?? 0) - amplitude) < 1e-6);
  const session = (await loadEngine()).session();
  const trace = session.run({ tokens: ['1', '2', '3'], given: request.given }, { ...DEFAULTS, ...request.settings });
  const { rule, terms, constants, result } = trace.explain('query', 19);
  assert.equal(rule, 'norm');
  const { rms = NaN, gain = NaN } = constants;
  assert.ok(Math.abs((terms.at(-1)?.partial_sum ?? NaN) / rms * gain - result) < 1e-5);
  // Numbers 1 and 9 of a head stand side by side: the gain is that of the second half's.
  assert.equal(gain, given.inputs.get('model.layers.0.self_attn.q_norm.weight')?.numbers[9]);
  session.free();
  model.free();
});

test('matrices of 16 bits give the bits of the same file widened', async () => {
  for (const each of cases.filter((given) => !attribute(given, 'interleaved') || given.name === 'llama_as_stories')) await assertSameInWidths(each, tensorsOf(each), configOf(each));
});

test('a model without its output guesses nothing where config.json says that the embeddings are none; its rows and weights are the same', async () => {
  const { 'lm_head.weight': _, ...cut } = tensorsOf(named('llama_own_output'));
  const given = named('llama_own_output');
  const models = [await open(cut, configOf(given, { tie_word_embeddings: false })), await open(tensorsOf(given), configOf(given, { tie_word_embeddings: false })), await open(cut, configOf(given))] as const;
  assert.deepEqual(models.map(({ configuration }) => configuration.predicts), ['nothing', undefined, undefined]);
  const [headless, whole] = models.map((model) => model.run([1, 2, 3]));
  assert.deepEqual(headless?.layerWeights(0), whole?.layerWeights(0));
  assert.deepEqual(headless?.residual(0), whole?.residual(0));
  for (const model of models) model.free();
});

test('what no layer of Llama has is never passed over', async () => {
  const tensors = tensorsOf(first);
  const width = tensors['model.norm.weight']?.shape ?? [];
  const row = { shape: [...width], numbers: new Array<number>(width[0] ?? 0).fill(0.5) };
  for (const name of ['model.norm.bias', 'model.layers.1.input_layernorm.bias', 'lm_head.bias', 'model.layers.0.self_attn.sinks', 'model.layers.0.self_attn.q_proj.weight_scale', 'model.layers.0.post_feedforward_layernorm.weight']) {
    await assert.rejects(open({ ...tensors, [name]: row }, configOf(first)), refusal('bad_file', new RegExp(`“${name.replace(/^model\./, '').replaceAll('.', '\\.')}”, which no layer of Llama has`)), name);
  }
  // A bias that one layer has is in all of them.
  await assert.rejects(open({ ...tensors, 'model.layers.1.self_attn.o_proj.bias': row }, configOf(first)), refusal('bad_file', /no tensor “layers\.0\.self_attn\.o_proj\.bias”/));
});

test('a model of another kind is refused by its own name, with what would be needed', async () => {
  const tensors = tensorsOf(first);
  const refuses = (beside: Beside, reason: RegExp, more: Tensors = {}) => assert.rejects(open({ ...tensors, ...more }, beside), refusal('bad_file', reason), String(reason));
  await refuses({}, /do not say these sizes.*choose its config\.json, too/);
  await refuses(configOf(first, { model_type: 'gemma2' }), /type “gemma2”\. It has scaled embeddings, and GELU in its gates, which cannot be run yet; of this layout llama, mistral, qwen2, qwen3 can/);
  await refuses(configOf(first, { model_type: 'olmo2' }), /type “olmo2”\. It has norms of queries and keys/);
  await refuses(configOf(first, { model_type: 'qwen3' }), /no tensor “layers\.0\.self_attn\.q_norm\.weight”/);
  const narrow = { 'model.layers.0.self_attn.k_norm.weight': { shape: [3], numbers: [1, 1, 1] } };
  const qwen = named('llama_as_qwen_3');
  await assert.rejects(open({ ...tensorsOf(qwen), ...narrow }, configOf(qwen)), refusal('bad_file', /layers\.0\.self_attn\.k_norm\.weight” is 3 where 8 is needed/));
  await refuses(configOf(first, { model_type: 'starcoder' }), /type “starcoder”; of this layout llama, mistral, qwen2, qwen3 can be run/);
  await refuses(configOf(first, { hidden_act: 'gelu' }), /activation “gelu”/);
  for (const rope_type of ['dynamic', 'longrope']) await refuses(configOf(first, { rope_scaling: { rope_type, factor: 2 } }), new RegExp(`rotary positions by “${rope_type}”; default, linear, llama3, yarn can be run`));
  await refuses(configOf(first, { rope_scaling: undefined, rope_parameters: { full_attention: { rope_type: 'default', rope_theta: 1e6 }, sliding_attention: { rope_type: 'default', rope_theta: 1e4 } } }), /scales rotary positions by “{"full_attention".*”; default, linear, llama3, yarn can be run/);
  await refuses(configOf(first, { rope_scaling: 'linear' }), /rotary positions by “"linear"”; default/);
  await refuses(configOf(first, { rope_scaling: { factor: 2 } }), /scales rotary positions by “factor”; default/);
  await refuses({ params: JSON.stringify({ n_heads: 4, use_scaled_rope: true }) }, /says use_scaled_rope “true”; “false” can be run/);
  await refuses(configOf(first, { layer_types: ['full_attention', 'chunked_attention'] }), /layer_types “chunked_attention”; “full_attention, sliding_attention” can be run/);
  for (const sliding_window of [0, -1, 'x', true]) await refuses(configOf(first, { sliding_window }), new RegExp(`sliding_window “${String(sliding_window)}”; a number above 0`));
  for (const quantization_config of [{ quant_method: 'gptq', bits: 4 }, { quant_method: 'bitsandbytes' }, { quant_method: 'fp8' }]) await refuses(configOf(first, { quantization_config }), new RegExp(`packed by “${quantization_config.quant_method}”, which cannot be read\\. Choose the same model in BF16`));
  await refuses(configOf(first, { quantization: { group_size: 64, bits: 4 } }), /packed by “MLX”/);
  // Where its kind cannot be run in any numbers, that is what is said.
  await refuses(configOf(first, { model_type: 'gpt_oss', quantization_config: { quant_method: 'mxfp4' } }), /type “gpt_oss”\. It has several MLPs/);
  await refuses(configOf(first, { model_type: 'stablelm' }), /type “stablelm”\. It has LayerNorm in place of RMSNorm, which cannot be run yet/);
  for (const [name, value] of [['attention_factor', 0], ['beta_fast', -1], ['beta_slow', '1'], ['factor', null]] as const) {
    await refuses(configOf(first, { rope_scaling: { rope_type: 'yarn', factor: 2, [name]: value } }), new RegExp(`${name} “${String(value)}”; a number above 0`));
  }
  await refuses(configOf(first, { rope_scaling: { rope_type: 'linear' } }), /rope_scaling\.factor “undefined”; a number above 0/);
  await refuses(configOf(first, { rope_theta: '10000' }), /rope_theta “10000”/);
  await refuses(configOf(first, { rms_norm_eps: 0 }), /rms_norm_eps “0”/);
  await refuses(configOf(first, { num_attention_heads: 5 }), /2 key heads do not divide 5 heads evenly/);
  await refuses(configOf(first, { num_key_value_heads: 3 }), /3 key heads do not divide 4 heads evenly/);
  await refuses(configOf(first, { head_dim: 1e9 }), /d_k “1000000000”/);
  // The width of a head is not said: rows that heads cannot share are named, not a fraction.
  for (const num_attention_heads of [5, 1]) await refuses(configOf(first, { num_attention_heads, head_dim: undefined, num_key_value_heads: undefined }), new RegExp(`${num_attention_heads} heads do not divide \\d+ rows of queries and \\d+ of keys evenly\\. Set num_attention_heads`));
  await refuses(configOf(first, { num_hidden_layers: 9 }), /says “9” where the tensors say 2/);
  await refuses(configOf(first), /“layers\.0\.self_attn\.q_norm\.weight”, which no layer of Llama has/, { 'model.layers.0.self_attn.q_norm.weight': { shape: [6], numbers: new Array<number>(6).fill(1) } });
  await refuses({ config: '[' }, /config\.json is not JSON/);
});

const neoxCases = readCases('GPTNeoX');
const [firstNeox] = neoxCases as [Case];
const widthOf = (given: Case) => (given.inputs.get('gpt_neox.embed_in.weight')?.shape[1] ?? NaN) / attribute(given, 'num_heads');

/** As transformers writes it. */
function neoxConfigOf(given: Case, more: object = {}): Beside {
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
  assert.ok(neoxCases.length >= 4);
  for (const each of neoxCases) {
    const names = [(name: string) => name, (name: string) => name.replace(/^gpt_neox\./, ''), (name: string) => `_orig_mod.${name}`];
    for (const rename of names) await assertReads(each, tensorsOf(each, rename), neoxConfigOf(each));
  }
  await assertReads(firstNeox, withTables(tensorsOf(firstNeox)), neoxConfigOf(firstNeox));
});

test('what configurations leave out or say in newer words is read alike', async () => {
  const { use_parallel_residual, hidden_act, rotary_pct, rotary_emb_base, layer_norm_eps, ...rest } = JSON.parse(neoxConfigOf(firstNeox).config ?? '') as Record<string, unknown>;
  assert.deepEqual([use_parallel_residual, hidden_act, rotary_pct, rotary_emb_base, layer_norm_eps], [true, 'gelu', 0.25, 10000, 1e-5]);
  await assertReads(firstNeox, tensorsOf(firstNeox), { config: JSON.stringify(rest) });
  for (const each of neoxCases) {
    const newer = { rotary_pct: undefined, rotary_emb_base: undefined, rope_parameters: { rope_type: 'default', rope_theta: attribute(each, 'base'), partial_rotary_factor: attribute(each, 'rotary_dim') / widthOf(each) } };
    await assertReads(each, tensorsOf(each), neoxConfigOf(each, newer));
  }
});

test('GPT-NeoX: each layer can be walked: the page’s own layer has the weights that the model went on with', async () => {
  for (const each of neoxCases) await assertWalks(each, tensorsOf(each), neoxConfigOf(each));
});

test('GPT-NeoX: matrices of 16 bits give the bits of the same file widened', async () => {
  for (const each of neoxCases) await assertSameInWidths(each, tensorsOf(each), neoxConfigOf(each));
});

test('what the file says of its residual and its turned share changes what comes out', async () => {
  const whole = neoxCases.find((each) => attribute(each, 'rotary_dim') === 4 && widthOf(each) === 4) as Case; // two pairs: the first turns alike in all bases
  const logits = async (more: object) => {
    const model = await open(tensorsOf(whole), neoxConfigOf(whole, more));
    const found = model.run([1, 2, 3]).logits(2);
    model.free();
    return found;
  };
  const own = await logits({});
  for (const more of [{ use_parallel_residual: false }, { rotary_pct: 0.5 }, { rotary_emb_base: 3 }, { hidden_act: 'gelu_new' }, { layer_norm_eps: 0.1 }]) assert.ok(farthest(own, await logits(more)) > 1e-5, JSON.stringify(more));
});

test('GPT-NeoX: a model of another kind is refused by its own name, with what would be needed', async () => {
  const tensors = tensorsOf(firstNeox);
  const refuses = (beside: Beside, reason: RegExp, more: Tensors = {}) => assert.rejects(open({ ...tensors, ...more }, beside), refusal('bad_file', reason), String(reason));
  await refuses({}, /do not say these sizes.*choose its config\.json, too/);
  await refuses(neoxConfigOf(firstNeox, { model_type: 'gpt_neox_japanese' }), /type “gpt_neox_japanese”; of this layout gpt_neox can be run/);
  await refuses(neoxConfigOf(firstNeox, { hidden_act: 'relu' }), /activation “relu”; gelu_new, gelu_pytorch_tanh, gelu_fast, gelu can be run/);
  await refuses(neoxConfigOf(firstNeox, { use_parallel_residual: 'yes' }), /use_parallel_residual “yes”; true or false/);
  await refuses(neoxConfigOf(firstNeox, { rope_scaling: { type: 'dynamic', factor: 2 } }), /rotary positions by “dynamic”/);
  await refuses(neoxConfigOf(firstNeox, { rotary_pct: 0 }), /rotary_pct “0”; a number above 0/);
  await refuses(neoxConfigOf(firstNeox, { rotary_pct: '0.25' }), /rotary_pct “0\.25”/);
  for (const rotary_pct of [0.01, 0.5 - 1 / 8, 2]) await refuses(neoxConfigOf(firstNeox, { rotary_pct }), /numbers cannot be turned in pairs/);
  await refuses(neoxConfigOf(firstNeox, { layer_norm_eps: -1 }), /layer_norm_eps “-1”/);
  await refuses(neoxConfigOf(firstNeox, { num_attention_heads: 5 }), /5 heads do not divide d_model 24 evenly/);
  await refuses(neoxConfigOf(firstNeox, { num_attention_heads: [3] }), /heads “\[3\]” as a text or a list/);
  await refuses(neoxConfigOf(firstNeox, { num_attention_heads: undefined }), /does not say num_attention_heads\. Set it here/);
  await refuses(neoxConfigOf(firstNeox, { num_hidden_layers: 9 }), /says “9” where the tensors say 2/);
  await refuses(neoxConfigOf(firstNeox, { hidden_size: 25 }), /says “25” where the tensors say 24/);
  await refuses(neoxConfigOf(firstNeox, { max_position_embeddings: 0 }), /context “0”/);
  await refuses(neoxConfigOf(firstNeox), /“layers\.0\.attention\.query_norm\.weight”, which no layer of GPT-NeoX has/, { 'gpt_neox.layers.0.attention.query_norm.weight': { shape: [8], numbers: new Array<number>(8).fill(1) } });
  await refuses(neoxConfigOf(firstNeox), /query_key_value\.weight” is 24 × 24 where 72 × 24 is needed/, { 'gpt_neox.layers.1.attention.query_key_value.weight': { shape: [24, 24], numbers: new Array<number>(576).fill(0) } });
  await refuses({ config: '[' }, /config\.json is not JSON/);
  for (const name of ['layers.1.mlp.dense_4h_to_h.bias', 'layers.1.attention.dense.bias', 'final_layer_norm.bias']) {
    const { [`gpt_neox.${name}`]: _, ...cut } = tensors;
    await assert.rejects(open(cut, neoxConfigOf(firstNeox)), refusal('bad_file', new RegExp(`no tensor “${name.replaceAll('.', '\\.')}”`)));
  }
});
