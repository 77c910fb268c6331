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

// The tokenizer of models trained for this page: whole lower-case words, else the fewest pieces, else <unk>. The same rule as
// in tools/lib/train/tokenizer.py.

/** A word's characters as Python's \w has them, with apostrophes inside; or one other character that is no space. */
const WORD = /[\p{L}\p{N}_]+(?:'[\p{L}\p{N}_]+)*|[^\p{L}\p{N}_\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/gu;
/** Curly quotes, dashes and dots as typewriters have them: the vocabulary knows no others. */
const PLAIN: Readonly<Record<string, string>> = { '‘': "'", '’': "'", '“': '"', '”': '"', '–': '-', '—': '--', '…': '...' };
const CONTINUES = '##';
/** Pieces are looked for letter by letter; no word of a language is so long. */
const MOST_PIECE = 100;

/** The text in the vocabulary's spelling, and for each of its UTF-16 units where it came from. */
interface Spelt {
  text: string;
  from: number[];
  to: number[];
}

export class WordPieces implements Tokenizer {
  readonly kind = 'word-pieces';
  readonly #words: readonly string[];
  readonly #ids: ReadonlyMap<string, number>;
  readonly #longest: number;

  /** @param words the vocabulary, in the order of its ids @param start the token that stands before every text */
  constructor(words: readonly string[], private readonly start?: string) {
    this.#words = words;
    this.#ids = new Map(words.map((word, id) => [word, id]));
    this.#longest = Math.min(MOST_PIECE, words.reduce((most, word) => Math.max(most, word.length), 0));
  }

  tokenize(text: string): ModelToken[] {
    const spelt = spell(text);
    const tokens = [...spelt.text.matchAll(WORD)].flatMap(({ 0: word, index }) => this.#word(text, spelt, word, index));
    const start = this.start === undefined ? undefined : this.#ids.get(this.start);
    return start === undefined ? tokens : [{ id: start, word: this.start as string, text: '', start: 0, end: 0, piece: false }, ...tokens];
  }

  word(id: number): VocabularyWord {
    const word = this.#words[id] ?? '';
    const piece = word.startsWith(CONTINUES) && word.length > CONTINUES.length;
    return { word: piece ? word.slice(CONTINUES.length) : word, piece };
  }

  #word(text: string, { from, to }: Spelt, word: string, index: number): ModelToken[] {
    let at = index;
    return this.#split(word).map(({ id, length }, i) => {
      const [start, end] = [from[at] as number, to[at + length - 1] as number];
      at += length;
      return { id, word: this.word(id).word, text: text.slice(start, end), start, end, piece: i > 0 };
    });
  }

  #split(word: string): { id: number; length: number }[] {
    const whole = this.#ids.get(word);
    if (whole !== undefined) return [{ id: whole, length: word.length }];
    let at = 0;
    return (this.#fewest(word) ?? [word.length]).map((length) => {
      const id = this.#ids.get(spelling(word, at, at + length)) ?? this.#ids.get(UNKNOWN) ?? 0;
      at += length;
      return { id, length };
    });
  }

  /** The lengths of the fewest pieces that make the word, of equally few the longest first; null when none do. */
  #fewest(word: string): number[] | null {
    const counts = new Array<number>(word.length + 1).fill(Infinity);
    const first = new Array<number>(word.length).fill(0);
    counts[word.length] = 0;
    for (let at = word.length - 1; at >= 0; at -= 1) {
      for (let length = Math.min(this.#longest, word.length - at); length > 0; length -= 1) {
        const more = (counts[at + length] as number) + 1;
        if (more < (counts[at] as number) && this.#ids.has(spelling(word, at, at + length))) [counts[at], first[at]] = [more, length];
      }
    }
    if (counts[0] === Infinity) return null;
    const lengths: number[] = [];
    for (let at = 0; at < word.length; at += lengths.at(-1) as number) lengths.push(first[at] as number);
    return lengths;
  }
}

const spelling = (word: string, begin: number, end: number) => (begin > 0 ? CONTINUES : '') + word.slice(begin, end);

const MOST_COMPOSED = 1000;
/** Parts that can be composed one by one: a character with its marks, or the letters of Korean syllables. */
const COMPOSED = /[\u1100-\u11ff\uac00-\ud7ff]+\p{M}*|\P{M}\p{M}*|\p{M}+/gu;

/** Composed, plain and in small letters: character by character, so that each keeps its place. */
function spell(text: string): Spelt {
  const spelt: Spelt = { text: '', from: [], to: [] };
  for (const { 0: segment, index } of text.matchAll(COMPOSED)) {
    // Sorting marks takes time that grows with the square of their number: such a segment is no real word and stays as it is.
    const written = (segment.length > MOST_COMPOSED ? segment : segment.normalize('NFC')).replace(/[‘’“”–—…]/g, (mark) => PLAIN[mark] ?? mark).toLowerCase();
    const isAlike = written.length === segment.length;
    for (let i = 0; i < written.length; i += 1) {
      spelt.from.push(isAlike ? index + i : index);
      spelt.to.push(isAlike ? index + i + 1 : index + segment.length);
    }
    spelt.text += written;
  }
  return spelt;
}
