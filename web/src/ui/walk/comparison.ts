// A matrix now, as it was when a state was pinned, and the difference of the two, which the engine takes.
import { msg } from '@lit/localize';
import type { ArrayId, Trace } from '../../engine/engine.ts';
import { type Place, extent } from '../../engine/places.ts';
import type { Selection } from '../../engine/types.ts';
import { type Both, type Pinned, differentShapes, hiddenInBoth, largest } from '../../state/comparison.ts';
import type { Mode } from '../../state/state.ts';
import { type Matrix, Ranges, matrix } from './matrices.ts';

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
