// The second sentence, where keys and values come from, under the first.
import { type TemplateResult, html } from 'lit';
import { plural } from '../format.ts';

export interface SecondSentenceEvents {
  input(event: Event): void;
  caret(): void;
  swap(): void;
  remove(): void;
}

/** A few words to begin with; the same thing said in another language is what cross-attention was made for. */
export const FIRST_KEY_TEXT = 'das Tier war zu müde';

export function secondSentence(tokens: number, events: SecondSentenceEvents): TemplateResult {
  return html`
    <div class="key-sentence" part="key-sentence">
      <div class="sentence-title">
        <label for="key-text">Second sentence: what is looked at (keys and values)</label>
        <span class="sentence-tools">
          <button type="button" class="quiet" @click=${events.swap}>Swap</button>
          <button type="button" class="quiet" @click=${events.remove}>Remove</button>
          <span class="muted">${plural(tokens, 'token')}</span>
        </span>
      </div>
      <div class="sentence-box" data-keys>
        <div class="stack">
          <div class="mirror" dir="auto" aria-hidden="true"></div>
          <textarea id="key-text" rows="1" dir="auto" spellcheck="false" autocomplete="off" autocapitalize="off" placeholder="Type a word."
            @input=${events.input} @keyup=${events.caret} @click=${events.caret}></textarea>
          <div class="shares" aria-hidden="true"><canvas></canvas></div>
          <svg class="arcs" aria-hidden="true"></svg>
        </div>
      </div>
    </div>
  `;
}
