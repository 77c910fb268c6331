// What attention costs, by formula: numbers that each stage holds, work that it takes, parameters. T = S = n,
// d_v = d_k, no biases.

export interface Model {
  d_model: number;
  heads: number;
  /** Of each head. */
  d_k: number;
  blocks: number;
}

export type Work = 'multiply-adds' | 'multiplications' | 'choices' | 'exponentials';

export interface StageCost {
  stage: 'projections' | 'scores' | 'scaled_scores' | 'masked_scores' | 'weights' | 'context' | 'output';
  /** As math() reads it: how many numbers. */
  held: string;
  numbers: bigint;
  /** Of the work. */
  formula: string;
  /** All layers of a large model over a long text do more than doubles count. */
  work: bigint;
  kind: Work;
}

/** One layer over n tokens, stage by stage. */
export function stageCosts({ d_model, heads, d_k }: Model, tokens: number): StageCost[] {
  const [D, H, width, n] = [d_model, heads, d_k, tokens].map(BigInt) as [bigint, bigint, bigint, bigint];
  const [cells, rows] = [H * n * n, n * H * width];
  const pairs = { held: 'H · n^2', numbers: cells } as const;
  return [
    { stage: 'projections', held: '3 · n · H · d_k', numbers: 3n * rows, formula: '3 · n · D · H · d_k', work: 3n * rows * D, kind: 'multiply-adds' },
    { stage: 'scores', ...pairs, formula: 'H · n^2 · d_k', work: cells * width, kind: 'multiply-adds' },
    { stage: 'scaled_scores', ...pairs, formula: 'H · n^2', work: cells, kind: 'multiplications' },
    { stage: 'masked_scores', ...pairs, formula: 'H · n^2', work: cells, kind: 'choices' },
    { stage: 'weights', ...pairs, formula: 'H · n^2', work: cells, kind: 'exponentials' },
    { stage: 'context', held: 'n · H · d_k', numbers: rows, formula: 'H · n^2 · d_k', work: cells * width, kind: 'multiply-adds' },
    { stage: 'output', held: 'n · D', numbers: n * D, formula: 'n · H · d_k · D', work: rows * D, kind: 'multiply-adds' },
  ];
}

/** The four products with parameters, which grow as n. */
export const linearWork = ({ d_model, heads, d_k }: Model, n: number): number => 4 * n * d_model * heads * d_k;
/** Scores and context, which grow as n². */
export const squareWork = ({ heads, d_k }: Model, n: number): number => 2 * heads * n * n * d_k;
/** Where both take as long: 4·n·D = 2·n². */
export const crossing = ({ d_model }: Model): number => 2 * d_model;
/** Of the n × n matrices of one layer that a trace keeps: scores, scaled, masked, weights. */
export const KEPT = 4;

export interface Parameters { matrix: number; head: number; block: number; all: number }

/** W_Q, W_K, W_V of one head, each d_k × d_model, and its part of W_O, d_model × d_k. */
export const MATRICES = 4;
export function parameterCounts({ d_model, heads, d_k, blocks }: Model): Parameters {
  const matrix = d_k * d_model;
  const head = MATRICES * matrix;
  const block = heads * head;
  return { matrix, head, block, all: blocks * block };
}

/** Configurations as they were published; `total` with everything that is not attention, where it is known. */
export const MODELS = {
  'gpt-3': { d_model: 12288, heads: 96, d_k: 128, blocks: 96, total: 175e9 },
  'gpt-2-xl': { d_model: 1600, heads: 25, d_k: 64, blocks: 48, total: 1_557_611_200 },
  'gpt-2': { d_model: 768, heads: 12, d_k: 64, blocks: 12, total: 124_439_808 },
  transformer: { d_model: 512, heads: 8, d_k: 64, blocks: 18, total: null },
  page: { d_model: 64, heads: 4, d_k: 16, blocks: 1, total: null },
} as const satisfies Record<string, Model & { total: number | null }>;
export type ModelName = keyof typeof MODELS;

/** The configuration's name, where it has one. */
export const nameOf = (model: Model): ModelName | null => (Object.keys(MODELS) as ModelName[]).find((name) =>
  (['d_model', 'heads', 'd_k', 'blocks'] as const).every((field) => MODELS[name][field] === model[field])) ?? null;
