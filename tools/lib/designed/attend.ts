// What the designed heads look at, by the engine that the page has.
import { readFile } from 'node:fs/promises';
import { design, type Design } from '../../../web/src/parameters/designed/design.ts';
import type { Lexicon } from '../../../web/src/parameters/designed/lexicon.ts';
import { Engine, type StageId } from '../../../web/src/engine/engine.ts';
import { DEFAULTS } from '../../../web/src/engine/defaults.ts';

export interface Attended {
  design: Design;
  /** One head's weights, [T, T]. */
  weights(head: number): ArrayLike<number>;
  /** One head's contexts, [T, d_v]. */
  context(head: number): ArrayLike<number>;
}

const MODULE = new URL('../../../build/wasm/bindings/attention.wasm', import.meta.url);

export async function attender(lexicon: Lexicon): Promise<(tokens: readonly string[]) => Attended> {
  const session = (await Engine.load('', await readFile(MODULE))).session();
  return (tokens) => {
    const designed = design(tokens, lexicon);
    const { content, W_Q, W_K, W_V, W_O, settings } = designed;
    const trace = session.run({ tokens, given: { content, W_Q, W_K, W_V, W_O } }, { ...DEFAULTS, ...settings });
    // A trace goes with the next run, so that all heads are copied.
    const heads = (id: StageId) => designed.heads.map((_, h) => trace.head(id, h));
    const [weights, context] = [heads('weights'), heads('context')];
    return { design: designed, weights: (h) => weights[h] ?? [], context: (h) => context[h] ?? [] };
  };
}
