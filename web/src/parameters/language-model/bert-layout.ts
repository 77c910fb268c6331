// The layout of BERT (Devlin et al. 2019) and of its kin: RoBERTa (Liu et al. 2019), CamemBERT (Martin et al. 2020) and XLM-RoBERTa
// (Conneau et al. 2020), which are one, and DistilBERT (Sanh et al. 2019). An encoder, in which every token sees all tokens: norms
// stand behind each addition, and a head guesses what stands at the token that hides a word. Matrices lie (out, in).
import { msg, str } from '@lit/localize';
import type { DecoderBlock, DecoderParameters, Linear, Norm, Operators, Tensor } from '../../engine/operators/operators.ts';
import { type Given, SizesMissing, cannotBe, configOf, geluOf, layersOf, nameOf, positive, refuseTensors, required, requireSame, usualHeads } from './config-rules.ts';
import { type Configuration, checkSizes, parseObject } from './configuration.ts';
import type { Beside, Layout, Moved, Take } from './load.ts';
import { type Safetensors, unwrapped } from './safetensors.ts';
import { tokenizerOf } from './tokenizer-files.ts';

const WORDS = 'embeddings.word_embeddings.weight';
const PLACES = 'embeddings.position_embeddings.weight';
const KINDS = 'embeddings.token_type_embeddings.weight';
const OF_EMBEDDINGS = /^embeddings\.(?:(?:word|position|token_type)_embeddings\.weight|LayerNorm\.(?:weight|bias))$/;

/** What tensors are called; in a block, behind the number of its layer. */
interface Names {
  blocks: string;
  query: string;
  key: string;
  value: string;
  outProj: string;
  norm1: string;
  up: string;
  down: string;
  norm2: string;
}

/** What guesses what is hidden: the logits' bias under an older name and a newer one. */
interface Head { transform: string; norm: string; output: string; biases: readonly [string, string] }

const BERT: Names = {
  blocks: 'encoder.layer', query: 'attention.self.query', key: 'attention.self.key', value: 'attention.self.value', outProj: 'attention.output.dense', norm1: 'attention.output.LayerNorm',
  up: 'intermediate.dense', down: 'output.dense', norm2: 'output.LayerNorm',
};
const DISTILBERT: Names = {
  blocks: 'transformer.layer', query: 'attention.q_lin', key: 'attention.k_lin', value: 'attention.v_lin', outProj: 'attention.out_lin', norm1: 'sa_layer_norm',
  up: 'ffn.lin1', down: 'ffn.lin2', norm2: 'output_layer_norm',
};
const headOf = (at: string, transform: string, norm: string): Head => ({ transform: `${at}${transform}`, norm: `${at}${norm}`, output: `${at}decoder.weight`, biases: [`${at}bias`, `${at}decoder.bias`] });
const OF_ROBERTA = headOf('lm_head.', 'dense', 'layer_norm');
const HEADS: readonly Head[] = [
  headOf('cls.predictions.', 'transform.dense', 'transform.LayerNorm'), OF_ROBERTA,
  { transform: 'vocab_transform', norm: 'vocab_layer_norm', output: 'vocab_projector.weight', biases: ['vocab_projector.bias', 'vocab_projector.bias'] },
];
/** Of one layout, under all of which names the places begin behind that of the padding. */
const ROBERTAS = ['roberta', 'camembert', 'xlm-roberta'] as const;
/** Places that are counted again. */
const MADE = /^embeddings\.(?:position_ids|token_type_ids)$/;

const escaped = (name: string) => name.replaceAll('.', '\\.');
const inBlock = ({ blocks, ...parts }: Names) => new RegExp(`^${escaped(blocks)}\\.(\\d+)\\.(?:${Object.values(parts).map(escaped).join('|')})\\.(?:weight|bias)$`);

function layoutOf(names: Names): Layout {
  const IN_BLOCK = inBlock(names);
  return {
    reads: (file) => {
      const bare = file.renamed((name) => inTorch(unwrapped(name)).replace(/^[a-z_]*(?:bert|electra)[a-z_]*\./, '').replace(/^(?:transformer\.)?layer\./, 'transformer.layer.'));
      return (names === BERT && bare.has(WORDS) && !bare.names.some((name) => name.startsWith(DISTILBERT.blocks))) || bare.names.some((name) => IN_BLOCK.test(name)) ? bare : null;
    },
    isParameter: (name) => !MADE.test(name),
    configuration: (file, { config }) => readSizes(file, names, IN_BLOCK, config),
    parameters: (take, file, configuration, operators) => parameters(names, take, file, configuration, operators),
    tokenizer: (file, configuration, beside) => tokenizerOf(firstRow(file, configuration) > 0 ? robertas(beside) : beside, configuration.vocabulary, true),
    heads: () => [],
  };
}

