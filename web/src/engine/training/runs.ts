// A lesson's runs in the module, stepped together: history, kept states, and the way back to any step. Knows no page and no worker.
import { refused } from './sentences.ts';
import { type ModuleRun, type TrainingModule } from './module.ts';
import { modelFile, stateOf } from './state.ts';
import type { DisplayedText, FairTest, ModelState, Recital, RunDescription, StepRecord, TrainingRule, WantedRun, WantedTraining } from './types.ts';
import { type Vocabulary, textOf, vocabularyOf } from './vocabulary.ts';

/** What a step tells: of each run its record, and the map after it. */
export interface Taken {
  step: number;
  runs: { record: StepRecord; map: Uint8Array }[];
}

/** As much as 60 ms of replay, counted as 6 multiplications and additions a parameter and token. */
const MOST_REPLAYED = 1.6e9;
const MOST_RUNS = 4;
const MOST_RECITED = 2000;
const [LEAST_EVERY, MOST_EVERY] = [5, 25];

class Run {
  readonly kept = new Map<number, Uint8Array>();
  /** Rules by the step from which they hold. */
  readonly rules: { from: number; rule: TrainingRule }[];

  constructor(readonly own: ModuleRun, readonly description: RunDescription, readonly vocabulary: Vocabulary) {
    this.rules = [{ from: 0, rule: description.rule }];
    this.kept.set(0, own.save());
  }

  /** The rule that step `from` + 1 is taken by. */
  ruleAt(step: number): TrainingRule {
    return (this.rules.findLast(({ from }) => from <= step) ?? this.rules[0] as Run['rules'][number]).rule;
  }

  forget(step: number): void {
    for (const kept of this.kept.keys()) if (kept > step) this.kept.delete(kept);
    this.rules.splice(this.rules.findLastIndex(({ from }) => from <= step) + 1);
  }
}

export class TrainingRuns {
  readonly #module: TrainingModule;
  readonly #runs: Run[] = [];
  /** Of the step that is under way: what the runs that have taken it tell, and whether the next is within it. */
  #under: Taken['runs'] = [];
  #isHalfway = false;
  #seeking: number | null = null;

  /** @throws AttentionError; nothing stays in the module then */
  constructor(module: TrainingModule, { lesson, runs, seed = 0, text, heldOut }: WantedTraining) {
    this.#module = module;
    if (runs.length < 1 || runs.length > MOST_RUNS) throw refused('training_runs', [runs.length, MOST_RUNS]);
    try {
      for (const wanted of runs) this.#runs.push(this.#open(lesson, typeof wanted === 'string' ? { run: wanted } : wanted, seed, text, heldOut));
    } catch (error) {
      this.free();
      throw error;
    }
  }

  #open(lesson: WantedTraining['lesson'], { run, seed, rule = {}, shape = {} }: WantedRun, common: number, text?: string, heldOut?: string): Run {
    const learnt = textOf(lesson, run, text, heldOut);
    const own = this.#module.open(lesson, run, seed ?? common, rule, shape, learnt?.ids ?? new Int32Array(), learnt?.words.length ?? 0);
    try {
      const described = own.describe();
      const vocabulary = learnt ?? vocabularyOf(described.task, described.shape.vocabulary, () => this.#module.words());
      const cost = 6 * described.parameters * described.texts * described.length;
      return new Run(own, {
        lesson, run, ...described, words: vocabulary.words, joint: vocabulary.joint, guessing: Math.log(vocabulary.answers),
        relations: vocabulary.relations, every: Math.max(LEAST_EVERY, Math.min(MOST_EVERY, Math.floor(MOST_REPLAYED / cost))),
      }, vocabulary);
    } catch (error) {
      own.free();
      throw error;
    }
  }

  get descriptions(): RunDescription[] {
    return this.#runs.map(({ description }) => description);
  }

