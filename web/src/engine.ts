// The only importer of the WebAssembly module: owns its instance and its handles, and turns the
// core's error values into exceptions. Nothing else sees a heap, a handle or delete().
import createModule, {
  type MainModule,
  type Session as SessionHandle,
  type WantedSettings,
} from '../../build/wasm/bindings/attention.mjs';
import { AttentionError, throwIfError } from './attention-error.ts';

export { AttentionError };

/** Stages in the order they run. Not every run has all of them: `trace.present(id)` says which. */
export type StageId =
  | 'tokens' | 'key_tokens' | 'content' | 'position' | 'embeddings'
  | 'key_content' | 'key_position' | 'key_embeddings'
  | 'query' | 'key' | 'rotated_query' | 'rotated_key' | 'value_down' | 'value'
  | 'scores' | 'scaled_scores' | 'capped_scores' | 'masked_scores' | 'weights' | 'dropped_weights'
  | 'context' | 'concat' | 'output' | 'residual';

/** Parameters and tables: the learned matrices, P (positions), rotary's cos and sin, ALiBi's slopes. */
export type ParameterId =
  | 'W_Q' | 'W_K' | 'W_V' | 'W_V_down' | 'W_V_up' | 'W_O' | 'b_Q' | 'b_K' | 'b_V' | 'b_O'
  | 'P' | 'cos' | 'sin' | 'slopes';

/** What a number can stand in. */
export type ArrayId = StageId | ParameterId;

/** What the fields mean is said in settings.h. */
export interface Settings extends WantedSettings {
  mask: 'none' | 'causal' | 'window';
  scale: 'sqrt-dk' | 'none' | 'factor';
  positions: 'none' | 'sinusoidal' | 'learned' | 'rope' | 'alibi';
  /** 'qk': W_K is W_Q; 'qkv': W_V, too. Biases as well. */
  tie: 'none' | 'qk' | 'qkv';
}

/** Whether `query` may look at `key`, turned round, on top of any mask, in every head; twice turns back. */
export interface MaskEdit {
  query: number;
  key: number;
}

/** A number set by hand: of a parameter, or of a word's content row, wherever the word stands. */
export type Edit =
  | { array: Exclude<ParameterId, 'cos' | 'sin' | 'slopes'>; row: number; column: number; value: number }
  | { token: string; column: number; value: number };

/** What may be given whole; shapes are those of `trace.extents(id)`. */
export type GivenId =
  | 'content' | 'key_content' | 'query' | 'key' | 'value'
  | Exclude<ParameterId, 'cos' | 'sin' | 'slopes'>;

/**
 * What one run is about, besides its settings. An edit that finds no number of its place in this run
 * (a later word, a matrix that the settings leave out) changes nothing; what is given must fit.
 */
export interface Request {
  tokens: readonly string[];
  /**
   * A second text, where keys and values come from (cross-attention); left out = `tokens` itself.
   * Masks count both texts from 0: causal lets query i look at keys 0 … i.
   */
  keyTokens?: readonly string[] | undefined;
  maskEdits?: readonly MaskEdit[] | undefined;
  /** Applied one after another, on top of random and given numbers alike. */
  edits?: readonly Edit[] | undefined;
  /** Used in place of random numbers; whatever is not given stays random. Row-major. */
  given?: Partial<Record<GivenId, Float32Array>> | undefined;
}

export interface StageInfo {
  id: string;
  label: string;
  /** As in the formula of the next stage. */
  symbol: string;
  formula: string;
  /** Names of the extents, outermost first. */
  axes: string[];
}

export interface ParameterInfo {
  id: string;
  axes: string[];
}

export interface Limits {
  max_tokens: number;
  max_d_model: number;
  /** Of heads × d_k, and of heads × d_v. */
  max_width: number;
  max_trace_bytes: number;
  max_abs_scale_factor: number;
  /** These when not 0, as for the temperature. */
  min_softcap: number;
  max_softcap: number;
  min_temperature: number;
  max_temperature: number;
  max_dropout: number;
  max_seed: number;
}

