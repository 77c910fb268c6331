// Matrices of the reader's own: how large each must be, and which of them fit.
import type { GivenId, Settings } from '../engine/engine.ts';

export type Given = Partial<Record<GivenId, Float32Array>>;

/** T and S: words that look, and words that are looked at. */
export interface Sizes { settings: Readonly<Settings>; T: number; S: number }

/** What may be pasted, in the order of the list. */
export const PASTABLE: readonly GivenId[] = ['W_Q', 'W_K', 'W_V', 'W_O', 'query', 'key', 'value', 'content', 'key_content', 'b_Q', 'b_K', 'b_V', 'b_O'];

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
