// The trained model on the page: it is fetched when it is asked for, its numbers are the engine's, and every change of
// the reader's goes on into what it expects.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { built } from '../lib/built.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import { openShipped, readExpected, shippedBytes } from '../lib/shipped-model.ts';
import { Forwards, type MadeOf, assertMade, assertShare, followed, inFile } from '../lib/walk.ts';
import { type Traceable, openTraced } from '../../web/src/engine/training/open.ts';
import type { LanguageModel, LayerChanges } from '../../web/src/parameters/language-model/language-model.ts';

const TEXT = 'the old dog ran to the house because it was';
const TOLERANCE = 1e-4;

const reader = await Reader.arrive();
after(() => reader.leave());
let model: LanguageModel;
before(async () => {
  model = await openShipped();
});

async function openTrained(fields: Record<string, string | number> = {}, text = TEXT): Promise<Playground> {
  const page = await reader.open({ fragment: link({ text, parameters: 'trained', ...fields }) });
  await settle(page);
  return page;
}

/** Until the model is there and nothing is left to be drawn. */
async function settle(page: Playground): Promise<void> {
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  await page.ready();
}

/** What the page says the model expects: words, and chances as they are written. */
async function guesses(page: Playground): Promise<{ word: string; now: string; trained: string }[]> {
  return page.page.locator('[data-guess]').evaluateAll((rows) => rows.map((row) => {
    const [word, now, trained] = [...row.children].map((cell) => (cell as HTMLElement).innerText.trim());
    return { word: word ?? '', now: now ?? '', trained: trained ?? '' };
  }));
}

const said = ({ word, piece }: { word: string; piece: boolean }) => (piece ? `·${word}` : word);

function chance(share: number): string {
  if (share >= 0.0995) return `${Math.round(100 * share)}%`;
  return share < 0.0005 ? '<0.1%' : `${(100 * share).toFixed(1)}%`;
}

/** The page shows what this run expects after the word of row `query`. */
async function assertExpects(page: Playground, changes: readonly (LayerChanges | undefined)[], query: number, text = TEXT): Promise<string[]> {
  const run = model.run(model.tokenize(text).map(({ id }) => id), changes);
  const expected = run.predictions(query, 8).map((each) => [said(each), chance(each.probability)]);
  const shown = (await guesses(page)).map(({ word, now }) => [word, now.replace(/\s/g, ' ')]);
  assert.deepEqual(shown, expected);
  return shown.map(([word]) => word as string);
}

async function select(page: Playground, query: number, key: number): Promise<void> {
  await page.walkTo(query, key);
  await page.ready();
}

const everyLayer = (change: LayerChanges) => Array.from({ length: model.configuration.layers }, () => change);

test('the model is fetched when it is asked for, and not before; its progress is said', async () => {
  const fetched: string[] = [];
  const said: string[] = [];
  const page = await reader.open({ before: async (inner) => {
    inner.on('request', (request) => { fetched.push(request.url().split('/').pop() ?? ''); });
    await inner.route('**/*.safetensors', async (route) => {
      await new Promise((resolve) => { setTimeout(resolve, 300); });
      await route.continue();
    });
  } });
  const isModel = (name: string) => /safetensors|operators|language-model/.test(name);
  assert.deepEqual(fetched.filter(isModel), []);
  await page.page.locator('[data-setting=parameters] .segment', { has: page.page.locator('input[value=trained]') }).click();
  for (let i = 0; i < 100 && !said.some((words) => /Loading the trained model: \d+%/.test(words)); i += 1) {
    said.push(await page.page.locator('.notices').innerText());
    await page.page.waitForTimeout(20);
  }
  assert.ok(said.some((words) => /Loading the trained model: \d+%/.test(words)), said.join(' | '));
  await settle(page);
  assert.equal((await page.read()).notices, '');
  assert.equal(fetched.filter((name) => name.endsWith('.safetensors')).length, 1);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a layer is shown with the very numbers that PyTorch finds', async () => {
  const { cases } = readExpected();
  const { layers, heads } = model.configuration;
  for (const { text, ids, weights } of cases.filter((each) => each.ids.length <= 24).slice(0, 3)) {
    const page = await openTrained({ layer: 1 }, text);
    const T = ids.length;
    assert.equal((await page.tokens()).length, T);
    let at = 0;
    for (let layer = 0; layer < layers; layer += 1) {
      await page.set({ layer: layer + 1 });
      await settle(page);
      const shown = await page.stage('weights');
      for (let head = 0; head < heads; head += 1) {
        for (let row = 0; row < T; row += 1) {
          for (let column = 0; column <= row; column += 1) {
            const [found, wanted] = [shown[(head * T + row) * T + column] ?? NaN, weights[at++] as number];
            assert.ok(Math.abs(found - wanted) <= TOLERANCE, `layer ${layer} head ${head} [${row}, ${column}] of “${text}”: ${found}, not ${wanted}`);
          }
        }
      }
    }
    await page.close();
  }
});

