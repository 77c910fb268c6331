// One stage of every head as small multiples, in one colour range, that of the page.
import { type Figure, LEGEND_WIDTH, MARGIN, MOST_CELLS, type Mark, type Scale, coloursOf, hatch, legend, text, widthOf } from './marks.ts';

export interface HeadsFigure {
  /** What stands over each picture. */
  names: readonly string[];
  chosen: number;
  rows: number;
  columns: number;
  /** Of a head's cell: its number, or null where it is masked. */
  value(head: number, row: number, column: number): number | null;
  scale: Scale;
  title: string;
  axes: string;
  about: string;
  masked: string | null;
}

const SIDE = 130;
const GAP = 24;
const PER_LINE = 6;

export function headsFigure(data: HeadsFigure): Figure {
  const { names, title, axes, about, scale: { paint } } = data;
  const perLine = Math.min(PER_LINE, names.length);
  const high = Math.max(24, Math.min(2 * SIDE, (SIDE * data.rows) / Math.max(data.columns, 1)));
  const [left, top] = [MARGIN, MARGIN + 56];
  const line = high + 24 + GAP;
  const foot = top + Math.ceil(names.length / perLine) * line;
  const marks: Mark[] = [
    text(left, MARGIN + 14, title, { size: 15, bold: true, fill: paint.ink }),
    text(left, MARGIN + 36, axes, { fill: paint.muted }),
    ...names.flatMap((name, head) => {
      const [x, y] = [left + (head % perLine) * (SIDE + GAP), top + Math.floor(head / perLine) * line];
      const chosen = head === data.chosen;
      return [
        text(x, y + 14, name, { fill: chosen ? paint.accent : paint.muted, bold: chosen, size: widthOf(name) > SIDE ? 10 : 13 }),
        ...picture(data, head, x, y + 22, high),
        { kind: 'rect', x, y: y + 22, width: SIDE, height: high, fill: 'none', stroke: chosen ? paint.accent : paint.border } satisfies Mark,
      ];
    }),
    ...legend(data.scale, left, foot, data.masked),
    text(left, foot + 68, about, { size: 12, fill: paint.muted }),
  ];
  const width = Math.max(perLine * (SIDE + GAP) - GAP, LEGEND_WIDTH, ...[title, axes, about].map((words, i) => widthOf(words, [15, 13, 12][i])));
  return { width: width + 2 * MARGIN, height: foot + 68 + MARGIN, title, paper: paint.paper, marks };
}

/** Of a large matrix one dot stands for a block of cells, as on the page: for its largest size. */
function picture(data: HeadsFigure, head: number, x: number, y: number, high: number): Mark[] {
  const { ramp, stepOf } = coloursOf(data.scale);
  const dots = Math.min(SIDE, Math.floor(Math.sqrt(MOST_CELLS / data.names.length)));
  const block = { rows: Math.ceil(data.rows / dots), columns: Math.ceil(data.columns / dots) };
  const [rows, columns] = [Math.ceil(data.rows / block.rows), Math.ceil(data.columns / block.columns)];
  const [width, height] = [SIDE / columns, high / rows];
  const marks: Mark[] = [];
  for (let i = 0; i < rows; i += 1) {
    for (let j = 0; j < columns; j += 1) {
      const value = strongest(data, head, i * block.rows, j * block.columns, block);
      const frame = { x: x + j * width, y: y + i * height, width, height };
      if (value === null) marks.push(...hatch(frame.x, frame.y, width, height, data.scale.paint.hatch, 4));
      else marks.push({ kind: 'rect', ...frame, fill: ramp.fill(stepOf(value)) });
    }
  }
  return marks;
}

function strongest({ rows, columns, value }: HeadsFigure, head: number, row: number, column: number, block: { rows: number; columns: number }): number | null {
  let most: number | null = null;
  for (let i = row; i < Math.min(row + block.rows, rows); i += 1) {
    for (let j = column; j < Math.min(column + block.columns, columns); j += 1) {
      const here = value(head, i, j);
      if (here !== null && (most === null || Math.abs(here) > Math.abs(most))) most = here;
    }
  }
  return most;
}
