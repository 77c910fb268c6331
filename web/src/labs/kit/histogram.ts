// How many of many numbers lie where: bars, the curve that a formula expects, and marks of the reader's own numbers.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, nothing, svg } from 'lit';
import { count, fixed } from '../../lib/format.ts';
import { type Axis, type Field, across, axes, besides, up } from './axis.ts';
import { plot } from './plot.ts';

export interface Bins {
  /** Left edge of the first, and how wide each is. */
  least: number;
  size: number;
  counts: readonly number[];
  /** Numbers that lie beyond the first or the last. */
  beyond: number;
}

/** Numbers from `least` on, in bins of `size`; an edge belongs to the bin on its right. */
export function bins(numbers: ArrayLike<number>, least: number, size: number, many: number): Bins {
  const counts = new Array<number>(many).fill(0);
  let beyond = 0;
  for (let i = 0; i < numbers.length; i += 1) {
    const at = Math.floor(((numbers[i] ?? NaN) - least) / size);
    if (at >= 0 && at < many) counts[at] = (counts[at] ?? 0) + 1;
    else beyond += 1;
  }
  return { least, size, counts, beyond };
}

export interface HistogramData {
  title: string;
  note?: string;
  summary: string;
  x: Axis;
  /** What is counted: "pairs per bar". */
  counted: string;
  bins: Bins;
  /** The count that is expected in a bin around x, and what expects it. */
  curve?: { label: string; at(x: number): number };
  /** A thick line below the axis, from mean − deviation to mean + deviation. */
  spread?: { mean: number; deviation: number; words: string };
  /** The reader's own numbers. */
  marks?: { label: string; at: readonly number[] } | null;
  height?: number;
}

export function histogram(data: HistogramData): TemplateResult {
  const { title, note, summary, x, curve, spread, marks, height = 240 } = data;
  const { counts, least, size, beyond } = data.bins;
  const edges = (i: number) => [x.words(least + i * size), x.words(least + (i + 1) * size)] as const;
  const filled = counts.flatMap((many, i) => (many > 0 ? [{ many, i }] : []));
  return plot({
    title, ...(note && { note }), summary, height, draw: (width) => picture(data, width, height),
    legend: html`<ul class="plot-names always">
      ${curve ? html`<li><svg width="26" height="12" viewBox="0 0 26 12" aria-hidden="true"><path class="plot-curve" d="M0 10C8 10 8 2 13 2S18 10 26 10"></path></svg> ${curve.label}</li>` : nothing}
      ${spread ? html`<li><svg width="26" height="12" viewBox="0 0 26 12" aria-hidden="true"><path class="plot-spread" d="M0 6H26"></path></svg> ${spread.words}</li>` : nothing}
      ${marks ? html`<li><svg width="26" height="12" viewBox="0 0 26 12" aria-hidden="true"><path class="plot-own" d="M8 1V11M13 1V11M18 1V11"></path></svg> ${marks.label}</li>` : nothing}
      ${beyond > 0 ? html`<li>${msg(str`${count(beyond)} lie beyond the axis`)}</li>` : nothing}
    </ul>`,
    numbers: {
      columns: [x.label, data.counted, ...(curve ? [curve.label] : [])],
      rows: filled.map(({ many, i }) => [msg(str`${edges(i)[0]} to ${edges(i)[1]}`), count(many), ...(curve ? [fixed(curve.at(least + (i + 0.5) * size), 1)] : [])]),
    },
  });
}

function picture({ x, counted, bins: { least, size, counts }, curve, spread, marks }: HistogramData, width: number, height: number): SVGTemplateResult {
  const middles = counts.map((_, i) => least + (i + 0.5) * size);
  const most = Math.max(1, ...counts, ...(curve ? middles.map((at) => curve.at(at)) : []));
  const y: Axis = { label: counted, least: 0, most: most * 1.04, words: (value) => count(Math.round(value)) };
  const field: Field = { left: besides(y, height - 44), right: width - 16, top: 28, bottom: height - 52 };
  const bar = (many: number, i: number) => {
    const [left, right] = [across(x, field, least + i * size), across(x, field, least + (i + 1) * size)];
    const top = up(y, field, many);
    // A hair of paper between bars that are wide enough for it.
    const gap = right - left > 6 ? 1 : 0;
    return svg`<rect class="plot-bar" x=${left.toFixed(2)} y=${top.toFixed(2)} width=${Math.max(0.5, right - left - gap).toFixed(2)} height=${(field.bottom - top).toFixed(2)} data-count=${many}></rect>`;
  };
  return svg`
    ${axes(x, y, field)}
    <g>${counts.map((many, i) => (many > 0 ? bar(many, i) : nothing))}</g>
    ${curve ? svg`<path class="plot-curve" d=${curvePath(curve, x, y, field)}></path>` : nothing}
    ${spread ? svg`<path class="plot-spread" d=${`M${across(x, field, spread.mean - spread.deviation).toFixed(1)} ${field.bottom + 3}H${across(x, field, spread.mean + spread.deviation).toFixed(1)}`}></path>` : nothing}
    ${marks ? svg`<path class="plot-own" d=${marks.at.map((value) => `M${across(x, field, value).toFixed(1)} ${field.bottom}v-14`).join('') || 'M0 0'}></path>` : nothing}
  `;
}

function curvePath(curve: { at(x: number): number }, x: Axis, y: Axis, field: Field): string {
  const steps = Math.max(2, Math.round(field.right - field.left));
  return Array.from({ length: steps + 1 }, (_, i) => {
    const value = x.least + (i / steps) * (x.most - x.least);
    return `${i === 0 ? 'M' : 'L'}${across(x, field, value).toFixed(1)} ${up(y, field, curve.at(value)).toFixed(1)}`;
  }).join('');
}
