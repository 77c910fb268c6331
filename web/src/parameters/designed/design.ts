// From words and a lexicon to the numbers of the designed layer: embeddings and matrices. What attention does with
// them is the engine's to compute.
import { msg, str } from '@lit/localize';
import { inEnglish } from '../../lib/language.ts';
import { MEASURED, type Measured } from './accuracy.ts';
import { CODE, CODE_LENGTH, DESIGNED_HEADS, type DesignedHead, type Dimension, type Mix, POSITION_UNIT, WORD_DIMENSIONS } from './heads.ts';
import type { Lexicon, Word } from './lexicon.ts';

/** Every dimension of the embedding and of the output, in order: the word's own, then what each head found. */
export const DIMENSIONS: readonly (Dimension & { by?: DesignedHead })[] = [
  ...WORD_DIMENSIONS,
  ...DESIGNED_HEADS.flatMap((head) => head.writes.map(([, to]) => ({ name: to, group: `found by “${inEnglish(() => head.name)}”`, by: head }))),
];
export const D_MODEL = DIMENSIONS.length;
export const NUM_HEADS = DESIGNED_HEADS.length;
const HEAD_DIM = D_MODEL / NUM_HEADS;

/** What the designed layer needs of the engine's settings; the others stay as they are. Positions are in the embedding. */
export const DESIGNED_SETTINGS = { d_model: D_MODEL, num_heads: NUM_HEADS, mask: 'causal', scale: 'sqrt-dk', positions: 'none' } as const;

export interface HeadReport extends Pick<DesignedHead, 'id' | 'name' | 'about'> {
  /** On sentences that others have marked; null where nothing is marked. */
  measured: Measured | null;
}

export interface Design {
  /** [T, d_model] */
  content: Float32Array;
  /** [d_model, num_heads·d_k], row = input: x·W; head h has columns h·d_k … */
  W_Q: Float32Array;
  W_K: Float32Array;
  W_V: Float32Array;
  /** [num_heads·d_v, d_model] */
  W_O: Float32Array;
  dimensions: readonly (Dimension & DimensionWords)[];
  heads: readonly HeadReport[];
  settings: typeof DESIGNED_SETTINGS;
  /** Of each token, whether the lexicon knows it. */
  known: readonly boolean[];
}

const INDEX: ReadonlyMap<string, number> = new Map(DIMENSIONS.map(({ name }, i) => [name, i]));

export function dimension(name: string): number {
  const index = INDEX.get(name);
  if (index === undefined) throw new Error(`There is no dimension “${name}”; heads.ts lists them.`);
  return index;
}

/** In the language in use. */
const heads = (): HeadReport[] => DESIGNED_HEADS.map(({ id, name, about }) => ({ id, name, about, measured: MEASURED[id] ?? null }));
const dimensions = (): Design['dimensions'] => DIMENSIONS.map(({ name, group, by }) => (
  { name, group, words: dimensionWords(name), groupWords: by ? msg(str`found by “${by.name}”`) : groupWords(group) }));

/** The designed layer of these words. Matrices do not depend on them; embeddings are of each word and its place alone. */
export function design(tokens: readonly string[], lexicon: Lexicon): Design {
  const looked = tokens.map((token) => lexicon.look(token));
  return {
    content: embed(tokens, looked),
    ...matrices(),
    dimensions: dimensions(),
    heads: heads(),
    settings: DESIGNED_SETTINGS,
    known: looked.map(({ known }) => known),
  };
}

/** [T, d_model] */
function embed(tokens: readonly string[], looked: readonly Word[]): Float32Array {
  const rows = new Float32Array(tokens.length * D_MODEL);
  const places = locate(tokens, looked);
  tokens.forEach((token, i) => {
    const row = rows.subarray(i * D_MODEL, (i + 1) * D_MODEL);
    const { known, tags, traits } = looked[i] as Word;
    if (!known) row[dimension('unknown')] = 1;
    for (const [name, share] of Object.entries({ ...tags, ...traits, ...places[i] })) row[dimension(name)] = share;
    row.set(codeOf(token), dimension(CODE[0] as string));
  });
  return rows;
}

