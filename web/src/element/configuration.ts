// A configuration in JSON: keys are attributes' names, and `given` holds matrices. It comes from a child of the element,
// from an address or from a script, and is believed no more than an attribute.
import { msg, str } from '@lit/localize';
import { isOwnAddress } from '../lib/parse.ts';
import { type Given, PASTABLE } from '../parameters/given.ts';
import { SETTINGS } from '../state/settings.ts';
import type { Sentence } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { isLab } from '../state/views.ts';
import { OLD_NAMES, attribute, isYes } from './attributes.ts';

interface Configuration {
  /** By attribute, as texts. */
  values: ReadonlyMap<string, string>;
  given: Given | null;
  notices: readonly Sentence[];
}

const MOST_NUMBERS = 4_000_000;
const MOST_TEXT = 1_000_000;
/** A configuration cannot name another one, or the engine's address. */
const NOT_HERE: ReadonlySet<string> = new Set(['src', 'core-src', 'loading', 'lang']);
const known = (name: string) => !NOT_HERE.has(name) && (attribute(name) !== undefined || SETTINGS.some((setting) => setting.attribute === name));
const short = (name: string) => name.slice(0, 40);

/** The matrices that an element was given last. */
const GIVEN = new WeakMap<HTMLElement, Given>();

/** The child's text, an address, or a value set by a script, which alone overrides attributes. */
export type ConfigurationSource = { child: string } | { src: string } | { value: unknown };

export interface ConfiguredElement extends HTMLElement {
  view: string;
  src: string;
  /** Its figures lead to, and load from, the page's own site alone. */
  readonly isConfined: boolean;
}

/** Reads and applies a configuration; errors are added to the store's notices. `lesson` receives a lesson. */
export async function configure(element: ConfiguredElement, store: Store, source: ConfigurationSource, lesson: (raw: unknown) => void): Promise<void> {
  const read = await valueOf(element, source);
  if (read === null) return;
  if (typeof read === 'function') return store.notice(read);
  if (typeof read.value === 'object' && read.value !== null && 'steps' in read.value) return lesson(read.value);
  const { values, given, notices } = readConfiguration(read.value, element.isConfined ? document.baseURI : null);
  const properties = element as unknown as Record<string, unknown>;
  const isSaid = (name: string) => element.hasAttribute(name) || Object.entries(OLD_NAMES).some(([old, now]) => now === name && element.hasAttribute(old));
  for (const [name, value] of values) {
    const property = attribute(name)?.property ?? SETTINGS.find((setting) => setting.attribute === name)?.name;
    if (property && ('value' in source || !isSaid(name))) properties[property] = name === 'readonly' ? isYes(value) : value;
  }
  if (given && isLab(element.view)) store.notice(() => msg('A lab computes with numbers of its own: what is given is left out.'));
  else if (given && !isSameGiven(given, GIVEN.get(element))) store.change({ given, source: 'yours' }, { by: 'author' });
  if (given) GIVEN.set(element, given);
  for (const notice of notices) store.notice(notice);
}

/** A sentence if it cannot be read; null if the element has another address by now. */
async function valueOf(element: ConfiguredElement, source: ConfigurationSource): Promise<{ value: unknown } | Sentence | null> {
  if ('value' in source) return source;
  if ('child' in source) return parsed(source.child, () => msg('The configuration inside the element is not valid JSON.'));
  const { src } = source;
  try {
    const response = await fetch(new URL(src, document.baseURI), { credentials: 'same-origin' });
    // An address of one's own may lead to another.
    if (!response.ok || (element.isConfined && !isOwnAddress(response.url, document.baseURI))) throw new Error(String(response.status));
    const text = await response.text();
    return src === String(element.src) ? parsed(text, () => msg(str`The configuration at ${src} is not valid JSON.`)) : null;
  } catch {
    return () => msg(str`The configuration at ${src} could not be loaded. Its server must allow this page to read it.`);
  }
}

function parsed(text: string, wrong: Sentence): { value: unknown } | Sentence {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return wrong;
  }
}

/** @param home the page's address, where its figures lead to its own site alone; null where they may lead anywhere */
function readConfiguration(raw: unknown, home: string | null): Configuration {
  const values = new Map<string, string>();
  const notices: Sentence[] = [];
  let given: Given | null = null;
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { values, given, notices: [() => msg('The configuration is not an object, such as {"text": "…", "heads": 4}.')] };
  }
  for (const [name, value] of Object.entries(raw)) {
    if (name === 'given') {
      const read = readGiven(value);
      if (typeof read === 'function') notices.push(read);
      else given = read;
    } else if (!known(name)) {
      notices.push(() => msg(str`The configuration’s “${short(name)}” is not known; it is left out.`));
    } else if (!['string', 'number', 'boolean'].includes(typeof value) || String(value).length > MOST_TEXT) {
      notices.push(() => msg(str`The configuration’s “${short(name)}” is not a text, a number, true or false; it is left out.`));
    } else if (name === 'playground' && home !== null && !isOwnAddress(String(value), home)) {
      notices.push(() => msg('The configuration’s “playground” is left out: it leads to another site. Here it may only lead to a page of this one.'));
    } else {
      values.set(attribute(name)?.attribute ?? name, value === true && SETTINGS.some((setting) => setting.attribute === name) ? 'on' : String(value));
    }
  }
  return { values, given, notices };
}

function readGiven(raw: unknown): Given | Sentence {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return () => msg('The configuration’s “given” is not an object of matrices.');
  const given: Given = {};
  for (const [name, value] of Object.entries(raw)) {
    const id = PASTABLE.find((each) => each === name);
    const numbers = id && flat(value);
    if (!id) return () => msg(str`“${short(name)}” cannot be given; matrices are ${PASTABLE.join(', ')}.`);
    if (!numbers) return () => msg(str`The given ${name} is not made of finite numbers in lists.`);
    given[id] = numbers;
  }
  return given;
}

/** Lists in lists, outermost first, as one run of numbers; null where something else is in them. */
function flat(value: unknown): Float32Array | null {
  if (value instanceof Float32Array) return value.every(Number.isFinite) ? value.slice() : null;
  if (!Array.isArray(value)) return null;
  const numbers = value.flat(3) as unknown[];
  const isFine = numbers.length <= MOST_NUMBERS && numbers.every((each) => typeof each === 'number' && Number.isFinite(each));
  return isFine ? Float32Array.from(numbers as number[]) : null;
}

/** A framework makes the same configuration again at each rendering. */
function isSameGiven(a: Given, b: Given | undefined): boolean {
  const ids = Object.keys({ ...a, ...b }) as (keyof Given)[];
  return ids.every((id) => {
    const [now, before] = [a[id], b?.[id]];
    return now?.length === before?.length && now?.every((each, i) => each === before?.[i]);
  });
}
