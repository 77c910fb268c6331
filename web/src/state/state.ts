// The one state of a figure, and what a link says of it.
import { DEFAULTS } from '../engine/defaults.ts';
import type { ArrayId, Edit, GivenId, MaskEdit, Settings } from '../engine/engine.ts';
import type { Token } from '../engine/tokens.ts';
import type { Selection } from '../engine/types.ts';
import type { Patch, Place } from '../parameters/language-model/edits.ts';
import type { Source } from '../parameters/sources.ts';
import type { Replay } from '../parameters/trained-here.ts';
import { DEFAULT_TEXT, type Knobs } from './settings.ts';

export type Mode = 'now' | 'pinned' | 'difference';

/** All that a reader or an author can change, Undo restores and a link holds: replaced whole, never changed in place. */
export interface State {
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
  /** What makes the model anew that the source 'yours' is, where it was trained in the page. */
  readonly replay: Replay | null;
  /** The sentence in which a word is compared with itself; null while none is. */
  readonly otherText: string | null;
  /** What the rows of matrices with a query and a key are. */
  readonly rows: Knobs['rows'];
  /** Of a language model: the layer that is looked at, and where switches act; heads taken away, shares set by hand. */
  readonly layer: number;
  readonly actsOn: Knobs['actsOn'];
  readonly silenced: readonly Place[];
  readonly patches: readonly Patch[];
  /** Settings that the parameters in use replaced by their own: they come back with other parameters. */
  readonly replaced: Readonly<Partial<Settings>>;
  // What is looked at, which changes no number.
  readonly selection: Selection;
  /** Queries that are read together, counted from 0; fewer than two are none. */
  readonly addedRows: readonly number[];
  /** The number of the walk that the reader has gone to; null before. */
  readonly focus: FocusLink | null;
  /** Colour ranges that the reader has locked; null while they follow the numbers. */
  readonly lockedRanges: LockedRanges | null;
}

/** Fields of the state that no run depends on. */
export const LOOKS: ReadonlySet<string> = new Set<keyof State>(['selection', 'addedRows', 'focus', 'lockedRanges']);

export const START: State = {
  text: DEFAULT_TEXT, keyText: null, settings: { ...DEFAULTS }, maskEdits: [], edits: [], source: 'random', given: null, replay: null, rows: 'queries', otherText: null, layer: 1, actsOn: 'every', silenced: [], patches: [],
  replaced: {}, selection: { head: 0, query: -1, key: -1 }, addedRows: [], focus: null, lockedRanges: null,
};

/** Said anew in each language. */
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

/** A link as it was read: what it does not say is left out. */
export interface Reading {
  text?: string | undefined;
  tokens?: Token[] | undefined;
  keyText?: string | undefined;
  keyTokens?: Token[] | undefined;
  otherText?: string;
  maskEdits?: MaskEdit[];
  edits?: Edit[];
  given?: NonNullable<State['given']>;
  replay?: Replay;
  silenced?: Place[];
  patches?: Patch[];
  settings: Partial<Knobs>;
  selection: Partial<Selection>;
  focus?: FocusLink;
  lockedRanges?: LockedRanges;
  addedRows?: number[];
  /** One sentence for the reader, or none when the link was whole. */
  notice: (() => string) | null;
}

/** A link to a stage or a cell alone says nothing of the rest, which stays as it is. */
export function isPlace({ text, keyText, otherText, maskEdits, edits, given, replay, silenced, patches, lockedRanges, settings, notice }: Reading): boolean {
  return [text, keyText, otherText, maskEdits, edits, given, replay, silenced, patches, lockedRanges].every((part) => part === undefined) && Object.keys(settings).length === 0 && notice === null;
}

export type LockedRanges = Readonly<Partial<Record<ArrayId, number>>>;

/** One matrix of the walk, or (`sum`) the arithmetic of one of its numbers. */
export interface Only { readonly array: ArrayId; readonly sum: boolean }
