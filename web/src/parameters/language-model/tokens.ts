// The reader's text as a model reads it: by its tokenizer, or as typed ids where there is none. The text itself is never
// changed: a token says where it lies in it.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../../engine/error.ts';
import { clipped } from '../../lib/format.ts';
import { quote } from './safetensors.ts';

export class TokenIds implements Tokenizer {
  readonly kind = 'ids';

  constructor(private readonly vocabulary: number) {}

  /** @throws AttentionError `not_a_token` where something other than ids is typed */
  tokenize(text: string): ModelToken[] {
    return [...text.matchAll(/[^\s,;]+/gu)].map(({ 0: word, index: start }) => {
      const id = /^\d{1,9}$/.test(word) ? Number(word) : NaN;
      if (!(id < this.vocabulary)) {
        throw new AttentionError('not_a_token', msg(str`${quote(word)} is not a token id: this model’s are 0 to ${this.vocabulary - 1}. Type such numbers, or choose its tokenizer.json, too.`));
      }
      return { id, word: String(id), text: word, start, end: start + word.length, piece: false };
    });
  }

  word(id: number): VocabularyWord {
    return { word: String(id), piece: false };
  }
}

// The reader's text as a model reads it. The text itself is never changed: a token says where it lies in it.

/** The token for whatever has none, in models that have one. */
export const UNKNOWN = '<unk>';
/** As others write it, too. */
export const UNKNOWN_WORDS: readonly string[] = [UNKNOWN, '[UNK]'];

export interface ModelToken {
  readonly id: number;
  /** As the vocabulary writes it. */
  readonly word: string;
  /** What it stands for in the reader's text: text.slice(start, end), in UTF-16 units. Empty for a start token. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** It continues the word of the token before it. */
  readonly piece: boolean;
}

/** How the vocabulary writes a token, and whether it continues a word. */
export interface VocabularyWord {
  word: string;
  piece: boolean;
}

export interface Tokenizer {
  readonly kind: 'word-pieces' | 'byte-pairs' | 'file' | 'ids';
  /** The token that stands where a word is hidden; left out where there is none. */
  readonly mask?: number | undefined;
  /** The token that ends a sentence of two, as BERT’s [SEP]; left out where there is none. */
  readonly separator?: number | undefined;
  tokenize(text: string): ModelToken[];
  /** Of any id of the vocabulary. */
  word(id: number): VocabularyWord;
}

/** Of models that were trained in the page: words between spaces, or characters, exactly as they were learnt. */
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
      if (id === undefined) throw new AttentionError('unknown_word', msg(str`“${clipped(word)}” is not a word of this model, which learnt ${this.#words.length}. Use words that it learnt.`));
      return { id, word, text: word, start: index, end: index + word.length, piece: false };
    });
  }

  word(id: number): VocabularyWord {
    return { word: this.#words[id] ?? '', piece: false };
  }
}
