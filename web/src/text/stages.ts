// What stages are called in the language in use; and what a language model's layer makes of them.
import { msg } from '@lit/localize';
import type { ArrayId, StageId, StageInfo } from '../engine/types.ts';
import type { Picture } from '../state/result.ts';

// What stages are called in the language in use. In English these are the labels of the core's own schema, word for word.

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
const arrayWords = (id: ArrayId): string => STAGE_WORDS[id as StageId]?.() ?? id;

/** Undefined for what is no stage of the schema: a parameter. */
function stageWords(schema: readonly StageInfo[], id: string): string | undefined {
  const info = schema.find((stage) => stage.id === id);
  return info && (STAGE_WORDS[info.id as StageId]?.() ?? info.label);
}

// What a language model's layer makes of the page's stages: it reads normed rows of the residual stream, and not every stage
// sees their places.

/** Of the layer that is walked through. */
export interface Reads {
  /** From 0. */
  layer: number;
  /** Places go into queries and keys alone: values are made from the rows without them. */
  apart: boolean;
  /** Places were added to the embeddings, before the first layer. */
  placed: boolean;
  /** How many numbers of each head are turned by places. */
  turned: number;
  /** Norms stand behind each addition, and one behind the embeddings. */
  post: boolean;
  /** Each head's queries and keys are normed. */
  normed: boolean;
  /** What the cosines and sines are times. */
  amplitude: number;
}

export function readsOf({ reading }: Picture): Reads | null {
  if (!reading) return null;
  const { configuration: { positions, postNorm = false, head_norms = false, rotary_scaling }, turned } = reading.reader;
  return { layer: reading.layer, apart: positions === 'query_key', placed: positions === 'learned', turned, post: postNorm, normed: head_norms, amplitude: rotary_scaling?.amplitude ?? 1 };
}

/** A stage's name: in a model's layer, what it is there. */
export function nameIn(picture: Picture, id: ArrayId, stages: readonly StageInfo[] = []): string {
  const reads = readsOf(picture);
  if (reads && id === 'content') return msg('Residual stream, normed');
  if (reads && id === 'embeddings') return reads.apart ? msg('Input of queries and keys') : msg('Input of Q, K and V');
  return stageWords(stages, id) ?? arrayWords(id);
}

/** Over the first stages. */
export function inputWords(reads: Reads): { title: string; about: string } {
  return {
    title: msg('What this layer reads'),
    about: reads.apart ? msg('Each word’s row of the residual stream is normed. Places are added for queries and keys alone; values are made without them.')
      : reads.placed ? msg('Each word’s row of the residual stream is normed. It has held its place since the embedding.')
      : msg('Each word’s row of the residual stream is normed. Its place comes later: queries and keys are turned by it.'),
  };
}
