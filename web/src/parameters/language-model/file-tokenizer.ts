// Any tokenizer.json, by the library of those who defined the format. It says which tokens a text has; where each of them
// stands in the text is found here.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../../engine/error.ts';
import { Tokenizer as Library } from '@huggingface/tokenizers';
import { BYTES, asElsewhere } from './byte-pairs.ts';
import { broken, quote } from './safetensors.ts';
import type { ModelToken, Tokenizer, VocabularyWord } from './tokens.ts';

/** How the vocabulary writes tokens: bytes as letters, spaces as ▁, or what continues a word behind a prefix. */
type Spelling = { kind: 'bytes' } | { kind: 'spaces' } | { kind: 'prefix'; prefix: string };

interface File {
  readonly added_tokens?: unknown;
  readonly model?: { readonly type?: unknown; readonly vocab?: unknown; readonly unk_token?: unknown; readonly unk_id?: unknown; readonly continuing_subword_prefix?: unknown } | undefined;
  readonly pre_tokenizer?: unknown;
  readonly decoder?: unknown;
}

/** For any other kind the library would silently use one of these. */
const MODELS: readonly unknown[] = ['BPE', 'WordPiece', 'Unigram', undefined];
const SPACE = 32;
const encoder = new TextEncoder();

/** The text as the vocabulary has it, in bytes, and for each the characters of the text that it is made of. */
interface Normalized {
  bytes: readonly number[];
  from: readonly number[];
  to: readonly number[];
}

/** What hides a word where the configuration does not say: BERT's, and RoBERTa's. */
const MASKS = ['[MASK]', '<mask>'];
const SEPARATOR = '[SEP]';

export class FileTokenizer implements Tokenizer {
  readonly kind = 'file';
  readonly #library: Library;
  readonly #spelling: Spelling;
  /** By id: no part of a word, and written in a text as they are. */
  readonly #added: ReadonlyMap<number, { content: string }>;
  readonly mask: number | undefined;
  readonly separator: number | undefined;
  /** What stands for words that the vocabulary cannot spell. */
  readonly #unknown: unknown;
  /** The same in Unigram, whose unknown words are named as they are written. */
  readonly #unknownId: unknown;
  /** Whether a space is put before a text. */
  readonly #isSpaced: boolean;

