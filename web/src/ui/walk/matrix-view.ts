// Any stage's matrix, small: only the window in view is drawn, as one picture enlarged, with frames over it.
import { type TemplateResult, html } from 'lit';
import { setMeasure } from '../../lib/dom.ts';
import type { Box as Own, Space } from '../../lib/space.ts';
import { type GridData, type GridEvents, GridView, type Room, samePlace } from '../kit/grid-view.ts';
import { type Place, Strip, type View, clamp, coloursOf, eachCell, maskedRegion } from '../kit/grid.ts';
import { hatch, openCanvas } from '../kit/paint.ts';

// How a stage's matrix looks: one picture enlarged, the hatch over what is masked, and frames over all.

/** Cells, from the first to the last. */
export interface Box { top: number; bottom: number; left: number; right: number }

/** A frame around cells that belong together; places past the matrix's end are not drawn. */
export interface Frame extends Box {
  look: 'row' | 'key-row' | 'left' | 'right' | 'focus' | 'place';
}

interface MatrixData extends GridData {
  frames: readonly Frame[];
  /** A hue for each column's head, over the matrix; none where heads are not told apart. */
  hues: readonly string[] | null;
  cell: { width: number; height: number };
  /** In CSS pixels, at most. */
  view: { width: number; height: number };
}

export const turnedFrame = <F extends Box>(frame: F): F => ({ ...frame, top: frame.left, bottom: frame.right, left: frame.top, right: frame.bottom });

const STRIP = 6;

/** The hue of each column's head. */
function drawHues(context: CanvasRenderingContext2D, { hues }: MatrixData, { x, cell, firstColumn, lastColumn }: View): void {
  for (let column = firstColumn; column < lastColumn; column += 1) {
    context.fillStyle = hues?.[column] ?? '';
    context.fillRect(column * cell.width - x, 0, cell.width, STRIP - 2);
  }
}

function drawCells(context: CanvasRenderingContext2D, strip: Strip, data: MatrixData, view: View): void {
  const { kind, range, paint } = data;
  const { x, y, cell: { width, height } } = view;
  strip.paint(context, data, view);
  const { ramp, stepOf } = coloursOf(data);
  const least = Math.min(width, height);
  // A dot on each number that is larger than the colours reach, which a kept range allows.
  if (kind === 'signed' && least >= 4) eachCell(data, view, (row, column, number) => {
    if (Math.abs(number) <= range || number === -Infinity) return;
    context.fillStyle = ramp.ink(stepOf(number));
    context.beginPath();
    context.arc((column + 0.5) * width - x, (row + 0.5) * height - y, least / 5, 0, 2 * Math.PI);
    context.fill();
  });
  const region = maskedRegion(data, view);
  if (region) {
    context.fillStyle = paint.paper;
    context.fill(region);
    hatch(context, region, { ...view, offsetX: x, offsetY: y }, paint.hatch, 4);
  } else if (least >= 10) drawGaps(context, paint.paper, view);
}

/** A hair of paper between cells that are large enough to be told apart. */
function drawGaps(context: CanvasRenderingContext2D, paper: string, { x, y, width, height, cell, firstRow, lastRow, firstColumn, lastColumn }: View): void {
  context.fillStyle = paper;
  for (let row = firstRow + 1; row <= lastRow; row += 1) context.fillRect(0, row * cell.height - y - 0.5, width, 0.5);
  for (let column = firstColumn + 1; column <= lastColumn; column += 1) context.fillRect(column * cell.width - x - 0.5, 0, 0.5, height);
}

const LINES: Record<Frame['look'], number> = { focus: 3, left: 2, right: 2, place: 1.5, row: 1.5, 'key-row': 1.5 };

