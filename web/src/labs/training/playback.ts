// Moves the step that is shown: so many a second, or all at once; never past what is computed, and not while the page is hidden.
import type { Pace } from './bar.ts';

/** Steps a second. */
const SPEED: Readonly<Record<Exclude<Pace, 'flat'>, number>> = { slow: 12, frame: 60 };
/** After a frame that came late, no leap. */
const MOST_A_FRAME = 4;
const AHEAD = 12;
/** Where motion is unwanted: from one checkpoint to the next, with time to look. */
const CHECKPOINT = { steps: 20, ms: 700 };

export interface Played {
  readonly step: number;
  readonly steps: number;
  /** Steps that are computed. */
  readonly known: number;
  readonly pace: Pace;
  /** Asks for that many steps to be computed. */
  want(steps: number): void;
  show(step: number): void;
  ended(): void;
}

export class Playback {
  #frame = 0;
  #due = 0;
  #at = 0;
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');

  constructor(private readonly played: Played) {}

  get isPlaying(): boolean {
    return this.#frame !== 0;
  }

  play(): void {
    if (this.isPlaying) return;
    this.#due = 0;
    this.#at = performance.now();
    this.#frame = requestAnimationFrame(this.#tick);
  }

  pause(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  readonly #tick = (now: number): void => {
    this.#frame = requestAnimationFrame(this.#tick);
    const { step, steps, known, pace } = this.played;
    const goal = Math.min(steps, this.#still.matches ? this.#checkpoint(step, pace) : this.#next(now, step, known, pace));
    // A little ahead, so that no frame waits; and several at once, as a message costs a frame more than a step.
    if (known < Math.min(steps, goal + MOST_A_FRAME)) this.played.want(pace === 'flat' ? steps : Math.min(steps, goal + AHEAD));
    if (this.#still.matches) {
      if (now - this.#at < CHECKPOINT.ms || known < goal) return;
      this.#at = now;
    }
    const next = Math.min(goal, known);
    if (next > step) this.played.show(next);
    if (next < steps) return;
    this.pause();
    this.played.ended();
  };

  #checkpoint(step: number, pace: Pace): number {
    return pace === 'flat' ? Infinity : (Math.floor(step / CHECKPOINT.steps) + 1) * CHECKPOINT.steps;
  }

  #next(now: number, step: number, known: number, pace: Pace): number {
    const passed = now - this.#at;
    this.#at = now;
    if (pace === 'flat') return known;
    this.#due = Math.min(MOST_A_FRAME, this.#due + (passed * SPEED[pace]) / 1000);
    const whole = Math.floor(this.#due + 1e-3);
    this.#due -= whole;
    return step + whole;
  }
}
