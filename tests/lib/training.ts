// What tests of training compare with: the native core's hashes, as its own test has them.
import { readFileSync } from 'node:fs';

/** After 50 steps with seed 1, by lesson and run. */
export function nativeHashes(): Map<string, string> {
  const source = readFileSync(new URL('../core/train/trainer_test.cpp', import.meta.url), 'utf8');
  return new Map([...source.matchAll(/0x([0-9a-f]{16}),? *\/\/ (\w+ \w+)\n/g)].map(([, hash = '', name = '']) => [name, hash]));
}

/** The text of that test, a letter a token. */
export const SQUARES = Array.from({ length: 400 }, (_, i) => 'abcdefghijklmnopqrstuvw'[(i * i) % 23] as string);
