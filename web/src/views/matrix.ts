// One head's weights, large. Only the window that is in view is drawn; labels are real text.
import { step } from '../colour.ts';
import { cellWeight } from '../format.ts';
import { type Paint, hatch, openCanvas } from './paint.ts';

export interface MatrixData {
  words: readonly string[];
  /** [T, S] of the head shown */
  weights: Float32Array;
  /** [T, S], −Infinity where masked */
  masked: Float32Array;
  query: number;
  key: number;
  /** The selected cell, in words, for a screen reader. */
  label: string;
  gridLabel: string;
  paint: Paint;
  /** Inside the frame; measured once a resize, since asking costs a layout. */
  width: number;
}

export interface MatrixEvents {
  select(query: number, key: number): void;
}

const NUMERALS_FROM = 36;
const LARGEST = 44;
const SMALLEST = 24;
const NARROW = 560;
const PAGE = 8;
const HIGHEST = 700;

export class MatrixView {
  readonly #host: HTMLElement;
  readonly #space: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #columns: HTMLElement;
  readonly #rows: HTMLElement;
  readonly #grid: HTMLElement;
  readonly #row: HTMLElement;
  readonly #cell: HTMLElement;
  readonly #events: MatrixEvents;
  #data: MatrixData | null = null;
  #size = LARGEST;
  #label = 0;
  #head = 0;
  #scroll = { x: 0, y: 0 };
  #frame = 0;

