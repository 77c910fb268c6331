// The values of a link's fields: word boundaries, single numbers, small matrices, colour ranges, the chosen number, a model's heads.
// Links are untrusted input.
import type { ArrayId, Edit, GivenId } from '../engine/engine.ts';
import { readArray, side } from '../engine/stages.ts';
import { BLANK, Seen, type Token, isTooLong } from '../engine/tokens.ts';
import { fromBase64, toBase64 } from '../lib/base64.ts';
import { parseNumber, shortest } from '../lib/parse.ts';
import { type Given, PASTABLE } from '../parameters/given.ts';
import { DRAWING, type Drawing, type Patch, type Place } from '../parameters/language-model/edits.ts';
import type { FocusLink, LockedRanges } from '../state/state.ts';
import { type Field, all, encodePart, pairs, place } from './address.ts';
import { decodeText } from './fields.ts';

const MAX_RANGES = 64;

/** "scores:20.6,query:3.2" */
export const encodeRanges = (kept: LockedRanges): string => Object.entries(kept).map(([id, range]) => `${id}:${shortest(range)}`).join(',');

export function decodeRanges(raw: string): LockedRanges | null {
  const parts = raw.split(',');
  if (parts.length > MAX_RANGES) return null;
  const kept: Partial<Record<ArrayId, number>> = {};
  for (const part of parts) {
    const [name = '', number = '', ...more] = part.split(':');
    const [id, range] = [readArray(name), parseNumber(number)];
    if (id === null || range === null || !(Math.fround(range) > 0 && Number.isFinite(Math.fround(range))) || more.length > 0 || Object.hasOwn(kept, id)) return null;
    kept[id] = range;
  }
  return kept;
}

/** More numbers would make a link too long to send. */
export const MAX_LINK_NUMBERS = 3000;
const MAX_EDITS = 1000;
const EDITABLE = ['W_Q', 'W_K', 'W_V', 'W_V_down', 'W_V_up', 'W_O', 'b_Q', 'b_K', 'b_V', 'b_O', 'P'] as const;

/** "3,5": rows 3 and 5. */
export const encodeRows = (rows: readonly number[]): string => rows.slice(0, MAX_EDITS).map((row) => row + 1).join(',');

export function decodeRows(raw: string): number[] | null {
  const rows = all(raw, MAX_EDITS, place);
  return rows && [...new Set(rows)].sort((a, b) => a - b);
}

/** "2.4,3.1": layer 2, head 4; layer 3, head 1. */
export const encodePlaces = (places: readonly Place[]): string => places.slice(0, MAX_EDITS).map(({ layer, head }) => `${layer + 1}.${head + 1}`).join(',');

export const decodePlaces = (raw: string): Place[] | null => pairs(raw, MAX_EDITS, (layer, head) => ({ layer, head }));

/** "2:4:9:3:0.5": layer 2, head 4, query 9 gives key 3 a half. */
export const encodePatches = (patches: readonly Patch[]): string =>
  patches.slice(-MAX_EDITS).map(({ layer, head, query, key, share }) => `${[layer, head, query, key].map((at) => at + 1).join(':')}:${shortest(share)}`).join(',');

export function decodePatches(raw: string): Patch[] | null {
  return all(raw, MAX_EDITS, (part) => {
    const fields = part.split(':');
    const [layer = null, head = null, query = null, key = null] = fields.slice(0, 4).map(place);
    const share = fields.length === 5 ? parseNumber(fields[4] ?? '') : null;
    if (layer === null || head === null || query === null || key === null || share === null) return null;
    return share >= 0 && share <= 1 && key <= query ? { layer, head, query, key, share } : null;
  });
}

/** "0.8:40:1:7": temperature, top-k, top-p and seed. */
export const encodeDrawing = (drawing: Drawing): string => DRAWING.map(({ name }) => drawing[name]).join(':');

/** Clamps numbers out of range; null if one is not a number. */
export function decodeDrawing(raw: string): Drawing | null {
  const fields = raw.split(':');
  const numbers = DRAWING.map(({ least, most, isWhole }, i) => {
    const number = parseNumber(fields[i] ?? '');
    return number === null ? NaN : Math.min(most, Math.max(least, isWhole ? Math.round(number) : number));
  });
  if (fields.length !== DRAWING.length || numbers.some(Number.isNaN)) return null;
  return Object.fromEntries(DRAWING.map(({ name }, i) => [name, numbers[i]])) as unknown as Drawing;
}

