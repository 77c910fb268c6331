// Runs inside the page: the shipped model on our operators and on onnxruntime-web, checked, then timed turn by turn.
import * as ort from 'onnxruntime-web/wasm';
import { LanguageModel } from '../../../../web/src/parameters/language-model/language-model.ts';
import { load } from '../../../../web/src/parameters/language-model/load.ts';
import { native } from '../../../../web/src/parameters/language-model/native-layout.ts';
import { Safetensors } from '../../../../web/src/parameters/language-model/safetensors.ts';
import { loadOperators } from '../../../../web/src/engine/operators/operators.ts';
import { type Operator, decoderGraph } from './onnxruntime.ts';
import { onnxModel } from './onnx-model.ts';
import { type Runs, runsOf, timed, warmUp } from './timing.ts';

const MODULES = new URL('.', import.meta.url).href;

export interface Order {
  /** The model's file, beside this script. */
  file: string;
  ids: number[];
  /** PyTorch's logits of the last token, of every so-manieth id. */
  expected: { every: number; logits: number[] };
  repetitions: number;
}

/** Milliseconds a run, by competitor. */
export type Measured = Record<'attention' | 'multiHead' | 'ours' | 'page', number[]>;

interface Competitor extends Runs {
  logits(): Float32Array;
}

async function onnxruntime(file: Safetensors, operator: Operator, ids: readonly number[]): Promise<Competitor> {
  const graph = await decoderGraph(file, native.configuration(file, {}), operator, ids.length);
  const session = await ort.InferenceSession.create(onnxModel(graph), { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
  const given = { ids: new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]) };
  let result: ort.InferenceSession.ReturnType;
  return {
    async run() {
      result = await session.run(given);
    },
    logits: () => result['logits']?.data as Float32Array,
  };
}

async function ours(file: Safetensors, ids: readonly number[]): Promise<Competitor> {
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
async function page(bytes: Uint8Array, ids: readonly number[]): Promise<Competitor> {
  const model = await LanguageModel.open(bytes, {}, { operators: () => loadOperators({ baseUrl: MODULES }) });
  let logits: Float32Array;
  return {
    run() {
      logits = model.run(ids).logits(ids.length - 1);
    },
    logits: () => logits,
  };
}

function assertRight(name: string, logits: Float32Array, { every, logits: expected }: Order['expected']): void {
  const some = Array.from(logits).filter((_, id) => id % every === 0);
  const worst = some.reduce((most, logit, i) => Math.max(most, Math.abs(logit - (expected[i] as number))), some.length === expected.length ? 0 : Infinity);
  if (!(worst <= 1e-4)) throw new Error(`Not measured: the logits of ${name} are up to ${worst} from PyTorch's.`);
}

export async function measureModel({ file, ids, expected, repetitions }: Order): Promise<Measured> {
  const bytes = new Uint8Array(await (await fetch(new URL(file, MODULES))).arrayBuffer());
  const stored = await Safetensors.open(bytes);
  const competitors: [keyof Measured, Competitor][] = [
    ['attention', await onnxruntime(stored, 'Attention', ids)],
    ['multiHead', await onnxruntime(stored, 'MultiHeadAttention', ids)],
    ['ours', await ours(stored, ids)],
    ['page', await page(bytes, ids)],
  ];
  const measured: Measured = { attention: [], multiHead: [], ours: [], page: [] };
  const runs = new Map<Competitor, number>();
  for (const [name, competitor] of competitors) {
    const first = await timed(competitor, 1);
    assertRight(name, competitor.logits(), expected);
    runs.set(competitor, runsOf(await warmUp(competitor, first)));
  }
  for (let i = 0; i < repetitions; i += 1) {
    for (const [name, competitor] of competitors) measured[name].push(await timed(competitor, runs.get(competitor) ?? 1));
  }
  return measured;
}
