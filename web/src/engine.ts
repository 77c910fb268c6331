// The only importer of the WebAssembly module: owns its instance and its handles, and turns the
// core's error values into exceptions. Nothing else sees a heap, a handle or delete().
import createModule, {
  type MainModule,
  type Session as SessionHandle,
  type WantedSettings,
} from '../../build/wasm/bindings/attention.mjs';
import { AttentionError, throwIfError } from './attention-error.ts';

export { AttentionError };

export type StageId =
  | 'tokens' | 'content' | 'position' | 'embeddings' | 'query' | 'key' | 'value' | 'scores'
  | 'scaled_scores' | 'masked_scores' | 'weights' | 'context' | 'concat' | 'output' | 'residual';

export interface Settings extends WantedSettings {
  mask: 'none' | 'causal';
  scale: 'sqrt-dk' | 'none' | 'factor';
  positions: 'none' | 'sinusoidal';
}

export type Schema = ReturnType<MainModule['schema']>;
export type StageInfo = Schema['stages'][number];
export type Limits = Schema['limits'];
export type Shape = ReturnType<SessionHandle['shape']>;

export interface Cell {
  head: number;
  query: number;
  key: number;
}

/** How one cell came about, in the engine's own float32; see `CellArithmetic` in session.h. */
export type CellArithmetic = Omit<ReturnType<SessionHandle['cell']>, 'error'>;

/** The last run. Views are copies; reading an older trace throws. */
export interface Trace {
  readonly tokens: readonly string[];
  readonly settings: Settings;
  readonly shape: Shape;
  /** scaled_scores = scores × factor */
  readonly factor: number;
  /** Row-major, shape by the schema's axes; the same array on each call. Empty for 'tokens'. */
  stage(id: StageId): Float32Array;
  cell(at: Cell): CellArithmetic;
  /** weights[query, key] × value[key, :], [S, d_v]. */
  weightedValues(head: number, query: number): Float32Array;
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
    this.schema = module.schema();
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
    const { settings, notices } = this.#module.clamp(wanted);
    return { settings: settings as Settings, notices };
  }

  session(): Session {
    return new Session(new this.#module.Session());
  }
}

/** Owns the parameters and the trace of one figure. Call free() when the figure goes. */
export class Session {
  readonly #handle: SessionHandle;
  #current: object | undefined;

  constructor(handle: SessionHandle) {
    this.#handle = handle;
  }

  /** @throws AttentionError; the trace before is gone then, too. */
  run(tokens: readonly string[], settings: Settings): Trace {
    this.#current = undefined;
    throwIfError(this.#handle.run(tokens, settings));
    const trace = this.#trace([...tokens], { ...settings });
    this.#current = trace;
    return trace;
  }

  free(): void {
    this.#current = undefined;
    this.#handle.delete();
  }

  #trace(tokens: string[], settings: Settings): Trace {
    const handle = this.#handle;
    const copies = new Map<StageId, Float32Array>();
    const requireCurrent = () => {
      if (this.#current !== trace) {
        throw new AttentionError('stale_trace', 'This trace was replaced by a newer run. Use the newest one.');
      }
    };
    const trace: Trace = {
      tokens,
      settings,
      shape: handle.shape(),
      factor: handle.factor(),
      stage: (id) => {
        let copy = copies.get(id);
        if (!copy) {
          requireCurrent();
          copy = handle.stage(id);
          copies.set(id, copy);
        }
        return copy;
      },
      cell: ({ head, query, key }) => {
        requireCurrent();
        const { error, ...arithmetic } = handle.cell(head, query, key);
        throwIfError(error);
        return arithmetic;
      },
      weightedValues: (head, query) => {
        requireCurrent();
        return handle.weightedValues(head, query);
      },
    };
    return trace;
  }
}
