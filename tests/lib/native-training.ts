// The native trainer's weights, by their hash, to compare the page's with.
import { execFileSync } from 'node:child_process';
import { built } from './built.ts';

/**
 * After each of those steps, which grow.
 * @param text what is learnt, in pieces, then pieces that only have a symbol
 */
export function nativeHashes(lesson: string, run: string, seed: number, steps: readonly number[], text?: { learnt: readonly string[]; besides: readonly string[] }): string[] {
  const symbols = text ? [...new Set([...text.learnt, ...text.besides])] : [];
  const input = [symbols.length, ...(text?.learnt.map((piece) => symbols.indexOf(piece)) ?? [])].join(' ');
  return execFileSync(built('native/tests/train_dump'), [lesson, run, String(seed), ...steps.map(String)], { encoding: 'utf8', ...(text && { input }) }).trim().split('\n');
}
