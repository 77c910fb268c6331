// What config.json may say of models that were not trained for this page, whatever their layout.
import { msg, str } from '@lit/localize';
import type { RotaryScaling } from '../../engine/operators/operators.ts';
import { AttentionError } from '../../engine/error.ts';
import { type Configuration, parseObject } from './configuration.ts';
import { type Safetensors, broken, quote } from './safetensors.ts';

export type Given = Readonly<Record<string, unknown>>;

/** Of those whose layout is another's. */
const FAMILIES: ReadonlyMap<unknown, string> = new Map([['mistral', 'Mistral'], ['qwen2', 'Qwen2'], ['qwen3', 'Qwen3'], ['roberta', 'RoBERTa'], ['distilbert', 'DistilBERT']]);

export const nameOf = ({ _name_or_path: name, model_type: type }: Given, family: string): string => (typeof name === 'string' && name !== '' ? name : FAMILIES.get(type) ?? family);

/** Neither the tensors nor config.json say these sizes: config.json's names, with what is usual. What is answered is added to config.json. */
export class SizesMissing extends AttentionError {
  constructor(readonly asks: Readonly<Record<string, number>>, message = msg('The tensors do not say these sizes of the model. Set them here, or choose its config.json, too.')) {
    super('bad_file', message);
  }
}

/** What config.json says, in JSON: read before any tensor is looked at, so that a model of another kind is refused by its own name. @param types what it may be called @throws AttentionError */
export function configOf(config: string, types: readonly [string, ...string[]]): Given {
  const given = parseObject(config, 'config.json');
  requireType(given, types);
  const { quantization_config: quantized = given.quantization } = given;
  if (typeof quantized !== 'object' || quantized === null) return given;
  const { quant_method: method = given.quantization ? 'MLX' : 'quantization' } = quantized as Given;
  throw broken(msg(str`config.json says that this model’s numbers are packed by ${quote(String(method))}, which cannot be read. Choose the same model in BF16, F16 or F32.`));
}

/** A size that config.json has to say; the reader is asked for it where it does not. */
export function required(given: unknown, name: string, usual: number): number {
  if (given === undefined || given === null) throw new SizesMissing({ [name]: usual }, msg(str`config.json does not say ${name}. Set it here, or choose the config.json of this model.`));
  return given as number; // checked with the other sizes
}

/** As many heads as the usual widths allow, where rows of keys are as many, or fewer. */
export const usualHeads = (rows: number, keyRows = rows): number => rows / ([64, 128, 32, 16, 8, 4, 2].find((width) => rows % width === 0 && keyRows % width === 0) ?? 1);

/** A model without what guesses words: its file has no output, and config.json says that the embeddings are none. */
export const endsBefore = ({ tie_word_embeddings: tied }: Given, hasOutput: boolean): { predicts?: 'nothing' } => (tied === false && !hasOutput ? { predicts: 'nothing' } : {});

/** How many tokens a layer looks at, its own among them, where some look at fewer than all: in texts that are no longer, each looks at all before. */
export function windowOf({ sliding_window: size, use_sliding_window: isUsed = true, layer_types: types }: Given): number {
  const kinds = Array.isArray(types) ? types as readonly unknown[] : [];
  const other = kinds.find((kind) => kind !== 'full_attention' && kind !== 'sliding_attention');
  if (other !== undefined) throw cannotBe('layer_types', other, 'full_attention, sliding_attention');
  const isFull = size === undefined || size === null || size === false || isUsed === false || (kinds.length > 0 && !kinds.includes('sliding_attention'));
  return isFull ? Infinity : positive(size, 'sliding_window');
}

/** Each pair is what config.json says, or nothing, and what the tensors say. */
export function requireSame(...pairs: readonly (readonly [unknown, number])[]): void {
  for (const [said, here] of pairs) {
    if (said !== undefined && said !== here) throw broken(msg(str`config.json says ${quote(String(said))} where the tensors say ${here}. Choose the config.json of this model, or all of its files.`));
  }
}

