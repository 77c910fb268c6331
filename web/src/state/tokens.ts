// Cuts the reader's texts into words: at a link's boundaries, with the model's tokenizer, or with the browser's segmenter.
import type { AttentionError } from '../engine/error.ts';
import { type Token, isTooLong, tokenize, tooLong } from '../engine/tokens.ts';
import { DEFAULT_TEXT } from './settings.ts';
import type { Reading } from './state.ts';

/** The tokenizer, if it is not the browser's. */
interface Cutter {
  tokenize(text: string): Token[];
  /** Whether it cuts a second sentence, too. */
  attention?: unknown;
}

type Boundaries = Pick<Reading, 'text' | 'tokens' | 'keyText' | 'keyTokens'>;

export class Words {
  #tokens: readonly Token[] = tokenize(DEFAULT_TEXT);
  #keyTokens: readonly Token[] | null = null;
  #problem: AttentionError | null = null;
  #keyProblem: AttentionError | null = null;

  get tokens(): readonly Token[] {
    return this.#tokens;
  }

  /** Of the second sentence; null without one. */
  get keyTokens(): readonly Token[] | null {
    return this.#keyTokens;
  }

  /** Why the text cannot be cut; a model may take nothing but numbers. */
  get problem(): AttentionError | null {
    return this.#problem ?? this.#keyProblem;
  }

  cut(text: string, link: Boundaries | null, reader: Cutter | null): void {
    this.#problem = null;
    try {
      if (isTooLong(text)) throw tooLong(text);
      this.#tokens = reader ? reader.tokenize(text) : link?.text === text && link.tokens ? link.tokens : tokenize(text);
    } catch (error) {
      this.#tokens = [];
      this.#problem = error as AttentionError;
    }
  }

  cutKeys(keyText: string | null, link: Boundaries | null, reader: Cutter | null): void {
    const given = link?.keyText === keyText ? link?.keyTokens : undefined;
    this.#keyProblem = keyText !== null && isTooLong(keyText) ? tooLong(keyText) : null;
    this.#keyTokens = keyText === null ? null : reader?.attention ? reader.tokenize(keyText) : (given ?? tokenize(keyText));
  }
}

