// Reads the fields of links and presets, which are untrusted input; address.ts writes them. Also the link to a lab.
import { type LabName, isLab } from '../state/views.ts';
import { type Field, MAX_LINK_TEXT, wellFormed, writeFields } from './address.ts';

/** Longer addresses are not read. */
export const MOST_ADDRESS = 200_000;

/** A value, or one part of it; null if it cannot be decoded. */
export function decodeText(raw: string): string | null {
  try {
    return decodeURIComponent(wellFormed(raw).replace(/\+/g, '%20'));
  } catch {
    return null;
  }
}

export interface Fields {
  readonly values: Map<string, string>;
  /** Keys whose value cannot be read, and keys given twice, of which the first value counts. */
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

/** The fields of an address that matches `start`; null for any other, or if it is too long. */
export function fieldsIn(hash: string, start = /^v1&/): Map<string, string> | null {
  const raw = hash.replace(/^#/, '');
  return raw.length <= MOST_ADDRESS && start.test(raw) ? readFields(raw.replace(/^v1&/, '')).values : null;
}

/** Leaves out a text that is too long. */
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
