// The module of training: its memory, and what bindings/training.cpp says in numbers, by name.
import createModule from '../../../../build/wasm/bindings/attention_training.mjs';
import type { MainModule } from '../../../../build/wasm/bindings/attention_training.mjs';
import type { AttentionError } from '../error.ts';
import { started } from '../instantiate.ts';
import { refusal } from './sentences.ts';
import type { DisplayedText, FairTest, GivenModel, HeadScore, Promised, TaskId, TrainingRule, TrainingShape } from './types.ts';

type Loaded = MainModule & { wasmMemory: WebAssembly.Memory };

const TASKS: readonly TaskId[] = ['repeat', 'dice', 'dictionary', 'relations', 'back', 'recall', 'sort', 'brackets', 'text', 'stands_for', 'who'];
const POSITIONS: readonly TrainingShape['positions'][] = ['none', 'added', 'queries_keys'];
const OPTIMIZERS: readonly TrainingRule['optimizer'][] = ['adamw', 'sgd'];

/** What the core's table and the trainer know about a run. */
export interface Described {
  task: TaskId;
  texts: number;
  length: number;
  steps: number;
  parameters: number;
  promise: Promised;
  seed: number;
  rule: TrainingRule;
  shape: TrainingShape;
}

export interface Report extends FairTest {
  gradientNorm: number;
}

/** As it was written, before it was a float32. */
const plain = (n: number) => Number(n.toPrecision(7));

function index<T>(table: readonly T[], wanted: T | undefined): number {
  return wanted === undefined ? NaN : table.indexOf(wanted) < 0 ? 255 : table.indexOf(wanted);
}

/** NaN is what the lesson has. */
function ruleNumbers({ isCausal, scales, optimizer, rate, decay, clip, warmUp, fallsOver }: Partial<TrainingRule>): number[] {
  return [isCausal, scales, index(OPTIMIZERS, optimizer), rate, decay, clip, warmUp, fallsOver].map((n) => (n === undefined ? NaN : Number(n)));
}

function shapeNumbers(s: Partial<TrainingShape>): number[] {
  return [undefined, undefined, undefined, s.d_model, s.heads, s.d_k, s.layers, s.hidden, index(POSITIONS, s.positions), s.tied, s.queryKeyGain, undefined].map((n) => (n === undefined ? NaN : Number(n)));
}

export class TrainingModule {
  readonly #loaded: Loaded;

  private constructor(loaded: Loaded) {
    this.#loaded = loaded;
  }

  static async start(compile: () => Promise<WebAssembly.Module>): Promise<TrainingModule> {
    return new TrainingModule(await started(compile, createModule));
  }

  /** Of the module's memory. It grows and never shrinks. */
  get heapBytes(): number {
    return this.#loaded.wasmMemory.buffer.byteLength;
  }

  /** “id run” of every lesson's runs, in their order. */
  lessons(): string[] {
    this.#loaded._training_lessons();
    return this.#lines();
  }

  /** Of the tasks in English, by their ids. */
  words(): string[] {
    this.#loaded._training_words();
    return this.#lines();
  }

