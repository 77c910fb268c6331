// A matrix with a cursor: the window that scrolls over its cells, pointer and keys, and one cell of an
// ARIA grid that represents all cells: it moves with the chosen place and describes it in words.
import { draggable, setMeasure } from '../../lib/dom.ts';
import { Work, inPhase } from '../../lib/schedule.ts';
import { Space } from '../../lib/space.ts';
import { type Grid, type Place, type Size, type View, clamp, placeAfter } from './grid.ts';

export interface GridData extends Grid, Place {
  /** The chosen cell in words, for a screen reader. */
  label: string;
  gridLabel: string;
  /** The chosen row in one sentence. */
  summary: string;
}

/** The size of a cell, how much of all cells there is room for, and how far below the canvas's edge they begin. */
export interface Room extends Size { cell: Size; top: number }

export const samePlace = (a: Place | null, b: Place | null): boolean => a?.row === b?.row && a?.column === b?.column;

/** Along one side: where the view begins and how long it is, the first cell in it and the one behind the last. */
function within(scroll: number, count: number, size: number, room: number): [from: number, length: number, first: number, last: number] {
  const length = Math.min(count * size, room);
  const from = clamp(scroll, count * size - length);
  return [from, length, Math.floor(from / size), Math.min(count, Math.ceil((from + length) / size))];
}

/** Along one side: where to scroll so that a cell is in view, with its neighbour, so that the reader sees that the matrix goes on. */
function into(place: number, size: number, scroll: number, room: number): number {
  const at = place * size;
  if (at < scroll) return Math.max(0, at - size);
  return at + size > scroll + room ? at + 2 * size - room : scroll;
}

export interface GridEvents { choose(place: Place): void }

export abstract class GridView<Data extends GridData, Events extends GridEvents> {
  protected readonly canvas: HTMLCanvasElement;
  protected readonly cell: HTMLElement;
  protected data: Data | null = null;
  readonly #grid: HTMLElement;
  readonly #row: HTMLElement;
  #room: Room = { cell: { width: 1, height: 1 }, width: 0, height: 0, top: 0 };
  #scroll = { x: 0, y: 0 };
  readonly #next = new Work(() => this.draw());

  /** `host` scrolls; its canvas, and the grid over it, are in the template. */
  constructor(readonly host: HTMLElement, protected readonly events: Events) {
    const find = <E extends Element>(selector: string) => host.querySelector(selector) as E;
    this.canvas = find('canvas');
    this.#grid = find('[role=grid]');
    this.#row = find('[role=row]');
    this.cell = find('[role=gridcell]');
    host.addEventListener('scroll', () => {
      const [x, y] = [host.scrollLeft, host.scrollTop];
      const { x: left, y: top } = this.#scroll;
      if (x === left && y === top) return;
      this.#scroll = { x, y };
      if (y !== top) this.scrolled(y);
      this.#next.at('frame');
    }, { passive: true });
    this.canvas.addEventListener('click', (event) => this.tap(event));
    draggable(this.cell, { move: (event) => this.point(event), tap: (event) => this.tap(event) });
    this.cell.addEventListener('keydown', (event) => this.#press(event));
  }

  /** Sets what the style sheet needs. */
  protected abstract layout(data: Data): Room;
  protected abstract paint(data: Data, view: View): void;
  protected abstract tap(event: MouseEvent): void;
  /** Whether a key other than those that lead to another place was meant for the matrix. */
  protected abstract press(event: KeyboardEvent, place: Place): boolean;
  protected scrolled(_top: number): void {}

  /** Out of view, a matrix keeps its label and its space, but is not drawn. */
  update(data: Data, inView = true): void {
    const before = this.data;
    this.data = data;
    this.#room = this.layout(data);
    if (!before || !samePlace(before, data) || before.rows !== data.rows || before.columns !== data.columns) this.#reveal(data);
    this.#describe(data);
    if (inView) this.draw();
  }

  focus(): void {
    this.cell.focus({ preventScroll: true });
  }

  /** Rows of several matrices may have to stay in line. */
  scrollTo(top: number): void {
    if (this.#scroll.y === top) return;
    this.#scroll.y = top;
    this.host.scrollTop = top;
    this.#next.at('frame');
  }

  /** The part of the cells in view. */
  protected view({ rows, columns }: Data): View {
    const { cell, ...room } = this.#room;
    const [x, width, firstColumn, lastColumn] = within(this.#scroll.x, columns, cell.width, room.width);
    const [y, height, firstRow, lastRow] = within(this.#scroll.y, rows, cell.height, room.height);
    return { x, y, width, height, cell, firstRow, lastRow, firstColumn, lastColumn };
  }

  protected draw(): void {
    if (this.data) this.paint(this.data, this.view(this.data));
  }

  /** Moves an element that lies over the cells to one of them. */
  protected lay(element: HTMLElement, { row, column }: Place): void {
    const { cell, top } = this.#room;
    setMeasure(element, 'transform', `translate(${column * cell.width}px, ${row * cell.height + top}px)`);
  }

  protected placeAt(event: MouseEvent): Place | null {
    const { data } = this;
    if (!data || data.rows === 0) return null;
    const { x, y, cell } = this.view(data);
    const at = new Space(this.canvas).point(event);
    return {
      row: clamp(Math.floor((at.y - this.#room.top + y) / cell.height), data.rows - 1),
      column: clamp(Math.floor((at.x + x) / cell.width), data.columns - 1),
    };
  }

  /** The pointer moves the selection. */
  protected point(event: MouseEvent): void {
    const place = this.placeAt(event);
    if (place && !samePlace(place, this.data)) this.events.choose(place);
  }

  #describe(data: Data): void {
    const set = (element: Element, name: string, value: string | number) => {
      if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
    };
    set(this.#grid, 'aria-label', data.gridLabel);
    set(this.#grid, 'aria-description', data.summary);
    set(this.#grid, 'aria-rowcount', data.rows);
    set(this.#grid, 'aria-colcount', data.columns);
    set(this.#row, 'aria-rowindex', data.row + 1);
    set(this.cell, 'aria-colindex', data.column + 1);
    set(this.cell, 'aria-label', data.label);
    this.lay(this.cell, data);
  }

  #reveal(data: Data): void {
    const view = this.view(data);
    const [x, y] = [into(data.column, view.cell.width, view.x, view.width), into(data.row, view.cell.height, view.y, view.height)];
    const { x: left, y: top } = this.#scroll;
    if (x === left && y === top) return;
    this.#scroll = { x, y };
    // Scrolling needs the new layout; at the frame it is made anyway. Until then another scroll's event may come.
    inPhase('frame', () => {
      this.host.scrollTo(x, y);
      if (y !== top) this.scrolled(y);
    });
  }

  #press(event: KeyboardEvent): void {
    const { data } = this;
    if (!data || event.altKey || event.metaKey) return;
    const to = placeAfter(event, data, data);
    if (!to && !this.press(event, data)) return;
    event.preventDefault();
    event.stopPropagation();
    if (to) this.events.choose(to);
  }
}
