// A matrix as a figure that stands by itself: title, axes, cells, legend.
import type { Grid, Size } from '../kit/grid.ts';
import type { Paint } from '../kit/paint.ts';
import { type Figure, LEGEND_WIDTH, MARGIN, type Mark, clip, gridMarks, labelRoom, legend, refuseTooMany, text, widthOf } from './marks.ts';

export interface MatrixFigure {
  grid: Grid;
  /** Words down the side; words along the top, or how many numbers there are. */
  rows: readonly string[];
  columns: readonly string[] | number;
  /** A number as it stands in its cell. */
  words(number: number): string;
  /** A hue for each column's head; null where heads are not told apart. */
  hues: readonly string[] | null;
  title: string;
  /** What it was made with, below. */
  about: string;
  axes: { down: string; across: string };
  /** What the hatch means; null where nothing is masked. */
  masked: string | null;
}

const STRIP = 6;

export function matrixFigure(data: MatrixFigure): Figure {
  const { grid, rows, columns, words, title, about, axes } = data;
  const { paint, columns: count } = grid;
  refuseTooMany(rows.length * count);
  const cell = cellSize(data);
  const label = labelRoom(rows, 48) + 12;
  const head = typeof columns === 'number' ? 24 : labelRoom(columns, 32) * 0.75 + 12;
  const strip = data.hues ? STRIP : 0;
  const [left, top] = [MARGIN + label, MARGIN + 56 + head + strip];
  const [across, down] = [count * cell.width, rows.length * cell.height];
  const foot = top + down + 24;
  const marks: Mark[] = [
    text(MARGIN, MARGIN + 14, title, { size: 15, bold: true, fill: paint.ink }),
    text(MARGIN, MARGIN + 36, `${axes.down}; ${axes.across}`, { fill: paint.muted }),
    ...columnLabels(columns, left, top - strip - 8, cell.width, paint),
    ...(data.hues ?? []).map((fill, i): Mark => ({ kind: 'rect', x: left + i * cell.width, y: top - STRIP, width: cell.width, height: STRIP - 2, fill })),
    ...rows.map((word, i) => text(left - 8, top + (i + 0.5) * cell.height + 4, clip(word), { anchor: 'end', fill: paint.ink, ...(cell.height < 14 && { size: 11 }) })),
    ...gridMarks(grid, left, top, cell, { gap: Math.min(cell.width, cell.height) >= 10 ? 1 : 0, pitch: 6, words }),
    ...legend(grid, left, foot, data.masked),
    text(MARGIN, foot + 68, about, { size: 12, fill: paint.muted }),
  ];
  const width = Math.max(left + across + head * 0.8, left + LEGEND_WIDTH, MARGIN + widthOf(title, 15), MARGIN + widthOf(about, 12), MARGIN + widthOf(`${axes.down}; ${axes.across}`));
  return { width: width + MARGIN, height: foot + 68 + MARGIN, title, paper: paint.paper, marks };
}

/** Square where columns are words; else as wide as the page's width has room for. */
function cellSize({ grid: { rows, columns: count }, columns }: MatrixFigure): Size {
  if (typeof columns !== 'number') {
    const side = count <= 24 ? 40 : count <= 64 ? 24 : 12;
    return { width: side, height: side };
  }
  return { width: Math.max(2, Math.min(24, Math.floor(720 / Math.max(count, 1)))), height: rows <= 24 ? 24 : rows <= 64 ? 16 : 12 };
}

/** Words aslant; of many numbers only some, so that each can be read. */
function columnLabels(columns: MatrixFigure['columns'], left: number, y: number, width: number, { ink, muted }: Paint): Mark[] {
  if (typeof columns !== 'number') return columns.map((word, i) => text(left + (i + 0.5) * width, y, clip(word), { turn: -45, fill: ink }));
  const every = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].find((step) => step * width >= 32) ?? 1024;
  return Array.from({ length: Math.ceil(columns / every) }, (_, i) => text(left + (i * every + 0.5) * width, y, String(i * every + 1), { size: 12, fill: muted, anchor: 'middle' }));
}
