// The line of switches, each with one line on what it does to the sentence; the rest behind "More", in groups.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { DESIGNED_FIELDS, MODEL_FIELDS } from '../../parameters/sources.ts';
import { type Group, type Knobs, SETTINGS, type Setting, fieldsOf } from '../../state/settings.ts';
import { EFFECTS } from '../../text/effects.ts';
import { withSubs } from '../../text/subscripts.ts';
import { type ControlsData, type ControlsEvents, control } from '../kit/controls.ts';

export interface SwitchesData extends ControlsData {
  /** Whether there is more than the main ones. */
  isWhole: boolean;
  moreOpen: boolean;
  /** How many of the hidden switches are not where they start. */
  changed: number;
}

export interface SwitchesEvents extends ControlsEvents {
  more(): void;
}

const TITLES: Record<Exclude<Group, 'Main'>, () => string> = {
  Attention: () => msg('Attention'), Shape: () => msg('Shape'), Parameters: () => msg('Parameters'), Positions: () => msg('Positions'), View: () => msg('View'),
};
const GROUPS = Object.keys(TITLES) as (keyof typeof TITLES)[];
/** What a design or a model's training decides, and no switch. */
const deciding = (fields: readonly string[]) => new Set(SETTINGS.filter((each) => fieldsOf(each).some((field) => fields.includes(field))).map(({ name }) => name));
const DESIGNED = deciding(DESIGNED_FIELDS);
const TRAINED = deciding([...MODEL_FIELDS, 'seed']);
/** Whether the parameters leave no choice. */
export const isFixed = ({ name }: Setting, source: Knobs['source'], isModel: boolean): boolean => (isModel ? TRAINED.has(name) : source === 'designed' && DESIGNED.has(name));
const inGroup = (group: Group) => SETTINGS.filter((each) => each.group === group);

/** `extra` are controls that are not of the table, by the group that they end. */
export function switches(data: SwitchesData, events: SwitchesEvents, extra: Partial<Record<Group, unknown>> = {}): TemplateResult {
  const group = (each: Setting) => (each.ofModels && !data.effect?.layers ? nothing : labelled(each, data, events));
  return html`
    <div class="switch-bar">
      <div class="switch-line" role="group" aria-label=${msg('Switches')}>${inGroup('Main').filter(({ ofModels }) => !ofModels).map(group)}</div>
      ${data.isWhole ? html`<button class="more" type="button" aria-expanded=${data.moreOpen} aria-controls="more-switches" @click=${events.more}>
        ${data.moreOpen ? msg('Less ▴') : msg('More ▾')}<span class="effect">${data.changed > 0 ? msg(str`${data.changed} changed`) : '\u00a0'}</span>
      </button>` : nothing}
    </div>
    ${data.effect?.layers ? html`<div class="switch-line added" role="group" aria-label=${msg('Switches of the model')}>${inGroup('Main').filter(({ ofModels }) => ofModels).map(group)}</div>` : nothing}
    <div id="more-switches" class="more-groups" ?hidden=${!data.moreOpen}>
      <h2 class="unseen">${msg('All switches')}</h2>
      ${data.moreOpen
        ? GROUPS.map((name) => html`
            <div class="switch-group" role="group" data-group=${name} aria-label=${TITLES[name]()}>
              <h3>${TITLES[name]()}</h3>
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
  const isModel = Boolean(data.effect?.layers);
  const fixed = isFixed(each, data.settings.source, isModel);
  const effect = data.effect ? EFFECTS[name](data.effect) : '\u00a0';
  const words = problem ?? (!data.effect || !fixed ? effect : isModel ? msg(str`fixed by training: ${effect}`) : msg(str`fixed by the design: ${effect}`));
  return html`
    <fieldset data-setting=${name} aria-describedby="effect-${name}" ?disabled=${fixed || data.isLocked(each.attribute)}>
      <legend>${withSubs(label())}</legend>
      <div class="control">${control(each, data, events)}</div>
      <p class=${problem ? 'effect problem' : 'effect'} id="effect-${name}" role=${problem ? 'status' : nothing}>${withSubs(words)}</p>
    </fieldset>
  `;
}
