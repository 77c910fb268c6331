// What a model is made of, and what its file says of it.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../../engine/error.ts';
import type { RotaryScaling } from '../../engine/operators/operators.ts';
import { broken, quote } from './safetensors.ts';
import type { Replay } from '../trained-here.ts';

/** d_model D, heads H of width d_k, an MLP of width d_mlp (0 = none), texts of at most `context` tokens. */
export interface Configuration {
  name: string;
  layers: number;
  heads: number;
  /** Of keys and values, each for as many heads of queries; `heads` when left out. */
  key_heads?: number;
  d_model: number;
  /** Of queries and keys, and of values; each d_model / heads when left out. */
  d_k?: number;
  d_v?: number;
  d_mlp: number;
  context: number;
  vocabulary: number;
  /** `rope` turns queries and keys; `query_key` adds a table to what they are made from; `learned` adds it to the embeddings. */
  positions: 'rope' | 'query_key' | 'learned' | 'none';
  /** False: trained without a mask. */
  causal?: boolean;
  /** False: trained without the division by √d_k. */
  scaled?: boolean;
  /** What makes it again, where it was trained in the page. */
  replay?: Replay;
  rotary_base: number;
  /** Pairs are 2i and 2i + 1, or i and i + half the head. */
  rotary_interleaved: boolean;
  /** How many numbers of each head are turned, from its first; all when left out. */
  rotary_width?: number;
  rotary_scaling?: RotaryScaling;
  activation: 'gelu_tanh' | 'gelu_erf' | 'swiglu';
  norm_epsilon: number;
  /** Each head's queries and keys are normed before they are turned. */
  head_norms?: boolean;
  /** Norms stand behind each addition. */
  postNorm?: boolean;
  /** What stands at [MASK], or nothing; the next token when left out. */
  predicts?: 'hidden' | 'nothing';
  /** The MLP reads the same rows as attention, not what attention made of them. */
  parallel?: boolean;
  /** Tokens behind the first separator are of a second kind, as those of BERT’s second sentence. */
  segments?: boolean;
  /** The token that stands before every text. */
  start?: string;
  /** What neither the file nor config.json says. */
  guesses?: readonly 'activation'[];
}

/** What was measured of one head on one relation; see the model card. */
export interface HeadEvidence {
  layer: number;
  head: number;
  relation: string;
  name: string;
  /** Share of cases that the head's largest weight finds. */
  score: number;
  /** The same of the best fixed offset, and that offset. */
  baseline: number;
  baseline_offset: number;
  cases: number;
  sentences: number;
  /** Strong enough for the head to bear the name. */
  named: boolean;
  note?: string;
  /** Mean weight on the start token, and the share of cases where it has the largest (the score leaves it out). */
  start?: number;
  start_wins?: number;
}

export const keyWidth = ({ d_k, d_model, heads }: Pick<Configuration, 'd_k' | 'd_model' | 'heads'>): number => d_k ?? d_model / heads;
export const valueWidth = ({ d_v, d_model, heads }: Pick<Configuration, 'd_v' | 'd_model' | 'heads'>): number => d_v ?? d_model / heads;
export const rotaryWidth = (configuration: Configuration): number => configuration.rotary_width ?? keyWidth(configuration);
export const keyHeads = ({ key_heads, heads }: Pick<Configuration, 'key_heads' | 'heads'>): number => key_heads ?? heads;

/** The largest that are read; numbers of all parameters are limited besides. */
export const MOST: Readonly<Partial<Record<keyof Configuration, number>>> = {
  layers: 256, heads: 1024, d_model: 16384, d_mlp: 65536, context: 131072, vocabulary: 1048576,
};
const MOST_WIDTH = 16384;
/** Bytes of parameters and of what is made from them: three quarters of what the module can address. */
const MOST_BYTES = 3 * 2 ** 30;

/** Throws unless sizes are whole, within MOST and fit each other. */
export function checkSizes(configuration: Configuration): Configuration {
  for (const [name, most] of Object.entries(MOST)) {
    const size = configuration[name as keyof Configuration];
    if (typeof size === 'string' || (typeof size === 'object' && size !== null)) {
      throw broken(msg(str`The file says ${name} ${quote(typeof size === 'string' ? size : JSON.stringify(size))} as a text or a list, where a number is needed. Write a whole number from 1 to ${most.toLocaleString('en')}, without quotation marks or brackets.`));
    }
    if (!Number.isInteger(size) || (size as number) < (name === 'd_mlp' ? 0 : 1) || (size as number) > most) {
      throw broken(msg(str`The file says ${name} ${quote(String(size))}; a whole number from 1 to ${most.toLocaleString('en')} is possible. Choose another model.`));
    }
  }
  const { heads, d_model, positions } = configuration;
  const key_heads = keyHeads(configuration);
  for (const [name, size] of [['d_k', configuration.d_k], ['d_v', configuration.d_v], ['key_heads', configuration.key_heads]] as const) {
    if (size !== undefined && !(Number.isInteger(size) && size >= 1 && size <= MOST_WIDTH)) throw broken(msg(str`The file says ${name} ${quote(String(size))}; a whole number from 1 to ${MOST_WIDTH.toLocaleString('en')} is possible. Choose another model.`));
  }
  if (heads % key_heads !== 0) throw broken(msg(str`${key_heads} key heads do not divide ${heads} heads evenly. Choose another model, or the config.json of this one.`));
  if ((configuration.d_k === undefined || configuration.d_v === undefined) && d_model % heads !== 0) throw broken(msg(str`${heads} heads do not divide d_model ${d_model} evenly. Choose another model, or give its config.json.`));
  const [width, turned] = [keyWidth(configuration), rotaryWidth(configuration)];
  if (positions === 'rope' && !(turned % 2 === 0 && turned > 0 && turned <= width)) throw broken(msg(str`Of heads of width ${width}, ${turned} numbers cannot be turned in pairs. Choose another model.`));
  return configuration;
}

