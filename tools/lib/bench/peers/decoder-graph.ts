// Models of the sizes that people have, and each as an ONNX graph with a cache.
import type { Graph, Node, Parameter } from './onnx-model.ts';

// Models of the sizes that people have, with numbers of a fixed seed: no file is needed, and every competitor has the same.
// A number is a whole one from −127 to 127, times STEP: float32, bfloat16, binary16 and int8 with a scale all hold it exactly.

export const STEP = 2 ** -12;

export interface Shape {
  id: string;
  layers: number;
  width: number;
  heads: number;
  keyHeads: number;
  hidden: number;
  vocabulary: number;
  /** Llama's parts: RMSNorm, SwiGLU, rotary positions, no biases, matrices as (out, in). Else GPT-2's. */
  isLlama: boolean;
}

export const SHAPES: Record<'gpt2' | 'llama', Shape> = {
  gpt2: { id: 'GPT-2', layers: 12, width: 768, heads: 12, keyHeads: 12, hidden: 3072, vocabulary: 50_257, isLlama: false },
  llama: { id: 'SmolLM-135M', layers: 30, width: 576, heads: 9, keyHeads: 3, hidden: 1536, vocabulary: 49_152, isLlama: true },
};
export const CONTEXT = 512;
export const EPSILON = 1e-5;
export const ROTARY_BASE = 10_000;

/** Names of a block's matrices, with what goes in and comes out. */
export function matrices({ width, heads, keyHeads, hidden, isLlama }: Shape): Record<string, [from: number, to: number]> {
  const keys = (width / heads) * keyHeads;
  return {
    ...(isLlama ? { query: [width, width], key: [width, keys], value: [width, keys] } : { packed: [width, 3 * width] }),
    out: [width, width],
    ...(isLlama && { gate: [width, hidden] }),
    up: [width, hidden],
    down: [hidden, width],
  };
}

const inLayers = (shape: Shape): number => shape.layers * Object.values(matrices(shape)).reduce((sum, [from, to]) => sum + from * to, 0);
const inLogits = ({ width, vocabulary }: Shape): number => width * vocabulary;

/** Of all matrices that a token is multiplied by; the embeddings are the output's. */
export const multiplied = (shape: Shape): number => inLayers(shape) + inLogits(shape);

/** Multiplications and additions of matrices in a text whose last token alone has logits. */
export const operationsOf = (shape: Shape, tokens: number): number => 2 * (tokens * inLayers(shape) + inLogits(shape));

/** Whole numbers from −127 to 127, by the tensor's name. */
export function numbersOf(name: string, count: number): Int8Array {
  let state = 1;
  for (const letter of name) state = (Math.imul(state, 31) + letter.charCodeAt(0)) | 0;
  state = Math.imul(state, 0x9e3779b1) | 1;
  const numbers = new Int8Array(count);
  for (let i = 0; i < count; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    numbers[i] = (Math.imul(state >>> 16, 255) >>> 16) - 127;
  }
  return numbers;
}

const TABLE = Float32Array.from({ length: 256 }, (_, byte) => ((byte << 24) >> 24) * STEP);
export function floatsOf(name: string, count: number): Float32Array {
  const whole = numbersOf(name, count);
  const numbers = new Float32Array(count);
  for (let i = 0; i < count; i += 1) numbers[i] = TABLE[(whole[i] as number) & 255] as number;
  return numbers;
}

export const gainOf = (name: string, width: number): Float32Array => floatsOf(name, width).map((number) => 1 + number);

/** A text of so many tokens, and one to follow. */
export const tokensOf = (count: number, { vocabulary }: Shape): number[] => Array.from({ length: count }, (_, i) => (i * 7919 + 17) % vocabulary);

/** cos and sin of position · base^(−2i / width), (CONTEXT, width / 2). */
export function rotaryOf({ width, heads }: Shape): { cosines: Float32Array; sines: Float32Array } {
  const half = width / heads / 2;
  const table = (of: (angle: number) => number) =>
    Float32Array.from({ length: CONTEXT * half }, (_, i) => of(Math.floor(i / half) * ROTARY_BASE ** (-(i % half) / half)));
  return { cosines: table(Math.cos), sines: table(Math.sin) };
}

// As an ONNX graph: ids (1, T) in, logits (1, V) of the last token and the longer cache out. Operators are those that onnxruntime's
// own exporters choose for a processor.

export type Width = 'float32' | 'int8';

const MICROSOFT = { domain: 'com.microsoft' };

class Builder {
  readonly nodes: Node[] = [];
  readonly parameters: Parameter[] = [];
  readonly inputs: Record<string, number> = { ids: 2 };
  readonly outputs: Record<string, number> = { logits: 2 };
  #count = 0;