test('it opens at the head that its evidence says most of, unless the link says where', async () => {
  const telling = model.heads.filter(({ named, relation }) => named && !/previous|itself|start|induction/.test(relation)).toSorted((a, b) => b.score - b.baseline - (a.score - a.baseline))[0];
  assert.ok(telling);
  for (const [fields, place] of [[{}, telling], [{ layer: 1, head: 2 }, { layer: 0, head: 1 }]] as const) {
    const page = await openTrained(fields);
    const chosen = page.page.locator('.model-head.chosen');
    assert.equal(await chosen.getAttribute('data-layer'), String(place.layer));
    assert.equal(await chosen.getAttribute('data-head'), String(place.head));
    await page.close();
  }
});

test('what it expects after a word is what the model says, for any word that is chosen', async () => {
  const page = await openTrained({ layer: 2, head: 1, row: 4, key: 2 });
  await assertExpects(page, [], 3);
  await select(page, 9, 3);
  await assertExpects(page, [], 9);
  const rows = await page.page.locator('.every-word tbody tr').allInnerTexts();
  const run = model.run(model.tokenize(TEXT).map(({ id }) => id));
  rows.forEach((row, t) => {
    const [guess] = run.predictions(t, 1);
    assert.ok(guess && row.replace(/\s+/g, ' ').includes(`${said(guess)} ${chance(guess.probability)}`), `${row}: ${guess?.word}`);
  });
  assert.equal(rows.length, model.tokenize(TEXT).length);
  await page.close();
});

test('without the scale, the mask or sharpness it expects something else, in every layer or in one', async () => {
  const page = await openTrained({ layer: 2, row: 6, key: 1 });
  const before = await assertExpects(page, [], 5);
  await page.set({ scale: 'none' });
  await settle(page);
  const unscaled = await assertExpects(page, everyLayer({ scale: 1 }), 5);
  assert.notDeepEqual(unscaled, before);
  assert.match((await guesses(page))[0]?.trained ?? '', /%/);
  await page.set({ actsOn: 'this' });
  await settle(page);
  await assertExpects(page, [undefined, { scale: 1 }], 5);
  await page.set({ scale: 'sqrt-dk', mask: 'none', actsOn: 'every' });
  await settle(page);
  await assertExpects(page, everyLayer({ allowed: new Uint8Array(model.tokenize(TEXT).length ** 2).fill(1) }), 5);
  assert.match(await page.page.locator('[data-note=mask]').innerText(), /never trained like this/);
  await page.set({ mask: 'causal', temperature: 0 });
  await settle(page);
  await assertExpects(page, everyLayer({ temperature: 0 }), 5);
  assert.equal(await page.page.locator('[data-note=mask]').count(), 0);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a head taken away, or kept alone, moves the prediction; putting it back restores it', async () => {
  const page = await openTrained({ layer: 2, head: 2, row: 10, key: 3 });
  const before = await guesses(page);
  await page.page.locator('[data-silence]').click();
  await settle(page);
  const gone = { headGains: [1, 0, 1, 1] };
  await assertExpects(page, [undefined, gone], 9);
  assert.match(await page.page.locator('.model-head.silenced').innerText(), /2\.2 silenced/);
  const output = await page.stage('output');
  await page.page.locator('[data-silence]').click();
  await settle(page);
  assert.deepEqual(await guesses(page), before);
  assert.notDeepEqual(await page.stage('output'), output);
  await page.page.locator('[data-keep-only]').click();
  await settle(page);
  await assertExpects(page, [undefined, { headGains: [0, 1, 0, 0] }], 9);
  await page.page.locator('.model-changes [data-put-all-back]').click();
  await settle(page);
  assert.deepEqual(await guesses(page), before);
  await page.close();
});

