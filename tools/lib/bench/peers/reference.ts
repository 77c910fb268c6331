// The definition in double, for some rows of a result: what every competitor is checked with first.
import { type Case, type HeadNumbers, dModel, headNumbers, layerNumbers } from './competitors.ts';

/** Of the largest number that is expected. */
const TOLERANCE = 2e-5;
const CHECKED_ROWS = 5;

type Numbers = Float32Array | Float64Array;

function dot(a: Numbers, aFrom: number, b: Numbers, bFrom: number, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i += 1) sum += (a[aFrom + i] as number) * (b[bFrom + i] as number);
  return sum;
}

/** One row of one head: softmax(q·Kᵀ / √d)·V over the first `seen` keys. */
function contextRow(query: Numbers, at: number, keys: Numbers, values: Numbers, base: number, seen: number, d: number): Float64Array {
  const scores = Float64Array.from({ length: seen }, (_, k) => dot(query, at, keys, base + k * d, d) / Math.sqrt(d));
  const largest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  const exps = scores.map((score) => Math.exp(score - largest));
  const sum = exps.reduce((a, b) => a + b, 0);
  const context = new Float64Array(d);
  exps.forEach((exp, k) => {
    for (let i = 0; i < d; i += 1) context[i] = (context[i] as number) + (exp / sum) * (values[base + k * d + i] as number);
  });
  return context;
}

/** (heads, past + fresh, width) */
function joined(past: Float32Array, fresh: Float32Array, heads: number): Float32Array {
  const all = new Float32Array(past.length + fresh.length);
  const [p, f] = [past.length / heads, fresh.length / heads];
  for (let h = 0; h < heads; h += 1) {
    all.set(past.subarray(h * p, (h + 1) * p), h * (p + f));
    all.set(fresh.subarray(h * f, (h + 1) * f), h * (p + f) + p);
  }
  return all;
}

const someRows = (rows: number): number[] =>
  [...new Set(Array.from({ length: CHECKED_ROWS }, (_, i) => Math.round((i * (rows - 1)) / (CHECKED_ROWS - 1))))];

/** Index in the output → what should stand there. */
type Expected = Map<number, number>;

function expectedHeads({ heads, headDim, queries, causal }: Case, numbers: HeadNumbers): Expected {
  const expected: Expected = new Map();
  const keys = joined(numbers.pastKey, numbers.key, heads);
  const values = joined(numbers.pastValue, numbers.value, heads);
  const keyCount = keys.length / heads / headDim;
  for (let h = 0; h < heads; h += 1) {
    for (const q of someRows(queries)) {
      const at = (h * queries + q) * headDim;
      contextRow(numbers.query, at, keys, values, h * keyCount * headDim, causal ? q + 1 : keyCount, headDim)
        .forEach((number, i) => expected.set(at + i, number));
    }
  }
  return expected;
}

function expectedLayer(each: Case): Expected {
  const { x, inProj, inBias, outProj, outBias } = layerNumbers(each);
  const { heads, headDim: d, queries } = each;
  const D = dModel(each);
  const parts = [0, 1, 2].map(() => new Float64Array(queries * D)) as [Float64Array, Float64Array, Float64Array];
  for (let row = 0; row < queries; row += 1) {
    const sums = Float64Array.from(inBias);
    for (let k = 0; k < D; k += 1) {
      const factor = x[row * D + k] as number;
      for (let c = 0; c < 3 * D; c += 1) sums[c] = (sums[c] as number) + factor * (inProj[k * 3 * D + c] as number);
    }
    sums.forEach((sum, c) => {
      const [part, h, i] = [Math.floor(c / D), Math.floor((c % D) / d), c % d];
      (parts[part] as Float64Array)[(h * queries + row) * d + i] = sum;
    });
  }
  const expected: Expected = new Map();
  for (const row of someRows(queries)) {
    const concat = new Float64Array(D);
    for (let h = 0; h < heads; h += 1) {
      concat.set(contextRow(parts[0], (h * queries + row) * d, parts[1], parts[2], h * queries * d, row + 1, d), h * d);
    }
    for (let c = 0; c < D; c += 1) {
      const sum = concat.reduce((total, number, k) => total + number * (outProj[k * D + c] as number), outBias[c] as number);
      expected.set(row * D + c, sum);
    }
  }
  return expected;
}

export const expectedOf = (each: Case): Expected =>
  (each.kind === 'layer' ? expectedLayer(each) : expectedHeads(each, headNumbers(each)));

/** Throws unless the rows that were checked are right. */
export function assertRight(name: string, each: Case, output: Float32Array, expected: Expected): void {
  const largest = [...expected.values()].reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  for (const [at, number] of expected) {
    const got = output[at] ?? Number.NaN;
    if (!(Math.abs(got - number) <= TOLERANCE * largest)) {
      throw new Error(`Not measured, because ${name} is wrong at ${each.id}: number ${at} is ${got}, not ${number}.`);
    }
  }
}
