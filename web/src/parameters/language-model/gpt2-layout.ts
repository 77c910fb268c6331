// The layout of GPT-2 (Radford et al. 2019), as it is usually stored: query, key and value are one packed matrix; matrices
// lie (in, out), or (out, in) where nanoGPT or Flax wrote them. Names may begin with those of what the model was wrapped in.
import { msg, str } from '@lit/localize';
import type { DecoderBlock, DecoderParameters, Linear, Norm } from '../../engine/operators/operators.ts';
import { geluOf, layersOf, nameOf, refuseTensors } from './config-rules.ts';
import { type Configuration, checkSizes, parseObject } from './configuration.ts';
import type { Layout, Take } from './load.ts';
import { type Safetensors, broken, quote, unwrapped } from './safetensors.ts';
import { tokenizerOf } from './tokenizer-files.ts';

/** One of these tells the layout, and what stands before all names. */
const MARK = /^(.*\.)?(?:w[pt]e|h\.0\.attn\.c_attn)\.weight$/;
/** A causal mask is stored beside each block's matrices. */
const MASK = /\.attn\.(masked_)?bias$/;
const IN_BLOCK = /^h\.\d+\.(?:ln_[12]|attn\.c_attn|attn\.c_proj|mlp\.c_fc|mlp\.c_proj)\./;
const [EMBEDDINGS, HEAD, PACKED] = ['wte.weight', 'lm_head.weight', 'h.0.attn.c_attn.weight'] as const;
/** Every head of GPT-2 is as wide. */
const USUAL_WIDTH = 64;

export const gpt2: Layout = {
  reads: (file) => {
    const written = new Set(file.names.map(unwrapped));
    const bare = file.renamed((name) => inTorch(unwrapped(name), written));
    const [before] = bare.names.flatMap((name) => MARK.exec(name)?.[1] ?? (MARK.test(name) ? '' : [])).sort((a, b) => a.length - b.length);
    if (before === undefined) return null;
    // “model.transformer.”, “model.”: lm_head may stand further out than the rest.
    const parts = before.split('.');
    const cuts = parts.map((_, i) => parts.slice(0, parts.length - 1 - i).join('.')).filter((cut) => cut !== '').map((cut) => `${cut}.`);
    return bare.renamed((name) => name.slice(cuts.find((cut) => name.startsWith(cut))?.length ?? 0));
  },
  isParameter: (name) => !MASK.test(name),
  configuration: (file, { config }) => readSizes(file, config === undefined ? {} : parseObject(config, 'config.json')),
  parameters,
  tokenizer: (_, { vocabulary }, beside) => tokenizerOf(beside, vocabulary),
  heads: () => [],
};

/** As PyTorch calls it: Flax has other words for a weight. */
function inTorch(name: string, written: ReadonlySet<string>): string {
  const weight = name.replace(/\.(?:kernel|scale|embedding)$/, '.weight');
  return written.has(weight) ? name : weight;
}

/** Tied weights are stored once, under either name. */
const embeddingsOf = (file: Safetensors) => (!file.has(EMBEDDINGS) && file.has(HEAD) ? HEAD : EMBEDDINGS);

/** torch.nn.Linear's way; the packed matrix is not square, so it tells. */
const isOutIn = (file: Safetensors, D: number) => file.shape(PACKED)[0] === 3 * D && file.shape(PACKED)[1] === D;

/** Most sizes are those of the tensors; config.json says the rest, or what is usual is taken. */
function readSizes(file: Safetensors, given: Readonly<Record<string, unknown>>): Configuration {
  const [vocabulary = 0, d_model = 0] = file.shape(embeddingsOf(file));
  const [context = 0] = file.shape('wpe.weight');
  const outIn = isOutIn(file, d_model);
  const d_mlp = file.shape('h.0.mlp.c_fc.weight')[outIn ? 0 : 1] ?? 0;
  const layers = layersOf(file, /^h\.(\d+)\./);
  refuseTensors(file, (name) => /^h\.\d+\..*\.(?:weight|bias)$/.test(name) && !IN_BLOCK.test(name) && !MASK.test(name), 'GPT-2');
  for (const [name, here] of [['n_embd', d_model], ['n_layer', layers]] as const) {
    const said = given[name] ?? here;
    if (said !== here) throw broken(msg(str`config.json says ${name} ${quote(String(said))}, and the tensors say ${here}. Choose the config.json of this model, or all of its files.`));
  }
  const heads = given.n_head ?? given.num_attention_heads ?? given.num_heads; // checked with the other sizes
  const activation = given.activation_function;
  const guesses = [...(heads === undefined ? ['heads' as const] : []), ...(outIn && activation === undefined ? ['activation' as const] : [])];
  return checkSizes({
    name: nameOf(given, 'GPT-2'),
    layers, heads: heads === undefined ? usualHeads(d_model) : heads as number, d_model, d_mlp, context, vocabulary,
    positions: 'learned', rotary_base: 10000, rotary_interleaved: false,
    activation: activationOf({ activation_function: outIn ? 'gelu' : 'gelu_new', ...given }), norm_epsilon: epsilonOf(given),
    ...(guesses.length > 0 && { guesses }),
  });
}

