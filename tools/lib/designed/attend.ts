// What the designed heads look at.
import { design, type Design } from '../../../web/src/designed/design.ts';
import type { Lexicon } from '../../../web/src/designed/lexicon.ts';
import { plainAttention } from './plain.ts';

export interface Attended {
  design: Design;
  /** One head's weights, [T, T]. */
  weights(head: number): ArrayLike<number>;
  /** One head's contexts, [T, d_v]. */
  context(head: number): ArrayLike<number>;
}

export async function attender(lexicon: Lexicon): Promise<(tokens: readonly string[]) => Attended> {
  return (tokens) => {
    const designed = design(tokens, lexicon);
    const heads = plainAttention(designed);
    return { design: designed, weights: (h) => heads[h]?.weights ?? [], context: (h) => heads[h]?.context ?? [] };
  };
}