/** What models have that those of a layout that is read have not. */
const HAS_BESIDES: ReadonlyMap<unknown, () => string> = new Map(([
  [['olmo2', 'exaone4'], () => msg('norms of queries and keys')],
  [['qwen3_moe', 'qwen2_moe', 'mixtral', 'deepseek_v2', 'deepseek_v3', 'gpt_oss', 'gpt-oss', 'olmoe'], () => msg('several MLPs of which each token takes some')],
  [['smollm3', 'llama4_text'], () => msg('layers without positions')],
  [['gemma', 'gemma2', 'gemma3', 'gemma3_text', 'gemma3n', 'gemma3n_text'], () => msg('scaled embeddings, and GELU in its gates')],
  [['phi3', 'glm', 'glm4'], () => msg('several matrices of a layer in one')],
  [['granite'], () => msg('factors of its own for embeddings, residuals and logits')],
  [['cohere', 'cohere2', 'falcon', 'gptj', 'phi', 'codegen'], () => msg('attention and MLP side by side')],
  [['opt'], () => msg('ReLU in its MLPs')],
  [['bloom', 'mpt'], () => msg('scores that fall with distance (ALiBi)')],
  [['stablelm', 'starcoder2'], () => msg('LayerNorm in place of RMSNorm')],
  [['olmo'], () => msg('norms without gains')],
  [['gpt_bigcode'], () => msg('one head of keys and values for all heads')],
  [['mamba', 'mamba2', 'falcon_mamba', 'jamba', 'rwkv', 'lfm2', 'qwen3_next', 'qwen3_5', 'qwen3_5_text', 'recurrent_gemma', 'granitemoehybrid'], () => msg('layers without attention')],
  [['t5', 'mt5', 'bart', 'mbart', 'marian', 'pegasus', 'm2m_100'], () => msg('an encoder and a decoder')],
  [['modernbert', 'neobert', 'nomic_bert'], () => msg('rotary positions in an encoder')],
  [['deberta', 'deberta-v2', 'mpnet'], () => msg('positions in its scores')],
  [['albert'], () => msg('one layer that is run several times')],
  [['electra'], () => msg('an output that tells which words were replaced')],
  [['vit', 'clip', 'siglip', 'dinov2', 'llava', 'llava_next', 'llama4', 'mllama', 'mistral3', 'paligemma', 'smolvlm', 'idefics3', 'qwen2_vl', 'qwen2_5_vl', 'qwen3_vl'], () => msg('a part that reads images')],
  [['whisper', 'wav2vec2'], () => msg('a part that reads sound')],
] as const).flatMap(([types, what]) => types.map((type) => [type, what] as const)));

/** @param type as config.json or GGUF calls a model */
export const hasBesides = (type: unknown): string | undefined => HAS_BESIDES.get(type)?.();

function requireType({ model_type: type }: Given, types: readonly [string, ...string[]]): void {
  if (types.includes((type ?? types[0]) as string)) return;
  const [named, possible, what] = [quote(String(type)), types.join(', '), hasBesides(type)];
  throw broken(what
    ? msg(str`config.json calls this a model of the type ${named}. It has ${what}, which cannot be run yet; of this layout ${possible} can. Choose one of these.`)
    : msg(str`config.json calls this a model of the type ${named}; of this layout ${possible} can be run. Choose one of these.`));
}

/** A layer with more in it computes something else. */
export function refuseTensors(file: Safetensors, isOther: (name: string) => boolean, family: string): void {
  const other = file.names.find(isOther);
  if (other !== undefined) throw broken(msg(str`The file has a tensor ${quote(other)}, which no layer of ${family} has; without it the model would compute something else. Choose a model of ${family}’s kind.`));
}

export const positive = (given: unknown, name: string): number => {
  if (typeof given === 'number' && given > 0 && Number.isFinite(given)) return given;
  throw broken(msg(str`config.json says ${name} ${quote(String(given))}; a number above 0 is needed. Download it again.`));
};

export function refuseActivation(name: unknown, possible: readonly string[]): Error {
  return broken(msg(str`config.json names the activation ${quote(String(name))}; ${possible.join(', ')} can be run. Choose another model.`));
}

