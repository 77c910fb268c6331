// What every test may ask of a page: that it is sound, which is a right picture of what the box and the switches say, or a
// sentence on why not; that nothing typed became part of it; and that all it computes is the native build's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Stages, firstDifference, firstFar, nativeStages, referenceStages } from './native.ts';
import { type Playground, SITE } from './page.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import type { Edit, GivenId, MaskEdit, Request, Settings, StageId } from '../../web/src/engine/engine.ts';
import { type Knobs, PAGE_KNOBS, type SettingName, setting } from '../../web/src/state/settings.ts';
import { design } from '../../web/src/parameters/designed/design.ts';
import { openingLexicon, parseLexicon } from '../../web/src/parameters/designed/lexicon.ts';
import { languageOf } from '../../web/src/lib/language.ts';
import { fitting } from '../../web/src/parameters/given.ts';
import type { Source } from '../../web/src/parameters/sources.ts';

/** More words than this are compared by their labels only: the native run would take long. */
const MOST_COMPARED = 200;

export async function settingsInUse(page: Playground): Promise<Settings> {
  return page.page.evaluate(() => (document.querySelector('attention-playground') as AttentionPlayground).state.settings);
}

export async function assertSound(page: Playground, what: string): Promise<void> {
  const [screen, text, tokens] = [await page.read(), await page.text(), await page.tokens()];
  assert.ok(await page.textBox.isVisible(), `${what}: the text box is there`);
  if (!screen.figure) {
    const said = screen.problem || screen.state;
    assert.match(said, /\w.*[.]$/s, `${what}: no figure, and no sentence on why`);
    assert.deepEqual(tokens, [], `${what}: no numbers behind a figure that is not shown`);
    assert.equal((await page.stage('weights')).length, 0, what);
    assert.equal(screen.title + screen.weight, '', `${what}: no inspector without a figure`);
    return;
  }
  assert.equal(screen.problem, '', `${what}: a figure and an error at once`);
  const visible = (whole: string) => whole.normalize('NFC').replace(/[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  assert.equal(visible(tokens.join('')), visible(text), `${what}: the figure is of another text`);
  const settings = await settingsInUse(page);
  const knobs: Knobs = { ...settings, ...(await page.page.evaluate((start) => {
    const { state } = document.querySelector('attention-playground') as AttentionPlayground;
    return Object.fromEntries(Object.keys(start).map((name) => [name, state[name as keyof typeof start]])) as unknown as typeof start;
  }, PAGE_KNOBS)) };
  const shown = await page.switches();
  for (const [name, value] of Object.entries(shown)) {
    assert.equal(value, setting(name as SettingName).format(knobs), `${what}: the switch ${name} shows what is in use`);
  }
  if (tokens.length > MOST_COMPARED) return;
  const native = nativeStages((await wholeOf(page)).request, settings);
  assert.equal(firstDifference(await page.stage('weights'), native.get('weights')), -1, `${what}: the weights are not this text's`);
  assert.equal(firstDifference(await page.stage('residual'), native.get('residual')), -1, what);
}

/** Nothing that the reader typed, or a link held, became part of the page or ran. */
export async function assertUnharmed(page: Playground, what: string): Promise<void> {
  const found = await page.page.evaluate(() => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    return {
      foreign: [...root.querySelectorAll('script, img, iframe, object, embed, link, base, form:not(.edit-number), meta, b > b')].map((element) => element.outerHTML),
      scripts: [...document.scripts].map((script) => script.getAttribute('src')),
      hacked: 'hacked' in window,
      polluted: Object.keys(Object.prototype).length + Object.getOwnPropertyNames(Object.prototype).filter((name) => /^(?:heads|polluted|text)$/.test(name)).length,
    };
  });
  assert.deepEqual(found, { foreign: [], scripts: ['early.js', 'page.js'], hacked: false, polluted: 0 }, what);
  assert.deepEqual(page.problems, [], what);
}

/** A trained model reads, one of its heads taken away and its mask gone. */
export async function readWithModel(page: Playground): Promise<void> {
  await page.set({ source: 'trained' });
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  await page.set({ mask: 'none' });
  await page.page.locator('[data-silence]').click();
  await page.page.locator('.model-head.silenced').waitFor();
  await page.unfold('.manner > summary');
  await page.page.locator('.manner').getByText('drawn', { exact: true }).click();
  await page.page.locator('.writing [data-write=one]').click();
  await page.page.locator('[data-written]').waitFor();
}

export interface Whole {
  request: Request;
  settings: Settings;
  source: Source;
  text: string;
  keyText: string | null;
  maskEdits: readonly MaskEdit[];
  edits: readonly Edit[];
}

let list: ReturnType<typeof parseLexicon> | undefined;

function designed(lang: string, tokens: readonly string[], keyTokens: readonly string[] | undefined): Request['given'] {
  list ??= parseLexicon(readFileSync(path.join(SITE, 'lexicon.txt'), 'utf8'));
  const lexicon = openingLexicon(languageOf(lang) ?? 'en', list);
  const { content, W_Q, W_K, W_V, W_O } = design(tokens, lexicon);
  return { content, W_Q, W_K, W_V, W_O, ...(keyTokens && { key_content: design(keyTokens, lexicon).content }) };
}

/** What the page says it computes. */
export async function wholeOf(page: Playground): Promise<Whole> {
  const state = await page.page.evaluate(() => {
    const element = document.querySelector('attention-playground') as AttentionPlayground;
    const { settings, source, text, keyText, maskEdits, edits, given } = element.state;
    return {
      settings, source, text, keyText, maskEdits, edits, lang: document.documentElement.lang,
      tokens: [...(element.trace?.tokens ?? [])], keyTokens: keyText === null ? undefined : [...(element.trace?.keyTokens ?? [])],
      given: Object.entries(given ?? {}).map(([id, numbers]) => [id, Array.from(numbers)] as const),
    };
  });
  const { tokens, keyTokens, given, lang, ...rest } = state;
  const own = Object.fromEntries(given.map(([id, numbers]) => [id as GivenId, Float32Array.from(numbers)]));
  const sizes = { settings: rest.settings, T: tokens.length, S: (keyTokens ?? tokens).length };
  const inUse = rest.source === 'designed' ? designed(lang, tokens, keyTokens) : rest.source === 'yours' ? fitting(own, sizes, keyTokens !== undefined).fits : {};
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

/** The page's buffers are the native build's bits, and near the double reference. */
export async function assertNumbers(page: Playground, what: string): Promise<Settings> {
  const [settings, tokens] = [await settingsInUse(page), await page.tokens()];
  const [native, reference] = [nativeStages(tokens, settings), referenceStages(tokens, settings)];
  const ids: StageId[] = ['masked_scores', 'weights', 'context', 'output'];
  const shown = await page.stages(ids);
  for (const id of ids) {
    const numbers = shown.get(id) as Float32Array;
    assert.equal(firstDifference(numbers, native.get(id)), -1, `${what}: ${id} has the native build's bits`);
    assert.equal(firstFar(id, numbers, { reference, temperature: settings.temperature, T: tokens.length, S: tokens.length }), -1, `${what}: ${id} is near the double reference`);
  }
  return settings;
}
