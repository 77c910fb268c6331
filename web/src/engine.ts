// The only importer of the WebAssembly module: owns its instance and its handles, and turns the
// core's error values into exceptions. Nothing else sees a heap, a handle or delete().
import { msg } from '@lit/localize';
import createModule, {
  type MainModule,
  type WantedSettings,
} from '../../build/wasm/bindings/attention.mjs';
import { AttentionError, throwIfError } from './attention-error.ts';
import { version } from './version.ts';
import { coreBytes } from './core-bytes.ts';
import type {
  ArrayId, Settings, Request, Schema, Shape, CellArithmetic, Operand, Term, Explanation, Comparison, RowMeasures, Trace,
} from './engine-types.ts';

export { AttentionError };
export type * from './engine-types.ts';

// What bindings.cpp sends, where its own declarations say no more than "object".

interface ErrorValue {
  code: string;
  message: string;
}

interface FlatExplanation {
  error: ErrorValue;
  rule: string;
  places: Int32Array;
  numbers: Float32Array;
  constants: Record<string, number>;
  result: number;
}

/** As bindings/request.h reads it. */
function flatten({ tokens, keyTokens, maskEdits, edits, given }: Request): object {
  return {
    tokens,
    keyTokens,
    maskEdits,
    edits: edits?.map((edit) => ({ array: '', token: '', row: 0, ...edit })),
    given: given && Object.entries(given).filter(([, numbers]) => numbers),
  };
}

// The smallest module that needs SIMD128: i8x16.popcnt of a splat.
const SIMD_PROBE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
);

/** Why there is no engine, by the error's code: said again when the language of the page changes. */
export const STARTING: Readonly<Record<'no_simd' | 'core_unavailable', () => string>> = {
  no_simd: () => msg('This browser has no WebAssembly SIMD, which the engine needs. Open the page in Chrome 91, Firefox 89, Safari 16.4 or newer.'),
  core_unavailable: () => msg("The engine could not be started. attention.wasm must lie beside the script (or at core-src), and the page's content security policy must allow 'wasm-unsafe-eval'."),
};

function requireSimd(): void {
  if (typeof WebAssembly === 'object' && WebAssembly.validate(SIMD_PROBE)) return;
  throw new AttentionError('no_simd', STARTING.no_simd());
}

/** From bytes that are at hand, or while it comes from where it lies. */
async function compile(coreSrc: string, given?: BufferSource): Promise<WebAssembly.Module> {
  const bytes = given ?? (coreSrc === '' ? await coreBytes?.() : undefined);
  if (bytes) return WebAssembly.compile(bytes);
  const response = await fetch(coreSrc || new URL('attention.wasm', import.meta.url));
  if (!response.ok) throw new Error(`${response.status}: ${response.url}`);
  // A server that calls it something else serves it all the same.
  if (response.headers.get('content-type') !== 'application/wasm') return WebAssembly.compile(await response.arrayBuffer());
  return WebAssembly.compileStreaming(response);
}

async function instantiate(coreSrc: string, bytes?: BufferSource): Promise<MainModule> {
  requireSimd();
  try {
    // WebKit compiles where a policy forbids WebAssembly and refuses only the instance, of which Emscripten's promise does not
    // hear. What is fetched is asked for before a page's first drawing keeps the answer to that waiting.
    const [wasm] = await Promise.all([compile(coreSrc, bytes), WebAssembly.instantiate(SIMD_PROBE)]);
    return await createModule({ wasm });
  } catch (cause) {
    throw new AttentionError('core_unavailable', STARTING.core_unavailable(), { cause });
  }
}

/** Several copies of one script on a page share what they load; copies of other versions do not meet it. */
const SHARED = Symbol.for(`attention-playground/engine@${version}`);
const loading = ((globalThis as Record<symbol, unknown>)[SHARED] ??= new Map()) as Map<string, Promise<Engine>>;

export class Engine {
  readonly #module: MainModule;
  #schema: Schema | null = null;

  private constructor(module: MainModule) {
    this.#module = module;
  }

