// Files of models, well and broken, made for tests: safetensors, and whole models of a few hundred numbers.
import type { Case, CaseTensor } from './cases.ts';
import { AttentionError } from '../../web/src/engine/error.ts';

export interface StoredTensor {
  /** F32 when left out. */
  type?: string;
  shape: readonly number[];
  numbers: ArrayLike<number>;
}

export type StoredTensors = Readonly<Record<string, StoredTensor>>;

const ARRAYS = { F64: Float64Array, F32: Float32Array, F16: Uint16Array, BF16: Uint16Array, I8: Int8Array, I64: BigInt64Array } as const;

function bytesOf({ type = 'F32', numbers }: StoredTensor): Uint8Array {
  const array = type === 'I64' ? BigInt64Array.from(Array.from(numbers, BigInt)) : ARRAYS[type as 'F32'].from(numbers);
  return new Uint8Array(array.buffer);
}

/** Numbers of F16 and BF16 are given as their bits. */
export function storeTensors(tensors: StoredTensors, metadata?: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  let end = 0;
  const header: Record<string, unknown> = metadata ? { __metadata__: metadata } : {};
  const parts = Object.entries(tensors).map(([name, tensor]) => {
    const bytes = bytesOf(tensor);
    header[name] = { dtype: tensor.type ?? 'F32', shape: tensor.shape, data_offsets: [end, end += bytes.length] };
    return bytes;
  });
  return withHeader(JSON.stringify(header), ...parts);
}

/** Any text as a header, and what follows it. */
export function withHeader(header: string, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(header);
  const file = new Uint8Array(8 + text.length + parts.reduce((sum, { length }) => sum + length, 0));
  new DataView(file.buffer).setUint32(0, text.length, true);
  let at = 8;
  for (const part of [text, ...parts]) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

/** The matrices among F32 tensors as bits of 16, and the same numbers widened: two files that are one model. */
export function inWidths(tensors: StoredTensors, type: 'BF16' | 'F16'): { narrow: StoredTensors; wide: StoredTensors } {
  const matrices = Object.entries(tensors).filter(([name, { type: own, shape }]) => shape.length === 2 && name.endsWith('.weight') && (own ?? 'F32') === 'F32');
  const bits = matrices.map(([name, { shape, numbers: given }]) => [name, { shape, type, numbers: Uint16Array.from(new Uint32Array(Float32Array.from(given).buffer), type === 'BF16' ? (word) => word >>> 16 : nearHalf) }] as const);
  const widened = bits.map(([name, { shape, numbers: halves }]) => [name, { shape, numbers: type === 'BF16' ? new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer) : Float32Array.from(halves, ofHalf) }] as const);
  return { narrow: { ...tensors, ...Object.fromEntries(bits) }, wide: { ...tensors, ...Object.fromEntries(widened) } };
}

/** Some binary16 of the sign and about the size of a float32, small ones subnormal. */
function nearHalf(word: number): number {
  const exponent = ((word >>> 23) & 0xff) - 112;
  return ((word >>> 31) << 15) | (exponent > 0 && exponent < 31 ? (exponent << 10) | ((word >>> 13) & 0x3ff) : word & 0x3ff);
}

/** IEEE 754-2019, 3.4. */
export function ofHalf(half: number): number {
  const [exponent, fraction] = [(half >> 10) & 31, half & 1023];
  return (half >> 15 ? -1 : 1) * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24);
}

/** Of Philox's kind, but plain: the same numbers for the same seed, between −1 and 1. */
export const numbers = (count: number, seed: number) => Float32Array.from({ length: count }, (_, i) => Math.sin(1e4 * Math.sin(i + 31 * seed)));

/** Tokens of the tiny vocabulary. */
export const WORDS = ['<s>', '<unk>', 'the', 'cat', 'sat', '.', 's', 'a', '##a', '##t', '##s', "'", 'é', '##c', 'ca'];

export interface Tiny {
  tensors: Record<string, { type?: string; shape: number[]; numbers: ArrayLike<number> }>;
  metadata: Record<string, string>;
}