  constructor(readonly shape: Shape, readonly width: Width) {}

  node(op: string, inputs: readonly string[], rest: Partial<Node> = {}): string {
    const name = `${op}_${this.#count += 1}`;
    this.nodes.push({ op, inputs, outputs: [name], ...rest });
    return name;
  }

  constant(name: string, shape: readonly number[], numbers: Parameter['numbers']): string {
    if (!this.parameters.some((each) => each.name === name)) {
      this.parameters.push({ name, shape, numbers, isApart: numbers.byteLength > 1024 });
    }
    return name;
  }

  norm(name: string, x: string): string {
    const { width, isLlama } = this.shape;
    const gain = this.constant(`${name}.gain`, [width], gainOf(`${name}.gain`, width));
    const attributes = { epsilon: EPSILON };
    if (isLlama) return this.node('SimplifiedLayerNormalization', [x, gain], { attributes });
    return this.node('LayerNormalization', [x, gain, this.constant(`${name}.bias`, [width], floatsOf(`${name}.bias`, width))], { attributes });
  }

  /** x · W + b. Llama's matrices lie (out, in), as the embeddings do, and are turned here. */
  linear(name: string, x: string, [from, to]: readonly [number, number], isTurned = this.shape.isLlama): string {
    const lying = (this.width === 'int8' ? numbersOf : floatsOf)(name, from * to);
    const weight = this.constant(`${name}.product`, [from, to], isTurned ? turned(lying, to, from) : lying);
    const product = this.width === 'int8'
      ? this.node('DynamicQuantizeMatMul', [x, weight, this.constant('step', [], Float32Array.of(STEP))], MICROSOFT)
      : this.node('MatMul', [x, weight]);
    if (this.shape.isLlama || isTurned) return product;
    return this.node('Add', [product, this.constant(`${name}.bias`, [to], floatsOf(`${name}.bias`, to))]);
  }

  embedded(): string {
    const { vocabulary, width } = this.shape;
    const rows = (this.width === 'int8' ? numbersOf : floatsOf)('embeddings', vocabulary * width);
    const found = this.node('Gather', [this.constant('embeddings', [vocabulary, width], rows), 'ids']);
    return this.width === 'int8' ? this.node('DequantizeLinear', [found, this.constant('step', [], Float32Array.of(STEP))]) : found;
  }

  attention(i: number, [query = '', key = '', value = '']: readonly string[]): string {
    const { heads, keyHeads, isLlama } = this.shape;
    const name = (part: string) => `layers.${i}.${part}`;
    for (const each of ['past_key', 'past_value']) this.inputs[name(each)] = 4;
    for (const each of ['present_key', 'present_value']) this.outputs[name(each)] = 4;
    const { cosines, sines } = isLlama ? rotaryOf(this.shape) : { cosines: null, sines: null };
    const half = this.shape.width / heads / 2;
    const turns = cosines && sines ? [this.constant('cosines', [CONTEXT, half], cosines), this.constant('sines', [CONTEXT, half], sines)] : [];
    this.nodes.push({
      op: 'GroupQueryAttention', ...MICROSOFT,
      inputs: [query, key, value, name('past_key'), name('past_value'), 'last_place', 'length', ...turns],
      outputs: [name('context'), name('present_key'), name('present_value')],
      attributes: { num_heads: heads, kv_num_heads: keyHeads, do_rotary: Number(isLlama) },
    });
    return name('context');
  }

  block(i: number, x: string): string {
    const { width, isLlama } = this.shape;
    const sizes = matrices(this.shape);
    const linear = (part: string, from: string) => this.linear(`layers.${i}.${part}`, from, sizes[part] as [number, number]);
    const normed = this.norm(`layers.${i}.norm_1`, x);
    const inputs = isLlama ? [linear('query', normed), linear('key', normed), linear('value', normed)] : this.thirds(linear('packed', normed), width);
    const after = this.node('Add', [x, linear('out', this.attention(i, inputs))]);
    const read = this.norm(`layers.${i}.norm_2`, after);
    return this.node('Add', [after, linear('down', isLlama ? this.gated(linear('gate', read), linear('up', read)) : this.node('Gelu', [linear('up', read)], { attributes: { approximate: 'tanh' } }))]);
  }

  /** Queries, keys and values side by side are one product. */
  private thirds(packed: string, width: number): string[] {
    const names = ['query', 'key', 'value'].map((part) => `${packed}.${part}`);
    this.nodes.push({ op: 'Split', inputs: [packed, this.constant('thirds', [3], BigInt64Array.of(BigInt(width), BigInt(width), BigInt(width)))], outputs: names, attributes: { axis: 2 } });
    return names;
  }

