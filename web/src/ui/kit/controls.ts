// The controls of switches: segments, numbers with or without a slider, lists.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, noChange, nothing } from 'lit';
import { AsyncDirective, type DirectiveParameters, type ElementPart, directive } from 'lit/async-directive.js';
import { live } from 'lit/directives/live.js';
import { shortest } from '../../lib/parse.ts';
import type { Control, Effect, Knobs, OwnNumber, Setting, SettingName } from '../../state/settings.ts';
import { withSubs } from '../../text/word.ts';

export interface ControlsData {
  settings: Readonly<Knobs>;
  /** None if there is no sentence. */
  effect: Effect | null;
  /** The error of a number in a field, and the number used instead. */
  problems: Partial<Record<SettingName, string>>;
  /** Text as typed into a field, kept while it is wrong. */
  drafts: Partial<Record<SettingName, string>>;
  /** Whether the main switches are lists, as where there is room for two side by side. */
  isNarrow?: boolean;
  /** Whether the author of the page has fixed that setting. */
  isLocked(attribute: string): boolean;
}

export interface ControlsEvents {
  /** A value out of a control's own. */
  choose(name: SettingName, value: string): void;
  /** A slider while it moves: one step for undo. */
  slide(name: SettingName, value: string): void;
  type(name: SettingName, text: string): void;
  settle(name: SettingName): void;
}

/** As many segments as still fit beside the other switches. */
const MAX_SEGMENTS = 7;

export function control(setting: Setting, data: ControlsData, events: ControlsEvents): TemplateResult {
  const { control } = setting;
  switch (control.kind) {
    case 'choice': return choice(setting, control, data, events);
    case 'number': return html`<div class="with-slider"><div class="segments">${field(setting, control.own, true, data, events)}</div>${slider(setting, control.own, data, events)}</div>`;
    case 'list': return list(setting, control, data, events);
  }
}

function segment(name: string, value: string, label: unknown, chosen: boolean, choose: () => void, kind: 'named' | 'own' = 'named'): TemplateResult {
  return html`
    <label class="segment ${kind}">
      <input type="radio" ${radioGroup(name)} value=${value} .checked=${live(chosen)} @change=${choose}>
      <span>${label}</span>
    </label>
  `;
}

/** In a list, of a number of one's own. */
const OWN = 'own';

function choice(setting: Setting, { choices, own, segments: most = Infinity }: Extract<Control, { kind: 'choice' }>, data: ControlsData, events: ControlsEvents): TemplateResult {
  const { name } = setting;
  const value = setting.format(data.settings);
  if (choices.length > most) return html`<div class="segments">${select(setting, choices, value, (chosen) => events.choose(name, chosen))}</div>`;
  const isOwn = !choices.some(([id]) => id === value);
  // The switch to a number of one's own starts from the one in use, so that nothing changes yet.
  const start = () => String((data.effect && own?.idle?.(data.effect)) ?? own?.start ?? value);
  const asField = own ? field(setting, own, isOwn, data, events) : nothing;
  if (data.isNarrow && setting.group === 'Main') {
    const offered = own ? [...choices, [OWN, () => `${own.sign ?? '='} …`] as const] : choices;
    return html`<div class="segments">${select(setting, offered, isOwn ? OWN : value, (chosen) => events.choose(name, chosen === OWN ? start() : chosen))}${isOwn ? asField : nothing}</div>`;
  }
  const segments = html`
    <div class="segments">
      ${choices.map(([id, label]) => segment(name, id, html`<span>${withSubs(label())}</span>`, id === value, () => events.choose(name, id)))}
      ${own ? segment(name, own.value ?? 'own', html`<span aria-hidden="true">${own.sign ?? '='}</span><span class="unseen">${own.label?.() ?? msg('a number')}</span>`, isOwn, () => events.choose(name, start()), 'own') : nothing}
      ${asField}
    </div>
  `;
  return own?.slider ? html`<div class="with-slider">${segments}${slider(setting, own, data, events)}</div>` : segments;
}

/** The number in use, also while another choice stands for it. */
function inUse(setting: Setting, own: OwnNumber, { settings, effect }: ControlsData): number | null {
  const value = Number(setting.format(settings));
  const named = setting.control.kind === 'choice' && setting.control.choices.some(([id]) => id === setting.format(settings));
  if (!named && Number.isFinite(value)) return value;
  return effect && own.idle ? own.idle(effect) : null;
}

