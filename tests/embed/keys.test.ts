// Pages have shortcuts on plain keys, and cannot see into the figure: what it uses must not reach them.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { embedFolder } from '../lib/embedded.ts';

const { folder, reader } = await embedFolder();
await writeFile(path.join(folder, 'host.html'), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Slides</title><link rel="icon" href="data:,">
<script src="attention-playground.js"></script><attention-playground text="the cat sat"></attention-playground></html>`);

test('keys that the figure uses stay inside of it; Tab, Escape and shortcuts with Ctrl reach the page', async () => {
  const page = await reader.open({ file: 'host.html' });
  await page.ready();
  await page.settled();
  await page.page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    for (const kind of ['keydown', 'keypress', 'keyup']) {
      document.addEventListener(kind, (event) => {
        heard.push(`${kind} ${(event as KeyboardEvent).key}`);
        // As slides do, which then turn.
        if ((event as KeyboardEvent).key === ' ') event.preventDefault();
      });
    }
  });
  const heard = () => page.page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard.splice(0));

  await page.textBox.focus();
  await page.page.keyboard.press('Control+End');
  await heard();
  await page.type(' on a mát 猫');
  assert.equal(await page.text(), 'the cat sat on a mát 猫');
  await page.walkTo(1, 1);
  await page.page.keyboard.press('PageDown');
  assert.deepEqual((await heard()).filter((key) => !/Control|Home/.test(key)), [], 'typing and walking over the matrix');

  const more = page.page.locator('button.more');
  await more.focus();
  await page.page.keyboard.press(' ');
  assert.equal(await more.getAttribute('aria-expanded'), 'true', 'a space presses a button');
  assert.deepEqual(await heard(), []);

  for (const key of ['Tab', 'Escape', 'Control+k']) await page.page.keyboard.press(key);
  assert.deepEqual((await heard()).filter((key) => key.startsWith('keydown')), ['keydown Tab', 'keydown Escape', 'keydown Control', 'keydown k']);
  assert.deepEqual(page.problems, []);
  await page.close();
});
