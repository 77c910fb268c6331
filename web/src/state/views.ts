// What the element can show: everything, one figure alone, or a lab. Each figure is a choice of parts.
/** Questions that the reader answers before the numbers are shown. */
export const TASKS = ['largest-key', 'smallest-key', 'largest-head'] as const;

export type Task = (typeof TASKS)[number];

export const isTask = (raw: unknown): raw is Task => TASKS.some((each) => each === raw);

// The labs, in the order in which they are read. Each name is a `view` of the element and a place on the page of labs; training
// has a page of its own.

export const LABS = [
  'training', 'lab-scale', 'lab-mask', 'lab-heads', 'lab-lookup', 'lab-cost', 'lab-order', 'lab-reach', 'lab-numbers', 'lab-quiz',
] as const;

export type LabName = (typeof LABS)[number];

export const isLab = (view: string): view is LabName => (LABS as readonly string[]).includes(view);

/** The page of the site that has that lab. */
export const pageOf = (lab: string): string => (lab === 'training' ? 'training.html' : 'labs.html');

/** The lessons of `training`, by the engine's names. */
export const LESSONS = ['look_back', 'mask', 'scale', 'heads', 'words', 'positions', 'stands_for'] as const;

export type LessonId = (typeof LESSONS)[number];

/** Parts that share the section of the figure: it is shown while one of them is. */
export const FIGURE_PARTS = ['heads', 'matrix', 'cell'] as const;

/** Parts of the page. `rest`: what only a whole page needs, such as earlier sentences, comparison and export. */
export type Part = (typeof FIGURE_PARTS)[number] | 'sentence' | 'arcs' | 'caption' | 'walk' | 'stage' | 'settings' | 'rest';

const FIGURES = {
  playground: ['sentence', 'arcs', 'caption', 'stage', 'heads', 'matrix', 'cell', 'walk', 'settings', 'rest'],
  tokens: ['sentence', 'caption'],
  arcs: ['sentence', 'arcs', 'caption', 'heads'],
  heads: ['heads', 'caption'],
  matrix: ['matrix'],
  cell: ['cell'],
  pipeline: ['walk'],
  stage: ['stage'],
  model: ['sentence', 'arcs', 'caption'],
} as const satisfies Record<string, readonly Part[]>;

export type FigureName = keyof typeof FIGURES;
export type Controls = 'none' | 'basic' | 'all';

export const VIEWS: readonly string[] = [...Object.keys(FIGURES), 'lesson', ...LABS];

/** Whether the view is something other than a figure. */
export const isApart = (view: string): boolean => view === 'lesson' || isLab(view);
const isFigure = (view: string): view is FigureName => Object.hasOwn(FIGURES, view);
export const figureName = (view: string): FigureName => (isFigure(view) ? view : 'playground');

export function controlsOf(figure: FigureName, said: string): Controls {
  if (said === 'none' || said === 'basic' || said === 'all') return said;
  return figure === 'playground' ? 'all' : 'basic';
}

/** For a stage other than the weights, the walk shows the matrix and the cell. @param isReady only weights are known */
export function partsOf(figure: FigureName, controls: Controls, stage: string, isReady = false): ReadonlySet<Part> {
  const parts = new Set<Part>(FIGURES[figure]);
  if (controls === 'none') parts.delete('settings');
  else parts.add('sentence').add('settings');
  // A language model brings switches of its own.
  if (figure === 'model') parts.delete('settings');
  if (controls !== 'all') parts.delete('rest');
  else parts.add('rest');
  if ((figure === 'matrix' || figure === 'cell') && stage !== '' && stage !== 'weights') {
    parts.delete(figure);
    parts.add('walk');
  }
  if (isReady) {
    parts.delete('stage');
    parts.delete('walk');
  }
  return parts;
}
