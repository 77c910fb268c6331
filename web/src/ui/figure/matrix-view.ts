// One head's weights as a large matrix of rows and columns; whether rows are queries or keys does not matter here. Only the part in view is drawn; labels
// are real text.
import { setMeasure } from '../../lib/dom.ts';
import { isLong, readersWord } from '../../text/word.ts';
import { type GridEvents, GridView, type Room, samePlace } from '../kit/grid-view.ts';
import { type Area, NUMERALS_FROM, type Place, type View } from '../kit/grid.ts';
import { MatrixCanvas, type MatrixData } from './matrix-canvas.ts';

export interface MatrixEvents extends GridEvents {
  /** The mouse is over a cell that is not the chosen one; null when it is no longer. */
  look(place: Place | null): void;
  /** Masks the cell by hand, or shows it again. */
  flip(place: Place): void;
}

const LARGEST = 44;
const SMALLEST = 24;
/** Where the height is given, too. */
const LEAST = 12;
/** Where all of it must fit: without numerals first, then without names. */
const FITTED = { least: 2, names: 13, bare: 8 };
const NARROW = 560;
const HIGHEST = 700;

export class MatrixView extends GridView<MatrixData, MatrixEvents> {
  readonly #space: HTMLElement;
  readonly #drawing: MatrixCanvas;
  readonly #columns: HTMLElement;
  readonly #rows: HTMLElement;
  readonly #frame: HTMLElement;
  #looked: Place | null = null;
  /** The last cell that was reported; others may still show it after it is unmarked. */
  #told: Place | null = null;

  constructor(host: HTMLElement, events: MatrixEvents) {
    super(host, events);
    const find = (selector: string) => host.querySelector(selector) as HTMLElement;
    const { canvas } = this;
    this.#space = find('.space');
    this.#drawing = new MatrixCanvas(canvas, () => this.draw());
    this.#columns = find('.columns');
    this.#rows = find('.rows');
    this.#frame = find('.looked-cell');
    canvas.addEventListener('pointerdown', (event) => {
      if (event.pointerType === 'mouse' && event.button === 0) this.point(event);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'mouse') return;
      if (event.buttons === 1) this.point(event);
      else if (event.buttons === 0) this.#look(event);
    });
    canvas.addEventListener('pointerleave', () => this.#look(null));
  }

  override update(data: MatrixData): void {
    this.#mark(null);
    super.update(data);
  }

