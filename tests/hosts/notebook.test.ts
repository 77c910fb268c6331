// Jupyter's contract, by its own model manager and the anywidget front end: what Python sets is shown, what the reader does
// goes to Python, and a view that is taken away leaves nothing.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Engine, type Tab, openEngine, wantedEngines } from '../lib/engines.ts';
import { DEFAULTS, referenceStages } from '../lib/native.ts';
import { type Served, serve } from '../lib/serve.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { FIRST, make } from './systems.ts';

interface Model {
  _events?: Record<string, readonly unknown[]>;
}
interface View { el: HTMLElement; remove(): void }
interface Notebook {
  model: Model;
  comm: { sent: { method: string; state: Record<string, unknown> }[]; hear(state: object): void };
  view: View;
  cells: { _esm: string }[];
  pressed: string[];
  newModel(traits: object): Promise<Pick<Notebook, 'model' | 'comm'>>;
  show(model: Model, cell: Element): Promise<View>;
}

declare global {
  var notebook: Notebook;
  /** Of a notebook's nth output. */
  var figureOf: (nth: number) => AttentionPlayground | null;
}

let site: Served;
before(async () => {
  site = await serve({ folders: [await make('jupyter', 'notebook')], pages: { 'favicon.ico': '' } });
});
after(() => site?.close());

/** Heads and words of the nth figure, when it shows these; null before that. */
const look = (nth: number, text: string) => {
  const figure = figureOf(nth);
  return figure?.trace && figure.text === text ? { heads: figure.state.settings.num_heads, weights: Array.from(figure.stage('weights')) } : null;
};

async function retype(tab: Tab, nth: number, text: string): Promise<void> {
  await tab.evaluate((at) => figureOf(at)?.shadowRoot?.querySelector('textarea')?.focus(), nth);
  await tab.press('Control+a');
  await tab.type(text);
  await tab.waitFor(look, nth, text);
}

const sent = (tab: Tab) => tab.evaluate(() => notebook.comm.sent.splice(0).map(({ state }) => state));

for (const name of wantedEngines()) {
  describe(name, () => {
    let engine: Engine;
    let tab: Tab;
    before(async () => {
      engine = await openEngine(name);
      tab = await engine.newTab();
      await tab.goto(`${site.address}site/`);
      await tab.waitFor(() => {
        globalThis.figureOf = (nth) => document.querySelectorAll('.output')[nth]?.querySelector('attention-playground') ?? null;
        return 'notebook' in globalThis && Boolean(figureOf(0)?.trace);
      });
    });
    after(() => engine?.close());

    test('a cell shows what its traits say', async () => {
      const { weights } = await tab.waitFor(look, 0, FIRST.text) as { weights: number[] };
      const expected = referenceStages(FIRST.text.split(' '), { ...DEFAULTS, num_heads: 2 }).get('weights');
      assert.equal(weights.length, expected.length);
      weights.forEach((weight, i) => assert.ok(Math.abs(weight - (expected[i] ?? NaN)) < 1e-5));
      assert.deepEqual(await sent(tab), [], 'Python is told nothing that it has said itself');
    });

    test('what Python sets is shown', async () => {
      await tab.evaluate(() => { notebook.comm.hear({ config: { text: 'it slept', heads: 4, mask: 'none' } }); });
      await tab.waitFor(look, 0, 'it slept');
      assert.equal((await tab.evaluate(look, 0, 'it slept'))?.heads, 4);
      assert.deepEqual(await sent(tab), []);
    });

    test('what the reader types goes to Python, in the kinds it came in, and no letter is taken back', async () => {
      await retype(tab, 0, 'a cat slept');
      await tab.waitFor(() => (notebook.comm.sent.at(-1)?.state['config'] as { text: string } | undefined)?.text === 'a cat slept');
      assert.deepEqual((await sent(tab)).at(-1), { config: { text: 'a cat slept', heads: 4, mask: 'none' } });
      assert.equal(await tab.evaluate(() => figureOf(0)?.shadowRoot?.querySelector('textarea')?.value), 'a cat slept');
    });

    test("letters typed into the figure are no shortcuts of JupyterLab's, which hears them first", async () => {
      assert.deepEqual(await tab.evaluate(() => notebook.pressed), []);
      await tab.evaluate(() => (figureOf(0)?.shadowRoot?.activeElement as HTMLElement).blur());
      await tab.press('a');
      assert.deepEqual(await tab.evaluate(() => notebook.pressed.splice(0)), ['above'], 'outside of it they are');
    });

    test('two outputs of one widget follow each other; one that is taken away leaves nothing behind', async () => {
      const listeners = () => Object.entries(notebook.model._events ?? {}).reduce((sum, [event, all]) => sum + (event.startsWith('change') ? all.length : 0), 0);
      const before = await tab.evaluate(listeners);
      await tab.evaluate(async () => {
        const output = document.createElement('div');
        output.className = 'output';
        document.body.append(output);
        Object.assign(notebook, { second: await notebook.show(notebook.model, output) });
        output.scrollIntoView(); // what is far from the screen waits
      });
      await tab.waitFor(look, 1, 'a cat slept');
      await retype(tab, 1, 'the dog sat');
      await tab.waitFor(look, 0, 'the dog sat');

      await tab.evaluate(() => (notebook as unknown as { second: View }).second.remove());
      await tab.waitFor(() => document.querySelectorAll('attention-playground').length === 1);
      assert.equal(await tab.evaluate(listeners), before);
      await retype(tab, 0, 'it sat');
    });

    test('traits of their own keep their kinds', async () => {
      await tab.evaluate(async () => {
        const output = document.querySelectorAll('.output')[1] as HTMLElement;
        const made = await notebook.newModel({ _esm: notebook.cells[0]?._esm, text: 'one two', heads: 2, d_model: 32, readonly: false });
        await notebook.show(made.model, output);
        output.scrollIntoView();
        Object.assign(notebook, { comm: made.comm });
      });
      assert.equal((await tab.waitFor(look, 1, 'one two') as { heads: number }).heads, 2);
      await tab.evaluate(() => { (figureOf(1) as AttentionPlayground).heads = 4; });
      await tab.waitFor(() => notebook.comm.sent.length > 0);
      assert.deepEqual(await sent(tab), [{ heads: 4 }]);
    });

    test('nothing has gone wrong', async () => {
      assert.deepEqual(await tab.problems(), []);
    });
  });
}
