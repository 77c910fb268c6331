// What the element can show: everything, one figure alone, or a lab. Each figure is a choice of parts.
import { LABS } from './labs/names.ts';

/** Parts of the whole figure, in their order on the page. */
export type Part = 'sentence' | 'arcs' | 'caption' | 'heads' | 'matrix' | 'cell' | 'walk' | 'rest';

const EVERYTHING: readonly Part[] = ['sentence', 'arcs', 'caption', 'heads', 'matrix', 'cell', 'walk', 'rest'];

/** `sentence` is added where the reader may type, whatever the figure is. */
export const FIGURES = {
  playground: EVERYTHING,
  tokens: ['sentence'],
  arcs: ['sentence', 'arcs', 'caption', 'heads'],
  heads: ['heads', 'caption'],
  matrix: ['matrix'],
  cell: ['cell'],
  pipeline: ['walk'],
} as const satisfies Record<string, readonly Part[]>;

export type FigureName = keyof typeof FIGURES;
export const VIEWS: readonly string[] = [...Object.keys(FIGURES), ...LABS];
export const isFigure = (view: string): view is FigureName => Object.hasOwn(FIGURES, view);
