// Matrices of the reader's own: how large each must be, and how what was pasted is laid out for the engine.
import { msg } from '@lit/localize';
import type { GivenId, Settings } from './engine.ts';
import type { Matrix } from './matrix-text.ts';

export type Given = Partial<Record<GivenId, Float32Array>>;

/** T and S: words that look, and words that are looked at. */
export interface Sizes { settings: Readonly<Settings>; T: number; S: number }

/** What may be pasted, in the order of the list. */
export const PASTABLE: readonly GivenId[] = ['W_Q', 'W_K', 'W_V', 'W_O', 'query', 'key', 'value', 'content', 'key_content', 'b_Q', 'b_K', 'b_V', 'b_O'];

const NAMES: Partial<Record<GivenId, () => string>> = {
  query: () => 'Q', key: () => 'K', value: () => 'V', content: () => msg('embeddings'), key_content: () => msg('second sentence’s embeddings'),
};
export const nameOf = (id: GivenId): string => NAMES[id]?.() ?? id;

function widths({ settings, T, S }: Sizes) {
  const { d_model: D, num_heads: H } = settings;
  return { D, H, G: settings.num_kv_heads || H, k: settings.d_k || D / H, v: settings.d_v || D / H, T, S };
}

/** As the engine wants it: outermost first. */
export function extentsOf(id: GivenId, sizes: Sizes): readonly number[] {
  const { D, H, G, k, v, T, S } = widths(sizes);
  switch (id) {
    case 'content': return [T, D];
    case 'key_content': return [S, D];
    case 'query': return [H, T, k];
    case 'key': return [G, S, k];
    case 'value': return [G, S, v];
    case 'W_Q': return [D, H * k];
    case 'W_K': return [D, G * k];
    case 'W_V': return [D, G * v];
    case 'W_O': return [H * v, D];
    case 'b_Q': return [H * k];
    case 'b_K': return [G * k];
    case 'b_V': return [G * v];
    case 'b_O': return [D];
    case 'P': return [Math.max(T, S), D];
    default: return [];
  }
}

/** Whether these settings have such a matrix of its own. */
export function isSettable(id: GivenId, settings: Readonly<Settings>, cross: boolean): boolean {
  switch (id) {
    case 'key_content': return cross;
    case 'W_K': return settings.tie === 'none';
    case 'W_V': return settings.tie !== 'qkv' && settings.value_rank === 0;
    case 'W_O': return settings.out_proj;
    case 'b_Q': return settings.biases;
    case 'b_K': return settings.biases && settings.tie === 'none';
    case 'b_V': return settings.biases && settings.tie !== 'qkv';
    case 'b_O': return settings.biases && settings.out_proj;
    default: return true;
  }
}

/** What of the given fits these sizes, and what does not and waits. */
export function fitting(given: Given, sizes: Sizes, cross: boolean): { fits: Given; waits: GivenId[] } {
  const entries = Object.entries(given) as [GivenId, Float32Array][];
  const fits = entries.filter(([id, numbers]) => isSettable(id, sizes.settings, cross)
    && numbers.length === extentsOf(id, sizes).reduce((product, extent) => product * extent, 1));
  return { fits: Object.fromEntries(fits), waits: entries.filter((entry) => !fits.includes(entry)).map(([id]) => id) };
}

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
