// What the designed heads must know of the sentences that the lesson opens with: a few hundred bytes that come with the
// page, while the list of words comes behind it. The English lines are those of the list itself; a test compares them.
import type { Language } from '../../lib/language.ts';
import type { ClosedClass } from './closed-class.ts';
import { type Lexicon, parseLexicon, wordOf } from './lexicon.ts';

const ENGLISH = ['a8r13--- 0wide', 'a92--- 0tired', 'n1v8a13t-o 0cross', 'n5v42t-- 0tire', 'n93t-- 0street', 'n9a03lb- 0animal'].join('\n');

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

/** @param whole the list of words, once it has come */
export function openingLexicon(language: Language, whole: Lexicon | null = null): Lexicon {
  const others = whole ?? (english ??= parseLexicon(ENGLISH));
  const own = new Map((OTHERS[language] ?? []).flatMap(({ tags, traits = [], words }) => (
    words.split(' ').map((word) => [word, wordOf(tags, Object.fromEntries(traits.map((trait) => [trait, 1])))] as const))));
  return { look: (word) => own.get(word.normalize('NFC').toLowerCase()) ?? others.look(word) };
}
