import type { TemplateResult } from 'lit';
import type { Trace } from '../../engine/engine.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import type { Try } from '../kit/lab.ts';

/** Figures in the order in which they are read. */
export const SHOWN = ['paths', 'context', 'cost', 'masks', 'next', 'table'] as const;

export type Shown = (typeof SHOWN)[number];

/** What is told in passing, closed at first. */
export const FOLDED: readonly Shown[] = ['next', 'table'];

export interface Knobs {
  /** One figure alone; all of them unless a link or a page's author names one. */
  show: Shown | 'all';
  /** Words, from 1; beyond the last they are the last. */
  from: number;
  to: number;
  kernel: number;
  /** d_model and the window's keys, as powers of 2. */
  d: number;
  window: number;
  layers: number;
  /** Of the table of pairs: words (0 = the reader's), and both widths as powers of 2. */
  n: number;
  width: number;
  delta: number;
  /** Words that the context holds, how often the sentence is repeated, and how many words are read. */
  context: number;
  repeat: number;
  read: number;
  second: string;
}

export interface ReachData {
  knobs: Readonly<Knobs>;
  text: string;
  paint: Paint;
  words: readonly string[];
  /** Whether what is told in passing is seen. */
  isUnfolded: boolean;
  /** Of the engine's layer here: numbers in its four matrices, and in a row. */
  parameters: number;
  width: number;
  direct?: number;
  context?: { all: readonly string[]; first: number; read: number; weights: Float32Array };
  masks?: { encoder: Trace; decoder: Trace; cross: Trace | null };
  next?: { apart: readonly number[]; last: Float32Array };
}

export interface ReachEvents {
  type(text: string): void;
  set(part: Partial<Knobs>): void;
  unfold(isOpen: boolean): void;
}

/** One figure: its own knobs, itself, what is seen in it, and what to try. */
export interface Figure { controls?: unknown; figure: TemplateResult; said: unknown; tries?: readonly Try[] }

/** Words in a list of choices, with their places. */
export const places = (words: readonly string[]): (readonly [string, string])[] => words.map((word, i) => [String(i + 1), `${i + 1}  ${word}`] as const);
