// The fields of links and presets, read without trust: address.ts writes them. And the link to a lab.
import { type LabName, isLab } from '../state/views.ts';
import { type Field, MAX_LINK_TEXT, wellFormed, writeFields } from './address.ts';

/** No address is read beyond this. */
export const MOST_ADDRESS = 200_000;

/** A value, or one of its parts; null where it cannot be read. */
export function decodeText(raw: string): string | null {
  try {
    return decodeURIComponent(wellFormed(raw).replace(/\+/g, '%20'));
  } catch {
    return null;
  }
}

export interface Fields {
  readonly values: Map<string, string>;
  /** The keys of those that cannot be read, or that are there twice: the first of them counts. */
  readonly broken: Set<string>;
}

export function readFields(raw: string): Fields {
  const fields: Fields = { values: new Map(), broken: new Set() };
  for (const field of raw.replace(/^#/, '').split('&')) {
    const [, key = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(field) ?? [];
    const text = decodeText(value);
    if (text === null || fields.values.has(key)) fields.broken.add(key);
    else fields.values.set(key, text);
  }
  return fields;
}

export const fieldOf = (raw: string, key: string): string | null => readFields(raw).values.get(key) ?? null;

/** What an address says that begins like this; null for any other, or one that is too long. */
export function fieldsIn(hash: string, start = /^v1&/): Map<string, string> | null {
  const raw = hash.replace(/^#/, '');
  return raw.length <= MOST_ADDRESS && start.test(raw) ? readFields(raw.replace(/^v1&/, '')).values : null;
}

/** The reader's own text is left out where it is too long. */
export const textField = (text: string | null): Field[] => (text !== null && text.length <= MAX_LINK_TEXT ? [['text', text]] : []);
export const readText = (fields: Map<string, string>): string | null => fields.get('text')?.slice(0, MAX_LINK_TEXT) ?? null;

// A lab: `#v1&view=lab-scale&text=…&preset=d%3D64`. What cannot be read is left out.

export interface LabLink { view: LabName; text: string | null; preset: string }

const MOST_PRESET = 2000;

export function writeLabLink({ view, text, preset }: { view: string; text: string; preset: string }): string {
  return `#v1&${writeFields([['view', view], ...textField(text), ...(preset ? [['preset', preset] as const] : [])])}`;
}

export function readLabLink(hash: string): LabLink | null {
  const fields = fieldsIn(hash);
  const view = fields?.get('view') ?? '';
  return fields && isLab(view) ? { view, text: readText(fields), preset: (fields.get('preset') ?? '').slice(0, MOST_PRESET) } : null;
}
