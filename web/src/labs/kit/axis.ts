// Axes: where a number lies, and which numbers are printed beside it.
import { type SVGTemplateResult, svg } from 'lit';
import { letters } from '../../text/word.ts';

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
