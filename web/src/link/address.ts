// The grammar of every link and preset: `#v1&text=the+cat&row=3`. Fields are joined by `&`, a key and its value by `=`, the parts
// of a value by `,`, `:` or `.`. Here is how they are written, and mask cells, which attributes hold, too; fields.ts reads them.
import type { MaskEdit } from '../engine/engine.ts';
import { parseWhole } from '../lib/parse.ts';

/** Browsers and chat programs cut longer addresses. */
export const MAX_LINK_TEXT = 20_000;
const MAX_MASK_EDITS = 4000;
const MAX_PLACE = 4096;

/** Replaces halves of surrogate pairs, which an address cannot hold. */
export const wellFormed = (text: string): string => text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');

/** One part of a value; escapes the signs that separate parts. */
export const encodePart = (text: string): string => encodeURIComponent(wellFormed(text));

/** A value as it stands in an address: a space is `+`; `,` and `:` stay. */
export const encodeText = (text: string): string => encodePart(text).replace(/%20/g, '+').replace(/%2C/g, ',').replace(/%3A/g, ':');

/** A null value writes the key alone. */
export type Field = readonly [key: string, value: string | null];

export const writeFields = (fields: Iterable<Field>): string => [...fields].map(([key, value]) => (value === null ? key : `${key}=${encodeText(value)}`)).join('&');

/** The link or preset with this value, or without the key when it is null; other fields are not changed. */
export function withField(raw: string, key: string, value: string | null): string {
  const others = raw.split('&').filter((field) => field !== '' && field.split('=', 1)[0] !== key);
  return [...others, ...(value === null ? [] : [writeFields([[key, value]])])].join('&');
}

/** From 1 in a link, as on screen. */
export function place(raw: string | undefined): number | null {
  const value = raw !== undefined && /^\d{1,5}$/.test(raw) ? parseWhole(raw) : null;
  return value !== null && value >= 1 && value <= MAX_PLACE ? value - 1 : null;
}

/** All parts read, or null when one of them cannot be. */
export function all<T>(raw: string, most: number, read: (part: string) => T | null): T[] | null {
  const parts = raw.split(',');
  if (parts.length > most) return null;
  const found = parts.map(read);
  return found.every((part): part is NonNullable<typeof part> => part !== null) ? (found as T[]) : null;
}

/** "3.5,4.2": 3 and 5, 4 and 2. */
export function pairs<T>(raw: string, most: number, as: (first: number, second: number) => T): T[] | null {
  return all(raw, most, (part) => {
    const [first, second, ...more] = part.split('.').map(place);
    return first == null || second == null || more.length > 0 ? null : as(first, second);
  });
}

/** "3.5,4.2": query 3 and key 5, query 4 and key 2. */
export const encodeMask = (edits: readonly MaskEdit[]): string => edits.slice(0, MAX_MASK_EDITS).map(({ query, key }) => `${query + 1}.${key + 1}`).join(',');

export const decodeMask = (raw: string): MaskEdit[] | null => pairs(raw, MAX_MASK_EDITS, (query, key) => ({ query, key }));
