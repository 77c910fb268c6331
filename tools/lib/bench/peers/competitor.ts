// What takes part: one file each, all of this shape.
import type { Case } from './cases.ts';

export interface Competitor {
  /** As the tables name it. */
  name: string;
  /** Makes ready for a case; false when it does not take part in it. */
  prepare(each: Case): Promise<boolean>;
  /** From the caller's Float32Arrays to a Float32Array of the result: what each call costs its caller. */
  run(): void | Promise<void>;
  /** The last result: (heads, rows, width), or (rows, d_model) of a layer. */
  output(): Float32Array;
  /** Gives back what prepare() took. */
  free(): void | Promise<void>;
  /** The most memory that its module has held so far, where it can be asked. */
  heapBytes?(): number;
}
