// The layout of GPT-NeoX (Black et al. 2022), which Pythia has (Biderman et al. 2023): LayerNorm, rotary positions for a part
// of each head, attention and MLP side by side. Matrices lie (out, in); query, key and value are one matrix, head by head.
import { msg, str } from '@lit/localize';
import type { DecoderBlock, DecoderParameters, Linear, Norm, Operators } from '../../engine/operators/operators.ts';
import { type Given, SizesMissing, configOf, endsBefore, geluOf, layersOf, nameOf, positive, refuseTensors, required, requireSame, rotaryOf, usualHeads } from './config-rules.ts';
import { type Configuration, checkSizes } from './configuration.ts';
import type { Layout, RowTo, Take } from './load.ts';
import { turned } from './native-layout.ts';
import { type Safetensors, broken, quote, unwrapped } from './safetensors.ts';
import { tokenizerOf } from './tokenizer-files.ts';

const EMBEDDINGS = 'embed_in.weight';
const OUTPUT = 'embed_out.weight';
const PACKED = 'attention.query_key_value';
/** Masks and tables that are made again. */
const MADE = /(?:^|\.)(?:attention\.(?:bias|masked_bias)|rotary_emb\.inv_freq)$/;
const IN_BLOCK = /^layers\.(\d+)\.(?:input_layernorm|post_attention_layernorm|attention\.query_key_value|attention\.dense|mlp\.dense_h_to_4h|mlp\.dense_4h_to_h)\.(?:weight|bias)$/;

export const neox: Layout = {
  reads: (file) => {
    const bare = file.renamed((name) => unwrapped(name).replace(/^(?:gpt_neox\.)+/, ''));
    return bare.has(EMBEDDINGS) || bare.has(`layers.0.${PACKED}.weight`) ? bare : null;
  },
  isParameter: (name) => !MADE.test(name),
  configuration: (file, { config }) => readSizes(file, config),
  parameters,
  tokenizer: (_, { vocabulary }, beside) => tokenizerOf(beside, vocabulary),
  heads: () => [],
};

function readSizes(file: Safetensors, config: string | undefined): Configuration {
  const given = config === undefined ? null : configOf(config, ['gpt_neox']);
  const [vocabulary = 0, d_model = 0] = file.shape(EMBEDDINGS);
  if (!given) throw new SizesMissing({ num_attention_heads: usualHeads(d_model), max_position_embeddings: 2048, rotary_emb_base: 10000, rotary_pct: 0.25, layer_norm_eps: 1e-5 });
  refuseTensors(file, (name) => name.startsWith('layers.') && !MADE.test(name) && !IN_BLOCK.test(name), 'GPT-NeoX');
  const layers = layersOf(file, IN_BLOCK);
  requireSame([given.hidden_size, d_model], [given.num_hidden_layers, layers]);
  const heads = required(given.num_attention_heads, 'num_attention_heads', usualHeads(d_model));
  const { base, part, scaling } = rotaryOf(given, { base: given.rotary_emb_base, part: positive(given.rotary_pct ?? 0.25, 'rotary_pct') });
  return checkSizes({
    name: nameOf(given, 'GPT-NeoX'), layers, heads, d_model, d_mlp: file.shape('layers.0.mlp.dense_h_to_4h.weight')[0] ?? 0,
    context: (given.max_position_embeddings ?? 2048) as number, vocabulary,
    positions: 'rope', rotary_base: base, rotary_interleaved: false, rotary_width: Math.floor((d_model / heads) * part), ...(scaling && { rotary_scaling: scaling }),
    activation: geluOf(given.hidden_act ?? 'gelu'), norm_epsilon: positive(given.layer_norm_eps ?? 1e-5, 'layer_norm_eps'), parallel: isParallel(given), ...endsBefore(given, file.has(OUTPUT)),
  });
}

function isParallel({ use_parallel_residual: said = true }: Given): boolean {
  if (typeof said === 'boolean') return said;
  throw broken(msg(str`config.json says ${'use_parallel_residual'} ${quote(String(said))}; true or false is needed. Download it again.`));
}

/** Rows of each head's query, key and value, one after another, become all queries, all keys, all values. */
const unmixed = (heads: number, width: number): RowTo => (row) => {
  const [head, part] = [Math.floor(row / (3 * width)), Math.floor(row / width) % 3];
  return (part * heads + head) * width + row % width;
};

function inOrder(numbers: Float32Array, rowTo: RowTo): Float32Array {
  const moved = new Float32Array(numbers.length);
  numbers.forEach((number, row) => { moved[rowTo(row)] = number; });
  return moved;
}

function parameters(take: Take, file: Safetensors, configuration: Configuration, operators: Operators): DecoderParameters {
  const { layers, heads, d_model: D, d_mlp, vocabulary, activation, norm_epsilon: epsilon, parallel } = configuration;
  const norm = (name: string): Norm => ({ gain: take(`${name}.weight`, [D]), bias: take(`${name}.bias`, [D]), epsilon });
  // Attention has biases in every layer, or in none.
  const isBiased = file.names.some((name) => /\.attention\.(?:query_key_value|dense)\.bias$/.test(name));
  const linear = (name: string, from: number, to: number, hasBias: boolean, rowTo?: RowTo): Linear => ({
    weight: take.matrix(`${name}.weight`, [to, from], rowTo), layout: 'out_in',
    ...(hasBias && { bias: take(`${name}.bias`, [to], rowTo && ((numbers) => inOrder(numbers, rowTo))) }),
  });
  const rotary = turned(configuration, operators, take.keep);
  const block = (at: string): DecoderBlock => {
    const packed = linear(at + PACKED, D, 3 * D, isBiased, unmixed(heads, D / heads));
    const part = (part: number): Linear => ({ ...packed, part, parts: 3 });
    return {
      norm1: norm(`${at}input_layernorm`), norm2: norm(`${at}post_attention_layernorm`), isParallel: parallel === true,
      up: linear(`${at}mlp.dense_h_to_4h`, D, d_mlp, true), down: linear(`${at}mlp.dense_4h_to_h`, d_mlp, D, true), gelu: activation === 'gelu_erf' ? 'erf' : 'tanh',
      attention: { heads, rotary, query: part(0), key: part(1), value: part(2), outProj: linear(`${at}attention.dense`, D, D, isBiased) },
    };
  };
  return {
    embeddings: take.matrix(EMBEDDINGS, [vocabulary, D]),
    blocks: Array.from({ length: layers }, (_, i) => block(`layers.${i}.`)),
    finalNorm: norm('final_layer_norm'),
    ...(file.has(OUTPUT) && { output: { weight: take.matrix(OUTPUT, [vocabulary, D]), layout: 'out_in' as const } }),
  };
}
