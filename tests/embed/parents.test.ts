// A page around the figure that renders again, as frameworks do: what the reader has typed or chosen stays until the page's own
// value is another one.
import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { SETTINGS } from '../../web/src/state/settings.ts';
import { embedFolder } from '../lib/embedded.ts';
import { type Playground, Reader } from '../lib/page.ts';

const { folder, reader } = await embedFolder();
const site = await Reader.arrive();
after(() => site.leave());
const from = createRequire(fileURLToPath(new URL('../../web/package.json', import.meta.url)));
const esm = (name: string, file: string) => path.join(path.dirname(from.resolve(`${name}/package.json`)), file);
await cp(esm('vue', 'dist/vue.runtime.esm-browser.prod.js'), path.join(folder, 'vue.js'));
await cp(esm('preact', 'dist/preact.mjs'), path.join(folder, 'preact.js'));
const web = fileURLToPath(new URL('../../web', import.meta.url));
const bundle = (contents: string, file: string) => from('esbuild').build({
  stdin: { contents, resolveDir: web, loader: 'js' }, outfile: path.join(folder, file), bundle: true, format: 'esm', conditions: ['browser'], define: { 'process.env.NODE_ENV': '"production"' }, logLevel: 'error',
});
await bundle("export { createElement, useState } from 'react'; export { createRoot } from 'react-dom/client'; export { flushSync } from 'react-dom';", 'react.js');
const figure = from('svelte/compiler').compile(`<script>
  let { first } = $props();
  let state = $state({ ...first, times: 0 });
  export const set = (values) => Object.assign(state, values);
  const listen = (figure) => figure.addEventListener('attention-select', ({ detail }) => { globalThis.heard = detail.key; });
</script>
<div title={String(state.times)}><attention-playground text={state.text} column={state.column} row={2} loading="eager" title={state.times} {@attach listen}></attention-playground></div>`, { generate: 'client', filename: 'Figure.svelte' });
await bundle(`import { flushSync, mount } from 'svelte'; ${figure.js.code.replace('export default function', 'function')}
  export const start = (target, first) => { const made = mount(Figure, { target, props: { first } }); return (values) => flushSync(() => made.set(values)); };`, 'svelte.js');

