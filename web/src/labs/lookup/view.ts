// The soft dictionary: its entries with their weights, what is found, the same at every temperature, and how they stand in a link.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing, svg } from 'lit';
import { live } from 'lit/directives/live.js';
import { fixed, listed, percent } from '../../lib/format.ts';
import { short, weight } from '../../text/numbers.ts';
import { ownWord } from '../../text/word.ts';
import { encodePart } from '../../link/address.ts';
import { decodeText } from '../../link/fields.ts';
import type { Field } from '../../link/lab-settings.ts';
import { list, slider, wordField } from '../kit/controls.ts';
import { frame } from '../kit/lab.ts';
import { lines } from '../kit/lines.ts';
import { caption, numbersTable } from '../kit/plot.ts';

export interface Found {
  temperature: number;
  /** Of each entry: q·k ÷ √d, and its share. */
  scores: Float32Array;
  weights: Float32Array;
  /** Red, green and blue of the mixture. */
  value: Float32Array;
}

export interface LookupData {
  knobs: Readonly<{ entries: readonly Entry[]; query: string; toward: number; way: number; temperature: number }>;
  now: Found;
  /** At each of TEMPERATURES. */
  strip: readonly Found[];
}

export interface LookupEvents {
  set(part: Partial<{ entries: readonly Entry[]; query: string; toward: number; way: number; temperature: number }>): void;
  edit(at: number, part: Partial<Entry>): void;
  add(): void;
  remove(at: number): void;
  readSentence(): void;
}

export const HOTTEST = 100;
/** Where the slider stops: 0, then evenly by factors up to the hottest. */
export const TEMPERATURES: readonly number[] = [0, ...Array.from({ length: 34 }, (_, i) => Number((0.05 * (HOTTEST / 0.05) ** (i / 33)).toPrecision(2)))];
const stopOf = (temperature: number): number => TEMPERATURES.reduce((best, each, i) => (Math.abs(each - temperature) < Math.abs((TEMPERATURES[best] ?? 0) - temperature) ? i : best), 0);

export function lookupView(data: LookupData, events: LookupEvents): TemplateResult {
  const { entries, query, toward, way, temperature } = data.knobs;
  return frame({
    title: msg('Attention is a soft dictionary'),
    lesson: html`
      <p class="lab-claim">${msg('Attention looks a word up, and every value answers by its share.')}</p>
      <p>${msg('An exact dictionary gives the value of the key that is equal, or nothing. Attention asks of each key how alike it is, a dot product, and mixes all values by the answers.')}</p>
      <p>${msg('At temperature 0 all goes to the best key, as in an exact lookup. The higher the temperature, the more alike the shares, up to the mean of all values. In between, a small change of the query changes the answer a little: that is what training needs.')}</p>
    `,
    controls: html`
      ${wordField(msg('Look up'), query, (word) => events.set({ query: word.slice(0, 40) }))}
      ${list(msg('move it towards'), entries.map(({ key }, i) => [String(i + 1), key] as const), String(Math.min(toward, entries.length)), (at) => events.set({ toward: Number(at) }))}
      ${slider(msg('by'), { least: 0, most: 100, value: way, words: percent(way / 100) }, (share) => events.set({ way: share }))}
      ${slider(msg('Temperature, τ'), { least: 0, most: TEMPERATURES.length - 1, value: stopOf(temperature), words: short(temperature) }, (at) => events.set({ temperature: TEMPERATURES[at] ?? 0 }))}
    `,
    figure: html`
      ${table(data, events)}
      <div class="lab-columns">${stripView(data)}${curves(data)}</div>
    `,
    said: saidOf(data),
    tries: [
      { label: msg('Temperature 0'), act: () => events.set({ temperature: 0 }) },
      { label: msg('Very hot'), act: () => events.set({ temperature: HOTTEST }) },
      { label: msg('Half way between two keys'), act: () => events.set({ query: entries[0]?.key ?? '', toward: 2, way: 50, temperature: 0.5 }) },
      { label: msg('The same key twice, at temperature 0'), act: () => events.set({ entries: twice(entries), query: entries[0]?.key ?? '', way: 0, temperature: 0 }) },
      { label: msg('A word that is no key'), act: () => events.set({ query: 'moon', way: 0, temperature: 1 }) },
      { label: msg('Your sentence’s words as keys'), act: events.readSentence },
      { label: msg('The first dictionary'), act: () => events.set({ entries: START, query: 'sky', way: 0, toward: 1, temperature: 1 }) },
    ],
  });
}

/** The second key becomes the first. */
const twice = (entries: readonly Entry[]): Entry[] => entries.map((entry, i) => (i === 1 ? { ...entry, key: entries[0]?.key ?? '' } : entry));

