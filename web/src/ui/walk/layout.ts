// The size of the walk's matrices: all rows have one height, so that a word keeps its line.

const LABELS = 72;
const GAP = 28;
const LEAST = 150;
const MOST = 360;
const ROOM_BESIDE = 392;
const ROWS_IN_VIEW = 24;
/** Of a row, where there is room. */
const HIGHEST = 28;
/** Masked, scaled and softmax: a row of these is as high as its cells are wide. */
const TOGETHER = 3;

export interface Measures {
  /** Cards side by side. */
  perLine: number;
  row: number;
  height: number;
  /** What a cell is wide at least. */
  least: number;
  /** Of one of so many matrices side by side. */
  width(cards: number): number;
  /** Of its card: one alone has its words beside it. */
  card(cards: number): number;
}

/** `whole`: nothing may scroll, however thin the cells become. */
export function measures(width: number, rows: number, whole = false): Measures {
  const room = (width > 1100 - 48 ? width - ROOM_BESIDE : width) - LABELS;
  const share = (cards: number) => Math.floor((room - GAP * (cards - 1)) / cards);
  const perLine = Math.max(1, Math.floor((room + GAP) / (LEAST + GAP)));
  const lowest = rows <= ROWS_IN_VIEW ? 14 : 12;
  return {
    row: Math.max(lowest, Math.min(HIGHEST, Math.floor(share(Math.min(TOGETHER, perLine)) / rows))),
    height: whole ? Infinity : ROWS_IN_VIEW * 14,
    least: whole ? 0.25 : 2,
    perLine,
    width: (cards) => Math.min(MOST, share(cards)),
    card: share,
  };
}

/** Of one matrix that has the room to itself. */
export function alone(sizes: Measures, width: number, rows: number): Measures {
  const most = Math.min(420, Math.round((width - LABELS) * 0.62));
  return { ...sizes, row: Math.max(12, Math.min(30, Math.floor(most / Math.max(rows, 1)))), height: 420, width: () => most, card: () => width - LABELS };
}

/** Cells are as wide as they are high while there is room, and never too thin to be seen. */
export function cellSize(columns: number, room: number, height: number, least = 2): { width: number; height: number } {
  return { width: Math.max(least, Math.min(height, Math.floor((room / Math.max(columns, 1)) * 2) / 2)), height };
}

/** Neighbouring cards of one kind. */
export function runs<Item>(items: readonly Item[], kind: (item: Item) => string): Item[][] {
  const all: Item[][] = [];
  let last: string | undefined;
  for (const item of items) {
    const next = kind(item);
    if (next === last) all.at(-1)?.push(item);
    else all.push([item]);
    last = next;
  }
  return all;
}

/** Cards on lines of about equal length. */
export function lines<Item>(items: readonly Item[], perLine: number): Item[][] {
  const count = Math.ceil(items.length / perLine);
  const size = Math.ceil(items.length / Math.max(count, 1));
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}
