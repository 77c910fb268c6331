// The line of switches: choosing, sliding and typing, and the line under each.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Clamped } from '../../engine/types.ts';
import { short } from '../../text/numbers.ts';
import { DESIGNED_FIELDS, MODEL_FIELDS } from '../../parameters/sources.ts';
import { type Picture, isCross, readOf, weightsRow } from '../../state/result.ts';
import { type Effect, type Group, KNOBS, type Knobs, SETTINGS, type Setting, type SettingName, fieldsOf, parseNumber, setting } from '../../state/settings.ts';
import type { Sentence } from '../../state/state.ts';
import type { Store } from '../../state/store.ts';
import type { Part } from '../../state/views.ts';
import { said } from '../../text/core-sentences.ts';
import { EFFECTS } from '../../text/effects.ts';
import { headNames } from '../../text/sources.ts';
import { headOf } from '../../text/word.ts';
import { withSubs } from '../../text/word.ts';
import { type ControlsData, type ControlsEvents, control } from '../kit/controls.ts';

export class SwitchesPart {
  readonly #fields = new NumberFields();
  /** Whether the switches behind “More” are shown. */
  isMore = false;

  constructor(private readonly store: Store, private readonly update: () => void) {}

  render(parts: ReadonlySet<Part>, isNarrow: boolean): TemplateResult {
    const { picture, knobs } = this.store;
    // Settings made by the parameters do not count as the reader's changes.
    const own = { ...knobs, ...this.store.state.replaced };
    return switches(
      {
        settings: knobs, effect: picture && this.#effect(picture), problems: this.#fields.problems, drafts: this.#fields.drafts,
        isNarrow, isWhole: parts.has('rest'), head: isNarrow && picture ? this.#head(picture) : null, of: kindOf(picture), isLocked: (name) => !this.store.may(name), moreOpen: this.isMore, changed: SETTINGS.filter((each) => each.group !== 'Main' && !isFixed(each, knobs.source, kindOf(picture)) && each.format(own) !== each.format(KNOBS)).length,
      },
      {
        choose: (name, value) => this.#turn(name, value),
        slide: (name, value) => this.#turn(name, value, name),
        type: (name, text) => this.#type(name, text),
        settle: (name) => {
          this.#fields.settle(name);
          this.update();
        },
        more: () => {
          this.isMore = !this.isMore;
          this.update();
        },
      },
    );
  }

  #head(picture: Picture): TemplateResult {
    const { head } = this.store.selection;
    return html`<label class="head-switch"><span>${msg('Head')}</span> <select @change=${(event: Event) => this.store.change({ selection: { head: Number((event.target as HTMLSelectElement).value) } })}>
      ${headNames(picture).map((name, i) => html`<option value=${i} .selected=${live(i === head)}>${name ? `${headOf(picture, i)}: ${name}` : headOf(picture, i)}</option>`)}
    </select></label>`;
  }

  #turn(name: SettingName, value: string, kind = ''): void {
    const wanted = setting(name).parse(value);
    if (!wanted) return;
    this.store.clearNotices();
    this.#fields.clear();
    this.store.change(wanted, { kind });
  }

  #type(name: SettingName, text: string): void {
    const { knobs } = this.store;
    const wanted = this.#fields.type(name, text, {
      settings: knobs,
      words: name === 'scale' ? `× ${short(this.store.picture?.trace.factor ?? knobs.scale_factor)}` : setting(name).format(knobs),
      clamp: (other) => this.store.clamp(other),
    });
    if (wanted) {
      this.store.clearNotices();
      this.store.change(wanted, { kind: name });
    }
    this.update();
  }

  /** Numbers that no line under a switch uses are not computed. */
  #effect(picture: Picture): Effect {
    const { trace, hidden } = picture;
    const { head, query } = this.store.selection;
    return {
      settings: { ...this.store.knobs, ...trace.settings }, layers: readOf(picture)?.reader.configuration.layers ?? 0, shape: trace.shape, factor: trace.factor, hidden, cross: isCross(picture),
      get largest() {
        return Math.max(...weightsRow(picture, head, query));
      },
      get dropped() {
        const kept = trace.head('dropped_weights', head);
        return trace.head('weights', head).reduce((gone, weight, i) => gone + Number(weight !== 0 && kept[i] === 0), 0);
      },
    };
  }
}

// Number fields: the typed text, and its error while it cannot be used.

interface InUse {
  settings: Readonly<Knobs>;
  /** The value in use, as the reader knows it: "× 0.25". */
  words: string;
  clamp(wanted: Knobs): Pick<Clamped, 'notices'>;
}

class NumberFields {
  #problems: Partial<Record<SettingName, Sentence>> = {};
  #drafts: Partial<Record<SettingName, string>> = {};

