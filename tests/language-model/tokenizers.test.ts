// The reader's text as models read it: whole words and pieces, GPT-2's byte pairs, typed ids.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal } from '../lib/refusal.ts';
import { WORDS } from '../lib/tiny-models.ts';
import { BytePairs } from '../../web/src/parameters/language-model/byte-pairs.ts';
import { TokenIds } from '../../web/src/parameters/language-model/tokens.ts';
import type { ModelToken, Tokenizer } from '../../web/src/parameters/language-model/tokens.ts';
import { WordPieces } from '../../web/src/parameters/language-model/word-pieces.ts';

const words = (tokens: readonly ModelToken[]) => tokens.map(({ word, piece }) => (piece ? `+${word}` : word)).join(' ');

/** Tokens lie in the text, one after another, and say what stands there. */
function assertPlaces(tokenizer: Tokenizer, text: string): void {
  let last = 0;
  for (const { start, end, text: said } of tokenizer.tokenize(text)) {
    assert.ok(start >= last || start < end, `${start} … ${end} after ${last}`);
    assert.equal(said, text.slice(start, end));
    last = start;
  }
}

const pieces = new WordPieces(WORDS, '<s>');

test('a known word is one token, another the fewest pieces, of equally few the longest first, and one that cannot be spelt is unknown', () => {
  assert.equal(words(pieces.tokenize('The cat sat.')), '<s> the cat sat .');
  assert.equal(words(pieces.tokenize('cats')), '<s> cat +s');
  assert.equal(words(pieces.tokenize('sas')), '<s> s +a +s');
  assert.equal(words(pieces.tokenize('cacs')), '<s> ca +c +s'); // no c to begin with
  assert.equal(words(pieces.tokenize('dog')), '<s> <unk>');
  const two = new WordPieces(['<unk>', 'a', 'ab', '##b', '##bc', '##c', '##cd', '##d'], undefined);
  assert.equal(words(two.tokenize('abcd')), 'ab +cd'); // not a +bc +d
  assert.equal(words(two.tokenize('abc')), 'ab +c'); // not a +bc
});

test('words are what the training took for words', () => {
  const cut = (text: string) => new WordPieces(['<unk>']).tokenize(text).map((token) => token.text);
  assert.deepEqual(cut("It's the dogs' well-known 3.5 snake_case… no?!"), ["It's", 'the', 'dogs', "'", 'well', '-', 'known', '3', '.', '5', 'snake_case', '…', '…', '…', 'no', '?', '!']);
  assert.deepEqual(cut("rock ’n’ roll isn’t"), ['rock', '’', 'n', '’', 'roll', 'isn’t']);
  assert.deepEqual(cut('naïve 東京 ١٢ ½ 👍🏽 a\u00a0b\u2003c\u0085d'), ['naïve', '東京', '١٢', '½', '👍', '🏽', 'a', 'b', 'c', 'd']);
  assert.deepEqual(cut(' \t\n'), []);
});

test('the reader’s text stays as it is: accents composed or not, capitals that grow, apostrophes', () => {
  const [start, whole] = pieces.tokenize('É');
  assert.deepEqual([start?.text, whole?.word, whole?.text], ['', 'é', 'É']);
  const [, apart, next] = pieces.tokenize('e\u0301 cat');
  assert.deepEqual([apart?.word, apart?.start, apart?.end, next?.start], ['é', 0, 2, 3]);
  for (const text of ['The cat’s É e\u0301 İstanbul ẞ ﬁ \u1112\u1161\u11ab 👩‍👩‍👧 cat', 'x\u0301\u0302y', '\ud800 cat']) assertPlaces(pieces, text);
});

test('pieces are written without their mark, and are known for pieces', () => {
  assert.deepEqual(pieces.word(8), { word: 'a', piece: true });
  assert.deepEqual(pieces.word(7), { word: 'a', piece: false });
  assert.deepEqual(new WordPieces(['##']).word(0), { word: '##', piece: false });
  assert.deepEqual(pieces.word(99), { word: '', piece: false });
});

