// The second sentence, where keys and values come from, under the first.
import { msg } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { tokenCount } from '../../text/word.ts';

export interface SecondSentenceEvents {
  before(event: Event): void;
  input(event: Event): void;
  caret(): void;
  swap(): void;
  remove(): void;
}

/** A few words to begin with. */
export const firstKeyText = (): string => msg('the tired animal stayed at home', { desc: 'a second sentence to begin with; what the first one looks at' });

export function secondSentence(tokens: number, events: SecondSentenceEvents): TemplateResult {
  return html`
    <div class="key-sentence" part="key-sentence">
      <div class="sentence-title">
        <label for="key-text">${msg('Second sentence: what is looked at (keys and values)')}</label>
        <span class="sentence-tools">
          <button type="button" class="quiet" @click=${events.swap}>${msg('Swap')}</button>
          <button type="button" class="quiet" @click=${events.remove}>${msg('Remove')}</button>
          <span class="muted">${tokenCount(tokens)}</span>
        </span>
      </div>
      <div class="sentence-box" data-keys>
        <div class="stack">
          <div class="mirror" dir="auto" lang="" aria-hidden="true"></div>
          <textarea id="key-text" rows="1" dir="auto" lang="" spellcheck="false" autocomplete="off" autocapitalize="off" placeholder=${msg('Type a word.')}
            @beforeinput=${events.before} @input=${events.input} @keyup=${events.caret} @click=${events.caret}></textarea>
          <div class="shares" aria-hidden="true"><canvas></canvas></div>
          <svg class="arcs" aria-hidden="true"></svg>
        </div>
      </div>
    </div>
  `;
}
