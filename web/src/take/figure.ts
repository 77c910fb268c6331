// One head's weights as a figure that stands by itself: title, axes, cells, legend. Marks only; svg.ts and canvas.ts draw them.
import { msg } from '@lit/localize';
import { type Ramp, step } from '../colour.ts';
import { cellWeight } from '../format.ts';

export type Mark =
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: string; stroke?: string }
  /** `turn` in degrees, about (x, y), which is the end that `anchor` names. */
  | { kind: 'text'; x: number; y: number; text: string; size: number; fill: string; anchor: 'start' | 'middle' | 'end'; bold?: boolean; turn?: number }
  | { kind: 'line'; x: number; y: number; toX: number; toY: number; stroke: string };

export interface Figure { width: number; height: number; title: string; paper: string; marks: readonly Mark[] }

export interface FigureData {
  /** Words down the side and along the top. */
  rows: readonly string[];
  columns: readonly string[];
  /** Of a cell: its weight, or null where it is masked. */
  weight(row: number, column: number): number | null;
  title: string;
  /** What it was made with, below. */
  about: string;
  axes: { down: string; across: string };
  colours: { ramp: Ramp; paper: string; ink: string; muted: string; hatch: string; border: string };
}

const MARGIN = 24;
const LETTER = 7;
const MOST_LABEL = 150;
const LEGEND = 240;

export function figure(data: FigureData): Figure {
  const { rows, columns, colours } = data;
  const cell = columns.length <= 24 ? 40 : columns.length <= 64 ? 24 : 12;
  const label = Math.min(MOST_LABEL, Math.max(48, ...rows.map((word) => LETTER * word.length))) + 12;
  const head = Math.min(MOST_LABEL, Math.max(32, ...columns.map((word) => LETTER * word.length))) * 0.75 + 12;
  const [left, top] = [MARGIN + label, MARGIN + 56 + head];
  const [across, down] = [columns.length * cell, rows.length * cell];
  const width = Math.max(left + across + head * 0.8, left + LEGEND + 160) + MARGIN;
  const text = (x: number, y: number, words: string, part: Partial<Extract<Mark, { kind: 'text' }>> = {}): Mark => (
    { kind: 'text', x, y, text: words, size: 13, fill: colours.ink, anchor: 'start', ...part });
  const marks: Mark[] = [
    text(MARGIN, MARGIN + 14, data.title, { size: 15, bold: true }),
    text(MARGIN, MARGIN + 36, `${data.axes.down}; ${data.axes.across}`, { fill: colours.muted }),
    ...columns.map((word, i) => text(left + (i + 0.5) * cell, top - 8, clip(word), { turn: -45 })),
    ...rows.map((word, i) => text(left - 8, top + (i + 0.5) * cell + 4, clip(word), { anchor: 'end' })),
    ...rows.flatMap((_, row) => columns.flatMap((__, column) => cellMarks(data, row, column, left + column * cell, top + row * cell, cell))),
    ...legend(data, left, top + down + 24),
    text(MARGIN, top + down + 92, data.about, { size: 12, fill: colours.muted }),
  ];
  return { width: Math.max(width, MARGIN * 2 + 6.4 * data.about.length), height: top + down + 92 + MARGIN, title: data.title, paper: colours.paper, marks };
}

const clip = (word: string): string => (word.length * LETTER > MOST_LABEL ? `${word.slice(0, MOST_LABEL / LETTER - 1)}…` : word);

function cellMarks({ weight, colours }: FigureData, row: number, column: number, x: number, y: number, size: number): Mark[] {
  const value = weight(row, column);
  const frame = { kind: 'rect', x, y, width: size - 1, height: size - 1 } as const;
  if (value === null) return [...hatch(x, y, size - 1, colours.hatch)];
  const at = step(value);
  const cell: Mark = { ...frame, fill: colours.ramp.fills[at] ?? '' };
  if (size < 36) return [cell];
  return [cell, { kind: 'text', x: x + (size - 1) / 2, y: y + size / 2 + 4, text: cellWeight(value), size: 12, fill: colours.ramp.inks[at] ?? '', anchor: 'middle' }];
}

/** Lines at 45°, six pixels apart, within a square. */
function hatch(x: number, y: number, size: number, stroke: string): Mark[] {
  const lines: Mark[] = [];
  for (let at = -(x + y) % 6; at < 2 * size; at += 6) {
    if (at <= 0) continue;
    const [from, to] = [Math.max(0, at - size), Math.min(at, size)];
    lines.push({ kind: 'line', x: x + from, y: y + at - from, toX: x + to, toY: y + at - to, stroke });
  }
  return lines;
}

function legend({ colours }: FigureData, x: number, y: number): Mark[] {
  const steps = 60;
  const ramp = Array.from({ length: steps }, (_, i): Mark => (
    { kind: 'rect', x: x + (i * LEGEND) / steps, y, width: LEGEND / steps + 0.5, height: 10, fill: colours.ramp.fills[step((i + 0.5) / steps)] ?? '' }));
  const tick = (share: number): Mark => ({ kind: 'text', x: x + share * LEGEND, y: y + 26, text: String(share), size: 12, fill: colours.muted, anchor: 'middle' });
  return [
    ...ramp, { kind: 'rect', x, y, width: LEGEND, height: 10, fill: 'none', stroke: colours.border }, ...[0, 0.25, 0.5, 0.75, 1].map(tick),
    ...hatch(x + LEGEND + 32, y - 2, 14, colours.hatch), { kind: 'rect', x: x + LEGEND + 32, y: y - 2, width: 14, height: 14, fill: 'none', stroke: colours.border },
    { kind: 'text', x: x + LEGEND + 54, y: y + 10, text: msg('masked'), size: 12, fill: colours.muted, anchor: 'start' },
  ];
}
