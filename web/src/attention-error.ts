/** `message` is one sentence for the reader, `code` a word for programs. */
export class AttentionError extends Error {
  override readonly name = 'AttentionError';
  constructor(readonly code: string, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** The core's error values as exceptions; null and 'none' are no error. */
export function throwIfError(error: { code: string; message: string } | null): void {
  if (error && error.code !== 'none') throw new AttentionError(error.code, error.message);
}
