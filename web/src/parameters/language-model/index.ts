// What sources.ts asks for when a model is first wanted.
import { msg } from '@lit/localize';
import { AttentionError, LanguageModel, fetchModel, shippedModel } from './language-model.ts';
import { sortFiles } from './files.ts';
import { requireWalkable } from './layer-request.ts';
import { ModelReader } from './reader.ts';

export { LanguageModel, fetchModel, shippedModel };

export async function openShipped(progress: (share: number) => void): Promise<ModelReader> {
  const shipped = shippedModel();
  if (!shipped) throw new AttentionError('unreachable', msg('This page was built without a trained model. Choose other parameters.'));
  return new ModelReader(await LanguageModel.open(await fetchModel(shipped, { progress })));
}

/** A model, in one file or in parts, and what lies beside it under its usual names. */
export async function openFiles(files: readonly File[], progress: (share: number) => void): Promise<ModelReader> {
  const { models, beside, aside } = await sortFiles(files);
  return new ModelReader(await LanguageModel.open(models, beside, { progress, check: requireWalkable }), aside);
}
