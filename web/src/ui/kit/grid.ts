// A grid of numbers, as every matrix draws it: which colour a number has, which cells are in view, and cells on a canvas, each
// as a rectangle or as one dot of a picture that is enlarged.
import { type Ramp, signedRamp, signedStep, step } from '../../lib/colour.ts';
import { type Paint, hatch } from './paint.ts';

/** How numbers become colours: weights from 0 to 1, all others from −range to +range. */
export interface Scale { kind: 'weights' | 'signed'; range: number; paint: Paint }

export interface Colours { ramp: Ramp; stepOf(x: number): number }

export function coloursOf({ kind, range, paint }: Scale): Colours {
  return kind === 'weights' ? { ramp: paint.ramp, stepOf: step } : { ramp: signedRamp(paint.theme), stepOf: (x) => signedStep(x, range) };
}

export interface Grid extends Scale {
  rows: number;
  columns: number;
  /** Where a cell stands in the buffers: row · rowStride + column · columnStride. */
  rowStride: number;
  columnStride: number;
  numbers: ArrayLike<number>;
  /** −Infinity where masked; null where that stands among the numbers, or nowhere. */
  masked: Float32Array | null;
}

export interface Place { row: number; column: number }

export interface Size { width: number; height: number }

/** Cells: from the first to before the last. */
export interface Area { firstRow: number; lastRow: number; firstColumn: number; lastColumn: number }

/** Those in view, the offset and size of the view in CSS pixels, and the size of one cell. */
export interface View extends Area, Size { x: number; y: number; cell: Size }

/** Smaller cells hold no numeral. */
export const NUMERALS_FROM = 36;

/** A cell's number; −Infinity where it is masked, or not finite. */
export function numberAt({ numbers, masked }: Grid, at: number): number {
  const number = numbers[at] ?? NaN;
  return masked?.[at] === -Infinity || !Number.isFinite(number) ? -Infinity : number;
}

/** Each cell, with its number and its place in the buffers. */
export function eachCell(grid: Grid, { firstRow, lastRow, firstColumn, lastColumn }: Area, act: (row: number, column: number, number: number, at: number) => void): void {
  const { rowStride, columnStride } = grid;
  for (let row = firstRow; row < lastRow; row += 1) {
    for (let column = firstColumn; column < lastColumn; column += 1) {
      const at = row * rowStride + column * columnStride;
      act(row, column, numberAt(grid, at), at);
    }
  }
}

export const allOf = ({ rows, columns }: Grid): Area => ({ firstRow: 0, lastRow: rows, firstColumn: 0, lastColumn: columns });

export const clamp = (value: number, most: number): number => Math.max(0, Math.min(value, most));

/** Where a key leads from a place: arrows by one, pages by eight, Home and End along the row, with Control to the corners; null where it is no such key. */
export function placeAfter({ key, ctrlKey, metaKey }: KeyboardEvent, { row, column }: Place, { rows, columns }: Pick<Grid, 'rows' | 'columns'>): Place | null {
  const far = ctrlKey || metaKey ? rows : 0;
  const ways: Record<string, readonly [down: number, across: number]> = {
    ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    PageUp: [-8, 0], PageDown: [8, 0], Home: [-far, -columns], End: [far, columns],
  };
  const [down, across] = ways[key] ?? [];
  return down === undefined || across === undefined ? null : { row: clamp(row + down, rows - 1), column: clamp(column + across, columns - 1) };
}

// On a canvas, each cell a rectangle.

/** Smaller cells have no line of paper between them, which would be most of what is seen. */
const PARTED_FROM = 4;

/** Large cells have a line of paper between them; small ones are drawn together, as a picture on `strip`. */
export function paintCells(context: CanvasRenderingContext2D, grid: Grid, view: View, strip: Strip): void {
  const { x, y, cell } = view;
  if (cell.width < PARTED_FROM) strip.paint(context, grid, view);
  else paintParted(context, grid, view);
  hatch(context, maskedRegion(grid, view), { ...view, offsetX: x, offsetY: y }, grid.paint.hatch, 6);
}

function paintParted(context: CanvasRenderingContext2D, grid: Grid, view: View): void {
  const { x, y, cell: { width, height } } = view;
  const { ramp, stepOf } = coloursOf(grid);
  let fill = '';
  eachCell(grid, view, (row, column, number) => {
    if (number === -Infinity) return;
    const own = ramp.fill(stepOf(number));
    // Reading a colour takes longer than filling a cell.
    if (own !== fill) context.fillStyle = fill = own;
    context.fillRect(column * width - x, row * height - y, width - 1, height - 1);
  });
}

/** The masked cells: a rectangle for each run of cells in a row; null if there are none. */
export function maskedRegion(grid: Grid, { x, y, cell: { width, height }, firstRow, lastRow, firstColumn, lastColumn }: View): Path2D | null {
  let region: Path2D | null = null;
  for (let row = firstRow; row < lastRow; row += 1) {
    let from = -1;
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      const isMasked = column < lastColumn && numberAt(grid, row * grid.rowStride + column * grid.columnStride) === -Infinity;
      if (isMasked === from >= 0) continue;
      if (!isMasked) (region ??= new Path2D()).rect(from * width - x, row * height - y, (column - from) * width, height);
      from = isMasked ? column : -1;
    }
  }
  return region;
}