function usualHeads(d_model: number): number {
  if (d_model % USUAL_WIDTH === 0) return d_model / USUAL_WIDTH;
  throw broken(msg(str`The file does not say how many heads it has, and d_model ${d_model} is not a multiple of the usual width of ${USUAL_WIDTH}. Give its config.json, too.`));
}

function activationOf({ activation_function: name = 'gelu_new', scale_attn_weights = true, scale_attn_by_inverse_layer_idx = false }: Readonly<Record<string, unknown>>): Configuration['activation'] {
  if (scale_attn_weights !== true || scale_attn_by_inverse_layer_idx !== false) {
    throw broken(msg('config.json scales scores by something other than 1 / √d_k, which cannot be run. Choose another model.'));
  }
  return geluOf(name);
}

function epsilonOf({ layer_norm_epsilon: epsilon = 1e-5 }: Readonly<Record<string, unknown>>): number {
  if (typeof epsilon === 'number' && epsilon > 0 && epsilon < 1) return epsilon;
  throw broken(msg(str`config.json says layer_norm_epsilon ${quote(String(epsilon))}; a number between 0 and 1 is needed. Download it again.`));
}

function parameters(take: Take, file: Safetensors, configuration: Configuration): DecoderParameters {
  const { layers, heads, d_model: D, d_mlp, context, vocabulary, activation, norm_epsilon } = configuration;
  const outIn = isOutIn(file, D);
  // A model is trained with biases or, as nanoGPT may, without any.
  const isBiased = file.names.some((name) => IN_BLOCK.test(name) && name.endsWith('.bias'));
  const bias = (name: string, size: number) => (isBiased ? { bias: take(`${name}.bias`, [size]) } : {});
  const norm = (name: string): Norm => ({ gain: take(`${name}.weight`, [D]), ...bias(name, D), epsilon: norm_epsilon });
  const linear = (name: string, from: number, to: number): Linear => ({
    weight: take.matrix(`${name}.weight`, outIn ? [to, from] : [from, to]), layout: outIn ? 'out_in' : 'in_out', ...bias(name, to),
  });
  const block = (name: string): DecoderBlock => {
    const packed = linear(`${name}.attn.c_attn`, D, 3 * D);
    const part = (part: number): Linear => ({ ...packed, part, parts: 3 });
    return {
      norm1: norm(`${name}.ln_1`), norm2: norm(`${name}.ln_2`), up: linear(`${name}.mlp.c_fc`, D, d_mlp), down: linear(`${name}.mlp.c_proj`, d_mlp, D),
      gelu: activation === 'gelu_erf' ? 'erf' : 'tanh',
      attention: { heads, query: part(0), key: part(1), value: part(2), outProj: linear(`${name}.attn.c_proj`, D, D) },
    };
  };
  const embeddings = take.matrix(embeddingsOf(file), [vocabulary, D]);
  // Left out where it is the embeddings, transposed.
  const isOwn = embeddingsOf(file) !== HEAD && file.has(HEAD);
  const added = file.has('lm_head.bias') ? { bias: take('lm_head.bias', [vocabulary]) } : null;
  return {
    embeddings, positions: take('wpe.weight', [context, D]),
    blocks: Array.from({ length: layers }, (_, i) => block(`h.${i}`)),
    finalNorm: norm('ln_f'),
    ...((isOwn || added) && { output: { weight: isOwn ? take.matrix(HEAD, [vocabulary, D]) : embeddings, layout: 'out_in', ...added } }),
  };
}
