// The door: the sentence in large letters. Words before the one that looks back are buttons; after a guess, arcs and shares.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { type Theme, step, weightRamp } from '../lib/colour.ts';
import { LEAST_ARC, plural } from '../lib/format.ts';
import { language } from '../lib/language.ts';
import { type Box, Space } from '../lib/space.ts';
import type { DoorRow } from './door-run.ts';
import { share } from './marking.ts';

export interface DoorData {
  row: DoorRow;
  shown: boolean;
  /** The word that was guessed. */
  guess: number | null;
  theme: Theme;
  arcs: readonly Arc[];
  isWrapped: boolean;
  isStacked: boolean;
}

/** Keys with an arc, the smallest first, so that the largest lies on top. */
export const arched = ({ weights, query }: DoorRow): number[] => (
  [...weights.keys()].filter((key) => key !== query && (weights[key] ?? 0) >= LEAST_ARC).toSorted((a, b) => (weights[a] ?? 0) - (weights[b] ?? 0)));

export function door(data: DoorData, pick: (word: number) => void): TemplateResult {
  const { row, shown, isWrapped, isStacked } = data;
  const { text, words } = row;
  const last = words.length - 1;
  const written = (from: number, to: number) => words.slice(from, to + 1).map((word, i) => html`${i === 0 && from > 0 ? nothing : text.slice(words[from + i - 1]?.end ?? 0, word.start)}${wordOf(data, from + i, pick)}`);
  return html`
    <div class="door" ?data-shown=${shown} ?data-wrapped=${isWrapped} ?data-stacked=${isStacked} lang="" dir="auto">
      ${arcsOf(data)}
      <div class="sentence">${written(0, row.query)}${row.query < last ? html`${text.slice(words[row.query]?.end, words[row.query + 1]?.start)}<span class="later-words">${written(row.query + 1, last)}<span class="hidden-note" ?data-one=${last === row.query + 1} lang=${language()}>${plural(last - row.query, msg('comes later, so hidden'), msg('come later, so hidden'))}</span></span>` : nothing}</div>
    </div>
  `;
}

function wordOf({ row, shown, guess, theme }: DoorData, i: number, pick: (word: number) => void): TemplateResult {
  const { words, weights, query, top } = row;
  const own = words[i]?.text ?? '';
  if (i > query) return html`<span class="word later"><span class="own">${own}</span><span class="bar hatched"></span></span>`;
  const weight = weights[i] ?? 0;
  const colour = shown && weight >= LEAST_ARC ? weightRamp(theme).fill(step(weight)) : '';
  const under = html`
    <span class=${colour ? 'bar filled' : 'bar'} .style=${colour ? `background: ${colour}` : ''}></span>
    <span class=${i === top ? 'share most' : weight >= LEAST_ARC ? 'share some' : 'share'} ?hidden=${!shown}>${share(weight)}</span>
    ${guess === i ? html`<span class="guess">${msg('your guess')}</span>` : nothing}`;
  if (i === query) {
    return html`<span class="word query">${shown ? nothing : html`<span class="looks-back">${msg('this word looks back')}</span>`}<span class="own">${own}</span>${under}</span>`;
  }
  return shown
    ? html`<span class="word" data-word=${i}><span class="own">${own}</span>${under}</span>`
    : html`<button type="button" class="word" data-word=${i} @click=${() => pick(i)} aria-label=${msg(str`Guess “${own}”`)}><span class="own">${own}</span>${under}</button>`;
}

/** Each in a box that uncovers it from its word on: two moves against each other, which the browser makes without painting. */
function arcsOf({ row, shown, arcs }: DoorData): TemplateResult {
  return html`<div class="door-arcs" aria-hidden="true">${shown ? arched(row).map((key, i) => {
    const arc = arcs[i];
    if (!arc) return nothing;
    const kind = key === row.top ? 'arc most' : 'arc';
    const { left, top, right, bottom } = arc.box;
    const [width, height] = [right - left, bottom - top];
    return html`<div class="arc-way" .style=${`left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px; --x: ${arc.way[0]}%; --y: ${arc.way[1]}%`}><svg viewBox=${`${left} ${top} ${width} ${height}`}><path class=${kind} d=${arc.path} stroke-width=${arc.width}></path><path class=${`${kind} tip`} d=${arrow(arc)}></path></svg></div>`;
  }) : nothing}</div>`;
}

/** As large as fits on one line, at most; null where that would be too small to read. */
const LARGEST = 54;
const SMALLEST = 25;

export interface Laid {
  arcs: Arc[];
  isWrapped: boolean;
  /** Whether shares stand over their arrow's head: where beside it one would stand under another word than its own. */
  isStacked: boolean;
}

