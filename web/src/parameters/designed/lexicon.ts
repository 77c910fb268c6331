// What English words can be, looked up and never guessed: a word is known when it is in the data file, in the
// closed classes, or an inflection of one of these by WordNet's rules. A word is looked up by itself, without its
// neighbours, so that one word has one embedding.
import { msg } from '@lit/localize';
import type { Language } from '../../lib/language.ts';
import { BEINGS, CLITICS, CLOSED_CLASSES, type ClosedClass, FEMALE, MALE, type Tag, type Trait } from './closed-class.ts';

export interface Word {
  /** Whether anything is known of it. */
  readonly known: boolean;
  /** Shares of what it can be; they sum to 1, or there is none. */
  readonly tags: Readonly<Partial<Record<Tag, number>>>;
  /** 0 … 1 each. */
  readonly traits: Readonly<Partial<Record<Trait, number>>>;
  /** The number of a noun or pronoun; null when it can be either or neither. */
  readonly number: 'sg' | 'pl' | null;
  /** Whether the noun or pronoun is of a being; null for other words. */
  readonly animate: boolean | null;
}

export interface Lexicon {
  /** Never fails, whatever the text; what is not known says so. */
  look(word: string): Word;
}

/** A line of the data file: shares in ninths, how often, kind of noun, whether said of beings, kind of name. */
interface Entry {
  shares: Partial<Record<Part, number>>;
  often: number;
  kind: string;
  ofBeings: boolean;
  name: string;
}
type Part = 'n' | 'v' | 'a' | 'r' | 'i';
type Form = 's' | 'z' | 'd' | 'e' | 'g' | 'c';
interface Reading {
  entry: Entry;
  part: Part;
  /** Left out for the word itself. */
  form?: Form;
}

const PART_TAG = { n: 'noun', v: 'verb', a: 'adjective', r: 'adverb', i: 'interjection' } as const;
const KIND_TRAIT: Readonly<Record<string, Trait>> = { p: 'person', l: 'animal', t: 'thing', s: 'place', g: 'group', x: 'idea' };
const NAME_TRAITS: Readonly<Record<string, readonly Trait[]>> = { f: ['person', 'female'], m: ['person', 'male'], n: ['person'], c: ['place'], o: ['idea'] };

// WordNet's rules of detachment (morphy), each with the form it makes; -e before -ed and -ing and doubled letters included.
const RULES: readonly { ending: RegExp; instead: string; part: Part; form: Form }[] = [
  { ending: /ies$/, instead: 'y', part: 'n', form: 's' },
  { ending: /men$/, instead: 'man', part: 'n', form: 's' },
  { ending: /(?<=s|x|z|ch|sh)es$/, instead: '', part: 'n', form: 's' },
  { ending: /ves$/, instead: 'f', part: 'n', form: 's' },
  { ending: /ves$/, instead: 'fe', part: 'n', form: 's' },
  { ending: /(?<!s)s$/, instead: '', part: 'n', form: 's' },
  { ending: /ies$/, instead: 'y', part: 'v', form: 'z' },
  { ending: /(?<=[sxzo]|ch|sh)es$/, instead: '', part: 'v', form: 'z' },
  { ending: /(?<!s)s$/, instead: '', part: 'v', form: 'z' },
  { ending: /ied$/, instead: 'y', part: 'v', form: 'd' },
  { ending: /ed$/, instead: 'e', part: 'v', form: 'd' },
  { ending: /ed$/, instead: '', part: 'v', form: 'd' },
  { ending: /([b-df-hj-np-tv-z])\1ed$/, instead: '$1', part: 'v', form: 'd' },
  { ending: /ing$/, instead: '', part: 'v', form: 'g' },
  { ending: /ing$/, instead: 'e', part: 'v', form: 'g' },
  { ending: /([b-df-hj-np-tv-z])\1ing$/, instead: '$1', part: 'v', form: 'g' },
  { ending: /ies?[rt]$/, instead: 'y', part: 'a', form: 'c' },
  { ending: /(?:r|st)$/, instead: '', part: 'a', form: 'c' },
  { ending: /(?:er|est)$/, instead: '', part: 'a', form: 'c' },
  { ending: /([bdgmnpt])\1(?:er|est)$/, instead: '$1', part: 'a', form: 'c' },
];
const FORM_PART: Readonly<Record<Form, Part>> = { s: 'n', z: 'v', d: 'v', e: 'v', g: 'v', c: 'a' };
/** How much of a word's use is in this form, roughly. */
const FORM_SHARE: Readonly<Record<Form, number>> = { s: 0.3, z: 0.1, d: 0.4, e: 0.2, g: 0.2, c: 0.1 };
const FORM_TRAITS: Readonly<Record<Form, readonly Trait[]>> = {
  s: ['plural'], z: ['wants a singular subject'], d: ['past form'], e: ['participle'], g: ['-ing form'], c: [],
};

