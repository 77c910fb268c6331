// The table of all settings: the names of their attributes, properties, links and controls, and how they are read and written.
import { msg, str } from '@lit/localize';
import { DEFAULTS } from '../engine/defaults.ts';
import type { Settings, Shape } from '../engine/engine.ts';
import { MASKS, MASK_IDS, MASK_NUMBERS, type MaskNumberName } from '../engine/masks.ts';
import { listed } from '../lib/format.ts';
import { divisors, oneOf, parseNumber, parseWhole, parseYesNo, shortest } from '../lib/parse.ts';
import type { Source } from '../parameters/sources.ts';

export { parseNumber };

export const DEFAULT_TEXT = "the animal didn't cross the street because it was too tired";

/** Settings of the page alone, which the engine does not know. */
interface PageKnobs {
  /** Where the parameters come from. */
  source: Source;
  /** Whether the rows of a matrix are queries or keys. */
  rows: 'queries' | 'keys';
  /** Of a language model: the layer that is looked at, from 1; and whether switches act there alone. */
  layer: number;
  actsOn: 'every' | 'this';
}

export const PAGE_KNOBS: Readonly<PageKnobs> = { source: 'random', rows: 'queries', layer: 1, actsOn: 'every' };

/** Everything that switches set. */
export interface Knobs extends Settings, PageKnobs {}

export const KNOBS: Readonly<Knobs> = { ...DEFAULTS, ...PAGE_KNOBS };

/** The effect of the settings on the current sentence: the lines under the switches are made from it. */
export interface Effect {
  settings: Readonly<Knobs>;
  shape: Shape;
  factor: number;
  /** Cells of one head that the mask hides. */
  hidden: number;
  /** Whether keys come from a second sentence. */
  cross: boolean;
  /** The largest weight of the selected row. */
  largest: number;
  /** Of the selected head: weights that dropout set to 0. Counted when asked for. */
  dropped: number;
  /** Of a language model; 0 without one. */
  layers: number;
}

/** A function, because the page's language can change. */
export type Label = () => string;

export type Group = 'Main' | 'Attention' | 'Shape' | 'Parameters' | 'Positions' | 'View';

/** A number that is typed, perhaps also with a slider. */
export interface OwnNumber {
  whole: boolean;
  /** The field's label, if it is not the setting's. */
  label?: Label;
  slider?(effect: Effect): { min: number; max: number; step: number };
  /** The value of the segment before the field, where a number is one choice among others; and its sign. */
  value?: string;
  sign?: string;
  /** The number in the field while another choice is in use; choosing a number starts from it. */
  idle?(effect: Effect): number;
  /** What it starts from if that field is empty. */
  start?: number;
  /** A button for the number after this one. */
  next?: true;
}

export type Control =
  /** More choices than `segments` become a list. */
  | { kind: 'choice'; choices: readonly (readonly [value: string, label: Label])[]; own?: OwnNumber; segments?: number }
  | { kind: 'number'; own: OwnNumber }
  | { kind: 'list'; numbers(settings: Settings, effect: Effect | null): readonly number[]; segments?: true };

export interface Setting<Name extends string = SettingName> {
  name: Name;
  attribute: string;
  key: string;
  label: Label;
  group: Group;
  control: Control;
  rule: Label;
  parse(raw: string): Partial<Knobs> | null;
  format(knobs: Readonly<Knobs>): string;
  /** Only while a language model reads. */
  ofModels?: true;
}

const none = () => msg('none');
const off = () => msg('off');

type Frame<Name extends string> = Pick<Setting<Name>, 'name' | 'label' | 'group'>;

/** windowBefore → window-before; a link's key is the attribute's name. */
function named<const Name extends string>({ name, label, group }: Frame<Name>, rule: (attribute: string) => string): Omit<Setting<Name>, 'control' | 'parse' | 'format'> {
  const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return { name, attribute, key: attribute, label, group, rule: () => rule(attribute) };
}

type Words = { [K in keyof Knobs]: Knobs[K] extends string ? K : never }[keyof Knobs];
type Numbers = { [K in keyof Knobs]: Knobs[K] extends number ? K : never }[keyof Knobs];
type Flags = { [K in keyof Knobs]: Knobs[K] extends boolean ? K : never }[keyof Knobs];

