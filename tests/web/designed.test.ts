// The designed heads and the lexicon: on the sentences that they are shown with, on any other text, and at length.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildLexicon } from '../../web/lexicon/build.mjs';
import { type Attended, attender, plainAttention } from '../../tools/lib/designed/attend.ts';
import { CASES, parseTrees } from '../../tools/lib/designed/trees.ts';
import { D_MODEL, design, dimension, DIMENSIONS, NUM_HEADS } from '../../web/src/parameters/designed/design.ts';
import { DESIGNED_HEADS, type HeadId } from '../../web/src/parameters/designed/heads.ts';
import { loadLexicon, parseLexicon } from '../../web/src/parameters/designed/lexicon.ts';
import { DEFAULTS, nativeStages, referenceStages } from '../lib/native.ts';
import { tokenize } from '../../web/src/engine/tokens.ts';

const text = await buildLexicon();
const lexicon = parseLexicon(text);
const attend = await attender(lexicon);

interface Read extends Attended {
  tokens: string[];
  /** The weight of one word (its last place, or its nth) on another. */
  weight(head: HeadId, from: string, to: string): number;
  /** The word that holds most of a row. */
  most(head: HeadId, from: string): string;
  /** All heads' contexts of a word. */
  contexts(word: string): number[];
}

const headIndex = (id: HeadId) => DESIGNED_HEADS.findIndex((head) => head.id === id);

function read(sentence: string): Read {
  const tokens = tokenize(sentence).map((token) => token.text);
  const attended = attend(tokens);
  const place = (word: string) => {
    const at = tokens.lastIndexOf(word);
    assert.ok(at >= 0, `“${word}” is a word of “${sentence}”`);
    return at;
  };
  const row = (head: HeadId, from: string) => {
    const weights = attended.weights(headIndex(head));
    return tokens.map((_, k) => weights[place(from) * tokens.length + k] as number);
  };
  return {
    ...attended,
    tokens,
    weight: (head, from, to) => row(head, from)[place(to)] as number,
    most: (head, from) => {
      const weights = row(head, from);
      return tokens[weights.indexOf(Math.max(...weights))] as string;
    },
    contexts: (word) => DESIGNED_HEADS.flatMap((_, h) => {
      const context = attended.context(h);
      const d = context.length / tokens.length;
      return Array.from({ length: d }, (_, c) => context[place(word) * d + c] as number);
    }),
  };
}

