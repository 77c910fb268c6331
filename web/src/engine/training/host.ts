// Runs a training, in a worker or on the page, in slices of a few milliseconds; called by the names of its methods.
import { type ModuleRun, TrainingModule } from './module.ts';
import { refused } from './sentences.ts';
import { type Taken, TrainingRuns } from './runs.ts';
import { stateOf } from './state.ts';
import type { Answered, DisplayedText, GivenModel, ModelState, RunDescription, WantedTraining } from './types.ts';

export interface Opened {
  runs: RunDescription[];
  displayed: DisplayedText[];
  maps: Uint8Array[];
}

export interface Sliced {
  taken: Taken[];
  step: number;
}

/** The methods; on the page each returns a promise. */
export class TrainingHost {
  #runs: TrainingRuns | null = null;
  #model: { own: ModuleRun; given: GivenModel } | null = null;
  #maps: ReturnType<TrainingRuns['mapsOfKept']> | null = null;

  constructor(private readonly module: TrainingModule) {}

  get #open(): TrainingRuns {
    if (!this.#runs) throw refused('training_freed');
    return this.#runs;
  }

  open(wanted: WantedTraining): Opened {
    this.free();
    this.#runs = new TrainingRuns(this.module, wanted);
    return this.#shown();
  }

  /** One that was trained elsewhere, beside the runs. */
  model(given: GivenModel): void {
    this.#model?.own.free();
    this.#model = null;
    this.#model = { own: this.module.model(given), given: { ...given, weights: new Float32Array() } };
  }

  traced(tokens: readonly number[]): ModelState {
    if (!this.#model) throw refused('training_freed');
    const { own, given } = this.#model;
    own.show(tokens);
    return stateOf(this.module, own, given, own.shown());
  }

  #shown(): Opened {
    const runs = this.#open;
    return { runs: runs.descriptions, displayed: runs.descriptions.map((_, i) => runs.displayed(i)), maps: runs.maps() };
  }

  /** Takes up to `steps` steps, for at most so many milliseconds; an unfinished step continues at the next call. */
  advance(steps: number, budget: number): Sliced {
    const until = performance.now() + budget;
    const taken: Taken[] = [];
    while (taken.length < steps) {
      const one = this.#open.part();
      if (one) taken.push(one);
      if (performance.now() >= until) break;
    }
    return { taken, step: this.#open.step };
  }

  /** Finishes the current step. */
  settle(): Sliced {
    const taken: Taken[] = [];
    while (this.#open.isUnderWay) {
      const one = this.#open.part();
      if (one) taken.push(one);
    }
    return { taken, step: this.#open.step };
  }

  seek(step: number, budget: number) {
    const until = performance.now() + budget;
    return this.#open.seek(step, () => performance.now() >= until);
  }

  change(...asked: Parameters<TrainingRuns['change']>): RunDescription[] {
    this.#open.change(...asked);
    return this.#open.descriptions;
  }

  show(text: string | readonly number[] | null, n: number): Opened {
    this.#open.show(typeof text === 'string' ? this.#open.idsOf(0, text) : text ?? [], n);
    return this.#shown();
  }

  /** Maps of the shown text at kept steps, for so many milliseconds; nothing else may be asked before the last. */
  mapsOfKept(budget: number) {
    const until = performance.now() + budget;
    this.#maps ??= this.#open.mapsOfKept();
    const made = [];
    let next = this.#maps.next();
    for (; !next.done; next = this.#maps.next()) {
      made.push(next.value);
      if (performance.now() >= until) return { made, isLast: false };
    }
    this.#maps = null;
    return { made, isLast: true };
  }

  answer(answered: readonly Answered[]): Opened {
    this.#open.answer(answered);
    return this.#shown();
  }

  map(run: number) { return this.#open.map(run); }
  state(run: number) { return this.#open.state(run); }
  hash(run: number) { return this.#open.hash(run); }
  fairTest(run: number) { return this.#open.fairTest(run); }
  heldOut(run: number, text: string) { return this.#open.heldOut(run, text); }
  recite(...asked: Parameters<TrainingRuns['recite']>) { return this.#open.recite(...asked); }
  file(run: number, slot: number) { return this.#open.file(run, slot); }
  heapBytes() { return this.module.heapBytes; }

  free(): void {
    this.#maps = null;
    this.#model?.own.free();
    this.#model = null;
    this.#runs?.free();
    this.#runs = null;
  }
}

export type Call = Exclude<keyof TrainingHost, 'module'>;