/** In this page's own layout, matrices of int8. */
export function tinyNative(positions: 'rope' | 'query_key' | 'learned' = 'rope', change: Record<string, unknown> = {}): Tiny {
  const [V, D, H, MLP, CONTEXT] = [WORDS.length, 8, 2, 12, 16];
  const config = {
    name: 'tiny', layers: 2, heads: H, d_model: D, d_mlp: MLP, context: CONTEXT, vocabulary: V, positions,
    rotary_base: 10000, rotary_interleaved: false, activation: 'gelu_tanh', norm_epsilon: 1e-5, start: '<s>', ...change,
  };
  const tensors: Tiny['tensors'] = {};
  let seed = 0;
  const float = (name: string, ...shape: number[]) => {
    tensors[name] = { shape, numbers: numbers(shape.reduce((a, b) => a * b), seed += 1) };
  };
  const int8 = (name: string, rows: number, columns: number) => {
    tensors[`${name}.weight`] = { type: 'I8', shape: [rows, columns], numbers: numbers(rows * columns, seed += 1).map((x) => Math.round(127 * x)) };
    tensors[`${name}.scale`] = { shape: [rows], numbers: numbers(rows, seed += 1).map((x) => 0.004 * (2 + x)) };
  };
  const norm = (name: string) => ['gain', 'bias'].forEach((part) => float(`${name}.${part}`, D));
  int8('embeddings', V, D);
  if (positions !== 'rope') float('positions.weight', CONTEXT, D);
  for (let i = 0; i < 2; i += 1) {
    norm(`layers.${i}.norm_1`);
    for (const name of ['query', 'key', 'value', 'out_proj']) int8(`layers.${i}.${name}`, D, D);
    float(`layers.${i}.out_proj.bias`, D);
    norm(`layers.${i}.norm_2`);
    int8(`layers.${i}.up`, MLP, D);
    int8(`layers.${i}.down`, D, MLP);
  }
  norm('final_norm');
  const heads = [{ layer: 1, head: 0, relation: 'previous', name: 'the word before', score: 0.9, baseline: 0.9, baseline_offset: -1, cases: 10, sentences: 5, named: true }];
  return { tensors, metadata: { format: 'attention-playground 1', config: JSON.stringify(config), vocabulary: WORDS.join('\n'), heads: JSON.stringify(heads) } };
}

export const fileOf = ({ tensors, metadata }: { tensors: StoredTensors; metadata?: Record<string, string> }) => storeTensors(tensors, metadata);

/** A conformance case of a whole decoder under GPT-2's usual names. */
export function gpt2Tensors({ inputs, attributes }: Case, prefix = ''): Tiny['tensors'] {
  const tensors: Tiny['tensors'] = {};
  const put = (name: string, from: string) => {
    const { shape, numbers: values } = inputs.get(from) as CaseTensor;
    tensors[name] = { shape: [...shape], numbers: values };
  };
  const [norm, linear] = [{ weight: 'g', bias: 'b' }, { weight: 'w', bias: 'b' }];
  const both = (name: string, from: string, parts: typeof norm) => Object.entries(parts).forEach(([part, short]) => put(`${prefix}${name}.${part}`, `${from}.${short}`));
  put(`${prefix}wte.weight`, 'wte');
  put(`${prefix}wpe.weight`, 'wpe');
  for (let i = 0; i < Number(attributes.get('layers')); i += 1) {
    for (const name of ['ln_1', 'ln_2']) both(`h.${i}.${name}`, `h${i}.${name}`, norm);
    for (const name of ['attn.c_attn', 'attn.c_proj', 'mlp.c_fc', 'mlp.c_proj']) both(`h.${i}.${name}`, `h${i}.${name}`, linear);
    tensors[`${prefix}h.${i}.attn.bias`] = { type: 'I64', shape: [1, 1, 2, 2], numbers: [1, 0, 1, 1] }; // a mask of a type that is not read
  }
  both('ln_f', 'ln_f', norm);
  if (inputs.has('lm_head')) put('lm_head.weight', 'lm_head');
  return tensors;
}

export const refusal = (code: string, reason: RegExp = /./) => (error: unknown) =>
  error instanceof AttentionError && error.code === code && reason.test(error.message) && /^\S.*[.]$/s.test(error.message);

/** Calls `put` with the name and shape of each tensor of a file in GPT-2's layout, its biases and norms too. */
export function eachOfGpt2({ V, D, CONTEXT, LAYERS }: Record<'V' | 'D' | 'CONTEXT' | 'LAYERS', number>, put: (name: string, ...shape: number[]) => void): void {
  put('wte.weight', V, D);
  put('wpe.weight', CONTEXT, D);
  for (let i = 0; i < LAYERS; i += 1) {
    for (const [name, from, to] of [['attn.c_attn', D, 3 * D], ['attn.c_proj', D, D], ['mlp.c_fc', D, 4 * D], ['mlp.c_proj', 4 * D, D]] as const) {
      put(`h.${i}.${name}.weight`, from, to);
      put(`h.${i}.${name}.bias`, to);
    }
    for (const name of ['ln_1', 'ln_2']) for (const part of ['weight', 'bias']) put(`h.${i}.${name}.${part}`, D);
  }
  for (const part of ['weight', 'bias']) put(`ln_f.${part}`, D);
}

