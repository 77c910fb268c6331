// The shares from which a next token is drawn, by sorting, in double.
import type { SampleRule } from '../../web/src/engine/operators/operators.ts';

/** Of the kept tokens, which add up to 1; 0 for the others. */
export function sharesBySorting(logits: ArrayLike<number>, { temperature = 1, topK = 0, topP = 1 }: SampleRule): number[] {
  const all = Array.from(logits);
  const order = all.map((_, id) => id).sort((a, b) => (all[b] as number) - (all[a] as number) || a - b);
  const most = all[order[0] as number] as number;
  if (temperature === 0) return all.map((_, id) => Number(id === order[0]));
  const sizes = all.map((logit) => Math.exp((logit - most) / (temperature ?? 1)));
  const first = topK ? order.slice(0, topK) : order;
  const wanted = (topP ?? 1) * first.reduce((sum, id) => sum + (sizes[id] as number), 0);
  const kept = new Set<number>();
  let sum = 0;
  for (const id of first) {
    if (topP !== 1 && sum >= wanted) break;
    kept.add(id);
    sum += sizes[id] as number;
  }
  return sizes.map((size, id) => (kept.has(id) ? size / sum : 0));
}

/** Philox4x32-10 (Salmon et al. 2011), its first word, at counter {place, 0, 0, 0}. */
function philox(place: number, seed: number): number {
  let [counter, key] = [[BigInt(place), 0n, 0n, 0n], [BigInt(seed), SAMPLE]];
  for (let round = 0; round < 10; round += 1) {
    const [a = 0n, b = 0n, c = 0n, d = 0n] = counter;
    const [k = 0n, l = 0n] = key;
    const [first, second] = [a * 0xd2511f53n, c * 0xcd9e8d57n];
    counter = [(second >> 32n) ^ b ^ k, second & WORD, (first >> 32n) ^ d ^ l, first & WORD];
    key = [(k + 0x9e3779b9n) & WORD, (l + 0xbb67ae85n) & WORD];
  }
  return Number(counter[0]);
}

const WORD = 0xffffffffn;
/** The place of `sample` in the core's list of what numbers are drawn for. */
const SAMPLE = 13n;

/** The token that the number of `seed` at `place` falls on. */
export function drawn(shares: readonly number[], seed: number, place: number): number {
  const at = (philox(place, seed) >>> 8) / 2 ** 24;
  let sum = 0;
  return shares.findIndex((share) => share > 0 && (sum += share) > at);
}
