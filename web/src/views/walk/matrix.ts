// Any stage's matrix, small: only the window in view is drawn, as one picture enlarged, with frames over it.
// One cell of an ARIA grid stands for all: it moves with the chosen place and says in words what is there.
import { type Ramp, signedRamp, signedStep, step } from '../../colour.ts';
import { type Paint, hatch, openCanvas } from '../paint.ts';

/** A frame around cells that belong together; places past the matrix's end are not drawn. */
export interface Frame {
  top: number;
  bottom: number;
  left: number;
  right: number;
  look: 'row' | 'key-row' | 'left' | 'right' | 'focus' | 'place';
}

export interface MatrixData {
  rows: number;
  columns: number;
  /** [rows, columns] */
  numbers: Float32Array;
  /** Where −Infinity, the cell is masked; [rows, columns]. */
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
  paint: Paint;
}

export interface MatrixEvents {
  /** A place to look at while the mouse is there; null when it has left. */
  hover(place: { row: number; column: number } | null): void;
  choose(place: { row: number; column: number }): void;
  scrolled(top: number): void;
}

export const STRIP = 6;
const PAGE = 8;

export class StageMatrix {
  readonly host: HTMLElement;
  readonly #space: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #grid: HTMLElement;
  readonly #row: HTMLElement;
  readonly #cell: HTMLElement;
  readonly #events: MatrixEvents;
  readonly #dots = document.createElement('canvas');
  #data: MatrixData | null = null;
  #scroll = { x: 0, y: 0 };
  #hovered = '';
  #frame = 0;

  constructor(host: HTMLElement, events: MatrixEvents) {
    const find = <E extends Element>(selector: string) => host.querySelector(selector) as E;
    this.host = host;
    this.#events = events;
    this.#space = find('.stage-space');
    this.#canvas = find('canvas');
    this.#grid = find('[role=grid]');
    this.#row = find('[role=row]');
    this.#cell = find('[role=gridcell]');
    host.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.#canvas.addEventListener('pointermove', (event) => this.#hover(event));
    this.#canvas.addEventListener('pointerleave', () => this.#unhover());
    this.#canvas.addEventListener('click', (event) => this.#click(event));
    this.#cell.addEventListener('keydown', (event) => this.#press(event));
  }

  update(data: MatrixData): void {
    const before = this.#data;
    this.#data = data;
    this.#layout(data);
    if (!before || before.row !== data.row || before.column !== data.column || before.rows !== data.rows) this.#reveal(data);
    this.#describe(data);
    this.#draw();
  }

  focus(): void {
    this.#cell.focus({ preventScroll: true });
  }

