// How the symbols of a task are written.
import { refused } from './sentences.ts';
import type { LessonId, TaskId } from './types.ts';

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

// What lessons learn by heart, cut into words or characters.

/** Written for the lessons. */
export const TALE = 'Once upon a time there was a little girl who lived in a small house at the edge of the dark wood, and every morning she went out to gather berries for her mother. One day she met an old wolf who was sitting by the well. He asked her where she was going, and she told him that she had to bring bread and butter to her grandmother, who was ill and lived on the other side of the hill. The wolf thought for a while. Then he ran ahead as fast as he could, knocked at the door, and waited. But the grandmother had seen him from the window, and she did not open. So he went home hungry, and nobody in the village ever saw him again.';

/** Of a text, in characters. */
export const MOST_TEXT = 20_000;
export const MOST_SYMBOLS = 4096;

export interface LearntText extends Vocabulary {
  ids: Int32Array;
  /** As it was cut, put together again. */
  learnt: { text: string; heldOut: string };
}

const WAYS = {
  words: { joint: ' ', split: (text: string) => text.trim().split(/\s+/u).filter(Boolean) },
  characters: { joint: '', split: (text: string) => Array.from(text.trim().replace(/\s+/gu, ' ')) },
};

/** Null where the run makes its own texts. @throws AttentionError where the text cannot be learnt */
export function textOf(lesson: LessonId, run: string, text?: string, heldOut = ''): LearntText | null {
  const way = lesson === 'words' ? WAYS.words : run.startsWith('characters') ? WAYS.characters : null;
  if (!way) return null;
  const longest = Math.max(text?.length ?? 0, heldOut.length);
  if (longest > MOST_TEXT) throw refused('training_text', [longest, MOST_TEXT]);
  const [pieces, besides] = [way.split(text ?? TALE), way.split(heldOut)];
  const words = [...new Set([...pieces, ...besides])];
  if (words.length > MOST_SYMBOLS) throw refused('training_symbols', [words.length, MOST_SYMBOLS]);
  const places = new Map(words.map((word, id) => [word, id]));
  return { ...way, words, ids: Int32Array.from(pieces, (piece) => places.get(piece) ?? 0), answers: words.length, relations: 1, learnt: { text: pieces.join(way.joint), heldOut: besides.join(way.joint) } };
}
