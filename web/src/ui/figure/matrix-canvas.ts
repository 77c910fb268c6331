// How the large matrix looks, and its canvas: rows that stand there as they are to be stay.
import { signedRamp, signedStep, step } from '../../lib/colour.ts';
import { cellDifference, cellWeight } from '../../lib/format.ts';
import { language } from '../../lib/language.ts';
import { type Paint, hatch, openCanvas } from '../kit/paint.ts';

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

// The large matrix's canvas: rows that stand there as they are to be stay; a key's change is often one row.

interface Drawn {
  /** All but the cells; of other numbers or masks alone, rows can be drawn. */
  look: readonly unknown[];
  /** Of the area in view, row after row; −∞ where masked. */
  cells: Float32Array;
}

export class MatrixCanvas {
  #drawn: Drawn | null = null;

  /** `again` draws once more what the browser has lost. */
  constructor(private readonly canvas: HTMLCanvasElement, again: () => void) {
    canvas.addEventListener('contextrestored', () => {
      this.#drawn = null;
      again();
    });
  }

  draw(data: MatrixData, view: View): void {
    const { canvas } = this;
    const before = this.#drawn;
    const context = openCanvas(canvas, Math.max(1, view.width), Math.max(1, view.height));
    if (!context) return;
    this.#drawn = { look: look(data, view, canvas), cells: cellsIn(data, view) };
    const area = before && isAlike(before, this.#drawn) ? changed(before, this.#drawn, view) : view;
    if (area.firstRow >= area.lastRow) return;
    context.save();
    context.beginPath();
    context.rect(0, area.firstRow * view.size - view.y, view.width + 1, (area.lastRow - area.firstRow) * view.size);
    context.clip();
    drawMatrix(context, data, { ...view, ...area });
    context.restore();
  }
}

function look({ kind, range, row, column, rows, columns, queriesAcross, edited, paint }: MatrixData, view: View, { width, height }: HTMLCanvasElement): unknown[] {
  // Most often no cell is masked by hand; a new set is then no other look.
  return [...Object.values(view), width, height, devicePixelRatio, language(), document.fonts.status, kind, range, row, column, rows.length, columns.length, queriesAcross, edited.size > 0 && edited, paint];
}

const isAlike = (before: Drawn, now: Drawn): boolean => before.look.length === now.look.length && now.look.every((each, i) => each === before.look[i]);

function cellsIn({ numbers, masked, rowStride, columnStride }: MatrixData, { firstRow, lastRow, firstColumn, lastColumn }: Area): Float32Array {
  // Before there is a width, nothing is in view.
  const across = Math.max(0, lastColumn - firstColumn);
  const cells = new Float32Array(Math.max(0, lastRow - firstRow) * across);
  for (let i = 0; i < cells.length; i += 1) {
    const at = (firstRow + Math.floor(i / across)) * rowStride + (firstColumn + (i % across)) * columnStride;
    cells[i] = masked[at] === -Infinity ? -Infinity : (numbers[at] ?? 0);
  }
  return cells;
}

/** From the first row with another number to the last; all, where these do not begin and end at the screen's own dots. */
function changed({ cells: before }: Drawn, { cells: now }: Drawn, view: View): Area {
  const { firstRow, firstColumn, lastColumn, size, y } = view;
  const rowOf = (at: number) => firstRow + Math.floor(at / (lastColumn - firstColumn));
  const isOther = (x: number, i: number) => !Object.is(x, before[i]);
  const first = now.findIndex(isOther);
  if (first < 0) return { ...view, lastRow: firstRow };
  const area = { ...view, firstRow: rowOf(first), lastRow: rowOf(now.findLastIndex(isOther)) + 1 };
  const isWhole = (row: number) => Number.isInteger((row * size - y) * devicePixelRatio);
  return isWhole(area.firstRow) && isWhole(area.lastRow) ? area : view;
}
