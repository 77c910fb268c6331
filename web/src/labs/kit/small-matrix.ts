// A small matrix that looks as the large one does. It is a grid of one tab stop: arrows, or a tap, go to a cell, whose number
// then stands beneath.
import { msg } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, noChange, nothing, svg } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import { cellDifference, cellWeight } from '../../lib/format.ts';
import { short } from '../../text/numbers.ts';
import { Space } from '../../lib/space.ts';
import { type Grid, NUMERALS_FROM, type Place, coloursOf, placeAfter } from '../../ui/kit/grid.ts';
import { boxes, hatchLines } from '../../ui/kit/marks.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import { roomFor } from './axis.ts';
import { caption, numbersTable, sized } from './plot.ts';

export interface SmallMatrixData {
  title: string;
  note?: string;
  /** What is to be seen, in one sentence. */
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
  /** A row or a column that is spoken of. */
  lit?: { row?: number; column?: number };
  /** Where a choice among the cells is the reader's answer: what is chosen, and who is told. */
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
        columns: [`${axes.down}, ${axes.across}`, ...columns],
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
      <svg class="plot-picture" aria-hidden="true" width="100%" height=${lie.height} @click=${(event: MouseEvent) => click(event, data, lie, go)}>${picture(data, lie)}</svg>
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

function picture(data: SmallMatrixData, place: Layout): SVGTemplateResult {
  const { rows, columns, axes, lit, chosen } = data;
  const { cell, left, top, across, down, turned } = place;
  const clip = (name: string) => (roomFor(name) > MOST_NAME ? `${[...name].slice(0, Math.floor((MOST_NAME * [...name].length) / roomFor(name)) - 1).join('')}…` : name);
  const middle = (at: number) => (at + 0.5) * cell;
  const each = boxes(gridOf(data), left, top, { width: cell, height: cell }, 1);
  const numeral = data.words ?? (data.kind === 'weights' ? cellWeight : cellDifference);
  return svg`
    <g class="plot-axes">
      <text x="0" y="12">${axes.down} ↓  ${axes.across} →</text>
      ${rows.map((name, row) => svg`<text class=${row === lit?.row ? 'plot-lit' : 'plot-name'} x=${left - 8} y=${top + middle(row) + 4} text-anchor="end">${clip(name)}</text>`)}
      ${columns.map((name, column) => {
        const [x, y] = [left + middle(column), top - 8];
        return svg`<text class=${column === lit?.column ? 'plot-lit' : 'plot-name'} x=${x} y=${y} text-anchor=${turned ? 'start' : 'middle'} transform=${turned ? `rotate(-45 ${x} ${y})` : 'rotate(0)'}>${clip(name)}</text>`;
      })}
    </g>
    <g>${each.map(({ row, column, number, x, y, width, height, fill, ink }) => (number === -Infinity ? nothing : svg`
      <rect x=${x} y=${y} width=${width} height=${height} fill=${fill} data-cell=${`${row},${column}`}></rect>
      ${cell >= NUMERALS_FROM ? svg`<text class="plot-numeral" x=${x + width / 2} y=${y + cell / 2 + 4} text-anchor="middle" fill=${ink}>${numeral(number)}</text>` : nothing}
    `))}</g>
    <path class="plot-hatch" d=${each.filter(({ number }) => number === -Infinity).flatMap(({ x, y }) => hatchLines(x, y, cell, cell, HATCH)).map(path).join('') || 'M0 0'}></path>
    <rect class="plot-frame" x=${left - 0.5} y=${top - 0.5} width=${across} height=${down}></rect>
    ${lit?.row === undefined ? nothing : svg`<rect class="plot-lit-line" x=${left - 0.5} y=${top + lit.row * cell - 0.5} width=${across} height=${cell}></rect>`}
    ${lit?.column === undefined ? nothing : svg`<rect class="plot-lit-line" x=${left + lit.column * cell - 0.5} y=${top - 0.5} width=${cell} height=${down}></rect>`}
    ${chosen ? svg`<rect class="plot-chosen" x=${left + chosen.column * cell} y=${top + chosen.row * cell} width=${cell - 1} height=${cell - 1}></rect>` : nothing}
    ${data.legend === false ? nothing : legend(data, left, top + down + 16)}
  `;
}

function gridOf({ rows, columns, value, kind, range = 0, paint }: SmallMatrixData): Grid {
  const numbers = rows.flatMap((_, row) => columns.map((__, column) => value(row, column) ?? -Infinity));
  return { rows: rows.length, columns: columns.length, rowStride: columns.length, columnStride: 1, numbers, masked: null, kind, range, paint };
}

/** Between lines, so that they lie six pixels apart. */
const HATCH = 6 * Math.SQRT2;
const path = (line: readonly number[]): string => line.map((at, i) => ['M', ' ', 'L', ' '][i] + at.toFixed(1)).join('');

/** The printed domain. */
function legend(data: SmallMatrixData, x: number, y: number): SVGTemplateResult {
  const { kind, range = 0, paint } = data;
  const { ramp, stepOf } = coloursOf({ kind, range, paint });
  const signed = kind === 'signed';
  const ends = signed ? [`−${short(range)}`, '0', `+${short(range)}`] : ['0', '0.5', '1'];
  const steps = 40;
  const valueAt = (share: number) => (signed ? (2 * share - 1) * range : share);
  return svg`
    <g class="plot-axes">
      ${Array.from({ length: steps }, (_, i) => svg`<rect x=${x + (i * LEGEND) / steps} y=${y} width=${LEGEND / steps + 0.5} height="8" fill=${ramp.fill(stepOf(valueAt((i + 0.5) / steps)))}></rect>`)}
      <rect class="plot-frame" x=${x} y=${y} width=${LEGEND} height="8"></rect>
      ${ends.map((end, i) => svg`<text x=${x + (i * LEGEND) / 2} y=${y + 22} text-anchor=${(['start', 'middle', 'end'] as const)[i] ?? 'middle'}>${end}</text>`)}
    </g>
  `;
}

/** One cell of a grid stands for all: it moves with the place and says in words what is there. */
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

// The cell of a matrix that the reader has gone to: kept by the page, since no number depends on it.

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
