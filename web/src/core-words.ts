// What the core says, in the language of the page. The core's sentences are English; each form of them stands here once,
// and where a sentence has that form, its numbers and names go into the form as this language has it.
import { msg, str } from '@lit/localize';
import type { Settings } from './engine-types.ts';
import { inEnglish } from './language.ts';
import { fieldWords as label, valueWords } from './setting-words.ts';

type Say = (...parts: string[]) => string;

const SUBJECTS: readonly Say[] = [
  () => msg('d_k (0 = d_model / heads)'), () => msg('d_v (0 = d_model / heads)'), () => msg('The number of heads'), () => msg('the number of heads'),
  () => msg('The number of key heads'), () => msg('The rank of W_V (0 = full)'), () => msg('The softcap (0 = off)'), () => msg('The temperature'),
  () => msg('The dropout rate'), () => msg('The scale factor'),
  () => msg('The seed'), () => msg('The dropout seed'),
];

/** As it stands behind “Using”. */
const FIELDS: readonly Say[] = [
  () => msg('heads'), () => msg('key heads'), () => msg('mask'), () => msg('scale'), () => msg('positions'), () => msg('tie'), () => msg('softcap'), () => msg('temperature'),
  () => msg('dropout'), () => msg('window, before'), () => msg('window, after'), () => msg('seed'), () => msg('dropout seed'), () => msg('value rank'), () => msg('output projection'),
];

const RULES: readonly Say[] = [
  (field = '', least, most) => msg(str`The setting "${label(field as keyof Settings)}" must be a whole number from ${least} to ${most}.`),
  (subject = '', least, most) => msg(str`${subjectWords(subject)} must be a whole number from ${least} to ${most}.`),
  (subject = '', least, most) => msg(str`${subjectWords(subject)} must be a number from ${least} to ${most}.`),
  (subject = '', least, most) => msg(str`${subjectWords(subject)} must be 0, or a number from ${least} to ${most}.`),
  (subject = '', of = '', number, divisors) => msg(str`${subjectWords(subject)} must divide ${subjectWords(of)} = ${number}: choose one of ${divisors}.`),
  (field = '', ids) => msg(str`The setting "${fieldWords(field)}" must be one of ${ids}.`),
  (field, most) => msg(str`${field} times the number of heads must be at most ${most}.`),
  () => msg('Tied queries and keys need as many key heads as heads.'),
  () => msg('Tied values must be as wide as keys.'),
  () => msg('Tied values have the queries\' matrix, which has no rank of its own.'),
  (D) => msg(str`Without the output projection, heads times d_v must be d_model = ${D}.`),
  () => msg('Rotary positions turn pairs of numbers, so d_k must be at least 2.'),
];

const PROBLEMS: readonly Say[] = [
  () => msg('There is no token to attend to. Type a word.'),
  () => msg('There is no token to attend to in the second text. Type a word.'),
  (count, most) => msg(str`The text has ${count} tokens; the limit is ${most}. Shorten the text.`),
  (T, S, H, bytes, most) => msg(str`${T} by ${S} tokens in ${H} heads need ${bytes} MB to keep every stage; the limit is ${most} MB. Shorten the text or choose fewer heads.`),
  (T, H, bytes, most) => msg(str`${T} tokens in ${H} heads need ${bytes} MB to keep every stage; the limit is ${most} MB. Shorten the text or choose fewer heads.`),
  (T, S, H, bytes) => msg(str`${T} by ${S} tokens in ${H} heads need ${bytes} MB to keep every stage, more than is free here. Shorten the text or choose fewer heads.`),
  (T, H, bytes) => msg(str`${T} tokens in ${H} heads need ${bytes} MB to keep every stage, more than is free here. Shorten the text or choose fewer heads.`),
  (D) => msg(str`There is not enough memory for the parameters of d_model = ${D}. Choose a smaller d_model or close other pages.`),
  (id) => msg(str`There is not enough memory for a copy of ${id}. Choose a smaller d_model.`),
  (places) => msg(str`There is not enough memory for the positions of ${places} tokens. Shorten the text or close other pages.`),
];

const PART = '\ufffc';

/** A form as the core writes it, with a group for each of its parts. */
function pattern(say: Say): RegExp {
  const written = inEnglish(() => say(PART, PART, PART, PART, PART));
  return new RegExp(`^${written.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(PART, '(.+?)')}$`);
}

const PATTERNS = new Map<Say, RegExp>();

function patternOf(say: Say): RegExp {
  const made = PATTERNS.get(say) ?? pattern(say);
  PATTERNS.set(say, made);
  return made;
}

/** The sentence in the page's language; null where no form fits. */
function fit(sentence: string, forms: readonly Say[]): string | null {
  for (const say of forms) {
    const found = patternOf(say).exec(sentence);
    if (found) return say(...found.slice(1));
  }
  return null;
}

/** d_model, d_k and other names of code stay. */
const subjectWords = (subject: string): string => fit(subject, SUBJECTS) ?? subject;
const fieldWords = (field: string): string => fit(field, FIELDS) ?? field;

/** The parts of “… must be a whole number from 1 to 4. Using heads 4.” */
const CLAMPED = /^(.*\.) Using (.+) (\S+)\.$/;

function notice(sentence: string): string | null {
  const [, rule, field = '', used] = CLAMPED.exec(sentence) ?? [];
  const words = rule && fit(rule, RULES);
  return words ? msg(str`${words} Using ${fieldWords(field)} ${valueWords(used)}.`) : null;
}

const inWords = (sentence: string): string | null => notice(sentence) ?? fit(sentence, RULES) ?? fit(sentence, PROBLEMS);

/** Whether a sentence of the core can be said in every language. */
export const isKnown = (sentence: string): boolean => inWords(sentence) !== null;

/** A sentence of the core; one of no known form stays in English. */
export const said = (sentence: string): string => inWords(sentence) ?? sentence;

/** Of what clamping says only the rule: what it takes instead is not always what stays in use. */
export function saidRule(sentence: string): string {
  const rule = CLAMPED.exec(sentence)?.[1] ?? sentence;
  return fit(rule, RULES) ?? rule;
}