  /** @param seed 0 for the lesson's own */
  open(lesson: string, run: string, seed: number, rule: Partial<TrainingRule>, shape: Partial<TrainingShape>, text: Int32Array, symbols: number): ModuleRun {
    const names = new TextEncoder().encode(lesson + run);
    const idBytes = new TextEncoder().encode(lesson).length;
    const numbers = Float64Array.from([...ruleNumbers(rule), ...shapeNumbers(shape)]);
    const from = Math.ceil(names.length / 8) * 8;
    const given = new Uint8Array(from + numbers.byteLength + text.byteLength);
    given.set(names);
    given.set(new Uint8Array(numbers.buffer), from);
    given.set(new Uint8Array(text.buffer, text.byteOffset, text.byteLength), from + numbers.byteLength);
    this.give(given);
    const handle = this.#loaded._training_open(idBytes, names.length - idBytes, seed, text.length, symbols);
    if (handle === 0) throw this.#refused();
    return new ModuleRun(this, this.#loaded, handle);
  }

  /** One that was trained elsewhere. */
  model({ shape, rule: { isCausal, scales }, weights }: GivenModel): ModuleRun {
    const { vocabulary, context, slots } = shape;
    const numbers = [vocabulary, context, slots, ...shapeNumbers(shape).slice(3), isCausal, scales].map(Number);
    const given = new Uint8Array(8 * numbers.length + weights.byteLength);
    given.set(new Uint8Array(Float64Array.from(numbers).buffer));
    given.set(new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength), 8 * numbers.length);
    this.give(given);
    const handle = this.#loaded._training_model(weights.length);
    if (handle === 0) throw this.#refused();
    return new ModuleRun(this, this.#loaded, handle);
  }

  /** Rows of softmax, as the model's own are made. */
  softmax(rows: Float32Array, width: number): Float32Array {
    this.give(rows);
    this.#loaded._training_softmax(rows.length / width, width);
    return this.said(Float32Array);
  }

  give(numbers: ArrayBufferView): void {
    const at = this.#loaded._training_given(numbers.byteLength);
    new Uint8Array(this.#loaded.wasmMemory.buffer).set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), at);
  }

  /** A copy of what was said last, from byte `from` on. */
  said<T extends Uint8Array | Int32Array | Float32Array | Float64Array>(kind: { new (buffer: ArrayBuffer): T }, from = 0, to = this.#loaded._training_said_bytes()): T {
    const at = this.#loaded._training_said();
    return new kind(this.#loaded.wasmMemory.buffer.slice(at + from, at + to) as ArrayBuffer);
  }

  get saidBytes(): number {
    return this.#loaded._training_said_bytes();
  }

  #lines(): string[] {
    return new TextDecoder().decode(this.said(Uint8Array)).split('\n').slice(0, -1);
  }

  /** @param result 0 when all went well */
  require(result: number): void {
    if (result !== 0) throw this.#refused();
  }

  #refused(): AttentionError {
    const [rule = 0, , ...numbers] = this.said(Float64Array, 0, 7 * 8);
    const name = new TextDecoder().decode(this.said(Uint8Array, 7 * 8)).replace(/\0.*$/s, '');
    return refusal({ code: '', rule, name, numbers });
  }

  arraysOf(run: number): string[] {
    this.#loaded._training_arrays(run);
    return this.#lines();
  }
}

/** One trainer in the module's memory. */
export class ModuleRun {
  readonly #module: TrainingModule;
  readonly #loaded: Loaded;
  #handle: number;

  constructor(module: TrainingModule, loaded: Loaded, handle: number) {
    this.#module = module;
    this.#loaded = loaded;
    this.#handle = handle;
  }

