// What a reader changes in a language model besides the switches: heads taken away, single shares of attention.
import type { Patch, Place } from './model.ts';

/** A row of weights with one share set; the others keep their proportions and fill the rest. A row that sees one word keeps it whole. */
export function setShare(row: Float32Array, query: number, key: number, share: number): Float32Array {
  const rest = row.reduce((sum, weight, i) => sum + (i === key ? 0 : weight), 0);
  // Where nothing else had a share, the words up to the query's own get the same.
  const others = row.map((weight, i) => (i === key ? 0 : rest > 0 ? weight / rest : Number(i <= query) / query));
  if (query === 0 && rest === 0) return row.map((_, i) => Number(i === key));
  return others.map((weight, i) => (i === key ? share : weight * (1 - share)));
}

export const samePlace = (a: Place, b: Place): boolean => a.layer === b.layer && a.head === b.head;

export const sameCell = (a: Patch, b: Omit<Patch, 'share'>): boolean => samePlace(a, b) && a.query === b.query && a.key === b.key;

/** All heads of a layer but one. */
export function allBut({ layer, head }: Place, heads: number): Place[] {
  return Array.from({ length: heads }, (_, other) => ({ layer, head: other })).filter((place) => place.head !== head);
}
