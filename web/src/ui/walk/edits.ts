// Numbers set by hand: which ones can be, and reading what was typed.
import { msg, str } from '@lit/localize';
import type { ArrayId, Edit, Trace } from '../../engine/engine.ts';
import type { Place } from '../../engine/places.ts';
import { parseNumber } from '../../state/settings.ts';

const TABLES: readonly ArrayId[] = ['cos', 'sin', 'slopes'];
const MATRICES = ['W_Q', 'W_K', 'W_V', 'W_V_down', 'W_V_up', 'W_O', 'b_Q', 'b_K', 'b_V', 'b_O', 'P'] as const;

type Writer = (value: number) => Edit;

/** How an edit of this number is written; null where it is computed, not set. */
function writer(trace: Trace, array: ArrayId, { row, column }: Place): Writer | null {
  if (TABLES.includes(array)) return null;
  if (array === 'W_V' && trace.settings.value_rank > 0) return null;
  const matrix = MATRICES.find((id) => id === array);
  if (matrix) return (value) => ({ array: matrix, row, column, value });
  const words = array === 'content' ? trace.tokens : array === 'key_content' ? trace.keyTokens : null;
  const token = words?.[row];
  return token === undefined ? null : (value) => ({ token, column, value });
}

/** The edit, or what is wrong with it. */
export function readEdit(trace: Trace, array: ArrayId, place: Place, text: string): Edit | string {
  const write = writer(trace, array, place);
  if (!write) return msg('This number is computed. Set one that it is made of.');
  const value = parseNumber(text);
  if (value === null || !Number.isFinite(Math.fround(value))) return msg(str`“${text}” is not a finite number. Type one like −0.25 or 1e-3.`);
  return write(value);
}

export function editOf(trace: Trace, array: ArrayId, place: Place, edits: readonly Edit[]): Edit | undefined {
  const wanted = writer(trace, array, place)?.(0);
  if (!wanted) return undefined;
  return edits.findLast((edit) => edit.column === wanted.column && ('token' in edit
    ? 'token' in wanted && edit.token === wanted.token
    : 'array' in wanted && edit.array === wanted.array && edit.row === wanted.row));
}

interface At {
  array: ArrayId;
  place: Place;
}

/** All edits with this number's own, or what is wrong with what was typed for it. */
export function withEdit(trace: Trace, at: At, edits: readonly Edit[], text: string): Edit[] | string {
  const read = readEdit(trace, at.array, at.place, text);
  return typeof read === 'string' ? read : [...withoutEdit(trace, at, edits), read];
}

export function withoutEdit(trace: Trace, { array, place }: At, edits: readonly Edit[]): Edit[] {
  const own = editOf(trace, array, place, edits);
  return edits.filter((edit) => edit !== own);
}
