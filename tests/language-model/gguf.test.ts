// GGUF: the same models as in safetensors, bit for bit, PyTorch's logits, and what is refused by its own name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tokenizer as Reference } from 'tokenizers';
import { type Case, readCases } from '../lib/cases.ts';
import { type Tensors, attribute, farthest, open } from '../lib/layout-cases.ts';
import { type GgufTensor as Stored, type GgufValue as Value, type Llama2c, blocks, gguf, gpt2Tensors, llama2c, llama2cPieces, numbers, refusal, rounded } from '../lib/model-files.ts';
import { loadInNode } from '../lib/operators.ts';
import { Random } from '../lib/random.ts';
import { tokenizerOf } from '../../web/src/parameters/language-model/tokenizer-files.ts';
import { besideOf } from '../../web/src/parameters/language-model/files.ts';
import { readGguf } from '../../web/src/parameters/language-model/gguf.ts';
import { readLlama2c } from '../../web/src/parameters/language-model/other-files.ts';
import { LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';

/** What Q8_0 makes of numbers. */
const quantized = (values: ArrayLike<number>) => {
  const bytes = blocks(values);
  return Float32Array.from({ length: values.length }, (_, i) => {
    const [at, own] = [Math.floor(i / 32) * 34, Array.from({ length: 32 }, (__, k) => values[32 * Math.floor(i / 32) + k] as number)];
    return (rounded(Math.max(...own.map(Math.abs)) / 127) || 1) * bytes.readInt8(at + 2 + (i % 32));
  });
};

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^model\.embed_tokens/, 'token_embd'], [/^model\.norm/, 'output_norm'], [/^lm_head/, 'output'], [/^model\.layers\.(\d+)\./, 'blk.$1.'], [/input_layernorm/, 'attn_norm'], [/post_attention_layernorm/, 'ffn_norm'],
  [/self_attn\.q_proj/, 'attn_q'], [/self_attn\.k_proj/, 'attn_k'], [/self_attn\.v_proj/, 'attn_v'], [/self_attn\.o_proj/, 'attn_output'], [/mlp\.gate_proj/, 'ffn_gate'], [/mlp\.up_proj/, 'ffn_up'], [/mlp\.down_proj/, 'ffn_down'],
];
const called = (name: string, names: readonly (readonly [RegExp, string])[]) => names.reduce((now, [from, to]) => now.replace(from, to), name);

const tensorsOf = ({ inputs }: Case): Record<string, Stored> => Object.fromEntries([...inputs].filter(([name]) => name !== 'tokens').map(([name, { shape, numbers: values }]) => [name, { shape, type: 'F32' as const, numbers: values }]));

/** As llama.cpp's converter orders the rows of queries and keys: numbers i and i + half of a head stand side by side. */
function permuted(name: string, tensor: Stored, d_k: number): Stored {
  if (!/\.[qk]_proj\./.test(name)) return tensor;
  const [rows = 0] = tensor.shape;
  const width = tensor.numbers.length / rows;
  return { ...tensor, numbers: Array.from({ length: tensor.numbers.length }, (_, at) => {
    const row = Math.floor(at / width);
    const place = row % d_k;
    return tensor.numbers[(row - place + (place % 2) * (d_k / 2) + Math.floor(place / 2)) * width + (at % width)] as number;
  }) };
}

const metadataOf = (given: Case, architecture: string, width: number): Record<string, Value> => ({
  'general.architecture': architecture, 'general.name': 'tiny', [`${architecture}.block_count`]: attribute(given, 'layers'), [`${architecture}.context_length`]: 128, [`${architecture}.embedding_length`]: width,
  [`${architecture}.attention.head_count`]: attribute(given, 'num_heads'), [`${architecture}.attention.head_count_kv`]: attribute(given, 'num_kv_heads'), [`${architecture}.attention.key_length`]: attribute(given, 'head_dim'),
  [`${architecture}.attention.layer_norm_rms_epsilon`]: Math.fround(1e-5), [`${architecture}.rope.freq_base`]: attribute(given, 'base') + 0.5 - 0.5, [`${architecture}.rope.dimension_count`]: attribute(given, 'head_dim'),
  ...(attribute(given, 'factor') !== 1 && { [`${architecture}.rope.scaling.type`]: 'linear', [`${architecture}.rope.scaling.factor`]: attribute(given, 'factor') }),
});

let operators: ReturnType<typeof loadInNode> | null = null;
const openGguf = async (...files: readonly Blob[]) => {
  const { model, beside } = await readGguf(...files);
  return LanguageModel.open(model, beside, { operators: () => (operators ??= loadInNode()) });
};

function assertSame(found: LanguageModel, expected: LanguageModel, tokens: readonly number[]): void {
  const [a, b] = [found.run(tokens), expected.run(tokens)];
  const { layers } = expected.configuration;
  for (let layer = 0; layer < layers; layer += 1) assert.deepEqual(a.layerWeights(layer), b.layerWeights(layer));
  tokens.forEach((_, t) => assert.deepEqual(a.logits(t), b.logits(t)));
}

const named = (name: string) => readCases('Llama').find((each) => each.name === name) as Case;
const tokensOf = (given: Case) => given.inputs.get('tokens')?.numbers as number[];

function assertPyTorch(model: LanguageModel, given: Case): void {
  const run = model.run(tokensOf(given));
  const { vocabulary } = model.configuration;
  const logits = given.outputs.get('Y')?.numbers as number[];
  tokensOf(given).forEach((_, t) => assert.ok(farthest(run.logits(t), logits.slice(t * vocabulary, (t + 1) * vocabulary)) < 2e-5, given.name));
}

