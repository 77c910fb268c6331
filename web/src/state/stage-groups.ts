// The stages in the order of the walk, in four groups; names, symbols and axes are the engine's own.
import { msg } from '@lit/localize';
import type { ArrayId, ParameterId, StageId, Trace } from '../engine/engine.ts';

export interface Group {
  readonly id: string;
  readonly title: () => string;
  readonly about: () => string;
  readonly stages: readonly StageId[];
}

export const GROUPS: readonly Group[] = [
  {
    id: 'input', title: () => msg('Words become numbers'), about: () => msg('Each word is a row of numbers, and its place is added to it.'),
    stages: ['content', 'position', 'embeddings', 'key_content', 'key_position', 'key_embeddings'],
  },
  {
    id: 'project', title: () => msg('Each word asks, answers and offers'), about: () => msg('Three matrices make a query, a key and a value of every row.'),
    stages: ['query', 'rotated_query', 'key', 'rotated_key', 'value_down', 'value'],
  },
  {
    id: 'compare', title: () => msg('Every query meets every key'), about: () => msg('Each pair of words has one number. Softmax turns each query’s scores into shares.'),
    stages: ['scores', 'scaled_scores', 'capped_scores', 'masked_scores', 'weights', 'dropped_weights'],
  },
  {
    id: 'mix', title: () => msg('Values come together'), about: () => msg('Each word takes its shares of the values; the heads’ results are joined.'),
    stages: ['context', 'concat', 'output', 'residual'],
  },
];

export const ORDER: readonly StageId[] = GROUPS.flatMap(({ stages }) => stages);

/** The layer's formula factor by factor: × 1/√d_k, + mask, softmax, · V. They stand open; the others are folded until they are asked for. */
export const CORE: readonly StageId[] = ['scaled_scores', 'masked_scores', 'weights', 'context'];

/** The operations between a matrix and the one before it. */
export const JOINTS: Partial<Record<StageId, string>> = {
  position: '+', embeddings: '=', key_position: '+', key_embeddings: '=', rotated_query: '→', rotated_key: '→', scaled_scores: '→',
  capped_scores: '→', masked_scores: '→', weights: '→', dropped_weights: '→', concat: '→', output: '→', residual: '→',
};

/** The parameters that a stage is made with, shown on demand. */
export const PARAMETERS: Partial<Record<StageId, readonly ParameterId[]>> = {
  query: ['W_Q', 'b_Q'], key: ['W_K', 'b_K'], value_down: ['W_V_down'], value: ['W_V', 'W_V_up', 'b_V'], output: ['W_O', 'b_O'],
  position: ['P'], key_position: ['P'], rotated_query: ['cos', 'sin'], rotated_key: ['cos', 'sin'], masked_scores: ['slopes'],
};

/** Stages that share a colour range, so that the effect of scaling is visible. */
export const SCORES: readonly StageId[] = ['scores', 'scaled_scores', 'capped_scores', 'masked_scores'];

export const SHARES: readonly StageId[] = ['weights', 'dropped_weights'];

/** Stages of this run, in order; `tokens` is shown as the words beside every matrix. */
export function stagesOf(trace: Trace): StageId[] {
  return ORDER.filter((id) => trace.present(id));
}

export function parametersOf(trace: Trace, id: StageId): ParameterId[] {
  return (PARAMETERS[id] ?? []).filter((parameter) => trace.present(parameter) && trace.extents(parameter).length > 0);
}

/** The stage whose card a parameter is shown in. */
export function cardOf(trace: Trace, id: ArrayId): StageId | null {
  if (ORDER.includes(id as StageId)) return trace.present(id) ? (id as StageId) : null;
  return stagesOf(trace).find((stage) => parametersOf(trace, stage).includes(id as ParameterId)) ?? null;
}
