// Series of points over one axis, each told from the others by dash, mark and name, not by colour alone.
import { type SVGTemplateResult, type TemplateResult, html, nothing, svg } from 'lit';
import { type Axis, type Field, across, axes, besides, plot, roomFor, up } from './plot.ts';

export interface Series {
  label: string;
  /** In the order of x. A y that is no number leaves a gap. */
  points: readonly { x: number; y: number }[];
  /** A formula or a bound: dotted, without marks. */
  reference?: boolean;
}

export interface LinesData {
  title: string;
  note?: string;
  summary: string;
  x: Axis;
  y: Axis;
  series: readonly Series[];
  /** Where the reader stands on the x-axis. */
  at?: { x: number; words: string } | null;
  height?: number;
}

/** Series are named beside their last points while that leaves most of the width to the lines; else below alone. */
const MOST_FOR_NAMES = 0.3;
const BOLD_LETTER = 7.4;
const LINE = 17;
/** More marks than these would hide the line. */
const MOST_MARKS = 20;
/** Half of the last number below the axis. */
const EDGE = 20;

export function lines(data: LinesData): TemplateResult {
  const { title, note, summary, x, series, height = 280 } = data;
  const xs = [...new Set(series.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b);
  const y = (each: Series, at: number) => each.points.find((point) => point.x === at)?.y ?? NaN;
  return plot({
    title, ...(note && { note }), summary, height, draw: (width) => picture(data, width, height),
    legend: names(series),
    numbers: {
      columns: [x.label, ...series.map(({ label }) => label)],
      rows: xs.map((at) => [x.words(at), ...series.map((each) => (Number.isFinite(y(each, at)) ? data.y.words(y(each, at)) : ''))]),
    },
  });
}

function picture(data: LinesData, width: number, height: number): SVGTemplateResult {
  const { x, y, series, at } = data;
  const room = Math.max(...series.map((each) => roomFor(endWords(data, each), BOLD_LETTER)));
  const beside = room <= MOST_FOR_NAMES * width;
  const bottom = height - 44;
  const field: Field = { left: besides(y, bottom), right: width - (beside ? 16 + room : EDGE), top: at ? 44 : 28, bottom };
  return svg`
    ${axes(x, y, field)}
    ${at ? svg`
      <line class="plot-at" x1=${across(x, field, at.x)} x2=${across(x, field, at.x)} y1=${field.top} y2=${field.bottom}></line>
      <text class="plot-at-words" x=${across(x, field, at.x)} y="34" text-anchor=${across(x, field, at.x) > field.left + 100 ? 'end' : 'start'}>${at.words}</text>
    ` : nothing}
    ${series.map((each, i) => drawn(each, lookOf(series, i), data, field))}
    ${beside ? endNames(data, field) : nothing}
  `;
}

/** References share one look; the others go through theirs in order. */
function lookOf(series: readonly Series[], at: number): string {
  return series[at]?.reference ? 'reference' : String(series.slice(0, at).filter(({ reference }) => !reference).length % 4);
}

function drawn({ points, reference, label }: Series, look: string, { x, y }: LinesData, field: Field): SVGTemplateResult {
  const placed = points.map((point) => ({ ...point, left: across(x, field, point.x), top: up(y, field, point.y) }));
  let pen = 'M';
  const path = placed.map(({ y: value, left, top }) => {
    if (!Number.isFinite(value)) return (pen = 'M'), '';
    const step = `${pen}${left.toFixed(1)} ${top.toFixed(1)}`;
    pen = 'L';
    return step;
  }).join('');
  return svg`
    <g class="plot-series" data-look=${look} data-series=${label}>
      <path class="plot-line" d=${path || 'M0 0'}></path>
      ${reference ? nothing : placed.filter((point, i) => Number.isFinite(point.y) && i % Math.ceil(placed.length / MOST_MARKS) === 0).map((point) => svg`
        <path class="plot-mark" d=${mark(look, point.left, point.top)}><title>${`${label}: ${x.words(point.x)}, ${y.words(point.y)}`}</title></path>
      `)}
    </g>
  `;
}

/** Circle, square, diamond, triangle. */
function mark(look: string, x: number, y: number): string {
  const [left, top] = [x.toFixed(1), y.toFixed(1)];
  switch (look) {
    case '1': return `M${left} ${top}m-3.5-3.5h7v7h-7z`;
    case '2': return `M${left} ${top}m0-5l5 5l-5 5l-5-5z`;
    case '3': return `M${left} ${top}m0-4.5l4.5 8h-9z`;
    default: return `M${left} ${top}m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z`;
  }
}

const last = ({ points }: Series) => points.findLast(({ y }) => Number.isFinite(y));

function endWords({ y }: LinesData, each: Series): string {
  const end = last(each);
  return each.reference || !end ? each.label : `${each.label} ${y.words(end.y)}`;
}

/** Beside each series' last point, pushed apart where they would lie on each other. */
function endNames(data: LinesData, field: Field): SVGTemplateResult {
  const { x, y, series } = data;
  const ends = series.flatMap((each, i) => {
    const end = last(each);
    return end ? [{ each, look: lookOf(series, i), x: across(x, field, end.x), y: up(y, field, end.y) }] : [];
  }).sort((a, b) => a.y - b.y);
  ends.forEach((end, i) => { end.y = Math.max(end.y, (ends[i - 1]?.y ?? -Infinity) + LINE); });
  for (let i = ends.length - 1, most = field.bottom; i >= 0; i -= 1, most -= LINE) {
    const end = ends[i];
    if (end) end.y = Math.min(end.y, most);
  }
  return svg`${ends.map((end) => svg`<text class="plot-end" data-look=${end.look} x=${Math.min(end.x, field.right) + 10} y=${end.y + 4}>${endWords(data, end.each)}</text>`)}`;
}

function names(series: readonly Series[]): TemplateResult | typeof nothing {
  if (series.length < 2) return nothing;
  return html`<ul class="plot-names">${series.map(({ label }, i) => html`
    <li data-look=${lookOf(series, i)}><svg width="26" height="12" viewBox="0 0 26 12" aria-hidden="true"><g class="plot-series" data-look=${lookOf(series, i)}>
      <path class="plot-line" d="M0 6H26"></path>${series[i]?.reference ? nothing : svg`<path class="plot-mark" d=${mark(lookOf(series, i), 13, 6)}></path>`}
    </g></svg> ${label}</li>
  `)}</ul>`;
}
