// The built operators, and the conformance cases run through them, those of whole decoders too.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type AttendOptions, type DecoderBlock, type DecoderParameters, type Linear, type LoadOptions, type Operators, type RotaryTables, type SampleRule, type Tensor, loadOperators } from '../../web/src/engine/operators/operators.ts';
import { built } from './built.ts';
import type { Case, CaseTensor } from './cases.ts';

/** Benchmarks import this file where nothing has built them. */
export const operatorsFolder = (): URL => pathToFileURL(`${built('operators')}/`);

/** Node fetches no files: the module's bytes are handed over. */
export const loadInNode = (options: LoadOptions = {}): Promise<Operators> =>
  loadOperators({ baseUrl: operatorsFolder(), wasmBinary: readFileSync(new URL('attention_operators.wasm', operatorsFolder())), ...options });

/** (a, b, width) ↔ (b, a, width), within each of `batch`. */
export function exchange(numbers: ArrayLike<number>, batch: number, a: number, b: number, width: number): number[] {
  const out = new Array<number>(numbers.length);
  for (let i = 0; i < numbers.length; i += 1) {
    const [n, x, y, w] = [Math.floor(i / (a * b * width)), Math.floor(i / (b * width)) % a, Math.floor(i / width) % b, i % width];
    out[((n * b + y) * a + x) * width + w] = numbers[i] as number;
  }
  if (out.length !== batch * a * b * width) throw new Error('The extents do not multiply to the numbers.');
  return out;
}

/** Query, key or value as (B, H, n, d); 3-D inputs are (B, n, H · d). */
function heads({ shape, numbers }: CaseTensor, count: number): { shape: Extents; numbers: number[] } {
  if (shape.length === 4) return { shape: shape as unknown as Extents, numbers };
  const [B = 1, n = 1, width = 1] = shape.length === 2 ? [1, ...shape] : shape;
  return { shape: [B, count, n, width / count], numbers: exchange(numbers, B, n, count, width / count) };
}

type Extents = readonly [number, number, number, number];

export class Run {
  readonly #kept: { free(): void }[] = [];
  constructor(readonly operators: Operators, readonly given: Case) {}

  keep<T extends { free(): void }>(each: T): T {
    this.#kept.push(each);
    return each;
  }

  tensor(shape: readonly number[], numbers?: readonly number[]): Tensor {
    return this.keep(this.operators.tensor(shape, numbers && Float32Array.from(numbers)));
  }

  /** An input as it is. */
  input(name: string): Tensor | undefined {
    const given = this.given.inputs.get(name);
    return given && this.tensor(given.shape, given.numbers);
  }

  tables(interleaved: boolean): RotaryTables {
    return { cosines: this.input('cos_cache') as Tensor, sines: this.input('sin_cache') as Tensor, pairs: interleaved ? 'interleaved' : 'halved' };
  }

  number(name: string): number | undefined {
    return this.given.attributes.get(name) as number | undefined;
  }

  /** As ONNX has them: see read_options() in run_attention.cpp. `scores` is (B, H, T, S). */
  options(scores: Extents, past: number, lastAxis: 'pads' | 'repeats'): AttendOptions {
    const { given } = this;
    const [scale, softcap] = [this.number('scale'), this.number('softcap') ?? 0];
    const lengths = given.inputs.get('nonpad_kv_seqlen')?.numbers;
    const each = lengths && Array.from({ length: scores[0] }, (_, b) => lengths[b] ?? lengths[0] ?? 0);
    const align = given.attributes.get('causal_align');
    const slopes = given.inputs.get('alibi_slopes')?.numbers;
    return {
      ...(scale !== undefined && { scale }),
      softcap: Math.max(0, softcap),
      temperature: this.number('temperature') ?? 1,
      isCausal: this.number('is_causal') === 1,
      offset: align === undefined ? past : align === 'top_left' ? 0 : scores[3] - scores[2],
      windowLeft: this.number('left_window_size') ?? -1,
      windowRight: this.number('right_window_size') ?? -1,
      ...(slopes && { alibiSlopes: slopes }),
      ...(each && { keyLengths: each.map((length) => Math.min(length, scores[3])) }),
      ...(each && past === 0 && align === undefined && { batchOffsets: each.map((length) => length - scores[2]) }),
      ...this.#mask(scores, lastAxis),
    };
  }

