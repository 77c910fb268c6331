// The table of attributes that are not settings: names, values and rules of attributes, properties,
// the configuration's keys and the query of embed.html.
import { msg, str } from '@lit/localize';
import { readArray } from '../engine/stages.ts';
import { decodeMask } from '../link/address.ts';
import { SETTINGS } from '../state/settings.ts';
import { LESSONS, TASKS, VIEWS } from '../state/views.ts';

export type Control = 'none' | 'basic' | 'all';

export interface Attribute {
  attribute: string;
  property: string;
  /** As TypeScript writes it. */
  type: string;
  /** What it can be, where that is a list. */
  values?: readonly string[];
  /** The default. */
  initial: string;
  /** Whether a text is a valid value. */
  allows(value: string): boolean;
  /** The notice for an invalid value. */
  rule(): string;
}

const MOST_PLACE = 1e6;
const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const quoted = (values: readonly string[]) => values.map((value) => `“${value}”`).join(', ');
const anything = { allows: () => true, rule: () => '' };

function text(attribute: string, initial: string): Attribute {
  return { attribute, property: camel(attribute), type: 'string', initial, ...anything };
}

function one(attribute: string, values: readonly string[], initial: string): Attribute {
  return {
    attribute, property: camel(attribute), type: values.map((value) => `'${value}'`).join(' | '), values, initial,
    allows: (value) => values.includes(value), rule: () => msg(str`one of ${quoted(values)}`),
  };
}

function place(attribute: string): Attribute {
  return {
    attribute, property: camel(attribute), type: 'number', initial: '',
    allows: (value) => /^[1-9]\d{0,6}$/.test(value) && Number(value) < MOST_PLACE, rule: () => msg('a whole number from 1'),
  };
}

const isSetting = (name: string) => name === 'text' || SETTINGS.some(({ attribute }) => attribute === name);
/** A property as React and others set it: the string of an attribute. */
export const isYes = (value: unknown): boolean => value === true || (typeof value === 'string' && !['false', 'off', 'no'].includes(value));
export const lockedNames = (value: string): string[] => value.split(/[\s,]+/).filter(Boolean);

export const ATTRIBUTES: readonly Attribute[] = [
  text('text', 'a sentence of eleven words'),
  text('key-text', ''),
  one('view', VIEWS, 'playground'),
  text('preset', ''),
  one('lesson', LESSONS, 'look_back'),
  { ...text('at-step', ''), type: 'number', allows: (value) => /^\d{1,6}$/.test(value), rule: () => msg('a whole number from 0') },
  { ...text('step', 'weights'), allows: (value) => value === '' || readArray(value) !== null, rule: () => msg('the name of a stage, such as “scaled_scores”') },
  place('head'),
  place('row'),
  place('column'),
  { ...text('mask-cells', ''), allows: (value) => decodeMask(value) !== null, rule: () => msg('cells as “3.5,4.2”: row and key from 1') },
  one('controls', ['none', 'basic', 'all'], 'all in the playground, else basic'),
  { ...text('readonly', 'false'), type: 'boolean' },
  { ...text('locked', ''), allows: (value) => lockedNames(value).every(isSetting), rule: () => msg('names of settings, with spaces between') },
  one('task', ['', ...TASKS], ''),
  text('playground', ''),
  one('theme', ['auto', 'light', 'dark'], 'auto'),
  text('lang', 'the page’s own'),
  one('loading', ['lazy', 'eager'], 'lazy'),
  text('replay', ''),
  text('src', ''),
  text('core-src', ''),
];

/** Former names, which still work in HTML, JSON and addresses. React and Vue reserve `key`, so it never reaches an element. */
export const OLD_NAMES: Readonly<Record<string, string>> = { key: 'column' };

export const attribute = (name: string): Attribute | undefined => ATTRIBUTES.find((each) => each.attribute === (OLD_NAMES[name] ?? name));
