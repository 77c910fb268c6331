// The guide to the page names every switch, its attribute and its values, and the page's own buttons.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { Reader, link } from '../lib/page.ts';
import { SETTINGS } from '../../web/src/settings.ts';

const guide = await readFile(new URL('../../web/docs/page.md', import.meta.url), 'utf8');
const reader = await Reader.arrive();
after(() => reader.leave());

test('the guide names every switch, its attribute and its values', () => {
  const lines = guide.split('\n').filter((line) => /^\| .* \| `/.test(line)).map((line) => line.split('|').map((cell) => cell.trim()));
  const named = lines.flatMap(([, labels = '', names = '']) => names.split(', ').map((name, i) => [labels.split('; ')[i], name]));
  assert.deepEqual(named.map(([label, name]) => `${label} ${name}`).sort(), SETTINGS.map(({ label, attribute }) => `${label()} \`${attribute}\``).sort());
  for (const { attribute, control, own } of SETTINGS.map((each) => ({ ...each, own: each.control.kind === 'choice' ? each.control.own : undefined }))) {
    if (control.kind !== 'choice' || own) continue;
    const values = lines.find(([, , names = '']) => names.includes(`\`${attribute}\``))?.[3];
    assert.deepEqual(values?.match(/[a-z-]+/g)?.sort(), control.choices.map(([id]) => id).sort(), attribute);
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
