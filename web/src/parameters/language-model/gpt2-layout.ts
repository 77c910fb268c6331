// The layout of GPT-2 (Radford et al. 2019), as it is usually stored: query, key and value are one packed matrix; matrices
// lie (in, out), or (out, in) where nanoGPT or Flax wrote them. Names may begin with those of what the model was wrapped in.
// And that of GPT-Neo (Black et al. 2021), which TinyStories has (Eldan and Li 2023): trained without the division by √d_k.
import { msg, str } from '@lit/localize';
import type { DecoderBlock, DecoderParameters, Linear, Norm } from '../../engine/operators/operators.ts';
import { type Given, SizesMissing, configOf, endsBefore, geluOf, layersOf, nameOf, positive, refuseTensors, required, requireSame, usualHeads } from './config-rules.ts';
import { type Configuration, checkSizes } from './configuration.ts';
import type { Layout, Take } from './load.ts';
import { type Safetensors, broken, quote, unwrapped } from './safetensors.ts';
import { tokenizerOf } from './tokenizer-files.ts';

/** One of these tells the layout, and what stands before all names. */
const MARK = /^(.*\.)?(?:w[pt]e|h\.0\.attn\.c_attn)\.weight$/;
/** A causal mask is stored beside each block's matrices. */
const MASK = /\.attn\.(masked_)?bias$/;
const IN_BLOCK = /^h\.\d+\.(?:ln_[12]|attn\.c_attn|attn\.c_proj|mlp\.c_fc|mlp\.c_proj)\./;
const [EMBEDDINGS, HEAD, PACKED] = ['wte.weight', 'lm_head.weight', 'h.0.attn.c_attn.weight'] as const;

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
  configuration: (file, { config }) => readSizes(file, config),
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

