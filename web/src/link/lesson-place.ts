// Where the reader is in a lesson: `#step=choose&shown&text=…`; of a lesson that the link itself holds, `#lesson=…&step=…`.
import { type Field, writeFields } from './address.ts';
import { fieldOf, fieldsIn, readText, textField } from './fields.ts';

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

export function writePlace({ step, shown, text, presenter }: Place, lesson = ''): string {
  const said = (isSaid: boolean, key: string, value: string | null): Field[] => (isSaid ? [[key, value]] : []);
  return `#${writeFields([...said(lesson !== '', 'lesson', lesson), ['step', step], ...said(shown, 'shown', null), ...said(presenter, 'presenter', null), ...textField(text)])}`;
}

/** Null where the fragment is no lesson's. */
export function readPlace(hash: string): Place | null {
  const fields = fieldsIn(hash, KEYS);
  return fields && { step: fields.get('step') ?? '', shown: fields.has('shown'), text: readText(fields), presenter: fields.has('presenter') };
}

/** The lesson that a link holds, packed; '' where it holds none. */
export const lessonIn = (hash: string): string => /^[\w-]+/.exec(fieldOf(hash, 'lesson') ?? '')?.[0] ?? '';
