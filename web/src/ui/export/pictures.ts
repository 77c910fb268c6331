// Figures to take along, each made of marks: the sentence with its arcs, one matrix, and one stage of every head.
import { LEAST_ARC, percent } from '../../lib/format.ts';
import { type Grid, type Size, coloursOf, reduced } from '../kit/grid.ts';
import { type Paint, arc } from '../kit/paint.ts';
import { type Figure, LEGEND_WIDTH, MARGIN, MOST_CELLS, type Mark, clip, gridMarks, hatch, labelRoom, legend, refuseTooMany, text, widthOf } from '../kit/marks.ts';

// The sentence with the arcs over it: from the row's word to each word that it looks at, as wide as its weight.

export interface ArcsFigure {
  words: readonly string[];
  query: number;
  key: number;
  /** Of the row; null where masked. */
  weights: readonly (number | null)[];
  /** Whether the words run from right to left. */
  backwards: boolean;
  paint: Paint;
  title: string;
  axes: string;
  about: string;
  masked: string;
}

const SIZE = 28;
const SPACE = 14;
const ARCS = 132;

export function arcsFigure({ words, query, key, weights, backwards, paint, title, axes, about, masked }: ArcsFigure): Figure {
  const widths = measured(words, paint.font);
  const across = widths.reduce((sum, width) => sum + width + SPACE, 0);
  const width = Math.max(across, LEGEND_WIDTH, ...[title, axes, about].map((line, i) => widthOf(line, [15, 13, 12][i]))) + 2 * MARGIN;
  const top = MARGIN + 48 + ARCS;
  let at = 0;
  const boxes = widths.map((own) => {
    const left = backwards ? width - MARGIN - at - own : MARGIN + at;
    at += own + SPACE;
    return { left, right: left + own, top, bottom: top + SIZE + 16 };
  });
  const foot = top + SIZE + 72;
  const { ramp, stepOf } = coloursOf({ kind: 'weights', range: 1, paint });
  const marks: Mark[] = [
    text(MARGIN, MARGIN + 14, title, { size: 15, bold: true, fill: paint.ink }),
    text(MARGIN, MARGIN + 36, axes, { fill: paint.muted }),
    ...arcs(boxes, query, key, weights, paint),
    ...boxes.flatMap((box, i): Mark[] => {
      const weight = weights[i] ?? null;
      const middle = (box.left + box.right) / 2;
      const frame = { x: box.left, y: box.bottom, width: box.right - box.left, height: 6 };
      const word = text(middle, top + SIZE, words[i] ?? '', { size: SIZE, anchor: 'middle', fill: i === query ? paint.accent : paint.ink });
      if (weight === null) return [word, ...hatch(frame.x, frame.y, frame.width, 6, paint.hatch, 4)];
      return [
        word, { kind: 'rect', ...frame, fill: ramp.fill(stepOf(weight)), stroke: paint.border, line: 0.5 },
        text(middle, box.bottom + 22, percent(weight), { anchor: 'middle', bold: i === key, fill: i === key ? paint.accent : paint.muted }),
      ];
    }),
    ...legend({ kind: 'weights', range: 1, paint }, MARGIN, foot, masked),
    text(MARGIN, foot + 56, about, { size: 12, fill: paint.muted }),
  ];
  return { width, height: foot + 56 + MARGIN, title, paper: paint.paper, marks };
}

/** The thickest last, the chosen one over all. */
function arcs(boxes: readonly Parameters<typeof arc>[0][], query: number, chosen: number, weights: ArcsFigure['weights'], paint: Paint): Mark[] {
  const from = boxes[query];
  if (!from) return [];
  return weights.flatMap((weight, key) => (weight === null || weight < LEAST_ARC ? [] : [{ key, weight }]))
    .sort((a, b) => Number(a.key === chosen) - Number(b.key === chosen) || a.weight - b.weight)
    .map(({ key, weight }): Mark => {
      const width = Math.max(1, 12 * weight);
      return { kind: 'path', path: arc(boxes[key] ?? from, from, key === query, width), stroke: key === chosen ? paint.accent : paint.arcs, width, opacity: key === chosen ? 1 : 0.7 };
    });
}

/** In the page's own font; another one makes words a little wider or narrower than their room. */
function measured(words: readonly string[], font: string): number[] {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return words.map((word) => widthOf(word, SIZE));
  context.font = `${SIZE}px ${font}`;
  return words.map((word) => Math.max(36, Math.ceil(context.measureText(word).width)));
}

// A matrix as a figure that stands by itself: title, axes, cells, legend.

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

// One stage of every head as small multiples, in one colour range, that of the page.

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
