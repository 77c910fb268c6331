// Parameters of layers, as the module's setters take them.
import { type Tensor, floats } from './tensors.ts';

export interface MultiHeadParameters {
  heads: number;
  /** Grouped heads, where fewer than `heads`. */
  keyHeads?: number;
  query: Linear;
  key: Linear;
  value: Linear;
  /** Of a value matrix of low rank: W_V = valueDown · value. */
  valueDown?: Linear;
  /** Left out, the heads' contexts side by side are the result. */
  outProj?: Linear;
  /** Turn queries and keys: see rotaryTables(). */
  rotary?: RotaryTables;
}

/** x·W + b. Some of a packed matrix's outputs are a part of it: query, key and value are parts 0, 1 and 2 of 3. */
export interface Linear {
  /** (in, parts · out), or (parts · out, in) with layout 'out_in'. */
  weight: Tensor;
  /** (parts · out) */
  bias?: Tensor;
  /** 'in_out' is x·W, this library's own; 'out_in' is x·Wᵀ, torch.nn.Linear's. */
  layout?: 'in_out' | 'out_in';
  part?: number;
  parts?: number;
}

/** cos and sin of position · base^(−2i / rotary_dim), each (positions, rotary_dim / 2). */
export interface RotaryTables {
  cosines: Tensor;
  sines: Tensor;
  /** Which numbers make a pair: i and i + rotary_dim / 2 ('halved', the default), or 2i and 2i + 1. */
  pairs?: 'halved' | 'interleaved';
}

export function linearArguments({ weight, bias, layout = 'in_out', part = 0, parts = 1 }: Linear) {
  return [floats(weight), bias ? floats(bias) : null, layout === 'out_in', part, parts] as const;
}

export function rotaryArguments({ cosines, sines, pairs = 'halved' }: RotaryTables) {
  return [floats(cosines), floats(sines), pairs === 'interleaved'] as const;
}
