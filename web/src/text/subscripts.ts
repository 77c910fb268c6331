// Names with their small letters below.
import { html } from 'lit';

/** "W_Q = W_K" with its small letters below; what is not a text stays as it is. */
export function withSubs(text: unknown): unknown {
  return typeof text !== 'string' ? text : text.split(/(?<=\b(?:[WbdHQKV]|log))_([A-Za-z0-9]+)\b/).map((part, i) => (i % 2 === 1 ? html`<sub>${part}</sub>` : part));
}
