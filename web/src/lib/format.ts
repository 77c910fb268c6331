// Numbers as a figure shows them. Nothing is computed here: a number comes in, its text goes out.
import { msg } from '@lit/localize';
import { language } from './language.ts';

/** The first costs a page as much as its first figure: made when a number asks for it. */
let grouped: Intl.NumberFormat | undefined;
const MINUS = '\u2212';
const NBSP = '\u00a0';
const SUPERSCRIPTS: Record<string, string> = {
  '-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹',
};

export function special(x: number): string | null {
  if (x === Infinity) return '∞';
  if (x === -Infinity) return `${MINUS}∞`;
  if (Number.isNaN(x)) return msg('not a number');
  if (x === 0) return '0';
  return null;
}

/** JavaScript's text of a number, "-3.21e-7", as the page writes it: −3.21×10⁻⁷. */
export function written(text: string): string {
  const [mantissa = '', exponent] = text.split('e');
  const power = exponent && [...String(Number(exponent))].map((c) => SUPERSCRIPTS[c] ?? c).join('');
  return mantissa.replace('-', MINUS) + (power ? `×10${power}` : '');
}

export const scientific = (x: number, digits: number): string => written(x.toExponential(digits));

/** A fixed number of decimals, with a real minus sign; −0.00 is written 0.00. */
export function fixed(x: number, decimals: number): string {
  const word = special(x);
  if (word !== null && x !== 0) return word;
  const text = Math.abs(x).toFixed(decimals);
  return x < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/** About four significant digits: 2.763, 0.4884, 1,234, 3.21×10⁻⁷. */
export function significant(x: number, digits = 4): string {
  const word = special(x);
  if (word !== null) return word;
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) return scientific(x, digits - 1);
  const text = size >= 10 ** (digits - 1) ? count(Math.round(size)) : size.toPrecision(digits);
  return x < 0 ? MINUS + text : text;
}

/** A weight in a cell of the matrix. */
export function cellWeight(w: number): string {
  if (w === 0) return '0';
  return Math.abs(w) < 0.005 ? '<.01' : fixed(w, 2);
}

/** A difference of weights in a cell: always with its sign, so that a small one is not taken for none. */
export function cellDifference(x: number): string {
  if (x === 0 || !Number.isFinite(x)) return fixed(x, 0);
  const size = Math.abs(x);
  return `${x < 0 ? MINUS : '+'}${size < 0.005 ? '<.01' : size.toFixed(2)}`;
}

/** No space before %; Spanish has one. */
export const percentSign = (): string => (language() === 'es' ? `${NBSP}%` : '%');

/** To the nearest hundredth: "70%". */
export const percentOf = (part: number): string => (Number.isFinite(part) ? `${Math.round(part * 100)}${percentSign()}` : fixed(part, 0));

/** The least share that has an arc: what is written as 2% or more. Arcs of less would be hairlines that say nothing. */
export const LEAST_ARC = 0.015;

export function percent(w: number): string {
  return w > 0 && w < 0.005 ? `<1${percentSign()}` : percentOf(w);
}

export function count(n: number): string {
  if (n > -1000 && n < 1000) return String(n);
  grouped ??= new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 });
  return grouped.format(n);
}

const RULES = new Map<string, Intl.PluralRules>();

/** The form for this number in the language in use: whole sentences, since languages differ in more than an “s”. */
export function plural<Words>(n: number, one: Words, many: Words): Words {
  const rules = RULES.get(language()) ?? new Intl.PluralRules(language());
  RULES.set(language(), rules);
  return rules.select(n) === 'one' ? one : many;
}

/** What stands between the parts of a list. */
export const comma = (): string => msg(', ', { desc: 'between the parts of a list' });

/** Between two sentences. */
export const gap = (): string => (/^[ -~]/.test(comma()) ? ' ' : '');

/** “a, b, c”, of words or of templates. */
export function listed<Part>(parts: readonly Part[]): (Part | string)[] {
  const between = comma();
  return parts.flatMap((part, i): (Part | string)[] => (i === 0 ? [part] : [between, part]));
}

/** Quotes foreign text in a sentence: shortened, and with its own text direction. */
export function clipped(text: string): string {
  const letters = [...text.slice(0, 100)];
  const short = letters.length > 40 ? `${letters.slice(0, 40).join('')}…` : text;
  return /^[ -~…]*$/.test(short) ? short : `\u2068${short}\u2069`;
}
