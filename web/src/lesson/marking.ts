// What a guess is worth, by the numbers of the engine; and the values that a lesson's texts name.
import { msg } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { percent, percentOf } from '../lib/format.ts';
import { type DoorRow, measured } from './door-run.ts';
import { MEASURES, type Step, effectOf } from './lesson.ts';

export interface Marked {
  /** Null where nothing was guessed, or the numbers are not there yet. */
  isRight: boolean | null;
  /** The choice that is right, from 1; null where it is not known yet, or a word is asked for. */
  right: number | null;
  values: Values;
}

/** Rows of weights: before the answer, and after what it changes. */
export interface Measured { before: Float32Array | null; after: Float32Array | null; words: { query: string; top: string } | null }

const strong = (text: string): TemplateResult => html`<b class="accent">${text}</b>`;
const word = (text: string | undefined): TemplateResult => html`<b><bdi lang="">${text ?? ''}</bdi></b>`;

export function doorMarked({ answer }: Step, row: DoorRow | null, guess: number | null): Marked {
  const { accuracy, baseline, cases } = measured();
  const values = { accuracy: percentOf(accuracy), baseline: percentOf(baseline), cases: String(cases) };
  if (!row) return { isRight: null, right: null, values };
  const { words, weights, query, top, second, isComputed } = row;
  const [most, other] = [weights[top] ?? 0, weights[second] ?? 0];
  const wanted = answer && 'word' in answer && answer.word === 'smallest' ? smallest(row) : top;
  return {
    isRight: guess === null ? null : guess === wanted,
    right: null,
    values: {
      ...values, query: html`<bdi lang="">${words[query]?.text ?? ''}</bdi>`, top: html`<bdi lang="">${words[top]?.text ?? ''}</bdi>`,
      second: word(words[second]?.text), guess: word(words[guess ?? query]?.text),
      share: strong(share(most)), other: share(other),
      // Next to nothing is not said.
      rest: other < 0.005 && isComputed ? '' : msg(html`, and ${share(other)} from ${word(words[second]?.text)}`),
    },
  };
}

function smallest({ weights, query }: DoorRow): number {
  const seen = [...weights.keys()].filter((key) => key < query);
  return seen.reduce((least, key) => ((weights[key] ?? 0) < (weights[least] ?? 0) ? key : least), seen[0] ?? 0);
}

export function figureMarked({ answer }: Step, { before, after, words }: Measured, guess: number | null): Marked {
  if (!answer) return { isRight: null, right: null, values: {} };
  const name = 'effect' in answer ? answer.effect : 'largest-share';
  const right = 'choice' in answer ? answer.choice : 'effect' in answer && before && after ? effectOf(name, before, after) : null;
  const said = (row: Float32Array | null) => (row === null ? '…' : name === 'words-seen' ? String(MEASURES[name](row)) : share(MEASURES[name](row)));
  return {
    isRight: guess === null || right === null ? null : guess === right - 1,
    right,
    values: { before: said(before), after: strong(said(after)), query: word(words?.query), top: word(words?.top) },
  };
}

// A lesson's text on the screen: **bold**, *italic* and {names of values}, and nothing else of it is more than text.

type Values = Readonly<Record<string, TemplateResult | string | undefined>>;

const PARTS = /\*\*([^*]+)\*\*|\*([^*]+)\*|\{([a-z]+)\}/g;

export function marked(text: string, values: Values = {}): unknown[] {
  const parts: unknown[] = [];
  let at = 0;
  for (const { 0: whole, 1: bold, 2: italic, 3: name, index } of text.matchAll(PARTS)) {
    parts.push(text.slice(at, index));
    if (bold !== undefined) parts.push(html`<b>${marked(bold, values)}</b>`);
    else if (italic !== undefined) parts.push(html`<em>${marked(italic, values)}</em>`);
    else parts.push(values[name as string] ?? whole);
    at = index + whole.length;
  }
  return [...parts, text.slice(at)];
}

/** The same without its marks, for a title of a window. */
export const plainText = (text: string): string => text.replace(PARTS, (whole, bold: string, italic: string) => bold ?? italic ?? whole);

/** A share of the door’s row, as the stage writes it: what is next to nothing is told from nothing. */
export const share = (weight: number): string => (weight === 0 ? '0' : percent(weight));
