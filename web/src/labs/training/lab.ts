// Watch attention learn: two or three small models are trained side by side, and each lesson asks first what will come of it.
import { msg, str } from '@lit/localize';
import { type TemplateResult, nothing } from 'lit';
import { type Change, TALE, changesOf, rulesOf } from '../../engine/training/open.ts';
import { DEFAULT_TEXT } from '../../state/settings.ts';
import { LESSONS, type LessonId } from '../../state/views.ts';
import { save } from '../../ui/export/files.ts';
import type { Place } from '../../ui/kit/grid.ts';
import { choice, flag, whole, words } from '../../link/lab-settings.ts';
import { Lab, type LabTools } from '../kit/lab.ts';
import { Film } from './film.ts';
import { type Lesson, type Part, SWITCHES, type Switch } from './lesson.ts';
import { ALL } from './lessons.ts';
import { type Chosen, type MapData, paintMap } from './maps.ts';
import { PACES, type Pace, Playback } from './playback.ts';
import { Scene } from './scene.ts';
import { trainingStyles } from './styles.ts';
import { type LaneData, type TrainingData, type TrainingEvents, trainingView } from './view.ts';

interface Knobs {
  lesson: LessonId;
  /** Dice or a tale, how wide queries and keys are; empty is the lesson's first. */
  part: string;
  /** 0 is the seed that the lesson shows first. */
  seed: number;
  /** The step that is shown; where it is not 0, nothing is asked. */
  step: number;
  /** The runs side by side, with commas between; empty are those that the lesson shows. */
  runs: string;
  /** What an author says of the runs: those that have it are shown, or all are trained by it. */
  mask: 'lesson' | 'causal' | 'none';
  scale: 'lesson' | 'sqrt-dk' | 'none';
  heads: 'lesson' | '1' | '2' | '4';
  /** What was changed of all runs in the midst: "120.mask.off,200.scale.on". */
  rules: string;
  /** The marked row, and the key that is looked at in it, from 1; 0 is the lesson's. */
  row: number;
  key: number;
  /** The sentence that is shown, where the lesson has sentences; empty is its first. */
  show: string;
  pace: Pace;
  /** Whether the reader guesses first. */
  ask: boolean;
  /** Whether the lesson's own title and texts are there. */
  title: boolean;
}

const MOST_STEPS = 20_000;
/** Runs that say nothing else are trained so. */
const USUAL: Partial<Record<Switch, string>> = { mask: 'causal', scale: 'sqrt-dk' };
const UNSAID = { mask: 'lesson', scale: 'lesson', heads: 'lesson' } as const;
/** Of the shown text. */
const ROW = 0.84;
/** While it plays, what is read is drawn again so often: all numbers at once, so that they are of the same step. */
const READ_MS = 250;
/** All is drawn so often at most while it plays; frames between draw the maps alone, which costs half as much. */
const ALL_MS = 25;
/** A summary is spoken so often while steps go by. */
const SPEAK_EVERY_MS = 4000;
/** What a reader drags is kept once it rests. */
const KEEP_AFTER_MS = 300;

export default class TrainingLab extends Lab<Knobs> {
  static readonly styles = [trainingStyles];

  protected override readonly lockable = {
    seed: '.training-seed :is(input, button)', mask: '[data-rule=mask], [data-rule=back], [data-lesson=stands_for] [type=checkbox]',
    scale: '[data-rule=scale], [data-rule=back], [data-lesson=scale] [type=checkbox]', heads: '[data-lesson=heads] [type=checkbox]',
  };
  #film: Film | null = null;
  #filmOf = '';
  #walk: TemplateResult | typeof nothing = nothing;
  /** As they lie on the page. */
  #maps: readonly MapData[] = [];
  #drawn: readonly LaneData[] = [];
  /** The map whose place the keys move. */
  #chosen: Chosen = { run: 0, layer: 0, head: 0 };
  #step = 0;
  /** The step that is read, and when it was taken. */
  #written = { tick: NaN, step: 0 };
  /** The knob as it was last taken up or written. */
  #kept = NaN;
  /** Questions whose answer has been seen. */
  readonly #told = new Set<string>();
  #guess: { of: string; id: string } | null = null;
  #spoken = { words: '', at: 0 };
  #keeping = 0;
  #drawnAt = 0;
  /** What had the focus goes away with this drawing: the focus goes on to the button that plays, where space goes on working. */
  #focusesPlay = false;
  readonly #playback: Playback;