  get problems(): Partial<Record<SettingName, string>> {
    return Object.fromEntries(Object.entries(this.#problems).map(([name, say]) => [name, say()]));
  }

  /** Text as typed, kept until the field is left: "0." must not turn into "0" under the reader's hands. */
  get drafts(): Partial<Record<SettingName, string>> {
    return this.#drafts;
  }

  clear(): void {
    this.#problems = {};
    this.#drafts = {};
  }

  /** Takes what was typed; returns the settings it asks for, or null when it cannot be used. */
  type(name: SettingName, text: string, inUse: InUse): Partial<Knobs> | null {
    const parsed = parseNumber(text) === null ? null : setting(name).parse(text);
    const problem = problemWith(name, text, parsed, inUse);
    this.#problems = problem === null ? {} : { ...this.#problems, [name]: problem };
    this.#drafts = { ...this.#drafts, [name]: text };
    return problem === null ? parsed : null;
  }

  settle(name: SettingName): void {
    if (!this.#problems[name]) delete this.#drafts[name];
  }
}

function problemWith(name: SettingName, text: string, parsed: Partial<Knobs> | null, inUse: InUse): Sentence | null {
  const { control } = setting(name);
  const whole = !('own' in control) || control.own?.whole !== false;
  const { words } = inUse;
  if (text.trim() === '') return () => (whole ? msg(str`Type a whole number. Still ${words}.`) : msg(str`Type a finite number. Still ${words}.`));
  const typed = text.slice(0, 20);
  if (!parsed) return () => (whole ? msg(str`“${typed}” is not a whole number. Still ${words}.`) : msg(str`“${typed}” is not a finite number. Still ${words}.`));
  // The engine's own rule; what it would use instead is not what stays in use here.
  const [notice] = inUse.clamp({ ...inUse.settings, ...parsed }).notices;
  return notice ? () => msg(str`${said(notice.broken)} Still ${words}.`) : null;
}

// The line of switches, each with one line on what it does to the sentence; the rest behind "More", in groups.

export interface SwitchesData extends ControlsData {
  /** The kind of picture, if the page's own layer is not computed. */
  of: Kind;
  /** Whether there is more than the main ones. */
  isWhole: boolean;
  moreOpen: boolean;
  /** On a phone, where the matrix with its heads is not in view: which of them is shown. */
  head: TemplateResult | null;
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
/** Settings fixed by a design or a model's training. */
const deciding = (fields: readonly string[]) => new Set(SETTINGS.filter((each) => fieldsOf(each).some((field) => fields.includes(field))).map(({ name }) => name));
const DESIGNED = deciding(DESIGNED_FIELDS);
const TRAINED = deciding([...MODEL_FIELDS, 'seed']);
/** Ready weights leave which of them are seen, and how they lie. */
const LEFT: ReadonlySet<string> = new Set<SettingName>(['parameters', 'layer', 'rows']);
type Kind = 'model' | 'ready' | null;
const kindOf = (picture: Picture | null): Kind => (picture?.ready ? 'ready' : picture?.reading ? 'model' : null);
/** Whether the parameters fix the setting. */
function isFixed({ name }: Setting, source: Knobs['source'], of: Kind): boolean {
  if (of === 'ready') return !LEFT.has(name);
  return of === 'model' ? TRAINED.has(name) : source === 'designed' && DESIGNED.has(name);
}
const inGroup = (group: Group) => SETTINGS.filter((each) => each.group === group);

/** `extra` are controls that are not of the table, by the group that they end. */
function switches(data: SwitchesData, events: SwitchesEvents, extra: Partial<Record<Group, unknown>> = {}): TemplateResult {
  const group = (each: Setting) => (each.ofModels && !data.effect?.layers ? nothing : labelled(each, data, events));
  return html`
    <div class="switch-bar">
      <div class="switch-line" role="group" aria-label=${msg('Switches')}>${inGroup('Main').filter(({ ofModels }) => !ofModels).map(group)}</div>
      <div class="more-line">${data.head ?? nothing}${data.isWhole ? html`<button class="more" type="button" aria-expanded=${data.moreOpen} aria-controls="more-switches" @click=${events.more}>
        ${data.moreOpen ? msg('Less ▴') : msg('More ▾')}<span class="effect">${data.changed > 0 ? msg(str`${data.changed} changed`) : '\u00a0'}</span>
      </button>` : nothing}</div>
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

/** @param fixedBy what leaves no choice; null where there is one */
function effectWords({ name }: Setting, effect: Effect, fixedBy: Kind | 'design'): string {
  if (fixedBy === 'ready') return name === 'heads' ? msg(str`the file has ${effect.shape.H}`) : msg('unused: weights are ready');
  const words = EFFECTS[name](effect);
  return fixedBy === null ? words : fixedBy === 'model' ? msg(str`fixed by training: ${words}`) : msg(str`fixed by the design: ${words}`);
}

function labelled(each: Setting, data: SwitchesData, events: ControlsEvents): TemplateResult {
  const { name, label } = each;
  const problem = data.problems[name];
  const fixed = isFixed(each, data.settings.source, data.of);
  const words = problem ?? (data.effect ? effectWords(each, data.effect, fixed ? data.of ?? 'design' : null) : '\u00a0');
  return html`
    <fieldset data-setting=${name} aria-describedby="effect-${name}" ?disabled=${fixed || data.isLocked(each.attribute)}>
      <legend>${withSubs(label())}</legend>
      <div class="control">${control(each, data, events)}</div>
      <p class=${problem ? 'effect problem' : 'effect'} id="effect-${name}" title=${words} role=${problem ? 'status' : nothing}>${withSubs(words)}</p>
    </fieldset>
  `;
}
