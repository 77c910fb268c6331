import { DEFAULTS } from '../engine/defaults.ts';
import type { ArrayId, Edit, GivenId, MaskEdit, Settings } from '../engine/engine.ts';
import type { Token } from '../engine/tokens.ts';
import type { Selection } from '../engine/types.ts';
import type { Given } from '../parameters/given.ts';
import type { Patch, Place } from '../parameters/language-model/edits.ts';
import type { Source } from '../parameters/sources.ts';
import { DEFAULT_TEXT, type Knobs } from './settings.ts';

export type Mode = 'now' | 'pinned' | 'difference';

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
  /** Of a language model: the layer that is looked at, and where switches act; heads taken away, shares set by hand. */
  readonly layer: number;
  readonly actsOn: Knobs['actsOn'];
  readonly silenced: readonly Place[];
  readonly patches: readonly Patch[];
}

export const START: Wanted = {
  text: DEFAULT_TEXT, keyText: null, settings: { ...DEFAULTS }, maskEdits: [], edits: [], source: 'random', given: null, rows: 'queries', otherText: null, layer: 1, actsOn: 'every', silenced: [], patches: [],
};

/** Said anew in each language. */
export type Sentence = () => string;

export interface FocusLink {
  array: ArrayId;
  /** Null where the row and key of the link say it. */
  cell: { row: number; column: number } | null;
}

export interface LinkState {
  text: string;
  tokens: readonly Token[];
  /** The second sentence, where keys come from; null without one. */
  keyText: string | null;
  keyTokens: readonly Token[];
  /** The sentence that one word's two senses are compared in; null while they are not. */
  otherText: string | null;
  maskEdits: readonly MaskEdit[];
  edits: readonly Edit[];
  given: Given | null;
  settings: Settings;
  source: Knobs['source'];
  rows: Knobs['rows'];
  layer: number;
  actsOn: Knobs['actsOn'];
  silenced: readonly Place[];
  patches: readonly Patch[];
  selection: Selection;
  /** The number of the walk that is looked at; null before the reader has gone to one. */
  focus: FocusLink | null;
  /** Colour ranges that the reader has locked. */
  keptRanges: KeptRanges | null;
}

export interface Reading {
  text?: string | undefined;
  tokens?: Token[] | undefined;
  keyText?: string | undefined;
  keyTokens?: Token[] | undefined;
  otherText?: string;
  maskEdits?: MaskEdit[];
  edits?: Edit[];
  given?: Given;
  silenced?: Place[];
  patches?: Patch[];
  settings: Partial<Knobs>;
  selection: Partial<Selection>;
  focus?: FocusLink;
  keptRanges?: KeptRanges;
  /** One sentence for the reader, or none when the link was whole. */
  notice: (() => string) | null;
}

/** A link to a stage or a cell alone says nothing of the rest, which stays as it is. */
export function isPlace({ text, keyText, otherText, maskEdits, edits, given, silenced, patches, keptRanges, settings, notice }: Reading): boolean {
  return [text, keyText, otherText, maskEdits, edits, given, silenced, patches, keptRanges].every((part) => part === undefined) && Object.keys(settings).length === 0 && notice === null;
}

export type KeptRanges = Readonly<Partial<Record<ArrayId, number>>>;

/** One matrix of the walk, or (`sum`) the arithmetic of one of its numbers. */
export interface Only { readonly array: ArrayId; readonly sum: boolean }
