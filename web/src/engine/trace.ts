// A run's numbers for the page: each is copied out of the engine once, when it is first looked at, and no longer when another
// run has taken its place.
import { AttentionError } from './error.ts';
import type { ArrayId, Cell, CellArithmetic, Explanation, ParameterId, Request, RowMeasures, Settings, Shape, StageId, Trace } from './types.ts';

/** What an engine answers of its last run. */
export interface LastRun {
  readonly shape: Shape;
  readonly factor: number;
  extents(id: ArrayId): readonly number[];
  stage(id: StageId): Float32Array;
  head(id: StageId, head: number): Float32Array;
  parameter(id: ParameterId): Float32Array;
  summed(head: number, queries: readonly number[]): Float32Array;
  explain(id: ArrayId, index: number): Explanation;
  /** Of a cell that is inside; `index` counts through [H, T, S]. */
  cell(at: Cell, index: number): CellArithmetic;
  weightedValues(head: number, query: number): Float32Array;
  measures(head: number): RowMeasures;
}

/** @param isLast whether no other run has followed */
export function traceOf({ tokens, keyTokens = tokens }: Request, settings: Settings, run: LastRun, isLast: (trace: Trace) => boolean): Trace {
  const last = (): LastRun => {
    if (isLast(trace)) return run;
    throw new AttentionError('stale_trace', 'This trace was replaced by a newer run. Use the newest one.');
  };
  const copies = new Map<string, Float32Array>();
  const once = (name: string, copy: () => Float32Array): Float32Array => {
    const kept = copies.get(name) ?? copy();
    copies.set(name, kept);
    return kept;
  };
  const read = new Map<ArrayId, readonly number[]>();
  const extents = (id: ArrayId): readonly number[] => {
    const kept = read.get(id) ?? last().extents(id);
    read.set(id, kept);
    return kept;
  };
  const { shape, factor } = run;
  const trace: Trace = {
    tokens: [...tokens],
    keyTokens: [...keyTokens],
    settings: { ...settings },
    shape,
    factor,
    present: (id) => extents(id).length > 0,
    extents,
    stage: (id) => once(id, () => last().stage(id)),
    head: (id, head) => once(`${id} ${head}`, () => last().head(id, head)),
    parameter: (id) => once(`parameter ${id}`, () => last().parameter(id)),
    summed: (head, queries) => last().summed(head, queries),
    explain: (id, index) => last().explain(id, index),
    cell: (at) => {
      const { head, query, key } = at;
      const inside = (place: number, count: number) => place >= 0 && place < count;
      if (!inside(head, shape.H) || !inside(query, shape.T) || !inside(key, shape.S)) {
        throw new AttentionError(
          'index_out_of_range',
          `The last run has ${shape.H} heads, ${shape.T} queries and ${shape.S} keys, counted from 0. Choose a cell inside.`,
        );
      }
      return last().cell(at, (head * shape.T + query) * shape.S + key);
    },
    weightedValues: (head, query) => last().weightedValues(head, query),
    measures: (head) => last().measures(head),
  };
  return trace;
}
