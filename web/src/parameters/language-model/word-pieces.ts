// The tokenizer of models trained for this page: whole lower-case words, else the fewest pieces, else <unk>. The
// same rule as in tools/lib/train/tokenizer.py.
import { type ModelToken, type Tokenizer, UNKNOWN, type VocabularyWord } from './tokens.ts';

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