  get step(): number {
    return Math.min(...this.#runs.map(({ own }) => own.steps));
  }

  #run(index: number): Run {
    const run = this.#runs[index];
    if (!run) throw refused('training_run', [index, this.#runs.length - 1]);
    return run;
  }

  displayed(index: number): DisplayedText {
    const [tokens, second, targets, firstPlaces, secondPlaces] = this.#run(index).own.shown() as [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];
    return { tokens, second, targets, firstPlaces, secondPlaces };
  }

  /** Maps as they are now, as bytes. */
  maps(): Uint8Array[] {
    return this.#runs.map(({ own }) => own.mapBytes());
  }

  /**
   * A part of a step, a third of one run's: a step is over when all runs have taken it.
   * A step that one run cannot take is taken by none.
   */
  part(): Taken | null {
    this.#seeking = null;
    return this.#part(true);
  }

  #part(hasMaps: boolean): Taken | null {
    const run = this.#run(this.#under.length);
    const before = run.own.steps;
    let done;
    try {
      done = run.own.stepPart();
    } catch (error) {
      this.#giveUp(before);
      throw error;
    }
    this.#isHalfway = !done;
    if (!done) return null;
    const { report, heads } = done;
    const step = before + 1;
    if (step % run.description.every === 0 && !run.kept.has(step)) run.kept.set(step, run.own.save());
    this.#under.push({ record: { step, ...report, heads }, map: hasMaps ? run.own.mapBytes() : new Uint8Array() });
    if (this.#under.length < this.#runs.length) return null;
    const taken = { step, runs: this.#under };
    this.#under = [];
    this.#obey(step);
    return taken;
  }

  /** Whether a step is under way. What is asked of the model is asked between steps. */
  get isUnderWay(): boolean {
    return this.#isHalfway || this.#under.length > 0;
  }

  /** The rule of the step to come. */
  #obey(step: number): void {
    for (const run of this.#runs) if (run.rules.some(({ from }) => from === step)) run.own.setRule(run.ruleAt(step));
  }

  /** The nearest state before `step` that all runs have kept. */
  #restore(step: number): void {
    this.#under = [];
    this.#isHalfway = false;
    const from = Math.max(...[...this.#run(0).kept.keys()].filter((kept) => kept <= step && this.#runs.every((run) => run.kept.has(kept))));
    for (const run of this.#runs) {
      run.own.restore(run.kept.get(from) as Uint8Array);
      if (run.rules.length > 1) run.own.setRule(run.ruleAt(from));
    }
  }

  /** All runs back to where they were before a step that one of them cannot take. */
  #giveUp(step: number): void {
    this.#restore(step);
    while (!this.seek(step, () => false)) {}
  }

  /** To a step that was taken, exactly: back to a kept state and on from there, until `isOver`. True when it is reached; otherwise ask again. */
  seek(step: number, isOver: () => boolean): boolean {
    if (this.#seeking !== step) {
      if (step === this.step && !this.isUnderWay) return true;
      this.#restore(step);
      this.#seeking = step;
    }
    while (this.step < step || this.isUnderWay) {
      this.#part(false);
      if (isOver() && this.step < step) return false;
    }
    this.#seeking = null;
    return true;
  }

  /** From this step on. @throws AttentionError; nothing is changed then */
  change(index: number, rule: Partial<TrainingRule>): void {
    const run = this.#run(index);
    const step = this.step;
    run.own.setRule(rule);
    for (const each of this.#runs) each.forget(step);
    const made = { ...run.ruleAt(step), ...rule };
    if (run.rules.at(-1)?.from === step) run.rules.pop();
    run.rules.push({ from: step, rule: made });
    Object.assign(run.description, { rule: made });
  }

  /** @throws AttentionError; then each run shows what it did */
  show(ids: readonly number[], n: number): void {
    for (const { own } of this.#runs) own.show(ids, n);
  }

  map(index: number): Float32Array {
    return this.#run(index).own.map();
  }

  hash(index: number): string {
    return this.#run(index).own.hash();
  }

  state(index: number): ModelState {
    const { own, description } = this.#run(index);
    return stateOf(this.#module, own, description, this.displayed(index));
  }

  fairTest(index: number): FairTest {
    return this.#run(index).own.fairTest();
  }

  heldOut(index: number, text: string): FairTest {
    const { own, vocabulary } = this.#run(index);
    return own.heldOut(vocabulary.split(text).map((word) => vocabulary.words.indexOf(word)));
  }

  /** Ids of words of the vocabulary. @throws AttentionError where one has none */
  idsOf(index: number, text: string): number[] {
    const { vocabulary } = this.#run(index);
    return vocabulary.split(text).map((word) => {
      const id = vocabulary.words.indexOf(word);
      if (id < 0) throw refused('training_word', [vocabulary.words.length], word.slice(0, 40));
      return id;
    });
  }

  recite(index: number, { prompt = '', count = 40, temperature = 0, seed = 1 }: { prompt?: string; count?: number; temperature?: number; seed?: number }): Recital {
    const { own, vocabulary } = this.#run(index);
    const given = prompt === '' ? [...this.displayed(index).tokens.subarray(0, 3)] : this.idsOf(index, prompt);
    if (!(Number.isInteger(count) && count >= 1 && count <= MOST_RECITED)) throw refused('training_recital', [MOST_RECITED]);
    const { tokens, probabilities } = own.goOn(given, count, temperature, seed);
    const say = (ids: readonly number[]) => ids.map((id) => vocabulary.words[id] ?? '');
    return { tokens, words: say(tokens), probabilities, text: say([...given, ...tokens]).join(vocabulary.joint) };
  }

  file(index: number, slot = 0): Uint8Array<ArrayBuffer> {
    const { own, description } = this.#run(index);
    return modelFile(own, description, slot, this.step);
  }

  free(): void {
    for (const { own, kept } of this.#runs) {
      own.free();
      kept.clear();
    }
    this.#runs.length = 0;
  }
}