const META: readonly (readonly [RegExp, string])[] = [
  [/^model\./, ''], [/embed_tokens/, 'tok_embeddings'], [/self_attn\.q_proj/, 'attention.wq'], [/self_attn\.k_proj/, 'attention.wk'], [/self_attn\.v_proj/, 'attention.wv'], [/self_attn\.o_proj/, 'attention.wo'],
  [/mlp\.gate_proj/, 'feed_forward.w1'], [/mlp\.down_proj/, 'feed_forward.w2'], [/mlp\.up_proj/, 'feed_forward.w3'], [/input_layernorm/, 'attention_norm'], [/post_attention_layernorm/, 'ffn_norm'], [/lm_head/, 'output'],
];

test("Llama: PyTorch's logits come out of permuted rows, and the bits are those of the same rows in safetensors, F32 and F16", async () => {
  for (const name of ['llama_tied', 'llama_own_output', 'llama_linear']) {
    const given = named(name);
    const width = given.inputs.get('model.norm.weight')?.shape[0] as number;
    for (const type of ['F32', 'F16'] as const) {
      const stored = Object.entries(tensorsOf(given)).map(([key, tensor]): [string, Stored] => {
        const moved = permuted(key, tensor, attribute(given, 'head_dim'));
        return [key, type === 'F16' && tensor.shape.length === 2 ? { ...moved, type, numbers: Array.from(moved.numbers, rounded) } : moved];
      });
      const model = await openGguf(gguf(metadataOf(given, 'llama', width), Object.fromEntries(stored.map(([key, tensor]) => [called(key, NAMES), tensor])), { version: type === 'F16' ? 2 : 3 }));
      const same = await open(Object.fromEntries(stored.map(([key, { shape, numbers: values }]) => [called(key, META), { shape: [...shape], numbers: values }])) as Tensors, { config: JSON.stringify({
        num_attention_heads: attribute(given, 'num_heads'), num_key_value_heads: attribute(given, 'num_kv_heads'), head_dim: attribute(given, 'head_dim'), rms_norm_eps: Math.fround(1e-5), rope_theta: attribute(given, 'base'),
        ...(attribute(given, 'factor') !== 1 && { rope_scaling: { type: 'linear', factor: attribute(given, 'factor') } }),
      }) });
      assertSame(model, same, tokensOf(given));
      if (type === 'F32') assertPyTorch(model, given);
      assert.equal(model.tokenizer, 'ids');
      model.free();
      same.free();
    }
  }
});

test("Llama 3's factors of pairs: PyTorch's logits come out, and those of another rule are refused", async () => {
  const given = readCases('Llama').find((each) => each.attributes.has('original_context') && attribute(each, 'original_context') > 0) as Case;
  const width = given.inputs.get('model.norm.weight')?.shape[0] as number;
  const [d, base, factor, low, high, context] = ['head_dim', 'base', 'factor', 'low_turns', 'high_turns', 'original_context'].map((name) => attribute(given, name)) as [number, number, number, number, number, number];
  assert.deepEqual([low, high], [1, 4], 'as every Llama 3 has them');
  // As convert_hf_to_gguf.py writes them: by wavelengths.
  const factors = Array.from({ length: d / 2 }, (_, i) => {
    const length = 2 * Math.PI * base ** ((2 * i) / d);
    const smooth = (context / length - low) / (high - low);
    return length < context / high ? 1 : length > context / low ? factor : 1 / ((1 - smooth) / factor + smooth);
  });
  assert.ok(factors.some((each) => each !== 1), 'something is turned slower');
  const stored = Object.entries(tensorsOf(given)).map(([key, tensor]): [string, Stored] => [called(key, NAMES), permuted(key, tensor, d)]);
  const file = (own: readonly number[], more: Record<string, Value> = { 'llama.rope.scaling.original_context_length': context }) => {
    const { 'llama.rope.scaling.type': _, 'llama.rope.scaling.factor': __, ...metadata } = metadataOf(given, 'llama', width);
    return gguf({ ...metadata, ...more }, { ...Object.fromEntries(stored), 'rope_freqs.weight': { type: 'F32', shape: [own.length], numbers: own } });
  };
  const model = await openGguf(file(factors));
  assertPyTorch(model, given);
  model.free();
  await assert.rejects(openGguf(file(factors.map((each, i) => each + i / 8))), refusal('bad_file', /rope_freqs\.weight.*a rule that is not Llama 3’s/));
  await assert.rejects(openGguf(file([])), refusal('bad_file'));
});

test('a model in several files opens with all of its parts, in any order, and says which are missing', async () => {
  const given = named('llama_biased_as_qwen_2');
  const all = Object.entries(tensorsOf(given)).map(([key, tensor]): [string, Stored] => [called(key, NAMES), tensor]);
  const part = (no: number, count = 3): Blob => gguf(
    { ...(no === 0 && metadataOf(given, 'qwen2', 24)), 'split.no': no, 'split.count': count, 'split.tensors.count': all.length },
    Object.fromEntries(all.slice(Math.floor((no * all.length) / 3), Math.floor(((no + 1) * all.length) / 3))),
  );
  const model = await openGguf(part(2), part(0), part(1));
  assertPyTorch(model, given);
  model.free();
  for (const parts of [[part(0)], [part(0), part(2)], [part(0), part(1), part(1)], [part(0), part(1), part(2), part(2)], [part(0), part(1), part(2, 4)]]) {
    await assert.rejects(openGguf(...parts), refusal('bad_file', /all its parts, and no others.*It has [34] parts, and here are/));
  }
});

test('Qwen 2: rows as they are, with biases, and numbers as far apart as the file says', async () => {
  const given = named('llama_biased_as_qwen_2');
  const model = await openGguf(gguf({ ...metadataOf(given, 'qwen2', 24), 'general.alignment': 64 }, Object.fromEntries(Object.entries(tensorsOf(given)).map(([key, tensor]) => [called(key, NAMES), tensor])), { alignment: 64 }));
  assertPyTorch(model, given);
  model.free();
});

