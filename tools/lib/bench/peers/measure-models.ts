// Runs inside the page: models on our operators and on onnxruntime-web, checked, then timed turn by turn.
// @ts-ignore: installed for these benchmarks alone
import type * as Ort from 'onnxruntime-web/wasm';
import { LanguageModel } from '../../../../web/src/parameters/language-model/language-model.ts';
import { load } from '../../../../web/src/parameters/language-model/load.ts';
import { native } from '../../../../web/src/parameters/language-model/native-layout.ts';
import { Safetensors } from '../../../../web/src/parameters/language-model/safetensors.ts';
import { type Decoder, type DecoderBlock, type Linear, type MatrixLayout, type MatrixNumbers, type MatrixTensor, type MatrixType, type Norm, type Operators, type Tensor, loadOperators } from '../../../../web/src/engine/operators/operators.ts';
// @ts-ignore: installed for these benchmarks alone
import { AutoModelForCausalLM, DynamicCache, Tensor as HubTensor, env } from '@huggingface/transformers';
import { CONTEXT, EPSILON, STEP, type Shape, SHAPES, type Width, decoderGraph, floatsOf, hubConfig, hubGraph, gainOf, matrices, numbersOf, rotaryOf, tokensOf } from './decoder-graph.ts';
import { bytesOf, onnxModel } from './onnx-model.ts';
import { type Operator, ort, shippedGraph } from './onnxruntime.ts';
import { type Runs, mostOfThread, runsOf, timed, warmUp } from './timing.ts';

const MODULES = new URL('.', import.meta.url).href;
const THREADS = 2;

export interface Order {
  shape: keyof typeof SHAPES;
  /** Texts to be read, and to write a token after. */
  lengths: readonly number[];
  competitors: readonly CompetitorId[];
  repetitions: number;
}

/** Milliseconds: reading a text, and the token after it. */
export interface Measured {
  competitor: CompetitorId;
  tokens: number;
  reading: number[];
  next: number[];
}

interface Competitor {
  /** The logits after a text. */
  read(ids: readonly number[]): Float32Array | Promise<Float32Array>;
  /** Those after one more token; what it adds to the cache is forgotten again. */
  next(id: number): Float32Array | Promise<Float32Array>;
}

// --- ours ---------------------------------------------------------------------------------------------------------

type OwnType = Exclude<MatrixType, 'q8_0'>;

const bits32 = new Uint32Array(1);
const float32 = new Float32Array(bits32.buffer);
/** By a byte: the number as bfloat16, and as binary16, of which none is subnormal. */
const PATTERNS: Record<'bf16' | 'f16', Uint16Array> = { bf16: new Uint16Array(256), f16: new Uint16Array(256) };
for (let byte = 0; byte < 256; byte += 1) {
  float32[0] = ((byte << 24) >> 24) * STEP;
  const bits = bits32[0] as number;
  PATTERNS.bf16[byte] = bits >>> 16;
  PATTERNS.f16[byte] = float32[0] === 0 ? 0 : ((bits >>> 16) & 0x8000) | (((bits >>> 13) - (112 << 10)) & 0x7fff);
}

class Builder {
  constructor(readonly operators: Operators, readonly shape: Shape, readonly type: OwnType) {}

  /** As the page keeps them: interleaved, what is given (in, out), too; int8 as of a file that has it (out, in). */
  matrix(name: string, rows: number, columns: number, layout: MatrixLayout = 'out_in'): { weight: MatrixTensor; layout: MatrixLayout } {
    const [to, from] = layout === 'out_in' ? [rows, columns] : [columns, rows];
    const scales = this.type === 'i8' ? new Float32Array(to).fill(STEP) : null;
    const weight = this.operators.matrixTensor([to, from], this.type, null, scales, 'interleaved');
    const numbers = this.numbers(name, rows * columns);
    if (this.type === 'i8' && layout === 'in_out') weight.write(numbers.map((_, i) => numbers[(i % from) * to + Math.floor(i / from)] as number));
    else weight.write(numbers, 0, layout);
    return { weight, layout: 'out_in' };
  }

  numbers(name: string, count: number): MatrixNumbers {
    if (this.type === 'f32') return floatsOf(name, count);
    const whole = numbersOf(name, count);
    if (this.type === 'i8') return whole;
    const patterns = PATTERNS[this.type];
    const numbers = new Uint16Array(whole.length);
    for (let i = 0; i < whole.length; i += 1) numbers[i] = patterns[(whole[i] as number) & 255] as number;
    return numbers;
  }

  row(name: string, width: number): Tensor {
    return this.operators.tensor([width], floatsOf(name, width));
  }

