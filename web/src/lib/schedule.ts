// When a figure is painted and work is done, and in which phase.

/** After so many ms without typing, what could wait is drawn. */
export const PAUSE_MS = 400;
/** Between two parts of what is laid out in turn. */
const TURN_MS = 20;
/** Idle work waits so long first. */
const QUIET_MS = 300;

const PHASES = {
  /** The words, their arcs and the matrix, after a key: at the end of the current task. */
  first: (act) => queueMicrotask(act),
  /** In the next task. */
  task: (act) => setTimeout(act),
  /** In the next frame, before it is painted. */
  frame: (act) => requestAnimationFrame(() => act()),
  /** In the frame after that, when the next is painted. */
  second: (act) => requestAnimationFrame(() => requestAnimationFrame(() => act())),
  /** Everything else that a key changes: in the task after the next paint. */
  full: (act) => requestAnimationFrame(() => setTimeout(act)),
  /** When a part in turn before it is painted, and a key could come between. */
  turn: (act) => setTimeout(act, TURN_MS),
  /** After a pause in typing. */
  pause: (act) => setTimeout(act, PAUSE_MS),
  /** When the browser has nothing else to do. */
  idle: (act) => setTimeout(() => globalThis.requestIdleCallback?.(act, { timeout: 1000 }) ?? act(), QUIET_MS),
} satisfies Record<string, (act: () => void) => void>;

export type Phase = keyof typeof PHASES;

export const inPhase = (phase: Phase, act: () => void): void => void PHASES[phase](act);

/** Work for a later phase: done once, however often it is asked for. */
export class Work {
  #phase: Phase | null = null;
  #turn = 0;

  constructor(private readonly act: () => void) {}

  get isWaiting(): boolean {
    return this.#phase !== null;
  }

  /** Work that waits for another phase, or for a pause, starts to wait again. */
  at(phase: Phase): void {
    if (this.#phase === phase && phase !== 'pause' && phase !== 'idle') return;
    this.stop();
    this.#phase = phase;
    const turn = this.#turn;
    PHASES[phase](() => {
      if (turn !== this.#turn) return;
      this.#phase = null;
      this.act();
    });
  }

  stop(): void {
    this.#phase = null;
    this.#turn += 1;
  }
}

/** Until the next paint is done. */
export const painted = (): Promise<void> => new Promise((resolve) => { PHASES.full(resolve); });

/** When a key was last heard by any figure. */
let typed = -PAUSE_MS;
/** While the reader types, what could wait and takes longer than a key may take is left for the pause. */
export const isTyping = (): boolean => performance.now() < typed + PAUSE_MS;

/** Up to here, with what the browser adds, everything comes no later at once than in two frames of 60 a second. */
const AT_ONCE_MS = 20;
/** How much more each key counts than the one before: one that other programs delayed changes nothing. */
const MOST_RISE = 1.5;

/**
 * What a key changes is painted at once while the figure takes little time and no worker computes it, else in two phases, `first` and `full`: two
 * frames take more work, but show the words sooner. Anything else is painted at once.
 */
export class Schedule {
  #isKey = false;
  /** What a key’s figure takes, both phases together, in ms; the first key of all is painted in two phases. */
  #took = Infinity;
  /** What the first phase of a key took; null where there was no key. */
  #tookFirst: number | null = null;
  readonly #first = new Work(() => {
    this.#tookFirst = 0;
    if (this.#took <= AT_ONCE_MS && !this.paint.isAway()) return this.#paintFull();
    const start = performance.now();
    const isFirst = this.paint.first();
    this.#tookFirst = performance.now() - start;
    if (isFirst) this.behindPaint();
    else this.#paintFull();
  });
  readonly #arrived = new Work(() => {
    if (this.paint.arrived()) this.behindPaint();
    else void this.paint.full();
  });
  readonly #full = new Work(() => this.#paintFull());

  /**
   * `first` and `arrived` return whether they have painted anything; if not, everything is painted at once. `full` resolves when
   * it is painted. `isAway`: whether a worker computes what the key changes, so that only the words are new.
   */
  constructor(private readonly paint: { first(): boolean; arrived(): boolean; full(): Promise<unknown>; isAway(): boolean }) {}

  /** Makes a change that a key has asked for. */
  key(change: () => void): void {
    this.#isKey = true;
    typed = performance.now();
    change();
    this.#isKey = false;
  }

  /** Something has changed. */
  ask(): void {
    if (this.#isKey) this.#first.at('first');
    else void this.paint.full();
  }

  /** A worker has read the text: also painted in two phases, after the task that received it. */
  arrive(): void {
    this.#arrived.at('task');
  }

  /** The first phase is painted: the rest follows after the browser has shown it. */
  behindPaint(): void {
    this.#full.at('full');
  }

  #paintFull(): void {
    const [start, first] = [performance.now(), this.#tookFirst];
    this.#tookFirst = null;
    const done = this.paint.full();
    if (first !== null) void done.then(() => { this.#took = Math.min(this.#took * MOST_RISE, first + performance.now() - start); });
  }
}
