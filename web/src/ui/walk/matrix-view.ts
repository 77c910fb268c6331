// Any stage's matrix, small: only the window in view is drawn, as one picture enlarged, with frames over it.
// One cell of an ARIA grid stands for all: it moves with the chosen place and says in words what is there.
import { draggable } from '../../lib/dom.ts';
import { openCanvas } from '../kit/paint.ts';
import { type Box, type MatrixData, STRIP, drawCells, drawFrame, drawStrip } from './cells-canvas.ts';

export interface MatrixEvents {
  /** A place to look at while the mouse is there; null when it has left. */
  hover(place: { row: number; column: number } | null): void;
  choose(place: { row: number; column: number }): void;
  scrolled(top: number): void;
}

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
    draggable(this.#cell, { move: (event) => this.#drag(event), tap: (event) => this.#click(event) });
    this.#cell.addEventListener('keydown', (event) => this.#press(event));
  }

  /** Out of view, a matrix says what it is and keeps its place, but is not drawn. */
  update(data: MatrixData, inView: boolean): void {
    const before = this.#data;
    this.#data = data;
    this.#layout(data);
    if (!before || before.row !== data.row || before.column !== data.column || before.rows !== data.rows) this.#reveal(data);
    this.#describe(data);
    if (inView) this.#draw();
  }

  /** Where cells stand on the screen, as far as they are in view. */
  boxOf(frame: Box): DOMRect | null {
    const data = this.#data;
    if (!data) return null;
    const { cell } = data;
    const view = this.#window(data);
    const origin = this.#canvas.getBoundingClientRect();
    const clamp = (value: number, most: number) => Math.max(0, Math.min(value, most));
    const [left, right] = [frame.left * cell.width - view.x, (frame.right + 1) * cell.width - view.x].map((x) => clamp(x, view.width)) as [number, number];
    const [top, bottom] = [frame.top * cell.height - view.y, (frame.bottom + 1) * cell.height - view.y].map((y) => clamp(y, view.height)) as [number, number];
    return new DOMRect(origin.left + left, origin.top + top + (data.hues ? STRIP : 0), right - left, bottom - top);
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
    const part = { ...view, row: first.row, column: first.column, rows: count.rows, columns: count.columns };
    if (hues) drawStrip(context, data, part);
    context.save();
    context.translate(0, strip);
    drawCells(context, this.#dots, data, part);
    for (const frame of data.frames) drawFrame(context, data, frame, part);
    context.restore();
  }

  #describe(data: MatrixData): void {
    const put = (element: Element, name: string, value: string | number) => {
      if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
    };
    put(this.#grid, 'aria-label', data.gridLabel);
    put(this.#grid, 'aria-description', data.summary);
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
    const moved = y !== this.#scroll.y;
    this.#scroll = { x, y };
    requestAnimationFrame(() => {
      this.host.scrollTo(this.#scroll.x, this.#scroll.y);
      if (moved) this.#events.scrolled(y);
    });
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
    const origin = this.#canvas.getBoundingClientRect();
    const place = (offset: number, size: number, count: number) => Math.max(0, Math.min(Math.floor(offset / size), count - 1));
    return {
      row: place(event.clientY - origin.top - (data.hues ? STRIP : 0) + view.y, data.cell.height, data.rows),
      column: place(event.clientX - origin.left + view.x, data.cell.width, data.columns),
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

  #drag(event: PointerEvent): void {
    const place = this.#at(event);
    if (place && (place.row !== this.#data?.row || place.column !== this.#data.column)) this.#events.choose(place);
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
