// A share as a reader reads it: closed up in English and Chinese, with a space in Spanish.
import { language } from '../lib/language.ts';

const sign = (): string => (language() === 'es' ? '\u00a0%' : '%');

export function share(weight: number): string {
  if (weight === 0) return '0';
  if (weight < 0.0005) return '≈0';
  return weight < 0.005 ? `<1${sign()}` : percentOf(weight);
}

/** A share that is no weight of the figure: of cases, of answers. */
export const percentOf = (part: number): string => `${Math.round(part * 100)}${sign()}`;
