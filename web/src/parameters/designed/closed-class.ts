// English words that belong to closed classes, written out by hand: no list of nouns and verbs tells what they do.

/** What a word can be; `Word.tags` holds the share of each. */
export const TAGS = [
  'noun', 'name', 'verb', 'auxiliary', 'adjective', 'adverb', 'determiner', 'possessive', 'preposition', 'pronoun',
  'conjunction', 'number', 'interjection', 'punctuation',
] as const;
export type Tag = (typeof TAGS)[number];

/** What else is known of a word. Each is a dimension of the embedding, under this very name. */
export const TRAITS = [
  'base form', 'past form', '-ing form', 'participle',
  'singular', 'plural', 'wants a singular subject', 'wants a plural subject',
  'person', 'animal', 'thing', 'place', 'group', 'idea', 'female', 'male',
  'subject form', 'object form', 'stands for a noun before', 'stands for a noun just before', 'stands for a person', 'stands for a thing', 'said of beings',
  'negation', 'question word', 'before an infinitive', 'capital letter',
] as const;
export type Trait = (typeof TRAITS)[number];

export interface ClosedClass {
  tags: Partial<Record<Tag, number>>;
  traits?: readonly Trait[];
  words: string;
}

const personal = (traits: readonly Trait[], words: string): ClosedClass => ({ tags: { pronoun: 1 }, traits, words });
const possessive = (traits: readonly Trait[], words: string): ClosedClass => ({ tags: { possessive: 1 }, traits, words });
const auxiliary = (traits: readonly Trait[], words: string): ClosedClass => ({ tags: { auxiliary: 1 }, traits, words });
const only = (tag: Tag, words: string, ...traits: Trait[]): ClosedClass => ({ tags: { [tag]: 1 }, traits, words });

