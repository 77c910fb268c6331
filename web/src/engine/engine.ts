// The only importer of the WebAssembly module: owns its instance and its handles, and turns the
// core's error values into exceptions. Nothing else sees a heap, a handle or delete().
import createModule, { type MainModule } from '../../../build/wasm/bindings/attention.mjs';
import { coreBytes } from './bytes/core.ts';
import { AttentionError, type Broken, throwIfError } from './error.ts';
import { started } from './instantiate.ts';
import type { ArrayId, Cell, CellArithmetic, Clamped, Comparison, Explanation, Operand, ParameterId, Request, RowMeasures, Schema, Settings, Shape, StageId, Term, Trace, WantedSettings } from './types.ts';

export { AttentionError };
export type * from './types.ts';

/** Put in by the build. */
declare const VERSION: string;
export const version: string = typeof VERSION === 'undefined' ? '0' : VERSION;

// What bindings.cpp sends, where its own declarations say no more than "object".

interface FlatExplanation {
  error: Broken;
  rule: string;
  places: Int32Array;
  numbers: Float32Array;
  constants: Record<string, number>;
  result: number;
}

/** As bindings/bindings.cpp reads it. */
function flatten({ tokens, keyTokens, maskEdits, edits, given }: Request): object {
  return {
    tokens,
    keyTokens,
    maskEdits,
    edits: edits?.map((edit) => ({ array: '', token: '', row: 0, ...edit })),
    given: given && Object.entries(given).filter(([, numbers]) => numbers),
  };
}

/** From the given bytes, or streamed from its address. */
async function compile(coreSrc: string, given?: BufferSource): Promise<WebAssembly.Module> {
  const bytes = given ?? (coreSrc === '' ? await coreBytes?.() : undefined);
  if (bytes) return WebAssembly.compile(bytes);
  const response = await fetch(coreSrc || new URL('attention.wasm', import.meta.url));
  if (!response.ok) throw new Error(`${response.status}: ${response.url}`);
  // Some servers send another content type.
  if (response.headers.get('content-type') !== 'application/wasm') return WebAssembly.compile(await response.arrayBuffer());
  return WebAssembly.compileStreaming(response);
}

/** Several copies of one script on a page share what they load; copies of another version do not. */
const SHARED = Symbol.for(`attention-playground/engine@${version}`);
const loading = ((globalThis as Record<symbol, unknown>)[SHARED] ??= new Map()) as Map<string, Promise<Engine>>;

export class Engine {
  readonly #module: MainModule;
  #schema: Schema | null = null;

  private constructor(module: MainModule) {
    this.#module = module;
  }

