// What a refusal is: an AttentionError with its code, whose sentence says what the reader needs.
import { AttentionError } from '../../web/src/engine/error.ts';

export const refusal = (code: string, reason: RegExp = /./) => (error: unknown) =>
  error instanceof AttentionError && error.code === code && reason.test(error.message) && /^\S.*[.]$/s.test(error.message);