const wordsOf = (numbers: ArrayLike<number>): string => `[${Array.from(numbers, (x) => fixed(x, 1)).join(', ')}]`;
const swatch = (colour: string) => html`<svg class="swatch-box" width="28" height="16" aria-hidden="true"><rect width="28" height="16" fill=${colour}></rect></svg>`;

/** Keys that are the query itself; none while it is between two. */
const exact = ({ entries, query, way }: LookupData['knobs']): Entry[] => (way === 0 ? entries.filter(({ key }) => key.trim().normalize('NFC') === query.trim().normalize('NFC')) : []);

function saidOf({ knobs, now }: LookupData): TemplateResult {
  const { entries, query, temperature } = knobs;
  const equal = exact(knobs);
  const order = [...now.weights.keys()].sort((a, b) => (now.weights[b] ?? 0) - (now.weights[a] ?? 0));
  const shares = listed(order.filter((i) => (now.weights[i] ?? 0) > 0).slice(0, 3).map((i) => msg(html`${percent(now.weights[i] ?? 0)} from <b>${ownWord(entries[i]?.key)}</b>`)));
  const word = html`<b>${ownWord(query)}</b>`;
  const best = entries[order[0] ?? 0];
  const longer = equal.length > 0 && !equal.some(({ key }) => key === best?.key) ? msg(html`The best key, <b><bdi>${best?.key}</bdi></b>, is not the equal one: a longer vector that points nearly the same way has the larger product.`) : '';
  const before = knobs.way > 0 ? msg('No key is equal to a query between two words: an exact dictionary has no answer.')
    : equal.length === 0 ? msg(html`${word} is no key: an exact dictionary has no answer.`)
    : equal.length === 1 ? msg(html`${word} is a key: an exact dictionary gives its value alone.`)
    : msg(html`${word} is a key twice, which an exact dictionary does not allow.`);
  return html`${before} ${msg(html`At τ = ${short(temperature)} attention takes ${shares}, and the value is ${swatch(colourOf(now.value))} ${wordsOf(now.value)}.`)} ${longer}`;
}

function table({ knobs: { entries }, now }: LookupData, { edit, add, remove }: LookupEvents): TemplateResult {
  const most = Math.max(...now.weights);
  return html`
    <div class="lab-scroll">
      <table class="lab-table lookup" data-sets>
        <thead><tr><th scope="col">${msg('Key')}</th><th scope="col" class="value">${msg(html`value<span class="wide-only">: red, green, blue</span>`)}</th><th scope="col">${msg('q·k ÷ √d')}</th><th scope="col" colspan="2">${msg(html`weight<span class="wide-only">, from 0 to 1</span>`)}</th><th scope="col">${msg('weight × value')}</th><th><span class="unseen">${msg('Remove')}</span></th></tr></thead>
        <tbody>${entries.map(({ key, colour }, i) => html`
          <tr ?data-chosen=${now.weights[i] === most}>
            <th scope="row"><input class="field" dir="auto" lang="" spellcheck="false" autocomplete="off" maxlength="40" aria-label=${msg(str`Key ${i + 1}`)} .value=${live(key)} @input=${(event: Event) => edit(i, { key: (event.target as HTMLInputElement).value })}></th>
            <td class="value"><input type="color" aria-label=${msg(str`Value of ${key}`)} .value=${live(colour)} @input=${(event: Event) => edit(i, { colour: (event.target as HTMLInputElement).value })}> <span class="wide-only" data-fact="value">[${numbersOf(colour).join(', ')}]</span></td>
            <td data-fact="score">${fixed(now.scores[i] ?? NaN, 3)}</td>
            <td class="bar-cell"><svg class="cell-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width=${100 * (now.weights[i] ?? 0)} height="10"></rect></svg></td>
            <td data-fact="weight">${weight(now.weights[i] ?? NaN)}</td>
            <td class="muted" data-fact="part">${wordsOf(numbersOf(colour).map((x) => x * (now.weights[i] ?? 0)))}</td>
            <td>${entries.length > 2 ? html`<button type="button" class="plain" aria-label=${msg(str`Remove ${key}`)} @click=${() => remove(i)}>×</button>` : nothing}</td>
          </tr>`)}
        </tbody>
        <tfoot><tr data-found>
          <th scope="row">${entries.length < MOST_ENTRIES ? html`<button type="button" class="plain" @click=${add}>${msg('Add a key')}</button>` : nothing}</th>
          <td></td><td></td><td></td><td>Σ ${fixed(now.weights.reduce((sum, share) => sum + share, 0), 4)}</td>
          <td><b data-fact="found">${wordsOf(now.value)}</b> ${swatch(colourOf(now.value))}</td><td></td>
        </tr></tfoot>
      </table>
    </div>
  `;
}

