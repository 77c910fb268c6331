// The whole of what the page computes: its own words, second sentence, hand-made masks and numbers, and parameters, given to
// the native build and to the double reference; every stage of the page must be theirs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Stages, firstDifference, nativeStages, referenceStages } from './native.ts';
import { firstFar } from './tolerance.ts';
import { type Playground, SITE } from './page.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { design } from '../../web/src/parameters/designed/design.ts';
import { parseLexicon } from '../../web/src/parameters/designed/lexicon.ts';
import type { Edit, GivenId, MaskEdit, Request, Settings, StageId } from '../../web/src/engine/engine.ts';
import { fitting } from '../../web/src/parameters/given.ts';
import type { Source } from '../../web/src/parameters/sources.ts';

export interface Whole {
  request: Request;
  settings: Settings;
  source: Source;
  text: string;
  keyText: string | null;
  maskEdits: readonly MaskEdit[];
  edits: readonly Edit[];
}

let lexicon: ReturnType<typeof parseLexicon> | undefined;

function designed(tokens: readonly string[], keyTokens: readonly string[] | undefined): Request['given'] {
  lexicon ??= parseLexicon(readFileSync(path.join(SITE, 'lexicon.txt'), 'utf8'));
  const { content, W_Q, W_K, W_V, W_O } = design(tokens, lexicon);
  return { content, W_Q, W_K, W_V, W_O, ...(keyTokens && { key_content: design(keyTokens, lexicon).content }) };
}

/** What the page says it computes. */
export async function wholeOf(page: Playground): Promise<Whole> {
  const state = await page.page.evaluate(() => {
    const element = document.querySelector('attention-playground') as AttentionPlayground;
    const { settings, source, text, keyText, maskEdits, edits, given } = element.state;
    return {
      settings, source, text, keyText, maskEdits, edits,
      tokens: [...(element.trace?.tokens ?? [])], keyTokens: keyText === null ? undefined : [...(element.trace?.keyTokens ?? [])],
      given: Object.entries(given ?? {}).map(([id, numbers]) => [id, Array.from(numbers)] as const),
    };
  });
  const { tokens, keyTokens, given, ...rest } = state;
  const own = Object.fromEntries(given.map(([id, numbers]) => [id as GivenId, Float32Array.from(numbers)]));
  const sizes = { settings: rest.settings, T: tokens.length, S: (keyTokens ?? tokens).length };
  const inUse = rest.source === 'designed' ? designed(tokens, keyTokens) : rest.source === 'yours' ? fitting(own, sizes, keyTokens !== undefined).fits : {};
  return { ...rest, request: { tokens, keyTokens, maskEdits: rest.maskEdits, edits: rest.edits, given: inUse } };
}

const COMPARED: readonly StageId[] = ['query', 'key', 'value', 'masked_scores', 'weights', 'context', 'output'];

/** Throws unless the page's numbers are the native build's bits, and near the double reference. Returns both sides. */
export async function assertWhole(page: Playground, what: string): Promise<{ whole: Whole; shown: Map<StageId, Float32Array>; reference: Stages<Float64Array> }> {
  const whole = await wholeOf(page);
  const said = JSON.stringify({ ...whole, request: undefined });
  assert.ok(whole.request.tokens.length > 0, `${what}: there is a figure; ${said}`);
  const native = nativeStages(whole.request, whole.settings);
  const reference = referenceStages(whole.request, whole.settings);
  const shown = await page.stages(COMPARED);
  const { tokens: { length: T }, keyTokens: { length: S } = { length: T } } = whole.request;
  for (const id of COMPARED) {
    const numbers = shown.get(id) as Float32Array;
    const differs = firstDifference(numbers, native.get(id));
    assert.equal(differs, -1, `${what}: ${id}[${differs}] = ${numbers[differs]} of ${numbers.length}, natively ${native.get(id)[differs]} of ${native.get(id).length}; ${said}`);
    const at = firstFar(id, numbers, { reference, temperature: whole.settings.temperature, T, S });
    assert.equal(at, -1, `${what}: ${id}[${at}] = ${numbers[at]}, in double ${reference.get(id)[at]}; ${said}`);
  }
  return { whole, shown, reference };
}
