// Models of the sizes that people have, with numbers of a fixed seed: no file is needed, and every competitor has the same.
// A number is a whole one from −127 to 127, times STEP: float32, bfloat16, binary16 and int8 with a scale all hold it exactly.

export const STEP = 2 ** -12;

export interface Shape {
  id: string;
  layers: number;
  width: number;
  heads: number;
  keyHeads: number;
  hidden: number;
  vocabulary: number;
  /** Llama's parts: RMSNorm, SwiGLU, rotary positions, no biases, matrices as (out, in). Else GPT-2's. */
  isLlama: boolean;
}

export const SHAPES: Record<'gpt2' | 'llama', Shape> = {
  gpt2: { id: 'GPT-2', layers: 12, width: 768, heads: 12, keyHeads: 12, hidden: 3072, vocabulary: 50_257, isLlama: false },
  llama: { id: 'SmolLM-135M', layers: 30, width: 576, heads: 9, keyHeads: 3, hidden: 1536, vocabulary: 49_152, isLlama: true },
};
export const CONTEXT = 512;
export const EPSILON = 1e-5;
export const ROTARY_BASE = 10_000;

/** Names of a block's matrices, with what goes in and comes out. */
export function matrices({ width, heads, keyHeads, hidden, isLlama }: Shape): Record<string, [from: number, to: number]> {
  const keys = (width / heads) * keyHeads;
  return {
    ...(isLlama ? { query: [width, width], key: [width, keys], value: [width, keys] } : { packed: [width, 3 * width] }),
    out: [width, width],
    ...(isLlama && { gate: [width, hidden] }),
    up: [width, hidden],
    down: [hidden, width],
  };
}

/** Of all matrices that a token is multiplied by; the embeddings are the output's. */
export const multiplied = (shape: Shape): number =>
  shape.layers * Object.values(matrices(shape)).reduce((sum, [from, to]) => sum + from * to, 0) + shape.width * shape.vocabulary;

/** Whole numbers from −127 to 127, by the tensor's name. */
export function numbersOf(name: string, count: number): Int8Array {
  let state = 1;
  for (const letter of name) state = (Math.imul(state, 31) + letter.charCodeAt(0)) | 0;
  state = Math.imul(state, 0x9e3779b1) | 1;
  const numbers = new Int8Array(count);
  for (let i = 0; i < count; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    numbers[i] = (Math.imul(state >>> 16, 255) >>> 16) - 127;
  }
  return numbers;
}

const TABLE = Float32Array.from({ length: 256 }, (_, byte) => ((byte << 24) >> 24) * STEP);
export function floatsOf(name: string, count: number): Float32Array {
  const whole = numbersOf(name, count);
  const numbers = new Float32Array(count);
  for (let i = 0; i < count; i += 1) numbers[i] = TABLE[(whole[i] as number) & 255] as number;
  return numbers;
}

export const gainOf = (name: string, width: number): Float32Array => floatsOf(name, width).map((number) => 1 + number);

/** A text of so many tokens, and one to follow. */
export const tokensOf = (count: number, { vocabulary }: Shape): number[] => Array.from({ length: count }, (_, i) => (i * 7919 + 17) % vocabulary);

/** cos and sin of position · base^(−2i / width), (CONTEXT, width / 2). */
export function rotaryOf({ width, heads }: Shape): { cosines: Float32Array; sines: Float32Array } {
  const half = width / heads / 2;
  const table = (of: (angle: number) => number) =>
    Float32Array.from({ length: CONTEXT * half }, (_, i) => of(Math.floor(i / half) * ROTARY_BASE ** (-(i % half) / half)));
  return { cosines: table(Math.cos), sines: table(Math.sin) };
}