function stripView({ now, strip, knobs: { temperature } }: LookupData): TemplateResult {
  const at = stopOf(temperature);
  const size = 100 / strip.length;
  const [first, last] = [strip[0], strip.at(-1)];
  return html`
    <figure class="plot">
      ${caption(msg('The value, from temperature 0 to the mean of all'), undefined)}
      <svg class="plot-picture" role="img" width="100%" height="84" aria-label=${msg(str`From ${wordsOf(first?.value ?? [])} at temperature 0 over ${wordsOf(now.value)} at ${short(temperature)} to ${wordsOf(last?.value ?? [])} at ${HOTTEST}.`)}>
        ${strip.map(({ value }, i) => svg`<rect x=${`${i * size}%`} y="8" width=${`${size + 0.2}%`} height="40" fill=${colourOf(value)} data-temperature=${strip[i]?.temperature ?? ''}></rect>`)}
        <rect class="plot-frame" x="0" y="8" width="100%" height="40"></rect>
        <rect class="plot-lit-line" x=${`${at * size}%`} y="4" width=${`${size}%`} height="48"></rect>
        <text x="0" y="68">τ = 0</text>
        <text x=${`${(stopOf(1) + 0.5) * size}%`} y="68" text-anchor="middle">1</text>
        <text x="100%" y="68" text-anchor="end">τ = ${HOTTEST}</text>
      </svg>
      ${numbersTable(msg('The value, from temperature 0 to the mean of all'), {
        columns: [msg('temperature, τ'), msg('red'), msg('green'), msg('blue')],
        rows: strip.map(({ temperature: each, value: colour }) => [short(each), ...[...colour].map((number) => fixed(number, 1))]),
      })}
      <p class="lab-note">${msg('Values must be numbers: half of one address and half of another is no address. Colours are three numbers each, and can be mixed.')}</p>
    </figure>
  `;
}

/** The three keys that come first while it is cold. */
function curves({ strip, now, knobs: { entries, temperature } }: LookupData): TemplateResult {
  const warm = strip.slice(1);
  const order = [...now.scores.keys()].sort((a, b) => (now.scores[b] ?? 0) - (now.scores[a] ?? 0)).slice(0, 3);
  return lines({
    title: msg('The shares of the three best keys'), summary: msg(str`At τ = ${short(temperature)} the best has ${percent(Math.max(...now.weights))}; at ${HOTTEST} all are near ${percent(1 / entries.length)}.`),
    x: { label: msg('temperature, τ'), least: 0.05, most: HOTTEST, log: 10, words: short },
    y: { label: msg('weight'), least: 0, most: 1, words: (value) => fixed(value, 3), tick: short },
    series: [
      ...order.map((i) => ({ label: entries[i]?.key || '?', points: warm.map((each) => ({ x: each.temperature, y: each.weights[i] ?? NaN })) })),
      { label: msg(str`1 ÷ ${entries.length}`), reference: true, points: warm.map((each) => ({ x: each.temperature, y: 1 / entries.length })) },
    ],
    at: temperature >= 0.05 ? { x: temperature, words: `τ = ${short(temperature)}` } : null,
    height: 240,
  });
}

// The dictionary: words as keys, colours as values, and how both stand in a link.

export interface Entry {
  key: string;
  /** "#3a7bd5". */
  colour: string;
}

export const MOST_ENTRIES = 8;
const MOST_LETTERS = 40;

export const START: readonly Entry[] = [
  { key: 'sun', colour: '#ffd23f' }, { key: 'sky', colour: '#3a7bd5' }, { key: 'grass', colour: '#4c9f38' },
  { key: 'rose', colour: '#d62839' }, { key: 'snow', colour: '#ffffff' }, { key: 'coal', colour: '#20242b' },
];
/** Of entries that are added, in turn. */
export const PALETTE = ['#8a4fff', '#ff8c42', '#2ec4b6', '#f49ac2', '#7f5539', '#9aa0a6', '#ffd23f', '#3a7bd5'] as const;

/** "sky/3a7bd5,sun/ffd23f", each key as a part of an address. */
export const entries: Field<readonly Entry[]> = {
  start: START,
  parse: (text) => {
    const read = text.split(',').slice(0, MOST_ENTRIES).map(parseEntry);
    return read.every((entry) => entry !== null) ? read : null;
  },
  format: (all) => all.map(({ key, colour }) => `${encodePart(key)}/${colour.slice(1)}`).join(','),
};

function parseEntry(text: string): Entry | null {
  const [, key = '', colour = ''] = /^([^/]*)\/([0-9a-f]{6})$/i.exec(text) ?? [];
  const name = decodeText(key);
  return colour && name !== null ? { key: name.slice(0, MOST_LETTERS), colour: `#${colour.toLowerCase()}` } : null;
}

/** Red, green and blue, from 0 to 255: the numbers that a value is made of. */
export const numbersOf = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
export const colourOf = (numbers: ArrayLike<number>): string => `rgb(${Array.from(numbers, (x) => Math.round(x)).join(' ')})`;