export const bert = layoutOf(BERT);
export const distilbert = layoutOf(DISTILBERT);

/** TensorFlow, from which the first files came, has other words for a norm’s gain and bias. */
const inTorch = (name: string) => name.replace(/\.LayerNorm\.gamma$/, '.LayerNorm.weight').replace(/\.LayerNorm\.beta$/, '.LayerNorm.bias');

/** RoBERTa’s places begin behind that of its padding. */
const firstRow = (file: Safetensors, { context }: Configuration): number => (file.shape(PLACES)[0] ?? 0) - context;

function readSizes(file: Safetensors, names: Names, IN_BLOCK: RegExp, config: string | undefined): Configuration {
  const types = names === DISTILBERT ? ['distilbert'] as const : ['bert', ...ROBERTAS] as const;
  const given = config === undefined ? null : configOf(config, types);
  const [vocabulary = 0, d_model = 0] = file.shape(WORDS);
  const said = typeOf(file, names);
  const rows = file.shape(PLACES)[0] ?? 0;
  const place = { first_position: rows % 64 === 2 ? 2 : 0 };
  if (!given) throw new SizesMissing({ num_attention_heads: usualHeads(d_model), layer_norm_eps: said === 'bert' || said === 'distilbert' ? 1e-12 : 1e-5, ...(said === null && place) });
  const { first_position } = given;
  const { model_type: type = said ?? (first_position !== undefined ? 'bert' : given.pad_token_id === 0 ? 'bert' : given.pad_token_id === undefined ? null : 'roberta') } = given;
  const heads = given.num_attention_heads ?? given.n_heads;
  if (type === null) throw new SizesMissing({ ...((heads ?? null) === null && { num_attention_heads: usualHeads(d_model) }), ...place }, msg(str`config.json does not say ${'model_type'}. These tensors may be BERT’s, whose places begin in row 0, or RoBERTa’s, where it is row 2. Set it here, or choose the config.json of this model.`));
  refuseOthers(given);
  refuseTensors(file, (name) => /^(?:encoder|transformer|embeddings)\./.test(name) && !MADE.test(name) && !IN_BLOCK.test(name) && !OF_EMBEDDINGS.test(name), 'BERT');
  const layers = layersOf(file, IN_BLOCK);
  requireSame([given.hidden_size ?? given.dim, d_model], [given.num_hidden_layers ?? given.n_layers, layers]);
  const before = type !== 'bert' && type !== 'distilbert' ? Number(given.pad_token_id ?? 1) + 1 : said === null && first_position !== undefined ? Number(first_position) : 0;
  return checkSizes({
    name: nameOf(given, 'BERT'), layers, heads: required(heads, 'num_attention_heads', usualHeads(d_model)), d_model,
    d_mlp: file.shape(`${names.blocks}.0.${names.up}.weight`)[0] ?? 0, context: before >= 0 ? rows - before : NaN, vocabulary,
    positions: 'learned', rotary_base: 10000, rotary_interleaved: false, causal: false, postNorm: true, ...(kindsOf(file) > 1 && { segments: true }),
    predicts: HEADS.some(({ transform }) => file.has(`${transform}.weight`)) ? 'hidden' : 'nothing',
    activation: geluOf(given.hidden_act ?? given.activation ?? 'gelu'), norm_epsilon: positive(given.layer_norm_eps ?? 1e-12, 'layer_norm_eps'),
  });
}

/** What the tensors alone say: a head is of one of them, and RoBERTa has one kind of token. Null where it may be either. */
function typeOf(file: Safetensors, names: Names): 'bert' | 'roberta' | 'distilbert' | null {
  if (names === DISTILBERT) return 'distilbert';
  if (file.has(`${OF_ROBERTA.transform}.weight`)) return 'roberta';
  return file.has(`${HEADS[0]?.transform}.weight`) || kindsOf(file) > 1 ? 'bert' : null;
}

const kindsOf = (file: Safetensors): number => (file.has(KINDS) ? file.shape(KINDS)[0] ?? 0 : 0);

function refuseOthers({ position_embedding_type: places = 'absolute', is_decoder = false }: Given): void {
  if (places !== 'absolute') throw cannotBe('position_embedding_type', places, 'absolute');
  if (is_decoder !== false) throw cannotBe('is_decoder', is_decoder, 'false');
}

