// What is to be known of what is seen right now: where attention rests, what the mask was for, how words were cut.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Selection } from '../../engine/types.ts';
import { gap, listed, percent, significant } from '../../lib/format.ts';
import { chance } from '../../text/numbers.ts';
import { trainedMask } from '../../parameters/language-model/edits.ts';
import { UNKNOWN_WORDS } from '../../parameters/language-model/tokens.ts';
import type { Reading } from '../../parameters/language-model/reader.ts';
import { type Picture, weightsRow } from '../../state/result.ts';
import { word } from '../../text/word.ts';
import type { WordRow } from './predictions.ts';

interface NotesData { picture: Picture; reading: Reading; selection: Selection; mask: string; words: readonly WordRow[]; isEdited: boolean; unread: ReturnType<typeof unreadOf> }

/** A row that gives the start token this much rests there. */
const RESTS = 0.4;
/** A value this much shorter than the others does little. */
const LITTLE = 0.6;
const LEAST_WORDS = 3;

export function notes(data: NotesData, events: { twice(): void }): TemplateResult {
  return html`<div class="model-notes" part="model-notes">${unread(data)}${unmasked(data)}${pair(data)}${edited(data)}${sink(data)}${pieces(data)}${twice(data, events)}</div>`;
}

function unmasked({ mask, reading }: NotesData): TemplateResult | typeof nothing {
  if (mask === trainedMask(reading.reader.configuration)) return nothing;
  const { causal = true } = reading.reader.configuration;
  const why = !causal ? msg('In training every word saw all words, behind it as well as before it.')
    : mask !== 'none' ? msg('In training every word saw all words before it.')
    : reading.reader.configuration.layers > 1 ? msg('Without the mask a word sees the very words that it is asked to guess, from layer 1 on, and no head has learnt what to do with them.')
    : msg('Without the mask a word sees the very words that it is asked to guess, from layer 1 on.');
  return html`<p class="warning" data-note="mask">${msg(html`<b>It was never trained like this.</b> ${why} Read these guesses as what breaks, not as what the model knows.`)}</p>`;
}

/** Where the second sentence begins. */
function pair({ picture, reading }: NotesData): TemplateResult | typeof nothing {
  const { separator } = reading.reader.model;
  const end = separator === undefined ? -1 : reading.ids.indexOf(separator);
  if (end < 0 || end === reading.ids.length - 1) return nothing;
  return html`<p data-note="pair">${msg(html`<b>Two sentences.</b> What stands behind ${word(picture, end)} is of the second kind: to each of its words the model adds the embedding of a second sentence, and every word sees those of both.`)}</p>`;
}

/** What is set by hand is not in the model itself. */
function edited({ isEdited, reading }: NotesData): TemplateResult | typeof nothing {
  if (!isEdited) return nothing;
  return html`<p data-note="edits">${msg(html`The numbers that you set by hand are all in the figure and the walk; the prediction takes this layer’s changed <b>weights</b> from them, and its own values and W<sub>O</sub> as they were learnt in layer ${reading.layer + 1}.`)}</p>`;
}

/** The first token's weight, with the sizes that make it harmless. */
function sink({ picture, reading, selection: { head, query } }: NotesData): TemplateResult | typeof nothing {
  const [first] = picture.tokens;
  const share = weightsRow(picture, head, query)[0] ?? 0;
  const isStart = first?.start === first?.end;
  const { causal = true } = reading.reader.configuration;
  if (!first || query === 0 || share < RESTS || !(isStart || causal)) return nothing;
  const [name, why] = isStart
    ? [msg('the start token'), msg('every text begins with the same start token')]
    : [msg(html`the first token, ${word(picture, 0)},`), msg('the first token is the one that every later one can see')];
  const { T, d_v } = picture.trace.shape;
  const values = picture.trace.head('value', head);
  const length = (row: number) => Math.hypot(...values.subarray(row * d_v, (row + 1) * d_v));
  const others = Array.from({ length: T - 1 }, (_, i) => length(i + 1)).reduce((sum, each) => sum + each, 0) / (T - 1);
  const own = length(0);
  const effect = own < LITTLE * others ? msg('so resting there changes little') : msg('so resting there is not the same as doing nothing');
  return html`<p data-note="sink">${msg(html`<b>${percent(share)} of this row rest on ${name}.</b> Shares must add up to 1, so a head that finds nothing to look at must still look somewhere, and ${why}.`)}
    ${msg(html`The value that it passes on here has length ${significant(own, 3)}, against ${significant(others, 3)} for the other words on average, ${effect}: layer ${reading.layer + 1} adds it to ${word(picture, query)}.`)}</p>`;
}

