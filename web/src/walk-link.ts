// The number looked at, in a link: `stage=query&cell=8.5`, places counted from 1. A pair of words is said by row and key.
import type { ArrayId } from './engine.ts';
import { isStage, side } from './walk-sides.ts';

export interface FocusLink {
  array: ArrayId;
  /** Null where the row and key of the link say it. */
  cell: { row: number; column: number } | null;
}

const PARAMETERS: readonly ArrayId[] = ['W_Q', 'W_K', 'W_V', 'W_V_down', 'W_V_up', 'W_O', 'b_Q', 'b_K', 'b_V', 'b_O', 'P', 'cos', 'sin', 'slopes'];
const MAX_CELL = 1e6;

export function encodeFocus({ array, cell }: FocusLink): string[] {
  const stage = `stage=${array}`;
  return cell && side(array) !== 'pair' ? [stage, `cell=${cell.row + 1}.${cell.column + 1}`] : [stage];
}

export function readArray(raw: string): ArrayId | null {
  const id = raw as ArrayId;
  return isStage(id) || PARAMETERS.includes(id) ? id : null;
}

/** "8.5" as row 7, column 4; null for anything else. */
export function readCell(raw: string): FocusLink['cell'] {
  const [, row = '', column = ''] = /^(\d{1,7})\.(\d{1,7})$/.exec(raw) ?? [];
  const cell = { row: Number(row) - 1, column: Number(column) - 1 };
  return row !== '' && cell.row >= 0 && cell.column >= 0 && cell.row < MAX_CELL && cell.column < MAX_CELL ? cell : null;
}
