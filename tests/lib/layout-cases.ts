// Conformance cases of whole models, as files in the layout that people have them in.
import assert from 'node:assert/strict';
import type { Case } from './cases.ts';
import { loadEngine } from './built.ts';
import { loadInNode } from './operators.ts';
import { type StoredTensors, type Tiny, fileOf, inWidths } from './model-files.ts';
import { DEFAULTS } from '../../web/src/engine/defaults.ts';
import { trainedMask } from '../../web/src/parameters/language-model/edits.ts';
import type { Settings } from '../../web/src/engine/engine.ts';
import type { Operators } from '../../web/src/engine/operators/operators.ts';
import { type Beside, LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';

export type Tensors = Tiny['tensors'];

export const attribute = ({ attributes }: Case, name: string) => Number(attributes.get(name));
export const farthest = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.from(a).reduce((most, number, i) => Math.max(most, Math.abs(number - (b[i] ?? NaN))), a.length === b.length ? 0 : Infinity);

let operators: Promise<Operators> | null = null;
export const open = (tensors: StoredTensors, beside: Beside) => LanguageModel.open(fileOf({ tensors, metadata: { format: 'pt' } }), beside, { operators: () => (operators ??= loadInNode()) });

export function tensorsOf({ inputs }: Case, rename = (name: string) => name): Tensors {
  return Object.fromEntries([...inputs].filter(([name]) => name !== 'tokens').map(([name, { shape, numbers }]) => [rename(name), { shape: [...shape], numbers }]));
}

const tokensOf = (given: Case) => given.inputs.get('tokens')?.numbers as number[];

/** PyTorch's logits and weights of all heads come out, and every tensor is read but `unread`. */
export async function assertReads(given: Case, tensors: Tensors, beside: Beside, unread: readonly string[] = []): Promise<void> {
  const model = await open(tensors, beside);
  assert.deepEqual(model.unread, unread, given.name);
  const tokens = tokensOf(given);
  const run = model.run(tokens);
  const { vocabulary, heads, layers } = model.configuration;
  const [logits, weights] = [given.outputs.get('Y')?.numbers as number[], given.outputs.get('weights')?.numbers as number[]];
  tokens.forEach((_, t) => assert.ok(farthest(run.logits(t), logits.slice(t * vocabulary, (t + 1) * vocabulary)) < 2e-5, given.name));
  const count = tokens.length ** 2;
  for (let i = 0; i < layers * heads; i += 1) assert.ok(farthest(run.weights(Math.floor(i / heads), i % heads), weights.slice(i * count, (i + 1) * count)) < 5e-6, given.name);
  model.free();
}

/** A file whose matrices are of another type has every bit of the file with these widened: rows, weights, logits, and each layer's walk. */
export async function assertSameInWidths(given: Case, tensors: Tensors, beside: Beside): Promise<void> {
  for (const type of ['BF16', 'F16'] as const) {
    const { narrow, wide } = inWidths(tensors, type);
    const [a, b] = [await everythingOf(given, narrow, beside), await everythingOf(given, wide, beside)];
    assert.deepEqual(a, b);
  }
}

async function everythingOf(given: Case, tensors: StoredTensors, beside: Beside): Promise<unknown> {
  const model = await open(tensors, beside);
  const run = model.run(tokensOf(given));
  const layers = Array.from({ length: model.configuration.layers }, (_, layer) => ({ rows: run.residual(layer), weights: run.layerWeights(layer), logits: tokensOf(given).map((_, t) => run.logits(t, layer)), walk: model.walk(run, layer) }));
  model.free();
  return { layers, embeddings: run.embeddings };
}

/** The page's own layer, walked, has the weights that the model went on with. */
export async function assertWalks(given: Case, tensors: Tensors, beside: Beside, switches: Partial<Settings> = {}): Promise<void> {
  const model = await open(tensors, beside);
  const session = (await loadEngine()).session();
  const tokens = tokensOf(given);
  const run = model.run(tokens);
  for (let layer = 0; layer < model.configuration.layers; layer += 1) {
    const { settings, given: numbers } = model.walk(run, layer);
    const trace = session.run({ tokens: tokens.map(String), given: numbers }, { ...DEFAULTS, ...settings, mask: trainedMask(model.configuration), ...switches });
    for (let head = 0; head < model.configuration.heads; head += 1) assert.ok(farthest(trace.head('weights', head), run.weights(layer, head)) < 2e-6, given.name);
  }
  session.free();
  model.free();
}
