// The layout of BERT (Devlin et al. 2019): an encoder, in which every token sees all tokens. Norms stand behind each addition,
// GELU is exact, and a head guesses what stands at [MASK]. Matrices lie (out, in).
import { msg, str } from '@lit/localize';
import type { DecoderBlock, DecoderParameters, Linear, Norm } from '../../engine/operators/operators.ts';
import { type Given, SizesMissing, geluOf, layersOf, nameOf, positive, refuseTensors, requireSame, requireType, usualHeads } from './config-rules.ts';
import { type Configuration, checkSizes, parseObject } from './configuration.ts';
import type { Layout, Moved, Take } from './load.ts';
import { type Safetensors, broken, quote, unwrapped } from './safetensors.ts';
import { tokenizerOf } from './tokenizer-files.ts';

const WORDS = 'embeddings.word_embeddings.weight';
const PLACES = 'embeddings.position_embeddings.weight';
const KINDS = 'embeddings.token_type_embeddings.weight';
const HEAD = 'cls.predictions.transform.dense';
const OUTPUT = 'cls.predictions.decoder.weight';
/** Of the logits, under an older name and a newer one. */
const OUTPUT_BIASES = ['cls.predictions.bias', 'cls.predictions.decoder.bias'] as const;
/** Places that are counted again; and what answers other questions than what stands at [MASK]. */
const ASIDE = /^(?:embeddings\.(?:position_ids|token_type_ids)|pooler\.dense\.\w+|cls\.seq_relationship\.\w+)$/;
const IN_BLOCK = /^encoder\.layer\.(\d+)\.(?:attention\.self\.(?:query|key|value)|attention\.output\.(?:dense|LayerNorm)|intermediate\.dense|output\.(?:dense|LayerNorm))\.(?:weight|bias)$/;

export const bert: Layout = {
  reads: (file) => {
    const bare = file.renamed((name) => inTorch(unwrapped(name)).replace(/^[a-z_]*(?:bert|electra)[a-z_]*\./, ''));
    return bare.has(WORDS) || bare.names.some((name) => IN_BLOCK.test(name)) ? bare : null;
  },
  isParameter: (name) => !ASIDE.test(name),
  configuration: (file, { config }) => readSizes(file, config),
  parameters,
  tokenizer: (_, { vocabulary }, beside) => tokenizerOf(beside, vocabulary),
  heads: () => [],
};

/** TensorFlow, from which the first files came, has other words for a norm’s gain and bias. */
const inTorch = (name: string) => name.replace(/\.LayerNorm\.gamma$/, '.LayerNorm.weight').replace(/\.LayerNorm\.beta$/, '.LayerNorm.bias');

function readSizes(file: Safetensors, config: string | undefined): Configuration {
  const [vocabulary = 0, d_model = 0] = file.shape(WORDS);
  if (config === undefined) throw new SizesMissing({ num_attention_heads: usualHeads(d_model), layer_norm_eps: 1e-12 });
  const given = parseObject(config, 'config.json');
  requireType(given, ['bert']);
  refuseOthers(given);
  refuseTensors(file, (name) => /^(?:encoder|embeddings)\./.test(name) && !ASIDE.test(name) && !IN_BLOCK.test(name) && !OF_EMBEDDINGS.test(name), 'BERT');
  const layers = layersOf(file, IN_BLOCK);
  requireSame([given.hidden_size, d_model], [given.num_hidden_layers, layers]);
  return checkSizes({
    name: nameOf(given, 'BERT'), layers, heads: given.num_attention_heads as number /* checked with the other sizes */, d_model,
    d_mlp: file.shape('encoder.layer.0.intermediate.dense.weight')[0] ?? 0, context: file.shape(PLACES)[0] ?? 0, vocabulary,
    positions: 'learned', rotary_base: 10000, rotary_interleaved: false, causal: false, postNorm: true,
    predicts: file.has(`${HEAD}.weight`) ? 'hidden' : 'nothing',
    activation: geluOf(given.hidden_act ?? 'gelu'), norm_epsilon: positive(given.layer_norm_eps ?? 1e-12, 'layer_norm_eps'),
  });
}

const OF_EMBEDDINGS = /^embeddings\.(?:(?:word|position|token_type)_embeddings\.weight|LayerNorm\.(?:weight|bias))$/;

function refuseOthers({ position_embedding_type: places = 'absolute', is_decoder = false }: Given): void {
  if (places !== 'absolute') throw broken(msg(str`config.json says ${'position_embedding_type'} ${quote(String(places))}; ${quote('absolute')} can be run. Choose another model.`));
  if (is_decoder !== false) throw broken(msg(str`config.json says ${'is_decoder'} ${quote(String(is_decoder))}; ${quote('false')} can be run. Choose another model.`));
}

function parameters(take: Take, file: Safetensors, { layers, heads, d_model: D, d_mlp, context, vocabulary, activation, norm_epsilon: epsilon, predicts }: Configuration): DecoderParameters {
  const gelu = activation === 'gelu_erf' ? 'erf' : 'tanh';
  const norm = (name: string): Norm => ({ gain: take(`${name}.weight`, [D]), bias: take(`${name}.bias`, [D]), epsilon });
  const linear = (name: string, from: number, to: number): Linear => ({ weight: take.matrix(`${name}.weight`, [to, from]), layout: 'out_in', bias: take(`${name}.bias`, [to]) });
  const block = (at: string): DecoderBlock => ({
    norm1: norm(`${at}attention.output.LayerNorm`), norm2: norm(`${at}output.LayerNorm`), isPostNorm: true, isCausal: false,
    up: linear(`${at}intermediate.dense`, D, d_mlp), down: linear(`${at}output.dense`, d_mlp, D), gelu,
    attention: {
      heads, query: linear(`${at}attention.self.query`, D, D), key: linear(`${at}attention.self.key`, D, D), value: linear(`${at}attention.self.value`, D, D),
      outProj: linear(`${at}attention.output.dense`, D, D),
    },
  });
  const embeddings = take.matrix(WORDS, [vocabulary, D]);
  return {
    embeddings, positions: placesOf(take, file, context, D), embeddingsNorm: norm('embeddings.LayerNorm'),
    blocks: Array.from({ length: layers }, (_, i) => block(`encoder.layer.${i}.`)),
    ...(predicts === 'hidden' && {
      transform: { ...linear(HEAD, D, D), gelu }, finalNorm: norm('cls.predictions.transform.LayerNorm'),
      output: { weight: file.has(OUTPUT) ? take.matrix(OUTPUT, [vocabulary, D]) : embeddings, layout: 'out_in' as const, bias: take(OUTPUT_BIASES.find((name) => file.has(name)) ?? OUTPUT_BIASES[0], [vocabulary]) },
    }),
  };
}

/** With the row of the kind that all tokens of a single text have, the first. */
function placesOf(take: Take, file: Safetensors, context: number, D: number) {
  if (!file.has(KINDS)) return take(PLACES, [context, D]);
  const kinds = take(KINDS, [file.shape(KINDS)[0] ?? 0, D]); // read before the places
  const withKind: Moved = (places) => {
    const kind = kinds.read().subarray(0, D);
    return places.map((number, i) => number + (kind[i % D] as number));
  };
  return take(PLACES, [context, D], withKind);
}