export interface Schema {
  stages: StageInfo[];
  parameters: ParameterInfo[];
  masks: string[];
  scales: string[];
  positions: string[];
  ties: string[];
  limits: Limits;
  arch: string;
}

/** T query tokens, S key tokens, D d_model, H heads, H_kv key heads, r value_rank (0 = full). */
export interface Shape {
  T: number;
  S: number;
  D: number;
  H: number;
  H_kv: number;
  d_k: number;
  d_v: number;
  r: number;
}

export interface Cell {
  head: number;
  query: number;
  key: number;
}

/** How one cell came about, in the engine's own float32; see `CellArithmetic` in session.h. */
export interface CellArithmetic {
  query_row: Float32Array;
  key_row: Float32Array;
  products: Float32Array;
  partial_sums: Float32Array;
  score: number;
  factor: number;
  scaled_score: number;
  allowed: boolean;
  masked_score: number;
  row_max: number;
  exps: Float32Array;
  exp_sum: number;
  weight: number;
}

/** One number where it stands: `array[index] === value`, by its bits. */
export interface Operand {
  array: ArrayId;
  /** Flat, row-major. */
  index: number;
  value: number;
}

export interface Term {
  left: Operand;
  /** Left out where the rule works on one number. */
  right?: Operand;
  /** What this term brings, e.g. left × right. */
  product: number;
  /** After this term, in the order the kernels add. */
  partial_sum: number;
}

/**
 * How one number came about. The last `partial_sum`, plus `bias`, is `result`, for every rule that adds;
 * what else is in it stands in `constants` by name. `explanation.h` says what each rule computes.
 */
export interface Explanation {
  rule:
    | 'draw' | 'given' | 'edit' | 'zero' | 'sinusoid' | 'angle' | 'slope' | 'copy' | 'add' | 'dot' | 'rotate'
    | 'scale' | 'cap' | 'mask' | 'softmax' | 'arg-max' | 'drop';
  terms: Term[];
  bias?: Operand;
  constants: Record<string, number>;
  result: number;
}

/** How two vectors compare; the cosine is 0 when either is 0. */
export interface Comparison {
  dot: number;
  norm_a: number;
  norm_b: number;
  cosine: number;
}

/** Of one head, per query row. */
export interface RowMeasures {
  /** −Σ w·log2 w, in bits: 0 = one key takes all, log2 n = n keys share alike. */
  entropy: Float32Array;
  largest: Float32Array;
  /** Where the largest weight stands (the first of equals); −1 in a row without weight. */
  largestKey: Int32Array;
}

/** The last run. Views are copies; reading an older trace throws. */
export interface Trace {
  readonly tokens: readonly string[];
  /** Equal to `tokens` in self-attention. */
  readonly keyTokens: readonly string[];
  readonly settings: Settings;
  readonly shape: Shape;
  /** scaled_scores = scores × factor */
  readonly factor: number;
  /** Whether this run has such a stage or parameter. */
  present(id: ArrayId): boolean;
  /** The extents of a stage or parameter, outermost first: [H, T, S] for 'weights'; [] when not present. */
  extents(id: ArrayId): readonly number[];
  /** Row-major; the same array on each call. Empty for texts and for what is not present. */
  stage(id: StageId): Float32Array;
  /** One head's part of a stage that begins with H or H_kv; the same array on each call. */
  head(id: StageId, head: number): Float32Array;
  /** As used in this run, edits included; the same array on each call. */
  parameter(id: ParameterId): Float32Array;
  /** How array[index] came about; operands lead on to the embeddings. */
  explain(id: ArrayId, index: number): Explanation;
  cell(at: Cell): CellArithmetic;
  /** weights[query, key] × value[key, :], [S, d_v]. */
  weightedValues(head: number, query: number): Float32Array;
  /** The sum of the weights of some queries, [S]. */
  summed(head: number, queries: readonly number[]): Float32Array;
  measures(head: number): RowMeasures;
}

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

function requireSimd(): void {
  if (typeof WebAssembly === 'object' && WebAssembly.validate(SIMD_PROBE)) return;
  throw new AttentionError(
    'no_simd',
    'This browser has no WebAssembly SIMD, which the engine needs. Open the page in Chrome 91, Firefox 89, Safari 16.4 or newer.',
  );
}