/** The reader's words that the model has no token for, as of a script that it never met, each once; and whether these are all of them. */
export function unreadOf({ picture, reading }: Pick<NotesData, 'picture' | 'reading'>): { words: ReadonlySet<string>; isAll: boolean } {
  const own = picture.tokens.map(({ text, start, end }, at) => ({ text, isOwn: start < end, isUnread: UNKNOWN_WORDS.includes(reading.reader.word(reading.ids[at] ?? 0).word) }));
  return { words: new Set(own.filter(({ isUnread }) => isUnread).map(({ text }) => text)), isAll: own.every(({ isOwn, isUnread }) => isUnread || !isOwn) };
}

function unread({ unread: { words } }: NotesData): TemplateResult | typeof nothing {
  if (words.size === 0) return nothing;
  const shown = listed([...words].slice(0, 8).map((each) => html`<b><bdi lang="">${each}</bdi></b>`));
  return html`<p class="warning" role="status" data-note="unread">${msg(html`<b>It does not know this:</b> ${shown}.`)}${gap()}<span class="unread-why">${msg('It has never met such a word or script, and reads each as the same token, “unknown”. What it says of them means nothing.')}</span></p>`;
}

function pieces({ picture }: NotesData): TemplateResult | typeof nothing {
  const words: string[][] = [];
  for (const { text } of picture.tokens) {
    if (text.startsWith('·')) words.at(-1)?.push(text);
    else words.push([text]);
  }
  const cut = words.filter(({ length }) => length > 1).map((parts) => parts.join(''));
  if (cut.length === 0) return nothing;
  const shown = listed(cut.slice(0, 8).map((each) => html`<b><bdi lang="">${each}</bdi></b>`));
  return html`<p data-note="pieces">${msg(html`Not in its vocabulary, so read in pieces: ${shown}. Each piece has a row of its own.`)}</p>`;
}

/** Once the words stand twice, the second time shows what copying heads do. */
function twice({ reading, words }: NotesData, events: { twice(): void }): TemplateResult | typeof nothing {
  if (reading.reader.predicts !== 'next') return nothing;
  const own = reading.ids.slice(1);
  const half = own.length / 2;
  const repeats = own.length >= 2 * LEAST_WORDS && own.length % 2 === 0 && own.slice(0, half).every((id, i) => id === own[half + i]);
  if (!repeats) {
    const fits = own.length >= LEAST_WORDS && 2 * own.length + 1 <= reading.reader.configuration.context;
    return fits ? html`<p>${msg('Does it copy?')} <button type="button" class="plain" data-twice @click=${events.twice}>${msg('Say it twice')}</button></p>` : nothing;
  }
  const mean = (from: number, to: number) => words.slice(from, to).reduce((sum, { own: chance }) => sum + (chance ?? 0), 0) / (to - from);
  return html`<p data-note="twice">${msg(html`<b>You said it twice.</b> The first time your words had a chance of ${chance(mean(0, half))} on average; the second time, after their first word, ${chance(mean(half + 1, 2 * half))}. Heads that look at what followed the same word before make the difference: take one away and look again.`)}</p>`;
}