const cosine = (a: readonly number[], b: readonly number[]) => {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + value * (y[i] as number), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

/** Each with a message of its own: without one, a failing assert.ok reads this file for one, and may never be done with it. */
function isSure(weight: number | undefined, what = 'the weight'): void {
  assert.ok(weight !== undefined && weight > 0.9, `${what} is sure, not ${weight}`);
}

test('what is measured is the engine’s, and plain loops in double agree', () => {
  for (const sentence of ['a fluffy blue creature roamed the verdant forest', "The animal didn't cross the street: it was too tired.", 'wug 猫 42 — ?', 'one']) {
    const { design: designed, tokens, weights, context } = read(sentence);
    plainAttention(designed).forEach((plain, h) => {
      for (const [mine, reference] of [[weights(h), plain.weights], [context(h), plain.context]] as const) {
        assert.equal(mine.length, reference.length);
        const off = reference.reduce((most, value, i) => Math.max(most, Math.abs(value - (mine[i] as number))), 0);
        assert.ok(off < 2e-4, `head ${h} of ${tokens.length} words: ${off}`);
      }
    });
  }
});

test('a noun gathers the adjectives before it, and no other noun’s', () => {
  const { weight } = read('a fluffy blue creature roamed the verdant forest');
  const [fluffy, blue] = [weight('describers', 'creature', 'fluffy'), weight('describers', 'creature', 'blue')];
  assert.ok(fluffy > 0.3 && blue > 0.3, `fluffy ${fluffy}, blue ${blue}`);
  isSure(fluffy + blue, 'fluffy and blue');
  isSure(weight('describers', 'forest', 'verdant'));
  assert.ok(weight('describers', 'forest', 'blue') < 0.01, 'forest is not blue');
  isSure(read('the happy author of a long book').weight('describers', 'book', 'long'));
  isSure(read('a small dog and a cat').weight('describers', 'cat', 'cat'), 'an adjective of another phrase is not the cat’s');
  isSure(read('a good deal').weight('describers', 'deal', 'good'), 'what could be a verb is a noun behind an adjective');
});

test('"it" looks at the animal, and in a causal layer at the same whatever follows', () => {
  const [tired, wide] = ['tired', 'wide'].map((last) => read(`the animal didn't cross the street because it was too ${last}`)) as [Read, Read];
  isSure(tired.weight('antecedent', 'it', 'animal'));
  assert.equal(tired.weight('antecedent', 'it', 'animal'), wide.weight('antecedent', 'it', 'animal'));
});

test('what is tired is the animal, what is wide is the street', () => {
  isSure(read("the animal didn't cross the street because it was too tired").weight('bearer', 'tired', 'animal'));
  isSure(read("the animal didn't cross the street because it was too wide").weight('bearer', 'wide', 'street'));
});

test('she and he find who is meant, they find the many', () => {
  const people = read('Mary met John because she likes him');
  isSure(people.weight('antecedent', 'she', 'Mary'));
  isSure(people.weight('antecedent', 'him', 'John'));
  isSure(read('The dogs chased the cat. They barked.').weight('antecedent', 'They', 'dogs'));
  isSure(read('The dogs chased the cat. It hissed.').weight('antecedent', 'It', 'cat'));
});

test('a verb finds the subject that agrees with it, past a nearer noun that does not', () => {
  isSure(read('The keys to the cabinet are here').weight('subject', 'are', 'keys'));
  isSure(read('The author of the books is here').weight('subject', 'is', 'author'));
  isSure(read('a fluffy blue creature roamed the verdant forest').weight('subject', 'roamed', 'creature'));
});

test('a noun finds its preposition', () => {
  const { weight } = read('the cat sat on the old mat');
  isSure(weight('preposition', 'mat', 'on'));
  assert.equal(read('the cat sat').most('preposition', 'cat'), 'cat');
});

test('each word looks at the word before it, at any length the page shows', () => {
  for (const count of [2, 64, 500]) {
    const { weights } = attend(Array.from({ length: count }, (_, i) => `w${i}`));
    const previous = weights(headIndex('previous'));
    for (let q = 1; q < count; q++) isSure(previous[q * count + q - 1], `word ${q} of ${count}`);
  }
});

test('numbers that cancel leave nothing behind: in a long text, too, scores are those of the double reference', () => {
  // Every mask and scale of the page's may be on: rows see what is behind and before them, and scores are as large as they get.
  for (const [count, settings] of [[39, { mask: 'none', scale: 'factor', scale_factor: 1.04 }], [500, { mask: 'none', scale: 'none' }]] as const) {
    const tokens = Array.from({ length: count }, (_, i) => `w${i % 7}`);
    const { content, W_Q, W_K, W_V, W_O, settings: own } = design(tokens, lexicon);
    const request = { tokens, given: { content, W_Q, W_K, W_V, W_O } };
    const wanted = { ...DEFAULTS, ...own, ...settings };
    const [single, double] = [nativeStages(request, wanted).get('masked_scores'), referenceStages(request, wanted).get('masked_scores')];
    const wrong = single.findIndex((x, i) => !(Math.abs(x - (double[i] ?? NaN)) <= 2e-3 * Math.max(1, Math.abs(double[i] ?? 0))));
    assert.equal(wrong, -1, `of ${count} words, score ${wrong} is ${single[wrong]}, in double ${double[wrong]}`);
  }
});

test('a word that stood before looks at its first place, and a new word at itself', () => {
  const { most, weight } = read('The cat saw the dog, and the dog ran');
  isSure(weight('same', 'the', 'The'), 'capital letters aside');
  const long = [...Array.from({ length: 62 }, (_, i) => `word${i}`), 'cat', 'word0'];
  const same = attend(long).weights(headIndex('same'));
  for (let q = 0; q < 63; q++) isSure(same[q * 64 + q], `word ${q} is new`);
  isSure(same[63 * 64], 'from the last word to the first');
  assert.equal(most('same', 'ran'), 'ran');
});

test('a head that finds nothing looks at itself, the idle one at the first word', () => {
  const { tokens, weights } = read('quickly and then, of the');
  for (const head of ['same', 'describers', 'subject', 'antecedent', 'bearer', 'preposition'] as const) {
    tokens.forEach((token, q) => {
      isSure(weights(headIndex(head))[q * tokens.length + q], `${head}: ${token}`);
    });
  }
  tokens.forEach((_, q) => isSure(weights(headIndex('idle'))[q * tokens.length]));
});

test('one word in two senses: one embedding, two contexts', () => {
  const pairs = [
    ['mole', 'American shrew mole', 'One mole of carbon dioxide'],
    ['mole', 'Take a biopsy of the mole', 'One mole of carbon dioxide'],
    ['have', "we'll always have", 'Houston, we have'],
  ] as const;
  const places = DIMENSIONS.map(({ group }) => group === 'where it stands');
  for (const [word, ...sentences] of pairs) {
    const [one, two] = sentences.map(read) as [Read, Read];
    const embedding = ({ design: { content }, tokens }: Read) => {
      const at = tokens.indexOf(word) * D_MODEL;
      return [...content.subarray(at, at + D_MODEL)].filter((_, i) => !places[i]);
    };
    assert.deepEqual(embedding(one), embedding(two), `${word}: its place aside, the embedding is the same`);
    const likeness = cosine(one.contexts(word), two.contexts(word));
    assert.ok(likeness < 0.9, `${word}: contexts differ, cosine ${likeness}`);
  }
});

test('every dimension has a name of its own and a group, and every head reads and writes named ones', () => {
  assert.equal(new Set(DIMENSIONS.map(({ name }) => name)).size, D_MODEL);
  assert.ok(DIMENSIONS.every(({ name, group }) => name && group), 'all are named');
  assert.equal(D_MODEL % NUM_HEADS, 0);
  for (const { terms, writes } of DESIGNED_HEADS) {
    assert.ok(terms.length <= D_MODEL / NUM_HEADS && writes.length <= D_MODEL / NUM_HEADS, 'they fit');
    for (const name of [...terms.flat().flatMap(Object.keys), ...writes.flat()]) dimension(name);
  }
});

test('matrices have the engine’s shapes and finite numbers, and do not depend on the text', () => {
  const [one, two] = [design(['the', 'cat'], lexicon), design(['быстро'], lexicon)];
  assert.equal(one.content.length, 2 * D_MODEL);
  for (const id of ['W_Q', 'W_K', 'W_V', 'W_O'] as const) {
    assert.equal(one[id].length, D_MODEL * D_MODEL);
    assert.ok(one[id].every(Number.isFinite), id);
    assert.deepEqual(one[id], two[id]);
  }
});

test('a head’s finding reaches the output under its name', () => {
  const { design: { W_V, W_O }, weight } = read('the dogs run');
  const column = headIndex('subject') * (D_MODEL / NUM_HEADS) + DESIGNED_HEADS[headIndex('subject')]!.writes.findIndex(([from]) => from === 'plural');
  assert.equal(W_V[dimension('plural') * D_MODEL + column], 1);
  assert.equal(W_O[column * D_MODEL + dimension('subject: plural')], 1);
  isSure(weight('subject', 'run', 'dogs'));
});

test('a word that is not known has its code and its place, and nothing else', () => {
  const { content, known } = design(['the', 'wug', '猫', 'كتاب', '🦊🦊x', 'cat'], lexicon);
  assert.deepEqual(known, [true, false, false, false, false, true]);
  const silent = DIMENSIONS.map(({ group }) => group === 'what is known of it' || group.startsWith('found by'));
  for (const row of [1, 2, 3, 4]) {
    const embedding = content.subarray(row * D_MODEL, (row + 1) * D_MODEL);
    assert.equal(embedding[dimension('unknown')], 1);
    assert.ok(embedding.every((value, i) => !silent[i] || value === 0), `row ${row} has no features`);
    assert.ok(embedding.some((value, i) => DIMENSIONS[i]?.group === 'which word it is' && value !== 0), `row ${row} has a code`);
  }
});

test('nothing, endless words and hostile names are looked up like any other', () => {
  assert.equal(design([], lexicon).content.length, 0);
  for (const word of ['', '__proto__', 'constructor', 'x'.repeat(1e6), `x${"'".repeat(1e5)}`, '-'.repeat(1e5), 'a-'.repeat(1e5), '\ud800', '\0']) {
    const { known, tags } = lexicon.look(word);
    assert.equal(known, Object.keys(tags).length > 0);
  }
  assert.equal(lexicon.look('__proto__').known, false);
  assert.ok(design(['\ud800', '', "''''"], lexicon).content.every(Number.isFinite), 'finite');
});

test('everyday words are known for what they are, inflected, joined and shortened', () => {
  const kinds: Record<string, string> = {
    noun: 'cat dogs children mice knives boxes cities women teachers happiness',
    verb: 'ran runs went took written stopping studied making goes',
    adjective: 'happier biggest red verdant fluffy well-known',
    adverb: 'quickly often not', determiner: 'the a every', pronoun: 'she they who', preposition: 'of under with',
    auxiliary: "is didn't can't would 's", conjunction: 'and although', possessive: "my their dog's",
    number: 'seven 1,000 3.5 1990s', punctuation: '. , ? — ”', name: 'Mary London Germany',
  };
  for (const [kind, words] of Object.entries(kinds)) {
    for (const word of words.split(' ')) {
      const { known, tags } = lexicon.look(word);
      const most = Object.entries(tags).sort((a, b) => b[1] - a[1])[0]?.[0];
      assert.deepEqual([word, known, most], [word, true, kind]);
    }
  }
  assert.deepEqual(lexicon.look("don’t"), lexicon.look("don't"));
});

test('what merely looks like a word is not known', () => {
  for (const word of ['blorfing', 'wugs', 'snorkified', 'qwrtly', 'zzzed', 'unhappyish', 'bbed', 'wug-cat', "wug's"]) assert.equal(lexicon.look(word).known, false, word);
  assert.equal(lexicon.look('bed').tags.verb, undefined, 'no form of “be”');
});

test('number and life are known of nouns and pronouns', () => {
  const about = (word: string) => {
    const { number, animate } = lexicon.look(word);
    return [number, animate];
  };
  assert.deepEqual(about('cat'), ['sg', true]);
  assert.deepEqual(about('teachers'), ['pl', true]);
  assert.deepEqual(about('streets'), ['pl', false]);
  assert.deepEqual(about('they'), ['pl', false]);
  assert.deepEqual(about('quickly'), [null, null]);
});

test('the data file says whose words it holds, and a file that is not there gives a sentence', async () => {
  assert.match(text, /^# .*WordNet/);
  await assert.rejects(loadLexicon('http://127.0.0.1:9/lexicon.txt'), /could not be loaded.*try again\.$/);
});

test('trees are read as they are written', () => {
  const [tree] = parseTrees('# text = old cats sleep\n1\told\told\tADJ\tJJ\t_\t2\tamod\t2:amod\t_\n2\tcats\tcat\tNOUN\tNNS\t_\t3\tnsubj\t3:nsubj\t_\n2-3\tx\t_\t_\t_\t_\t_\t_\t_\t_\n3\tsleep\tsleep\tVERB\tVBP\t_\t0\troot\t0:root\t_\n');
  assert.ok(tree, 'there is a tree');
  assert.deepEqual(CASES.describers?.find(tree), [{ row: 1, right: [0] }]);
  assert.deepEqual(CASES.subject?.find(tree), [{ row: 2, right: [1] }]);
  assert.deepEqual(CASES.previous?.find(tree), [{ row: 1, right: [0] }, { row: 2, right: [1] }]);
});
