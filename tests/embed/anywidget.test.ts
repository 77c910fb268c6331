// anywidget.mjs keeps the protocol's promises, with a model that has all of it and with one that only reads, as MyST's.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { type Playground, Reader, SITE } from '../lib/page.ts';

interface Fake {
  values: Record<string, unknown>;
  saved: number;
  push(key: string, value: unknown): void;
  listeners(): number;
  end(): void;
}

const HOST = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Notebook</title><script type="module">
import widget from './anywidget.mjs';
const listeners = new Map();
const of = (event) => listeners.get(event) ?? listeners.set(event, new Set()).get(event);
const values = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const readOnly = values.readOnly;
const model = {
  get: (key) => values[key],
  on: (event, listener) => of(event).add(listener),
  ...(!readOnly && {
    off: (event, listener) => of(event).delete(listener),
    set: (key, value) => { values[key] = value; },
    save_changes: () => { fake.saved += 1; },
  }),
};
const fake = globalThis.fake = {
  values, saved: 0,
  push: (key, value) => { values[key] = value; for (const listener of of('change:' + key)) listener(); },
  listeners: () => [...listeners.values()].reduce((sum, each) => sum + each.size, 0),
};
const el = document.createElement('div');
const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
root.append(el);
fake.end = await widget.render({ model, el });
globalThis.figure = el.firstElementChild;
</script></html>`;

// The one file, and nothing beside it.
const folder = await mkdtemp(path.join(tmpdir(), 'attention-widget-'));
await cp(path.join(SITE, 'embed/anywidget.mjs'), path.join(folder, 'anywidget.mjs'));
await writeFile(path.join(folder, 'host.html'), HOST);
const reader = await Reader.arrive(folder);
after(async () => {
  await reader.leave();
  await rm(folder, { recursive: true });
});

interface Window { fake: Fake; figure: AttentionPlayground }

async function open(values: object): Promise<Playground> {
  const page = await reader.open({ file: 'host.html', fragment: `#${encodeURIComponent(JSON.stringify(values))}` });
  await page.page.waitForFunction(() => (globalThis as unknown as Window).figure?.trace);
  return page;
}
const heads = (page: Playground, count: number) => page.page.waitForFunction((H) => (globalThis as unknown as Window).figure.trace?.shape.H === H, count);
const values = (page: Playground) => page.page.evaluate(() => (globalThis as unknown as Window).fake.values);

test('a model’s keys are attributes, with - or _; its changes reach the figure and the figure’s reach it, in the model’s own kinds', async () => {
  const page = await open({ text: 'one two three', heads: 2, d_model: 32, biases: true, row: 1, loading: 'eager' });
  const [tokens, shape] = await page.page.evaluate(() => {
    const { trace } = (globalThis as unknown as Window).figure;
    return [trace?.tokens, trace?.shape];
  });
  assert.deepEqual([tokens, shape?.H, shape?.D], [['one', 'two', 'three'], 2, 32]);
  await page.page.evaluate(() => (globalThis as unknown as Window).fake.push('heads', 4));
  await heads(page, 4);
  await page.page.evaluate(() => { (globalThis as unknown as Window).figure.heads = '8'; });
  await heads(page, 8);
  await page.page.waitForFunction(() => (globalThis as unknown as Window).fake.values['heads'] === 8);
  assert.equal((await values(page))['biases'], true, 'what is on stays true');
  assert.ok(await page.page.evaluate(() => (globalThis as unknown as Window).fake.saved) >= 1);
  await page.page.evaluate(() => (globalThis as unknown as Window).fake.end());
  assert.deepEqual(await page.page.evaluate(() => [(globalThis as unknown as Window).fake.listeners(), (globalThis as unknown as Window).figure.isConnected]), [0, false]);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('what the reader types reaches the model, which may then go back to what it said before', async () => {
  const page = await open({ text: 'one two', config: { mask: 'none' }, loading: 'eager' });
  const push = (key: string, value: unknown) => page.page.evaluate(([name, now]) => (globalThis as unknown as Window).fake.push(name as string, now), [key, value]);
  const becomes = (name: 'text' | 'mask', value: string) => page.page.waitForFunction(([key, wanted]) => String((globalThis as unknown as Window).figure[key as 'text']) === wanted, [name, value]);
  await page.textBox.focus();
  await page.page.keyboard.press('Control+End');
  await page.page.keyboard.type(' three');
  await page.page.locator('[data-setting=mask] .segment', { has: page.page.locator('input[value=causal]') }).click();
  await page.page.waitForFunction(() => (globalThis as unknown as Window).fake.values['text'] === 'one two three' && ((globalThis as unknown as Window).fake.values['config'] as { mask: string }).mask === 'causal');
  await push('text', 'one two');
  await becomes('text', 'one two');
  await push('config', { mask: 'none' });
  await becomes('mask', 'none');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a model that can only be read is enough; what it lacks is as it is without', async () => {
  const page = await open({ readOnly: true, text: 'one two', view: 'matrix', loading: 'eager' });
  await page.page.evaluate(() => { (globalThis as unknown as Window).figure.heads = '2'; });
  await heads(page, 2);
  await page.page.evaluate(() => (globalThis as unknown as Window).fake.end());
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('every view is in the one file', async () => {
  const page = await reader.open({ file: 'host.html', fragment: `#${encodeURIComponent(JSON.stringify({ view: 'lab-cost', text: 'one two' }))}` });
  await page.page.locator('.lab-frame').waitFor();
  assert.deepEqual(page.requests.filter((address) => !/host\.html|anywidget\.mjs/.test(address)), []);
  await page.close();
});
