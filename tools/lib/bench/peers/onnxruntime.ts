// onnxruntime-web on its WebAssembly backend, one thread: ONNX's Attention, and Microsoft's MultiHeadAttention.
import * as ort from 'onnxruntime-web/wasm';
import { type Case, dModel, headNumbers, layerNumbers, swapAxes } from './cases.ts';
import type { Competitor } from './competitor.ts';
import { type Graph, type Node, onnxModel } from './onnx-model.ts';

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = { wasm: new URL('ort-wasm-simd-threaded.wasm', import.meta.url).href };
ort.env.logLevel = 'error';

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
