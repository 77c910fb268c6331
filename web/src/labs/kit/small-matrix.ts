// A small matrix that looks like the large one. It is a grid with one tab stop: arrows or a tap go to a cell, whose number is then
// shown below.
import { msg } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, noChange, nothing, svg } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import { cellDifference, cellWeight, listed } from '../../lib/format.ts';
import { short } from '../../text/numbers.ts';
import { Space } from '../../lib/space.ts';
import { type Grid, NUMERALS_FROM, type Place, placeAfter } from '../../ui/kit/grid.ts';
import { type Mark, type Text, gridMarks, legend, text } from '../../ui/kit/marks.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import { caption, numbersTable, roomFor, sized } from './plot.ts';

export interface SmallMatrixData {
  title: string;
  note?: string;
  /** What the figure shows, in one sentence. */
  summary: string;
  /** Names down the side and along the top; what they are. */
  rows: readonly string[];
  columns: readonly string[];
  axes: { down: string; across: string };
  /** Null where masked. */
  value(row: number, column: number): number | null;
  kind: 'weights' | 'signed';
  /** Of signed numbers: colours reach from −range to +range. Weights reach from 0 to 1. */
  range?: number;
  /** A number as it stands in its cell. */
  words?(value: number): string;
  paint: Paint;
  /** A row or a column that the text mentions. */
  lit?: { row?: number; column?: number };
  /** If the reader answers by choosing a cell: the chosen cell, and the callback. */
  chosen?: Place | null;
  choose?(place: Place): void;
  /** Several matrices side by side may share one legend. */
  legend?: boolean;
}

const LARGEST = 44;
const SMALLEST = 8;
const MOST_NAME = 110;
const LEGEND = 160;

interface Layout { cell: number; left: number; top: number; across: number; down: number; height: number; turned: boolean }

function layout({ rows, columns, legend = true }: SmallMatrixData, width: number): Layout {
  const long = (names: readonly string[]) => Math.min(MOST_NAME, Math.max(0, ...names.map((name) => roomFor(name))));
  const left = Math.min(long(rows) + 12, width * 0.35);
  const turned = long(columns) > NUMERALS_FROM - 4;
  const spill = turned ? long(columns) * 0.72 : 0;
  const cell = Math.max(SMALLEST, Math.min(LARGEST, Math.floor((width - left - spill) / Math.max(1, columns.length))));
  const top = 24 + (turned ? long(columns) * 0.72 + 12 : 22);
  const [across, down] = [cell * columns.length, cell * rows.length];
  return { cell, left, top, across, down, height: top + down + (legend ? 48 : 4), turned };
}

type Go = (to: Place) => void;

export function smallMatrix(data: SmallMatrixData): TemplateResult {
  const { title, note, rows, columns, axes, chosen = null, choose } = data;
  return html`
    <figure class="plot">
      ${caption(title, note)}
      <div class="plot-box">${sized((width) => {
        const lie = layout(data, width);
        return explored((seen, look) => (choose ? body(data, lie, chosen, choose) : body(data, lie, seen, look)));
      })}</div>
      ${numbersTable(title, {
        columns: [listed([axes.down, axes.across]).join(''), ...columns],
        rows: rows.map((name, row) => [name, ...columns.map((_, column) => words(data, { row, column }))]),
      })}
    </figure>
  `;
}

/** The picture, the grid that lies over it, and the number of the place that was gone to. */
function body(data: SmallMatrixData, lie: Layout, place: Place | null, go: Go): TemplateResult {
  const { rows, columns, title, summary } = data;
  return html`
    <div class="plot-grid-box" .style=${`min-width: ${lie.left + lie.across}px`}>
      <svg class="plot-picture" aria-hidden="true" width="100%" height=${lie.height} @click=${(event: MouseEvent) => click(event, data, lie, go)}>${drawn(picture(data, lie), data.paint.hatch)}</svg>
      ${grid(data, lie, `${title}. ${summary}`, place, go)}
    </div>
    ${place && place.row < rows.length && place.column < columns.length ? html`<p class="plot-read" aria-hidden="true">${reading(data, place)}</p>` : nothing}
  `;
}

function words(data: SmallMatrixData, { row, column }: Place): string {
  const value = data.value(row, column);
  return value === null ? msg('masked') : short(value);
}

/** "query it, key animal: 0.2586" */
const reading = (data: SmallMatrixData, place: Place): string => `${data.axes.down} ${data.rows[place.row] ?? ''}, ${data.axes.across} ${data.columns[place.column] ?? ''}: ${words(data, place)}`;

