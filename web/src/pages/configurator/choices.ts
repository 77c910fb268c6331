// An author's choices for a figure: the attributes that differ from the defaults. And the page's
// address, which holds that and nothing else.
import { msg } from '@lit/localize';
import { ATTRIBUTES, OLD_NAMES } from '../../element/attributes.ts';
import { type Field, MAX_LINK_TEXT, writeFields } from '../../link/address.ts';
import { fieldsIn } from '../../link/fields.ts';
import { DEFAULT_TEXT, KNOBS, type Knobs, SETTINGS } from '../../state/settings.ts';
import type { FigureName, LabName, Task } from '../../state/views.ts';
import { writable } from './escape.ts';

/** Attributes and their values, in the order in which they are written. */
export type Said = Readonly<Record<string, string>>;

export interface Chosen {
  said: Said;
  /** Where the figure is to go: a system of snippets.ts. */
  system: string;
  /** Of the box that the figure is tried in, in CSS pixels. */
  width: number;
  /** Where the author's copy of the files lies. */
  base: string;
  /** What is shown without JavaScript; '' for the sentence that is suggested. */
  fallback: string;
}

export const WIDTHS = { least: 280, most: 1200 } as const;
export const START: Chosen = { said: { view: 'heads', parameters: 'designed' }, system: 'html', width: 680, base: '', fallback: '' };

/** Those that the snippet is written with are chosen elsewhere on the page, or not at all. */
const FIXED = new Set(['core-src']);
/** `src` is a lesson's file; matrices of one's own have a file that the page names itself. */
const BEFORE = ['text', 'key-text', 'view', 'src', 'preset'];
const own = ATTRIBUTES.filter(({ attribute }) => !FIXED.has(attribute));
const names = own.map(({ attribute }) => attribute);
/** What the figure is, how it computes, where one looks, what readers may do. */
export const NAMES: readonly string[] = [...BEFORE, ...SETTINGS.map(({ attribute }) => attribute), ...names.filter((name) => !BEFORE.includes(name))];

const INITIAL: Readonly<Record<string, (said: Said) => string>> = {
  text: () => DEFAULT_TEXT, view: () => 'playground', theme: () => 'auto', loading: () => 'lazy',
  controls: ({ view = 'playground' }) => (view === 'playground' ? 'all' : 'basic'),
  ...Object.fromEntries(SETTINGS.map(({ attribute, format }) => [attribute, () => format(KNOBS)])),
};

/** What holds when nothing is said. */
export const initial = (name: string, said: Said): string => INITIAL[name]?.(said) ?? '';
/** What holds. */
export const value = (name: string, said: Said): string => said[name] ?? initial(name, said);

/** The value as the element reads it, or null. */
function understood(name: string, raw: string): string | null {
  const setting = SETTINGS.find(({ attribute }) => attribute === name);
  if (setting) {
    const parsed = setting.parse(raw);
    return parsed && setting.format({ ...KNOBS, ...parsed });
  }
  if (name === 'readonly') return raw === 'on' ? raw : null;
  // Characters that not every system can write are removed, so that figure, address and snippet agree.
  const text = writable(raw.slice(0, MAX_LINK_TEXT));
  return own.find(({ attribute }) => attribute === name)?.allows(text) ? text : null;
}

/** Only what can be said, and says something new, in order. */
export function tidy(wanted: Said): Said {
  const said: Record<string, string> = {};
  for (const name of NAMES) {
    if (name === 'src' && said['view'] !== 'lesson') continue;
    const raw = Object.hasOwn(wanted, name) ? wanted[name] : undefined;
    const text = raw === undefined ? null : understood(name, raw);
    if (text !== null && text !== initial(name, said)) said[name] = text;
  }
  return said;
}

export const withSaid = (said: Said, more: Said): Said => tidy({ ...said, ...more });

export function knobs(said: Said): Knobs {
  return Object.assign({ ...KNOBS }, ...SETTINGS.map(({ attribute, parse }) => parse(value(attribute, said))));
}