  /** Rows of all matrices stay in line. */
  scrollTo(top: number): void {
    if (this.#scroll.y === top) return;
    this.#scroll.y = top;
    this.host.scrollTop = top;
    this.#later();
  }

  #layout({ rows, columns, cell, view, hues }: MatrixData): void {
    const strip = hues ? STRIP : 0;
    const [width, height] = [columns * cell.width, rows * cell.height + strip];
    set(this.#space.style, 'width', `${width}px`);
    set(this.#space.style, 'height', `${height}px`);
    set(this.host.style, 'width', `${Math.min(width, view.width)}px`);
    // A bar to scroll sideways must not cover a row.
    set(this.host.style, 'height', `${Math.min(height, view.height + strip) + (width > view.width ? 10 : 0)}px`);
    set(this.#cell.style, 'width', `${cell.width}px`);
    set(this.#cell.style, 'height', `${cell.height}px`);
  }

  #window(data: MatrixData) {
    const { cell, view, rows, columns } = data;
    const [all, high] = [columns * cell.width, rows * cell.height];
    const [width, height] = [Math.min(all, view.width), Math.min(high, view.height)];
    const clamp = (value: number, most: number) => Math.max(0, Math.min(value, most));
    return { x: clamp(this.#scroll.x, all - width), y: clamp(this.#scroll.y, high - height), width, height };
  }

  #later(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    const data = this.#data;
    if (!data) return;
    const { cell, hues, paint } = data;
    const view = this.#window(data);
    const strip = hues ? STRIP : 0;
    const context = openCanvas(this.#canvas, Math.max(1, view.width), Math.max(1, view.height + strip));
    if (!context) return;
    context.fillStyle = paint.paper;
    context.fillRect(0, 0, view.width, view.height + strip);
    const first = { row: Math.floor(view.y / cell.height), column: Math.floor(view.x / cell.width) };
    const count = {
      rows: Math.min(data.rows, Math.ceil((view.y + view.height) / cell.height)) - first.row,
      columns: Math.min(data.columns, Math.ceil((view.x + view.width) / cell.width)) - first.column,
    };
    if (count.rows <= 0 || count.columns <= 0) return;
    if (hues) this.#strip(context, data, view.x, first.column, count.columns);
    context.save();
    context.translate(0, strip);
    this.#cells(context, data, view, first, count);
    for (const frame of data.frames) this.#outline(context, data, frame, view);
    context.restore();
  }

  #strip(context: CanvasRenderingContext2D, { cell, hues }: MatrixData, x: number, from: number, count: number): void {
    for (let column = from; column < from + count; column += 1) {
      context.fillStyle = hues?.[column] ?? '';
      context.fillRect(column * cell.width - x, 0, cell.width, STRIP - 2);
    }
  }

  #cells(
    context: CanvasRenderingContext2D, data: MatrixData, view: { x: number; y: number; width: number; height: number },
    first: { row: number; column: number }, count: { rows: number; columns: number },
  ): void {
    const { cell, numbers, masked, columns, kind, range, paint } = data;
    const scratch = this.#dots.getContext('2d');
    if (!scratch) return;
    // A scratch picture that only grows: giving it a new size each time is what takes long.
    if (this.#dots.width < count.columns || this.#dots.height < count.rows) {
      [this.#dots.width, this.#dots.height] = [Math.max(this.#dots.width, count.columns), Math.max(this.#dots.height, count.rows)];
    }
    const image = scratch.createImageData(count.columns, count.rows);
    const ramp: Ramp = kind === 'weights' ? paint.ramp : signedRamp(paint.theme);
    const region = new Path2D();
    let hidden = false;
    for (let i = 0; i < count.rows; i += 1) {
      for (let j = 0; j < count.columns; j += 1) {
        const [row, column] = [first.row + i, first.column + j];
        const value = numbers[row * columns + column] ?? NaN;
        const pixel = (i * count.columns + j) * 4;
        if (masked?.[row * columns + column] === -Infinity || !Number.isFinite(value)) {
          region.rect(column * cell.width - view.x, row * cell.height - view.y, cell.width, cell.height);
          hidden = true;
          continue;
        }
        const at = (kind === 'weights' ? step(value) : signedStep(value, range)) * 3;
        image.data[pixel] = ramp.bytes[at] ?? 0;
        image.data[pixel + 1] = ramp.bytes[at + 1] ?? 0;
        image.data[pixel + 2] = ramp.bytes[at + 2] ?? 0;
        image.data[pixel + 3] = 255;
      }
    }
    scratch.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(
      this.#dots, 0, 0, count.columns, count.rows,
      first.column * cell.width - view.x, first.row * cell.height - view.y, count.columns * cell.width, count.rows * cell.height,
    );
    if (hidden) {
      context.fillStyle = paint.paper;
      context.fill(region);
      hatch(context, region, { ...view, offsetX: view.x, offsetY: view.y }, paint.hatch, 4);
    }
    if (Math.min(cell.width, cell.height) >= 10) this.#gaps(context, data, view, first, count, masked);
  }

  /** A hair of paper between cells that are large enough to be told apart. */
  #gaps(
    context: CanvasRenderingContext2D, { cell, paint }: MatrixData, view: { x: number; y: number; width: number; height: number },
    first: { row: number; column: number }, count: { rows: number; columns: number }, masked: Float32Array | null,
  ): void {
    if (masked) return;
    context.fillStyle = paint.paper;
    for (let i = 1; i <= count.rows; i += 1) context.fillRect(0, (first.row + i) * cell.height - view.y - 0.5, view.width, 0.5);
    for (let j = 1; j <= count.columns; j += 1) context.fillRect((first.column + j) * cell.width - view.x - 0.5, 0, 0.5, view.height);
  }

  #outline(context: CanvasRenderingContext2D, data: MatrixData, frame: Frame, view: { x: number; y: number; width: number }): void {
    const { cell, paint } = data;
    const [left, top] = [frame.left * cell.width - view.x, frame.top * cell.height - view.y];
    const [width, height] = [(frame.right - frame.left + 1) * cell.width, (frame.bottom - frame.top + 1) * cell.height];
    const faint = frame.look === 'row' || frame.look === 'key-row';
    const line = frame.look === 'focus' ? 3 : frame.look === 'left' || frame.look === 'right' ? 2 : 1.5;
    const dashed = frame.look === 'key-row' || frame.look === 'right';
    // Thin columns get a frame wide enough to be seen, inside the picture.
    const grow = Math.max(0, (7 - width) / 2);
    const box = [left - grow + line / 2, top + line / 2, width + 2 * grow - line, Math.max(1, height - line)] as const;
    context.setLineDash([]);
    if (!faint) {
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

  #describe(data: MatrixData): void {
    const put = (element: Element, name: string, value: string | number) => {
      if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
    };
    put(this.#grid, 'aria-label', data.gridLabel);
    put(this.#grid, 'aria-rowcount', data.rows);
    put(this.#grid, 'aria-colcount', data.columns);
    put(this.#row, 'aria-rowindex', data.row + 1);
    put(this.#cell, 'aria-colindex', data.column + 1);
    put(this.#cell, 'aria-label', data.label);
    const strip = data.hues ? STRIP : 0;
    set(this.#cell.style, 'transform', `translate(${data.column * data.cell.width}px, ${data.row * data.cell.height + strip}px)`);
  }

  #reveal(data: MatrixData): void {
    const { cell, row, column } = data;
    const view = this.#window(data);
    const into = (at: number, size: number, scroll: number, room: number) => {
      if (at < scroll) return Math.max(0, at - size);
      return at + size > scroll + room ? at + 2 * size - room : scroll;
    };
    const [x, y] = [into(column * cell.width, cell.width, view.x, view.width), into(row * cell.height, cell.height, view.y, view.height)];
    if (x === this.#scroll.x && y === this.#scroll.y) return;
    this.#scroll = { x, y };
    requestAnimationFrame(() => this.host.scrollTo(this.#scroll.x, this.#scroll.y));
  }

  #scrolled(): void {
    const [x, y] = [this.host.scrollLeft, this.host.scrollTop];
    if (x === this.#scroll.x && y === this.#scroll.y) return;
    const moved = y !== this.#scroll.y;
    this.#scroll = { x, y };
    if (moved) this.#events.scrolled(y);
    this.#later();
  }

  #at(event: MouseEvent): { row: number; column: number } | null {
    const data = this.#data;
    if (!data || data.rows === 0) return null;
    const view = this.#window(data);
    const place = (offset: number, size: number, count: number) => Math.max(0, Math.min(Math.floor(offset / size), count - 1));
    return {
      row: place(event.offsetY - (data.hues ? STRIP : 0) + view.y, data.cell.height, data.rows),
      column: place(event.offsetX + view.x, data.cell.width, data.columns),
    };
  }

  #hover(event: PointerEvent): void {
    const place = event.pointerType === 'mouse' ? this.#at(event) : null;
    if (!place || this.#hovered === `${place.row} ${place.column}`) return;
    this.#hovered = `${place.row} ${place.column}`;
    this.#events.hover(place);
  }

  #unhover(): void {
    if (this.#hovered === '') return;
    this.#hovered = '';
    this.#events.hover(null);
  }

  #click(event: MouseEvent): void {
    const place = this.#at(event);
    if (!place) return;
    this.focus();
    this.#events.choose(place);
  }

  #press(event: KeyboardEvent): void {
    const data = this.#data;
    if (!data || event.altKey || event.metaKey) return;
    let { row, column } = data;
    switch (event.key) {
      case 'ArrowUp': row -= 1; break;
      case 'ArrowDown': row += 1; break;
      case 'ArrowLeft': column -= 1; break;
      case 'ArrowRight': column += 1; break;
      case 'PageUp': row -= PAGE; break;
      case 'PageDown': row += PAGE; break;
      case 'Home': column = 0; if (event.ctrlKey) row = 0; break;
      case 'End': column = data.columns - 1; if (event.ctrlKey) row = data.rows - 1; break;
      case 'Enter': break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
    const clamp = (value: number, count: number) => Math.max(0, Math.min(value, count - 1));
    this.#events.choose({ row: clamp(row, data.rows), column: clamp(column, data.columns) });
  }
}

function set(style: CSSStyleDeclaration, name: 'width' | 'height' | 'transform', value: string): void {
  if (style[name] !== value) style[name] = value;
}
