// GGUF, llama.cpp's format (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md), read without trust: its tensors as a
// safetensors file under the names that the layouts know, and its metadata as the files that lie beside one.
import { msg, str } from '@lit/localize';
import { clipped, listed } from '../../lib/format.ts';
import { hasBesides } from './config-rules.ts';
import { MOST, requireRoom } from './configuration.ts';
import type { Beside } from './load.ts';
import { broken, numbersOf, quote, refusePointer } from './safetensors.ts';

const MOST_HEADER = 64 << 20;
/** Bytes of a block of Q8_0: 32 numbers behind their scale, a float16. */
const [BLOCK, BLOCK_BYTES] = [32, 34];
/** What is read as it lies: type, its name, bytes of a number. */
const READ: Readonly<Record<number, readonly [name: string, bytes: number]>> = { 0: ['F32', 4], 1: ['F16', 2], 8: ['Q8_0', BLOCK_BYTES / BLOCK], 30: ['BF16', 2] };
const OTHERS: Readonly<Record<number, string>> = {
  2: 'Q4_0', 3: 'Q4_1', 6: 'Q5_0', 7: 'Q5_1', 9: 'Q8_1', 10: 'Q2_K', 11: 'Q3_K', 12: 'Q4_K', 13: 'Q5_K', 14: 'Q6_K', 15: 'Q8_K', 16: 'IQ2_XXS', 17: 'IQ2_XS', 18: 'IQ3_XXS', 19: 'IQ1_S', 20: 'IQ4_NL', 21: 'IQ3_S', 22: 'IQ2_S', 23: 'IQ4_XS', 24: 'I8', 25: 'I16', 26: 'I32', 27: 'I64', 28: 'F64', 29: 'IQ1_M', 34: 'TQ1_0', 35: 'TQ2_0', 39: 'MXFP4',
};

/** What a part of a model is called here, and by the layout that reads it. */
type Names = Readonly<Record<string, string>>;
// Rows of Llama's queries and keys lie in pairs that are turned together, as Meta stores them: so it is read as Meta's.
const LLAMA: Names = {
  token_embd: 'tok_embeddings', output_norm: 'norm', output: 'output', attn_norm: 'attention_norm', ffn_norm: 'ffn_norm', attn_q: 'attention.wq', attn_k: 'attention.wk', attn_v: 'attention.wv', attn_output: 'attention.wo',
  ffn_gate: 'feed_forward.w1', ffn_up: 'feed_forward.w3', ffn_down: 'feed_forward.w2', block: 'layers',
};
const QWEN2: Names = {
  token_embd: 'embed_tokens', output_norm: 'norm', output: 'lm_head', attn_norm: 'input_layernorm', ffn_norm: 'post_attention_layernorm', attn_q: 'self_attn.q_proj', attn_k: 'self_attn.k_proj', attn_v: 'self_attn.v_proj', attn_output: 'self_attn.o_proj',
  ffn_gate: 'mlp.gate_proj', ffn_up: 'mlp.up_proj', ffn_down: 'mlp.down_proj', block: 'layers',
};
const QWEN3: Names = { ...QWEN2, attn_q_norm: 'self_attn.q_norm', attn_k_norm: 'self_attn.k_norm' };
const GPT2: Names = {
  token_embd: 'wte', position_embd: 'wpe', output_norm: 'ln_f', output: 'lm_head', attn_norm: 'ln_1', ffn_norm: 'ln_2', attn_qkv: 'attn.c_attn', attn_output: 'attn.c_proj', ffn_up: 'mlp.c_fc', ffn_down: 'mlp.c_proj', block: 'h',
};
const ARCHITECTURES: Readonly<Record<string, Names>> = { llama: LLAMA, qwen2: QWEN2, qwen3: QWEN3, gpt2: GPT2 };

type Value = number | boolean | string | readonly Value[];
interface Tensor { name: string; shape: readonly number[]; type: number; offset: number }

type Stored = Blob & { readonly name?: string };

interface Part { file: Blob; values: Map<string, Value>; tensors: readonly Tensor[]; data: number }

