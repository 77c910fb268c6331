// The walk's canvases: one for each open card in view, frames, and the words beside the rows.
import { msg, str } from '@lit/localize';
import type { ArrayId, Explanation, StageId } from '../../engine/engine.ts';
import { type Focus, type Place, headIn, matrixOf, placeOf } from '../../engine/places.ts';
import { side } from '../../engine/stages.ts';
import type { Selection } from '../../engine/types.ts';
import { comma, significant } from '../../lib/format.ts';
import type { Box as Own, Space } from '../../lib/space.ts';
import type { Picture } from '../../state/result.ts';
import { SHARES } from '../../state/stage-groups.ts';
import { placeText } from '../../text/places.ts';
import { axes, summary } from '../../text/caption.ts';
import { headOf, isLong, readersWord } from '../../text/word.ts';
import { type Grid, Strip, reduced } from '../kit/grid.ts';
import type { Paint } from '../kit/paint.ts';
import { type Box, type Frame, StageMatrix, turnedFrame } from './matrix-view.ts';
import { type Measures, cellSize } from './layout.ts';
import { type Card, type Matrix, type Operands, gridOf, operandsOf } from './matrices.ts';

export interface DrawingInput {
  picture: Picture;
  /** Whose words stand beside the rows. */
  shown: Picture;
  selection: Selection;
  paint: Paint;
  sizes: Measures;
  hues: readonly string[];
  active: Focus;
  explanation: Explanation;
  matrices: readonly Matrix[];
  cards: readonly Card[];
  /** How many cards stand in each one's line. */
  beside: ReadonlyMap<ArrayId, number>;
  allHeads: ReadonlySet<StageId>;
}

export interface DrawingEvents {
  hover(array: ArrayId, place: Place | null): void;
  choose(array: ArrayId, place: Place): void;
  chooseHead(head: number): void;
  /** An undrawn matrix has come into view. */
  seen(): void;
}

export class WalkDrawing {
  readonly #host: HTMLElement;
  readonly #events: DrawingEvents;
  readonly #matrices = new Map<ArrayId, StageMatrix>();
  readonly #seen = new Set<ArrayId>();
  readonly #watch: IntersectionObserver;
  #input: DrawingInput | null = null;
  #top = 0;
  /** Whether every matrix is drawn, in view or not. */
  all = false;

