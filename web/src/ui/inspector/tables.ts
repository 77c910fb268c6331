// Weights as tables.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing, svg } from 'lit';
import type { CellArithmetic } from '../../engine/engine.ts';
import type { Selection } from '../../engine/types.ts';
import { LEAST_ARC, significant } from '../../lib/format.ts';
import { column, weight } from '../../text/numbers.ts';
import { type Picture, isCross, lineOf, maskedRow, weightsRow } from '../../state/result.ts';
import { headOf, isLong, keyWord, word, wordText } from '../../text/word.ts';

// The whole row of the selected weight; of long rows only the part in view is drawn.
// Its rows are laid out as lines of fixed size, so that the browser need not measure every cell at each keystroke;
// the roles say again what that layout makes browsers forget.

const ROW_HEIGHT = 22;
const ALL_UP_TO = 32;
/** Rows drawn at a time of a longer row: those in view, and some on both sides for scrolling. */
const DRAWN = 18;
const IN_VIEW = 14;

interface RowTableData {
  picture: Picture;
  selection: Selection;
  cell: CellArithmetic;
  /** Place of the first listed key that is drawn, when not all are. */
  from: number;
  arcs: boolean;
}

/** Keys that the row may look at, and the selected one even when it is masked. */
export function listedKeys(picture: Picture, { head, query, key }: Selection): number[] {
  const masked = maskedRow(picture, head, query);
  const listed: number[] = [];
  for (let i = 0; i < masked.length; i += 1) if (masked[i] !== -Infinity || i === key) listed.push(i);
  return listed;
}

export function rowTable(
  { picture, selection, cell, from: wanted, arcs }: RowTableData,
  events: { selectKey(key: number): void; scrollRows(event: Event): void },
): TemplateResult {
  const keys = listedKeys(picture, selection);
  const from = keys.length <= ALL_UP_TO ? 0 : Math.max(0, Math.min(wanted, keys.length - DRAWN));
  const to = keys.length <= ALL_UP_TO ? keys.length : Math.min(from + DRAWN, keys.length);
  const weights = weightsRow(picture, selection.head, selection.query);
  const masked = maskedRow(picture, selection.head, selection.query);
  const hidden = masked.length - keys.length;
  const spacer = (rows: number) => rows === 0 ? nothing : html`<tr class="spacer" role="none" .style=${`height: ${rows * ROW_HEIGHT}px`}></tr>`;
  // Bars compare the shares of this row, so its largest fills the space.
  const most = Math.max(...weights) || 1;
  // .style goes through the CSSOM, which a strict content security policy allows; the attribute is refused.
  const row = (key: number, place: number) => html`
    <tr role="row" aria-rowindex=${from + place + 2} class=${key === selection.key ? 'chosen' : ''} @click=${() => events.selectKey(key)}>
      <th role="rowheader" scope="row" ?data-long=${isLong(picture.keyTokens[key]?.text ?? '')}>${keyWord(picture, key)}</th>
      ${picture.ready ? nothing : html`<td role="cell">${column(masked[key] ?? 0)}</td><td role="cell">${column(cell.exps[key] ?? 0)}</td>`}
      <td role="cell"><span class="bar"><i .style=${`width: ${(Math.max(0, (weights[key] || 0) / most) * 100).toFixed(1)}%`}></i></span>${column(weights[key] ?? 0)}</td>
    </tr>
  `;
  const isReady = picture.ready !== null;
  const arced = arcs && keys.length <= ALL_UP_TO && !isCross(picture);
  return html`
    <div class="row-area">
      <div class=${arced ? 'row-scroll arced' : 'row-scroll'} tabindex="0" role="region" aria-label=${lineOf(picture) === 'row' ? msg('The whole row') : msg('The whole column')} @scroll=${events.scrollRows}>
        <table class="row-table" role="table" aria-label=${isReady ? msg('Every key of the selected query') : msg('Every key of the selected query, and what softmax makes of it')} aria-rowcount=${keys.length + 2}>
          <thead role="rowgroup"><tr role="row" aria-rowindex="1">
            <th role="columnheader">${msg('Key')}</th>${isReady ? nothing : html`<th role="columnheader">s</th>${power(picture.trace.settings.temperature)}`}<th role="columnheader">${msg('weight')}</th>
          </tr></thead>
          <tbody role="rowgroup">${spacer(from)}${keys.slice(from, to).map(row)}${spacer(keys.length - to)}</tbody>
          <tfoot role="rowgroup"><tr role="row" aria-rowindex=${keys.length + 2}>
            ${isReady ? html`<td role="cell"></td>` : html`<td role="cell">${hidden > 0 ? msg(str`${hidden} masked`) : ''}</td><td role="cell">${hidden > 0 ? '−∞' : ''}</td>`}
            <td role="cell">Σ ${significant(cell.exp_sum)}</td>${isReady ? nothing : html`<td role="cell">${picture.trace.settings.temperature === 0 ? '1 ÷ Σ' : 'exp ÷ Σ'}</td>`}
          </tr></tfoot>
        </table>
        ${arced ? uprightArcs(keys, weights, masked, selection) : nothing}
      </div>
    </div>
  `;
}

