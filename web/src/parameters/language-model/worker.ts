// The worker's script: a language model, asked by messages. A run is named by what it is made of: it is made again where it is kept no more.
import { Engine, type Session, type StageId } from '../../engine/engine.ts';
import { type Operators, loadOperators } from '../../engine/operators/operators.ts';
import { type Asker, answering, isResting, messageOf } from '../../lib/ask-worker.ts';
import { type Language, speak } from '../../lib/language.ts';
import type { HeadFacts } from './head-measures.ts';
import { type Attended, AttentionError, type HeadMeasures, LanguageModel, type LayerChanges, type ModelRun, ModelWords, OF_ROWS, type WalkedLayer, know, withoutHeads } from './language-model.ts';
import type { Beside } from './load.ts';
import type { Manner, Outlook, RunNumbers } from './run.ts';

export interface RunName { id: number; tokens: readonly number[]; changes: readonly (LayerChanges | undefined)[] }
/** `resting`: a restWord(), where there are several. */
export interface Threads { threads: number; resting: Int32Array | null }
export interface Opened { threads: number; unread: readonly string[]; sizes: WalkedLayer['settings']; isSum: boolean }
export interface Read { numbers: RunNumbers; facts: readonly (readonly HeadFacts[])[]; repeated: number }
export interface Problem { code?: string | undefined; message: string }

/** Without their weights, which went to the page. */
const MOST_RUNS = 4;
/** Rows that are read out between two looks at what else is asked. */
const ROWS_AT_ONCE = 16;
/** In ms: later than that, one reads alone. */
const THREADS_COME = 20_000;
/** In ms: a terminated worker ends in some 10, on a busy machine in less than 100. */
const THREADS_END = 500;
/** The page knows the words. */
const CUTTER = { kind: 'ids', tokenize: () => [], word: () => ({ word: '', piece: false }) } as const;

interface Kept { run: ModelRun; measures: HeadMeasures }

let model: LanguageModel;
let operators: Operators | null = null;
const runs = new Map<number, Kept>();
/** The page's own layer; null where it cannot be had here. */
let layers: Promise<{ engine: Engine; session: Session } | null> | null = null;

/** Texts that are being read: the panels' questions about those before wait for them. */
const reading = new Set<Promise<unknown>>();

/** What was asked meanwhile is heard. */
const breathe = () => new Promise<void>((settle) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    settle();
  };
  port2.postMessage(null);
});

async function afterReading(): Promise<void> {
  await breathe();
  while (reading.size > 0) await Promise.allSettled(reading);
}

/** A text that is wanted no longer is read no further. */
async function read({ tokens, changes }: RunName, asker: Asker): Promise<ModelRun> {
  const run = model.runSlowly(tokens, changes, async () => {
    await breathe();
    if (asker.isDropped) throw new AttentionError('not_wanted', '');
  });
  reading.add(run);
  try {
    return await run;
  } finally {
    reading.delete(run);
  }
}

const whole = ({ tokens, changes }: RunName) => model.runSlowly(tokens, changes, afterReading);

/** A run that was read already, or once more. */
async function runOf(name: RunName, make = whole): Promise<Kept> {
  const kept = runs.get(name.id) ?? made(await make(name));
  runs.delete(name.id);
  runs.set(name.id, kept);
  for (const id of runs.keys()) if (runs.size > MOST_RUNS) runs.delete(id);
  return kept;
}

const made = (run: ModelRun): Kept => ({ run, measures: model.measure(run) });

/** For the text that is being read: at once. */
const first = {
  async open(asker: Asker, file: Blob | readonly Blob[], beside: Beside, language: Language, { threads, resting }: Threads, separator?: number): Promise<Opened> {
    speakAs(language);
    const known = await know(file, beside);
    model = await LanguageModel.load(known, new ModelWords(known.configuration, [], { ...CUTTER, separator }), { progress: (share) => asker.tell(share), operators: async () => (operators = await operatorsBy(threads, resting)) });
    return { threads: model.threads, unread: model.unread, sizes: model.sizes, isSum: model.measure(model.run([0])).isSum };
  },
  async run(asker: Asker, name: RunName): Promise<Read> {
    const { run, measures: { facts, repeated } } = await runOf(name, () => read(name, asker));
    return { numbers: run.given(), facts, repeated };
  },
  /** @param isKnown whether the page has the layer's parameters already */
  async walk(_: Asker, name: RunName, layer: number, isKnown: boolean): Promise<WalkedLayer> {
    const { settings, given } = model.walk((await runOf(name)).run, layer);
    // What is given away is gone, and the next text walks this layer, too.
    return { settings, given: Object.fromEntries(Object.entries(given).filter(([id]) => !isKnown || OF_ROWS.has(id)).map(([id, numbers]) => [id, numbers.slice()])) };
  },
  async attend(_: Asker, name: RunName, layer: number, asked: Attended): Promise<object | null> {
    const here = await (layers ??= Engine.load().then((engine) => ({ engine, session: engine.session() }), () => null));
    const { run } = await runOf(name);
    return here && attended(here, model.walk(run, layer), asked);
  },
  /** Answers when the page may terminate this worker: Chromium never ends one whose own workers still run, and says nothing when they have ended. */
  async endThreads() {
    operators?.endThreads();
    for (const each of threadWorkers) each.terminate();
    await new Promise((settle) => { setTimeout(settle, THREADS_END); });
  },
};