test('a share set by hand goes on through the model, and so does a cell masked by hand', async () => {
  const page = await openTrained({ layer: 3, head: 1, row: 10, key: 4 });
  const T = model.tokenize(TEXT).length;
  await page.page.locator('[data-share]').fill('0.9');
  await settle(page);
  const ids = model.tokenize(TEXT).map(({ id }) => id);
  const weights = model.run(ids).weights(2, 0).slice();
  const row = weights.subarray(9 * T, 10 * T);
  const rest = row.reduce((sum, weight, key) => sum + (key === 3 ? 0 : weight), 0);
  row.set(row.map((weight, key) => (key === 3 ? 0.9 : (weight / rest) * 0.1)));
  await assertExpects(page, [undefined, undefined, { patches: [{ head: 0, weights }] }], 9);
  assert.match(await page.page.locator('.model-changes').innerText(), /in head 3\.1, it gives/);
  await page.page.locator('.model-changes [data-put-all-back]').click();
  await settle(page);
  await page.cell.focus();
  await page.page.keyboard.press('m');
  await settle(page);
  const masked = await page.stage('weights');
  const patches = Array.from({ length: 4 }, (_, head) => ({ head, weights: masked.slice(head * T * T, (head + 1) * T * T) }));
  assert.equal(patches[0]?.weights[9 * T + 3], 0);
  await assertExpects(page, [undefined, undefined, { patches }], 9);
  await page.close();
});

test('a number set by hand reaches the prediction through its layer’s weights, and the page says so', async () => {
  const page = await openTrained({ layer: 3, head: 1, row: 10, key: 4, numbers: 'W_Q:1:1:9' });
  const T = model.tokenize(TEXT).length;
  const weights = await page.stage('weights');
  const patches = Array.from({ length: 4 }, (_, head) => ({ head, weights: weights.slice(head * T * T, (head + 1) * T * T) }));
  await assertExpects(page, [undefined, undefined, { patches }], 9);
  assert.match(await page.page.locator('[data-note=edits]').innerText(), /takes this layer’s changed weights/);
  await page.close();
  const same = await openTrained({ layer: 3, head: 1, row: 10, key: 4, numbers: 'W_O:1:1:9' });
  await assertExpects(same, [], 9);
  assert.equal(await same.page.locator('[data-note=edits]').count(), 1);
  await same.close();
});

test('an element that is put elsewhere reads on with the model', async () => {
  const page = await openTrained({ layer: 2, head: 1, row: 5, key: 2 });
  const before = await guesses(page);
  await page.page.evaluate(() => {
    const element = document.querySelector('attention-playground') as HTMLElement;
    const [parent, next] = [element.parentElement, element.nextSibling];
    element.remove();
    return new Promise<void>((resolve) => setTimeout(() => {
      parent?.insertBefore(element, next);
      resolve();
    }, 100));
  });
  await page.ready();
  await settle(page);
  assert.deepEqual(await guesses(page), before);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a link holds the layer, the heads taken away and the shares set by hand', async () => {
  const page = await openTrained({ layer: 3, head: 2, row: 8, key: 2, silenced: '1.4,3.1', shares: '3:2:8:2:0.75', 'acts-on': 'this', scale: 'none' });
  const before = await guesses(page);
  await page.page.locator('.model-head[data-layer="1"][data-head="0"]').click();
  await settle(page);
  await page.page.locator('.model-head[data-layer="2"][data-head="1"]').click();
  await settle(page);
  await page.page.evaluate(() => new Promise((done) => setTimeout(done, 400))); // the page writes after 300 ms, on the same clock
  const address = await page.page.evaluate(() => location.hash);
  assert.match(address, /layer=3/);
  assert.match(address, /silenced=1\.4,3\.1/);
  assert.match(address, /shares=3:2:8:2:0\.75/);
  assert.doesNotMatch(address, /d-model|positions|residual/);
  const again = await reader.open({ fragment: address });
  await settle(again);
  assert.deepEqual(await guesses(again), before);
  await again.close();
  await page.close();
});

test('words that it does not know are read in pieces, and the pieces are shown', async () => {
  const text = 'the flibbertigibbet roamed';
  const page = await openTrained({}, text);
  const pieces = model.tokenize(text).filter(({ piece }) => piece);
  assert.ok(pieces.length > 0);
  const { rowLabels } = await page.read();
  assert.deepEqual(rowLabels, model.tokenize(text).map(({ text: part, piece }) => (part === '' ? 'start' : piece ? `·${part}` : part)));
  const note = await page.page.locator('[data-note=pieces]').innerText();
  assert.match(note.replaceAll('·', ''), /flibbertigibbet/);
  await page.close();
});

