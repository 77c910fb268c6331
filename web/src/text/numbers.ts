// Numbers in sentences, tables and formulas: with as many digits as these need. A figure's own are in `lib/format.ts`.
import { fixed, percent, percentSign, scientific, significant, special, written } from '../lib/format.ts';

/** Like `significant`, without trailing zeros: 0.25, 2, 0.1768. */
export function short(x: number): string {
  const text = significant(x);
  return /^\D?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

/** Three decimals for columns that must line up; leaves fixed notation only where that would lie. */
export function column(x: number): string {
  const word = special(x);
  if (word !== null) return word;
  const size = Math.abs(x);
  if (size >= 1e5) return scientific(x, 1);
  if (size < 0.0005) return scientific(x, 0);
  return fixed(x, size >= 100 ? 1 : 3);
}

/** A weight in the inspector: four decimals, or powers of ten where these would all be 0. */
export function weight(w: number): string {
  if (w === 0) return '0';
  return Math.abs(w) < 0.00005 ? scientific(w, 2) : fixed(w, 4);
}

/** The shortest decimal that reads back as the same float32. */
export function exact(x: number): string {
  const word = special(x);
  if (word !== null) return word;
  for (let digits = 1; digits < 9; digits += 1) {
    const text = x.toPrecision(digits);
    if (Math.fround(Number(text)) === x) return written(text);
  }
  return written(x.toPrecision(9));
}

export function signed(x: number, decimals = 2): string {
  return `(${fixed(x, decimals)})`;
}

/** A chance among thousands of words: "70%", "0.4%", "<0.1%". */
export function chance(share: number): string {
  if (!(share < 0.0995)) return percent(share);
  return share < 0.0005 ? `<0.1${percentSign()}` : `${fixed(100 * share, 1)}${percentSign()}`;
}
