// When a figure is painted and work is done, and in which phase.

/** A reader who has typed nothing for so many ms pauses: what could wait is drawn. */
export const PAUSE_MS = 400;
/** Between two parts of what is laid out in turn. */
const TURN_MS = 20;
/** Off the screen, what is drawn when nothing else is to be done waits so long first. */
const QUIET_MS = 300;

const PHASES = {
  /** What a key has changed of the words, their arcs and the matrix: at the end of what is being done now. */
  first: (act) => queueMicrotask(act),
  /** In the task behind this one. */
  task: (act) => setTimeout(act),
  /** In the next frame, before it is painted. */
  frame: (act) => requestAnimationFrame(() => act()),
  /** In the frame after that, when the next is painted. */
  second: (act) => requestAnimationFrame(() => requestAnimationFrame(() => act())),
  /** All else that follows from a key: in the task behind the next paint. */
  full: (act) => requestAnimationFrame(() => setTimeout(act)),
  /** When a part in turn before it is painted, and a key could come between. */
  turn: (act) => setTimeout(act, TURN_MS),
  /** After a pause in typing. */
  pause: (act) => setTimeout(act, PAUSE_MS),
  /** When there is nothing else to be done. */
  idle: (act) => setTimeout(() => globalThis.requestIdleCallback?.(act, { timeout: 1000 }) ?? act(), QUIET_MS),
} satisfies Record<string, (act: () => void) => void>;

export type Phase = keyof typeof PHASES;

export function inPhase(phase: Phase, act: () => void): void {
  PHASES[phase](act);
}

/** Something that is done in a phase to come: once, however often it is asked for. */
export class Work {
  #phase: Phase | null = null;
  #turn = 0;

  constructor(private readonly act: () => void) {}

  get isWaiting(): boolean {
    return this.#phase !== null;
  }

  /** What waits for another phase, or for a pause, waits anew. */
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

  /** `first` and `arrived` say whether they have painted anything; where they have not, all comes at once. */
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

  /** A worker has read the text: painted in two phases, too, behind the task that took it over. */
  arrive(): void {
    this.#arrived.at('task');
  }

  /** The first phase is painted: the rest follows when the browser has shown it. */
  behindPaint(): void {
    this.#full.at('full');
  }

  #paint(isFirst: boolean): void {
    if (isFirst) this.behindPaint();
    else this.paint.full();
  }
}
