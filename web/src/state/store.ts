// The state, the one way to change it, and its result. No DOM.
import { msg, str } from '@lit/localize';
import { DEFAULTS } from '../engine/defaults.ts';
import type { Clamped, Comparison, Notice, Schema, Settings } from '../engine/engine.ts';
import { type Token, normalizeLines } from '../engine/tokens.ts';
import type { Selection } from '../engine/types.ts';
import type { Soon } from '../lib/answers.ts';
import { inPhase } from '../lib/schedule.ts';
import { History } from '../lib/undo-stack.ts';
import type { LanguageModels } from '../parameters/sources.ts';
import { ALL_RIGHTS, type By, type Change, type Reading, type Rights, START, type Sentence, type State, isLook, isPlace, knobsOf, may, permitted, stateOf } from './state.ts';
import { type Outcome, type Picture, fit, reselect } from './result.ts';
import { Calculation, type Kept, type Missing, settle } from './run.ts';
import { KNOBS, type Knobs } from './settings.ts';
import { SourceDefaults } from './source-defaults.ts';
import { Words } from './tokens.ts';

export interface StoreEvents {
  /** Something shown has changed. */
  changed(): void;
  /** The same, after a result from a worker. */
  arrived(): void;
  /** A new picture; `first` when there was none before. */
  computed(first: boolean): void;
  failed(problem: { code: string; message: string }): void;
  /** The selection has changed, but no number. */
  looked(): void;
  /** The first picture of a link's state. */
  restored(link: Reading, picture: Picture): void;
}

export class Store {
  readonly #events: StoreEvents;
  readonly #calculation = new Calculation();
  readonly #history = new History<State>();
  #state: State = START;
  readonly #words = new Words();
  readonly #defaults = new SourceDefaults();
  #outcome: Outcome = { kind: 'loading' };
  #notices: readonly (Sentence | Notice)[] = [];
  /** A text's own word boundaries, when a link gave them. */
  #boundaries: Pick<Reading, 'text' | 'tokens' | 'keyText' | 'keyTokens'> | null = null;
  /** The cell that the next picture opens with; the selection itself is always one of the present picture. */
  #aim: Partial<Selection> = {};
  /** A link was opened: parts of the selection that it does not give are chosen as for a first picture. */
  #isFresh = false;
  /** A link that has come and is not computed yet. */
  #arrived: Reading | null = null;
  /** The settings for which a link gives no value. */
  #unsaid: Readonly<Knobs> = KNOBS;
  #kept: Kept | null = null;
  #stale = true;
  #computing = false;
  /** A worker is reading the text: how to cancel it, and the selection that its picture opens with. */
  #reading: { ends: AbortController; opened: Partial<Selection> } | null = null;
  #fetching = false;
  #connected = false;

  /** What the reader may change. */
  rights: Rights = ALL_RIGHTS;
  /** The position of the caret in the text; null until the reader places it. */
  caret: number | null = null;

  constructor(events: StoreEvents) {
    this.#events = events;
  }

  get state(): State {
    return this.#state;
  }

  get settings(): Readonly<Settings> {
    return this.#state.settings;
  }