test('Qwen 3: norms of queries and keys; and YaRN, whose factors the file may say', async () => {
  const norms = [[/self_attn\.q_norm/, 'attn_q_norm'], [/self_attn\.k_norm/, 'attn_k_norm']] as const;
  const stored = (given: Case) => Object.fromEntries(Object.entries(tensorsOf(given)).map(([key, tensor]) => [called(key, [...NAMES, ...norms]), tensor]));
  for (const name of ['llama_as_qwen_3', 'llama_as_qwen_3_one_key_head']) {
    const given = named(name);
    const width = given.inputs.get('model.embed_tokens.weight')?.shape[1] ?? 0;
    const model = await openGguf(gguf(metadataOf(given, 'qwen3', width), stored(given)));
    assertPyTorch(model, given);
    model.free();
  }
  const given = named('llama_yarn');
  const metadata = { ...metadataOf(given, 'qwen2', 16), 'qwen2.rope.scaling.type': 'yarn', 'qwen2.rope.scaling.factor': 4, 'qwen2.rope.scaling.original_context_length': 64 };
  const [model, own] = [await openGguf(gguf(metadata, stored(given))), await openGguf(gguf({ ...metadata, 'qwen2.rope.scaling.attn_factor': 1.25, 'qwen2.rope.scaling.yarn_beta_fast': 8, 'qwen2.rope.scaling.yarn_beta_slow': 0.5 }, stored(given)))];
  assertPyTorch(model, given);
  assert.deepEqual(own.configuration.rotary_scaling, { ...model.configuration.rotary_scaling, highTurns: 8, lowTurns: 0.5, amplitude: 1.25 * (0.1 * Math.log(4) + 1) });
  for (const each of [model, own]) each.free();
  await assert.rejects(openGguf(gguf({ ...metadata, 'qwen2.rope.scaling.yarn_log_multiplier': 0.5 }, stored(given))), refusal('bad_file', /yarn_log_multiplier/));
  await assert.rejects(openGguf(gguf({ ...metadata, 'qwen2.rope.scaling.yarn_ext_factor': 0.5 }, stored(given))), refusal('bad_file', /yarn_ext_factor/));
});

/** As llama.cpp writes it: every matrix (out, in). */
function gpt2Stored(given: Case): Record<string, Stored> {
  const names: readonly (readonly [RegExp, string])[] = [
    [/^wte/, 'token_embd'], [/^wpe/, 'position_embd'], [/^ln_f/, 'output_norm'], [/^lm_head/, 'output'], [/^h\.(\d+)\./, 'blk.$1.'], [/ln_1/, 'attn_norm'], [/ln_2/, 'ffn_norm'], [/attn\.c_attn/, 'attn_qkv'], [/attn\.c_proj/, 'attn_output'], [/mlp\.c_fc/, 'ffn_up'], [/mlp\.c_proj/, 'ffn_down'],
  ];
  return Object.fromEntries(Object.entries(gpt2Tensors(given)).filter(([name]) => !name.endsWith('.attn.bias')).map(([name, { shape, numbers: values }]): [string, Stored] => {
    const [rows = 0, columns = 0] = shape;
    const isTurned = /\.c_\w+\.weight$/.test(name);
    return [called(name, names), { type: 'F32', shape: isTurned ? [columns, rows] : shape, numbers: isTurned ? Array.from({ length: rows * columns }, (_, i) => values[(i % rows) * columns + Math.floor(i / rows)] as number) : values }];
  }));
}
const ofGpt2 = (given: Case, width: number, more: Record<string, Value> = {}): Record<string, Value> => ({
  'general.architecture': 'gpt2', 'gpt2.block_count': attribute(given, 'layers'), 'gpt2.embedding_length': width, 'gpt2.attention.head_count': attribute(given, 'num_heads'), 'gpt2.attention.layer_norm_epsilon': Math.fround(1e-5), ...more,
});

test("GPT-2: PyTorch's logits come out", async () => {
  for (const given of readCases('Decoder')) {
    const model = await openGguf(gguf(ofGpt2(given, given.inputs.get('wte')?.shape[1] as number), gpt2Stored(given)));
    assertPyTorch(model, given);
    model.free();
  }
});

test('Q8_0: the bits are those of its numbers in float32', async () => {
  const [D, V, MLP] = [64, 17, 96];
  let seed = 3;
  const tensor = (...shape: number[]): Stored => ({ type: shape.length === 2 ? 'Q8_0' : 'F32', shape, numbers: numbers(shape.reduce((a, b) => a * b), seed += 1) });
  const stored: Record<string, Stored> = {
    'token_embd.weight': tensor(V, D), 'output_norm.weight': tensor(D), 'blk.0.attn_norm.weight': tensor(D), 'blk.0.ffn_norm.weight': tensor(D),
    'blk.0.attn_q.weight': tensor(D, D), 'blk.0.attn_k.weight': tensor(D, D), 'blk.0.attn_v.weight': tensor(D, D), 'blk.0.attn_output.weight': tensor(D, D),
    'blk.0.ffn_gate.weight': tensor(MLP, D), 'blk.0.ffn_up.weight': tensor(MLP, D), 'blk.0.ffn_down.weight': tensor(D, MLP),
  };
  const metadata = { 'general.architecture': 'llama', 'llama.block_count': 1, 'llama.context_length': 32, 'llama.embedding_length': D, 'llama.attention.head_count': 4, 'llama.attention.layer_norm_rms_epsilon': Math.fround(1e-5) };
  const model = await openGguf(gguf(metadata, stored));
  const plain = await openGguf(gguf(metadata, Object.fromEntries(Object.entries(stored).map(([name, each]) => [name, each.type === 'Q8_0' ? { ...each, type: 'F32' as const, numbers: quantized(each.numbers) } : each]))));
  assertSame(model, plain, [1, 5, 3, 5, 16]);
  model.free();
  plain.free();
});