function picture(data: SmallMatrixData, { cell, left, top, across, down, turned }: Layout): Mark[] {
  const { rows, columns, axes, lit, chosen, paint: { ink, muted, border, accent } } = data;
  const clip = (name: string) => (roomFor(name) > MOST_NAME ? `${[...name].slice(0, Math.floor((MOST_NAME * [...name].length) / roomFor(name)) - 1).join('')}…` : name);
  const middle = (at: number) => (at + 0.5) * cell;
  const name = (x: number, y: number, words: string, bold: boolean, way: Partial<Text>) => text(x, y, clip(words), { size: 12, bold, fill: bold ? accent : ink, ...way });
  const frame = (x: number, y: number, width: number, height: number, stroke: string, line: number): Mark => ({ kind: 'rect', x, y, width, height, fill: 'none', stroke, line });
  const grid = gridOf(data);
  return [
    text(0, 12, `${axes.down} ↓  ${axes.across} →`, { size: 12, fill: muted }),
    ...rows.map((words, row) => name(left - 8, top + middle(row) + 4, words, row === lit?.row, { anchor: 'end' })),
    ...columns.map((words, column) => name(left + middle(column), top - 8, words, column === lit?.column, turned ? { turn: -45 } : { anchor: 'middle' })),
    ...gridMarks(grid, left, top, { width: cell, height: cell }, { gap: 1, pitch: HATCH, words: data.words ?? (data.kind === 'weights' ? cellWeight : cellDifference) }),
    frame(left - 0.5, top - 0.5, across, down, border, 1),
    ...(lit?.row === undefined ? [] : [frame(left - 0.5, top + lit.row * cell - 0.5, across, cell, accent, 1.5)]),
    ...(lit?.column === undefined ? [] : [frame(left + lit.column * cell - 0.5, top - 0.5, cell, down, accent, 1.5)]),
    ...(chosen ? [frame(left + chosen.column * cell, top + chosen.row * cell, cell - 1, cell - 1, accent, 3)] : []),
    ...(data.legend === false ? [] : legend(grid, left, top + down + 16, null, LEGEND)),
  ];
}

function gridOf({ rows, columns, value, kind, range = 0, paint }: SmallMatrixData): Grid {
  const numbers = rows.flatMap((_, row) => columns.map((__, column) => value(row, column) ?? -Infinity));
  return { rows: rows.length, columns: columns.length, rowStride: columns.length, columnStride: 1, numbers, masked: null, kind, range, paint };
}

/** Between lines, so that they lie six pixels apart. */
const HATCH = 6 * Math.SQRT2;

/** The lines of all hatched cells are one path. */
function drawn(marks: readonly Mark[], hatching: string): SVGTemplateResult {
  const lines = marks.flatMap((mark) => (mark.kind === 'line' ? [`M${[mark.x, mark.y, mark.toX, mark.toY].map((at) => at.toFixed(1)).join(' ')}`] : []));
  return svg`
    ${marks.map((mark) => {
      if (mark.kind === 'rect') return svg`<rect x=${mark.x} y=${mark.y} width=${mark.width} height=${mark.height} fill=${mark.fill} stroke=${mark.stroke ?? nothing} stroke-width=${mark.line ?? nothing} data-cell=${mark.cell ? `${mark.cell.row},${mark.cell.column}` : nothing}></rect>`;
      return mark.kind === 'text' ? svg`<text x=${mark.x} y=${mark.y} fill=${mark.fill} text-anchor=${mark.anchor} font-weight=${mark.bold ? 700 : nothing} transform=${mark.turn ? `rotate(${mark.turn} ${mark.x} ${mark.y})` : nothing}>${mark.text}</text>` : nothing;
    })}
    <path fill="none" stroke=${hatching} d=${lines.join('') || 'M0 0'}></path>
  `;
}

/** One cell element serves the whole grid: it moves to the chosen place and names its number. */
function grid(data: SmallMatrixData, { cell, left, top }: Layout, label: string, place: Place | null, go: Go): TemplateResult {
  const { rows, columns, choose } = data;
  const [row, column] = [Math.min(place?.row ?? 0, rows.length - 1), Math.min(place?.column ?? 0, columns.length - 1)];
  return html`
    <div class="plot-grid-over" role="grid" aria-label=${label} aria-rowcount=${rows.length} aria-colcount=${columns.length}>
      <div role="row" aria-rowindex=${row + 1}>
        <div role="gridcell" tabindex="0" aria-colindex=${column + 1} aria-selected=${choose ? String(place !== null) as 'true' | 'false' : nothing} aria-label=${reading(data, { row, column })}
          .style=${`left: ${left + column * cell}px; top: ${top + row * cell}px; width: ${cell - 1}px; height: ${cell - 1}px`}
          @keydown=${(event: KeyboardEvent) => press(event, data, { row, column }, go)}></div>
      </div>
    </div>
  `;
}

function click(event: MouseEvent, { rows, columns }: SmallMatrixData, { cell, left, top }: Layout, go: Go): void {
  const picture = event.currentTarget as SVGElement;
  const at = new Space(picture).point(event);
  const [row, column] = [Math.floor((at.y - top) / cell), Math.floor((at.x - left) / cell)];
  if (row < 0 || row >= rows.length || column < 0 || column >= columns.length) return;
  go({ row, column });
  picture.parentElement?.querySelector<HTMLElement>('[role=gridcell]')?.focus({ preventScroll: true });
}

function press(event: KeyboardEvent, { rows, columns }: SmallMatrixData, place: Place, go: Go): void {
  const to = event.altKey ? null : placeAfter(event, place, { rows: rows.length, columns: columns.length });
  if (!to) return;
  event.preventDefault();
  go(to);
}

// The cell that the reader has gone to. The directive keeps it, because no number depends on it.

type Draw = (place: Place | null, go: (to: Place) => void) => unknown;

class Explored extends AsyncDirective {
  #place: Place | null = null;
  #draw: Draw = () => noChange;
  readonly #go = (to: Place): void => {
    this.#place = to;
    this.setValue(this.#draw(to, this.#go));
  };

  override render(draw: Draw): unknown {
    this.#draw = draw;
    return draw(this.#place, this.#go);
  }
}

/** `draw` is given the place, null before there is one, and the way to another. */
export const explored = directive(Explored);