  /** Everything that switches set. */
  get knobs(): Readonly<Knobs> {
    return knobsOf(this.#state);
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
    return this.#state.selection;
  }

  /** Sentences, and the core's notices, whose translations may be loaded later. */
  get notices(): readonly (Sentence | Notice)[] {
    return this.#notices;
  }

  get computing(): boolean {
    return this.#computing || this.#reading !== null;
  }

  /** Whether the picture belongs to the present state, not to an earlier one. */
  get isCurrent(): boolean {
    return !this.#stale && this.#reading === null;
  }

  get stages(): Schema['stages'] {
    return this.#calculation.stages;
  }

  get models(): LanguageModels {
    return this.#calculation.models;
  }

  /** A model of the reader's own, from files that lie side by side. @throws Error with a sentence; all stays as it was */
  async openModel(files: readonly File[], progress: (share: number) => void): Promise<void> {
    const source = await this.#calculation.models.open(files, progress);
    this.change({ source, layer: 1, silenced: [], patches: [], ...this.models.of(source)?.opening });
    this.#retokenize();
    this.#events.changed();
  }

  closeModel(): void {
    const { source } = this.#state;
    this.models.close(source);
    this.#retokenize();
    this.#replace({ ...this.#withoutReplaced(), ...(source === 'trained-here' && { replay: null }), layer: 1, silenced: [], patches: [] });
  }

  get history(): Pick<History<State>, 'canUndo' | 'canRedo' | 'past'> {
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
    this.#drop();
    this.unpin();
    this.#calculation.free();
    this.#retokenize();
    this.#outcome = { kind: 'loading' };
    this.#stale = true;
  }

  /** The one way to change the state; a reader's changes of one `kind` in quick succession are undone together. */
  change(wanted: Change, { by = 'reader', kind = '' }: { by?: By; kind?: string | undefined } = {}): void {
    const { picture } = this;
    const isReader = by === 'reader';
    const part = isReader && !isLook(wanted) ? permitted(this.rights, wanted) : wanted;
    if (!part) return this.#events.changed();
    const { selection, ...rest } = part;
    // Before the first picture an author's selection is kept for it; a reader has nothing to select.
    if (selection && !picture) {
      if (!isReader) this.#aim = { ...this.#aim, ...selection };
      if (Object.keys(rest).length === 0) return;
    }
    const to = { ...this.#turned(rest, by), ...(selection && picture && { selection: fit({ ...this.selection, ...selection }, picture) }) };
    if (by === 'view') return this.#put(to);
    // A change of selection is not a step of Undo.
    if (isReader && Object.keys(part).some((field) => field !== 'selection' && field !== 'focus')) this.#history.leave(this.#state, kind, performance.now());
    this.#replace(to);
    if (isReader && isLook(part)) this.#events.looked();
  }

  may(name: string): boolean {
    return may(this.rights, name);
  }

  /** With other parameters, overridden settings return, unless those parameters override them too; settings in this change do not return. */
  #turned(part: Omit<Change, 'selection'>, by: By): Partial<State> {
    const said = Object.entries(part).filter(([field]) => field in KNOBS);
    if (said.length === 0) return part as Partial<State>;
    const { settings, source, replaced } = this.#state;
    const isGiven = 'given' in part;
    if (by === 'author' && !isGiven) {
      const own = Object.entries(settings).filter(([field, value]) => value !== DEFAULTS[field as keyof Settings]);
      this.#defaults.take(part.source, [...own.map(([field]) => field), ...('layer' in part ? ['layer'] : [])]);
      this.#unsaid = { ...this.#unsaid, ...Object.fromEntries(said) };
    } else if (part.source) this.#defaults.choose(part.source, source);
    const isOther = !isGiven && part.source !== undefined && part.source !== source;
    const kept = Object.entries(part).filter(([field]) => !(field in settings));
    return {
      ...Object.fromEntries(kept),
      settings: { ...settings, ...(isOther && replaced), ...Object.fromEntries(said.filter(([field]) => field in settings)) },
      replaced: isOther ? {} : Object.fromEntries(Object.entries(replaced).filter(([field]) => !(field in part))),
    };
  }

  #withoutReplaced(): Pick<State, 'settings' | 'replaced'> {
    return { settings: { ...this.settings, ...this.#state.replaced }, replaced: {} };
  }

  #put(part: Partial<State>): void {
    this.#state = { ...this.#state, ...part };
  }

  /** Replaces the state, and computes again if a run depends on what has changed. */
  #replace(part: Partial<State>): void {
    const before = this.#reader;
    this.#put({ ...part, ...(part.text !== undefined && { text: normalizeLines(part.text) }), ...(part.keyText && { keyText: normalizeLines(part.keyText) }) });
    if (!isLook(part)) {
      if (this.#state.replay === null) this.models.close('trained-here');
      const isOther = this.#reader !== before;
      if (part.text !== undefined || isOther) this.#retokenize();
      if ('keyText' in part || isOther) this.#words.cutKeys(this.#state.keyText, this.#boundaries, this.#reader);
      this.#stale = true;
    }
    this.#events.changed();
  }

  undo(): void {
    if (!this.rights.isReadonly) this.#travel(this.#history.undo(this.#state));
  }

  redo(): void {
    if (!this.rights.isReadonly) this.#travel(this.#history.redo(this.#state));
  }

  #travel(to: State): void {
    if (to === this.#state) return;
    this.#notices = [];
    this.caret = null;
    const part = Object.fromEntries(Object.entries(to).filter(([field, value]) => this.#state[field as keyof State] !== value)) as Partial<State>;
    this.#defaults.stay();
    if (isLook(part)) {
      this.#replace(part);
      this.#events.looked();
      return;
    }
    const { selection = to.selection, ...rest } = part;
    this.#aim = selection;
    this.#replace(rest);
  }

  /** Takes up a state read from a link; what it does not say is as the element opened, or as it is where the link is to a place alone. */
  restore(link: Reading): void {
    this.#notices = link.notice === null ? [] : [link.notice];
    this.#boundaries = this.#arrived = link;
    this.#aim = link.selection;
    this.caret = null;
    this.#defaults.take(link.settings.source, [...Object.keys(link.settings), ...Object.keys(link.selection)]);
    const isHere = isPlace(link);
    const { text: _, selection: __, ...rest } = isHere ? this.#state : START;
    this.#isFresh = !isHere;
    const knobs = stateOf({ ...(isHere ? this.knobs : this.#unsaid), ...link.settings });
    const said = Object.entries(link).filter(([field, value]) => SAID.has(field) && value !== undefined);
    this.#replace({ ...rest, ...knobs, text: this.#state.text, ...Object.fromEntries(said) });
  }

  /** The state that was pinned, to compare with. */
  get pinned(): Kept | null {
    return this.#kept;
  }

  pin(): void {
    if (!this.picture) return;
    void settle(() => this.#keep(this.#state), (kept) => {
      this.#kept?.free();
      this.#kept = kept;
      this.#events.changed();
    }, () => {});
  }

  unpin(): void {
    this.#kept?.free();
    this.#kept = null;
    this.#events.changed();
  }

  #keep(wanted: State): Soon<Kept | null> {
    return this.#calculation.keep(wanted, this.#words.tokens, this.#words.keyTokens);
  }

  /** The present run without the numbers that are set by hand. Free it. */
  without(): Soon<Kept | null> {
    return this.#keep({ ...this.#state, edits: [] });
  }

  /** A run of another sentence, in self-attention, with the same settings and parameters. Free it. */
  other(text: string): Soon<Kept | null> {
    const words = new Words();
    words.cut(normalizeLines(text), null, this.#reader);
    return this.#calculation.keep({ ...this.#state, text, keyText: null, maskEdits: [] }, words.tokens, null);
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
    return this.#calculation.clamp(settings, this.#state.source);
  }

  /** The language model that cuts the text and reads it; null for parameters of one layer. */
  get #reader(): ReturnType<LanguageModels['of']> {
    return this.models.of(this.#state.source);
  }

  /** The language has changed: a model's names for tokens, and error messages, are made again. */
  relabel(): void {
    if (this.#reader) this.#retokenize();
    this.#stale = true;
    this.#events.changed();
  }

  #retokenize(): void {
    this.#words.cut(this.#state.text, this.#boundaries, this.#reader);
  }

  /** Computes when something has changed: at once, or after the next paint when it will take long. */
  update(): void {
    if (!this.#stale || !this.#connected || !this.#calculation.loaded || this.#computing) return;
    const opened = this.#settle();
    if (!opened) return;
    if (this.#calculation.isAway(this.#state) || !this.#calculation.isLong(this.tokens.length, this.keyTokens.length, this.settings)) {
      this.#run(opened);
      return;
    }
    this.#computing = true;
    const settled = this.#state;
    // The frame before it paints the keystroke.
    inPhase('second', () => {
      this.#computing = false;
      if (!this.#connected) return;
      // The state has changed meanwhile, so this result is not final.
      const later = this.#state === settled ? {} : this.#settle();
      if (later) this.#run({ ...opened, ...later });
      this.#events.changed();
    });
  }

  /** Turns the wanted state into valid settings and the selection of the new picture; null while something that it needs is loading. */
  #settle(): Partial<Selection> | null {
    const { source } = this.#state;
    const missing = this.#calculation.missing(this.#state, this.#words);
    if (missing) {
      void this.#fetch(missing, (problem) => {
        if (this.#state.source !== source) return;
        this.notice(() => msg(str`${problem} Parameters are random until then.`));
        this.#replace({ ...this.#withoutReplaced(), source: 'random' });
      });
      return null;
    }
    const brought = this.#defaults.settings(source, this.#state.settings, this.#calculation.designer, this.#reader);
    const { settings, notices } = this.#calculation.clamp({ ...this.settings, ...brought }, source);
    const replaced = Object.fromEntries(Object.entries(this.settings).filter(([field, value]) => field in brought && brought[field as keyof Settings] !== value));
    const { layer, ...opened } = this.#defaults.place(this.#state.layer, this.#reader);
    this.#put({ settings, layer, replaced: { ...replaced, ...this.#state.replaced } });
    this.#notices = [...this.#notices, ...notices];
    return opened;
  }

  /** The previous picture stays until everything that the parameters need is loaded; if it cannot be loaded, they are random. */
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
    this.#drop();
    const { tokens, keyTokens, problem } = this.#words;
    const reading = { ends: new AbortController(), opened };
    const outcome = problem ? { kind: 'refused', code: problem.code, message: problem.message } as const : this.#calculation.run(this.#state, tokens, keyTokens, this.picture?.trace, reading.ends.signal);
    if (!(outcome instanceof Promise)) return this.#take(outcome, opened);
    this.#reading = reading;
    void outcome.then((found) => {
      if (reading !== this.#reading) return;
      if (this.#stale) return this.#drop();
      this.#reading = null;
      this.#take(found, opened);
      this.#events.arrived();
    });
  }

  /** Cancels the current reading. */
  #drop(): void {
    if (!this.#reading) return;
    this.#aim = { ...this.#reading.opened, ...this.#aim };
    this.#reading.ends.abort();
    this.#reading = null;
  }

  #take(outcome: Outcome, opened: Partial<Selection>): void {
    const first = this.#outcome.kind === 'loading';
    const before = this.picture;
    this.#outcome = outcome;
    if (outcome.kind === 'refused') this.#events.failed(outcome);
    const picture = this.picture;
    if (picture) {
      const selection = reselect(picture, before, { ...(this.#isFresh ? START.selection : this.selection), ...opened }, { caret: this.caret, aim: this.#aim });
      this.#put({ selection: this.#defaults.selection(picture, selection, this.#aim.head !== undefined) });
      this.#aim = {};
      this.#isFresh = false;
      if (this.#arrived) this.#events.restored(this.#arrived, picture);
      this.#arrived = null;
    }
    this.#events.computed(first && picture !== null);
  }
}

/** Fields that a link says as the state has them. */
const SAID: ReadonlySet<string> = new Set<keyof State & keyof Reading>(['text', 'keyText', 'otherText', 'maskEdits', 'edits', 'given', 'replay', 'silenced', 'patches', 'drawing', 'addedRows', 'focus', 'lockedRanges']);