/** Where each word stands: counted from the beginning, and within its sentence. */
function locate(tokens: readonly string[], looked: readonly Word[]): Mix[] {
  let [sentence, sentenceStart, clause, phrase] = [0, 0, 0, 0];
  return tokens.map((token, i) => {
    if (opensPhrase(token, looked[i] as Word)) phrase++;
    const position = i / POSITION_UNIT;
    const place = {
      'always 1': 1, position, 'position squared': position * position, 'first word': i === 0 ? 1 : 0,
      sentence, 'place in the sentence': (i - sentenceStart) / POSITION_UNIT, clause, phrase,
    };
    if (ENDS_SENTENCE.test(token)) [sentence, sentenceStart] = [sentence + 1, i + 1];
    if (ENDS_SENTENCE.test(token) || opensClause(token, looked[i] as Word)) clause++;
    return place;
  });
}

const ENDS_CLAUSE = /^[,;:—–()"“”]$/u;
const ENDS_SENTENCE = /^[.!?…。]+$/u;

const OPENS_PHRASE = ['determiner', 'possessive', 'preposition', 'pronoun', 'auxiliary', 'conjunction'] as const;

/** Between an adjective and its noun there is no such word. */
const opensPhrase = (token: string, { tags }: Word) =>
  ENDS_CLAUSE.test(token) || ENDS_SENTENCE.test(token) || OPENS_PHRASE.reduce((sum, tag) => sum + (tags[tag] ?? 0), 0) >= 0.5;
const opensClause = (token: string, { tags, traits }: Word) =>
  ENDS_CLAUSE.test(token) || (tags.conjunction ?? 0) >= 0.5 || traits['question word'] === 1;

/** A unit vector that depends on the word alone, capital letters aside: two words have the same by no likely chance. */
function codeOf(token: string): Float32Array {
  let state = hash(token.normalize('NFC').toLowerCase());
  const code = new Float32Array(CODE_LENGTH);
  for (let i = 0; i < CODE_LENGTH; i++) {
    // The sum of four even numbers is near a bell curve, which makes every direction as likely.
    for (let j = 0; j < 4; j++) {
      state = mixed(state + 0x9e3779b9);
      code[i] = (code[i] as number) + state / 2 ** 32 - 0.5;
    }
  }
  const norm = Math.sqrt(code.reduce((sum, x) => sum + x * x, 0));
  return code.map((x) => x / norm);
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return state;
}

/** The finalizer of MurmurHash3. */
function mixed(state: number): number {
  let h = state >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

let made: Pick<Design, 'W_Q' | 'W_K' | 'W_V' | 'W_O'> | undefined;

/** The same for every text. */
function matrices(): Pick<Design, 'W_Q' | 'W_K' | 'W_V' | 'W_O'> {
  if (made) return made;
  const width = NUM_HEADS * HEAD_DIM;
  const [W_Q, W_K, W_V, W_O] = [D_MODEL * width, D_MODEL * width, D_MODEL * width, width * D_MODEL].map((n) => new Float32Array(n)) as [Float32Array, Float32Array, Float32Array, Float32Array];
  DESIGNED_HEADS.forEach(({ terms, writes }, h) => {
    terms.forEach(([ofQuery, ofKey], t) => {
      const column = h * HEAD_DIM + t;
      // The engine divides scores by √d_k; what a term is worth is shared out so that q and k are of like size, by a power of
      // two: what are whole numbers stay whole, and large products that cancel leave nothing in float32.
      const share = 2 ** Math.round(Math.log2((Math.sqrt(HEAD_DIM) * biggest(ofQuery)) / biggest(ofKey)) / 2);
      setColumn(W_Q, width, column, ofQuery, Math.sqrt(HEAD_DIM) / share);
      setColumn(W_K, width, column, ofKey, share);
    });
    writes.forEach(([from, to], t) => {
      const column = h * HEAD_DIM + t;
      W_V[dimension(from) * width + column] = 1;
      W_O[column * D_MODEL + dimension(to)] = 1;
    });
  });
  made = { W_Q, W_K, W_V, W_O };
  return made;
}

const biggest = (mix: Mix) => Math.max(...Object.values(mix).map(Math.abs));

function setColumn(matrix: Float32Array, width: number, column: number, mix: Mix, factor: number): void {
  for (const [name, share] of Object.entries(mix)) matrix[dimension(name) * width + column] = factor * share;
}

// What the dimensions of a designed embedding are called on the page. Their names in heads.ts are what the design
// is written in; these are the same in English.

interface DimensionWords { readonly words: string; readonly groupWords: string }

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
function dimensionWords(name: string): string {
  const [first = '', second] = name.split(': ');
  return second === undefined ? plain(first) : msg(str`${FINDINGS[first]?.() ?? first}: ${plain(second)}`);
}

const groupWords = (group: string): string => GROUPS[group]?.() ?? group;
