// What cuts a model's text, from the files beside the model: tokenizer.json, vocab.json and merges.txt, or vocab.txt; and which tokens are special.
import { msg } from '@lit/localize';
import { BytePairs, CHUNK, type SpecialToken } from './byte-pairs.ts';
import { parseObject } from './configuration.ts';
import type { Beside } from './load.ts';
import { broken } from './safetensors.ts';
import { TokenIds, type Tokenizer } from './tokens.ts';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (given: unknown): Fields => (typeof given === 'object' && given !== null && !Array.isArray(given) ? given as Fields : {});
const listOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : []);

/** GPT-2's own rule for words, and the same as it is written elsewhere. */
const RULES: readonly unknown[] = [CHUNK, CHUNK.replace("'s|'t|'re|'ve|'m|'ll|'d", "'(?:[sdmt]|ll|ve|re)")];

/** @param size ids are below it @param isBert the pieces of SentencePiece's file have ids by fairseq */
export async function tokenizerOf(given: Beside, size: number, isBert = false): Promise<Tokenizer> {
  const beside = isBert ? await fairseqs(given) : given;
  const config = beside.tokenizerConfig === undefined ? {} : parseObject(beside.tokenizerConfig, 'tokenizer_config.json');
  const { tokenizer = beside.sentencePieces && (await import('./gguf.ts')).ofSentencePiece(beside.sentencePieces, config) } = beside;
  const whole = typeof tokenizer === 'string' ? parseObject(tokenizer, 'tokenizer.json') : null;
  const special = specialTokens(beside, whole);
  if (beside.vocabulary !== undefined && beside.merges !== undefined) {
    const merges = beside.merges.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#version'));
    return new BytePairs(parseObject(beside.vocabulary, 'vocab.json'), merges, size, { special });
  }
  const library = async (file: Fields) => (await import('./file-tokenizer.ts')).FileTokenizer.open(file, config, size);
  if (!whole) return beside.pieces === undefined ? new TokenIds(size) : library(berts(beside.pieces, config));
  if (!isGpt2s(whole)) return library(whole);
  const { vocab, merges } = fieldsOf(whole.model);
  const pairs = listOf(merges).map((pair) => (Array.isArray(pair) ? pair.join(' ') : String(pair)));
  const isSpaced = steps(whole.pre_tokenizer).some(({ add_prefix_space }) => add_prefix_space === true);
  return new BytePairs(fieldsOf(vocab), pairs, size, { special, isSpaced, vocabularyFile: 'tokenizer.json', mergesFile: 'tokenizer.json' });
}

/** Of those whose pieces are SentencePiece's, the words that fairseq put before these; the ids of all others follow. */
const OF_XLM = ['<s>', '<pad>', '</s>', '<unk>'];
const OF_CAMEMBERT = ['<s>NOTUSED', '<pad>', '</s>NOTUSED', '<unk>', '<unk>NOTUSED'];
const BEFORE: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['xlm-roberta', OF_XLM], ['XLMRobertaTokenizer', OF_XLM], ['XLMRobertaTokenizerFast', OF_XLM], ['camembert', OF_CAMEMBERT], ['CamembertTokenizer', OF_CAMEMBERT], ['CamembertTokenizerFast', OF_CAMEMBERT],
]);

/** sentencepiece.bpe.model as tokenizer.json has it, where there is none: it does not hold the model's ids. */
async function fairseqs({ sentencePieces, ...beside }: Beside): Promise<Beside> {
  if (sentencePieces === undefined || (beside.tokenizer ?? beside.pieces) !== undefined) return beside;
  const before = BEFORE.get(parseObject(beside.tokenizerConfig ?? '{}', 'tokenizer_config.json').tokenizer_class) ?? BEFORE.get(parseObject(beside.config ?? '{}', 'config.json').model_type);
  if (!before) throw broken(msg('SentencePiece’s file does not hold the ids of this model’s tokens: only those of XLM-RoBERTa and CamemBERT are known. Choose the tokenizer.json of this model, or neither, to type token numbers.'));
  return { ...beside, tokenizer: (await import('./gguf.ts')).ofSentencePiece(sentencePieces, {}, before) ?? undefined };
}

