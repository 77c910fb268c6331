// How a stage's matrix looks: one picture enlarged, the hatch over what is masked, and frames over all.
import { type Ramp, signedRamp, signedStep, step } from '../../lib/colour.ts';
import { type Paint, hatch } from '../kit/paint.ts';

/** Cells, from the first to the last. */
export interface Box { top: number; bottom: number; left: number; right: number }

/** A frame around cells that belong together; places past the matrix's end are not drawn. */
export interface Frame extends Box {
  look: 'row' | 'key-row' | 'left' | 'right' | 'focus' | 'place';
}

export interface MatrixData {
  rows: number;
  columns: number;
  numbers: Float32Array;
  /** Where a cell stands in the buffers: row · rowStride + column · columnStride. */
  rowStride: number;
  columnStride: number;
  /** Where −Infinity, the cell is masked. */
  masked: Float32Array | null;
  /** Weights run from 0 to 1, everything else from −range to +range. */
  kind: 'weights' | 'signed';
  range: number;
  row: number;
  column: number;
  frames: readonly Frame[];
  /** A hue for each column's head, over the matrix; none where heads are not told apart. */
  hues: readonly string[] | null;
  cell: { width: number; height: number };
  /** In CSS pixels, at most. */
  view: { width: number; height: number };
  label: string;
  gridLabel: string;
  /** The row of the place in one sentence. */
  summary: string;
  paint: Paint;
}

/** Rows and columns change places: not the numbers, but where they are drawn. */
export function turned<D extends Pick<MatrixData, 'rows' | 'columns' | 'rowStride' | 'columnStride'>>(data: D): D {
  return { ...data, rows: data.columns, columns: data.rows, rowStride: data.columnStride, columnStride: data.rowStride };
}

export const turnedFrame = <F extends Box>(frame: F): F => ({ ...frame, top: frame.left, bottom: frame.right, left: frame.top, right: frame.bottom });

export const STRIP = 6;

/** What is in view: its offset and size in CSS pixels, and its first cell and count of cells. */
export interface Part { x: number; y: number; width: number; height: number; row: number; column: number; rows: number; columns: number }

/** The hue of each column's head. */
export function drawStrip(context: CanvasRenderingContext2D, { cell, hues }: MatrixData, part: Part): void {
  for (let column = part.column; column < part.column + part.columns; column += 1) {
    context.fillStyle = hues?.[column] ?? '';
    context.fillRect(column * cell.width - part.x, 0, cell.width, STRIP - 2);
  }
}

export function drawCells(context: CanvasRenderingContext2D, dots: HTMLCanvasElement, data: MatrixData, part: Part): void {
  const { cell, numbers, masked, kind, range, paint } = data;
  const scratch = dots.getContext('2d');
  if (!scratch) return;
  // A scratch picture that only grows: giving it a new size each time is what takes long.
  if (dots.width < part.columns || dots.height < part.rows) {
    [dots.width, dots.height] = [Math.max(dots.width, part.columns), Math.max(dots.height, part.rows)];
  }
  const image = scratch.createImageData(part.columns, part.rows);
  const pixels = new Uint32Array(image.data.buffer);
  const ramp: Ramp = kind === 'weights' ? paint.ramp : signedRamp(paint.theme);
  const region = new Path2D();
  let hidden = false;
  for (let i = 0; i < part.rows; i += 1) {
    for (let j = 0; j < part.columns; j += 1) {
      const [row, column] = [part.row + i, part.column + j];
      const at = row * data.rowStride + column * data.columnStride;
      const value = numbers[at] ?? NaN;
      if (masked?.[at] === -Infinity || !Number.isFinite(value)) {
        region.rect(column * cell.width - part.x, row * cell.height - part.y, cell.width, cell.height);
        hidden = true;
        continue;
      }
      pixels[i * part.columns + j] = ramp.pixel(kind === 'weights' ? step(value) : signedStep(value, range));
    }
  }
  scratch.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  const [left, top] = [part.column * cell.width - part.x, part.row * cell.height - part.y];
  context.drawImage(dots, 0, 0, part.columns, part.rows, left, top, part.columns * cell.width, part.rows * cell.height);
  drawOutside(context, data, part, ramp);
  if (hidden) {
    context.fillStyle = paint.paper;
    context.fill(region);
    hatch(context, region, { ...part, offsetX: part.x, offsetY: part.y }, paint.hatch, 4);
  } else if (Math.min(cell.width, cell.height) >= 10) drawGaps(context, data, part);
}

/** A dot on each number that is larger than the colours reach, which a kept range allows. */
function drawOutside(context: CanvasRenderingContext2D, data: MatrixData, part: Part, ramp: Ramp): void {
  const { cell, numbers, masked, kind, range } = data;
  const radius = Math.min(cell.width, cell.height) / 5;
  if (kind !== 'signed' || radius < 0.8) return;
  for (let row = part.row; row < part.row + part.rows; row += 1) {
    for (let column = part.column; column < part.column + part.columns; column += 1) {
      const at = row * data.rowStride + column * data.columnStride;
      const value = numbers[at] ?? NaN;
      if (!(Math.abs(value) > range) || !Number.isFinite(value) || masked?.[at] === -Infinity) continue;
      context.fillStyle = ramp.ink(signedStep(value, range));
      context.beginPath();
      context.arc((column + 0.5) * cell.width - part.x, (row + 0.5) * cell.height - part.y, radius, 0, 2 * Math.PI);
      context.fill();
    }
  }
}

/** A hair of paper between cells that are large enough to be told apart. */
function drawGaps(context: CanvasRenderingContext2D, { cell, paint }: MatrixData, part: Part): void {
  context.fillStyle = paint.paper;
  for (let i = 1; i <= part.rows; i += 1) context.fillRect(0, (part.row + i) * cell.height - part.y - 0.5, part.width, 0.5);
  for (let j = 1; j <= part.columns; j += 1) context.fillRect((part.column + j) * cell.width - part.x - 0.5, 0, 0.5, part.height);
}

const LINES: Record<Frame['look'], number> = { focus: 3, left: 2, right: 2, place: 1.5, row: 1.5, 'key-row': 1.5 };

export function drawFrame(context: CanvasRenderingContext2D, { cell, paint }: MatrixData, frame: Frame, part: Part): void {
  const [left, top] = [frame.left * cell.width - part.x, frame.top * cell.height - part.y];
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
