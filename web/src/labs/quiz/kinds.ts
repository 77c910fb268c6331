// What a question is: what it asks of the reader, and how the engine marks the answer.
import { type TemplateResult, html } from 'lit';
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
