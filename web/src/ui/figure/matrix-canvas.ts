// The appearance of the large matrix, and its canvas: rows that have not changed are not drawn again.
import { cellDifference, cellWeight } from '../../lib/format.ts';
import { language } from '../../lib/language.ts';
import { type Area, NUMERALS_FROM, type Place, Strip, type View, coloursOf, eachCell, numberAt, paintCells } from '../kit/grid.ts';
import type { GridData } from '../kit/grid-view.ts';
import { openCanvas } from '../kit/paint.ts';

export interface MatrixData extends GridData {
  /** Words down the side and along the top. */
  rowWords: readonly string[];
  columnWords: readonly string[];
  /** Places of cells, in the buffers, whose allowance was turned round by hand. */
  edited: ReadonlySet<number>;
  /** Whether a row is a query, so that the frame of the selected query runs across. */
  queriesAcross: boolean;
  /** Whether a click masks or unmasks a cell. */
  masking: boolean;
  /** Inside the frame; measured once a resize, since asking costs a layout. */
  width: number;
  /** Cells become small before the matrix is higher. */
  height: number;
  /** Whether all cells are drawn, however small, instead of those in view. */
  whole: boolean;
  /** Whether all of it must be seen at once. */
  fits: boolean;
  /** The numbers before the last change, where these are the same cells; else null. */
  were: Float32Array | null;
}

function drawMatrix(context: CanvasRenderingContext2D, data: MatrixData, view: View, strip: Strip): void {
  const { paint } = data;
  context.fillStyle = paint.paper;
  // Past the edge, where the canvas may end in part of a dot.
  context.fillRect(0, 0, view.width + 1, view.height + 1);
  paintCells(context, data, view, strip);
  if (view.cell.width >= NUMERALS_FROM) numerals(context, data, view);
  if (data.were) notches(context, data, view);
  if (data.edited.size > 0) corners(context, data, view);
  selection(context, data, view);
}

function numerals(context: CanvasRenderingContext2D, data: MatrixData, view: View): void {
  const size = view.cell.width;
  const { ramp, stepOf } = coloursOf(data);
  const words = data.kind === 'signed' ? cellDifference : cellWeight;
  const regular = `13px ${data.paint.font}`;
  context.font = regular;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  let fill = '';
  eachCell(data, view, (row, column, number) => {
    if (number === -Infinity) return;
    const chosen = row === data.row && column === data.column;
    const small = number !== 0 && Math.abs(number) < 0.005;
    const own = small ? data.paint.muted : ramp.ink(stepOf(number));
    if (own !== fill) context.fillStyle = fill = own;
    if (chosen) context.font = `bold ${regular}`;
    context.fillText(words(number), column * size - view.x + (size - 1) / 2, row * size - view.y + size / 2);
    if (chosen) context.font = regular;
  });
}

/** A notch on each weight that the last change has changed. */
function notches(context: CanvasRenderingContext2D, data: MatrixData, view: View): void {
  const size = view.cell.width;
  const ear = Math.max(2, Math.min(8, Math.round(size / 4)));
  const { ramp, stepOf } = coloursOf(data);
  eachCell(data, view, (row, column, number, at) => {
    if (!isOtherShare(number === -Infinity ? 0 : number, data.were?.[at] ?? 0)) return;
    const [left, bottom] = [column * size - view.x, (row + 1) * size - view.y - 1];
    context.fillStyle = number === -Infinity ? data.paint.ink : ramp.ink(stepOf(number));
    context.beginPath();
    context.moveTo(left, bottom - ear);
    context.lineTo(left + ear, bottom);
    context.lineTo(left, bottom);
    context.fill();
  });
}

/** Whether a weight differs by at least 0.005. */
export const isOtherShare = (now: number, was: number): boolean => Math.abs(now - was) >= 0.005;