test('said twice, its words become likely; the start token’s rest is explained where it is seen', async () => {
  const page = await openTrained({}, 'red cup slow moon green hat');
  await page.page.locator('[data-twice]').click();
  await settle(page);
  assert.equal(await page.text(), 'red cup slow moon green hat red cup slow moon green hat');
  const [first, second] = [...(await page.page.locator('[data-note=twice]').innerText()).matchAll(/([\d.]+)\s?%/g)].map((found) => Number(found[1]));
  assert.ok((second ?? 0) > 10 * (first ?? 100), `${first} % and ${second} %`);
  let resting = '';
  for (const head of await page.page.locator('.model-head').all()) {
    await head.click();
    await settle(page);
    const note = page.page.locator('[data-note=sink]');
    if (await note.count()) resting = await note.innerText();
    if (resting) break;
  }
  assert.match(resting, /rest on the start token.*length [\d.]+, against [\d.]+/s);
  await page.close();
});

test('names stand only where the evidence is strong, with it beside them', async () => {
  const page = await openTrained({ layer: 1, head: 1 });
  const evidence = model.heads;
  const { layers, heads } = model.configuration;
  for (let layer = 0; layer < layers; layer += 1) {
    for (let head = 0; head < heads; head += 1) {
      const label = page.page.locator(`.model-head[data-layer="${layer}"][data-head="${head}"]`);
      await label.click();
      await settle(page);
      const own = evidence.filter((each) => each.layer === layer && each.head === head);
      const named = own.find((each) => each.named);
      // What a head does in this sentence alone stands in an <i>.
      const name = await label.locator('.head-words').evaluate((words) => [...words.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ textContent }) => textContent).join('').trim());
      assert.equal(name, named?.name ?? '');
      if (own.length === 0) continue;
      const table = (await page.page.locator('.evidence').innerText()).replace(/\s+/g, ' ');
      for (const { relation, score, baseline } of own) {
        assert.ok(table.includes(relation.replaceAll('_', ' ')), `${relation} in ${table}`);
        if (score < baseline) assert.match(table, /loses to position/);
        if (score >= 0.005) assert.ok(table.includes(`${Math.round(100 * score)}%`.replace(/\s/g, ' ')), `${score} in ${table}`);
      }
    }
  }
  await page.close();
});

test('a text that is too long is kept, and a sentence says what to do', async () => {
  const page = await openTrained({}, 'a cat');
  const long = Array.from({ length: 70 }, (_, i) => `word${i % 7}`.replace(/\d/, '')).join(' ');
  await page.paste(long);
  const { problem } = await page.read();
  assert.match(problem, /reads 64 tokens at once.*these are 71.*Shorten/);
  assert.equal(await page.text(), long);
  await page.paste('a dog');
  await settle(page);
  await assertExpects(page, [], 2, 'a dog');
  await page.close();
});

test('other parameters bring the switches back as they were', async () => {
  const page = await reader.open();
  await page.set({ num_heads: 8, positions: 'alibi' });
  const before = await page.read();
  await page.set({ source: 'trained' });
  await settle(page);
  assert.ok(await page.page.locator('[data-setting=heads] select').isDisabled());
  await page.set({ source: 'random' });
  await page.ready();
  const { effects, heads } = await page.read();
  assert.equal(heads, 8);
  assert.equal(effects['heads'], before.effects['heads']);
  assert.equal(await page.page.locator('.model').isHidden(), true);
  assert.equal(effects['layer'], undefined);
  await page.close();
});

for (const [what, body, expected] of [
  ['is missing', null, /could not be fetched/],
  ['is cut off', (whole: Buffer) => whole.subarray(0, whole.length >> 1), /arrived damaged/],
  ['is another file', () => Buffer.from('<!doctype html>not found'), /arrived damaged/],
] as const) {
  test(`a model that ${what} gets a sentence, and the page stays as it was`, async () => {
    let isBroken = true;
    const page = await reader.open({ before: (inner) => inner.route('**/*.safetensors', async (route) => {
      if (!isBroken) return route.continue();
      const response = await route.fetch();
      return body ? route.fulfill({ response, body: body(await response.body()) }) : route.fulfill({ status: 404, body: '' });
    }) });
    const before = await page.stage('weights');
    const trained = page.page.locator('[data-setting=parameters] .segment', { has: page.page.locator('input[value=trained]') });
    await trained.click();
    await page.page.waitForFunction((pattern) => new RegExp(pattern).test(document.querySelector('attention-playground')?.shadowRoot?.querySelector('.notices')?.textContent ?? ''), expected.source);
    assert.deepEqual(await page.stage('weights'), before);
    assert.equal(await page.page.locator('.model').isHidden(), true);
    isBroken = false;
    await trained.click();
    await settle(page);
    await page.close();
  });
}

