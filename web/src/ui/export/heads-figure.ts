// One stage of every head as small multiples, in one colour range, that of the page.
import { type Grid, reduced } from '../kit/grid.ts';
import { type Figure, LEGEND_WIDTH, MARGIN, MOST_CELLS, type Mark, gridMarks, legend, text, widthOf } from './marks.ts';

export interface HeadsFigure {
  /** What stands over each picture. */
  names: readonly string[];
  /** One for each of them, all of one size and range. */
  grids: readonly Grid[];
  chosen: number;
  title: string;
  axes: string;
  about: string;
  masked: string | null;
}

const SIDE = 130;
const GAP = 24;
const PER_LINE = 6;

export function headsFigure(data: HeadsFigure): Figure {
  const { names, title, axes, about } = data;
  const [first] = data.grids as readonly [Grid];
  const { paint, rows, columns } = first;
  const perLine = Math.min(PER_LINE, names.length);
  const high = Math.max(24, Math.min(2 * SIDE, (SIDE * rows) / Math.max(columns, 1)));
  const [left, top] = [MARGIN, MARGIN + 56];
  const line = high + 24 + GAP;
  const foot = top + Math.ceil(names.length / perLine) * line;
  const marks: Mark[] = [
    text(left, MARGIN + 14, title, { size: 15, bold: true, fill: paint.ink }),
    text(left, MARGIN + 36, axes, { fill: paint.muted }),
    ...data.grids.flatMap((grid, head) => {
      const name = names[head] ?? '';
      const [x, y] = [left + (head % perLine) * (SIDE + GAP), top + Math.floor(head / perLine) * line];
      const chosen = head === data.chosen;
      return [
        text(x, y + 14, name, { fill: chosen ? paint.accent : paint.muted, bold: chosen, size: widthOf(name) > SIDE ? 10 : 13 }),
        ...picture(grid, names.length, x, y + 22, high),
        { kind: 'rect', x, y: y + 22, width: SIDE, height: high, fill: 'none', stroke: chosen ? paint.accent : paint.border } satisfies Mark,
      ];
    }),
    ...legend(first, left, foot, data.masked),
    text(left, foot + 68, about, { size: 12, fill: paint.muted }),
  ];
  const width = Math.max(perLine * (SIDE + GAP) - GAP, LEGEND_WIDTH, ...[title, axes, about].map((words, i) => widthOf(words, [15, 13, 12][i])));
  return { width: width + 2 * MARGIN, height: foot + 68 + MARGIN, title, paper: paint.paper, marks };
}

/** Of a large matrix one dot stands for a block of cells, as on the page: for its largest size. */
function picture(grid: Grid, heads: number, x: number, y: number, high: number): Mark[] {
  const dots = reduced(grid, Math.min(SIDE, Math.floor(Math.sqrt(MOST_CELLS / heads))));
  return gridMarks(dots, x, y, { width: SIDE / dots.columns, height: high / dots.rows }, { gap: 0, pitch: 4 });
}