/** Measures the sentence and lays its arcs out. */
export function layOut(root: HTMLElement, row: DoorRow): Laid {
  const [place, sentence] = [root.querySelector<HTMLElement>('.door'), root.querySelector<HTMLElement>('.sentence')];
  if (!place || !sentence) return { arcs: [], isWrapped: false, isStacked: false };
  sentence.style.fontSize = `${LARGEST}px`;
  place.toggleAttribute('data-wrapped', false);
  place.toggleAttribute('data-stacked', false);
  const room = place.clientWidth;
  // Without the label over the last word, which is moved aside below.
  const fitted = Math.floor(LARGEST * Math.min(1, room / Math.max(sentence.offsetWidth, 1)) * 4) / 4;
  const isWrapped = fitted < SMALLEST;
  place.toggleAttribute('data-wrapped', isWrapped);
  sentence.style.fontSize = isWrapped ? '' : `${fitted}px`;
  const space = new Space(place);
  const label = place.querySelector<HTMLElement>('.looks-back');
  if (label) {
    // On the screen beside its word, however near that stands to the edge.
    label.style.setProperty('--aside', '0px');
    const { left, right } = space.box(label);
    label.style.setProperty('--aside', `${Math.max(-left, Math.min(0, room - right))}px`);
  }
  const words = [...sentence.querySelectorAll<HTMLElement>('.word')];
  const keys = arched(row);
  const isStacked = isWrapped && keys.some((key) => {
    const { left, right } = space.box(words[key] as HTMLElement);
    return right - left < (key === row.top ? 60 : 44);
  });
  place.toggleAttribute('data-stacked', isStacked);
  const own = words.map((word): Box => ({
    ...space.box(word.querySelector('.own') as HTMLElement), bottom: space.box(word.querySelector('.bar') as HTMLElement).bottom,
  }));
  const from = own[row.query] as Box;
  const widest = Math.max(...keys.map((key) => between(from, own[key] as Box)), 0);
  const arcs = keys.map((key) => {
    const [to, weight] = [own[key] as Box, row.weights[key] ?? 0];
    return isWrapped ? betweenLines(from, to, weight, room, isStacked) : overLine(from, to, weight, widest);
  });
  return { arcs, isWrapped, isStacked };
}

// Where the arcs of the door run: over the sentence on one line; between the lines and round the margin where it takes several.

export interface Arc {
  path: string;
  /** The tip of its arrow, and where it points: down on one line, up between lines. */
  tip: { x: number; y: number; up: boolean };
  width: number;
  /** What it lies in. */
  box: Box;
  /** Where that comes from, in percent of its size: from the side of the word that looks. */
  way: readonly [x: number, y: number];
}

const middle = ({ left, right }: Box): number => (left + right) / 2;
const round = (value: number): number => Math.round(value * 10) / 10;
const path = (parts: readonly (string | number)[]): string => parts.map((part) => (typeof part === 'number' ? round(part) : part)).join(' ');

export const widthOf = (weight: number): number => 2 + 10 * weight;
/** How long an arrow's head is. */
export const headOf = (width: number): number => 6 + width;

/** Over one line: the widest is as high as the room above allows, and the others by how wide they are. */
function overLine(from: Box, to: Box, weight: number, widest: number): Arc {
  const [x, end, width] = [middle(from), middle(to), widthOf(weight)];
  const foot = from.top + 2;
  const room = Math.max(18, Math.min(from.top - 8, 44 + widest * 0.16));
  const rise = room * (0.42 + (0.58 * Math.abs(end - x)) / Math.max(widest, 1)) * (4 / 3);
  const tip = to.top + 4;
  const stop = tip - headOf(width) + 2;
  return {
    path: path(['M', x, foot, 'C', x, foot - rise, end, foot - rise, end, stop]), tip: { x: end, y: tip, up: false }, width,
    box: around({ left: Math.min(x, end), top: foot - rise * 0.75, right: Math.max(x, end), bottom: Math.max(foot, tip) }, width), way: aside(x, end),
  };
}

/** With its line's width and its arrow's head. */
function around({ left, top, right, bottom }: Box, width: number): Box {
  const more = headOf(width) * 0.62 + 1;
  return { left: Math.floor(left - more), top: Math.floor(top - more), right: Math.ceil(right + more), bottom: Math.ceil(bottom + more) };
}

const aside = (from: number, to: number): Arc['way'] => [to < from ? 100 : -100, 0];

/** How far a word is from another. */
const between = (a: Box, b: Box): number => Math.abs(middle(a) - middle(b));

/** As round as a gap between lines allows. */
const CORNER = 12;

/** From a word's end to where its arrow points. */
const endOf = ({ left, right }: Box): number => Math.min(18, (right - left) / 4);
/** How high a share is that stands over its arrow. */
const STACKED = 23;

/**
 * Where the sentence takes several lines: to a word of the same line, under it; to the line above, through the gap between
 * them; further up, round the right margin. All point up, beside what is written under the word, or at it.
 */
function betweenLines(from: Box, to: Box, weight: number, right: number, isStacked: boolean): Arc {
  const width = 1.5 + 7 * weight;
  const x = middle(from) + 3;
  const end = isStacked ? middle(to) : to.right - endOf(to);
  const tip = to.bottom + 1 + (isStacked ? STACKED : 0);
  const stop = tip + headOf(width) - 2;
  const isSame = Math.abs(from.top - to.top) < 4;
  const low = isSame ? stop + 8 : from.top - 4;
  const first = isSame ? from.bottom + 2 : from.top + 6;
  const start = ['M', x, first, 'Q', x, low];
  const isNext = from.top - to.bottom < 60;
  const [high, edge] = [stop + CORNER, right - width / 2];
  const corner = Math.min(CORNER, Math.abs(end - x) / 2);
  const by = end < x ? -corner : corner;
  return {
    path: path(isNext
      ? [...start, x + by, low, 'L', end - by, low, 'Q', end, low, end, stop]
      : [
        ...start, x + CORNER, low, 'L', edge - CORNER, low, 'Q', edge, low, edge, low - CORNER,
        'L', edge, high + CORNER, 'Q', edge, high, edge - CORNER, high, 'L', end + CORNER, high, 'Q', end, high, end, stop,
      ]),
    tip: { x: end, y: tip, up: true }, width,
    box: around({ left: Math.min(x, end), top: Math.min(tip, first), right: isNext ? Math.max(x, end) : edge, bottom: Math.max(first, low) }, width),
    way: isNext ? aside(x, end) : [0, 100],
  };
}

function arrow({ tip: { x, y, up }, width }: Arc): string {
  const [length, half] = [headOf(width), headOf(width) * 0.62];
  const base = up ? y + length : y - length;
  return path(['M', x, y, 'L', x - half, base, 'L', x + half, base, 'Z']);
}