  describe(): Described {
    this.#loaded._training_describe(this.#handle);
    const n = [...this.#module.said(Float64Array)];
    const take = () => n.shift() as number;
    const [task, texts, length, steps, parameters] = [TASKS[take()] as TaskId, take(), take(), take(), take()];
    const promise = { reaches: plain(take()), byStep: take(), neverPasses: plain(take()), seeds: take() };
    const seed = take();
    const rule: TrainingRule = {
      isCausal: take() === 1, scales: take() === 1, optimizer: OPTIMIZERS[take()] ?? 'adamw', rate: plain(take()), decay: plain(take()), clip: plain(take()), warmUp: take(), fallsOver: take(),
    };
    const [vocabulary, context, slots, d_model, heads, d_k, layers, hidden] = Array.from({ length: 8 }, take) as [number, number, number, number, number, number, number, number];
    const positions = POSITIONS[take()] ?? 'none';
    take();
    return { task, texts, length, steps, parameters, promise, seed, rule, shape: { vocabulary, context, slots, d_model, heads, d_k, layers, hidden, positions, queryKeyGain: plain(take()) } };
  }

  get steps(): number {
    return this.#loaded._training_steps(this.#handle);
  }

  /** A third of a step; after the last, what the step was. */
  stepPart(): { report: Report; heads: HeadScore[] } | null {
    this.#module.require(this.#loaded._training_step_part(this.#handle));
    if (this.#module.saidBytes === 0) return null;
    const n = this.#module.said(Float64Array);
    const heads = Array.from({ length: (n.length - 4) / 4 }, (_, i): HeadScore => {
      const [first = NaN, second = NaN, decided = NaN, derivative = NaN] = n.subarray(4 + 4 * i, 8 + 4 * i);
      return { first, second, decided, derivative };
    });
    return { report: reportOf(n), heads };
  }

  setRule(rule: Partial<TrainingRule>): void {
    this.#module.give(Float64Array.from(ruleNumbers(rule)));
    this.#module.require(this.#loaded._training_set_rule(this.#handle));
  }

  /** Ids, or the task's own text n. */
  show(ids: readonly number[], n = 0): void {
    this.#module.give(Int32Array.from(ids));
    this.#module.require(this.#loaded._training_show(this.#handle, n, ids.length));
  }

  /** [T, slots] of the displayed text, -1 = not asked. */
  answer(targets: Int32Array): void {
    this.#module.give(targets);
    this.#module.require(this.#loaded._training_answer(this.#handle, targets.length));
  }

  shown(): DisplayedText {
    this.#loaded._training_shown(this.#handle);
    const counts = this.#module.said(Float64Array, 0, 5 * 8);
    let from = 5 * 8;
    const [tokens, second, targets, firstPlaces, secondPlaces] = Array.from(counts, (count) => this.#module.said(Int32Array, from, (from += 4 * count))) as [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];
    return { tokens, second, targets, firstPlaces, secondPlaces };
  }

  mapBytes(): Uint8Array {
    this.#module.require(this.#loaded._training_map(this.#handle, 1));
    return this.#module.said(Uint8Array);
  }

  map(): Float32Array {
    this.#module.require(this.#loaded._training_map(this.#handle, 0));
    return this.#module.said(Float32Array);
  }

  save(): Uint8Array {
    this.#module.require(this.#loaded._training_save(this.#handle));
    return this.#module.said(Uint8Array);
  }

  restore(saved: Uint8Array): void {
    this.#module.give(saved);
    this.#module.require(this.#loaded._training_restore(this.#handle, saved.byteLength / 4));
  }

  hash(): string {
    this.#loaded._training_hash(this.#handle);
    return Array.from(this.#module.said(Float64Array), (half) => half.toString(16).padStart(8, '0')).join('');
  }

  /** [name, rows, columns] */
  arrays(): [string, number, number][] {
    return this.#module.arraysOf(this.#handle).map((line) => {
      const [name = '', rows, columns] = line.split(' ');
      return [name, Number(rows), Number(columns)];
    });
  }

  /** Of all arrays, one after another. */
  numbers(ofGradients: boolean): Float32Array {
    this.#loaded._training_numbers(this.#handle, Number(ofGradients));
    return this.#module.said(Float32Array);
  }

  /** As bindings/training.cpp orders them. */
  trace(): { report: Report; numbers: Float32Array } {
    this.#module.require(this.#loaded._training_trace(this.#handle));
    return { report: reportOf(this.#module.said(Float64Array, 0, 32)), numbers: this.#module.said(Float32Array, 32) };
  }

  fairTest(): Report {
    this.#module.require(this.#loaded._training_fair(this.#handle));
    return reportOf(this.#module.said(Float64Array));
  }

  heldOut(ids: readonly number[]): Report {
    this.#module.give(Int32Array.from(ids));
    this.#module.require(this.#loaded._training_held_out(this.#handle, ids.length));
    return reportOf(this.#module.said(Float64Array));
  }

  goOn(prompt: readonly number[], count: number, temperature: number, seed: number): { tokens: number[]; probabilities: Float32Array } {
    this.#module.give(Int32Array.from(prompt));
    this.#module.require(this.#loaded._training_continue(this.#handle, prompt.length, count, temperature, seed));
    return { tokens: [...this.#module.said(Int32Array, 0, 4 * count)], probabilities: this.#module.said(Float32Array, 4 * count) };
  }

  free(): void {
    if (this.#handle !== 0) this.#loaded._training_free(this.#handle);
    this.#handle = 0;
  }
}

function reportOf([loss = NaN, asked = 0, right = 0, gradientNorm = NaN]: Float64Array): Report {
  return { loss, asked, right, gradientNorm };
}
