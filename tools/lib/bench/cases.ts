// What is measured: texts of a given number of tokens, the settings, and the proof that the numbers are right.
import { type Settings, type StageId } from '../../../web/src/engine/engine.ts';
import { DEFAULTS, firstDifference, nativeStages } from '../../../tests/lib/native.ts';

export interface Case {
  tokens: number;
  settings: Settings;
}

const SIZES: readonly [d_model: number, tokens: readonly number[]][] = [[64, [16, 64, 512]], [512, [16, 64, 256]]];

export const CASES: readonly Case[] = SIZES.flatMap(([d_model, lengths]) =>
  lengths.map((tokens) => ({ tokens, settings: { ...DEFAULTS, d_model, num_heads: 8 } })));

const PROSE = `when the rain had stopped the children ran down to the river and looked for the boat that their
  uncle built last summer but it was gone because someone who did not know them had taken it across to the other
  side where an old woman kept bees and sold honey in small brown jars to anyone who came along the road before
  winter so they sat on the wet stones threw sticks into the fast grey water and told each other what they would
  say to that person if they ever met him which they never did`.split(/\s+/);

/** Running prose, one word a token. */
export function words(count: number): string[] {
  return Array.from({ length: count }, (_, i) => PROSE[i % PROSE.length] ?? '');
}

export const described = ({ tokens, settings }: Case): string => `${tokens} tokens, d_model ${settings.d_model}`;

/** Every other stage feeds these. */
export const CHECKED: readonly StageId[] = ['weights', 'residual'];

/** Throws unless rows of weights sum to 1 and every bit is the native build's. */
export function assertRight(tokens: readonly string[], settings: Settings, stages: ReadonlyMap<StageId, Float32Array>): void {
  const native = nativeStages(tokens, settings);
  for (const id of CHECKED) {
    const numbers = stages.get(id) ?? new Float32Array();
    const at = firstDifference(numbers, native.get(id));
    if (at >= 0) throw new Error(`Not measured, because the numbers are wrong: ${id}[${at}] differs from the native build's.`);
  }
  const weights = stages.get('weights') as Float32Array;
  for (let row = 0; row < weights.length; row += tokens.length) {
    const sum = weights.subarray(row, row + tokens.length).reduce((total, weight) => total + weight, 0);
    if (!(Math.abs(sum - 1) < 1e-5)) throw new Error(`Not measured, because the numbers are wrong: a row of weights sums to ${sum}.`);
  }
}
