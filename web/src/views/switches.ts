// The line of switches, each with one line on what it does to the sentence.
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Settings } from '../engine.ts';
import { short } from '../format.ts';
import { D_MODELS, type Effect, type SettingName, divisors, setting } from '../settings.ts';

export interface SwitchesData {
  settings: Settings;
  /** None while there is no sentence to speak of. */
  effect: Effect | null;
  /** What is wrong with a number in a field, and what is used instead. */
  problems: Partial<Record<SettingName, string>>;
  /** Text as typed into a field, kept while it is wrong. */
  drafts: Partial<Record<SettingName, string>>;
  moreOpen: boolean;
}

export interface SwitchesEvents {
  change(wanted: Partial<Settings>): void;
  type(name: SettingName, text: string): void;
  settle(name: SettingName): void;
  more(): void;
}

/** As many segments as still fit beside the other switches. */
const MAX_SEGMENTS = 7;

export function switches(data: SwitchesData, events: SwitchesEvents): TemplateResult {
  const { settings } = data;
  return html`
    <div class="switch-line" role="group" aria-label="Switches">
      ${group('mask', data, segments('mask', [['causal', 'causal'], ['none', 'none']], settings.mask, (mask) => events.change({ mask: mask as Settings['mask'] })))}
      ${group('scale', data, scale(data, events))}
      ${group('heads', data, heads(data, events))}
      ${group('dModel', data, dModel(data, events))}
      ${group('seed', data, seed(data, events))}
      <button class="more" type="button" aria-expanded=${data.moreOpen} @click=${events.more}>${data.moreOpen ? 'Less ▴' : 'More ▾'}</button>
      <div class=${data.moreOpen ? 'more-line open' : 'more-line'}>
        ${group('positions', data, segments('positions', [['sinusoidal', 'sinusoidal'], ['none', 'none']], settings.positions, (positions) => events.change({ positions: positions as Settings['positions'] })))}
        ${group('biases', data, segments('biases', [['on', 'on'], ['off', 'off']], settings.biases ? 'on' : 'off', (biases) => events.change({ biases: biases === 'on' })))}
      </div>
    </div>
  `;
}

function group(name: SettingName, { effect, problems }: SwitchesData, control: TemplateResult): TemplateResult {
  const problem = problems[name];
  const words = problem ?? (effect ? setting(name).effect(effect) : '\u00a0');
  return html`
    <fieldset data-setting=${name} aria-describedby="effect-${name}">
      <legend>${name === 'dModel' ? html`d<sub>model</sub>` : setting(name).label}</legend>
      <div class="control">${control}</div>
      <p class=${problem ? 'effect problem' : 'effect'} id="effect-${name}" role=${problem ? 'status' : nothing}>${words}</p>
    </fieldset>
  `;
}

type Choice = readonly [value: string, label: unknown];

function segment(name: string, [value, label]: Choice, chosen: string, choose: (value: string) => void): TemplateResult {
  return html`
    <label class="segment">
      <input type="radio" name=${name} value=${value} .checked=${live(value === chosen)} @change=${() => choose(value)}>
      <span>${label}</span>
    </label>
  `;
}

function segments(name: string, choices: readonly Choice[], chosen: string, choose: (value: string) => void): TemplateResult {
  return html`<div class="segments">${choices.map((choice) => segment(name, choice, chosen, choose))}</div>`;
}

function scale({ settings, effect, drafts, problems }: SwitchesData, events: SwitchesEvents): TemplateResult {
  const own = settings.scale === 'factor';
  const inUse = effect?.factor ?? settings.scale_factor;
  const choose = (value: string) =>
    // The switch to a factor of one's own starts from the factor in use, so that nothing changes yet.
    events.change(value === 'factor' ? { scale: 'factor', scale_factor: inUse } : { scale: value as Settings['scale'] });
  const text = drafts.scale ?? (own ? String(Number(settings.scale_factor.toPrecision(7))) : effect ? short(inUse) : '');
  return html`
    <div class="segments">
      ${segment('scale', ['sqrt-dk', html`<span>÷ √d<sub>k</sub></span>`], settings.scale, choose)}
      ${segment('scale', ['none', 'none'], settings.scale, choose)}
      ${segment('scale', ['factor', html`<span aria-hidden="true">×</span><span class="unseen">factor</span>`], settings.scale, choose)}
      <input class=${own ? 'field' : 'field idle'} inputmode="decimal" autocomplete="off" spellcheck="false" size="6"
        aria-label="Factor" aria-describedby="effect-scale" aria-invalid=${problems.scale ? 'true' : 'false'}
        .value=${live(text)} @input=${(event: Event) => events.type('scale', (event.target as HTMLInputElement).value)} @change=${() => events.settle('scale')}>
    </div>
  `;
}

function heads({ settings }: SwitchesData, events: SwitchesEvents): TemplateResult {
  const choices = divisors(settings.d_model);
  const chosen = String(settings.num_heads);
  const choose = (value: string) => events.change({ num_heads: Number(value) });
  if (choices.length <= MAX_SEGMENTS) return segments('heads', choices.map((n) => [String(n), n] as const), chosen, choose);
  const at = choices.indexOf(settings.num_heads);
  const step = (by: number, label: string, sign: string) => html`
    <button type="button" class="step-button" aria-label=${label} ?disabled=${choices[at + by] === undefined}
      @click=${() => choose(String(choices[at + by] ?? settings.num_heads))}>${sign}</button>
  `;
  return html`<div class="segments">${step(-1, 'Fewer heads', '◂')}${select('Heads', choices, settings.num_heads, choose)}${step(1, 'More heads', '▸')}</div>`;
}

function dModel({ settings }: SwitchesData, events: SwitchesEvents): TemplateResult {
  const choices = D_MODELS.includes(settings.d_model) ? D_MODELS : [...D_MODELS, settings.d_model].sort((a, b) => a - b);
  return html`<div class="segments">${select('d_model', choices, settings.d_model, (value) => events.change({ d_model: Number(value) }))}</div>`;
}

function select(label: string, choices: readonly number[], chosen: number, choose: (value: string) => void): TemplateResult {
  return html`
    <select aria-label=${label} @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
      ${choices.map((n) => html`<option value=${n} .selected=${live(n === chosen)}>${n}</option>`)}
    </select>
  `;
}

function seed({ settings, drafts, problems }: SwitchesData, events: SwitchesEvents): TemplateResult {
  return html`
    <div class="segments">
      <input class="field" inputmode="numeric" autocomplete="off" size="5" aria-label="Seed" aria-describedby="effect-seed"
        aria-invalid=${problems.seed ? 'true' : 'false'} .value=${live(drafts.seed ?? String(settings.seed))}
        @input=${(event: Event) => events.type('seed', (event.target as HTMLInputElement).value)} @change=${() => events.settle('seed')}>
      <button type="button" class="step-button wide" @click=${() => events.change({ seed: settings.seed + 1 })}>next</button>
    </div>
  `;
}
