// The layout of models trained for this page; tools/train writes it, web/docs/model.md describes it.
import { msg, str } from '@lit/localize';
import type { DecoderBlock, DecoderParameters, Linear, Norm, Operators, RotaryTables, Tensor } from '../../engine/operators/operators.ts';
import { type Configuration, type HeadEvidence, checkSizes, mostTokens, parse, parseObject, rotaryWidth } from './configuration.ts';
import type { Layout, Take } from './load.ts';
import { type Safetensors, broken, quote } from './safetensors.ts';
import { PlainWords, WordPieces } from './tokens.ts';
import { type Replay, decodeReplay, encodeReplay } from '../trained-here.ts';

const FAMILY = 'attention-playground';
const FORMAT = `${FAMILY} 1`;

export const native: Layout = {
  reads: (file) => ((file.metadata.get('format') ?? '').startsWith(FAMILY) ? file : null), // others write “pt” there
  isParameter: (name) => !name.endsWith('.scale'),
  configuration: (file) => {
    const format = text(file, 'format');
    if (format !== FORMAT) throw broken(msg(str`The file is of format ${quote(format)}; ${quote(FORMAT)} can be read. Use a newer page, or another model.`));
    const replay = replayOf(file);
    return { ...readConfiguration(parseObject(text(file, 'config'), msg('The file’s configuration'))), ...(replay && { replay }) };
  },
  parameters,
  tokenizer: (file, configuration) => {
    const words = file.metadata.has('trained') ? listOf(text(file, 'vocabulary')) : text(file, 'vocabulary').split('\n');
    if (words.length !== configuration.vocabulary) {
      throw broken(msg(str`The file lists ${words.length} tokens for a vocabulary of ${configuration.vocabulary}. It is damaged; download it again.`));
    }
    return file.metadata.has('trained') ? new PlainWords(words, file.metadata.get('joint') === '') : new WordPieces(words, configuration.start);
  },
  heads: (file, configuration) => (file.metadata.has('heads') ? readHeads(parse(text(file, 'heads'), msg('The file’s head table')), configuration) : []),
};

function text(file: Safetensors, key: string): string {
  const value = file.metadata.get(key);
  if (value === undefined) throw broken(msg(str`The file’s metadata have no ${quote(key)}. It is incomplete; download it again.`));
  return value;
}

/** Of a model that was trained in the page, whose words may be any. */
function listOf(written: string): string[] {
  const words = parse(written, msg('The file’s vocabulary'));
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  throw broken(msg('The file’s vocabulary is not a list of words. Download the file again.'));
}

function readConfiguration(given: Readonly<Record<string, unknown>>): Configuration {
  const { name, positions, rotary_base = 10000, rotary_interleaved = false, activation, norm_epsilon, start, d_k, causal = true, scaled = true, ...sizes } = given;
  const { layers, heads, d_model, d_mlp, context, vocabulary } = sizes as Record<string, number>;
  const isKnown = typeof name === 'string' && ['rope', 'query_key', 'learned', 'none'].includes(positions as string)
    && ['gelu_tanh', 'gelu_erf'].includes(activation as string) && typeof rotary_interleaved === 'boolean'
    && [rotary_base, norm_epsilon].every((number) => Number.isFinite(number) && (number as number) > 0)
    && (start === undefined || typeof start === 'string') && (d_k === undefined || (typeof d_k === 'number' && positions !== 'rope'))
    && typeof causal === 'boolean' && typeof scaled === 'boolean';
  if (!isKnown) throw broken(msg('The file’s configuration says something that this page does not know. Use a newer page, or another model.'));
  return checkSizes({
    layers, heads, d_model, d_mlp, context, vocabulary,
    name, positions, rotary_base, rotary_interleaved, activation, norm_epsilon, ...(start !== undefined && { start }), ...(d_k !== undefined && { d_k }), ...(!causal && { causal }), ...(!scaled && { scaled }),
  } as Configuration);
}

