// The layout of Llama (Touvron et al. 2023) and of models made like it, such as Mistral, Qwen 2 and 3, SmolLM and TinyLlama:
// RMSNorm, rotary positions, grouped key heads, SwiGLU; in Qwen 3 norms of queries and keys. Matrices lie (out, in).
import { msg, str } from '@lit/localize';
import type { DecoderBlock, DecoderParameters, Linear, Operators } from '../../engine/operators/operators.ts';
import { type Given, SizesMissing, configOf, endsBefore, layersOf, nameOf, positive, refuseActivation, refuseTensors, required, requireSame, rotaryOf, usualHeads, windowOf } from './config-rules.ts';
import { type Configuration, checkSizes, keyHeads, keyWidth } from './configuration.ts';
import type { Layout, Take } from './load.ts';
import { turned } from './native-layout.ts';
import { type Safetensors, broken, unwrapped } from './safetensors.ts';
import { tokenizerOf } from './tokenizer-files.ts';

/** What tensors are called; in a block, behind “layers.0.”. */
interface Names {
  embeddings: string;
  norm1: string;
  norm2: string;
  query: string;
  key: string;
  value: string;
  outProj: string;
  gate: string;
  up: string;
  down: string;
  finalNorm: string;
  output: string;
  /** Which numbers of a head are turned together: 2i and 2i + 1, or i and i + half. */
  isInterleaved: boolean;
}

/** As transformers stores it, less “model.”. */
const TRANSFORMERS: Names = {
  embeddings: 'embed_tokens', norm1: 'input_layernorm', norm2: 'post_attention_layernorm',
  query: 'self_attn.q_proj', key: 'self_attn.k_proj', value: 'self_attn.v_proj', outProj: 'self_attn.o_proj',
  gate: 'mlp.gate_proj', up: 'mlp.up_proj', down: 'mlp.down_proj', finalNorm: 'norm', output: 'lm_head', isInterleaved: false,
};
/** As Meta stores it, and llama2.c. */
const META: Names = {
  embeddings: 'tok_embeddings', norm1: 'attention_norm', norm2: 'ffn_norm',
  query: 'attention.wq', key: 'attention.wk', value: 'attention.wv', outProj: 'attention.wo',
  gate: 'feed_forward.w1', up: 'feed_forward.w3', down: 'feed_forward.w2', finalNorm: 'norm', output: 'output', isInterleaved: true,
};
/** What config.json may call such a model; others of these names compute something else. */
const TYPES = ['llama', 'mistral', 'qwen2', 'qwen3'] as const;
/** Each head's norms, of Qwen 3. */
const [QUERY_NORM, KEY_NORM] = ['self_attn.q_norm', 'self_attn.k_norm'];
/** Tables that are made again. */
const MADE = /(?:^|\.)(?:rotary_emb\.inv_freq|freqs_cos|freqs_sin|rope\.freqs)$/;
const IN_BLOCK = /^layers\.(\d+)\.(.+)\.(weight|bias)$/;

function layoutOf(names: Names): Layout {
  return {
    reads: (file) => {
      const bare = file.renamed((name) => unwrapped(name).replace(/^(?:model\.)+/, ''));
      return bare.has(`${names.embeddings}.weight`) || bare.has(`layers.0.${names.query}.weight`) ? bare : null;
    },
    isParameter: (name) => !MADE.test(name),
    configuration: (file, { config, params }) => readSizes(file, names, config ?? params),
    parameters: (take, file, configuration, operators) => parameters(names, take, file, configuration, operators),
    tokenizer: (_, { vocabulary }, beside) => tokenizerOf(beside, vocabulary),
    heads: () => [],
  };
}

export const llama = layoutOf(TRANSFORMERS);
export const llamaByMeta = layoutOf(META);

/** Tied weights are stored once, under either name. */
const embeddingsOf = (file: Safetensors, { embeddings, output }: Names) => `${file.has(`${embeddings}.weight`) ? embeddings : output}.weight`;

