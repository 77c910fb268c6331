// Rows of the large matrix that have not changed are left as they are drawn: what stands there must be what a whole drawing gives.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Playground, Reader } from '../lib/page.ts';
import { Random } from '../lib/random.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const WORDS = 'the animal did not cross the street because it was too tired and it sat down';

/** Of 255: a line of the hatch that is cut elsewhere is smoothed a little otherwise. */
const SMOOTHING = 24;

/** How far the canvas as it stands is from itself when the browser has lost it and all is drawn again: of each dot's colours, the most. */
async function farthest(page: Playground): Promise<number> {
  await page.ready();
  await page.settled();
  return page.page.locator('.matrix canvas').evaluate((canvas: HTMLCanvasElement) => {
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
    const dots = () => {
      copy.drawImage(canvas, 0, 0);
      return copy.getImageData(0, 0, canvas.width, canvas.height).data;
    };
    const stands = dots();
    context.resetTransform();
    context.fillRect(0, 0, canvas.width, canvas.height);
    canvas.dispatchEvent(new Event('contextrestored'));
    return dots().reduce((most, x, i) => Math.max(most, Math.abs(x - (stands[i] ?? 0))), 0);
  });
}

for (const [name, fragment, deviceScaleFactor] of [
  ['a causal mask', `#v1&text=${WORDS.replaceAll(' ', '+')}`, 1],
  ['no mask, rows as keys', `#v1&text=${WORDS.replaceAll(' ', '+')}&mask=none&rows=keys`, 2],
  ['a scale of 1.25, cells masked by hand', `#v1&text=${WORDS.replaceAll(' ', '+')}&mask-cells=3.1,9.9,12.2`, 1.25],
  ['more words than can be seen', `#v1&text=${Array.from({ length: 6 }, () => WORDS).join(' ').replaceAll(' ', '+')}`, 1.5],
] as const) {
  test(`after each key the matrix is as if all of it were drawn again: ${name}`, async () => {
    const random = new Random(11);
    const page = await reader.open({ fragment, context: { deviceScaleFactor } });
    await page.textBox.focus();
    await page.page.keyboard.press('Control+End');
    const { keyboard } = page.page;
    for (let i = 0; i < 12; i += 1) {
      // At the end, where one row is new; and anywhere else.
      const keys = random.pick([['x'], ['i', 'n', 'g'], ['Backspace'], [' ', 'a'], ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 's'], ['Control+ArrowLeft', 'z'], ['Control+Home', 'q'], ['Control+End', 'e']]);
      for (const key of keys) await keyboard.press(key);
      const far = await farthest(page);
      assert.ok(far <= SMOOTHING, `after ${keys.join(' ')}, the ${i + 1}th: ${far}`);
    }
    await page.page.getByRole('button', { name: 'Pin this state' }).click();
    await page.page.locator('.pin .segment', { hasText: 'Now − pinned' }).click();
    for (const key of ['k', 'Backspace', 'm']) {
      await page.textBox.press(key);
      const far = await farthest(page);
      assert.ok(far <= SMOOTHING, `a difference, after ${key}: ${far}`);
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}
