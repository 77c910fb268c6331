// What the reader wants, and what came of it: text, settings, selection, and the way back. Knows no DOM.
import { msg, str } from '@lit/localize';
import { DEFAULTS } from '../engine/defaults.ts';
import type { Clamped, Comparison, Notice, Schema, Settings } from '../engine/engine.ts';
import { type Token, normalizeLines } from '../engine/tokens.ts';
import type { Selection } from '../engine/types.ts';
import { History } from '../lib/undo-stack.ts';
import type { ModelReader } from '../parameters/language-model/reader.ts';
import type { LanguageModels } from '../parameters/sources.ts';
import { ALL_RIGHTS, type Rights, may, permitted } from './permissions.ts';
import { type Outcome, type Picture, fit, reselect } from './result.ts';
import { Calculation, type Kept, type Missing } from './run.ts';
import { KNOBS, type Knobs } from './settings.ts';
import { Opening } from './source-defaults.ts';
import { type Reading, START, type Sentence, type Wanted, isPlace } from './state.ts';
import { Words } from './tokens.ts';

export interface ModelEvents {
  /** Something to be shown has changed. */
  changed(): void;
  /** A new picture; `first` when there was none before. */
  computed(first: boolean): void;
  failed(problem: { code: string; message: string }): void;
  /** The first picture of a link's state. */
  restored(link: Reading, picture: Picture): void;
}

export class Model {
  readonly #events: ModelEvents;
  readonly #calculation = new Calculation();
  readonly #history = new History<Wanted>();
  #wanted: Wanted = START;
  readonly #words = new Words();
  readonly #opening = new Opening();
  #outcome: Outcome = { kind: 'loading' };
  #selection: Selection = { head: 0, query: -1, key: -1 };
  #notices: readonly (Sentence | Notice)[] = [];
  /** A text's own word boundaries, and the cell to select, when a link gave them. */
  #given: Reading | null = null;
  /** A link that has come and is not computed yet. */
  #arrived: Reading | null = null;
  /** What switches stand at where a link says nothing of them. */
  #unsaid: Readonly<Knobs> = KNOBS;
  #kept: Kept | null = null;
  #stale = true;
  #computing = false;
  #fetching = false;
  #connected = false;

  /** What the reader may change. */
  rights: Rights = ALL_RIGHTS;
  /** Where the caret stands in the text; null before the reader has put it anywhere. */
  caret: number | null = null;

  constructor(events: ModelEvents) {
    this.#events = events;
  }

  get wanted(): Wanted {
    return this.#wanted;
  }

  get settings(): Readonly<Settings> {
    return this.#wanted.settings;
  }

  /** All that switches set. */
  get knobs(): Readonly<Knobs> {
    const { settings, source, rows, layer, actsOn } = this.#wanted;
    return { ...settings, source, rows, layer, actsOn };
  }

  get tokens(): readonly Token[] {
    return this.#words.tokens;
  }

  /** The words that are looked at: the second sentence's, or the sentence's own. */
  get keyTokens(): readonly Token[] {
    return this.#words.keyTokens ?? this.#words.tokens;
  }

  get outcome(): Outcome {
    return this.#outcome;
  }

  get picture(): Picture | null {
    return this.#outcome.kind === 'ready' ? this.#outcome.picture : null;
  }

  get selection(): Selection {
    return this.#selection;
  }

  /** Sentences, and notices of the core, for which the words may come later. */
  get notices(): readonly (Sentence | Notice)[] {
    return this.#notices;
  }

  get computing(): boolean {
    return this.#computing;
  }

  /** Whether the picture is of what is wanted, not of what was wanted before. */
  get isCurrent(): boolean {
    return !this.#stale;
  }

  get stages(): Schema['stages'] {
    return this.#calculation.stages;
  }

  get models(): LanguageModels {
    return this.#calculation.models;
  }

  /** A model of the reader's own, from files that lie side by side. @throws Error with a sentence; all stays as it was */
  async openModel(files: readonly File[], progress: (share: number) => void): Promise<void> {
    await this.#calculation.models.open(files, progress);
    this.change({ source: 'yours', layer: 1, silenced: [], patches: [] });
    this.#retokenize();
    this.#events.changed();
  }

