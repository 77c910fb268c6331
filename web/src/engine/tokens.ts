// The reader's text, cut into words. The text itself is never changed: a token says where it lies in it.

export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Of a language model's vocabulary, when it is a model that reads. */
  readonly id?: number;
}

const INVISIBLE = /^[\s\p{Z}\p{Cc}\p{Cf}]*$/u;

/** Texts that every segmenter cuts alike, and each of their tokens. The browser's own costs a page as much as its first figure. */
const PLAIN = /^(?:[a-z]+(?:'[a-z]+)*(?![\w'])|\d+(?![\w'.,;])|[.!?](?= |$)|[,;](?= |$)| )*$/i;
const PLAIN_TOKEN = /[a-z']+|\d+|[^ ]/gi;

let segmenter: Intl.Segmenter | undefined;

/** Whether it is cut without the browser's segmenter. */
export const isPlain = (text: string): boolean => PLAIN.test(text);

/** Words, numbers and punctuation marks, in any script; what shows nothing on screen is no token. */
export function tokenize(text: string): Token[] {
  if (isPlain(text)) return [...text.matchAll(PLAIN_TOKEN)].map(({ 0: word, index }) => ({ text: word, start: index, end: index + word.length }));
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  const tokens: Token[] = [];
  for (const { segment, index } of segmenter.segment(text)) {
    if (!INVISIBLE.test(segment)) tokens.push({ text: segment, start: index, end: index + segment.length });
  }
  return tokens;
}

/** The same word has the same vector however its accents were typed. */
export function engineKey(token: Token): string {
  // Half a character has no UTF-8.
  return token.text.normalize('NFC').replace(/\p{Surrogate}/gu, '\uFFFD');
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

/** The tokens that the boundaries cut out of this text, or null when they do not fit it. */
export function decodeBoundaries(text: string, encoded: string): Token[] | null {
  if (encoded === '') return INVISIBLE.test(text) ? [] : null;
  const parts = encoded.split('.');
  if (parts.length % 2 !== 0) return null;
  const tokens: Token[] = [];
  let at = 0;
  for (let i = 0; i < parts.length; i += 2) {
    const [gap = '', length = ''] = [parts[i], parts[i + 1]];
    if (!/^[0-9a-z]{1,5}$/.test(gap) || !/^[0-9a-z]{1,5}$/.test(length)) return null;
    const start = at + Number.parseInt(gap, 36);
    const end = start + Number.parseInt(length, 36);
    if (end === start || end > text.length || splitsPair(text, start) || splitsPair(text, end)) return null;
    if (!INVISIBLE.test(text.slice(at, start)) || INVISIBLE.test(text.slice(start, end))) return null;
    tokens.push({ text: text.slice(start, end), start, end });
    at = end;
  }
  return INVISIBLE.test(text.slice(at)) ? tokens : null;
}

function splitsPair(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '');
}
