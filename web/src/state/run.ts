// One figure's run: takes settings and tokens, gives a result or a sentence on what is wrong, and estimates its duration.
import { msg, str } from '@lit/localize';
import { percentOf } from '../lib/format.ts';
import { type Clamped, type Comparison, Engine, type Schema, type Session, type Settings, type Trace } from '../engine/engine.ts';
import { AttentionError } from '../engine/error.ts';
import type { Soon } from '../lib/answers.ts';
import { type Token, engineKey } from '../engine/tokens.ts';
import { fitting } from '../parameters/given.ts';
import { Designer, LanguageModels, type Source } from '../parameters/sources.ts';
import { type Outcome, type Picture, makePicture } from './result.ts';
import type { State } from './state.ts';

/** A state that was kept, to compare with. */
export interface Kept {
  readonly state: State;
  readonly picture: Picture;
  free(): void;
}

/** The words of a state; `keyTokens` is null without a second sentence. */
interface Cut { readonly tokens: readonly Token[]; readonly keyTokens: readonly Token[] | null }

/** What a run still has to wait for. */
export interface Missing {
  /** Null if it is not worth a message. */
  waiting: ((share: number) => string) | null;
  load(progress: (share: number) => void): Promise<void>;
}

/** A run expected to take longer lets the keystroke paint first. */
const PATIENCE_MS = 60;

export class Calculation {
  #engine: Engine | null = null;
  /** More than one if a picture stays in use while the next one is computed. */
  #sessions: Session[] = [];
  readonly designer = new Designer();
  readonly models = new LanguageModels();
  readonly #pace = new Pace();

  /** Null when the engine is there, or why it is not. */
  async load(coreSrc: string): Promise<Extract<Outcome, { kind: 'failed' }> | null> {
    try {
      this.#engine = await Engine.load(coreSrc);
      return null;
    } catch (error) {
      return problem('failed', error);
    }
  }

  /** Names and axes of the stages; empty until the engine is loaded. */
  get stages(): Schema['stages'] {
    return this.#engine?.schema.stages ?? [];
  }

  get loaded(): boolean {
    return this.#engine !== null;
  }

  /** Null if everything that these parameters need for these words is loaded. */
  missing({ source, replay }: Pick<State, 'source' | 'replay'>, { tokens, keyTokens }: Cut): Missing | null {
    const words = source === 'designed' ? [...tokens, ...(keyTokens ?? [])].map(engineKey) : [];
    if (source === 'designed' && !this.designer.knows(words)) {
      return { waiting: () => msg('Loading the list of words that designed heads know…'), load: () => this.designer.load(words) };
    }
    if (source === 'trained' && !this.models.of(source)) {
      return { waiting: (share) => msg(str`Loading the trained model: ${percentOf(share)}…`), load: (progress) => this.models.load(progress) };
    }
    if (source === 'trained-here' && replay && !this.models.isHere(replay)) {
      return { waiting: (share) => msg(str`Training the model again: ${percentOf(share)}…`), load: (progress) => this.models.replay(replay, progress) };
    }
    return null;
  }

  clamp(wanted: Settings, source: Source): Clamped {
    return this.#engine?.clamp(wanted, this.models.of(source) !== null) ?? { settings: wanted, notices: [] };
  }

  isLong(queries: number, keys: number, settings: Settings): boolean {
    return this.#pace.expects(work(queries, keys, settings)) > PATIENCE_MS;
  }

  /** Of a text that a worker reads the outcome comes later; `shown` stays whole until then. `keyTokens` is null without a second sentence. */
  run(state: State, tokens: readonly Token[], keyTokens: readonly Token[] | null, shown: Trace | undefined, dropped: AbortSignal): Soon<Outcome> {
    if (!this.#engine) return { kind: 'loading' };
    if (tokens.length === 0) return { kind: 'empty', which: 'text' };
    if (keyTokens?.length === 0) return { kind: 'empty', which: 'keyText' };
    const began = performance.now();
    const isAway = this.isAway(state);
    return settle(() => this.#picture(this.#sessions, state, tokens, keyTokens, shown, dropped), (picture): Outcome => {
      if (!isAway) this.#pace.learn(work(tokens.length, picture.keyTokens.length, state.settings), performance.now() - began);
      return { kind: 'ready', picture };
    }, (error) => problem('refused', error));
  }

  /** Whether a worker reads the text. */
  isAway({ source }: State): boolean {
    const reader = this.models.of(source);
    return reader !== null && 'model' in reader && reader.model.isAway;
  }

