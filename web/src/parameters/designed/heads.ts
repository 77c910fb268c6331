// The designed heads, written as data, and the dimensions of the embedding that they read; nothing else is in it.
import { msg } from '@lit/localize';
import { TAGS, TRAITS } from './closed-class.ts';

export interface Dimension {
  readonly name: string;
  /** What stands side by side in the embedding. */
  readonly group: string;
}

/** How many numbers tell words apart. */
export const CODE_LENGTH = 14;

const group = (name: string, names: readonly string[]): Dimension[] => names.map((each) => ({ name: each, group: name }));
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name} ${i + 1}`);

export const CODE = numbered('code', CODE_LENGTH);

/** What a word brings; each head's findings come after these. */
export const WORD_DIMENSIONS: readonly Dimension[] = [
  ...group('what kind of word', [...TAGS, 'unknown']),
  ...group('what is known of it', TRAITS),
  ...group('where it stands', ['always 1', 'position', 'position squared', 'first word', 'sentence', 'place in the sentence', 'clause', 'phrase']),
  ...group('which word it is', CODE),
];

// The designed heads, written as data. A head's score is a sum of terms, each one column of its W_Q and W_K:
//   score(i, j) = Σ (a mix of word i's dimensions) × (a mix of word j's dimensions).
// So a head can ask for a kind of word, for agreement, and for nearness, and for nothing else.

/** Dimension by name → how much of it. */
export type Mix = Readonly<Record<string, number>>;
export type HeadId = 'previous' | 'same' | 'describers' | 'subject' | 'antecedent' | 'bearer' | 'preposition' | 'idle';

export interface DesignedHead {
  readonly id: HeadId;
  readonly name: string;
  /** What it looks for, and what it does when there is none. */
  readonly about: string;
  /** [of the query, of the key], at most 16; scores are in units after the scaling by 1/√d_k. */
  readonly terms: readonly (readonly [Mix, Mix])[];
  /** What is copied from the word found into the head's part of the output, and its new name. */
  readonly writes: readonly (readonly [from: string, to: string])[];
}

/** Positions are stored in this unit, so that they are of the size of the other dimensions. */
export const POSITION_UNIT = 64;
const [P, P2] = [POSITION_UNIT, POSITION_UNIT ** 2];

/** −sharpness·(i − back − j)², less what is the same for every j: highest at the word `back` before. */
const around = (sharpness: number, back: number): readonly (readonly [Mix, Mix])[] => [
  [{ position: 2 * sharpness * P, 'always 1': -2 * sharpness * back }, { position: P }],
  [{ 'always 1': -sharpness }, { 'position squared': P2 }],
];
/** slope·j for the rows that `who` tells: later words first, and with the mask the word itself before all. */
const latest = (slope: number, who: Mix = { 'always 1': 1 }): readonly [Mix, Mix] => [times(slope, who), { position: P }];

function times(factor: number, mix: Mix): Mix {
  return Object.fromEntries(Object.entries(mix).map(([name, share]) => [name, factor * share]));
}

const codes = (to: string, count: number): readonly (readonly [string, string])[] =>
  CODE.slice(0, count).map((code, i) => [code, `${to}: code ${i + 1}`]);
const copies = (to: string, names: readonly string[]): readonly (readonly [string, string])[] =>
  names.map((name) => [name, `${to}: ${name}`]);

/** A word that is not known is most often a name. */
const NOUN: Mix = { noun: 1, name: 1, unknown: 0.6 };
/** After an adjective, what is mostly a verb is a noun: “a good deal”. */
const LIKE_A_NOUN: Mix = { ...NOUN, verb: 0.2 };

export const DESIGNED_HEADS: readonly DesignedHead[] = [
  {
    id: 'previous',
    get name() { return msg('previous word'); },
    get about() { return msg('Each word looks at the word before it; the first word has only itself.'); },
    terms: around(6, 1),
    writes: codes('the word before', 8),
  },
  {
    id: 'same',
    get name() { return msg('same word'); },
    get about() { return msg('Each word looks at the first place where this word stands: itself, when it is new.'); },
    terms: [...CODE.map((code): [Mix, Mix] => [{ [code]: 1200 }, { [code]: 1 }]), latest(-1.5)],
    writes: [...codes('where it first stood', 4), ...copies('where it first stood', ['position', 'sentence', 'first word', 'capital letter'])],
  },
  {
    id: 'describers',
    get name() { return msg('noun → adjectives'); },
    get about() { return msg('A noun gathers the adjectives and numbers of its own phrase. Any other word, and a noun without them, looks at itself.'); },
    terms: [
      ...around(0.625, 0),
      latest(2, { 'always 1': 1, noun: -1, name: -1, unknown: -0.6 }),
      [times(24, LIKE_A_NOUN), { adjective: 1, participle: 0.25, '-ing form': 0.1, number: 0.7, noun: 0.15, name: 0.15 }],
      [times(16, LIKE_A_NOUN), { phrase: 1 }],
    ],
    writes: [...codes('described as', 5), ...copies('described as', ['adjective', 'number', 'said of beings'])],
  },
  {
    id: 'subject',
    get name() { return msg('verb → subject'); },
    get about() { return msg('A verb looks back for its subject: the nearest noun or subject pronoun that agrees in number. Any other word, and a verb with no noun before it, looks at itself; a verb that has no subject, as in “to go”, is drawn to a noun before it all the same.'); },
    terms: [
      latest(1.2),
      latest(2, { 'always 1': 1, verb: -1, auxiliary: -1 }),
      [{ verb: 40, auxiliary: 40 }, { ...NOUN, 'subject form': 1.1 }],
      [{ verb: 6, auxiliary: 6 }, { clause: 1 }],
      [{ 'wants a singular subject': 6, 'wants a plural subject': -6 }, { singular: 1, plural: -1 }],
    ],
    writes: [...codes('subject', 4), ...copies('subject', ['singular', 'plural', 'person', 'thing'])],
  },
  {
    id: 'antecedent',
    get name() { return msg('pronoun → noun'); },
    get about() { return msg('A pronoun looks back for what it stands for: a noun of its number, person for he and she, no person for it; the first such noun of the sentence rather than the nearest. who, which and that take the noun just before. Any other word looks at itself.'); },
    terms: [
      latest(5, { 'always 1': 1, 'stands for a noun before': -1 }),
      [{ 'stands for a noun before': 1.2 * P }, { 'place in the sentence': -1 }],
      [{ 'stands for a noun before': 15 }, { sentence: 1 }],
      [{ 'stands for a noun before': 40 }, NOUN],
      [{ 'stands for a noun just before': 45 }, { ...NOUN, pronoun: 0.1 }],
      [{ 'stands for a person': 4, 'stands for a thing': -4 }, { person: 1, thing: -1, animal: -0.5, place: -1, idea: -1 }],
      [{ singular: 6, plural: -6 }, { singular: 1, plural: -1 }],
      [{ female: 8, male: -8 }, { female: 1, male: -1 }],
    ],
    writes: [...codes('stands for', 4), ...copies('stands for', ['person', 'animal', 'thing', 'plural'])],
  },
  {
    id: 'bearer',
    get name() { return msg('adjective → its noun'); },
    get about() { return msg('An adjective looks back for the noun it can be said of: tired of a being, wide of a thing. Any other word looks at itself; so should an adjective before its noun, but it is often drawn to an earlier one.'); },
    terms: [
      latest(1),
      latest(4, { 'always 1': 1, adjective: -1 }),
      [{ adjective: 5 }, { clause: 1 }],
      [{ adjective: 30 }, { ...NOUN, adjective: 0.15 }],
      [{ 'said of beings': 14, adjective: -3 }, { person: 1, animal: 1 }],
    ],
    writes: [...codes('said of', 4), ...copies('said of', ['person', 'animal', 'thing', 'place'])],
  },
  {
    id: 'preposition',
    get name() { return msg('noun → preposition'); },
    get about() { return msg('A noun looks back for the preposition it belongs to. Any other word looks at itself, and so does a noun without one, unless one is near.'); },
    terms: [
      latest(2),
      latest(3, { 'always 1': 1, noun: -1, name: -1, unknown: -0.6 }),
      [times(24, NOUN), { preposition: 1, noun: 0.1, name: 0.1 }],
    ],
    writes: codes('under the preposition', 8),
  },
  {
    id: 'idle',
    get name() { return msg('idle'); },
    get about() { return msg('Every word looks at the first word, whatever it is: where trained models, too, send a head that has found nothing.'); },
    terms: [[{ 'always 1': 12 }, { 'first word': 1 }]],
    writes: copies('the first word', ['first word', 'sentence', 'noun', 'verb', 'adjective', 'pronoun', 'determiner', 'unknown']),
  },
];
