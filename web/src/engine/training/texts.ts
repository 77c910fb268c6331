// What lessons learn by heart, cut into words or characters.
import { refused } from './sentences.ts';
import type { LessonId } from './types.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Written for the lessons. */
export const TALE = 'Once upon a time there was a little girl who lived in a small house at the edge of the dark wood, and every morning she went out to gather berries for her mother. One day she met an old wolf who was sitting by the well. He asked her where she was going, and she told him that she had to bring bread and butter to her grandmother, who was ill and lived on the other side of the hill. The wolf thought for a while. Then he ran ahead as fast as he could, knocked at the door, and waited. But the grandmother had seen him from the window, and she did not open. So he went home hungry, and nobody in the village ever saw him again.';

/** Of a text, in characters. */
export const MOST_TEXT = 20_000;
export const MOST_SYMBOLS = 4096;

export interface LearntText extends Vocabulary {
  ids: Int32Array;
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
  const pieces = way.split(text ?? TALE);
  const words = [...new Set([...pieces, ...way.split(heldOut)])];
  if (words.length > MOST_SYMBOLS) throw refused('training_symbols', [words.length, MOST_SYMBOLS]);
  const places = new Map(words.map((word, id) => [word, id]));
  return { ...way, words, ids: Int32Array.from(pieces, (piece) => places.get(piece) ?? 0), answers: words.length, relations: 1 };
}
