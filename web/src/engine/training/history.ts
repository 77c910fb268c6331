// The history of one run: every step so far, for the curves and the slider.
import type { Taken } from './runs.ts';
import type { HeadScore, History, StepRecord } from './types.ts';

const WINDOW = 20;
const OF: readonly (keyof HeadScore)[] = ['first', 'second', 'decided', 'derivative'];

/** Numbers that more are added to. */
class Column<T extends Float32Array | Float64Array> {
  #all: T;
  constructor(private readonly kind: new (length: number) => T) {
    this.#all = new kind(256);
  }

  set(at: number, number: number): void {
    if (at >= this.#all.length) {
      const more = new this.kind(2 * this.#all.length);
      more.set(this.#all);
      this.#all = more;
    }
    this.#all[at] = number;
  }

  view(length: number): T {
    return this.#all.subarray(0, length) as T;
  }
}

export class RunHistory implements History {
  private readonly heads: number;
  #length = 0;
  readonly #loss = new Column(Float64Array);
  readonly #norm = new Column(Float32Array);
  readonly #asked = new Column(Float32Array);
  readonly #right = new Column(Float32Array);
  readonly #accuracy = new Column(Float32Array);
  readonly #smooth = new Column(Float32Array);
  readonly #scores: Column<Float32Array>[];
  /** From step 0 on. */
  #maps: Uint8Array[];

  /** @param perLayer heads of each of so many layers */
  constructor(private readonly perLayer: number, layers: number, first: Uint8Array) {
    this.heads = perLayer * layers;
    this.#scores = Array.from({ length: this.heads * OF.length }, () => new Column(Float32Array));
    this.#maps = [first];
  }

  get length(): number {
    return this.#length;
  }

  /** A repeated step is the same as before, except for its map. */
  add({ record, map }: Taken['runs'][number]): void {
    const at = record.step - 1;
    if (at < 0 || at > this.#length) return;
    if (map.length > 0) this.addMap(record.step, map);
    if (at < this.#length) return;
    this.#length = at + 1;
    this.#loss.set(at, record.loss);
    this.#norm.set(at, record.gradientNorm);
    this.#asked.set(at, record.asked);
    this.#right.set(at, record.right);
    this.#accuracy.set(at, record.right / record.asked);
    const sum = (column: Column<Float32Array>) => column.view(at + 1).subarray(-WINDOW).reduce((all, one) => all + one, 0);
    this.#smooth.set(at, sum(this.#right) / sum(this.#asked));
    record.heads.forEach((head, i) => OF.forEach((of, j) => this.#scores[i * OF.length + j]?.set(at, head[of])));
  }

  /** What comes after `step`. */
  forget(step: number): void {
    this.#length = Math.min(this.#length, step);
    this.#maps.length = Math.min(this.#maps.length, step + 1);
  }

  addMap(step: number, map: Uint8Array): void {
    this.#maps[step] = map;
  }

  /** Another text is shown. */
  forgetMaps(): void {
    this.#maps = [];
  }

  get loss() { return this.#loss.view(this.#length); }
  get accuracy() { return this.#accuracy.view(this.#length); }
  get smoothAccuracy() { return this.#smooth.view(this.#length); }
  get gradientNorm() { return this.#norm.view(this.#length); }

  #score(index: number, of: keyof HeadScore): Float32Array {
    return this.#scores[index * OF.length + OF.indexOf(of)]?.view(this.#length) ?? new Float32Array();
  }

  score(layer: number, head: number, of: keyof HeadScore): Float32Array {
    return this.#score(layer * this.perLayer + head, of);
  }

  record(step: number): StepRecord {
    const at = step - 1;
    const heads = Array.from({ length: this.heads }, (_, i) => Object.fromEntries(OF.map((of) => [of, this.#score(i, of)[at] ?? NaN])) as unknown as HeadScore);
    return {
      step, loss: this.loss[at] ?? NaN, asked: this.#asked.view(this.#length)[at] ?? 0, right: this.#right.view(this.#length)[at] ?? 0, gradientNorm: this.gradientNorm[at] ?? NaN, heads,
    };
  }

  map(step: number): Uint8Array | null {
    return this.#maps[step] ?? null;
  }
}
