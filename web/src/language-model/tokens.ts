// The reader's text as a model reads it. The text itself is never changed: a token says where it lies in it.

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
  readonly kind: 'word-pieces' | 'byte-pairs' | 'ids';
  tokenize(text: string): ModelToken[];
  /** Of any id of the vocabulary. */
  word(id: number): VocabularyWord;
}