  constructor(host: HTMLElement, events: DrawingEvents) {
    this.#host = host;
    this.#events = events;
    this.#watch = new IntersectionObserver((entries) => {
      let fresh = false;
      for (const { target, isIntersecting } of entries) {
        const id = (target as HTMLElement).dataset['array'] as ArrayId;
        if (!isIntersecting) this.#seen.delete(id);
        else if (!this.#seen.has(id)) fresh = !!this.#seen.add(id);
      }
      if (fresh) events.seen();
    }, { rootMargin: '120px' });
  }

  disconnect(): void {
    this.#watch.disconnect();
    this.#matrices.clear();
    this.#seen.clear();
  }

  isSeen(id: ArrayId): boolean {
    return this.all || this.#seen.has(id);
  }

  boxOf(space: Space, id: ArrayId, frame: Box): Own | null {
    return this.#seen.has(id) ? (this.#matrices.get(id)?.boxOf(space, this.isTurned(id) ? turnedFrame(frame) : frame) ?? null) : null;
  }

  focusOn(id: ArrayId): void {
    this.#matrices.get(id)?.focus();
  }

  draw(input: DrawingInput): void {
    this.#input = input;
    this.#collect();
    const operands = operandsOf(input.picture.trace, input.explanation);
    for (const matrix of input.matrices) {
      if (!matrix.note && this.#matrices.has(matrix.id)) this.#drawMatrix(matrix, input, operands);
    }
    this.#drawMultiples(input);
    this.#labels(input);
  }

  /** Cards come and go with the settings; each open one has its host. */
  #collect(): void {
    const hosts = new Map([...this.#host.querySelectorAll<HTMLElement>('[data-array]')].map((host) => [host.dataset['array'] as ArrayId, host]));
    for (const [id, known] of this.#matrices) {
      if (hosts.get(id) === known.host) continue;
      this.#watch.unobserve(known.host);
      this.#matrices.delete(id);
      this.#seen.delete(id);
    }
    for (const [id, host] of hosts) {
      if (this.#matrices.has(id)) continue;
      this.#matrices.set(id, new StageMatrix(host, {
        hover: (place) => this.#events.hover(id, place && this.#placeAt(id, place)),
        choose: (place) => this.#events.choose(id, this.#placeAt(id, place)),
        scrolled: (top) => this.#scroll(top),
      }));
      this.#watch.observe(host);
    }
  }

  /** Where rows are keys, matrices of pairs are drawn turned round. */
  isTurned(id: ArrayId): boolean {
    return side(id) === 'pair' && this.#input?.picture.rows === 'keys';
  }

  #placeAt(id: ArrayId, { row, column }: { row: number; column: number }): Place {
    const head = this.#headOf(id);
    return this.isTurned(id) ? { head, row: column, column: row } : { head, row, column };
  }

  #headOf(id: ArrayId): number {
    const { picture, selection } = this.#input as DrawingInput;
    return headIn(picture.trace, id, selection.head);
  }

  #room(matrix: Matrix, { sizes, beside }: DrawingInput) {
    const parameter = side(matrix.id) === 'parameter';
    const room = parameter ? Math.min(200, sizes.width(1)) : sizes.width(beside.get(matrix.id) ?? 1);
    const columns = this.isTurned(matrix.id) ? matrix.rows : matrix.columns;
    const cell = parameter ? cellSize(matrix.columns, room, Math.max(2, Math.min(sizes.row, Math.floor(160 / matrix.rows)))) : cellSize(columns, room, sizes.row, sizes.least);
    return { cell, view: { width: room, height: parameter ? 160 : sizes.height } };
  }

  #drawMatrix(matrix: Matrix, input: DrawingInput, operands: readonly Operands[]): void {
    const { shown, hues, paint, cards } = input;
    const { id, columns, masked, place } = matrix;
    const label = cards.find((card) => card.id === id)?.label ?? id;
    const { cell, view } = this.#room(matrix, input);
    const frames = this.#frames(matrix, input, operands);
    const isTurned = this.isTurned(id);
    this.#matrices.get(id)?.update({
      ...gridOf(matrix, paint, isTurned),
      row: isTurned ? place.column : place.row, column: isTurned ? place.row : place.column,
      frames: isTurned ? frames.map(turnedFrame) : frames,
      hues: this.#hues(matrix, hues),
      cell, view,
      label: cellLabel(placeText(shown, id, place), masked?.[place.row * columns + place.column] === -Infinity, significant(matrix.value)),
      gridLabel: gridLabel(label, matrix, input.picture), summary: summary(shown, { ...matrix, row: place.row }),
    }, this.isSeen(id));
  }

  #hues({ id, head, columns }: Matrix, hues: readonly string[]): string[] | null {
    const { picture: { trace } } = this.#input as DrawingInput;
    if (trace.shape.H < 2) return null;
    if (id === 'context') return Array.from({ length: columns }, () => hues[head] ?? '');
    if (id === 'concat') return Array.from({ length: columns }, (_, column) => hues[Math.floor(column / trace.shape.d_v)] ?? '');
    return null;
  }

  #frames(matrix: Matrix, { selection, active, picture }: DrawingInput, operands: readonly Operands[]): Frame[] {
    const { id, columns, head, place } = matrix;
    const whose = side(id);
    const right = columns - 1;
    const frames: Frame[] = [];
    const self = picture.tokens === picture.keyTokens;
    const row = (at: number, look: Frame['look']) => frames.push({ top: at, bottom: at, left: 0, right, look });
    const shared = self && (id === 'content' || id === 'position' || id === 'embeddings');
    if (whose === 'key' || shared) row(selection.key, 'key-row');
    if (whose === 'query' || whose === 'pair') row(selection.query, 'row');
    for (const frame of operands) if (frame.array === id && (frame.head === head || whose === 'parameter')) frames.push(frame);
    const here = placeOf(picture.trace, active);
    if (active.array === id && here.head === head) frames.push(at(here, 'focus'));
    else if (whose === 'pair') frames.push(at(place, 'place'));
    return frames;
  }

  #drawMultiples({ picture, shown: { trace }, cards, allHeads, paint }: DrawingInput): void {
    for (const { id, label, matrix } of cards) {
      const host = allHeads.has(id) && this.isSeen(id) ? this.#host.querySelector<HTMLElement>(`[data-multiples=${id}]`) : null;
      if (!host) continue;
      const grid = gridOf(matrix, paint, this.isTurned(id));
      const hides = SHARES.includes(id) || id === 'masked_scores';
      drawMultiples(host, {
        heads: matrix.heads, chosen: matrix.head, rows: grid.rows, columns: grid.columns, label, place: (head) => headOf(picture, head),
        grid: (head) => ({ ...grid, numbers: matrixOf(trace, id, head), masked: hides ? matrixOf(trace, 'masked_scores', head) : null }),
      }, (head) => this.#events.chooseHead(Math.ceil((head * trace.shape.H) / matrix.heads)));
    }
  }

  /** One scroll position for all: a word keeps its line. */
  #scroll(top: number): void {
    if (top === this.#top) return;
    this.#top = top;
    for (const [id, matrix] of this.#matrices) if (side(id) !== 'parameter') matrix.scrollTo(top);
    if (this.#input) this.#labels(this.#input);
  }

  #labels({ shown, selection, sizes }: DrawingInput): void {
    for (const host of this.#host.querySelectorAll<HTMLElement>('.line-labels')) {
      const key = host.dataset['whose'] === 'key';
      const words = key ? shown.keyTokens : shown.tokens;
      const height = Math.min(words.length * sizes.row, sizes.height);
      host.style.height = `${height}px`;
      const first = Math.floor(this.#top / sizes.row);
      const count = Math.max(0, Math.min(words.length - first, Math.ceil(height / sizes.row) + 1));
      while (host.children.length > count) host.lastChild?.remove();
      while (host.children.length < count) host.append(readersWord());
      for (let i = 0; i < count; i += 1) {
        const label = host.children[i] as HTMLElement;
        const index = first + i;
        const text = words[index]?.text ?? '';
        if (label.textContent !== text) {
          label.textContent = text;
          label.toggleAttribute('data-long', isLong(text));
        }
        label.className = index === (key ? selection.key : selection.query) ? 'chosen' : '';
        label.style.top = `${index * sizes.row - this.#top}px`;
        label.style.lineHeight = `${sizes.row}px`;
      }
    }
  }
}

const at = ({ row, column }: Place, look: Frame['look']): Frame => ({ top: row, bottom: row, left: column, right: column, look });

const cellLabel = (place: string, masked: boolean, value: string): string => (masked ? msg(str`${place}, masked, ${value}`) : `${place}${comma()}${value}`);

function gridLabel(stage: string, { id, heads, head }: Matrix, picture: Picture): string {
  const lie = axisWords(picture, id);
  return heads > 1 ? msg(str`${stage} of head ${headOf(picture, head)}: ${lie}`) : msg(str`${stage}: ${lie}`);
}

function axisWords({ rows }: Picture, id: ArrayId): string {
  switch (side(id)) {
    case 'pair': return axes(rows, false).aloud;
    case 'parameter': return msg('rows are numbers that come in, columns numbers that go out');
    case 'key': return msg('rows are words that are looked at, columns their numbers');
    default: return msg('rows are words, columns their numbers');
  }
}

// One stage of every head as small multiples: a button each, drawn dot by dot.

interface MultiplesData {
  heads: number;
  chosen: number;
  rows: number;
  columns: number;
  /** One head's matrix. */
  grid(head: number): Grid;
  place(head: number): string;
  label: string;
}

const MAX_DOTS = 128;
const SIDE = 52;
/** Of one picture with its number and the gap behind it. */
const ACROSS = SIDE + 6;

/** Every head has its place; only those in view are drawn. */
function drawMultiples(host: HTMLElement, data: MultiplesData, choose: (head: number) => void): void {
  while (host.children.length > data.heads) host.lastChild?.remove();
  while (host.children.length < data.heads) host.append(makeButton(host.children.length, choose));
  const height = Math.round(Math.max(16, Math.min(SIDE, (SIDE * data.rows) / data.columns)));
  host.style.setProperty('--high', `${height}px`);
  for (let head = 0; head < data.heads; head += 1) {
    const button = host.children[head] as HTMLButtonElement;
    button.setAttribute('aria-pressed', head === data.chosen ? 'true' : 'false');
    button.setAttribute('aria-label', msg(str`${data.label}, head ${data.place(head)}`));
    (button.lastChild as Text).data = data.place(head);
  }
  const inView = () => drawFrom(host, data, height + 22);
  host.onscroll = inView;
  inView();
}

function drawFrom(host: HTMLElement, data: MultiplesData, line: number): void {
  // The list has a padding of 4 px, and the last item has no gap of 6 px.
  const perLine = Math.max(1, Math.floor((host.clientWidth + 2) / ACROSS));
  const first = Math.floor(host.scrollTop / line) * perLine;
  const last = Math.min(data.heads, Math.ceil((host.scrollTop + host.clientHeight) / line + 1) * perLine);
  const strip = new Strip();
  for (let head = first; head < last; head += 1) {
    const grid = reduced(data.grid(head), MAX_DOTS);
    strip.draw([grid]);
    strip.show(host.children[head]?.querySelector('canvas') as HTMLCanvasElement, 0, grid.columns, grid.rows);
  }
}

function makeButton(head: number, choose: (head: number) => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  const canvas = document.createElement('canvas');
  canvas.setAttribute('aria-hidden', 'true');
  button.append(canvas, '');
  button.addEventListener('click', () => choose(head));
  return button;
}
