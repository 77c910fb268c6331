// The number that the reader looks at, and the path to it.
import type { ArrayId, Trace } from '../../engine/engine.ts';
import { type Focus, type Place, extent, has, headIn, indexOf, placeAt, placeOf } from '../../engine/places.ts';
import { side } from '../../engine/stages.ts';
import type { Selection } from '../../engine/types.ts';
import { cardOf } from '../../state/stage-groups.ts';

const OPENING: ArrayId = 'scaled_scores';
const LONGEST = 24;

export class FocusState {
  #array: ArrayId = OPENING;
  #place: Place = { head: 0, row: 0, column: 0 };
  /** The column last looked at, in arrays whose columns are no words. */
  readonly #columns = new Map<ArrayId, number>();
  #rows = new Map<ArrayId, number>();
  #trail: Focus[] = [];
  #selection: Selection = { head: 0, query: -1, key: -1 };

  get array(): ArrayId {
    return this.#array;
  }

  get trail(): readonly Focus[] {
    return this.#trail;
  }

  /** Goes with the selection, unless that came from here; and stays inside the matrices of a new run. */
  follow(trace: Trace, selection: Selection): void {
    const moved = (['head', 'query', 'key'] as const).some((field) => selection[field] !== this.#selection[field]);
    this.#selection = { ...selection };
    if (cardOf(trace, this.#array) === null) this.go(trace, OPENING, null);
    if (moved) this.#place = this.placeIn(trace, this.#array);
    this.#place = fit(trace, this.#array, this.#place);
    this.#trail = this.#trail.filter((step) => has(trace, step));
  }

  /** Announces the next selection, so that it does not move the focus. */
  expect(selection: Selection): void {
    this.#selection = { ...selection };
  }

  go(trace: Trace, array: ArrayId, place: Place | null, trail: readonly Focus[] = []): void {
    this.#array = array;
    this.#place = fit(trace, array, place ?? this.placeIn(trace, array));
    this.#columns.set(array, this.#place.column);
    if (side(array) === 'parameter') this.#rows.set(array, this.#place.row);
    this.#trail = trail.slice(-LONGEST);
  }

  focus(trace: Trace): Focus {
    return { array: this.#array, index: indexOf(trace, this.#array, this.#place) };
  }

  get place(): Place {
    return this.#place;
  }

  /** The place of an array that a card shows: the focus, or where the selection meets it. */
  placeIn(trace: Trace, array: ArrayId): Place {
    const place = placeAt(trace, array, this.#selection, this.#columns.get(array) ?? 0);
    const { rows } = extent(trace, array);
    return side(array) === 'parameter' ? { ...place, row: Math.min(this.#rows.get(array) ?? 0, rows - 1) } : place;
  }

  shownIn(trace: Trace, array: ArrayId, head: number): Place {
    const own = array === this.#array && this.#place.head === headIn(trace, array, head);
    return own ? this.#place : this.placeIn(trace, array);
  }
}

function fit(trace: Trace, array: ArrayId, { head, row, column }: Place): Place {
  const { heads, rows, columns } = extent(trace, array);
  const within = (value: number, count: number) => Math.max(0, Math.min(value, count - 1));
  return { head: within(head, heads), row: within(row, rows), column: within(column, columns) };
}

/** From a number to the embedding it comes from, by its first operands. */
export function wayDown(trace: Trace, from: Focus): Focus[] {
  const steps: Focus[] = [];
  for (let at = from; steps.length < LONGEST; ) {
    const { terms } = trace.explain(at.array, at.index);
    // A softmax has its whole row as operands: the path goes to its own score.
    const { row, column } = placeOf(trace, at);
    const own = side(at.array) === 'pair' ? terms.find(({ left }) => {
      const place = placeOf(trace, left);
      return side(left.array) === 'pair' && place.row === row && place.column === column;
    }) : undefined;
    const next = (own ?? terms[0])?.left;
    if (!next) return steps;
    at = { array: next.array, index: next.index };
    steps.push(at);
    if (at.array === 'embeddings' || at.array === 'key_embeddings') return steps;
  }
  return steps;
}
