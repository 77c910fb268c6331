// Settings and their values in a sentence: “mask causal → none”.
import { msg } from '@lit/localize';
import type { Settings } from './engine-types.ts';

const FIELDS: Partial<Record<keyof Settings, () => string>> = {
  num_heads: () => msg('heads'), num_kv_heads: () => msg('key and value heads'), out_proj: () => 'W_O', scale_factor: () => msg('factor'),
  mask: () => msg('mask'), scale: () => msg('scale'), positions: () => msg('positions'), tie: () => msg('tie'), biases: () => msg('biases'),
  seed: () => msg('seed'), window_left: () => msg('window left'), window_right: () => msg('window right'), temperature: () => msg('temperature'),
  softcap: () => msg('softcap'), value_rank: () => msg('value rank'), dropout: () => msg('dropout'), dropout_seed: () => msg('dropout seed'),
  residual: () => msg('residual'),
};

/** What is no word stays: d_model, d_k, d_v. */
export const fieldWords = (field: keyof Settings): string => FIELDS[field]?.() ?? field;

const VALUES: Readonly<Record<string, () => string>> = {
  true: () => msg('on'), false: () => msg('off'), none: () => msg('none'), causal: () => msg('causal'), window: () => msg('window'),
  factor: () => msg('factor'), sinusoidal: () => msg('sinusoidal'), learned: () => msg('learned'),
};

/** Numbers and code words stay: 0.5, sqrt-dk, rope. */
export const valueWords = (value: unknown): string => VALUES[String(value)]?.() ?? String(value);
