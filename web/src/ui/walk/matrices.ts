// The data of a card of the walk: one matrix of one head, its colour range, and one place in it.
import { msg } from '@lit/localize';
import type { ArrayId, Explanation, StageId, StageInfo, Trace } from '../../engine/engine.ts';
import { type Place, extent, headIn, matrixOf } from '../../engine/places.ts';
import type { Selection } from '../../engine/types.ts';
import type { Theme } from '../../lib/colour.ts';
import { type Both, type Pinned, differentShapes, hiddenInBoth, largest } from '../../state/comparison.ts';
import type { Picture } from '../../state/result.ts';
import { SCORES, SHARES, stagesOf } from '../../state/stage-groups.ts';
import type { LockedRanges, Mode } from '../../state/state.ts';
import { nameIn } from '../../text/stages.ts';
import type { Grid } from '../kit/grid.ts';
import type { Paint } from '../kit/paint.ts';

export interface Matrix {
  readonly id: ArrayId;
  readonly heads: number;
  readonly rows: number;
  readonly columns: number;
  /** Of `heads`. */
  readonly head: number;
  /** [rows, columns] */
  readonly numbers: Float32Array;
  /** [rows, columns], −Infinity where masked; null where nothing can be. */
  readonly masked: Float32Array | null;
  readonly kind: 'weights' | 'signed';
  /** Colours run from −range to +range; of weights, from 0 to 1. */
  readonly range: number;
  /** How many numbers lie outside of a range that the reader has locked; undefined where it is the matrix's own. */
  readonly outside?: number;
  readonly place: Place;
  readonly value: number;
  /** Why nothing can be drawn; shown instead. */
  readonly note?: string;
}

export interface Card {
  readonly id: StageId;
  readonly number: number;
  readonly label: string;
  readonly symbol: string;
  readonly axes: readonly string[];
  readonly extents: readonly number[];
  readonly matrix: Matrix;
}

/** Ranges of one run's arrays, looked up once. */
export class Ranges {
  #of: Trace | null = null;
  readonly #known = new Map<string, number>();

