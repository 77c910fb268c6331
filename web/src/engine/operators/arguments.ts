// Options of attention and parameters of layers, as the module takes them.
import type { WantedAttendOptions, WantedStages } from '../../../../build/wasm/bindings/attention_operators.mjs';
import { type Numbers, choice, fields, flag, list, number } from './given.ts';
import { type ByteTensor, LAYOUTS, type MatrixLayout, type Tensor, type Weight, bytes, floats, weightHandle } from './tensors.ts';

// Options of attention, for a single call and for a block of a decoder.

/** ONNX's conventions (Attention, opset 23-25), as in attend.h; but the offset of causality is always said. Left out, or null = off. */
export interface AttendOptions {
  /** 1 / √(width of a key) when left out. */
  scale?: number | null;
  /** Scores become softcap · tanh(scores / softcap), before the mask. */
  softcap?: number | null;
  /** Query i may look at key j when j ≤ i + offset. */
  isCausal?: boolean | null;
  /** Of causality and window; the number of keys before the first query. 0 when left out, also with keyLengths: ONNX's rule for these is batchOffsets[b] = keyLengths[b] − queries. */
  offset?: number | null;
  /** One for each batch, in place of `offset`. */
  batchOffsets?: Numbers | null;
  /** Query i may look at keys i + offset − windowLeft … i + offset + windowRight; −1 = open. */
  windowLeft?: number | null;
  windowRight?: number | null;
  /** Two numbers for each query, begin and end: it may look at no key outside [begin, end). */
  keyRanges?: Numbers | null;
  /** Of each batch; keys from there on are padding. They move no offset. */
  keyLengths?: Numbers | null;
  /** Not 0 = the key takes part. (batch, heads, queries, keys); an extent of 1 repeats, fewer keys mask the rest. */
  allowed?: ByteTensor | null;
  /** Added to the scaled scores; −∞ masks. Extents as `allowed`; both apply when given. */
  bias?: Tensor | null;
  /** ALiBi: one for each head; the slope times |key − query − offset| is taken off a score. */
  alibiSlopes?: Numbers | null;
  /** Weights are softmax(masked scores / temperature); 1 when left out, 0 = arg-max, equals share. */
  temperature?: number | null;
  /** Share of weights set to 0, the others times 1 / (1 − dropout). */
  dropout?: number | null;
  dropoutSeed?: number | null;
}

/** In the form that the module takes. */
export function wanted(options: AttendOptions | null | undefined): WantedAttendOptions {
  const o = fields(options ?? {}, 'The options');
  return {
    scale: o.scale === null || o.scale === undefined ? undefined : number(o.scale, 'scale'),
    softcap: number(o.softcap, 'softcap', 0),
    is_causal: flag(o.isCausal, 'isCausal'),
    offset: number(o.offset, 'offset', 0),
    batch_offsets: list(o.batchOffsets, 'batchOffsets'),
    window_left: number(o.windowLeft, 'windowLeft', -1),
    window_right: number(o.windowRight, 'windowRight', -1),
    key_ranges: list(o.keyRanges, 'keyRanges'),
    key_lengths: list(o.keyLengths, 'keyLengths'),
    allowed: bytes(o.allowed ?? null, 'allowed'),
    bias: floats(o.bias ?? null, 'bias'),
    alibi_slopes: list(o.alibiSlopes, 'alibiSlopes'),
    temperature: number(o.temperature, 'temperature', 1),
    dropout: number(o.dropout, 'dropout', 0),
    dropout_seed: number(o.dropoutSeed, 'dropoutSeed', 0),
  };
}

/** Tensors (batch, heads, queries, keys) for the intermediate stages; left out = not kept. */
export interface AttendStages {
  scores?: Tensor | null;
  scaledScores?: Tensor | null;
  cappedScores?: Tensor | null;
  maskedScores?: Tensor | null;
  weights?: Tensor | null;
  droppedWeights?: Tensor | null;
}

export const wantedStages = (stages: AttendStages): WantedStages => {
  const kept = (tensor: Tensor | null | undefined) => floats(tensor ?? null, 'A stage');
  return {
    scores: kept(stages.scores),
    scaled_scores: kept(stages.scaledScores),
    capped_scores: kept(stages.cappedScores),
    masked_scores: kept(stages.maskedScores),
    weights: kept(stages.weights),
    dropped_weights: kept(stages.droppedWeights),
  };
};

// Parameters of layers, as the module's setters take them.

export interface MultiHeadParameters {
  heads: number;
  /** Grouped heads, where fewer than `heads`. */
  keyHeads?: number | null;
  query: Linear;
  key: Linear;
  value: Linear;
  /** Of a value matrix of low rank: W_V = valueDown · value. */
  valueDown?: Linear | null;
  /** Left out, the heads' contexts side by side are the result. */
  outProj?: Linear | null;
  /** Turn queries and keys: see rotaryTables(). */
  rotary?: RotaryTables | null;
  /** Of each head's queries and keys, before they are turned. */
  queryNorm?: HeadNorm | null;
  keyNorm?: HeadNorm | null;
}

/** RMSNorm of each head by itself. */
export interface HeadNorm {
  /** As wide as a key. */
  gain: Tensor;
  /** 1e-6 when left out. */
  epsilon?: number | null;
}

/** x·W + b. Some of a packed matrix's outputs are a part of it: query, key and value are parts 0, 1 and 2 of 3. */
export interface Linear {
  /** (in, parts · out), or (parts · out, in) with layout 'out_in'. */
  weight: Weight;
  /** (parts · out) */
  bias?: Tensor | null;
  /** 'in_out' unless given. */
  layout?: MatrixLayout | null;
  part?: number | null;
  parts?: number | null;
}

/** cos and sin of position · base^(−2i / rotary_dim), each (positions, rotary_dim / 2). */
export interface RotaryTables {
  cosines: Tensor;
  sines: Tensor;
  /** Which numbers make a pair: i and i + rotary_dim / 2 ('halved', the default), or 2i and 2i + 1. */
  pairs?: 'halved' | 'interleaved' | null;
}

/** Slower turns for longer texts: see fill_rotary() in positions.h. */
export interface RotaryScaling {
  /** Divides the rates; 1 = off. */
  factor?: number;
  /** Of Llama 3.1: tokens in which a rate's turns are counted; 0 = all rates are divided. */
  originalContext?: number;
  lowTurns?: number;
  highTurns?: number;
  /** YaRN: the share that is divided falls over the pairs, from whole ones or not. */
  byPairs?: boolean;
  wholePairs?: boolean;
  /** Times both tables. */
  amplitude?: number;
}

export function linearArguments(linear: Linear, name = 'A linear layer') {
  const { weight, bias, layout, part, parts } = fields(linear, name);
  return [weightHandle(weight, 'weight'), floats(bias ?? null, 'bias'), choice(layout, 'layout', LAYOUTS) === 'out_in', number(part, 'part', 0), number(parts, 'parts', 1)] as const;
}

export function headNormArguments(norm: HeadNorm) {
  const { gain, epsilon } = fields(norm, 'A norm');
  return [floats(gain, 'gain'), number(epsilon, 'epsilon', 1e-6)] as const;
}

export function rotaryArguments(tables: RotaryTables) {
  const { cosines, sines, pairs } = fields(tables, 'Rotary tables');
  return [floats(cosines, 'cosines'), floats(sines, 'sines'), choice(pairs, 'pairs', ['halved', 'interleaved']) === 'interleaved'] as const;
}
