// The cells of a grid as data, for what is drawn in SVG.
import { type Grid, type Place, type Size, allOf, coloursOf, eachCell } from './grid.ts';

export interface CellBox extends Place, Size {
  /** −Infinity where masked. */
  number: number;
  x: number;
  y: number;
  /** What it is filled with, and what stands on that. */
  fill: string;
  ink: string;
}

/** Every cell, with `gap` between two of them; the first one's corner is at (left, top). */
export function boxes(grid: Grid, left: number, top: number, { width, height }: Size, gap: number): CellBox[] {
  const { ramp, stepOf } = coloursOf(grid);
  const made: CellBox[] = [];
  eachCell(grid, allOf(grid), (row, column, number) => {
    const at = stepOf(number);
    made.push({ row, column, number, x: left + column * width, y: top + row * height, width: width - gap, height: height - gap, fill: ramp.fill(at), ink: ramp.ink(at) });
  });
  return made;
}

/** The hatch of a rectangle: lines at 45°, `pitch` pixels apart across and down, steady from one rectangle to the next. */
export function hatchLines(x: number, y: number, width: number, height: number, pitch: number): [x: number, y: number, toX: number, toY: number][] {
  const lines: [number, number, number, number][] = [];
  const first = Math.ceil((x + y) / pitch) * pitch - x - y;
  for (let at = first; at < width + height; at += pitch) {
    const [from, to] = [Math.max(0, at - height), Math.min(at, width)];
    if (to > from) lines.push([x + from, y + at - from, x + to, y + at - to]);
  }
  return lines;
}
