// Numbers in fields, as a matrix has them.
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { withSubs } from '../../views/subs.ts';

/** What is being typed into one field, and what is wrong with it. */
export interface Draft<Name extends string = string> { array: Name; index: number; text: string; problem: string | null }

export interface Cells<Name extends string> {
  array: Name;
  numbers: readonly number[];
  draft: Draft<Name> | null;
  type(array: Name, index: number, text: string): void;
  leave(): void;
}

/** One number. `label` is what it is called. */
export function cell<Name extends string>({ array, numbers, draft, type, leave }: Cells<Name>, index: number, label: string): TemplateResult {
  const own = draft?.array === array && draft.index === index ? draft : null;
  const value = own ? own.text : String(numbers[index] ?? 0).replace('-', '−');
  return html`<input class="lab-number" inputmode="decimal" autocomplete="off" spellcheck="false" size="6" data-array=${array} data-index=${index} aria-label=${label}
    aria-invalid=${own?.problem ? 'true' : 'false'} .value=${live(value)} @input=${(event: Event) => type(array, index, (event.target as HTMLInputElement).value)} @blur=${leave}>`;
}

/** A matrix of fields; `columns` numbers in a row. */
export function cellTable<Name extends string>(title: string, note: string, cells: Cells<Name>, columns: number, rowName: (row: number) => string): TemplateResult {
  const rows = Array.from({ length: cells.numbers.length / columns }, (_, row) => row);
  return html`
    <figure class="plot">
      <figcaption class="plot-title"><b>${withSubs(title)}</b><span class="muted"> ${withSubs(note)}</span></figcaption>
      <div class="lab-scroll"><table class="lab-cells" aria-label=${title}>
        <tbody>${rows.map((row) => html`<tr><th scope="row">${rowName(row)}</th>${Array.from({ length: columns }, (_, c) => html`<td>${cell(cells, row * columns + c, `${title} ${row + 1}, ${c + 1}`)}</td>`)}</tr>`)}</tbody>
      </table></div>
    </figure>
  `;
}

export const draftProblem = (draft: Draft | null): TemplateResult | typeof nothing => (draft?.problem ? html`<p class="lab-problem" role="alert">${draft.problem}</p>` : nothing);
