// The double reference, as far as single precision can follow it.
import type { Stages } from './native.ts';
import type { StageId } from '../../web/src/engine/engine.ts';

const SLACK = 2e-3;

export const isNear = (a: number, b: number): boolean => a === b || Math.abs(a - b) <= SLACK * Math.max(1, Math.abs(b));

/** Of each [H, T] row of scores [H, T, S]: whether no other score comes so near the largest that a hard lookup could take it instead. */
function certainRows(scores: Float64Array, keys: number): boolean[] {
  return Array.from({ length: scores.length / keys }, (_, row) => {
    const all = scores.subarray(row * keys, (row + 1) * keys);
    const largest = all.reduce((most, x) => Math.max(most, x), -Infinity);
    return all.every((x) => x === largest || !isNear(x, largest));
  });
}

export interface Compared {
  readonly reference: Stages<Float64Array>;
  readonly temperature: number;
  readonly T: number;
  readonly S: number;
}

/** Index of the first number that is not near its double; -1 when there is none. At temperature 0, what hangs on a lookup that is not certain is left out. */
export function firstFar(id: StageId, numbers: Float32Array, { reference, temperature, T, S }: Compared): number {
  const double = reference.get(id);
  let isCertain = (_at: number) => true;
  if (temperature === 0 && ['weights', 'context', 'output'].includes(id)) {
    const rows = certainRows(reference.get('masked_scores'), S);
    const ofTokens = Array.from({ length: T }, (_, token) => rows.every((certain, row) => certain || row % T !== token));
    const known = id === 'output' ? ofTokens : rows;
    const width = numbers.length / known.length;
    isCertain = (at) => known[Math.floor(at / width)] ?? false;
  }
  return numbers.findIndex((x, at) => isCertain(at) && !isNear(x, double[at] ?? NaN));
}
