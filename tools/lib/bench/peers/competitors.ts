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
