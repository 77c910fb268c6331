// The rules of training. A worker has no language: it sends the rule, and the page says it.
import { msg, str } from '@lit/localize';
import type { Rule } from '../../../../build/wasm/bindings/rules.mjs';
import { AttentionError, type Broken } from '../error.ts';
import { type Sentences, divisors, saying } from '../sentences.ts';

export const TRAINING = {
  train_size: (n, name) => msg(str`The ${name} of a model to train must be a whole number from ${n[0]} to ${n[1]}.`),
  train_heads: (n) => msg(str`The heads of a model to train must divide its d_model, ${n[0]}: choose one of ${divisors(Number(n[0]))}.`),
  train_memory: (n) => msg(str`There is no memory to train ${n[0]} numbers on ${n[1]} tokens at once. Choose a smaller model or a smaller batch.`),
  train_rule: (_, name) => msg(str`The ${name} of a training step must be a finite number, 0 or more.`),
  train_optimizer: (_, name) => msg(str`The optimizer of a training step must be one of ${name}.`),
  train_not_started: () => msg('There is no model to train yet. Start one.'),
  train_batch: (n) => msg(str`A batch is texts of equal length, from 1 to ${n[0]} tokens, with ${n[1]} targets a token. Give as many.`),
  train_token: (n, name) => msg(str`${name} ${n[0]} of a batch is not in the vocabulary: it must be from ${n[1]} to ${n[2]}.`),
  train_diverged: (n) => msg(str`The loss or its gradient is not a finite number after ${n[0]} steps. Lower the rate, or go back to an earlier step.`),
  train_state: () => msg('These numbers are no saved state of this model. Restore what a trainer of the same shape has saved.'),
  task_setting: (n, name) => msg(str`The ${name} of this task must be a whole number from ${n[0]} to ${n[1]}.`),
  task_text: (n) => msg(str`The text to learn has ${n[0]} tokens, and this task needs more than ${n[1]}. Give a longer text, or learn shorter pieces.`),
} as const satisfies Partial<Sentences<Rule>>;

/** What is refused before the core is asked. */
const OWN: Readonly<Record<string, (n: readonly string[], name: string) => string>> = {
  training_runs: (n) => msg(str`A training has from 1 to ${n[1]} runs side by side, and these are ${n[0]}. Choose some of the lesson’s.`),
  training_text: (n) => msg(str`The text to learn has ${n[0]} characters; at most ${n[1]} are learnt. Shorten it.`),
  training_symbols: (n) => msg(str`The text to learn has ${n[0]} different words; at most ${n[1]} are learnt. Shorten it.`),
  training_word: (n, name) => msg(str`“${name}” is not a word of this model, which knows ${n[0]}. Use words of the text that it learns.`),
  training_recital: (n) => msg(str`The words to go on by must be a whole number from 1 to ${n[0]}.`),
  training_run: (n) => msg(str`There is no run ${n[0]} here: they are counted from 0 to ${n[1]}.`),
  training_step: (n) => msg(str`A step is a whole number from 0 to ${n[0]}. Choose such a step.`),
  training_freed: () => msg('This training was closed. Open it again.'),
};

const said = saying(TRAINING);

/** An error of the core's, or of OWN by its code, which crosses from a worker as its `broken` and is said on the page. */
export class TrainingRefusal extends AttentionError {
  constructor(readonly broken: Broken) {
    super(broken.code || 'training', '');
    Object.defineProperty(this, 'message', { get: () => OWN[broken.code]?.(broken.numbers.map((n) => n.toLocaleString('en')), broken.name) ?? said(broken) });
  }
}

export const refusal = (broken: Broken): TrainingRefusal => new TrainingRefusal(broken);
export const refused = (code: string, numbers: readonly number[] = [], name = ''): TrainingRefusal => refusal({ code, rule: 0, name, numbers });