async function instantiate(coreSrc?: string, wasmBinary?: Uint8Array): Promise<MainModule> {
  requireSimd();
  try {
    return await createModule({
      ...(coreSrc && { locateFile: () => coreSrc }),
      ...(wasmBinary && { wasmBinary }),
    });
  } catch (cause) {
    throw new AttentionError(
      'core_unavailable',
      "The engine could not be started. attention.wasm must lie beside the script (or at core-src), and the page's content security policy must allow 'wasm-unsafe-eval'.",
      { cause },
    );
  }
}

export class Engine {
  static readonly #loading = new Map<string, Promise<Engine>>();

  readonly schema: Schema;
  readonly #module: MainModule;

  private constructor(module: MainModule) {
    this.#module = module;
    this.schema = module.schema() as Schema;
  }

  /**
   * One shared instance for each place the module is loaded from; a failed load may be tried again.
   * @param coreSrc where attention.wasm lies, when not beside the script
   * @param wasmBinary its bytes, where there is nothing to fetch from (Node)
   */
  static load(coreSrc = '', wasmBinary?: Uint8Array): Promise<Engine> {
    let loading = Engine.#loading.get(coreSrc);
    if (!loading) {
      loading = instantiate(coreSrc, wasmBinary).then((module) => new Engine(module));
      loading.catch(() => Engine.#loading.delete(coreSrc));
      Engine.#loading.set(coreSrc, loading);
    }
    return loading;
  }

  /** The nearest valid settings, with a sentence for each change made. */
  clamp(wanted: WantedSettings): { settings: Settings; notices: string[] } {
    return this.#module.clamp(wanted) as { settings: Settings; notices: string[] };
  }

  session(): Session {
    const arrays = [...this.schema.stages, ...this.schema.parameters].map(({ id }) => id as ArrayId);
    return new Session(new this.#module.Session(), arrays);
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
  readonly #handle: SessionHandle;
  readonly #arrays: readonly ArrayId[];
  #current: object | undefined;

  constructor(handle: SessionHandle, arrays: readonly ArrayId[]) {
    this.#handle = handle;
    this.#arrays = arrays;
  }

  /** @throws AttentionError; the trace before is gone then, too. */
  run(wanted: Request | readonly string[], settings: Settings): Trace {
    const request: Request = 'tokens' in wanted ? wanted : { tokens: wanted };
    this.#current = undefined;
    throwIfError(this.#handle.run(flatten(request), settings) as ErrorValue);
    const trace = this.#trace(request, { ...settings });
    this.#current = trace;
    return trace;
  }

  free(): void {
    this.#current = undefined;
    this.#handle.delete();
  }

  #trace({ tokens, keyTokens = tokens }: Request, settings: Settings): Trace {
    const handle = this.#handle;
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
      const read = [...handle.extents(id)];
      extents.set(id, read);
      return read;
    };
    const explain = (id: ArrayId, index: number): Explanation => {
      requireCurrent();
      const flat = handle.explain(id, index) as FlatExplanation;
      throwIfError(flat.error);
      return unpack(flat, this.#arrays);
    };
    const shape = handle.shape() as Shape;
    const trace: Trace = {
      tokens: [...tokens],
      keyTokens: [...keyTokens],
      settings,
      shape,
      factor: handle.factor(),
      present: (id) => extentsOf(id).length > 0,
      extents: extentsOf,
      stage: (id) => once(id, () => handle.stage(id)),
      head: (id, head) => once(`${id} ${head}`, () => handle.head(id, head)),
      parameter: (id) => once(`parameter ${id}`, () => handle.parameter(id)),
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
        return handle.weightedValues(head, query);
      },
      summed: (head, queries) => {
        requireCurrent();
        return handle.summed(head, Float32Array.from(queries));
      },
      measures: (head) => {
        requireCurrent();
        return handle.measures(head) as RowMeasures;
      },
    };
    return trace;
  }
}
