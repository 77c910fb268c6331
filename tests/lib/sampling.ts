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
    if (sum >= wanted) break;
    kept.add(id);
    sum += sizes[id] as number;
  }
  return sizes.map((size, id) => (kept.has(id) ? size / sum : 0));
}
