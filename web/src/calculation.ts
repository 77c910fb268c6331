// One figure's calculation: settings and tokens go in, a picture or one sentence on what is wrong comes out.
import { AttentionError, Engine, type Request, type Schema, type Session, type Settings } from './engine.ts';
import type { Wanted } from './model.ts';
import { type Picture, makePicture } from './picture.ts';
import { type Token, engineKey } from './tokenize.ts';

export type Outcome =
  | { kind: 'loading' }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'empty' }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'ready'; picture: Picture };

/** A state that was kept, to compare with. */
export interface Kept {
  readonly wanted: Wanted;
  readonly picture: Picture;
  free(): void;
}

/** A run expected to take longer lets the keystroke paint first. */
const PATIENCE_MS = 60;

export class Calculation {
  #engine: Engine | null = null;
  #session: Session | null = null;
  /** Multiply-adds a millisecond, learnt from the last long run. */
  #speed = 1e6;

  /** Null when the engine is there, or why it is not. */
  async load(coreSrc: string): Promise<Extract<Outcome, { kind: 'failed' }> | null> {
    try {
      this.#engine = await Engine.load(coreSrc);
      return null;
    } catch (error) {
      return { kind: 'failed', ...inWords(error) };
    }
  }

  /** What the stages are called, and what their axes are. */
  get stages(): Schema['stages'] {
    return this.#engine?.schema.stages ?? [];
  }

  get loaded(): boolean {
    return this.#engine !== null;
  }

  clamp(wanted: Settings): { settings: Settings; notices: string[] } {
    return this.#engine?.clamp(wanted) ?? { settings: wanted, notices: [] };
  }

  isLong(queries: number, keys: number, settings: Settings): boolean {
    return work(queries, keys, settings) / this.#speed > PATIENCE_MS;
  }

  /** `keyTokens` is null without a second sentence. */
  run(wanted: Wanted, tokens: readonly Token[], keyTokens: readonly Token[] | null): Outcome {
    if (!this.#engine) return { kind: 'loading' };
    if (tokens.length === 0 || keyTokens?.length === 0) return { kind: 'empty' };
    const began = performance.now();
    try {
      this.#session ??= this.#engine.session();
      const trace = this.#session.run(makeRequest(wanted, tokens, keyTokens), wanted.settings);
      const picture = makePicture(wanted.text, tokens, keyTokens ?? tokens, trace);
      const took = performance.now() - began;
      if (took > 5) this.#speed = work(tokens.length, picture.keyTokens.length, wanted.settings) / took;
      return { kind: 'ready', picture };
    } catch (error) {
      return { kind: 'refused', ...inWords(error) };
    }
  }

  /** The same run once more, in a session of its own: it stays while the reader changes things. Free it. */
  keep(wanted: Wanted, tokens: readonly Token[], keyTokens: readonly Token[] | null): Kept | null {
    const session = this.#engine?.session();
    if (!session) return null;
    try {
      const trace = session.run(makeRequest(wanted, tokens, keyTokens), wanted.settings);
      return { wanted, picture: makePicture(wanted.text, tokens, keyTokens ?? tokens, trace), free: () => session.free() };
    } catch {
      session.free();
      return null;
    }
  }

  subtract(a: Float32Array, b: Float32Array): Float32Array {
    return this.#engine?.subtract(a, b) ?? new Float32Array();
  }

  free(): void {
    this.#session?.free();
    this.#session = null;
  }
}

/** What the engine is asked for. What lies outside these sentences waits until they grow again. */
function makeRequest({ maskEdits, edits, source, given }: Wanted, tokens: readonly Token[], keyTokens: readonly Token[] | null): Request {
  const keys = (keyTokens ?? tokens).length;
  return {
    tokens: tokens.map(engineKey),
    keyTokens: keyTokens?.map(engineKey),
    maskEdits: maskEdits.filter(({ query, key }) => query < tokens.length && key < keys),
    edits,
    given: source === 'yours' ? (given ?? undefined) : undefined,
  };
}

function work(queries: number, keys: number, { d_model, num_heads }: Settings): number {
  return (queries + keys) * 2 * d_model * d_model + 2 * queries * keys * d_model + 20 * queries * keys * num_heads;
}

function inWords(error: unknown): { code: string; message: string } {
  if (error instanceof AttentionError) return { code: error.code, message: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'unexpected', message: `The engine stopped unexpectedly (${reason}). Reload the page to start it again.` };
}
