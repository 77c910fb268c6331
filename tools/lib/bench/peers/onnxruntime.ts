// onnxruntime-web on its WebAssembly backend, one thread: ONNX's Attention, Microsoft's MultiHeadAttention, and the shipped model as
// a graph of either, from the same file.
// @ts-ignore: installed for these benchmarks alone
import * as ort from 'onnxruntime-web/wasm';
import { type Case, type Competitor, dModel, headNumbers, layerNumbers, swapAxes } from './competitors.ts';
import { type Graph, type Node, type Parameter, onnxModel } from './onnx-model.ts';
import type { Configuration } from '../../../../web/src/parameters/language-model/configuration.ts';
import type { Safetensors } from '../../../../web/src/parameters/language-model/safetensors.ts';

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = { wasm: new URL('ort-wasm-simd-threaded.wasm', import.meta.url).href };
ort.env.logLevel = 'error';
export { ort };

export type Operator = 'Attention' | 'MultiHeadAttention';

/** How each operator is asked: ONNX's takes (1, heads, rows, width), Microsoft's (1, rows, heads · width). */
const OPERATORS: Record<Operator, { rank: number; node(inputs: readonly string[], outputs: readonly string[], each: Pick<Case, 'causal' | 'heads'>): Node }> = {
  Attention: {
    rank: 4,
    node: ([query = '', key = '', value = '', ...past], outputs, { causal }) => ({
      op: 'Attention',
      inputs: past.length > 0 ? [query, key, value, '', ...past] : [query, key, value],
      outputs,
      attributes: { is_causal: Number(causal) },
    }),
  },
  MultiHeadAttention: {
    rank: 3,
    node: ([query = '', key = '', value = '', ...past], outputs, { causal, heads }) => ({
      op: 'MultiHeadAttention',
      domain: 'com.microsoft',
      inputs: past.length > 0 ? [query, key, value, '', '', '', ...past] : [query, key, value],
      outputs,
      attributes: { num_heads: heads, unidirectional: Number(causal) },
    }),
  },
};

const tensor = (numbers: Float32Array, shape: number[]) => new ort.Tensor('float32', numbers, shape);

function attentionGraph(operator: Operator, each: Case): Graph {
  const { rank, node } = OPERATORS[operator];
  const past = each.kind === 'decode';
  return {
    nodes: [node(['query', 'key', 'value', ...(past ? ['past_key', 'past_value'] : [])],
      ['context', ...(past ? ['present_key', 'present_value'] : [])], each)],
    inputs: { query: rank, key: rank, value: rank, ...(past && { past_key: 4, past_value: 4 }) },
    outputs: { context: rank, ...(past && { present_key: 4, present_value: 4 }) },
  };
}

/** Of rows of all heads side by side, which ONNX's operator takes in three dimensions, too. */
export function attentionOfRows(operator: Operator, inputs: readonly string[], output: string, each: Pick<Case, 'causal' | 'heads'>): Node {
  const node = OPERATORS[operator].node(inputs, [output], each);
  const heads = operator === 'Attention' && { q_num_heads: each.heads, kv_num_heads: each.heads };
  return { ...node, attributes: { ...node.attributes, ...heads } };
}

function layerGraph(operator: Operator, each: Case): Graph {
  const D = dModel(each);
  const { inProj, inBias, outProj, outBias } = layerNumbers(each);
  return {
    nodes: [
      { op: 'MatMul', inputs: ['x', 'in_proj'], outputs: ['product'] },
      { op: 'Add', inputs: ['product', 'in_bias'], outputs: ['packed'] },
      { op: 'Split', inputs: ['packed'], outputs: ['query', 'key', 'value'], attributes: { axis: 2, num_outputs: 3 } },
      attentionOfRows(operator, ['query', 'key', 'value'], 'context', each),
      { op: 'MatMul', inputs: ['context', 'out_proj'], outputs: ['projected'] },
      { op: 'Add', inputs: ['projected', 'out_bias'], outputs: ['output'] },
    ],
    inputs: { x: 3 },
    outputs: { output: 3 },
    parameters: [
      { name: 'in_proj', shape: [D, 3 * D], numbers: inProj },
      { name: 'in_bias', shape: [3 * D], numbers: inBias },
      { name: 'out_proj', shape: [D, D], numbers: outProj },
      { name: 'out_bias', shape: [D], numbers: outBias },
    ],
  };
}

function feeds(operator: Operator, each: Case): Record<string, ort.Tensor> {
  const { heads, headDim: d, queries, keys } = each;
  if (each.kind === 'layer') return { x: tensor(layerNumbers(each).x, [1, queries, dModel(each)]) };
  const numbers = headNumbers(each);
  const shaped = (given: Float32Array, rows: number) => (OPERATORS[operator].rank === 4
    ? tensor(given, [1, heads, rows, d])
    : tensor(swapAxes(given, heads, rows, d), [1, rows, heads * d]));
  const fresh = numbers.key.length / heads / d;
  return {
    query: shaped(numbers.query, queries),
    key: shaped(numbers.key, fresh),
    value: shaped(numbers.value, fresh),
    ...(each.kind === 'decode' && {
      past_key: tensor(numbers.pastKey, [1, heads, keys, d]),
      past_value: tensor(numbers.pastValue, [1, heads, keys, d]),
    }),
  };
}

