// One head's weights, large; knows rows and columns, not which of them asks. Only the window in view is drawn; labels
// are real text.
import { draggable, setMeasure } from '../../lib/dom.ts';
import { isLong, readersWord } from '../../text/word.ts';
import { type Area, MatrixCanvas, type MatrixData, NUMERALS_FROM } from './matrix-canvas.ts';

type Place = readonly [row: number, column: number];

export interface MatrixEvents {
  select(row: number, column: number): void;
  /** The mouse is over a cell that is not the chosen one; null when it is no longer. */
  look(cell: Place | null): void;
  /** Masks the cell by hand, or shows it again. */
  flip(row: number, column: number): void;
}

const LARGEST = 44;
const SMALLEST = 24;
/** Where the height is given, too. */
const LEAST = 12;
const NARROW = 560;
const PAGE = 8;
const HIGHEST = 700;

export class MatrixView {
  readonly #host: HTMLElement;
  readonly #space: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #drawing: MatrixCanvas;
  readonly #columns: HTMLElement;
  readonly #rows: HTMLElement;
  readonly #grid: HTMLElement;
  readonly #row: HTMLElement;
  readonly #cell: HTMLElement;
  readonly #frame: HTMLElement;
  readonly #events: MatrixEvents;
  #data: MatrixData | null = null;
  #size = LARGEST;
  #label = 0;
  #head = 0;
  #scroll = { x: 0, y: 0 };
  #looked: Place | null = null;
  /** The last one that others were told of; they may still show it when it is marked no more. */
  #told: Place | null = null;
  #next = 0;

