// What a guess is worth, by the numbers of the engine; and the values that a lesson's texts name.
import { type TemplateResult, html } from 'lit';
import { type DoorRow, measured } from './door-run.ts';
import type { Step } from './format.ts';
import type { Values } from './marked.ts';
import { MEASURES, effectOf } from './measures.ts';
import { percentOf } from '../lib/format.ts';
import { share } from './shares.ts';

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
  const { words, weights, query, top, second } = row;
  const wanted = answer && 'word' in answer && answer.word === 'smallest' ? smallest(row) : top;
  return {
    isRight: guess === null ? null : guess === wanted,
    right: null,
    values: {
      ...values, query: html`<bdi lang="">${words[query]?.text ?? ''}</bdi>`, top: html`<bdi lang="">${words[top]?.text ?? ''}</bdi>`,
      second: word(words[second]?.text), guess: word(words[guess ?? query]?.text),
      share: strong(share(weights[top] ?? 0)), other: share(weights[second] ?? 0),
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
