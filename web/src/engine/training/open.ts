// An open lesson: steps its runs at the chosen pace, in a worker or on the page.
import type { Linear, Norm } from '../operators/operators.ts';
import { RunHistory } from './history.ts';
import type { Opened, Sliced } from './host.ts';
import { type Place, placeOf } from './place.ts';
import { refused } from './sentences.ts';
import type { Answered, DisplayedText, History, ModelState, OpenTraining, Pace, RunDescription, Traceable, Traced, Training, TrainingEvents, TrainingOptions, TrainingRule, WantedTraining } from './types.ts';

export { changesOf, rulesOf } from './runs.ts';
export { LESSONS } from './types.ts';
export { MOST_TEXT, TALE } from './vocabulary.ts';
export type * from './types.ts';

/** Frames a step. */
const SLOW = 8;
/** Of any run: beyond them nothing is seen that was not seen before. */
const MOST_STEPS = 20_000;

const frame = (): Promise<unknown> => new Promise((settle) => {
  if (typeof requestAnimationFrame === 'function' && !document.hidden) requestAnimationFrame(settle);
  else setTimeout(settle, 4);
});
/** A hidden page draws no frames, so playback waits. */
const visibleFrame = (): Promise<unknown> => new Promise((settle) => {
  if (typeof requestAnimationFrame === 'function') requestAnimationFrame(settle);
  else setTimeout(settle, 16);
});

class OpenedTraining implements Training {
  readonly #place: Place;
  readonly #events: TrainingEvents;
  readonly #heldOut: string;
  #opened: Opened;
  #histories: RunHistory[];
  #step = 0;
  #pace: Pace = 'paused';
  /** Counts plays, so that the loop of one before ends. */
  #plays = 0;
  /** One thing after another. */
  #queue: Promise<unknown> = Promise.resolve();
  #isFreed = false;

  constructor(place: Place, events: TrainingEvents, opened: Opened, heldOut: string) {
    this.#place = place;
    this.#events = events;
    this.#opened = opened;
    this.#heldOut = heldOut;
    this.#histories = opened.runs.map(({ shape }, i) => new RunHistory(shape.heads, shape.layers, opened.maps[i] as Uint8Array));
  }

