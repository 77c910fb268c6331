// What the designed heads look at: by the engine that the page has, and by plain loops in double, which the engine's answers are
// held to. And by what the figures of designed.md are known.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Design, design } from '../../../web/src/parameters/designed/design.ts';
import { type Lexicon, parseLexicon } from '../../../web/src/parameters/designed/lexicon.ts';
import { Engine, type StageId } from '../../../web/src/engine/engine.ts';
import { DEFAULTS } from '../../../web/src/engine/defaults.ts';

export interface Attended {
  design: Design;
  /** One head's weights, [T, T]. */
  weights(head: number): ArrayLike<number>;
  /** One head's contexts, [T, d_v]. */
  context(head: number): ArrayLike<number>;
}

const MODULE = new URL('../../../build/wasm/bindings/attention.wasm', import.meta.url);

export async function attender(lexicon: Lexicon): Promise<(tokens: readonly string[]) => Attended> {
  const session = (await Engine.load('', await readFile(MODULE))).session();
  return (tokens) => {
    const designed = design(tokens, lexicon);
    const { content, W_Q, W_K, W_V, W_O, settings } = designed;
    const trace = session.run({ tokens, given: { content, W_Q, W_K, W_V, W_O } }, { ...DEFAULTS, ...settings });
    // A trace goes with the next run, so that all heads are copied.
    const heads = (id: StageId) => designed.heads.map((_, h) => trace.head(id, h));
    const [weights, context] = [heads('weights'), heads('context')];
    return { design: designed, weights: (h) => weights[h] ?? [], context: (h) => context[h] ?? [] };
  };
}

export interface PlainHead {
  /** [T, T] */
  weights: Float64Array;
  /** [T, d_v] */
  context: Float64Array;
}

export function plainAttention({ content, W_Q, W_K, W_V, settings: { d_model, num_heads } }: Design): PlainHead[] {
  const width = W_Q.length / d_model;
  const [query, key, value] = [W_Q, W_K, W_V].map((matrix) => product(content, matrix, d_model, width)) as [Float64Array, Float64Array, Float64Array];
  const count = content.length / d_model;
  return Array.from({ length: num_heads }, (_, h) => plainHead(query, key, value, count, width, h, width / num_heads));
}

function plainHead(query: Float64Array, key: Float64Array, value: Float64Array, count: number, width: number, h: number, d: number): PlainHead {
  const [weights, context] = [new Float64Array(count * count), new Float64Array(count * d)];
  const at = (rows: Float64Array, row: number, c: number) => rows[row * width + h * d + c] as number;
  for (let q = 0; q < count; q++) {
    const scores = Array.from({ length: q + 1 }, (_, k) => {
      let score = 0;
      for (let c = 0; c < d; c++) score += at(query, q, c) * at(key, k, c);
      return score / Math.sqrt(d);
    });
    const highest = Math.max(...scores);
    const parts = scores.map((score) => Math.exp(score - highest));
    const sum = parts.reduce((a, b) => a + b, 0);
    parts.forEach((part, k) => {
      weights[q * count + k] = part / sum;
      for (let c = 0; c < d; c++) context[q * d + c] = (context[q * d + c] as number) + (part / sum) * at(value, k, c);
    });
  }
  return { weights, context };
}

/** X·W, [rows, width] */
function product(x: Float32Array, w: Float32Array, inner: number, width: number): Float64Array {
  const rows = x.length / inner;
  const y = new Float64Array(rows * width);
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < inner; i++) {
      const factor = x[r * inner + i] as number;
      if (factor === 0) continue;
      for (let c = 0; c < width; c++) y[r * width + c] = (y[r * width + c] as number) + factor * (w[i * width + c] as number);
    }
  }
  return y;
}

/** Every kind of word that a head asks for or offers. */
const SAMPLE = `The two old keys to her cabinet , which Zqwxyl gave us yesterday , are not on that table because it was too narrow .
  Has he ever said who you were , and where their 44 very small children sleep ? Oh no`.split(/\s+/);

/** Twelve hexadecimal digits of the lexicon, and of the embeddings and matrices that it gives a sample. */
export function fingerprint(lexicon: string): string {
  const { content, W_Q, W_K, W_V, W_O } = design(SAMPLE, parseLexicon(lexicon));
  const hash = createHash('sha256').update(lexicon);
  for (const numbers of [content, W_Q, W_K, W_V, W_O]) hash.update(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
  return hash.digest('hex').slice(0, 12);
}
