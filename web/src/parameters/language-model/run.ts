// What a model made of one text.
import { AttentionError } from '../../engine/error.ts';
import type { Soon } from '../../lib/answers.ts';
import type { Drawing } from './edits.ts';
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

/** What was kept of tokens that were read at once, in all layers: [L, rows, width] each. */
export interface ReadRows {
  readonly rows: number;
  /** [rows, D] */
  readonly embeddings: Float32Array;
  readonly residuals: Float32Array;
  /** [L, H, rows, keys], of the keys that there were then. */
  readonly weights: Float32Array;
  /** All key heads' side by side. */
  readonly values: Float32Array;
  /** All heads' side by side. */
  readonly contexts: Float32Array;
}
export type KeptStage = Exclude<keyof ReadRows, 'rows'>;

/** [outer, T, width] of the first T rows that were read in parts of [outer, rows, own width], one after another. Later keys of a causal row have no weight. */
export function joined(parts: readonly ReadRows[], stage: KeptStage, outer: number, T: number): Float32Array {
  const widthOf = (part: ReadRows) => part[stage].length / outer / part.rows;
  const width = stage === 'weights' ? T : widthOf(parts[0] as ReadRows);
  const all = new Float32Array(outer * T * width);
  let first = 0;
  for (const part of parts) {
    const [numbers, own, rows] = [part[stage], widthOf(part), Math.min(part.rows, T - first)];
    for (let row = 0; row < outer * rows; row += 1) {
      const [from, to] = [(Math.floor(row / rows) * part.rows + row % rows) * own, (Math.floor(row / rows) * T + first + row % rows) * width];
      all.set(numbers.subarray(from, from + Math.min(own, width)), to);
      if (Number.isNaN(all[to + own - 1])) all.fill(NaN, to + own, to + width);
    }
    first += rows;
  }
  return all;
}

export interface Prediction extends VocabularyWord {
  id: number;
  /** Of all words, 0 … 1. */
  probability: number;
}

/** What a model expects after one token. */
export interface Outlook {
  /** Likeliest first. */
  predictions: Prediction[];
  /** The share that the token which does follow was given; null after the last. */
  ofNext: number | null;
}

/** What a model would say of a position if it ended after one layer. */
export interface LayerOutlook {
  /** −1 = before the first. */
  layer: number;
  guess: Prediction | undefined;
  /** Of the last layer's first guess. */
  final: number;
}

/** How the next token is chosen: a temperature of 0 takes the likeliest, a topK of 0 keeps all. */
export type Manner = Drawing;

export interface Draw {
  /** As many as there are words, where none can be drawn. */
  id: number;
  /** Of each word, 0 where it is left out. */
  shares: Float32Array;
}

/** How a model reads rows of D numbers out: logits [rows, V], and shares of each row. */
export interface ReadOut {
  readonly vocabulary: number;
  logits(rows: Float32Array): Float32Array;
  softmax(logits: Float32Array): Float32Array;
  draw(logits: Float32Array, manner: Manner, place: number): Draw;
  word(id: number): VocabularyWord;
}

/** Logits that are held at once when all positions are read out. */
const MOST_LOGITS = 2 ** 22;

/** What was kept of a run: copies, which outlive the next. */
export class KeptRun {
  constructor(protected readonly numbers: RunNumbers) {}

  get tokens(): readonly number[] {
    return this.numbers.tokens;
  }

  /** [T, T]: row = query, column = key. */
  weights(layer: number, head: number): Float32Array {
    const { weights, layers, heads } = this.numbers;
    const count = this.tokens.length ** 2;
    const first = (this.inside('layer', layer, layers) * heads + this.inside('head', head, heads)) * count;
    return weights.subarray(first, first + count);
  }

  /** [H, T, T] of all heads of a layer. */
  layerWeights(layer: number): Float32Array {
    const { weights, layers, heads } = this.numbers;
    const count = heads * this.tokens.length ** 2;
    const first = this.inside('layer', layer, layers) * count;
    return weights.subarray(first, first + count);
  }

  /** [T, D]: what the first layer reads, with positions where they are added. */
  get embeddings(): Float32Array {
    return this.numbers.embeddings;
  }

  /** [T, D]: the rows after `layer`; −1 = the embeddings. */
  residual(layer: number): Float32Array {
    if (layer === -1) return this.embeddings;
    const { residuals, layers } = this.numbers;
    const count = this.embeddings.length;
    const first = this.inside('layer', layer, layers) * count;
    return residuals.subarray(first, first + count);
  }

  /** Rows are copied; the weights are these, and gone here once they are given away. */
  given(): RunNumbers {
    const { embeddings, residuals } = this.numbers;
    return { ...this.numbers, embeddings: embeddings.slice(), residuals: residuals.slice() };
  }