/** Of all layers and heads of one run, or of all its rows, kept at once: 256 MB. */
const MOST_KEPT = 2 ** 26;

/** How many tokens one run takes. */
export const mostTokens = ({ context, layers, heads, d_model }: Configuration): number =>
  Math.max(1, Math.min(context, Math.floor(Math.sqrt(MOST_KEPT / (layers * heads))), Math.floor(MOST_KEPT / (layers * d_model))));

/** What is made from the sizes, besides what the file holds: tables that turn, keys and values that are kept, one run's rows, values, contexts and weights. */
function madeNumbers(configuration: Configuration): number {
  const { layers, heads, d_model, positions } = configuration;
  const [T, d_k] = [mostTokens(configuration), keyWidth(configuration)];
  return T * ((positions === 'rope' ? rotaryWidth(configuration) : 0) + layers * d_model + layers * keyHeads(configuration) * (d_k + 2 * valueWidth(configuration)) + layers * heads * (T + valueWidth(configuration)));
}

/** Before anything is loaded. @param bytes of the parameters @throws AttentionError */
export function requireRoom(bytes: number, configuration?: Configuration): void {
  const all = bytes + (configuration ? 4 * madeNumbers(configuration) : 0);
  if (all <= MOST_BYTES) return;
  const said = (count: number) => (count / 1e9).toFixed(1);
  throw new AttentionError('too_large', msg(str`This model needs ${said(all)} GB of memory; there is room for ${said(MOST_BYTES)} GB. Choose a smaller one, or this one in narrower numbers, such as bfloat16.`));
}

export function parseObject(text: string, name: string): Readonly<Record<string, unknown>> {
  const value = parse(text, name);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw broken(msg(str`${name} is not a JSON object. Download it again.`));
}

export function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (text.startsWith('version https://git-lfs')) throw broken(msg(str`${name} is a pointer of Git LFS, without what the file says. Run “git lfs pull” in its folder, or download the file itself.`), cause);
    throw broken(msg(str`${name} is not JSON. Download it again.`), cause);
  }
}

// What was measured of a trained head, in words: the file of a model names it in English, and so does this page in its own.

interface Names { name: () => string; relation: () => string }

/** By relation; the names are those of the file. */
const NAMES: Readonly<Record<string, Names>> = {
  adjective: { name: () => msg('noun → its adjective'), relation: () => msg('adjective') },
  attached: { name: () => msg('preposition → what it belongs to'), relation: () => msg('attached') },
  auxiliary: { name: () => msg('verb → its auxiliary'), relation: () => msg('auxiliary') },
  compound: { name: () => msg('noun → the noun before it'), relation: () => msg('compound') },
  conjunct: { name: () => msg('joined word → the first'), relation: () => msg('conjunct') },
  copula: { name: () => msg('predicate → is, was …'), relation: () => msg('copula') },
  determiner: { name: () => msg('noun → its determiner'), relation: () => msg('determiner') },
  induction: { name: () => msg('induction'), relation: () => msg('induction') },
  itself: { name: () => msg('the word itself'), relation: () => msg('itself') },
  noun_subject: { name: () => msg('verb → its subject, a noun'), relation: () => msg('noun subject') },
  object: { name: () => msg('object → its verb'), relation: () => msg('object') },
  possessive: { name: () => msg('noun → whose'), relation: () => msg('possessive') },
  preposition: { name: () => msg('noun → its preposition'), relation: () => msg('preposition') },
  previous: { name: () => msg('previous word'), relation: () => msg('previous') },
  same: { name: () => msg('same word before'), relation: () => msg('same') },
  subject: { name: () => msg('verb → its subject'), relation: () => msg('subject') },
};

/** “verb → its subject”. What another model's file says is shown as it stands there. */
export function evidenceWords({ relation, name }: Pick<HeadEvidence, 'relation' | 'name'>): string {
  return NAMES[relation]?.name() ?? name;
}

export function relationWords({ relation }: Pick<HeadEvidence, 'relation'>): string {
  return NAMES[relation]?.relation() ?? relation;
}
