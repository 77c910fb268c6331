// The marks that figures in SVG are made of. Labs show them; export/render.ts writes them as SVG and draws them as pixels.
import { msg, str } from '@lit/localize';
import { significant } from '../../lib/format.ts';
import { letters } from '../../text/word.ts';
import { type Grid, NUMERALS_FROM, type Place, type Scale, type Size, allOf, coloursOf, eachCell } from './grid.ts';

export type Mark =
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: string; stroke?: string; line?: number; cell?: Place }
  /** `turn` in degrees, about (x, y), which is the end that `anchor` names. */
  | { kind: 'text'; x: number; y: number; text: string; size: number; fill: string; anchor: 'start' | 'middle' | 'end'; bold?: boolean; turn?: number }
  | { kind: 'line'; x: number; y: number; toX: number; toY: number; stroke: string }
  /** SVG's own path notation. */
  | { kind: 'path'; path: string; stroke: string; width: number; opacity: number }
  /** A drawing that needs no style sheet. */
  | { kind: 'drawing'; x: number; y: number; width: number; height: number; drawing: SVGSVGElement };

export interface Figure { width: number; height: number; title: string; paper: string; marks: readonly Mark[] }

export type Text = Extract<Mark, { kind: 'text' }>;

export const MARGIN = 24;
const LETTER = 7;
const MOST_LABEL = 150;
const LEGEND = 240;

/** An estimate: the figure does not know the reader's font. */
export const widthOf = (text: string, size = 13): number => (size / 13) * LETTER * letters(text);

export const clip = (word: string): string => (widthOf(word) > MOST_LABEL ? `${word.slice(0, MOST_LABEL / LETTER - 1)}…` : word);
export const labelRoom = (words: readonly string[], least: number): number => Math.min(MOST_LABEL, Math.max(least, ...words.map((word) => widthOf(word))));

export const text = (x: number, y: number, words: string, { fill, ...part }: Partial<Text> & { fill: string }): Text => (
  { kind: 'text', x, y, text: words, size: 13, fill, anchor: 'start', ...part });

/** The hatch of a rectangle: lines at 45°, `pitch` pixels apart across and down, steady from one rectangle to the next. */
export function hatch(x: number, y: number, width: number, height: number, stroke: string, pitch = 6): Mark[] {
  const lines: Mark[] = [];
  const first = Math.ceil((x + y) / pitch) * pitch - x - y;
  for (let at = first; at < width + height; at += pitch) {
    const [from, to] = [Math.max(0, at - height), Math.min(at, width)];
    if (to > from) lines.push({ kind: 'line', x: x + from, y: y + at - from, toX: x + to, toY: y + at - to, stroke });
  }
  return lines;
}

/** The cells of a grid whose corner is at (left, top), with `words` for the numbers where there is room for them. */
export function gridMarks(grid: Grid, left: number, top: number, cell: Size, { gap, pitch, words }: { gap: number; pitch: number; words?(number: number): string }): Mark[] {
  const { ramp, stepOf } = coloursOf(grid);
  const [width, height] = [cell.width - gap, cell.height - gap];
  const hasRoom = Math.min(cell.width, cell.height) >= NUMERALS_FROM;
  const marks: Mark[] = [];
  eachCell(grid, allOf(grid), (row, column, number) => {
    const [x, y, at] = [left + column * cell.width, top + row * cell.height, stepOf(number)];
    if (number === -Infinity) return void marks.push(...hatch(x, y, width, height, grid.paint.hatch, pitch));
    marks.push({ kind: 'rect', x, y, width, height, fill: ramp.fill(at), cell: { row, column } });
    const numeral = hasRoom ? words?.(number) ?? '' : '';
    if (numeral !== '') marks.push(text(x + width / 2, y + cell.height / 2 + 4, numeral, { size: 12, fill: ramp.ink(at), anchor: 'middle' }));
  });
  return marks;
}

/** Below the cells: the ramp with its printed domain, and what the hatch means. */
export function legend(scale: Scale, x: number, y: number, masked: string | null, length = LEGEND): Mark[] {
  const { kind, range, paint } = scale;
  const { ramp, stepOf } = coloursOf(scale);
  const steps = 60;
  const number = (share: number) => (kind === 'weights' ? share : (2 * share - 1) * range);
  const cells = Array.from({ length: steps }, (_, i): Mark => (
    { kind: 'rect', x: x + (i * length) / steps, y, width: length / steps + 0.5, height: 10, fill: ramp.fill(stepOf(number((i + 0.5) / steps))) }));
  const ticks = kind === 'weights' ? [[0, '0'], [0.25, '0.25'], [0.5, '0.5'], [0.75, '0.75'], [1, '1']] as const
    : range === 0 ? [[0.5, '0']] as const : [[0, `−${significant(range, 3)}`], [0.5, '0'], [1, `+${significant(range, 3)}`]] as const;
  const frame = { kind: 'rect', x: x + length + 32, y: y - 2, width: 14, height: 14, fill: 'none', stroke: paint.border } as const;
  return [
    ...cells, { kind: 'rect', x, y, width: length, height: 10, fill: 'none', stroke: paint.border },
    ...ticks.map(([share, words]) => text(x + share * length, y + 26, words, { size: 12, fill: paint.muted, anchor: 'middle' })),
    ...(masked === null ? [] : [...hatch(frame.x, frame.y, 14, 14, paint.hatch), frame, text(x + length + 54, y + 10, masked, { size: 12, fill: paint.muted })]),
  ];
}

export const LEGEND_WIDTH = LEGEND + 160;

/** Few programs open a picture with more cells. */
export const MOST_CELLS = 100_000;

/** @throws Error with a sentence */
export function refuseTooMany(cells: number): void {
  if (cells > MOST_CELLS) {
    const [has, most] = [cells.toLocaleString('en-GB'), MOST_CELLS.toLocaleString('en-GB')];
    throw new Error(msg(str`This picture would have ${has} cells; ${most} are the most. Take the numbers as CSV, or choose a shorter text or a smaller d_model.`));
  }
}