test('a very long word is cut to its last letter', () => {
  assert.equal(pieces.tokenize('a'.repeat(1e5)).length, 1 + 1e5);
  assert.equal(bytePairs.tokenize('a'.repeat(1e5)).length, 1e5);
});

// Every byte a token, and a few merges.
const shows = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
const hidden = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !shows(byte));
const letters = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(shows(byte) ? byte : 256 + hidden.indexOf(byte)));
const MERGES = ['t h', 'Ġ th', 'Ġth e', 'h e', 'a t', 'Ġ c', 'Ġc at', 'Ã ©', 'ð Ł', "' s", 's s'];
const vocabulary = Object.fromEntries([...letters, ...MERGES.map((pair) => pair.replace(' ', ''))].map((name, id) => [name, id]));
const bytePairs = new BytePairs(vocabulary, `#version: 0.2\n${MERGES.join('\n')}\n`, 300);
const spelt = (text: string) => bytePairs.tokenize(text).map((token) => token.word);

// Other implementations of GPT-2's tokenizer gave the same for these merges.
test('byte pairs are merged by rank, within words that have their space before them', () => {
  assert.deepEqual(spelt('the cat'), ['th', 'e', ' cat']);
  assert.deepEqual(spelt('a the the'), ['a', ' the', ' the']);
  assert.deepEqual(spelt("cat's  he"), ['c', 'at', "'s", ' ', ' ', 'he']);
  assert.deepEqual(spelt('ssss sss'), ['ss', 'ss', ' ', 'ss', 's']);
  assert.deepEqual(spelt(' \n the'), [' ', '\n', ' the']);
  assert.deepEqual(spelt(''), []);
});

test('a character of several tokens belongs to each of them; bytes that are no text are shown as such', () => {
  const [accent] = bytePairs.tokenize('é');
  assert.deepEqual([accent?.word, accent?.text], ['é', 'é']);
  const smile = bytePairs.tokenize('a😀b');
  assert.deepEqual(smile.map(({ text, start, end, piece }) => [text, start, end, piece]), [
    ['a', 0, 1, false], ['😀', 1, 3, false], ['😀', 1, 3, true], ['😀', 1, 3, true], ['b', 3, 4, false],
  ]);
  assert.equal(smile[1]?.word, '\ufffd');
  for (const text of ['é😀 the cat’s \u00a0 東京\n\n', 'e\u0301', '\ud800x']) assertPlaces(bytePairs, text);
});

test('a vocabulary and merges that do not fit the model or each other are refused', () => {
  const made = (change: object, merges = MERGES.join('\n'), size = 300) => () => new BytePairs({ ...vocabulary, ...change }, merges, size);
  assert.throws(made({ the: 300 }), refusal('bad_file', /“the” the id “300”/));
  assert.throws(made({ the: '5' }), refusal('bad_file'));
  assert.throws(made({}, 'a b c'), refusal('bad_file', /“a b c”/));
  assert.throws(() => new BytePairs({ a: 0 }, '', 300), refusal('bad_file', /byte 0/));
  assert.throws(() => new BytePairs(vocabulary, 'q q', 300).tokenize('qq'), refusal('bad_file', /“qq”/));
  const own = new BytePairs(JSON.parse(`{"__proto__": 290, ${JSON.stringify(vocabulary).slice(1)}`), '', 300);
  assert.equal(own.word(290).word, '__proto__');
});

test('without a tokenizer ids are typed, and what is none is refused with the range', () => {
  const ids = new TokenIds(17);
  assert.deepEqual(ids.tokenize(' 3, 16\n0;7 ').map(({ id, start, end }) => [id, start, end]), [[3, 1, 2], [16, 4, 6], [0, 7, 8], [7, 9, 10]]);
  assertPlaces(ids, ' 3, 16\n0;7 ');
  assert.deepEqual(ids.tokenize(''), []);
  for (const text of ['cat', '17', '-1', '1.5', '1e1', '99999999999999999999']) assert.throws(() => ids.tokenize(`1 ${text}`), refusal('not_a_token', /0 to 16/));
  assert.deepEqual(ids.word(4), { word: '4', piece: false });
});
