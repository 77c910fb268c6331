// The small engine that a script of one file carries for its first figure: the only importer of its module. Its numbers are
// the whole engine's, bit for bit. What it does not do (numbers set by hand, settings that break a rule, how a number came
// about) the whole one does, which comes after the first figure.
import create, { type MainModule } from '../../build/wasm/bindings/attention_first.mjs';
import { AttentionError } from './attention-error.ts';
import type { Engine, Session } from './engine.ts';
import type { ArrayId, Request, Settings, Shape, Trace } from './engine-types.ts';
import { inflate } from './inflate.ts';
import { started } from './starting.ts';
import { type LastRun, traceOf } from './trace.ts';
import { version } from './version.ts';

/** Its bytes, which the build puts beside this. */
declare const FIRST: string;

// As bindings/first_figure.cpp reads them.
const NUMBERS = [
  'd_model', 'num_heads', 'num_kv_heads', 'd_k', 'd_v', 'window_left', 'window_right', 'scale_factor', 'softcap', 'temperature',
  'value_rank', 'dropout', 'dropout_seed', 'seed', 'biases', 'out_proj', 'residual',
] as const satisfies readonly (keyof Settings)[];
const WORDS = ['mask', 'scale', 'positions', 'tie'] as const satisfies readonly (keyof Settings)[];
const SHAPE = ['T', 'S', 'D', 'H', 'H_kv', 'd_k', 'd_v', 'r'] as const satisfies readonly (keyof Shape)[];

/** What is not for it: the whole engine does it, or says why not. */
export class NotHere extends AttentionError {
  constructor() {
    super('whole_engine', 'The whole engine, which this needs, is on its way. Try again.');
  }
}

interface Shared { first: Promise<FirstEngine> | null; whole: Engine | null }
/** Several copies of one script on a page share what they load. */
const SHARED = Symbol.for(`attention-playground/first-engine@${version}`);
const shared = ((globalThis as Record<symbol, unknown>)[SHARED] ??= { first: null, whole: null }) as Shared;

export async function wholeEngine(coreSrc: string): Promise<Engine> {
  const { Engine } = await import('./engine.ts');
  const engine = await Engine.load(coreSrc);
  // The first one goes with the last figure that began with it.
  if (coreSrc === '') Object.assign(shared, { first: null, whole: engine });
  return engine;
}

/** The whole one where it is there already, or lies where an author says. */
export async function startEngine(coreSrc: string): Promise<Engine | FirstEngine> {
  return coreSrc === '' ? shared.whole ?? FirstEngine.load() : wholeEngine(coreSrc);
}

export class FirstEngine {
  readonly #module: MainModule;

  private constructor(module: MainModule) {
    this.#module = module;
  }

  /** @param bytes of attention_first.wasm, where no script carries them (Node) */
  static load(bytes?: BufferSource): Promise<FirstEngine> {
    shared.first ??= started(async () => WebAssembly.compile(bytes ?? await inflate(FIRST)), create).then((module) => new FirstEngine(module));
    shared.first.catch(() => { shared.first = null; });
    return shared.first;
  }

  /** Null until it has come. */
  get whole(): Engine | null {
    return shared.whole;
  }

  session(): FirstSession {
    return new FirstSession(this.#module);
  }
}

/** Owns the trace of one figure. Call free() when the figure goes. */
export class FirstSession {
  readonly #module: MainModule;
  /** The small engine's own, of the last run; 0 where there is none. */
  #handle = 0;
  #current: Trace | undefined;
  /** The same run in the whole engine, for what is asked of it there. */
  #behind: Session | null = null;

  constructor(module: MainModule) {
    this.#module = module;
  }

