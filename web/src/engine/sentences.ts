// The core's messages in the page's language. A broken rule arrives as a number with arguments;
// core/src/error.cpp has the English sentences of all, which tests/bindings/words.test.ts compares with these.
import { msg, str } from '@lit/localize';
import { RULES, type Rule } from '../../../build/wasm/bindings/rules.mjs';
import type { Broken } from './error.ts';

/** `n` are the rule's numbers as they are written, `name` its name. */
export type Say = (n: readonly string[], name: string) => string;
export type Sentences<Of extends Rule> = Readonly<Record<Of, Say>>;

/** As the core writes it: to a thousandth, without zeros behind. */
export const decimal = (n: number): string => String(Math.round(n * 1000) / 1000);

/** "1, 2, 4" */
export function divisors(of: number): string {
  return Array.from({ length: of }, (_, i) => i + 1).filter((n) => of % n === 0).join(', ');
}

/** Errors that both the page's layer and the operators have. */
export const MEMORY = {
  attend_memory: (n) => msg(str`There is no memory for ${n[0]} numbers in between. Use narrower heads or fewer keys.`),
  layer_memory: (n) => msg(str`There is no memory for a layer of ${n[0]} rows. Run fewer at a time.`),
} as const satisfies Readonly<Record<string, Say>>;

/** Returns the sentence of a rule in the table; for another rule, a general one. */
export const saying = (sentences: Partial<Sentences<Rule>>) => ({ code, rule, name, numbers }: Broken): string => {
  const say = sentences[RULES[rule] ?? 'none'];
  return say ? say(numbers.map(decimal), name) : msg(str`The engine refused this (${code}). Change back what was changed last.`);
};
