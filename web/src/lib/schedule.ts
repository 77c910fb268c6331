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

/** What a key changes is painted in two phases, `first` and `full`; anything else at once in full. */
export class Schedule {
  #isKey = false;
  readonly #first = new Work(() => this.#paint(this.paint.first()));
  readonly #arrived = new Work(() => this.#paint(this.paint.arrived()));
  readonly #full = new Work(() => this.paint.full());

  /** `first` and `arrived` return whether they have painted anything; if not, everything is painted at once. */
  constructor(private readonly paint: { first(): boolean; arrived(): boolean; full(): void }) {}

  /** Makes a change that a key has asked for. */
  key(change: () => void): void {
    this.#isKey = true;
    change();
    this.#isKey = false;
  }

  /** Something has changed. */
  ask(): void {
    if (this.#isKey) this.#first.at('first');
    else this.paint.full();
  }

  /** A worker has read the text: also painted in two phases, after the task that received it. */
  arrive(): void {
    this.#arrived.at('task');
  }

  /** The first phase is painted: the rest follows after the browser has shown it. */
  behindPaint(): void {
    this.#full.at('full');
  }

  #paint(isFirst: boolean): void {
    if (isFirst) this.behindPaint();
    else this.paint.full();
  }
}
