// The query of embed.html. It is untrusted: names are looked up, and the element checks the values.
import { isOwnAddress } from '../lib/parse.ts';

/** The reader's words would be sent to the server with the query; a fragment stays in the browser. */
const READERS: ReadonlySet<string> = new Set(['text', 'key-text']);
/** Addresses: a stranger's link to this page must not lead to, or load from, another site under its name. */
const ADDRESSES: ReadonlySet<string> = new Set(['playground', 'src', 'core-src']);
const OWN: ReadonlySet<string> = new Set(['resize']);

export interface Query {
  attributes: ReadonlyMap<string, string>;
  /** Left out, since texts belong into the fragment. */
  texts: readonly string[];
  /** Left out, since they lead to another site. */
  foreign: readonly string[];
  /** Whether something is left out, since there is no such attribute. */
  unknown: boolean;
  /** What the page is called in the messages of its height; null where nobody asked for them. */
  resize: string | null;
}

/**
 * @param names the element's attributes
 * @param base this page's address
 */
export function readQuery(search: string, names: ReadonlySet<string>, base: string): Query {
  const given = [...new URLSearchParams(search)].filter(([name]) => name !== '' && !OWN.has(name));
  const isAttribute = ([name]: [string, string]) => names.has(name) && !READERS.has(name);
  const isForeign = ([name, value]: [string, string]) => ADDRESSES.has(name) && !isOwnAddress(value, base);
  const named = (chosen: [string, string][]) => [...new Set(chosen.map(([name]) => name))];
  return {
    attributes: new Map(given.filter((each) => isAttribute(each) && !isForeign(each))),
    foreign: named(given.filter(isForeign)),
    texts: named(given.filter(([name]) => READERS.has(name))),
    unknown: given.some(([name]) => !names.has(name)),
    resize: new URLSearchParams(search).get('resize'),
  };
}

const SET = 'attention-playground:set';

export interface Message {
  /** What the attributes are to be, null for taken away. */
  attributes: readonly [name: string, value: string | null][];
  /** Left out, since they lead to another site: for messages holds what holds for the query. */
  foreign: readonly string[];
}

/** What a message wants; nothing where it is some other message. */
export function readMessage(data: unknown, names: ReadonlySet<string>, base: string): Message {
  const own = (value: unknown, key: string): unknown => (typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined);
  const wanted = own(data, 'type') === SET ? own(data, 'attributes') : null;
  if (typeof wanted !== 'object' || wanted === null) return { attributes: [], foreign: [] };
  const given = Object.entries(wanted)
    .filter(([name, value]) => names.has(name) && (value === null || ['string', 'number', 'boolean'].includes(typeof value)))
    .map(([name, value]): [string, string | null] => [name, value === null ? null : String(value)]);
  const isForeign = ([name, value]: [string, string | null]) => value !== null && ADDRESSES.has(name) && !isOwnAddress(value, base);
  return { attributes: given.filter((each) => !isForeign(each)), foreign: given.filter(isForeign).map(([name]) => name) };
}