  #mask([B, H, , S]: Extents, lastAxis: 'pads' | 'repeats'): AttendOptions {
    const mask = this.given.inputs.get('attn_mask');
    if (!mask) return {};
    const [first = 1, ...rest] = mask.shape;
    const shape = mask.shape.length === 3 && first !== 1 && first !== H && first === B * H ? [B, H, ...rest] : [...mask.shape];
    const times = lastAxis === 'repeats' && shape.at(-1) === 1 ? S : 1;
    shape.push((shape.pop() ?? 1) * times);
    const numbers = mask.numbers.flatMap((number) => new Array<number>(times).fill(number));
    if (mask.type !== 'BOOL') return { bias: this.tensor(shape, numbers) };
    return { allowed: this.keep(this.operators.byteTensor(shape, Uint8Array.from(numbers))) };
  }

  free(): void {
    this.#kept.forEach((each) => each.free());
  }
}

/** Y of a case of ONNX's Attention; a past goes through the cache. */
export function runAttention(operators: Operators, given: Case): number[] {
  const run = new Run(operators, given);
  const input = (name: string) => given.inputs.get(name) as CaseTensor;
  const queryHeads = run.number('q_num_heads') ?? 1;
  const keyHeads = run.number('kv_num_heads') ?? queryHeads;
  const [q, k, v] = [heads(input('Q'), queryHeads), heads(input('K'), keyHeads), heads(input('V'), keyHeads)];
  const [B, H, T] = q.shape;
  const [, H_kv, fresh, d_k] = k.shape;
  const d_v = v.shape[3];
  const pastKey = given.inputs.get('past_key');
  const past = pastKey?.shape[2] ?? 0;
  const options = run.options([B, H, T, past + fresh], past, 'pads');
  const query = run.tensor(q.shape, q.numbers);
  const context = run.tensor([B, H, T, d_v]);
  if (pastKey) {
    const cache = run.keep(operators.cache({ keyHeads: H_kv, capacity: past + fresh, keyWidth: d_k, valueWidth: d_v, batch: B }));
    const rows = (numbers: readonly number[], count: number, width: number) =>
      run.tensor([B, count, H_kv * width], exchange(numbers, B, H_kv, count, width));
    if (past > 0) cache.append(rows(pastKey.numbers, past, d_k), rows(input('past_value').numbers, past, d_v));
    cache.append(rows(k.numbers, fresh, d_k), rows(v.numbers, fresh, d_v));
    cache.attend(query, options, context);
  } else {
    operators.attend(query, run.tensor(k.shape, k.numbers), run.tensor(v.shape, v.numbers), options, context);
  }
  const numbers = Array.from(context.read());
  run.free();
  return input('Q').shape.length === 4 ? numbers : exchange(numbers, B, H, T, d_v);
}

