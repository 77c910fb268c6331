// What the dimensions of a designed embedding are called on the page. Their names in heads.ts are what the design
// is written in; these are the same in English.
import { msg, str } from '@lit/localize';

export interface DimensionWords { readonly words: string; readonly groupWords: string }

const WORDS: Readonly<Record<string, () => string>> = {
  noun: () => msg('noun'),
  name: () => msg('name'),
  verb: () => msg('verb'),
  auxiliary: () => msg('auxiliary'),
  adjective: () => msg('adjective'),
  adverb: () => msg('adverb'),
  determiner: () => msg('determiner'),
  possessive: () => msg('possessive'),
  preposition: () => msg('preposition'),
  pronoun: () => msg('pronoun'),
  conjunction: () => msg('conjunction'),
  number: () => msg('number'),
  interjection: () => msg('interjection'),
  punctuation: () => msg('punctuation'),
  unknown: () => msg('unknown'),
  'base form': () => msg('base form'),
  'past form': () => msg('past form'),
  '-ing form': () => msg('-ing form'),
  participle: () => msg('participle'),
  singular: () => msg('singular'),
  plural: () => msg('plural'),
  'wants a singular subject': () => msg('wants a singular subject'),
  'wants a plural subject': () => msg('wants a plural subject'),
  person: () => msg('person'),
  animal: () => msg('animal'),
  thing: () => msg('thing'),
  place: () => msg('place'),
  group: () => msg('group'),
  idea: () => msg('idea'),
  female: () => msg('female'),
  male: () => msg('male'),
  'subject form': () => msg('subject form'),
  'object form': () => msg('object form'),
  'stands for a noun before': () => msg('stands for a noun before'),
  'stands for a noun just before': () => msg('stands for a noun just before'),
  'stands for a person': () => msg('stands for a person'),
  'stands for a thing': () => msg('stands for a thing'),
  'said of beings': () => msg('said of beings'),
  negation: () => msg('negation'),
  'question word': () => msg('question word'),
  'before an infinitive': () => msg('before an infinitive'),
  'capital letter': () => msg('capital letter'),
  'always 1': () => msg('always 1'),
  position: () => msg('position'),
  'position squared': () => msg('position squared'),
  'first word': () => msg('first word'),
  sentence: () => msg('sentence'),
  'place in the sentence': () => msg('place in the sentence'),
  clause: () => msg('clause'),
  phrase: () => msg('phrase'),
};

/** What a head has found; behind it stands what is known of that word. */
const FINDINGS: Readonly<Record<string, () => string>> = {
  'the word before': () => msg('the word before'),
  'where it first stood': () => msg('where it first stood'),
  'described as': () => msg('described as'),
  subject: () => msg('subject'),
  'stands for': () => msg('stands for'),
  'said of': () => msg('said of'),
  'under the preposition': () => msg('under the preposition'),
  'the first word': () => msg('the first word'),
};

const GROUPS: Readonly<Record<string, () => string>> = {
  'what kind of word': () => msg('what kind of word'),
  'what is known of it': () => msg('what is known of it'),
  'where it stands': () => msg('where it stands'),
  'which word it is': () => msg('which word it is'),
};

const plain = (name: string): string => {
  const code = /^code (\d+)$/.exec(name)?.[1];
  return code ? msg(str`code ${code}`) : (WORDS[name]?.() ?? name);
};

/** “singular”, “subject: code 3”. */
export function dimensionWords(name: string): string {
  const [first = '', second] = name.split(': ');
  return second === undefined ? plain(first) : msg(str`${FINDINGS[first]?.() ?? first}: ${plain(second)}`);
}

export const groupWords = (group: string): string => GROUPS[group]?.() ?? group;
