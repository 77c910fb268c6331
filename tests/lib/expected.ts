// What the page must show for a sentence and settings: the native build's bits and the double reference's numbers.
import { type Stages, nativeStages, referenceStages } from './native.ts';
import type { Cell, Settings, StageId } from '../../web/src/engine/engine.ts';

export const STAGES: readonly StageId[] = [
  'content', 'position', 'embeddings', 'query', 'key', 'value', 'scores', 'scaled_scores', 'masked_scores',
  'weights', 'context', 'concat', 'output', 'residual',
];

/** One number twice: as the engine must have it, and as plain loops in double have it, with what may lie between. */
export interface Known { bits: number; double: number; tolerance: number }

export class Expected {
  readonly native: Stages<Float32Array>;
  readonly reference: Stages<Float64Array>;
  readonly T: number;
  readonly d_k: number;

  constructor(readonly tokens: readonly string[], readonly settings: Settings) {
    this.native = nativeStages(tokens, settings);
    this.reference = referenceStages(tokens, settings);
    this.T = tokens.length;
    this.d_k = settings.d_model / settings.num_heads;
  }

  get factor(): number {
    const { scale, scale_factor } = this.settings;
    if (scale === 'none') return 1;
    return scale === 'factor' ? Math.fround(scale_factor) : 1 / Math.sqrt(this.d_k);
  }

  query({ head, query }: Cell): Float32Array {
    return this.#row('query', head, query);
  }

  key({ head, key }: Cell): Float32Array {
    return this.#row('key', head, key);
  }

  /** The products that a score is the sum of, each rounded to float32. */
  products(at: Cell): Float32Array {
    const key = this.key(at);
    return this.query(at).map((q, i) => q * (key[i] ?? 0));
  }

  allowed(at: Cell): boolean {
    return this.settings.mask === 'none' || at.key <= at.query;
  }

  score(at: Cell): Known {
    return this.#known('scores', at, this.#scoreError(at));
  }

  scaled(at: Cell): Known {
    return this.#known('scaled_scores', at, this.#scoreError(at) * Math.abs(this.factor));
  }

  masked(at: Cell): Known {
    return this.#known('masked_scores', at, this.#scoreError(at) * Math.abs(this.factor));
  }

  weight(at: Cell): Known {
    const known = this.#known('weights', at, 0);
    return { ...known, tolerance: this.#rowError(at) * known.double + 1e-37 };
  }

  /** exp(s − max) and their sum over the row, in double, from the reference's scores. */
  softmax(at: Cell): { max: Known; exp: Known; sum: Known } {
    const row = (buffer: ArrayLike<number>) => Array.from({ length: this.T }, (_, key) => buffer[this.#place({ ...at, key })] ?? NaN);
    const own = row(this.native.get('masked_scores'));
    const double = row(this.reference.get('masked_scores'));
    const [ownMax, doubleMax] = [Math.max(...own), Math.max(...double)];
    const tolerance = this.#rowError(at);
    const exp = { bits: Math.exp((own[at.key] ?? NaN) - ownMax), double: Math.exp((double[at.key] ?? NaN) - doubleMax) };
    const sum = (scores: number[], max: number) => scores.reduce((total, score) => total + Math.exp(score - max), 0);
    return {
      max: { bits: ownMax, double: doubleMax, tolerance },
      exp: { ...exp, tolerance: tolerance * exp.double + 1e-37 },
      sum: { bits: sum(own, ownMax), double: sum(double, doubleMax), tolerance: tolerance * this.T },
    };
  }

  #known(id: StageId, at: Cell, tolerance: number): Known {
    const place = this.#place(at);
    return { bits: this.native.get(id)[place] ?? NaN, double: this.reference.get(id)[place] ?? NaN, tolerance };
  }

  #place({ head, query, key }: Cell): number {
    return (head * this.T + query) * this.T + key;
  }

  #row(id: 'query' | 'key', head: number, token: number): Float32Array {
    const from = (head * this.T + token) * this.d_k;
    return this.native.get(id).subarray(from, from + this.d_k);
  }

  /** Rounding in float32 through the projections and the dot product. */
  #scoreError(at: Cell): number {
    return 1e-5 * this.products(at).reduce((sum, product) => sum + Math.abs(product), 0) + 1e-6;
  }

  /** An error of ε in a score changes its exp, and its weight, by a factor of 1 ± ε. */
  #rowError(at: Cell): number {
    let most = 0;
    for (let key = 0; key < this.T; key += 1) most = Math.max(most, this.#scoreError({ ...at, key }));
    return 4 * most * Math.abs(this.factor) + 1e-5;
  }
}
