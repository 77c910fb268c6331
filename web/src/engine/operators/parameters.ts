// Parameters of layers, as the module's setters take them.
import { choice, fields, number } from './given.ts';
import { type Tensor, floats } from './tensors.ts';

export interface MultiHeadParameters {
  heads: number;
  /** Grouped heads, where fewer than `heads`. */
  keyHeads?: number | null;
  query: Linear;
  key: Linear;
  value: Linear;
  /** Of a value matrix of low rank: W_V = valueDown · value. */
  valueDown?: Linear | null;
  /** Left out, the heads' contexts side by side are the result. */
  outProj?: Linear | null;
  /** Turn queries and keys: see rotaryTables(). */
  rotary?: RotaryTables | null;
}

/** x·W + b. Some of a packed matrix's outputs are a part of it: query, key and value are parts 0, 1 and 2 of 3. */
export interface Linear {
  /** (in, parts · out), or (parts · out, in) with layout 'out_in'. */
  weight: Tensor;
  /** (parts · out) */
  bias?: Tensor | null;
  /** 'in_out' is x·W, this library's own; 'out_in' is x·Wᵀ, torch.nn.Linear's. */
  layout?: 'in_out' | 'out_in' | null;
  part?: number | null;
  parts?: number | null;
}

/** cos and sin of position · base^(−2i / rotary_dim), each (positions, rotary_dim / 2). */
export interface RotaryTables {
  cosines: Tensor;
  sines: Tensor;
  /** Which numbers make a pair: i and i + rotary_dim / 2 ('halved', the default), or 2i and 2i + 1. */
  pairs?: 'halved' | 'interleaved' | null;
}

/** Slower turns for longer texts: see fill_rotary() in positions.h. */
export interface RotaryScaling {
  /** Divides the rates; 1 = off. */
  factor?: number;
  /** Of Llama 3.1: tokens in which a rate's turns are counted; 0 = all rates are divided. */
  originalContext?: number;
  lowTurns?: number;
  highTurns?: number;
}

export function linearArguments(linear: Linear, name = 'A linear layer') {
  const { weight, bias, layout, part, parts } = fields(linear, name);
  return [floats(weight, 'weight'), floats(bias ?? null, 'bias'), choice(layout, 'layout', ['in_out', 'out_in']) === 'out_in', number(part, 'part', 0), number(parts, 'parts', 1)] as const;
}

export function rotaryArguments(tables: RotaryTables) {
  const { cosines, sines, pairs } = fields(tables, 'Rotary tables');
  return [floats(cosines, 'cosines'), floats(sines, 'sines'), choice(pairs, 'pairs', ['halved', 'interleaved']) === 'interleaved'] as const;
}
