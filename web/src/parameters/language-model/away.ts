// A model in a worker, so that the page is free while it reads. Its words are cut here; what takes longer is asked for.
import { Once, type Soon, after } from '../../lib/answers.ts';
import { type Asking, type Rests, asking, restForInput, restWord, workerAt } from '../../lib/ask-worker.ts';
import { language } from '../../lib/language.ts';
import { type AnyMeasures, type Attribution, type HeadFacts, type Followed, type Together, ofHead } from './head-measures.ts';
import type { Stages } from '../../engine/engine.ts';
import { type AnyModel, type Attended, AttentionError, type LayerChanges, type ModelFile, ModelWords, OF_ROWS, type WalkedLayer } from './language-model.ts';
import type { Beside, Progress } from './load.ts';
import { type AnyRun, type Draw, KeptRun, type LayerOutlook, type Manner, type Outlook, type Prediction, type RunNumbers } from './run.ts';
import type { VocabularyWord } from './tokens.ts';
import type { Opened, Problem, Read, RunName, Threads } from './worker.ts';

const WORKER = 'model-worker.js';

/** More wait for one another longer than they save. */
const MOST_THREADS = 8;
/** What may not be so where one thread reads alone; `unexpected` is whatever ended the worker. */
const OF_THREADS = new Set(['core_unavailable', 'not_isolated', 'too_large', 'out_of_memory', 'unexpected']);

/** Threads share memory, which browsers give to isolated pages alone. Of two that a processor counts, one is often but half a core. */
function threadsHere(): number {
  const { crossOriginIsolated, SharedArrayBuffer: shared, navigator: { hardwareConcurrency: counted = 1 } } = globalThis;
  return crossOriginIsolated && shared && counted > 1 ? Math.min(Math.max(2, Math.ceil(counted / 2)), MOST_THREADS) : 1;
}

/** Null where no worker can be had, or the operators cannot be started there. @throws AttentionError */
export async function openAway(file: ModelFile, beside: Beside, words: ModelWords, progress: Progress = () => {}, threads = threadsHere()): Promise<AnyModel | null> {
  const worker = await workerAt(new URL(WORKER, import.meta.url));
  if (!worker) return null;
  const asked = asking(worker, (problem) => {
    const { code, message } = problem as Problem;
    return new AttentionError(code ?? 'unexpected', message);
  });
  const given: Threads = { threads, resting: threads > 1 ? restWord() : null };
  const rests = given.resting && restForInput(given.resting);
  try {
    return new RemoteModel(asked, words, await asked.ask('open', [file, { config: beside.config, params: beside.params }, language(), given, words.separator], { told: (share) => progress(share as number) }) as Opened, rests);
  } catch (error) {
    rests?.end();
    ending(asked, threads);
    if (threads > 1 && OF_THREADS.has((error as AttentionError).code)) return openAway(file, beside, words, progress, 1);
    if ((error as AttentionError).code === 'core_unavailable') return null;
    throw error;
  }
}

const ending = (asked: Asking, threads: number): void =>
  asked.stop(new AttentionError('freed', 'This model was closed. Open it again.'), threads > 1 ? 'endThreads' : undefined);

class RemoteModel extends ModelWords implements AnyModel {
  readonly isAway = true;
  #runs = 0;
  /** The parameters of the layer that was walked last. */
  #walked: { layer: number; given: WalkedLayer['given'] } | null = null;

  constructor(private readonly asked: Asking, { configuration, heads, cutter }: ModelWords, private readonly opened: Opened, private readonly rests: Rests | null) {
    super(configuration, heads, cutter);
  }

  get threads(): number {
    return this.opened.threads;
  }

  get unread(): readonly string[] {
    return this.opened.unread;
  }

  get sizes(): WalkedLayer['settings'] {
    return this.opened.sizes;
  }

