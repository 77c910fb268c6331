// A lesson's runs in the module, stepped together: history, kept states, and going back to any step. Used on the page and in a worker.
import { refused } from './sentences.ts';
import { type ModuleRun, type TrainingModule } from './module.ts';
import { modelFile, stateOf } from './state.ts';
import type { Answered, Change, DisplayedText, FairTest, ModelState, Recital, RunDescription, StepRecord, TrainingRule, WantedRun, WantedTraining } from './types.ts';
import { type Vocabulary, textOf, vocabularyOf } from './vocabulary.ts';

/** The result of a step: for each run its record, and the map after it. */
export interface Taken {
  step: number;
  runs: { record: StepRecord; map: Uint8Array }[];
}

/** As much as 60 ms of replay of all runs, counted as 6 multiplications and additions a parameter and token. */
const MOST_REPLAYED = 1.6e9;
/** Memory limit in bytes for the kept states of all runs. */
const MOST_KEPT = 256e6;
const MOST_EVERY = 25;
const MOST_RUNS = 4;
const MOST_RECITED = 2000;

/** Of "60.mask.off,90.scale.on", in the order of the steps. */
export const changesOf = (rules: string): Change[] => rules.split(',').flatMap((raw) => {
  const [, at, what, is] = /^(\d{1,5})\.(mask|scale)\.(on|off)$/.exec(raw) ?? [];
  return at === undefined ? [] : [{ at: Number(at), rule: { [what === 'mask' ? 'isCausal' : 'scales']: is === 'on' } }];
}).sort((a, b) => a.at - b.at);

/** As a link has them. */
export const rulesOf = (changes: readonly Change[]): string => changes.flatMap(({ at, rule }) => (['isCausal', 'scales'] as const)
  .flatMap((name) => (rule[name] === undefined ? [] : [`${at}.${name === 'scales' ? 'scale' : 'mask'}.${rule[name] ? 'on' : 'off'}`]))).join();

class Run {
  /** Rules by the step from which they hold, and what was asked for there. */
  readonly rules: { from: number; rule: TrainingRule; asked: Partial<TrainingRule> }[];

  constructor(readonly own: ModuleRun, readonly description: RunDescription, readonly vocabulary: Vocabulary) {
    this.rules = [{ from: 0, rule: description.rule, asked: {} }];
  }

  /** The rule that step `from` + 1 is taken by. */
  ruleAt(step: number): TrainingRule {
    return (this.rules.findLast(({ from }) => from <= step) ?? this.rules[0] as Run['rules'][number]).rule;
  }

  forget(step: number): void {
    this.rules.splice(this.rules.findLastIndex(({ from }) => from <= step) + 1);
  }
}