  private gated(gate: string, up: string): string {
    return this.node('Mul', [this.node('Mul', [gate, this.node('Sigmoid', [gate])]), up]); // which it joins to one QuickGelu
  }
}

function turned<Numbers extends Float32Array | Int8Array>(numbers: Numbers, rows: number, columns: number): Numbers {
  const to = new (numbers.constructor as new (length: number) => Numbers)(numbers.length);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) to[column * rows + row] = numbers[row * columns + column] as number;
  }
  return to;
}

/** The same graph as transformers.js asks a decoder's to be: its names, and places from the mask. */
export function hubGraph(shape: Shape): Graph {
  const { nodes, parameters = [], inputs, outputs } = decoderGraph(shape, 'float32');
  const named = (name: string) => ({ ids: 'input_ids', places: 'position_ids' })[name]
    ?? name.replace(/^layers\.(\d+)\.past_(key|value)$/, 'past_key_values.$1.$2').replace(/^layers\.(\d+)\.present_(key|value)$/, 'present.$1.$2');
  const rename = <T>(ranks: Readonly<Record<string, T>>) => Object.fromEntries(Object.entries(ranks).map(([name, rank]) => [named(name), rank]));
  const { last_place: _, length: __, ...asked } = rename(inputs);
  const int32 = { attributes: { to: 6 } };
  return {
    nodes: [
      { op: 'ReduceSum', inputs: ['attention_mask', 'axis_1'], outputs: ['seen'], attributes: { keepdims: 0 } },
      { op: 'Sub', inputs: ['seen', 'one'], outputs: ['last_seen'] },
      { op: 'Cast', inputs: ['last_seen'], outputs: ['last_place'], ...int32 },
      { op: 'Shape', inputs: ['attention_mask'], outputs: ['mask_shape'] },
      { op: 'Gather', inputs: ['mask_shape', 'one'], outputs: ['mask_length'] },
      { op: 'Cast', inputs: ['mask_length'], outputs: ['length'], ...int32 },
      ...nodes.map((node) => ({ ...node, inputs: node.inputs.map(named), outputs: node.outputs.map(named) })),
    ],
    parameters: [...parameters, { name: 'axis_1', shape: [1], numbers: BigInt64Array.of(1n) }, { name: 'one', shape: [], numbers: BigInt64Array.of(1n) }],
    inputs: { ...asked, attention_mask: 2 },
    inputTypes: { input_ids: 'int64', position_ids: 'int64', attention_mask: 'int64' },
    // An empty cache is made by these.
    extents: Object.fromEntries(Object.keys(asked).filter((name) => name.startsWith('past')).map((name) => [name, ['batch_size', shape.keyHeads, 'past_sequence_length', shape.width / shape.heads]])),
    outputs: rename(outputs),
  };
}

/** What config.json says of it. */
export const hubConfig = ({ layers, width, heads, keyHeads, hidden, vocabulary, isLlama }: Shape): object => (isLlama
  ? { model_type: 'llama', architectures: ['LlamaForCausalLM'], hidden_size: width, intermediate_size: hidden, num_hidden_layers: layers, num_attention_heads: heads, num_key_value_heads: keyHeads, head_dim: width / heads, vocab_size: vocabulary, max_position_embeddings: CONTEXT, rope_theta: ROTARY_BASE, rms_norm_eps: EPSILON }
  : { model_type: 'gpt2', architectures: ['GPT2LMHeadModel'], n_embd: width, n_layer: layers, n_head: heads, n_inner: hidden, n_positions: CONTEXT, vocab_size: vocabulary, layer_norm_epsilon: EPSILON });

export function decoderGraph(shape: Shape, type: Width): Graph {
  const { layers, width, vocabulary, isLlama } = shape;
  const b = new Builder(shape, type);
  let x = b.embedded();
  if (!isLlama) {
    const table = b.constant('positions', [CONTEXT, width], floatsOf('positions', CONTEXT * width));
    x = b.node('Add', [x, b.node('Gather', [table, 'places'])]);
    b.inputs['places'] = 2;
  }
  b.inputs['last_place'] = 1;
  b.inputs['length'] = 0;
  for (let i = 0; i < layers; i += 1) x = b.block(i, x);
  const last = b.node('Gather', [x, b.constant('last', [], BigInt64Array.of(-1n))], { attributes: { axis: 1 } });
  const logits = b.linear('embeddings', b.norm('final_norm', last), [width, vocabulary], true);
  b.nodes.push({ op: 'Identity', inputs: [logits], outputs: ['logits'] });
  return { nodes: b.nodes, parameters: b.parameters, inputs: b.inputs, inputTypes: { ids: 'int64', places: 'int64', last_place: 'int32', length: 'int32' }, outputs: b.outputs };
}
