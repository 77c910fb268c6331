// GPT-2's tokenizer (Radford et al. 2019, section 2.2): a text's bytes, merged pair by pair as its merges rank them.
import { msg, str } from '@lit/localize';
import { broken, quote } from './safetensors.ts';
import type { ModelToken, Tokenizer, VocabularyWord } from './tokens.ts';

/** GPT-2's own, as it is written: contractions, letters, digits or marks with a space before them, and spaces. */
export const CHUNK = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`;
/** What JavaScript takes for spaces are others than everywhere else: U+FEFF, and not U+0085. */
export const asElsewhere = (source: string): string => source.replaceAll('\\s', String.raw`\p{White_Space}`).replaceAll('\\S', String.raw`\P{White_Space}`);
const SPACE = /\p{White_Space}/u;
const CHUNKS = new RegExp(asElsewhere(CHUNK), 'gu');

/** Every byte as a character that can be seen: itself, or one from 256 on where it shows nothing. */
const LETTERS = (() => {
  const shows = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(shows(byte) ? byte : next++));
})();
export const BYTES: ReadonlyMap<string, number> = new Map(LETTERS.map((letter, byte) => [letter, byte]));

/** A token that is found in a text as it stands there, before anything else is cut. As tokenizer.json writes it, and not trusted. */
export interface SpecialToken {
  readonly content?: unknown;
  /** The vocabulary's, where left out. */
  readonly id?: unknown;
  /** Spaces before or behind it are a part of it. */
  readonly lstrip?: unknown;
  readonly rstrip?: unknown;
  /** Only where no letter or digit stands beside it. */
  readonly single_word?: unknown;
}

export interface BytePairOptions {
  special?: readonly SpecialToken[];
  /** Every text begins as if a space stood before it. */
  isSpaced?: boolean;
  /** What the sentences call the files. */
  vocabularyFile?: string;
  mergesFile?: string;
}

export class BytePairs implements Tokenizer {
  readonly kind = 'byte-pairs';
  readonly #ids = new Map<string, number>();
  readonly #words = new Map<number, string>();
  readonly #ranks = new Map<string, number>();
  readonly #special = new Map<string, SpecialToken & { id: number }>();
  readonly #specialIds = new Map<number, string>();
  /** Finds special tokens, of two the longer; null without any. */
  readonly #finds: RegExp | null;
  readonly #options: Required<Omit<BytePairOptions, 'special'>>;

  /** @param vocabulary ids by name @param merges pairs, a space between their parts @param size ids are below it */
  constructor(vocabulary: Readonly<Record<string, unknown>>, merges: readonly string[], size: number, { special = [], isSpaced = false, vocabularyFile = 'vocab.json', mergesFile = 'merges.txt' }: BytePairOptions = {}) {
    this.#options = { isSpaced, vocabularyFile, mergesFile };
    const isId = (id: unknown): id is number => Number.isInteger(id) && (id as number) >= 0 && (id as number) < size;
    for (const [name, id] of Object.entries(vocabulary)) {
      if (!isId(id)) throw broken(msg(str`${vocabularyFile} gives ${quote(name)} the id ${quote(String(id))}, and this model has 0 to ${size - 1}. Choose the vocabulary of this model.`));
      this.#ids.set(name, id);
      this.#words.set(id, name);
    }
    merges.forEach((pair, rank) => {
      if (!/^\S+ \S+$/.test(pair)) throw broken(msg(str`${mergesFile} says ${quote(pair)} where two parts are merged. Choose the ${mergesFile} of this model.`));
      this.#ranks.set(pair, rank);
    });
    const missing = LETTERS.find((letter) => !this.#ids.has(letter));
    if (missing !== undefined) throw broken(msg(str`${vocabularyFile} has no token for the byte ${BYTES.get(missing)}, written ${quote(missing)}. Choose the ${vocabularyFile} of this model.`));
    for (const token of special) {
      const { content } = token;
      if (typeof content !== 'string' || content === '') continue;
      const id = token.id ?? this.#ids.get(content);
      if (!isId(id)) continue; // the model has no row for it
      this.#special.set(content, { ...token, id });
      this.#specialIds.set(id, content);
    }
    const contents = [...this.#special.keys()].sort((a, b) => b.length - a.length);
    this.#finds = contents.length === 0 ? null : new RegExp(contents.map((content) => content.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g');
  }

  tokenize(text: string): ModelToken[] {
    const tokens: ModelToken[] = [];
    let at = 0;
    const plain = (to: number) => {
      for (const token of this.#plain(text, at, to)) tokens.push(token);
    };
    for (const { 0: content, index } of this.#finds ? text.matchAll(this.#finds) : []) {
      const { id, lstrip, rstrip, single_word } = this.#special.get(content) as SpecialToken & { id: number };
      let [start, end] = [index, index + content.length];
      if (start < at || (single_word === true && (isWord(text.slice(0, start).slice(-2)) || isWord(text.slice(end, end + 2), true)))) continue;
      while (lstrip === true && start > at && SPACE.test(text.charAt(start - 1))) start -= 1;
      while (rstrip === true && SPACE.test(text.charAt(end))) end += 1;
      plain(start);
      tokens.push({ id, word: content, text: text.slice(start, end), start, end, piece: false });
      at = end;
    }
    plain(text.length);
    return tokens;
  }

  word(id: number): VocabularyWord {
    const special = this.#specialIds.get(id);
    if (special !== undefined) return { word: special, piece: false };
    const name = this.#words.get(id) ?? '';
    const bytes = [...name].map((letter) => BYTES.get(letter));
    if (bytes.includes(undefined)) return { word: name, piece: false };
    return { word: new TextDecoder().decode(Uint8Array.from(bytes as number[])), piece: /^\w/.test(name) };
  }

  /** A part of the text without special tokens. */
  #plain(text: string, from: number, to: number): ModelToken[] {
    const part = text.slice(from, to);
    const added = this.#options.isSpaced && part !== '' && !part.startsWith(' ') ? ' ' : '';
    const place = (at: number) => from + Math.max(0, at - added.length);
    return [...(added + part).matchAll(CHUNKS)].flatMap(({ 0: chunk, index }) => this.#chunk(chunk).map(({ start: first, end: last, name, piece }) => {
      const id = this.#ids.get(name);
      const { vocabularyFile, mergesFile } = this.#options;
      if (id === undefined) throw broken(msg(str`${mergesFile} makes ${quote(name)}, for which ${vocabularyFile} has no id. Choose the files of one model.`));
      const [start, end] = [place(index + first), place(index + last)];
      return { id, word: this.word(id).word, text: text.slice(start, end), start, end, piece };
    }));
  }

  /** A character of several bytes may be split: each token says the characters that it has a part of. */
  #chunk(chunk: string): { name: string; start: number; end: number; piece: boolean }[] {
    const { letters, places } = inBytes(chunk);
    let at = 0;
    return this.#merge(letters).map((name, i) => {
      const [start, end] = [places[at]?.start ?? 0, places[at + name.length - 1]?.end ?? 0];
      at += name.length;
      return { name, start, end, piece: i > 0 };
    });
  }

  /** Of all neighbours, the pair of the lowest rank is joined, wherever it stands, until none has a rank. */
  #merge(letters: readonly string[]): string[] {
    const parts: (string | null)[] = [...letters];
    const next = letters.map((_, i) => i + 1);
    const before = letters.map((_, i) => i - 1);
    /** For each rank, where its pairs begin; those that are gone meanwhile are passed over. */
    const places = new Map<number, number[]>();
    const ranks = new Ranks();
    const note = (at: number) => {
      const rank = this.#ranks.get(`${parts[at]} ${parts[next[at] as number]}`);
      if (rank === undefined) return;
      const known = places.get(rank);
      if (known) known.push(at);
      else {
        places.set(rank, [at]);
        ranks.add(rank);
      }
    };
    for (let at = 0; at + 1 < parts.length; at += 1) note(at);
    for (let rank = ranks.take(); rank !== undefined; rank = ranks.take()) {
      const here = (places.get(rank) as number[]).sort((a, b) => a - b);
      places.delete(rank);
      const joined: number[] = [];
      for (const at of here) {
        const behind = next[at] as number;
        if (parts[at] == null || behind >= parts.length || this.#ranks.get(`${parts[at]} ${parts[behind]}`) !== rank) continue;
        parts[at] = `${parts[at]}${parts[behind]}`;
        parts[behind] = null;
        next[at] = next[behind] as number;
        if (next[at] as number < parts.length) before[next[at] as number] = at;
        joined.push(at);
      }
      for (const at of joined) {
        if ((before[at] as number) >= 0) note(before[at] as number);
        if ((next[at] as number) < parts.length) note(at);
      }
    }
    return parts.filter((part) => part !== null);
  }
}

/** Whether a letter or digit ends the text, or begins it. */
const isWord = (text: string, begins = false) => (begins ? /^[\p{L}\p{N}_]/u : /[\p{L}\p{N}_]$/u).test(text);

/** Numbers, each once, of which the least is taken first: a heap. */
class Ranks {
  readonly #heap: number[] = [];

  add(rank: number): void {
    const heap = this.#heap;
    let at = heap.push(rank) - 1;
    for (let above = (at - 1) >> 1; at > 0 && (heap[above] as number) > rank; above = (at - 1) >> 1) {
      heap[at] = heap[above] as number;
      at = above;
    }
    heap[at] = rank;
  }

  take(): number | undefined {
    const heap = this.#heap;
    const [least, last] = [heap[0], heap.pop()];
    if (heap.length === 0 || last === undefined) return least;
    let at = 0;
    for (let below = 1; below < heap.length; below = 2 * at + 1) {
      if (below + 1 < heap.length && (heap[below + 1] as number) < (heap[below] as number)) below += 1;
      if ((heap[below] as number) >= last) break;
      heap[at] = heap[below] as number;
      at = below;
    }
    heap[at] = last;
    return least;
  }
}

/** The bytes of UTF-8 as letters, and for each the character that it belongs to. */
function inBytes(text: string): { letters: string[]; places: { start: number; end: number }[] } {
  const encoder = new TextEncoder();
  const [letters, places]: [string[], { start: number; end: number }[]] = [[], []];
  let start = 0;
  for (const character of text) {
    const place = { start, end: start + character.length };
    for (const byte of encoder.encode(character)) {
      letters.push(LETTERS[byte] as string);
      places.push(place);
    }
    start = place.end;
  }
  return { letters, places };
}
