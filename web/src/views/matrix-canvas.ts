// The large matrix's canvas: rows that stand there as they are to be stay; a key's change is often one row.
import { language } from '../language.ts';
import { type Area, type MatrixData, type View, drawMatrix } from './matrix-drawing.ts';
import { openCanvas } from './paint.ts';

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
