// What an address says of a lesson: where the reader is in it, and the lesson itself.
import { msg, str } from '@lit/localize';
import { fieldsIn, readText, writeText } from '../link/cells.ts';
import { type Lesson, MOST_LESSON, parseLesson } from './format.ts';

// Where the reader is in a lesson, as an address says it: #step=choose&shown&text=…

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

// A lesson in an address: its JSON, made smaller, in letters that an address may hold.

/** @throws Error with a sentence */
export async function lessonOf(packed: string): Promise<Lesson> {
  let json: string;
  try {
    json = await unpacked(Uint8Array.from(atob(packed.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0)));
  } catch {
    throw new Error(msg('The lesson in this link cannot be read: the link may have been cut off. Ask for it again, or for the lesson as a file.'));
  }
  if (json.length > MOST_LESSON) throw new Error(msg(str`The lesson in this link has more than ${MOST_LESSON} characters.`));
  return parseLesson(json);
}

export async function packedLesson(json: string): Promise<string> {
  const packed = new Uint8Array(await new Response(new Blob([json]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer());
  let letters = '';
  for (const byte of packed) letters += String.fromCharCode(byte);
  return btoa(letters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** Stops where it is longer than a lesson may be. */
async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).pipeThrough(new TextDecoderStream('utf-8', { fatal: true })).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > MOST_LESSON) {
      void reader.cancel();
      return text;
    }
  }
}
