// The reader's text as models read it: whole words and pieces, GPT-2's byte pairs, typed ids; and any tokenizer.json beside the program of those who defined it.
//   ATTENTION_STEPS=10000 (as tools/test --all has it) compares 20,000 texts of each kind; 2,000 otherwise
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Tokenizer as Reference } from 'tokenizers';
import { WORDS, refusal } from '../lib/model-files.ts';
import { Random } from '../lib/random.ts';
import { BytePairs, type SpecialToken } from '../../web/src/parameters/language-model/byte-pairs.ts';
import { tokenizerOf } from '../../web/src/parameters/language-model/tokenizer-files.ts';
import { type ModelToken, TokenIds, type Tokenizer, WordPieces } from '../../web/src/parameters/language-model/tokens.ts';

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
const bytePairs = new BytePairs(vocabulary, MERGES, 300);
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
  const made = (change: object, merges: readonly string[] = MERGES, size = 300) => () => new BytePairs({ ...vocabulary, ...change }, merges, size);
  assert.throws(made({ the: 300 }), refusal('bad_file', /“the” the id “300”/));
  assert.throws(made({ the: '5' }), refusal('bad_file'));
  assert.throws(made({}, ['a b c']), refusal('bad_file', /“a b c”/));
  assert.throws(() => new BytePairs({ a: 0 }, [], 300), refusal('bad_file', /byte 0/));
  assert.throws(() => new BytePairs(vocabulary, ['q q'], 300).tokenize('qq'), refusal('bad_file', /“qq”/));
  const own = new BytePairs(JSON.parse(`{"__proto__": 290, ${JSON.stringify(vocabulary).slice(1)}`), [], 300);
  assert.equal(own.word(290).word, '__proto__');
});

const named = (special: readonly SpecialToken[]) => new BytePairs({ ...vocabulary, '<|endoftext|>': 299 }, MERGES, 300, { special });
const cut = (tokenizer: Tokenizer, text: string) => tokenizer.tokenize(text).map(({ id, text: said, piece }) => [id, said, piece]);

test('a special token is one token wherever it stands in a text, and one word', () => {
  const own = named([{ content: '<|endoftext|>' }, { content: '<|end', id: 298 }, { content: 'é!', id: 297 }]);
  assert.deepEqual(cut(own, '<|endoftext|>the cat<|endoftext|><|endoftext|> cat'), [
    [299, '<|endoftext|>', false], [vocabulary.th, 'th', false], [vocabulary.e, 'e', true], [vocabulary['Ġcat'], ' cat', false],
    [299, '<|endoftext|>', false], [299, '<|endoftext|>', false], [vocabulary['Ġcat'], ' cat', false],
  ]);
  assert.deepEqual(cut(own, '<|end é!'), [[298, '<|end', false], [vocabulary['Ġ'], ' ', false], [297, 'é!', false]]);
  assert.deepEqual(own.word(299), { word: '<|endoftext|>', piece: false });
  assert.deepEqual(own.word(297), { word: 'é!', piece: false });
  assert.ok(own.tokenize('<|endoftext').every(({ id }) => id !== 299));
  for (const text of ['a<|endoftext|>😀<|endoftext|>', 'é!é', '<|end<|endoftext|>']) assertPlaces(own, text);
  // Not where nobody names it, and not where the model has no row for it.
  assert.equal(cut(named([]), '<|endoftext|>').length, 13);
  assert.equal(cut(named([{ content: 'zz', id: 300 }, { content: 'zz', id: '7' }, { content: '' }, { content: 5 }, {}]), 'zz').length, 2);
});

test('a special token takes the spaces beside it where its file says so, and stands alone where it must', () => {
  const mask = named([{ content: '[M]', id: 290, lstrip: true, rstrip: true }, { content: '[M]x', id: 291 }, { content: 'to', id: 292, single_word: true }]);
  assert.deepEqual(cut(mask, 'a  [M] \n b[M]x'), [[vocabulary.a, 'a', false], [290, '  [M] \n ', false], [vocabulary.b, 'b', false], [291, '[M]x', false]]);
  assert.deepEqual(cut(mask, 'to atop to').map(([id]) => id), [292, vocabulary['Ġ'], vocabulary.at, vocabulary.o, vocabulary.p, vocabulary['Ġ'], 292]);
  assert.equal(mask.tokenize(`${' '.repeat(1e5)}x`).length, 1e5 + 1);
});