/** "W_Q:3:5:0.25" and "word:animal:5:0.25". */
export function encodeEdits(edits: readonly Edit[]): string {
  return edits.slice(-MAX_EDITS).map((edit) => ('token' in edit
    ? `word:${encodePart(edit.token)}:${edit.column + 1}:${shortest(edit.value)}`
    : `${edit.array}:${edit.row + 1}:${edit.column + 1}:${shortest(edit.value)}`)).join(',');
}

export function decodeEdits(raw: string): Edit[] | null {
  return all(raw, MAX_EDITS, (part) => {
    const [what = '', where = '', columnAt, number = '', ...more] = part.split(':');
    const [column, value] = [place(columnAt), parseNumber(number)];
    if (more.length > 0 || column === null || value === null || !Number.isFinite(Math.fround(value))) return null;
    if (what === 'word') {
      const token = decodeText(where);
      // A link must not put a stranger's sentence on the page as a word.
      return token === null || token === '' || /\s/.test(token) ? null : { token, column, value };
    }
    const [array, row] = [EDITABLE.find((id) => id === what), place(where)];
    return array === undefined || row === null ? null : { array, row, column, value };
  });
}

/** Whether a link can hold them. */
export const isSmall = (given: Given): boolean => Object.values(given).reduce((count, numbers) => count + numbers.length, 0) <= MAX_LINK_NUMBERS;

/** "W_Q:…", then the bytes of the float32s in base64. */
export const encodeGiven = (given: Given): string =>
  Object.entries(given).map(([id, numbers]) => `${id}:${toBase64(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))}`).join(',');

export function decodeGiven(raw: string): Given | null {
  const parts = all(raw, PASTABLE.length, (part): [GivenId, Float32Array] | null => {
    const [what, data = '', ...more] = part.split(':');
    const id = PASTABLE.find((each) => each === what);
    const numbers = id && more.length === 0 ? decodeFloats(data) : null;
    return id && numbers ? [id, numbers] : null;
  });
  if (!parts || new Set(parts.map(([id]) => id)).size < parts.length) return null;
  const given: Given = Object.fromEntries(parts);
  return isSmall(given) ? given : null;
}

function decodeFloats(data: string): Float32Array | null {
  if (data === '' || !/^[A-Za-z0-9_-]+$/.test(data) || data.length > MAX_LINK_NUMBERS * 6) return null;
  try {
    const bytes = fromBase64(data);
    if (bytes.length % 4 !== 0) return null;
    const numbers = new Float32Array(bytes.buffer);
    return numbers.every(Number.isFinite) ? numbers : null;
  } catch {
    return null;
  }
}

// The chosen number: `stage=query&cell=8.5`, counted from 1. For a pair of words, `row` and `key` say which cell.

const MAX_CELL = 1e6;

export const encodeFocus = ({ array, cell }: FocusLink): Field[] =>
  [['stage', array], ...(cell && side(array) !== 'pair' ? [['cell', `${cell.row + 1}.${cell.column + 1}`] as const] : [])];

/** "8.5" as row 7, column 4; null for anything else. */
export function readCell(raw: string): FocusLink['cell'] {
  const [, row = '', column = ''] = /^(\d{1,7})\.(\d{1,7})$/.exec(raw) ?? [];
  const cell = { row: Number(row) - 1, column: Number(column) - 1 };
  return row !== '' && cell.row >= 0 && cell.column >= 0 && cell.row < MAX_CELL && cell.column < MAX_CELL ? cell : null;
}

/** The tokens that the boundaries cut out of this text, or null when they do not fit it. */
export function decodeBoundaries(text: string, encoded: string): Token[] | null {
  if (isTooLong(text)) return null;
  const seen = new Seen(text, true);
  if (encoded === '') return BLANK.test(seen.text) ? [] : null;
  const parts = encoded.split('.');
  if (parts.length % 2 !== 0) return null;
  const tokens: Token[] = [];
  let at = 0;
  for (let i = 0; i < parts.length; i += 2) {
    const [gap = '', length = ''] = [parts[i], parts[i + 1]];
    if (!/^[0-9a-z]{1,5}$/.test(gap) || !/^[0-9a-z]{1,5}$/.test(length)) return null;
    const start = at + Number.parseInt(gap, 36);
    const end = start + Number.parseInt(length, 36);
    if (end === start || end > text.length || splitsPair(text, start) || splitsPair(text, end)) return null;
    const word = seen.part(start, end);
    if (!BLANK.test(seen.part(at, start)) || BLANK.test(word)) return null;
    tokens.push({ text: word, start, end });
    at = end;
  }
  return BLANK.test(seen.part(at, text.length)) ? tokens : null;
}

const splitsPair = (text: string, at: number): boolean => /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '');
