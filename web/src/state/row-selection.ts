// Which rows are read together: words selected in the text box, or rows added one by one.
import type { Token } from '../engine/tokens.ts';
import { type Picture, maskedOf } from './result.ts';
import type { Store } from './store.ts';

export class RowSelection {
  /** Words selected in the text box: they come and go with its selection. */
  #selected: readonly number[] = [];
  picking = false;

  constructor(private readonly store: Pick<Store, 'state' | 'change'>) {}

  /** In reading order; with fewer than two there is no sum. */
  in(picture: Picture): readonly number[] {
    const within = this.#rows.filter((query) => query < picture.tokens.length);
    return within.length > 1 ? within : [];
  }

  get #rows(): readonly number[] {
    return this.#selected.length > 0 ? this.#selected : this.store.state.addedRows;
  }

  /** Takes the selection of the text box; returns whether the rows have changed. */
  select(tokens: readonly Token[], start: number, end: number): boolean {
    const touched = tokens.flatMap((token, i) => (token.start < end && token.end > start ? [i] : []));
    const before = this.#selected;
    this.#selected = touched.length > 1 ? touched : [];
    return before.length !== this.#selected.length || before.some((query, i) => query !== this.#selected[i]);
  }

  /** The text has changed: what was selected in it is gone. */
  typed(): void {
    this.#selected = [];
  }

  add(query: number, present: number): void {
    this.picking = false;
    if (query < 0) return;
    const rows = this.#rows.length > 0 ? this.#rows : [present];
    this.#take([...new Set([...rows, query])].sort((a, b) => a - b));
  }

  /** Adds a row, or takes it out again. */
  toggle(query: number, present: number): void {
    if (this.#rows.includes(query)) this.remove(query);
    else this.add(query, present);
  }

  remove(query: number): void {
    this.#take(this.#rows.filter((one) => one !== query));
  }

  clear(): void {
    this.picking = false;
    this.#take([]);
  }

  #take(addedRows: readonly number[]): void {
    this.#selected = [];
    this.store.change({ addedRows });
  }
}

/** Masked for every one of the rows. */
export function maskedForAll(picture: Picture, head: number, queries: readonly number[]): Float32Array {
  const { S } = picture.trace.shape;
  const masked = maskedOf(picture, head);
  return Float32Array.from({ length: S }, (_, key) => Math.max(...queries.map((query) => masked[query * S + key] ?? 0)));
}
