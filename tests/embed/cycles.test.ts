// Elements come and go, ATTENTION_CYCLES times in Chromium, which says what its page holds, and at most 2,000 in others: what they held is let go, in the engine's memory and in the page's.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { VIEWS as ALL } from '../../web/src/state/views.ts';
import { DIST, SPY, type Spied, host, ready } from '../lib/embedded.ts';
import { type Engine, openEngine, wantedEngines } from '../lib/engines.ts';
import { type Served, serve } from '../lib/serve.ts';

const CYCLES = Number(process.env['ATTENTION_CYCLES'] ?? 200);
const VIEWS = ALL.filter((view) => view !== 'model' && view !== 'lesson');
/** Each view once: an engine's driver has only so long for one script. */
const BATCH = VIEWS.length;
const pages = { 'spy.js': SPY, 'index.html': host('<div id="place"></div>', { head: '<script src="spy.js"></script>' }) };

/** Each is drawn before it goes; every tenth goes before that. */
async function come(count: number, views: readonly string[]): Promise<void> {
  const place = document.querySelector('#place') as HTMLElement;
  for (let i = 0; i < count; i += 1) {
    const element = document.createElement('attention-playground') as AttentionPlayground;
    element.setAttribute('view', views[i % views.length] ?? '');
    element.setAttribute('loading', 'eager');
    element.setAttribute('text', `one two three ${i % 7}`);
    const drawn = new Promise((resolve) => element.addEventListener('attention-ready', resolve, { once: true }));
    place.append(element);
    if (i % 10 > 0) await drawn;
    element.remove();
  }
}

for (const name of wantedEngines()) {
  describe(name, () => {
    const cycles = name === 'chromium' ? CYCLES : Math.min(CYCLES, 2000);
    let engine: Engine;
    let site: Served;
    before(async () => {
      site = await serve({ folders: [DIST], pages });
      engine = await openEngine(name);
    });
    after(async () => {
      await engine?.close();
      await site?.close();
    });

    test(`elements made and removed ${cycles} times leave nothing behind`, async (context) => {
      const tab = await engine.newTab();
      await tab.goto(site.address);
      const memory = () => tab.evaluate(() => (globalThis as unknown as Spied).engines.map(({ buffer }) => buffer.byteLength));
      // What is made once is made by then, and what is kept for later.
      for (let i = 0; i < 6; i += 1) await tab.evaluate(come, BATCH, VIEWS);
      await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
      const [wasm, before] = [await memory(), await tab.held()];
      for (let done = 0; done < cycles; done += BATCH) await tab.evaluate(come, BATCH, VIEWS);
      await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
      assert.equal(wasm.length, 1);
      assert.deepEqual(await memory(), wasm);
      const now = await tab.held();
      context.diagnostic(JSON.stringify({ engine: name, cycles, wasm, before, now }));
      if (before && now) {
        // One element holds over a hundred nodes and a hundred kilobytes.
        assert.ok(now.nodes - before.nodes < 500, `${before.nodes} nodes became ${now.nodes}`);
        assert.ok(now.listeners - before.listeners < 50, `${before.listeners} listeners became ${now.listeners}`);
        assert.ok(now.bytes - before.bytes < 1e6, `${before.bytes} bytes became ${now.bytes}`);
      }
      await tab.evaluate(() => document.querySelector('#place')?.append(Object.assign(document.createElement('attention-playground'), { loading: 'eager' })));
      await ready(tab);
      assert.deepEqual(await tab.problems(), []);
      await tab.close();
    });
  });
}