let pages = 0;
async function open(body: string, wait = true): Promise<Playground> {
  const file = `parent-${pages += 1}.html`;
  await writeFile(path.join(folder, file), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Parent</title><link rel="icon" href="data:,"><script src="attention-playground.js"></script><body>${body}</html>`);
  const page = await reader.open({ file });
  if (wait) await computed(page);
  return page;
}
const computed = (page: Playground) => page.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground | null)?.trace);
async function leave(page: Playground): Promise<void> {
  assert.deepEqual(page.problems, []);
  await page.close();
}

type Value = string | number | object | null;
/** As a parent says it, each in its way; and what holds after that. */
const WAYS = {
  property: (page: Playground, all: Record<string, Value>) => page.page.evaluate((values) => void Object.assign(document.querySelector('attention-playground') as object, values), all),
  attribute: (page: Playground, all: Record<string, Value>) => page.page.evaluate((values) => {
    const name = (property: string) => property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    for (const [property, value] of Object.entries(values)) document.querySelector('attention-playground')?.setAttribute(name(property), String(value));
  }, all),
} as const;
async function now(page: Playground, ...names: string[]): Promise<string[]> {
  return page.page.evaluate(async (wanted) => {
    const figure = document.querySelector('attention-playground') as AttentionPlayground;
    // What a configuration says comes a moment later.
    for (let i = 0; i < 3; i += 1) {
      await figure.updateComplete;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return wanted.map((name) => String((figure as unknown as Record<string, unknown>)[name]));
  }, names);
}
async function typed(page: Playground, more: string): Promise<void> {
  await page.textBox.focus();
  await page.page.keyboard.press('Control+End');
  await page.type(more);
}

/** Three values that fit whatever else is set by then. */
const FITTING: Readonly<Record<string, [string, string, string]>> = {
  dropout: ['0.25', '0.5', '0.75'], dModel: ['16', '32', '64'], heads: ['1', '2', '4'], keyHeads: ['1', '2', '1'], dK: ['2', '4', '0'], dV: ['2', '4', '0'], tie: ['qk', 'qkv', 'none'],
};

for (const [way, say] of Object.entries(WAYS)) {
  describe(`by ${way}`, () => {
    test('the sentence that a reader types stays, until the parent has another one', async () => {
      const page = await open('<attention-playground loading="eager"></attention-playground>');
      await say(page, { text: 'the cat' });
      await typed(page, ' sat');
      await say(page, { text: 'the cat' });
      assert.deepEqual(await now(page, 'text'), ['the cat sat']);
      assert.equal(await page.text(), 'the cat sat');
      await say(page, { text: 'a dog' });
      assert.deepEqual(await now(page, 'text'), ['a dog']);
      assert.deepEqual(await page.tokens(), ['a', 'dog']);
      await typed(page, ' ran');
      await say(page, { text: 'the cat' });
      assert.deepEqual(await now(page, 'text'), ['the cat'], 'one of before is another one, too');
      await leave(page);
    });

    test('a parent that says what the figure tells it may go back to what it said before', async () => {
      const page = await open('<attention-playground loading="eager"></attention-playground>');
      await say(page, { text: 'the cat' });
      await typed(page, ' sat');
      await say(page, { text: 'the cat sat' });
      await say(page, { text: 'the cat' });
      assert.deepEqual(await now(page, 'text'), ['the cat']);
      await leave(page);
    });

    test('a mask, a head, a row and a column that a reader chooses stay', async () => {
      const page = await open('<attention-playground text="one two three four" loading="eager"></attention-playground>');
      const said = { mask: 'causal', head: 1, row: 4, column: 1 };
      await say(page, said);
      await page.settled();
      await page.page.locator('[data-setting=mask] .segment', { has: page.page.locator('input[value=none]') }).click();
      await page.chooseHead(1);
      await page.walkTo(1, 2);
      const names = Object.keys(said);
      assert.deepEqual(await now(page, ...names), ['none', '2', '2', '3']);
      await say(page, said);
      assert.deepEqual(await now(page, ...names), ['none', '2', '2', '3']);
      await say(page, { ...said, row: 3 });
      assert.deepEqual(await now(page, ...names), ['none', '2', '3', '3'], 'what is new of it is taken up, and no more');
      await leave(page);
    });

    test('so do cells of the mask, a second sentence and each setting', async () => {
      const page = await open('<attention-playground text="one two three four" heads="2" d-model="8" loading="eager"></attention-playground>');
      const other: Readonly<Record<string, [said: string, read: string, other: string]>> = {
        maskCells: ['2.1', '3.1', '4.1'], keyText: ['a b', 'c d', 'e f'],
        ...Object.fromEntries(SETTINGS.filter(({ name, ofModels }) => !ofModels && name !== 'parameters').map(({ name, control }) => {
          const [one = '', two = '', three = one] = control.kind === 'choice' ? control.choices.map(([value]) => value).filter((value) => value !== '0') : [];
          return [name, FITTING[name] ?? (two ? [one, two, three] : ['2', '3', '4'])];
        })),
      };
      for (const [name, [first, read, then]] of Object.entries(other)) {
        const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
        await say(page, { [name]: first });
        assert.deepEqual(await now(page, name), [first], name);
        // Whatever the reader does of it ends as this.
        await page.page.evaluate((link) => (document.querySelector('attention-playground') as AttentionPlayground).follow(link), `#v1&${attribute}=${encodeURIComponent(read)}`);
        assert.deepEqual(await now(page, name), [read], name);
        await say(page, { [name]: first });
        assert.deepEqual(await now(page, name), [read], `${name} is said again`);
        await say(page, { [name]: then === first ? read : then });
        if (then === first) await say(page, { [name]: first });
        assert.deepEqual(await now(page, name), [then], `${name} is another one`);
      }
      await leave(page);
    });

    test('in a lab the sentence and its controls stay', async () => {
      const page = await open('<attention-playground view="lab-scale" text="the cat sat" preset="d=16" loading="eager"></attention-playground>', false);
      await page.page.locator('.lab-controls select').first().selectOption('1');
      await page.page.locator('.lab-sentence textarea').fill('a dog ran');
      assert.deepEqual(await now(page, 'text', 'preset'), ['a dog ran', 'd=16&row=1']);
      await say(page, { text: 'the cat sat', preset: 'd=16' });
      assert.deepEqual(await now(page, 'text', 'preset'), ['a dog ran', 'd=16&row=1']);
      assert.equal(await page.page.locator('.lab-sentence textarea').inputValue(), 'a dog ran');
      await say(page, { text: 'one two', preset: 'd=32' });
      assert.deepEqual(await now(page, 'text', 'preset'), ['one two', 'd=32']);
      await leave(page);
    });
  });
}