// As pictures of one dot a cell, which are enlarged.

/** The same in `most` dots down and across at most: one stands for a block of cells, for its largest size. */
export function reduced(grid: Grid, most: number): Grid {
  const [down, across] = [Math.ceil(grid.rows / most), Math.ceil(grid.columns / most)];
  if (down <= 1 && across <= 1) return grid;
  const [rows, columns] = [Math.ceil(grid.rows / down), Math.ceil(grid.columns / across)];
  const numbers = new Float32Array(rows * columns);
  let dot = 0;
  for (let row = 0; row < grid.rows; row += down) {
    for (let column = 0; column < grid.columns; column += across) {
      numbers[dot++] = largest(grid, { firstRow: row, lastRow: Math.min(row + down, grid.rows), firstColumn: column, lastColumn: Math.min(column + across, grid.columns) });
    }
  }
  return { ...grid, rows, columns, rowStride: columns, columnStride: 1, numbers, masked: null };
}

/** The number of the largest size; −Infinity where all are masked. */
function largest(grid: Grid, area: Area): number {
  // What is masked has no weight, so that the mask matters only where there is none at all.
  const most = grid.kind === 'weights' ? largestWeight(grid, area) : 0;
  if (most > 0) return most;
  let [found, size] = [-Infinity, -1];
  eachCell(grid, area, (_, __, number) => {
    const own = Math.abs(number);
    if (own > size && own < Infinity) [found, size] = [number, own];
  });
  return found;
}

/** A loop without callbacks, for speed: each key passes every cell of all heads. */
function largestWeight({ rowStride, columnStride, numbers }: Grid, { firstRow, lastRow, firstColumn, lastColumn }: Area): number {
  let most = 0;
  for (let row = firstRow; row < lastRow; row += 1) {
    const end = row * rowStride + lastColumn * columnStride;
    for (let at = row * rowStride + firstColumn * columnStride; at < end; at += columnStride) {
      const number = numbers[at] as number;
      if (number > most && number < Infinity) most = number;
    }
  }
  return most;
}

/** One word of 32 bits a cell, row after row; masked cells stay clear. A loop of its own, as in `largestWeight`. */
export function dots(pixels: Uint32Array, from: number, grid: Grid, { firstRow, lastRow, firstColumn, lastColumn }: Area): void {
  const { ramp, stepOf } = coloursOf(grid);
  let dot = from;
  for (let row = firstRow; row < lastRow; row += 1) {
    for (let column = firstColumn, at = row * grid.rowStride + column * grid.columnStride; column < lastColumn; column += 1, at += grid.columnStride) {
      const number = numberAt(grid, at);
      pixels[dot++] = number === -Infinity ? 0 : ramp.pixel(stepOf(number));
    }
  }
}

const powerOf2 = (least: number): number => 2 ** Math.ceil(Math.log2(least));

/** Grids of one size, below each other on a scratch canvas. Writing to a canvas that was just read makes the browser copy it. */
export class Strip {
  readonly #canvas = document.createElement('canvas');
  #image: ImageData | null = null;
  #size: Size = { width: 0, height: 0 };

  draw(grids: readonly Grid[], area: Area = allOf(grids[0] as Grid)): void {
    const [width, height] = [area.lastColumn - area.firstColumn, area.lastRow - area.firstRow];
    const canvas = this.#canvas;
    this.#size = { width, height };
    // Canvas and image only grow: a new size at each word would be slow.
    if (canvas.width < width) canvas.width = powerOf2(width);
    if (canvas.height < height * grids.length) canvas.height = powerOf2(height * grids.length);
    if (this.#image?.width !== width || this.#image.height !== height * grids.length) this.#image = new ImageData(width, height * grids.length);
    const pixels = new Uint32Array(this.#image.data.buffer);
    grids.forEach((grid, i) => dots(pixels, i * width * height, grid, area));
    canvas.getContext('2d')?.putImageData(this.#image, 0, 0);
  }

  /** The grid of that number, on a canvas of its own. */
  show(canvas: HTMLCanvasElement, i: number, width: number, height: number): void {
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const context = canvas.getContext('2d');
    context?.clearRect(0, 0, width, height);
    if (context) this.enlarge(context, i, 0, 0, width, height);
  }

  /** One grid's cells where they lie. Those smaller than a dot of the screen are blended, so that none is lost. */
  paint(context: CanvasRenderingContext2D, grid: Grid, { x, y, cell: { width, height }, ...area }: View): void {
    const { firstRow, lastRow, firstColumn, lastColumn } = area;
    if (lastRow <= firstRow || lastColumn <= firstColumn) return;
    this.draw([grid], area);
    this.enlarge(context, 0, firstColumn * width - x, firstRow * height - y, (lastColumn - firstColumn) * width, (lastRow - firstRow) * height, width * devicePixelRatio < 1);
  }

  /** The same as a part of a drawing. */
  enlarge(context: CanvasRenderingContext2D, i: number, left: number, top: number, across: number, down: number, isBlended = false): void {
    const { width, height } = this.#size;
    context.imageSmoothingEnabled = isBlended;
    context.drawImage(this.#canvas, 0, i * height, width, height, left, top, across, down);
  }
}
