// The kinds of questions: what they ask, and how the engine marks the answer.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Engine, Request, Settings, Trace } from '../../engine/engine.ts';
import { ownWord } from '../../text/word.ts';

/** Who is asked for the answer. */
export interface Asked {
  engine: Pick<Engine, 'subtract' | 'compare'>;
  run(name: string, tokens: readonly string[], settings: Settings, more?: Omit<Request, 'tokens'>): Trace;
}

/** What the seed has drawn for one question. */
export interface Draw {
  words: readonly string[];
  row: number;
  head: number;
  /** A whole number below `below`: the same for the same question. */
  pick(salt: number, below: number): number;
}

/** A matrix that belongs to a question; a press on it may be the answer. */
export interface Shown {
  title: string;
  rows: readonly string[];
  columns: readonly string[];
  kind: 'weights' | 'signed';
  value(row: number, column: number): number | null;
  picks?: 'row' | 'column';
  /** What the answer is about. */
  lit?: { row?: number; column?: number };
  /** Queries and keys, where nothing is said. */
  axes?: { down: string; across: string };
  /** A number as it stands in its cell. */
  words?(value: number): string;
}

export interface Marking {
  isRight(answer: string): boolean;
  /** The right answer, where a number is asked for. */
  number?: string;
  why: unknown;
}

export interface Kind {
  name: string;
  /** Words that it needs. */
  least: number;
  ask(draw: Draw): unknown;
  /** Answers to choose from; left out, a number is asked for. */
  options?(draw: Draw): readonly string[];
  label?(option: string, draw: Draw): unknown;
  /** @throws AttentionError */
  mark(draw: Draw, asked: Asked): Marking;
  /** Before the answer. */
  shown?(draw: Draw, asked: Asked): Shown;
  /** With it: the figure that answers. */
  reveal(draw: Draw, asked: Asked): Shown;
}

/** Two weights this near are taken for equal, and both answers for right. */
export const NEAR = 1e-5;

export const named = ({ words }: Draw, at: number): TemplateResult => html`<b>${ownWord(words[at])}</b> <span class="muted">(${at + 1})</span>`;

/** Any word of the sentence, by its place. */
export const anyWord = ({ words }: Draw): string[] => words.map((_, i) => String(i));
export const wordLabel = (option: string, { words }: Draw): unknown => html`<span class="muted">${Number(option) + 1}</span> <bdi lang="">${words[Number(option)]}</bdi>`;

/** One query's part of a stage [H, T, S]. */
export function rowOf(trace: Trace, stage: 'scaled_scores' | 'masked_scores' | 'weights', { head, row }: Pick<Draw, 'head' | 'row'>): Float32Array {
  const { S } = trace.shape;
  return trace.head(stage, head).slice(row * S, (row + 1) * S);
}

/** How many keys a row may look at. */
export const openIn = (masked: Float32Array): number => masked.reduce((open, score) => open + (score === -Infinity ? 0 : 1), 0);

export const largestOf = (numbers: Float32Array): number => numbers.reduce((most, x) => Math.max(most, x), -Infinity);

/** ‖b − a‖. */
export function distance({ engine }: Asked, a: Float32Array, b: Float32Array): number {
  const difference = engine.subtract(b, a);
  return engine.compare(difference, difference).norm_a;
}

export const isNumber = (value: number, within = 0) => (answer: string): boolean => Math.abs(Number(answer) - value) <= within;

// The figure that answers a question, of the engine's numbers: whole matrices, or a few rows under each other.

const run = 'reveal';

/** All weights of one head; masked cells are hatched. */
export function whole(trace: Trace, head: number, lit: Shown['lit'] = {}): Shown {
  const { S } = trace.shape;
  const [weights, masked] = [trace.head('weights', head).slice(), trace.head('masked_scores', head).slice()];
  return {
    title: msg(str`Weights of head ${head + 1}`), rows: trace.tokens, columns: trace.keyTokens, kind: 'weights', lit,
    value: (row, key) => (masked[row * S + key] === -Infinity ? null : (weights[row * S + key] ?? NaN)),
  };
}

/** One row's weights under each setting; null where masked. */
export interface Line { name: string; weights: readonly (number | null)[] }

export function line(name: string, trace: Trace, at: Pick<Draw, 'head' | 'row'>): Line {
  const masked = rowOf(trace, 'masked_scores', at);
  return { name, weights: [...rowOf(trace, 'weights', at)].map((weight, key) => (masked[key] === -Infinity ? null : weight)) };
}

export const lines = (columns: readonly string[], all: readonly Line[], lit: Shown['lit'] = {}): Shown => ({
  title: msg('Weights of this row'), rows: all.map(({ name }) => name), columns, kind: 'weights', lit, value: (row, key) => all[row]?.weights[key] ?? null,
});

/** The drawn row as it is, and under other settings. */
export function beforeAndAfter({ words, head, row }: Draw, { run: ask }: Asked, [before, now]: readonly [string, Settings], [after, then]: readonly [string, Settings]): Shown {
  const first = line(before, ask(run, words, now), { head, row });
  return lines(words, [first, line(after, ask(run, words, then), { head, row })]);
}

/** The drawn row alone. */
export const thisRow = (draw: Draw, { run: ask }: Asked, row = draw.row, lit: Shown['lit'] = {}): Shown =>
  lines(draw.words, [line(draw.words[row] ?? '', ask(run, draw.words, DEFAULTS), { head: draw.head, row })], lit);

/** The first word's query, a line for each head. */
export function queryByHeads({ words }: Draw, { run: ask }: Asked, sizes: Pick<Settings, 'd_model' | 'num_heads'>): Shown {
  const trace = ask(run, words.slice(0, 1), { ...DEFAULTS, ...sizes });
  const { H, d_k } = trace.shape;
  const query = trace.stage('query').slice();
  return {
    title: msg(str`The query of “${words[0] ?? ''}”, head by head`), rows: heads(H), columns: Array.from({ length: d_k }, (_, i) => String(i + 1)), kind: 'signed',
    axes: { down: msg('head'), across: msg('number') }, value: (head, i) => query[head * d_k + i] ?? NaN,
  };
}

const heads = (count: number): string[] => Array.from({ length: count }, (_, head) => msg(str`head ${head + 1}`));

/** W_Q as blocks of d_k × d_k numbers. */
export function blocks({ words }: Draw, { run: ask }: Asked, sizes: Pick<Settings, 'd_model' | 'num_heads'>): Shown {
  const { H, d_k } = ask(run, words.slice(0, 1), { ...DEFAULTS, ...sizes }).shape;
  return {
    title: msg(str`W_Q in blocks of ${d_k} × ${d_k} numbers`), rows: Array.from({ length: H }, (_, i) => `${i * d_k + 1}–${(i + 1) * d_k}`), columns: heads(H), kind: 'signed',
    axes: { down: msg('number of the word'), across: msg('head') }, value: () => d_k ** 2, words: String,
  };
}
