// What a model expects at words that are hidden from it: one that sees the whole sentence has no next word.
import { msg } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { chance } from '../../lib/format.ts';

const bdi = (word: string) => html`<bdi lang="">${word}</bdi>`;

/** A hidden word: counted, from 0, where there are several. */
export const labelOf = (hides: string, i: number, count: number): string => (count > 1 ? `${hides} ${i + 1}` : hides);

export const atWords = (hidden: string): TemplateResult => msg(html`<b>At <span class="accent">${bdi(hidden)}</span></b> it expects`);

/** Where no word is hidden. `hide` hides the one that is looked at; null where the reader may not, or it is none of the text. */
export function nothingHidden(hides: string, word: string, hide: (() => void) | null): TemplateResult {
  return html`
    <div class="expects" part="expects" data-no-next>
      <p>${msg(html`It reads the whole sentence at once, the words behind as well as those before, so it has no next word to guess. It learnt to guess hidden words: type <b>${bdi(hides)}</b> in place of a word.`)}
        ${hide ? html`<button type="button" class="plain" data-hide @click=${hide}>${msg(html`Hide ${bdi(word)}`)}</button>` : ''}</p>
    </div>
  `;
}

/** A model whose file ends before the part that guesses. */
export function noGuesses(): TemplateResult {
  return html`<div class="expects" part="expects" data-no-guess><p>${msg('This file has no part that guesses words, so only its attention is shown. Save the model as BertForMaskedLM to see what it expects at [MASK].')}</p></div>`;
}

export interface HiddenRow {
  row: number;
  guess: string;
  probability: number;
  trained: number | null;
}

export function everyHidden(rows: readonly HiddenRow[], { hides, query, changed }: { hides: string; query: number; changed: boolean }, select: (row: number) => void): TemplateResult {
  return html`
    <div class="every-word" part="every-word">
      <h3 class="small-heading">${msg(html`<b>At every <span class="accent">${bdi(hides)}</span></b>: its first guess`)}</h3>
      <table>
        <thead><tr><th scope="col">${msg('hidden')}</th><th scope="col">${msg('first guess')}</th><th scope="col">${msg('chance')}</th>${changed ? html`<th scope="col">${msg('as trained')}</th>` : ''}</tr></thead>
        <tbody>${rows.map(({ row, guess, probability, trained }, i) => html`
          <tr data-hidden class=${row === query ? 'chosen' : ''} @click=${() => select(row)}><th scope="row">${bdi(labelOf(hides, i, rows.length))}</th><td>${bdi(guess)}</td><td>${chance(probability)}</td>${changed ? html`<td class="muted">${trained === null ? '' : chance(trained)}</td>` : ''}</tr>`)}
        </tbody>
      </table>
    </div>
  `;
}
