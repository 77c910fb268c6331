// What editors and manuals are told of the element is what the element has.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OLD_NAMES } from '../../web/src/element/attributes.ts';
import { loadEngine } from '../lib/module.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const json = async (name: string) => JSON.parse(await readFile(path.join(root, 'build/package', name), 'utf8').catch(() => assert.fail('build/package is not whole. In web/: npm run build && npm run package.')));
const { AttentionPlayground } = await import(path.join(root, 'build/package/dist/index.js'));
const manifest = await json('custom-elements.json');
const [element] = manifest.modules[0].declarations;
/** Lit knows its properties from here on. */
const observed: string[] = [...AttentionPlayground.observedAttributes].sort();

interface Named { name: string; description?: string; kind?: string; static?: boolean; attribute?: string; valueSet?: string; values?: Named[]; type?: { text: string } }
const names = (list: Named[]) => list.map(({ name }) => name).sort();

test('the manifest’s attributes are those that the element observes, each said what it is for', () => {
  assert.deepEqual([...names(element.attributes), ...Object.keys(OLD_NAMES)].sort(), observed);
  for (const { name, description } of element.attributes as Named[]) assert.ok((description ?? '').length > 10, name);
});

test('its properties and methods are the element’s, and none of the element’s own is told', () => {
  const properties = [...AttentionPlayground.elementProperties.keys()];
  const has = (name: string) => properties.includes(name) || name in AttentionPlayground.prototype || name in AttentionPlayground;
  for (const { name } of element.members as Named[]) assert.ok(has(name), name);
  assert.deepEqual(properties.filter((name) => !names(element.members).includes(name)), []);
  for (const name of ['stage', 'state', 'toSVG', 'follow', 'config', 'version']) assert.ok(names(element.members).includes(name), name);
  assert.ok(!names(element.members).some((name) => name.startsWith('#') || ['renderFigure', 'emit', 'restore', 'linkTo'].includes(name)));
});

test('its events are those that the code sends', async () => {
  const sources = (await readdir(path.join(root, 'web/src'), { recursive: true })).filter((name) => name.endsWith('.ts'));
  const sent = new Set<string>();
  for (const name of sources) for (const [, event] of (await readFile(path.join(root, 'web/src', name), 'utf8')).matchAll(/'(attention-(?:[a-z]+))'/g)) if (!/playground|models|language|opens|theme/.test(event as string)) sent.add(event as string);
  assert.deepEqual(names(element.events), [...sent].sort());
});

test('parts and variables are told, too', () => {
  for (const part of ['root', 'matrix', 'sentence', 'walk']) assert.ok(names(element.cssParts).includes(part), part);
  for (const variable of ['--attention-paper', '--attention-accent', '--attention-height']) assert.ok(names(element.cssProperties).includes(variable), variable);
});

test('an editor gets every attribute with its values', async () => {
  const { tags: [tag] } = await json('vscode.html-custom-data.json');
  assert.equal(tag.name, 'attention-playground');
  assert.deepEqual(names(tag.attributes), names(element.attributes));
  const of = (name: string) => (tag.attributes as Named[]).find((each) => each.name === name);
  const { schema } = await loadEngine();
  assert.deepEqual(of('mask')?.values?.map(({ name }) => name).sort(), [...schema.masks].sort());
  assert.equal(of('readonly')?.valueSet, 'v');
});