/** Y of a case of the whole layer, whose parameters are stored (out, in). */
export function runMultiHead(operators: Operators, given: Case): number[] {
  const run = new Run(operators, given);
  const input = (name: string) => given.inputs.get(name);
  const linear = (weight: string, bias: string, part = {}): Linear => {
    const [W, b] = [input(weight) as CaseTensor, input(bias)];
    return { weight: run.tensor(W.shape, W.numbers), ...(b && { bias: run.tensor(b.shape, b.numbers) }), layout: 'out_in', ...part };
  };
  const packed = (part: number, name: string) =>
    (input('Wqkv') ? linear('Wqkv', 'bqkv', { part, parts: 3 }) : linear(`W${name}`, `b${name}`));
  const numHeads = run.number('num_heads') ?? 1;
  const layer = run.keep(operators.multiHead({
    heads: numHeads, keyHeads: run.number('kv_num_heads') ?? numHeads,
    query: packed(0, 'q'), key: packed(1, 'k'), value: packed(2, 'v'),
    ...(input('Wvd') && { valueDown: linear('Wvd', 'bvd') }),
    ...(input('Wo') && { outProj: linear('Wo', 'bo') }),
    ...(input('cos_cache') && { rotary: run.tables(run.number('interleaved') === 1) }),
  }));
  const positions = input('position_ids')?.numbers;
  const rows = (name: string) => {
    const tensor = input(name);
    return tensor && run.tensor(tensor.shape, tensor.numbers);
  };
  const X = input('X') as CaseTensor;
  const [x, keys, values] = [rows('X') as Tensor, rows('XK'), rows('XV')];
  const [B = 1, T = 1] = X.shape.length === 3 ? X.shape : [1, ...X.shape];
  const S = (input('XK') ?? X).shape.at(-2) ?? 1;
  const width = (input('Wo') as CaseTensor | undefined)?.shape[0] ?? X.shape.at(-1) ?? 1;
  const y = run.tensor([B, T, width]);
  layer.run({ x, ...(keys && { keys }), ...(values && { values }), ...(positions && { positions }) }, run.options([B, numHeads, T, S], 0, 'repeats'), y);
  const numbers = Array.from(y.read());
  run.free();
  return numbers;
}

/** Parameters named as GPT-2's, whose matrices lie (in, out). */
function gpt2(run: Run): DecoderParameters {
  const tensor = (name: string) => run.input(name) as Tensor;
  const norm = (name: string) => ({ gain: tensor(`${name}.g`), bias: tensor(`${name}.b`) });
  const linear = (name: string) => ({ weight: tensor(`${name}.w`), bias: tensor(`${name}.b`) });
  const blocks = Array.from({ length: run.number('layers') ?? 0 }, (_, i): DecoderBlock => {
    const packed = linear(`h${i}.attn.c_attn`);
    const [query, key, value] = [0, 1, 2].map((part) => ({ ...packed, part, parts: 3 })) as [Part, Part, Part];
    return {
      norm1: norm(`h${i}.ln_1`), norm2: norm(`h${i}.ln_2`), up: linear(`h${i}.mlp.c_fc`), down: linear(`h${i}.mlp.c_proj`),
      attention: { heads: run.number('num_heads') ?? 1, query, key, value, outProj: linear(`h${i}.attn.c_proj`) },
    };
  });
  const output = run.input('lm_head');
  return {
    embeddings: tensor('wte'), positions: tensor('wpe'), blocks, finalNorm: norm('ln_f'),
    ...(output && { output: { weight: output, layout: 'out_in' } }),
  };
}

interface Part { weight: Tensor; bias: Tensor; part: number; parts: number }

/** Logits of all tokens, read `step` at a time. */
export function runDecoder(operators: Operators, given: Case, step = Infinity): number[] {
  const run = new Run(operators, given);
  const tokens = (given.inputs.get('tokens') as CaseTensor).numbers;
  const vocabulary = (given.inputs.get('wte') as CaseTensor).shape[0] ?? 0;
  const decoder = run.keep(operators.decoder(gpt2(run), tokens.length));
  const all: number[] = [];
  for (let first = 0; first < tokens.length; first += step) {
    const some = tokens.slice(first, first + step);
    const logits = run.tensor([some.length, vocabulary]);
    decoder.run(some, logits);
    all.push(...logits.read());
  }
  run.free();
  return all;
}

/** What the last token's logits and the weights of all blocks are, once read at once. */
export function runDecoderWithWeights(operators: Operators, given: Case): { last: number[]; weights: number[] } {
  const run = new Run(operators, given);
  const tokens = (given.inputs.get('tokens') as CaseTensor).numbers;
  const last = run.tensor([(given.inputs.get('wte') as CaseTensor).shape[0] ?? 0]);
  const weights = run.tensor([run.number('layers') ?? 0, run.number('num_heads') ?? 0, tokens.length, tokens.length]);
  run.keep(operators.decoder(gpt2(run), tokens.length)).run(tokens, last, weights);
  const result = { last: [...last.read()], weights: [...weights.read()] };
  run.free();
  return result;
}

