// Where the arcs of the door run: over the sentence on one line; between the lines and round the margin where it takes several.

export interface Box { left: number; right: number; top: number; bottom: number }

export interface Arc { path: string; /** The tip of its arrow, and where it points: down on one line, up between lines. */ tip: { x: number; y: number; up: boolean }; width: number }

const middle = ({ left, right }: Box): number => (left + right) / 2;
const round = (value: number): number => Math.round(value * 10) / 10;
const path = (parts: readonly (string | number)[]): string => parts.map((part) => (typeof part === 'number' ? round(part) : part)).join(' ');

export const widthOf = (weight: number): number => 2 + 10 * weight;
/** How long an arrow's head is. */
export const headOf = (width: number): number => 6 + width;

/** Over one line: as high as it is wide, within the room above. */
export function overLine(from: Box, to: Box, weight: number, room: number): Arc {
  const [x, end, width] = [middle(from), middle(to), widthOf(weight)];
  const foot = from.top + 2;
  const rise = Math.min(room, 44 + Math.abs(end - x) * 0.16) * (4 / 3);
  const tip = to.top + 4;
  const stop = tip - headOf(width) + 2;
  return { path: path(['M', x, foot, 'C', x, foot - rise, end, foot - rise, end, stop]), tip: { x: end, y: tip, up: false }, width };
}

const CORNER = 12;

/** From the word up into the gap over its line, round the right margin, and up to the bar of the other. */
export function betweenLines(from: Box, to: Box, weight: number, right: number, lane: number): Arc {
  const width = widthOf(weight);
  const x = middle(from);
  const end = to.right - Math.min(18, (to.right - to.left) / 4);
  const tip = to.bottom + 2;
  const stop = tip + headOf(width) - 2;
  const isNext = from.top - to.bottom < 60 && from.top > to.bottom;
  if (isNext || from.top <= to.bottom) {
    const foot = from.top + 4;
    const half = (foot + stop) / 2;
    return { path: path(['M', x, foot, 'C', x, half, end, half, end, stop]), tip: { x: end, y: tip, up: true }, width };
  }
  const [low, high, edge] = [from.top - 14, stop + CORNER + lane, right - width / 2];
  return {
    path: path([
      'M', x, from.top + 4, 'Q', x, low, x + CORNER, low, 'L', edge - CORNER, low, 'Q', edge, low, edge, low - CORNER,
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
