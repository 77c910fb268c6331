// A token inside a sentence of ours: isolated, so that its direction stays its own.
import { type TemplateResult, html, nothing } from 'lit';
import type { Picture } from '../picture.ts';

/** The token, with its place where the text has it twice. */
export function word(picture: Picture, index: number): TemplateResult {
  const text = picture.tokens[index]?.text ?? '';
  const place = picture.repeated.has(text) ? html`<sub class="place">${index + 1}</sub>` : nothing;
  return html`<span class="word"><bdi>${text}</bdi>${place}</span>`;
}

/** The same as plain text, for labels. */
export function wordText(picture: Picture, index: number): string {
  const text = picture.tokens[index]?.text ?? '';
  return picture.repeated.has(text) ? `\u2068${text}\u2069 (word ${index + 1})` : `\u2068${text}\u2069`;
}