export function onnxruntime(operator: Operator): Competitor {
  let session: ort.InferenceSession;
  let given: Record<string, ort.Tensor>;
  let result: ort.InferenceSession.ReturnType;
  let current: Case;
  return {
    name: `onnxruntime-web ${operator}`,
    async prepare(each) {
      current = each;
      const graph = each.kind === 'layer' ? layerGraph(operator, each) : attentionGraph(operator, each);
      session = await ort.InferenceSession.create(onnxModel(graph), { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
      given = feeds(operator, each);
      return true;
    },
    async run() {
      result = await session.run(given); // the cache that comes back is a new array, ready for the next token
    },
    output() {
      const { heads, headDim, queries, kind } = current;
      const numbers = (result['output'] ?? result['context'])?.data as Float32Array;
      return kind === 'layer' || OPERATORS[operator].rank === 4 ? numbers : swapAxes(numbers, queries, heads, headDim);
    },
    free: () => session.release(),
  };
}

// The shipped model as an ONNX graph, from the same file: ids [1, T] in, logits [1, V] of the last one out.

/** Nodes and parameters, as they come; each call says the name of what it makes. */
class Builder {
  readonly nodes: Node[] = [];
  readonly parameters: Parameter[] = [];
  #count = 0;

  constructor(readonly file: Safetensors) {}

  node(op: string, inputs: readonly string[], rest: Partial<Node> = {}): string {
    const name = `${op}_${this.#count += 1}`;
    this.nodes.push({ op, inputs, outputs: [name], ...rest });
    return name;
  }

  constant(name: string, shape: readonly number[], numbers: Float32Array | BigInt64Array): string {
    this.parameters.push({ name, shape, numbers });
    return name;
  }

  async norm(name: string, x: string, D: number, epsilon: number): Promise<string> {
    const part = async (which: string) => this.constant(`${name}.${which}`, [D], await this.file.read(`${name}.${which}`, [D]));
    return this.node('LayerNormalization', [x, await part('gain'), await part('bias')], { attributes: { epsilon } });
  }

  /** x · Wᵀ + b, W lying (out, in) in the file and (in, out) in the graph. */
  async linear(name: string, x: string, from: number, to: number): Promise<string> {
    const weight = this.constant(name, [from, to], transposed(await this.file.read(`${name}.weight`, [to, from]), to, from));
    const product = this.node('MatMul', [x, weight]);
    if (!this.file.has(`${name}.bias`)) return product;
    return this.node('Add', [product, this.constant(`${name}.bias`, [to], await this.file.read(`${name}.bias`, [to]))]);
  }
}

function transposed(numbers: Float32Array, rows: number, columns: number): Float32Array {
  return Float32Array.from(numbers, (_, i) => numbers[(i % rows) * columns + Math.floor(i / rows)] as number);
}

/** cos and sin of position · base^(−2i / width), [T, width / 2] each. */
function turns(b: Builder, { d_model, heads, rotary_base }: Configuration, T: number): [string, string] {
  const half = d_model / heads / 2;
  const table = (of: (angle: number) => number) => Float32Array.from({ length: T * half }, (_, i) => of(Math.floor(i / half) * rotary_base ** (-(i % half) / half)));
  return [b.constant('cosines', [T, half], table(Math.cos)), b.constant('sines', [T, half], table(Math.sin))];
}

export async function shippedGraph(file: Safetensors, configuration: Configuration, operator: Operator, T: number): Promise<Graph> {
  const { layers, heads, d_model: D, d_mlp, context, vocabulary: V, positions, rotary_interleaved, activation, norm_epsilon } = configuration;
  const b = new Builder(file);
  const E = await file.read('embeddings.weight', [V, D]);
  let x = b.node('Gather', [b.constant('embeddings', [V, D], E), 'ids']);
  const table = positions === 'rope' ? null : b.constant('positions', [1, T, D], (await file.read('positions.weight', [context, D])).slice(0, T * D));
  if (positions === 'learned' && table) x = b.node('Add', [x, table]);
  const places = b.constant('places', [1, T], BigInt64Array.from({ length: T }, (_, t) => BigInt(t)));
  const [cosines, sines] = turns(b, configuration, T);
  const turn = (rows: string) => (positions === 'rope'
    ? b.node('RotaryEmbedding', [rows, places, cosines, sines], { domain: 'com.microsoft', attributes: { interleaved: Number(rotary_interleaved) } })
    : rows);
  for (let i = 0; i < layers; i += 1) {
    const name = (part: string) => `layers.${i}.${part}`;
    const normed = await b.norm(name('norm_1'), x, D, norm_epsilon);
    const placed = positions === 'query_key' && table ? b.node('Add', [normed, table]) : normed;
    const inputs = [turn(await b.linear(name('query'), placed, D, D)), turn(await b.linear(name('key'), placed, D, D)), await b.linear(name('value'), normed, D, D)];
    b.nodes.push(attentionOfRows(operator, inputs, name('context'), { causal: true, heads }));
    x = b.node('Add', [x, await b.linear(name('out_proj'), name('context'), D, D)]);
    const hidden = await b.linear(name('up'), await b.norm(name('norm_2'), x, D, norm_epsilon), D, d_mlp);
    const bent = b.node('Gelu', [hidden], { attributes: { approximate: activation === 'gelu_tanh' ? 'tanh' : 'none' } });
    x = b.node('Add', [x, await b.linear(name('down'), bent, d_mlp, D)]);
  }
  const last = b.node('Gather', [x, b.constant('last', [], BigInt64Array.of(BigInt(T - 1)))], { attributes: { axis: 1 } });
  const normed = await b.norm('final_norm', last, D, norm_epsilon);
  b.nodes.push({ op: 'MatMul', inputs: [normed, b.constant('output', [D, V], transposed(E, V, D))], outputs: ['logits'] });
  return { nodes: b.nodes, parameters: b.parameters, inputs: { ids: 2 }, inputTypes: { ids: 'int64' }, outputs: { logits: 2 } };
}