/** Most sizes are those of the tensors; config.json says the rest. */
function readSizes(file: Safetensors, config: string | undefined): Configuration {
  const given = config === undefined ? null : configOf(config, ['gpt2']);
  const [vocabulary = 0, d_model = 0] = file.shape(embeddingsOf(file));
  const [context = 0] = file.shape('wpe.weight');
  const outIn = isOutIn(file, d_model);
  const d_mlp = file.shape('h.0.mlp.c_fc.weight')[outIn ? 0 : 1] ?? 0;
  refuseTensors(file, (name) => /^h\.\d+\..*\.(?:weight|bias)$/.test(name) && !IN_BLOCK.test(name) && !MASK.test(name), 'GPT-2');
  if (!given) throw new SizesMissing({ n_head: usualHeads(d_model), layer_norm_epsilon: 1e-5 });
  const layers = layersOf(file, /^h\.(\d+)\./);
  for (const [name, here] of [['n_embd', d_model], ['n_layer', layers]] as const) {
    const said = given[name] ?? here;
    if (said !== here) throw broken(msg(str`config.json says ${name} ${quote(String(said))}, and the tensors say ${here}. Choose the config.json of this model, or all of its files.`));
  }
  const heads = required(given.n_head ?? given.num_attention_heads ?? given.num_heads, 'n_head', usualHeads(d_model));
  return checkSizes({
    name: nameOf(given, 'GPT-2'),
    layers, heads, d_model, d_mlp, context, vocabulary,
    positions: 'learned', rotary_base: 10000, rotary_interleaved: false,
    activation: activationOf({ activation_function: outIn ? 'gelu' : 'gelu_new', ...given }), norm_epsilon: epsilonOf(given),
    ...(outIn && given.activation_function === undefined && { guesses: ['activation'] as const }), ...endsBefore(given, file.has(HEAD)),
  });
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
  const layout = isOutIn(file, D) ? 'out_in' : 'in_out';
  // A model is trained with biases or, as nanoGPT may, without any.
  const isBiased = file.names.some((name) => IN_BLOCK.test(name) && name.endsWith('.bias'));
  const bias = (name: string, size: number) => (isBiased ? { bias: take(`${name}.bias`, [size]) } : {});
  const norm = (name: string): Norm => ({ gain: take(`${name}.weight`, [D]), ...bias(name, D), epsilon: norm_epsilon });
  const linear = (name: string, from: number, to: number): Linear => ({
    ...take.linear(`${name}.weight`, [from, to], layout), ...bias(name, to),
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

// --- GPT-Neo: query, key and value are matrices of their own, (out, in) -------------------------------------------

const IN_NEO = /^h\.(\d+)\.(?:ln_[12]|attn\.attention\.(?:[qkv]_proj|out_proj)|mlp\.c_(?:fc|proj))\.(?:weight|bias)$/;
/** Masks that are made again. */
const NEO_MASK = /\.attn\.attention\.(?:masked_)?bias$/;

export const neo: Layout = {
  reads: (file) => {
    const bare = file.renamed((name) => unwrapped(name).replace(/^(?:transformer\.)+/, ''));
    return bare.has('h.0.attn.attention.q_proj.weight') ? bare : null;
  },
  isParameter: (name) => !NEO_MASK.test(name),
  configuration: (file, { config }) => neoSizes(file, config),
  parameters: neoParameters,
  tokenizer: (_, { vocabulary }, beside) => tokenizerOf(beside, vocabulary),
  heads: () => [],
};

function neoSizes(file: Safetensors, config: string | undefined): Configuration {
  const given = config === undefined ? null : configOf(config, ['gpt_neo']);
  const [[vocabulary = 0, d_model = 0], [rows = 0]] = [file.shape(EMBEDDINGS), file.shape('wpe.weight')];
  if (!given) throw new SizesMissing({ num_heads: usualHeads(d_model), window_size: 256, layer_norm_epsilon: 1e-5 });
  refuseTensors(file, (name) => name.startsWith('h.') && !NEO_MASK.test(name) && !IN_NEO.test(name), 'GPT-Neo');
  const layers = layersOf(file, IN_NEO);
  requireSame([given.hidden_size, d_model], [given.num_layers, layers]);
  return checkSizes({
    name: nameOf(given, 'GPT-Neo'), layers, heads: required(given.num_heads, 'num_heads', usualHeads(d_model)), d_model, d_mlp: file.shape('h.0.mlp.c_fc.weight')[0] ?? 0,
    context: Math.min(rows, localWindow(given)), vocabulary, positions: 'learned', rotary_base: 10000, rotary_interleaved: false, scaled: false,
    activation: geluOf(given.activation_function ?? 'gelu_new'), norm_epsilon: epsilonOf(given),
  });
}

/** How many tokens a local layer looks at, its own among them. In texts that are no longer, it looks at all before. */
function localWindow({ attention_layers, attention_types, window_size = 256 }: Given): number {
  const isLocal = JSON.stringify(attention_layers ?? attention_types ?? 'local').includes('local');
  return isLocal ? positive(window_size, 'window_size') : Infinity;
}

function neoParameters(take: Take, file: Safetensors, { layers, heads, d_model: D, d_mlp, vocabulary, activation, norm_epsilon: epsilon }: Configuration): DecoderParameters {
  const norm = (name: string): Norm => ({ gain: take(`${name}.weight`, [D]), bias: take(`${name}.bias`, [D]), epsilon });
  const linear = (name: string, from: number, to: number): Linear => ({
    weight: take.matrix(`${name}.weight`, [to, from]), layout: 'out_in', ...(file.has(`${name}.bias`) && { bias: take(`${name}.bias`, [to]) }),
  });
  const block = (at: string): DecoderBlock => {
    const [query, key, value, outProj] = ['q_proj', 'k_proj', 'v_proj', 'out_proj'].map((part) => linear(`${at}.attn.attention.${part}`, D, D)) as [Linear, Linear, Linear, Linear];
    return {
      norm1: norm(`${at}.ln_1`), norm2: norm(`${at}.ln_2`), up: linear(`${at}.mlp.c_fc`, D, d_mlp), down: linear(`${at}.mlp.c_proj`, d_mlp, D),
      gelu: activation === 'gelu_erf' ? 'erf' : 'tanh', attention: { heads, query, key, value, outProj },
    };
  };
  return {
    embeddings: take.matrix(EMBEDDINGS, [vocabulary, D]), positions: take('wpe.weight', [file.shape('wpe.weight')[0] ?? 0, D]),
    blocks: Array.from({ length: layers }, (_, i) => block(`h.${i}`)), finalNorm: norm('ln_f'),
    ...(file.has(HEAD) && { output: { weight: take.matrix(HEAD, [vocabulary, D]), layout: 'out_in' as const } }),
  };
}
