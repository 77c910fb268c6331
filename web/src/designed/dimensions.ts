// The embedding of the designed parameters, dimension by dimension: each has a name, and nothing else is in it.
import { TAGS, TRAITS } from './closed-class.ts';

export interface Dimension {
  readonly name: string;
  /** What stands side by side in the embedding. */
  readonly group: string;
}

/** How many numbers tell words apart. */
export const CODE_LENGTH = 14;

const group = (name: string, names: readonly string[]): Dimension[] => names.map((each) => ({ name: each, group: name }));
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name} ${i + 1}`);

export const CODE = numbered('code', CODE_LENGTH);

/** What a word brings; each head's findings come after these. */
export const WORD_DIMENSIONS: readonly Dimension[] = [
  ...group('what kind of word', [...TAGS, 'unknown']),
  ...group('what is known of it', TRAITS),
  ...group('where it stands', ['always 1', 'position', 'position squared', 'first word', 'sentence', 'place in the sentence', 'clause', 'phrase']),
  ...group('which word it is', CODE),
];
