// Where the reader is in a lesson, as an address says it: #step=choose&shown&text=…
import { fieldsIn, readText, writeText } from '../link/cells.ts';

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

export function writePlace({ step, shown, text, presenter }: Place): string {
  return `#step=${step}${shown ? '&shown' : ''}${presenter ? '&presenter' : ''}${text === null ? '' : writeText(text)}`;
}

/** Null where the fragment is no lesson's. */
export function readPlace(hash: string): Place | null {
  const fields = fieldsIn(hash, KEYS);
  return fields && { step: fields.get('step') ?? '', shown: fields.has('shown'), text: readText(fields), presenter: fields.has('presenter') };
}
