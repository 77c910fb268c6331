// The engine's types: names, settings, requests, traces and explanations.
import type { Broken } from './error.ts';
import type { MaskField, MaskId } from './masks.ts';

export interface Selection {
  head: number;
  query: number;
  key: number;
}

/** Stages in the order they run. Not every run has all of them: `trace.present(id)` says which. */
export type StageId =
  | 'tokens' | 'key_tokens' | 'content' | 'position' | 'embeddings'
  | 'key_content' | 'key_position' | 'key_embeddings'
  | 'query' | 'key' | 'rotated_query' | 'rotated_key' | 'value_down' | 'value'
  | 'scores' | 'scaled_scores' | 'capped_scores' | 'masked_scores' | 'weights' | 'dropped_weights'
  | 'context' | 'concat' | 'output' | 'residual';

/** Parameters and tables: the learned matrices, P (positions), rotary's cos and sin, ALiBi's slopes. */
export type ParameterId =
  | 'W_Q' | 'W_K' | 'W_V' | 'W_V_down' | 'W_V_up' | 'W_O' | 'b_Q' | 'b_K' | 'b_V' | 'b_O'
  | 'P' | 'cos' | 'sin' | 'slopes';

/** An array of numbers. */
export type ArrayId = StageId | ParameterId;

/** Settings as typed, or as an attribute or a link gives them: any numbers, any words. settings.h describes the fields. */
export interface WantedSettings extends Record<MaskField, number> {
  d_model: number;
  num_heads: number;
  num_kv_heads: number;
  d_k: number;
  d_v: number;
  mask: string;
  scale: string;
  scale_factor: number;
  softcap: number;
  temperature: number;
  positions: string;
  tie: string;
  value_rank: number;
  biases: boolean;
  dropout: number;
  dropout_seed: number;
  out_proj: boolean;
  residual: boolean;
  seed: number;
}

export interface Settings extends WantedSettings {
  mask: MaskId;
  scale: 'sqrt-dk' | 'none' | 'factor';
  positions: 'none' | 'sinusoidal' | 'learned' | 'rope' | 'alibi';
  /** 'qk': W_K is W_Q; 'qkv': W_V, too. Biases as well. */
  tie: 'none' | 'qk' | 'qkv';
}

/** A rule that a wanted setting breaks, and the value used instead; text/core-sentences.ts has the sentence. */
export interface Notice {
  readonly broken: Broken;
  readonly field: keyof Settings;
  readonly used: number | string;
}

/** Settings brought to the nearest valid ones. */
export interface Clamped {
  settings: Settings;
  notices: Notice[];
}

/** Whether `query` may look at `key`, turned round, on top of any mask, in every head; twice turns back. */
export interface MaskEdit {
  query: number;
  key: number;
}

/** A number set by hand: of a parameter, or of a word's content row, wherever the word stands. */
export type Edit =
  | { array: Exclude<ParameterId, 'cos' | 'sin' | 'slopes'>; row: number; column: number; value: number }
  | { token: string; column: number; value: number };

/** What may be given whole; shapes are those of `trace.extents(id)`. */
export type GivenId =
  | 'content' | 'key_content' | 'query' | 'key' | 'value'
  | Exclude<ParameterId, 'slopes'>;

/** RMSNorm of each head's queries and keys where they are made: d_k gains, and the epsilon behind them. */
export type HeadNormId = 'query_norm' | 'key_norm';

/**
 * The input of one run, besides its settings. An edit whose number does not exist in this run
 * (a later word, a matrix that the settings leave out) changes nothing; what is given must fit.
 */
export interface Request {
  tokens: readonly string[];
  /**
   * A second text, where keys and values come from (cross-attention); left out = `tokens` itself.
   * Masks count both texts from 0: causal lets query i look at keys 0 … i.
   */
  keyTokens?: readonly string[] | undefined;
  maskEdits?: readonly MaskEdit[] | undefined;
  /** Applied one after another, on top of random and given numbers alike. */
  edits?: readonly Edit[] | undefined;
  /** Used in place of random numbers; whatever is not given stays random. Row-major. */
  given?: Partial<Record<GivenId | HeadNormId, Float32Array>> | undefined;
}

export interface StageInfo {
  id: string;
  label: string;
  /** As in the formula of the next stage. */
  symbol: string;
  formula: string;
  /** Names of the extents, outermost first. */
  axes: string[];
}

export interface ParameterInfo {
  id: string;
  axes: string[];
}

