// Options of attention, for a single call and for a block of a decoder.
import type { WantedAttendOptions, WantedStages } from '../../../../build/wasm/bindings/attention_operators.mjs';
import { type ByteTensor, type Tensor, bytes, floats } from './tensors.ts';

/** ONNX's conventions (Attention, opset 23-25), as in attend.h; but the offset of causality is always said. Left out, or null = off. */
export interface AttendOptions {
  /** 1 / √(width of a key) when left out. */
  scale?: number;
  /** Scores become softcap · tanh(scores / softcap), before the mask. */
  softcap?: number;
  /** Query i may look at key j when j ≤ i + offset. */
  isCausal?: boolean;
  /** Of causality and window; the number of keys before the first query. */
  offset?: number;
  /** One for each batch, in place of `offset`. */
  batchOffsets?: ArrayLike<number>;
  /** Query i may look at keys i + offset − windowLeft … i + offset + windowRight; −1 = open. */
  windowLeft?: number;
  windowRight?: number;
  /** Two numbers for each query, begin and end: it may look at no key outside [begin, end). */
  keyRanges?: ArrayLike<number>;
  /** Of each batch; keys from there on are padding. */
  keyLengths?: ArrayLike<number>;
  /** Not 0 = the key takes part. (batch, heads, queries, keys); an extent of 1 repeats, fewer keys mask the rest. */
  allowed?: ByteTensor;
  /** Added to the scaled scores; −∞ masks. Extents as `allowed`; both apply when given. */
  bias?: Tensor;
  /** ALiBi: one for each head; the slope times |key − query − offset| is taken off a score. */
  alibiSlopes?: ArrayLike<number>;
  /** Weights are softmax(masked scores / temperature); 1 when left out, 0 = arg-max, equals share. */
  temperature?: number;
  /** Share of weights set to 0, the others times 1 / (1 − dropout). */
  dropout?: number;
  dropoutSeed?: number;
}

/** As the module takes them. */
export const wanted = (options: AttendOptions): WantedAttendOptions => ({
  scale: options.scale,
  softcap: options.softcap ?? 0,
  is_causal: options.isCausal ?? false,
  offset: options.offset ?? 0,
  batch_offsets: options.batchOffsets ?? null,
  window_left: options.windowLeft ?? -1,
  window_right: options.windowRight ?? -1,
  key_ranges: options.keyRanges ?? null,
  key_lengths: options.keyLengths ?? null,
  allowed: options.allowed ? bytes(options.allowed) : null,
  bias: options.bias ? floats(options.bias) : null,
  alibi_slopes: options.alibiSlopes ?? null,
  temperature: options.temperature ?? 1,
  dropout: options.dropout ?? 0,
  dropout_seed: options.dropoutSeed ?? 0,
});

/** Tensors (batch, heads, queries, keys) that keep what lies between; left out = not kept. */
export interface AttendStages {
  scores?: Tensor;
  scaledScores?: Tensor;
  cappedScores?: Tensor;
  maskedScores?: Tensor;
  weights?: Tensor;
  droppedWeights?: Tensor;
}

export const wantedStages = (stages: AttendStages): WantedStages => {
  const kept = (tensor: Tensor | undefined) => (tensor ? floats(tensor) : null);
  return {
    scores: kept(stages.scores),
    scaled_scores: kept(stages.scaledScores),
    capped_scores: kept(stages.cappedScores),
    masked_scores: kept(stages.maskedScores),
    weights: kept(stages.weights),
    dropped_weights: kept(stages.droppedWeights),
  };
};
