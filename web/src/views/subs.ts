// Names with their small letters below.
import { html } from 'lit';

/** "W_Q = W_K" with its small letters below. */
export function withSubs(text: string): unknown {
  return text.split(/(?<=\b[WbdHQKV])_([A-Za-z]+)\b/).map((part, i) => (i % 2 === 1 ? html`<sub>${part}</sub>` : part));
}