/** As it is usually written. */
const tokenizerJson = (change: object = {}, model: object = {}) => JSON.stringify({
  version: '1.0', normalizer: null, pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true }, post_processor: null, decoder: { type: 'ByteLevel' },
  added_tokens: [{ id: 299, content: '<|endoftext|>', single_word: false, lstrip: false, rstrip: false, normalized: true, special: true }],
  model: { type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: '', end_of_word_suffix: '', fuse_unk: false, vocab: { ...vocabulary, '<|endoftext|>': 299 }, merges: MERGES, ...model }, ...change,
});
const vocabJson = JSON.stringify({ ...vocabulary, '<|endoftext|>': 299, '<pad>': 298 });
const mergesTxt = `#version: 0.2\r\n${MERGES.join('\r\n')}\n`;

test('tokenizer.json says as much as vocab.json and merges.txt, its merges as strings or as pairs', async () => {
  const text = 'the cat<|endoftext|> the';
  const expected = cut(await tokenizerOf({ vocabulary: vocabJson, merges: mergesTxt }, 300), text);
  assert.deepEqual(expected.map(([id]) => id), [vocabulary.th, vocabulary.e, vocabulary['Ġcat'], 299, vocabulary['Ġthe']]);
  const split = { type: 'Split', pattern: { Regex: "'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+" }, behavior: 'Isolated', invert: false };
  for (const tokenizer of [
    tokenizerJson(), tokenizerJson({}, { merges: MERGES.map((pair) => pair.split(' ')) }), tokenizerJson({}, { type: undefined }),
    tokenizerJson({ pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'ByteLevel', use_regex: true }] }, normalizer: { type: 'Sequence', normalizers: [] } }),
    tokenizerJson({ pre_tokenizer: { type: 'Sequence', pretokenizers: [split, { type: 'ByteLevel', use_regex: false }] } }),
  ]) {
    assert.deepEqual(cut(await tokenizerOf({ tokenizer }, 300), text), expected);
  }
});

test('a tokenizer that puts a space before a text does so after special tokens, too, and the text keeps its places', async () => {
  const spaced = await tokenizerOf({ tokenizer: tokenizerJson({ pre_tokenizer: { type: 'ByteLevel', add_prefix_space: true } }) }, 300);
  assert.deepEqual(cut(spaced, 'the cat<|endoftext|>cat'), [[vocabulary['Ġthe'], 'the', false], [vocabulary['Ġcat'], ' cat', false], [299, '<|endoftext|>', false], [vocabulary['Ġcat'], 'cat', false]]);
  assert.deepEqual(cut(spaced, ' the'), [[vocabulary['Ġthe'], ' the', false]]);
  for (const text of ['the cat<|endoftext|>cat', 'é😀', ' x']) assertPlaces(spaced, text);
});

test('every file that names special tokens is believed; without any, GPT-2’s own is', async () => {
  const files = { vocabulary: vocabJson, merges: mergesTxt };
  const ids = async (beside: object, text: string) => cut(await tokenizerOf({ ...files, ...beside }, 300), text).map(([id]) => id);
  const apart = await ids({}, '<pad>');
  assert.equal(apart.length, 5);
  assert.deepEqual(await ids({}, '<|endoftext|>'), [299]);
  for (const beside of [
    { special: '{"pad_token": "<pad>", "bos_token": "<|endoftext|>"}' }, { special: '{"pad_token": {"content": "<pad>", "lstrip": false}}' }, { special: '{"additional_special_tokens": ["<pad>"]}' },
    { tokenizerConfig: '{"add_prefix_space": false, "pad_token": "<pad>"}' }, { tokenizerConfig: '{"added_tokens_decoder": {"298": {"content": "<pad>"}}}' },
    { added: '{"<pad>": 298}' }, { tokenizer: tokenizerJson({ added_tokens: [{ id: 298, content: '<pad>' }] }) },
  ]) assert.deepEqual(await ids(beside, '<pad>'), [298], JSON.stringify(beside));
  assert.deepEqual(await ids({ added: '{"<pad>": 300}' }, '<pad>'), apart);
});

