// What attributes hold as links do: texts and mask cells. And the link to a lab as it is set. Read without trust.
import type { MaskEdit } from '../engine/engine.ts';
import { parseWhole } from '../lib/parse.ts';
import { type LabName, isLab } from '../state/views.ts';

/** Longer texts make addresses that browsers and chat windows cut. */
export const MAX_LINK_TEXT = 20_000;
/** No address is read beyond this. */
export const MOST_ADDRESS = 200_000;
const MAX_MASK_EDITS = 4000;
const MAX_PLACE = 4096;

/** Half an emoji has no place in an address. */
export const wellFormed = (text: string): string => text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');

/** As it stands in an address. */
export const encodeText = (text: string): string => encodeURIComponent(wellFormed(text)).replace(/%20/g, '+');

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
export function encodeMask(edits: readonly MaskEdit[]): string {
  return edits.slice(0, MAX_MASK_EDITS).map(({ query, key }) => `${query + 1}.${key + 1}`).join(',');
}

export function decodeMask(raw: string): MaskEdit[] | null {
  return pairs(raw, MAX_MASK_EDITS, (query, key) => ({ query, key }));
}

/** What an address says that begins like this; null for any other, or one that is too long. */
export function fieldsIn(hash: string, start = /^v1&/): URLSearchParams | null {
  const raw = hash.replace(/^#/, '');
  return raw.length <= MOST_ADDRESS && start.test(raw) ? new URLSearchParams(raw.replace(/^v1&/, '')) : null;
}

/** The reader's own text, in `&text=`: left out where it is too long. */
export const writeText = (text: string): string => (text.length <= MAX_LINK_TEXT ? `&text=${encodeText(text)}` : '');
export const readText = (fields: URLSearchParams): string | null => fields.get('text')?.slice(0, MAX_LINK_TEXT) ?? null;

// A lab: `#v1&view=lab-scale&text=…&preset=d%3D64`. What cannot be read is left out.

export interface LabLink { view: LabName; text: string | null; preset: string }

const MOST_PRESET = 2000;

export function writeLabLink({ view, text, preset }: { view: string; text: string; preset: string }): string {
  return `#v1&view=${view}${writeText(text)}${preset ? `&preset=${encodeURIComponent(preset)}` : ''}`;
}

export function readLabLink(hash: string): LabLink | null {
  const fields = fieldsIn(hash);
  const view = fields?.get('view') ?? '';
  return fields && isLab(view) ? { view, text: readText(fields), preset: (fields.get('preset') ?? '').slice(0, MOST_PRESET) } : null;
}
