// Random queries and keys, and what becomes of their dot products as they grow longer. All numbers are the engine's.
import type { Moments, Operators, Tensor } from '../../engine/operators/operators.ts';

export const WIDEST = 1024;
/** 1, 2, 4 … 1,024. */
export const POWERS: readonly number[] = Array.from({ length: 11 }, (_, i) => 2 ** i);

/** Of softmax over rows of scores: means over the rows. */
export interface Facts {
  rows: number;
  /** Bits. */
  entropy: number;
  largest: number;
  /** Size of softmax's Jacobian: what is left of a gradient. */
  gradient: number;
}

export interface Sample {
  numbers: Float32Array;
  moments: Moments;
  softmax: Facts;
}

export interface Measured {
  d: number;
  /** q·k of each pair. */
  raw: Sample;
  /** q·k ÷ √d. */
  scaled: Sample;
}

/** Pairs of random vectors, drawn once at their longest: a shorter vector is the beginning of the longer. */
export class Experiment {
  readonly #operators: Operators;
  readonly #query: Tensor;
  readonly #key: Tensor;

  constructor(operators: Operators, readonly pairs: number, readonly seed: number) {
    this.#operators = operators;
    this.#query = operators.tensor([pairs, WIDEST]);
    this.#key = operators.tensor([pairs, WIDEST]);
    operators.statistics.normals(this.#query, { seed, stream: 0 });
    operators.statistics.normals(this.#key, { seed, stream: 1 });
  }

  /** The first d numbers of each vector; their scores in rows of `keys`, as many as there are. */
  measure(d: number, keys: number): Measured {
    const operators = this.#operators;
    const raw = operators.tensor([this.pairs, 1]);
    const scaled = operators.tensor([this.pairs, 1]);
    const factor = operators.tensor([1, 1], Float32Array.of(1 / Math.sqrt(d)));
    try {
      operators.statistics.dotRows(this.#query, this.#key, d, raw);
      operators.linear(raw, { weight: factor }, scaled);
      return { d, raw: this.#sample(raw, keys), scaled: this.#sample(scaled, keys) };
    } finally {
      for (const tensor of [raw, scaled, factor]) tensor.free();
    }
  }

  #sample(scores: Tensor, keys: number): Sample {
    const numbers = scores.read();
    return { numbers, moments: this.#operators.statistics.moments(scores), softmax: this.#softmax(numbers, keys) };
  }

  #softmax(scores: Float32Array, keys: number): Facts {
    const rows = Math.floor(scores.length / keys);
    const weights = this.#operators.tensor([rows, keys], scores.slice(0, rows * keys));
    try {
      this.#operators.softmax(weights, weights);
      const facts = this.#operators.statistics.rowFacts(weights);
      const mean = (of: (row: (typeof facts)[number]) => number) => facts.reduce((sum, row) => sum + of(row), 0) / rows;
      return { rows, entropy: mean((row) => row.entropy), largest: mean((row) => row.largest), gradient: mean((row) => row.jacobianNorm) };
    } finally {
      weights.free();
    }
  }

  free(): void {
    this.#query.free();
    this.#key.free();
  }
}
