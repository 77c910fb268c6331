// The engine's answers to each example: a run of it that is given these very numbers.
import type { Comparison, Engine, Explanation, Notice, Request, Settings, Trace } from '../../engine.ts';
import { DEFAULTS } from '../../settings.ts';
import { type Arrays, PRINTED } from './examples.ts';

export type Run = (name: string, tokens: readonly string[], settings: Settings, more: Omit<Request, 'tokens'>) => Trace;

/** One head and nothing besides: no positions, no biases, no W_O, no residual. */
const PLAIN: Settings = { ...DEFAULTS, num_heads: 1, mask: 'none', positions: 'none', out_proj: false, residual: false };

const given = (numbers: readonly number[]): Float32Array => Float32Array.from(numbers);
const ones = (count: number): Float32Array => new Float32Array(count).fill(1);

export interface WeightedValue {
  /** Of each number of the context: a weight times a value for each word, and their sum. */
  sums: readonly Explanation[];
  /** Of the weights. */
  total: number;
}

/** context [3] = weights [n] · values [n, 3]: the same arithmetic as X·W_V of one row. */
export function weightedValue(run: Run, engine: Engine, { weights, values }: Pick<Arrays, 'weights' | 'values'>): WeightedValue {
  const width = values.length / weights.length;
  const trace = run('value', ['w'], { ...PLAIN, d_model: weights.length, d_v: width }, { given: { content: given(weights), W_V: given(values) } });
  return {
    sums: Array.from({ length: width }, (_, c) => trace.explain('value', c)),
    total: engine.compare(given(weights), ones(weights.length)).dot,
  };
}

export interface Lookup {
  trace: Trace;
  /** Query against each key. */
  against: readonly Comparison[];
}

const NAMES = ['k1', 'k2', 'k3'];

function lookup(run: Run, engine: Engine, name: string, scale: Settings['scale'], query: readonly number[], keys: readonly number[], values?: readonly number[]): Lookup {
  const d = query.length;
  const trace = run(name, ['q'], { ...PLAIN, d_model: d, d_k: d, d_v: d, scale }, {
    keyTokens: NAMES, given: { query: given(query), key: given(keys), ...(values && { value: given(values) }) },
  });
  return { trace, against: NAMES.map((_, k) => engine.compare(given(query), given(keys.slice(k * d, (k + 1) * d)))) };
}

/** Three keys in a plane, their scores as they are. */
export const plane = (run: Run, engine: Engine, { query2, keys2 }: Arrays): Lookup => lookup(run, engine, 'plane', 'none', query2, keys2);

/** Three keys and values of three numbers each, scaled by 1/√3. */
export const three = (run: Run, engine: Engine, { query3, keys3, values3 }: Arrays): Lookup => lookup(run, engine, 'three', 'sqrt-dk', query3, keys3, values3);

/** What the engine makes of so many numbers in so many heads; null where it has no room for them. */
export interface Split { d_k: number; factor: number }

export function split(run: Run, engine: Engine, d_model: number, num_heads: number): { split: Split | null; rule: Notice | null } {
  if (d_model > engine.schema.limits.max_d_model) return { split: null, rule: null };
  const { settings, notices } = engine.clamp({ ...DEFAULTS, d_model, num_heads });
  if (settings.num_heads !== num_heads) return { split: null, rule: notices[0] ?? null };
  const { shape, factor } = run('split', ['one'], settings, {});
  return { split: { d_k: shape.d_k, factor }, rule: null };
}

export interface Module { trace: Trace; /** How many of the printed numbers are the engine's, to their four decimals. */ same: { weights: number; output: number } }

export function moduleRun(run: Run, { x, wq, wk, wv }: Arrays): Module {
  const trace = run('module', ['1', '2', '3', '4', '5'], { ...PLAIN, d_model: 4, mask: 'causal' }, {
    given: { content: given(x), W_Q: given(wq), W_K: given(wk), W_V: given(wv) },
  });
  const same = (printed: readonly number[], found: Float32Array) => printed.filter((value, i) => value.toFixed(4) === found[i]?.toFixed(4)).length;
  return { trace, same: { weights: same(PRINTED.weights, trace.stage('weights')), output: same(PRINTED.output, trace.stage('context')) } };
}

/** ‖v‖ of a vector that holds the same number everywhere. */
export const lengthOf = (engine: Engine, count: number, entry: number): number => {
  const vector = new Float32Array(count).fill(entry);
  return engine.compare(vector, vector).norm_a;
};

export const sumOf = (engine: Engine, numbers: readonly number[]): number => engine.compare(given(numbers), ones(numbers.length)).dot;
