// One finished run, as the views see it: tokens of the text, and the engine's buffers for them.
import type { Trace } from '../engine/engine.ts';
import { type Token, engineKey } from '../engine/tokens.ts';
import type { Selection } from '../engine/types.ts';
import type { AttentionReading } from '../parameters/attention/reader.ts';
import type { Reading } from '../parameters/language-model/reader.ts';
import type { Designed, Source } from '../parameters/sources.ts';
import { DEFAULT_TEXT, type Knobs } from './settings.ts';
import type { Mode, State } from './state.ts';

export type Outcome =
  | { kind: 'loading' }
  | { kind: 'failed'; code: string; readonly message: string }
  | { kind: 'empty'; which: 'text' | 'keyText' }
  | { kind: 'refused'; code: string; readonly message: string }
  | { kind: 'ready'; picture: Picture };

export interface Picture {
  readonly text: string;
  /** The second sentence's; null in self-attention. */
  readonly keyText: string | null;
  readonly tokens: readonly Token[];
  /** The words of the keys; the same array as `tokens` in self-attention. */
  readonly keyTokens: readonly Token[];
  readonly trace: Trace;
  /** Cells of one head that the mask hides. */
  readonly hidden: number;
  /** Indices, in a head's [T, S], of cells masked or unmasked by hand. */
  readonly edited: ReadonlySet<number>;
  /** What the rows of the matrix are, as it is drawn. */
  readonly rows: Knobs['rows'];
  /** Where its parameters come from; and what a design says of itself. */
  readonly source: Source;
  readonly designed: Designed | null;
  /** A language model's run on the sentence; null for parameters of one layer. */
  readonly reading: Reading | null;
  /** Weights from a file; then nothing else is known. */
  readonly ready: AttentionReading | null;
  /** Words that stand in the text more than once, and so need their place said. */
  readonly repeated: ReadonlySet<string>;
  /** The same of the words that are looked at. */
  readonly repeatedKeys: ReadonlySet<string>;
}

/** The layer that is looked at, of a model or of ready weights; null for parameters of one layer. */
export const readOf = (picture: Picture | null): Reading | AttentionReading | null => picture && (picture.reading ?? picture.ready);

export function makePicture(
  { text, keyText, maskEdits, rows, source }: Pick<State, 'text' | 'keyText' | 'maskEdits' | 'rows' | 'source'>,
  tokens: readonly Token[], keyTokens: readonly Token[], trace: Trace, { designed = null, reading = null, ready = null }: { designed?: Designed | null; reading?: Reading | null; ready?: AttentionReading | null },
): Picture {
  const masked = trace.head('masked_scores', 0);
  const { T, S } = trace.shape;
  let hidden = 0;
  for (const score of masked) if (score === -Infinity) hidden += 1;
  const edited = new Set(maskEdits.filter(({ query, key }) => query < T && key < S).map(({ query, key }) => query * S + key));
  const repeated = repeatedIn(tokens);
  const repeatedKeys = keyTokens === tokens ? repeated : repeatedIn(keyTokens);
  return { text, keyText, tokens, keyTokens, trace, hidden, edited, rows, source, designed, reading, ready, repeated, repeatedKeys };
}

function repeatedIn(tokens: readonly Token[]): Set<string> {
  const seen = new Map<string, string>();
  const repeated = new Set<string>();
  for (const token of tokens) {
    const key = engineKey(token);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, token.text);
    else repeated.add(first).add(token.text);
  }
  return repeated;
}

/** Whether keys come from a second sentence. */
export function isCross({ tokens, keyTokens }: Picture): boolean {
  return keyTokens !== tokens;
}

/** What a query's cells make in the matrix: a row, or a column where rows are keys. */
export const lineOf = ({ rows }: Picture): 'row' | 'column' => (rows === 'queries' ? 'row' : 'column');

/** Whether the reader has masked or unmasked a cell by hand. */
export const isByHand = ({ edited, trace }: Picture, query: number, key: number): boolean => edited.has(query * trace.shape.S + key);

/** One head's weights [T, S]; copied from the engine once, when they are first looked at. */
export const weightsOf = ({ trace }: Picture, head: number): Float32Array => trace.head('weights', head);

/** One head's masked scores [T, S]: −Infinity where a key may not be looked at. */
export const maskedOf = ({ trace }: Picture, head: number): Float32Array => trace.head('masked_scores', head);

/** A query's row [S] of one head's buffer, without a copy. */
export function rowOf({ trace }: Picture, buffer: Float32Array, query: number): Float32Array {
  const { S } = trace.shape;
  return buffer.subarray(query * S, (query + 1) * S);
}

export const weightsRow = (picture: Picture, head: number, query: number): Float32Array => rowOf(picture, weightsOf(picture, head), query);
export const maskedRow = (picture: Picture, head: number, query: number): Float32Array => rowOf(picture, maskedOf(picture, head), query);