test('a tokenizer.json that is damaged, or of another model, is refused for that', async () => {
  const refused: [string, RegExp][] = [
    [tokenizerJson({}, { merges: ['a b c'] }), /tokenizer\.json says “a b c”/],
    [tokenizerJson({}, { vocab: { the: 300 } }), /tokenizer\.json gives “the” the id “300”/],
    [tokenizerJson({}, { vocab: {} }), /tokenizer\.json has no token for the byte 0/],
    [tokenizerJson({ model: 5 }), /tokenizer\.json has no token/],
    [tokenizerJson({ normalizer: { type: 'NFC' } }, { vocab: { the: 300 } }), /tokenizer\.json gives “the” the id “300”/],
    [tokenizerJson({ pre_tokenizer: { type: 'Nothing' } }), /tokenizer\.json cannot be used: /],
    [tokenizerJson({}, { type: 'Nothing' }), /tokenizer\.json cannot be used: /],
    ['[', /tokenizer\.json is not JSON/],
  ];
  for (const [tokenizer, reason] of refused) await assert.rejects(tokenizerOf({ tokenizer }, 300), refusal('bad_file', reason), String(reason));
  assert.equal((await tokenizerOf({ tokenizer: tokenizerJson({}, { type: 'Unigram' }), vocabulary: vocabJson, merges: mergesTxt }, 300)).kind, 'byte-pairs');
  assert.equal((await tokenizerOf({ vocabulary: vocabJson }, 300)).kind, 'ids');
});

// Of GPT-2, Llama 3, GPT-4o, DeepSeek V3, Qwen 2, BLOOM, Falcon and others.
const OWN_PATTERNS = [
  "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+',
  ' ?[^(\\s|[.,!?…。，、।۔،])]+', '[一-龥぀-ゟ゠-ヿ]+', '\\p{N}{1,3}(?=(?:\\p{N}{3})*(?:\\P{N}|$))', '(?=(\\d{3})+(?!\\d))', '(?:\\p{L}\\p{M}*)+', '[0-9][0-9][0-9]', '^\\s+|\\s+$', ' {2,}', '\\n',
];
const split = (Regex: string) => tokenizerJson({ pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false }, { type: 'ByteLevel', use_regex: false }] } });

test('patterns by which models cut words are taken', async () => {
  for (const pattern of OWN_PATTERNS) assert.equal((await tokenizerOf({ tokenizer: split(pattern) }, 300)).tokenize('the').length > 0, true, pattern);
});

test('a pattern that some texts could take forever to match is refused before it meets a text, wherever it stands', async () => {
  const reason = /tokenizer\.json has the pattern .*, which some texts could take forever to match\. Leave it out/;
  for (const pattern of [
    '(a+)+$', '(?:a|a)*b', '(?:\\w+\\s?)*$', 'a*a*b', '\\w*x\\w*y', '(a*)*c', '(?:a\\w*)*b', '(?:a?){30}a{30}', 'a?a?a?a?a?a?a?aaaaaaa', '(?=(a+)+b)x', '(a|b|ab)*c', '(.*)\\1x', '(?:(?:ab)+)+c', '.*.*=.*!', '(a{1,20}){1,20}b', '(?<!(a+)+)b', '[^\\s]+\\S*!', `${'('.repeat(5000)}a${')'.repeat(5000)}`,
  ]) await assert.rejects(tokenizerOf({ tokenizer: split(pattern) }, 300), refusal('bad_file', reason), pattern);
  // A special token is normalized when the tokenizer is made.
  const normalizer = { type: 'Sequence', normalizers: [{ type: 'Replace', pattern: { Regex: '(a+)+$' }, content: '' }] };
  await assert.rejects(tokenizerOf({ tokenizer: tokenizerJson({ normalizer, added_tokens: [{ id: 298, content: `${'a'.repeat(60)}!`, normalized: true }] }) }, 300), refusal('bad_file', reason));
});

/** As GPT-2's, but read by the library: NFC changes nothing of what is composed already. */
const byLibrary = (change: object = {}, model: object = {}) => tokenizerOf({ tokenizer: tokenizerJson({ normalizer: { type: 'NFC' }, ...change }, model) }, 300);

