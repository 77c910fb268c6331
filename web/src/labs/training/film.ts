// The runs of a lesson as a film: shown at any step that is known, and trained on where it is not. What costs a pass of its own,
// such as exact numbers, is looked at where the film rests, and a few times a second while it plays.
import { type Change, type ModelState, type RunDescription, type Training, type TrainingRule, openTraining } from '../../engine/training/open.ts';
import type { LessonId } from '../../state/views.ts';
import type { Sentence } from './lesson.ts';

/** Of one run at one step. */
export interface Look {
  readonly step: number;
  readonly state: ModelState;
  /** What takes longer, and comes after. */
  readonly tests: Tests | null;
}

export interface Values { readonly length: number; at(step: number): number }

interface Tests {
  /** Loss where the answer is not among the words that are given, or on a line that is not learnt. */
  readonly honest: number | null;
  readonly writes: string | null;
}

export interface FilmWanted {
  lesson: LessonId;
  runs: readonly { id: string; of?: string; seed?: number; rule?: Change['rule'] }[];
  seed: number;
  text?: string | undefined;
  heldOut?: string | undefined;
  /** The text whose maps are shown; the lesson's own when left out. */
  shown?: string | undefined;
  /** Texts to show that are asked about. */
  sentences?: readonly Sentence[] | undefined;
  /** What the reader changed of all runs in the midst, in the order of the steps. */
  changes: readonly Change[];
  /** What else each look takes. */
  honest: 'fair' | 'held-out' | null;
  writes: boolean;
}

/** Trained in one go while everything is wanted at once; one message each. */
const AT_ONCE = 10;
const LOOK_EVERY_MS = 300;
/** Steps: so near a look speaks for what plays. */
const NEAR = 40;
/** Steps before it is shown, a look at what plays again is taken. */
const AHEAD = 12;
const WRITTEN = 24;
const NOTHING = new Int32Array();

export class Film {
  #training: Training | null = null;
  #isFree = false;
  /** Work is on its way: one thing at a time. */
  #isBusy = false;
  #wanted = 0;
  #rest: number | null = null;
  /** The step that is shown, while it plays. */
  #playing: number | null = null;
  #looked = 0;
  #looks: (Look | null)[] = [];
  /** A sentence, where something went wrong. */
  problem = '';
  /** What is to be shown, while it is not yet. */
  #toShow: string | null = null;
  #shown: string | null = null;
  /** Changes that have been made, and the rules before the first. */
  #made = 0;
  #first: readonly TrainingRule[] = [];
  readonly #values = new Map<string, Values>();
  readonly #ruled = new Map<string, RunDescription>();
  #written: { of: Int32Array; words: readonly string[] } | null = null;

  constructor(private readonly of: FilmWanted, private readonly changed: () => void) {
    void this.#open();
  }

