// The page's numbers and its arithmetic, read back: each text stands for all numbers that round to it.
import assert from 'node:assert/strict';

export interface Range {
  readonly text: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const NUMBER = /^(−?)((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?)(?:×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?$/;

function power(superscript: string): number {
  return Number([...superscript].map((c) => (c === '⁻' ? '-' : SUPERSCRIPTS.indexOf(c))).join(''));
}

/**
 * "0" is exactly zero; every other text is rounded to its last digit, or to `significant` digits where
 * zeros at its end were left out.
 */
export function read(text: string, significant?: number): Range {
  const exactly = (value: number) => ({ text, value, low: value, high: value });
  if (text === '0') return exactly(0);
  if (text === '−∞') return exactly(-Infinity);
  if (text === '<.01') return { text, value: 0.0025, low: Number.MIN_VALUE, high: 0.005 };
  const [, sign, digits = '', decimals = '', exponent] = NUMBER.exec(text) ?? [];
  if (sign === undefined) throw new Error(`“${text}” is not written as the page writes numbers`);
  const scale = 10 ** (exponent ? power(exponent) : 0);
  const size = Number(digits.replaceAll(',', '')) * scale;
  const unit = significant ? 10 ** (Math.floor(Math.log10(size)) + 1 - significant) : scale / 10 ** decimals.length;
  const value = sign ? -size : size;
  const slack = unit / 2 + Math.abs(value) * 1e-12;
  return { text, value, low: value - slack, high: value + slack };
}

export function readPercent(text: string): Range {
  const [, number = ''] = /^(0|<1|\d+)\s?%$/.exec(text) ?? [];
  if (number === '<1') return { text, value: 0.0025, low: Number.MIN_VALUE, high: 0.005 };
  if (number === '0') return read('0');
  const { value } = read(number);
  return { text, value: value / 100, low: (value - 0.5) / 100, high: (value + 0.5) / 100 };
}

/** The width of what the text leaves open, beside its size. */
export function coarseness({ value, low, high }: Range): number {
  return value === 0 || !Number.isFinite(value) ? 0 : (high - low) / Math.abs(value);
}

/** Every number in a piece of arithmetic, in order. */
export function numbersIn(text: string): string[] {
  return text.match(/−?\d[\d,]*(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?|−∞/g) ?? [];
}

export interface Span { low: number; high: number }

type Token = { kind: 'number'; span: Span } | { kind: 'operator'; text: string };

// Printed arithmetic, worked out: each number stands for all that round to it, so a piece of work gives a range, and what is
// printed as its result must lie there.
const NEXT_NUMBER = /[−+]?(?:\d[\d,]*(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?|∞)/y;
const OPERATOR = /exp|tanh|[+−×÷()√=…Σ]/y;

export const spanOf = (text: string): Span => {
  if (/^[−+]?∞$/.test(text)) return text.startsWith('−') ? { low: -Infinity, high: -Infinity } : { low: Infinity, high: Infinity };
  const { low, high } = read(text.replace('+', ''));
  return { low, high };
};

/** Runs of arithmetic in a text; what else is said parts them. A minus is a number's own where no number stands before it. */
function runs(text: string): Token[][] {
  const found: Token[][] = [[]];
  let at = 0;
  const endsValue = () => {
    const last = found.at(-1)?.at(-1);
    return last !== undefined && (last.kind === 'number' || [')', 'Σ', '…'].includes(last.text));
  };
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const number = match(NEXT_NUMBER);
    if (number !== undefined && (!/^[−+]/.test(number) || !endsValue())) {
      const clean = number.replace(/,+$/, '');
      found.at(-1)?.push({ kind: 'number', span: spanOf(clean) });
      at += clean.length;
      continue;
    }
    const operator = match(OPERATOR);
    if (operator !== undefined) {
      found.at(-1)?.push({ kind: 'operator', text: operator });
      at += operator.length;
    } else {
      if (!/\s/.test(text[at] ?? '')) found.push([]);
      at += 1;
    }
  }
  return found.filter((run) => run.length > 0);
}

const binary: Record<string, (a: Span, b: Span) => Span> = {
  '+': (a, b) => ({ low: a.low + b.low, high: a.high + b.high }),
  '−': (a, b) => ({ low: a.low - b.high, high: a.high - b.low }),
  '×': (a, b) => among([a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]),
  '÷': (a, b) => (b.low <= 0 && b.high >= 0 ? { low: -Infinity, high: Infinity } : among([a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high])),
};
const unary: Record<string, (a: number) => number> = { exp: Math.exp, tanh: Math.tanh, '√': Math.sqrt };
const among = (all: number[]): Span => ({ low: Math.min(...all), high: Math.max(...all) });

/** What a run comes to; null where it leaves something out (“…”) or is no arithmetic. Without a first operand it goes on from `before`. */
function work(tokens: readonly Token[], before: Span | null, sum: Span | null): Span | null {
  let at = 0;
  const is = (text: string) => {
    const token = tokens[at];
    return token?.kind === 'operator' && token.text === text;
  };
  const take = (text: string): boolean => {
    if (!is(text)) return false;
    at += 1;
    return true;
  };
  const value = (): Span => {
    const token = tokens[at];
    if (token?.kind === 'number') {
      at += 1;
      return token.span;
    }
    if (take('Σ')) return sum ?? { low: NaN, high: NaN };
    for (const [name, does] of Object.entries(unary)) {
      if (take(name)) {
        const { low, high } = value();
        return { low: does(low), high: does(high) };
      }
    }
    if (take('−')) {
      const { low, high } = value();
      return { low: -high, high: -low };
    }
    if (!take('(')) throw new Error('no value');
    const inside = terms();
    if (!take(')')) throw new Error('no end of brackets');
    return inside;
  };
  const factors = (first = value()): Span => {
    let all = first;
    for (;;) {
      if (take('×')) all = (binary['×'] as typeof add)(all, value());
      else if (take('÷')) all = (binary['÷'] as typeof add)(all, value());
      else if (is('(') || is('tanh') || is('exp') || is('√')) all = (binary['×'] as typeof add)(all, value()); // side by side
      else return all;
    }
  };
  const add = binary['+'] as (a: Span, b: Span) => Span;
  const terms = (first = factors()): Span => {
    let all = first;
    for (;;) {
      if (take('+')) all = add(all, factors());
      else if (take('−')) all = (binary['−'] as typeof add)(all, factors());
      else return all;
    }
  };
  const goesOn = is('×') || is('÷') || is('+');
  if (goesOn && !before) return null;
  const all = goesOn ? terms(factors(before as Span)) : terms();
  if (at < tokens.length) throw new Error('something is left over');
  return all;
}

export interface Worked {
  /** What each side of “=” comes to. */
  sides: Span[];
  text: string;
}

/**
 * Every piece of arithmetic in a text, worked out.
 * @param before what it goes on from where it has no first operand: “× 2”
 * @param sum what Σ stands for
 */
export function worked(text: string, before: Span | null = null, sum: Span | null = null): Worked[] {
  const all: Worked[] = [];
  for (const run of runs(text)) {
    const sides: Token[][] = [[]];
    for (const token of run) {
      if (token.kind === 'operator' && token.text === '=') sides.push([]);
      else sides.at(-1)?.push(token);
    }
    const spans = sides.flatMap((side) => {
      if (side.length === 0 || side.some((token) => token.kind === 'operator' && token.text === '…')) return [];
      // A number or a bracket by itself, in a sentence, is no work.
      if (sides.length === 1 && !side.some((token) => token.kind === 'operator' && !'()'.includes(token.text))) return [];
      try {
        const span = work(side, before, sum);
        return span ? [span] : [];
      } catch (error) {
        throw new Error(`“${text}” cannot be worked out: ${(error as Error).message}`);
      }
    });
    if (spans.length > 0) all.push({ sides: spans, text });
  }
  return all;
}

/** Rounding of the engine's own float32 steps, beside what the printed digits leave open. */
const OWN = 4e-6;

export function meet(a: Span, b: Span, size = 0): boolean {
  const slack = OWN * Math.max(size, ...[a.low, a.high, b.low, b.high].map(Math.abs).filter(Number.isFinite)) + 1e-37;
  return a.low <= b.high + slack && b.low <= a.high + slack;
}

/** Throws unless all sides of each piece agree, and the last with the printed result. @returns how many were worked out */
export function holdsAs(text: string, result: string | Span | null, what: string, { before = null, sum = null, size = 0 }: { before?: Span | null; sum?: Span | null; size?: number } = {}): number {
  const pieces = worked(text, before, sum);
  const printed = typeof result === 'string' ? spanOf(result) : result;
  for (const { sides } of pieces) {
    const all = printed ? [...sides, printed] : sides;
    for (const [i, side] of all.entries()) {
      const last = all.at(-1) as Span;
      assert.ok(i === all.length - 1 || meet(side, last, size), `${what}: “${text}” comes to ${side.low} … ${side.high}, and ${typeof result === 'string' ? result : `${last.low} … ${last.high}`} is printed`);
    }
  }
  return pieces.length;
}
