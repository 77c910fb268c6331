// A trained model as a file of safetensors, in the layout of models trained for this page.
import type { ModuleRun } from './module.ts';
import type { RunDescription } from './types.ts';

interface Named {
  name: string;
  shape: number[];
  numbers: Float32Array;
}

const POSITIONS = { none: 'none', added: 'learned', queries_keys: 'query_key' } as const;

/** @param slot which of a model's answers its output matrix gives */
export function modelFile(run: ModuleRun, { lesson, run: name, seed, shape, rule, words, joint, parameters }: RunDescription, slot: number, step: number): Uint8Array<ArrayBuffer> {
  const weights = run.numbers(false);
  let at = 0;
  const tensors = run.arrays().map(([array, rows, columns]) => named(array, rows, columns, weights.subarray(at, (at += rows * columns)), slot, shape.vocabulary));
  const config = {
    name: `${lesson}, ${name}, seed ${seed}, step ${step}`, layers: shape.layers, heads: shape.heads, d_model: shape.d_model, d_k: shape.d_k, d_mlp: shape.hidden,
    context: shape.context, vocabulary: shape.vocabulary, positions: POSITIONS[shape.positions], activation: 'gelu_tanh', norm_epsilon: 1e-5,
    causal: rule.isCausal, scaled: rule.scales,
  };
  const trained = { lesson, run: name, seed, step, parameters };
  return safetensors(tensors, {
    format: 'attention-playground 1', config: JSON.stringify(config), vocabulary: JSON.stringify(words), joint, trained: JSON.stringify(trained),
  });
}

/** Matrices of the trainer lie (in, out), those of the file (out, in). */
function named(array: string, rows: number, columns: number, weights: Float32Array, slot: number, vocabulary: number): Named {
  const name = array.replace(/^block_(\d+)/, 'layers.$1');
  if (array === 'embeddings' || array === 'positions') return { name: `${name}.weight`, shape: [rows, columns], numbers: weights };
  if (/\.(gain|bias)$/.test(array)) return { name, shape: [columns], numbers: weights };
  const [from, to] = array === 'output' ? [slot * vocabulary, (slot + 1) * vocabulary] : [0, columns];
  const numbers = new Float32Array(rows * (to - from));
  for (let i = 0; i < rows; i += 1) for (let o = from; o < to; o += 1) numbers[(o - from) * rows + i] = weights[i * columns + o] as number;
  return { name: `${name}.weight`, shape: [to - from, rows], numbers };
}

function safetensors(tensors: readonly Named[], metadata: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  let size = 0;
  const entries = tensors.map(({ name, shape, numbers }) => [name, { dtype: 'F32', shape, data_offsets: [size, (size += numbers.byteLength)] }]);
  const header = new TextEncoder().encode(JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(entries) }));
  const padded = Math.ceil(header.length / 8) * 8;
  const file = new Uint8Array(8 + padded + size).fill(0x20, 8, 8 + padded);
  new DataView(file.buffer).setBigUint64(0, BigInt(padded), true);
  file.set(header, 8);
  let at = 8 + padded;
  for (const { numbers } of tensors) {
    file.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), at);
    at += numbers.byteLength;
  }
  return file;
}
