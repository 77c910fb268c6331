// The controls of labs. Names of radio groups include the lab, because several labs may be on one page.
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { withSubs } from '../../text/word.ts';
import { radioGroup } from '../../ui/kit/controls.ts';
import { goesRound, inBox } from '../../ui/kit/text-box.ts';

const textOf = (event: Event): string => (event.target as HTMLInputElement).value;

/** The reader's sentence; it is never changed, only read. */
export function sentenceField(label: unknown, text: string, type: (text: string) => void): TemplateResult {
  return html`
    <label class="lab-field lab-sentence"><span>${label}</span>
      <textarea rows=${text.length > 60 ? 2 : 1} dir="auto" lang="" spellcheck="false" autocomplete="off" autocapitalize="off" .value=${live(inBox(text))}
        @beforeinput=${(event: Event) => goesRound(event, type)} @input=${(event: Event) => type(textOf(event))}></textarea>
    </label>
  `;
}

/** A short text: a word, a key. */
export function wordField(label: unknown, text: string, type: (text: string) => void): TemplateResult {
  return html`<label class="lab-field"><span>${label}</span><input class="field" dir="auto" lang="" spellcheck="false" autocomplete="off" .value=${live(text)} @beforeinput=${(event: Event) => goesRound(event, type)} @input=${(event: Event) => type(textOf(event))}></label>`;
}

export interface Range { least: number; most: number; step?: number; value: number; /** How the value is read out and shown. */ words: string }

export function slider(label: unknown, { least, most, step = 1, value, words }: Range, slide: (value: number) => void): TemplateResult {
  return html`
    <label class="lab-field"><span>${label} <b>${words}</b></span>
      <input type="range" class="slider" min=${least} max=${most} step=${step} aria-valuetext=${words} .value=${live(String(value))} @input=${(event: Event) => slide(Number(textOf(event)))}>
    </label>
  `;
}

/** One of a few: `name` is the group's, and its own on the page. */
export function segments<T extends string>(label: unknown, name: string, choices: readonly (readonly [T, unknown])[], chosen: T, choose: (value: T) => void): TemplateResult {
  return html`
    <fieldset class="lab-field"><legend>${label}</legend>
      <div class="segments">${choices.map(([value, words]) => html`
        <label class="segment"><input type="radio" ${radioGroup(name)} value=${value} .checked=${live(value === chosen)} @change=${() => choose(value)}><span>${words}</span></label>
      `)}</div>
    </fieldset>
  `;
}

/** One of many. */
export function list<T extends string>(label: unknown, choices: readonly (readonly [T, string])[], chosen: T, choose: (value: T) => void): TemplateResult {
  return html`
    <label class="lab-field"><span>${label}</span>
      <select @change=${(event: Event) => choose(textOf(event) as T)}>${choices.map(([value, words]) => html`<option value=${value} .selected=${live(value === chosen)}>${words}</option>`)}</select>
    </label>
  `;
}

export function button(label: unknown, press: () => void): TemplateResult {
  return html`<button type="button" class="lab-button" @click=${press}>${label}</button>`;
}

// Numbers in fields, as a matrix has them.

/** The text in one field, and its error. */
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
