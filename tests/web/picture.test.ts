// Makes the README's picture from the page. To write web/docs/pictures/page.png:
//   UPDATE_PICTURES=1 tools/test page picture
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Pixels } from '../lib/pixels.ts';
import { Reader } from '../lib/page.ts';

const PICTURE = fileURLToPath(new URL('../../web/docs/pictures/page.png', import.meta.url));
const KB = 1024;

const reader = await Reader.arrive();
after(() => reader.leave());

test('the first screen shows the switches, the sentence over its row, the matrix and the heads', async () => {
  const page = await reader.open({ context: { viewport: { width: 1440, height: 1000 }, colorScheme: 'light' } });
  await page.walkTo(7, 1);
  await page.textBox.focus();
  await page.page.evaluate(() => {
    document.activeElement?.shadowRoot?.querySelector('textarea')?.blur();
    scrollTo(0, 0);
  });
  const { caption, title, figure } = await page.read();
  assert.ok(figure);
  assert.match(caption, /^Row it: \d+\s?% from /);
  assert.match(title, /it.*animal/s);
  const pixels = await Pixels.of(page);
  const colours = new Set(Array.from({ length: 11 }, (_, key) => pixels.at(key * pixels.size + 3, 10 * pixels.size + 3).join()));
  assert.ok(colours.size > 5, 'the matrix is painted');
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
