// The layout of GPT-2 (Radford et al. 2019), as it is usually stored: Conv1D matrices lie (in, out), query, key
// and value are one packed matrix, and names may begin with “transformer.”.
import { msg, str } from '@lit/localize';
import type { DecoderBlock, DecoderParameters, Linear, Norm } from '../../engine/operators/operators.ts';
import { BytePairs } from './byte-pairs.ts';
import { type Configuration, checkSizes, parseObject } from './configuration.ts';
import type { Layout, Take } from './load.ts';
import { type Safetensors, broken, quote } from './safetensors.ts';
import { TokenIds } from './tokens.ts';

const PREFIX = 'transformer.';
const EMBEDDINGS = 'wte.weight';
/** Every head of GPT-2 is as wide. */
const USUAL_WIDTH = 64;
const ACTIVATIONS: ReadonlyMap<unknown, Configuration['activation']> = new Map([
  ['gelu_new', 'gelu_tanh'], ['gelu_pytorch_tanh', 'gelu_tanh'], ['gelu_fast', 'gelu_tanh'], ['gelu', 'gelu_erf'],
]);

export const gpt2: Layout = {
  reads: (file) => file.has(EMBEDDINGS) || file.has(PREFIX + EMBEDDINGS),
  // A causal mask is stored beside each block's matrices.
  isParameter: (name) => !/\.attn\.(masked_)?bias$/.test(name),
  configuration: (file, { config }) => readSizes(file, config === undefined ? {} : parseObject(config, 'config.json')),
  parameters,
  tokenizer: (_, { vocabulary }, beside) => (beside.vocabulary !== undefined && beside.merges !== undefined
    ? new BytePairs(parseObject(beside.vocabulary, 'vocab.json'), beside.merges, vocabulary)
    : new TokenIds(vocabulary)),
  heads: () => [],
};

/** Most sizes are those of the tensors; config.json says the rest, or what is usual is taken. */
function readSizes(file: Safetensors, given: Readonly<Record<string, unknown>>): Configuration {
  const prefix = file.has(EMBEDDINGS) ? '' : PREFIX;
  const [vocabulary = 0, d_model = 0] = file.shape(prefix + EMBEDDINGS);
  const [context = 0] = file.shape(`${prefix}wpe.weight`);
  const [, d_mlp = 0] = file.shape(`${prefix}h.0.mlp.c_fc.weight`);
  const blocks = file.names.flatMap((name) => /^(?:transformer\.)?h\.(\d+)\./.exec(name)?.slice(1) ?? []);
  return checkSizes({
    name: typeof given._name_or_path === 'string' ? given._name_or_path : 'GPT-2',
    layers: new Set(blocks).size, heads: headsOf(given, d_model), d_model, d_mlp, context, vocabulary,
    positions: 'learned', rotary_base: 10000, rotary_interleaved: false,
    activation: activationOf(given), norm_epsilon: epsilonOf(given),
  });
}

function headsOf({ n_head: heads }: Readonly<Record<string, unknown>>, d_model: number): number {
  if (heads !== undefined) return heads as number; // checked with the other sizes
  if (d_model % USUAL_WIDTH === 0) return d_model / USUAL_WIDTH;
  throw broken(msg(str`The file does not say how many heads it has, and d_model ${d_model} is no multiple of the usual width of ${USUAL_WIDTH}. Give its config.json, too.`));
}

function activationOf({ activation_function: name = 'gelu_new', scale_attn_weights = true, scale_attn_by_inverse_layer_idx = false }: Readonly<Record<string, unknown>>): Configuration['activation'] {
  if (scale_attn_weights !== true || scale_attn_by_inverse_layer_idx !== false) {
    throw broken(msg('config.json scales scores otherwise than by 1 / √d_k, which cannot be run. Choose another model.'));
  }
  const activation = ACTIVATIONS.get(name);
  if (activation) return activation;
  throw broken(msg(str`config.json names the activation ${quote(String(name))}; ${[...ACTIVATIONS.keys()].join(', ')} can be run. Choose another model.`));
}

function epsilonOf({ layer_norm_epsilon: epsilon = 1e-5 }: Readonly<Record<string, unknown>>): number {
  if (typeof epsilon === 'number' && epsilon > 0 && epsilon < 1) return epsilon;
  throw broken(msg(str`config.json says layer_norm_epsilon ${quote(String(epsilon))}; a number between 0 and 1 is needed. Get it anew.`));
}

function parameters(take: Take, has: (name: string) => boolean, configuration: Configuration): DecoderParameters {
  const { layers, heads, d_model: D, d_mlp, context, vocabulary, activation, norm_epsilon } = configuration;
  const prefix = has(EMBEDDINGS) ? '' : PREFIX;
  const tensor = (name: string, ...shape: number[]) => take(prefix + name, shape);
  const norm = (name: string): Norm => ({ gain: tensor(`${name}.weight`, D), bias: tensor(`${name}.bias`, D), epsilon: norm_epsilon });
  const linear = (name: string, from: number, to: number): Linear => ({ weight: tensor(`${name}.weight`, from, to), bias: tensor(`${name}.bias`, to) });
  const block = (name: string): DecoderBlock => {
    const packed = linear(`${name}.attn.c_attn`, D, 3 * D);
    const part = (part: number): Linear => ({ ...packed, part, parts: 3 });
    return {
      norm1: norm(`${name}.ln_1`), norm2: norm(`${name}.ln_2`), up: linear(`${name}.mlp.c_fc`, D, d_mlp), down: linear(`${name}.mlp.c_proj`, d_mlp, D),
      gelu: activation === 'gelu_erf' ? 'erf' : 'tanh',
      attention: { heads, query: part(0), key: part(1), value: part(2), outProj: linear(`${name}.attn.c_proj`, D, D) },
    };
  };
  return {
    embeddings: tensor(EMBEDDINGS, vocabulary, D), positions: tensor('wpe.weight', context, D),
    blocks: Array.from({ length: layers }, (_, i) => block(`h.${i}`)),
    finalNorm: norm('ln_f'),
    // Left out where it is the embeddings, transposed.
    ...(has('lm_head.weight') && { output: { weight: take('lm_head.weight', [vocabulary, D]), layout: 'out_in' } }),
  };
}