test('the same configuration in a new object says nothing new; of another, what is another', async () => {
  const page = await open('<attention-playground loading="eager"></attention-playground>');
  const said = { text: 'the cat', heads: 2, 'd-model': 2, given: { W_Q: [[1, 2], [3, 4]] } };
  await WAYS.property(page, { config: said });
  // What reads a configuration is fetched with the first one.
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground).parameters === 'yours');
  assert.deepEqual(await now(page, 'text', 'heads', 'parameters'), ['the cat', '2', 'yours']);
  await typed(page, ' sat');
  await page.page.locator('[data-setting=parameters] .segment', { has: page.page.locator('input[value=random]') }).click();
  await WAYS.property(page, { config: structuredClone(said) });
  assert.deepEqual(await now(page, 'text', 'parameters'), ['the cat sat', 'random']);
  await WAYS.property(page, { config: { ...said, heads: 1 } });
  assert.deepEqual(await now(page, 'text', 'heads', 'parameters'), ['the cat sat', '1', 'random']);
  await WAYS.property(page, { config: { ...said, given: { W_Q: [[1, 2], [3, 5]] } } });
  assert.deepEqual(await now(page, 'parameters'), ['yours']);
  await WAYS.property(page, { config: { ...said, text: 'a dog' } });
  assert.deepEqual(await now(page, 'text'), ['a dog']);
  await leave(page);
});

// Frameworks themselves: what they bring to the element, and when again.