  norm(name: string): Norm {
    const { width, isLlama } = this.shape;
    const gain = this.operators.tensor([width], gainOf(`${name}.gain`, width));
    return isLlama ? { gain, epsilon: EPSILON, kind: 'rms' } : { gain, bias: this.row(`${name}.bias`, width), epsilon: EPSILON };
  }

  linear(name: string, [from, to]: readonly [number, number]): Linear {
    if (this.shape.isLlama) return this.matrix(name, to, from);
    return { ...this.matrix(name, from, to, 'in_out'), bias: this.row(`${name}.bias`, to) };
  }

  block(i: number): DecoderBlock {
    const { heads, keyHeads, isLlama } = this.shape;
    const sizes = matrices(this.shape);
    const linear = (part: string) => this.linear(`layers.${i}.${part}`, sizes[part] as [number, number]);
    const packed = isLlama ? null : linear('packed');
    const third = (part: number): Linear => ({ ...(packed as Linear), part, parts: 3 });
    const { cosines, sines } = rotaryOf(this.shape);
    const half = cosines.length / CONTEXT;
    return {
      norm1: this.norm(`layers.${i}.norm_1`),
      norm2: this.norm(`layers.${i}.norm_2`),
      attention: {
        heads, keyHeads, outProj: linear('out'),
        ...(packed ? { query: third(0), key: third(1), value: third(2) } : { query: linear('query'), key: linear('key'), value: linear('value') }),
        ...(isLlama && { rotary: { cosines: this.operators.tensor([CONTEXT, half], cosines), sines: this.operators.tensor([CONTEXT, half], sines) } }),
      },
      up: linear('up'), down: linear('down'), gate: isLlama ? linear('gate') : null,
    };
  }

  decoder(): Decoder {
    const { layers, width, vocabulary, isLlama } = this.shape;
    return this.operators.decoder({
      embeddings: this.matrix('embeddings', vocabulary, width).weight,
      positions: isLlama ? null : this.operators.tensor([CONTEXT, width], floatsOf('positions', CONTEXT * width)),
      blocks: Array.from({ length: layers }, (_, i) => this.block(i)),
      finalNorm: this.norm('final_norm'),
    }, CONTEXT);
  }
}

async function ours(shape: Shape, type: OwnType, threads = 1): Promise<Competitor> {
  const operators = await loadOperators({ baseUrl: MODULES, threads });
  const decoder = new Builder(operators, shape, type).decoder();
  const logits = operators.tensor([shape.vocabulary]);
  const result = new Float32Array(shape.vocabulary);
  let read = 0;
  return {
    read(ids) {
      decoder.truncate(0);
      decoder.run(ids, logits);
      read = ids.length;
      return logits.read(result);
    },
    next(id) {
      decoder.truncate(read);
      decoder.run([id], logits);
      return logits.read(result);
    },
  };
}

// --- onnxruntime-web ----------------------------------------------------------------------------------------------

async function onnxruntime(shape: Shape, width: Width): Promise<Competitor> {
  const graph = decoderGraph(shape, width);
  const session = await ort.InferenceSession.create(onnxModel(graph), {
    executionProviders: ['wasm'], graphOptimizationLevel: 'all',
    externalData: (graph.parameters ?? []).filter(({ isApart }) => isApart).map((each) => ({ path: each.name, data: bytesOf(each) })),
  });
  const nothing = new ort.Tensor('float32', new Float32Array(0), [1, shape.keyHeads, 0, shape.width / shape.heads]);
  let cache: Record<string, Ort.Tensor> = {};
  let length = 0;
  const run = async (ids: readonly number[], before: number) => {
    const whole = (numbers: readonly number[]) => new ort.Tensor('int64', BigInt64Array.from(numbers, BigInt), [1, numbers.length]);
    const after = before + ids.length;
    const given = {
      ids: whole(ids),
      ...(!shape.isLlama && { places: whole(ids.map((_, i) => before + i)) }),
      last_place: new ort.Tensor('int32', Int32Array.of(after - 1), [1]),
      length: new ort.Tensor('int32', Int32Array.of(after), []),
    };
    return session.run({ ...given, ...cache });
  };
  return {
    async read(ids) {
      cache = Object.fromEntries(Array.from({ length: shape.layers }, (_, i) => ['key', 'value'].map((part) => [`layers.${i}.past_${part}`, nothing] as const)).flat());
      const { logits, ...presents } = await run(ids, 0);
      cache = Object.fromEntries(Object.entries(presents).map(([name, present]) => [name.replace('present', 'past'), present as Ort.Tensor]));
      length = ids.length;
      return logits?.data as Float32Array;
    },
    async next(id) {
      return (await run([id], length))['logits']?.data as Float32Array;
    },
  };
}

// --- transformers.js ----------------------------------------------------------------------------------------------

