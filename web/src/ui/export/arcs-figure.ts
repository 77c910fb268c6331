// The sentence with the arcs over it: from the row's word to each word that it looks at, as wide as its weight.
import { percent } from '../../lib/format.ts';
import { coloursOf } from '../kit/grid.ts';
import { type Paint, arc } from '../kit/paint.ts';
import { type Figure, LEGEND_WIDTH, MARGIN, type Mark, hatch, legend, text, widthOf } from './marks.ts';

export interface ArcsFigure {
  words: readonly string[];
  query: number;
  key: number;
  /** Of the row; null where masked. */
  weights: readonly (number | null)[];
  /** Whether the words run from right to left. */
  backwards: boolean;
  paint: Paint;
  title: string;
  axes: string;
  about: string;
  masked: string;
}

const SIZE = 28;
const SPACE = 14;
const ARCS = 132;

export function arcsFigure({ words, query, key, weights, backwards, paint, title, axes, about, masked }: ArcsFigure): Figure {
  const widths = measured(words, paint.font);
  const across = widths.reduce((sum, width) => sum + width + SPACE, 0);
  const width = Math.max(across, LEGEND_WIDTH, ...[title, axes, about].map((line, i) => widthOf(line, [15, 13, 12][i]))) + 2 * MARGIN;
  const top = MARGIN + 48 + ARCS;
  let at = 0;
  const boxes = widths.map((own) => {
    const left = backwards ? width - MARGIN - at - own : MARGIN + at;
    at += own + SPACE;
    return { left, right: left + own, top, bottom: top + SIZE + 16 };
  });
  const foot = top + SIZE + 72;
  const { ramp, stepOf } = coloursOf({ kind: 'weights', range: 1, paint });
  const marks: Mark[] = [
    text(MARGIN, MARGIN + 14, title, { size: 15, bold: true, fill: paint.ink }),
    text(MARGIN, MARGIN + 36, axes, { fill: paint.muted }),
    ...arcs(boxes, query, key, weights, paint),
    ...boxes.flatMap((box, i): Mark[] => {
      const weight = weights[i] ?? null;
      const middle = (box.left + box.right) / 2;
      const frame = { x: box.left, y: box.bottom, width: box.right - box.left, height: 6 };
      const word = text(middle, top + SIZE, words[i] ?? '', { size: SIZE, anchor: 'middle', fill: i === query ? paint.accent : paint.ink });
      if (weight === null) return [word, ...hatch(frame.x, frame.y, frame.width, 6, paint.hatch, 4)];
      return [
        word, { kind: 'rect', ...frame, fill: ramp.fill(stepOf(weight)), stroke: paint.border, line: 0.5 },
        text(middle, box.bottom + 22, percent(weight), { anchor: 'middle', bold: i === key, fill: i === key ? paint.accent : paint.muted }),
      ];
    }),
    ...legend({ kind: 'weights', range: 1, paint }, MARGIN, foot, masked),
    text(MARGIN, foot + 56, about, { size: 12, fill: paint.muted }),
  ];
  return { width, height: foot + 56 + MARGIN, title, paper: paint.paper, marks };
}

/** The thickest last, the chosen one over all. */
function arcs(boxes: readonly Parameters<typeof arc>[0][], query: number, chosen: number, weights: ArcsFigure['weights'], paint: Paint): Mark[] {
  const from = boxes[query];
  if (!from) return [];
  return weights.flatMap((weight, key) => (weight === null ? [] : [{ key, weight }]))
    .sort((a, b) => Number(a.key === chosen) - Number(b.key === chosen) || a.weight - b.weight)
    .map(({ key, weight }): Mark => {
      const width = Math.max(1, 12 * weight);
      return { kind: 'path', path: arc(boxes[key] ?? from, from, key === query, width), stroke: key === chosen ? paint.accent : paint.arcs, width, opacity: key === chosen ? 1 : 0.7 };
    });
}

/** In the page's own font; another one makes words a little wider or narrower than their room. */
function measured(words: readonly string[], font: string): number[] {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return words.map((word) => widthOf(word, SIZE));
  context.font = `${SIZE}px ${font}`;
  return words.map((word) => Math.max(36, Math.ceil(context.measureText(word).width)));
}