const PUNCTUATION = /^[\p{P}\p{S}]+$/u;
// Figures, with marks inside and a short ending: 1,000 3.5 7th 1990s 5:30 2x.
const FIGURES = /^[\p{P}\p{Sc}]*\p{Nd}[\p{Nd}.,:/-]*(?:st|nd|rd|th|s)?%?$/u;
/** No entry is as long. */
const LONGEST = 64;
const NOTHING: Word = { known: false, tags: {}, traits: {}, number: null, animate: null };

const words = (text: string) => new Set(text.split(' '));

/** @param text the data file, as web/lexicon/build.mjs writes it */
export function parseLexicon(text: string): Lexicon {
  const entries = new Map<string, Entry>();
  const irregular = new Map<string, { form: Form; lemma: string }[]>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [code = '', ...rest] = line.split(' ');
    if (code === '!') {
      for (const [, form, word, lemma] of rest.join(' ').matchAll(/([szdegc])(\S+)=(\S+)/g)) {
        irregular.set(word as string, [...(irregular.get(word as string) ?? []), { form: form as Form, lemma: lemma as string }]);
      }
      continue;
    }
    const entry = parseCode(code);
    let word = '';
    for (const coded of rest) {
      word = word.slice(0, Number.parseInt(coded.charAt(0), 36)) + coded.slice(1);
      entries.set(word, entry);
    }
  }
  return new WordList(entries, irregular);
}

function parseCode(code: string): Entry {
  const [, shares = '', often = '', kind = '', being, name = '-'] = /^((?:[nvari]\d)*)(\d)(.)(.)(.)$/.exec(code) ?? [];
  const parts = [...shares.matchAll(/([nvari])(\d)/g)].map(([, part, share]) => [part, Number(share)]);
  return { shares: Object.fromEntries(parts), often: 4 ** Number(often), kind, ofBeings: being === 'b', name };
}

class WordList implements Lexicon {
  readonly #closed = new Map<string, Word>();
  readonly #female = words(FEMALE);
  readonly #male = words(MALE);
  readonly #beings = words(BEINGS);

  constructor(
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly irregular: ReadonlyMap<string, readonly { form: Form; lemma: string }[]>,
  ) {
    for (const { tags, traits = [], words: list } of CLOSED_CLASSES) {
      for (const word of list.split(' ')) this.#closed.set(word, wordOf(tags, Object.fromEntries(traits.map((trait) => [trait, 1]))));
    }
  }

  look(text: string): Word {
    if (text.length > LONGEST) return NOTHING;
    const written = text.normalize('NFC').replace(/[\u2019\u02bc]/g, "'");
    const capital = /^\p{Lu}/u.test(written);
    const word = this.#find(written.toLowerCase(), capital);
    return word.known && capital ? wordOf(word.tags, { ...word.traits, 'capital letter': 1 }) : word;
  }