const FRAMEWORKS = {
  Vue: `import { createApp, h, reactive } from './vue.js';
    const state = globalThis.state = reactive({ text: 'one two', column: 1, times: 0 });
    createApp({ render: () => h('div', { title: state.times }, [h('attention-playground', { key: 'figure', text: state.text, column: state.column, row: 2, loading: 'eager', title: state.times, onAttentionSelect: ({ detail }) => { globalThis.heard = detail.key; } })]) }).mount('#app');`,
  Preact: `import { createElement, render } from './preact.js';
    const values = { text: 'one two', column: 1, times: 0 };
    const draw = () => render(createElement('div', { title: values.times }, createElement('attention-playground', { key: 'figure', text: values.text, column: values.column, row: 2, loading: 'eager', title: values.times, 'onattention-select': ({ detail }) => { globalThis.heard = detail.key; } })), document.querySelector('#app'));
    globalThis.state = new Proxy(values, { set: (all, name, value) => { all[name] = value; draw(); return true; } });
    draw();`,
  // With a configuration written in place, and its own state set at each change of the figure.
  'React 19': `import { createElement, createRoot, flushSync, useState } from './react.js';
    const Page = () => {
      const [values, setValues] = useState({ text: 'one two', column: 1, times: 0 });
      const [, setSeen] = useState(null);
      globalThis.state = new Proxy({}, { set: (_, name, value) => { flushSync(() => setValues((all) => ({ ...all, [name]: value }))); return true; } });
      return createElement('div', { title: String(values.times) }, createElement('attention-playground', { key: 'figure', config: { text: values.text, heads: 2 }, column: values.column, row: 2, loading: 'eager', title: String(values.times), 'onattention-select': ({ detail }) => { globalThis.heard = detail.key; }, 'onattention-change': ({ detail }) => setSeen({ ...detail }) }));
    };
    flushSync(() => createRoot(document.querySelector('#app')).render(createElement(Page)));`,
  Svelte: `import { start } from './svelte.js';
    const set = start(document.querySelector('#app'), { text: 'one two', column: 1 });
    globalThis.state = new Proxy({}, { set: (_, name, value) => { set({ [name]: value }); return true; } });`,
};
for (const [name, script] of Object.entries(FRAMEWORKS)) {
  test(`${name} brings column, not key; what it renders again leaves what the reader typed`, async () => {
    const page = await open(`<div id="app"></div><script type="module">${script}</script>`);
    const set = (values: Record<string, Value>) => page.page.evaluate((all) => void Object.assign((globalThis as unknown as { state: object }).state, all), values);
    assert.deepEqual(await now(page, 'text', 'row', 'column'), ['one two', '2', '1']);
    await typed(page, ' three');
    await set({ times: 1 });
    assert.deepEqual(await now(page, 'text', 'title'), ['one two three', '1']);
    await set({ column: 2 });
    assert.deepEqual(await now(page, 'text', 'column'), ['one two three', '2']);
    await page.settled();
    await page.walkTo(2, 2);
    await page.page.waitForFunction(() => (globalThis as unknown as { heard?: number }).heard === 2);
    await set({ times: 2 });
    assert.deepEqual(await now(page, 'text', 'row', 'column'), ['one two three', '3', '3']);
    await set({ text: 'a dog' });
    assert.deepEqual(await now(page, 'text'), ['a dog']);
    await leave(page);
  });
}

test('key is still column in HTML, in a configuration and as a property', async () => {
  const page = await open('<attention-playground text="one two three" view="matrix" row="3" key="2" loading="eager"><script type="application/json">{"key": 1, "column": 1}</script></attention-playground>');
  assert.deepEqual(await now(page, 'column', 'key'), ['2', '2'], 'an attribute overrules what stands inside');
  await page.page.evaluate(() => document.querySelector('attention-playground')?.setAttribute('key', '3'));
  assert.deepEqual(await now(page, 'column'), ['3']);
  await WAYS.property(page, { key: 1 });
  assert.deepEqual(await now(page, 'column'), ['1']);
  await WAYS.property(page, { config: { key: 2 } });
  assert.deepEqual(await now(page, 'column'), ['2']);
  await WAYS.attribute(page, { column: 3 });
  assert.deepEqual(await now(page, 'key'), ['3']);
  await leave(page);
});

test('labs that share a sentence share it again when it comes back', async () => {
  const page = await site.open({ file: 'labs.html' });
  const field = (view: string) => page.page.locator(`#${view} .lab-sentence textarea`);
  const texts = () => page.page.evaluate(() => [...document.querySelectorAll('attention-playground')].filter(({ view }) => view === 'lab-scale' || view === 'lab-mask').map(({ text }) => text));
  for (const [view, text] of [['lab-scale', 'one'], ['lab-mask', 'two'], ['lab-scale', 'one']] as const) {
    // It comes when it is near the screen.
    await page.page.locator(`#${view}`).scrollIntoViewIfNeeded();
    await field(view).waitFor();
    await field(view).fill(text);
    assert.deepEqual(await texts(), [text, text]);
  }
  await leave(page);
});