test('Q8_0: a file takes its own size of memory, and little more; a scale that is not finite is refused', async () => {
  const [D, V] = [512, 8192];
  const ones: Stored = { type: 'F32', shape: [D], numbers: new Float32Array(D).fill(1) };
  const small: Stored = { type: 'Q8_0', shape: [D, D], numbers: numbers(D * D, 5) };
  const stored = (embeddings: Float32Array): Record<string, Stored> => ({
    'token_embd.weight': { type: 'Q8_0', shape: [V, D], numbers: embeddings }, 'output_norm.weight': ones, 'blk.0.attn_norm.weight': ones, 'blk.0.ffn_norm.weight': ones,
    ...Object.fromEntries(['attn_q', 'attn_k', 'attn_v', 'attn_output', 'ffn_gate', 'ffn_up', 'ffn_down'].map((part) => [`blk.0.${part}.weight`, small])),
  });
  const metadata = { 'general.architecture': 'llama', 'llama.block_count': 1, 'llama.context_length': 32, 'llama.embedding_length': D, 'llama.attention.head_count': 4, 'llama.attention.layer_norm_rms_epsilon': Math.fround(1e-5) };
  const file = gguf(metadata, stored(numbers(V * D, 6)));
  const own = await loadInNode();
  const before = own.heapBytes;
  const { model, beside } = await readGguf(file);
  const opened = await LanguageModel.open(model, beside, { operators: async () => own });
  assert.ok(own.heapBytes - before < 1.15 * file.size, `${own.heapBytes - before} bytes for a file of ${file.size}`);
  opened.free();
  const bytes = Buffer.from(await file.arrayBuffer());
  bytes[bytes.length - 33] = 0x7c; // of the last block's scale
  await assert.rejects(openGguf(new Blob([bytes])), refusal('bad_file', /holds numbers that are not finite/));
});

const [first] = readCases('Decoder') as [Case];

test('byte pairs in it cut words; by rules that are not known, token numbers are typed', async () => {
  const V = 300;
  const printable = [...Array(256).keys()].filter((byte) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174);
  let next = 256;
  const tokens = [...Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable.includes(byte) ? byte : next++)), 'th', 'the', 'Ġthe', '<s>'];
  const stored = { ...gpt2Stored(first), 'token_embd.weight': { type: 'F32' as const, shape: [V, 12], numbers: numbers(V * 12, 9) } };
  const words = { 'tokenizer.ggml.model': 'gpt2', 'tokenizer.ggml.tokens': tokens, 'tokenizer.ggml.merges': ['t h', 'th e', 'Ġ the'], 'tokenizer.ggml.token_type': tokens.map((token) => (token === '<s>' ? 3 : 1)), 'tokenizer.ggml.bos_token_id': 259 };
  const ids = async (more: Record<string, Value>) => {
    const model = await openGguf(gguf(ofGpt2(first, 12, { ...words, ...more }), stored));
    const found = [model.tokenizer, ...model.tokenize('the the').map(({ id }) => id)];
    model.free();
    return found;
  };
  assert.deepEqual(await ids({ 'tokenizer.ggml.pre': 'gpt-2' }), ['byte-pairs', 257, 258]);
  assert.deepEqual(await ids({ 'tokenizer.ggml.pre': 'llama-bpe', 'tokenizer.ggml.add_bos_token': true }), ['file', 259, 257, 258]);
  await assert.rejects(ids({ 'tokenizer.ggml.pre': 'unheard-of' }), refusal('not_a_token'));
  // Older files of GPT-2 do not say the rule; those of other models, which may cut otherwise, are not taken for it.
  assert.deepEqual(await ids({}), ['byte-pairs', 257, 258]);
  // Llama 3's: the start token though the file does not say so, and words that no merges make.
  const unmerged = tokens.with(257, 'zzz');
  for (const pre of ['llama-bpe', 'llama3', 'llama-v3']) assert.deepEqual(await ids({ 'tokenizer.ggml.pre': pre, 'tokenizer.ggml.tokens': tokens.with(257, 'the').with(258, 'Ġthe') }), ['file', 259, 257, 258]);
  const model = await openGguf(gguf(ofGpt2(first, 12, { ...words, 'tokenizer.ggml.pre': 'llama-bpe', 'tokenizer.ggml.tokens': unmerged, 'tokenizer.ggml.merges': ['t h'] }), stored));
  assert.deepEqual(model.tokenize('zzz').map(({ id }) => id), [259, 257]);
  model.free();
  // SmolLM's digits stand alone. A token of no letters marks nothing.
  const digits = await openGguf(gguf(ofGpt2(first, 12, { ...words, 'tokenizer.ggml.pre': 'smollm', 'tokenizer.ggml.tokens': [...tokens.with(257, '12'), ''], 'tokenizer.ggml.merges': ['t h', '1 2'], 'tokenizer.ggml.token_type': [...tokens.map((token) => (token === '<s>' ? 3 : 1)), 3] }), stored));
  assert.deepEqual(digits.tokenize('12 th').map(({ word }) => word), ['1', '2', ' ', 'th']);
  digits.free();
});

/** SentencePiece's rule for byte pairs, as it is told (Kudo and Richardson 2018): of all neighbours that are a piece together, those with the highest score become one, until none is left; a letter in no piece becomes its bytes. */
function joinedByScore(text: string, isPrefixed: boolean, vocab: ReadonlyMap<string, { id: number; score: number }>): number[] {
  const pieces = [...`${isPrefixed ? '▁' : ''}${text.replaceAll(' ', '▁')}`];
  for (;;) {
    let [best, at] = [-Infinity, -1];
    for (let i = 0; i + 1 < pieces.length; i += 1) {
      const score = vocab.get(`${pieces[i]}${pieces[i + 1]}`)?.score ?? -Infinity;
      if (score > best) [best, at] = [score, i];
    }
    if (at < 0) break;
    pieces.splice(at, 2, `${pieces[at]}${pieces[at + 1]}`);
  }
  return pieces.flatMap((piece) => vocab.get(piece)?.id ?? [...Buffer.from(piece)].map((byte) => 3 + byte));
}

