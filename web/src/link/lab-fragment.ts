// A link to a lab as it is set: `#v1&view=lab-scale&text=…&preset=d%3D64`. What cannot be read is left out.
import { type LabName, isLab } from '../state/views.ts';
import { MAX_LINK_TEXT, wellFormed } from './codecs.ts';

export interface LabLink { view: LabName; text: string | null; preset: string }

const MOST_PRESET = 2000;

export function writeLabLink({ view, text, preset }: { view: string; text: string; preset: string }): string {
  const fits = text.length <= MAX_LINK_TEXT;
  return `#v1&view=${view}${fits ? `&text=${encodeURIComponent(wellFormed(text)).replace(/%20/g, '+')}` : ''}${preset ? `&preset=${encodeURIComponent(preset)}` : ''}`;
}

export function readLabLink(hash: string): LabLink | null {
  const raw = hash.replace(/^#/, '');
  if (!raw.startsWith('v1&') || raw.length > 200_000) return null;
  const values = new URLSearchParams(raw.slice(3));
  const view = values.get('view') ?? '';
  if (!isLab(view)) return null;
  const text = values.get('text');
  return { view, text: text === null ? null : text.slice(0, MAX_LINK_TEXT), preset: (values.get('preset') ?? '').slice(0, MOST_PRESET) };
}
