// The state of a figure, and the part of it that a link holds.
import { DEFAULTS } from '../engine/defaults.ts';
import type { ArrayId, Edit, GivenId, MaskEdit, Settings } from '../engine/engine.ts';
import type { Token } from '../engine/tokens.ts';
import type { Selection } from '../engine/types.ts';
import type { Drawing, Patch, Place } from '../parameters/language-model/edits.ts';
import { DEFAULT_TEXT, type Knobs, PAGE_KNOBS, SETTINGS, fieldsOf } from './settings.ts';

export type Mode = 'now' | 'pinned' | 'difference';

/** Everything that a reader or an author can change, that Undo restores and that a link holds. Replaced whole, never changed in place. */
export interface State extends Readonly<Omit<Knobs, keyof Settings>> {
  readonly text: string;
  /** The second sentence, where keys and values come from; null = the sentence itself. */
  readonly keyText: string | null;
  readonly settings: Readonly<Settings>;
  /** Cells masked or unmasked by hand; those outside the sentence take effect when it is long enough. */
  readonly maskEdits: readonly MaskEdit[];
  /** Numbers set by hand. */
  readonly edits: readonly Edit[];
  /** The reader's own matrices, used when the source is 'yours'. */
  readonly given: Partial<Record<GivenId, Float32Array>> | null;
  /** How to train again the model that was trained in the page, as an address has it; used when the source is 'trained-here'. */
  readonly replay: string | null;
  /** The second sentence in which a word is compared with itself; null if there is none. */
  readonly otherText: string | null;
  /** Of a language model: heads taken away, shares set by hand. */
  readonly silenced: readonly Place[];
  readonly patches: readonly Patch[];
  /** Settings that the parameters in use override; they return with other parameters. */
  readonly replaced: Readonly<Partial<Settings>>;
  // The view. It changes no number.
  readonly selection: Selection;
  /** How a model that writes on draws each word; null = the likeliest. */
  readonly drawing: Drawing | null;
  /** Queries that are read together, counted from 0; fewer than two are none. */
  readonly addedRows: readonly number[];
  /** The number that the reader has opened in the walk; null if none. */
  readonly focus: FocusLink | null;
  /** Colour ranges that the reader has locked; null while they follow the numbers. */
  readonly lockedRanges: LockedRanges | null;
}

/** Fields of the state that no run depends on. */
const LOOKS: ReadonlySet<string> = new Set<keyof State>(['selection', 'drawing', 'addedRows', 'focus', 'lockedRanges']);

export const isLook = (part: Change): boolean => Object.keys(part).every((field) => LOOKS.has(field));

/** A change of the state: only the fields, settings and parts of the selection that change. */
export type Change = Partial<Omit<State, 'settings' | 'selection' | 'replaced'> & Settings> & { readonly selection?: Partial<Selection> };

/** Who changes it. A reader's change needs permission and can be undone; a view reports values that it has adjusted. */
export type By = 'reader' | 'author' | 'view';

export const START: State = {
  ...PAGE_KNOBS, text: DEFAULT_TEXT, keyText: null, settings: { ...DEFAULTS }, maskEdits: [], edits: [], given: null, replay: null, otherText: null, silenced: [], patches: [],
  replaced: {}, selection: { head: 0, query: -1, key: -1 }, drawing: null, addedRows: [], focus: null, lockedRanges: null,
};

/** Everything that switches set as one object, and split as the state holds it. */
export const knobsOf = (state: State): Knobs => ({ ...state.settings, ...ofPage(state) });
export const stateOf = (knobs: Knobs): Pick<State, 'settings' | keyof typeof PAGE_KNOBS> => ({ settings: Object.fromEntries(Object.entries(knobs).filter(([name]) => !(name in PAGE_KNOBS))) as unknown as Settings, ...ofPage(knobs) });
const ofPage = (from: typeof PAGE_KNOBS) => Object.fromEntries(Object.keys(PAGE_KNOBS).map((name) => [name, from[name as keyof typeof PAGE_KNOBS]])) as unknown as typeof PAGE_KNOBS;

/** A function, because the page's language can change. */
export type Sentence = () => string;

export interface FocusLink {
  array: ArrayId;
  /** Null where the row and key of the link say it. */
  cell: { row: number; column: number } | null;
}

/** What a link holds: the state, and where the words of its texts begin and end. */
export interface LinkState extends State {
  readonly tokens: readonly Token[];
  readonly keyTokens: readonly Token[];
}

/** A decoded link: values that it does not give are left out. */
export interface Reading {
  text?: string | undefined;
  tokens?: Token[] | undefined;
  keyText?: string | undefined;
  keyTokens?: Token[] | undefined;
  otherText?: string;
  maskEdits?: MaskEdit[];
  edits?: Edit[];
  given?: NonNullable<State['given']>;
  replay?: string;
  silenced?: Place[];
  patches?: Patch[];
  drawing?: Drawing;
  settings: Partial<Knobs>;
  selection: Partial<Selection>;
  focus?: FocusLink;
  lockedRanges?: LockedRanges;
  addedRows?: number[];
  /** One sentence for the reader, or none when the link was whole. */
  notice: (() => string) | null;
}

/** A link to a stage or a cell alone says nothing of the rest, which stays as it is. */
export function isPlace({ text, keyText, otherText, maskEdits, edits, given, replay, silenced, patches, drawing, lockedRanges, settings, notice }: Reading): boolean {
  return [text, keyText, otherText, maskEdits, edits, given, replay, silenced, patches, drawing, lockedRanges].every((part) => part === undefined) && Object.keys(settings).length === 0 && notice === null;
}

export type LockedRanges = Readonly<Partial<Record<ArrayId, number>>>;

/** One matrix of the walk, or (`sum`) the arithmetic of one of its numbers. */
export interface Only { readonly array: ArrayId; readonly sum: boolean }

// What a reader may change: everything, unless the author of the page has said otherwise.

export interface Rights {
  readonly isReadonly: boolean;
  /** Attributes of settings, and "text", that stay as they are. */
  readonly locked: ReadonlySet<string>;
}

export const ALL_RIGHTS: Rights = { isReadonly: false, locked: new Set() };

export const may = ({ isReadonly, locked }: Rights, name: string): boolean => !isReadonly && !locked.has(name);

/** Fields that are not settings, with the attribute that locks them. */
const OWNED: Readonly<Record<string, string>> = { text: 'text', keyText: 'text', maskEdits: 'mask', edits: 'parameters', given: 'parameters', silenced: 'parameters', patches: 'parameters' } satisfies Partial<Record<keyof State, string>>;

/** Without what may not be changed; null where nothing is left. */
export function permitted({ isReadonly, locked }: Rights, part: Change): Change | null {
  if (isReadonly) return null;
  if (locked.size === 0) return part;
  const fields = new Set(SETTINGS.filter(({ attribute }) => locked.has(attribute)).flatMap((each) => (each.attribute === 'scale' ? ['scale', 'scale_factor'] : fieldsOf(each))));
  const left = Object.entries(part).filter(([field]) => !fields.has(field) && !locked.has(OWNED[field] ?? ''));
  return left.length > 0 ? Object.fromEntries(left) : null;
}