  /** @throws NotHere; the trace before is there still: it is what is shown until the whole engine has come. */
  run(request: Request, settings: Settings): Trace {
    if (isChanged(request)) throw new NotHere();
    const handle = this.#module._open_session();
    if (this.#compute(handle, request, settings) !== 0) {
      this.#module._close_session(handle);
      throw new NotHere();
    }
    this.free();
    this.#handle = handle;
    return (this.#current = traceOf(request, settings, this.#lastRun(request, settings), (trace) => trace === this.#current));
  }

  free(): void {
    this.#current = undefined;
    this.#behind?.free();
    this.#behind = null;
    if (this.#handle !== 0) this.#module._close_session(this.#handle);
    this.#handle = 0;
  }

  /** Memory to write to; the next call may move it. */
  #room(bytes: number): { memory: ArrayBuffer; at: number } {
    const at = this.#module._room_for(bytes);
    return { memory: this.#module.wasmMemory.buffer, at };
  }

  #compute(handle: number, { tokens, keyTokens }: Request, settings: Settings): number {
    const encoder = new TextEncoder();
    const texts = [...WORDS.map((name) => settings[name]), ...tokens, ...(keyTokens ?? [])].map((text) => encoder.encode(text));
    const [numbers, lengths] = [8 * NUMBERS.length, 4 * texts.length];
    const { memory, at } = this.#room(numbers + lengths + texts.reduce((sum, { length }) => sum + length, 0));
    new Float64Array(memory, at).set(NUMBERS.map((name) => Number(settings[name])));
    new Uint32Array(memory, at + numbers).set(texts.map(({ length }) => length));
    const bytes = new Uint8Array(memory);
    texts.reduce((place, text) => {
      bytes.set(text, place);
      return place + text.length;
    }, at + numbers + lengths);
    return this.#module._run(handle, tokens.length, keyTokens?.length ?? -1);
  }

  #find(id: ArrayId): { address: number; extents: readonly number[] } {
    const { memory, at } = this.#room(id.length + 1);
    new TextEncoder().encodeInto(`${id}\0`, new Uint8Array(memory, at));
    const found = this.#module._find(this.#handle);
    const [address = 0, ...extents] = found === 0 ? [] : new Uint32Array(this.#module.wasmMemory.buffer, found, 4);
    return { address, extents: extents.filter((extent) => extent > 0) };
  }

  #copy(address: number, count: number): Float32Array {
    return address === 0 ? new Float32Array() : new Float32Array(this.#module.wasmMemory.buffer, address, count).slice();
  }

  #lastRun(request: Request, settings: Settings): LastRun {
    const [module, handle] = [this.#module, this.#handle];
    // Copied: memory that grows leaves views of it empty.
    const sizes = new Uint32Array(module.wasmMemory.buffer, module._shape(handle), SHAPE.length).slice();
    let known: Trace | null = null;
    const behind = (): Trace => {
      if (!shared.whole) {
        void wholeEngine('').catch(() => {});
        throw new NotHere();
      }
      return (known ??= (this.#behind ??= shared.whole.session()).run(request, settings));
    };
    return {
      shape: Object.fromEntries(SHAPE.map((name, i) => [name, sizes[i]])) as unknown as Shape,
      factor: module._factor(handle),
      extents: (id) => this.#find(id).extents,
      stage: (id) => {
        const { address, extents } = this.#find(id);
        return this.#copy(address, product(extents));
      },
      head: (id, head) => {
        const { address, extents: [heads = 0, ...rest] } = this.#find(id);
        const count = product(rest);
        return this.#copy(rest.length === 2 && head >= 0 && head < heads ? address + 4 * head * count : 0, count);
      },
      summed: (head, queries) => {
        const { memory, at } = this.#room(4 * queries.length);
        new Int32Array(memory, at).set(queries);
        return this.#copy(module._summed(handle, head, queries.length), sizes[1] ?? 0);
      },
      explain: (id, index) => behind().explain(id, index),
      cell: (at) => behind().cell(at),
      parameter: (id) => behind().parameter(id),
      weightedValues: (head, query) => behind().weightedValues(head, query),
      measures: (head) => behind().measures(head),
    };
  }
}

const product = (extents: readonly number[]): number => extents.reduce((all, extent) => all * extent, 1);

/** Whether numbers or cells are set by hand, or brought along. */
const isChanged = ({ maskEdits = [], edits = [], given = {} }: Request): boolean => maskEdits.length > 0 || edits.length > 0 || Object.values(given).some(Boolean);