function choice<const Name extends string, F extends Words>(frame: Frame<Name>, field: F, choices: readonly (readonly [Knobs[F] & string, Label])[], segments?: number): Setting<Name> {
  const ids = choices.map(([id]) => id);
  const quoted = () => listed(ids.map((id) => `“${id}”`)).join('');
  return {
    ...named(frame, (attribute) => msg(str`${attribute} is one of ${quoted()}`)),
    control: { kind: 'choice', choices, ...(segments !== undefined && { segments }) },
    parse: (raw) => {
      const id = oneOf(raw, ids);
      return id && { [field]: id };
    },
    format: (knobs) => knobs[field],
  };
}

/** `zero` names what 0 means, where it is not a number like others. */
function number<const Name extends string>(frame: Frame<Name>, field: Numbers, own: OwnNumber, zero?: Label): Setting<Name> {
  const parse = own.whole ? parseWhole : parseNumber;
  return {
    ...named(frame, (attribute) => (own.whole ? msg(str`${attribute} is a whole number`) : msg(str`${attribute} is a finite number`))),
    control: zero === undefined ? { kind: 'number', own } : { kind: 'choice', choices: [['0', zero]], own: { value: 'own', ...own } },
    parse: (raw) => {
      const value = parse(raw);
      return value === null ? null : { [field]: value };
    },
    format: (knobs) => (own.whole ? String(knobs[field]) : shortest(knobs[field])),
  };
}

function onOff<const Name extends string>(frame: Frame<Name>, field: Flags): Setting<Name> {
  const about = named(frame, (attribute) => msg(str`${attribute} is “on” or “off”`));
  return {
    ...about,
    control: { kind: 'choice', choices: [['on', () => msg('on')], ['off', off]] },
    parse: (raw) => {
      const value = parseYesNo(raw, about.attribute);
      return value === null ? null : { [field]: value };
    },
    format: (knobs) => (knobs[field] ? 'on' : 'off'),
  };
}

function list<const Name extends string>(frame: Frame<Name>, field: Numbers, control: Omit<Extract<Control, { kind: 'list' }>, 'kind'>): Setting<Name> {
  return { ...number(frame, field, { whole: true }), control: { kind: 'list', ...control } };
}

const D_MODELS: readonly number[] = [8, 16, 32, 64, 128, 256, 512];
const dModels = ({ d_model }: Settings) => (D_MODELS.includes(d_model) ? D_MODELS : [...D_MODELS, d_model].sort((a, b) => a - b));
/** With widths of their own, heads need not divide d_model. */
const headCounts = ({ d_model, d_k, d_v }: Settings) =>
  d_k > 0 && d_v > 0 ? Array.from({ length: d_model }, (_, i) => i + 1) : divisors(d_model);

const fullRank = ({ settings, shape }: Effect) => Math.min(shape.D, (settings.num_kv_heads || shape.H) * shape.d_v);

const headWidth = () => msg('d_model ÷ heads');

const scale: Setting<'scale'> = {
  ...named({ name: 'scale', label: () => msg('Scale'), group: 'Main' }, (attribute) => msg(str`${attribute} is “sqrt-dk”, “none” or a finite number`)),
  control: {
    kind: 'choice',
    choices: [['sqrt-dk', () => '÷ √d_k'], ['none', none]],
    own: { whole: false, label: () => msg('Factor'), value: 'factor', sign: '×', slider: () => ({ min: 0, max: 2, step: 0.01 }), idle: ({ factor }) => factor },
  },
  parse(raw) {
    const word = oneOf(raw, ['sqrt-dk', 'none'] as const);
    if (word) return { scale: word };
    const scale_factor = parseNumber(raw);
    // −0 would change the signs of zeros, and links cannot write it.
    return scale_factor === null ? null : { scale: 'factor', scale_factor: Math.fround(scale_factor) ? scale_factor : 0 };
  },
  format: (knobs) => (knobs.scale === 'factor' ? shortest(knobs.scale_factor) : knobs.scale),
};

/** As many segments as fit beside the other main switches. */
const MASK_SEGMENTS = 4;

