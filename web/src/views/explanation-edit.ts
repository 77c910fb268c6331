// A field to set this number by hand, where a number is a parameter or part of a word's embedding.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';

export interface EditView {
  value: string;
  /** Set by hand already: it can be put back. */
  edited: boolean;
  /** What was wrong with what was typed. */
  problem: string;
  /** Whose number it is: a word's, wherever it stands, or a parameter's. */
  isWord: boolean;
}

export interface EditEvents {
  edit(value: string): void;
  unedit(): void;
}

export function editField({ value, edited, problem, isWord }: EditView, events: EditEvents): TemplateResult {
  return html`
    <form class="edit-number" @submit=${(event: Event) => {
      event.preventDefault();
      events.edit((event.target as HTMLFormElement).querySelector('input')?.value ?? '');
    }}>
      <label>${msg('Set this number by hand')} <input class="field" name="number" inputmode="decimal" autocomplete="off" .value=${value} aria-describedby="edit-problem"></label>
      <button type="submit" class="plain">${msg('set')}</button>
      ${edited ? html`<button type="button" class="plain" data-put-back @click=${events.unedit}>${msg('put back')}</button>` : nothing}
      ${isWord ? html`<span class="muted">${msg('Changes this word wherever it stands.')}</span>` : nothing}
      <span id="edit-problem" class="problem" role="alert">${problem}</span>
    </form>
  `;
}
