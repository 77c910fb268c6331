// What a lab's knobs are made of. Names of radio groups are the lab's own: several labs may stand on one page.
import { type TemplateResult, html } from 'lit';
import { live } from 'lit/directives/live.js';
import { radioGroup } from '../../views/radio-group.ts';

const textOf = (event: Event): string => (event.target as HTMLInputElement).value;

/** The reader's sentence; it is never changed, only read. */
export function sentenceField(label: unknown, text: string, type: (text: string) => void): TemplateResult {
  return html`
    <label class="lab-field lab-sentence"><span>${label}</span>
      <textarea rows=${text.length > 60 ? 2 : 1} dir="auto" lang="" spellcheck="false" autocomplete="off" autocapitalize="off" .value=${live(text)} @input=${(event: Event) => type(textOf(event))}></textarea>
    </label>
  `;
}

/** A short text: a word, a key. */
export function wordField(label: unknown, text: string, type: (text: string) => void): TemplateResult {
  return html`<label class="lab-field"><span>${label}</span><input class="field" dir="auto" lang="" spellcheck="false" autocomplete="off" .value=${live(text)} @input=${(event: Event) => type(textOf(event))}></label>`;
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