test('by the library and by GPT-2’s own rules, any text has the same tokens at the same places', async () => {
  const [own, library] = [await tokenizerOf({ tokenizer: tokenizerJson() }, 300), await byLibrary()];
  assert.deepEqual([own.kind, library.kind], ['byte-pairs', 'file']);
  const letters = ['t', 'h', 'e', 'c', 'a', ' ', '  ', '\n', '.', "'s", 'é', '😀', '京', '3', '<|endoftext|>', 'cat', ' the', '\u00a0', '\t'];
  let seed = 7;
  const next = () => (seed = (seed * 48271) % 2147483647) % letters.length;
  for (let trial = 0; trial < 3000; trial += 1) {
    const text = Array.from({ length: trial % 12 }, () => letters[next()]).join('');
    const places = (tokenizer: Tokenizer) => tokenizer.tokenize(text).map(({ id, word, text: said, start, end }) => [id, word, said, start, end]);
    assert.deepEqual(places(library), places(own), JSON.stringify(text));
  }
  for (let id = 0; id < 300; id += 1) assert.equal(library.word(id).word, own.word(id).word, String(id));
});

/** SentencePiece's byte pairs, as Llama 2's tokenizer.json writes them. */
const sentencePiece = (merges: readonly string[], normalizer: object | null) => {
  const names = ['<unk>', '<s>', '</s>', ...Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`), '▁', 't', 'h', 'e', 'c', 'a', 'é', ...merges.map((pair) => pair.replace(' ', ''))];
  return JSON.stringify({
    added_tokens: [0, 1, 2].map((id) => ({ id, content: names[id], special: true })), normalizer, pre_tokenizer: null,
    post_processor: { type: 'TemplateProcessing', single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }], pair: [], special_tokens: { '<s>': { id: '<s>', ids: [1], tokens: ['<s>'] } } },
    decoder: { type: 'Sequence', decoders: [{ type: 'Replace', pattern: { String: '▁' }, content: ' ' }, { type: 'ByteFallback' }, { type: 'Fuse' }, { type: 'Strip', content: ' ', start: 1, stop: 0 }] },
    model: { type: 'BPE', unk_token: '<unk>', fuse_unk: true, byte_fallback: true, vocab: Object.fromEntries(names.map((name, id) => [name, id])), merges },
  });
};

test('Llama’s tokenizer: a start token, spaces as a part of words, bytes for what is in no word', async () => {
  const prepended = { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: '▁' }, { type: 'Replace', pattern: { String: ' ' }, content: '▁' }] };
  const tokenizer = await tokenizerOf({ tokenizer: sentencePiece(['t h', '▁ th', '▁th e', '▁ c', 'a t'], prepended) }, 400);
  const seen = tokenizer.tokenize('the cat é😀 x').map(({ word, text, start, end, piece }) => [word, text, start, end, piece]);
  assert.deepEqual(seen, [
    ['<s>', '', 0, 0, false], [' the', 'the', 0, 3, false], [' c', ' c', 3, 5, false], ['at', 'at', 5, 7, true], [' ', ' ', 7, 8, false], ['é', 'é', 8, 9, false],
    ...[0xf0, 0x9f, 0x98, 0x80].map((_, i) => ['\ufffd', '😀', 9, 11, i > 0]), [' ', ' ', 11, 12, false], ['x', 'x', 12, 13, false],
  ]);
  for (const text of ['', ' the  the', 'e\u0301', '\n\n', '</s>the', '▁']) assertPlaces(tokenizer, text);
  assert.deepEqual(tokenizer.word(1), { word: '<s>', piece: false });
});

test('BERT’s tokenizer: what it leaves out or changes has no place of its own, and the text stays as it is', async () => {
  const names = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'the', 'cat', '##s', 'e', ',', 'nai', '##ve'];
  const tokenizer = await tokenizerOf({ tokenizer: JSON.stringify({
    added_tokens: [0, 1, 2, 3].map((id) => ({ id, content: names[id], special: true })),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true }, pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: { type: 'TemplateProcessing', single: [{ SpecialToken: { id: '[CLS]', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '[SEP]', type_id: 0 } }], pair: [], special_tokens: { '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] }, '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] } } },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100, vocab: Object.fromEntries(names.map((name, id) => [name, id])) },
  }) }, 20);
  const seen = tokenizer.tokenize('The  Cats, naïve dog é').map(({ word, text, start, piece }) => [word, text, start, piece]);
  assert.deepEqual(seen, [
    ['[CLS]', '', 0, false], ['the', 'The', 0, false], ['cat', 'Cat', 5, false], ['s', 's', 8, true], [',', ',', 9, false], ['nai', 'naï', 11, false], ['ve', 've', 14, true],
    ['[UNK]', 'dog', 17, false], ['e', 'é', 21, false], ['[SEP]', '', 22, false],
  ]);
});

test('without a tokenizer ids are typed, and what is none is refused with the range', () => {
  const ids = new TokenIds(17);
  assert.deepEqual(ids.tokenize(' 3, 16\n0;7 ').map(({ id, start, end }) => [id, start, end]), [[3, 1, 2], [16, 4, 6], [0, 7, 8], [7, 9, 10]]);
  assertPlaces(ids, ' 3, 16\n0;7 ');
  assert.deepEqual(ids.tokenize(''), []);
  for (const text of ['cat', '17', '-1', '1.5', '1e1', '99999999999999999999']) assert.throws(() => ids.tokenize(`1 ${text}`), refusal('not_a_token', /0 to 16/));
  assert.deepEqual(ids.word(4), { word: '4', piece: false });
});

// Any tokenizer.json, beside its authors' program in Rust: of that, nothing is in the page, and neither is the page's in it.

const TEXTS = Number(process.env['ATTENTION_STEPS'] ?? 0) > 1000 ? 20_000 : 2000;
/** Words of three languages and code, to train vocabularies on and to write texts with. */
const OWN = ['web/languages/es.xlf', 'web/languages/zh-Hans.xlf', 'core/src/ops.cpp'].map((name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8').slice(-150_000)).join('');

const PLAIN = { version: '1.0', truncation: null, padding: null, added_tokens: [] as object[], normalizer: null as object | null, pre_tokenizer: null as object | null, post_processor: null as object | null, decoder: null as object | null };
type File = typeof PLAIN & { model: { vocab: Record<string, number> } & Record<string, unknown> };
const referenceOf = (file: object) => Reference.fromString(JSON.stringify(file));
const cutting = (...pretokenizers: object[]) => ({ type: 'Sequence', pretokenizers });
const at = (Regex: string, behavior = 'Isolated') => ({ type: 'Split', pattern: { Regex }, behavior, invert: false });
const BYTES = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
const APART = { ...BYTES, use_regex: false };
const SPACED = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true };
const berts = (lowercase: boolean) => ({ type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase });

function trained(parts: Partial<typeof PLAIN>, model: object): File {
  const folder = mkdtempSync(path.join(tmpdir(), 'tokenizer-'));
  const [words, made] = ['words.txt', 'tokenizer.json'].map((name) => path.join(folder, name)) as [string, string];
  writeFileSync(words, OWN);
  const learner = referenceOf({ ...PLAIN, ...parts, model });
  learner.train([words]);
  learner.save(made);
  const file = JSON.parse(readFileSync(made, 'utf8')) as File;
  rmSync(folder, { recursive: true });
  return file;
}

/** Adds names that a vocabulary lacks. */
function withNames({ model }: File, names: readonly string[]): object[] {
  let count = Object.keys(model.vocab).length;
  for (const name of names) if (!Object.hasOwn(model.vocab, name)) model.vocab[name] = count++;
  return names.map((content) => ({ id: model.vocab[content], content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }));
}

const around = ({ model }: File, before: string, behind?: string) => {
  const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const names = [before, ...(behind ? [behind] : [])];
  return {
    type: 'TemplateProcessing', pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
    single: [special(before), { Sequence: { id: 'A', type_id: 0 } }, ...(behind ? [special(behind)] : [])],
    special_tokens: Object.fromEntries(names.map((id) => [id, { id, ids: [model.vocab[id]], tokens: [id] }])),
  };
};

/** As models have them; what is normalized, by which form. */
function kinds(): Record<string, { file: object; form?: string }> {
  const bytes = trained({ pre_tokenizer: BYTES }, { type: 'BPE', vocab: {}, merges: [] });
  withNames(bytes, letters);
  const gpt2 = { ...bytes, added_tokens: withNames(bytes, ['<|endoftext|>']) };
  const llama = trained({ pre_tokenizer: SPACED }, { type: 'BPE', vocab: {}, merges: [] });
  withNames(llama, Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`));
  const llamas = withNames(llama, ['<unk>', '<s>', '</s>']);
  const unigram = trained({ pre_tokenizer: SPACED }, { type: 'Unigram', unk_id: 0, vocab: [['<unk>', 0]], byte_fallback: false });
  const xlms = [['<s>', 0], ['<pad>', 0], ['</s>', 0], ['<unk>', 0], ...(Object.values(unigram.model.vocab) as unknown as (readonly [string, number])[]).filter(([name]) => name !== '<unk>' && name !== '▁'), ['▁', -12], ['<mask>', 0]] as unknown as readonly (readonly [string, number])[];
  const byName = { model: { vocab: Object.fromEntries(xlms.map(([name], id) => [name, id])) } } as File;
  const xlm = {
    ...unigram, normalizer: { type: 'NFKC' }, pre_tokenizer: cutting({ type: 'WhitespaceSplit' }, SPACED), added_tokens: withNames(byName, ['<s>', '<pad>', '</s>', '<unk>', '<mask>']), post_processor: around(byName, '<s>', '</s>'),
    model: { ...unigram.model, unk_id: 3, vocab: xlms },
  };
  const pieces = trained({ normalizer: berts(false), pre_tokenizer: { type: 'BertPreTokenizer' } }, { type: 'WordPiece', vocab: { '[UNK]': 0 }, unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100 });
  const bert = { ...pieces, added_tokens: withNames(pieces, ['[UNK]', '[CLS]', '[SEP]', '[MASK]']), post_processor: around(pieces, '[CLS]', '[SEP]') };
  const [, llama3 = '', gpt4o = '', deepSeek = '', , chinese = ''] = OWN_PATTERNS;
  return {
    'GPT-2': { file: gpt2 },
    'Llama 3': { file: { ...gpt2, pre_tokenizer: cutting(at(llama3), APART), post_processor: around(gpt2, '<|endoftext|>') } },
    'Qwen': { file: { ...gpt2, normalizer: { type: 'NFC' }, pre_tokenizer: cutting(at(llama3.replace('{1,3}', '')), APART) }, form: 'NFC' },
    'GPT-4o': { file: { ...gpt2, pre_tokenizer: cutting(at(gpt4o), APART) } },
    'DeepSeek': { file: { ...gpt2, pre_tokenizer: cutting(at('\\p{N}{1,3}'), at(chinese), at(deepSeek), APART) } },
    'SmolLM': { file: { ...gpt2, pre_tokenizer: cutting({ type: 'Digits', individual_digits: true }, BYTES) } },
    'words and signs': { file: { ...gpt2, pre_tokenizer: cutting({ type: 'Whitespace' }, { type: 'Digits', individual_digits: false }, APART) } },
    'Llama 2': { file: {
      ...llama, added_tokens: llamas, pre_tokenizer: null, post_processor: around(llama, '<s>'), model: { ...llama.model, unk_token: '<unk>', fuse_unk: true, byte_fallback: true },
      normalizer: { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: '▁' }, { type: 'Replace', pattern: { String: ' ' }, content: '▁' }] },
    } },
    'T5': { file: { ...unigram, normalizer: { type: 'NFKC' }, model: { ...unigram.model, unk_id: 0, vocab: [['<unk>', 0], ...Object.values(unigram.model.vocab)] } }, form: 'NFKC' },
    'XLM-R': { file: xlm, form: 'NFKC' },
    'BERT': { file: { ...bert, normalizer: berts(true) } },
    'BERT, cased': { file: bert },
  };
}

