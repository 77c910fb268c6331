// What is measured: sizes, the numbers that every competitor is given, and what a competitor is, one file each.

export interface Case {
  id: string;
  /** `attention` on given heads; `decode`, the same for one token after `keys` cached ones; a whole `layer`. */
  kind: 'attention' | 'decode' | 'layer';
  heads: number;
  headDim: number;
  queries: number;
  keys: number;
  causal: boolean;
}

const HEADS = 12;
const HEAD_DIM = 64;

export const attention = (n: number, causal: boolean, heads = HEADS): Case => ({
  id: `n = ${n.toLocaleString('en')}${causal ? ', causal' : ''}${heads === HEADS ? '' : `, ${heads} head`}`,
  kind: 'attention', heads, headDim: HEAD_DIM, queries: n, keys: n, causal,
});
export const layer = (n: number): Case => ({
  ...attention(n, true), kind: 'layer', id: `layer of d_model ${HEADS * HEAD_DIM}, n = ${n}, causal`,
});
export const decode = (keys: number): Case => ({
  ...attention(1, false), kind: 'decode', keys, id: `one token after ${keys.toLocaleString('en')}`,
});

export const dModel = ({ heads, headDim }: Case): number => heads * headDim;

/** Multiplications and additions that a case cannot do without; the causal mask halves those of attention. */
export function flops(each: Case): number {
  const { kind, heads, headDim, queries, keys, causal } = each;
  const pairs = causal ? (queries * (queries + 1)) / 2 : queries * (kind === 'decode' ? keys + 1 : keys);
  const projections = kind === 'layer' ? 4 * 2 * queries * dModel(each) ** 2 : 0;
  return heads * pairs * 4 * headDim + projections;
}

/** Standard normal numbers, the same in every run. */
export function normal(count: number, seed: number): Float32Array {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return Float32Array.from({ length: count }, () =>
    Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()));
}

const scaled = (numbers: Float32Array, factor: number) => numbers.map((number) => number * factor);

/** (heads, rows, width) ↔ (rows, heads, width). */
export function swapAxes(numbers: Float32Array, first: number, second: number, width: number): Float32Array {
  const swapped = new Float32Array(numbers.length);
  for (let a = 0; a < first; a += 1) {
    for (let b = 0; b < second; b += 1) {
      swapped.set(numbers.subarray((a * second + b) * width, (a * second + b + 1) * width), (b * first + a) * width);
    }
  }
  return swapped;
}

/** Of `attention` and `decode`, all (heads, rows, headDim). The cache holds what came before key and value. */
export interface HeadNumbers {
  query: Float32Array;
  key: Float32Array;
  value: Float32Array;
  pastKey: Float32Array;
  pastValue: Float32Array;
}

export function headNumbers({ kind, heads, headDim, queries, keys }: Case): HeadNumbers {
  const fresh = kind === 'decode' ? 1 : keys;
  const past = kind === 'decode' ? keys : 0;
  return {
    query: normal(heads * queries * headDim, 1),
    key: normal(heads * fresh * headDim, 2),
    value: normal(heads * fresh * headDim, 3),
    pastKey: normal(heads * past * headDim, 4),
    pastValue: normal(heads * past * headDim, 5),
  };
}

/** Of a `layer`: x (n, D), matrices as x·W, (D, 3·D) and (D, D). */
export interface LayerNumbers {
  x: Float32Array;
  inProj: Float32Array;
  inBias: Float32Array;
  outProj: Float32Array;
  outBias: Float32Array;
}

export function layerNumbers(each: Case): LayerNumbers {
  const D = dModel(each);
  return {
    x: normal(each.queries * D, 1),
    inProj: scaled(normal(D * 3 * D, 2), 1 / Math.sqrt(D)),
    inBias: scaled(normal(3 * D, 3), 0.1),
    outProj: scaled(normal(D * D, 4), 1 / Math.sqrt(D)),
    outBias: scaled(normal(D, 5), 0.1),
  };
}

export interface Competitor {
  /** As the tables name it. */
  name: string;
  /** Makes ready for a case; false when it does not take part in it. */
  prepare(each: Case): Promise<boolean>;
  /** From the caller's Float32Arrays to a Float32Array of the result: what each call costs its caller. */
  run(): void | Promise<void>;
  /** The last result: (heads, rows, width), or (rows, d_model) of a layer. */
  output(): Float32Array;
  /** Gives back what prepare() took. */
  free(): void | Promise<void>;
  /** The most memory that its module has held so far, where it can be asked. */
  heapBytes?(): number;
}

// The definition in double, for some rows of a result: what every competitor is checked with first.
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
