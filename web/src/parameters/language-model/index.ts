// What sources.ts asks for when a model is first wanted.
import { msg, str } from '@lit/localize';
import { type AnyModel, AttentionError, LanguageModel, type ModelFile, type OpenOptions, fetchModel, know, shippedModel, wordsOf } from './language-model.ts';
import { requireWalkable } from './layer-request.ts';
import type { Beside } from './load.ts';
import { ModelReader, type TrainedAgain } from './reader.ts';
import type { LessonId } from '../../engine/training/types.ts';
import type { AttentionReader } from '../attention/reader.ts';
import { decodeReplay } from '../trained-here.ts';
import { pathOf } from '../../lib/dropped.ts';
import { clipped } from '../../lib/format.ts';

export { LanguageModel, fetchModel, shippedModel };

/** Parameters that a page reads 64 tokens with in 16 ms. */
const MOST_ON_PAGE = 4e6;

/** A model of more is in a worker where one can be had. */
async function openModel(file: ModelFile, beside: Beside, { check, ...options }: OpenOptions): Promise<AnyModel> {
  const known = await know(file, beside, check);
  const words = await wordsOf(known, beside);
  const away = known.parameters > MOST_ON_PAGE ? await (await import('./away.ts')).openAway(file, beside, words, options.progress) : null;
  return away ?? LanguageModel.load(known, words, options);
}

export async function openShipped(progress: (share: number) => void): Promise<ModelReader> {
  const shipped = shippedModel();
  if (!shipped) throw new AttentionError('unreachable', msg('This page was built without a trained model. Choose other parameters.'));
  return new ModelReader(await openModel(await fetchModel(shipped, { progress }), {}, {}));
}

/** What the reader chose: ready weights where there is no model among the files. */
export async function open(chosen: readonly File[], progress: (share: number) => void): Promise<ModelReader | AttentionReader> {
  const isInFolder = chosen.some((file) => pathOf(file) !== file.name);
  const { files, aside } = isInFolder ? await (await import('./other-files.ts')).modelFolder(chosen) : { files: chosen, aside: [] };
  const reader = await openChosen(files, progress);
  if ('model' in reader) reader.aside.push(...aside);
  return reader;
}

async function openChosen(files: readonly File[], progress: (share: number) => void): Promise<ModelReader | AttentionReader> {
  const isModel = files.some(({ name }) => /\.safetensors\b/i.test(name));
  const ggufs = files.filter(({ name }) => /\.gguf$/i.test(name));
  if (ggufs.length > 0 && !isModel) return openGguf(ggufs, files, progress);
  const made = isModel || !files.some(({ name }) => /\.bin\b/i.test(name)) ? null : await (await import('./other-files.ts')).readLlama2c(files);
  if (made) return openMade(made.model, made.beside, [made.file], files, progress);
  const ready = isModel || ggufs.length > 0 ? null : await (await import('../attention/reader.ts')).openAttention(files);
  return ready ?? openFiles(files, progress);
}

async function openGguf(ggufs: readonly File[], files: readonly File[], progress: (share: number) => void): Promise<ModelReader> {
  const { model, beside } = await (await import('./gguf.ts')).readGguf(...ggufs);
  return openMade(model, beside, ggufs, files, progress);
}

/** What holds its configuration. Where it holds no tokenizer, too, the one beside it is read. */
async function openMade(model: ModelFile, own: Beside, taken: readonly File[], files: readonly File[], progress: (share: number) => void): Promise<ModelReader> {
  const others = files.filter((file) => !taken.includes(file));
  const { besideOf } = await import('./files.ts');
  const { beside, used } = own.tokenizer === undefined ? await besideOf(others.filter(({ name }) => !/^(?:config|params)\b.*\.json/i.test(name))) : { beside: {}, used: new Set<File>() };
  return new ModelReader(await openModel(model, { ...beside, ...own }, { progress, check: requireWalkable }), others.filter((file) => !used.has(file)).map(({ name }) => name));
}

/** A model, in one file or in parts, and what lies beside it under its usual names. */
export async function openFiles(files: readonly File[], progress: (share: number) => void, again: TrainedAgain | null = null): Promise<ModelReader> {
  const { sortFiles } = await import('./files.ts');
  const { models, beside, aside } = await sortFiles(files);
  return new ModelReader(await openModel(models, beside, { progress, check: requireWalkable }), aside, again);
}

/** Steps between two words on how far it is. */
const AT_ONCE = 20;

/** Trained again, in a worker where there is one. */
export async function trainAnew(address: string, progress: (share: number) => void): Promise<ModelReader> {
  const replay = decodeReplay(address);
  if (!replay) throw new Error(msg(str`“${clipped(address)}” names no training. Write lesson, run, seed and step with dots between, as in “positions.with_positions.1.40”.`));
  const { changesOf, openTraining } = await import('../../engine/training/open.ts');
  const { lesson, run, seed, step, rules = '', learnt } = replay;
  const changes = changesOf(rules);
  const training = await openTraining({ lesson: lesson as LessonId, runs: [run], seed, ...learnt });
  try {
    for (let next = changes.shift(); ; ) {
      for (; next && next.at <= training.step; next = changes.shift()) await training.change(0, next.rule);
      if (training.step >= step) break;
      await training.advance(Math.min(AT_ONCE, step - training.step, next ? next.at - training.step : AT_ONCE));
      progress(training.step / step);
    }
    return await openFiles([new File([await training.file(0)], `${run}.safetensors`)], () => {}, { replay, hash: await training.hash(0) });
  } finally {
    training.free();
  }
}
