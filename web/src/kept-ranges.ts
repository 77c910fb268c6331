// Colour ranges that the reader has locked, so that what a change does to a matrix can be seen by its colours.
import type { ArrayId } from './engine.ts';
import type { Mode } from './pinned.ts';
import type { Matrix } from './walk-cards.ts';
import { readArray } from './walk-link.ts';
import { parseNumber, shortest } from './setting-values.ts';

export type KeptRanges = Readonly<Partial<Record<ArrayId, number>>>;

const MAX_RANGES = 64;

/** As they are now, rounded up to three digits: what is printed is what is kept. */
export function keepRanges(matrices: readonly Matrix[]): KeptRanges {
  return Object.fromEntries(matrices.filter(({ kind, range, note }) => kind === 'signed' && range > 0 && !note).map(({ id, range }) => [id, roundedUp(range)]));
}

function roundedUp(x: number): number {
  const near = Number(x.toPrecision(3));
  const next = near + 10 ** (Math.floor(Math.log10(x)) - 2);
  return near >= x ? near : Number(next.toPrecision(3));
}

/** A matrix in its kept range, with how many of its numbers lie outside; a difference has a range of its own. */
export function inKeptRange(matrix: Matrix, kept: KeptRanges | null, mode: Mode): Matrix {
  const range = mode === 'difference' ? undefined : kept?.[matrix.id];
  if (range === undefined || matrix.kind !== 'signed' || matrix.note) return matrix;
  let outside = 0;
  for (const x of matrix.numbers) if (Math.abs(x) > range && Number.isFinite(x)) outside += 1;
  return { ...matrix, range, outside };
}

/** "scores:20.6,query:3.2" */
export const encodeRanges = (kept: KeptRanges): string => Object.entries(kept).map(([id, range]) => `${id}:${shortest(range)}`).join(',');

export function decodeRanges(raw: string): KeptRanges | null {
  const parts = raw.split(',');
  if (parts.length > MAX_RANGES) return null;
  const kept: Partial<Record<ArrayId, number>> = {};
  for (const part of parts) {
    const [name = '', number = '', ...more] = part.split(':');
    const [id, range] = [readArray(name), parseNumber(number)];
    if (id === null || range === null || !(Math.fround(range) > 0 && Number.isFinite(Math.fround(range))) || more.length > 0 || Object.hasOwn(kept, id)) return null;
    kept[id] = range;
  }
  return kept;
}
