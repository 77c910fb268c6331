// How wide and high the walk's matrices are drawn: every row of the walk has one height, so that a word keeps its line.

const LABELS = 72;
const GAP = 28;
const LEAST = 150;
const MOST = 250;
const NARROW = 720;
const ROOM_BESIDE = 392;
const ROWS_IN_VIEW = 24;

export interface Measures {
  narrow: boolean;
  /** Cards side by side. */
  perLine: number;
  row: number;
  height: number;
  /** What a cell is wide at least. */
  least: number;
  width(cards: number): number;
}

/** `whole`: nothing may scroll, however thin the cells become. */
export function measures(width: number, rows: number, whole = false): Measures {
  const narrow = width <= NARROW - 32;
  const room = (width > 1100 - 48 ? width - ROOM_BESIDE : width) - LABELS;
  const row = rows <= 8 ? 20 : rows <= ROWS_IN_VIEW ? 14 : 12;
  return {
    narrow, row,
    height: whole ? Infinity : ROWS_IN_VIEW * 14,
    least: whole ? 0.25 : 2,
    perLine: narrow ? 1 : Math.max(1, Math.floor((room + GAP) / (LEAST + GAP))),
    width: (cards) => (narrow ? Math.round(Math.min(200, width * 0.46)) : Math.min(MOST, Math.floor((room - GAP * (cards - 1)) / cards))),
  };
}

/** Of one matrix that has the room to itself. */
export function alone(sizes: Measures, width: number, rows: number): Measures {
  const most = Math.min(420, Math.round((width - LABELS) * 0.62));
  return { ...sizes, row: Math.max(12, Math.min(30, Math.floor(most / Math.max(rows, 1)))), height: 420, width: () => most };
}

/** Cells are as wide as they are high while there is room, and never too thin to be seen. */
export function cellSize(columns: number, room: number, height: number, least = 2): { width: number; height: number } {
  return { width: Math.max(least, Math.min(height, Math.floor((room / Math.max(columns, 1)) * 2) / 2)), height };
}

/** Cards on lines of about equal length. */
export function lines<Item>(items: readonly Item[], perLine: number): Item[][] {
  const count = Math.ceil(items.length / perLine);
  const size = Math.ceil(items.length / Math.max(count, 1));
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}