  /** `host` scrolls; its skeleton comes from `matrixSkeleton`. */
  constructor(host: HTMLElement, events: MatrixEvents) {
    const find = <E extends Element>(selector: string) => host.querySelector(selector) as E;
    this.#host = host;
    this.#events = events;
    this.#space = find('.space');
    this.#canvas = find('canvas');
    this.#columns = find('.columns');
    this.#rows = find('.rows');
    this.#grid = find('[role=grid]');
    this.#row = find('[role=row]');
    this.#cell = find('[role=gridcell]');
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
      if (event.pointerType === 'mouse' && event.buttons === 1) this.#point(event);
    });
    this.#canvas.addEventListener('click', (event) => this.#point(event));
    this.#cell.addEventListener('keydown', (event) => this.#press(event));
  }

  update(data: MatrixData): void {
    const before = this.#data;
    this.#data = data;
    this.#layout(data);
    if (!before || before.query !== data.query || before.key !== data.key || before.words.length !== data.words.length) this.#reveal();
    this.#describe();
    this.#draw();
  }

  #layout({ words, paint, width }: MatrixData): void {
    const count = words.length;
    const narrow = width < NARROW;
    this.#label = narrow ? 76 : 92;
    this.#head = narrow ? 72 : 84;
    const room = width - this.#label;
    const spill = this.#spill(narrow ? 12 : 13);
    const fitting = Math.floor((room - spill) / Math.max(count, 1));
    const least = narrow ? SMALLEST : NUMERALS_FROM;
    const size = Number.isFinite(paint.cellSize) ? Math.max(SMALLEST, paint.cellSize) : Math.max(least, Math.min(LARGEST, fitting));
    this.#size = size;
    const measures = { label: this.#label, head: this.#head, cell: size, cells: size * count, spill };
    for (const [name, value] of Object.entries(measures)) setMeasure(this.#host, `--${name}`, `${value}px`);
    const roomy = count >= 8 && size * count <= room && size >= NUMERALS_FROM;
    this.#space.classList.toggle('roomy', roomy);
  }

  /** How far the last slanted labels reach past the last column. */
  #spill(fontSize: number): number {
    const words = this.#data?.words ?? [];
    let most = 0;
    for (let back = 1; back <= Math.min(6, words.length); back += 1) {
      const length = Math.min(100, (words[words.length - back]?.length ?? 0) * fontSize * 0.62);
      most = Math.max(most, length * 0.71 - (back - 0.5) * this.#size);
    }
    return Math.max(0, Math.ceil(most));
  }

  /** What part of the cells can be seen: its offset in the cells and its size. */
  #window(): { x: number; y: number; width: number; height: number } {
    const cells = this.#size * (this.#data?.words.length ?? 0);
    const width = Math.min(cells, (this.#data?.width ?? 0) - this.#label);
    const height = Math.min(cells, HIGHEST - this.#head);
    const clamp = (value: number, most: number) => Math.max(0, Math.min(value, most));
    return { x: clamp(this.#scroll.x, cells - width), y: clamp(this.#scroll.y, cells - height), width, height };
  }

  #later(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    const data = this.#data;
    if (!data || data.words.length === 0) return;
    const view = this.#window();
    const size = this.#size;
    const count = data.words.length;
    const range = (from: number, length: number) => [Math.floor(from / size), Math.min(count, Math.ceil((from + length) / size))] as const;
    const [firstRow, lastRow] = range(view.y, view.height);
    const [firstColumn, lastColumn] = range(view.x, view.width);
    // Labels first: setting a canvas's font makes the browser lay the page out.
    this.#labels(data, firstRow, lastRow, firstColumn, lastColumn);
    const context = openCanvas(this.#canvas, Math.max(1, view.width), Math.max(1, view.height));
    if (!context) return;
    context.fillStyle = data.paint.paper;
    context.fillRect(0, 0, view.width, view.height);
    const region = new Path2D();
    for (let query = firstRow; query < lastRow; query += 1) {
      for (let key = firstColumn; key < lastColumn; key += 1) {
        const at = query * count + key;
        const [x, y] = [key * size - view.x, query * size - view.y];
        if (data.masked[at] === -Infinity) {
          region.rect(x, y, size, size);
          continue;
        }
        context.fillStyle = data.paint.ramp.fills[step(data.weights[at] ?? 0)] ?? '';
        context.fillRect(x, y, size - 1, size - 1);
      }
    }
    hatch(context, region, { ...view, offsetX: view.x, offsetY: view.y }, data.paint.hatch, 6);
    if (size >= NUMERALS_FROM) this.#numerals(context, data, view, [firstRow, lastRow, firstColumn, lastColumn]);
    this.#selection(context, data, view);
  }

  #numerals(context: CanvasRenderingContext2D, data: MatrixData, view: { x: number; y: number }, area: readonly number[]): void {
    const [firstRow = 0, lastRow = 0, firstColumn = 0, lastColumn = 0] = area;
    const size = this.#size;
    const count = data.words.length;
    const regular = `13px ${data.paint.font}`;
    context.font = regular;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (let query = firstRow; query < lastRow; query += 1) {
      for (let key = firstColumn; key < lastColumn; key += 1) {
        const at = query * count + key;
        if (data.masked[at] === -Infinity) continue;
        const weight = data.weights[at] ?? 0;
        const chosen = query === data.query && key === data.key;
        const small = weight > 0 && weight < 0.005;
        context.fillStyle = small ? data.paint.muted : (data.paint.ramp.inks[step(weight)] ?? '');
        if (chosen) context.font = `bold ${regular}`;
        context.fillText(cellWeight(weight), key * size - view.x + (size - 1) / 2, query * size - view.y + size / 2);
        if (chosen) context.font = regular;
      }
    }
  }

  #selection(context: CanvasRenderingContext2D, data: MatrixData, view: { x: number; y: number; width: number }): void {
    const size = this.#size;
    const [x, y] = [data.key * size - view.x, data.query * size - view.y];
    context.strokeStyle = data.paint.accent;
    context.lineWidth = 1;
    context.globalAlpha = 0.6;
    context.beginPath();
    for (const at of [x + 0.5, x + size - 1.5]) {
      context.moveTo(at, 0);
      context.lineTo(at, Math.max(0, y));
    }
    context.stroke();
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.strokeRect(-view.x + 0.75, y + 0.25, data.words.length * size - 1.5, size - 1.5);
    context.strokeStyle = data.paint.paper;
    context.lineWidth = 1;
    context.strokeRect(x + 2.5, y + 2.5, size - 6, size - 6);
    context.strokeStyle = data.paint.accent;
    context.lineWidth = 3;
    context.strokeRect(x + 0.5, y + 0.5, size - 2, size - 2);
  }

  #labels(data: MatrixData, firstRow: number, lastRow: number, firstColumn: number, lastColumn: number): void {
    // A slanted label reaches over the columns to its right, so a few before the window still show.
    fill(this.#columns, data.words, Math.max(0, firstColumn - 3), lastColumn, data.key);
    fill(this.#rows, data.words, firstRow, lastRow, data.query);
  }

  #describe(): void {
    const data = this.#data;
    if (!data) return;
    const set = (element: Element, name: string, value: string | number) => {
      if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
    };
    set(this.#grid, 'aria-label', data.gridLabel);
    set(this.#grid, 'aria-rowcount', data.words.length);
    set(this.#grid, 'aria-colcount', data.words.length);
    set(this.#row, 'aria-rowindex', data.query + 1);
    set(this.#cell, 'aria-colindex', data.key + 1);
    set(this.#cell, 'aria-label', data.label);
    this.#cell.style.transform = `translate(${data.key * this.#size}px, ${data.query * this.#size}px)`;
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
    const [x, y] = [into(data.key * this.#size, view.x, view.width), into(data.query * this.#size, view.y, view.height)];
    if (x === this.#scroll.x && y === this.#scroll.y) return;
    this.#scroll = { x, y };
    // Scrolling needs the new layout; at the frame it is made anyway.
    requestAnimationFrame(() => this.#host.scrollTo(this.#scroll.x, this.#scroll.y));
  }

  #point(event: MouseEvent): void {
    const data = this.#data;
    if (!data) return;
    const view = this.#window();
    const at = (offset: number, length: number) => Math.floor(Math.max(0, Math.min(offset, length - 1)) / this.#size);
    const cells = this.#size * data.words.length;
    const [query, key] = [at(event.offsetY + view.y, cells), at(event.offsetX + view.x, cells)];
    if (query !== data.query || key !== data.key) this.#events.select(query, key);
    if (event.type !== 'pointermove') this.#cell.focus({ preventScroll: true });
    if (event.type === 'pointerdown') event.preventDefault();
  }

  #press(event: KeyboardEvent): void {
    const data = this.#data;
    if (!data || event.altKey || event.metaKey) return;
    const last = data.words.length - 1;
    let { query, key } = data;
    switch (event.key) {
      case 'ArrowUp': query -= 1; break;
      case 'ArrowDown': query += 1; break;
      case 'ArrowLeft': key -= 1; break;
      case 'ArrowRight': key += 1; break;
      case 'PageUp': query -= PAGE; break;
      case 'PageDown': query += PAGE; break;
      case 'Home': key = 0; if (event.ctrlKey) query = 0; break;
      case 'End': key = last; if (event.ctrlKey) query = last; break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
    const clamp = (value: number) => Math.max(0, Math.min(value, last));
    this.#events.select(clamp(query), clamp(key));
  }
}

function setMeasure(host: HTMLElement, name: string, value: string): void {
  if (host.style.getPropertyValue(name) !== value) host.style.setProperty(name, value);
}

/** Labels of the places from `first` to before `last`, each put where its row or column is. */
function fill(host: HTMLElement, words: readonly string[], first: number, last: number, chosen: number): void {
  let used = 0;
  for (let i = first; i < last; i += 1) {
    const label = (host.children[used] as HTMLElement | undefined) ?? host.appendChild(document.createElement('bdi'));
    used += 1;
    if (label.textContent !== words[i]) label.textContent = words[i] ?? '';
    const state = i === chosen ? 'chosen' : '';
    if (label.className !== state) label.className = state;
    const place = String(i);
    if (label.dataset['place'] !== place) {
      label.dataset['place'] = place;
      label.style.setProperty('--place', place);
    }
  }
  while (host.children.length > used) host.lastChild?.remove();
}
