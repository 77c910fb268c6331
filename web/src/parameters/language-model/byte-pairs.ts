// GPT-2's tokenizer (Radford et al. 2019, section 2.2): a text's bytes, merged pair by pair as merges.txt ranks them.
import { msg, str } from '@lit/localize';
import { broken, quote } from './safetensors.ts';
import type { ModelToken, Tokenizer, VocabularyWord } from './tokens.ts';

/** GPT-2's own: contractions, letters, digits or marks with a space before them, and spaces. */
const CHUNK = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/** Every byte as a character that can be seen: itself, or one from 256 on where it shows nothing. */
const LETTERS = (() => {
  const shows = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(shows(byte) ? byte : next++));
})();
const BYTES: ReadonlyMap<string, number> = new Map(LETTERS.map((letter, byte) => [letter, byte]));

export class BytePairs implements Tokenizer {
  readonly kind = 'byte-pairs';
  readonly #ids = new Map<string, number>();
  readonly #words = new Map<number, string>();
  readonly #ranks = new Map<string, number>();

  /** @param vocabulary vocab.json: ids by name @param merges merges.txt: a pair a line @param size ids are below it */
  constructor(vocabulary: Readonly<Record<string, unknown>>, merges: string, size: number) {
    for (const [name, id] of Object.entries(vocabulary)) {
      if (!Number.isInteger(id) || (id as number) < 0 || (id as number) >= size) {
        throw broken(msg(str`vocab.json gives ${quote(name)} the id ${quote(String(id))}, and this model has 0 to ${size - 1}. Choose the vocabulary of this model.`));
      }
      this.#ids.set(name, id as number);
      this.#words.set(id as number, name);
    }
    const pairs = merges.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#version'));
    pairs.forEach((pair, rank) => {
      if (!/^\S+ \S+$/.test(pair)) throw broken(msg(str`merges.txt says ${quote(pair)} where a line has two parts. Choose the merges.txt of this model.`));
      this.#ranks.set(pair, rank);
    });
    const missing = LETTERS.find((letter) => !this.#ids.has(letter));
    if (missing !== undefined) throw broken(msg(str`vocab.json has no token for the byte ${BYTES.get(missing)}, written ${quote(missing)}. Choose the vocab.json of this model.`));
  }

  tokenize(text: string): ModelToken[] {
    return [...text.matchAll(CHUNK)].flatMap(({ 0: chunk, index }) => this.#chunk(chunk, index));
  }

  word(id: number): VocabularyWord {
    const name = this.#words.get(id) ?? '';
    const bytes = [...name].map((letter) => BYTES.get(letter));
    if (bytes.includes(undefined)) return { word: name, piece: false }; // <|endoftext|>
    return { word: new TextDecoder().decode(Uint8Array.from(bytes as number[])), piece: /^\w/.test(name) };
  }

  /** A character of several bytes may be split: each token says the characters that it has a part of. */
  #chunk(chunk: string, index: number): ModelToken[] {
    const { letters, places } = inBytes(chunk);
    let at = 0;
    return this.#merge(letters).map((name, i) => {
      const [start, end] = [places[at]?.start ?? 0, places[at + name.length - 1]?.end ?? 0];
      at += name.length;
      const id = this.#ids.get(name);
      if (id === undefined) throw broken(msg(str`merges.txt makes ${quote(name)}, which vocab.json does not have. Choose the two files of one model.`));
      return { id, word: this.word(id).word, text: chunk.slice(start, end), start: index + start, end: index + end, piece: i > 0 };
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