  /** `host` scrolls; its skeleton comes from `matrixSkeleton`. */
  constructor(host: HTMLElement, events: MatrixEvents) {
    const find = <E extends Element>(selector: string) => host.querySelector(selector) as E;
    this.#host = host;
    this.#events = events;
    this.#space = find('.space');
    this.#canvas = find('canvas');
    this.#drawing = new MatrixCanvas(this.#canvas, () => this.#draw());
    this.#columns = find('.columns');
    this.#rows = find('.rows');
    this.#grid = find('[role=grid]');
    this.#row = find('[role=row]');
    this.#cell = find('[role=gridcell]');
    this.#frame = find('.looked-cell');
    host.addEventListener('scroll', () => {
      const [x, y] = [host.scrollLeft, host.scrollTop];
      if (x === this.#scroll.x && y === this.#scroll.y) return;
      this.#scroll = { x, y };
      this.#later();
    }, { passive: true });
    this.#canvas.addEventListener('pointerdown', (event) => {
      if (event.pointerType === 'mouse' && event.button === 0) this.#point(event);
    });
    this.#canvas.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'mouse') return;
      if (event.buttons === 1) this.#point(event);
      else if (event.buttons === 0) this.#look(event);
    });
    this.#canvas.addEventListener('pointerleave', () => this.#look(null));
    this.#canvas.addEventListener('click', (event) => this.#tap(event));
    draggable(this.#cell, { move: (event) => this.#point(event), tap: (event) => this.#tap(event) });
    this.#cell.addEventListener('keydown', (event) => this.#press(event));
  }

  update(data: MatrixData): void {
    const before = this.#data;
    this.#data = data;
    this.#mark(null);
    this.#layout(data);
    const isNew = !before || before.row !== data.row || before.column !== data.column
      || before.rows.length !== data.rows.length || before.columns.length !== data.columns.length;
    if (isNew) this.#reveal();
    this.#describe();
    this.#draw();
  }

  #layout({ rows, columns, paint, width, height, masking, queriesAcross, whole }: MatrixData): void {
    const narrow = width < NARROW;
    this.#label = narrow ? 76 : 92;
    this.#head = narrow ? 72 : 84;
    const room = width - this.#label;
    const spill = this.#spill(narrow ? 12 : 13);
    const across = Math.floor((room - spill) / Math.max(columns.length, 1));
    const fitting = Math.min(across, Math.floor((height - this.#head) / Math.max(rows.length, 1)));
    const least = height < Infinity ? LEAST : narrow ? SMALLEST : NUMERALS_FROM;
    const size = Number.isFinite(paint.cellSize) ? Math.max(SMALLEST, paint.cellSize) : Math.max(least, Math.min(LARGEST, fitting));
    this.#size = whole ? Math.max(1, Math.min(LARGEST, fitting)) : size;
    const measures = { label: this.#label, head: this.#head, cell: this.#size, across: this.#size * columns.length, down: this.#size * rows.length };
    for (const [name, value] of Object.entries(measures)) setMeasure(this.#host, `--${name}`, `${value}px`);
    // Only the space grows with the last word: in columns as wide, each label would be laid out anew at each letter.
    setMeasure(this.#space, 'width', `${measures.label + measures.across + spill}px`);
    const roomy = columns.length >= 8 && rows.length >= 8 && size * columns.length <= room && size >= NUMERALS_FROM;
    this.#space.classList.toggle('roomy', roomy);
    this.#space.classList.toggle('masking', masking);
    const queries = queriesAcross ? 'rows' : 'columns';
    if (this.#host.dataset['queries'] !== queries) this.#host.dataset['queries'] = queries;
  }

  /** How far the last slanted labels reach past the last column. */
  #spill(fontSize: number): number {
    const words = this.#data?.columns ?? [];
    let most = 0;
    for (let back = 1; back <= Math.min(6, words.length); back += 1) {
      const length = Math.min(100, (words[words.length - back]?.length ?? 0) * fontSize * 0.62);
      most = Math.max(most, length * 0.71 - (back - 0.5) * this.#size);
    }
    return Math.max(0, Math.ceil(most));
  }

  /** What part of the cells can be seen: its offset in the cells and its size. */
  #window(): { x: number; y: number; width: number; height: number } {
    const [across, down] = [this.#size * (this.#data?.columns.length ?? 0), this.#size * (this.#data?.rows.length ?? 0)];
    if (this.#data?.whole) return { x: 0, y: 0, width: across, height: down };
    const width = Math.min(across, (this.#data?.width ?? 0) - this.#label);
    const height = Math.min(down, HIGHEST - this.#head);
    const clamp = (value: number, most: number) => Math.max(0, Math.min(value, most));
    return { x: clamp(this.#scroll.x, across - width), y: clamp(this.#scroll.y, down - height), width, height };
  }

  #later(): void {
    this.#next ||= requestAnimationFrame(() => {
      this.#next = 0;
      this.#draw();
    });
  }

  #draw(): void {
    const data = this.#data;
    if (!data || data.rows.length === 0 || data.columns.length === 0) return;
    const view = this.#window();
    const size = this.#size;
    const range = (from: number, length: number, count: number) => [Math.floor(from / size), Math.min(count, Math.ceil((from + length) / size))] as const;
    const [firstRow, lastRow] = range(view.y, view.height, data.rows.length);
    const [firstColumn, lastColumn] = range(view.x, view.width, data.columns.length);
    const area = { firstRow, lastRow, firstColumn, lastColumn };
    this.#labels(data, area);
    this.#drawing.draw(data, { ...view, ...area, size });
  }

  #labels(data: MatrixData, { firstRow, lastRow, firstColumn, lastColumn }: Area): void {
    // A slanted label reaches over the columns to its right, so a few before the window still show.
    const [row, column] = this.#looked ?? [];
    fill(this.#columns, data.columns, Math.max(0, firstColumn - 3), lastColumn, data.column, column);
    fill(this.#rows, data.rows, firstRow, lastRow, data.row, row);
  }

  #describe(): void {
    const data = this.#data;
    if (!data) return;
    const set = (element: Element, name: string, value: string | number) => {
      if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
    };
    set(this.#grid, 'aria-label', data.gridLabel);
    set(this.#grid, 'aria-description', data.summary);
    set(this.#grid, 'aria-rowcount', data.rows.length);
    set(this.#grid, 'aria-colcount', data.columns.length);
    set(this.#row, 'aria-rowindex', data.row + 1);
    set(this.#cell, 'aria-colindex', data.column + 1);
    set(this.#cell, 'aria-label', data.label);
    this.#cell.style.transform = `translate(${data.column * this.#size}px, ${data.row * this.#size}px)`;
  }

  #reveal(): void {
    const data = this.#data;
    if (!data) return;
    // With its neighbour, so that the reader sees that the matrix goes on.
    const into = (at: number, scroll: number, room: number) => {
      if (at < scroll) return Math.max(0, at - this.#size);
      return at + this.#size > scroll + room ? at + 2 * this.#size - room : scroll;
    };
    const view = this.#window();
    const [x, y] = [into(data.column * this.#size, view.x, view.width), into(data.row * this.#size, view.y, view.height)];
    if (x === this.#scroll.x && y === this.#scroll.y) return;
    this.#scroll = { x, y };
    // Scrolling needs the new layout; at the frame it is made anyway. Until then another scroll's event may come.
    requestAnimationFrame(() => this.#host.scrollTo(x, y));
  }

  #cellAt(event: MouseEvent, data: MatrixData): Place {
    const view = this.#window();
    const origin = this.#canvas.getBoundingClientRect();
    const at = (offset: number, count: number) => Math.floor(Math.max(0, Math.min(offset, count * this.#size - 1)) / this.#size);
    return [at(event.clientY - origin.top + view.y, data.rows.length), at(event.clientX - origin.left + view.x, data.columns.length)];
  }

  /** What lies under the mouse, until something is chosen or changes. */
  #look(event: MouseEvent | null): void {
    const data = this.#data;
    const at = event && data && this.#cellAt(event, data);
    const cell = at && (at[0] !== data.row || at[1] !== data.column) ? at : null;
    if (String(cell) === String(this.#looked) && String(cell) === String(this.#told)) return;
    this.#told = cell;
    this.#mark(cell);
    this.#draw();
    this.#events.look(cell);
  }

  #mark(cell: Place | null): void {
    this.#looked = cell;
    this.#frame.hidden = !cell;
    if (cell) this.#frame.style.transform = `translate(${cell[1] * this.#size}px, ${cell[0] * this.#size}px)`;
  }

  #tap(event: MouseEvent): void {
    this.#point(event);
    const data = this.#data;
    if (data && (data.masking || event.shiftKey)) this.#events.flip(...this.#cellAt(event, data));
  }

  #point(event: MouseEvent): void {
    const data = this.#data;
    if (!data) return;
    const [row, column] = this.#cellAt(event, data);
    if (row !== data.row || column !== data.column) this.#events.select(row, column);
    if (event.type !== 'pointermove') this.#cell.focus({ preventScroll: true });
    if (event.type === 'pointerdown') event.preventDefault();
  }

  #press(event: KeyboardEvent): void {
    const data = this.#data;
    if (!data || event.altKey || event.metaKey) return;
    const [lastRow, lastColumn] = [data.rows.length - 1, data.columns.length - 1];
    let { row, column } = data;
    switch (event.key) {
      case 'ArrowUp': row -= 1; break;
      case 'ArrowDown': row += 1; break;
      case 'ArrowLeft': column -= 1; break;
      case 'ArrowRight': column += 1; break;
      case 'PageUp': row -= PAGE; break;
      case 'PageDown': row += PAGE; break;
      case 'Home': column = 0; if (event.ctrlKey) row = 0; break;
      case 'End': column = lastColumn; if (event.ctrlKey) row = lastRow; break;
      case 'm': case 'M': if (event.ctrlKey) return; break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'm' || event.key === 'M') return this.#events.flip(row, column);
    const clamp = (value: number, last: number) => Math.max(0, Math.min(value, last));
    this.#events.select(clamp(row, lastRow), clamp(column, lastColumn));
  }
}

/** Labels of the places from `first` to before `last`, in that order. Those that stay in view are left as they are. */
function fill(host: HTMLElement, words: readonly string[], first: number, last: number, chosen: number, looked?: number): void {
  for (let i = host.children.length; i < last - first; i += 1) host.append(readersWord());
  for (let i = host.children.length; i > last - first; i -= 1) host.lastElementChild?.remove();
  // Those that went out of view on one side come in on the other.
  for (let i = first; i < last && placeOf(host.firstElementChild) < first; i += 1) host.append(host.firstElementChild as Element);
  for (let i = first; i < last && placeOf(host.lastElementChild) >= last; i += 1) host.prepend(host.lastElementChild as Element);
  for (const [i, label] of [...(host.children as HTMLCollectionOf<HTMLElement>)].entries()) write(label, words[first + i] ?? '', first + i, chosen, looked);
}

const placeOf = (label: Element | null): number => Number((label as HTMLElement).dataset['place']);

function write(label: HTMLElement, word: string, at: number, chosen: number, looked?: number): void {
  if (label.textContent !== word) {
    label.textContent = word;
    label.toggleAttribute('data-long', isLong(word));
  }
  const state = at === chosen ? 'chosen' : at === looked ? 'looked' : '';
  if (label.className !== state) label.className = state;
  const place = String(at);
  if (label.dataset['place'] === place) return;
  label.dataset['place'] = place;
  label.style.setProperty('--place', place);
}