// From a folder of its layout, which is made here: it fetches what lies in it by these names. Its own build of onnxruntime-web.
env.allowRemoteModels = false;
env.allowLocalModels = true;
env.localModelPath = '/models/';
env.useBrowserCache = false;
env.useWasmCache = false;
const { wasm = {} } = env.backends.onnx;
wasm.numThreads = 1;
wasm.wasmPaths = { mjs: `${MODULES}ort-wasm-simd-threaded.asyncify.mjs`, wasm: `${MODULES}ort-wasm-simd-threaded.asyncify.wasm` };

async function transformers(shape: Shape): Promise<Competitor> {
  const graph = hubGraph(shape);
  const files: Record<string, BodyInit> = { 'config.json': JSON.stringify(hubConfig(shape)), 'onnx/model.onnx': onnxModel(graph) as BodyInit };
  env.fetch = (address: unknown) => {
    const file = files[String(address).split(`/models/${shape.id}/`)[1] ?? ''];
    return Promise.resolve(file === undefined ? new Response(null, { status: 404 }) : new Response(file));
  };
  const model = await AutoModelForCausalLM.from_pretrained(shape.id, {
    device: 'wasm', dtype: 'fp32', local_files_only: true,
    session_options: { externalData: (graph.parameters ?? []).filter(({ isApart }) => isApart).map((each) => ({ path: each.name, data: bytesOf(each) })) },
  });
  let cache = new DynamicCache();
  let length = 0;
  const whole = (numbers: readonly number[]) => new HubTensor('int64', BigInt64Array.from(numbers, BigInt), [1, numbers.length]);
  const run = async (ids: readonly number[], before: number, past: DynamicCache | null): Promise<Record<string, HubTensor>> =>
    await model({ input_ids: whole(ids), attention_mask: whole(Array<number>(before + ids.length).fill(1)), past_key_values: past }) as Record<string, HubTensor>;
  return {
    async read(ids) {
      const { logits, ...presents } = await run(ids, 0, null);
      cache = new DynamicCache(Object.fromEntries(Object.entries(presents).map(([name, present]) => [name.replace('present', 'past_key_values'), present])));
      length = ids.length;
      return logits?.data as Float32Array;
    },
    async next(id) {
      return (await run([id], length, cache))['logits']?.data as Float32Array;
    },
  };
}

// --- both ---------------------------------------------------------------------------------------------------------

const COMPETITORS = {
  peer: (shape: Shape) => onnxruntime(shape, 'float32'),
  peerInt8: (shape: Shape) => onnxruntime(shape, 'int8'),
  transformers,
  f32: (shape: Shape) => ours(shape, 'f32'),
  bf16: (shape: Shape) => ours(shape, 'bf16'),
  f16: (shape: Shape) => ours(shape, 'f16'),
  i8: (shape: Shape) => ours(shape, 'i8'),
  f32Threads: (shape: Shape) => ours(shape, 'f32', THREADS),
  bf16Threads: (shape: Shape) => ours(shape, 'bf16', THREADS),
};
export type CompetitorId = keyof typeof COMPETITORS;

/** Of the largest logit. Who rounds what is multiplied to int8 is that much off. */
const tolerance = (id: CompetitorId) => (id === 'peerInt8' ? 0.1 : id === 'peer' || id === 'transformers' ? 1e-4 : 0);

function assertRight(id: CompetitorId, logits: Float32Array, expected: Float32Array): void {
  let [worst, largest] = [0, 0];
  expected.forEach((logit, i) => {
    worst = Math.max(worst, Math.abs(logit - (logits[i] ?? Number.NaN)));
    largest = Math.max(largest, Math.abs(logit));
  });
  if (!(worst <= tolerance(id) * largest)) throw new Error(`Not measured: the logits of ${id} are up to ${worst / largest} of the largest away.`);
}

/**
 * And what one thread could do at most in the same turns, in thousand millions a second: bytes read of memory, and
 * multiplications and additions.
 */
