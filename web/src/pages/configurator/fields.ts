// What the choices are made of: segments, lists, boxes to tick and to type in. Data in, templates out.
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { radioGroup } from '../../ui/kit/controls.ts';
import { goesRound } from '../../ui/kit/text-box.ts';

export type Option = readonly [value: string, label: string];
type Choose = (value: string) => void;

const valueOf = (event: Event): string => (event.target as HTMLInputElement).value;

export function segments(name: string, label: string, options: readonly Option[], chosen: string, choose: Choose): TemplateResult {
  return html`
    <fieldset data-choice=${name}>
      <legend>${label}</legend>
      <div class="control"><div class="segments">${options.map(([value, words]) => html`
        <label class="segment">
          <input type="radio" ${radioGroup(`choice-${name}`)} value=${value} .checked=${live(value === chosen)} @change=${() => choose(value)}>
          <span>${words}</span>
        </label>`)}
      </div></div>
    </fieldset>`;
}

export interface Group { label: string; options: readonly Option[] }

export function list(name: string, label: string, groups: readonly Group[], chosen: string, choose: Choose): TemplateResult {
  const option = ([value, words]: Option) => html`<option value=${value} .selected=${live(value === chosen)}>${words}</option>`;
  return html`
    <label class="line" data-choice=${name}>
      <span class="name">${label}</span>
      <select @change=${(event: Event) => choose(valueOf(event))}>
        ${groups.map((group) => (group.label ? html`<optgroup label=${group.label}>${group.options.map(option)}</optgroup>` : group.options.map(option)))}
      </select>
    </label>`;
}

export interface Typed {
  placeholder?: string;
  /** What is wrong with it, or what it does. */
  note?: string;
  wrong?: boolean;
  rows?: number;
  mode?: string;
}

export function typed(name: string, label: string, value: string, type: Choose, { placeholder = '', note = '', wrong = false, rows = 0, mode = 'text' }: Typed = {}): TemplateResult {
  const invalid = wrong ? 'true' : 'false';
  const hear = (event: Event) => type(valueOf(event));
  const before = (event: Event) => goesRound(event, type);
  const box = rows > 0
    ? html`<textarea rows=${rows} dir="auto" placeholder=${placeholder} aria-invalid=${invalid} aria-describedby=${`note-${name}`} .value=${live(value)} @beforeinput=${before} @input=${hear}></textarea>`
    : html`<input type="text" inputmode=${mode} dir="auto" autocomplete="off" spellcheck="false" placeholder=${placeholder} aria-invalid=${invalid} aria-describedby=${`note-${name}`} .value=${live(value)} @beforeinput=${before} @input=${hear}>`;
  return html`
    <label class="line" data-choice=${name}><span class="name">${label}</span>${box}</label>
    <p class=${wrong ? 'note problem' : 'note'} id=${`note-${name}`}>${note || nothing}</p>`;
}

export function tick(name: string, label: unknown, checked: boolean, choose: (checked: boolean) => void): TemplateResult {
  return html`
    <label class="tick" data-choice=${name}>
      <input type="checkbox" .checked=${live(checked)} @change=${(event: Event) => choose((event.target as HTMLInputElement).checked)}>
      <span>${label}</span>
    </label>`;
}
