// The page's numbers, read back: each text stands for all numbers that round to it.

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