const TABLE = [
  choice({ name: 'mask', label: () => msg('Mask'), group: 'Main' }, 'mask', MASK_IDS.map((id) => [id, MASKS[id].label]), MASK_SEGMENTS),
  scale,
  list({ name: 'heads', label: () => msg('Heads'), group: 'Main' }, 'num_heads', { numbers: headCounts, segments: true }),
  choice({ name: 'parameters', label: () => msg('Parameters'), group: 'Main' }, 'source', [['random', () => msg('random')], ['designed', () => msg('designed')], ['trained', () => msg('trained')], ['trained-here', () => msg('trained here', { id: 'source-trained-here' })], ['yours', () => msg('yours')]]),
  { ...list({ name: 'layer', label: () => msg('Layer'), group: 'Main' }, 'layer', { numbers: (_, effect) => Array.from({ length: effect?.layers ?? 0 }, (_, i) => i + 1), segments: true }), ofModels: true },
  { ...choice({ name: 'actsOn', label: () => msg('Mask and scale act on'), group: 'Main' }, 'actsOn', [['every', () => msg('every layer')], ['this', () => msg('this layer')]]), ofModels: true },

  ...MASK_NUMBERS.map(({ name, label, field }) => number<MaskNumberName>({ name, label, group: 'Attention' }, field, { whole: true })),
  number({ name: 'temperature', label: () => msg('Temperature'), group: 'Attention' }, 'temperature', { whole: false, slider: () => ({ min: 0, max: 4, step: 0.05 }) }),
  number({ name: 'softcap', label: () => msg('Softcap'), group: 'Attention' }, 'softcap', { whole: false, start: 5 }, off),
  number({ name: 'dropout', label: () => msg('Dropout'), group: 'Attention' }, 'dropout', { whole: false, slider: () => ({ min: 0, max: 0.95, step: 0.05 }) }),
  number({ name: 'dropoutSeed', label: () => msg('Dropout seed'), group: 'Attention' }, 'dropout_seed', { whole: true, next: true }),

  list({ name: 'dModel', label: () => 'd_model', group: 'Shape' }, 'd_model', { numbers: dModels }),
  number({ name: 'keyHeads', label: () => msg('Key heads'), group: 'Shape' }, 'num_kv_heads', { whole: true, idle: ({ shape }) => shape.H }, () => msg('as heads')),
  number({ name: 'dK', label: () => 'd_k', group: 'Shape' }, 'd_k', { whole: true, idle: ({ shape }) => shape.d_k }, headWidth),
  number({ name: 'dV', label: () => 'd_v', group: 'Shape' }, 'd_v', { whole: true, idle: ({ shape }) => shape.d_v }, headWidth),
  number(
    { name: 'valueRank', label: () => msg('Rank of W_V'), group: 'Shape' }, 'value_rank',
    { whole: true, slider: (effect) => ({ min: 1, max: fullRank(effect), step: 1 }), idle: fullRank }, () => msg('full'),
  ),

  number({ name: 'seed', label: () => msg('Seed'), group: 'Parameters' }, 'seed', { whole: true, next: true }),
  onOff({ name: 'biases', label: () => msg('Biases'), group: 'Parameters' }, 'biases'),
  choice({ name: 'tie', label: () => msg('Tie'), group: 'Parameters' }, 'tie', [['none', none], ['qk', () => 'W_Q = W_K'], ['qkv', () => 'W_Q = W_K = W_V']]),
  onOff({ name: 'outProj', label: () => 'W_O', group: 'Parameters' }, 'out_proj'),
  onOff({ name: 'residual', label: () => msg('Residual'), group: 'Parameters' }, 'residual'),

  choice(
    { name: 'positions', label: () => msg('Positions'), group: 'Positions' }, 'positions',
    [['sinusoidal', () => msg('sinusoidal')], ['learned', () => msg('random table')], ['rope', () => 'RoPE'], ['alibi', () => 'ALiBi'], ['none', none]],
  ),
  choice({ name: 'rows', label: () => msg('Rows are'), group: 'View' }, 'rows', [['queries', () => msg('queries')], ['keys', () => msg('keys')]]),
] as const;

export type SettingName = (typeof TABLE)[number]['name'];
export const SETTINGS: readonly Setting[] = TABLE;

/** Which fields a setting sets. */
export const fieldsOf = ({ parse, format }: Pick<Setting, 'parse' | 'format'>): string[] => Object.keys(parse(format(KNOBS)) ?? {});

const BY_NAME = new Map(SETTINGS.map((each) => [each.name, each]));

export function setting(name: SettingName): Setting {
  return BY_NAME.get(name) as Setting;
}
