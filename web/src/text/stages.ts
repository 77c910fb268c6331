// What stages are called in the language in use. In English these are the labels of the core's own schema, word for word.
import { msg } from '@lit/localize';
import type { ArrayId, StageId, StageInfo } from '../engine/types.ts';

export const STAGE_WORDS: Readonly<Record<StageId, () => string>> = {
  tokens: () => msg('Tokens'),
  key_tokens: () => msg('Tokens of the second text'),
  content: () => msg('Content'),
  position: () => msg('Position'),
  embeddings: () => msg('Embeddings'),
  key_content: () => msg('Content of the second text'),
  key_position: () => msg('Position in the second text'),
  key_embeddings: () => msg('Embeddings of the second text'),
  query: () => msg('Query'),
  key: () => msg('Key'),
  rotated_query: () => msg('Rotated query'),
  rotated_key: () => msg('Rotated key'),
  value_down: () => msg('Value, narrow'),
  value: () => msg('Value'),
  scores: () => msg('Scores'),
  scaled_scores: () => msg('Scaled scores'),
  capped_scores: () => msg('Capped scores'),
  masked_scores: () => msg('Masked scores'),
  weights: () => msg('Weights'),
  dropped_weights: () => msg('Weights after dropout'),
  context: () => msg('Context'),
  concat: () => msg('Concatenated heads'),
  output: () => msg('Output'),
  residual: () => msg('Residual'),
};

/** Of a stage its label; parameters have names of code: W_Q, b_O, cos. */
export const arrayWords = (id: ArrayId): string => STAGE_WORDS[id as StageId]?.() ?? id;

/** Undefined for what is no stage of the schema: a parameter. */
export function stageWords(schema: readonly StageInfo[], id: string): string | undefined {
  const info = schema.find((stage) => stage.id === id);
  return info && (STAGE_WORDS[info.id as StageId]?.() ?? info.label);
}
