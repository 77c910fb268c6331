// Attention as an operator, for pages of your own: the only importer of the operators' modules. Loads
// the build that this browser runs fastest, owns its instance, and turns error values into exceptions.
import type { KeyValueCache as CacheHandle, Layer as LayerHandle, MainModule } from '../../../../build/wasm/bindings/attention_operators.mjs';
import { operatorsSource } from '../bytes/operators.ts';
import { AttentionError, type Broken } from '../error.ts';
import { type AttendOptions, type AttendStages, type Linear, type MultiHeadParameters, type RotaryScaling, type RotaryTables, headNormArguments, linearArguments, rotaryArguments, wanted, wantedStages } from './arguments.ts';
import { Decoder, type DecoderParameters, type Norm, normArguments } from './decoder.ts';
import { Held, type Numbers, call, choice, fields, list, number, refuse } from './given.ts';
import { run } from './sentences.ts';
import { Statistics } from './statistics.ts';
import { ByteTensor, type MatrixNumbers, type MatrixOrder, MatrixTensor, type MatrixType, Tensor, floats } from './tensors.ts';

export { AttentionError, ByteTensor, Decoder, MatrixTensor, Statistics, Tensor };
export type { AttendOptions, AttendStages } from './arguments.ts';
export type { DecoderBlock, DecoderParameters, DecoderStages, ExploredPart, Intervention, Norm, RowExplanation, RowOperand, RowStages } from './decoder.ts';
export type { HeadNorm, Linear, RotaryScaling, RotaryTables } from './arguments.ts';
export type { Numbers } from './given.ts';
export type { HeadFacts, Moments, RowFacts } from './statistics.ts';
export type { MatrixLayout, MatrixNumbers, MatrixOrder, MatrixType, Weight } from './tensors.ts';

/** `simd128` runs everywhere; `relaxed` fuses multiply and add, so its last digits differ between processors. */
export type Variant = 'simd128' | 'relaxed' | 'threads';

export interface LoadOptions {
  /** The folder of the modules' .mjs and .wasm files; the script's own when left out. */
  baseUrl?: string | URL | null;
  /** Relaxed SIMD: where the browser has it ('auto'), always, or never (the default: the same bits everywhere). */
  relaxed?: 'auto' | boolean | null;
  /** More than 1 needs a cross-origin isolated page, and gives the bits of one thread without relaxed SIMD. */
  threads?: number | null;
  /** Asked between parts of the work that threads share, every few milliseconds: while it says true, the calling thread goes on alone. */
  isAlone?: (() => boolean) | null;
  /** The module's bytes, where there is nothing to fetch from (Node). */
  wasmBinary?: Uint8Array | null;
}

let cacheHandle: (cache: KeyValueCache) => CacheHandle;

/** Keys and values of the tokens read so far. Call free() when done with it. */
export class KeyValueCache {
  readonly #held: Held<CacheHandle>;

  static {
    cacheHandle = (cache) => cache.#handle;
  }

  constructor(handle: CacheHandle) {
    this.#held = new Held(handle, 'This cache');
  }

