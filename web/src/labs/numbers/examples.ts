// Numbers that articles and courses print, and the engine's answers to them: runs that are given these very numbers.
import { msg } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Comparison, Engine, Explanation, Notice, Request, Settings, Trace } from '../../engine/engine.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import { type Field, choice, numbers, whole } from '../../link/lab-settings.ts';
import { type Cells, type Draft } from '../kit/controls.ts';
import type { Try } from '../kit/lab.ts';

export const EXAMPLES = ['value', 'plane', 'three', 'heads', 'module', 'shares'] as const;
export type ExampleName = (typeof EXAMPLES)[number];

/** Row-major. Field n of an example is number n of its array. */
export interface Arrays {
  /** 0.27 · [6.2, 1.4, 7.9] is the fourth row; the chapter gives no others. */
  weights: readonly number[];
  values: readonly number[];
  query2: readonly number[];
  keys2: readonly number[];
  query3: readonly number[];
  keys3: readonly number[];
  values3: readonly number[];
  /** d_model and heads. */
  split: readonly number[];
  x: readonly number[];
  wq: readonly number[];
  wk: readonly number[];
  wv: readonly number[];
  shares: readonly number[];
}

export type ArrayName = keyof Arrays;

export interface Knobs extends Arrays {
  example: ExampleName;
  /** Of the 5 × 4 module, from 1. */
  row: number;
}

export const MOST = 1000;
export const MOST_SPLIT = 16384;

const real = (start: readonly number[]): Field<readonly number[]> => numbers(start, { least: -MOST, most: MOST });

export const FIELDS: { readonly [Name in keyof Knobs]: Field<Knobs[Name]> } = {
  example: choice('value', EXAMPLES),
  row: whole(3, 1, 5),
  weights: real([0.13, 0.22, 0.18, 0.27, 0.2]),
  values: real([0.5, -1.2, 2, 3.1, 0.4, -2.6, -1.5, 2.2, 0.8, 6.2, 1.4, 7.9, 1, -0.6, 4.4]),
  query2: real([1, 2]),
  keys2: real([1, 2, -2, 1, -1, -2]),
  query3: real([1, 2, 3]),
  keys3: real([1, 0, 0, 0, 1, 0, 1, 1, 2]),
  values3: real([4, 0, 0, 0, 4, 0, 1, 2, 3]),
  split: numbers([720, 12], { least: 1, most: MOST_SPLIT, isWhole: true }),
  x: real([
    0.1428, 0.3459, -0.0146, -0.6843, -0.2511, 0.9663, 0.0903, -0.7564, 1.0185, 0.2753, -0.0192, -1.3164,
    -0.1925, 0.5096, 0.366, -0.1127, 0.404, 0.5691, -0.2618, -1.1217,
  ]),
  wq: real([1.1243, 1.1624, -0.4886, 0.5881, -0.736, -0.4921, -0.4561, -0.0393, -0.4706, -0.0467, -0.6015, 0.6584, 0.2485, 0.4998, -0.187, 0.0703]),
  wk: real([0.3, 0.5, 0.4, 0.7, -0.7, -0.9, -0.5, 0.6, 0.7, -0.4, 0.5, 0.2, 0.6, 0.5, 1, -0.8]),
  wv: real([0.5, 0.1, -0.2, -0.7, -0.1, 0.6, -0.2, 0.5, 0.5, -0.4, 0.2, 0, -0.3, 0.3, -1, -0.1]),
  shares: real([0.02, 0.45, 0.05, 0.1, 0.08]),
};

/** Which numbers belong to which example. */
export const ARRAYS_OF: Record<ExampleName, readonly ArrayName[]> = {
  value: ['weights', 'values'], plane: ['query2', 'keys2'], three: ['query3', 'keys3', 'values3'], heads: ['split'],
  module: ['x', 'wq', 'wk', 'wv'], shares: ['shares'],
};

/** What the post on the 5 × 4 module prints: weights and outputs, but neither inputs nor parameters. */
export const PRINTED = {
  weights: [
    1, 0, 0, 0, 0, 0.3017, 0.6983, 0, 0, 0, 0.3125, 0.2572, 0.4303, 0, 0,
    0.219, 0.3706, 0.2354, 0.175, 0, 0.1901, 0.2321, 0.1831, 0.1889, 0.2058,
  ],
  output: [
    0.2348, 0.0224, 0.5836, 0.1414, 0.1057, 0.2104, 0.617, 0.5556, 0.4593, 0.0303, 0.7982, 0.0422,
    0.2862, 0.1033, 0.6313, 0.2689, 0.3003, 0.1009, 0.6536, 0.2153,
  ],
} as const;

// The engine's answers to each example: a run of it that is given these very numbers.

type Run = (name: string, tokens: readonly string[], settings: Settings, more: Omit<Request, 'tokens'>) => Trace;

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

export const sumOf = (engine: Engine, numbers: readonly number[]): number => engine.compare(given(numbers), ones(numbers.length)).dot;

// What the worked examples share: their data, and the texts that print them.

export interface NumbersData {
  knobs: Readonly<Knobs>;
  engine: Engine;
  run: Run;
  paint: Paint;
  draft: Draft<ArrayName> | null;
  /** Whether the shown example has the numbers it starts with. */
  isAsPrinted: boolean;
}

export interface NumbersEvents {
  example(name: ExampleName): void;
  row(index: number): void;
  set(part: Partial<Knobs>): void;
  type(array: ArrayName, index: number, text: string): void;
  leave(): void;
  asPrinted(): void;
}

/** One example: where it is from, its figure, what is seen in it, and what to try. */
export interface Example { from: unknown; figure: TemplateResult; said: unknown; tries?: readonly Try[] }

/** Each by its title, or by its first sentence. */
const TEXTS = {
  chapter: { title: 'What and why is self-attention?', words: (title: TemplateResult) => msg(html`From ${title}, a chapter of an online book on language models:`) },
  notes: { title: 'A learnable, content-aware soft dictionary lookup', words: (title: TemplateResult) => msg(html`From notes on self-attention that begin ${title}:`) },
  post: { title: 'An Explanation of Self-Attention mechanism in Transformer', words: (title: TemplateResult) => msg(html`From the post ${title}:`) },
} as const;

export const from = (text: keyof typeof TEXTS, what: unknown): TemplateResult => html`${TEXTS[text].words(html`<cite lang="en">${TEXTS[text].title}</cite>`)} ${what}`;

/** Numbers of one array as fields. */
export const cellsOf = ({ knobs, draft }: NumbersData, { type, leave }: NumbersEvents, array: ArrayName): Cells<ArrayName> => ({ array, numbers: knobs[array], draft, type, leave });