/** A word that stands twice has what its last line says. Shares are estimates, in tenths. */
export const CLOSED_CLASSES: readonly ClosedClass[] = [
  only('determiner', 'the every no half either neither such another each'),
  only('determiner', 'a an', 'singular'),
  { tags: { determiner: 0.6, pronoun: 0.4 }, words: 'some any all both enough plenty' },
  { tags: { adjective: 0.6, determiner: 0.2, pronoun: 0.2 }, words: 'several few many much more most less least' },
  { tags: { adjective: 1 }, words: 'other own same certain various else' },
  { tags: { noun: 0.8, pronoun: 0.2 }, traits: ['plural'], words: 'others ones' },
  { tags: { determiner: 0.5, pronoun: 0.5 }, traits: ['singular', 'subject form'], words: 'this' },
  { tags: { determiner: 0.6, pronoun: 0.4 }, traits: ['plural', 'subject form'], words: 'these those' },
  { tags: { conjunction: 0.5, pronoun: 0.4, determiner: 0.1 }, traits: ['subject form', 'stands for a noun just before'], words: 'that' },

  personal(['subject form', 'wants a plural subject', 'person'], 'i'),
  personal(['subject form', 'plural', 'person'], 'we'),
  personal(['subject form', 'plural', 'person'], 'you u ye thou y\'all'),
  personal(['subject form', 'singular', 'person', 'male', 'stands for a noun before', 'stands for a person'], 'he'),
  personal(['subject form', 'singular', 'person', 'female', 'stands for a noun before', 'stands for a person'], 'she'),
  personal(['subject form', 'singular', 'thing', 'stands for a noun before', 'stands for a thing'], 'it'),
  personal(['subject form', 'plural', 'stands for a noun before', 'stands for a person', 'stands for a thing'], 'they'),
  personal(['object form', 'singular', 'person'], 'me'),
  personal(['object form', 'plural', 'person'], 'us thee'),
  personal(['object form', 'singular', 'person', 'male', 'stands for a noun before', 'stands for a person'], 'him himself'),
  personal(['object form', 'singular', 'person', 'female', 'stands for a noun before', 'stands for a person'], 'herself'),
  { tags: { possessive: 0.7, pronoun: 0.3 }, traits: ['object form', 'singular', 'person', 'female', 'stands for a noun before', 'stands for a person'], words: 'her' },
  personal(['object form', 'singular', 'thing', 'stands for a noun before', 'stands for a thing'], 'itself'),
  personal(['object form', 'plural', 'stands for a noun before', 'stands for a person', 'stands for a thing'], 'them themselves themself \'em em'),
  personal(['object form', 'person'], 'myself yourself yourselves ourselves oneself'),
  { tags: { pronoun: 0.5, noun: 0.5 }, traits: ['singular', 'person'], words: 'someone somebody anyone anybody everyone everybody nobody no-one' },
  { tags: { pronoun: 0.5, noun: 0.5 }, traits: ['singular', 'thing'], words: 'something anything everything nothing none' },
  personal(['object form'], 'mine yours hers ours theirs'),
  { tags: { number: 0.5, noun: 0.5 }, traits: ['singular'], words: 'one' },
  personal(['subject form', 'person', 'stands for a noun just before', 'stands for a person', 'question word'], 'who whoever'),
  personal(['object form', 'person', 'stands for a noun just before', 'stands for a person', 'question word'], 'whom'),
  { tags: { pronoun: 0.8, determiner: 0.2 }, traits: ['subject form', 'thing', 'stands for a noun just before', 'stands for a thing', 'question word'], words: 'which' },
  { tags: { pronoun: 0.7, determiner: 0.3 }, traits: ['subject form', 'thing', 'question word'], words: 'what whatever whichever' },
  possessive(['stands for a noun just before', 'question word'], 'whose'),
  { tags: { adverb: 1 }, traits: ['question word'], words: 'how whenever wherever' },
  { tags: { adverb: 1 }, traits: ['question word', 'stands for a noun just before'], words: 'when where why' },

  possessive(['person'], 'my your our thy'),
  possessive(['person', 'stands for a noun before', 'stands for a person', 'male', 'singular'], 'his'),
  possessive(['thing', 'stands for a noun before', 'stands for a thing', 'singular'], 'its'),
  possessive(['plural', 'stands for a noun before', 'stands for a person', 'stands for a thing'], 'their'),
  possessive([], '\'s \''),

  auxiliary(['wants a singular subject'], 'is \'s isn\'t'),
  auxiliary(['wants a plural subject'], 'are \'re aren\'t ain\'t'),
  auxiliary([], 'am \'m'),
  auxiliary(['past form', 'wants a singular subject'], 'was wasn\'t'),
  auxiliary(['past form', 'wants a plural subject'], 'were weren\'t'),
  auxiliary(['base form'], 'be'),
  auxiliary(['participle'], 'been'),
  auxiliary(['-ing form'], 'being'),
  { tags: { auxiliary: 0.5, verb: 0.5 }, traits: ['base form', 'wants a plural subject'], words: 'have do \'ve' },
  { tags: { auxiliary: 0.6, verb: 0.4 }, traits: ['wants a singular subject'], words: 'has does' },
  { tags: { auxiliary: 0.6, verb: 0.4 }, traits: ['past form'], words: 'had did' },
  { tags: { verb: 1 }, traits: ['-ing form'], words: 'having doing' },
  { tags: { verb: 1 }, traits: ['participle'], words: 'done' },
  auxiliary(['negation', 'wants a plural subject'], 'don\'t haven\'t'),
  auxiliary(['negation', 'wants a singular subject'], 'doesn\'t hasn\'t'),
  auxiliary(['negation', 'past form'], 'didn\'t hadn\'t'),
  auxiliary(['base form'], 'will would can could shall should may might must ought \'ll \'d wo ca sha'),
  auxiliary(['base form', 'negation'], 'cannot can\'t won\'t wouldn\'t couldn\'t shouldn\'t mustn\'t mightn\'t shan\'t needn\'t'),
  { tags: { verb: 0.6, auxiliary: 0.4 }, words: 'gon gonna gotta wan wanna haf' },
  only('preposition', 'na ta', 'before an infinitive'),
  only('adverb', 'not n\'t never nt', 'negation'),

  { tags: { preposition: 1 }, traits: ['before an infinitive'], words: 'to' },
  only('preposition', 'of in on at by for with from into onto upon about against between among amongst amid through throughout during within without toward towards across behind beyond beside besides beneath underneath despite except per via versus vs unlike until till concerning regarding including inside outside along around under above below near off over past amongst alongside opposite minus plus notwithstanding atop'),
  { tags: { preposition: 0.5, adverb: 0.5 }, words: 'up down out' },
  { tags: { preposition: 0.5, conjunction: 0.5 }, words: 'as than before after since because' },
  { tags: { preposition: 0.7, verb: 0.3 }, traits: ['base form'], words: 'like' },
  { tags: { conjunction: 0.7, noun: 0.3 }, traits: ['singular'], words: 'while' },
  only('conjunction', 'and or but nor yet if although though whereas unless whether lest once & cos cuz so'),
  only('adverb', 'then now here there also too very just even still already always often ever again quite rather perhaps maybe almost soon later today tonight tomorrow yesterday away back together instead however therefore thus hence indeed otherwise well'),
  { tags: { adverb: 0.5, adjective: 0.5 }, words: 'only first last next' },
  { tags: { adjective: 0.5, interjection: 0.5 }, words: 'ok okay' },
  { tags: { adjective: 0.9, noun: 0.1 }, traits: [], words: 'red blue green yellow black white brown grey gray pink purple orange' },
  only('interjection', 'yes no oh ah hey hello hi wow please bye goodbye hmm lol haha ha yeah yep nope ugh oops alas thanks'),
  { tags: { determiner: 0.8, interjection: 0.2 }, traits: ['negation'], words: 'no' },
  only('number', 'zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion dozen'),
];

/** What stands after an apostrophe and makes a word with the one before it: it is a → it's a. */
export const CLITICS: Readonly<Record<string, readonly Trait[]>> = {
  "'s": [], "'": [], "'m": [], "'re": [], "'ve": [], "'ll": [], "'d": [], "n't": ['negation'],
};

/** Nouns that say whether she or he is meant. */
export const FEMALE = 'woman girl lady mother mom mum mommy mummy daughter sister aunt grandmother grandma granny niece wife widow bride queen princess actress waitress heroine girlfriend goddess nun witch duchess mrs ms miss madam hen cow mare ewe lioness';
export const MALE = 'man boy gentleman father dad daddy papa son brother uncle grandfather grandpa nephew husband widower groom king prince actor waiter hero boyfriend god monk wizard duke mr sir lord guy bull ram stallion rooster';
/** Adjectives of bodies and moods that WordNet derives from no feeling. */
export const BEINGS = 'tired hungry thirsty sleepy sick ill asleep awake alive dead exhausted weary afraid scared frightened bored drunk brave lazy curious greedy shy clever blind deaf lame pregnant wounded naughty polite rude kind cruel honest young busy ready healthy';