/** @param files one model, or all parts of it as llama-gguf-split makes them @throws AttentionError with a sentence */
export async function readGguf(...files: readonly Stored[]): Promise<{ model: readonly Blob[]; beside: Beside }> {
  const parts = await partsOf(files);
  const { values } = parts[0] as Part;
  const tensors = parts.flatMap((part) => part.tensors);
  const architecture = String(values.get('general.architecture') ?? '');
  const names = Object.hasOwn(ARCHITECTURES, architecture) ? ARCHITECTURES[architecture] : undefined;
  const what = hasBesides(architecture);
  if (what) throw broken(msg(str`This GGUF file holds a model of the architecture ${quote(architecture)}. It has ${what}, which cannot be run yet; ${Object.keys(ARCHITECTURES).join(', ')} can. Choose one of these.`));
  if (architecture === 'gptneox' || architecture === 'bert') throw broken(msg(str`This GGUF file holds a model of the architecture ${quote(architecture)}, which is read from .safetensors alone. Choose the .safetensors file of this model, with its config.json and tokenizer.json.`));
  if (!names) throw broken(msg(str`This GGUF file holds a model of the architecture ${quote(architecture)}; ${Object.keys(ARCHITECTURES).join(', ')} can be run. Choose one of these.`));
  requireRoom(tensors.reduce((sum, { shape, type }) => sum + numbersOf(shape) * (READ[type]?.[1] ?? 4), 0));
  const turned = await factorsOf(parts);
  const config = JSON.stringify(architecture === 'gpt2' ? ofGpt2(values) : ofLlama(values, architecture, turned));
  return { model: parts.map((part) => asSafetensors(part, names)), beside: { config, ...tokenizerOf(values) } };
}

/** Of files that are each a whole model. */
export const severalModels = (names: readonly string[]): Error => broken(msg(str`Here are ${names.length} models: ${listed(names.map((name) => clipped(name))).join('')}. Choose one, with config.json and tokenizer.json beside it where you have them.`));

/** In their order, the first of which says what the model is. @throws AttentionError where one is missing */
async function partsOf(files: readonly Stored[]): Promise<readonly Part[]> {
  const parts = await Promise.all(files.map(partOf));
  if (files.length > 1 && parts.every(({ values }) => Number(values.get('split.count') ?? 1) <= 1)) throw severalModels(files.map(({ name = '' }) => name));
  const place = ({ values }: Part) => Number(values.get('split.no') ?? 0);
  const count = Number(parts[0]?.values.get('split.count') ?? 1);
  parts.sort((a, b) => place(a) - place(b));
  const isWhole = parts.length === Math.max(1, count) && parts.every((part, i) => place(part) === i && Number(part.values.get('split.count') ?? 1) === count);
  if (!isWhole) throw broken(msg(str`A model in several GGUF files opens when all its parts, and no others, are chosen or dropped together. It has ${count} parts, and here are ${parts.length}. Choose all of them, or join them with llama-gguf-split --merge.`));
  return parts;
}

async function partOf(file: Blob): Promise<Part> {
  const { values, tensors, end } = headerOf(new Uint8Array(await file.slice(0, MOST_HEADER).arrayBuffer()), file.size);
  const alignment = Number(values.get('general.alignment') ?? 32);
  if (!(alignment >= 1 && alignment <= 1 << 20)) throw damaged();
  return { file, values, tensors, data: Math.ceil(end / alignment) * alignment };
}

// Llama 3.1 and later turn slow pairs slower still. GGUF stores by how much, a number a pair, where config.json says the rule.

const FACTORS = 'rope_freqs.weight';
/** As each Llama 3 has them; GGUF does not say, so they are checked against the factors. */
const LLAMA3 = { low_freq_factor: 1, high_freq_factor: 4 };
const LLAMA3_CONTEXT = 8192;

/** Null without any. */
async function factorsOf(parts: readonly Part[]): Promise<readonly number[] | null> {
  for (const { file, tensors, data } of parts) {
    const stored = tensors.find(({ name }) => name === FACTORS);
    if (!stored) continue;
    const size = 4 * numbersOf(stored.shape);
    if (stored.type !== 0 || !(size <= 1 << 16) || data + stored.offset + size > file.size) throw damaged();
    return [...new Float32Array(await file.slice(data + stored.offset, data + stored.offset + size).arrayBuffer())];
  }
  return null;
}

