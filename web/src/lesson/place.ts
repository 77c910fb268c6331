// Where the reader is in a lesson, as an address says it: #step=choose&shown&text=…
import { MAX_LINK_TEXT, wellFormed } from '../link/codecs.ts';

export interface Place {
  /** The id of the step. */
  step: string;
  /** Whether the answer is shown. */
  shown: boolean;
  /** The reader's own sentence; null while it is the lesson's. */
  text: string | null;
  presenter: boolean;
}

export const START: Place = { step: '', shown: false, text: null, presenter: false };
const KEYS = /^(?:step|shown|presenter|lesson)(?:[=&]|$)/;
const MOST = 200_000;

export function writePlace({ step, shown, text, presenter }: Place): string {
  const own = text !== null && text.length <= MAX_LINK_TEXT ? `&text=${encodeURIComponent(wellFormed(text)).replace(/%20/g, '+')}` : '';
  return `#step=${step}${shown ? '&shown' : ''}${presenter ? '&presenter' : ''}${own}`;
}

/** Null where the fragment is no lesson's. */
export function readPlace(hash: string): Place | null {
  const raw = hash.replace(/^#/, '');
  if (!KEYS.test(raw) || raw.length > MOST) return null;
  const values = new URLSearchParams(raw);
  const text = values.get('text');
  return { step: values.get('step') ?? '', shown: values.has('shown'), text: text === null ? null : text.slice(0, MAX_LINK_TEXT), presenter: values.has('presenter') };
}
