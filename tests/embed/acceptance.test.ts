// The element in a stranger's page does the same in every engine: the engines are named by ATTENTION_ENGINES.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { VIEWS, isApart } from '../../web/src/state/views.ts';
import { read } from '../lib/shown-numbers.ts';
import { DIST, SCRIPT, SPY, type Spied, assertWeights, host, ready, tokens } from '../lib/embedded.ts';
import { type Engine, type Tab, openEngine, wantedEngines } from '../lib/engines.ts';
import { DEFAULTS, nativeStages, referenceStages } from '../lib/native.ts';
import { readScreen } from '../lib/screen.ts';
import { type Served, serve } from '../lib/serve.ts';

const WORDS = ['the', 'cat', 'sat', 'on', 'the', 'mat'];
const FALLBACK = '<a href="about:blank">The cat attends to the mat.</a>';
const FIGURE = `<attention-playground text="${WORDS.join(' ')}" heads="2" loading="eager">${FALLBACK}</attention-playground>`;
const SPIED = { head: '<script src="spy.js"></script>' };
const CSS = '<link rel="stylesheet" href="attention-playground.css">';

const FIGURES = VIEWS.filter((view) => view !== 'playground' && !isApart(view));

const pages = {
  'spy.js': SPY,
  'index.html': host(FIGURE, SPIED),
  'two.html': host(`${FIGURE}<attention-playground text="a second one" mask="none" heads="8" seed="7" loading="eager"></attention-playground>`, SPIED),
  'twice.html': host(FIGURE, { ...SPIED, script: `${SCRIPT}<script src="other.js"></script>${SCRIPT.replace('<script', '<script type="module"')}` }),
  'early.html': host('<attention-playground loading="eager" text="one two"></attention-playground><script src="early.js"></script><script src="attention-playground.js"></script>', { script: '' }),
  'early.js': 'Object.assign(document.querySelector("attention-playground"), { heads: "8", text: "set before its time", mask: "none" });',
  ...Object.fromEntries(FIGURES.flatMap((view) => ['basic', 'none'].flatMap((controls) => ['en', 'es'].map((language) => [
    `still-${view}-${controls}-${language}.html`,
    host(`<div>${FIGURE.replace('text=', `view="${view}" controls="${controls}" text=`)}</div><p id="below">What follows.</p><script src="late.js"></script>`, { head: CSS, script: '', language }),
  ])))),
  'late.js': `globalThis.shifts = 0;
    try { new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shifts += value; }).observe({ type: 'layout-shift', buffered: true }); } catch {}
    globalThis.arrive = () => document.head.append(Object.assign(document.createElement('script'), { src: 'attention-playground.js' }));`,
  ...Object.fromEntries(FIGURES.map((view) => [`seen-${view}.html`, host(`${FIGURE.replace('text=', `view="${view}" text=`)}`, { head: '<script src="seen.js"></script>' })])),
  // Before the browser has drawn anything more: what is seen of the figure, and of the next ones, once they say that they are ready.
  'seen.js': `globalThis.seen = [];
    addEventListener('attention-ready', ({ target: { shadowRoot } }) => seen.push([...shadowRoot.querySelectorAll('.root, .root > :not([hidden])')].map((part) => getComputedStyle(part).visibility)));`,
  'far.html': host(`<div style="height:6000px"></div>${FIGURE.replace(' loading="eager"', '')}`, SPIED),
  'frame.html': host(`<iframe sandbox="allow-same-origin" src="index.html" width="600" height="400"></iframe>`, { script: '' }),
};

/** The same script under another number. */
async function otherVersion(): Promise<string> {
  const script = await readFile(path.join(DIST, 'attention-playground.js'), 'utf8');
  const { version } = JSON.parse(await readFile(new URL('../../web/package.json', import.meta.url), 'utf8'));
  assert.ok(script.includes(`"${version}"`));
  return script.replaceAll(`"${version}"`, '"99.0.0"');
}

