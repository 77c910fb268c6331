// Cuts the reader's text into words. The text is never changed: a token has its position in it.
import { msg, str } from '@lit/localize';
import { count } from '../lib/format.ts';
import { AttentionError } from './error.ts';

export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Of a language model's vocabulary, when it is a model that reads. */
  readonly id?: number;
}

/** Longer texts are rejected before anything is cut or measured: seven characters for each token that the engine takes. */
const MOST_TEXT = 30_000;
const MOST_LINES = 5000;
/** Browsers take quadratic time to lay out many marks on one letter. */
const MARKS = /\p{M}{500}/u;

export function isTooLong(text: string): boolean {
  if (text.length <= 500) return false;
  return text.length > MOST_TEXT || MARKS.test(text) || (text.length > MOST_LINES && text.split('\n').length > MOST_LINES);
}

/** Its message follows the page's language. */
export function tooLong(text: string): AttentionError {
  const error = new AttentionError('text_too_long', '');
  const say = () => msg(str`This text has ${count(text.length)} characters. At most ${count(MOST_TEXT)} are read, on at most ${count(MOST_LINES)} lines, with less than 500 marks on a letter. It is kept whole; the box shows its beginning, which becomes the text when you change it.`);
  return Object.defineProperty(error, 'message', { get: say });
}

// Invisible characters do not make another word: direction marks, soft hyphens, variation selectors and the like are
// ignored. Spaces stay, and so do visible characters of Unicode's category Format: signs of numbers, verses and hieroglyphs.
const UNSEEN = /(?![\t-\r\x1c-\x1f\x85\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1345f}])[\p{Cc}\p{Cf}\p{DI}\u2800]/gu;
const JOINED = '[\\u0600-\\u0dff\\u1000-\\u109f\\u1700-\\u1cff\\ua800-\\uabff\\ufb50-\\ufdff\\ufe70-\\ufefc\\u{10a00}-\\u{11fff}]';
const UNSPACED = '[\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u1950-\\u19df\\u1a20-\\u1aaf]';
/** Signs that do something between these: the one before, the sign itself, the one behind; what it is then. */
const KEPT: readonly (readonly [around: RegExp, as: string | null])[] = [
  // Letters whose shape a joiner changes; emoji that it makes one; tags of a flag.
  [new RegExp(`^${JOINED}(?:\u200d|\u200c${JOINED})|\u200d${JOINED}`, 'u'), null],
  [/^[\p{ExtPict}\p{EMod}]\ufe0f?\u200d\p{ExtPict}/u, null],
  [/^[\u{1f3f4}\u{e0020}-\u{e007e}][\u{e0020}-\u{e007f}]/u, null],
  // Where words have no spaces between, it is where one ends. Blanks are spaces.
  [new RegExp(`^${UNSPACED}\u200b${UNSPACED}`, 'u'), ' '],
  [/[\u2800\u3164\uffa0]/u, ' '],
];
/** An emoji in colours or without is the same word, and written as it was typed. */
const LOOK = /^\p{Emoji}[\ufe0e\ufe0f]/u;
const LOOKS = /[\ufe0e\ufe0f]/g;

const LAST = /\P{DI}\ufe0f?$|[^]$/u;

/** A text without its invisible characters, and the position of each part in the typed text. */
export class Seen {
  readonly text: string;
  /** The position of each unit in the typed text; null if everything is visible. */
  readonly #from: number[] | null = null;

  /** @param looks whether what chooses an emoji's look stays with it */
  constructor(private readonly typed: string, looks = false) {
    this.text = typed;
    if (typed.search(UNSEEN) < 0) return;
    const [from, parts]: [number[], string[]] = [[], []];
    let [before, at] = ['', 0];
    const take = (part: string, index: number) => {
      for (let i = 0; i < part.length; i += 1) from.push(index + i);
      if (part) parts.push(part);
      before = LAST.exec((before + part).slice(-6))?.[0] ?? '';
    };
    for (const { 0: sign, index } of typed.matchAll(UNSEEN)) {
      take(typed.slice(at, index), at);
      at = index + sign.length;
      const around = before + sign + typed.slice(at, at + 16).replace(UNSEEN, '').slice(0, 2);
      const kept = KEPT.find(([where]) => where.test(around));
      if (kept) take(kept[1] ?? sign, index);
      else if (looks && LOOK.test(around)) take(sign, index);
    }
    take(typed.slice(at), at);
    this.text = parts.join('');
    this.#from = from;
  }