// GGUF, as llama.cpp writes it.

type Bytes = Buffer<ArrayBuffer>;
export type GgufValue = number | boolean | string | readonly (string | number)[];
export interface GgufTensor { shape: readonly number[]; type: 'F32' | 'F16' | 'Q8_0' | number; numbers: ArrayLike<number> }

const GGUF_TYPES = { F32: 0, F16: 1, Q8_0: 8 } as const;
const u32 = (x: number): Bytes => Buffer.from(Uint32Array.of(x).buffer);
const u64 = (x: number | bigint): Bytes => Buffer.from(BigUint64Array.of(BigInt(x)).buffer);
const text = (x: string): Bytes => Buffer.concat([u64(Buffer.byteLength(x)), Buffer.from(x)]);
const float = (x: number): Bytes => Buffer.from(Float32Array.of(x).buffer);

function written(value: GgufValue): Bytes {
  if (typeof value === 'string') return Buffer.concat([u32(8), text(value)]);
  if (typeof value === 'boolean') return Buffer.concat([u32(7), Buffer.of(Number(value))]);
  if (typeof value === 'number') return Number.isInteger(value) ? Buffer.concat([u32(4), u32(value)]) : Buffer.concat([u32(6), float(value)]);
  const type = typeof value[0] === 'string' ? 8 : value.every(Number.isInteger) ? 5 : 6;
  const write = (each: string | number) => (type === 8 ? text(String(each)) : type === 5 ? u32(Number(each)) : float(Number(each)));
  return Buffer.concat([u32(9), u32(type), u64(value.length), ...value.map(write)]);
}

/** As IEEE 754 binary16, of numbers that it holds exactly. */
function half(x: number): number {
  if (x === 0) return 0;
  const exponent = Math.max(-14, Math.floor(Math.log2(Math.abs(x))));
  const mantissa = Math.round(Math.abs(x) / 2 ** (exponent - 10));
  return (x < 0 ? 0x8000 : 0) + (mantissa >= 1024 ? ((exponent + 15) << 10) + mantissa - 1024 : mantissa);
}
/** The nearest such number, of the middle sizes. */
export const rounded = (x: number) => (x === 0 ? 0 : Math.round(x / 2 ** (Math.floor(Math.log2(Math.abs(x))) - 10)) * 2 ** (Math.floor(Math.log2(Math.abs(x))) - 10));

export function blocks(values: ArrayLike<number>): Bytes {
  return Buffer.concat(Array.from({ length: values.length / 32 }, (_, b) => {
    const own = Array.from({ length: 32 }, (__, i) => values[32 * b + i] as number);
    const scale = rounded(Math.max(...own.map(Math.abs)) / 127) || 1;
    return Buffer.concat([Buffer.from(Uint16Array.of(half(scale)).buffer), Buffer.from(Int8Array.from(own, (x) => Math.max(-127, Math.min(127, Math.round(x / scale)))).buffer)]);
  }));
}

function ggufBytes({ type, numbers: values }: GgufTensor): Bytes {
  if (type === 'F16') return Buffer.from(Uint16Array.from(Array.from(values, half)).buffer);
  return type === 'Q8_0' ? blocks(values) : Buffer.from(Float32Array.from(values).buffer);
}

export function gguf(metadata: Readonly<Record<string, GgufValue>>, tensors: Readonly<Record<string, GgufTensor>>, { version = 3, alignment = 32 } = {}): Blob {
  let offset = 0;
  const parts: Bytes[] = [];
  const infos = Object.entries(tensors).map(([name, tensor]) => {
    const bytes = ggufBytes(tensor);
    const info = Buffer.concat([text(name), u32(tensor.shape.length), ...tensor.shape.toReversed().map(u64), u32(typeof tensor.type === 'number' ? tensor.type : GGUF_TYPES[tensor.type]), u64(offset)]);
    const padded = Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)]);
    parts.push(padded);
    offset += padded.length;
    return info;
  });
  const head = Buffer.concat([Buffer.from('GGUF'), u32(version), u64(infos.length), u64(Object.keys(metadata).length), ...Object.entries(metadata).flatMap(([key, value]) => [text(key), written(value)]), ...infos]);
  return new Blob([head, Buffer.alloc((alignment - (head.length % alignment)) % alignment), ...parts]);
}

