// How the symbols of a task are written.
import type { TaskId } from './types.ts';

export interface Vocabulary {
  /** By id. */
  words: readonly string[];
  /** Between words of a text. */
  joint: string;
  split(text: string): string[];
  /** How many may be an answer. */
  answers: number;
  relations: 0 | 1 | 2;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const letters = (count: number) => Array.from({ length: count }, (_, i) => (i < 26 ? LETTERS[i] as string : `${LETTERS[i % 26]}${Math.floor(i / 26) + 1}`));
const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));

const RELATIONS: Readonly<Record<TaskId, 0 | 1 | 2>> = {
  repeat: 2, dice: 0, dictionary: 1, relations: 2, back: 1, recall: 2, sort: 1, brackets: 1, text: 1, stands_for: 2, who: 2,
};
/** Keys are letters, values numbers. */
const pairs = (count: number) => [...letters(count / 2), ...numbers(count / 2)];
const WORDS: Readonly<Partial<Record<TaskId, (count: number) => string[]>>> = {
  dice: numbers, dictionary: pairs, recall: pairs,
  sort: (count) => [...letters(count - 1), '→'],
  brackets: (count) => [...['(', '[', '{', '⟨'].slice(0, (count - 1) / 2), ...[')', ']', '}', '⟩'].slice(0, (count - 1) / 2), '∅'],
};

export function vocabularyOf(task: TaskId, count: number, english: () => string[]): Vocabulary {
  const words = task === 'stands_for' || task === 'who' ? english() : (WORDS[task] ?? letters)(count);
  const halves = task === 'dictionary' || task === 'recall';
  return { words, joint: ' ', split: (text) => text.trim().split(/\s+/u).filter(Boolean), answers: halves ? count / 2 : count, relations: RELATIONS[task] };
}
