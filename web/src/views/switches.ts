// The line of switches, each with one line on what it does to the sentence; the rest behind "More", in groups.
import { type TemplateResult, html, nothing } from 'lit';
import { DESIGNED_FIELDS } from '../designer.ts';
import { type Group, SETTINGS, type Setting, fieldsOf } from '../settings.ts';
import { type ControlsData, type ControlsEvents, control, withSubs } from './controls.ts';

export interface SwitchesData extends ControlsData {
  moreOpen: boolean;
  /** How many of the hidden switches are not where they start. */
  changed: number;
}

export interface SwitchesEvents extends ControlsEvents {
  more(): void;
}

const GROUPS: readonly Exclude<Group, 'Main'>[] = ['Attention', 'Shape', 'Parameters', 'Positions', 'View'];
/** What a design decides, and no switch. */
const DESIGNED = new Set(SETTINGS.filter((each) => fieldsOf(each).some((field) => (DESIGNED_FIELDS as readonly string[]).includes(field))).map(({ name }) => name));
const inGroup = (group: Group) => SETTINGS.filter((each) => each.group === group);

/** `extra` are controls that are not of the table, by the group that they end. */
export function switches(data: SwitchesData, events: SwitchesEvents, extra: Partial<Record<Group, unknown>> = {}): TemplateResult {
  const group = (each: Setting) => labelled(each, data, events);
  return html`
    <div class="switch-bar">
      <div class="switch-line" role="group" aria-label="Switches">${inGroup('Main').map(group)}</div>
      <button class="more" type="button" aria-expanded=${data.moreOpen} aria-controls="more-switches" @click=${events.more}>
        ${data.moreOpen ? 'Less ▴' : 'More ▾'}<span class="effect">${data.changed > 0 ? `${data.changed} changed` : '\u00a0'}</span>
      </button>
    </div>
    <div id="more-switches" class="more-groups" ?hidden=${!data.moreOpen}>
      ${data.moreOpen
        ? GROUPS.map((name) => html`
            <div class="switch-group" role="group" aria-label=${name}>
              <h3>${name}</h3>
              <div class="switch-group-line">${inGroup(name).map(group)}${extra[name] ?? nothing}</div>
            </div>
          `)
        : nothing}
    </div>
  `;
}

function labelled(each: Setting, data: ControlsData, events: ControlsEvents): TemplateResult {
  const { name, label } = each;
  const problem = data.problems[name];
  const fixed = data.settings.source === 'designed' && DESIGNED.has(name);
  const words = problem ?? (data.effect ? `${fixed ? 'fixed by the design: ' : ''}${each.effect(data.effect)}` : '\u00a0');
  return html`
    <fieldset data-setting=${name} aria-describedby="effect-${name}" ?disabled=${fixed}>
      <legend>${withSubs(label)}</legend>
      <div class="control">${control(each, data, events)}</div>
      <p class=${problem ? 'effect problem' : 'effect'} id="effect-${name}" role=${problem ? 'status' : nothing}>${withSubs(words)}</p>
    </fieldset>
  `;
}
