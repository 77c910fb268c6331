// The guide to the page names every switch, its attribute and its values, and the page's own buttons.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { loadEngine } from '../lib/built.ts';
import { Reader, SITE, link } from '../lib/page.ts';
import { SETTINGS } from '../../web/src/state/settings.ts';

/** As it is built, with its tables. */
const guide = await readFile(path.join(SITE, 'docs/page.md'), 'utf8');
const reader = await Reader.arrive();
after(() => reader.leave());

test('the guide names every switch, its attribute and its values, and says what it does', async () => {
  const { schema } = await loadEngine();
  const lines = guide.split('\n').filter((line) => /^\| .* \| `/.test(line)).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
  assert.deepEqual(lines.map(([label, name]) => `${label} ${name}`), SETTINGS.map(({ label, attribute }) => `${label()} \`${attribute}\``));
  for (const [label, , values = '', does = ''] of lines) assert.ok(values !== '' && does.length > 15 && !/undefined/.test(values + does), label);
  const [, , masks = '', look = ''] = lines[0] as string[];
  assert.deepEqual(masks.match(/[a-z-]+/g)?.sort(), [...schema.masks].sort());
  for (const mask of schema.masks) assert.match(look, new RegExp(`\\*${mask}\\*: [a-z]`));
});

test('no manual waits for a table', async () => {
  for (const name of (await readdir(path.join(SITE, 'docs'))).filter((each) => each.endsWith('.md'))) {
    assert.doesNotMatch(await readFile(path.join(SITE, 'docs', name), 'utf8'), /<!-- table:/, name);
  }
});

test('what the guide calls by name is on the page under that name', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two' }) });
  await page.page.locator('.walk .transport').first().waitFor();
  const texts = await page.page.evaluate(() => (document.querySelector('attention-playground')?.shadowRoot as ShadowRoot).textContent ?? '');
  for (const name of ['This number', 'Play', 'Pin', 'Mask cells by hand', 'Add a second sentence', 'Undo', 'Redo', 'Earlier']) {
    assert.ok(guide.includes(`*${name}*`), `the guide says ${name}`);
    assert.ok(texts.includes(name), `the page says ${name}`);
  }
  await page.close();
});