  protected inside(what: string, place: number, count: number): number {
    if (Number.isInteger(place) && place >= 0 && place < count) return place;
    throw new AttentionError('index_out_of_range', `There is no ${what} ${place}: they are 0 to ${count - 1}. Choose one of these.`);
  }
}

/** A run that can be asked; a model in a worker answers later. */
export interface AnyRun extends KeptRun {
  predictions(position: number, count: number): Soon<Prediction[]>;
  probabilities(position: number, ids: readonly number[]): Soon<number[]>;
  outlooks(count: number): Soon<Outlook[]>;
  afterLayers(position: number): Soon<LayerOutlook[]>;
  drawNext(manner: Manner, passed?: readonly number[]): Soon<Draw>;
}

/** Asked on the spot, until its model's free(). */
export class ModelRun extends KeptRun implements AnyRun {
  readonly #readOut: ReadOut;
  /** After the last token. */
  #next: Float32Array | null = null;

  constructor(numbers: RunNumbers, readOut: ReadOut) {
    super(numbers);
    this.#readOut = readOut;
  }

  /** [V], of what follows `position`; read out after `layer`, the last one when left out (−1 = before the first). */
  logits(position: number, layer = this.numbers.layers - 1): Float32Array {
    const { d_model: D } = this.numbers;
    const first = this.inside('position', position, this.tokens.length) * D;
    return this.#readOut.logits(this.residual(layer).subarray(first, first + D));
  }

  /** The `count` likeliest words after `position`, likeliest first. */
  predictions(position: number, count: number, layer?: number): Prediction[] {
    return this.#likeliest(this.#readOut.softmax(this.logits(position, layer)), count);
  }

  /** Of every position at once, which is faster than one by one. */
  outlooks(count: number, layer?: number): Outlook[] {
    const atOnce = Math.max(1, Math.floor(MOST_LOGITS / this.#readOut.vocabulary));
    const found: Outlook[] = [];
    while (found.length < this.tokens.length) found.push(...this.outlooksFrom(found.length, atOnce, count, layer));
    return found;
  }

  /** Of the positions from `first` on, `rows` at most. */
  outlooksFrom(first: number, rows: number, count: number, layer = this.numbers.layers - 1): Outlook[] {
    const { d_model: D, tokens } = this.numbers;
    const { vocabulary: V } = this.#readOut;
    const shares = this.#readOut.softmax(this.#readOut.logits(this.residual(layer).subarray(first * D, (first + rows) * D)));
    return Array.from({ length: shares.length / V }, (_, i) => {
      const here = shares.subarray(i * V, (i + 1) * V);
      const next = tokens[first + i + 1];
      return { predictions: this.#likeliest(here, count), ofNext: next === undefined ? null : here[next] as number };
    });
  }

  /** Of single words after `position`, in their order. */
  probabilities(position: number, ids: readonly number[], layer?: number): number[] {
    const shares = this.#readOut.softmax(this.logits(position, layer));
    return ids.map((id) => shares[this.inside('token', id, shares.length)] ?? 0);
  }

  /** What it would say of a position if it ended after each layer, from before the first. */
  afterLayers(position: number): LayerOutlook[] {
    const { layers } = this.numbers;
    const [last] = this.predictions(position, 1);
    return Array.from({ length: layers + 1 }, (_, i) => {
      const shares = this.#readOut.softmax(this.logits(position, i - 1));
      return { layer: i - 1, guess: this.#likeliest(shares, 1)[0], final: (last && shares[last.id]) ?? 0 };
    });
  }

  /** What follows the last token, but for those that were passed over; the number that chooses is that of the seed at the next place. */
  drawNext(manner: Manner, passed: readonly number[] = []): Draw {
    const T = this.tokens.length;
    const logits = (this.#next ??= this.logits(T - 1)).slice();
    for (const id of passed) logits[id] = -Infinity;
    return this.#readOut.draw(logits, manner, T);
  }

  #likeliest(shares: Float32Array, count: number): Prediction[] {
    return largest(shares, count).map((id) => ({ id, probability: shares[id] as number, ...this.#readOut.word(id) }));
  }
}

/** Indices of the largest numbers, largest first; of equals the first. */
function largest(numbers: Float32Array, count: number): number[] {
  const found: number[] = [];
  let least = -Infinity; // of those found, once there are enough
  for (let id = 0; id < numbers.length && count > 0; id += 1) {
    const number = numbers[id] as number;
    if (number <= least) continue;
    const place = found.findIndex((other) => number > (numbers[other] as number));
    found.splice(place < 0 ? found.length : place, 0, id);
    if (found.length > count) found.pop();
    if (found.length === count) least = numbers[found[count - 1] as number] as number;
  }
  return found;
}