/** What is refused here is refused by the page itself, in its words. */
function attended({ engine, session }: { engine: Engine; session: Session }, { given }: WalkedLayer, { request, settings, silenced }: Attended): object | null {
  try {
    const trace = session.run({ ...request, given: withoutHeads(given, silenced, model.configuration) }, settings);
    return Object.fromEntries(engine.schema.stages.map(({ id }) => [id, trace.stage(id as StageId)] as const).filter(([, numbers]) => numbers.length > 0));
  } catch {
    return null;
  }
}

/** For the panels. */
const later = {
  predictions: ({ run }: Kept, position: number, count: number) => run.predictions(position, count),
  probabilities: ({ run }: Kept, position: number, ids: readonly number[]) => run.probabilities(position, ids),
  async outlooks({ run }: Kept, count: number): Promise<Outlook[]> {
    const found: Outlook[] = [];
    while (found.length < run.tokens.length) {
      if (found.length > 0) await afterReading();
      found.push(...run.outlooksFrom(found.length, ROWS_AT_ONCE, count));
    }
    return found;
  },
  afterLayers: ({ run }: Kept, position: number) => run.afterLayers(position),
  drawNext: ({ run }: Kept, manner: Manner, passed: readonly number[]) => run.drawNext(manner, passed),
  attribution: ({ measures }: Kept, position: number, token: number) => measures.attribution(position, token),
  number: ({ measures }: Kept, layer: number, position: number, stage: string, index: number) => measures.number(layer, position, stage, index),
};

/** These need the weights once more. */
const again = {
  together: (measures: HeadMeasures) => measures.together,
  weighted: (measures: HeadMeasures) => measures.weightedLayers,
};

/** What Emscripten made for the threads. */
const threadWorkers: Worker[] = [];

/** Operators with threads. Emscripten does not notice a thread whose script fails to load, so the workers that it makes are listened to here. */
function operatorsBy(threads: number, resting: Int32Array | null): Promise<Operators> {
  if (threads === 1) return loadOperators();
  return new Promise((settle, fail) => {
    const lack = () => {
      // Chromium keeps a worker whose own worker has not come.
      for (const each of threadWorkers) each.terminate();
      fail(new AttentionError('core_unavailable', ''));
    };
    globalThis.Worker = class extends Worker {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given);
        threadWorkers.push(this);
        this.addEventListener('error', lack);
      }
    };
    const patience = setTimeout(lack, THREADS_COME);
    loadOperators({ threads, isAlone: resting && (() => isResting(resting)) }).then(settle, fail).finally(() => clearTimeout(patience));
  });
}

/** What is wrong with a file is said in the page's language. */
function speakAs(language: Language): void {
  try {
    if (language !== 'en') (globalThis as unknown as { importScripts(file: string): void }).importScripts(`language-${language}.js`);
  } catch {
    return; // English, then
  }
  void speak(language);
}

type Calls<Given> = Record<string, (given: Given, ...asked: readonly unknown[]) => unknown>;

async function answer(call: string, args: readonly unknown[], asker: Asker): Promise<unknown> {
  if (call in first) return (first as unknown as Calls<Asker>)[call]?.(asker, ...args);
  const [name, ...rest] = args as [RunName, ...unknown[]];
  await afterReading();
  if (call in again) return (again as unknown as Calls<HeadMeasures>)[call]?.(model.measure(await whole(name)));
  return (later as unknown as Calls<Kept>)[call]?.(await runOf(name), ...rest);
}

answering(answer, (error): Problem => ({ code: error instanceof AttentionError ? error.code : undefined, message: messageOf(error) }));