function readSizes(file: Safetensors, names: Names, config: string | undefined): Configuration {
  const given = config === undefined ? null : configOf(config, TYPES);
  const [vocabulary = 0, d_model = 0] = file.shape(embeddingsOf(file, names));
  const rows = (name: string) => file.shape(`layers.0.${name}.weight`)[0] ?? 0;
  if (!given) throw new SizesMissing({ num_attention_heads: usualHeads(rows(names.query), rows(names.key)), max_position_embeddings: 2048, rope_theta: 10000, rms_norm_eps: 1e-5 });
  const { model_type = file.has(`layers.0.${QUERY_NORM}.weight`) ? 'qwen3' : 'llama' } = given;
  refuseOthers(file, names, { ...given, model_type });
  const layers = layersOf(file, IN_BLOCK);
  requireSame([given.hidden_size ?? given.dim, d_model], [given.num_hidden_layers ?? given.n_layers, layers]);
  const heads = required(given.num_attention_heads ?? given.n_heads, 'num_attention_heads', usualHeads(rows(names.query), rows(names.key)));
  const d_k = (given.head_dim ?? widthOf(heads, rows(names.query), rows(names.key))) as number;
  const context = (given.max_position_embeddings ?? given.max_seq_len ?? 2048) as number;
  const { base, part, scaling } = rotaryOf(given);
  return checkSizes({
    name: nameOf(given, 'Llama'),
    layers, heads, key_heads: (given.num_key_value_heads ?? given.n_kv_heads ?? rows(names.key) / d_k) as number, d_model, d_k, d_v: d_k,
    d_mlp: rows(names.up), context: Math.min(context, windowOf(given)), vocabulary,
    positions: 'rope', rotary_base: base, rotary_interleaved: names.isInterleaved, ...(part !== 1 && { rotary_width: Math.floor(d_k * part) }), ...(scaling && { rotary_scaling: scaling }),
    ...(model_type === 'qwen3' && { head_norms: true }), ...endsBefore(given, file.has(`${names.output}.weight`)), activation: 'swiglu', norm_epsilon: positive(given.rms_norm_eps ?? given.norm_eps ?? 1e-5, 'rms_norm_eps'),
  });
}

/** Of a head, where it is not said: queries and keys are as wide. @throws AttentionError where heads do not share the rows evenly */
function widthOf(heads: number, queryRows: number, keyRows: number): number {
  const width = queryRows / heads;
  if (width > 0 && (!Number.isInteger(width) || keyRows % width !== 0)) throw broken(msg(str`${heads} heads do not divide ${queryRows} rows of queries and ${keyRows} of keys evenly. Set num_attention_heads as this model has it.`));
  return width;
}

/** A model with more in it than Llama's, or with something else. */
function refuseOthers(file: Safetensors, names: Names, given: Given): void {
  const { hidden_act: activation = 'silu' } = given;
  if (activation !== 'silu' && activation !== 'swish') throw refuseActivation(activation, ['silu', 'swish']);
  const norms = new Set([names.norm1, names.norm2, ...(given.model_type === 'qwen3' ? [QUERY_NORM, KEY_NORM] : [])]);
  const matrices = new Set([names.query, names.key, names.value, names.outProj, names.gate, names.up, names.down]);
  const isKnown = (name: string) => {
    const [, , part = '', kind] = IN_BLOCK.exec(name) ?? [];
    return matrices.has(part) || (norms.has(part) && kind === 'weight');
  };
  const isBeside = (name: string) => name === `${names.finalNorm}.bias` || name === `${names.output}.bias`;
  refuseTensors(file, (name) => !MADE.test(name) && (isBeside(name) || (name.startsWith('layers.') && !isKnown(name))), 'Llama');
}

function parameters(names: Names, take: Take, file: Safetensors, configuration: Configuration, operators: Operators): DecoderParameters {
  const { layers, heads, d_model: D, d_mlp, vocabulary, norm_epsilon: epsilon, head_norms } = configuration;
  const [d_k, key_heads] = [keyWidth(configuration), keyHeads(configuration)];
  // A part has a bias in every layer, or in none.
  const biased = new Set(file.names.flatMap((name) => /^layers\.\d+\.(.+)\.bias$/.exec(name)?.[1] ?? []));
  const norm = (name: string, width = D) => ({ gain: take(`${name}.weight`, [width]), epsilon, kind: 'rms' as const });
  const linear = (name: string, from: number, to: number): Linear => ({
    weight: take.matrix(`${name}.weight`, [to, from]), layout: 'out_in', ...(biased.has(name.replace(/^layers\.\d+\./, '')) && { bias: take(`${name}.bias`, [to]) }),
  });
  const rotary = turned(configuration, operators, take.keep);
  const block = (at: string): DecoderBlock => ({
    norm1: norm(at + names.norm1), norm2: norm(at + names.norm2),
    gate: linear(at + names.gate, D, d_mlp), up: linear(at + names.up, D, d_mlp), down: linear(at + names.down, d_mlp, D),
    attention: {
      heads, keyHeads: key_heads, rotary,
      query: linear(at + names.query, D, heads * d_k), key: linear(at + names.key, D, key_heads * d_k),
      value: linear(at + names.value, D, key_heads * d_k), outProj: linear(at + names.outProj, heads * d_k, D),
      ...(head_norms && { queryNorm: norm(at + QUERY_NORM, d_k), keyNorm: norm(at + KEY_NORM, d_k) }),
    },
  });
  const from = embeddingsOf(file, names);
  const output = `${names.output}.weight`;
  return {
    embeddings: take.matrix(from, [vocabulary, D]),
    blocks: Array.from({ length: layers }, (_, i) => block(`layers.${i}.`)),
    finalNorm: norm(names.finalNorm),
    ...(file.has(output) && from !== output && { output: { weight: take.matrix(output, [vocabulary, D]), layout: 'out_in' as const } }),
  };
}
