// One query's row of one head, stage by stage, as the engine has it: what the stage's strips show.
import type { Settings, StageId, Trace } from '../../engine/types.ts';
import type { Selection } from '../../engine/types.ts';
import { type Picture, isCross, rowOf } from '../../state/result.ts';

/** Stages of a row, in the order they run. Softcap and dropout are there when they are on. */
const STAGES = ['scores', 'scaled_scores', 'capped_scores', 'masked_scores', 'weights', 'dropped_weights'] as const satisfies readonly StageId[];

export type StripId = (typeof STAGES)[number];
export type Step = StripId | 'context';

/** Shares are drawn from 0 to 1; scores share one scale, so that ÷ 4 looks like ÷ 4. */
export const isShare = (id: StripId): boolean => id === 'weights' || id === 'dropped_weights';

export interface Strip {
  readonly id: StripId;
  /** One number a key. */
  readonly values: Float32Array;
}

export interface Row {
  readonly strips: readonly Strip[];
  readonly words: readonly string[];
  readonly query: number;
  readonly queryWord: string;
  /** Whether the query stands among the words. */
  readonly isOwn: boolean;
  readonly key: number;
  /** By key. */
  readonly isHidden: readonly boolean[];
  /** What the mix takes of each key: after dropout, where there is some. */
  readonly shares: Float32Array;
  readonly context: Float32Array;
  readonly settings: Settings;
  readonly d_k: number;
  readonly factor: number;
  /** ALiBi's cost of one step; 0 without it. */
  readonly slope: number;
}

export function rowAt(picture: Picture, { head, query, key }: Selection): Row {
  const { trace } = picture;
  const strips = STAGES.filter((id) => trace.present(id)).map((id): Strip => ({ id, values: rowOf(picture, trace.head(id, head), query) }));
  const of = (id: StripId) => strips.find((strip) => strip.id === id)?.values ?? new Float32Array();
  return {
    strips, query, key, words: picture.keyTokens.map(({ text }) => text), queryWord: picture.tokens[query]?.text ?? '', isOwn: !isCross(picture),
    isHidden: Array.from(of('masked_scores'), (score) => score === -Infinity), shares: strips.at(-1)?.values ?? new Float32Array(),
    context: contextOf(trace, head, query), settings: trace.settings, d_k: trace.shape.d_k, factor: trace.factor, slope: trace.parameter('slopes')[head] ?? 0,
  };
}

function contextOf(trace: Trace, head: number, query: number): Float32Array {
  const { d_v } = trace.shape;
  return trace.head('context', head).subarray(query * d_v, (query + 1) * d_v);
}

/** Keys that may be looked at, the largest number first. */
export function ranked({ isHidden }: Pick<Row, 'isHidden'>, values: Float32Array): number[] {
  return [...values.keys()].filter((key) => !isHidden[key]).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0));
}

export const valuesOf = ({ strips }: Row, id: StripId): Float32Array => strips.find((strip) => strip.id === id)?.values ?? new Float32Array();

/** Whether what was drawn before can be laid over what is drawn now: the same words look at the same words. */
export const isSameAxis = (a: Row, b: Row): boolean => a.query === b.query && a.queryWord === b.queryWord && a.words.length === b.words.length && a.words.every((word, i) => word === b.words[i]);
