// Language models in the built page: the shipped one under its policy, from beside it, with the bits of every other place,
// offline, too; and one of BERT's kind, which sees the whole sentence, and says what it expects where a word is hidden.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Playground, Reader, link } from '../lib/page.ts';
import { openShipped, shippedName } from '../lib/shipped-model.ts';
import { loadInNode } from '../lib/operators.ts';
import { BERT_CONFIG as CONFIG, PIECES, SMALL, smallBert as bert } from '../lib/model-files.ts';
import { Forwards, type MadeOf, Walk, assertChance, assertMade, followed, inFile } from '../lib/walk.ts';
import { type Beside, LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';
import type * as Module from '../../web/src/parameters/language-model/language-model.ts';

const TEXT = 'The old fox saw a hen. The old fox';
const reader = await Reader.arrive();
after(() => reader.leave());

/** The bits of what a run holds of the last token, and how the model came. */
function runInPage(page: Page, address: string) {
  return page.evaluate(async ([script, text]) => {
    const { LanguageModel, fetchModel, shippedModel } = (await import(script)) as typeof Module;
    const shipped = shippedModel();
    if (!shipped) throw new Error('This build has no model.');
    const shares: number[] = [];
    try {
      const model = await LanguageModel.open(await fetchModel(shipped, { progress: (share) => shares.push(share) }));
      const run = model.run(model.tokenize(text).map(({ id }) => id));
      const bits = (numbers: Float32Array) => Array.from(new Uint32Array(numbers.slice().buffer));
      const last = run.tokens.length - 1;
      return { name: shipped.name, shares, words: run.predictions(last, 5).map(({ word }) => word), bits: [...bits(run.logits(last)), ...bits(run.weights(3, 3))] };
    } catch (error) {
      return { message: (error as Error).message };
    }
  }, [`${address}language-model.js`, TEXT] as const);
}

/** At a megabyte in a quarter of a second: from this machine's own server all of a model may come in one piece. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: 4 * 2 ** 20, uploadThroughput: -1 });
}

test('it runs in the page with the bits that it has in Node, and shows how much of it has come', async () => {
  const playground = await reader.open();
  await slowDown(playground.page);
  const found = await runInPage(playground.page, reader.address);
  assert.ok('bits' in found, found.message);
  const model = await openShipped();
  const run = model.run(model.tokenize(TEXT).map(({ id }) => id));
  const last = run.tokens.length - 1;
  const expected = [...run.logits(last), ...run.weights(3, 3)];
  assert.equal(found.name, shippedName());
  assert.deepEqual(found.bits, Array.from(new Uint32Array(Float32Array.from(expected).buffer)));
  assert.deepEqual(found.words, run.predictions(last, 5).map(({ word }) => word));
  assert.ok(found.shares.length > 1 && found.shares.at(-1) === 1);
  assert.ok(found.shares.every((share, i) => share > (found.shares[i - 1] ?? 0)));
  await playground.close();
});

test('once fetched it is there without a network; without either, a sentence says so', async () => {
  const playground = await reader.open();
  const { page } = playground;
  assert.ok('bits' in await runInPage(page, reader.address));
  await page.context().route('**/*.safetensors', (route) => route.abort('internetdisconnected'));
  const again = await runInPage(page, reader.address);
  assert.deepEqual('shares' in again && again.shares, [1]);
  await page.evaluate(async () => Promise.all((await caches.keys()).map((key) => caches.delete(key))));
  assert.match((await runInPage(page, reader.address)).message ?? '', /could not be fetched.*online.*try again/s);
  await page.context().unroute('**/*.safetensors');
  assert.ok('bits' in await runInPage(page, reader.address));
  await playground.close();
});

const BESIDE: Beside = { config: CONFIG, pieces: PIECES.join('\n') };
const file = (name: string, content: Uint8Array | string) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