  of(trace: Trace, ids: readonly ArrayId[], head: number): number {
    if (this.#of !== trace) this.#known.clear();
    this.#of = trace;
    const key = `${ids.join()} ${head}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    let most = 0;
    for (const id of ids) most = Math.max(most, largest(matrixOf(trace, id, headIn(trace, id, head))));
    this.#known.set(key, most);
    return most;
  }
}

export function matrix(trace: Trace, id: ArrayId, selection: Selection, place: Place, ranges: Ranges): Matrix {
  const { heads, rows, columns } = extent(trace, id);
  const head = headIn(trace, id, selection.head);
  const shares = SHARES.includes(id as StageId);
  const masked = shares || id === 'masked_scores' ? matrixOf(trace, 'masked_scores', selection.head) : null;
  const together = SCORES.filter((score) => trace.present(score));
  const range = shares ? 1 : ranges.of(trace, together.includes(id as StageId) ? together : [id], selection.head);
  const numbers = matrixOf(trace, id, head);
  const value = numbers[place.row * columns + place.column] ?? NaN;
  return { id, heads, rows, columns, head, numbers, masked, kind: shares ? 'weights' : 'signed', range, place, value };
}

/** As it is drawn: turned round, where rows are keys. */
export function gridOf({ rows, columns, numbers, masked, kind, range }: Matrix, paint: Paint, isTurned: boolean): Grid {
  const grid = { rows, columns, rowStride: columns, columnStride: 1, numbers, masked, kind, range, paint };
  return isTurned ? { ...grid, rows: columns, columns: rows, rowStride: 1, columnStride: columns } : grid;
}

export function cards(picture: Picture, schema: readonly StageInfo[], make: (id: StageId) => Matrix): Card[] {
  const { trace } = picture;
  return stagesOf(trace).map((id, i) => {
    const info = schema.find((stage) => stage.id === id);
    return {
      id, number: i + 2, label: nameIn(picture, id, schema), symbol: info?.symbol ?? id, axes: info?.axes ?? [],
      extents: trace.extents(id), matrix: make(id),
    };
  });
}

/** The cells that a number is made of, as one frame for each array and each side of its terms. */
export interface Operands {
  readonly array: ArrayId;
  readonly head: number;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  readonly look: 'left' | 'right';
}

export function operandsOf(trace: Trace, { terms, bias }: Explanation): Operands[] {
  const frames = new Map<string, Operands>();
  const add = (array: ArrayId, index: number, look: 'left' | 'right') => {
    const { rows, columns } = extent(trace, array);
    if (columns === 0) return;
    const [head, row, column] = [Math.floor(index / (rows * columns)), Math.floor(index / columns) % rows, index % columns];
    const before = frames.get(`${array} ${look} ${head}`);
    frames.set(`${array} ${look} ${head}`, before === undefined
      ? { array, head, top: row, bottom: row, left: column, right: column, look }
      : {
          ...before, top: Math.min(before.top, row), bottom: Math.max(before.bottom, row),
          left: Math.min(before.left, column), right: Math.max(before.right, column),
        });
  };
  for (const { left, right } of terms) {
    add(left.array, left.index, 'left');
    if (right) add(right.array, right.index, 'right');
  }
  if (bias) add(bias.array, bias.index, 'right');
  return [...frames.values()];
}

// Colour ranges that the reader has locked, so that what a change does to a matrix can be seen by its colours.

/** As they are now, rounded up to three digits: what is printed is what is kept. */
export function lockRanges(matrices: readonly Matrix[]): LockedRanges {
  return Object.fromEntries(matrices.filter(({ kind, range, note }) => kind === 'signed' && range > 0 && !note).map(({ id, range }) => [id, roundedUp(range)]));
}

function roundedUp(x: number): number {
  const near = Number(x.toPrecision(3));
  const next = near + 10 ** (Math.floor(Math.log10(x)) - 2);
  return near >= x ? near : Number(next.toPrecision(3));
}

/** A matrix in its kept range, with how many of its numbers lie outside; a difference has a range of its own. */
export function inLockedRange(matrix: Matrix, kept: LockedRanges | null, mode: Mode): Matrix {
  const range = mode === 'difference' ? undefined : kept?.[matrix.id];
  if (range === undefined || matrix.kind !== 'signed' || matrix.note) return matrix;
  let outside = 0;
  for (const x of matrix.numbers) if (Math.abs(x) > range && Number.isFinite(x)) outside += 1;
  return { ...matrix, range, outside };
}

// A matrix now, in the pinned state, and their difference, which the engine computes.

export class Comparison {
  #now: Trace | null = null;
  #pinned: Trace | null = null;
  readonly #differences = new Map<string, Float32Array>();
  readonly #ranges = new Ranges();

  /** What a card shows in this mode; where it cannot be shown, a sentence stands in `note`. */
  matrix(mode: Mode, trace: Trace, pinned: Pinned, now: Matrix, selection: Selection): Matrix {
    const { id } = now;
    if (!pinned.picture.trace.present(id)) return mode === 'now' ? now : { ...now, note: msg('The pinned run has no such matrix.') };
    const then = matrix(pinned.picture.trace, id, selection, fit(pinned.picture.trace, id, now.place), this.#ranges);
    // One range for both, or a difference in strength would not be seen.
    const range = Math.max(now.range, then.range);
    if (mode === 'now') return { ...now, range };
    if (mode === 'pinned') return { ...then, range };
    if (now.rows !== then.rows || now.columns !== then.columns) {
      return { ...now, note: differentShapes([then.rows, then.columns], [now.rows, now.columns]) };
    }
    const numbers = this.#difference(trace, pinned, now, then);
    const value = numbers[now.place.row * now.columns + now.place.column] ?? NaN;
    const masked = now.id === 'masked_scores' ? numbers : now.masked && then.masked && hiddenInBoth(now.masked, then.masked);
    return { ...now, numbers, value, kind: 'signed', masked, range: largest(numbers) };
  }

  both(trace: Trace, pinned: Pinned, now: Matrix, selection: Selection): Both | null {
    if (!pinned.picture.trace.present(now.id)) return null;
    const { rows, columns } = extent(pinned.picture.trace, now.id);
    const { row, column } = now.place;
    if (row >= rows || column >= columns) return null;
    const then = matrix(pinned.picture.trace, now.id, selection, now.place, this.#ranges);
    const place = row * columns + column;
    const difference = rows === now.rows && columns === now.columns
      ? this.#difference(trace, pinned, now, then)[place]
      : pinned.subtract(Float32Array.of(now.value), then.numbers.slice(place, place + 1))[0];
    return { pinned: then.numbers[place] ?? NaN, difference: difference ?? NaN };
  }

  #difference(trace: Trace, pinned: Pinned, now: Matrix, then: Matrix): Float32Array {
    if (this.#now !== trace || this.#pinned !== pinned.picture.trace) this.#differences.clear();
    [this.#now, this.#pinned] = [trace, pinned.picture.trace];
    const key = `${now.id} ${now.head} ${then.head}`;
    const known = this.#differences.get(key) ?? pinned.subtract(now.numbers, then.numbers);
    this.#differences.set(key, known);
    return known;
  }
}

function fit(trace: Trace, id: ArrayId, place: Place): Place {
  const { heads, rows, columns } = extent(trace, id);
  const within = (value: number, count: number) => Math.max(0, Math.min(value, count - 1));
  return { head: within(place.head, heads), row: within(place.row, rows), column: within(place.column, columns) };
}

// A hue for each head, only where heads are told apart: neighbours in the list are far apart in hue, and in lightness, too,
// for eyes that do not see the hue.

const LOOKS: Record<Theme, { saturation: number; lightness: readonly [number, number] }> = {
  light: { saturation: 45, lightness: [33, 53] },
  dark: { saturation: 55, lightness: [57, 77] },
};

export function headHues(heads: number, theme: Theme): string[] {
  const { saturation, lightness } = LOOKS[theme];
  return Array.from({ length: heads }, (_, head) => (
    `hsl(${Math.round((205 + head * (heads <= 8 ? 360 / Math.max(heads, 1) : 137.5)) % 360)} ${saturation}% ${lightness[head % 2]}%)`));
}
