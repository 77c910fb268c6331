// The tokenizer of models that were trained in the page: words between spaces, or characters, exactly as they were learnt.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../../engine/error.ts';
import { clipped } from '../../lib/format.ts';
import type { ModelToken, Tokenizer, VocabularyWord } from './tokens.ts';

export class PlainWords implements Tokenizer {
  readonly kind = 'word-pieces';
  readonly #words: readonly string[];
  readonly #ids: ReadonlyMap<string, number>;
  readonly #pattern: RegExp;

  constructor(words: readonly string[], isCharacters: boolean) {
    this.#words = words;
    this.#ids = new Map(words.map((word, id) => [word, id]));
    this.#pattern = isCharacters ? /./gsu : /\S+/gu;
  }

  /** @throws AttentionError where a word was not learnt */
  tokenize(text: string): ModelToken[] {
    return [...text.matchAll(this.#pattern)].map(({ 0: word, index }) => {
      const id = this.#ids.get(word);
      if (id === undefined) throw new AttentionError('unknown_word', msg(str`“${clipped(word)}” is no word of this model, which learnt ${this.#words.length}. Use words that it learnt.`));
      return { id, word, text: word, start: index, end: index + word.length, piece: false };
    });
  }

  word(id: number): VocabularyWord {
    return { word: this.#words[id] ?? '', piece: false };
  }
}
