// The selected head's weights as a plain table, for reading, copying and screen readers. Built only when open.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import type { Selection } from '../../engine/types.ts';
import { weight } from '../../lib/format.ts';
import { type Picture, maskedRow, weightsRow } from '../../state/result.ts';
import { keyWord, word, wordText } from '../../text/word.ts';

/** Past this a whole table would be slower to make than to read; the selected row is shown instead. */
const WHOLE_UP_TO = 80;

export function weightsTable(picture: Picture, selection: Selection): TemplateResult {
  const { T, S } = picture.trace.shape;
  const whole = Math.max(T, S) <= WHOLE_UP_TO;
  const queries = whole ? Array.from({ length: T }, (_, i) => i) : [selection.query];
  const about = whole
    ? msg(str`Weights of head ${selection.head + 1}. Each row is a query, who looks; each column is a key, the word that is looked at.`)
    : msg(str`Weights of head ${selection.head + 1} for the query ${wordText(picture, selection.query)}; each column is a key. Select another query to read it.`);
  return html`
    <div class="table-scroll" tabindex="0" role="region" aria-label=${msg('Weights as a table')}>
      <table class="weights-table">
        <caption><span>${about}</span></caption>
        <thead><tr><td></td>${picture.keyTokens.map((_, key) => html`<th scope="col">${keyWord(picture, key)}</th>`)}</tr></thead>
        <tbody>${queries.map((query) => row(picture, selection.head, query))}</tbody>
      </table>
    </div>
  `;
}

function row(picture: Picture, head: number, query: number): TemplateResult {
  const weights = weightsRow(picture, head, query);
  const masked = maskedRow(picture, head, query);
  const cells = Array.from(weights, (w, key) => (masked[key] === -Infinity ? html`<td class="muted">${msg('masked')}</td>` : html`<td>${weight(w)}</td>`));
  return html`<tr><th scope="row">${word(picture, query)}</th>${cells}</tr>`;
}
