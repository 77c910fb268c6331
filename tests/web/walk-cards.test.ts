// The walk's cards under unusual settings: very many heads, long names.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Opening, Reader, link } from '../lib/page.ts';
import { Walk } from '../lib/walk.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const open = async (opening: Opening) => new Walk(await reader.open(opening)).show();

test('however many heads there are, each has its small multiple, drawn when it comes into view', async () => {
  const walk = await open({ fragment: link({ text: 'one two three', 'd-model': 128, heads: 128 }) });
  await walk.value('weights'); // on the screen and drawn: nothing moves under the pointer
  await walk.card('weights').getByRole('button', { name: 'all 128 heads' }).click();
  await walk.settle();
  const pictures = walk.card('weights').locator('.multiples button');
  // What has come into view is drawn when the browser says that it has: a canvas then has a dot a cell.
  const drawn = (head: number) => pictures.nth(head).locator('canvas[width="3"][height="3"]');
  await pictures.first().scrollIntoViewIfNeeded(); // the button is in view, what it opens may be below
  await drawn(0).waitFor();
  assert.equal(await pictures.count(), 128);
  assert.equal(await drawn(127).count(), 0, 'out of view, it costs nothing');
  await pictures.nth(127).scrollIntoViewIfNeeded();
  await drawn(127).waitFor();
  await pictures.nth(127).click();
  await walk.settle();
  assert.equal(await drawn(127).count(), 1);
  assert.equal((await walk.playground.read()).head, 127);
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('what is clicked before the walk has followed a change leads nowhere, and breaks nothing', async () => {
  for (const change of ['value-rank', 'text'] as const) {
    const walk = await open({ fragment: link({ text: 'one two three four five', 'value-rank': 3 }) });
    await walk.choose('value', 4, 2);
    const wanted = await walk.page.evaluate(async (attribute) => {
      const element = document.querySelector('attention-playground') as AttentionPlayground;
      const root = element.shadowRoot as ShadowRoot;
      element.setAttribute(attribute, attribute === 'text' ? 'one' : '0');
      await element.updateComplete;
      const operand = root.querySelector<HTMLElement>('.operands .operand');
      operand?.click();
      root.querySelector('[data-array=value_down] [role=gridcell]')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      return operand?.dataset['operand'] ?? '';
    }, change);
    assert.notEqual(wanted, '', 'there was something to click');
    await walk.settle();
    assert.deepEqual(walk.playground.problems, [], change);
    await walk.choose('weights', 0, 0);
    assert.match((await walk.explained()).name, /Weights/);
    await walk.playground.close();
  }
});

test('the words themselves are the first stage: by place, folded and unfolded, and linked to', async () => {
  const words = ['the', 'cat', 'and', 'the', '<b>', '动物'];
  const page = await reader.open({ fragment: link({ text: 'the cat and the <b> 动物', 'key-text': 'le chat' }) });
  const card = page.page.locator('[data-tokens-card]');
  const shown = async () => (await card.locator('.token-chips').first().locator('bdi').allTextContents());
  await new Walk(page).show();
  assert.deepEqual(await shown(), [], 'folded at first');
  await card.locator('summary').click();
  await card.locator('.token-chips').first().waitFor();
  assert.deepEqual(await shown(), (await page.tokens()));
  assert.ok((await shown()).includes(words[5] ?? ''));
  assert.deepEqual(await card.locator('.token-chips').nth(1).locator('bdi').allTextContents(), ['le', 'chat']);
  await card.locator('summary').click();
  await card.locator('.token-chips').first().waitFor({ state: 'detached' });
  assert.match(await card.locator('summary').innerText(), /\[T\] = \[\d+\], \[S\] = \[2\]/);
  await page.page.evaluate(() => { location.hash = '#stage=tokens'; });
  await card.locator('.token-chips').first().waitFor();
  assert.deepEqual(page.problems, []);
  await page.close();
});
