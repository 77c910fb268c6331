// What a lab's controls are made of. Names of radio groups are the lab's own: several labs may stand on one page.
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { withSubs } from '../../text/subscripts.ts';
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
    <label class="lab-field lab-slider"><span>${label} <b>${words}</b></span>
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

export interface Field<T> {
  readonly start: T;
  /** The nearest value that may be used; null for what is no value at all. */
  parse(text: string): T | null;
  format(value: T): string;
}

export type Fields<Knobs> = { readonly [Name in keyof Knobs]: Field<Knobs[Name]> };

/** A whole number from `least` to `most`. */
export function whole(start: number, least: number, most: number): Field<number> {
  return {
    start,
    parse: (text) => (/^[-−]?\d{1,15}$/.test(text.trim()) ? clamp(Number(text.trim().replace('−', '-')), least, most) : null),
    format: String,
  };
}

export function decimal(start: number, least: number, most: number): Field<number> {
  return {
    start,
    parse: (text) => {
      const value = text.trim() === '' ? NaN : Number(text.trim().replace('−', '-'));
      return Number.isFinite(value) ? clamp(value, least, most) : null;
    },
    format: String,
  };
}

/** As many numbers as there are at the start: "6.2,1.4,7.9". */
export function numbers(start: readonly number[], { least, most, isWhole = false }: { least: number; most: number; isWhole?: boolean }): Field<readonly number[]> {
  const each = isWhole ? whole(0, least, most) : decimal(0, least, most);
  return {
    start,
    parse: (text) => {
      const values = text.split(',').map((one) => each.parse(one));
      return values.length === start.length && values.every((value) => value !== null) ? values : null;
    },
    format: (values) => values.join(','),
  };
}

export function choice<T extends string>(start: T, values: readonly T[]): Field<T> {
  return { start, parse: (text) => values.find((value) => value === text) ?? null, format: (value) => value };
}

export const flag = (start: boolean): Field<boolean> => ({
  start, parse: (text) => (text === 'on' ? true : text === 'off' ? false : null), format: (value) => (value ? 'on' : 'off'),
});

/** Words of the reader's own, cut to `most` characters. */
export const words = (start: string, most = 200): Field<string> => ({ start, parse: (text) => text.slice(0, most), format: (value) => value });

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** All fields of a text, those left out as they start; and what could not be used as it was written. */
export function readKnobs<Knobs extends object>(fields: Fields<Knobs>, text: string): { knobs: Knobs; changed: { name: string; wanted: string; used: string }[] } {
  const written = new URLSearchParams(text);
  const changed: { name: string; wanted: string; used: string }[] = [];
  const names = Object.keys(fields) as (keyof Knobs & string)[];
  const knobs = Object.fromEntries(names.map((name) => {
    const field = fields[name];
    const wanted = written.get(name);
    const value = wanted === null ? field.start : (field.parse(wanted) ?? field.start);
    if (wanted !== null && !same(field.format(value), wanted)) changed.push({ name, wanted, used: field.format(value) });
    return [name, value];
  })) as Knobs;
  for (const name of new Set(written.keys())) if (!names.includes(name as keyof Knobs & string)) changed.push({ name, wanted: written.get(name) ?? '', used: '' });
  return { knobs, changed };
}

/** Only what is not as it starts. */
export function writeKnobs<Knobs extends object>(fields: Fields<Knobs>, knobs: Knobs): string {
  const written = new URLSearchParams();
  for (const name of Object.keys(fields) as (keyof Knobs & string)[]) {
    const { start, format } = fields[name];
    if (format(knobs[name]) !== format(start)) written.set(name, format(knobs[name]));
  }
  return written.toString();
}

/** "0.50" is 0.5. */
const same = (used: string, wanted: string): boolean => used === wanted || (wanted.trim() !== '' && Number(used) === Number(wanted.replace('−', '-')));
