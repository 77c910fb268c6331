// Nested lists of numbers as one array. What is not as regular as an array is said with its place.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../../engine/error.ts';
import { clipped } from '../../lib/format.ts';
import type { CheckShape } from '../numpy-file.ts';

/** Deeper lists are no weights. */
const MOST_DEEP = 6;

const shown = (each: unknown) => (Array.isArray(each) ? '[…]' : typeof each === 'object' && each !== null ? '{…}' : clipped(JSON.stringify(each) ?? ''));
const refuse = (sentence: string) => new AttentionError('bad_file', sentence);

/** Places are counted from 1, outermost first; null is NaN. @throws AttentionError with a sentence */
export function nested(list: unknown, check: CheckShape): { shape: readonly number[]; values: Float32Array } {
  const shape: number[] = [];
  for (let each = list; Array.isArray(each) && shape.length < MOST_DEEP; [each] = each) shape.push(each.length);
  check(shape, shape.reduce((product, extent) => product * extent, 1));
  if (shape.length === 0) throw refuse(msg('The weights are no list. Write them as nested lists of numbers.'));
  const values = new Float32Array(shape.reduce((product, extent) => product * extent, 1));
  let at = 0;
  const place: number[] = [];
  const where = () => place.map((index) => index + 1).join(', ');
  const read = (each: unknown, depth: number): void => {
    if (depth === shape.length) {
      if (typeof each !== 'number' && each !== null) throw refuse(msg(str`At [${where()}] of the weights stands ${shown(each)}, where a number belongs. Write numbers alone.`));
      values[at++] = each ?? NaN;
      return;
    }
    if (!Array.isArray(each)) throw refuse(msg(str`At [${where()}] of the weights stands ${shown(each)}, where a list of ${shape[depth] as number} belongs. All lists must be as deep as the first.`));
    if (each.length !== shape[depth]) throw refuse(msg(str`The list at [${where()}] of the weights has ${each.length} entries, and the first has ${shape[depth] as number}. All must have as many.`));
    for (let i = 0; i < each.length; i += 1) {
      place[depth] = i;
      read(each[i], depth + 1);
    }
    place.length = depth;
  };
  read(list, 0);
  return { shape, values };
}