/** As transformers calls them. */
const GELUS: ReadonlyMap<unknown, Configuration['activation']> = new Map([
  ['gelu_new', 'gelu_tanh'], ['gelu_pytorch_tanh', 'gelu_tanh'], ['gelu_fast', 'gelu_tanh'], ['gelu', 'gelu_erf'],
]);

export function geluOf(name: unknown): Configuration['activation'] {
  const gelu = GELUS.get(name);
  if (gelu) return gelu;
  throw refuseActivation(name, [...GELUS.keys()] as string[]);
}

/** Layers that there are tensors of; `IN_BLOCK` finds their number. */
export const layersOf = (file: Safetensors, IN_BLOCK: RegExp): number => new Set(file.names.flatMap((name) => IN_BLOCK.exec(name)?.[1] ?? [])).size;

interface Rotary {
  base: number;
  /** Of each head. */
  part: number;
  scaling?: RotaryScaling;
}

/** Newer files say all of it in rope_parameters; `older` is what others say by names of their own. */
export function rotaryOf(given: Given, older: { base?: unknown; part?: unknown } = {}): Rotary {
  const own = ropeOf(given);
  const base = positive(own.rope_theta ?? given.rope_theta ?? older.base ?? 10000, 'rope_theta');
  const part = positive(own.partial_rotary_factor ?? given.partial_rotary_factor ?? older.part ?? 1, 'partial_rotary_factor');
  const kind = own.rope_type ?? own.type ?? (own.factor === undefined ? 'default' : 'factor');
  if (kind === 'default') return { base, part };
  if (kind !== 'linear' && kind !== 'llama3' && kind !== 'yarn') throw broken(msg(str`config.json scales rotary positions by ${quote(String(kind))}; ${'default, linear, llama3, yarn'} can be run. Choose another model.`));
  const factor = positive(own.factor, 'rope_scaling.factor');
  if (kind === 'linear') return { base, part, scaling: { factor } };
  if (kind === 'llama3') {
    return { base, part, scaling: {
      factor, originalContext: positive(own.original_max_position_embeddings, 'original_max_position_embeddings'),
      lowTurns: positive(own.low_freq_factor, 'low_freq_factor'), highTurns: positive(own.high_freq_factor, 'high_freq_factor'),
    } };
  }
  return { base, part, scaling: yarnOf(own, factor, given.max_position_embeddings) };
}

/** One rule for all layers alike. */
function ropeOf({ rope_parameters, rope_scaling, use_scaled_rope: isScaled = false }: Given): Given {
  if (isScaled !== false) throw cannotBe('use_scaled_rope', isScaled, 'false'); // Meta’s params.json does not say by how much
  const own = rope_parameters ?? rope_scaling ?? {};
  const isOne = typeof own === 'object' && !Object.values(own).some((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  return isOne ? own as Given : { rope_type: JSON.stringify(own) };
}

/** What config.json says, and what alone can be run. */
export const cannotBe = (name: string, value: unknown, possible: string): Error =>
  broken(msg(str`config.json says ${name} ${quote(String(value))}; ${quote(possible)} can be run. Choose another model.`));

/** As transformers reads it: what is left out is as Peng et al. 2023 have it. */
function yarnOf({ original_max_position_embeddings: original, beta_fast, beta_slow, attention_factor, mscale, mscale_all_dim, truncate = true }: Given, factor: number, context: unknown): RotaryScaling {
  const grown = (by: unknown, name: string) => 0.1 * positive(by, name) * Math.log(Math.max(factor, 1)) + 1;
  const amplitude = attention_factor ?? (mscale && mscale_all_dim ? grown(mscale, 'mscale') / grown(mscale_all_dim, 'mscale_all_dim') : grown(1, 'mscale'));
  return {
    factor, originalContext: positive(original || context, 'original_max_position_embeddings'), byPairs: true, wholePairs: truncate !== false,
    lowTurns: positive(beta_slow || 1, 'beta_slow'), highTurns: positive(beta_fast || 32, 'beta_fast'), amplitude: positive(amplitude, 'attention_factor'),
  };
}
