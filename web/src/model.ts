// What the reader wants, and what came of it: text, settings, selection, and the way back. Knows no DOM.
import { Calculation, type Kept, type Outcome } from './calculation.ts';
import type { Comparison, Edit, GivenId, MaskEdit, Schema, Settings } from './engine.ts';
import { type Reading, type Selection, isPlace } from './fragment.ts';
import { History } from './history.ts';
import { type Picture, fit, largestOtherKey, reselect, tellingHead } from './picture.ts';
import { DEFAULTS, DEFAULT_TEXT, type Knobs, type Source } from './settings.ts';
import { type Token, normalizeLines, tokenize } from './tokenize.ts';

/** All that a reader can change, undo, link to: replaced whole, never changed in place. */
export interface Wanted {
  readonly text: string;
  /** The second sentence, where keys and values come from; null = the sentence itself. */
  readonly keyText: string | null;
  readonly settings: Readonly<Settings>;
  /** Cells whose allowance is turned round by hand; those outside the sentence wait for it to grow. */
  readonly maskEdits: readonly MaskEdit[];
  /** Numbers set by hand. */
  readonly edits: readonly Edit[];
  readonly source: Source;
  /** The reader's own matrices, used when the source is 'yours'. */
  readonly given: Partial<Record<GivenId, Float32Array>> | null;
  /** The sentence in which a word is compared with itself; null while none is. */
  readonly otherText: string | null;
  /** What the rows of matrices with a query and a key are. */
  readonly rows: Knobs['rows'];
}

export const START: Wanted = {
  text: DEFAULT_TEXT, keyText: null, settings: { ...DEFAULTS }, maskEdits: [], edits: [], source: 'random', given: null, rows: 'queries', otherText: null,
};

export interface ModelEvents {
  /** Something to be shown has changed. */
  changed(): void;
  /** A new picture; `first` when there was none before. */
  computed(first: boolean): void;
  failed(problem: { code: string; message: string }): void;
}