  get #handle(): CacheHandle {
    return this.#held.handle;
  }

  get length(): number {
    return this.#handle.length();
  }

  /** key (batch, rows, keyHeads · keyWidth), value alike: `rows` new tokens. */
  append(key: Tensor, value: Tensor): void {
    run(() => this.#handle.append(floats(key, 'key'), floats(value, 'value')));
  }

  /** Forgets the tokens from `length` on. */
  truncate(length: number): void {
    this.#handle.truncate(number(length, 'length'));
  }

  /** As Operators.attend(), over the keys and values held. */
  attend(query: Tensor, options: AttendOptions, context: Tensor): void {
    run(() => this.#handle.attend(floats(query, 'query'), wanted(options), floats(context, 'context')));
  }

  /** A copy, (batch, keyHeads, length, keyWidth). */
  keys(): Float32Array {
    return this.#handle.keys();
  }

  /** A copy, (batch, keyHeads, length, valueWidth). */
  values(): Float32Array {
    return this.#handle.values();
  }

  free(): void {
    this.#held.free();
  }
}

export interface CacheSizes {
  keyHeads: number;
  /** Tokens that there is room for. */
  capacity: number;
  keyWidth: number;
  valueWidth?: number | null;
  batch?: number | null;
}

/** How the next token is drawn; what is left out leaves the shares as they are. */
export interface SampleRule {
  /** Logits are divided by it; 0 = the likeliest alone. */
  temperature?: number | null;
  /** How many of the likeliest are kept; 0 = all. */
  topK?: number | null;
  /** Of these, the fewest likeliest whose shares reach this part of 1. */
  topP?: number | null;
}

export interface MultiHeadInput {
  /** (batch, T, D): what queries are made from. */
  x: Tensor;
  /** (batch, S, D_key): what keys are made from; x when left out. */
  keys?: Tensor | null;
  /** (batch, S, D_value): what values are made from; keys when left out. */
  values?: Tensor | null;
  /** The new keys and values are appended, and the queries see all that it then holds. */
  cache?: KeyValueCache | null;
  /** Rows of the rotary tables, batch after batch; the rows' order after the cache's tokens when left out. */
  positions?: Numbers | null;
  keyPositions?: Numbers | null;
}

/** Multi-head attention as a layer. It keeps its parameters' memory even after their free(). */
export class MultiHead {
  readonly #held: Held<LayerHandle>;

  constructor(handle: LayerHandle) {
    this.#held = new Held(handle, 'This layer');
  }

  get #handle(): LayerHandle {
    return this.#held.handle;
  }

  /** y (batch, T, D_out) = outProj(attend(query(x), key(keys), value(values))). With a cache, isCausal alone decodes. */
  run(input: MultiHeadInput, options: AttendOptions, y: Tensor): void {
    const { x, keys, values, cache, positions, keyPositions } = fields(input, 'The input');
    if (cache && !(cache instanceof KeyValueCache)) refuse('cache', cache, 'a KeyValueCache, which cache() makes');
    run(() => this.#handle.run(
      floats(x, 'x'), floats(keys ?? null, 'keys'), floats(values ?? null, 'values'),
      cache ? cacheHandle(cache) : null, wanted(options), list(positions, 'positions'), list(keyPositions, 'keyPositions'), floats(y, 'y'),
    ));
  }

  free(): void {
    this.#held.free();
  }
}

type ModuleOfThreads = MainModule & { startWorkers?(count: number, isAlone?: () => boolean): number; endWorkers?(): void };

export class Operators {
  readonly #module: MainModule;
  /** Random samples, and measurements of them. */
  readonly statistics: Statistics;

  /** @param threads that divide the work among them */
  constructor(module: MainModule, readonly variant: Variant, readonly threads = 1) {
    this.#module = module;
    this.statistics = new Statistics(module);
  }

