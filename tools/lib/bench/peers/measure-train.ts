// Runs inside the page: the module of training beside TensorFlow.js, and a third trainer where one is given; checked,
// then timed turn by turn.
import { TrainingModule, type ModuleRun } from '../../../../web/src/engine/training/module.ts';
import { type Batch, TfjsTrainer, startTfjs } from './tfjs.ts';
import { type Runs, runsOf, timed, warmUp } from './timing.ts';

const MODULES = new URL('.', import.meta.url).href;
const TEXTS = 16;

export interface Shape {
  d_model: number;
  heads: number;
  layers: number;
  hidden: number;
}

export interface Order {
  shape: Shape;
  repetitions: number;
  /** A trainer that prints “steps/s N”, beside this script, and what it is called with. */
  other: { script: string; words: string[] } | null;
}

/** Milliseconds a step, by trainer; the loss that both began with. */
export interface Measured {
  ours: number[];
  tfjs: number[];
  other: number[];
  parameters: number;
  length: number;
  vocabulary: number;
  loss: number;
}

const open = (module: TrainingModule, shape: Shape) =>
  module.open('look_back', 'two_layers', 1, {}, { ...shape, d_k: shape.d_model / shape.heads }, new Int32Array(), 1);

function step(run: ModuleRun) {
  for (;;) {
    const made = run.stepPart();
    if (made) return made;
  }
}

/** The task's own texts, with our loss and gradient over all that they ask. */
function batchOf(run: ModuleRun): { batch: Batch; loss: number; gradientNorm: number } {
  const [tokens, targets]: [number[], number[]] = [[], []];
  let [loss, asked] = [0, 0];
  let gradients = new Float64Array();
  for (let n = 0; n < TEXTS; n += 1) {
    run.show([], n);
    const text = run.shown();
    tokens.push(...text.tokens);
    targets.push(...text.targets);
    const { report } = run.trace();
    const of = run.numbers(true);
    if (n === 0) gradients = new Float64Array(of.length);
    gradients.forEach((sum, i) => { gradients[i] = sum + report.asked * (of[i] as number); });
    loss += report.asked * report.loss;
    asked += report.asked;
  }
  const squares = gradients.reduce((sum, gradient) => sum + gradient ** 2, 0);
  return { batch: { tokens: Int32Array.from(tokens), targets: Int32Array.from(targets) }, loss: loss / asked, gradientNorm: Math.sqrt(squares) / asked };
}

function tfjsOf(run: ModuleRun): TfjsTrainer {
  const { shape, rule, length } = run.describe();
  const all = run.numbers(false);
  let from = 0;
  const weights = run.arrays().map(([name, rows, columns]): [string, number, number, Float32Array] => [name, rows, columns, all.slice(from, (from += rows * columns))]);
  return new TfjsTrainer({ ...shape, texts: TEXTS, length, weights, rule });
}

function assertSame(what: string, ours: number, theirs: number): void {
  if (!(Math.abs(ours - theirs) <= 1e-4 * Math.abs(ours))) throw new Error(`Not measured: the ${what} is ${ours} here and ${theirs} in TensorFlow.js.`);
}

/** Steps as the other trainer counts them, in milliseconds each. */
async function otherStep({ script, words }: NonNullable<Order['other']>): Promise<number> {
  const { default: create } = await import(`${MODULES}${script}`);
  let printed = '';
  // It reads the processor's time as Node tells it.
  (globalThis as { process?: unknown }).process = { cpuUsage: () => ({ user: performance.now() * 1000, system: 0 }) };
  await create({ arguments: words, print: (line: string) => { printed += `${line}\n`; } });
  const found = /steps\/s ([\d.]+)/.exec(printed);
  if (!found) throw new Error(`The other trainer prints no “steps/s”: ${printed}`);
  return 1000 / Number(found[1]);
}

export async function measureTrain({ shape, repetitions, other }: Order): Promise<Measured> {
  const module = await TrainingModule.start(() => WebAssembly.compileStreaming(fetch(`${MODULES}attention_training.wasm`)));
  await startTfjs();
  const run = open(module, shape);
  const { parameters, length, shape: { vocabulary } } = run.describe();
  const { batch, loss, gradientNorm } = batchOf(run);
  const theirs = tfjsOf(run);
  const first = theirs.step(batch);
  assertSame('loss', loss, first.loss);
  assertSame('norm of the gradient', gradientNorm, first.gradientNorm);

  const ours: Runs = { run: () => void step(run) };
  const tfjs: Runs = { run: () => void theirs.step(batch) };
  const measured: Measured = { ours: [], tfjs: [], other: [], parameters, length, vocabulary, loss };
  const [ourRuns, theirRuns] = [runsOf(await warmUp(ours, await timed(ours, 1))), runsOf(await warmUp(tfjs, await timed(tfjs, 1)))];
  for (let i = 0; i < repetitions; i += 1) {
    measured.ours.push(await timed(ours, 4 * ourRuns));
    measured.tfjs.push(await timed(tfjs, theirRuns));
    if (other) measured.other.push(await otherStep(other));
  }
  theirs.dispose();
  run.free();
  return measured;
}

export { limit } from './timing.ts';
