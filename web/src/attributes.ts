// What an author can say of the element besides the settings, once: names, values and rules of attributes, properties,
// the configuration's keys and the query of embed.html. English here is for tools and manuals; readers see `rule`.
import { msg, str } from '@lit/localize';
import { readArray } from './walk-link.ts';
import { SETTINGS } from './settings.ts';
import { VIEWS } from './view-names.ts';

export type Control = 'none' | 'basic' | 'all';

export interface Attribute {
  attribute: string;
  property: string;
  /** As TypeScript writes it. */
  type: string;
  /** What it can be, where that is a list. */
  values?: readonly string[];
  /** What holds when it is not said. */
  initial: string;
  about: string;
  /** Whether a text stands for something. */
  allows(value: string): boolean;
  /** Said when it does not. */
  rule(): string;
}

const MOST_PLACE = 1e6;
const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const quoted = (values: readonly string[]) => values.map((value) => `“${value}”`).join(', ');
const anything = { allows: () => true, rule: () => '' };

function text(attribute: string, initial: string, about: string): Attribute {
  return { attribute, property: camel(attribute), type: 'string', initial, about, ...anything };
}

function one(attribute: string, values: readonly string[], initial: string, about: string): Attribute {
  return {
    attribute, property: camel(attribute), type: values.map((value) => `'${value}'`).join(' | '), values, initial, about,
    allows: (value) => values.includes(value), rule: () => msg(str`one of ${quoted(values)}`),
  };
}

function place(attribute: string, about: string): Attribute {
  return {
    attribute, property: camel(attribute), type: 'number', initial: '', about,
    allows: (value) => /^[1-9]\d{0,6}$/.test(value) && Number(value) < MOST_PLACE, rule: () => msg('a whole number from 1'),
  };
}

const isSetting = (name: string) => name === 'text' || SETTINGS.some(({ attribute }) => attribute === name);
export const lockedNames = (value: string): string[] => value.split(/[\s,]+/).filter(Boolean);

/** Questions that the reader answers before the numbers are shown. */
export const TASKS = ['largest-key', 'smallest-key', 'largest-head'] as const;
export type Task = (typeof TASKS)[number];

export const ATTRIBUTES: readonly Attribute[] = [
  text('text', 'a sentence of eleven words', 'The sentence. The reader may type another.'),
  text('key-text', '', 'A second sentence that keys and values come from (cross-attention).'),
  one('view', VIEWS, 'playground', 'What is shown: everything, one figure alone, or a lab.'),
  text('preset', '', 'Of a lab: its own controls, as in "d=64&pairs=2000".'),
  { ...text('step', 'weights', 'The stage that the walk opens at, and that view="matrix" shows: scores, scaled_scores, masked_scores, weights, context, output or any other.'), allows: (value) => value === '' || readArray(value) !== null, rule: () => msg('the name of a stage, such as “scaled_scores”') },
  place('head', 'The head that is looked at, from 1.'),
  place('row', 'The word that looks, from 1.'),
  place('key', 'The word that is looked at, from 1.'),
  one('controls', ['none', 'basic', 'all'], 'all in the playground, else basic', 'What the reader may turn: nothing, the sentence and the main settings, or everything.'),
  { ...text('readonly', 'off', 'Nothing can be changed; cells can be looked at.'), type: 'boolean' },
  { ...text('locked', '', 'Settings that are shown and cannot be changed: their attributes, and “text”, with spaces between.'), allows: (value) => lockedNames(value).every(isSetting), rule: () => msg('names of settings, with spaces between') },
  one('task', ['', ...TASKS], '', 'A question that the reader answers before the numbers are shown.'),
  text('playground', '', 'Address of the playground’s page, for the link that opens this state there; without it there is no link.'),
  one('theme', ['auto', 'light', 'dark'], 'auto', 'auto follows the page around the element, or else the system.'),
  text('lang', 'the page’s own', 'Language of the words around the figure: en, es, zh-Hans.'),
  one('loading', ['lazy', 'eager'], 'lazy', 'lazy starts the engine when the element comes near the screen.'),
  text('src', '', 'Address of a JSON file that holds a configuration.'),
  text('core-src', '', 'Where attention.wasm lies, when not beside the script; the single file has it inside.'),
];

export const attribute = (name: string): Attribute | undefined => ATTRIBUTES.find((each) => each.attribute === name);