  constructor(host: HTMLElement, tools: LabTools) {
    super(host, tools, {
      lesson: choice('look_back', LESSONS), part: words('', 20), seed: whole(0, 0, 2 ** 32 - 1), step: whole(0, 0, MOST_STEPS), runs: words('', 100),
      mask: choice('lesson', ['lesson', 'causal', 'none']), scale: choice('lesson', ['lesson', 'sqrt-dk', 'none']), heads: choice('lesson', ['lesson', '1', '2', '4']), rules: words('', 300),
      row: whole(0, 0, 999), key: whole(0, 0, 999), show: words('', 300), pace: choice('frame', PACES), ask: flag(true), title: flag(true),
    });
    const lab = this;
    this.#playback = new Playback({
      get step() { return lab.#step; },
      get steps() { return lab.#film?.steps ?? 0; },
      get known() { return lab.#film?.known ?? 0; },
      get pace() { return lab.knobs.pace; },
      want: (steps) => this.#film?.want(steps),
      show: (step) => this.#show(step),
      ended: () => this.#rest(),
    });
  }

  override free(): void {
    super.free();
    clearTimeout(this.#keeping);
    this.#playback.pause();
    this.#film?.free();
    this.#film = null;
  }

  get #lesson(): Lesson {
    return ALL.find(({ id }) => id === this.knobs.lesson) ?? (ALL[0] as Lesson);
  }

  get #part(): Part {
    const { parts } = this.#lesson;
    return parts.find(({ id }) => id === this.knobs.part) ?? (parts[0] as Part);
  }

