// What authors and editors are told of the element is what it has: the manifest, and the authors' guide, whose tables are made
// from the attributes and from the table of snippets: UPDATE_TABLES=1 writes them.
import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { SITE } from '../lib/page.ts';
import { ABOUT } from '../../web/src/element/attributes-doc.ts';
import { ATTRIBUTES, type Attribute, OLD_NAMES } from '../../web/src/element/attributes.ts';
import { type Figure, type Part, SYSTEMS, type SystemId, snippet } from '../../web/src/pages/configurator/snippets.ts';
import { loadEngine } from '../lib/built.ts';

const GUIDE = new URL('../../web/docs/embedding.md', import.meta.url);
const EXAMPLE: Figure = { attributes: { view: 'heads', heads: '2' }, text: 'the cat sat on the mat', fallback: 'What the words of “the cat sat on the mat” attend to.' };

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) => [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n');
const code = (text: string) => (text ? `\`${text}\`` : '');

const described = ({ attribute, values, initial }: Attribute) => [code(attribute), ABOUT[attribute] ?? '', values ? values.filter(Boolean).map(code).join(' ') : '', initial.includes(' ') ? initial : code(initial)];

function part({ file, code: lines }: Part): string {
  const fence = lines.includes('```') ? '````' : '```';
  return `${file === null ? 'Where the figure is to stand:' : `Once, in \`${file}\`:`}\n\n${fence}\n${lines}\n${fence}`;
}

const TABLES: Readonly<Record<string, () => string>> = {
  attributes: () => table(['attribute', 'what it says', 'values', 'without it'], ATTRIBUTES.map(described)),
  snippets: () => Object.entries(SYSTEMS).map(([id, { name, folder }]) => [
    `### ${name}`, ...(folder ? [`The files lie in \`${folder}\`.`] : []), ...snippet(id as SystemId, EXAMPLE).map(part),
  ].join('\n\n')).join('\n\n'),
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const json = async (name: string) => JSON.parse(await readFile(path.join(root, 'build/package', name), 'utf8').catch(() => assert.fail('build/package is not whole. In web/: npm run build && npm run package.')));
const { AttentionPlayground } = await import(path.join(root, 'build/package/dist/index.js'));
const manifest = await json('custom-elements.json');
const [element] = manifest.modules[0].declarations;
/** Lit knows its properties from here on. */
const observed: string[] = [...AttentionPlayground.observedAttributes].sort();

interface Named { name: string; description?: string; kind?: string; static?: boolean; attribute?: string; valueSet?: string; values?: Named[]; type?: { text: string } }
const names = (list: Named[]) => list.map(({ name }) => name).sort();

test('each attribute is described, and nothing else', () => {
  assert.deepEqual(Object.keys(ABOUT).sort(), ATTRIBUTES.map(({ attribute }) => attribute).sort());
});

const SIZES: Readonly<Record<string, string>> = {
  'attention-playground.js': 'one script, what the figures alone need', 'attention-playground.full.js': 'one script, every view inside', 'anywidget.mjs': 'one module, every view inside',
  'attention.wasm': 'the engine, for the split modules', 'language-es.js': 'the words of a language, on demand', 'lexicon.txt': 'for designed parameters, on demand',
};

async function weigh(): Promise<readonly (readonly string[])[]> {
  const size = async (file: string) => gzipSync(await readFile(path.join(SITE, 'embed', file)), { level: 9 }).length / 1024;
  return Promise.all(Object.entries(SIZES).map(async ([file, what]) => [code(file), what, (await size(file)).toFixed(1)]));
}

/** What stands between a table's marks, and how to put something else there. */
async function placeOf(name: string): Promise<{ now: string; put(text: string): Promise<void> }> {
  const guide = await readFile(GUIDE, 'utf8');
  const [begin, end] = [`<!-- ${name}:begin -->\n`, `<!-- ${name}:end -->`];
  const [before = '', rest = ''] = guide.split(begin);
  const [now = '', after = ''] = rest.split(end);
  assert.ok(after, `the guide has a place for ${name}`);
  return { now, put: (text) => writeFile(GUIDE, `${before}${begin}${text}\n${end}${after}`) };
}

test('the sizes that the authors’ guide says are those of the build, within a tenth', async () => {
  const { now, put } = await placeOf('sizes');
  const sizes = await weigh();
  if (process.env['UPDATE_TABLES']) return put(table(['file', 'what', 'KB, gzipped'], sizes));
  for (const [file = '', , size = ''] of sizes) {
    const said = Number(now.split('\n').find((line) => line.includes(`| ${file} |`))?.split('|').at(-2));
    assert.ok(Math.abs(said - Number(size)) <= 1 + Number(size) / 10, `${file}: the guide says ${said} KB, the build has ${size}; write it with UPDATE_TABLES=1`);
  }
});

for (const [name, made] of Object.entries(TABLES)) {
  test(`the authors’ guide holds what the code says: ${name}`, async () => {
    const { now, put } = await placeOf(name);
    if (process.env['UPDATE_TABLES']) await put(made());
    else assert.equal(now, `${made()}\n`, 'write it with UPDATE_TABLES=1');
  });
}

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