  #find(word: string, capital: boolean): Word {
    const closed = this.#closed.get(word);
    if (closed) return closed;
    if (PUNCTUATION.test(word)) return wordOf({ punctuation: 1 }, {});
    if (FIGURES.test(word)) return wordOf({ number: 1 }, {});
    const readings = this.#readings(word);
    if (readings.length > 0) return this.#merge(word, readings, capital);
    return this.#withClitic(word, capital) ?? this.#compound(word, capital) ?? NOTHING;
  }

  #readings(word: string): Reading[] {
    const found: Reading[] = [];
    const own = this.entries.get(word);
    if (own) for (const part of Object.keys(own.shares) as Part[]) found.push({ entry: own, part });
    for (const { form, lemma } of this.irregular.get(word) ?? []) this.#inflected(found, lemma, FORM_PART[form], form);
    for (const { ending, instead, part, form } of RULES) {
      const lemma = word.replace(ending, instead);
      // "bed" is no form of "be".
      if (lemma !== word && lemma !== 'be') this.#inflected(found, lemma, part, form);
    }
    return found;
  }

  #inflected(found: Reading[], lemma: string, part: Part, form: Form): void {
    const entry = this.entries.get(lemma);
    if (entry?.shares[part] === undefined || found.some((other) => other.form === form)) return;
    found.push({ entry, part, form });
  }

  #merge(word: string, readings: readonly Reading[], capital: boolean): Word {
    const tags: Partial<Record<Tag, number>> = {};
    const traits: Partial<Record<Trait, number>> = {};
    const add = <Key extends string>(to: Partial<Record<Key, number>>, key: Key, share: number) => {
      to[key] = (to[key] ?? 0) + share;
    };
    const sure = readings.some(({ entry, part }) => entry.shares[part] !== 0);
    const weights = inTenths(readings.map(({ entry, part, form }) => (sure ? entry.shares[part] ?? 0 : 1) * entry.often * (form ? FORM_SHARE[form] : 1)));
    // With a capital letter, what could be a name is one, as far as it is a noun at all.
    const own = this.entries.get(word);
    const name = capital ? NAME_TRAITS[own?.name ?? '-'] : undefined;
    const isName = (reading: Reading) => name !== undefined && reading.part === 'n' && !reading.form;
    const asName = readings.reduce((all, reading, i) => all + (isName(reading) ? weights[i] ?? 0 : 0), 0);
    readings.forEach((reading, i) => {
      const { entry, part, form } = reading;
      const share = weights[i] ?? 0;
      if (share === 0 || isName(reading)) return;
      add(tags, PART_TAG[part], share);
      if (form) for (const trait of FORM_TRAITS[form]) add(traits, trait, share);
      if (form === 'd') add(traits, 'participle', share);
      if (part === 'v' && !form) {
        add(traits, 'base form', share);
        // After did, will or to it wants no number at all.
        add(traits, 'wants a plural subject', share / 2);
      }
      if (part === 'n') {
        if (form !== 's') add(traits, 'singular', share);
        const kind = KIND_TRAIT[entry.kind];
        if (kind) add(traits, kind, share);
      }
      if (part === 'a' && (entry.ofBeings || this.#beings.has(word))) add(traits, 'said of beings', share);
    });
    if (name && asName > 0) {
      add(tags, 'name', asName);
      for (const trait of ['singular', ...name] as const) add(traits, trait, asName);
    }
    if (this.#female.has(word)) traits.female = tags.noun ?? 0;
    if (this.#male.has(word)) traits.male = tags.noun ?? 0;
    if (this.#beings.has(word)) traits['said of beings'] = 1;
    return wordOf(tags, traits);
  }

  /** it's, dog's, we'll: the word, which keeps what it is, and what its ending brings. */
  #withClitic(word: string, capital: boolean): Word | undefined {
    for (const [clitic, traits] of Object.entries(CLITICS)) {
      if (!word.endsWith(clitic) || word.length === clitic.length) continue;
      const base = this.#find(word.slice(0, -clitic.length), capital);
      if (!base.known) continue;
      const isOwner = /'s?$/.test(clitic) && base.tags.pronoun === undefined;
      return wordOf(isOwner ? { possessive: 1 } : base.tags, { ...base.traits, ...Object.fromEntries(traits.map((trait) => [trait, 1])) });
    }
    return undefined;
  }

  /** well-known, Anglo-American: known when each part is; the last one says what it is. */
  #compound(word: string, capital: boolean): Word | undefined {
    const parts = word.split('-');
    if (parts.length < 2 || parts.length > 4 || parts.includes('')) return undefined;
    const found = parts.map((part) => this.#find(part, capital));
    return found.every(({ known }) => known) ? found.at(-1) : undefined;
  }
}

/** Rounded shares: numbers that a reader can take in, and nothing for what is seldom. */
function inTenths(weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  const tenths = weights.map((weight) => Math.round((10 * weight) / sum));
  const largest = tenths.indexOf(Math.max(...tenths));
  return tenths.map((tenth, i) => (i === largest ? 10 - tenths.reduce((a, b) => a + b, -tenth) : tenth) / 10);
}

/** A word of which this is known. */
export function wordOf(tags: Word['tags'], traits: Word['traits']): Word {
  const { singular = 0, plural = 0, person = 0, animal = 0 } = traits;
  const naming = (tags.noun ?? 0) + (tags.name ?? 0) + (tags.pronoun ?? 0) >= 0.5;
  return {
    known: true,
    tags,
    traits,
    number: singular > 0.5 && plural < 0.5 ? 'sg' : plural > 0.5 && singular < 0.5 ? 'pl' : null,
    animate: naming ? person + animal > 0.5 : null,
  };
}

const loading = new Map<string, Promise<Lexicon>>();

/**
 * The lexicon, fetched once for each place; a failed load may be tried again.
 * @param src where lexicon.txt lies, when not beside the script
 * @throws Error with a sentence, when it cannot be fetched
 */
export function loadLexicon(src: string = new URL('lexicon.txt', import.meta.url).href): Promise<Lexicon> {
  let lexicon = loading.get(src);
  if (!lexicon) {
    lexicon = fetchText(src).then(parseLexicon);
    lexicon.catch(() => loading.delete(src));
    loading.set(src, lexicon);
  }
  return lexicon;
}

async function fetchText(src: string): Promise<string> {
  const response = await fetch(src).catch(() => undefined);
  if (response?.ok) return response.text();
  throw new Error(msg('The list of words could not be loaded. lexicon.txt must lie beside the script; check the connection and try again.'));
}

// What the designed heads must know of the sentences that the lesson opens with: a few hundred bytes that come with the
// page, while the list of words comes behind it. The English lines are those of the list itself; a test compares them.

const ENGLISH = ['a8r13--- 0wide', 'a91--- 0crossed 0tiring', 'a92--- 0tired', 'n1v8a13t-o 0cross', 'n91x-- 0crossing', 'n5v42t-- 0tire', 'n93t-- 0street', 'n9a03lb- 0animal'].join('\n');

const SPANISH: readonly ClosedClass[] = [
  { tags: { name: 1 }, traits: ['singular', 'person', 'female'], words: 'ana' },
  { tags: { noun: 1 }, traits: ['singular', 'thing', 'male'], words: 'libro cajón' },
  { tags: { preposition: 1 }, words: 'del' },
  { tags: { conjunction: 1 }, words: 'y' },
  { tags: { pronoun: 1 }, traits: ['object form', 'singular', 'male', 'stands for a noun before', 'stands for a thing'], words: 'lo' },
  { tags: { determiner: 1 }, words: 'el' },
  { tags: { verb: 1 }, traits: ['past form'], words: 'sacó leyó cerró' },
];

const CHINESE: readonly ClosedClass[] = [
  { tags: { determiner: 1 }, words: '这 这只 只' },
  { tags: { noun: 1 }, traits: ['singular', 'animal'], words: '动物' },
  { tags: { noun: 1 }, traits: ['singular', 'thing'], words: '马路' },
  { tags: { auxiliary: 1 }, traits: ['negation'], words: '没有 没' },
  { tags: { verb: 1 }, words: '过' },
  { tags: { conjunction: 1 }, words: '因为' },
  { tags: { pronoun: 1 }, traits: ['singular', 'thing', 'stands for a noun before', 'stands for a thing'], words: '它' },
  { tags: { adverb: 1 }, words: '太 了' },
  { tags: { adjective: 1 }, traits: ['said of beings'], words: '累' },
  { tags: { adjective: 1 }, words: '宽' },
];

const OTHERS: Readonly<Partial<Record<Language, readonly ClosedClass[]>>> = { es: SPANISH, 'zh-Hans': CHINESE };

let english: Lexicon | null = null;

/** A compound is known by its parts, unless the list knows it. */
const COMPOUND = /.-./;

/** The opening sentence's words have the same entries before and after the whole list has come. @param whole the list, once it has come */
export function openingLexicon(language: Language, whole: Lexicon | null = null): Lexicon {
  const others = whole ?? (english ??= parseLexicon(ENGLISH));
  const own = new Map((OTHERS[language] ?? []).flatMap(({ tags, traits = [], words }) => (
    words.split(' ').map((word) => [word, wordOf(tags, Object.fromEntries(traits.map((trait) => [trait, 1])))] as const))));
  return { look: (word) => own.get(word.normalize('NFC').toLowerCase()) ?? (whole || !COMPOUND.test(word) ? others.look(word) : NOTHING) };
}