// llama2.c's files, as its export.py and tokenizer.py write them.

export interface Llama2c { heads: number; keyHeads: number; context: number; version?: 0 | 1 | 2; change?: (sizes: number[]) => number[] }

/** @param tensors under Meta's names, matrices (out, in) */
export function llama2c(tensors: StoredTensors, { heads, keyHeads, context, version = 0, change = (sizes) => sizes }: Llama2c): Bytes {
  const of = (name: string) => tensors[`${name}.weight`] as StoredTensor;
  const layers = Object.keys(tensors).filter((name) => name.endsWith('.attention_norm.weight')).length;
  const bytes = (...names: readonly string[]) => names.map((name) => Buffer.from(Float32Array.from(of(name).numbers).buffer));
  const each = (part: string) => bytes(...Array.from({ length: layers }, (_, i) => `layers.${i}.${part}`));
  const [[vocabulary = 0, dim = 0], [hidden = 0]] = [of('tok_embeddings').shape, of('layers.0.feed_forward.w1').shape];
  const isOwn = 'output.weight' in tensors;
  const half = dim / heads / 2;
  const angles = Array.from({ length: context * half }, (_, i) => Math.floor(i / half) / 10000 ** ((i % half) / half));
  const tables = [Math.cos, Math.sin].map((turn) => Buffer.from(Float32Array.from(angles, turn).buffer));
  const [attention, mlp] = [['wq', 'wk', 'wv', 'wo'].flatMap((part) => each(`attention.${part}`)), ['w1', 'w2', 'w3'].flatMap((part) => each(`feed_forward.${part}`))];
  const output = isOwn ? bytes('output') : [];
  const sizes = Buffer.from(Int32Array.from(change([dim, hidden, layers, heads, keyHeads, version === 0 && isOwn ? -vocabulary : vocabulary, context])).buffer);
  if (version === 0) return Buffer.concat([sizes, ...bytes('tok_embeddings'), ...each('attention_norm'), ...attention, ...each('ffn_norm'), ...mlp, ...bytes('norm'), ...tables, ...output]);
  const header = Buffer.concat([u32(0x616b3432), u32(version), sizes, Buffer.of(Number(!isOwn))]);
  return Buffer.concat([header, Buffer.alloc(256 - header.length), ...each('attention_norm'), ...each('ffn_norm'), ...bytes('norm', 'tok_embeddings'), ...attention, ...mlp, ...output]);
}

/** tokenizer.bin. The marks of a text stand between line breaks in it. */
export const llama2cPieces = (tokens: readonly string[], scores: readonly number[]): Bytes => Buffer.concat([u32(7), ...tokens.flatMap((token, id) => {
  const written = Buffer.from(id === 1 || id === 2 ? `\n${token}\n` : token.replaceAll('▁', ' '));
  return [float(scores[id] ?? 0), u32(written.length), written];
})]);

// Whole models of each kind, of a few thousand numbers.

export const SMALL = { V: 300, D: 16, LAYERS: 3, HEADS: 4, CONTEXT: 32 } as const;
const { V, D, LAYERS, HEADS, CONTEXT } = SMALL;
/** Every byte a token, as GPT-2 writes them, and three merges. */
export function bytePairs(): { vocabulary: string; merges: string } {
  const printable = [...Array(256).keys()].filter((byte) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174);
  let next = 256;
  const letters = Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable.includes(byte) ? byte : next++));
  const merged = ['th', 'the', 'Ġa'];
  const words = [...letters, ...merged, ...Array.from({ length: V - 256 - merged.length }, (_, i) => `<spare${i}>`)];
  return { vocabulary: JSON.stringify(Object.fromEntries(words.map((word, id) => [word, id]))), merges: '#version: 0.2\nt h\nth e\nĠ a' };
}

export function smallGpt2(change: (tensors: Record<string, { shape: number[]; numbers: ArrayLike<number> }>) => void = () => {}): Uint8Array {
  const tensors: Record<string, { shape: number[]; numbers: ArrayLike<number> }> = {};
  let seed = 0;
  const put = (name: string, ...shape: number[]) => {
    tensors[name] = { shape, numbers: numbers(shape.reduce((a, b) => a * b), seed += 1).map((x) => 0.4 * x) };
  };
  eachOfGpt2({ V, D, CONTEXT, LAYERS }, put);
  change(tensors);
  return storeTensors(tensors as StoredTensors);
}