/** Of tables that all batches share. */
export function runRotary(operators: Operators, given: Case): number[] {
  const run = new Run(operators, given);
  const { shape, numbers } = (given.inputs.get('X') ?? given.inputs.get('input')) as CaseTensor;
  const tables = run.tables(run.number('interleaved') === 1);
  const [B = 1, rows = 1, width = 1] = shape;
  const H = run.number('num_heads') || width / (2 * (tables.cosines.shape[1] ?? 1));
  const x = shape.length === 4 ? run.tensor(shape, numbers) : run.tensor([B, H, rows, width / H], exchange(numbers, B, rows, H, width / H));
  const y = run.tensor(x.shape);
  operators.rotate(x, tables, y, given.inputs.get('position_ids')?.numbers ?? null);
  const turned = [...y.read()];
  run.free();
  return shape.length === 4 ? turned : exchange(turned, B, H, rows, width / H);
}

export function runNorm(operators: Operators, given: Case): number[] {
  const run = new Run(operators, given);
  const x = run.input('X') as Tensor;
  const bias = run.input('B');
  operators.layerNorm(x, { gain: run.input('Scale') as Tensor, ...(bias && { bias }), epsilon: run.number('epsilon') ?? 1e-5 }, x);
  const numbers = [...x.read()];
  run.free();
  return numbers;
}

export function runGelu(operators: Operators, given: Case): number[] {
  const run = new Run(operators, given);
  const x = run.input('X') as Tensor;
  operators.gelu(x, x, given.attributes.get('approximate') === 'tanh' ? 'tanh' : 'erf');
  const numbers = [...x.read()];
  run.free();
  return numbers;
}

/** Of the kept tokens, which add up to 1; 0 for the others. */
export function sharesBySorting(logits: ArrayLike<number>, { temperature = 1, topK = 0, topP = 1 }: SampleRule): number[] {
  const all = Array.from(logits);
  const order = all.map((_, id) => id).sort((a, b) => (all[b] as number) - (all[a] as number) || a - b);
  const most = all[order[0] as number] as number;
  if (temperature === 0) return all.map((_, id) => Number(id === order[0]));
  const sizes = all.map((logit) => Math.exp((logit - most) / (temperature ?? 1)));
  const first = topK ? order.slice(0, topK) : order;
  const wanted = (topP ?? 1) * first.reduce((sum, id) => sum + (sizes[id] as number), 0);
  const kept = new Set<number>();
  let sum = 0;
  for (const id of first) {
    if (topP !== 1 && sum >= wanted) break;
    kept.add(id);
    sum += sizes[id] as number;
  }
  return sizes.map((size, id) => (kept.has(id) ? size / sum : 0));
}

/** Philox4x32-10 (Salmon et al. 2011), its first word, at counter {place, 0, 0, 0}. */
function philox(place: number, seed: number): number {
  let [counter, key] = [[BigInt(place), 0n, 0n, 0n], [BigInt(seed), SAMPLE]];
  for (let round = 0; round < 10; round += 1) {
    const [a = 0n, b = 0n, c = 0n, d = 0n] = counter;
    const [k = 0n, l = 0n] = key;
    const [first, second] = [a * 0xd2511f53n, c * 0xcd9e8d57n];
    counter = [(second >> 32n) ^ b ^ k, second & WORD, (first >> 32n) ^ d ^ l, first & WORD];
    key = [(k + 0x9e3779b9n) & WORD, (l + 0xbb67ae85n) & WORD];
  }
  return Number(counter[0]);
}

const WORD = 0xffffffffn;
/** The place of `sample` in the core's list of what numbers are drawn for. */
const SAMPLE = 13n;

/** The token that the number of `seed` at `place` falls on. */
export function drawn(shares: readonly number[], seed: number, place: number): number {
  const at = (philox(place, seed) >>> 8) / 2 ** 24;
  let sum = 0;
  return shares.findIndex((share) => share > 0 && (sum += share) > at);
}
