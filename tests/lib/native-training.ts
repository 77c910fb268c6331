// The native trainer's weights, by their hash, to compare the page's with.
import { execFileSync } from 'node:child_process';
import { built } from './built.ts';

/** After each of those steps, which grow. */
export function nativeHashes(lesson: string, run: string, seed: number, steps: readonly number[]): string[] {
  return execFileSync(built('native/tests/train_dump'), [lesson, run, String(seed), ...steps.map(String)], { encoding: 'utf8' }).trim().split('\n');
}
