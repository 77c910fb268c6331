// What a model made of one text.
import { AttentionError } from '../attention-error.ts';
import type { VocabularyWord } from './tokens.ts';

/** T tokens, L layers of H heads, D numbers a row, V words. */
export interface RunNumbers {
  tokens: readonly number[];
  layers: number;
  heads: number;
  d_model: number;
  /** [T, D] */
  embeddings: Float32Array;
  /** [L, T, D] */
  residuals: Float32Array;
  /** [L, H, T, T] */
  weights: Float32Array;
}

export interface Prediction extends VocabularyWord {
  id: number;
  /** Of all words, 0 … 1. */
  probability: number;
}

/** How a model reads rows of D numbers out. */
export interface ReadOut {
  logits(rows: Float32Array): Float32Array;
  softmax(logits: Float32Array): Float32Array;
  word(id: number): VocabularyWord;
}

/** Copies, which outlive the next run; logits need the model, until its free(). */
export class ModelRun {
  readonly #numbers: RunNumbers;
  readonly #readOut: ReadOut;

  constructor(numbers: RunNumbers, readOut: ReadOut) {
    this.#numbers = numbers;
    this.#readOut = readOut;
  }

  get tokens(): readonly number[] {
    return this.#numbers.tokens;
  }

  /** [T, T]: row = query, column = key. */
  weights(layer: number, head: number): Float32Array {
    const { weights, layers, heads } = this.#numbers;
    const count = this.tokens.length ** 2;
    const first = (this.#inside('layer', layer, layers) * heads + this.#inside('head', head, heads)) * count;
    return weights.subarray(first, first + count);
  }

  /** [T, D]: what the first layer reads, with positions where they are added. */
  get embeddings(): Float32Array {
    return this.#numbers.embeddings;
  }

  /** [T, D]: the rows after `layer`; −1 = the embeddings. */
  residual(layer: number): Float32Array {
    if (layer === -1) return this.embeddings;
    const { residuals, layers } = this.#numbers;
    const count = this.embeddings.length;
    const first = this.#inside('layer', layer, layers) * count;
    return residuals.subarray(first, first + count);
  }

  /** [V], of what follows `position`; read out after `layer`, the last one when left out (−1 = before the first). */
  logits(position: number, layer = this.#numbers.layers - 1): Float32Array {
    const { d_model: D } = this.#numbers;
    const first = this.#inside('position', position, this.tokens.length) * D;
    return this.#readOut.logits(this.residual(layer).subarray(first, first + D));
  }

  /** The `count` likeliest words after `position`, likeliest first. */
  predictions(position: number, count: number, layer?: number): Prediction[] {
    const shares = this.#readOut.softmax(this.logits(position, layer));
    return largest(shares, count).map((id) => ({ id, probability: shares[id] ?? 0, ...this.#readOut.word(id) }));
  }

  /** Of single words after `position`, in their order. */
  probabilities(position: number, ids: readonly number[], layer?: number): number[] {
    const shares = this.#readOut.softmax(this.logits(position, layer));
    return ids.map((id) => shares[this.#inside('token', id, shares.length)] ?? 0);
  }

  #inside(what: string, place: number, count: number): number {
    if (Number.isInteger(place) && place >= 0 && place < count) return place;
    throw new AttentionError('index_out_of_range', `There is no ${what} ${place}: they are 0 to ${count - 1}. Choose one of these.`);
  }
}

/** Indices of the largest numbers, largest first; of equals the first. */
function largest(numbers: Float32Array, count: number): number[] {
  const found: number[] = [];
  const of = (id: number) => numbers[id] as number;
  numbers.forEach((number, id) => {
    if (found.length === count && (count === 0 || number <= of(found.at(-1) as number))) return;
    const place = found.findIndex((other) => number > of(other));
    found.splice(place < 0 ? found.length : place, 0, id);
    if (found.length > count) found.pop();
  });
  return found;
}
