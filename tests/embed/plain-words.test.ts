// Plain sentences are cut without the browser's segmenter, and as it cuts them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isPlain, tokenize } from '../../web/src/engine/tokens.ts';
import { type Engine, openEngine, wantedEngines } from '../lib/engines.ts';
import { Random } from '../lib/random.ts';
import { type Served, serve } from '../lib/serve.ts';

const PIECES = ['word', 'a', 'It', "didn't", "o'clock", "'", '7', '2017', 'x2', '.', ',', ';', '!', '?', ' ', ' ', ' ', '  ', '-', '_', '3.5', ':', 'é', '\n'];
const TEXTS = 20_000;
const random = new Random(5);
const plain = Array.from({ length: TEXTS }, () => Array.from({ length: random.whole(0, 9) }, () => random.pick(PIECES)).join('')).filter(isPlain);
const LONG = "The animal didn't cross the street, because it was too tired; or was it? ".repeat(3000);

test('a long sentence that is plain but for its end is looked through in no time', () => {
  assert.ok(isPlain(LONG) && !isPlain(`${LONG}é`));
});

for (const name of wantedEngines()) {
  describe(name, () => {
    let engine: Engine;
    let site: Served;
    before(async () => {
      site = await serve({ pages: { 'index.html': '<!doctype html><title>words</title>' } });
      engine = await openEngine(name);
    });
    after(async () => {
      await engine?.close();
      await site?.close();
    });

    test('plain sentences are cut as the browser cuts them', async () => {
      assert.ok(plain.length > TEXTS / 10, `${plain.length} of ${TEXTS} are plain`);
      const tab = await engine.newTab();
      await tab.goto(site.address);
      const seen = await tab.evaluate((texts) => {
        const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
        return texts.map((text) => [...segmenter.segment(text)].filter(({ segment }) => segment.trim() !== '').map(({ segment, index }) => [segment, index] as const));
      }, plain);
      plain.forEach((text, i) => assert.deepEqual(tokenize(text).map((token) => [token.text, token.start]), seen[i], text));
      await tab.close();
    });
  });
}
