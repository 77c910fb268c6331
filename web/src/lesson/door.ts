// The door: the sentence in large letters. Words before the one that looks back are buttons; after a guess, arcs and shares.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing, svg } from 'lit';
import { type Theme, step, weightRamp } from '../lib/colour.ts';
import { language } from '../lib/language.ts';
import { type Box, Space } from '../lib/space.ts';
import { type Arc, arrow, between, betweenLines, overLine } from './door-arcs.ts';
import type { DoorRow } from './door-run.ts';
import { share } from './shares.ts';

export interface DoorData {
  row: DoorRow;
  shown: boolean;
  /** The word that was guessed. */
  guess: number | null;
  theme: Theme;
  arcs: readonly Arc[];
  isWrapped: boolean;
}

/** Smaller ones draw no arc. */
const LEAST = 0.01;

/** Keys with an arc, the smallest first, so that the largest lies on top. */
export const arched = ({ weights, query }: DoorRow): number[] => (
  [...weights.keys()].filter((key) => key !== query && (weights[key] ?? 0) >= LEAST).toSorted((a, b) => (weights[a] ?? 0) - (weights[b] ?? 0)));

export function door(data: DoorData, pick: (word: number) => void): TemplateResult {
  const { row, shown, isWrapped } = data;
  const { text, words } = row;
  const last = words.length - 1;
  const written = (from: number, to: number) => words.slice(from, to + 1).map((word, i) => html`${i === 0 && from > 0 ? nothing : text.slice(words[from + i - 1]?.end ?? 0, word.start)}${wordOf(data, from + i, pick)}`);
  return html`
    <div class="door" ?data-shown=${shown} ?data-wrapped=${isWrapped} lang="" dir="auto">
      ${arcsOf(data)}
      <div class="sentence">${written(0, row.query)}${row.query < last ? html`${text.slice(words[row.query]?.end, words[row.query + 1]?.start)}<span class="later-words">${written(row.query + 1, last)}<span class="hidden-note" lang=${language()}>${msg('come later, so hidden')}</span></span>` : nothing}</div>
    </div>
  `;
}

function wordOf({ row, shown, guess, theme }: DoorData, i: number, pick: (word: number) => void): TemplateResult {
  const { words, weights, query, top } = row;
  const own = words[i]?.text ?? '';
  if (i > query) return html`<span class="word later"><span class="own">${own}</span><span class="bar hatched"></span></span>`;
  const weight = weights[i] ?? 0;
  const colour = shown && weight >= LEAST ? weightRamp(theme).fill(step(weight)) : '';
  const under = html`
    <span class=${colour ? 'bar filled' : 'bar'} .style=${colour ? `background: ${colour}` : ''}></span>
    <span class=${i === top ? 'share most' : weight >= LEAST ? 'share some' : 'share'} ?hidden=${!shown}>${share(weight)}</span>
    ${guess === i ? html`<span class="guess">${msg('your guess')}</span>` : nothing}`;
  if (i === query) {
    return html`<span class="word query">${shown ? nothing : html`<span class="looks-back">${msg('this word looks back')}</span>`}<span class="own">${own}</span>${under}</span>`;
  }
  return shown
    ? html`<span class="word" data-word=${i}><span class="own">${own}</span>${under}</span>`
    : html`<button type="button" class="word" data-word=${i} @click=${() => pick(i)} aria-label=${msg(str`Guess “${own}”`)}><span class="own">${own}</span>${under}</button>`;
}

function arcsOf({ row, shown, arcs, theme: _ }: DoorData): TemplateResult {
  return html`<svg class="door-arcs" aria-hidden="true">${shown ? arched(row).map((key, i) => {
    const arc = arcs[i];
    const kind = key === row.top ? 'arc most' : 'arc';
    return arc ? svg`<path class=${kind} pathLength="1" d=${arc.path} stroke-width=${arc.width}></path><path class=${`${kind} tip`} d=${arrow(arc)}></path>` : nothing;
  }) : nothing}</svg>`;
}

/** As large as fits on one line, at most; null where that would be too small to read. */
const LARGEST = 54;
const SMALLEST = 25;

/** Measures the sentence and lays its arcs out; true where anything is different from before. */
export function layOut(root: HTMLElement, row: DoorRow, largest = LARGEST): { arcs: Arc[]; isWrapped: boolean } {
  const [place, sentence] = [root.querySelector<HTMLElement>('.door'), root.querySelector<HTMLElement>('.sentence')];
  if (!place || !sentence) return { arcs: [], isWrapped: false };
  sentence.style.fontSize = `${largest}px`;
  place.toggleAttribute('data-wrapped', false);
  const room = place.clientWidth;
  const fitted = Math.floor(largest * Math.min(1, room / Math.max(sentence.scrollWidth, 1)) * 4) / 4;
  const isWrapped = fitted < SMALLEST;
  place.toggleAttribute('data-wrapped', isWrapped);
  sentence.style.fontSize = isWrapped ? '' : `${fitted}px`;
  const space = new Space(place);
  const own = [...sentence.querySelectorAll<HTMLElement>('.word')].map((word): Box => ({
    ...space.box(word.querySelector('.own') as HTMLElement), bottom: space.box(word.querySelector('.bar') as HTMLElement).bottom,
  }));
  const from = own[row.query];
  const widest = from ? Math.max(...arched(row).map((key) => between(from, own[key] as Box)), 0) : 0;
  const arcs = from ? arched(row).map((key) => {
    const [to, weight] = [own[key] as Box, row.weights[key] ?? 0];
    return isWrapped ? betweenLines(from, to, weight, room) : overLine(from, to, weight, widest);
  }) : [];
  return { arcs, isWrapped };
}