function drawFrame(context: CanvasRenderingContext2D, { paint }: MatrixData, frame: Frame, { x, y, cell }: View): void {
  const [left, top] = [frame.left * cell.width - x, frame.top * cell.height - y];
  const [width, height] = [(frame.right - frame.left + 1) * cell.width, (frame.bottom - frame.top + 1) * cell.height];
  const line = LINES[frame.look];
  const dashed = frame.look === 'key-row' || frame.look === 'right';
  // Thin columns get a frame wide enough to be seen.
  const grow = Math.max(0, (7 - width) / 2);
  const box = [left - grow + line / 2, top + line / 2, width + 2 * grow - line, Math.max(1, height - line)] as const;
  if (line !== LINES.row || frame.look === 'place') {
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

export interface MatrixEvents extends GridEvents {
  /** A place to look at while the mouse is there; null when it has left. */
  hover(place: Place | null): void;
  scrolled(top: number): void;
}

export class StageMatrix extends GridView<MatrixData, MatrixEvents> {
  readonly #space: HTMLElement;
  readonly #strip = new Strip();
  #hovered: Place | null = null;

  constructor(host: HTMLElement, events: MatrixEvents) {
    super(host, events);
    this.#space = host.querySelector('.stage-space') as HTMLElement;
    this.canvas.addEventListener('pointermove', (event) => { if (event.pointerType === 'mouse') this.#hover(this.placeAt(event)); });
    this.canvas.addEventListener('pointerleave', () => this.#hover(null));
  }

  /** Where cells stand, as far as they are in view. */
  boxOf(space: Space, frame: Box): Own | null {
    if (!this.data) return null;
    const { x, y, width, height, cell } = this.view(this.data);
    const corner = space.box(this.canvas);
    const [left, right] = [clamp(frame.left * cell.width - x, width), clamp((frame.right + 1) * cell.width - x, width)];
    const [top, bottom] = [clamp(frame.top * cell.height - y, height), clamp((frame.bottom + 1) * cell.height - y, height)];
    const [across, down] = [corner.left, corner.top + (this.data.hues ? STRIP : 0)];
    return { left: across + left, right: across + right, top: down + top, bottom: down + bottom };
  }

  protected layout({ rows, columns, cell, view, hues }: MatrixData): Room {
    const top = hues ? STRIP : 0;
    const [width, height] = [columns * cell.width, rows * cell.height + top];
    const set = (element: HTMLElement, across: number, down: number) => {
      setMeasure(element, 'width', `${across}px`);
      setMeasure(element, 'height', `${down}px`);
    };
    set(this.#space, width, height);
    // A bar to scroll sideways must not cover a row.
    set(this.host, Math.min(width, view.width), Math.min(height, view.height + top) + (width > view.width ? 10 : 0));
    set(this.cell, cell.width, cell.height);
    return { cell, ...view, top };
  }

  protected paint(data: MatrixData, view: View): void {
    const { width, height } = view;
    const top = data.hues ? STRIP : 0;
    const context = openCanvas(this.canvas, Math.max(1, width), Math.max(1, height + top));
    if (!context) return;
    context.fillStyle = data.paint.paper;
    context.fillRect(0, 0, width, height + top);
    if (view.firstRow >= view.lastRow || view.firstColumn >= view.lastColumn) return;
    if (data.hues) drawHues(context, data, view);
    context.save();
    context.translate(0, top);
    drawCells(context, this.#strip, data, view);
    for (const frame of data.frames) drawFrame(context, data, frame, view);
    context.restore();
  }

  #hover(place: Place | null): void {
    if (samePlace(place, this.#hovered)) return;
    this.#hovered = place;
    this.events.hover(place);
  }

  protected override scrolled(top: number): void {
    this.events.scrolled(top);
  }

  protected tap(event: MouseEvent): void {
    const place = this.placeAt(event);
    if (!place) return;
    this.focus();
    this.events.choose(place);
  }

  protected press({ key }: KeyboardEvent, place: Place): boolean {
    if (key === 'Enter') this.events.choose(place);
    return key === 'Enter';
  }
}

/** What it is shown in. */
export function stageFrame(id: string): TemplateResult {
  return html`
    <div class="stage-matrix" dir="ltr" data-array=${id}>
      <div class="stage-space">
        <canvas aria-hidden="true"></canvas>
        <div class="stage-over"><div role="grid"><div role="row"><div role="gridcell" tabindex="0"></div></div></div></div>
      </div>
    </div>
  `;
}
