/** `message` is one sentence for the reader, `code` a word for programs. */
export class AttentionError extends Error {
  override readonly name = 'AttentionError';
  constructor(readonly code: string, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** A broken rule of the core: its number, and the arguments of its sentence. */
export interface Broken {
  readonly code: string;
  readonly rule: number;
  readonly name: string;
  readonly numbers: readonly number[];
}

/** Empty until text/core-sentences.ts is loaded, which happens after the first figure. */
let sentenceOf = (_: Broken): string => '';

export function speakFor(say: (broken: Broken) => string): void {
  sentenceOf = say;
}

/** The core's error value as an exception, whose message follows the page's language; null for 'none'. */
export function throwIfError(broken: Broken): void {
  if (broken.code === 'none') return;
  const error = new AttentionError(broken.code, '');
  throw Object.defineProperty(error, 'message', { get: () => sentenceOf(broken) });
}