  /** The same run once more, in a session of its own: it stays while the reader changes things. Free it. */
  keep(state: State, tokens: readonly Token[], keyTokens: readonly Token[] | null): Soon<Kept | null> {
    if (tokens.length === 0 || keyTokens?.length === 0) return null;
    const needed = state.source === 'designed' ? this.missing(state, { tokens, keyTokens }) : null;
    if (needed) return needed.load(() => {}).then(() => this.keep(state, tokens, keyTokens), () => null);
    const session = this.#engine?.session();
    if (!session) return null;
    const free = () => session.free();
    return settle(() => this.#picture([session], state, tokens, keyTokens), (picture): Kept | null => ({ state, picture, free }), () => (free(), null));
  }

  /** Edits of numbers that do not exist now are kept until they do, and so are matrices that do not fit. */
  #picture(sessions: Session[], state: State, tokens: readonly Token[], keyTokens: readonly Token[] | null, shown?: Trace, dropped?: AbortSignal): Soon<Picture> {
    const open = () => (this.#engine as Engine).session();
    const { maskEdits, edits, source, settings } = state;
    const reader = this.models.of(source);
    if (reader && 'attention' in reader) {
      const ready = reader.read(tokens, keyTokens, state.layer - 1);
      return makePicture({ ...state, maskEdits: [] }, tokens, keyTokens ?? tokens, ready.trace, { ready });
    }
    if (reader) return reader.walk(tokens, keyTokens, state, { sessions, open, shown, dropped }, (trace, reading) => makePicture(state, tokens, tokens, trace, { reading }));
    const [asking, answering] = [tokens.map(engineKey), keyTokens?.map(engineKey)];
    const design = source === 'designed' ? this.designer.design(asking, answering ?? null) : null;
    const sizes = { settings, T: asking.length, S: (answering ?? asking).length };
    const given = source === 'yours' && state.given ? fitting(state.given, sizes, answering !== undefined).fits : design?.given;
    const trace = (sessions[0] ??= open()).run({ tokens: asking, keyTokens: answering, maskEdits, edits, given }, settings);
    return makePicture(state, tokens, keyTokens ?? tokens, trace, { designed: design?.designed ?? null });
  }

  compare(a: Float32Array, b: Float32Array): Comparison | null {
    return this.#engine?.compare(a, b) ?? null;
  }

  subtract(a: Float32Array, b: Float32Array): Float32Array {
    return this.#engine?.subtract(a, b) ?? new Float32Array();
  }

  free(): void {
    this.models.free();
    this.#sessions.forEach((session) => session.free());
    this.#sessions = [];
  }
}

/** A result that is there at once is used at once. */
export function settle<Made, Used>(make: () => Soon<Made>, use: (made: Made) => Used, fail: (error: unknown) => Used): Soon<Used> {
  try {
    const made = make();
    return made instanceof Promise ? made.then(use).catch(fail) : use(made);
  } catch (error) {
    return fail(error);
  }
}

function work(queries: number, keys: number, { d_model, num_heads }: Settings): number {
  return (queries + keys) * 2 * d_model * d_model + 2 * queries * keys * d_model + 20 * queries * keys * num_heads;
}

/** The sentence is made when it is read, in the language of that moment. */
function problem<Kind extends 'failed' | 'refused'>(kind: Kind, error: unknown): { kind: Kind; code: string; readonly message: string } {
  if (error instanceof AttentionError) return { kind, code: error.code, get message() { return error.message; } };
  const reason = error instanceof Error ? error.message : String(error);
  return { kind, code: 'unexpected', message: msg(str`The engine stopped unexpectedly (${reason}). Reload the page to start it again.`) };
}

// Estimates how long a run will take from the runs before it.

/** In multiply-adds. Shorter runs measure the clock rather than the processor. */
const ENOUGH_WORK = 1e6;
const ENOUGH_MS = 5;

export class Pace {
  /** Multiply-adds a millisecond. */
  #speed = 1e6;

  /** @returns milliseconds */
  expects(work: number): number {
    return work / this.#speed;
  }

  learn(work: number, took: number): void {
    const speed = work / Math.max(took, 1);
    // A short run can only raise the estimate of speed: one interruption would make it look slow.
    this.#speed = work > ENOUGH_WORK && took > ENOUGH_MS ? speed : Math.max(this.#speed, speed);
  }
}