/** The token at the caret: the one that contains it, else the one before it, else the one after it; −1 if there is none. */
export function tokenAt(tokens: readonly Token[], caret: number): number {
  let before = -1;
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i];
    if (!token || token.start > caret) break;
    if (token.start === caret && before >= 0 && tokens[before]?.end === caret) break;
    before = i;
  }
  return before >= 0 ? before : tokens.length > 0 ? 0 : -1;
}

/** The key that a row looks at most, itself left out; itself when it may see nothing else. */
export function largestOtherKey(picture: Picture, head: number, query: number): number {
  const weights = weightsRow(picture, head, query);
  const masked = maskedRow(picture, head, query);
  let best = -1;
  for (let key = 0; key < weights.length; key += 1) {
    if ((key === query && !isCross(picture)) || masked[key] === -Infinity) continue;
    if (best < 0 || (weights[key] ?? 0) > (weights[best] ?? 0)) best = key;
  }
  return best < 0 ? Math.min(query, weights.length - 1) : best;
}

/** Heads that look at the same place in every sentence. */
const SAYS_LITTLE: readonly string[] = ['previous', 'idle'];

/** The designed head whose row here looks most at another word; −1 when none finds one. */
export function tellingHead(picture: Picture, query: number): number {
  let [telling, most] = [-1, 0.25];
  picture.designed?.heads.forEach(({ id }, head) => {
    const key = largestOtherKey(picture, head, query);
    const found = !SAYS_LITTLE.includes(id) && (key !== query || isCross(picture));
    const weight = found ? (weightsRow(picture, head, query)[key] ?? 0) : 0;
    if (weight > most) [telling, most] = [head, weight];
  });
  return telling;
}

/** The trained head whose name is most surely its own, apart from those that say as little; null without any. */
export function tellingPlace(evidence: readonly { layer: number; head: number; relation: string; named: boolean; score: number; baseline: number }[]): { layer: number; head: number } | null {
  const telling = evidence.filter(({ named, relation }) => named && !TELL_LITTLE.test(relation));
  return telling.toSorted((a, b) => b.score - b.baseline - (a.score - a.baseline))[0] ?? null;
}

const TELL_LITTLE = /previous|itself|start|induction/i;

/** The selection, clamped to the cells of the picture. */
export function fit(selection: Selection, picture: Picture): Selection {
  const { H, T, S } = picture.trace.shape;
  return {
    head: Math.max(0, Math.min(selection.head, H - 1)),
    query: Math.max(0, Math.min(selection.query, T - 1)),
    key: Math.max(0, Math.min(selection.key, S - 1)),
  };
}

/**
 * The selection for a new picture. A link's or Undo's own comes first; then, in another text, the word at the caret;
 * then the cell that was selected before, by its words where the same text is cut into others.
 */
export function reselect(picture: Picture, last: Picture | null, before: Selection, { caret, aim }: { caret: number | null; aim: Partial<Selection> }): Selection {
  const isOther = picture.text !== last?.text || before.query < 0;
  const moved = isOther ? { query: opening(picture, caret), key: -1 } : { query: placeIn(picture.tokens, last.tokens, before.query), key: placeIn(picture.keyTokens, last.keyTokens, before.key) };
  const { head, query, key } = { ...before, ...moved, ...aim };
  const fitted = fit({ head, query, key: Math.max(key, 0) }, picture);
  return key >= 0 ? fitted : { ...fitted, key: largestOtherKey(picture, fitted.head, fitted.query) };
}

/** The new index of a word after its text is cut into other tokens: the token that contains its middle. */
function placeIn(tokens: readonly Token[], before: readonly Token[], at: number): number {
  const word = before[at];
  if (tokens === before || !word) return at;
  const middle = (word.start + word.end) / 2;
  const found = tokens.findIndex(({ start, end }) => start <= middle && middle < end);
  return found < 0 ? at : found;
}

function opening({ text, tokens }: Picture, caret: number | null): number {
  if (caret !== null) return tokenAt(tokens, caret);
  return text === DEFAULT_TEXT ? tokens.findIndex((token) => token.text === 'it') : tokens.length - 1;
}

/** One head's weights as a matrix shows them. */
export interface Shown {
  readonly mode: Mode;
  /** Whose words are beside them. */
  readonly picture: Picture;
  readonly head: number;
  readonly numbers: Float32Array;
  /** −Infinity where masked; of a difference, where both are. */
  readonly masked: Float32Array;
  /** Of a difference: the largest size. */
  readonly range: number;
  /** Why nothing can be drawn. */
  readonly note: string;
}

export function shownNow(picture: Picture, head: number): Shown {
  const own = Math.min(head, picture.trace.shape.H - 1);
  return { mode: 'now', picture, head: own, numbers: weightsOf(picture, own), masked: maskedOf(picture, own), range: 1, note: '' };
}