const steps = (given: unknown): Fields[] => {
  const { type, pretokenizers, normalizers, processors } = fieldsOf(given);
  return type === 'Sequence' ? listOf(pretokenizers ?? normalizers ?? processors).flatMap(steps) : type === undefined ? [] : [fieldsOf(given)];
};

/** Whether it cuts as GPT-2's, which needs no library. */
function isGpt2s({ model, normalizer, pre_tokenizer, post_processor }: Fields): boolean {
  const { type = 'BPE', ...settings } = fieldsOf(model);
  const isPlain = !['continuing_subword_prefix', 'end_of_word_suffix', 'byte_fallback', 'ignore_merges', 'dropout'].some((name) => settings[name]);
  const addsNothing = steps(post_processor).every((step) => step.type === 'ByteLevel');
  if (type !== 'BPE' || !isPlain || !addsNothing || steps(normalizer).length > 0) return false;
  const cut = steps(pre_tokenizer);
  const [first, second] = cut;
  const isOwn = first?.type === 'ByteLevel' && first.use_regex !== false && cut.length === 1;
  const isWritten = first?.type === 'Split' && RULES.includes(fieldsOf(first.pattern).Regex) && second?.type === 'ByteLevel' && second.use_regex === false && cut.length === 2;
  return isOwn || isWritten;
}

/** What tokenizer.json says of BERT’s pieces (Devlin et al. 2019), from vocab.txt: a piece a line, its id the line’s. */
function berts(pieces: string, { do_lower_case: lowercase = true, strip_accents = null, tokenize_chinese_chars = true }: Fields): Fields {
  const vocab = Object.fromEntries(pieces.replace(/\r?\n$/, '').split(/\r?\n/).map((piece, id) => [piece, id]));
  const added_tokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'].filter((content) => Object.hasOwn(vocab, content)).map((content) => ({ id: vocab[content], content, special: true }));
  const [begin, end] = ['[CLS]', '[SEP]'].map((id) => ({ id, ids: [vocab[id]], tokens: [id] }));
  const around = Object.hasOwn(vocab, '[CLS]') && Object.hasOwn(vocab, '[SEP]');
  return {
    added_tokens, normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: tokenize_chinese_chars, strip_accents, lowercase }, pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: around ? {
      type: 'TemplateProcessing', pair: [], special_tokens: { '[CLS]': begin, '[SEP]': end },
      single: [{ SpecialToken: { id: '[CLS]', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '[SEP]', type_id: 0 } }],
    } : null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100, vocab },
  };
}

/** Of all files that may name one; a later one says more. */
function specialTokens(beside: Beside, whole: Fields | null): SpecialToken[] {
  const read = (text: string | undefined, name: string): Fields => (text === undefined ? {} : parseObject(text, name));
  const config = read(beside.tokenizerConfig, 'tokenizer_config.json');
  const tokens = (given: unknown): SpecialToken[] => (typeof given === 'string' ? [{ content: given }] : Array.isArray(given) ? given.flatMap(tokens) : [fieldsOf(given)]);
  const named = (map: Fields) => Object.entries(map).filter(([key]) => /_tokens?$/.test(key)).flatMap(([, given]) => tokens(given));
  return [
    { content: '<|endoftext|>' },
    ...named(read(beside.special, 'special_tokens_map.json')), ...named(config),
    ...Object.entries(fieldsOf(config.added_tokens_decoder)).map(([id, token]) => ({ ...fieldsOf(token), id: Number(id) })),
    ...Object.entries(read(beside.added, 'added_tokens.json')).map(([content, id]) => ({ content, id })),
    ...tokens(whole?.added_tokens ?? []),
  ];
}
