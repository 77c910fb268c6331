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
/** A part that repeats up to this often counts as so many ways, and beyond as any number. */
const FEW = 8;
/** Ways through one path, apart from what repeats any number of times. */
const MOST_WAYS = 64;

/** @param source of a RegExp with the flag u */
export function isSafe(source: string): boolean {
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