export async function measureModels({ shape: name, lengths, competitors, repetitions }: Order): Promise<{ measured: Measured[]; rate: number; limit: number }> {
  const shape = SHAPES[name];
  const most = await mostOfThread();
  let [rate, limit] = [0, 0];
  const all: [CompetitorId, Competitor][] = [];
  for (const id of competitors) all.push([id, await COMPETITORS[id](shape)]);
  const measured: Measured[] = [];
  for (const tokens of lengths) {
    const ids = tokensOf(tokens, shape);
    const following = tokensOf(tokens + 1, shape)[tokens] as number;
    let expected: [Float32Array, Float32Array] | undefined;
    for (const [id, competitor] of all) {
      const [read, next] = [(await competitor.read(ids)).slice(), (await competitor.next(following)).slice()];
      expected ??= [read, next];
      assertRight(id, read, expected[0]);
      assertRight(id, next, expected[1]);
    }
    const rows = all.map(([competitor]): Measured => ({ competitor, tokens, reading: [], next: [] }));
    const reading = (competitor: Competitor): Runs => ({ async run() { await competitor.read(ids); } });
    const writing = (competitor: Competitor): Runs => ({ async run() { await competitor.next(following); } });
    for (let i = 0; i < repetitions; i += 1) {
      rate = Math.max(rate, most.rate());
      limit = Math.max(limit, most.limit());
      for (const [at, [, competitor]] of all.entries()) {
        rows[at]?.reading.push(await timed(reading(competitor), 1));
        rows[at]?.next.push(await timed(writing(competitor), 4));
      }
    }
    measured.push(...rows);
  }
  return { measured, rate, limit };
}

// --- the shipped model --------------------------------------------------------------------------------------------

export interface ShippedOrder {
  /** The model's file, beside this script. */
  file: string;
  ids: number[];
  /** PyTorch's logits of the last token, of every so-manieth id. */
  expected: { every: number; logits: number[] };
  repetitions: number;
}

/** Milliseconds a run, by competitor. */
export type ShippedMeasured = Record<'attention' | 'multiHead' | 'ours' | 'page', number[]>;

interface ShippedCompetitor extends Runs {
  logits(): Float32Array;
}

async function shippedPeer(file: Safetensors, operator: Operator, ids: readonly number[]): Promise<ShippedCompetitor> {
  const graph = await shippedGraph(file, native.configuration(file, {}), operator, ids.length);
  const session = await ort.InferenceSession.create(onnxModel(graph), { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
  const given = { ids: new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]) };
  let result: Ort.InferenceSession.ReturnType;
  return {
    async run() {
      result = await session.run(given);
    },
    logits: () => result['logits']?.data as Float32Array,
  };
}

async function shippedOurs(file: Safetensors, ids: readonly number[]): Promise<ShippedCompetitor> {
  const operators = await loadOperators({ baseUrl: MODULES });
  const configuration = native.configuration(file, {});
  const { parameters } = await load(file, native, configuration, operators, () => {});
  const decoder = operators.decoder(parameters, ids.length);
  const logits = operators.tensor([configuration.vocabulary]);
  const result = new Float32Array(configuration.vocabulary);
  return {
    run() {
      decoder.truncate(0);
      decoder.run(ids, logits);
      logits.read(result);
    },
    logits: () => result,
  };
}

/** With all that the page shows: every weight, every row between, then the logits of one. */
async function page(bytes: Uint8Array, ids: readonly number[]): Promise<ShippedCompetitor> {
  const model = await LanguageModel.open(bytes, {}, { operators: () => loadOperators({ baseUrl: MODULES }) });
  let logits: Float32Array;
  return {
    run() {
      logits = model.run(ids).logits(ids.length - 1);
    },
    logits: () => logits,
  };
}

function assertShipped(name: string, logits: Float32Array, { every, logits: expected }: ShippedOrder['expected']): void {
  const some = Array.from(logits).filter((_, id) => id % every === 0);
  const worst = some.reduce((most, logit, i) => Math.max(most, Math.abs(logit - (expected[i] as number))), some.length === expected.length ? 0 : Infinity);
  if (!(worst <= 1e-4)) throw new Error(`Not measured: the logits of ${name} are up to ${worst} from PyTorch's.`);
}

export async function measureModel({ file, ids, expected, repetitions }: ShippedOrder): Promise<ShippedMeasured> {
  const bytes = new Uint8Array(await (await fetch(new URL(file, MODULES))).arrayBuffer());
  const stored = await Safetensors.open(bytes);
  const competitors: [keyof ShippedMeasured, ShippedCompetitor][] = [
    ['attention', await shippedPeer(stored, 'Attention', ids)],
    ['multiHead', await shippedPeer(stored, 'MultiHeadAttention', ids)],
    ['ours', await shippedOurs(stored, ids)],
    ['page', await page(bytes, ids)],
  ];
  const measured: ShippedMeasured = { attention: [], multiHead: [], ours: [], page: [] };
  const runs = new Map<ShippedCompetitor, number>();
  for (const [name, competitor] of competitors) {
    const first = await timed(competitor, 1);
    assertShipped(name, competitor.logits(), expected);
    runs.set(competitor, runsOf(await warmUp(competitor, first)));
  }
  for (let i = 0; i < repetitions; i += 1) {
    for (const [name, competitor] of competitors) measured[name].push(await timed(competitor, runs.get(competitor) ?? 1));
  }
  return measured;
}
