// What tests of training compare with: hashes of the native trainer's weights.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { built } from './built.ts';

/** After 50 steps with seed 1, by lesson and run. */
export function hashesOfLessons(): Map<string, string> {
  const source = readFileSync(new URL('../core/train/trainer_test.cpp', import.meta.url), 'utf8');
  return new Map([...source.matchAll(/0x([0-9a-f]{16}),? *\/\/ (\w+ \w+)\n/g)].map(([, hash = '', name = '']) => [name, hash]));
}

/** The text of that test, a letter a token. */
export const SQUARES = Array.from({ length: 400 }, (_, i) => 'abcdefghijklmnopqrstuvw'[(i * i) % 23] as string);

/**
 * After each of those steps, which grow. Among them a change of the rule, as "mask=off".
 * @param text what is learnt, in pieces, then pieces that only have a symbol
 */
export function nativeHashes(lesson: string, run: string, seed: number, steps: readonly (number | `${'mask' | 'scale'}=${'on' | 'off'}`)[], text?: { learnt: readonly string[]; besides: readonly string[] }): string[] {
  const symbols = text ? [...new Set([...text.learnt, ...text.besides])] : [];
  const input = [symbols.length, ...(text?.learnt.map((piece) => symbols.indexOf(piece)) ?? [])].join(' ');
  return execFileSync(built('native/tests/train_dump'), [lesson, run, String(seed), ...steps.map(String)], { encoding: 'utf8', ...(text && { input }) }).trim().split('\n');
}
