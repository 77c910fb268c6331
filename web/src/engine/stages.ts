// Which side's words the rows of an array are: queries or keys.
import type { ArrayId, StageId } from './engine.ts';

const PARAMETERS: readonly ArrayId[] = ['W_Q', 'W_K', 'W_V', 'W_V_down', 'W_V_up', 'W_O', 'b_Q', 'b_K', 'b_V', 'b_O', 'P', 'cos', 'sin', 'slopes'];

export function readArray(raw: string): ArrayId | null {
  const id = raw as ArrayId;
  return isStage(id) || PARAMETERS.includes(id) ? id : null;
}

/** The side that rows belong to; the columns of pairs are keys. */
export type Side = 'query' | 'key' | 'pair' | 'parameter';

const SIDES: Record<StageId, Side> = {
  tokens: 'query', content: 'query', position: 'query', embeddings: 'query',
  key_tokens: 'key', key_content: 'key', key_position: 'key', key_embeddings: 'key',
  query: 'query', rotated_query: 'query', key: 'key', rotated_key: 'key', value_down: 'key', value: 'key',
  scores: 'pair', scaled_scores: 'pair', capped_scores: 'pair', masked_scores: 'pair', weights: 'pair', dropped_weights: 'pair',
  context: 'query', concat: 'query', output: 'query', residual: 'query',
};

export function isStage(id: ArrayId): id is StageId {
  return Object.hasOwn(SIDES, id);
}

export function side(id: ArrayId): Side {
  return isStage(id) ? SIDES[id] : 'parameter';
}
