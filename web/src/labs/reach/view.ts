// The lab of reach as it is seen: one figure at a time.
import { msg } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import type { Trace } from '../../engine.ts';
import type { Paint } from '../../views/paint.ts';
import { segments, sentenceField } from '../views/controls.ts';
import { type Try, frame } from '../views/frame.ts';
import { contextFigure } from './context-view.ts';
import { costFigure } from './cost-view.ts';
import { masksFigure } from './masks-view.ts';
import { nextFigure } from './next-view.ts';
import { pathsFigure } from './paths-view.ts';
import { tableFigure } from './table-view.ts';

export const SHOWN = ['paths', 'cost', 'table', 'context', 'masks', 'next'] as const;
export type Shown = (typeof SHOWN)[number];

export interface Knobs {
  show: Shown;
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
}

/** One figure: its own knobs, itself, what is seen in it, and what to try. */
export interface Figure { controls?: unknown; figure: TemplateResult; said: unknown; tries?: readonly Try[] }

const MADE: Record<Shown, (data: ReachData, events: ReachEvents) => Figure> = {
  paths: pathsFigure, cost: costFigure, table: tableFigure, context: contextFigure, masks: masksFigure, next: nextFigure,
};

const NAMES: Record<Shown, () => string> = {
  paths: () => msg('Steps between words'), cost: () => msg('Full, window, linear'), table: () => msg('A matrix for each pair'),
  context: () => msg('The context is full'), masks: () => msg('Three masks'), next: () => msg('Every row predicts'),
};

export function reachView(data: ReachData, events: ReachEvents): TemplateResult {
  const { knobs, text, words } = data;
  const made = words.length > 0 ? MADE[knobs.show](data, events) : null;
  return frame({
    title: msg('Reach: how far a word is heard, and at what price'),
    lesson: html`
      <p>${msg('In one layer of attention every word can hear every other: distance does not count. Nets before it passed words on, step by step.')}</p>
      <p>${msg('The price is a table of n × n cells. All that follows from it is here: what is saved by looking less far, and what is lost.')}</p>
    `,
    controls: html`
      <div class="lab-choices">${segments(msg('Figure'), 'lab-reach-show', SHOWN.map((name) => [name, NAMES[name]()] as const), knobs.show, (show) => events.set({ show }))}</div>
      ${sentenceField(msg('Your sentence'), text, events.type)}
      ${made?.controls}
    `,
    said: made?.said ?? null,
    figure: made?.figure ?? html`<p class="muted">${msg('Type a word.')}</p>`,
    ...(made?.tries && { tries: made.tries }),
  });
}

/** Words in a list of choices, with their places. */
export const places = (words: readonly string[]): (readonly [string, string])[] => words.map((word, i) => [String(i + 1), `${i + 1}  ${word}`] as const);
