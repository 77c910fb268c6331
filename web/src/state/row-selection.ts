// Which rows are read together: words selected in the text box, or rows added one by one.
import type { Token } from '../engine/tokens.ts';
import { type Picture, maskedOf } from './result.ts';

export class Sum {
  #queries: readonly number[] = [];
  /** Selected words come and go with the selection; added rows stay until they are cleared. */
  #fromText = false;
  picking = false;

  /** In reading order; fewer than two is one row, and no sum. */
  in(picture: Picture): readonly number[] {
    const within = this.#queries.filter((query) => query < picture.tokens.length);
    return within.length > 1 ? within : [];
  }

  /** What the text box has selected. Says whether the rows are others now. */
  select(tokens: readonly Token[], start: number, end: number): boolean {
    const touched = tokens.flatMap((token, i) => (token.start < end && token.end > start ? [i] : []));
    if (touched.length > 1) return this.#take(touched, true);
    return this.#fromText ? this.#take([], false) : false;
  }

  /** The text has changed: what was selected in it is gone. */
  typed(): void {
    if (this.#fromText) this.#take([], false);
  }

  add(query: number, present: number): void {
    this.picking = false;
    if (query < 0) return;
    const rows = this.#queries.length > 0 ? this.#queries : [present];
    this.#take([...new Set([...rows, query])].sort((a, b) => a - b), false);
  }

  /** Adds a row, or takes it out again. */
  toggle(query: number, present: number): void {
    if (this.#queries.includes(query)) this.remove(query);
    else this.add(query, present);
  }

  remove(query: number): void {
    this.#take(this.#queries.filter((one) => one !== query), false);
  }

  clear(): void {
    this.#take([], false);
    this.picking = false;
  }

  #take(queries: readonly number[], fromText: boolean): boolean {
    const same = queries.length === this.#queries.length && queries.every((query, i) => query === this.#queries[i]);
    this.#queries = queries;
    this.#fromText = fromText;
    return !same;
  }
}

/** Masked for every one of the rows. */
export function maskedForAll(picture: Picture, head: number, queries: readonly number[]): Float32Array {
  const { S } = picture.trace.shape;
  const masked = maskedOf(picture, head);
  return Float32Array.from({ length: S }, (_, key) => Math.max(...queries.map((query) => masked[query * S + key] ?? 0)));
}