  get #runs(): readonly string[] {
    const wanted = this.knobs.runs.split(',');
    const runs = this.#part.runs.filter(({ id }) => wanted.includes(id)).map(({ id }) => id);
    return runs.length > 0 ? runs : this.#switched.runs;
  }

  /** The runs that are as the author's settings say, of those that are shown or else of all; where none is, all are trained so from the first step. */
  get #switched(): { runs: readonly string[]; changes: readonly Change[]; lacks: Switch[] } {
    const { runs: all, shown } = this.#part;
    let runs = shown;
    const [changes, lacks]: [Change[], Switch[]] = [[], []];
    for (const name of SWITCHES) {
      const wanted = this.knobs[name];
      if (wanted === 'lesson') continue;
      const own = all.filter(({ has }) => has?.[name] === wanted).map(({ id }) => id);
      const kept = runs.filter((id) => own.includes(id));
      if (own.length > 0) runs = kept.length > 0 ? kept : own;
      else if (name === 'heads') lacks.push(name);
      else if (wanted !== USUAL[name] || all.some(({ has }) => has?.[name])) changes.push({ at: 0, rule: name === 'mask' ? { isCausal: wanted === 'causal' } : { scales: wanted !== 'none' } });
    }
    return { runs, changes, lacks };
  }

  /** The first step says how much is drawn. */
  protected override get isBusy(): boolean {
    return this.#film !== null && !this.#film.isThere && this.#film.problem === '';
  }

  get #question(): string {
    return `${this.#lesson.id} ${this.#part.id}`;
  }

  get #isAsking(): boolean {
    return this.knobs.ask && this.#step === 0 && this.knobs.step === 0 && !this.#told.has(this.#question);
  }

  get #seed(): number {
    return this.knobs.seed || this.#part.seed;
  }

  /** The row that the lesson marks lies where answers are known and the map has room around it. */
  get #place(): Place {
    const length = this.#film?.words.length ?? 1;
    const asked = this.#asked;
    const row = this.knobs.row > 0 ? this.knobs.row - 1 : asked >= 0 ? asked : Math.round(length * ROW);
    const within = (at: number) => Math.max(0, Math.min(length - 1, at));
    return { row: within(row), column: this.knobs.key > 0 ? within(this.knobs.key - 1) : this.#key(within(row)) };
  }

  /** The word of the shown sentence that is asked at. */
  get #asked(): number {
    return (this.#film?.words ?? []).findIndex((word) => this.#part.sentences?.some(({ at }) => at === word));
  }

  get #sentence(): string | undefined {
    return this.#part.sentences && (this.knobs.show || this.#part.sentences[0]?.text);
  }

  /** What the row should look at. */
  #key(row: number): number {
    return [0, 1].map((relation) => this.#film?.places(relation)[row] ?? -1).find((place) => place >= 0) ?? row;
  }

  protected override view(): TemplateResult {
    const [lesson, part] = [this.#lesson, this.#part];
    const film = this.#open(part);
    const { knobs } = this;
    if (knobs.step !== this.#kept) this.#step = this.#kept = knobs.step;
    const isAsking = this.#isAsking;
    if (!isAsking) this.#told.add(this.#question);
    if (this.#playback.isPlaying) film.play(this.#step);
    else if (!isAsking && film.isThere) film.rest(this.#step);
    const step = this.#stepOf(film);
    const { isPlaying } = this.#playback;
    const tick = isPlaying ? Math.floor(performance.now() / READ_MS) : NaN;
    if (tick !== this.#written.tick) this.#written = { tick, step };
    const scene = this.#scene(film);
    const walk = isAsking ? nothing : scene.walk(this.#chosen, this.paint, (run) => void this.#save(run, step), { changes: this.#changes, change: (rule) => this.#rule(rule, step), putBack: () => this.change({ ...UNSAID, rules: '', step: (this.#kept = this.#step) }) });
    // Between two looks it stays open, as it was at its step.
    if (walk !== nothing || isAsking) this.#walk = walk;
    const lanes = this.#lanes(scene);
    this.#maps = lanes.flatMap(({ maps }) => maps);
    return trainingView({
      lessons: ALL, lesson, part, isBare: !knobs.title, isAsking,
      guess: this.#guess?.of === this.#question ? this.#guess.id : null,
      chosenRuns: this.#runs,
      lanes,
      job: () => scene.job, fair: () => scene.fair, seen: () => scene.seen, parameters: scene.parameters, isSameSeed: scene.isSameSeed,
      changed: isPlaying ? [knobs, film.words, tick] : [{}],
      curve: scene.curve(isAsking, (step) => this.#go(step)),
      bar: () => ({
        isPlaying, isAtEnd: this.#step >= film.steps, isWaiting: isAsking, pace: knobs.pace,
        isParting: scene.isParting, seed: this.#seed, step: this.#step,
      }),
      spoken: this.#speak(scene),
      paragraph: this.#paragraph, sentence: this.#sentence ?? null, problem: film.problem || this.#lacking,
      more: this.#walk,
    }, this.#events);
  }

  /** The step that is shown: as far as it is known. */
  #stepOf(film: Film): number {
    return Math.max(0, Math.min(this.#step, film.known));
  }

  #scene(film: Film): Scene {
    return new Scene(this.#lesson, this.#part, film, this.#stepOf(film), this.#place, this.#written.step);
  }

  /** While another film is opened, the maps of the last keep their room, empty. */
  #lanes(scene: Scene): readonly LaneData[] {
    const lanes = scene.lanes((place, map) => this.#pick(place, map), this.#chosen);
    if (lanes.length > 0) this.#drawn = lanes;
    else if (!this.#film?.problem) return this.#drawn.map((lane) => ({ ...lane, result: null, writes: null, maps: lane.maps.map((map) => ({ ...map, weight: null, bytes: null })) }));
    return lanes;
  }

  readonly #events: TrainingEvents = {
    lesson: (lesson) => this.#start({ ...UNSAID, lesson, part: '', runs: '', rules: '', seed: 0, row: 0, key: 0, show: '' }),
    part: (part) => this.#start({ ...UNSAID, part: part === this.#lesson.parts[0]?.id ? '' : part, runs: '', rules: '', row: 0, key: 0, show: '' }),
    runs: (ids) => this.change({ runs: ids.join() === this.#switched.runs.join() ? '' : ids.join() }),
    seed: (seed) => this.#start({ seed: seed === this.#part.seed ? 0 : seed }),
    sentence: (text) => this.change({ show: text === this.#part.sentences?.[0]?.text ? '' : text, row: 0, key: 0 }),
    guess: (id) => this.#answer(id),
    play: () => this.#play(),
    pause: () => this.#rest(),
    one: () => this.#go(this.#step + 1),
    restart: () => {
      this.#focusesPlay = true;
      this.#go(0);
    },
    pace: (pace) => this.change({ pace }),
    keyed: (event) => this.#keyed(event),
  };

  protected override drawn(): void {
    if (this.#isAsking) return;
    if (this.#focusesPlay) this.host.querySelector<HTMLElement>('.training-play')?.focus({ preventScroll: true });
    this.#focusesPlay = false;
    this.#paintMaps();
    this.#drawnAt = performance.now();
  }

  #paintMaps(): void {
    const canvases = this.host.querySelectorAll<HTMLCanvasElement>('.training-map canvas');
    this.#maps.forEach((map, i) => {
      const canvas = canvases[i];
      if (canvas) paintMap(canvas, map, this.paint);
    });
  }

  /** The film of what the knobs say; another is let go. */
  #open(part: Part): Film {
    const model = [this.#lesson.id, this.#runs, this.#seed, part.readsText ? this.#ownText : ''].join('\n');
    const of = `${rulesOf(this.#changes)}\n${model}`;
    if (this.#film && this.#filmOf === of) {
      if (this.#sentence !== undefined) this.#film.show(this.#sentence);
      return this.#film;
    }
    this.#playback.pause();
    this.#film?.free();
    // Of the same models by other rules it stays until they are there.
    if (!this.#filmOf.endsWith(`\n${model}`)) this.#walk = nothing;
    this.#filmOf = of;
    this.#film = new Film({ lesson: this.#lesson.id, runs: part.runs.filter(({ id }) => this.#runs.includes(id)), seed: this.#seed, changes: this.#changes, honest: part.looks?.honest ?? null, writes: part.looks?.writes ?? false, shown: this.#sentence, sentences: part.sentences, ...(part.readsText && splitText(this.#ownText)) }, () => this.#news());
    return this.#film;
  }

  get #changes(): Change[] {
    return [...this.#switched.changes, ...changesOf(this.knobs.rules)];
  }

  get #lacking(): string {
    return this.#switched.lacks.length > 0 ? msg(str`No run of this lesson has so many heads (${this.knobs.heads}): its own are shown.`) : '';
  }

  /** From the shown step on; what was changed later goes, as does what this undoes at the same step. */
  #rule(rule: Change['rule'], step: number): void {
    const [name = ''] = Object.keys(rule);
    const kept = changesOf(this.knobs.rules).filter((each) => each.at < step || (each.at === step && !(name in each.rule)));
    this.#playback.pause();
    this.#step = this.#kept = step;
    this.change({ rules: rulesOf([...kept, { at: step, rule }]), step });
  }

  /** The reader's own, or a tale. */
  get #ownText(): string {
    return this.text === DEFAULT_TEXT || this.text.trim() === '' ? TALE : this.text;
  }

  get #paragraph(): TrainingData['paragraph'] {
    if (!this.#part.readsText) return null;
    return { text: this.#ownText, heldOut: splitText(this.#ownText).heldOut, type: (text) => this.#read(text) };
  }

  #read(text: string): void {
    this.#playback.pause();
    this.#step = this.#kept = 0;
    this.type(text);
    this.change({ step: 0 });
  }

  /** Another step than is shown is gone to first. */
  async #save(run: number, step: number): Promise<void> {
    if (step !== this.#step) return this.#go(step);
    const file = await this.#film?.file(run);
    if (file) save(`${this.#film?.nameOf(run) ?? 'model'}-step-${step}.safetensors`, new Blob([file]));
  }

  /** While it plays, the next frame shows it. */
  #news(): void {
    if (!this.#playback.isPlaying) this.show();
  }

  /** Another lesson, or the same from another seed: from its first step. */
  #start(part: Partial<Knobs>): void {
    this.#playback.pause();
    this.#step = this.#kept = 0;
    this.change({ ...part, step: 0 });
    if (!this.#isAsking) this.#play();
  }

  #answer(id: string): void {
    this.#guess = { of: this.#question, id };
    this.#told.add(this.#question);
    this.#focusesPlay = true;
    const answer = this.#lesson.answers(this.#part).find((each) => each.id === id);
    if (answer) this.tools.answered({ task: `training ${this.#question}`, answer: id, right: answer.isRight });
    this.#play();
  }

  #play(): void {
    // At once: keeping a step later would pause.
    this.#keep();
    if (this.#film && this.#step >= this.#film.steps) this.#step = 0;
    this.#film?.play(this.#step);
    this.#playback.play();
    this.show();
  }

  /** It stands still: what is shown is kept, as a link and for who cannot see it. */
  #rest(): void {
    this.#playback.pause();
    this.#spoken.at = 0;
    this.#keep();
  }

  #go(step: number): void {
    this.#playback.pause();
    this.#show(Math.max(0, Math.min(step, this.#film?.steps ?? step)));
    clearTimeout(this.#keeping);
    this.#keeping = window.setTimeout(() => this.#rest(), KEEP_AFTER_MS);
  }

  #keep(): void {
    clearTimeout(this.#keeping);
    this.#kept = this.#step;
    this.change({ step: this.#step });
  }

  #show(step: number): void {
    this.#step = step;
    if (!this.#film || !this.#playback.isPlaying || performance.now() - this.#drawnAt > ALL_MS) return this.show();
    this.#maps = this.#lanes(this.#scene(this.#film)).flatMap(({ maps }) => maps);
    this.#paintMaps();
  }

  #pick({ row, column }: Place, map: Chosen): void {
    this.#chosen = { run: map.run, layer: map.layer, head: map.head };
    this.change({ row: row + 1, key: column + 1 });
    if (this.host.querySelector('[role=gridcell]:focus')) this.host.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')?.focus({ preventScroll: true });
  }

  #keyed(event: KeyboardEvent): void {
    const at = event.target as Element;
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || this.#isAsking) return;
    const isField = at.matches('textarea, input:not([type=range])');
    if (event.key === ' ' && !at.matches('button, textarea, input:not([type=range])')) {
      if (this.#playback.isPlaying) this.#rest();
      else this.#play();
    } else if (event.key === '.' && !isField) this.#go(this.#step + 1);
    else if (event.key === ',' && !isField) this.#go(this.#step - 1);
    else return;
    event.preventDefault();
  }

  /** A summary now and then: each step would drown everything else. */
  #speak(scene: Scene): string {
    const now = performance.now();
    if (this.#isAsking || !this.#film?.isThere) return '';
    if (now - this.#spoken.at < SPEAK_EVERY_MS) return this.#spoken.words;
    this.#spoken = { words: scene.summary, at: now };
    return this.#spoken.words;
  }
}

/** The last sentence is kept for the test; of a text of one sentence, the last words. */
function splitText(text: string): { text: string; heldOut: string } {
  const own = text.trim();
  const sentences = own.match(/[^.!?。！？]+[.!?。！？]*\s*/g) ?? [own];
  const last = sentences.length > 1 ? (sentences.at(-1) ?? '').trim() : own.split(/\s+/).slice(-4).join(' ');
  return { text: own.slice(0, own.length - last.length).trim(), heldOut: last };
}
