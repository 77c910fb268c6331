/** `message` is one sentence for the reader, `code` a word for programs. */
export class AttentionError extends Error {
  override readonly name = 'AttentionError';
  constructor(readonly code: string, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** A rule of the core that was broken: its number, and what its sentence says besides. */
export interface Broken {
  readonly code: string;
  readonly rule: number;
  readonly name: string;
  readonly numbers: readonly number[];
}

/** Empty until text/core-sentences.ts has come, which a first figure does without. */
let sentenceOf = (_: Broken): string => '';

export function speakFor(say: (broken: Broken) => string): void {
  sentenceOf = say;
}

/** The core's error value as an exception, whose message follows the page's language; of 'none' there is none. */
export function throwIfError(broken: Broken): void {
  if (broken.code === 'none') return;
  const error = new AttentionError(broken.code, '');
  throw Object.defineProperty(error, 'message', { get: () => sentenceOf(broken) });
}
