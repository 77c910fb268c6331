// Causal attention by plain loops in double, of given embeddings and matrices: what the engine's answers are held to.
import type { Design } from '../../../web/src/parameters/designed/design.ts';

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