  closeModel(): void {
    this.#calculation.models.close();
    this.#retokenize();
    this.set({ settings: { ...this.settings, ...this.#opening.before }, layer: 1, silenced: [], patches: [] });
  }

  get history(): Pick<History<Wanted>, 'canUndo' | 'canRedo' | 'past'> {
    return this.#history;
  }

  async connect(coreSrc: string): Promise<void> {
    this.#connected = true;
    const failure = await this.#calculation.load(coreSrc);
    if (!this.#connected) return;
    if (failure) {
      this.#outcome = failure;
      this.#events.failed(failure);
    }
    this.#events.changed();
  }

  disconnect(): void {
    this.#connected = false;
    this.unpin();
    this.#calculation.free();
    this.#retokenize();
    this.#outcome = { kind: 'loading' };
    this.#stale = true;
  }

  /** A change by the reader; changes of one `kind` in quick succession are undone together. */
  change(part: Partial<Wanted>, kind = ''): void {
    const allowed = permitted(this.rights, part, this.#wanted);
    if (!allowed) return this.#events.changed();
    this.#history.leave(this.#wanted, kind, performance.now());
    this.set(allowed);
  }

  may(name: string): boolean {
    return may(this.rights, name);
  }

  /** A change by a switch. */
  turn(part: Partial<Knobs>, kind = ''): void {
    const { source } = this.#wanted;
    if (part.source) this.#opening.choose(part.source, source);
    if (part.source && this.models.isModel(source)) part = { ...this.#opening.before, ...part };
    this.change(this.#turned(part), kind);
  }

  /** The same by an attribute. */
  setKnobs(part: Partial<Knobs>): void {
    const said = Object.entries(this.settings).filter(([field, value]) => value !== DEFAULTS[field as keyof Settings]);
    this.#opening.take(part.source, [...said.map(([field]) => field), ...('layer' in part ? ['layer'] : [])]);
    this.#unsaid = { ...this.#unsaid, ...part };
    this.set(this.#turned(part));
  }

  #turned(part: Partial<Knobs>, from = this.knobs): Partial<Wanted> {
    const { source, rows, layer, actsOn, ...settings } = { ...from, ...part };
    return { settings, source, rows, layer, actsOn };
  }

  /** A change by an attribute or a link: no step of the reader's own. */
  set(part: Partial<Wanted>): void {
    const before = this.#wanted;
    this.#wanted = { ...before, ...part };
    if (part.text !== undefined) this.#wanted = { ...this.#wanted, text: normalizeLines(part.text) };
    if (part.keyText) this.#wanted = { ...this.#wanted, keyText: normalizeLines(part.keyText) };
    if (part.text !== undefined || this.#reader !== this.models.of(before.source)) this.#retokenize();
    if ('keyText' in part) this.#words.cutKeys(this.#wanted.keyText, this.#given);
    this.#stale = true;
    this.#events.changed();
  }

  undo(): void {
    if (!this.rights.isReadonly) this.#travel(this.#history.undo(this.#wanted));
  }

  redo(): void {
    if (!this.rights.isReadonly) this.#travel(this.#history.redo(this.#wanted));
  }

  #travel(to: Wanted): void {
    if (to === this.#wanted) return;
    this.#notices = [];
    this.caret = null;
    this.set(to);
  }

  /** Takes up a state read from a link; what it does not say is as the element opened, or as it is where the link is to a place alone. */
  restore(reading: Reading): void {
    this.#notices = reading.notice === null ? [] : [reading.notice];
    this.#given = this.#arrived = reading;
    this.caret = null;
    this.#opening.take(reading.settings.source, [...Object.keys(reading.settings), ...Object.keys(reading.selection)]);
    const rest = isPlace(reading) ? this.#wanted : START;
    const { text = this.#wanted.text, keyText = rest.keyText, otherText = rest.otherText, maskEdits = rest.maskEdits, edits = rest.edits, given = rest.given, silenced = rest.silenced, patches = rest.patches } = reading;
    this.set({ ...this.#turned(reading.settings, isPlace(reading) ? this.knobs : this.#unsaid), text, keyText, otherText, maskEdits, edits, given, silenced, patches });
  }

  /** The state that was pinned, to compare with. */
  get pinned(): Kept | null {
    return this.#kept;
  }

  pin(): void {
    if (!this.picture) return;
    this.#kept?.free();
    this.#kept = this.#keep(this.#wanted);
    this.#events.changed();
  }

  unpin(): void {
    this.#kept?.free();
    this.#kept = null;
    this.#events.changed();
  }

  #keep(wanted: Wanted): Kept | null {
    return this.#calculation.keep(wanted, this.#words.tokens, this.#words.keyTokens);
  }

  /** The present run without the numbers that are set by hand. Free it. */
  without(): Kept | null {
    return this.#keep({ ...this.#wanted, edits: [] });
  }

  /** Another sentence, looking at itself, under the same settings and parameters. Free it. */
  other(text: string): Kept | null {
    const words = new Words();
    words.cut(normalizeLines(text), null, this.#reader);
    return this.#calculation.keep({ ...this.#wanted, text, keyText: null, maskEdits: [] }, words.tokens, null);
  }

  compare(a: Float32Array, b: Float32Array): Comparison | null {
    return this.#calculation.compare(a, b);
  }

  subtract(a: Float32Array, b: Float32Array): Float32Array {
    return this.#calculation.subtract(a, b);
  }

  notice(sentence: Sentence): void {
    this.#notices = [...this.#notices, sentence];
  }

  clearNotices(): void {
    this.#notices = [];
  }

  clamp(settings: Settings): Clamped {
    return this.#calculation.clamp(settings);
  }

  /** The cell that the first picture opens with. */
  aim(selection: Partial<Selection>): void {
    const before = this.#given ?? { settings: {}, selection: {}, notice: null };
    this.#given = { ...before, selection: { ...before.selection, ...selection } };
  }

  select(part: Partial<Selection>): void {
    const picture = this.picture;
    if (!picture) return;
    this.#selection = fit({ ...this.#selection, ...part }, picture);
    this.#events.changed();
  }

  /** The language model that cuts the text and reads it; null for parameters of one layer. */
  get #reader(): ModelReader | null {
    return this.models.of(this.#wanted.source);
  }

  /** The language has changed: what a model calls its words, and what is wrong, are said anew. */
  relabel(): void {
    if (this.#reader) this.#retokenize();
    this.#stale = true;
    this.#events.changed();
  }

  #retokenize(): void {
    this.#words.cut(this.#wanted.text, this.#given, this.#reader);
  }

  /** Computes when something has changed: at once, or after the next paint when it will take long. */
  update(): void {
    if (!this.#stale || !this.#connected || !this.#calculation.loaded || this.#computing) return;
    const opened = this.#settle();
    if (!opened) return;
    if (!this.#calculation.isLong(this.tokens.length, this.keyTokens.length, this.settings)) {
      this.#run(opened);
      return;
    }
    this.#computing = true;
    const settled = this.#wanted;
    // Two frames: the first paints the keystroke, the second is surely after it.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      this.#computing = false;
      if (!this.#connected) return;
      // What was changed meanwhile is not settled yet.
      const later = this.#wanted === settled ? {} : this.#settle();
      if (later) this.#run({ ...opened, ...later });
      this.#events.changed();
    }));
  }

  /** What is wanted becomes what can be computed, and what the new picture opens with; null while something for it is on its way. */
  #settle(): Partial<Selection> | null {
    const { source } = this.#wanted;
    const missing = this.#calculation.missing(source);
    if (missing) {
      void this.#fetch(missing, (problem) => {
        if (this.#wanted.source !== source) return;
        this.notice(() => msg(str`${problem} Parameters are random until then.`));
        this.set({ source: 'random' });
      });
      return null;
    }
    const brought = this.#opening.settings(this.settings, source, this.#calculation.designer, this.#reader);
    const { settings, notices } = this.#calculation.settle({ ...this.#wanted, settings: brought });
    const { layer, ...opened } = this.#opening.place(this.#wanted.layer, this.#reader);
    this.#wanted = { ...this.#wanted, settings, layer };
    this.#notices = [...this.#notices, ...notices];
    return opened;
  }

  /** Until what the parameters need is there, the picture before stays; without it, they are random. */
  async #fetch({ waiting, load }: Missing, otherwise: (problem: string) => void): Promise<void> {
    if (this.#fetching) return;
    this.#fetching = true;
    let last: Sentence | null = null;
    const say = (sentence: Sentence | null) => {
      const others = this.#notices.filter((notice) => notice !== last);
      this.#notices = sentence ? [...others, sentence] : others;
      last = sentence;
      this.#events.changed();
    };
    const tell = (share: number) => { if (waiting) say(() => waiting(share)); };
    tell(0);
    const problem = await load(tell).then(() => null, (error: unknown) => (error instanceof Error ? error.message : String(error)));
    this.#fetching = false;
    say(null);
    if (problem === null) this.#retokenize();
    else otherwise(problem);
    this.#events.changed();
  }

  /** `opened` is of the new picture: the one before may have no such head. */
  #run(opened: Partial<Selection>): void {
    this.#stale = false;
    const first = this.#outcome.kind === 'loading';
    const before = this.picture?.text;
    const { tokens, keyTokens, problem } = this.#words;
    const outcome: Outcome = problem ? { kind: 'refused', code: problem.code, message: problem.message } : this.#calculation.run(this.#wanted, tokens, keyTokens);
    this.#outcome = outcome;
    if (outcome.kind === 'refused') this.#events.failed(outcome);
    const picture = this.picture;
    if (picture) {
      const given = this.#given?.selection ?? {};
      this.#selection = reselect(picture, { ...this.#selection, ...opened }, { otherText: picture.text !== before, caret: this.caret, given });
      this.#selection = this.#opening.selection(picture, this.#selection, given.head !== undefined);
      if (this.#given) this.#given = { ...this.#given, selection: {} };
      if (this.#arrived) this.#events.restored(this.#arrived, picture);
      this.#arrived = null;
    }
    this.#events.computed(first && picture !== null);
  }
}