export class TrainingRuns {
  readonly #module: TrainingModule;
  readonly #runs: Run[] = [];
  /** States of all runs by their step. */
  readonly #kept = new Map<number, readonly Uint8Array[]>();
  readonly #every: number;
  /** Steps whose maps of the displayed text were told. */
  readonly #mapped = new Set<number>();
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
      this.#every = this.#everyOf(this.#keep(0));
      for (const { description } of this.#runs) Object.assign(description, { every: this.#every });
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
      return new Run(own, {
        lesson, run, ...described, words: vocabulary.words, joint: vocabulary.joint, guessing: Math.log(vocabulary.answers),
        relations: vocabulary.relations, every: 0, ...(learnt && { learnt: learnt.learnt }),
      }, vocabulary);
    } catch (error) {
      own.free();
      throw error;
    }
  }

  #keep(step: number): readonly Uint8Array[] {
    const states = this.#runs.map(({ own }) => own.save());
    this.#kept.set(step, states);
    return states;
  }

  /** Steps from one kept state to the next: as many as are soon replayed, or more, where what is kept would not fit into memory. */
  #everyOf(states: readonly Uint8Array[]): number {
    const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
    const work = sum(this.descriptions.map(({ parameters, texts, length }) => 6 * parameters * texts * length));
    const bytes = sum(states.map(({ byteLength }) => byteLength)) * Math.max(...this.descriptions.map(({ steps }) => steps));
    return Math.max(1, Math.min(MOST_EVERY, Math.floor(MOST_REPLAYED / work)), Math.ceil(bytes / MOST_KEPT));
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
    return this.#run(index).own.shown();
  }

  /** Maps as they are now, as bytes. */
  maps(): Uint8Array[] {
    this.#mapped.add(this.step);
    return this.#runs.map(({ own }) => own.mapBytes());
  }

  /** Maps of the displayed text at all kept steps that have none, one after another. In the end it stands where it stood. */
  * mapsOfKept(): Generator<{ step: number; maps: Uint8Array[] }> {
    const [stood, states] = [this.step, this.#runs.map(({ own }) => own.save())];
    try {
      for (const [step, kept] of this.#kept) {
        if (this.#mapped.has(step)) continue;
        this.#return(step, kept);
        yield { step, maps: this.maps() };
      }
    } finally {
      this.#return(stood, states);
    }
  }

  /**
   * A part of a step, a third of one run's: a step is over when all runs have taken it.
   * A step that one run cannot take is taken by none.
   */
  part(): Taken | null {
    this.#seeking = null;
    return this.#part();
  }

  #part(): Taken | null {
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
    this.#under.push({ record: { step, ...report, heads }, map: this.#mapped.has(step) ? new Uint8Array() : run.own.mapBytes() });
    if (this.#under.length < this.#runs.length) return null;
    const taken = { step, runs: this.#under };
    this.#under = [];
    this.#mapped.add(step);
    if (step % this.#every === 0 && !this.#kept.has(step)) this.#keep(step);
    this.#obey(step);
    return taken;
  }

  /** Whether a step is unfinished. The model can be asked only between steps. */
  get isUnderWay(): boolean {
    return this.#isHalfway || this.#under.length > 0;
  }

  /** The rule of the step to come. */
  #obey(step: number): void {
    for (const run of this.#runs) if (run.rules.some(({ from }) => from === step)) run.own.setRule(run.ruleAt(step));
  }

  #return(step: number, states: readonly Uint8Array[]): void {
    this.#under = [];
    this.#isHalfway = false;
    this.#runs.forEach((run, i) => {
      run.own.restore(states[i] as Uint8Array);
      if (run.rules.length > 1) run.own.setRule(run.ruleAt(step));
    });
  }

  /** The nearest kept state before `step`, or the present state if that is nearer. */
  #restore(step: number): void {
    const from = Math.max(...[...this.#kept.keys()].filter((kept) => kept <= step));
    const isNearer = !this.isUnderWay && this.step >= from && this.step <= step;
    if (!isNearer) this.#return(from, this.#kept.get(from) as readonly Uint8Array[]);
  }

  /** All runs back to where they were before a step that one of them cannot take. */
  #giveUp(step: number): void {
    this.#restore(step);
    while (!this.seek(step, () => false).isThere) {}
  }

  /** Goes exactly to a step that was taken: back to a kept state and forward from there, until `isOver`. Call again until it is reached. */
  seek(step: number, isOver: () => boolean): { isThere: boolean; taken: Taken[] } {
    const taken: Taken[] = [];
    if (this.#seeking !== step) {
      this.#restore(step);
      this.#seeking = step;
    }
    while (this.step < step || this.isUnderWay) {
      const one = this.#part();
      if (one) taken.push(one);
      if (isOver() && this.step < step) return { isThere: false, taken };
    }
    this.#seeking = null;
    return { isThere: true, taken };
  }

  /** From this step on. @throws AttentionError; nothing is changed then */
  change(index: number, rule: Partial<TrainingRule>): void {
    const run = this.#run(index);
    const step = this.step;
    run.own.setRule(rule);
    for (const each of this.#runs) each.forget(step);
    for (const steps of [this.#kept, this.#mapped]) for (const known of steps.keys()) if (known > step) steps.delete(known);
    const made = { ...run.ruleAt(step), ...rule };
    const before = run.rules.at(-1)?.from === step ? run.rules.pop() : null;
    run.rules.push({ from: step, rule: made, asked: { ...before?.asked, ...rule } });
    Object.assign(run.description, { rule: made });
  }

  /** @throws AttentionError; then each run shows what it did */
  show(ids: readonly number[], n: number): void {
    for (const { own } of this.#runs) own.show(ids, n);
    this.#mapped.clear();
  }

  map(index: number): Float32Array {
    return this.#run(index).own.map();
  }

  /** @throws AttentionError; then each run has what it had */
  answer(answered: readonly Answered[]): void {
    for (const [i, { own, description: { shape: { slots } } }] of this.#runs.entries()) {
      const targets = Array<number>(own.shown().tokens.length * slots).fill(-1);
      for (const { place, words } of answered) words.forEach((word, slot) => { targets[place * slots + slot] = this.idsOf(i, word)[0] ?? -1; });
      own.answer(Int32Array.from(targets));
    }
  }

  hash(index: number): string {
    return this.#run(index).own.hash();
  }

  state(index: number): ModelState {
    const run = this.#run(index);
    return stateOf(this.#module, run.own, { ...run.description, rule: run.ruleAt(this.step) }, this.displayed(index));
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
    const run = this.#run(index);
    return modelFile(run.own, { ...run.description, rule: run.ruleAt(this.step) }, slot, this.step, rulesOf(run.rules.map(({ from, asked }) => ({ at: from, rule: asked })).filter(({ at }) => at <= this.step)));
  }

  free(): void {
    for (const { own } of this.#runs) own.free();
    this.#runs.length = 0;
    this.#kept.clear();
  }
}