test("SentencePiece's pieces in it cut words by their scores", async () => {
  const random = new Random(21);
  const letters = [...'▁abcdeé京'];
  const pieces = new Set(letters);
  while (pieces.size < 120) pieces.add(`${random.pick([...pieces])}${random.pick([...pieces])}`);
  const tokens = ['<unk>', '<s>', '</s>', ...Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`), ...pieces];
  const scores = tokens.map(() => Math.fround(random.number()));
  const vocab = new Map(tokens.map((token, id) => [token, { id, score: scores[id] as number }]));
  const opened = (isPrefixed: boolean, more: Record<string, Value> = {}) => openGguf(gguf(ofGpt2(first, 12, {
    'tokenizer.ggml.model': 'llama', 'tokenizer.ggml.tokens': tokens, 'tokenizer.ggml.scores': scores, 'tokenizer.ggml.add_space_prefix': isPrefixed,
    'tokenizer.ggml.token_type': tokens.map((_, id) => (id === 0 ? 2 : id < 3 ? 3 : id < 259 ? 6 : 1)), 'tokenizer.ggml.bos_token_id': 1, ...more,
  }), { ...gpt2Stored(first), 'token_embd.weight': { type: 'F32' as const, shape: [tokens.length, 12], numbers: numbers(tokens.length * 12, 9) } }));
  // Neither holds up the page nor is guessed at: token numbers are typed.
  for (const more of [{ 'tokenizer.ggml.tokens': tokens.with(300, 'a'.repeat(100_000)) }, { 'tokenizer.ggml.scores': scores.slice(1) }]) {
    const model = await opened(true, more);
    assert.equal(model.tokenizer, 'ids');
    model.free();
  }
  for (const isPrefixed of [true, false]) {
    const model = await opened(isPrefixed);
    assert.equal(model.tokenizer, 'file');
    for (let trial = 0; trial < 300; trial += 1) {
      const text = Array.from({ length: random.whole(1, 12) }, () => random.pick([...'aabbccdeé京  zß😀'])).join('');
      const expected = joinedByScore(text, isPrefixed, vocab);
      assert.deepEqual(model.tokenize(text).map(({ id }) => id), [1, ...expected], JSON.stringify(text));
    }
    model.free();
  }
});

// tokenizer.model, written as protobuf's own documents say (https://protobuf.dev/programming-guides/encoding/).

const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]);
const field = (at: number, value: number | readonly number[]): number[] => (typeof value === 'number' ? [...varint(8 * at), ...varint(value)] : [...varint(8 * at + 2), ...varint(value.length), ...value]);
const score = (at: number, value: number): number[] => [...varint(8 * at + 5), ...Buffer.from(Float32Array.of(value).buffer)];
interface Pieces { tokens: readonly string[]; scores: readonly number[]; kind(id: number): number; trainer?: readonly number[]; normalizer?: readonly number[] }
const tokenizerModel = ({ tokens, scores, kind, trainer = field(3, 2), normalizer = [] }: Pieces) => Uint8Array.from([
  ...tokens.flatMap((token, id) => field(1, [...field(1, [...Buffer.from(token)]), ...score(2, scores[id] ?? 0), ...(kind(id) === 1 ? [] : field(3, kind(id)))])),
  ...field(2, [...field(4, 8000), ...score(10, 0.9995), ...trainer]), ...field(3, [...field(1, [...Buffer.from('identity')]), ...normalizer]), ...field(4, []),
]);
const BYTES = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
const SAID = ['<unk>', '<s>', '</s>'];

function drawnPieces(random: Random, more: readonly string[]): { tokens: string[]; scores: number[] } {
  const pieces = new Set([...'▁abcdeé京']);
  while (pieces.size < 120) pieces.add(`${random.pick([...pieces])}${random.pick([...pieces])}`);
  const tokens = [...SAID, ...more, ...pieces];
  return { tokens, scores: tokens.map((_, id) => (id < SAID.length ? 0 : Math.fround(-1 - Math.abs(random.number())))) };
}
const drawnText = (random: Random) => Array.from({ length: random.whole(1, 12) }, () => random.pick([...'aabbccdeé京  zß😀'])).join('');
const cutBy = async (bytes: Uint8Array, size: number, config = '{}') => tokenizerOf({ sentencePieces: bytes, tokenizerConfig: config }, size);

test('tokenizer.model of byte pairs: joined by scores, with bytes for other letters, a start token and spaces as the file says', async () => {
  const random = new Random(31);
  const { tokens, scores } = drawnPieces(random, BYTES);
  const vocab = new Map(tokens.map((token, id) => [token, { id, score: scores[id] as number }]));
  const kind = (id: number) => (id === 0 ? 2 : id < 3 ? 3 : id < 259 ? 6 : 1);
  for (const [isPrefixed, begins] of [[true, true], [false, false]] as const) {
    const own = await cutBy(tokenizerModel({ tokens, scores, kind, trainer: [...field(3, 2), ...field(35, 1), ...field(41, 1)], normalizer: [...field(3, Number(isPrefixed)), ...field(4, 0)] }), tokens.length, JSON.stringify({ add_bos_token: begins }));
    for (let trial = 0; trial < 300; trial += 1) {
      const text = drawnText(random);
      assert.deepEqual(own.tokenize(text).map(({ id }) => id), [...(begins ? [1] : []), ...joinedByScore(text, isPrefixed, vocab)], JSON.stringify(text));
    }
    assert.deepEqual(own.tokenize('</s>').map(({ id }) => id).at(-1), 2, 'special tokens are one token');
  }
});

test('tokenizer.model of Unigram cuts as the same pieces in a tokenizer.json do by the program of those who defined it', async () => {
  const random = new Random(32);
  const { tokens, scores } = drawnPieces(random, []);
  const kind = (id: number) => (id === 0 ? 2 : id < 3 ? 3 : 1);
  const table = [...field(1, [...Buffer.from('nfkc')]), ...field(2, [1, 2, 3])];
  for (const normalizer of [table, [...table, ...field(4, 0)]]) {
    const strips = normalizer === table;
    const own = await cutBy(tokenizerModel({ tokens, scores, kind, trainer: [], normalizer }), tokens.length, '{"add_bos_token": false}');
    const same = Reference.fromString(JSON.stringify({
      version: '1.0', truncation: null, padding: null, post_processor: null, decoder: null, added_tokens: [], pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false },
      normalizer: { type: 'Sequence', normalizers: [{ type: 'NFKC' }, ...(strips ? [{ type: 'Strip', strip_left: true, strip_right: true }, { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' }] : [])] },
      model: { type: 'Unigram', unk_id: 0, vocab: tokens.map((token, id) => [token, scores[id]]), byte_fallback: false },
    }));
    for (let trial = 0; trial < 300; trial += 1) {
      const text = `a${drawnText(random)}`.replace(/^a$/, 'ab');
      const [ids, expected] = [own.tokenize(text).map(({ id }) => id), (await same.encode(text)).getIds()];
      assert.deepEqual(ids, expected, JSON.stringify(text));
    }
  }
});

test('sentencepiece.bpe.model of XLM-RoBERTa and CamemBERT: its pieces by the ids that fairseq gave them; of other models, and by other rules, it is refused', async () => {
  const random = new Random(34);
  const { tokens, scores } = drawnPieces(random, []);
  const kind = (id: number) => (id === 0 ? 2 : id < 3 ? 3 : 1);
  const normalizer = [...field(1, [...Buffer.from('nmt_nfkc')]), ...field(2, [1, 2, 3])];
  const sentencePieces = tokenizerModel({ tokens, scores, kind, trainer: [], normalizer });
  const same = Reference.fromString(JSON.stringify({
    version: '1.0', truncation: null, padding: null, post_processor: null, decoder: null, added_tokens: [], normalizer: { type: 'NFKC' },
    pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true }] },
    model: { type: 'Unigram', unk_id: 0, vocab: tokens.map((token, id) => [token, scores[id]]), byte_fallback: false },
  }));
  const given = readCases('BERT').find(({ name }) => name === 'bert_as_roberta') as Case;
  const renamed = (name: string) => name.replace(/^bert/, 'roberta').replace('cls.predictions.transform.dense', 'lm_head.dense').replace('cls.predictions.transform.LayerNorm', 'lm_head.layer_norm').replace('cls.predictions', 'lm_head');
  const [V, D] = [tokens.length + 5, given.inputs.get('bert.embeddings.word_embeddings.weight')?.shape[1] ?? 0];
  const tensors = {
    ...Object.fromEntries(Object.entries(tensorsOf(given)).map(([name, { shape, numbers: values }]) => [renamed(name), { shape: [...shape], numbers: values }])),
    'roberta.embeddings.word_embeddings.weight': { shape: [V, D], numbers: numbers(V * D, 7) }, 'lm_head.bias': { shape: [V], numbers: numbers(V, 8) },
  } as Tensors;
  const opened = (says: object, pieces = sentencePieces, tokenizerConfig = {}) => open(tensors, { config: JSON.stringify({ num_attention_heads: attribute(given, 'num_heads'), layer_norm_eps: 1e-5, ...says }), sentencePieces: pieces, tokenizerConfig: JSON.stringify(tokenizerConfig) });
  for (const [model_type, shift, begin, end, mask] of [['xlm-roberta', 1, 0, 2, tokens.length + 1], ['camembert', 4, 5, 6, tokens.length + 4]] as const) {
    const model = await opened({ model_type });
    assert.equal(model.mask, mask);
    for (let trial = 0; trial < 300; trial += 1) {
      const text = `a${drawnText(random)}`;
      const expected = (await same.encode(text)).getIds().map((id) => (id === 0 ? 3 : id + shift));
      assert.deepEqual(model.tokenize(text).map(({ id }) => id), [begin, ...expected, end], JSON.stringify(text));
    }
    assert.deepEqual(model.tokenize('ab <mask> ab').map(({ id }) => id).filter((id) => id === mask), [mask]);
    model.free();
    // The tokenizer's own class says more than the model's type.
    const other = await opened({ model_type: 'roberta' }, sentencePieces, { tokenizer_class: shift === 1 ? 'XLMRobertaTokenizer' : 'CamembertTokenizerFast' });
    assert.equal(other.mask, mask);
    other.free();
  }
  await assert.rejects(opened({ model_type: 'roberta' }), refusal('bad_file', /SentencePiece’s file does not hold the ids of this model’s tokens: only those of XLM-RoBERTa and CamemBERT are known\. Choose the tokenizer\.json/));
  const rule = refusal('bad_file', /tokenizer\.model cuts texts by a rule that cannot be run here/);
  for (const others of [{ trainer: field(3, 2) }, { normalizer: field(3, 0) }, { normalizer: field(4, 0) }, { tokens: tokens.with(1, '[CLS]') }]) {
    await assert.rejects(opened({ model_type: 'xlm-roberta' }, tokenizerModel({ tokens, scores, kind, trainer: [], ...others })), rule);
  }
});

test('tokenizer.model: rules that cannot be run are refused, and one that is cut off or changed anywhere is refused or read, never in part', async () => {
  const random = new Random(33);
  const { tokens, scores } = drawnPieces(random, []);
  const kind = (id: number) => (id === 0 ? 2 : id < 3 ? 3 : 1);
  const rule = /tokenizer\.model cuts texts by a rule that cannot be run here/;
  for (const [trainer, normalizer] of [[field(3, 3), []], [field(35, 1), []], [field(24, 1), []], [[], field(5, 0)], [[], field(2, [1])]] as const) {
    await assert.rejects(cutBy(tokenizerModel({ tokens, scores, kind, trainer, normalizer }), 999), refusal('bad_file', rule));
  }
  const damaged = refusal('bad_file', /tokenizer\.model is cut off or damaged/);
  for (const bytes of [[], field(1, []), field(9, 1), [0xff, ...Array<number>(20).fill(0xff)], [...field(1, [...field(1, [0xff, 0xfe])]), ...field(2, []), ...field(3, [])], [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]]) await assert.rejects(cutBy(Uint8Array.from(bytes), 999), damaged);
  await assert.rejects(cutBy(tokenizerModel({ tokens, scores: scores.with(5, NaN), kind }), 999), damaged);
  assert.equal((await cutBy(tokenizerModel({ tokens: tokens.with(9, 'a'.repeat(6000)), scores, kind }), 999)).kind, 'ids', 'neither holds up the page');
  const whole = tokenizerModel({ tokens, scores, kind });
  for (let length = 0; length < whole.length - 2; length += 1) await assert.rejects(cutBy(whole.subarray(0, length), 999), damaged, `${length}`);
  let refused = 0;
  for (let trial = 0; trial < 1500; trial += 1) {
    const changed = whole.slice();
    for (let i = random.whole(1, 3); i > 0; i -= 1) changed[random.whole(0, changed.length - 1)] = random.pick([0, 1, 10, 127, 128, 255, random.whole(0, 255)]);
    try {
      (await cutBy(changed, 999)).tokenize('ab c');
    } catch (error) {
      refusal('bad_file')(error) || assert.fail(error as Error);
      refused += 1;
    }
  }
  assert.ok(refused > 300 && refused < 1500, `${refused}`);
});

const stories = named('llama_as_stories');
const storiesByMeta = Object.fromEntries(Object.entries(tensorsOf(stories)).map(([name, tensor]) => [called(name, META), tensor]));
const inC = (more: Partial<Llama2c> = {}, tensors = storiesByMeta) => llama2c(tensors as Tensors, { heads: attribute(stories, 'num_heads'), keyHeads: attribute(stories, 'num_kv_heads'), context: 24, ...more });
const openC = async (...files: readonly [name: string, bytes: Uint8Array<ArrayBuffer>][]) => {
  const chosen = files.map(([name, bytes]) => new File([bytes], name));
  const read = await readLlama2c(chosen);
  if (!read) return null;
  const { beside } = await besideOf(chosen.filter((file) => file !== read.file));
  return LanguageModel.open(read.model, { ...beside, ...read.beside }, { operators: () => (operators ??= loadInNode()) });
};

test("llama2.c's model.bin of either version, its output tied or not, is the model that PyTorch computes; converted to GGUF, too", async () => {
  for (const version of [0, 1] as const) {
    const model = await openC(['stories260K.bin', inC({ version })]) as LanguageModel;
    assertPyTorch(model, stories);
    assert.deepEqual([model.configuration.name, model.configuration.context, model.tokenizer], ['stories260K', 24, 'ids']);
    // An output that is the embeddings turned round is one of its own.
    const { shape, numbers: rows } = storiesByMeta['tok_embeddings.weight'] as Stored;
    const [V = 0, D = 0] = shape;
    const output = { type: 'F32' as const, shape, numbers: Array.from({ length: V * D }, (_, i) => rows[(V - 1 - Math.floor(i / D)) * D + (i % D)] as number) };
    const own = await openC(['a.bin', inC({ version }, { ...storiesByMeta, 'output.weight': output })]) as LanguageModel;
    assert.deepEqual([...own.run([1, 2, 3]).logits(2)], [...model.run([1, 2, 3]).logits(2)].reverse());
    own.free();
    model.free();
  }
  // As convert-llama2c-to-ggml writes it: rows as they are, the output always there, no width of heads.
  const converted = { ...storiesByMeta, 'output.weight': storiesByMeta['tok_embeddings.weight'] as Stored };
  const NAMED: readonly (readonly [RegExp, string])[] = [[/^tok_embeddings/, 'token_embd'], [/^norm/, 'output_norm'], [/^layers\.(\d+)\./, 'blk.$1.'], [/attention_norm/, 'attn_norm'], [/attention\.w([qkv])/, 'attn_$1'], [/attention\.wo/, 'attn_output'], [/feed_forward\.w1/, 'ffn_gate'], [/feed_forward\.w2/, 'ffn_down'], [/feed_forward\.w3/, 'ffn_up']];
  const { 'llama.attention.key_length': _, 'llama.rope.freq_base': __, ...metadata } = metadataOf(stories, 'llama', 16);
  const model = await openGguf(gguf(metadata, Object.fromEntries(Object.entries(converted).map(([name, tensor]) => [called(name, NAMED), tensor]))));
  assertPyTorch(model, stories);
  model.free();
});

test("llama2.c's tokenizer.bin cuts a text as its scores say, beside any model; SentencePiece's file under another name, too", async () => {
  const random = new Random(41);
  const { tokens, scores } = drawnPieces(random, BYTES);
  const vocab = new Map(tokens.map((token, id) => [token, { id, score: scores[id] as number }]));
  const D = 16;
  const wide = { ...storiesByMeta, 'tok_embeddings.weight': { type: 'F32' as const, shape: [tokens.length, D], numbers: numbers(tokens.length * D, 5) } };
  const kind = (id: number) => (id === 0 ? 2 : id < 3 ? 3 : id < 259 ? 6 : 1);
  for (const words of [['tok512.bin', Uint8Array.from(llama2cPieces(tokens, scores))], ['tok512.model', tokenizerModel({ tokens, scores, kind, trainer: [...field(3, 2), ...field(35, 1)], normalizer: field(4, 0) })]] as const) {
    const model = await openC(['stories260K.bin', inC({}, wide)], [words[0], words[1] as Uint8Array<ArrayBuffer>]) as LanguageModel;
    assert.equal(model.tokenizer, 'file');
    for (let trial = 0; trial < 200; trial += 1) {
      const text = drawnText(random);
      assert.deepEqual(model.tokenize(text).map(({ id }) => id), [1, ...joinedByScore(text, true, vocab)], JSON.stringify(text));
    }
    model.free();
  }
  // A list that is damaged anywhere cuts nothing: token numbers are typed. One that is whole is not mistaken for a model.
  const whole = llama2cPieces(tokens, scores);
  assert.equal(await openC(['tokenizer.bin', Uint8Array.from(whole)]), null);
  for (const bytes of [whole.subarray(0, whole.length - 1), Buffer.concat([whole, Buffer.of(1)]), whole.subarray(0, 30), Buffer.alloc(0), Buffer.from(whole).fill(255, 400, 420)]) {
    const { beside } = await besideOf([new File([Uint8Array.from(bytes)], 'tok512.bin')]);
    assert.equal(beside.tokenizer, undefined);
  }
});

test("llama2.c's files that are cut off, of int8 or of sizes that cannot be are refused, and other .bin files are not taken for one", async () => {
  const damaged = refusal('bad_file', /“a\.bin” looks like llama2\.c’s, and would then have [\d,]+ bytes; it has [\d,]+\. It is cut off/);
  for (const version of [0, 1] as const) {
    const whole = Uint8Array.from(inC({ version }));
    for (const length of [300, 4000, whole.length - 1]) await assert.rejects(openC(['a.bin', whole.slice(0, length)]), damaged);
    await assert.rejects(openC(['a.bin', Uint8Array.from([...whole, 0])]), damaged);
    for (let length = 0; length < 29; length += 1) assert.equal(await openC(['a.bin', whole.slice(0, length)]), null);
  }
  await assert.rejects(openC(['a.bin', Uint8Array.from(inC({ version: 2 }))]), refusal('bad_file', /“a\.bin” is llama2\.c’s file of version 2, whose numbers are packed into int8; versions 0 and 1/));
  const random = new Random(43);
  let [others, refused] = [0, 0];
  for (let trial = 0; trial < 400; trial += 1) {
    const [at, value] = [random.whole(0, 6), random.pick([0, -1, 1, 7, 65, 2 ** 20, 2 ** 31 - 1, -(2 ** 31)])];
    try {
      const model = await openC(['a.bin', Uint8Array.from(inC({ version: random.pick([0, 1]), change: (sizes) => sizes.with(at, value) }))]);
      if (model) model.free();
      else others += 1;
    } catch (error) {
      refusal('bad_file')(error) || assert.fail(error as Error);
      refused += 1;
    }
  }
  assert.ok(others > 50 && refused > 50, `${others} others, ${refused} refused`);
  assert.equal(await openC(['pytorch_model.bin', Uint8Array.from([0x50, 0x4b, 3, 4, ...new Array<number>(400).fill(7)])]), null);
});

test('what cannot be run is refused by its own name, and a file that is cut off anywhere is never read in part', async () => {
  const stored = gpt2Stored(first);
  const refuses = (file: Blob, reason: RegExp) => assert.rejects(openGguf(file), refusal('bad_file', reason), String(reason));
  await refuses(gguf({ ...ofGpt2(first, 12), 'general.architecture': 'gemma' }, stored), /architecture “gemma”\. It has scaled embeddings.*llama, qwen2, qwen3, gpt2 can/);
  await refuses(gguf({ ...ofGpt2(first, 12), 'general.architecture': 'newest' }, stored), /architecture “newest”; llama, qwen2, qwen3, gpt2 can be run/);
  await refuses(gguf({ ...ofGpt2(first, 12), 'general.architecture': 'gptneox' }, stored), /architecture “gptneox”, which is read from \.safetensors alone/);
  await refuses(new Blob(['version https://git-lfs.github.com/spec/v1\n']), /pointer of Git LFS.*Run “git lfs pull”/);
  await refuses(gguf(ofGpt2(first, 12), { ...stored, 'blk.0.attn_q_norm.weight': { type: 'F32', shape: [1], numbers: [1] } }), /tensor “blk\.0\.attn_q_norm\.weight”, without which/);
  await refuses(gguf(ofGpt2(first, 12), { ...stored, 'rope_freqs.weight': { type: 'F32', shape: [1], numbers: [1] } }), /tensor “rope_freqs\.weight”/);
  await refuses(gguf(ofGpt2(first, 12), { ...stored, 'output.weight': { type: 12, shape: [1], numbers: [1] } }), /“output\.weight” is of Q4_K; F32, F16, BF16 and Q8_0/);
  await refuses(gguf(ofGpt2(first, 12), { ...stored, 'output.weight': { type: 99, shape: [1], numbers: [1] } }), /is of type 99/);
  await refuses(gguf(ofGpt2(first, 12), stored, { version: 1 }), /version 1; 2 and 3/);
  await refuses(gguf({ ...ofGpt2(first, 12), 'split.count': 4 }, stored), /all its parts, and no others.*It has 4 parts, and here are 1/);
  await refuses(new Blob(['no model at all, but some text']), /no GGUF file/);
  const both = ['Q8_0', 'F16'].map((type) => new File([gguf(ofGpt2(first, 12), stored)], `tiny-${type}.gguf`));
  await assert.rejects(openGguf(...both), refusal('bad_file', /Here are 2 models: tiny-Q8_0\.gguf.*tiny-F16\.gguf\. Choose one/));
  const whole = Buffer.from(await gguf(ofGpt2(first, 12), stored).arrayBuffer());
  for (let length = 0; length < whole.length - 32; length += 7) await assert.rejects(readGguf(new Blob([whole.subarray(0, length)])), refusal('bad_file', /GGUF/));
  // Counts and lengths beyond the file, and beyond any number.
  for (const [at, size] of [[8, 2n ** 40n], [16, 2n ** 40n], [16, 2n ** 63n], [24, 2n ** 62n], [24, 1n << 33n]] as const) {
    const hostile = Buffer.from(whole);
    hostile.writeBigUInt64LE(size, at);
    await assert.rejects(readGguf(new Blob([hostile])), refusal('bad_file', /cut off or damaged/));
  }
});

