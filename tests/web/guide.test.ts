// The guide to the page names every switch, its attribute and its values, and the page's own buttons; and the README's picture. To write web/docs/pictures/page.png: UPDATE_PICTURES=1 tools/test page guide
import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadEngine } from '../lib/built.ts';
import { Reader, SITE, link } from '../lib/page.ts';
import { SETTINGS } from '../../web/src/state/settings.ts';
import { Pixels } from '../lib/pixels.ts';

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

const PICTURE = fileURLToPath(new URL('../../web/docs/pictures/page.png', import.meta.url));
const KB = 1024;

test('the first screen shows the switches, the sentence over its row, the matrix and the heads', async () => {
  const page = await reader.open({ fragment: '#', context: { viewport: { width: 1440, height: 1000 }, colorScheme: 'light' } });
  await page.walkTo(7, 1);
  await page.textBox.focus();
  await page.page.evaluate(() => {
    document.activeElement?.shadowRoot?.querySelector('textarea')?.blur();
    scrollTo(0, 0);
  });
  const { caption, title, figure } = await page.read();
  assert.ok(figure);
  assert.match(caption, /^Row it: 94\s?% from animal, 6\s?% from street/);
  assert.match(title, /it.*animal/s);
  const pixels = await Pixels.of(page);
  const colours = new Set([0, 1, 5].map((key) => pixels.at(key * pixels.size + 6, 7 * pixels.size + 6).join()));
  assert.equal(colours.size, 3, 'shares of 0, 94 and 6 % have colours of their own');
  for (const part of ['textarea', '.switch-bar', '.heads-scroll', '.row-figure', '.matrix canvas']) {
    const box = await page.page.locator(part).boundingBox();
    assert.ok(box && box.y >= 0 && box.y < 900, `${part} is on the first screen`);
  }
  const picture = await page.page.screenshot({ caret: 'hide' });
  assert.ok(picture.length > 20 * KB && picture.length < 250 * KB, `${picture.length} bytes`);
  if (process.env['UPDATE_PICTURES']) {
    await mkdir(path.dirname(PICTURE), { recursive: true });
    await writeFile(PICTURE, picture);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});
