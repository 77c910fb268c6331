// Random samples and what is measured of them: the experiments behind "why divide by √d_k".
import type { MainModule } from '../../../../build/wasm/bindings/attention_operators.mjs';
import { type Numbers, call, givenList } from './given.ts';
import { run } from './sentences.ts';
import { Tensor, floats } from './tensors.ts';

/** `variance` is the population's: the mean square distance from `mean`. */
export interface Moments {
  mean: number;
  variance: number;
}

/** Of one row of weights. */
export interface RowFacts {
  /** Bits: log2(n) for n equal weights, 0 for a single one. */
  entropy: number;
  largest: number;
  /** How far the weights move when the scores do: the Frobenius norm of softmax's Jacobian, diag(w) − w·wᵀ; 0 to ½. */
  jacobianNorm: number;
}

/** Of one head on one text: means over the rows after the first; NaN where there is no such row. */
export interface HeadFacts {
  /** The weight on the token before. */
  previous: number;
  /** On the text's first token. */
  start: number;
  /** On the token itself. */
  self: number;
  /** On the token after the last earlier one of the same id, over the rows that have one. */
  induction: number;
  /** Bits. */
  entropy: number;
}

export class Statistics {
  readonly #module: MainModule;

  constructor(module: MainModule) {
    this.#module = module;
  }

  /**
   * Fills (rows, columns) with independent standard normal numbers. The number at (seed, stream, row, column) is
   * always the same: more rows or columns only add to a draw. Row r is row firstRow + r of the stream.
   */
  normals(out: Tensor, { seed, stream = 0, firstRow = 0 }: { seed: number; stream?: number; firstRow?: number }): void {
    run(() => this.#module.normals(seed >>> 0, stream >>> 0, firstRow >>> 0, floats(out)));
  }

  /** out[r] = the sum of the first `width` products a[r, c] · b[r, c]; a and b (rows, columns), out (rows). */
  dotRows(a: Tensor, b: Tensor, width: number, out: Tensor): void {
    run(() => this.#module.dotRows(floats(a), floats(b), width, floats(out)));
  }

  /** Of all numbers of a tensor together, added in double. */
  moments(x: Tensor): Moments {
    return call(() => this.#module.moments(floats(x, 'x')));
  }

  /** One for each row of weights (rows, n). */
  rowFacts(weights: Tensor): RowFacts[] {
    const rows = weights.shape.slice(0, -1).reduce((all, extent) => all * extent, 1);
    const facts = new Tensor(new this.#module.FloatTensor(), [rows, 3]);
    try {
      run(() => this.#module.rowFacts(floats(weights), floats(facts)));
      const numbers = facts.read();
      return Array.from({ length: rows }, (_, r) => {
        const [entropy = NaN, largest = NaN, jacobianNorm = NaN] = numbers.subarray(3 * r, 3 * r + 3);
        return { entropy, largest, jacobianNorm };
      });
    } finally {
      facts.free();
    }
  }

  /** One for each head of weights (heads, T, T), or (layers, heads, T, T), of a text of T tokens. */
  headFacts(weights: Tensor, tokens: Numbers): HeadFacts[] {
    const heads = weights.shape.slice(0, -2).reduce((all, extent) => all * extent, 1);
    const facts = new Tensor(new this.#module.FloatTensor(), [heads, 5]);
    try {
      run(() => this.#module.headFacts(floats(weights), givenList(tokens, 'tokens'), floats(facts)));
      const numbers = facts.read();
      return Array.from({ length: heads }, (_, head) => {
        const [previous = NaN, start = NaN, self = NaN, induction = NaN, entropy = NaN] = numbers.subarray(5 * head, 5 * head + 5);
        return { previous, start, self, induction, entropy };
      });
    } finally {
      facts.free();
    }
  }

  /** The rows of a text that `induction` is a mean of. */
  inductionRows(tokens: Numbers): number {
    return this.#module.inductionRows(givenList(tokens, 'tokens'));
  }

  /**
   * The mean (T, T) over the heads of one layer's weights (heads, T, T), and attention rollout (Abnar and Zuidema 2020)
   * up to this layer: out = A · below, where A is (mean + I) / 2 with each row over its sum. Without `below` it is A.
   */
  rollOut(weights: Tensor, below: Tensor | null, mean: Tensor, out: Tensor): void {
    run(() => this.#module.rollOut(floats(weights), floats(below), floats(mean), floats(out)));
  }
}
