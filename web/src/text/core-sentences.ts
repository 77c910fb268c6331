// The rules that a run of the page's layer can break, and what is taken instead where a setting is clamped.
import { msg, str } from '@lit/localize';
import type { Rule } from '../../../build/wasm/bindings/rules.mjs';
import { type Broken, speakFor } from '../engine/error.ts';
import { MASK_NUMBERS } from '../engine/masks.ts';
import type { OPERATORS } from '../engine/operators/sentences.ts';
import { MEMORY, type Sentences, decimal, divisors, saying } from '../engine/sentences.ts';
import type { Notice } from '../engine/types.ts';
import type { TRAINING } from '../engine/training/sentences.ts';
import { count } from '../lib/format.ts';
import { valueWords } from './settings.ts';

/** A mask's number as its switch is called; other names stay. */
const numberWords = (name: string): string => MASK_NUMBERS.find(({ field }) => field === name)?.label() ?? name;

export const LAYER = {
  // The text and the trace of a session.
  no_tokens: () => msg('There is no token to attend to. Type a word.'),
  no_key_tokens: () => msg('There is no token to attend to in the second text. Type a word.'),
  too_many_tokens: (n) => msg(str`The text has ${count(Number(n[0]))} tokens; the limit is ${count(Number(n[1]))}. Shorten the text.`),
  too_many_key_tokens: (n) => msg(str`The second text has ${count(Number(n[0]))} tokens; the limit is ${count(Number(n[1]))}. Shorten it.`),
  trace_limit: (n) => msg(str`${n[0]} tokens in ${n[1]} heads need ${n[2]} MB to keep every stage; the limit is ${n[3]} MB. Shorten the text or choose fewer heads.`),
  cross_trace_limit: (n) => msg(str`${n[0]} by ${n[1]} tokens in ${n[2]} heads need ${n[3]} MB to keep every stage; the limit is ${n[4]} MB. Shorten the text or choose fewer heads.`),
  trace_memory: (n) => msg(str`${n[0]} tokens in ${n[1]} heads need ${n[2]} MB to keep every stage, more than is free here. Shorten the text or choose fewer heads.`),
  cross_trace_memory: (n) => msg(str`${n[0]} by ${n[1]} tokens in ${n[2]} heads need ${n[3]} MB to keep every stage, more than is free here. Shorten the text or choose fewer heads.`),
  parameter_memory: (n) => msg(str`There is not enough memory for the parameters of d_model = ${n[0]}. Choose a smaller d_model or close other pages.`),
  copy_memory: (_, name) => msg(str`There is not enough memory for a copy of ${name}. Choose a smaller d_model.`),
  position_memory: (n) => msg(str`There is not enough memory for the positions of ${n[0]} tokens. Shorten the text or close other pages.`),
  mask_memory: () => msg('There is not enough memory for the mask. Shorten the text or close other pages.'),
  cell_index: (n) => msg(str`The last run has ${count(Number(n[0]))} heads, ${count(Number(n[1]))} queries and ${count(Number(n[2]))} keys, counted from 0. Choose a cell inside.`),
  number_index: (n, name) => msg(str`The last run has ${n[0]} numbers in ${name}, counted from 0. Choose one of them.`),
  number_array: () => msg('The last run has no numbers of this name. Choose a stage or a parameter that is present.'),
  // What a request gives or sets by hand.
  given_array: (_, name) => msg(str`"${name}" was given, but this run has no place for it. Leave it out, or change the settings that leave it out.`),
  given_vector: (n, name) => msg(str`${name} must have ${n[0]} numbers; ${n[1]} were given. Give as many, or choose other settings.`),
  given_matrix: (n, name) => msg(str`${name} must have ${n[0]} x ${n[1]} = ${n[2]} numbers; ${n[3]} were given. Give as many, or choose other settings.`),
  given_tensor: (n, name) => msg(str`${name} must have ${n[0]} x ${n[1]} x ${n[2]} = ${n[3]} numbers; ${n[4]} were given. Give as many, or choose other settings.`),
  given_number: (n, name) => msg(str`${name}[${n[0]}] is not a finite number. Give a finite one.`),
  edit_array: (_, name) => msg(str`"${name}" is not a parameter that can be set by hand. Choose one of those in the schema.`),
  edit_number: (n, name) => msg(str`The number set by hand in ${name}, column ${n[0]}, is not finite. Set a finite one.`),
  word_edit_number: (n) => msg(str`The number set by hand in the word's content, column ${n[0]}, is not finite. Set a finite one.`),
  // Settings.
  setting_d_model: (n) => msg(str`d_model must be a whole number from ${n[0]} to ${n[1]}.`),
  setting_d_k: (n) => msg(str`d_k (0 = d_model / heads) must be a whole number from ${n[0]} to ${n[1]}.`),
  setting_d_v: (n) => msg(str`d_v (0 = d_model / heads) must be a whole number from ${n[0]} to ${n[1]}.`),
  setting_heads: (n) => msg(str`The number of heads must be a whole number from ${n[0]} to ${n[1]}.`),
  setting_heads_divide: (n) => msg(str`The number of heads must divide d_model = ${n[0]}: choose one of ${divisors(Number(n[0]))}.`),
  setting_key_width: (n) => msg(str`d_k times the number of heads must be at most ${n[0]}.`),
  setting_value_width: (n) => msg(str`d_v times the number of heads must be at most ${n[0]}.`),
  setting_key_heads: (n) => msg(str`The number of key heads must be a whole number from ${n[0]} to ${n[1]}.`),
  setting_key_heads_divide: (n) => msg(str`The number of key heads must divide the number of heads = ${n[0]}: choose one of ${divisors(Number(n[0]))}.`),
  setting_mask: (_, name) => msg(str`The setting "mask" must be one of ${name}.`),
  setting_scale: (_, name) => msg(str`The setting "scale" must be one of ${name}.`),
  setting_positions: (_, name) => msg(str`The setting "positions" must be one of ${name}.`),
  setting_tie: (_, name) => msg(str`The setting "tie" must be one of ${name}.`),
  setting_scale_factor: (n) => msg(str`The scale factor must be a number from ${n[0]} to ${n[1]}.`),
  setting_softcap: (n) => msg(str`The softcap (0 = off) must be 0, or a number from ${n[0]} to ${n[1]}.`),
  setting_temperature: (n) => msg(str`The temperature must be 0, or a number from ${n[0]} to ${n[1]}.`),
  setting_dropout: (n) => msg(str`The dropout rate must be a number from ${n[0]} to ${n[1]}.`),
  setting_mask_number: (n, name) => msg(str`The setting "${numberWords(name)}" must be a whole number from ${n[0]} to ${n[1]}.`),
  setting_tied_key_heads: () => msg('Tied queries and keys need as many key heads as heads.'),
  setting_tied_value_width: () => msg('Tied values must be as wide as keys.'),
  setting_value_rank: (n) => msg(str`The rank of W_V (0 = full) must be a whole number from ${n[0]} to ${n[1]}.`),
  setting_tied_value_rank: () => msg('Tied values have the queries\' matrix, which has no rank of its own.'),
  setting_out_proj: (n) => msg(str`Without the output projection, heads times d_v must be d_model = ${n[0]}.`),
  setting_rotary_width: () => msg('Rotary positions turn pairs of numbers, so d_k must be at least 2.'),
  setting_seed: (n) => msg(str`The seed must be a whole number from ${n[0]} to ${n[1]}.`),
  setting_dropout_seed: (n) => msg(str`The dropout seed must be a whole number from ${n[0]} to ${n[1]}.`),
  ...MEMORY,
} as const satisfies Sentences<Exclude<Rule, Exclude<keyof typeof OPERATORS, keyof typeof MEMORY> | keyof typeof TRAINING | 'none'>>;

/** The name after “Using”; a field that is not here has its own name. */
const FIELDS: Readonly<Record<string, () => string>> = {
  num_heads: () => msg('heads'), num_kv_heads: () => msg('key heads'), mask: () => msg('mask'), scale: () => msg('scale'), positions: () => msg('positions'),
  tie: () => msg('tie'), softcap: () => msg('softcap'), temperature: () => msg('temperature'), dropout: () => msg('dropout'),
  seed: () => msg('seed'), dropout_seed: () => msg('dropout seed'),
  value_rank: () => msg('value rank'), out_proj: () => msg('output projection'),
};

/** A broken rule as a sentence. */
export const said: (broken: Broken) => string = saying(LAYER);

/** The rule and the value used instead: “… must be a whole number from 1 to 4. Using heads 4.” */
export function noticeWords({ broken, field, used }: Notice): string {
  return msg(str`${said(broken)} Using ${FIELDS[field]?.() ?? numberWords(field)} ${typeof used === 'number' ? decimal(used) : valueWords(used)}.`);
}

speakFor(said);
