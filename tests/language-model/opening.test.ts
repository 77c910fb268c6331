// Files that are no models, and models that are not whole: each gets its sentence, and nothing is left behind.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { readCases } from '../lib/cases.ts';
import { tensorsOf } from '../lib/layout-cases.ts';
import { loadInNode } from '../lib/operators.ts';
import { Random } from '../lib/random.ts';
import { type StoredTensor, type Tiny, fileOf, gpt2Tensors, inWidths, numbers, refusal, storeTensors, tinyNative, withHeader } from '../lib/model-files.ts';
import { AttentionError } from '../../web/src/engine/error.ts';
import { requireRoom } from '../../web/src/parameters/language-model/configuration.ts';
import { requireWalkable } from '../../web/src/parameters/language-model/layer-request.ts';
import { WordPieces } from '../../web/src/parameters/language-model/tokens.ts';
import { type Beside, LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';
import type { Operators } from '../../web/src/engine/operators/operators.ts';

let operators: Operators;
before(async () => {
  operators = await loadInNode();
});

const open = (file: Uint8Array, beside: Beside = {}) => LanguageModel.open(file, beside, { operators: async () => operators });

/** The tiny model with something else about it. */
function changed(change: (tiny: Tiny) => void): Uint8Array {
  const tiny = tinyNative();
  change(tiny);
  return fileOf(tiny);
}
const configured = (change: Record<string, unknown>) => fileOf(tinyNative('rope', change));
const metadata = (key: string, value: string) => changed((tiny) => { tiny.metadata[key] = value; });
const evidence = { layer: 0, head: 0, relation: 'r', name: 'n', score: 1, baseline: 0, baseline_offset: 1, cases: 1, sentences: 1, named: false };
const heads = (change: object) => metadata('heads', JSON.stringify([{ ...evidence, ...change }]));

const broken: [string, Uint8Array, RegExp][] = [
  ['tensors of another kind of model', storeTensors({ 'encoder.weight': { shape: [1], numbers: [1] } }), /neither as this page’s models nor as those of these kinds: GPT-2/],
  ['a format of the future', metadata('format', 'attention-playground 2'), /“attention-playground 2”; “attention-playground 1”/],
  ['no configuration', changed(({ metadata: texts }) => { delete texts.config; }), /no “config”/],
  ['a configuration that is no JSON', metadata('config', '{'), /configuration is not JSON/],
  ['a configuration that is a list', metadata('config', '[]'), /not a JSON object/],
  ['no vocabulary', changed(({ metadata: texts }) => { delete texts.vocabulary; }), /no “vocabulary”/],
  ['a vocabulary that is too short', metadata('vocabulary', 'a\nb'), /lists 2 tokens for a vocabulary of 15/],
  ['heads that do not divide', configured({ heads: 3 }), /3 heads do not divide d_model 8/],
  ['heads of an odd width, turned in pairs', configured({ heads: 8 }), /width 1, 1 numbers cannot be turned/],
  ['half a layer', configured({ layers: 1.5 }), /layers “1.5”; a whole number from 1 to 256/],
  ['no layer', configured({ layers: 0 }), /layers “0”/],
  ['a size that is a text', configured({ d_mlp: '12' }), /d_mlp “12”/],
  ['a size that is missing', configured({ context: undefined }), /context “undefined”/],
  ['a vocabulary of billions', configured({ vocabulary: 4e9 }), /vocabulary “4000000000”; a whole number from 1 to 1,048,576/],
  ['positions of the future', configured({ positions: 'spiral' }), /does not know/],
  ['an activation of the future', configured({ activation: 'swish' }), /does not know/],
  ['an epsilon below 0', configured({ norm_epsilon: -1 }), /does not know/],
  ['a base of nothing', configured({ rotary_base: null }), /does not know/],
  ['more layers than tensors', configured({ layers: 3 }), /no tensor “layers.2/],
  ['another d_model than its tensors’', configured({ d_model: 16 }), /8 where 16 is needed|15 × 8 where 15 × 16/],
  ['a matrix that is turned round', changed(({ tensors }) => { (tensors['layers.1.up.weight'] as { shape: number[] }).shape = [8, 12]; }), /“layers.1.up.weight” is 8 × 12 where 12 × 8/],
  ['int8 without its scale', changed(({ tensors }) => { delete tensors['layers.0.key.scale']; }), /no tensor “layers.0.key.scale”/],
  ['numbers of a type that is not read', changed(({ tensors }) => { tensors['final_norm.gain'] = { type: 'I64', shape: [8], numbers: [1, 2, 3, 4, 5, 6, 7, 8] }; }), /“I64”/],
  ['a gain of int8 without a scale', changed(({ tensors }) => { tensors['final_norm.gain'] = { type: 'I8', shape: [8], numbers: [1, 2, 3, 4, 5, 6, 7, 8] }; }), /“final_norm.gain” is of I8/],
  ['numbers that are none', changed(({ tensors }) => { tensors['final_norm.gain'] = { shape: [8], numbers: [1, 2, NaN, 4, 5, 6, 7, 8] }; }), /“final_norm.gain” holds numbers that are not finite/],
  ['a head table that is no JSON', metadata('heads', '[{]'), /head table is not JSON/],
  ['a head table that is no list', metadata('heads', '{}'), /head table says/],
  ['evidence of a head that is not there', heads({ head: 2 }), /head table says/],
  ['a score above 1', heads({ score: 1.1 }), /head table says/],
  ['a name that is a number', heads({ name: 5 }), /head table says/],
];
for (const [name, file, reason] of broken) {
  test(`what is no whole model is refused with a sentence: ${name}`, async () => {
    await assert.rejects(open(file), refusal('bad_file', reason));
  });
}

test('any byte of the header may be damaged, and any length be cut off: a sentence, or a model', async () => {
  const whole = fileOf(tinyNative());
  const bytes = operators.heapBytes;
  const header = new DataView(whole.buffer).getUint32(0, true);
  let refused = 0;
  const attempt = async (file: Uint8Array) => {
    try {
      (await open(file)).free();
    } catch (error) {
      refusal('bad_file')(error) || refusal('too_large')(error) || assert.fail(error as Error);
      refused += 1;
    }
  };
  for (let at = 0; at < header; at += 17) {
    for (const value of [0, 34, 57, 125, 255]) await attempt(whole.slice().fill(value, at, at + 1));
  }
  for (let length = 0; length < whole.length; length += 173) await attempt(whole.slice(0, length));
  assert.ok(refused > 500, `${refused}`);
  assert.equal(operators.heapBytes, bytes);
});

/** A file whose header alone is there: embeddings of so many rows and columns. */
function sparse(rows: number, columns: number): Blob {
  const tiny = tinyNative('rope', { layers: 1, heads: 1, d_model: columns, d_mlp: 1, context: 1, vocabulary: rows });
  const bytes = rows * columns * 4;
  const header = JSON.stringify({
    __metadata__: { ...tiny.metadata, vocabulary: '\n'.repeat(rows - 1), heads: '[]' },
    'embeddings.weight': { dtype: 'F32', shape: [rows, columns], data_offsets: [0, bytes] },
  });
  const start = withHeader(header);
  return new class extends Blob {
    override get size() {
      return start.length + bytes;
    }
    override slice(begin = 0, end = 0) {
      assert.ok(end <= start.length, 'numbers are read');
      return super.slice(begin, end);
    }
  }([start]);
}

test('a model of more parameters than there is room for is refused before anything is read', async () => {
  await assert.rejects(LanguageModel.open(sparse(2 ** 20, 1024), {}, { operators: async () => assert.fail('started') }),
    refusal('too_large', /needs 4\.3 GB of memory; there is room for 3\.2 GB/));
  await assert.rejects(LanguageModel.open(sparse(2 ** 20, 300), {}, { operators: async () => operators }),
    refusal('too_large', /no memory for the 314,572,800 numbers of “embeddings.weight”/));
});

test('what is made from a file’s sizes counts before it is made: tables, caches, runs', async () => {
  const made: unknown[][] = [];
  const watched = async () => new Proxy(operators, { get: (target, name) => (name === 'rotaryTables' ? (...sizes: Parameters<Operators['rotaryTables']>) => {
    made.push(sizes);
    return target.rotaryTables(...sizes);
  } : typeof target[name as keyof Operators] === 'function' ? (target[name as keyof Operators] as () => void).bind(target) : Reflect.get(target, name)) });
  const model = await LanguageModel.open(configured({ context: 131072 }), {}, { operators: watched });
  assert.equal(model.mostTokens, 4096);
  assert.deepEqual(made, [[4096, 4, 10000, undefined]]);
  model.free();
  // Few parameters, and more to run than there is room for.
  const large = { layers: 1, heads: 1, d_model: 16384, d_mlp: 1, context: 131072, vocabulary: 15 };
  const rotary = { ...large, name: 'x', positions: 'rope', rotary_base: 10000, rotary_interleaved: false, activation: 'gelu_tanh', norm_epsilon: 1e-5 } as const;
  requireRoom(2 ** 30, rotary);
  assert.throws(() => requireRoom(3 * 2 ** 30 - 2 ** 28, rotary), refusal('too_large', /needs 4\.6 GB of memory; there is room for 3\.2 GB/));
  assert.throws(() => requireRoom(NaN), refusal('too_large'));
});

test('what the page’s layer cannot be is refused before anything is loaded', async () => {
  const started = { operators: async () => assert.fail('started'), check: requireWalkable };
  await assert.rejects(LanguageModel.open(sparse(1024, 8192), {}, started), refusal('too_large', /d_model 8192; the page’s layer takes at most 4096/));
});

test('a vocabulary of endless words is looked through in a text’s own time', () => {
  const pieces = new WordPieces(['<unk>', 'x', `${'x'.repeat(20_000)}y`, '##x']);
  assert.deepEqual(pieces.tokenize('x'.repeat(19_999)).map(({ id }) => id).slice(0, 3), [1, 3, 3]);
});

const [gpt] = readCases('Decoder');
assert.ok(gpt);
const gptFile = fileOf({ tensors: gpt2Tensors(gpt) });
const sizes = { n_head: 2 };
const gptBroken: [string, Beside, RegExp][] = [
  ['no config.json for unusual heads', {}, /do not say these sizes/],
  ['a config.json that is none', { config: 'hello' }, /config.json is not JSON/],
  ['heads that do not divide', { config: '{"n_head": 5}' }, /5 heads do not divide/],
  ['heads that are a text', { config: '{"n_head": "2"}' }, /heads “2”/],
  ['another activation', { config: JSON.stringify({ ...sizes, activation_function: 'relu' }) }, /“relu”; gelu_new/],
  ['scores that are scaled otherwise', { config: JSON.stringify({ ...sizes, scale_attn_weights: false }) }, /something other than 1 \/ √d_k/],
  ['an epsilon that is a text', { config: JSON.stringify({ ...sizes, layer_norm_epsilon: '1e-5' }) }, /“1e-5”/],
  ['a vocab.json that is none', { config: '{"n_head": 1}', vocabulary: '[1]', merges: '' }, /vocab.json is not a JSON object/],
  ['the vocabulary of a larger model', { config: '{"n_head": 1}', vocabulary: '{"a": 50256}', merges: '' }, /50256/],
];
for (const [name, beside, reason] of gptBroken) {
  test(`what does not fit a GPT-2 is refused with a sentence: ${name}`, async () => {
    await assert.rejects(open(gptFile, beside), refusal('bad_file', reason));
  });
}

test('config.json names a GPT-2, and without a tokenizer ids are typed', async () => {
  const D = 128;
  const shapes = {
    'wte.weight': [3, D], 'wpe.weight': [4, D], 'ln_f.weight': [D], 'ln_f.bias': [D], 'h.0.attn.bias': [1, 1, 4, 4],
    'h.0.ln_1.weight': [D], 'h.0.ln_1.bias': [D], 'h.0.ln_2.weight': [D], 'h.0.ln_2.bias': [D],
    'h.0.attn.c_attn.weight': [D, 3 * D], 'h.0.attn.c_attn.bias': [3 * D], 'h.0.attn.c_proj.weight': [D, D], 'h.0.attn.c_proj.bias': [D],
    'h.0.mlp.c_fc.weight': [D, 5], 'h.0.mlp.c_fc.bias': [5], 'h.0.mlp.c_proj.weight': [5, D], 'h.0.mlp.c_proj.bias': [D],
  };
  const tensors = Object.fromEntries(Object.entries(shapes).map(([name, shape], i) => [name, { shape, numbers: numbers(shape.reduce((a, b) => a * b), i) }]));
  const model = await open(fileOf({ tensors }), { config: '{"_name_or_path": "mine", "n_head": 2}' });
  const { name, layers, heads, d_mlp, context, vocabulary } = model.configuration;
  assert.deepEqual([name, layers, heads, d_mlp, context, vocabulary], ['mine', 1, 2, 5, 4, 3]);
  assert.deepEqual(model.tokenize('2 0').map(({ id }) => id), [2, 0]);
  assert.deepEqual([model.tokenizer, model.heads], ['ids', []]);
  assert.equal(model.run([2, 0]).weights(0, 1)[0], 1);
  model.free();
});

test('a file of int8 gives the bits of the same file widened', async () => {
  const narrow = tinyNative();
  const wide: Tiny['tensors'] = {};
  for (const [name, tensor] of Object.entries(narrow.tensors)) {
    const scales = narrow.tensors[name.replace(/\.weight$/, '.scale')]?.numbers as Float32Array;
    if (name.endsWith('.scale')) continue;
    const width = tensor.shape[1] as number;
    wide[name] = tensor.type === 'I8' ? { shape: tensor.shape, numbers: Float32Array.from(tensor.numbers, (number, i) => Math.fround(Math.fround(scales[Math.floor(i / width)] as number) * number)) } : tensor;
  }
  const [a, b] = [await open(fileOf(narrow)), await open(fileOf({ ...narrow, tensors: wide }))];
  const [of, other] = [a, b].map((model) => model.run([0, 2, 3, 4]));
  assert.deepEqual(of?.residual(1), other?.residual(1));
  assert.deepEqual(of?.logits(3), other?.logits(3));
  [a, b].forEach((model) => model.free());
});

/** A file that notes how much is read of it at once. */
class Noted extends Blob {
  most = 0;
  override slice(begin = 0, end = this.size): Blob {
    this.most = Math.max(this.most, end - begin);
    return super.slice(begin, end);
  }
}

/** Of Llama's kind, 11.7 million numbers. */
function llamaOf16Bits() {
  const [width, mlp, vocabulary, layers] = [384, 1024, 8000, 5];
  const tensors: Record<string, StoredTensor> = {};
  const some = numbers(99991, 1); // again and again: no two rows are alike
  const put = (name: string, ...shape: number[]) => {
    const all = new Float32Array(shape.reduce((a, b) => a * b));
    for (let at = 0; at < all.length; at += some.length) all.set(some.subarray(0, all.length - at), at);
    tensors[`model.${name}.weight`] = { shape, numbers: all };
  };
  put('embed_tokens', vocabulary, width);
  put('norm', width);
  for (let i = 0; i < layers; i += 1) {
    for (const name of ['q', 'k', 'v', 'o']) put(`layers.${i}.self_attn.${name}_proj`, width, width);
    for (const name of ['gate', 'up']) put(`layers.${i}.mlp.${name}_proj`, mlp, width);
    put(`layers.${i}.mlp.down_proj`, width, mlp);
    for (const name of ['input', 'post_attention']) put(`layers.${i}.${name}_layernorm`, width);
  }
  return { ...inWidths(tensors, 'BF16'), config: JSON.stringify({ model_type: 'llama', num_attention_heads: 6, num_key_value_heads: 6, max_position_embeddings: 64, rms_norm_eps: 1e-5 }) };
}

test('a file of 16-bit numbers takes its own size of memory and little more, is read in parts, and gives the bits of the widened one', async () => {
  const { narrow, wide, config } = llamaOf16Bits();
  const own = await loadInNode();
  const before = own.heapBytes;
  const file = new Noted([storeTensors(narrow)]);
  const model = await LanguageModel.open(file, { config }, { operators: async () => own });
  // Beside its parameters: what a text of 64 tokens needs, and the step by which memory grows.
  assert.ok(own.heapBytes - before < 1.15 * file.size, `${own.heapBytes - before} bytes for a file of ${file.size}`);
  assert.ok(file.most <= 4 << 20, `${file.most} bytes at once`);
  const widened = await open(storeTensors(wide), { config });
  const [a, b] = [model, widened].map((each) => each.run([1, 7000, 30]));
  assert.deepEqual(a?.residual(4), b?.residual(4));
  assert.deepEqual(a?.logits(2), b?.logits(2));
  [model, widened].forEach((each) => each.free());
});

// JSON that says anything: what config.json, tokenizer.json and their like hold, with a value of it replaced, left out or taken from elsewhere.

const HOSTILE: readonly unknown[] = [
  null, true, -1, 0, 1.5, 3, 257, 1e9, 2 ** 53, 1e308, '', 'x', ' ', '\ud800', '(', '[^', '\\p{Nope}', '<s>', '__proto__', 'constructor', 'BPE', 'Unigram', 'WordPiece', 'Sequence', 'ByteLevel',
  [], [[]], ['a', 'b'], [['a', -1]], [{}], {}, { type: 'Sequence' }, { type: 'Split', pattern: { Regex: '(' } }, { type: 'Replace', pattern: { String: '' }, content: 'aa' }, { '': 0 }, { a: -1, b: 1e9 },
];

/** Every place of a value within: where it lies, and under what. */
function placesIn(value: unknown): [holder: Record<string, unknown>, key: string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[value as Record<string, unknown>, key] as [Record<string, unknown>, string], ...placesIn(inner)]);
}