  /** What stages and parameters are called, and the limits: nothing that a first figure needs, and long to build. */
  get schema(): Schema {
    return (this.#schema ??= this.#module.schema() as Schema);
  }

  /**
   * One shared instance for each place the module is loaded from; a failed load may be tried again.
   * @param coreSrc where attention.wasm lies, when not beside the script
   * @param bytes what lies there, where there is nothing to fetch from (Node)
   */
  static load(coreSrc = '', bytes?: BufferSource): Promise<Engine> {
    let engine = loading.get(coreSrc);
    if (!engine) {
      engine = instantiate(coreSrc, bytes).then((module) => new Engine(module));
      engine.catch(() => loading.delete(coreSrc));
      loading.set(coreSrc, engine);
    }
    return engine;
  }

  /** The nearest valid settings, with a sentence for each change made. */
  clamp(wanted: WantedSettings): { settings: Settings; notices: string[] } {
    return this.#module.clamp(wanted) as { settings: Settings; notices: string[] };
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

  /** @throws AttentionError; the trace before is gone then, too. */
  run(wanted: Request | readonly string[], settings: Settings): Trace {
    const request: Request = 'tokens' in wanted ? wanted : { tokens: wanted };
    this.#current = undefined;
    if (this.#handle === 0) throw new AttentionError('freed_session', 'This session was freed. Ask the engine for a new one.');
    throwIfError(this.#module.run(this.#handle, flatten(request), settings) as ErrorValue);
    const trace = this.#trace(request, { ...settings });
    this.#current = trace;
    return trace;
  }

  free(): void {
    this.#current = undefined;
    if (this.#handle !== 0) this.#module.freeSession(this.#handle);
    this.#handle = 0;
  }

  #trace({ tokens, keyTokens = tokens }: Request, settings: Settings): Trace {
    const [module, handle] = [this.#module, this.#handle];
    const copies = new Map<string, Float32Array>();
    const requireCurrent = () => {
      if (this.#current !== trace) {
        throw new AttentionError('stale_trace', 'This trace was replaced by a newer run. Use the newest one.');
      }
    };
    const once = (name: string, copy: () => Float32Array): Float32Array => {
      const kept = copies.get(name);
      if (kept) return kept;
      requireCurrent();
      const made = copy();
      copies.set(name, made);
      return made;
    };
    const extents = new Map<ArrayId, readonly number[]>();
    const extentsOf = (id: ArrayId): readonly number[] => {
      const kept = extents.get(id);
      if (kept) return kept;
      requireCurrent();
      const read = [...module.extents(handle, id)];
      extents.set(id, read);
      return read;
    };
    const explain = (id: ArrayId, index: number): Explanation => {
      requireCurrent();
      const flat = module.explain(handle, id, index) as FlatExplanation;
      throwIfError(flat.error);
      return unpack(flat, this.#arrays());
    };
    const shape = module.shape(handle) as Shape;
    const trace: Trace = {
      tokens: [...tokens],
      keyTokens: [...keyTokens],
      settings,
      shape,
      factor: module.factor(handle),
      present: (id) => extentsOf(id).length > 0,
      extents: extentsOf,
      stage: (id) => once(id, () => module.stage(handle, id)),
      head: (id, head) => once(`${id} ${head}`, () => module.head(handle, id, head)),
      parameter: (id) => once(`parameter ${id}`, () => module.parameter(handle, id)),
      explain,
      cell: (at) => {
        const { head, query, key } = at;
        const inside = (place: number, count: number) => place >= 0 && place < count;
        if (!inside(head, shape.H) || !inside(query, shape.T) || !inside(key, shape.S)) {
          throw new AttentionError(
            'index_out_of_range',
            `The last run has ${shape.H} heads, ${shape.T} queries and ${shape.S} keys, counted from 0. Choose a cell inside.`,
          );
        }
        return cellOf(explain, (head * shape.T + query) * shape.S + key);
      },
      weightedValues: (head, query) => {
        requireCurrent();
        return module.weightedValues(handle, head, query);
      },
      summed: (head, queries) => {
        requireCurrent();
        return module.summed(handle, head, Float32Array.from(queries));
      },
      measures: (head) => {
        requireCurrent();
        return module.measures(handle, head) as RowMeasures;
      },
    };
    return trace;
  }
}