export class Model {
  readonly #events: ModelEvents;
  readonly #calculation = new Calculation();
  readonly #history = new History<Wanted>();
  #wanted: Wanted = START;
  #tokens: readonly Token[] = tokenize(DEFAULT_TEXT);
  /** Of the second sentence; null without one. */
  #keyTokens: readonly Token[] | null = null;
  #outcome: Outcome = { kind: 'loading' };
  #selection: Selection = { head: 0, query: -1, key: -1 };
  #notices: readonly string[] = [];
  /** A text's own word boundaries, and the cell to select, when a link gave them. */
  #given: Reading | null = null;
  #kept: Kept | null = null;
  #stale = true;
  #computing = false;
  /** A design was just chosen: the settings that it was made for come with it, but for these. */
  #designKeeps: ReadonlySet<string> | null = null;
  /** Its first picture opens at the head that has most to say. */
  #opensDesign = false;
  #fetching = false;
  #connected = false;

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
    const { settings, source, rows } = this.#wanted;
    return { ...settings, source, rows };
  }

  get tokens(): readonly Token[] {
    return this.#tokens;
  }

  /** The words that are looked at: the second sentence's, or the sentence's own. */
  get keyTokens(): readonly Token[] {
    return this.#keyTokens ?? this.#tokens;
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

  get notices(): readonly string[] {
    return this.#notices;
  }

  get computing(): boolean {
    return this.#computing;
  }

  get stages(): Schema['stages'] {
    return this.#calculation.stages;
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
    this.#outcome = { kind: 'loading' };
    this.#stale = true;
  }

  /** A change by the reader; changes of one `kind` in quick succession are undone together. */
  change(part: Partial<Wanted>, kind = ''): void {
    this.#history.leave(this.#wanted, kind, performance.now());
    this.set(part);
  }

  /** A change by a switch. */
  turn(part: Partial<Knobs>, kind = ''): void {
    if (part.source === 'designed' && this.#wanted.source !== 'designed') this.#designKeeps = new Set();
    this.change(this.#turned(part), kind);
  }

  /** The same by an attribute. */
  setKnobs(part: Partial<Knobs>): void {
    const said = Object.entries(this.settings).filter(([field, value]) => value !== DEFAULTS[field as keyof Settings]);
    if (part.source === 'designed') this.#designKeeps = new Set(said.map(([field]) => field));
    this.set(this.#turned(part));
  }

  #turned(part: Partial<Knobs>): Partial<Wanted> {
    const { source, rows, ...settings } = { ...this.knobs, ...part };
    return { settings, source, rows };
  }

  /** A change by an attribute or a link: no step of the reader's own. */
  set(part: Partial<Wanted>): void {
    const before = this.#wanted;
    this.#wanted = { ...before, ...part };
    if (part.text !== undefined) this.#wanted = { ...this.#wanted, text: normalizeLines(part.text) };
    if (part.keyText) this.#wanted = { ...this.#wanted, keyText: normalizeLines(part.keyText) };
    if (part.text !== undefined) this.#retokenize();
    if ('keyText' in part) this.#retokenizeKeys();
    this.#stale = true;
    this.#events.changed();
  }

  undo(): void {
    this.#travel(this.#history.undo(this.#wanted));
  }

  redo(): void {
    this.#travel(this.#history.redo(this.#wanted));
  }

  #travel(to: Wanted): void {
    if (to === this.#wanted) return;
    this.#notices = [];
    this.caret = null;
    this.set(to);
  }

  /** Takes up a state read from a link; what it does not say stays as it is. */
  restore(reading: Reading): void {
    this.#notices = reading.notice === null ? [] : [reading.notice];
    this.#given = reading;
    this.caret = null;
    if (reading.settings.source === 'designed') this.#designKeeps = new Set(Object.keys(reading.settings));
    const rest = isPlace(reading) ? this.#wanted : START;
    const { text = this.#wanted.text, keyText = rest.keyText, otherText = rest.otherText, maskEdits = rest.maskEdits, edits = rest.edits, given = rest.given } = reading;
    this.set({ ...this.#turned(reading.settings), text, keyText, otherText, maskEdits, edits, given });
  }

  /** The state that was pinned, to compare with. */
  get pinned(): Kept | null {
    return this.#kept;
  }

  pin(): void {
    if (!this.picture) return;
    this.#kept?.free();
    this.#kept = this.#calculation.keep(this.#wanted, this.#tokens, this.#keyTokens);
    this.#events.changed();
  }

  unpin(): void {
    this.#kept?.free();
    this.#kept = null;
    this.#events.changed();
  }

  /** The present run without the numbers that are set by hand. Free it. */
  without(): Kept | null {
    return this.#calculation.keep({ ...this.#wanted, edits: [] }, this.#tokens, this.#keyTokens);
  }

  /** Another sentence, looking at itself, under the same settings and parameters. Free it. */
  other(text: string): Kept | null {
    return this.#calculation.keep({ ...this.#wanted, text, keyText: null, maskEdits: [] }, tokenize(normalizeLines(text)), null);
  }

  compare(a: Float32Array, b: Float32Array): Comparison | null {
    return this.#calculation.compare(a, b);
  }

  subtract(a: Float32Array, b: Float32Array): Float32Array {
    return this.#calculation.subtract(a, b);
  }

  notice(sentence: string): void {
    this.#notices = [...this.#notices, sentence];
  }

  clearNotices(): void {
    this.#notices = [];
  }

  clamp(settings: Settings): { settings: Settings; notices: string[] } {
    return this.#calculation.clamp(settings);
  }

  select(part: Partial<Selection>): void {
    const picture = this.picture;
    if (!picture) return;
    this.#selection = fit({ ...this.#selection, ...part }, picture);
    this.#events.changed();
  }

  #retokenize(): void {
    const { text } = this.#wanted;
    this.#tokens = this.#given?.text === text && this.#given.tokens ? this.#given.tokens : tokenize(text);
  }

  #retokenizeKeys(): void {
    const { keyText } = this.#wanted;
    const given = this.#given?.keyText === keyText ? this.#given?.keyTokens : undefined;
    this.#keyTokens = keyText === null ? null : (given ?? tokenize(keyText));
  }

  /** Computes when something has changed: at once, or after the next paint when it will take long. */
  update(): void {
    if (!this.#stale || !this.#connected || !this.#calculation.loaded || this.#computing) return;
    if (this.#wanted.source === 'designed' && !this.#calculation.designer.ready) {
      void this.#fetchDesign();
      return;
    }
    if (this.#wanted.source === 'designed' && this.#designKeeps) {
      this.#wanted = { ...this.#wanted, settings: this.#opened(this.#designKeeps) };
      this.#opensDesign = true;
    }
    this.#designKeeps = null;
    const { settings, notices } = this.#calculation.settle(this.#wanted);
    this.#wanted = { ...this.#wanted, settings };
    this.#notices = [...this.#notices, ...notices];
    if (!this.#calculation.isLong(this.#tokens.length, this.keyTokens.length, settings)) {
      this.#run();
      return;
    }
    this.#computing = true;
    // Two frames: the first paints the keystroke, the second is surely after it.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      this.#computing = false;
      if (!this.#connected) return;
      this.#run();
      this.#events.changed();
    }));
  }

  #opened(keeps: ReadonlySet<string>): Settings {
    const opening = Object.entries(this.#calculation.designer.opening()).filter(([field]) => !keeps.has(field));
    return { ...this.settings, ...Object.fromEntries(opening) };
  }

  /** Until the design is there, the picture before stays; without it, parameters are random. */
  async #fetchDesign(): Promise<void> {
    if (this.#fetching) return;
    this.#fetching = true;
    const waiting = 'Loading the list of words that designed heads know…';
    this.notice(waiting);
    const problem = await this.#calculation.designer.load().then(() => null, (error: unknown) => (error instanceof Error ? error.message : String(error)));
    this.#fetching = false;
    this.#notices = this.#notices.filter((notice) => notice !== waiting);
    if (problem !== null && this.#wanted.source === 'designed') {
      this.notice(`${problem} Parameters are random until then.`);
      this.set({ source: 'random' });
    }
    this.#events.changed();
  }

  #run(): void {
    this.#stale = false;
    const first = this.#outcome.kind === 'loading';
    const before = this.picture?.text;
    this.#outcome = this.#calculation.run(this.#wanted, this.#tokens, this.#keyTokens);
    if (this.#outcome.kind === 'refused') this.#events.failed(this.#outcome);
    const picture = this.picture;
    if (picture) {
      const given = this.#given?.selection ?? {};
      this.#selection = reselect(picture, this.#selection, { otherText: picture.text !== before, caret: this.caret, given });
      if (this.#opensDesign && given.head === undefined) this.#openDesign(picture);
      this.#opensDesign = false;
      if (this.#given) this.#given = { ...this.#given, selection: {} };
    }
    this.#events.computed(first && picture !== null);
  }

  #openDesign(picture: Picture): void {
    const { query } = this.#selection;
    const head = tellingHead(picture, query);
    if (head >= 0) this.#selection = { head, query, key: largestOtherKey(picture, head, query) };
  }
}
