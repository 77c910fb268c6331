// What the page looks like, at three widths and in both themes. To have the pictures:
//   UPDATE_PICTURES=1 tools/test page   (they lie in build/gallery)
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Reader } from '../lib/page.ts';
import { Walk } from '../lib/walk.ts';

const FOLDER = process.env['ATTENTION_GALLERY'] ?? fileURLToPath(new URL('../../build/gallery', import.meta.url));
const KB = 1024;

const reader = await Reader.arrive();
after(() => reader.leave());

for (const width of [360, 768, 1440]) {
  for (const theme of ['light', 'dark'] as const) {
    test(`pictures of the page's parts, ${width} px, ${theme}`, async () => {
      const height = width === 360 ? 780 : 1000;
      const page = await reader.open({ context: { viewport: { width, height }, colorScheme: theme } });
      const keep = async (name: string) => {
        const picture = await page.page.screenshot({ caret: 'hide', animations: 'disabled' });
        assert.ok(picture.length > 8 * KB && picture.length < 600 * KB, `${name}: ${picture.length} bytes`);
        if (!process.env['UPDATE_PICTURES']) return;
        await mkdir(FOLDER, { recursive: true });
        await writeFile(path.join(FOLDER, `${name}-${width}-${theme}.png`), picture);
      };
      await keep('top');
      const walk = await new Walk(page).show();
      await walk.page.locator('.walk').evaluate((element) => element.scrollIntoView());
      await walk.settle();
      await keep('walk');
      await walk.choose('weights', 7, 2);
      await keep('explanation');
      await walk.page.locator('.walk').evaluate((element) => element.scrollIntoView());
      await walk.page.getByRole('button', { name: 'Pin this state' }).click();
      await walk.playground.set({ mask: 'none' });
      await walk.settle();
      await walk.page.locator('.pin .segment', { hasText: 'Now − pinned' }).click();
      await walk.page.locator('[data-group=compare]').evaluate((element) => element.scrollIntoView());
      await walk.settle();
      await keep('difference');
      await walk.playground.set({ mask: 'causal', source: 'trained' });
      await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
      await page.page.evaluate(() => scrollTo(0, 0));
      await keep('trained');
      await page.page.locator('.model').evaluate((element) => element.scrollIntoView());
      await keep('model');
      assert.deepEqual(page.problems, []);
      await page.close();
    });
  }
}
