// How a stage's matrix looks: one picture enlarged, the hatch over what is masked, and frames over all.
import { type Strip, type View, coloursOf, eachCell } from '../kit/grid.ts';
import type { GridData } from '../kit/grid-view.ts';
import { hatch } from '../kit/paint.ts';

/** Cells, from the first to the last. */
export interface Box { top: number; bottom: number; left: number; right: number }

/** A frame around cells that belong together; places past the matrix's end are not drawn. */
export interface Frame extends Box {
  look: 'row' | 'key-row' | 'left' | 'right' | 'focus' | 'place';
}

export interface MatrixData extends GridData {
  frames: readonly Frame[];
  /** A hue for each column's head, over the matrix; none where heads are not told apart. */
  hues: readonly string[] | null;
  cell: { width: number; height: number };
  /** In CSS pixels, at most. */
  view: { width: number; height: number };
}

export const turnedFrame = <F extends Box>(frame: F): F => ({ ...frame, top: frame.left, bottom: frame.right, left: frame.top, right: frame.bottom });

export const STRIP = 6;

/** The hue of each column's head. */
export function drawHues(context: CanvasRenderingContext2D, { hues }: MatrixData, { x, cell, firstColumn, lastColumn }: View): void {
  for (let column = firstColumn; column < lastColumn; column += 1) {
    context.fillStyle = hues?.[column] ?? '';
    context.fillRect(column * cell.width - x, 0, cell.width, STRIP - 2);
  }
}

export function drawCells(context: CanvasRenderingContext2D, strip: Strip, data: MatrixData, view: View): void {
  const { kind, range, paint } = data;
  const { x, y, cell: { width, height }, firstRow, lastRow, firstColumn, lastColumn } = view;
  strip.draw([data], view);
  strip.enlarge(context, 0, firstColumn * width - x, firstRow * height - y, (lastColumn - firstColumn) * width, (lastRow - firstRow) * height);
  const { ramp, stepOf } = coloursOf(data);
  const least = Math.min(width, height);
  let region: Path2D | null = null;
  eachCell(data, view, (row, column, number) => {
    if (number === -Infinity) return (region ??= new Path2D()).rect(column * width - x, row * height - y, width, height);
    // A dot on each number that is larger than the colours reach, which a kept range allows.
    if (kind !== 'signed' || least < 4 || Math.abs(number) <= range) return;
    context.fillStyle = ramp.ink(stepOf(number));
    context.beginPath();
    context.arc((column + 0.5) * width - x, (row + 0.5) * height - y, least / 5, 0, 2 * Math.PI);
    context.fill();
  });
  if (region) {
    context.fillStyle = paint.paper;
    context.fill(region);
    hatch(context, region, { ...view, offsetX: x, offsetY: y }, paint.hatch, 4);
  } else if (least >= 10) drawGaps(context, paint.paper, view);
}

/** A hair of paper between cells that are large enough to be told apart. */
function drawGaps(context: CanvasRenderingContext2D, paper: string, { x, y, width, height, cell, firstRow, lastRow, firstColumn, lastColumn }: View): void {
  context.fillStyle = paper;
  for (let row = firstRow + 1; row <= lastRow; row += 1) context.fillRect(0, row * cell.height - y - 0.5, width, 0.5);
  for (let column = firstColumn + 1; column <= lastColumn; column += 1) context.fillRect(column * cell.width - x - 0.5, 0, 0.5, height);
}

const LINES: Record<Frame['look'], number> = { focus: 3, left: 2, right: 2, place: 1.5, row: 1.5, 'key-row': 1.5 };

export function drawFrame(context: CanvasRenderingContext2D, { paint }: MatrixData, frame: Frame, { x, y, cell }: View): void {
  const [left, top] = [frame.left * cell.width - x, frame.top * cell.height - y];
  const [width, height] = [(frame.right - frame.left + 1) * cell.width, (frame.bottom - frame.top + 1) * cell.height];
  const line = LINES[frame.look];
  const dashed = frame.look === 'key-row' || frame.look === 'right';
  // Thin columns get a frame wide enough to be seen.
  const grow = Math.max(0, (7 - width) / 2);
  const box = [left - grow + line / 2, top + line / 2, width + 2 * grow - line, Math.max(1, height - line)] as const;
  if (line !== LINES.row || frame.look === 'place') {
    context.strokeStyle = paint.paper;
    context.lineWidth = line + 2;
    context.strokeRect(...box);
  }
  context.strokeStyle = paint.accent;
  context.lineWidth = line;
  context.setLineDash(dashed ? [5, 3] : []);
  context.strokeRect(...box);
  context.setLineDash([]);
}
