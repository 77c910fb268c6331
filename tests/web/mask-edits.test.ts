// The mask by hand: cells are turned round by click, finger and key, in any mask, and everything says so.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Reader, type Playground } from '../lib/page.ts';
import { assertWhole, wholeOf } from '../lib/page-checks.ts';
import { MASK_IDS } from '../../web/src/engine/masks.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

/** The middle of a cell on the screen. */
async function spot(page: Playground, query: number, key: number): Promise<{ x: number; y: number }> {
  const canvas = page.page.locator('.matrix canvas');
  await canvas.scrollIntoViewIfNeeded();
  const [box, size] = [await canvas.boundingBox(), await page.cell.evaluate((cell) => cell.getBoundingClientRect().width)];
  return { x: (box?.x ?? 0) + (key + 0.5) * size, y: (box?.y ?? 0) + (query + 0.5) * size };
}

const weightAt = async (page: Playground, query: number, key: number): Promise<number> => (await page.stage('weights'))[query * 11 + key] ?? NaN;

test('with the tool, a click masks a cell or shows it, in every head, and the words say so', async () => {
  const page = await reader.open();
  await page.page.getByRole('button', { name: 'Mask cells by hand' }).click();
  const seen = await spot(page, 7, 5);
  await page.page.mouse.click(seen.x, seen.y);
  assert.deepEqual((await wholeOf(page)).maskEdits, [{ query: 7, key: 5 }]);
  assert.equal(await weightAt(page, 7, 5), 0);
  let screen = await page.read();
  assert.match(screen.words, /may not look at key street, which is masked by hand/);
  assert.match(screen.rest, /1 token is hidden by hand/);
  assert.match(screen.label, /masked by hand, weight 0/);
  assert.match(screen.maskedWork, /masked by hand/);
  assert.match(screen.effects['mask'] ?? '', /hides 56 of 121/);
  const hidden = await spot(page, 2, 9);
  await page.page.mouse.click(hidden.x, hidden.y);
  assert.ok((await weightAt(page, 2, 9)) > 0, 'a later word is shown by hand');
  screen = await page.read();
  assert.match(screen.label, /shown by hand/);
  assert.match(screen.maskedWork, /shown by hand/);
  assert.match(await page.page.locator('.mask-tools').innerText(), /2 cells changed by hand/);
  await assertWhole(page, 'two cells');
  await page.page.mouse.click(seen.x, seen.y);
  assert.deepEqual((await wholeOf(page)).maskEdits, [{ query: 2, key: 9 }], 'a second click turns it back');
  await page.page.getByRole('button', { name: 'Clear', exact: true }).click();
  assert.deepEqual((await wholeOf(page)).maskEdits, []);
  await page.page.getByRole('button', { name: 'Done masking' }).click();
  await page.page.mouse.click(seen.x, seen.y);
  assert.deepEqual((await wholeOf(page)).maskEdits, [], 'without the tool a click only selects');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('Shift and a click, and the key m, do the same without the tool', async () => {
  const page = await reader.open();
  const { x, y } = await spot(page, 7, 3);
  await page.page.keyboard.down('Shift');
  await page.page.mouse.click(x, y);
  await page.page.keyboard.up('Shift');
  assert.deepEqual((await wholeOf(page)).maskEdits, [{ query: 7, key: 3 }]);
  await page.walkTo(4, 1);
  await page.page.keyboard.press('m');
  assert.deepEqual((await wholeOf(page)).maskEdits, [{ query: 7, key: 3 }, { query: 4, key: 1 }]);
  await assertWhole(page, 'shift and m');
  await page.page.keyboard.press('m');
  assert.deepEqual((await wholeOf(page)).maskEdits, [{ query: 7, key: 3 }]);
  await page.close();
});

test('a finger masks with the tool, at 360 pixels', async () => {
  const page = await reader.open({ context: { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true } });
  await page.page.getByRole('button', { name: 'Mask cells by hand' }).tap();
  const { x, y } = await spot(page, 3, 1);
  await page.page.touchscreen.tap(x, y);
  assert.deepEqual((await wholeOf(page)).maskEdits, [{ query: 3, key: 1 }]);
  await page.close();
});

test('a hand-made cell has a mark of its own, and no other cell has it', async () => {
  const page = await reader.open();
  const corner = (query: number, key: number) => page.page.evaluate(([q, k]) => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    const canvas = root.querySelector('.matrix canvas') as HTMLCanvasElement;
    const size = (root.querySelector('[role=gridcell]') as HTMLElement).getBoundingClientRect().width;
    return [...(canvas.getContext('2d')?.getImageData((k + 1) * size - 3, q * size + 2, 1, 1).data ?? [])].slice(0, 3);
  }, [query, key] as const);
  const before = await corner(5, 1);
  await page.walkTo(5, 1);
  await page.page.keyboard.press('m');
  await page.walkTo(0, 0);
  assert.notDeepEqual(await corner(5, 1), before);
  assert.deepEqual(await corner(5, 1), [27, 29, 34], 'in ink');
  assert.notDeepEqual(await corner(5, 2), [27, 29, 34]);
  await page.close();
});

test('a row without any key sees nothing, and says so', async () => {
  const page = await reader.open();
  await page.walkTo(0, 0);
  await page.page.keyboard.press('m');
  const { caption, words, softmaxWork } = await page.read();
  assert.match(caption, /^Row the1? sees nothing: its weights and its context are 0/);
  assert.match(words, /may look at no key at all/);
  assert.match(softmaxWork, /the whole row is masked/);
  const { shown } = await assertWhole(page, 'a fully masked row');
  assert.ok((shown.get('context') as Float32Array).subarray(0, 16).every((x) => x === 0));
  await page.close();
});

test('hand-made cells go with every mask, wait while the sentence is shorter, and are undone', async () => {
  const page = await reader.open();
  await page.walkTo(9, 2);
  await page.page.keyboard.press('m');
  for (const mask of MASK_IDS) {
    await page.set({ mask });
    await assertWhole(page, `mask ${mask}`);
  }
  await page.set({ mask: 'causal' });
  await page.paste('only three words');
  assert.match(await page.page.locator('.mask-tools').innerText(), /0 cells changed by hand, 1 more past the end/);
  await assertWhole(page, 'three words');
  await page.paste('now there are more words than ten in this very sentence again');
  assert.equal((await page.stage('weights'))[9 * 12 + 2], 0, 'it is back where it was');
  const undo = page.page.locator('[data-undo]');
  while (await undo.isEnabled()) await undo.click();
  assert.deepEqual((await wholeOf(page)).maskEdits, []);
  assert.deepEqual(page.problems, []);
  await page.close();
});
