// How the large matrix looks: colours, the hatch over what is masked, numerals, and the selected line and cell.
import { signedRamp, signedStep, step } from '../colour.ts';
import { cellDifference, cellWeight } from '../format.ts';
import { type Paint, hatch } from './paint.ts';

export interface MatrixData {
  /** Words down the side and along the top. */
  rows: readonly string[];
  columns: readonly string[];
  /** Where a cell stands in the buffers: row · rowStride + column · columnStride. */
  rowStride: number;
  columnStride: number;
  /** Of the head shown: weights from 0 to 1, or differences of two from −range to +range. */
  numbers: Float32Array;
  kind: 'weights' | 'signed';
  range: number;
  /** −Infinity where masked. */
  masked: Float32Array;
  /** Places of cells, in the buffers, whose allowance was turned round by hand. */
  edited: ReadonlySet<number>;
  row: number;
  column: number;
  /** Whether a row is a query, so that the frame of the selected query runs across. */
  queriesAcross: boolean;
  /** Whether a click masks a cell, or shows it again. */
  masking: boolean;
  /** The selected cell, in words, for a screen reader. */
  label: string;
  gridLabel: string;
  /** The selected row in one sentence. */
  summary: string;
  paint: Paint;
  /** Inside the frame; measured once a resize, since asking costs a layout. */
  width: number;
  /** Cells become small before the matrix is higher. */
  height: number;
  /** Whether all cells are drawn, however small, instead of those in view. */
  whole: boolean;
}

/** Smaller cells hold no numeral. */
export const NUMERALS_FROM = 36;

/** Cells in view: from the first to before the last. */
export interface Area { firstRow: number; lastRow: number; firstColumn: number; lastColumn: number }

/** The same, where it stands in all the cells, and the size of one. */
export interface View extends Area { x: number; y: number; width: number; height: number; size: number }

export function drawMatrix(context: CanvasRenderingContext2D, data: MatrixData, view: View): void {
  const { paint } = data;
  context.fillStyle = paint.paper;
  // Past the edge, where the canvas may end in part of a dot.
  context.fillRect(0, 0, view.width + 1, view.height + 1);
  cells(context, data, view);
  if (view.size >= NUMERALS_FROM) numerals(context, data, view);
  if (data.edited.size > 0) corners(context, data, view);
  selection(context, data, view);
}

/** Each cell in view, with its place in the buffers. */
function each({ rowStride, columnStride }: MatrixData, { firstRow, lastRow, firstColumn, lastColumn }: Area, act: (row: number, column: number, at: number) => void): void {
  for (let row = firstRow; row < lastRow; row += 1) {
    for (let column = firstColumn; column < lastColumn; column += 1) act(row, column, row * rowStride + column * columnStride);
  }
}

/** The colours, and which of them a number has. */
function scale({ kind, range, paint }: MatrixData) {
  const signed = kind === 'signed';
  return { ramp: signed ? signedRamp(paint.theme) : paint.ramp, stepOf: (x: number) => (signed ? signedStep(x, range) : step(x)) };
}

function cells(context: CanvasRenderingContext2D, data: MatrixData, view: View): void {
  const { size } = view;
  const { ramp, stepOf } = scale(data);
  let region: Path2D | null = null;
  let fill = '';
  each(data, view, (row, column, at) => {
    const [x, y] = [column * size - view.x, row * size - view.y];
    if (data.masked[at] === -Infinity) return (region ??= new Path2D()).rect(x, y, size, size);
    const own = ramp.fill(stepOf(data.numbers[at] ?? 0));
    // Reading a colour takes longer than filling a cell.
    if (own !== fill) context.fillStyle = fill = own;
    context.fillRect(x, y, size - 1, size - 1);
  });
  hatch(context, region, { ...view, offsetX: view.x, offsetY: view.y }, data.paint.hatch, 6);
}

function numerals(context: CanvasRenderingContext2D, data: MatrixData, view: View): void {
  const { size } = view;
  const { ramp, stepOf } = scale(data);
  const words = data.kind === 'signed' ? cellDifference : cellWeight;
  const regular = `13px ${data.paint.font}`;
  context.font = regular;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  let fill = '';
  each(data, view, (row, column, at) => {
    if (data.masked[at] === -Infinity) return;
    const number = data.numbers[at] ?? 0;
    const chosen = row === data.row && column === data.column;
    const small = number !== 0 && Math.abs(number) < 0.005;
    const own = small ? data.paint.muted : ramp.ink(stepOf(number));
    if (own !== fill) context.fillStyle = fill = own;
    if (chosen) context.font = `bold ${regular}`;
    context.fillText(words(number), column * size - view.x + (size - 1) / 2, row * size - view.y + size / 2);
    if (chosen) context.font = regular;
  });
}

/** A dog-ear on each cell that was turned round by hand. */
function corners(context: CanvasRenderingContext2D, data: MatrixData, view: View): void {
  const { size } = view;
  const ear = Math.round(size / 4);
  context.beginPath();
  each(data, view, (row, column, at) => {
    if (!data.edited.has(at)) return;
    const [right, top] = [(column + 1) * size - view.x - 1, row * size - view.y];
    context.moveTo(right - ear, top);
    context.lineTo(right, top);
    context.lineTo(right, top + ear);
    context.closePath();
  });
  context.fillStyle = data.paint.ink;
  context.fill();
  context.strokeStyle = data.paint.paper;
  context.lineWidth = 1;
  context.stroke();
}

/** The selected query's frame runs through the whole matrix; two hairlines lead from its key's name to the cell. */
function selection(context: CanvasRenderingContext2D, data: MatrixData, view: View): void {
  const { size } = view;
  const [x, y] = [data.column * size - view.x, data.row * size - view.y];
  context.strokeStyle = data.paint.accent;
  context.lineWidth = 1;
  context.globalAlpha = 0.6;
  context.beginPath();
  for (const edge of [0.5, size - 1.5]) {
    if (data.queriesAcross) context.moveTo(x + edge, 0), context.lineTo(x + edge, Math.max(0, y));
    else context.moveTo(0, y + edge), context.lineTo(Math.max(0, x), y + edge);
  }
  context.stroke();
  context.globalAlpha = 1;
  context.lineWidth = 1.5;
  if (data.queriesAcross) context.strokeRect(-view.x + 0.75, y + 0.25, data.columns.length * size - 1.5, size - 1.5);
  else context.strokeRect(x + 0.25, -view.y + 0.75, size - 1.5, data.rows.length * size - 1.5);
  context.strokeStyle = data.paint.paper;
  context.lineWidth = 1;
  context.strokeRect(x + 2.5, y + 2.5, size - 6, size - 6);
  context.strokeStyle = data.paint.accent;
  context.lineWidth = 3;
  context.strokeRect(x + 0.5, y + 0.5, size - 2, size - 2);
}
