// Pasted matrices: their names, their layout for the engine, and the settings under which they would fit.
import { msg, str } from '@lit/localize';
import type { GivenId, Settings } from '../engine/engine.ts';
import { type Sizes, extentsOf } from './given.ts';
import { MAX_NUMBERS, type Matrix } from './matrix-text.ts';
import { readNumpy } from './numpy-file.ts';

export { isNpy } from './numpy-file.ts';

const NAMES: Partial<Record<GivenId, () => string>> = {
  query: () => 'Q', key: () => 'K', value: () => 'V', content: () => msg('embeddings'), key_content: () => msg('second sentence’s embeddings'),
};
export const nameOf = (id: GivenId): string => NAMES[id]?.() ?? id;

const same = (a: readonly number[], b: readonly number[]) => a.length === b.length && a.every((extent, i) => extent === b[i]);

/** The numbers in the engine's order, or null when they are not of this shape. Heads may also stand side by side. */
export function arrange(id: GivenId, { extents, values }: Matrix, sizes: Sizes): Float32Array | null {
  const wanted = extentsOf(id, sizes);
  if (same(extents, wanted)) return values;
  if (wanted.length === 1 && extents.length === 2 && Math.min(...extents) === 1 && values.length === wanted[0]) return values;
  const [heads = 1, rows = 0, width = 0] = wanted;
  if (wanted.length !== 3) return null;
  if (same(extents, [heads * rows, width])) return values;
  return same(extents, [rows, heads * width]) ? split(values, heads, rows, width) : null;
}

/** [rows, heads·width] to [heads, rows, width]. */
function split(values: Float32Array, heads: number, rows: number, width: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let h = 0; h < heads; h += 1) {
    for (let row = 0; row < rows; row += 1) {
      const from = (row * heads + h) * width;
      out.set(values.subarray(from, from + width), (h * rows + row) * width);
    }
  }
  return out;
}

/** Settings under which a matrix [rows, columns] would fit; null where words, not settings, decide. */
export function settingsFor(id: GivenId, { extents }: Matrix, settings: Readonly<Settings>): Partial<Settings> | null {
  const [rows = 0, columns = 0] = extents;
  if (extents.length !== 2) return null;
  const heads = (width: number) => (width % settings.num_heads === 0 && settings.num_heads <= rows ? settings.num_heads : 1);
  switch (id) {
    case 'W_Q': case 'W_K': case 'W_V': return sized(rows, columns, heads(columns), settings);
    case 'W_O': return sized(columns, rows, heads(rows), settings);
    case 'content': case 'key_content': return sized(columns, columns, columns % settings.num_heads === 0 ? settings.num_heads : 1, settings);
    default: return null;
  }
}

function sized(d_model: number, width: number, num_heads: number, settings: Readonly<Settings>): Partial<Settings> {
  const each = width / num_heads;
  const own = width === d_model ? 0 : each;
  return { d_model, num_heads, num_kv_heads: 0, d_k: own, d_v: own, value_rank: 0, tie: settings.tie };
}

/** Of a NumPy file that holds one matrix. @throws Error with a sentence */
export function readNpy(bytes: Uint8Array): Matrix {
  const { shape, values, texts } = readNumpy(bytes, (extents, numbers) => {
    if (extents.length < 1 || extents.length > 3 || numbers === 0) throw new Error(msg(str`This .npy file has the shape (${extents.join(', ')}); one, two or three extents that are not 0 are read. Save one matrix.`));
    if (numbers > MAX_NUMBERS) throw new Error(msg(str`This .npy file holds ${numbers.toLocaleString('en')} numbers, and no matrix has more than ${MAX_NUMBERS.toLocaleString('en')}. Save one matrix.`));
  });
  if (texts) throw new Error(msg('This .npy file holds texts, where numbers are needed. Save one matrix.'));
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw new Error(msg(str`Number ${bad + 1} of this .npy file is ${String(values[bad])}. Every number must be finite, and fit into 32 bits.`));
  return { extents: shape, values };
}
