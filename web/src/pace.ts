// How long a run will take, judged by the runs before it.

/** In multiply-adds: shorter runs say more of the clock, and of what came between, than of the processor. */
const ENOUGH_WORK = 1e6;
const ENOUGH_MS = 5;

export class Pace {
  /** Multiply-adds a millisecond. */
  #speed = 1e6;

  /** @returns milliseconds */
  expects(work: number): number {
    return work / this.#speed;
  }

  learn(work: number, took: number): void {
    const speed = work / Math.max(took, 1);
    // A processor is no slower than it has just been: one hitch does not hold up every later run.
    this.#speed = work > ENOUGH_WORK && took > ENOUGH_MS ? speed : Math.max(this.#speed, speed);
  }
}
