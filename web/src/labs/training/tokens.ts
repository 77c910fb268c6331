// What the symbols of a task look like: letters, faces of a die, keys with their values, the reader's own words.
import type { Job } from './lesson.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ123456';

/** Keys are letters, and values the numbers that a lesson's vocabulary has after them. */
export function symbolName(job: Job, id: number, vocabulary: number, names: readonly string[]): string {
  switch (job) {
    case 'dice': return String(id + 1);
    case 'records': return id < vocabulary / 2 ? (LETTERS[id] ?? '') : String(id - vocabulary / 2 + 1);
    case 'words': return names[id] ?? '';
    case 'letters': return LETTERS[id] ?? String(id);
  }
}

export interface Sequence { tokens: Int32Array; second: Int32Array | null }

/** The words of a shown text; of a record, key and value together. */
export function tokenNames(job: Job, { tokens, second }: Sequence, vocabulary: number, names: readonly string[]): string[] {
  return Array.from(tokens, (id, at) => {
    const value = second?.[at] ?? -1;
    const own = symbolName(job, id, vocabulary, names);
    return value < 0 ? own : own + symbolName(job, value, vocabulary, names);
  });
}

/** A space or a line break is seen. */
export const visible = (word: string): string => (word === ' ' ? '␣' : word === '\n' ? '¶' : word);
