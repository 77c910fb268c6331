// When a figure is painted, and in which phase: `first` shows what a key has changed of the words, their arcs and the matrix;
// `full`, in a task behind that paint, all else that follows from it.

export type Phase = 'first' | 'full';

export class Schedule {
  #isKey = false;
  #isAsked = false;

  /** `first` says whether it has painted anything; where it has not, all comes at once. */
  constructor(private readonly paint: { first(): boolean; arrived(): boolean; full(): void }) {}

  /** What a worker has read comes in two phases, too, and behind the task that took it over. */
  arrive(): void {
    setTimeout(() => {
      if (this.paint.arrived()) this.behindPaint();
      else this.paint.full();
    });
  }

  /** Makes a change that a key has asked for: it is painted in two phases. */
  key(change: () => void): void {
    this.#isKey = true;
    change();
    this.#isKey = false;
  }

  /** Something has changed. */
  ask(): void {
    if (!this.#isKey) return this.paint.full();
    if (this.#isAsked) return;
    this.#isAsked = true;
    queueMicrotask(() => {
      this.#isAsked = false;
      if (this.paint.first()) this.behindPaint();
      else this.paint.full();
    });
  }

  /** The first phase is drawn: the rest follows when the browser has shown it. */
  behindPaint(): void {
    requestAnimationFrame(() => setTimeout(() => this.paint.full()));
  }
}