export const GPT2_CONFIG = JSON.stringify({ n_head: HEADS, n_layer: LAYERS, n_embd: D, activation_function: 'gelu_new', layer_norm_epsilon: 1e-5 });

/** Of bfloat16: the upper half of float32's. */
const bits = (values: Float32Array) => Uint16Array.from(new Uint32Array(values.buffer), (word) => word >>> 16);

/** Grouped key heads of a width of their own, turned by another base than the page's; bfloat16. */
export function smallLlama({ D = SMALL.D, LAYERS = SMALL.LAYERS, WIDTH = 6 }: { D?: number; LAYERS?: number; WIDTH?: number } = {}): { bytes: Uint8Array; config: string } {
  const [KEY_HEADS, MLP] = [2, 40];
  const tensors: Record<string, { type: 'BF16'; shape: number[]; numbers: ArrayLike<number> }> = {};
  let seed = 50;
  const put = (name: string, ...shape: number[]) => {
    tensors[`model.${name}.weight`] = { type: 'BF16', shape, numbers: bits(numbers(shape.reduce((a, b) => a * b), seed += 1).map((x) => 0.5 * x)) };
  };
  put('embed_tokens', V, D);
  put('norm', D);
  for (let i = 0; i < LAYERS; i += 1) {
    for (const [name, rows, columns] of [
      ['self_attn.q_proj', HEADS * WIDTH, D], ['self_attn.k_proj', KEY_HEADS * WIDTH, D], ['self_attn.v_proj', KEY_HEADS * WIDTH, D], ['self_attn.o_proj', D, HEADS * WIDTH],
      ['mlp.gate_proj', MLP, D], ['mlp.up_proj', MLP, D], ['mlp.down_proj', D, MLP],
    ] as const) put(`layers.${i}.${name}`, rows, columns);
    for (const name of ['input_layernorm', 'post_attention_layernorm']) put(`layers.${i}.${name}`, D);
  }
  const config = { model_type: 'llama', num_attention_heads: HEADS, num_key_value_heads: KEY_HEADS, head_dim: WIDTH, rope_theta: 100000, max_position_embeddings: CONTEXT, rms_norm_eps: 1e-5 };
  return { bytes: storeTensors(tensors), config: JSON.stringify(config) };
}

/** As Pythia: half of each head is turned, attention and MLP side by side. */
export function smallNeox(): { bytes: Uint8Array; config: string } {
  const tensors: Record<string, { shape: number[]; numbers: ArrayLike<number> }> = {};
  let seed = 90;
  const put = (name: string, ...shape: number[]) => {
    tensors[name] = { shape, numbers: numbers(shape.reduce((a, b) => a * b), seed += 1).map((x) => 0.5 * x) };
  };
  put('gpt_neox.embed_in.weight', V, D);
  put('embed_out.weight', V, D);
  for (let i = 0; i < LAYERS; i += 1) {
    const at = `gpt_neox.layers.${i}.`;
    for (const [name, rows, columns] of [['attention.query_key_value', 3 * D, D], ['attention.dense', D, D], ['mlp.dense_h_to_4h', 4 * D, D], ['mlp.dense_4h_to_h', D, 4 * D]] as const) {
      put(`${at}${name}.weight`, rows, columns);
      put(`${at}${name}.bias`, rows);
    }
    for (const name of ['input_layernorm', 'post_attention_layernorm']) for (const part of ['weight', 'bias']) put(`${at}${name}.${part}`, D);
  }
  for (const part of ['weight', 'bias']) put(`gpt_neox.final_layer_norm.${part}`, D);
  const config = { model_type: 'gpt_neox', num_attention_heads: HEADS, num_hidden_layers: LAYERS, hidden_size: D, hidden_act: 'gelu', rotary_pct: 0.5, use_parallel_residual: true, max_position_embeddings: CONTEXT };
  return { bytes: storeTensors(tensors as StoredTensors), config: JSON.stringify(config) };
}