test('the guide and the model card lie beside the page', async () => {
  const card = readFileSync(new URL('../../web/docs/model.md', import.meta.url), 'utf8');
  const page = await openTrained();
  const href = await page.page.locator('.trained a').getAttribute('href');
  assert.equal(href, 'docs/model.md');
  const response = await page.page.request.get(new URL('docs/model.md', reader.address).href);
  assert.equal(await response.text(), card);
  await page.close();
});

test('it says which words or scripts it does not know', async () => {
  const page = await reader.open({ fragment: `#v1&parameters=trained&text=${encodeURIComponent('我喜欢猫 and dogs')}` });
  const note = page.page.locator('[data-note=unread]');
  await note.waitFor();
  assert.match(await note.innerText(), /does not know this: 我喜欢猫\./);
  await page.paste('the cat and the dog');
  await page.page.waitForFunction(() => !document.querySelector('attention-playground')?.shadowRoot?.querySelector('[data-note=unread]'));
  await page.close();
});

test('to the trained model and back, outlines of what was stand at the same words: its start token has none', async () => {
  const page = await reader.open({ fragment: link({ text: 'the cat sat on the mat', parameters: 'designed' }) });
  const ghosts = () => page.page.evaluate(() => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    const middle = (element: Element) => { const { left, right } = element.getBoundingClientRect(); return (left + right) / 2; };
    const bars = [...root.querySelectorAll('.bar')].map((bar) => ({ at: middle(bar), key: Number(bar.getAttribute('data-bar')?.split(' ')[1]) }));
    const under = [...root.querySelectorAll('.ghost-bar')].map((ghost) => bars.find(({ at }) => Math.abs(at - middle(ghost)) < 1)?.key);
    return { keys: [...new Set(under)].sort(), isSaid: root.querySelector('.row-was')?.checkVisibility() ?? false };
  });
  await page.page.locator('.row-was').waitFor({ state: 'attached' });
  await page.page.locator('[data-setting=parameters] input[value=trained]').check({ force: true });
  await settle(page);
  const trained = await ghosts();
  assert.ok(trained.isSaid && trained.keys.length > 2, JSON.stringify(trained));
  const [name, number] = await Promise.all(['[data-name=scaled_scores]', '[data-number="scaled_scores 0"]'].map((selector) => page.page.locator(selector).boundingBox()));
  assert.ok(name && number && name.x + name.width <= number.x, 'the name of the strip ends before its first number');
  assert.ok(!trained.keys.includes(0) && !trained.keys.includes(undefined), `outlines stand at ${trained.keys.join()}, where 0 is the start token`);
  await page.page.locator('[data-setting=parameters] input[value=designed]').check({ force: true });
  await page.page.locator('.columns bdi').first().waitFor();
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as unknown as { parameters: string }).parameters === 'designed');
  await page.ready();
  const designed = await ghosts();
  assert.ok(designed.isSaid && designed.keys.length > 2 && !designed.keys.includes(undefined), JSON.stringify(designed));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a chance is followed forwards’ way back, operand by operand, to the embedding: each parameter is the file’s number of 8 bits times the scale that is named', async () => {
  const page = await openTrained({ layer: 1 });
  const bytes = shippedBytes();
  const query = (await page.tokens()).length - 1;
  await select(page, query, 0);
  const forwards = await new Forwards(page).open();
  const row = (layer: number) => followed(model, TEXT, { layer, query, epsilon: 1e-5 });
  await assertShare(forwards);
  // Always to the operand that is shown first.
  const made: [string, MadeOf][] = [['logit', { stages: ['final'], parameters: ['W_U'] }], ['final', { stages: ['last'], parameters: ['gain_F', 'bias_F'] }]];
  const ofLayer: [string, MadeOf][] = [
    ['sum_2', { stages: ['sum_1', 'mlp'] }], ['mlp', { stages: ['active'], parameters: ['W_down'] }], ['active', { stages: ['up'] }], ['up', { stages: ['norm_2'], parameters: ['W_up'] }],
    ['norm_2', { stages: ['sum_1'], parameters: ['gain_2', 'bias_2'] }], ['sum_1', { stages: ['x', 'attention'] }],
  ];
  for (const [i, [stage, each]] of made.entries()) {
    if (i > 0) await forwards.follow(stage);
    assert.equal((await forwards.place()).stage, stage);
    await assertMade(forwards, bytes, each, row(3));
  }
  await forwards.follow('last');
  for (let layer = 3; layer >= 0; layer -= 1) {
    const { index } = await forwards.place();
    await forwards.fold.locator('[data-forward=layer]').click();
    await forwards.fold.locator(`[data-forward-number="sum_2 ${index}"]`).waitFor();
    await page.ready();
    assert.match(await forwards.fold.innerText(), new RegExp(`through layer ${layer + 1}\\b`));
    for (const [stage, each] of ofLayer) {
      if (stage !== 'sum_2') await forwards.follow(stage);
      await assertMade(forwards, bytes, each, row(layer));
    }
    await forwards.follow('attention');
    await assertMade(forwards, bytes, { stages: ['contexts'], parameters: ['W_O'] }, row(layer));
    await forwards.fold.locator('[data-forward=back]').click();
    await forwards.fold.locator('[data-forward-number^="sum_1 "]').waitFor();
    await forwards.follow('x');
  }
  const x = await forwards.value();
  await forwards.fold.locator('[data-forward=embedding]').click();
  await forwards.fold.locator('[data-forward-number^="embedding "]').waitFor();
  assert.equal(await forwards.value(), x);
  const { file } = await forwards.parameter('E');
  const id = model.tokenize(TEXT)[query]?.id;
  const { index } = await forwards.place();
  assert.equal(file, `embeddings.weight[${id}, ${index}] × embeddings.scale[${id}]`);
  assert.equal(Math.fround((await inFile(bytes, file))[0] ?? NaN), x);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the loss of a typed sentence is followed back to every number of the model, each written out', async () => {
  const page = await openTrained({ layer: 3, head: 2, row: 9, key: 4 });
  const fold = page.page.locator('.model-backwards:not(.model-forwards)');
  assert.equal(await page.page.locator('.training-stages').count(), 0);
  await fold.locator('summary').first().click();
  const traced = await openTraced(model.traceable as Traceable, { wasm: await readFile(built('wasm/bindings/attention_training.wasm')) });
  const follow = async (text: string) => {
    const ids = model.tokenize(text).map(({ id }) => id);
    const state = await traced.state(ids);
    await page.page.waitForFunction((loss) => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.model-backwards:not(.model-forwards) .model-about b')?.textContent === loss, state.loss.toFixed(4));
    assert.match(await fold.locator('.model-about').innerText(), new RegExp(`${ids.length - 1} next words`));
    return { state, T: ids.length };
  };
  const open = async (stage: string, layer = 3) => {
    await fold.locator(`[data-stage="${stage}"][data-layer="${layer}"]`).click();
    await fold.locator(`[data-open="${stage}"][data-layer="${layer}"]`).waitFor();
    return Number((await fold.locator('[data-value]').getAttribute('title') ?? '').replace('−', '-'));
  };
  const is = (got: number, wanted: number | undefined) => assert.ok(Math.abs(got - (wanted ?? NaN)) <= 1e-6 * Math.abs(wanted ?? NaN) + 1e-12, `${got}, not ${wanted}`);
  const { state, T } = await follow(TEXT);
  const layer = state.layers[2] as (typeof state.layers)[number];
  is(await open('dS'), layer.scores.gradients[(T + 8) * T + 3]);
  assert.match(await fold.locator('[data-line]').innerText(), /^= .+ × \( .+ − .+ \) = /);
  is(await open('dP'), layer.weights.gradients[(T + 8) * T + 3]);
  is(await open('dQ'), layer.query.gradients[(T + 8) * 32]);
  is(await open('dW_Q'), state.parameters.find(({ name }) => name === 'block_2.query')?.gradients[32]);
  is(await open('dW_1'), state.parameters.find(({ name }) => name === 'block_2.up')?.gradients[0]);
  // A term leads to its own place.
  await fold.locator('[data-operand="dA"]').first().click();
  await fold.locator('[data-open="dA"]').waitFor();
  await fold.locator('.training-back').click();
  await fold.locator('[data-open="dW_1"]').waitFor();
  // Another layer is laid out once one of its stages is open.
  assert.equal(await fold.locator('[data-layer="1"][data-stage="dS"]').count(), 0);
  await open('dM', 1);
  is(await open('dS', 1), state.layers[0]?.scores.gradients[(T + 8) * T + 3]);
  const other = 'a bird sat on the red roof';
  await page.replace(other);
  await settle(page);
  await follow(other);
  assert.deepEqual(page.problems, []);
  traced.free();
  await page.close();
});