  private constructor(library: Library, { model, pre_tokenizer, decoder }: File, private readonly size: number, masks: readonly unknown[], separator: unknown) {
    this.#library = library;
    this.#spelling = spellingOf({ model, pre_tokenizer, decoder });
    this.#added = library.get_added_tokens_decoder();
    this.mask = [...this.#added].find(([, { content }]) => masks.includes(content))?.[0];
    this.separator = [...this.#added].find(([, { content }]) => content === separator)?.[0];
    this.#unknown = model?.unk_token;
    this.#unknownId = model?.unk_id;
    this.#isSpaced = library.normalizer?.normalize('a').replaceAll('▁', ' ').startsWith(' ') === true;
  }

  /**
   * @param file tokenizer.json @param config tokenizer_config.json @param size ids are below it
   * @throws AttentionError where the library cannot read it, or the model has no row for one of its tokens
   */
  static open(file: File, config: Readonly<Record<string, unknown>>, size: number): FileTokenizer {
    let library: Library;
    try {
      if (!MODELS.includes(file.model?.type)) throw new Error(`model ${String(file.model?.type)}`);
      requireRows(file, size);
      requireSafe(file);
      library = mended(new Library({ ...file, pre_tokenizer: asMeant(file.pre_tokenizer) }, config));
    } catch (cause) {
      if (cause instanceof AttentionError) throw cause;
      throw broken(msg(str`tokenizer.json cannot be used: ${quote(cause instanceof Error ? cause.message : String(cause))}. Download it again, or leave it out to type token numbers.`), cause);
    }
    const written = (token: unknown) => (typeof token === 'object' && token !== null ? (token as { content?: unknown }).content : token);
    const mask = written(config['mask_token']);
    return new FileTokenizer(library, file, size, typeof mask === 'string' ? [mask] : MASKS, written(config['sep_token']) ?? SEPARATOR);
  }

  tokenize(text: string): ModelToken[] {
    let encoded: { ids: number[]; tokens: string[] };
    try {
      encoded = this.#library.encode(text);
    } catch (cause) {
      throw broken(msg(str`tokenizer.json cannot cut this text: ${quote(cause instanceof Error ? cause.message : String(cause))}. Download it again, or leave it out to type token numbers.`), cause);
    }
    const normalized = this.#normalized(text);
    const names = encoded.tokens;
    const tokens: ModelToken[] = [];
    let at = 0;
    for (const [i, id] of encoded.ids.entries()) {
      // Of a token put around a text, or of an unknown word, the file may name another id than its vocabulary does, or none.
      requireRow(names[i] ?? '', id, this.size);
      const added = this.#added.get(id);
      const isAdded = added && names[i] !== this.#unknown && (id !== this.#unknownId || names[i] === added.content);
      const place = isAdded ? addedAt(text, normalized, at, added.content) : this.#placeOf(normalized, at, names[i] ?? '', names[i + 1] ?? '');
      at = place.next;
      const before = tokens.at(-1);
      tokens.push({ id, word: this.word(id).word, text: text.slice(place.start, place.end), start: place.start, end: place.end, piece: before !== undefined && continues(text, before, place) });
    }
    return tokens;
  }

  word(id: number): VocabularyWord {
    const added = this.#added.get(id);
    if (added) return { word: added.content, piece: false };
    const name = this.#library.id_to_token(id) ?? '';
    const { kind } = this.#spelling;
    const word = new TextDecoder().decode(Uint8Array.from(this.#bytes(name)));
    return { word, piece: kind === 'prefix' ? name.startsWith(this.#spelling.prefix) && name !== this.#spelling.prefix : /^[\p{L}\p{N}]/u.test(word) };
  }

  #bytes(name: string): number[] {
    if (this.#spelling.kind === 'bytes') return [...name].flatMap((letter) => BYTES.get(letter) ?? [...encoder.encode(letter)]);
    if (this.#spelling.kind === 'prefix') return [...encoder.encode(name.startsWith(this.#spelling.prefix) ? name.slice(this.#spelling.prefix.length) : name)];
    const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(name);
    return byte ? [Number.parseInt(byte[1] ?? '', 16)] : [...encoder.encode(name.replaceAll('▁', ' '))];
  }

  /** A letter with its marks at a time, since normalizing joins them or parts them. */
  #normalized(text: string): Normalized {
    const [bytes, from, to]: [number[], number[], number[]] = [[], [], []];
    const { normalizer } = this.#library;
    for (const { 0: part, index } of text.matchAll(normalizer ? /[^]\p{M}*/gu : /[^]/gu)) {
      const said = (normalizer ? normalizer.normalize(part).replaceAll('▁', ' ') : part).slice(this.#isSpaced ? 1 : 0);
      for (const byte of encoder.encode(said)) {
        bytes.push(byte);
        from.push(index);
        to.push(index + part.length);
      }
    }
    return { bytes, from, to };
  }

  #placeOf(normalized: Normalized, at: number, name: string, following: string): Place {
    const end = this.#match(normalized, at, this.#bytes(name));
    if (end) return placed(normalized, end.first, end.last);
    // Unknown: up to where the next token is found, or to the end of the word.
    const first = withoutSpaces(normalized, at);
    let last = first;
    const next = this.#bytes(following);
    while (last < normalized.bytes.length && (last === first || (!isSpace(normalized.bytes[last]) && (following === name || next.length === 0 || !this.#match(normalized, last, next))))) last = endOfPart(normalized, last);
    return placed(normalized, first, last);
  }

  /** Where these bytes stand next; spaces may have been put before a text, or left out between its words. */
  #match(normalized: Normalized, at: number, bytes: readonly number[]): { first: number; last: number } | null {
    const rest = withoutSpaces(normalized, at);
    const bare = bytes[0] === SPACE ? bytes.slice(1) : bytes;
    for (const [first, wanted] of [[at, bytes], [at, bare], [rest, bytes], [rest, bare]] as const) {
      if (wanted.every((byte, i) => normalized.bytes[first + i] === byte)) return { first, last: first + wanted.length };
    }
    return null;
  }
}

/** Before the library makes a list as long as the largest id. @throws AttentionError */
function requireRows({ model, added_tokens }: File, size: number): void {
  const vocab = model?.vocab ?? {};
  const own = Array.isArray(vocab) ? vocab.map((entry: unknown, id) => [Array.isArray(entry) ? entry[0] as unknown : entry, id] as const) : Object.entries(vocab);
  const added = (Array.isArray(added_tokens) ? added_tokens : []).map((token: { content?: unknown; id?: unknown } | null) => [token?.content, token?.id] as const);
  for (const [name, id] of [...own, ...added]) {
    if (typeof name !== 'string') throw new Error(`token ${String(id)} is no text`);
    requireRow(name, id, size);
  }
}

/** @throws AttentionError where the model has no row for a token */
function requireRow(name: string, id: unknown, size: number): void {
  if (typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < size) return;
  throw broken(msg(str`${'tokenizer.json'} gives ${quote(name)} the id ${quote(String(id))}, and this model has 0 to ${size - 1}. Choose the vocabulary of this model.`));
}

const CHINESE = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

/** Where the library has other letters and digits than the format means, the same in patterns that it reads aright. */
function asMeant(cut: unknown): unknown {
  return JSON.parse(JSON.stringify(cut ?? null), (_, part: { type?: unknown; individual_digits?: unknown } | null) => {
    const split = (Regex: string, invert: boolean) => ({ type: 'Split', pattern: { Regex }, behavior: invert ? 'Removed' : 'Isolated', invert });
    if (part?.type === 'Whitespace') return split('\\w+|[^\\w\\s]+', true);
    if (part?.type === 'WhitespaceSplit') return split('[^\\s]+', true);
    return part?.type === 'Digits' ? split(part.individual_digits ? '\\p{N}' : '\\p{N}+', false) : part;
  });
}

/** Its own patterns take other characters for spaces, and its BERT too few for Chinese. */
function mended(library: Library): Library {
  for (const part of partsIn([library.normalizer, library.pre_tokenizer])) {
    for (const [name, pattern] of Object.entries(part)) if (pattern instanceof RegExp && pattern.unicode) Object.assign(part, { [name]: new RegExp(asElsewhere(pattern.source), pattern.flags) });
    if ('tokenize_chinese_chars' in part) Object.assign(part, { tokenize_chinese_chars: (text: string) => text.replace(CHINESE, ' $& ') });
  }
  return library;
}

/** Before any of its patterns meets a text: special tokens are normalized as soon as it is made. @throws AttentionError */
function requireSafe(file: File): void {
  const { normalizer, pre_tokenizer, post_processor, decoder } = new Library({ ...file, added_tokens: [], model: { type: 'BPE', vocab: {}, merges: [] } }, {});
  const patterns = [...partsIn([normalizer, pre_tokenizer, post_processor, decoder])].filter((part) => part instanceof RegExp);
  const hostile = patterns.find(({ source }) => !isSafe(source));
  if (hostile) throw broken(msg(str`tokenizer.json has the pattern ${quote(hostile.source)}, which some texts could take forever to match. Leave it out to type token numbers, or choose a tokenizer without it.`));
}

/** All that is kept anywhere in it. */
function partsIn(part: unknown, seen = new Set<object>()): Set<object> {
  if ((typeof part !== 'object' && typeof part !== 'function') || part === null || seen.has(part)) return seen;
  seen.add(part);
  Object.values(part).forEach((each) => partsIn(each, seen));
  return seen;
}

interface Place { start: number; end: number; next: number }

const isSpace = (byte: number | undefined): boolean => byte === SPACE || (byte !== undefined && byte >= 9 && byte <= 13);

function withoutSpaces({ bytes }: Normalized, at: number): number {
  while (isSpace(bytes[at])) at += 1;
  return at;
}

/** Behind the last byte of the part of the text that this byte is of. */
function endOfPart({ from }: Normalized, at: number): number {
  const part = from[at];
  while (from[at] === part && at < from.length) at += 1;
  return at;
}

/** Tokens of no bytes stand between others. */
function placed({ bytes, from, to }: Normalized, first: number, last: number): Place {
  const end = to.at(-1) ?? 0;
  if (first === last) {
    const start = first < bytes.length ? from[first] ?? end : end;
    return { start, end: start, next: last };
  }
  return { start: from[first] ?? end, end: to[last - 1] ?? end, next: last };
}

/** One that the text says, or one that the tokenizer puts around it. */
function addedAt(text: string, normalized: Normalized, at: number, content: string): Place {
  for (const first of [at, withoutSpaces(normalized, at)]) {
    const start = normalized.from[first] ?? text.length;
    if (content === '' || !text.startsWith(content, start)) continue;
    const end = start + content.length;
    const next = normalized.from.findIndex((from, i) => i >= first && from >= end);
    return { start, end, next: next < 0 ? normalized.bytes.length : next };
  }
  return placed(normalized, at, at);
}

/** Whether a token goes on with the word of the one before it. */
function continues(text: string, before: ModelToken, { start, end }: Place): boolean {
  if (start === end || before.start === before.end) return false;
  if (start < before.end) return true;
  const isWord = (part: string) => /^[\p{L}\p{N}\p{M}]/u.test(part);
  return start === before.end && isWord(text.slice(start, end)) && /[\p{L}\p{N}\p{M}]$/u.test(text.slice(0, start).slice(-2));
}

function spellingOf({ model, pre_tokenizer, decoder }: File): Spelling {
  const said = JSON.stringify([pre_tokenizer, decoder]);
  if (said.includes('"ByteLevel"')) return { kind: 'bytes' };
  const { type, continuing_subword_prefix: prefix } = model ?? {};
  if (type === 'WordPiece' || (typeof prefix === 'string' && prefix !== '')) return { kind: 'prefix', prefix: typeof prefix === 'string' && prefix !== '' ? prefix : '##' };
  return { kind: 'spaces' };
}

// Which patterns of a tokenizer.json can be matched in a time that the text's length bounds: a hostile one would stop the page.
// A matcher that backtracks takes long where the same characters can be shared out in many ways among repeated parts and
// something behind these parts fails. Patterns in which this is possible are refused, whatever the text.

/** A part of a path through a pattern: what must stand there, or may stand there a changing number of times. */
interface Piece {
  /** Characters that it matches, as alternatives of a pattern; null where it is a condition or a group. */
  readonly set: string | null;
  readonly min: number;
  readonly max: number;
  /** Of a group: its alternatives. */
  readonly inner: readonly (readonly Piece[])[] | null;
  /** A condition on what stands before or behind, which takes no characters. */
  readonly isLook: boolean;
}

const MOST_LETTERS = 20_000;
/** A part that repeats at most this often counts as that many ways; one that repeats more counts as unlimited. */
const FEW = 8;
/** Ways through one path, apart from what repeats any number of times. */
const MOST_WAYS = 64;

/** @param source of a RegExp with the flag u */
function isSafe(source: string): boolean {
  if (source.length > MOST_LETTERS) return false;
  try {
    const overlaps = overlapsIn(source);
    return new Parser(source).alternatives().every((path) => isSafePath(path, overlaps, false));
  } catch {
    return false; // not understood, or nested too deeply
  }
}

type Overlaps = (a: string, b: string) => boolean;

const isFlexible = ({ min, max }: Piece): boolean => min !== max;
const sets = (path: readonly Piece[]): string[] => path.flatMap(({ set, inner }) => (set !== null ? [set] : (inner ?? []).flatMap(sets)));

/** @param goesOn whether something behind it can fail */
function isSafePath(path: readonly Piece[], overlaps: Overlaps, goesOn: boolean): boolean {
  const loops: string[] = [];
  let ways = 1;
  let isSafeYet = true;
  const walk = (pieces: readonly Piece[], behind: boolean): void => pieces.forEach((piece, i) => {
    const { set, inner, min, max, isLook } = piece;
    const fails = behind || pieces.slice(i + 1).some((each) => each.isLook || each.min > 0);
    if (isLook) {
      isSafeYet &&= (inner ?? []).every((each) => isSafePath(each, overlaps, true));
      return;
    }
    if (inner && max <= 1) {
      if (fails) ways *= inner.length + (min === 0 ? 1 : 0);
      inner.forEach((each) => walk(each, fails));
    } else if (inner) {
      isSafeYet &&= isSafeBody(inner, overlaps);
    }
    if (max > 1 && isFlexible(piece)) {
      const own = set ?? sets(inner?.[0] ?? []).join('|');
      if (max <= FEW && set !== null) {
        if (fails) ways *= max - min + 1;
      } else {
        if (fails && loops.some((before) => overlaps(before, own))) isSafeYet = false;
        loops.push(own);
      }
    } else if (set !== null && isFlexible(piece) && fails) {
      ways *= 2;
    }
    if (ways > MOST_WAYS) isSafeYet = false;
  });
  walk(path, goesOn);
  return isSafeYet;
}

/** What is repeated must begin in one way, which nothing that repeats in it can take: then it is plain where each repetition begins. */
function isSafeBody(inner: readonly (readonly Piece[])[], overlaps: Overlaps): boolean {
  const [path = []] = inner;
  const [first] = path;
  if (inner.length !== 1 || !first || first.set === null || first.min !== 1 || first.max !== 1) return inner.length === 1 && path.every((each) => each.set !== null && !isFlexible(each));
  const { set } = first;
  return path.slice(1).every((each) => each.set !== null && (!isFlexible(each) || !overlaps(set, each.set))) && isSafePath(path, overlaps, true);
}

/** Whether two sets share a character: tried on Latin letters, on some of all other scripts, and on those of the pattern itself. */
function overlapsIn(source: string): Overlaps {
  const tried = [...new Set([...source, ...Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code)), ...Array.from({ length: 3000 }, (_, i) => String.fromCodePoint(0x250 + 97 * i)).filter((letter) => !/\p{Surrogate}/u.test(letter))])];
  const known = new Map<string, readonly boolean[]>();
  const found = (set: string): readonly boolean[] => {
    const before = known.get(set);
    if (before) return before;
    const pattern = new RegExp(`^(?:${set})$`, 'iu');
    const own = tried.map((letter) => pattern.test(letter));
    known.set(set, own);
    return own;
  };
  return (a, b) => {
    const other = found(b);
    return found(a).some((is, i) => is && other[i] === true);
  };
}

/** Reads patterns that a RegExp with the flag u has taken: their syntax is right. */
class Parser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(): Piece[][] {
    const found: Piece[][] = [[]];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#took('|')) found.push([]);
      else found.at(-1)?.push(this.#piece());
    }
    return found;
  }

  #piece(): Piece {
    const look = { set: null, min: 1, max: 1, inner: null, isLook: true };
    if (this.#took('(')) {
      const isLook = this.#match(/(?:\?<?[=!])/y) !== null;
      if (!isLook) this.#match(/\?(?:<[^>]*>|[a-z-]*:)/y);
      const inner = this.alternatives();
      this.#took(')');
      return isLook ? { ...look, inner } : { set: null, inner, isLook: false, ...this.#times() };
    }
    if (this.#match(/\\[bB]|[$^]/y) !== null) return look;
    if (this.#match(/\\(?:[1-9]|k)/y) !== null) throw new Error('a part that is to come again');
    const set = this.#match(/\[(?:[^\\\]]|\\[^])*\]|\\(?:[pPu]\{[^}]*\}|u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|x[0-9a-fA-F]{2}|c[A-Za-z]|[^])|[^]/yu) ?? '';
    return { set, inner: null, isLook: false, ...this.#times() };
  }

  #times(): { min: number; max: number } {
    const found = this.#match(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (found === null) return { min: 1, max: 1 };
    if (!found.startsWith('{')) return { min: found.startsWith('+') ? 1 : 0, max: found.startsWith('?') ? 1 : Infinity };
    const [, least = '', , most] = /\{(\d+)(,(\d*))?/.exec(found) ?? [];
    return { min: Number(least), max: most === undefined ? Number(least) : most === '' ? Infinity : Number(most) };
  }

  #took(letter: string): boolean {
    if (this.#source[this.#at] !== letter) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }
}