/** A mark in the corner of each cell changed by hand. */
function corners(context: CanvasRenderingContext2D, data: MatrixData, view: View): void {
  const size = view.cell.width;
  const ear = Math.round(size / 4);
  context.beginPath();
  eachCell(data, view, (row, column, _, at) => {
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
  const size = view.cell.width;
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
  if (data.queriesAcross) context.strokeRect(-view.x + 0.75, y + 0.25, data.columns * size - 1.5, size - 1.5);
  else context.strokeRect(x + 0.25, -view.y + 0.75, size - 1.5, data.rows * size - 1.5);
  context.strokeStyle = data.paint.paper;
  context.lineWidth = 1;
  context.strokeRect(x + 2.5, y + 2.5, size - 6, size - 6);
  context.strokeStyle = data.paint.accent;
  context.lineWidth = 3;
  context.strokeRect(x + 0.5, y + 0.5, size - 2, size - 2);
}

// The large matrix's canvas: a keystroke usually changes one row and the chosen cell; the rest is not drawn again.

interface Drawn extends Place {
  /** All but the cells and the chosen place; of these alone, parts can be drawn. */
  look: readonly unknown[];
  /** Of the area in view, row after row; −∞ where masked. */
  cells: Float32Array;
}

export class MatrixCanvas {
  #drawn: Drawn | null = null;
  readonly #strip = new Strip();

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
    const now = { look: look(data, view, canvas), cells: cellsIn(data, view), row: data.row, column: data.column };
    this.#drawn = now;
    // Cells smaller than a dot of the screen are blended with those beside them.
    const isWhole = !before || !isAlike(before, now) || view.cell.width * devicePixelRatio < 1;
    for (const area of isWhole ? [view] : changed(before, now, view)) drawPart(context, data, view, area, this.#strip);
  }
}

/** Draws these cells, and one pixel around them for the lines on their edges. */
function drawPart(context: CanvasRenderingContext2D, data: MatrixData, view: View, { firstRow, lastRow, firstColumn, lastColumn }: Area, strip: Strip): void {
  const { x, y, cell } = view;
  // Whole dots of the screen, so that what the clip cuts leaves no trace; the cells that share them are drawn, too.
  const dots = (at: number, round: (x: number) => number) => round(at * devicePixelRatio) / devicePixelRatio;
  const [left, top] = [dots(firstColumn * cell.width - x - 1, Math.floor), dots(firstRow * cell.width - y - 1, Math.floor)];
  // The last row and column reach past the edge: the canvas may end in part of a dot.
  const [right, bottom] = [dots(lastColumn * cell.width - x + 1, Math.ceil), dots(lastRow * cell.width - y + 1, Math.ceil)];
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, bottom - top);
  context.clip();
  drawMatrix(context, data, {
    ...view, firstRow: Math.max(view.firstRow, firstRow - 1), lastRow: Math.min(view.lastRow, lastRow + 1),
    firstColumn: Math.max(view.firstColumn, firstColumn - 1), lastColumn: Math.min(view.lastColumn, lastColumn + 1),
  }, strip);
  context.restore();
}

function look({ kind, range, rows, columns, queriesAcross, edited, were, paint }: MatrixData, { cell, ...view }: View, { width, height }: HTMLCanvasElement): unknown[] {
  // Most often no cell is masked by hand; a new set is then no other look.
  return [...Object.values(view), cell.width, width, height, devicePixelRatio, language(), document.fonts.status, kind, range, rows, columns, queriesAcross, edited.size > 0 && edited, were, paint];
}

const isAlike = (before: Drawn, now: Drawn): boolean => before.look.length === now.look.length && now.look.every((each, i) => each === before.look[i]);

function cellsIn(data: MatrixData, view: View): Float32Array {
  const { firstRow, lastRow, firstColumn, lastColumn } = view;
  // Without a width, nothing is in view.
  const cells = new Float32Array(Math.max(0, lastRow - firstRow) * Math.max(0, lastColumn - firstColumn));
  let i = 0;
  for (let row = firstRow; row < lastRow; row += 1) {
    for (let column = firstColumn; column < lastColumn; column += 1) cells[i++] = numberAt(data, row * data.rowStride + column * data.columnStride);
  }
  return cells;
}

/** Rows from the first with another number to the last; and where the place that is chosen, or was, has its row and column. */
function changed(before: Drawn, now: Drawn, view: View): Area[] {
  const { firstRow, firstColumn, lastColumn } = view;
  const rowOf = (at: number) => firstRow + Math.floor(at / (lastColumn - firstColumn));
  const isOther = (x: number, i: number) => !Object.is(x, before.cells[i]);
  const first = now.cells.findIndex(isOther);
  const rows = first < 0 ? [] : [{ ...view, firstRow: rowOf(first), lastRow: rowOf(now.cells.findLastIndex(isOther)) + 1 }];
  const places = before.row === now.row && before.column === now.column ? [] : [before, now];
  return [...rows, ...places.flatMap(({ row, column }) => [{ ...view, firstRow: row, lastRow: row + 1 }, { ...view, firstColumn: column, lastColumn: column + 1 }])];
}
