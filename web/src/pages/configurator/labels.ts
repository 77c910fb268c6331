// What the choices are called, for the author of a page.
import { msg } from '@lit/localize';
import type { FigureName, LabName, Task } from '../../state/views.ts';

type Words<Name extends string> = Readonly<Record<Name, () => string>>;

export const FIGURE_WORDS: Words<FigureName> = {
  playground: () => msg('Everything'), tokens: () => msg('The words'), arcs: () => msg('Arcs'), heads: () => msg('Heads'),
  matrix: () => msg('One matrix'), cell: () => msg('One number'), pipeline: () => msg('The walk'), stage: () => msg('One row, stage by stage'), model: () => msg('A language model’s reading'),
};

export const LAB_WORDS: Words<LabName> = {
  training: () => msg('Watch attention learn'),
  'lab-scale': () => msg('Why scores are divided by √d'), 'lab-mask': () => msg('The mask'), 'lab-heads': () => msg('Several heads'),
  'lab-lookup': () => msg('Soft lookup'), 'lab-cost': () => msg('What it costs'), 'lab-order': () => msg('Order'), 'lab-reach': () => msg('Reach'),
  'lab-numbers': () => msg('Worked numbers'), 'lab-quiz': () => msg('Ask yourself'),
};

export const CONTROL_WORDS: Words<'none' | 'basic' | 'all'> = {
  none: () => msg('nothing'), basic: () => msg('the basics'), all: () => msg('everything'),
};

export const TASK_WORDS: Words<Task> = {
  'largest-key': () => msg('Which word does the row look at most?'), 'smallest-key': () => msg('Which word does the row look at least?'),
  'largest-head': () => msg('Which head looks there most?'),
};

export const THEME_WORDS: Words<'auto' | 'light' | 'dark'> = {
  auto: () => msg('as the page around it'), light: () => msg('light'), dark: () => msg('dark'),
};

export const LOADING_WORDS: Words<'lazy' | 'eager'> = {
  lazy: () => msg('when it comes near the screen'), eager: () => msg('at once'),
};

/** The words for a name from a list, or the name. */
export const wordsOf = (words: Readonly<Record<string, () => string>>, name: string): string => (Object.hasOwn(words, name) ? words[name]?.() : undefined) ?? name;