  /** Names of stages and parameters, and the limits. A first figure does not need them, and they take long to build. */
  get schema(): Schema {
    return (this.#schema ??= this.#module.schema() as Schema);
  }

  /**
   * One shared instance for each address that the module is loaded from; a failed load may be tried again.
   * @param coreSrc where attention.wasm lies, when not beside the script
   * @param bytes the module itself, where nothing can be fetched (Node)
   */
  static load(coreSrc = '', bytes?: BufferSource): Promise<Engine> {
    let engine = loading.get(coreSrc);
    if (!engine) {
      engine = started(() => compile(coreSrc, bytes), createModule).then((module) => new Engine(module));
      engine.catch(() => loading.delete(coreSrc));
      loading.set(coreSrc, engine);
    }
    return engine;
  }

  /** The nearest valid settings, with a notice for each change made. @param isFile whether a file says the sizes: they may be larger */
  clamp(wanted: WantedSettings, isFile = false): Clamped {
    return this.#module.clamp(wanted, isFile) as Clamped;
  }

  session(): Session {
    return new Session(this.#module, () => [...this.schema.stages, ...this.schema.parameters].map(({ id }) => id as ArrayId));
  }

  /** a[i] − b[i], as long as the shorter: what changed since a picture was kept. */
  subtract(a: Float32Array, b: Float32Array): Float32Array {
    return this.#module.subtract(a, b);
  }

  /** Dot product, norms and cosine of two vectors, as long as the shorter. */
  compare(a: Float32Array, b: Float32Array): Comparison {
    return this.#module.compare(a, b) as Comparison;
  }
}

/** The terms as objects; bindings.cpp has them flat, the bias behind them. */
function unpack({ rule, places, numbers, constants, result }: FlatExplanation, arrays: readonly ArrayId[]): Explanation {
  const operand = (side: number, value: number | undefined): Operand | null => {
    const array = arrays[places[2 * side] ?? -1];
    return array ? { array, index: places[2 * side + 1] ?? 0, value: value ?? 0 } : null;
  };
  const count = numbers.length / 4 - 1;
  const term = (_: unknown, i: number): Term => {
    const right = operand(2 * i + 1, numbers[4 * i + 1]);
    return {
      left: operand(2 * i, numbers[4 * i]) as Operand,
      ...(right && { right }),
      product: numbers[4 * i + 2] ?? 0,
      partial_sum: numbers[4 * i + 3] ?? 0,
    };
  };
  const bias = operand(2 * count, numbers[4 * count]);
  return { rule: rule as Explanation['rule'], terms: Array.from({ length: count }, term), ...(bias && { bias }), constants, result };
}

/** The steps from score to weight, taken from their explanations. */
function cellOf(explain: Trace['explain'], index: number): CellArithmetic {
  const score = explain('scores', index);
  const scaled = explain('scaled_scores', index);
  const masked = explain('masked_scores', index);
  const weight = explain('weights', index);
  const numbers = (terms: readonly Term[], read: (term: Term) => number) => Float32Array.from(terms, read);
  return {
    query_row: numbers(score.terms, ({ left }) => left.value),
    key_row: numbers(score.terms, ({ right }) => right?.value ?? NaN),
    products: numbers(score.terms, ({ product }) => product),
    partial_sums: numbers(score.terms, ({ partial_sum }) => partial_sum),
    score: score.result,
    factor: scaled.constants.factor ?? NaN,
    scaled_score: scaled.result,
    allowed: masked.constants.allowed === 1,
    masked_score: masked.result,
    row_max: weight.constants.max ?? NaN,
    exps: numbers(weight.terms, ({ product }) => product),
    exp_sum: weight.constants.exp_sum ?? weight.constants.ties ?? NaN,
    weight: weight.result,
  };
}

/** Everything that a run has. */
export type Stages = Partial<Record<StageId, Float32Array>>;

/** Owns the parameters and the trace of one figure. Call free() when the figure goes. */
export class Session {
  readonly #module: MainModule;
  readonly #arrays: () => readonly ArrayId[];
  /** The core's own; 0 once it is freed. */
  #handle: number;
  #current: object | undefined;

  constructor(module: MainModule, arrays: () => readonly ArrayId[]) {
    this.#module = module;
    this.#arrays = arrays;
    this.#handle = module.newSession();
  }

  /** @throws AttentionError; the previous trace is then lost too. */
  run(wanted: Request | readonly string[], settings: Settings): Trace {
    const request: Request = 'tokens' in wanted ? wanted : { tokens: wanted };
    return this.#made(request, settings, (handle) => this.#module.run(handle, flatten(request), settings));
  }

  /** The same where an engine in a worker has run it: its stages are taken over. @throws AttentionError */
  take(request: Request, settings: Settings, stages: Stages): Trace {
    return this.#made(request, settings, (handle) => this.#module.take(handle, flatten(request), settings, Object.entries(stages)));
  }

  #made(request: Request, settings: Settings, make: (handle: number) => object): Trace {
    this.#current = undefined;
    if (this.#handle === 0) throw new AttentionError('freed_session', 'This session was freed. Ask the engine for a new one.');
    throwIfError(make(this.#handle) as Broken);
    const trace = traceOf(request, settings, this.#lastRun(), (one) => one === this.#current);
    this.#current = trace;
    return trace;
  }

  /** Whether this is its last run. */
  holds(trace: Trace): boolean {
    return this.#current === trace;
  }

  free(): void {
    this.#current = undefined;
    if (this.#handle !== 0) this.#module.freeSession(this.#handle);
    this.#handle = 0;
  }

  #lastRun(): LastRun {
    const [module, handle] = [this.#module, this.#handle];
    const explain = (id: ArrayId, index: number): Explanation => {
      const flat = module.explain(handle, id, index) as FlatExplanation;
      throwIfError(flat.error);
      return unpack(flat, this.#arrays());
    };
    return {
      shape: module.shape(handle) as Shape,
      factor: module.factor(handle),
      extents: (id) => [...module.extents(handle, id)],
      stage: (id) => module.stage(handle, id),
      head: (id, head) => module.head(handle, id, head),
      parameter: (id) => module.parameter(handle, id),
      summed: (head, queries) => module.summed(handle, head, Float32Array.from(queries)),
      explain,
      cell: (_, index) => cellOf(explain, index),
      weightedValues: (head, query) => module.weightedValues(handle, head, query),
      measures: (head) => module.measures(handle, head) as RowMeasures,
    };
  }
}

// A run's numbers for the page: each is copied out of the engine once, when it is first read, and cannot be read after another
// run.

/** What an engine answers of its last run. */
interface LastRun {
  readonly shape: Shape;
  readonly factor: number;
  extents(id: ArrayId): readonly number[];
  stage(id: StageId): Float32Array;
  head(id: StageId, head: number): Float32Array;
  parameter(id: ParameterId): Float32Array;
  summed(head: number, queries: readonly number[]): Float32Array;
  explain(id: ArrayId, index: number): Explanation;
  /** Of a cell that is inside; `index` counts through [H, T, S]. */
  cell(at: Cell, index: number): CellArithmetic;
  weightedValues(head: number, query: number): Float32Array;
  measures(head: number): RowMeasures;
}

/** @param isLast whether no other run has followed */
function traceOf({ tokens, keyTokens = tokens }: Request, settings: Settings, run: LastRun, isLast: (trace: Trace) => boolean): Trace {
  const last = (): LastRun => {
    if (isLast(trace)) return run;
    throw new AttentionError('stale_trace', 'This trace was replaced by a newer run. Use the newest one.');
  };
  const copies = new Map<string, Float32Array>();
  const once = (name: string, copy: () => Float32Array): Float32Array => {
    const kept = copies.get(name) ?? copy();
    copies.set(name, kept);
    return kept;
  };
  const read = new Map<ArrayId, readonly number[]>();
  const extents = (id: ArrayId): readonly number[] => {
    const kept = read.get(id) ?? last().extents(id);
    read.set(id, kept);
    return kept;
  };
  const { shape, factor } = run;
  const trace: Trace = {
    tokens: [...tokens],
    keyTokens: [...keyTokens],
    settings: { ...settings },
    shape,
    factor,
    present: (id) => extents(id).length > 0,
    extents,
    stage: (id) => once(id, () => last().stage(id)),
    head: (id, head) => once(`${id} ${head}`, () => last().head(id, head)),
    parameter: (id) => once(`parameter ${id}`, () => last().parameter(id)),
    summed: (head, queries) => last().summed(head, queries),
    explain: (id, index) => last().explain(id, index),
    cell: (at) => {
      const { head, query, key } = at;
      const inside = (place: number, count: number) => place >= 0 && place < count;
      if (!inside(head, shape.H) || !inside(query, shape.T) || !inside(key, shape.S)) {
        throw new AttentionError(
          'index_out_of_range',
          `The last run has ${shape.H} heads, ${shape.T} queries and ${shape.S} keys, counted from 0. Choose a cell inside.`,
        );
      }
      return last().cell(at, (head * shape.T + query) * shape.S + key);
    },
    weightedValues: (head, query) => last().weightedValues(head, query),
    measures: (head) => last().measures(head),
  };
  return trace;
}
