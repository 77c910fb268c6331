// What sources.ts asks for when a model is first wanted.
import { msg, str } from '@lit/localize';
import { AttentionError, type Beside, LanguageModel, fetchModel, shippedModel } from './language-model.ts';
import { requireWalkable } from './layer-request.ts';
import { ModelReader } from './reader.ts';

export { LanguageModel, fetchModel, shippedModel };

export async function openShipped(progress: (share: number) => void): Promise<ModelReader> {
  const shipped = shippedModel();
  if (!shipped) throw new AttentionError('unreachable', msg('This page was built without a trained model. Choose other parameters.'));
  return new ModelReader(await LanguageModel.open(await fetchModel(shipped, { progress })));
}

/** The largest vocabularies take a tenth of it. */
const MOST_BESIDE = 64 << 20;
const BESIDE: Readonly<Record<string, keyof Beside>> = { 'config.json': 'config', 'vocab.json': 'vocabulary', 'merges.txt': 'merges' };

/** One safetensors file, and what lies beside it under its usual names. */
export async function openFiles(files: readonly File[], progress: (share: number) => void): Promise<ModelReader> {
  const models = files.filter(({ name }) => name.endsWith('.safetensors'));
  const [model] = models;
  if (!model || models.length > 1) {
    throw new AttentionError('bad_file', model
      ? msg(str`Here are ${models.length} models. Choose one .safetensors file, with vocab.json and merges.txt beside it where you have them.`)
      : msg('Here is no model. Choose one .safetensors file, with vocab.json and merges.txt beside it where you have them.'));
  }
  const stranger = files.find((file) => file !== model && !(file.name in BESIDE));
  if (stranger) throw new AttentionError('bad_file', msg(str`“${stranger.name}” is none of what a model is read from: .safetensors, config.json, vocab.json, merges.txt. Leave it out.`));
  const large = files.find((file) => file !== model && file.size > MOST_BESIDE);
  if (large) throw new AttentionError('too_large', msg(str`“${large.name}” has ${large.size.toLocaleString('en')} bytes; at most ${MOST_BESIDE.toLocaleString('en')} are read. Choose the file that belongs to the model.`));
  const beside: Beside = {};
  for (const file of files) if (file !== model) beside[BESIDE[file.name] as keyof Beside] = await file.text();
  return new ModelReader(await LanguageModel.open(model, beside, { progress, check: requireWalkable }));
}
