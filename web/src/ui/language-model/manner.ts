// How the next word is chosen: the likeliest, or one that is drawn.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { count } from '../../lib/format.ts';
import { parseNumber, parseWhole } from '../../lib/parse.ts';
import type { Manner } from '../../parameters/language-model/writing.ts';
import type { Sentence } from '../../state/state.ts';
import { radioGroup } from '../kit/controls.ts';

type Name = keyof Manner;

interface Field {
  name: Name;
  label(): string;
  effect(value: number): string;
  least: number;
  most: number;
  isWhole: boolean;
}

const FIELDS: readonly Field[] = [
  { name: 'temperature', label: () => msg('temperature'), least: 0.05, most: 10, isWhole: false,
    effect: (value) => (value < 1 ? msg('below 1: likely words become likelier') : value > 1 ? msg('above 1: unlikely words become likelier') : msg('1: as the model has them')) },
  { name: 'topK', label: () => 'top-k', least: 0, most: 1e6, isWhole: true,
    effect: (value) => (value === 0 ? msg('0: all tokens') : msg(str`the ${count(value)} likeliest tokens`)) },
  { name: 'topP', label: () => 'top-p', least: 0.01, most: 1, isWhole: false,
    effect: (value) => (value === 1 ? msg('1: all of these') : msg(str`of these, the fewest likeliest that make up ${value}`)) },
  { name: 'seed', label: () => msg('seed'), least: 0, most: 2 ** 32 - 1, isWhole: true,
    effect: () => msg('the same seed draws the same words') },
];

export class MannerFields {
  isDrawn = false;
  manner: Manner = { temperature: 0.8, topK: 40, topP: 1, seed: 1 };
  #drafts: Partial<Record<Name, string>> = {};
  #problems: Partial<Record<Name, Sentence>> = {};

  constructor(private readonly changed: () => void) {}

  render(): TemplateResult {
    const { temperature, topK, topP, seed } = this.manner;
    const way = (isDrawn: boolean, words: string) => html`
      <label class="segment"><input type="radio" ${radioGroup('manner')} value=${isDrawn ? 'drawn' : 'likeliest'} .checked=${live(this.isDrawn === isDrawn)} @change=${() => this.#choose(isDrawn)}><span>${words}</span></label>`;
    return html`
      <details class="manner">
        <summary>${this.isDrawn ? msg(str`How it chooses: drawn, with temperature ${temperature}, top-k ${topK}, top-p ${topP}, seed ${seed}`) : msg('How it chooses: the likeliest')}</summary>
        <div class="segments" role="radiogroup" aria-label=${msg('How it chooses')}>${way(false, msg('the likeliest'))}${way(true, msg('drawn'))}</div>
        ${this.isDrawn ? html`<div class="manner-fields">${FIELDS.map((field) => this.#field(field))}</div>` : nothing}
      </details>
    `;
  }

  #field(field: Field): TemplateResult {
    const { name, label, effect, isWhole } = field;
    const problem = this.#problems[name];
    return html`
      <label class="manner-field" data-manner=${name}><span>${label()}</span>
        <span class="segments"><input class="field" inputmode=${isWhole ? 'numeric' : 'decimal'} autocomplete="off" spellcheck="false" size="6" aria-label=${label()} aria-describedby="manner-${name}" aria-invalid=${problem ? 'true' : 'false'}
          .value=${live(this.#drafts[name] ?? String(this.manner[name]))} @input=${(event: Event) => this.#type(field, (event.target as HTMLInputElement).value)} @change=${() => this.#settle(name)}></span>
        <span id="manner-${name}" class=${problem ? 'effect problem' : 'effect'}>${problem?.() ?? effect(this.manner[name])}</span>
      </label>
    `;
  }

  #choose(isDrawn: boolean): void {
    this.isDrawn = isDrawn;
    this.changed();
  }

  #type({ name, label, least, most, isWhole }: Field, text: string): void {
    const value = isWhole ? parseWhole(text) : parseNumber(text);
    const now = this.manner[name];
    this.#drafts = { ...this.#drafts, [name]: text };
    if (value !== null && value >= least && value <= most) {
      this.manner = { ...this.manner, [name]: value };
      this.#problems = { ...this.#problems, [name]: undefined };
    } else {
      const range = [count(least), count(most)] as const;
      this.#problems = { ...this.#problems, [name]: () => (isWhole
        ? msg(str`${label()} is a whole number from ${range[0]} to ${range[1]}. Still ${now}.`)
        : msg(str`${label()} is a number from ${range[0]} to ${range[1]}. Still ${now}.`)) };
    }
    this.changed();
  }

  /** "0." must not turn into "0" under the reader's hands, and does so once the field is left. */
  #settle(name: Name): void {
    if (this.#problems[name]) return;
    this.#drafts = { ...this.#drafts, [name]: undefined };
    this.changed();
  }
}