  /** A part of the visible text as a range of the typed text, without invisible characters at its ends. */
  place(start: number, end: number): { start: number; end: number } {
    const from = this.#from;
    if (!from) return { start, end };
    const at = (unit: number) => from[unit] ?? this.typed.length;
    return { start: at(start), end: start === end ? at(start) : at(end - 1) + 1 };
  }

  /** What is seen of a part of what was typed. */
  part(start: number, end: number): string {
    const from = this.#from;
    if (!from) return this.text.slice(start, end);
    const at = (place: number) => {
      let [low, high] = [0, from.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((from[middle] as number) < place) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    return this.text.slice(at(start), at(end));
  }
}

/** Of what is seen: spaces, and joiners by themselves. */
export const BLANK = /^[\s\p{Z}\p{Cc}\p{DI}]*$/u;

/** Texts that every segmenter cuts alike, and each of their tokens. The browser's own costs a page as much as its first figure. */
const PLAIN = /^(?:[a-z]+(?:'[a-z]+)*(?![\w'])|\d+(?![\w'.,;])|[.!?](?= |$)|[,;](?= |$)| )*$/i;
const PLAIN_TOKEN = /[a-z']+|\d+|[^ ]/gi;

let segmenter: Intl.Segmenter | undefined;

/** Patterns overflow the stack some millions of characters later. */
const MOST_MATCHED = 1e6;

/** Whether it is cut without the browser's segmenter. */
export const isPlain = (text: string): boolean => text.length < MOST_MATCHED && PLAIN.test(text);

/** A segmenter copies its text with every word that it gives: long ones go to it in pieces, each from where a word ends. */
const PIECE = 2048;
/** A word this near to the end of a piece may continue after it. */
const MARGIN = 64;

function* segments(text: string): Generator<{ segment: string; index: number }> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  for (let [from, size] = [0, PIECE]; from < text.length;) {
    const piece = text.slice(from, from + size);
    const sure = from + piece.length < text.length ? piece.length - MARGIN : piece.length;
    let at = 0;
    for (const { segment, index } of segmenter.segment(piece)) {
      if (index + segment.length > sure || index >= PIECE) break;
      yield { segment, index: from + index };
      at = index + segment.length;
    }
    from += at;
    size = at === 0 ? 2 * size : PIECE;
  }
}

/** Words, numbers and punctuation marks, in any script; invisible text makes no token. A text that is too long has none. */
export function tokenize(text: string): Token[] {
  if (isTooLong(text)) return [];
  if (isPlain(text)) return [...text.matchAll(PLAIN_TOKEN)].map(({ 0: word, index }) => ({ text: word, start: index, end: index + word.length }));
  const seen = new Seen(text, true);
  const tokens: Token[] = [];
  for (const { segment, index } of segments(seen.text)) {
    if (!BLANK.test(segment)) tokens.push({ text: segment, ...seen.place(index, index + segment.length) });
  }
  return tokens;
}

/** The same word has the same vector however its accents were typed, and whatever does not show in it. */
export function engineKey(token: Token): string {
  const text = token.text.replace(LOOKS, '');
  // Half a character has no UTF-8.
  return text.normalize('NFC').replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Carriage returns never reach a text area, so positions are counted without them. */
export function normalizeLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Boundaries as alternating gap and length, base 36: "0.3.1.6" is [0,3) and [4,10). */
export function encodeBoundaries(tokens: readonly Token[]): string {
  let last = 0;
  const parts: string[] = [];
  for (const token of tokens) {
    parts.push((token.start - last).toString(36), (token.end - token.start).toString(36));
    last = token.end;
  }
  return parts.join('.');
}
