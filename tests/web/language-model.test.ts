// A language model in the built page: under its policy, from beside it, with the bits of every other place; offline, too.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Reader } from '../lib/page.ts';
import { openShipped, shippedName } from '../lib/shipped-model.ts';
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
