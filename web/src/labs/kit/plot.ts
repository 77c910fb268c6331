// The frame of every figure of a lab: its title, a sentence for screen readers, its numbers as a table; and how it is
// drawn to its width.
import { msg } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, noChange, nothing, svg } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { type ChildPart, type PartInfo, PartType, directive } from 'lit/directive.js';
import { widthProbe } from '../../lib/dom.ts';
import { comma } from '../../lib/format.ts';
import { letters, withSubs } from '../../text/word.ts';
import { type Numbers, take } from './export.ts';

export interface Plot {
  title: string;
  /** Beside the title, in grey. */
  note?: string;
  /** What the figure shows, in one sentence. */
  summary: string;
  height: number;
  draw(width: number): SVGTemplateResult;
  /** Beneath the picture. */
  legend?: TemplateResult | typeof nothing;
  numbers: Numbers;
}

export function plot({ title, note, summary, height, draw, legend = nothing, numbers }: Plot): TemplateResult {
  return html`
    <figure class="plot">
      ${caption(title, note)}
      <div class="plot-box">${sized((width) => html`
        <svg class="plot-picture" role="img" aria-label=${`${title}. ${summary}`} width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}>${draw(width)}</svg>
      `)}</div>
      ${legend}
      ${numbersTable(title, numbers)}
    </figure>
  `;
}

export function caption(title: string, note: string | undefined): TemplateResult {
  return html`<figcaption class="plot-title"><b>${withSubs(title)}</b>${note ? html`<span class="muted">${comma()}${withSubs(note)}</span>` : nothing}</figcaption>`;
}

