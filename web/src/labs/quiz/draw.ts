// Which question comes when: drawn from a seed, so that a link leads to the same one.
import { DEFAULTS } from '../../engine/defaults.ts';
import { cold, direction, dynamic, itself, scale, shuffle } from './claims.ts';
import { allCells, divisor, doubled, headWidth, hidden, queryNumbers } from './counts.ts';
import type { Draw, Kind } from './kinds.ts';
import { exchange, hiddenWeight, largest, mixture, single, sum } from './rows.ts';

export const KINDS: readonly Kind[] = [
  largest, exchange, single, scale, shuffle, sum, hidden, queryNumbers, cold, headWidth,
  hiddenWeight, allCells, doubled, direction, itself, dynamic, divisor, mixture,
];

/** Whole numbers to a whole number below 2³², well mixed. */
function mix(...numbers: readonly number[]): number {
  let h = 0x9e3779b9;
  for (const n of numbers) {
    h = Math.imul(h ^ n, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return h >>> 0;
}

/** Question `q` of a seed, from 1. Each kind comes once before any comes again. */
export function draw(seed: number, q: number, words: readonly string[]): { kind: Kind; draw: Draw } {
  const fit = KINDS.filter(({ least }) => least <= words.length);
  const round = Math.floor((q - 1) / fit.length);
  const order = fit.map((kind, i) => ({ kind, at: mix(seed, round, i) })).sort((a, b) => a.at - b.at);
  const pick = (salt: number, below: number) => mix(seed, q, salt) % Math.max(1, below);
  return {
    kind: order[(q - 1) % fit.length]?.kind ?? largest,
    draw: { words, row: pick(100, words.length), head: pick(101, DEFAULTS.num_heads), pick },
  };
}
