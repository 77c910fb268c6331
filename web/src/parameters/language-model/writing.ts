// A model writes on, a token at a time: the text grows by what it is read as, and each step can be gone back to.
import { isTooLong, normalizeLines } from '../../engine/tokens.ts';
import { type Soon, type Steps, got, soon } from '../../lib/answers.ts';
import type { ModelReader, Reading } from './reader.ts';
import type { Manner } from './run.ts';

export type { Manner } from './run.ts';

/** A token that was added. */
export interface Step {
  /** With it. */
  readonly text: string;
  readonly by: 'model' | 'reader';
  /** Of a token that the model chose: its share of what could be drawn, of how many tokens, and likelier or drawn ones that no text can go on with. */
  readonly share: number;
  readonly among: number;
  readonly passed: number;
}

/** Why it writes no more. */
export type End = 'context' | 'end' | 'nothing' | 'long';

/** Tokens that are tried before it gives up. */
const MOST_PASSED = 200;
/** As models call the end of a text. */
const ENDS = new Set(['<|endoftext|>', '<|end_of_text|>', '<|eot_id|>', '<|im_end|>', '<|end|>', '</s>', '<eos>', '<|eos|>', '[EOS]', '<end_of_turn>']);

/** How a text goes on with a token, so that it is read as the same tokens and this one; null where none does. */
export function withToken(reader: ModelReader, text: string, id: number): string | null {
  const wanted = [...idsOf(reader, text), id].join();
  const { word, piece } = reader.word(id);
  if (word === '') return null;
  const [close, apart] = [`${text}${word}`, `${text} ${word}`];
  const isApart = !piece && /^[\p{L}\p{N}]/u.test(word) && /\S$/.test(text);
  return (isApart ? [apart, close] : [close, apart]).find((whole) => whole === normalizeLines(whole) && !isTooLong(whole) && idsOf(reader, whole).join() === wanted) ?? null;
}

/** The same; where spaces behind the text are in the way, without them. */
export function continued(reader: ModelReader, text: string, id: number): { from: string; text: string } | null {
  for (const from of new Set([text, text.trimEnd()])) {
    const whole = withToken(reader, from, id);
    if (whole !== null) return { from, text: whole };
  }
  return null;
}

/** None of a text that the model cannot read. */
function idsOf(reader: ModelReader, text: string): (number | undefined)[] {
  try {
    return reader.tokenize(text).map(({ id }) => id);
  } catch {
    return [];
  }
}

/** The next step of a text that was read, or why there is none. */
export function nextStep(reading: Reading, text: string, manner: Manner): Soon<Step | End> {
  return soon(tryEach(reading, text, manner));
}

function* tryEach(reading: Reading, text: string, manner: Manner): Steps<Step | End> {
  const { reader, run } = reading;
  const T = reading.ids.length;
  if (T >= reader.model.mostTokens) return 'context';
  const passed: number[] = [];
  while (passed.length <= MOST_PASSED) {
    const { id, shares } = yield* got(run.drawNext(manner, passed));
    if (id >= shares.length) return 'nothing';
    const { word } = reader.word(id);
    if (ENDS.has(word)) return 'end';
    const whole = withToken(reader, text, id);
    if (whole !== null) return { text: whole, by: 'model', share: shares[id] ?? 0, among: shares.reduce((sum, share) => sum + Number(share > 0), 0), passed: passed.length };
    if (isTooLong(`${text} ${word}`)) return 'long';
    passed.push(id);
  }
  return 'nothing';
}

/** What was added to a text, step by step. Undo and redo move along it; another text starts again. */
export class Written {
  #first = '';
  #steps: readonly Step[] = [];

  /** The steps that a text has, the latest last; none of another text. */
  of(text: string): readonly Step[] {
    return this.#steps.slice(0, this.#steps.findIndex((step) => step.text === text) + 1);
  }

  /** The text before its first step. */
  get first(): string {
    return this.#first;
  }

  add(from: string, step: Step): void {
    const before = this.of(from);
    if (before.length === 0) this.#first = from;
    this.#steps = [...before, step];
  }
}