  async run(tokens: readonly number[], changes: readonly (LayerChanges | undefined)[] = [], dropped?: AbortSignal): Promise<RemoteRun> {
    const named: RunName = { id: (this.#runs += 1), tokens, changes };
    const ask = (call: string, ...args: unknown[]) => this.asked.ask(call, [named, ...args]);
    const { numbers, ...found } = await this.asked.ask('run', [named], { dropped }) as Read;
    this.rests?.now();
    return new RemoteRun(numbers, { ...found, isSum: this.opened.isSum }, ask, (id) => this.word(id));
  }

  async walk(run: RemoteRun, layer: number): Promise<WalkedLayer> {
    const known = this.#walked?.layer === layer ? this.#walked.given : null;
    const { settings, given } = await run.ask('walk', layer, known !== null) as WalkedLayer;
    const parameters = known ?? Object.fromEntries(Object.entries(given).filter(([id]) => !OF_ROWS.has(id)));
    this.#walked = { layer, given: parameters };
    return { settings, given: { ...parameters, ...given } };
  }

  attend(run: RemoteRun, layer: number, asked: Attended): Promise<Stages | null> {
    return run.ask('attend', layer, asked) as Promise<Stages | null>;
  }

  measure(run: RemoteRun): AnyMeasures {
    return new RemoteMeasures(run);
  }

  free(): void {
    this.rests?.end();
    ending(this.asked, this.threads);
  }
}

type Found = Omit<Read, 'numbers'> & Pick<Opened, 'isSum'>;

class RemoteRun extends KeptRun implements AnyRun {
  constructor(numbers: RunNumbers, readonly found: Found, readonly ask: (call: string, ...args: unknown[]) => Promise<unknown>, private readonly word: (id: number) => VocabularyWord) {
    super(numbers);
  }

  async predictions(position: number, count: number): Promise<Prediction[]> {
    return this.#written(await this.ask('predictions', position, count) as Prediction[]);
  }

  probabilities(position: number, ids: readonly number[]): Promise<number[]> {
    return this.ask('probabilities', position, ids) as Promise<number[]>;
  }

  async outlooks(count: number): Promise<Outlook[]> {
    const outlooks = await this.ask('outlooks', count) as Outlook[];
    return outlooks.map((each) => ({ ...each, predictions: this.#written(each.predictions) }));
  }

  async afterLayers(position: number): Promise<LayerOutlook[]> {
    const rows = await this.ask('afterLayers', position) as LayerOutlook[];
    return rows.map((each) => ({ ...each, guess: each.guess && this.#written([each.guess])[0] }));
  }

  drawNext(manner: Manner, passed: readonly number[] = []): Promise<Draw> {
    return this.ask('drawNext', manner, passed) as Promise<Draw>;
  }

  /** The worker knows no word. */
  #written(predictions: readonly Prediction[]): Prediction[] {
    return predictions.map((each) => ({ ...each, ...this.word(each.id) }));
  }
}

class RemoteMeasures implements AnyMeasures {
  readonly #together = new Once<readonly Together[]>();
  readonly #weighted = new Once<readonly Float32Array[]>();

  constructor(readonly run: RemoteRun) {}

  get facts(): readonly (readonly HeadFacts[])[] { return this.run.found.facts; }
  get repeated(): number { return this.run.found.repeated; }
  get isSum(): boolean { return this.run.found.isSum; }

  get together(): Soon<readonly Together[]> {
    return this.#together.get(() => this.run.ask('together') as Promise<readonly Together[]>);
  }

  weighted(layer: number, head: number): Soon<Float32Array> {
    return after(this.#weighted.get(() => this.run.ask('weighted') as Promise<readonly Float32Array[]>), (layers) => ofHead(layers, layer, head, this.run.tokens.length));
  }

  attribution(position: number, token: number): Promise<Attribution> {
    return this.run.ask('attribution', position, token) as Promise<Attribution>;
  }

  number(layer: number, position: number, stage: string, index: number): Promise<Followed> {
    return this.run.ask('number', layer, position, stage, index) as Promise<Followed>;
  }
}