for (const name of wantedEngines()) {
  describe(name, () => {
    let engine: Engine;
    let site: Served;
    let tab: Tab;
    before(async () => {
      site = await serve({ folders: [DIST], pages: { ...pages, 'other.js': await otherVersion() } });
      engine = await openEngine(name);
    });
    after(async () => {
      await engine?.close();
      await site?.close();
    });
    const open = async (page = '', elements = 1) => {
      tab = await engine.newTab();
      await tab.goto(site.address + page);
      for (let i = 0; i < elements; i += 1) await ready(tab, i);
    };
    const done = async () => {
      assert.deepEqual(await tab.problems(), []);
      await tab.close();
    };
    /** When every figure has its cell, all have shared one engine. */
    const assertOneEngine = async () => {
      await tab.waitFor(() => [...document.querySelectorAll('attention-playground')].every(({ shadowRoot }) => shadowRoot?.querySelector('.cell-title .value')?.textContent?.trim()));
      assert.equal(await tab.evaluate(() => (globalThis as unknown as Spied).engines.length), 1);
    };
    const field = () => document.querySelector('attention-playground')?.shadowRoot?.querySelector('textarea');

    for (const view of FIGURES) {
      test(`what says that it is ready can be seen: ${view}, the first and the next`, async () => {
        await open(`seen-${view}.html`);
        await tab.evaluate(() => document.body.append(document.querySelector('attention-playground')?.cloneNode(true) as Node));
        await ready(tab, 1);
        const seen = await tab.evaluate(() => (globalThis as unknown as { seen: string[][] }).seen);
        assert.equal(seen.length, 2);
        for (const parts of seen) {
          assert.ok(parts.length > 1, 'it has parts');
          assert.deepEqual(parts.filter((visibility) => visibility !== 'visible'), []);
        }
        await done();
      });
    }

    test('a figure appears, and its numbers are those of the native build and of plain loops in double', async () => {
      await open();
      const settings = { ...DEFAULTS, num_heads: 2 };
      await assertWeights(tab, nativeStages(WORDS, settings).get('weights'));
      await tab.waitFor(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.cell-title .value')?.textContent?.trim());
      const screen = await tab.evaluate(readScreen);
      assert.ok(screen.figure);
      assert.deepEqual([screen.problem, screen.rowLabels, screen.heads], ['', WORDS, 2]);
      const double = referenceStages(WORDS, settings).get('weights')[screen.query * WORDS.length + screen.key] ?? NaN;
      const { low, high } = read(screen.weight);
      assert.ok(double >= low - 1e-6 && double <= high + 1e-6, `${screen.weight} is not ${double}`);
      const colours = await tab.evaluate(() => {
        const canvas = document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLCanvasElement>('.matrix canvas') as HTMLCanvasElement;
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) as ImageData;
        return new Set(new Uint32Array(data.buffer)).size;
      });
      assert.ok(colours > 8, `the matrix is painted in ${colours} colours`);
      await done();
    });

    test('typing changes it', async () => {
      await open();
      await tab.click(field);
      await tab.press('Control+a');
      await tab.type('now three words');
      await tab.waitFor(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.tokens.length === 3);
      assert.deepEqual(await tokens(tab), ['now', 'three', 'words']);
      await assertWeights(tab, nativeStages(['now', 'three', 'words'], { ...DEFAULTS, num_heads: 2 }).get('weights'));
      await done();
    });

    test('a cell is selected by the keyboard, and by the pointer', async () => {
      await open();
      await tab.evaluate(() => {
        Object.assign(globalThis, { selected: [] });
        document.addEventListener('attention-select', (event) => (globalThis as unknown as { selected: unknown[] }).selected.push((event as CustomEvent).detail));
        const cell = document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>('.matrix [role=gridcell]');
        cell?.focus();
      });
      for (const key of ['Control+Home', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await tab.press(key);
      assert.deepEqual(await tab.evaluate(() => (globalThis as unknown as { selected: unknown[] }).selected.at(-1)), { head: 0, query: 2, key: 1 });
      const screen = await tab.evaluate(readScreen);
      assert.deepEqual([screen.query, screen.key], [2, 1]);
      assert.match(screen.label, /cat/);
      await tab.click(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.heads-scroll label[data-head="1"]'));
      assert.equal(await tab.waitFor(() => (globalThis as unknown as { selected: { head: number }[] }).selected.at(-1)?.head), 1);
      await done();
    });

    test('two elements are two figures and share one engine', async () => {
      await open('two.html', 2);
      await assertWeights(tab, nativeStages(WORDS, { ...DEFAULTS, num_heads: 2 }).get('weights'), 0);
      await assertWeights(tab, nativeStages(['a', 'second', 'one'], { ...DEFAULTS, num_heads: 8, mask: 'none', seed: 7 }).get('weights'), 1);
      await assertOneEngine();
      await done();
    });

    test('the script loaded three times, once as another version, is one element and one engine', async () => {
      await open('twice.html');
      await assertOneEngine();
      assert.equal(await tab.evaluate(readScreen).then(({ figure }) => figure), true);
      await done();
    });

    test('properties: set before the script comes, as strings, and attributes that are taken away', async () => {
      await open('early.html');
      const heads = () => tab.evaluate(async () => {
        const element = document.querySelector('attention-playground') as AttentionPlayground;
        await element.updateComplete;
        return [element.trace?.shape.H, String(element.heads)];
      });
      assert.deepEqual(await tokens(tab), ['set', 'before', 'its', 'time']);
      assert.deepEqual(await heads(), [8, '8']);
      await tab.evaluate(() => { (document.querySelector('attention-playground') as AttentionPlayground).heads = '2'; });
      assert.deepEqual(await heads(), [2, '2']);
      await tab.evaluate(() => { (document.querySelector('attention-playground') as AttentionPlayground).heads = 16; });
      assert.deepEqual(await heads(), [16, '16']);
      await tab.evaluate(() => document.querySelector('attention-playground')?.setAttribute('heads', '8'));
      assert.deepEqual(await heads(), [8, '8']);
      await tab.evaluate(() => document.querySelector('attention-playground')?.removeAttribute('heads'));
      assert.deepEqual(await heads(), [DEFAULTS.num_heads, String(DEFAULTS.num_heads)]);
      await done();
    });

    test('a removed element lets everything go, and computes again where it is put back', async () => {
      await open();
      const gone = await tab.evaluate(() => {
        const element = document.querySelector('attention-playground') as AttentionPlayground;
        element.remove();
        Object.assign(globalThis, { kept: element });
        return [element.trace, element.stage('weights').length];
      });
      assert.deepEqual(gone, [null, 0]);
      await tab.evaluate(() => document.body.append((globalThis as unknown as { kept: Element }).kept));
      await ready(tab);
      await assertWeights(tab, nativeStages(WORDS, { ...DEFAULTS, num_heads: 2 }).get('weights'));
      await done();
    });

    test('without scripts the fallback content is there; with them the figure stands in its place', async () => {
      tab = await engine.newTab();
      await tab.goto(`${site.address}frame.html`);
      const bare = await tab.waitFor(() => {
        const of = document.querySelector('iframe')?.contentDocument;
        const link = of?.querySelector('attention-playground a');
        return link && { figure: of?.querySelector('attention-playground')?.shadowRoot !== null, fallback: link.getBoundingClientRect().height > 0 };
      });
      assert.deepEqual(bare, { figure: false, fallback: true });
      await tab.close();
      await open();
      assert.equal(await tab.evaluate(() => document.querySelector('attention-playground a')?.getBoundingClientRect().height), 0);
      await done();
    });

    for (const view of FIGURES) {
      test(`nothing around ${view} moves when the script comes`, async () => {
        tab = await engine.newTab();
        const place = () => tab.evaluate(() => document.querySelector('#below')?.getBoundingClientRect().top);
        for (const page of ['basic-en', 'none-en', 'basic-es']) {
          await tab.goto(`${site.address}still-${view}-${page}.html`);
          const before = await place();
          await tab.evaluate(() => (globalThis as unknown as { arrive(): void }).arrive());
          await ready(tab);
          await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300))));
          const now = await place();
          assert.equal(now, before, `${page}: below it ${before} px, then ${now}; web/package/attention-playground.css must reserve the height that web/src/ui/styles/alone.ts gives it`);
          assert.equal(await tab.evaluate(() => (globalThis as unknown as { shifts: number }).shifts), 0, page);
        }
        await done();
      });
    }

    test('one that is far below starts nothing until it comes near', async () => {
      tab = await engine.newTab();
      await tab.goto(`${site.address}far.html`);
      await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
      assert.equal(await tab.evaluate(() => (globalThis as unknown as Spied).engines.length), 0);
      await tab.evaluate(() => scrollTo(0, 5200));
      await ready(tab);
      await done();
    });
  });
}
