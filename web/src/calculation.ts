// One figure's calculation: settings and tokens go in, a picture or one sentence on what is wrong comes out.
import { msg, str } from '@lit/localize';
import { AttentionError } from './attention-error.ts';
import type { Comparison, Engine, Schema, Session, Settings } from './engine.ts';
import { Designer } from './designer.ts';
import type { FirstEngine, FirstSession } from './first-engine.ts';
import { LanguageModels } from './language-models.ts';
import { fitting } from './given.ts';
import type { Reading } from './model-reader.ts';
import type { Wanted } from './model.ts';
import { Pace } from './pace.ts';
import { type Picture, makePicture } from './picture.ts';
import { startEngine, wholeEngine } from './start-engine.ts';
import { type Token, engineKey } from './tokenize.ts';

export type Outcome =
  | { kind: 'loading' }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'empty'; which: 'text' | 'keyText' }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'ready'; picture: Picture };

/** A state that was kept, to compare with. */
export interface Kept {
  readonly wanted: Wanted;
  readonly picture: Picture;
  free(): void;
}

/** What a run needs and is not there yet. */
export interface Missing {
  /** Null where it is not worth a word. */
  waiting: ((share: number) => string) | null;
  load(progress: (share: number) => void): Promise<void>;
}

/** A run expected to take longer lets the keystroke paint first. */
const PATIENCE_MS = 60;

export class Calculation {
  #engine: Engine | FirstEngine | null = null;
  #coreSrc = '';
  #session: Session | FirstSession | null = null;
  /** Whether the session is the whole engine's. */
  #isWhole = false;
  readonly designer = new Designer();
  readonly models = new LanguageModels();
  readonly #pace = new Pace();

  /** Null when the engine is there, or why it is not. */
  async load(coreSrc: string): Promise<Extract<Outcome, { kind: 'failed' }> | null> {
    try {
      this.#coreSrc = coreSrc;
      this.#engine = await startEngine(coreSrc);
      return null;
    } catch (error) {
      return { kind: 'failed', ...inWords(error) };
    }
  }