function parameters(names: Names, take: Take, file: Safetensors, configuration: Configuration, operators: Operators): DecoderParameters {
  const { layers, heads, d_model: D, d_mlp, vocabulary, activation, norm_epsilon: epsilon } = configuration;
  const gelu = activation === 'gelu_erf' ? 'erf' : 'tanh';
  const norm = (name: string): Norm => ({ gain: take(`${name}.weight`, [D]), bias: take(`${name}.bias`, [D]), epsilon });
  const linear = (name: string, from: number, to: number): Linear => ({ weight: take.matrix(`${name}.weight`, [to, from]), layout: 'out_in', bias: take(`${name}.bias`, [to]) });
  const block = (at: string): DecoderBlock => ({
    norm1: norm(at + names.norm1), norm2: norm(at + names.norm2), isPostNorm: true, isCausal: false,
    up: linear(at + names.up, D, d_mlp), down: linear(at + names.down, d_mlp, D), gelu,
    attention: { heads, query: linear(at + names.query, D, D), key: linear(at + names.key, D, D), value: linear(at + names.value, D, D), outProj: linear(at + names.outProj, D, D) },
  });
  const embeddings = take.matrix(WORDS, [vocabulary, D]);
  const head = HEADS.find(({ transform }) => file.has(`${transform}.weight`));
  return {
    embeddings, positions: placesOf(take, file, configuration, operators), embeddingsNorm: norm('embeddings.LayerNorm'),
    blocks: Array.from({ length: layers }, (_, i) => block(`${names.blocks}.${i}.`)),
    ...(head && {
      // RoBERTa's head has the exact GELU, whatever its layers have.
      transform: { ...linear(head.transform, D, D), gelu: head === OF_ROBERTA ? 'erf' : gelu }, finalNorm: norm(head.norm),
      output: { weight: file.has(head.output) ? take.matrix(head.output, [vocabulary, D]) : embeddings, layout: 'out_in' as const, bias: take(head.biases.find((name) => file.has(name)) ?? head.biases[0], [vocabulary]) },
    }),
  };
}

/** With the row of the kind that all tokens of a single text have, the first; then, where there are segments, all places again with the second; and without what stands before the first place. */
function placesOf(take: Take, file: Safetensors, configuration: Configuration, operators: Operators): Tensor {
  const { context, d_model: D, segments = false } = configuration;
  const first = firstRow(file, configuration);
  const kinds = file.has(KINDS) ? take(KINDS, [file.shape(KINDS)[0] ?? 0, D]) : null; // read before the places
  const written = kinds && take.keep(operators.tensor([first + context, D])); // for those who follow a number
  const moved: Moved = (places) => {
    const all = kinds?.read();
    written?.write(places);
    const own = places.subarray(first * D);
    const both = new Float32Array((segments ? 2 : 1) * own.length);
    for (let kind = 0; kind * own.length < both.length; kind += 1) both.set(own.map((number, i) => number + (all?.[kind * D + i % D] ?? 0)), kind * own.length);
    return both;
  };
  const table = take(PLACES, [first + context, D], moved, [segments ? 2 * context : context, D]);
  if (kinds && written) take.sum(table, (row) => [{ tensor: written, row: row % context + first }, { tensor: kinds, row: Math.floor(row / context) }]);
  return table;
}

/** Its byte pairs as tokenizer.json has them, with what stands around a text: from vocab.json and merges.txt, where there is none. */
function robertas({ vocabulary, merges, ...beside }: Beside): Beside {
  if (beside.tokenizer !== undefined || vocabulary === undefined || merges === undefined) return beside;
  const vocab = parseObject(vocabulary, 'vocab.json');
  const pairs = merges.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#version'));
  const added_tokens = ['<s>', '<pad>', '</s>', '<unk>', '<mask>'].filter((content) => Object.hasOwn(vocab, content)).map((content) => ({ id: vocab[content], content, special: true, lstrip: content === '<mask>' }));
  const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true };
  return { ...beside, tokenizer: JSON.stringify({
    added_tokens, normalizer: null, pre_tokenizer: bytes, decoder: bytes, post_processor: { ...bytes, type: 'RobertaProcessing', sep: ['</s>', vocab['</s>']], cls: ['<s>', vocab['<s>']] },
    model: { type: 'BPE', unk_token: null, continuing_subword_prefix: '', end_of_word_suffix: '', vocab, merges: pairs },
  }) };
}
