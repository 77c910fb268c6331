// Slides of reveal.js 5 and 6 with their defaults, in windows that make them scale: a click meets the cell under it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { type Engine, openEngine, wantedEngines } from '../lib/engines.ts';
import { type Served, serve } from '../lib/serve.ts';

const PACKAGE = fileURLToPath(new URL('../../build/package/dist', import.meta.url));
const PACKAGES = fileURLToPath(new URL('reveal/node_modules', import.meta.url));
const WINDOWS = [{ width: 700, height: 500 }, { width: 1600, height: 1200 }];

const slides = (version: string) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>A talk</title>
  <link rel="stylesheet" href="${version}/dist/reset.css"><link rel="stylesheet" href="${version}/dist/reveal.css"><link rel="stylesheet" href="${version}/dist/theme/white.css">
  <script src="attention-playground.js" defer></script>
  <div class="reveal"><div class="slides">
    <section><h2>Weights</h2><attention-playground view="matrix" controls="none" heads="2" loading="eager" text="one two three four five six"></attention-playground></section>
    <section><h2>Last</h2></section>
  </div></div>
  <script src="${version}/dist/reveal.js"></script><script src="talk.js"></script></html>`;

let site: Served;
before(async () => {
  assert.ok(existsSync(path.join(PACKAGES, 'reveal.js-5')), 'reveal.js is missing: run tools/setup hosts, which brings it.');
  site = await serve({ folders: [PACKAGE, PACKAGES], pages: { '5.html': slides('reveal.js-5'), '6.html': slides('reveal.js'), 'talk.js': 'Reveal.initialize();' } });
});
after(() => site?.close());

for (const name of wantedEngines()) {
  describe(name, () => {
    let engine: Engine;
    before(async () => { engine = await openEngine(name); });
    after(() => engine?.close());
    for (const version of ['5', '6']) {
      for (const window of WINDOWS) {
        test(`reveal.js ${version} at ${window.width} × ${window.height}`, async () => {
          const tab = await engine.newTab(window);
          await tab.goto(`${site.address}${version}.html`);
          await tab.waitFor(() => (document.querySelector('attention-playground') as AttentionPlayground | null)?.trace !== null && document.querySelector('.reveal.ready') !== null);
          const clicked = await tab.evaluate(async () => {
            const element = document.querySelector('attention-playground') as AttentionPlayground;
            const root = element.shadowRoot as ShadowRoot;
            const lies = () => {
              const { left, right, top, bottom, width } = root.querySelector('.matrix [role=gridcell]')?.getBoundingClientRect() as DOMRect;
              return { clientX: (left + right) / 2, clientY: (top + bottom) / 2, width };
            };
            const choose = async (row: string, column: string) => {
              Object.assign(element, { row, column });
              await element.updateComplete;
              await new Promise((resolve) => setTimeout(resolve, 200));
            };
            await choose('4', '2');
            const { width, ...there } = lies();
            await choose('1', '1');
            const under = root.elementFromPoint(there.clientX, there.clientY);
            under?.dispatchEvent(new MouseEvent('click', { ...there, bubbles: true, composed: true }));
            return { chosen: [String(element.row), String(element.column)], isCanvas: under?.localName === 'canvas', scale: width / ((root.querySelector('.matrix [role=gridcell]') as HTMLElement).offsetWidth || 1) };
          });
          assert.deepEqual(clicked.chosen, ['4', '2']);
          assert.ok(clicked.isCanvas && Math.abs(clicked.scale - 1) > 0.1, `the slide is scaled by ${clicked.scale}`);
          await tab.close();
        });
      }
    }
  });
}