/** The rule that makes these factors. @throws AttentionError where none does */
function scalingOf(factors: readonly number[], base: number, context: number): object | null {
  const [least, most] = [Math.min(...factors), Math.max(...factors)];
  if (least === 1 && most === 1) return null;
  const { low_freq_factor: low, high_freq_factor: high } = LLAMA3;
  const made = factors.map((_, i) => {
    const turns = context / (2 * Math.PI * base ** (i / factors.length));
    const smooth = (turns - low) / (high - low);
    return turns < low ? most : turns > high ? 1 : 1 / ((1 - smooth) / most + smooth);
  });
  if (made.every((factor, i) => Math.abs(factor - (factors[i] ?? NaN)) <= 1e-4 * factor)) return { rope_type: 'llama3', factor: most, original_max_position_embeddings: context, ...LLAMA3 };
  throw broken(msg(str`The tensor ${quote(FACTORS)} scales rotary positions by a rule that is not Llama 3’s, and which cannot be run. Choose another model.`));
}

const damaged = () => broken(msg('This GGUF file is cut off or damaged. Download it again.'));

/** Reads numbers and texts one after another, and never past the end. */
class Cursor {
  at = 0;
  readonly #view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  #take(count: number): number {
    if (!(count <= this.left)) throw damaged();
    this.at += count;
    return this.at - count;
  }

  u32 = (): number => this.#view.getUint32(this.#take(4), true);

  /** Past 2^53 nothing is counted exactly, and no file is so long. */
  u64 = (): number => {
    const value = Number(this.#view.getBigUint64(this.#take(8), true));
    if (!Number.isSafeInteger(value)) throw damaged();
    return value;
  };

  text = (): string => {
    const length = this.u64();
    const from = this.#take(length);
    return new TextDecoder().decode(this.bytes.subarray(from, from + length));
  };

  /** Of protobuf: seven bits a byte, the lowest first. */
  varint(): number {
    for (let value = 0, weight = 1; weight <= 2 ** 63; weight *= 128) {
      const byte = this.bytes[this.#take(1)] as number;
      value += (byte % 128) * weight;
      if (byte < 128) return value;
    }
    throw damaged();
  }

  field(kind: number): number | Uint8Array {
    if (kind === 0) return this.varint();
    if (kind === 1) return this.#view.getFloat64(this.#take(8), true);
    if (kind === 5) return this.#view.getFloat32(this.#take(4), true);
    if (kind !== 2) throw damaged();
    const length = this.varint();
    const from = this.#take(length);
    return this.bytes.subarray(from, from + length);
  }

  value(type: number, isInside = false): Value {
    const view = this.#view;
    switch (type) {
      case 0: return view.getUint8(this.#take(1));
      case 1: return view.getInt8(this.#take(1));
      case 2: return view.getUint16(this.#take(2), true);
      case 3: return view.getInt16(this.#take(2), true);
      case 4: return this.u32();
      case 5: return view.getInt32(this.#take(4), true);
      case 6: return view.getFloat32(this.#take(4), true);
      case 7: return view.getUint8(this.#take(1)) !== 0;
      case 8: return this.text();
      case 9: {
        if (isInside) throw damaged();
        const [of, count] = [this.u32(), this.u64()];
        if (count > this.left) throw damaged(); // each takes a byte at least
        const list: Value[] = [];
        for (let i = 0; i < count; i += 1) list.push(this.value(of, true));
        return list;
      }
      case 10: return Number(view.getBigUint64(this.#take(8), true));
      case 11: return Number(view.getBigInt64(this.#take(8), true));
      case 12: return view.getFloat64(this.#take(8), true);
      default: throw damaged();
    }
  }
}

function headerOf(bytes: Uint8Array, size: number): { values: Map<string, Value>; tensors: Tensor[]; end: number } {
  const cursor = new Cursor(bytes);
  if (size >= 8) refusePointer(bytes.subarray(0, 8));
  if (size < 24 || cursor.u32() !== 0x46554747) throw broken(msg('This is no GGUF file: it does not begin as one. Choose another file.'));
  const version = cursor.u32();
  if (version !== 2 && version !== 3) throw broken(msg(str`This GGUF file is of version ${version}; 2 and 3 can be read. Convert the model again.`));
  const [count, entries] = [cursor.u64(), cursor.u64()];
  const values = new Map<string, Value>();
  for (let i = 0; i < entries; i += 1) values.set(cursor.text(), cursor.value(cursor.u32()));
  const tensors: Tensor[] = [];
  for (let i = 0; i < count; i += 1) {
    const name = cursor.text();
    const extents = cursor.u32();
    if (extents > 4) throw damaged();
    // The first of GGUF's extents runs fastest.
    const shape = Array.from({ length: extents }, cursor.u64).reverse();
    tensors.push({ name, shape, type: cursor.u32(), offset: cursor.u64() });
  }
  return { values, tensors, end: cursor.at };
}

/** Header and numbers as safetensors has them; what lies in the file already is not copied. */
function asSafetensors({ file, data, tensors }: Part, names: Names): Blob {
  const header: Record<string, unknown> = {};
  const parts: Blob[] = [];
  let at = 0;
  for (const tensor of tensors) {
    const { shape, type, offset } = tensor;
    if (tensor.name === FACTORS && names !== GPT2) continue; // in the configuration
    const count = numbersOf(shape);
    const [dtype, bytes] = READ[type] ?? ['', 0];
    const size = count * bytes;
    if (bytes === 0) throw broken(msg(str`The tensor ${quote(tensor.name)} is of ${OTHERS[type] ?? `type ${type}`}; F32, F16, BF16 and Q8_0 can be read. Choose the file of this model in F16 or Q8_0.`));
    if (data + offset + size > file.size || (dtype === 'Q8_0' && (shape.at(-1) ?? 1) % BLOCK !== 0)) throw damaged();
    header[nameOf(tensor.name, names)] = { dtype, shape, data_offsets: [at, at += size] };
    parts.push(file.slice(data + offset, data + offset + size));
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = new BigUint64Array([BigInt(text.length)]);
  return new Blob([length, text, ...parts]);
}

function nameOf(name: string, names: Names): string {
  const [, block, part = '', kind = ''] = /^(?:blk\.(\d+)\.)?(\w+)\.(weight|bias)$/.exec(name) ?? [];
  if (!Object.hasOwn(names, part) || part === 'block') throw broken(msg(str`The file has a tensor ${quote(name)}, without which the model would compute something else, and which cannot be run. Choose another model.`));
  return `${block === undefined ? '' : `${names['block']}.${Number(block)}.`}${names[part]}.${kind}`;
}

// What config.json would say.

const read = (values: ReadonlyMap<string, Value>, key: string): Value | undefined => values.get(`${String(values.get('general.architecture'))}.${key}`);

function ofLlama(values: ReadonlyMap<string, Value>, model_type: string, factors: readonly number[] | null): object {
  const of = (key: string) => read(values, key);
  const [heads, width] = [Number(of('attention.head_count')), Number(of('embedding_length'))];
  const head_dim = Number(of('attention.key_length') ?? width / heads);
  const [scaling, base] = [of('rope.scaling.type') ?? 'none', Number(of('rope.freq_base') ?? 10000)];
  const own = factors && scalingOf(factors, base, Number(of('rope.scaling.original_context_length') ?? LLAMA3_CONTEXT));
  return {
    model_type, _name_or_path: values.get('general.name'), num_attention_heads: heads, num_key_value_heads: of('attention.head_count_kv') ?? heads, head_dim,
    hidden_size: width, num_hidden_layers: of('block_count'), max_position_embeddings: of('context_length'), sliding_window: of('attention.sliding_window'),
    rms_norm_eps: of('attention.layer_norm_rms_epsilon'), rope_theta: base, partial_rotary_factor: Number(of('rope.dimension_count') ?? head_dim) / head_dim,
    ...(own ? { rope_scaling: own } : scaling === 'yarn' ? { rope_scaling: yarnOf(of) } : scaling !== 'none' && { rope_scaling: { type: scaling, factor: of('rope.scaling.factor') } }),
  };
}

/** As llama.cpp reads it: what multiplies cosines and sines is a factor of its own times the usual one. Names of a type that is refused say what else there is. */
function yarnOf(of: (key: string) => Value | undefined): object {
  const [factor, attention] = [Number(of('rope.scaling.factor')), Number(of('rope.scaling.attn_factor') ?? of('rope.scaling.yarn_attn_factor') ?? 1)];
  const own = ['rope.scaling.yarn_log_multiplier', 'rope.scaling.yarn_ext_factor'].find((key) => of(key) !== undefined && !(key.endsWith('ext_factor') && (Number(of(key)) === 1 || Number(of(key)) < 0)));
  return {
    type: own === undefined ? 'yarn' : own, factor, original_max_position_embeddings: of('rope.scaling.original_context_length'),
    ...(attention !== 1 && { attention_factor: attention * (0.1 * Math.log(Math.max(factor, 1)) + 1) }),
    beta_fast: of('rope.scaling.yarn_beta_fast'), beta_slow: of('rope.scaling.yarn_beta_slow'),
  };
}

/** llama.cpp's GELU is tanh's. */
const ofGpt2 = (values: ReadonlyMap<string, Value>): object => ({
  _name_or_path: values.get('general.name'), n_head: read(values, 'attention.head_count'), n_embd: read(values, 'embedding_length'), n_layer: read(values, 'block_count'),
  layer_norm_epsilon: read(values, 'attention.layer_norm_epsilon'), activation_function: 'gelu_new',
});

// What tokenizer.json would say: of byte pairs, by the rules for words that are known, and of SentencePiece's; of others, token numbers are typed.

const GPT2_WORDS = { type: 'ByteLevel', add_prefix_space: false };
const cutBy = (Regex: string) => ({ type: 'Sequence', pretokenizers: [{ type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false }, { type: 'ByteLevel', add_prefix_space: false, use_regex: false }] });
const contracted = (digits: string) => cutBy(`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`);
const LLAMA3_WORDS = contracted('\\p{N}{1,3}');
const WORDS: Readonly<Record<string, object>> = {
  'gpt-2': GPT2_WORDS, 'llama-bpe': LLAMA3_WORDS, 'llama-v3': LLAMA3_WORDS, llama3: LLAMA3_WORDS, qwen2: contracted('\\p{N}'),
  smollm: { type: 'Sequence', pretokenizers: [{ type: 'Digits', individual_digits: true }, { ...GPT2_WORDS, use_regex: true }] },
};
/** Of the older GGUF files, which do not say by which rule words are cut. */
const UNSAID: Readonly<Record<string, string>> = { gpt2: 'gpt-2' };
/** Kinds of tokens: marks of the model's own, and words that are one token. */
const [CONTROL, ADDED] = [3, 4];

function tokenizerOf(values: ReadonlyMap<string, Value>): Pick<Beside, 'tokenizer'> {
  const of = (key: string) => values.get(`tokenizer.ggml.${key}`);
  const [model, given, kinds] = [of('model'), of('tokens'), of('token_type')];
  if (!Array.isArray(given)) return {};
  const tokens = given.map(String);
  const words = String(of('pre') ?? UNSAID[String(values.get('general.architecture'))] ?? '');
  const made = model === 'gpt2' ? bytePairs(tokens, words, of) : model === 'llama' ? sentencePieces(tokens, of) : null;
  // Where the file does not say it, as llama.cpp has it.
  const begins = of('add_bos_token') ?? (model === 'llama' || WORDS[words] === LLAMA3_WORDS);
  return made ? { tokenizer: written(tokens, Array.isArray(kinds) ? kinds as number[] : [], begins === true ? Number(of('bos_token_id') ?? 1) : -1, made) } : {};
}

/** @param begin the token before a text; none of that id: none @param end the one behind it */
function written(tokens: readonly string[], kinds: readonly number[], begin: number, made: object, end = -1): string {
  const added_tokens = tokens.flatMap((content, id) => (content !== '' && (kinds[id] === CONTROL || kinds[id] === ADDED) ? [{ id, content, special: kinds[id] === CONTROL }] : []));
  const special = (id: number) => (tokens[id] ? [{ SpecialToken: { id: tokens[id], type_id: 0 } }] : []);
  return JSON.stringify({
    added_tokens,
    post_processor: tokens[begin] ? {
      type: 'TemplateProcessing', pair: [], single: [...special(begin), { Sequence: { id: 'A', type_id: 0 } }, ...special(end)],
      special_tokens: Object.fromEntries([begin, end].flatMap((id) => (tokens[id] ? [[tokens[id], { id: tokens[id], ids: [id], tokens: [tokens[id]] }]] : []))),
    } : null,
    ...made,
  });
}

type Read = (key: string) => Value | undefined;
const idsOf = (tokens: readonly string[]): Record<string, number> => Object.fromEntries(tokens.map((token, id) => [token, id]));

function bytePairs(tokens: readonly string[], words: string, of: Read): object | null {
  const merges = of('merges');
  if (!Array.isArray(merges) || !Object.hasOwn(WORDS, words)) return null;
  return { normalizer: null, pre_tokenizer: WORDS[words], decoder: { type: 'ByteLevel' }, model: { type: 'BPE', vocab: idsOf(tokens), merges, ...(WORDS[words] === LLAMA3_WORDS && { ignore_merges: true }) } };
}

/** Of the squared lengths of all tokens: a file of longer ones could keep the page busy, and token numbers are typed. */
const MOST_SPLITS = 2e7;
const MOST_PIECES = MOST.vocabulary ?? 0;

const isTooLong = (tokens: readonly string[]) => tokens.reduce((sum, { length }) => sum + length ** 2, 0) > MOST_SPLITS;

function sentencePieces(tokens: readonly string[], of: Read): object | null {
  const scores = of('scores');
  if (isTooLong(tokens) || !Array.isArray(scores) || scores.length !== tokens.length) return null;
  return { ...spaced(of('add_space_prefix') !== false), model: joined(tokens, scores.map(Number), Number(of('unknown_token_id') ?? 0), true) };
}

/** Spaces are a part of words. @param before what is done to a text first */
function spaced(isPrefixed: boolean, before: readonly object[] = []): object {
  const begin = isPrefixed ? [{ type: 'Prepend', prepend: '▁' }] : [];
  const end = isPrefixed ? [{ type: 'Strip', content: ' ', start: 1, stop: 0 }] : [];
  return {
    normalizer: { type: 'Sequence', normalizers: [...before, ...begin, { type: 'Replace', pattern: { String: ' ' }, content: '▁' }] }, pre_tokenizer: null,
    decoder: { type: 'Sequence', decoders: [{ type: 'Replace', pattern: { String: '▁' }, content: ' ' }, { type: 'ByteFallback' }, { type: 'Fuse' }, ...end] },
  };
}

/** SentencePiece joins the neighbours whose joined piece has the highest score. tokenizer.json lists such neighbours instead: every way to cut a piece in two, by score, and among equals as transformers sorts them. */
function joined(tokens: readonly string[], scores: readonly number[], unknown: number, byte_fallback: boolean): object {
  const vocab = new Map(tokens.map((token, id) => [token, id]));
  const pairs = tokens.flatMap((token, id) => {
    const letters = [...token];
    const splits = letters.slice(1).map((_, i) => [letters.slice(0, i + 1).join(''), letters.slice(i + 1).join('')] as const);
    return splits.flatMap((pair) => {
      const [first, second] = pair.map((piece) => vocab.get(piece));
      return first === undefined || second === undefined ? [] : [{ pair, score: scores[id] ?? 0, first, second }];
    }).sort((a, b) => a.first - b.first || a.second - b.second);
  });
  pairs.sort((a, b) => b.score - a.score || b.pair[0].length - a.pair[0].length || b.pair[1].length - a.pair[1].length);
  return { type: 'BPE', unk_token: tokens[unknown], fuse_unk: true, byte_fallback, vocab: idsOf(tokens), merges: pairs.map(({ pair }) => pair) };
}

/** tokenizer.json of SentencePiece's pieces, which a start token, the second of them, stands before; null where they could keep the page busy. */
export function piecesJoined(tokens: readonly string[], scores: readonly number[], kinds: readonly number[]): string | null {
  return isTooLong(tokens) ? null : written(tokens, kinds, 1, { ...spaced(true), model: joined(tokens, scores, 0, true) });
}

// tokenizer.model, SentencePiece's own file: a message of protobuf (https://github.com/google/sentencepiece/blob/master/src/sentencepiece_model.proto).

/** Ten times what those of large vocabularies have. */
const MOST_MODEL = 32 << 20;
/** Fields that matter have lower numbers; others are not kept. */
const MOST_FIELDS = 64;
const [UNIGRAM, JOINED, UNKNOWN] = [1, 2, 2];
/** What a table that changes letters is the table of. */
const TABLES: Readonly<Record<string, readonly object[]>> = { nmt_nfkc: [{ type: 'Precompiled', precompiled_charsmap: '' }], nfkc: [{ type: 'NFKC' }] };

/** @param config tokenizer_config.json @param before fairseq's words, in place of those that are no pieces @returns tokenizer.json; null where its pieces could keep the page busy @throws AttentionError */
export function ofSentencePiece(bytes: Uint8Array, { add_bos_token = true }: Readonly<Record<string, unknown>>, before?: readonly string[]): string | null {
  const { tokens, scores, kinds, trainer, normalizer } = piecesIn(bytes);
  const [type = UNIGRAM, fallback = 0, begin = 1] = [3, 35, 41].map((field) => trainer.get(field));
  const [name, table, prefix, single, escaped] = [1, 2, 3, 4, 5].map((field) => normalizer.get(field));
  const letters = table instanceof Uint8Array && table.length > 0 ? TABLES[name instanceof Uint8Array ? new TextDecoder().decode(name) : ''] : [];
  const isFairseqs = tokens.slice(0, 3).join() === '<unk>,<s>,</s>' && type === UNIGRAM && prefix !== 0 && single !== 0;
  const isKnown = (type === JOINED || (type === UNIGRAM && fallback === 0)) && (trainer.get(24) ?? 0) === 0 && escaped !== 0 && (!before || isFairseqs);
  if (!isKnown || !letters) throw broken(msg('tokenizer.model cuts texts by a rule that cannot be run here. Choose the tokenizer.json of this model, or neither, to type token numbers.'));
  if (isTooLong(tokens)) return null;
  if (before) return ofFairseq(before, tokens, scores, letters);
  const spaces = single === 0 ? [] : [{ type: 'Strip', strip_left: true, strip_right: true }, { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' }];
  const unknown = Math.max(0, kinds.indexOf(UNKNOWN));
  const model = type === JOINED ? joined(tokens, scores, unknown, fallback !== 0) : { type: 'Unigram', unk_id: unknown, vocab: tokens.map((token, id) => [token, scores[id]]), byte_fallback: false };
  return written(tokens, kinds, add_bos_token === false ? -1 : Number(begin), { ...spaced(prefix !== 0, [...letters, ...spaces]), model });
}

/** As transformers converts it: `<unk>`, and where they are among fairseq's words, `<s>` and `</s>`, stand there and not among the pieces. */
function ofFairseq(before: readonly string[], tokens: readonly string[], scores: readonly number[], letters: readonly object[]): string {
  const first = before.includes('<s>') ? 3 : 1;
  const all = [...before, ...tokens.slice(first), '<mask>'];
  const kinds = all.map((token) => (['<s>', '<pad>', '</s>', '<unk>', '<mask>'].includes(token) ? CONTROL : 1));
  return written(all, kinds, all.indexOf('<s>'), {
    normalizer: { type: 'Sequence', normalizers: letters }, pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, { type: 'Metaspace', replacement: '▁', add_prefix_space: true }] },
    decoder: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
    model: { type: 'Unigram', unk_id: all.indexOf('<unk>'), vocab: all.map((token, id) => [token, scores[id - before.length + first] ?? 0]), byte_fallback: false },
  }, all.indexOf('</s>'));
}

type Message = ReadonlyMap<number, number | Uint8Array>;

/** Whatever is wrong with it is one sentence. */
function piecesIn(bytes: Uint8Array): { tokens: string[]; scores: number[]; kinds: number[]; trainer: Message; normalizer: Message } {
  const [tokens, scores, kinds]: [string[], number[], number[]] = [[], [], []];
  const text = new TextDecoder('utf-8', { fatal: true });
  const parts = new Map<number, Message>();
  try {
    if (bytes.length > MOST_MODEL) throw damaged();
    for (const [field, value] of fieldsIn(bytes)) {
      if (field < 1 || field > 3) continue;
      const message = new Map<number, number | Uint8Array>();
      for (const [inner, content] of fieldsIn(value as Uint8Array)) if (inner < MOST_FIELDS) message.set(inner, content);
      if (field > 1) parts.set(field, message);
      else {
        const [token, score, kind] = [text.decode(message.get(1) as Uint8Array), message.get(2) ?? 0, message.get(3) ?? 1];
        if (token === '' || !Number.isFinite(score) || !Number.isFinite(kind) || tokens.length >= MOST_PIECES) throw damaged();
        tokens.push(token);
        scores.push(score as number);
        kinds.push(kind as number);
      }
    }
    const [trainer, normalizer] = [parts.get(2), parts.get(3)];
    // Both are written behind the pieces: without them the file is cut off.
    if (!trainer || !normalizer || tokens.length === 0) throw damaged();
    return { tokens, scores, kinds, trainer, normalizer };
  } catch (cause) {
    throw broken(msg('tokenizer.model is cut off or damaged, or is not SentencePiece’s. Download it again, or leave it out to type token numbers.'), cause);
  }
}

function* fieldsIn(bytes: Uint8Array): Generator<[field: number, value: number | Uint8Array]> {
  const cursor = new Cursor(bytes);
  while (cursor.left > 0) {
    const key = cursor.varint();
    yield [Math.floor(key / 8), cursor.field(key % 8)];
  }
}