/** What makes a model again that was trained in the page; null of others, and of those that learnt a text which the file does not have. */
function replayOf(file: Safetensors): Replay | null {
  const written = file.metadata.get('trained');
  if (written === undefined) return null;
  const { lesson, run, seed, step, rules, learnt } = parseObject(written, msg('The file’s configuration')) as Partial<Replay>;
  const isWhole = !TEXT_OF_ITS_OWN.test(String(run)) || [learnt?.text, learnt?.heldOut].every((text) => typeof text === 'string');
  return isWhole ? decodeReplay(encodeReplay({ lesson, run, seed, step, rules, learnt } as Replay)) : null;
}
const TEXT_OF_ITS_OWN = /^own_paragraph$|^characters_/;

/** Matrices lie (out, in); biases where the file has them. */
function parameters(take: Take, file: Safetensors, configuration: Configuration, operators: Operators): DecoderParameters {
  const { layers, heads, d_model: D, d_mlp, context, vocabulary, positions, activation, norm_epsilon, causal = true, d_k = D / heads } = configuration;
  const norm = (name: string): Norm => ({ gain: take(`${name}.gain`, [D]), bias: take(`${name}.bias`, [D]), epsilon: norm_epsilon });
  const linear = (name: string, from: number, to: number): Linear => ({
    weight: take.matrix(`${name}.weight`, [to, from]), layout: 'out_in', ...(file.has(`${name}.bias`) && { bias: take(`${name}.bias`, [to]) }),
  });
  const table = positions === 'rope' || positions === 'none' ? undefined : take('positions.weight', [context, D]);
  const rotary = positions === 'rope' ? turned(configuration, operators, take.keep) : undefined;
  const block = (name: string): DecoderBlock => ({
    norm1: norm(`${name}.norm_1`), ...(d_mlp > 0 && { norm2: norm(`${name}.norm_2`), up: linear(`${name}.up`, D, d_mlp), down: linear(`${name}.down`, d_mlp, D) }),
    gelu: activation === 'gelu_erf' ? 'erf' : 'tanh', isCausal: causal,
    attention: {
      heads, query: linear(`${name}.query`, D, heads * d_k), key: linear(`${name}.key`, D, heads * d_k), value: linear(`${name}.value`, D, D),
      outProj: linear(`${name}.out_proj`, D, D), ...(rotary && { rotary }),
    },
    ...(positions === 'query_key' && table && { queryKeyPositions: table }),
  });
  return {
    embeddings: take.matrix('embeddings.weight', [vocabulary, D]),
    ...(positions === 'learned' && table && { positions: table }),
    blocks: Array.from({ length: layers }, (_, i) => block(`layers.${i}`)),
    finalNorm: norm('final_norm'),
    ...(file.has('output.weight') && { output: linear('output', D, vocabulary) }),
  };
}

/** For as many tokens as one run takes, not for all that the file says. */
export function turned(configuration: Configuration, operators: Operators, keep: (tensor: Tensor) => Tensor): RotaryTables {
  const { rotary_base, rotary_scaling, rotary_interleaved } = configuration;
  const { cosines, sines } = operators.rotaryTables(mostTokens(configuration), rotaryWidth(configuration), rotary_base, rotary_scaling);
  return { cosines: keep(cosines), sines: keep(sines), pairs: rotary_interleaved ? 'interleaved' : 'halved' };
}

function readHeads(given: unknown, { layers, heads }: Configuration): HeadEvidence[] {
  if (!Array.isArray(given) || !given.every((each) => isEvidence(each, layers, heads))) {
    throw broken(msg('The file’s head table says something that this page does not know. Use a newer page, or another model.'));
  }
  return given;
}

function isEvidence(given: unknown, layers: number, heads: number): given is HeadEvidence {
  if (typeof given !== 'object' || given === null) return false;
  const { layer, head, relation, name, score, baseline, baseline_offset, cases, sentences, named, note, start = 0, start_wins = 0 } = given as HeadEvidence;
  const within = (place: number, count: number) => Number.isInteger(place) && place >= 0 && place < count;
  const isShare = (share: number) => typeof share === 'number' && share >= 0 && share <= 1;
  return within(layer, layers) && within(head, heads) && [relation, name, note ?? ''].every((each) => typeof each === 'string')
    && [score, baseline, start, start_wins].every(isShare) && [baseline_offset, cases, sentences].every(Number.isInteger) && typeof named === 'boolean';
}