  /** All goes on with one. A page that terminates the worker which has them would else keep them for seconds. */
  endThreads(): void {
    (this.#module as ModuleOfThreads).endWorkers?.();
  }

  /** Of the module's memory, in bytes. It grows and never shrinks. */
  get heapBytes(): number {
    return this.#module.heapBytes();
  }

  /** Zeros, unless numbers are given. */
  tensor(shape: Numbers, numbers?: Numbers | null): Tensor {
    return new Tensor(new this.#module.FloatTensor(), shape, numbers);
  }

  byteTensor(shape: Numbers, numbers?: Numbers | null): ByteTensor {
    return new ByteTensor(new this.#module.ByteTensor(), shape, numbers);
  }

  /**
   * A parameter matrix (rows, columns) of numbers in the width they came in; of 'i8' with a scale for each row. 'interleaved':
   * products by it as an (out, in) matrix are faster; as an (in, out) one it is refused.
   */
  matrixTensor(shape: Numbers, type: MatrixType, numbers?: MatrixNumbers | null, scales?: Numbers | null, order?: MatrixOrder): MatrixTensor {
    return new MatrixTensor(new this.#module.MatrixTensor(), shape, type, numbers, scales, order);
  }

  cache(sizes: CacheSizes): KeyValueCache {
    const { keyHeads, capacity, keyWidth, valueWidth, batch } = fields(sizes, 'The sizes');
    const handle = new this.#module.KeyValueCache();
    try {
      run(() => handle.reserve(
        number(keyHeads, 'keyHeads'), number(capacity, 'capacity'), number(keyWidth, 'keyWidth'), number(valueWidth ?? keyWidth, 'valueWidth'), number(batch, 'batch', 1),
      ));
    } catch (error) {
      handle.delete();
      throw error;
    }
    return new KeyValueCache(handle);
  }

  /**
   * context = softmax(mask(scale · Q·Kᵀ))·V. query (B, H, T, d_k), key (B, H_kv, S, d_k), value
   * (B, H_kv, S, d_v), context (B, H, T, d_v); extents left out in front are 1. With `stages` what lies
   * between is kept in these, row by row and on one thread; without, no score outlives its block.
   */
  attend(query: Tensor, key: Tensor, value: Tensor, options: AttendOptions, context: Tensor, stages?: AttendStages | null): void {
    const [q, k, v, to] = [floats(query, 'query'), floats(key, 'key'), floats(value, 'value'), floats(context, 'context')];
    run(() => (stages
      ? this.#module.attendKeeping(q, k, v, wanted(options), wantedStages(fields(stages, 'The stages')), to)
      : this.#module.attend(q, k, v, wanted(options), to)));
  }

  /** y (rows, out) = x (rows, in) · W + b, of a whole weight. */
  linear(x: Tensor, linear: Linear, y: Tensor): void {
    const [weight, bias, isOutIn] = linearArguments(linear);
    run(() => this.#module.linear(floats(x, 'x'), weight, bias, isOutIn, floats(y, 'y')));
  }

  multiHead(parameters: MultiHeadParameters): MultiHead {
    const handle = new this.#module.Layer();
    try {
      setMultiHead(handle, fields(parameters, 'The parameters'));
    } catch (error) {
      handle.delete();
      throw error;
    }
    return new MultiHead(handle);
  }

  /** Both tables for `positions` positions, of heads whose first rotaryDim numbers are turned. Free both. */
  rotaryTables(positions: number, rotaryDim: number, base = 10000, { factor = 1, originalContext = 0, lowTurns = 1, highTurns = 4, byPairs = false, wholePairs = true, amplitude = 1 }: RotaryScaling = {}): { cosines: Tensor; sines: Tensor } {
    const tables = { cosines: this.tensor([positions, rotaryDim / 2]), sines: this.tensor([positions, rotaryDim / 2]) };
    run(() => this.#module.rotaryTables(base, factor, originalContext, lowTurns, highTurns, byPairs, wholePairs, amplitude, floats(tables.cosines), floats(tables.sines)));
    return tables;
  }

  /** y = x (B, H, rows, width), its pairs turned by each row's position; row r stands at r when positions (B · rows) are left out. */
  rotate(x: Tensor, tables: RotaryTables, y: Tensor, positions: Numbers | null = null): void {
    const [cosines, sines, isInterleaved] = rotaryArguments(tables);
    run(() => this.#module.rotate(floats(x, 'x'), cosines, sines, list(positions, 'positions'), isInterleaved, floats(y, 'y')));
  }

  /** sin and cos of Vaswani et al. 2017, (rows, width). Free it. */
  sinusoids(rows: number, width: number): Tensor {
    const table = this.tensor([rows, width]);
    this.#module.sinusoids(floats(table));
    return table;
  }

  /** y = x (batch, rows, width) + the table's rows of `positions` (batch · rows), or of 0, 1, 2 … */
  addPositions(x: Tensor, table: Tensor, y: Tensor, positions: Numbers | null = null): void {
    run(() => this.#module.addPositions(floats(x, 'x'), floats(table, 'table'), list(positions, 'positions'), floats(y, 'y')));
  }

  /** y = (each row of x less its mean, over its standard deviation) · gain + bias. */
  layerNorm(x: Tensor, norm: Norm, y: Tensor): void {
    run(() => this.#module.layerNorm(floats(x, 'x'), ...normArguments(norm), floats(y, 'y')));
  }

  /** y = x · Φ(x), by GPT-2's tanh or exactly by erf. */
  gelu(x: Tensor, y: Tensor, by?: 'tanh' | 'erf' | null): void {
    run(() => this.#module.gelu(floats(x, 'x'), choice(by, 'by', ['tanh', 'erf']) === 'erf', floats(y, 'y')));
  }

  /** y = x (rows, width), each row as shares of 1: exp(x − the row's largest), over their sum. */
  softmax(x: Tensor, y: Tensor): void {
    run(() => this.#module.softmax(floats(x, 'x'), floats(y, 'y')));
  }

  /** shares = softmax(logits / temperature) over the tokens that are kept, of one row of logits; 0 for the others. */
  sampleShares(logits: Tensor, rule: SampleRule, shares: Tensor): void {
    const { temperature, topK, topP } = fields(rule, 'The rule');
    run(() => this.#module.sampleShares(floats(logits, 'logits'), number(temperature, 'temperature', 1), number(topK, 'topK', 0), number(topP, 'topP', 1), floats(shares, 'shares')));
  }

  /** The token that falls on the number of `seed` at `place`, both whole numbers of 32 bits; as many as there are where no share is above 0. */
  drawToken(shares: Tensor, seed: number, place: number): number {
    return call(() => this.#module.drawToken(floats(shares, 'shares'), number(seed, 'seed'), number(place, 'place')));
  }

  /** A transformer shaped as GPT-2, Llama, GPT-NeoX or BERT, with room for `capacity` tokens. */
  decoder(parameters: DecoderParameters, capacity: number): Decoder {
    return new Decoder(this.#module, parameters, capacity, setMultiHead);
  }
}

interface TakesMultiHead {
  setHeads(heads: number, keyHeads: number): Broken | null;
  setLinear(name: string, ...linear: ReturnType<typeof linearArguments>): Broken | null;
  setRotary(...tables: ReturnType<typeof rotaryArguments>): Broken | null;
  setHeadNorm(isKey: boolean, ...norm: ReturnType<typeof headNormArguments>): void;
}

/** For a layer and for a block of a decoder. */
function setMultiHead(handle: TakesMultiHead, { heads, keyHeads, query, key, value, valueDown, outProj, rotary, queryNorm, keyNorm }: MultiHeadParameters): void {
  run(() => handle.setHeads(number(heads, 'heads'), number(keyHeads ?? heads, 'keyHeads')));
  for (const [name, linear] of Object.entries({ query, key, value, value_down: valueDown, out_proj: outProj })) {
    if (linear) run(() => handle.setLinear(name, ...linearArguments(linear, name)));
  }
  if (rotary) run(() => handle.setRotary(...rotaryArguments(rotary)));
  if (queryNorm) handle.setHeadNorm(false, ...headNormArguments(queryNorm));
  if (keyNorm) handle.setHeadNorm(true, ...headNormArguments(keyNorm));
}

// The smallest modules that need SIMD128 (i8x16.popcnt) and relaxed SIMD (i8x16.relaxed_swizzle).
const SIMD_PROBE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
);
const RELAXED_PROBE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15,
  65, 2, 253, 15, 253, 128, 2, 11,
);

const FILES: Record<Variant, string> = {
  simd128: 'attention_operators',
  relaxed: 'attention_operators_relaxed',
  threads: 'attention_operators_threads',
};

function choose(relaxed: 'auto' | boolean, threads: number): Variant {
  if (!Number.isInteger(threads) || threads < 1) {
    throw new AttentionError('invalid_option', `threads takes whole numbers from 1, not ${threads}. Leave it out for one thread.`);
  }
  if (!WebAssembly.validate(SIMD_PROBE)) {
    throw new AttentionError('no_simd', 'There is no WebAssembly SIMD here, which the operators need. Use Chrome 91, Firefox 89, Safari 16.4, Node 16.4 or newer.');
  }
  if (threads > 1) {
    if (relaxed === true) {
      throw new AttentionError('invalid_option', 'There is no build with both threads and relaxed SIMD. Ask for one of them.');
    }
    if (!globalThis.crossOriginIsolated) {
      throw new AttentionError('not_isolated', "Threads share memory, which browsers allow in cross-origin isolated pages only. Serve the page with the headers 'Cross-Origin-Opener-Policy: same-origin' and 'Cross-Origin-Embedder-Policy: require-corp', or leave threads out.");
    }
    return 'threads';
  }
  if (relaxed === false) return 'simd128';
  if (WebAssembly.validate(RELAXED_PROBE)) return 'relaxed';
  if (relaxed === 'auto') return 'simd128';
  throw new AttentionError('no_relaxed_simd', "There is no relaxed SIMD here. Ask for relaxed: 'auto', which falls back to SIMD128.");
}

/** An instance with a memory of its own. @throws AttentionError */
export async function loadOperators(
  options?: LoadOptions | null,
): Promise<Operators> {
  const { wasmBinary, ...given } = fields(options ?? {}, 'The options');
  const [baseUrl, relaxed, threads] = [given.baseUrl ?? import.meta.url, given.relaxed ?? false, number(given.threads, 'threads', 1)];
  const variant = choose(relaxed, threads);
  const file = (extension: string) => new URL(`${FILES[variant]}.${extension}`, baseUrl).href;
  try {
    const brought = variant === 'simd128' ? await operatorsSource?.() : undefined;
    const { default: create } = brought ? { default: brought.create } : (await import(file('mjs'))) as { default(options: object): Promise<unknown> };
    const module = await create({
      locateFile: () => file('wasm'),
      ...brought?.options,
      threads: threads - 1, // further ones, made ready by the module
      ...(wasmBinary && { wasmBinary }),
    }) as ModuleOfThreads;
    return new Operators(module, variant, module.startWorkers?.(threads, given.isAlone ?? undefined));
  } catch (cause) {
    throw new AttentionError(
      'core_unavailable',
      `The operators could not be started. ${FILES[variant]}.mjs and .wasm must lie in ${new URL('.', baseUrl).href}, and the page's content security policy must allow 'wasm-unsafe-eval'.`,
      { cause },
    );
  }
}
