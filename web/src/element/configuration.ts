// A configuration in JSON: keys are attributes' names, and `given` holds matrices. It comes from a child of the element,
// from an address or from a script, and is believed no more than an attribute.
import { msg, str } from '@lit/localize';
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
/** A configuration cannot send for another, and says nothing of where the engine lies. */
const NOT_HERE: ReadonlySet<string> = new Set(['src', 'core-src', 'loading', 'lang']);
const known = (name: string) => !NOT_HERE.has(name) && (attribute(name) !== undefined || SETTINGS.some((setting) => setting.attribute === name));
const short = (name: string) => name.slice(0, 40);

/** The matrices that an element was given last. */
const GIVEN = new WeakMap<HTMLElement, Given>();

/** `over`: also over what attributes say. */
export function configure(element: HTMLElement & { view: string }, store: Store, raw: unknown, over: boolean): void {
  const { values, given, notices } = readConfiguration(raw);
  const properties = element as unknown as Record<string, unknown>;
  const isSaid = (name: string) => element.hasAttribute(name) || Object.entries(OLD_NAMES).some(([old, now]) => now === name && element.hasAttribute(old));
  for (const [name, value] of values) {
    const property = attribute(name)?.property ?? SETTINGS.find((setting) => setting.attribute === name)?.name;
    if (property && (over || !isSaid(name))) properties[property] = name === 'readonly' ? isYes(value) : value;
  }
  if (given && isLab(element.view)) store.notice(() => msg('A lab computes with numbers of its own: what is given is left out.'));
  else if (given && !isSameGiven(given, GIVEN.get(element))) store.assign({ given, source: 'yours' });
  if (given) GIVEN.set(element, given);
  for (const notice of notices) store.notice(notice);
}

function readConfiguration(raw: unknown): Configuration {
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

/** A framework makes the same configuration anew at each rendering. */
function isSameGiven(a: Given, b: Given | undefined): boolean {
  const ids = Object.keys({ ...a, ...b }) as (keyof Given)[];
  return ids.every((id) => {
    const [now, before] = [a[id], b?.[id]];
    return now?.length === before?.length && now?.every((each, i) => each === before?.[i]);
  });
}
