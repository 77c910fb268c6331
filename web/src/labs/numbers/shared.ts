// What the worked examples share: their data, and the texts that print them.
import { msg } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import type { Engine } from '../../engine/engine.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import type { Cells, Draft } from '../kit/controls.ts';
import type { Try } from '../kit/frame.ts';
import type { ArrayName, ExampleName, Knobs, Run } from './examples.ts';

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