/** What all of the reference's tables of Unicode know: they are older than a browser's. */
function* letterOfAll(): Generator<string> {
  const made = (parts: Partial<typeof PLAIN>) => referenceOf({ ...PLAIN, ...parts, model: { type: 'BPE', vocab: {}, merges: [] } });
  const cut = (parts: Partial<typeof PLAIN>, text: string) => made(parts).getPreTokenizer()?.preTokenizeString(text).map(([part]) => part) ?? [];
  const all = Array.from({ length: 0x110000 }, (_, code) => (code >> 11 === 0x1b ? ' ' : String.fromCodePoint(code))).join('');
  const assigned = cut({ pre_tokenizer: at('\\p{Cn}', 'Removed') }, all).join('');
  const signs = new Set(cut({ pre_tokenizer: { type: 'BertPreTokenizer' } }, [...assigned].map((letter) => `a${letter}`).join('')));
  const bare = made({ normalizer: berts(true) }).getNormalizer();
  for (const letter of assigned) {
    const isMark = /\p{M}/u.test(letter) && bare?.normalizeString(`a${letter}`) === 'a';
    if (/\p{Cf}/u.test(letter) && bare?.normalizeString(letter) !== '') continue;
    if (/[\p{P}!-/:-@[-`{-~]/u.test(letter) === signs.has(letter) && /\p{Mn}/u.test(letter) === isMark) yield letter;
  }
}

/** Of all scripts alike: by 128 characters that lie side by side. */
function randomTexts(): string[] {
  const random = new Random(20);
  const known = [...letterOfAll()];
  const blocksOf = (is: RegExp) => {
    const blocks: string[][] = [];
    for (const letter of known) if (is.test(letter)) (blocks[(letter.codePointAt(0) ?? 0) >> 7] ??= []).push(letter);
    return Object.values(blocks);
  };
  const [script, mark, digit, space, sign, hidden] = [/\p{L}/u, /\p{M}/u, /\p{N}/u, /\s|\p{Z}/u, /[\p{P}\p{S}]/u, /[\p{Cc}\p{Cf}\p{Co}]/u].map(blocksOf) as [string[][], string[][], string[][], string[][], string[][], string[][]];
  const some = (blocks: string[][], most: number) => {
    const block = random.pick(blocks);
    return Array.from({ length: random.whole(1, most) }, () => random.pick(block)).join('');
  };
  const alphabets = script.filter(([first = '']) => first < '\u3400');
  const words = OWN.split(/(?<=[\s，。：])/);
  const parts = [
    () => random.pick(words), () => random.pick(words), () => some(alphabets, 8), () => some(script, 6), () => some(alphabets, 1) + some(mark, 3), () => some(digit, 5), () => String(random.whole(0, 1e6)),
    () => ' ', () => ' ', () => some(space, 3), () => random.pick([' ', '\n', '\t', '\r\n', '\u00a0', '\u0085', '\ufeff']).repeat(random.whole(1, 4)), () => some(sign, 4), () => some(hidden, 1),
    () => random.pick(['👩‍👩‍👧', '👍🏽', '🇪🇸', '1️⃣', '😀', '❤️', "'s", "'LL", '’re', 'I’m', '...', '<s>', '</s>', '[MASK]', '<|endoftext|>', '▁', '##', 'Ġ', '<0x0A>']),
    () => random.pick(['for (let i = 0; i < n; i += 1) {\n  a[i] = b;\n}', 'def f(x):\n\treturn x**2', 'https://example.org/a?b=c&d=%20', 'snake_case camelCase', '\\frac{1}{2}', '<b class="x">', '{"a": [1, 2.5e-3]}']),
  ];
  return Array.from({ length: TEXTS }, () => Array.from({ length: random.whole(1, 10) }, () => random.pick(parts)()).join(''));
}

test(`${TEXTS} random texts of all scripts have the tokens that the format’s own program gives them, of every kind of tokenizer`, async (t) => {
  const texts = randomTexts();
  for (const [kind, { file, form }] of Object.entries(kinds())) {
    await t.test(kind, async () => {
      const reference = referenceOf(file);
      const own = await tokenizerOf({ tokenizer: JSON.stringify(file) }, 60_000);
      // Marks whose order the older tables do not know.
      const fair = texts.filter((text) => !form || reference.getNormalizer()?.normalizeString(text) === text.normalize(form));
      assert.ok(fair.length > 0.97 * TEXTS, `${fair.length} texts`);
      const expected = await reference.encodeBatch(fair);
      // Of equally likely cuts, “..” and “.” or “.” and “..”, either may be taken.
      const settled = (ids: number[] = []) => (kind === 'T5' || kind === 'XLM-R' ? ids.sort((a, b) => a - b) : ids);
      fair.forEach((text, i) => {
        assert.deepEqual(settled(own.tokenize(text).map(({ id }) => id)), settled(expected[i]?.getIds()), JSON.stringify(text));
        if (i % 20 === 0) assertPlaces(own, text);
      });
    });
  }
});