  protected layout(data: MatrixData): Room {
    const { rows, columns, columnWords, paint, width, height, masking, queriesAcross, whole, fits } = data;
    const narrow = width < NARROW;
    const isBare = fits && Math.floor(Math.min((width - 76) / Math.max(columns, 1), (height - 72) / Math.max(rows, 1))) < FITTED.names;
    const [label, head] = isBare ? [FITTED.bare, FITTED.bare] : narrow ? [76, 72] : [92, 84];
    this.host.toggleAttribute('data-bare', isBare);
    const room = width - label;
    const spill = (cell: number) => (isBare ? 0 : spillOf(columnWords, narrow ? 12 : 13, cell));
    let across = Math.min(LARGEST, Math.floor(room / Math.max(columns, 1)));
    while (across > 1 && across * columns + spill(across) > room) across -= 1;
    const fitting = Math.min(across, Math.floor((height - head) / Math.max(rows, 1)));
    const least = fits ? FITTED.least : height < Infinity ? LEAST : narrow ? SMALLEST : NUMERALS_FROM;
    const size = Number.isFinite(paint.cellSize) ? Math.max(SMALLEST, paint.cellSize) : Math.max(least, Math.min(LARGEST, fitting));
    const cell = whole ? Math.max(1, Math.min(LARGEST, fitting)) : size;
    this.host.toggleAttribute('data-numerals', cell >= NUMERALS_FROM);
    // What still does not fit scrolls, and covers nothing below.
    const highest = fits ? Math.min(HIGHEST, height) : HIGHEST;
    const measures = { label, head, cell, across: cell * columns, down: cell * rows, highest };
    for (const [name, value] of Object.entries(measures)) setMeasure(this.host, `--${name}`, `${value}px`);
    // Only the space grows with the last word: in columns as wide, each label would be laid out again at each letter.
    setMeasure(this.#space, 'width', `${label + measures.across + spill(cell)}px`);
    const roomy = columns >= 8 && rows >= 8 && size * columns <= room && size >= NUMERALS_FROM;
    this.#space.classList.toggle('roomy', roomy);
    this.#space.classList.toggle('masking', masking);
    const queries = queriesAcross ? 'rows' : 'columns';
    if (this.host.dataset['queries'] !== queries) this.host.dataset['queries'] = queries;
    return { cell: { width: cell, height: cell }, top: 0, width: whole ? Infinity : room, height: whole ? Infinity : highest - head };
  }

  protected paint(data: MatrixData, view: View): void {
    if (data.rows === 0 || data.columns === 0) return;
    this.#labels(data, view);
    this.#drawing.draw(data, view);
  }

  #labels({ rowWords, columnWords, row, column }: MatrixData, { firstRow, lastRow, firstColumn, lastColumn }: Area): void {
    // A slanted label reaches over the columns to its right, so a few before the window still show.
    fill(this.#columns, columnWords, Math.max(0, firstColumn - 3), lastColumn, column, this.#looked?.column);
    fill(this.#rows, rowWords, firstRow, lastRow, row, this.#looked?.row);
  }

  /** The cell under the mouse, until something is chosen or changes. */
  #look(event: MouseEvent | null): void {
    const at = event && this.placeAt(event);
    const place = at && !samePlace(at, this.data) ? at : null;
    if (samePlace(place, this.#looked) && samePlace(place, this.#told)) return;
    this.#told = place;
    this.#mark(place);
    this.draw();
    this.events.look(place);
  }

  #mark(place: Place | null): void {
    this.#looked = place;
    this.#frame.hidden = !place;
    if (place) this.lay(this.#frame, place);
  }

  protected override point(event: MouseEvent): void {
    super.point(event);
    if (event.type !== 'pointermove') this.focus();
    if (event.type === 'pointerdown') event.preventDefault();
  }

  protected tap(event: MouseEvent): void {
    this.point(event);
    const place = this.placeAt(event);
    if (place && (this.data?.masking || event.shiftKey)) this.events.flip(place);
  }

  protected press({ key, ctrlKey }: KeyboardEvent, place: Place): boolean {
    const isFlip = !ctrlKey && key.toLowerCase() === 'm';
    if (isFlip) this.events.flip(place);
    return isFlip;
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

/** How far the last slanted labels reach past the last column, beside cells of this size. */
function spillOf(words: readonly string[], fontSize: number, cell: number): number {
  let most = 0;
  for (let back = 1; back <= Math.min(6, words.length); back += 1) {
    const length = Math.min(100, (words[words.length - back]?.length ?? 0) * fontSize * 0.62);
    most = Math.max(most, length * 0.71 - (back - 0.5) * cell);
  }
  return Math.max(0, Math.ceil(most));
}

// Rows of the matrix are chosen by their words: a click takes one, with Shift one more; Shift and the arrows add the next.
// Where queries run down the columns, they are chosen there.

const labelsOf = (matrix: Element): string => ((matrix as HTMLElement).dataset['queries'] === 'columns' ? '.columns' : '.rows');

export function addingRows(matrix: HTMLElement, choose: (row: number, add: boolean) => void, present: () => number): void {
  matrix.addEventListener('click', (event) => {
    const place = (event.target as HTMLElement).closest<HTMLElement>(`${labelsOf(matrix)} [data-place]`)?.dataset['place'];
    if (place !== undefined) choose(Number(place), (event as MouseEvent).shiftKey || (event as MouseEvent).ctrlKey || (event as MouseEvent).metaKey);
  });
  let last = -1;
  matrix.addEventListener('keydown', (event) => {
    const [back, on] = labelsOf(matrix) === '.rows' ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
    const way = event.key === back ? -1 : event.key === on ? 1 : 0;
    if (!event.shiftKey || way === 0) {
      if (event.key !== 'Shift') last = -1;
      return;
    }
    // Before the grid handles the arrow key.
    event.preventDefault();
    event.stopPropagation();
    const next = (last < 0 ? present() : last) + way;
    const count = Number(matrix.querySelector('[role=grid]')?.getAttribute(labelsOf(matrix) === '.rows' ? 'aria-rowcount' : 'aria-colcount') ?? 0);
    if (next < 0 || next >= count) return;
    last = next;
    choose(next, true);
  }, { capture: true });
}

/** Rows that are read together are marked beside the matrix. */
export function markRows(matrix: Element, queries: readonly number[]): void {
  for (const label of matrix.querySelectorAll<HTMLElement>(':is(.rows, .columns) bdi')) {
    const asks = label.closest(labelsOf(matrix)) !== null;
    label.toggleAttribute('data-summed', asks && queries.includes(Number(label.dataset['place'])));
  }
}