export function numbersTable(title: string, numbers: Numbers): TemplateResult {
  const { columns, rows } = numbers;
  return html`
    <details class="plot-numbers">
      <summary>${msg('The numbers')}</summary>
      <div class="lab-scroll" tabindex="0" role="region" aria-label=${title}>
        <table class="lab-table">
          <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
          <tbody>${rows.map(([name, ...values]) => html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>`)}</tbody>
        </table>
      </div>
    </details>
    ${take(title)}
  `;
}

// Draws to the width of the element; draws again when it changes, before the browser paints.

/** Until the first layout, within the same frame. */
const UNMEASURED = 560;

class Sized extends AsyncDirective {
  #draw: (width: number) => unknown = () => noChange;
  #width = 0;
  #host: Element | null = null;
  #probe: Element | null = null;
  readonly #resizes = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    this.setValue(this.#draw(width));
  });

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.CHILD) throw new Error('sized() stands between tags.');
  }

  override render(draw: (width: number) => unknown): unknown {
    return draw(this.#width || UNMEASURED);
  }

  override update(part: ChildPart, [draw]: [draw: (width: number) => unknown]): unknown {
    this.#draw = draw;
    const host = part.parentNode as Element;
    if (host !== this.#host) {
      this.#resizes.disconnect();
      this.#probe?.remove();
      this.#resizes.observe(this.#probe = widthProbe(host));
      this.#host = host;
    }
    return this.render(draw);
  }

  protected override disconnected(): void {
    this.#resizes.disconnect();
  }

  protected override reconnected(): void {
    if (this.#probe) this.#resizes.observe(this.#probe);
  }
}

/** `draw` is given the width of the element around it, in CSS pixels. */
export const sized = directive(Sized);

export interface Bar {
  name: unknown;
  /** From 0 to 1 of the bars' room. */
  share: number;
  words: string;
  /** Masked has no bar: it is hatched. */
  masked?: boolean;
  chosen?: boolean;
}

export interface BarsData {
  title: string;
  note?: string;
  /** What is named, and what is measured with its unit. */
  columns: readonly [name: string, measure: string];
  bars: readonly Bar[];
  /** Printed at the ends of the bars' room. */
  domain: readonly [least: string, most: string];
}

export function bars({ title, note, columns: [name, measure], bars: all, domain }: BarsData): TemplateResult {
  return html`
    <figure class="plot">
      ${caption(title, note)}
      <table class="plot-bars">
        <thead><tr><th scope="col">${name}</th><td class="plot-domain" aria-hidden="true"><span>${domain[0]}</span><span>${domain[1]}</span></td><th scope="col">${measure}</th></tr></thead>
        <tbody>${all.map((bar) => html`
          <tr ?data-chosen=${bar.chosen}>
            <th scope="row">${bar.name}</th>
            <td class=${bar.masked ? 'plot-bar-room hatched' : 'plot-bar-room'} aria-hidden="true">${bar.masked ? nothing : html`<svg width="100%" height="12">${rect(bar)}</svg>`}</td>
            <td>${bar.words}</td>
          </tr>
        `)}</tbody>
      </table>
      ${take(title)}
    </figure>
  `;
}

const rect = ({ share, chosen }: Bar) => svg`<rect class=${chosen ? 'plot-bar chosen' : 'plot-bar'} width=${`${(100 * Math.max(0, Math.min(1, share))).toFixed(2)}%`} height="12"></rect>`;

// Axes: the position of a number, and the ticks.

export interface Axis {
  /** With its unit. */
  label: string;
  least: number;
  most: number;
  /** Equal steps multiply, by 2 or by 10; left out, they add. */
  log?: 2 | 10;
  /** A number of this axis as it is read. */
  words(value: number): string;
  /** The same beside a tick, where fewer digits do. */
  tick?(value: number): string;
}

/** From 0 at `least` to 1 at `most`; beyond them on the edge. */
export function share({ least, most, log }: Axis, value: number): number {
  const [from, to, at] = log ? [least, most, value].map(Math.log2) as [number, number, number] : [least, most, value];
  return to === from ? 0.5 : Math.max(0, Math.min(1, (at - from) / (to - from)));
}

/** Round numbers, `fit` of them at most. */
export function ticks(axis: Axis, fit: number): number[] {
  return axis.log ? powers(axis, axis.log, fit) : steps(axis, fit);
}

function steps({ least, most }: Axis, fit: number): number[] {
  const rough = (most - least) / Math.max(1, fit - 1);
  if (!(rough > 0)) return [least];
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * size >= rough * 0.999) ?? 10) * size;
  const first = Math.ceil(least / step - 1e-9);
  const last = Math.floor(most / step + 1e-9);
  // A multiple, not a sum: sums of 0.1 drift.
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

function powers({ least, most }: Axis, base: number, fit: number): number[] {
  const power = (value: number) => Math.log(value) / Math.log(base);
  const [first, last] = [Math.ceil(power(least) - 1e-9), Math.floor(power(most) + 1e-9)];
  const every = Math.max(1, Math.ceil((last - first) / Math.max(1, fit - 1)));
  return Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, i) => base ** (first + i * every));
}

/** The field that a figure draws in, in CSS pixels. */
export interface Field { left: number; right: number; top: number; bottom: number }

export const across = (axis: Axis, field: Field, value: number): number => field.left + share(axis, value) * (field.right - field.left);
export const up = (axis: Axis, field: Field, value: number): number => field.bottom - share(axis, value) * (field.bottom - field.top);

const tickWords = (axis: Axis, value: number): string => (axis.tick ?? axis.words)(value);

const ACROSS_EACH = 56;
const UP_EACH = 36;
const LETTER = 7;
/** About how wide words are in a figure's type, in CSS pixels. */
export const roomFor = (words: string, letter = LETTER): number => letter * letters(words);

/** Room for the numbers beside the upward axis. */
export const besides = (y: Axis, height: number): number => Math.max(...ticks(y, height / UP_EACH).map((value) => roomFor(tickWords(y, value)))) + 12;

/** Hairlines, numbers and names of both axes; the upward one's name lies on top, so that it reads as all text does. */
export function axes(x: Axis, y: Axis, field: Field): SVGTemplateResult {
  const { left, right, top, bottom } = field;
  return svg`
    <g class="plot-axes">
      ${ticks(y, (bottom - top) / UP_EACH).map((value) => svg`
        <line class="plot-grid" x1=${left} x2=${right} y1=${up(y, field, value)} y2=${up(y, field, value)}></line>
        <text x=${left - 8} y=${up(y, field, value) + 4} text-anchor="end">${tickWords(y, value)}</text>
      `)}
      <line class="plot-base" x1=${left} x2=${right} y1=${bottom} y2=${bottom}></line>
      ${ticks(x, (right - left) / ACROSS_EACH).map((value) => svg`
        <line class="plot-base" x1=${across(x, field, value)} x2=${across(x, field, value)} y1=${bottom} y2=${bottom + 4}></line>
        <text x=${across(x, field, value)} y=${bottom + 18} text-anchor="middle">${tickWords(x, value)}</text>
      `)}
      <text x="0" y="12">${y.label}</text>
      <text x=${right} y=${bottom + 36} text-anchor="end">${x.label}</text>
    </g>
  `;
}