function field(setting: Setting, own: OwnNumber, active: boolean, data: ControlsData, events: ControlsEvents): TemplateResult {
  const { name, label } = setting;
  const now = inUse(setting, own, data);
  const shown = now === null ? '' : active ? (own.whole ? String(now) : shortest(now)) : String(Number(now.toPrecision(4)));
  return html`
    <input class=${active ? 'field' : 'field idle'} inputmode=${own.whole ? 'numeric' : 'decimal'} autocomplete="off" spellcheck="false" size="5"
      aria-label=${own.label?.() ?? label()} aria-describedby="effect-${name}" aria-invalid=${data.problems[name] ? 'true' : 'false'}
      .value=${live(data.drafts[name] ?? shown)} @input=${(event: Event) => events.type(name, (event.target as HTMLInputElement).value)}
      @change=${() => events.settle(name)}>
    ${own.next
      ? html`<button type="button" class="step-button wide" @click=${() => events.choose(name, String((now ?? 0) + 1))}>${msg('next')}</button>`
      : nothing}
  `;
}

function slider(setting: Setting, own: OwnNumber, data: ControlsData, events: ControlsEvents): TemplateResult | typeof nothing {
  if (!own.slider || !data.effect) return nothing;
  const { min, max, step } = own.slider(data.effect);
  // live() would compare with what the browser makes of a number beyond the ends.
  const value = Math.max(min, Math.min(max, inUse(setting, own, data) ?? max));
  return html`
    <input type="range" class="slider" aria-label=${msg(str`${own.label?.() ?? setting.label()}, slider`)} aria-describedby="effect-${setting.name}" min=${min} max=${max} step=${step}
      .value=${live(String(value))} @input=${(event: Event) => events.slide(setting.name, (event.target as HTMLInputElement).value)}>
  `;
}

function select({ label }: Setting, choices: Extract<Control, { kind: 'choice' }>['choices'], chosen: string, choose: (value: string) => void): TemplateResult {
  return html`
    <select aria-label=${label()} @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
      ${choices.map(([value, words]) => html`<option value=${value} .selected=${live(value === chosen)}>${words().replace('_k', 'ₖ')}</option>`)}
    </select>
  `;
}

function list(setting: Setting, control: Extract<Control, { kind: 'list' }>, { settings, effect, isNarrow = false }: ControlsData, events: ControlsEvents): TemplateResult {
  const { name } = setting;
  const numbers = control.numbers(settings, effect);
  const chosen = setting.format(settings);
  const choose = (value: string) => events.choose(name, value);
  if (control.segments && !isNarrow && numbers.length <= MAX_SEGMENTS) {
    return html`<div class="segments">${numbers.map((n) => segment(name, String(n), n, String(n) === chosen, () => choose(String(n))))}</div>`;
  }
  const offered = select(setting, numbers.map((n) => [String(n), () => String(n)]), chosen, choose);
  if (!control.segments || isNarrow) return html`<div class="segments">${offered}</div>`;
  const at = numbers.indexOf(Number(chosen));
  const step = (by: number, label: string, sign: string) => html`
    <button type="button" class="step-button" aria-label=${label} ?disabled=${numbers[at + by] === undefined}
      @click=${() => choose(String(numbers[at + by] ?? chosen))}>${sign}</button>
  `;
  return html`<div class="segments">${step(-1, msg(str`${setting.label()}, one less`), '◂')}${offered}${step(1, msg(str`${setting.label()}, one more`), '▸')}</div>`;
}

// The name that makes radio buttons one group, taken off before they go: Chromium keeps every radio button that was ever
// removed from a shadow tree while it had a name, and all that hung on it.

class RadioGroup extends AsyncDirective {
  #element: HTMLInputElement | null = null;
  #name = '';

  override render(_name: string): unknown {
    return noChange;
  }

  override update(part: ElementPart, [name]: DirectiveParameters<this>): unknown {
    this.#element = part.element as HTMLInputElement;
    this.#name = name;
    if (this.#element.name !== name) this.#element.name = name;
    return noChange;
  }

  protected override disconnected(): void {
    this.#element?.removeAttribute('name');
  }

  protected override reconnected(): void {
    if (this.#element) this.#element.name = this.#name;
  }
}

export const radioGroup = directive(RadioGroup);