/** What softmax raises e to, in full where it is asked for: its column is narrow. At temperature 0 softmax only asks for the largest. */
function power(temperature: number): TemplateResult {
  if (temperature === 0) return html`<th role="columnheader">s = max</th>`;
  const whole = temperature === 1 ? 'exp(s − max)' : 'exp(s ÷ τ − max)';
  return html`<th role="columnheader" title=${whole} aria-label=${whole}>exp</th>`;
}

/** Where the list is to be scrolled for the selected key, and from which place it is drawn then. */
export function rowAtKey(picture: Picture, selection: Selection): { from: number; scrollTop: number } {
  const place = listedKeys(picture, selection).indexOf(selection.key);
  const top = Math.max(0, place - IN_VIEW / 2);
  return { from: fromAt(top * ROW_HEIGHT), scrollTop: top * ROW_HEIGHT };
}

export function fromAt(scrollTop: number): number {
  return Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - (DRAWN - IN_VIEW) / 2);
}

/** Where the sentence has no room for arcs, they stand beside the row. */
function uprightArcs(keys: readonly number[], weights: Float32Array, masked: Float32Array, selection: Selection): TemplateResult {
  const at = (place: number) => (place + 1.5) * ROW_HEIGHT;
  const query = keys.indexOf(selection.query);
  if (query < 0) return html``;
  const paths = keys.map((key, place) => {
    if (masked[key] === -Infinity || !((weights[key] ?? 0) >= LEAST_ARC)) return nothing;
    const [y, end] = [at(place), at(query)];
    const depth = 46 - Math.min(44, 10 + Math.abs(end - y) * 0.16);
    const d = key === selection.query ? `M46 ${y - 4}C28 ${y - 8} 28 ${y + 8} 46 ${y + 4}` : `M46 ${y}C${depth} ${y} ${depth} ${end} 46 ${end}`;
    return svg`<path class=${key === selection.key ? 'chosen' : ''} d=${d} stroke-width=${Math.max(1, 18 * (weights[key] ?? 0)).toFixed(1)}></path>`;
  });
  return html`<svg class="upright-arcs" width="48" height=${(keys.length + 2) * ROW_HEIGHT} aria-hidden="true">${paths}</svg>`;
}

// The selected head's weights as a plain table, for reading, copying and screen readers. Built only when open.

/** Past this a whole table would be slower to make than to read; the selected row is shown instead. */
const WHOLE_UP_TO = 80;

export function weightsTable(picture: Picture, selection: Selection): TemplateResult {
  const { T, S } = picture.trace.shape;
  const whole = Math.max(T, S) <= WHOLE_UP_TO;
  const queries = whole ? Array.from({ length: T }, (_, i) => i) : [selection.query];
  const about = whole
    ? msg(str`Weights of head ${headOf(picture, selection.head)}. Each row is a query, who looks; each column is a key, the word that is looked at.`)
    : msg(str`Weights of head ${headOf(picture, selection.head)} for the query ${wordText(picture, selection.query)}; each column is a key. Select another query to read it.`);
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
