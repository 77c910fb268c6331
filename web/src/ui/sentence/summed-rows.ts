// Several rows together: the sum of their weights for each word, from the engine.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { fixed, listed } from '../../lib/format.ts';
import { exact } from '../../text/numbers.ts';
import type { Picture } from '../../state/result.ts';
import { keyWord, word, wordText } from '../../text/word.ts';

export interface SummedView {
  picture: Picture;
  queries: readonly number[];
  /** Its sum is written in full. */
  key: number;
  /** [S], of the head shown */
  sums: Float32Array;
  /** −Infinity where all of them are masked. */
  masked: Float32Array;
}

export interface SumEvents {
  clear(): void;
  remove(query: number): void;
  /** Opens the list of rows to add one of. */
  pick(): void;
  add(query: number): void;
}

const NAMED = 4;
/** Past this, bars are kept for the largest. */
const MOST_BARS = 48;

export function summedCaption({ picture, queries, key, sums, masked }: SummedView, events: SumEvents): TemplateResult {
  const ranked = Array.from(sums.keys()).filter((key) => (sums[key] ?? 0) > 0).toSorted((a, b) => (sums[b] ?? 0) - (sums[a] ?? 0));
  const named = listed(ranked.slice(0, NAMED).map((key) => msg(html`${fixed(sums[key] ?? 0, 2)} from <b>${keyWord(picture, key)}</b>`)));
  const rows = queries.map((query) => html`
    <button type="button" class="chip" @click=${() => events.remove(query)}>${word(picture, query)}<span class="unseen">${msg(', take this row out', { desc: 'behind a word' })}</span> <span aria-hidden="true">×</span></button>
  `);
  return html`
    <p class="row-caption sum-caption">${msg(html`${queries.length} rows together: ${named}.`)}</p>
    <p class="row-rest">${msg(html`Added up over ${rows} each word gets between 0 and ${queries.length}; <b>${keyWord(picture, key)}</b> gets <b data-sum-of-key>${exact(sums[key] ?? 0)}</b>.`)}
      <button type="button" class="plain" data-clear-sum @click=${events.clear}>${msg('Clear')}</button></p>
    ${bars(picture, sums, masked, queries.length, ranked)}
  `;
}

function bars(picture: Picture, sums: Float32Array, masked: Float32Array, most: number, ranked: readonly number[]): TemplateResult {
  const shown = sums.length <= MOST_BARS ? Array.from(sums.keys()) : ranked.slice(0, MOST_BARS).toSorted((a, b) => a - b);
  const isMasked = (key: number) => masked[key] === -Infinity;
  return html`
    <ol class="sum-bars" tabindex="0" aria-label=${msg('Summed weight of each word')}>
      ${shown.map((key) => html`
        <li data-sum=${key} title=${exact(sums[key] ?? 0)}><span class=${isMasked(key) ? 'sum-bar masked' : 'sum-bar'}><i .style=${`height: ${(((sums[key] ?? 0) / most) * 100).toFixed(1)}%`}></i></span><b>${isMasked(key) ? html`<span class="unseen">${msg('masked')}</span>\u00a0` : fixed(sums[key] ?? 0, 2)}</b>${keyWord(picture, key)}</li>
      `)}
    </ol>
  `;
}

/** For fingers and keys: a list of the other rows, made only while it is wanted. */
export function addRow(picture: Picture, queries: readonly number[], picking: boolean, events: SumEvents): TemplateResult | typeof nothing {
  if (picture.tokens.length < 2) return nothing;
  if (!picking) return html`<button type="button" class="plain add-row" @click=${events.pick}>${msg('Add another row')}</button>`;
  return html`
    <label class="add-row">${msg('Add the row of')}
      <select @change=${(event: Event) => events.add(Number((event.target as HTMLSelectElement).value))}>
        <option value="-1">${msg('choose…')}</option>
        ${picture.tokens.map((_, query) => (queries.includes(query) ? nothing : html`<option value=${query}>${wordText(picture, query)}</option>`))}
      </select>
    </label>
  `;
}
