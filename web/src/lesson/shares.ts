// A share of the door’s row: what is next to nothing is told from nothing.
import { percent } from '../lib/format.ts';

export function share(weight: number): string {
  if (weight === 0) return '0';
  if (weight < 0.0005) return '≈0';
  return percent(weight);
}
