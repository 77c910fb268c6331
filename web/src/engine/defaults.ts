import type { Settings } from './engine.ts';
import { MASK_DEFAULTS } from './masks.ts';

export const DEFAULTS: Readonly<Settings> = {
  d_model: 64,
  num_heads: 4,
  mask: 'causal',
  scale: 'sqrt-dk',
  scale_factor: 1,
  positions: 'sinusoidal',
  biases: false,
  seed: 1,
  tie: 'none',
  ...MASK_DEFAULTS,
  temperature: 1,
  softcap: 0,
  num_kv_heads: 0,
  d_k: 0,
  d_v: 0,
  value_rank: 0,
  dropout: 0,
  dropout_seed: 1,
  out_proj: true,
  residual: true,
};
