// For a model without a tokenizer beside it: its token ids are typed.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../attention-error.ts';
import { quote } from './safetensors.ts';
import type { ModelToken, Tokenizer, VocabularyWord } from './tokens.ts';

export class TokenIds implements Tokenizer {
  readonly kind = 'ids';

  constructor(private readonly vocabulary: number) {}

  /** @throws AttentionError `not_a_token` where something else than ids is typed */
  tokenize(text: string): ModelToken[] {
    return [...text.matchAll(/[^\s,;]+/gu)].map(({ 0: word, index: start }) => {
      const id = /^\d{1,9}$/.test(word) ? Number(word) : NaN;
      if (!(id < this.vocabulary)) {
        throw new AttentionError('not_a_token', msg(str`${quote(word)} is no token id: this model’s are 0 to ${this.vocabulary - 1}. Type such numbers, or choose its vocab.json and merges.txt, too.`));
      }
      return { id, word: String(id), text: word, start, end: start + word.length, piece: false };
    });
  }

  word(id: number): VocabularyWord {
    return { word: String(id), piece: false };
  }
}