export interface Limits {
  max_tokens: number;
  /** That is typed; a file may have more. */
  max_d_model: number;
  /** Of heads × d_k, and of heads × d_v. */
  max_width: number;
  max_trace_bytes: number;
  max_abs_scale_factor: number;
  /** These when not 0, as for the temperature. */
  min_softcap: number;
  max_softcap: number;
  min_temperature: number;
  max_temperature: number;
  max_dropout: number;
  max_seed: number;
}

export interface Schema {
  stages: StageInfo[];
  parameters: ParameterInfo[];
  masks: string[];
  scales: string[];
  positions: string[];
  ties: string[];
  limits: Limits;
  arch: string;
}

/** T query tokens, S key tokens, D d_model, H heads, H_kv key heads, r value_rank (0 = full). */
export interface Shape {
  T: number;
  S: number;
  D: number;
  H: number;
  H_kv: number;
  d_k: number;
  d_v: number;
  r: number;
}

export interface Cell {
  head: number;
  query: number;
  key: number;
}

/** How one cell was computed, in the engine's own float32; see `CellArithmetic` in session.h. */
export interface CellArithmetic {
  query_row: Float32Array;
  key_row: Float32Array;
  products: Float32Array;
  partial_sums: Float32Array;
  score: number;
  factor: number;
  scaled_score: number;
  allowed: boolean;
  masked_score: number;
  row_max: number;
  exps: Float32Array;
  exp_sum: number;
  weight: number;
}

/** One number and its place: `array[index] === value`, bit for bit. */
export interface Operand {
  array: ArrayId;
  /** Flat, row-major. */
  index: number;
  value: number;
}

export interface Term {
  left: Operand;
  /** Left out where the rule works on one number. */
  right?: Operand;
  /** What this term brings, e.g. left × right. */
  product: number;
  /** After this term, in the order the kernels add. */
  partial_sum: number;
}

/**
 * How one number was computed. The last `partial_sum`, plus `bias`, is `result`, for every rule that adds;
 * its other inputs are in `constants`, by name. `explanation.h` says what each rule computes.
 */
export interface Explanation {
  rule:
    | 'draw' | 'given' | 'edit' | 'zero' | 'sinusoid' | 'angle' | 'slope' | 'copy' | 'add' | 'dot' | 'norm' | 'rotate'
    | 'scale' | 'cap' | 'mask' | 'softmax' | 'arg-max' | 'drop';
  terms: Term[];
  bias?: Operand;
  constants: Record<string, number>;
  result: number;
}

/** How two vectors compare; the cosine is 0 when either is 0. */
export interface Comparison {
  dot: number;
  norm_a: number;
  norm_b: number;
  cosine: number;
}

/** Of one head, per query row. */
export interface RowMeasures {
  /** −Σ w·log2 w, in bits: 0 = one key takes all, log2 n = n keys share alike. */
  entropy: Float32Array;
  largest: Float32Array;
  /** Where the largest weight stands (the first of equals); −1 in a row without weight. */
  largestKey: Int32Array;
}

/** The last run. Views are copies; reading an older trace throws. */
export interface Trace {
  readonly tokens: readonly string[];
  /** Equal to `tokens` in self-attention. */
  readonly keyTokens: readonly string[];
  readonly settings: Settings;
  readonly shape: Shape;
  /** scaled_scores = scores × factor */
  readonly factor: number;
  /** Whether this run has such a stage or parameter. */
  present(id: ArrayId): boolean;
  /** The extents of a stage or parameter, outermost first: [H, T, S] for 'weights'; [] when not present. */
  extents(id: ArrayId): readonly number[];
  /** Row-major; the same array on each call. Empty for texts and for what is not present. */
  stage(id: StageId): Float32Array;
  /** One head's part of a stage that begins with H or H_kv; the same array on each call. */
  head(id: StageId, head: number): Float32Array;
  /** As used in this run, edits included; the same array on each call. */
  parameter(id: ParameterId): Float32Array;
  /** How array[index] came about; operands lead on to the embeddings. */
  explain(id: ArrayId, index: number): Explanation;
  cell(at: Cell): CellArithmetic;
  /** weights[query, key] × value[key, :], [S, d_v]. */
  weightedValues(head: number, query: number): Float32Array;
  /** The sum of the weights of some queries, [S]. */
  summed(head: number, queries: readonly number[]): Float32Array;
  measures(head: number): RowMeasures;
}