/** The same as smallGpt2(), as llama.cpp writes it: every matrix (out, in); in `count` parts. */
export async function smallGguf(count: number): Promise<readonly (readonly [string, number[]])[]> {
  const { vocabulary, merges } = bytePairs();
  const tokens = Object.entries(JSON.parse(vocabulary) as Record<string, number>).sort(([, a], [, b]) => a - b).map(([token]) => token);
  const metadata = {
    'general.architecture': 'gpt2', 'gpt2.block_count': LAYERS, 'gpt2.context_length': CONTEXT, 'gpt2.embedding_length': D, 'gpt2.attention.head_count': HEADS, 'gpt2.attention.layer_norm_epsilon': Math.fround(1e-5),
    'tokenizer.ggml.model': 'gpt2', 'tokenizer.ggml.pre': 'gpt-2', 'tokenizer.ggml.tokens': tokens, 'tokenizer.ggml.merges': merges.split('\n').slice(1),
  };
  const NAMES = [[/^wte/, 'token_embd'], [/^wpe/, 'position_embd'], [/^ln_f/, 'output_norm'], [/^h\.(\d+)\./, 'blk.$1.'], [/ln_1/, 'attn_norm'], [/ln_2/, 'ffn_norm'], [/attn\.c_attn/, 'attn_qkv'], [/attn\.c_proj/, 'attn_output'], [/mlp\.c_fc/, 'ffn_up'], [/mlp\.c_proj/, 'ffn_down']] as const;
  const stored: [string, GgufTensor][] = [];
  smallGpt2((tensors) => {
    for (const [name, { shape, numbers: values }] of Object.entries(tensors)) {
      const [rows = 0, columns = 0] = shape;
      const turned = /\.c_\w+\.weight$/.test(name);
      stored.push([NAMES.reduce((now, [from, to]) => now.replace(from, to), name), { type: 'F32', shape: turned ? [columns, rows] : shape, numbers: turned ? Array.from({ length: rows * columns }, (_, i) => values[(i % rows) * columns + Math.floor(i / rows)] as number) : values }]);
    }
  });
  return Promise.all(Array.from({ length: count }, async (_, no) => {
    const own = stored.slice(Math.floor((no * stored.length) / count), Math.floor(((no + 1) * stored.length) / count));
    const bytes = await gguf({ ...(no === 0 && metadata), ...(count > 1 && { 'split.no': no, 'split.count': count }) }, Object.fromEntries(own)).arrayBuffer();
    return [count > 1 ? `tiny-${String(no + 1).padStart(5, '0')}-of-${String(count).padStart(5, '0')}.gguf` : 'tiny.gguf', [...new Uint8Array(bytes)]] as const;
  }));
}

export const PIECES = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'the', 'cat', 'sat', '##s', '.', 'a', 'on', 'mat', 'dog', 'ran', 'hat'];
export const BERT_CONFIG = JSON.stringify({ model_type: 'bert', num_attention_heads: HEADS, num_hidden_layers: 2, hidden_size: D, hidden_act: 'gelu', layer_norm_eps: 1e-12 });

export function smallBert(guesses = true): Uint8Array {
  const tensors: Record<string, { shape: number[]; numbers: ArrayLike<number> }> = {};
  let seed = 20;
  const put = (name: string, ...shape: number[]) => {
    tensors[name] = { shape, numbers: numbers(shape.reduce((a, b) => a * b), seed += 1).map((x) => 0.6 * x) };
  };
  const linear = (name: string, rows: number, columns: number) => {
    put(`${name}.weight`, rows, columns);
    put(`${name}.bias`, rows);
  };
  const norm = (name: string) => ['gamma', 'beta'].forEach((part) => put(`${name}.LayerNorm.${part}`, D)); // as the first files have them
  for (const [name, rows] of [['word', PIECES.length], ['position', CONTEXT], ['token_type', 2]] as const) put(`bert.embeddings.${name}_embeddings.weight`, rows, D);
  norm('bert.embeddings');
  for (let i = 0; i < 2; i += 1) {
    const at = `bert.encoder.layer.${i}`;
    for (const part of ['query', 'key', 'value']) linear(`${at}.attention.self.${part}`, D, D);
    linear(`${at}.attention.output.dense`, D, D);
    linear(`${at}.intermediate.dense`, 4 * D, D);
    linear(`${at}.output.dense`, D, 4 * D);
    norm(`${at}.attention.output`);
    norm(`${at}.output`);
  }
  if (guesses) {
    linear('cls.predictions.transform.dense', D, D);
    norm('cls.predictions.transform');
    put('cls.predictions.bias', PIECES.length);
  }
  return storeTensors(tensors as StoredTensors);
}
