// What the figures of designed.md were measured of: another lexicon or another design has other figures.
import { createHash } from 'node:crypto';
import { design } from '../../../web/src/parameters/designed/design.ts';
import { parseLexicon } from '../../../web/src/parameters/designed/lexicon.ts';

/** Every kind of word that a head asks for or offers. */
const SAMPLE = `The two old keys to her cabinet , which Zqwxyl gave us yesterday , are not on that table because it was too narrow .
  Has he ever said who you were , and where their 44 very small children sleep ? Oh no`.split(/\s+/);

/** Twelve hexadecimal digits of the lexicon, and of the embeddings and matrices that it gives a sample. */
export function fingerprint(lexicon: string): string {
  const { content, W_Q, W_K, W_V, W_O } = design(SAMPLE, parseLexicon(lexicon));
  const hash = createHash('sha256').update(lexicon);
  for (const numbers of [content, W_Q, W_K, W_V, W_O]) hash.update(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
  return hash.digest('hex').slice(0, 12);
}
