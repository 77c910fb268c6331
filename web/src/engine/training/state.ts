// The whole state of a model at its step: the numbers of bindings/training.cpp by name. And a model as a file.
import type { ModuleRun, TrainingModule } from './module.ts';
import type { DisplayedText, LayerState, MlpState, ModelState, ParameterState, RunDescription, StageState } from './types.ts';

type StateOf = Pick<RunDescription, 'shape'> & { rule: Pick<RunDescription['rule'], 'scales'> };

export function stateOf(module: TrainingModule, run: ModuleRun, { shape, rule }: StateOf, text: DisplayedText): ModelState {
  const { report, numbers } = run.trace();
  const [T, D, H] = [text.tokens.length, shape.d_model, shape.heads];
  let at = 0;
  const take = (count: number) => numbers.slice(at, (at += count));
  const stage = (...extents: number[]): StageState => {
    const count = extents.reduce((all, extent) => all * extent, 1);
    return { shape: extents, values: take(count), gradients: take(count) };
  };
  const heads = (width: number): StageState => {
    const { values, gradients } = stage(T, H * width);
    return { shape: [H, T, width], values: splitHeads(values, T, H, width), gradients: splitHeads(gradients, T, H, width) };
  };
  const mlp = (): MlpState => ({ between: stage(T, D), normed: stage(T, D), up: stage(T, shape.hidden), hidden: stage(T, shape.hidden), output: stage(T, D) });
  const layer = (): LayerState => ({
    x: stage(T, D), normed: stage(T, D), query: heads(shape.d_k), key: heads(shape.d_k), value: heads(D / H),
    products: stage(H, T, T), scores: stage(H, T, T), weights: stage(H, T, T), context: heads(D / H), output: stage(T, D), ...(shape.hidden > 0 && { mlp: mlp() }),
  });
  const layers = Array.from({ length: shape.layers }, layer);
  const [residual, normed, logits] = [stage(T, D), stage(T, D), stage(T, shape.slots * shape.vocabulary)];
  return {
    step: run.steps, hash: run.hash(), factor: rule.scales ? 1 / Math.sqrt(shape.d_k) : 1, loss: report.loss, text,
    parameters: parametersOf(run), layers, residual, normed, logits, probabilities: module.softmax(logits.values, shape.vocabulary),
  };
}

function parametersOf(run: ModuleRun): ParameterState[] {
  const [weights, gradients] = [run.numbers(false), run.numbers(true)];
  let at = 0;
  return run.arrays().map(([name, rows, columns]) => {
    const [from, to] = [at, (at += rows * columns)];
    return { name, rows, columns, weights: weights.slice(from, to), gradients: gradients.slice(from, to) };
  });
}

/** [T, H · width] to [H, T, width]. */
function splitHeads(rows: Float32Array, T: number, H: number, width: number): Float32Array {
  const out = new Float32Array(rows.length);
  for (let h = 0; h < H; h += 1) {
    for (let t = 0; t < T; t += 1) out.set(rows.subarray((t * H + h) * width, (t * H + h + 1) * width), (h * T + t) * width);
  }
  return out;
}

interface Named {
  name: string;
  shape: number[];
  numbers: Float32Array;
}

const POSITIONS = { none: 'none', added: 'learned', queries_keys: 'query_key' } as const;

/** @param slot which of a model's answers its output matrix gives */
export function modelFile(run: ModuleRun, { lesson, run: name, seed, task, shape, rule, words, joint, parameters, learnt }: RunDescription, slot: number, step: number, rules: string): Uint8Array<ArrayBuffer> {
  const weights = run.numbers(false);
  let at = 0;
  const own = run.arrays().map(([array, rows, columns]) => named(array, rows, columns, weights.subarray(at, (at += rows * columns)), slot, shape.vocabulary));
  const { tensors, all } = task === 'dictionary' ? withRecords(own, words, shape.d_model) : { tensors: own, all: words };
  const config = {
    name: `${lesson}, ${name}, seed ${seed}, step ${step}`, layers: shape.layers, heads: shape.heads, d_model: shape.d_model, d_k: shape.d_k, d_mlp: shape.hidden,
    context: shape.context, vocabulary: all.length, positions: POSITIONS[shape.positions], activation: 'gelu_tanh', norm_epsilon: 1e-5,
    causal: rule.isCausal, scaled: rule.scales,
  };
  const trained = { lesson, run: name, seed, step, ...(rules !== '' && { rules }), parameters, ...(learnt && { learnt }) };
  return safetensors(tensors, {
    format: 'attention-playground 1', config: JSON.stringify(config), vocabulary: JSON.stringify(all), joint, trained: JSON.stringify(trained),
  });
}

/** So small an answer's score that softmax makes it 0. */
const NEVER = -1e4;

/** A record is a key and its value at one place, two rows of the embeddings added. In the file each record has a row of its own, as a word that is never an answer: “c5”. */
function withRecords(tensors: readonly Named[], words: readonly string[], D: number): { tensors: Named[]; all: string[] } {
  const [half, count] = [words.length / 2, words.length];
  const pairs = Array.from({ length: half * half }, (_, i) => [Math.floor(i / half), half + (i % half)] as const);
  const all = [...words, ...pairs.map(([key, value]) => `${words[key]}${words[value]}`)];
  const wider = (from: Float32Array, more: (pair: readonly [number, number], column: number) => number) => {
    const numbers = new Float32Array(all.length * D);
    numbers.set(from);
    pairs.forEach((pair, i) => { for (let column = 0; column < D; column += 1) numbers[(count + i) * D + column] = more(pair, column); });
    return numbers;
  };
  return {
    all,
    tensors: tensors.flatMap((tensor) => {
      const { name, numbers } = tensor;
      const row = (id: number, column: number) => numbers[id * D + column] ?? NaN;
      if (name === 'embeddings.weight') return [{ name, shape: [all.length, D], numbers: wider(numbers, ([key, value], column) => row(key, column) + row(value, column)) }];
      if (name !== 'output.weight') return [tensor];
      return [{ name, shape: [all.length, D], numbers: wider(numbers, () => 0) }, { name: 'output.bias', shape: [all.length], numbers: Float32Array.from(all, (_, id) => (id < count ? 0 : NEVER)) }];
    }),
  };
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
