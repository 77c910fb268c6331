// Any stage's matrix, small: only the window in view is drawn, as one picture enlarged, with frames over it.
import { setMeasure } from '../../lib/dom.ts';
import type { Box as Own, Space } from '../../lib/space.ts';
import { type Place, Strip, type View, clamp } from '../kit/grid.ts';
import { type GridEvents, GridView, type Room, samePlace } from '../kit/grid-view.ts';
import { openCanvas } from '../kit/paint.ts';
import { type Box, type MatrixData, STRIP, drawCells, drawFrame, drawHues } from './cells-canvas.ts';

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