  /** Brings all that the engine can do; later runs are by it. @throws AttentionError */
  async complete(): Promise<void> {
    if (this.#whole) return;
    try {
      await wholeEngine(this.#coreSrc);
    } catch (cause) {
      if (cause instanceof AttentionError) throw cause;
      throw new AttentionError('engine_incomplete', msg('The rest of the engine could not be loaded from beside the script. Connect again, and change anything to try once more.'), { cause });
    }
  }

  get #whole(): Engine | null {
    return this.#engine?.whole ?? null;
  }

  /** What the stages are called, and what their axes are; empty until the engine is complete. */
  get stages(): Schema['stages'] {
    return this.#whole?.schema.stages ?? [];
  }

  get loaded(): boolean {
    return this.#engine !== null;
  }

  /** Null when everything is there. Designs and models are given numbers, which only the complete engine takes. */
  missing(source: Wanted['source']): Missing | null {
    const isWhole = this.#whole !== null;
    if (source === 'designed' && !(isWhole && this.designer.ready)) {
      return { waiting: () => msg('Loading the list of words that designed heads know…'), load: () => this.#alongside(this.designer.load()) };
    }
    if (source === 'trained' && !(isWhole && this.models.of(source))) {
      return { waiting: (share) => msg(str`Loading the trained model: ${Math.round(100 * share)} %…`), load: (progress) => this.#alongside(this.models.load(progress)) };
    }
    return null;
  }

  /** Where both fail, what the parameters lack is said. */
  async #alongside(parameters: Promise<unknown>): Promise<void> {
    const engine = this.complete();
    engine.catch(() => {});
    await parameters;
    await engine;
  }

  /** What a run waits for that only the complete engine does. */
  readonly completion: Missing = { waiting: null, load: () => this.complete() };

  /** As it is wanted while the engine is not complete: one that does less refuses what breaks a rule. */
  clamp(wanted: Settings): { settings: Settings; notices: string[] } {
    return this.#whole?.clamp(wanted) ?? { settings: wanted, notices: [] };
  }

  /** The same for all that is wanted: designs and models decide their own sizes. */
  settle({ settings, source }: Wanted): { settings: Settings; notices: string[] } {
    return this.clamp({ ...settings, ...(source === 'designed' ? this.designer.sizes() : this.models.of(source)?.sizes) });
  }

  isLong(queries: number, keys: number, settings: Settings): boolean {
    return this.#pace.expects(work(queries, keys, settings)) > PATIENCE_MS;
  }

  /** `keyTokens` is null without a second sentence. Null for what only the complete engine does, which is missing now. */
  run(wanted: Wanted, tokens: readonly Token[], keyTokens: readonly Token[] | null): Outcome | null {
    if (!this.#engine) return { kind: 'loading' };
    if (tokens.length === 0) return { kind: 'empty', which: 'text' };
    if (keyTokens?.length === 0) return { kind: 'empty', which: 'keyText' };
    const began = performance.now();
    try {
      const picture = this.#picture(this.#newest(this.#engine), wanted, tokens, keyTokens);
      this.#pace.learn(work(tokens.length, picture.keyTokens.length, wanted.settings), performance.now() - began);
      return { kind: 'ready', picture };
    } catch (error) {
      const isForWhole = error instanceof AttentionError && error.code === 'whole_engine';
      return isForWhole ? null : { kind: 'refused', ...inWords(error) };
    }
  }

  /** The session, of the whole engine from when that is there. */
  #newest(engine: Engine | FirstEngine): Session | FirstSession {
    if (this.#session && this.#isWhole === (engine.whole !== null)) return this.#session;
    this.#session?.free();
    this.#isWhole = engine.whole !== null;
    return (this.#session = this.#open(engine));
  }

  #open(engine = this.#engine as Engine | FirstEngine): Session | FirstSession {
    return (engine.whole ?? engine).session();
  }

  /** The same run once more, in a session of its own: it stays while the reader changes things. Free it. */
  keep(wanted: Wanted, tokens: readonly Token[], keyTokens: readonly Token[] | null): Kept | null {
    if (tokens.length === 0 || keyTokens?.length === 0) return null;
    const session = this.#whole?.session();
    if (!session) return null;
    try {
      return { wanted, picture: this.#picture(session, wanted, tokens, keyTokens), free: () => session.free() };
    } catch {
      session.free();
      return null;
    }
  }

  /** Edits of what is not there wait until it is again, and so do matrices that do not fit. */
  #picture(session: Session | FirstSession, wanted: Wanted, tokens: readonly Token[], keyTokens: readonly Token[] | null): Picture {
    const { maskEdits, edits, source, settings } = wanted;
    const reader = this.models.of(source);
    if (reader) return this.#read(session, reader.read(tokens, wanted, () => this.#open()), wanted, tokens, keyTokens);
    const [asking, answering] = [tokens.map(engineKey), keyTokens?.map(engineKey)];
    const design = source === 'designed' ? this.designer.design(asking, answering ?? null) : null;
    const sizes = { settings, T: asking.length, S: (answering ?? asking).length };
    const given = source === 'yours' && wanted.given ? fitting(wanted.given, sizes, answering !== undefined).fits : design?.given;
    const trace = session.run({ tokens: asking, keyTokens: answering, maskEdits, edits, given }, settings);
    return makePicture(wanted, tokens, keyTokens ?? tokens, trace, { designed: design?.designed ?? null });
  }

  /** One layer of a language model, walked through like any other. */
  #read(session: Session | FirstSession, reading: Reading, wanted: Wanted, tokens: readonly Token[], keyTokens: readonly Token[] | null): Picture {
    if (keyTokens) throw new AttentionError('one_sentence', msg('A language model reads one sentence. Remove the second, or choose other parameters.'));
    const { maskEdits, edits, settings } = wanted;
    const trace = session.run({ tokens: tokens.map(engineKey), maskEdits, edits, given: reading.given }, { ...settings, ...reading.settings });
    reading.settle(trace);
    return makePicture(wanted, tokens, tokens, trace, { reading });
  }

  compare(a: Float32Array, b: Float32Array): Comparison | null {
    return this.#whole?.compare(a, b) ?? null;
  }

  subtract(a: Float32Array, b: Float32Array): Float32Array {
    return this.#whole?.subtract(a, b) ?? new Float32Array();
  }

  free(): void {
    this.models.free();
    this.#session?.free();
    this.#session = null;
  }
}

function work(queries: number, keys: number, { d_model, num_heads }: Settings): number {
  return (queries + keys) * 2 * d_model * d_model + 2 * queries * keys * d_model + 20 * queries * keys * num_heads;
}

function inWords(error: unknown): { code: string; message: string } {
  if (error instanceof AttentionError) return { code: error.code, message: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'unexpected', message: msg(str`The engine stopped unexpectedly (${reason}). Reload the page to start it again.`) };
}
