// Random queries and keys, and how their dot products change with their length. All numbers are the engine's.
import type { Moments, Operators, Tensor } from '../../engine/operators/operators.ts';

export const WIDEST = 1024;

/** Of softmax over rows of scores, each of one query and many keys: means over the rows. */
export interface Facts {
  rows: number;
  /** Bits. */
  entropy: number;
  largest: number;
  /** Size of softmax's Jacobian: what is left of a gradient. */
  gradient: number;
}

export interface Sample {
  moments: Moments;
  softmax: Facts;
}

export interface Measured {
  /** q·k of each pair. */
  raw: Sample;
  /** q·k ÷ √d. */
  divided: Sample;
}

/**
 * Pairs of random vectors, drawn once at their longest: a shorter vector is the beginning of the longer. In a row of softmax
 * one query meets the keys of as many pairs.
 */
export class Experiment {
  readonly #operators: Operators;
  readonly #query: Tensor;
  readonly #key: Tensor;
  /** In each row of `keys` the query of its first pair, again and again. */
  #asking: { keys: number; query: Tensor } | null = null;

  constructor(operators: Operators, readonly pairs: number, readonly seed: number) {
    this.#operators = operators;
    this.#query = operators.tensor([pairs, WIDEST]);
    this.#key = operators.tensor([pairs, WIDEST]);
    operators.statistics.normals(this.#query, { seed, stream: 0 });
    operators.statistics.normals(this.#key, { seed, stream: 1 });
  }

  /** The first d numbers of each vector; their scores, and those of rows of `keys`, as many as there are. */
  measure(d: number, keys: number): Measured {
    const [raw, divided] = this.#sample(this.#query, d, (scores) => this.#operators.statistics.moments(scores));
    const [sharp, soft] = this.#sample(this.#asked(keys), d, (scores) => this.#softmax(scores.read(), keys));
    return { raw: { moments: raw, softmax: sharp }, divided: { moments: divided, softmax: soft } };
  }

  #asked(keys: number): Tensor {
    if (this.#asking?.keys === keys) return this.#asking.query;
    this.#asking?.query.free();
    this.#asking = null;
    const numbers = this.#query.read();
    for (let pair = 0; pair < this.pairs; pair += 1) numbers.copyWithin(pair * WIDEST, (pair - pair % keys) * WIDEST, (pair - pair % keys + 1) * WIDEST);
    this.#asking = { keys, query: this.#operators.tensor([this.pairs, WIDEST], numbers) };
    return this.#asking.query;
  }

  /** Scores q·k of each pair, and the same ÷ √d. */
  #sample<Found>(query: Tensor, d: number, find: (scores: Tensor) => Found): [raw: Found, divided: Found] {
    const operators = this.#operators;
    const raw = operators.tensor([this.pairs, 1]);
    const divided = operators.tensor([this.pairs, 1]);
    const factor = operators.tensor([1, 1], Float32Array.of(1 / Math.sqrt(d)));
    try {
      operators.statistics.dotRows(query, this.#key, d, raw);
      operators.linear(raw, { weight: factor }, divided);
      return [find(raw), find(divided)];
    } finally {
      for (const tensor of [raw, divided, factor]) tensor.free();
    }
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
    this.#asking?.query.free();
    this.#query.free();
    this.#key.free();
  }
}
