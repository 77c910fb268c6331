// A token inside a sentence of ours: isolated, so that its direction stays its own. And names with small letters below.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { count, plural } from '../lib/format.ts';
import { type Picture, readOf } from '../state/result.ts';

export type Whose = 'query' | 'key';

function find(picture: Picture, index: number, whose: Whose): { text: string; repeated: boolean } {
  const [tokens, repeated] = whose === 'query' ? [picture.tokens, picture.repeated] : [picture.keyTokens, picture.repeatedKeys];
  const text = tokens[index]?.text ?? '';
  return { text, repeated: repeated.has(text) };
}

/** The token, with its place where its text has it twice. */
export function word(picture: Picture, index: number, whose: Whose = 'query'): TemplateResult {
  const { text, repeated } = find(picture, index, whose);
  return html`<span class="word"><bdi lang="">${text}</bdi>${repeated ? html`<sub class="place">${index + 1}</sub>` : nothing}</span>`;
}

export const keyWord = (picture: Picture, index: number): TemplateResult => word(picture, index, 'key');

/** The same as plain text, for labels. */
export function wordText(picture: Picture, index: number, whose: Whose = 'query'): string {
  const { text, repeated } = find(picture, index, whose);
  const isolated = `\u2068${text}\u2069`;
  return repeated ? msg(str`${isolated} (word ${index + 1})`) : isolated;
}

/** “11 tokens”. */
export const tokenCount = (n: number): string => plural(n, msg('1 token'), msg(str`${count(n)} tokens`));

/** What a head is called: “1.2”, layer and head, where there are several layers. Both from 0. */
export const headPlace = (head: number, layer: number, layers: number): string => (layers > 1 ? `${layer + 1}.${head + 1}` : String(head + 1));

/** The same of a head of the layer that is looked at. */
export function headOf(picture: Picture | null, head: number): string {
  const read = readOf(picture);
  return headPlace(head, read?.layer ?? 0, read?.reader.configuration.layers ?? 1);
}

/** How many heads there are, in all layers. */
export const headsOf = (picture: Picture, inLayer = picture.trace.shape.H): number => inLayer * (readOf(picture)?.reader.configuration.layers ?? 1);

/** A word of the reader's as a part of a sentence. */
export const ownWord = (text: string | undefined): TemplateResult => html`<bdi lang="">${text ?? ''}</bdi>`;

/** A place for a word of the reader's: of its own direction, and of no language that the page knows. */
export function readersWord(): HTMLElement {
  const word = document.createElement('bdi');
  word.lang = '';
  return word;
}

/** Whether a label may be too long for its room. What is cut costs the browser a layer's work; most words are short. */
export const isLong = (text: string): boolean => letters(text) > 7;

/** How wide a text is, counted in letters: a character of Chinese and the like is as wide as two. */
export function letters(text: string): number {
  let width = 0;
  for (const character of text) width += character > '\u2e7f' ? 2 : 1;
  return width;
}

/** "W_Q = W_K" with subscripts; anything but text stays as it is. */
export function withSubs(text: unknown): unknown {
  return typeof text !== 'string' ? text : text.split(/(?<=\b(?:[WbdHQKV]|log))_([A-Za-z0-9]+)\b/).map((part, i) => (i % 2 === 1 ? html`<sub>${part}</sub>` : part));
}