function damaged(text: string, random: Random): string {
  const json = { whole: JSON.parse(text) as unknown };
  for (let n = random.whole(1, 3); n > 0; n -= 1) {
    const places = placesIn(json);
    const [holder, key] = random.pick(places);
    const [other, from] = random.pick(places);
    const way = random.whole(0, 9);
    if (way === 0 && holder !== json && !Array.isArray(holder)) delete holder[key];
    else holder[key] = structuredClone(way < 3 ? other[from] : random.pick(HOSTILE));
  }
  return JSON.stringify(json.whole);
}

const TOKENIZERS: readonly object[] = [
  {
    added_tokens: [{ id: 0, content: '<s>', special: true }], normalizer: { type: 'Sequence', normalizers: [{ type: 'NFC' }, { type: 'Lowercase' }, { type: 'Replace', pattern: { String: ' ' }, content: '▁' }] },
    pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'Split', pattern: { Regex: '\\p{N}{1,3}' }, behavior: 'Isolated', invert: false }, { type: 'Digits', individual_digits: true }] },
    post_processor: { type: 'TemplateProcessing', single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }], pair: [], special_tokens: { '<s>': { id: '<s>', ids: [0], tokens: ['<s>'] } } },
    decoder: { type: 'Fuse' }, model: { type: 'BPE', unk_token: '<s>', fuse_unk: true, byte_fallback: false, vocab: { '<s>': 0, a: 1, t: 2, at: 3, '▁': 4 }, merges: ['a t'] },
  },
  { added_tokens: [], normalizer: { type: 'NFKC' }, pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true }, post_processor: null, decoder: null, model: { type: 'Unigram', unk_id: 0, vocab: [['<unk>', 0], ['▁', -1], ['a', -2], ['at', -3]], byte_fallback: false } },
  {
    added_tokens: [{ id: 1, content: '[CLS]', special: true }], normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true }, pre_tokenizer: { type: 'BertPreTokenizer' }, post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true }, model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100, vocab: { '[UNK]': 0, '[CLS]': 1, at: 2, '##a': 3 } },
  },
];

