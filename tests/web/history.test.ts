// The way back: buttons and keys undo what switches and hands did; in the text box the browser's own undo works on.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Playground, Reader } from '../lib/page.ts';
import { assertWhole, wholeOf } from '../lib/page-checks.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const undo = (page: Playground) => page.page.locator('[data-undo]');
const redo = (page: Playground) => page.page.locator('[data-redo]');

test('every change by a switch, a hand or a text is one step back and one step on', async () => {
  const page = await reader.open();
  assert.ok(await undo(page).isDisabled() && await redo(page).isDisabled(), 'nothing to undo yet');
  const states: string[] = [];
  const note = async () => states.push(JSON.stringify(await wholeOf(page)));
  await note();
  await page.set({ mask: 'none' });
  await note();
  await page.set({ num_heads: 8 });
  await note();
  await page.walkTo(3, 3);
  await page.page.keyboard.press('m');
  await note();
  await page.page.getByRole('button', { name: 'Add a second sentence' }).click();
  await note();
  await page.page.getByRole('button', { name: 'Remove', exact: true }).click();
  await note();
  for (let i = states.length - 2; i >= 0; i -= 1) {
    await undo(page).click();
    await page.ready();
    assert.equal(JSON.stringify(await wholeOf(page)), states[i], `back to ${i}`);
  }
  assert.ok(await undo(page).isDisabled());
  for (let i = 1; i < states.length; i += 1) {
    await redo(page).click();
    await page.ready();
    assert.equal(JSON.stringify(await wholeOf(page)), states[i], `on to ${i}`);
  }
  await assertWhole(page, 'at the end');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('Control and Z work everywhere but in fields, where they are the browser\'s', async () => {
  const page = await reader.open();
  await page.set({ num_heads: 2 });
  await page.cell.focus();
  await page.page.keyboard.press('Control+z');
  assert.equal((await wholeOf(page)).settings.num_heads, 4);
  await page.page.keyboard.press('Control+Shift+Z');
  assert.equal((await wholeOf(page)).settings.num_heads, 2);
  await page.page.keyboard.press('Control+z');
  await page.page.keyboard.press('Control+y');
  assert.equal((await wholeOf(page)).settings.num_heads, 2);
  await page.textBox.focus();
  await page.page.keyboard.press('Control+End');
  await page.type('!!');
  await page.page.keyboard.press('Control+z');
  await page.ready();
  assert.doesNotMatch(await page.text(), /!!$/, 'the box takes back what was typed');
  assert.equal((await wholeOf(page)).settings.num_heads, 2, 'and leaves the switches alone');
  await page.close();
});

test('a burst of typing is one step; a new change ends the way on', async () => {
  const page = await reader.open();
  await page.textBox.focus();
  await page.page.keyboard.press('Control+End');
  await page.type(' and hungry');
  await undo(page).click();
  await page.ready();
  assert.equal(await page.text(), "the animal didn't cross the street because it was too tired");
  await page.set({ mask: 'none' });
  assert.ok(await redo(page).isDisabled());
  await page.close();
});

test('earlier sentences are listed once each, without their beginnings, and come back', async () => {
  const page = await reader.open();
  await page.paste('a first sentence');
  await page.set({ mask: 'none' });
  await page.paste('another one');
  await page.set({ mask: 'causal' });
  await page.page.locator('[data-earlier]').click();
  const listed = await page.page.locator('.earlier button').allInnerTexts();
  assert.deepEqual(listed, ['a first sentence', "the animal didn't cross the street because it was too tired"]);
  await page.page.locator('.earlier button').first().click();
  await page.ready();
  assert.equal(await page.text(), 'a first sentence');
  assert.equal(await page.page.locator('.earlier').count(), 0, 'the list closes');
  await assertWhole(page, 'an earlier sentence');
  await undo(page).click();
  await page.ready();
  assert.equal(await page.text(), 'another one');
  await page.close();
});

test('other parameters keep the word, the mask and the place, and Undo brings back what was seen', async () => {
  const page = await reader.open({
    fragment: '#v1&mask=none&row=4',
    // The designed heads come late: the picture before stands meanwhile.
    before: (opened) => opened.route('**/designed*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    }),
  });
  const seen = async () => {
    await page.still();
    const { head, query } = await page.read();
    const words = (await page.tokens()).length;
    const weights = (await page.stage('weights')).subarray((head * words + query) * words, (head * words + query + 1) * words);
    return { source: await page.page.evaluate(() => (document.querySelector('attention-playground') as unknown as { state: { source: string } }).state.source), word: (await page.tokens())[query], mask: (await page.page.evaluate(() => (document.querySelector('attention-playground') as unknown as { mask: string }).mask)), head, weights: [...weights] };
  };
  const views = [await seen()];
  for (const source of ['designed', 'random', 'trained', 'designed'] as const) {
    await page.set({ source });
    await page.page.waitForFunction((wanted) => (document.querySelector('attention-playground') as unknown as { state: { source: string }; trace: unknown }).state.source === wanted, source);
    await page.page.locator(source === 'trained' ? '.model h2' : '.row-drawing').waitFor();
    const view = await seen();
    assert.equal(view.word, 'cross', source);
    assert.equal(view.mask, 'none', source);
    views.push(view);
  }
  for (const view of views.slice(0, -1).toReversed()) {
    await undo(page).click();
    await page.page.waitForFunction((wanted) => (document.querySelector('attention-playground') as unknown as { state: { source: string } }).state.source === wanted, view.source);
    assert.deepEqual(await seen(), view, `back at ${view.source}`);
  }
  assert.deepEqual(page.problems, []);
});