  async #open(): Promise<void> {
    const { lesson, runs, seed, text, heldOut } = this.of;
    try {
      const training = await openTraining({ lesson, seed, runs: runs.map(({ id, of, seed: own }) => ({ run: of ?? id, ...(own !== undefined && { seed: own }) })), ...(text !== undefined && { text }), ...(heldOut !== undefined && { heldOut }) }, { onError: (error) => this.#failed(error) });
      if (this.#isFree) return training.free();
      for (const [i, { rule }] of runs.entries()) if (rule) await training.change(i, rule);
      if (this.#isFree) return training.free();
      this.#training = training;
      this.#first = training.runs.map(({ rule }) => rule);
      this.#shown = this.#toShow = this.of.shown ?? null;
      // What step 0 is worth is measured by the first step.
      this.want(1);
    } catch (error) {
      this.#failed(error);
    }
    this.#say();
  }

  #failed(error: unknown): void {
    this.problem = error instanceof Error ? error.message : String(error);
    this.#say();
  }

  #say(): void {
    if (!this.#isFree) this.changed();
  }

  get isThere(): boolean {
    return this.#training !== null && this.#training.known > 0;
  }

  get runs(): readonly RunDescription[] {
    return this.#training?.runs ?? [];
  }

  /** A run with the rule that it has at a step. */
  at(i: number, step: number): RunDescription | undefined {
    const [run, rule, { changes }] = [this.runs[i], this.#first[i], this.of];
    if (!run || !rule || changes.length === 0) return run;
    const past = changes.filter(({ at }) => at <= step);
    const key = `${i} ${past.length}`;
    const ruled = this.#ruled.get(key) ?? { ...run, rule: Object.assign({}, rule, ...past.map((change) => change.rule)) as TrainingRule };
    this.#ruled.set(key, ruled);
    return ruled;
  }

  /** What of a run's rule was otherwise up to that step, in the order of the steps. */
  changesOf(run: number, step: number): Change[] {
    const rule = this.of.runs[run]?.rule;
    return [...(rule ? [{ at: 0, rule }] : []), ...this.of.changes.filter(({ at }) => at <= step)];
  }

  /** As the lesson calls a run. */
  idOf(run: number): string {
    return this.of.runs[run]?.id ?? '';
  }

  get steps(): number {
    return Math.min(...this.runs.map(({ steps }) => steps), MOST);
  }

  get known(): number {
    return this.#training?.known ?? 0;
  }

  /** Words of the shown text; a record is its key and its value. */
  get words(): readonly string[] {
    const [run] = this.runs;
    const text = this.#training?.displayed(0);
    if (!run || !text) return [];
    if (text.tokens === this.#written?.of) return this.#written.words;
    const words = Array.from(text.tokens, (id, at) => {
      const value = text.second[at] ?? -1;
      return visible(run.words[id] ?? '') + (value < 0 ? '' : (run.words[value] ?? ''));
    });
    this.#written = { of: text.tokens, words };
    return words;
  }

  /** The shown text as a model that is saved reads it. */
  textOf(at: number): string {
    const [run, text] = [this.runs[at], this.#training?.displayed(at)];
    if (!run || !text) return '';
    const word = (id: number) => (id < 0 ? '' : (run.words[id] ?? ''));
    return Array.from(text.tokens, (id, i) => word(id) + word(text.second[i] ?? -1)).join(run.joint);
  }

  get targets(): Int32Array {
    return this.#training?.displayed(0).targets ?? NOTHING;
  }

  places(relation: number): Int32Array {
    const text = this.#training?.displayed(0);
    return (relation === 0 ? text?.firstPlaces : text?.secondPlaces) ?? NOTHING;
  }

  /** After 0, 1, 2 … steps, as far as they are known: before the first step stands what the first step found. The same object as long as numbers are only added. */
  values(run: number, of: 'loss' | 'smoothAccuracy'): Values {
    const known = this.#values.get(`${run} ${of}`);
    if (known) return known;
    const history = this.#training?.history(run);
    let numbers = history?.[of];
    const made: Values = {
      get length() { return (history?.length ?? -1) + 1; },
      at: (step) => {
        if (numbers && numbers.length < (history?.length ?? 0)) numbers = history?.[of];
        return numbers?.[Math.max(0, step - 1)] ?? NaN;
      },
    };
    if (history) this.#values.set(`${run} ${of}`, made);
    return made;
  }

  score(run: number, step: number, layer: number, head: number, of: 'first' | 'second' | 'decided' | 'derivative'): number {
    return this.#training?.history(run).score(layer, head, of)[Math.max(0, step - 1)] ?? NaN;
  }

  /** Weights of all heads on the shown text; of the nearest step before, where this one’s are not kept. */
  map(run: number, step: number): Uint8Array | null {
    const history = this.#training?.history(run);
    for (let at = Math.min(step, this.known); history && at >= 0; at -= 1) {
      const found = history.map(at);
      if (found) return found;
    }
    return null;
  }

  /** The last look, where it speaks for that step: it was there, or near while it plays, or it follows what is trained flat out. */
  look(run: number, step: number): Look | null {
    const look = this.#looks[run];
    const isTraining = this.#rest === null && this.known < this.#wanted;
    return look && (look.step === step || isTraining || (this.#rest === null && Math.abs(look.step - step) <= NEAR)) ? look : null;
  }

  /** What each look takes beside exact numbers. */
  get tests(): { honest: boolean; writes: boolean } {
    return { honest: this.of.honest !== null, writes: this.of.writes };
  }

  /** Another text's maps. */
  show(text: string): void {
    if (text === this.#shown) return;
    this.#shown = this.#toShow = text;
    void this.#work();
  }

  /** Trains until so many steps are known. */
  want(steps: number): void {
    this.#wanted = Math.min(steps, this.steps);
    void this.#work();
  }

  /** It plays, and is at that step. */
  play(step: number): void {
    this.#rest = null;
    this.#playing = step;
    void this.#work();
  }

  /** Rests at a step: known if it is not, and looked at. */
  rest(step: number): void {
    this.#wanted = Math.min(step, this.steps);
    this.#rest = step;
    this.#playing = null;
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#isBusy || !this.#training || this.#isFree) return;
    this.#isBusy = true;
    try {
      for (let work = this.#next(this.#training); work; work = this.#next(this.#training)) await work;
    } catch (error) {
      this.#failed(error);
    }
    this.#isBusy = false;
  }

  /** The next piece of work, by what is wanted now: what is wanted may change within each. Null where there is none. */
  #next(training: Training): Promise<void> | null {
    if (this.#isFree) return null;
    if (this.#toShow !== null) return this.#display(training, this.#toShow);
    const rest = this.#rest;
    // What plays waits while the page is hidden; the first frame after it asks again.
    if (rest === null && document.hidden) return null;
    if (training.known < this.#wanted || this.#isDue(training)) return training.step < training.known ? this.#goOn(training) : this.#train(training);
    if (rest === null) return this.#playing === null ? null : this.#replay(training, this.#playing);
    if (this.#looks.length > 0 && this.#looks.every((look) => look?.step === rest && look.tests)) return null;
    return training.step === rest ? this.#take(training) : training.seek(rest);
  }

  /** A change at the very step that is known last. */
  #isDue({ known }: Training): boolean {
    return known > 0 && this.of.changes[this.#made]?.at === known;
  }

  /** To the last known step, to train on from there. */
  #goOn(training: Training): Promise<void> {
    this.#looks = [];
    this.#looked = 0;
    return training.seek(training.known);
  }

  /** What is known plays again: maps that another text lacks, and a look now and then, both before they are shown. */
  #replay(training: Training, step: number): Promise<void> | null {
    const last = Math.min(step + AHEAD, training.known);
    const history = training.history(0);
    for (let at = last; at > step; at -= 1) if (!history.map(at)) return training.seek(at);
    const looked = this.#looks[0]?.step;
    if (looked === last || performance.now() - this.#looked < LOOK_EVERY_MS) return null;
    // A slow machine is a little late.
    const isNear = training.step >= step - AHEAD && training.step <= last && training.step !== looked;
    return isNear ? this.#take(training) : training.seek(last);
  }

  async #display(training: Training, text: string): Promise<void> {
    this.#toShow = null;
    await training.show(text);
    const known = this.of.sentences?.find((sentence) => sentence.text === text);
    if (known) await training.answer([{ place: text.split(' ').indexOf(known.at), words: known.right }]);
    this.problem = '';
    this.#looks = [];
    this.#say();
  }

  async #train(training: Training): Promise<void> {
    const next = this.of.changes[this.#made];
    if (next && next.at <= training.known) {
      for (const run of training.runs.keys()) await training.change(run, next.rule);
      this.#made += 1;
      return;
    }
    await training.advance(Math.min(AT_ONCE, this.#wanted - training.known, next ? next.at - training.known : AT_ONCE));
    this.#say();
    if (this.#rest === null && performance.now() - this.#looked > LOOK_EVERY_MS) await this.#take(training);
  }

  /** Where it rests, exact numbers are there first. What rests elsewhere by then is looked at there. */
  async #take(training: Training): Promise<void> {
    const rest = this.#rest;
    const runs = [...training.runs.keys()];
    const states: ModelState[] = [];
    for (const run of runs) states.push(await training.state(run));
    const tell = (tests: readonly Tests[] | null) => {
      this.#looks = states.map((state, run) => ({ step: state.step, state, tests: tests?.[run] ?? null }));
      this.#say();
    };
    if (rest !== null) tell(null);
    const tests: Tests[] = [];
    for (const run of runs) {
      if (this.#rest !== rest || this.#toShow !== null) return;
      tests.push(await this.#test(training, run));
    }
    this.#looked = performance.now();
    tell(tests);
  }

  async #test(training: Training, run: number): Promise<Tests> {
    const { honest, writes } = this.of;
    const test = honest === 'fair' ? await training.fairTest(run) : honest === 'held-out' ? await training.heldOut(run) : null;
    const recital = writes ? await training.recite(run, { count: WRITTEN }) : null;
    return { honest: test && test.asked > 0 ? test.loss : null, writes: recital?.text ?? null };
  }

  /** Of a file. */
  nameOf(run: number): string {
    const of = this.runs[run];
    return of ? `${of.run}-seed-${of.seed}` : 'model';
  }

  /** The model as a file. */
  file(run: number): Promise<Uint8Array<ArrayBuffer>> | null {
    return this.#training?.file(run) ?? null;
  }

  free(): void {
    this.#isFree = true;
    this.#training?.free();
    this.#training = null;
  }
}

/** Of a lesson without an end of its own. */
const MOST = 20_000;

/** A space or a line break is seen. */
export const visible = (word: string): string => (word === ' ' ? '␣' : word === '\n' ? '¶' : word);