async function openBert(text: string, bytes = bert()): Promise<Playground> {
  const page = await reader.open({ fragment: link({ text, parameters: 'yours' }) });
  await page.page.locator('.yours input[multiple]').setInputFiles([file('model.safetensors', bytes), file('config.json', CONFIG), file('vocab.txt', PIECES.join('\n'))]);
  await page.page.locator('.model:not([hidden]) .expects').waitFor();
  await page.ready();
  return page;
}

const panel = (page: Playground) => page.page.locator('.model').innerText();
const guesses = (page: Playground) => page.page.locator('[data-guess] th').allInnerTexts();

test('a second sentence is typed behind [SEP]: its words are of the second kind, see the first, and the link keeps them', async () => {
  const page = await openBert('The cat sat.');
  assert.equal(await page.page.locator('[data-note=pair]').count(), 0);
  await page.page.getByRole('button', { name: 'Add a second sentence' }).click();
  assert.match(await page.text(), /^The cat sat\. \[SEP\] \S/);
  await page.page.getByRole('button', { name: 'Add a second sentence' }).waitFor({ state: 'detached' });
  await page.paste('The cat sat. [SEP] a dog ran');
  const { rowLabels, columnLabels } = await page.read();
  assert.deepEqual(rowLabels, ['[CLS]', 'The', 'cat', 'sat', '.', '[SEP]', 'a', 'dog', 'ran', '[SEP]']);
  assert.deepEqual(columnLabels, rowLabels);
  assert.match(await page.page.locator('[data-note=pair]').innerText(), /^Two sentences\..*of the second kind/);
  const model = await LanguageModel.open(bert(), BESIDE, { operators: () => loadInNode() });
  const run = model.run(model.tokenize('The cat sat. [SEP] a dog ran').map(({ id }) => id));
  const shown = await page.stage('weights');
  run.layerWeights(0).forEach((weight, i) => assert.ok(Math.abs(weight - (shown[i] ?? NaN)) < 1e-5));
  assert.ok(shown.every((weight) => weight > 0), 'every word sees those of both');
  model.free();
  assert.match(decodeURIComponent(new URL(page.page.url()).hash.replaceAll('+', ' ')), /text=The cat sat\. \[SEP\] a dog ran/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('BERT: a word of the second sentence is followed to its three embeddings, a hidden word’s chance through the head to the last layer', async () => {
  const page = await openBert('The [MASK] sat. [SEP] a dog ran');
  const forwards = await new Forwards(page).open();
  await page.walkTo(7, 0);
  await page.ready();
  const x = await forwards.at('x', 2);
  await forwards.fold.locator('[data-forward=embedding]').click();
  await forwards.fold.locator('[data-forward-number="embedding 2"]').waitFor();
  assert.equal(await forwards.value(), x);
  const [mean, deviation] = [await forwards.constant('mean'), await forwards.constant('deviation')];
  const [gain, bias] = [await forwards.parameter('gain_E'), await forwards.parameter('bias_E')];
  await forwards.follow('placed', 2);
  const placed = await forwards.value();
  assert.ok(Math.abs(((placed - mean) / deviation) * gain.value + bias.value - x) < 1e-4);
  const word = await forwards.parameter('E');
  assert.match(word.file, new RegExp(`word_embeddings\\.weight\\[${PIECES.indexOf('dog')}, 2\\]$`));
  await forwards.follow('places', 2);
  const places = await forwards.value();
  const [place, kind] = [await forwards.parameter('position'), await forwards.parameter('segment')];
  assert.match(place.file, /position_embeddings\.weight\[7, 2\]$/);
  assert.match(kind.file, /token_type_embeddings\.weight\[1, 2\]$/);
  const ofFile = async (name: string) => (await inFile(bert(), name))[0] ?? NaN;
  assert.equal(Math.fround(await ofFile(place.file) + await ofFile(kind.file)), places);
  assert.equal(Math.fround(await ofFile(word.file) + places), placed);

  // The hidden word, through transform, GELU and norm to the logit with its bias.
  await page.walkTo(2, 0);
  await page.ready();
  await assertChance(forwards, bert(), { D: SMALL.D, epsilon: 1e-12, isRms: false, hasTransform: true });
  await forwards.at('activated', 1);
  const after = await forwards.value();
  const share = await forwards.constant('share');
  await forwards.follow('transformed', 1);
  assert.ok(Math.abs(await forwards.value() * share - after) < 1e-5);
  const dense = await forwards.parameter('W_T');
  const weights = await inFile(bert(), dense.file);
  const transformed = await forwards.value();
  let sum = await ofFile((await forwards.parameter('b_T')).file);
  for (let i = 0; i < SMALL.D; i += 1) sum += (weights[i] ?? NaN) * await forwards.at('last', i);
  assert.ok(Math.abs(sum - transformed) < 1e-4, `${sum}, not ${transformed}`);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('BERT: each number of a layer, before it and behind it is what its rule makes of the numbers shown, and its parameters are the file’s, by name', async () => {
  const text = 'The [MASK] sat. [SEP] a dog ran';
  const page = await openBert(text);
  await page.page.locator('.model-head[data-layer="1"][data-head="0"]').click();
  await page.walkTo(2, 0);
  await page.ready();
  const model = await LanguageModel.open(bert(), BESIDE, { operators: () => loadInNode() });
  const forwards = await new Forwards(page).open();
  const made: Record<string, MadeOf> = {
    embedding: { stages: ['placed'], parameters: ['gain_E', 'bias_E'] }, attention: { stages: ['contexts'], parameters: ['W_O', 'b_O'] }, sum_1: { stages: ['x', 'attention'] },
    norm_1: { stages: ['sum_1'], parameters: ['gain_1', 'bias_1'] }, up: { stages: ['norm_1'], parameters: ['W_up', 'b_up'] }, active: { stages: ['up'] },
    mlp: { stages: ['active'], parameters: ['W_down', 'b_down'] }, sum_2: { stages: ['norm_1', 'mlp'] }, norm_2: { stages: ['sum_2'], parameters: ['gain_2', 'bias_2'] },
    transformed: { stages: ['last'], parameters: ['W_T', 'b_T'] }, activated: { stages: ['transformed'] }, final: { stages: ['activated'], parameters: ['gain_F', 'bias_F'] }, logit: { stages: ['final'], parameters: ['W_U', 'b_U'] },
  };
  for (const [stage, each] of Object.entries(made)) {
    await forwards.at(stage, 11);
    await assertMade(forwards, bert(), each, followed(model, text, { layer: 1, query: 2, epsilon: 1e-12 }));
  }
  model.free();
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('it opens without a mask, and says what it expects at each hidden word: the file’s own numbers', async () => {
  const text = 'The [MASK] sat on a [MASK].';
  const page = await openBert(text);
  assert.match(await page.page.locator('.yours').innerText(), /BERT.*2 layers of 4 heads, d_model 16, 16 tokens, 32 at once/);
  assert.deepEqual((await page.read()).rowLabels, ['[CLS]', 'The', '[MASK]', 'sat', 'on', 'a', '[MASK]', '.', '[SEP]']);
  assert.equal((await page.switches())['mask'], 'none');
  // They have no letters in the text, and stand before it and behind it.
  const around = (which: string) => page.page.locator('.mirror').evaluate((mirror, part) => getComputedStyle(mirror, part).content, which);
  assert.deepEqual([await around('::before'), await around('::after')], ['"[CLS]"', '"[SEP]"']);
  assert.match(await panel(page), /every word seeing all words, and guess what is hidden/);
  assert.doesNotMatch(await panel(page), /next word|nats a token|Say it twice|never trained like this/);

  const model = await LanguageModel.open(bert(), BESIDE, { operators: () => loadInNode() });
  const run = model.run(model.tokenize(text).map(({ id }) => id));
  const words = (place: number) => run.predictions(place, 8).map(({ word }) => word);
  const weights = await page.stage('weights');
  run.weights(0, 0).forEach((weight, i) => assert.ok(Math.abs(weight - (weights[i] ?? NaN)) < 1e-5));
  assert.match(await page.page.locator('.expects h3').innerText(), /At \[MASK\] 1 it expects/);
  assert.deepEqual((await guesses(page)).map((word) => word.replace('·', '')), words(2));
  await page.page.locator('[data-hidden]').nth(1).click();
  await page.ready();
  assert.match(await page.page.locator('.expects h3').innerText(), /At \[MASK\] 2 it expects/);
  assert.deepEqual((await guesses(page)).map((word) => word.replace('·', '')), words(6));
  assert.deepEqual((await page.page.locator('[data-hidden] td:nth-of-type(1)').allInnerTexts()).map((word) => word.replace('·', '')), [words(2)[0], words(6)[0]]);
  model.free();

  // A later word's row ends in its walk as the model read it, unmasked.
  const walk = await new Walk(page).show();
  assert.match(await walk.card('content').innerText(), /Residual stream, normed/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a word that its pieces cannot spell is named as unknown', async () => {
  const page = await openBert('The fox sat on a [MASK].');
  assert.match(await page.page.locator('[data-note=unread]').innerText(), /does not know this:.*fox/);
  await page.close();
});

test('a piece that is guessed continues the word before it', async () => {
  const page = await openBert('The cat [MASK] sat.');
  await page.page.locator('[data-guess] button', { hasText: /^·s$/ }).click();
  await page.ready();
  assert.equal(await page.text(), 'The cats sat.');
  assert.deepEqual((await page.read()).rowLabels, ['[CLS]', 'The', 'cat', '·s', 'sat', '.', '[SEP]']);
  await page.close();
});

test('a guess is written where the word is hidden; without a hidden word it says so, and offers to hide one', async () => {
  const page = await openBert('The [MASK] sat.');
  const word = await page.page.locator('[data-guess] button').first().innerText();
  await page.page.locator('[data-guess] button').first().click();
  await page.ready();
  assert.equal(await page.text(), `The ${word.replace('·', '')} sat.`);
  assert.equal(await page.page.locator('[data-guess]').count(), 0);
  assert.match(await panel(page), /reads the whole sentence at once.*no next word to guess.*type \[MASK\] in place of a word/s);
  await page.walkTo(3, 0);
  await page.ready();
  await page.page.locator('[data-hide]').click();
  await page.ready();
  assert.match(await page.text(), /\[MASK\]/);
  await page.page.locator('[data-guess]').first().waitFor();
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a causal mask is a change like another: it is said to be none that it was trained with, and can be put back', async () => {
  const page = await openBert('The [MASK] sat on a mat.');
  const own = await page.page.locator('[data-guess] td').first().innerText();
  await page.set({ mask: 'causal' });
  await page.ready();
  const T = 9;
  (await page.stage('weights')).forEach((weight, i) => assert.equal(weight > 0, i % T <= Math.floor(i / T) % T));
  assert.match(await page.page.locator('[data-note=mask]').innerText(), /never trained like this.*every word saw all words, behind it as well as before it/s);
  assert.equal(await page.page.locator('[data-guess] td.muted').first().innerText() !== '', true);
  await page.set({ mask: 'none' });
  await page.ready();
  assert.equal(await page.page.locator('[data-note=mask]').count(), 0);
  assert.equal(await page.page.locator('[data-guess] td').first().innerText(), own);
  // Once it is closed, the mask is the page's own again.
  await page.page.locator('[data-close-model]').click();
  await page.page.locator('.paste').waitFor();
  await page.ready();
  assert.equal((await page.switches())['mask'], 'causal');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a file without the head that guesses shows attention alone, and says why', async () => {
  const page = await openBert('The cat sat.', bert(false));
  assert.match(await page.page.locator('[data-no-guess]').innerText(), /no part that guesses words.*ForMaskedLM/);
  assert.equal(await page.page.locator('[data-guess], [part=stream], [part=every-word]').count(), 0);
  await page.page.locator('.model-head[data-layer="1"][data-head="2"]').click();
  await page.ready();
  const weights = await page.stage('weights');
  assert.equal(weights.length, SMALL.HEADS * 6 * 6);
  assert.ok(weights.every((weight) => weight > 0));
  assert.deepEqual(page.problems, []);
  await page.close();
});
