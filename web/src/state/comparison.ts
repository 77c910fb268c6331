// Comparison with a pinned state: one head's weights now, then, and their difference.
import { msg, str } from '@lit/localize';
import type { Trace } from '../engine/engine.ts';
import type { Selection } from '../engine/types.ts';
import { language } from '../lib/language.ts';
import { type Picture, type Shown, shownNow, weightsOf } from './result.ts';
import type { Mode, State } from './state.ts';
import type { Store } from './store.ts';

export interface Pinned {
  readonly picture: Picture;
  /** The differences from the pinned state. */
  readonly words: string;
  subtract(a: Float32Array, b: Float32Array): Float32Array;
}

/** Both numbers of one place. */
export interface Both {
  readonly pinned: number;
  readonly difference: number;
}

export class Pin {
  mode: Mode = 'now';
  #pinned: Pinned | null = null;
  #of: unknown[] = [];
  #shown: Shown | null = null;
  #shownOf: unknown[] = [];

  constructor(private readonly store: Store, private readonly words: (then: State, now: State) => string) {}

  /** The same object while neither state changes. */
  get state(): Pinned | null {
    const { pinned, state } = this.store;
    const of = [pinned, state, language()];
    if (of.every((each, i) => each === this.#of[i])) return this.#pinned;
    this.#of = of;
    if (!pinned) this.mode = 'now';
    this.#pinned = pinned && { picture: pinned.picture, subtract: (a, b) => this.store.subtract(a, b), words: this.words(pinned.state, state) };
    return this.#pinned;
  }

  shown(now: Picture, head: number): Shown {
    const pinned = this.state;
    const of = [now, pinned?.picture, head, this.mode, language()];
    if (this.#shown && of.every((each, i) => each === this.#shownOf[i])) return this.#shown;
    this.#shownOf = of;
    this.#shown = shownWeights(now, pinned, head, this.mode);
    return this.#shown;
  }

  both(now: Picture, { head, query, key }: Selection): Both | null {
    const pinned = this.state;
    if (!pinned || !isSamePlace(now, pinned.picture, { query, key })) return null;
    const at = ({ trace }: Picture, numbers: Float32Array) => numbers.subarray(query * trace.shape.S + key).slice(0, 1);
    const then = at(pinned.picture, shownNow(pinned.picture, head).numbers);
    return { pinned: then[0] ?? NaN, difference: pinned.subtract(at(now, weightsOf(now, head)), then)[0] ?? NaN };
  }
}

/** Whether a place exists in both states; if the number of words has changed, only if the words there are the same. */
export function isSamePlace(now: Picture, then: Picture, { query, key }: { query?: number | undefined; key?: number | undefined }): boolean {
  if (!shapeNote(then.trace.shape, now.trace.shape)) return true;
  return (query === undefined || now.tokens[query]?.text === then.tokens[query]?.text)
    && (key === undefined || now.keyTokens[key]?.text === then.keyTokens[key]?.text);
}

function shownWeights(now: Picture, pinned: Pinned | null, head: number, mode: Mode): Shown {
  const present = { ...shownNow(now, head), mode };
  if (!pinned || mode === 'now') return present;
  const then = { ...shownNow(pinned.picture, head), mode };
  if (mode === 'pinned') return then;
  const note = shapeNote(pinned.picture.trace.shape, now.trace.shape);
  if (note) return { ...present, note };
  const numbers = pinned.subtract(present.numbers, then.numbers);
  return { ...present, numbers, masked: hiddenInBoth(present.masked, then.masked), range: largest(numbers) };
}

function shapeNote(then: Trace['shape'], now: Trace['shape']): string {
  if (then.T === now.T && then.S === now.S) return '';
  return differentShapes([then.T, then.S], [now.T, now.S]);
}

export function differentShapes(then: readonly number[], now: readonly number[]): string {
  return msg(str`It was [${then.join(' × ')}] and is [${now.join(' × ')}]: only matrices of one shape can be subtracted.`);
}

/** −Infinity where both are. */
export function hiddenInBoth(now: Float32Array, then: Float32Array): Float32Array {
  return now.map((x, i) => Math.max(x, then[i] ?? 0));
}

/** The largest finite size. */
export function largest(numbers: Float32Array): number {
  let most = 0;
  for (const x of numbers) {
    const size = Math.abs(x);
    if (size > most && size !== Infinity) most = size;
  }
  return most;
}