test('whatever a value of config.json or of the tokenizer’s files is replaced by: a sentence, or a model that reads', async () => {
  const [llama] = readCases('Llama');
  assert.ok(llama);
  const of = (name: string) => Number(llama.attributes.get(name));
  const config = JSON.stringify({
    architectures: ['LlamaForCausalLM'], model_type: 'llama', hidden_act: 'silu', max_position_embeddings: 128, rms_norm_eps: 1e-5, num_attention_heads: of('num_heads'), num_key_value_heads: of('num_kv_heads'),
    head_dim: of('head_dim'), num_hidden_layers: of('layers'), rope_theta: of('base'), rope_scaling: { rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 64 },
    tie_word_embeddings: false, attention_bias: false, sliding_window: null, bos_token_id: 1, vocab_size: 8,
  });
  const gptConfig = JSON.stringify({ model_type: 'gpt2', architectures: ['GPT2LMHeadModel'], n_head: 2, n_layer: 2, n_positions: 16, activation_function: 'gelu_new', layer_norm_epsilon: 1e-5, scale_attn_weights: true, bos_token_id: 0 });
  const special = JSON.stringify({ bos_token: { content: '<s>', lstrip: false }, unk_token: '<s>', add_bos_token: true, added_tokens_decoder: { 0: { content: '<s>', special: true } } });
  const models: [Uint8Array, string][] = [[fileOf({ tensors: tensorsOf(llama) }), config], [gptFile, gptConfig]];
  const random = new Random(24);
  const bytes = operators.heapBytes;
  let [refused, read] = [0, 0];
  for (let i = 0; i < 1000; i += 1) {
    const [file, text] = random.pick(models);
    const words: Record<string, string> = random.whole(0, 3) === 0 ? { vocabulary: '{"<s>": 0, "a": 1, "t": 2, "at": 3}', merges: '#version: 0.2\na t' } : { tokenizer: JSON.stringify(random.pick(TOKENIZERS)) };
    const beside: Record<string, string> = { config: text, ...words, special, tokenizerConfig: special, added: '{"<s>": 0}' };
    const damage = random.pick(['config', 'tokenizer', 'tokenizer', 'vocabulary', 'special', 'tokenizerConfig', 'added'].filter((name) => name in beside));
    beside[damage] = damaged(beside[damage] as string, random);
    try {
      const model = await open(file, beside);
      try {
        const ids = model.tokenize('a at 12').map(({ id }) => id).slice(0, model.mostTokens);
        if (ids.length) model.run(ids);
        ids.forEach((id) => model.word(id));
        read += 1;
      } finally {
        model.free();
      }
    } catch (error) {
      assert.ok(error instanceof AttentionError && /^\S.*[.]$/s.test(error.message), `${damage}: ${beside[damage]}\n${(error as Error).stack}`);
      refused += 1;
    }
  }
  assert.ok(refused > 150 && read > 150, `${refused} refused, ${read} read`);
  assert.equal(operators.heapBytes, bytes);
});