// The address. The words' language of the page itself is `lang` there, as on every page.
const keyOf = (name: string): string => (name === 'lang' ? 'figure-lang' : name);
const ADDRESS = { system: 'system', base: 'files', fallback: 'fallback' } as const;

export function writeChosen(chosen: Chosen): string {
  const parts = NAMES.flatMap((name): Field[] => (name in chosen.said ? [[keyOf(name), chosen.said[name] ?? '']] : []));
  // A figure of which nothing is said is not the one that the page opens with.
  if (!('view' in chosen.said)) parts.unshift(['view', 'playground']);
  for (const [field, key] of Object.entries(ADDRESS)) {
    const text = chosen[field as keyof typeof ADDRESS];
    if (text !== START[field as keyof typeof ADDRESS]) parts.push([key, text]);
  }
  if (chosen.width !== START.width) parts.push(['width', String(chosen.width)]);
  return `#v1&${writeFields(parts)}`;
}

/** Null for an address that says nothing of a figure. What it does not say is as at the start; what cannot be read is left out. */
export function readChosen(hash: string, start = START): Chosen | null {
  const fields = fieldsIn(hash);
  if (!fields || ![...fields.keys()].some((key) => key !== 'lang')) return null;
  for (const [old, name] of Object.entries(OLD_NAMES)) {
    const text = fields.get(old);
    if (text !== undefined && !fields.has(name)) fields.set(name, text);
  }
  const wanted = Object.fromEntries(NAMES.flatMap((name) => {
    const text = fields.get(keyOf(name));
    return text === undefined ? [] : [[name, text]];
  }));
  const texts = Object.fromEntries(Object.entries(ADDRESS).map(([field, key]) => [field, fields.get(key)?.slice(0, MAX_LINK_TEXT) ?? START[field as keyof typeof ADDRESS]]));
  return { ...start, ...texts, said: tidy(wanted), width: widthOf(Number(fields.get('width') ?? start.width)) };
}

export const widthOf = (wanted: number): number => (Number.isFinite(wanted) ? Math.round(Math.max(WIDTHS.least, Math.min(WIDTHS.most, wanted))) : START.width);

// What the choices are called, for the author of a page.

type Words<Name extends string> = Readonly<Record<Name, () => string>>;

export const FIGURE_WORDS: Words<FigureName> = {
  playground: () => msg('Everything'), tokens: () => msg('The words'), arcs: () => msg('Arcs'), heads: () => msg('Heads'),
  matrix: () => msg('One matrix'), cell: () => msg('One number'), pipeline: () => msg('The walk'), stage: () => msg('One row'), model: () => msg('A model'),
};

export const LAB_WORDS: Words<LabName> = {
  training: () => msg('Watch attention learn'),
  'lab-scale': () => msg('Why scores are divided by √d'), 'lab-mask': () => msg('The mask'), 'lab-heads': () => msg('Several heads'),
  'lab-lookup': () => msg('Soft lookup'), 'lab-cost': () => msg('What it costs'), 'lab-order': () => msg('Order'), 'lab-reach': () => msg('Reach'),
  'lab-numbers': () => msg('Worked numbers'), 'lab-quiz': () => msg('Ask yourself'),
};

export const CONTROL_WORDS: Words<'none' | 'basic' | 'all'> = {
  none: () => msg('nothing'), basic: () => msg('the basics'), all: () => msg('everything'),
};

export const TASK_WORDS: Words<Task> = {
  'largest-key': () => msg('Which word does the row look at most?'), 'smallest-key': () => msg('Which word does the row look at least?'),
  'largest-head': () => msg('Which head looks there most?'),
};

export const THEME_WORDS: Words<'auto' | 'light' | 'dark'> = {
  auto: () => msg('as the page around it'), light: () => msg('light'), dark: () => msg('dark'),
};

export const LOADING_WORDS: Words<'lazy' | 'eager'> = {
  lazy: () => msg('when it comes near the screen'), eager: () => msg('at once'),
};

/** The words for a name from a list, or the name. */
export const wordsOf = (words: Readonly<Record<string, () => string>>, name: string): string => (Object.hasOwn(words, name) ? words[name]?.() : undefined) ?? name;
