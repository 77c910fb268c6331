// The places of numbers: arrays are flat, matrices have rows and columns.
import type { ArrayId, Trace } from './engine.ts';
import { isStage, side } from './stages.ts';
import type { Selection } from './types.ts';

/** A number of the run, by its flat index. */
export interface Focus {
  array: ArrayId;
  index: number;
}

/** The same as head, row and column; `head` is 0 if an array has none. */
export interface Place {
  head: number;
  row: number;
  column: number;
}

/** Heads, rows and columns of an array; a vector is one row. */
export function extent(trace: Trace, id: ArrayId): { heads: number; rows: number; columns: number } {
  const extents = trace.extents(id);
  const [columns = 0, rows = columns > 0 ? 1 : 0, heads = 1] = extents.toReversed();
  return { heads, rows, columns };
}

/** Whether this run has such a number: the screen may still show the previous run. */
export function has(trace: Trace, { array, index }: Focus): boolean {
  return trace.present(array) && index < trace.extents(array).reduce((product, extent) => product * extent, 1);
}

export function placeOf(trace: Trace, { array, index }: Focus): Place {
  const { rows, columns } = extent(trace, array);
  return { head: Math.floor(index / (rows * columns)), row: Math.floor(index / columns) % rows, column: index % columns };
}

export function indexOf(trace: Trace, array: ArrayId, { head, row, column }: Place): number {
  const { rows, columns } = extent(trace, array);
  return (head * rows + row) * columns + column;
}

/** The matrix of one head, or the whole array where it has no heads. */
export function matrixOf(trace: Trace, id: ArrayId, head: number): Float32Array {
  if (!isStage(id)) return trace.parameter(id);
  return extent(trace, id).heads > 1 || trace.extents(id).length > 2 ? trace.head(id, head) : trace.stage(id);
}

/** Which head of an array belongs to a chosen head: keys and values may be shared by a group of heads. */
export function headIn(trace: Trace, id: ArrayId, head: number): number {
  const { heads } = extent(trace, id);
  return Math.min(heads - 1, Math.floor((head * heads) / trace.shape.H));
}

/** The place of the selection in an array; a column that is not a word must be given. */
export function placeAt(trace: Trace, id: ArrayId, { head, query, key }: Selection, column: number): Place {
  const { rows, columns } = extent(trace, id);
  const whose = side(id);
  const row = whose === 'key' ? key : whose === 'parameter' ? 0 : query;
  // In concat each head has columns of its own.
  const d_v = id === 'concat' ? extent(trace, 'context').columns : 0;
  const own = d_v > 0 ? head * d_v + (column % d_v) : column;
  const place = { head: headIn(trace, id, head), row, column: whose === 'pair' ? key : own };
  return { ...place, row: Math.max(0, Math.min(place.row, rows - 1)), column: Math.max(0, Math.min(place.column, columns - 1)) };
}

/** The words that a number belongs to: its row's, and for a pair also its column's. */
export function wordsAt(id: ArrayId, { row, column }: Place): { query?: number; key?: number } {
  switch (side(id)) {
    case 'query': return { query: row };
    case 'key': return { key: row };
    case 'pair': return { query: row, key: column };
    case 'parameter': return {};
  }
}

/** The selection after a place is chosen. */
export function selects(trace: Trace, id: ArrayId, place: Place, before: Selection): Selection {
  if (id === 'concat') return { ...before, query: place.row, head: Math.floor(place.column / extent(trace, 'context').columns) };
  const { head } = place;
  const { heads } = extent(trace, id);
  const own = heads > 1 || trace.shape.H === 1;
  return {
    head: own && isStage(id) && headIn(trace, id, before.head) !== head ? Math.ceil((head * trace.shape.H) / heads) : before.head,
    query: before.query, key: before.key, ...wordsAt(id, place),
  };
}
