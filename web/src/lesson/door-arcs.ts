// Where the arcs of the door run: over the sentence on one line; between the lines and round the margin where it takes several.

import type { Box } from '../lib/space.ts';

export interface Arc { path: string; /** The tip of its arrow, and where it points: down on one line, up between lines. */ tip: { x: number; y: number; up: boolean }; width: number }

const middle = ({ left, right }: Box): number => (left + right) / 2;
const round = (value: number): number => Math.round(value * 10) / 10;
const path = (parts: readonly (string | number)[]): string => parts.map((part) => (typeof part === 'number' ? round(part) : part)).join(' ');

export const widthOf = (weight: number): number => 2 + 10 * weight;
/** How long an arrow's head is. */
export const headOf = (width: number): number => 6 + width;

/** Over one line: the widest is as high as the room above allows, and the others by how wide they are. */
export function overLine(from: Box, to: Box, weight: number, widest: number): Arc {
  const [x, end, width] = [middle(from), middle(to), widthOf(weight)];
  const foot = from.top + 2;
  const room = Math.max(18, Math.min(from.top - 8, 44 + widest * 0.16));
  const rise = room * (0.42 + (0.58 * Math.abs(end - x)) / Math.max(widest, 1)) * (4 / 3);
  const tip = to.top + 4;
  const stop = tip - headOf(width) + 2;
  return { path: path(['M', x, foot, 'C', x, foot - rise, end, foot - rise, end, stop]), tip: { x: end, y: tip, up: false }, width };
}

/** How far a word is from another. */
export const between = (a: Box, b: Box): number => Math.abs(middle(a) - middle(b));

/** As round as a gap between lines allows. */
const CORNER = 12;

/** In the gap over the line that both stand on. */
function overWords(from: Box, to: Box, width: number): Arc {
  const [x, end, tip] = [middle(from), middle(to), to.top + 3];
  const stop = tip - headOf(width) + 2;
  return { path: path(['M', x, from.top + 3, 'C', x, from.top - 20, end, from.top - 20, end, stop]), tip: { x: end, y: tip, up: false }, width };
}

/**
 * Where the sentence takes several lines: to a word of the same line, a low arc over it; to the line above, through the gap
 * between them; further up, round the right margin.
 */
export function betweenLines(from: Box, to: Box, weight: number, right: number): Arc {
  const width = 1.5 + 7 * weight;
  if (Math.abs(from.top - to.top) < 4) return overWords(from, to, width);
  const x = middle(from) + 3;
  const end = to.right - Math.min(18, (to.right - to.left) / 4);
  const tip = to.bottom + 1;
  const [stop, low] = [tip + headOf(width) - 2, from.top - 6];
  const start = ['M', x, from.top + 6, 'Q', x, low];
  const isNext = from.top - to.bottom < 60;
  const [high, edge] = [stop + CORNER, right - width / 2];
  const aside = end < x ? -CORNER : CORNER;
  return {
    path: path(isNext
      ? [...start, x + aside, low, 'L', end - aside, low, 'Q', end, low, end, stop]
      : [
        ...start, x + CORNER, low, 'L', edge - CORNER, low, 'Q', edge, low, edge, low - CORNER,
        'L', edge, high + CORNER, 'Q', edge, high, edge - CORNER, high, 'L', end + CORNER, high, 'Q', end, high, end, stop,
      ]),
    tip: { x: end, y: tip, up: true }, width,
  };
}

export function arrow({ tip: { x, y, up }, width }: Arc): string {
  const [length, half] = [headOf(width), headOf(width) * 0.62];
  const base = up ? y + length : y - length;
  return path(['M', x, y, 'L', x - half, base, 'L', x + half, base, 'Z']);
}