  get place() { return this.#place.place; }
  get runs(): readonly RunDescription[] { return this.#opened.runs; }
  get step() { return this.#step; }
  get known() { return this.#histories[0]?.length ?? 0; }
  get pace() { return this.#pace; }

  history(run: number): History {
    const history = this.#histories[run];
    if (!history) throw refused('training_run', [run, this.#histories.length - 1]);
    return history;
  }

  displayed(run: number): DisplayedText {
    const displayed = this.#opened.displayed[run];
    if (!displayed) throw refused('training_run', [run, this.#histories.length - 1]);
    return displayed;
  }

  play(pace: Exclude<Pace, 'paused'> = 'frame', until = Math.max(...this.runs.map(({ steps }) => steps))): void {
    this.#setPace(pace);
    this.#plays += 1;
    void this.#playOn(this.#plays, Math.min(until, MOST_STEPS));
  }

  pause(): void {
    this.#plays += 1;
    this.#setPace('paused');
  }

  #setPace(pace: Pace): void {
    if (pace === this.#pace) return;
    this.#pace = pace;
    this.#events.onPace?.(pace);
  }

  async #playOn(play: number, until: number): Promise<void> {
    try {
      for (let frames = 0; play === this.#plays && this.#step < until; frames += 1) {
        const isFlat = this.#pace === 'flat';
        if (!(isFlat && this.place === 'worker' && !document.hidden)) await visibleFrame();
        if (play !== this.#plays) return;
        if (this.#pace === 'slow' && frames % SLOW !== 0) continue;
        await this.#do(() => this.#slice(isFlat ? until - this.#step : 1));
      }
      if (play === this.#plays) this.pause();
    } catch (error) {
      if (play !== this.#plays) return;
      this.pause();
      this.#events.onError?.(error as Error);
    }
  }

  /** One at a time, in the order they were asked. */
  #do<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(() => {
      if (this.#isFreed) throw refused('training_freed');
      return work();
    });
    this.#queue = done.catch(() => {});
    return done;
  }

  /** Questions about a step wait until the current step is finished. */
  #between<T>(work: () => Promise<T>): Promise<T> {
    return this.#do(async () => {
      this.#take(await this.#place.ask('settle'));
      return work();
    });
  }

  async #slice(steps: number): Promise<void> {
    // A worker takes a whole step, however long.
    const budget = this.place === 'worker' && steps === 1 ? Infinity : this.#place.budget;
    this.#take(await this.#place.ask('advance', steps, budget));
  }

  get #budget() { return this.place === 'worker' ? Infinity : this.#place.budget; }

  #add(taken: Sliced['taken']): void {
    for (const { runs } of taken) runs.forEach((run, i) => this.#histories[i]?.add(run));
  }

  #take({ taken, step }: Sliced): void {
    this.#add(taken);
    if (taken.length === 0) return;
    this.#step = step;
    this.#events.onStep?.(this);
  }

  #addMaps(step: number, maps: readonly Uint8Array[]): void {
    maps.forEach((map, i) => this.#histories[i]?.addMap(step, map));
  }

  async advance(steps: number): Promise<void> {
    const until = Math.min(this.#step + steps, MOST_STEPS);
    while (this.#step < until) {
      await this.#do(() => this.#slice(until - this.#step));
      if (this.place === 'page' && this.#step < until) await frame();
    }
  }

  async seek(step: number): Promise<void> {
    if (!(Number.isInteger(step) && step >= 0 && step <= MOST_STEPS)) throw refused('training_step', [MOST_STEPS]);
    if (step > this.known) {
      await this.seek(this.known);
      return this.advance(step - this.#step);
    }
    await this.#between(async () => {
      const slice = () => this.#place.ask('seek', step, this.#budget);
      for (let sought = await slice(); ; sought = await slice()) {
        this.#add(sought.taken);
        if (sought.isThere) break;
        await frame();
      }
      this.#step = step;
      this.#events.onStep?.(this);
    });
  }

  change(run: number, rule: Partial<TrainingRule>): Promise<void> {
    return this.#between(async () => {
      const runs = await this.#place.ask('change', run, rule);
      this.#opened = { ...this.#opened, runs };
      this.#histories.forEach((history) => history.forget(this.#step));
      this.#events.onStep?.(this);
    });
  }

  show(text: string | readonly number[] | null, n = 0): Promise<void> {
    return this.#between(async () => {
      this.#opened = await this.#place.ask('show', text, n);
      for (const history of this.#histories) history.forgetMaps();
      this.#addMaps(this.#step, this.#opened.maps);
      const slice = () => this.#place.ask('mapsOfKept', this.#budget);
      for (let kept = await slice(); ; kept = await slice()) {
        for (const { step, maps } of kept.made) this.#addMaps(step, maps);
        if (kept.isLast) break;
        await frame();
      }
      this.#events.onStep?.(this);
    });
  }

  answer(answered: readonly Answered[]): Promise<void> {
    return this.#between(async () => { this.#opened = await this.#place.ask('answer', answered); });
  }

  map(run: number): Promise<Float32Array> { return this.#between(() => this.#place.ask('map', run)); }
  state(run: number): Promise<ModelState> { return this.#between(() => this.#place.ask('state', run)); }
  hash(run: number): Promise<string> { return this.#between(() => this.#place.ask('hash', run)); }
  fairTest(run: number) { return this.#between(() => this.#place.ask('fairTest', run)); }
  heldOut(run: number, text = this.#heldOut) { return this.#between(() => this.#place.ask('heldOut', run, text)); }
  recite(run: number, wanted = {}) { return this.#between(() => this.#place.ask('recite', run, wanted)); }
  file(run: number, slot = 0) { return this.#between(() => this.#place.ask('file', run, slot)); }
  /** Of the module's memory. */
  heapBytes(): Promise<number> { return this.#do(() => this.#place.ask('heapBytes')); }

  free(): void {
    if (this.#isFreed) return;
    this.pause();
    this.#isFreed = true;
    this.#place.close();
  }
}

export const openTraining: OpenTraining = async (wanted: WantedTraining, options = {}) => {
  const place = await placeOf(options);
  try {
    return new OpenedTraining(place, options, await place.ask('open', wanted), wanted.heldOut ?? '');
  } catch (error) {
    place.close();
    throw error;
  }
};

/** As they lie in a trainer, widened to float32. */
function weightsOf({ parameters: { embeddings, positions, blocks, finalNorm, output }, shape: { hidden } }: Traceable): Float32Array {
  const norm = (of: Norm | null | undefined) => [of?.gain.read() ?? [], of?.bias?.read() ?? new Float32Array(of?.gain.shape[0] ?? 0)];
  const matrix = (of: Linear | null | undefined) => {
    if (!of) return [];
    const [numbers, [rows = 0, columns = 0]] = [of.weight.read(), of.weight.shape];
    return of.layout === 'out_in' ? numbers.map((_, i) => numbers[(i % rows) * columns + Math.floor(i / rows)] ?? NaN) : numbers;
  };
  const arrays = [
    embeddings.read(), (positions ?? blocks[0]?.queryKeyPositions)?.read() ?? [],
    ...blocks.flatMap(({ norm1, norm2, attention: { query, key, value, outProj }, up, down }) => [
      ...norm(norm1), ...[query, key, value, outProj].map(matrix), ...(hidden > 0 ? [...norm(norm2), matrix(up), matrix(down)] : []),
    ]),
    ...norm(finalNorm), matrix(output),
  ];
  const weights = new Float32Array(arrays.reduce((count, { length }) => count + length, 0));
  let at = 0;
  for (const array of arrays) {
    weights.set(array, at);
    at += array.length;
  }
  return weights;
}

/** A model that was trained elsewhere, in a training's place. @throws AttentionError */
export async function openTraced(of: Traceable, options: TrainingOptions = {}): Promise<Traced> {
  const { shape, rule } = of;
  const place = await placeOf(options);
  try {
    await place.ask('model', { shape, rule, weights: weightsOf(of) });
  } catch (error) {
    place.close();
    throw error;
  }
  return { state: (tokens) => place.ask('traced', tokens), free: () => place.close() };
}
