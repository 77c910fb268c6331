// The worker's script: a language model, asked by messages. A run is named by what it is made of: it is made again where it is kept no more.
import { answering, messageOf } from '../../lib/ask-worker.ts';
import { type Language, speak } from '../../lib/language.ts';
import type { HeadFacts } from './head-measures.ts';
import { AttentionError, type HeadMeasures, LanguageModel, type LayerChanges, type ModelRun, ModelWords, type WalkedLayer, know } from './language-model.ts';
import type { Beside, Progress } from './load.ts';
import type { Manner, RunNumbers } from './run.ts';

export interface RunName { id: number; tokens: readonly number[]; changes: readonly (LayerChanges | undefined)[] }
export interface Opened { sizes: WalkedLayer['settings']; isSum: boolean }
export interface Read { numbers: RunNumbers; facts: readonly (readonly HeadFacts[])[]; repeated: number }
export interface Problem { code?: string | undefined; message: string }

/** Without their weights, which went to the page. */
const MOST_RUNS = 4;
/** The page knows the words. */
const CUTTER = { kind: 'ids', tokenize: () => [], word: () => ({ word: '', piece: false }) } as const;

let model: LanguageModel;
const runs = new Map<number, { run: ModelRun; measures: HeadMeasures }>();

const whole = ({ tokens, changes }: RunName) => model.run(tokens, changes);

/** A run that was read already, or once more. */
function runOf(name: RunName) {
  const { run, measures } = runs.get(name.id) ?? made(whole(name));
  runs.delete(name.id);
  runs.set(name.id, { run, measures });
  for (const id of runs.keys()) if (runs.size > MOST_RUNS) runs.delete(id);
  return { run, measures };
}

const made = (run: ModelRun) => ({ run, measures: model.measure(run) });

const calls = {
  async open(tell: Progress, file: Blob | readonly Blob[], beside: Beside, language: Language): Promise<Opened> {
    speakAs(language);
    const known = await know(file, beside);
    model = await LanguageModel.load(known, new ModelWords(known.configuration, [], CUTTER), { progress: tell });
    return { sizes: model.sizes, isSum: model.measure(model.run([0])).isSum };
  },
  run(_: unknown, name: RunName): Read {
    const { run, measures } = runOf(name);
    const { facts, repeated } = measures;
    return { numbers: run.given(), facts, repeated };
  },
  walk(_: unknown, name: RunName, layer: number): WalkedLayer {
    const { settings, given } = model.walk(runOf(name).run, layer);
    // What is given away is gone, and the next text walks this layer, too.
    return { settings, given: Object.fromEntries(Object.entries(given).map(([id, numbers]) => [id, numbers.slice()])) };
  },
  predictions: (_: unknown, name: RunName, position: number, count: number) => runOf(name).run.predictions(position, count),
  probabilities: (_: unknown, name: RunName, position: number, ids: readonly number[]) => runOf(name).run.probabilities(position, ids),
  outlooks: (_: unknown, name: RunName, count: number) => runOf(name).run.outlooks(count),
  afterLayers: (_: unknown, name: RunName, position: number) => runOf(name).run.afterLayers(position),
  drawNext: (_: unknown, name: RunName, manner: Manner, passed: readonly number[]) => runOf(name).run.drawNext(manner, passed),
  attribution: (_: unknown, name: RunName, position: number, token: number) => runOf(name).measures.attribution(position, token),
  // These need the weights once more.
  together: (_: unknown, name: RunName) => model.measure(whole(name)).together,
  weighted: (_: unknown, name: RunName) => model.measure(whole(name)).weightedLayers,
};

/** What is wrong with a file is said in the page's language. */
function speakAs(language: Language): void {
  try {
    if (language !== 'en') (globalThis as unknown as { importScripts(file: string): void }).importScripts(`language-${language}.js`);
  } catch {
    return; // English, then
  }
  void speak(language);
}

answering(
  (call, args, tell) => (calls as unknown as Record<string, (...asked: readonly unknown[]) => unknown>)[call]?.(tell, ...args),
  (error): Problem => ({ code: error instanceof AttentionError ? error.code : undefined, message: messageOf(error) }),
);
