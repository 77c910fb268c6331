// Before and after: a pinned state, and the difference of any matrix after a change.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DEFAULTS, nativeStages, referenceStages } from '../lib/native.ts';
import { Reader } from '../lib/page.ts';
import { Walk, full } from '../lib/walk.ts';
import { DEFAULT_TEXT } from '../../web/src/settings.ts';
import type { StageId } from '../../web/src/engine.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const WORDS = DEFAULT_TEXT.split(' ');
const UNMASKED = { ...DEFAULTS, mask: 'none' } as const;

async function pinned(): Promise<Walk> {
  const walk = await new Walk(await reader.open()).show();
  await walk.page.getByRole('button', { name: 'Pin this state' }).click();
  await walk.settle();
  return walk;
}

async function show(walk: Walk, mode: 'Now' | 'Pinned' | 'Now − pinned'): Promise<void> {
  await walk.page.locator('.pin .segment', { hasText: new RegExp(`^${mode}$`) }).click();
  await walk.settle();
}

test('the difference of any matrix is the reference’s now minus the reference’s then', async () => {
  const walk = await pinned();
  await walk.playground.set({ mask: 'none' });
  await walk.settle();
  assert.match(await walk.page.locator('.pin').innerText(), /mask causal → none/);
  const [now, then] = [nativeStages(WORDS, UNMASKED), nativeStages(WORDS, DEFAULTS)];
  const [nowDouble, thenDouble] = [referenceStages(WORDS, UNMASKED), referenceStages(WORDS, DEFAULTS)];
  const cells: readonly (readonly [StageId, number, number])[] = [['weights', 2, 1], ['weights', 0, 0], ['context', 4, 7], ['output', 0, 12], ['scores', 3, 3]];
  for (const [id, row, column] of cells) {
    const columns = id === 'output' ? 64 : id === 'context' ? 16 : 11;
    const at = row * columns + column;
    await show(walk, 'Now');
    await walk.choose(id, row, column);
    assert.equal(full(await walk.value(id)), now.get(id)[at], `${id}, now`);
    const { pinned: before, difference } = await walk.explained();
    await show(walk, 'Pinned');
    assert.equal(full(await walk.value(id)), then.get(id)[at], `${id}, pinned`);
    await show(walk, 'Now − pinned');
    const shown = full(await walk.value(id));
    assert.equal(shown, Math.fround((now.get(id)[at] ?? NaN) - (then.get(id)[at] ?? NaN)), `${id}, difference`);
    assert.ok(Math.abs(shown - ((nowDouble.get(id)[at] ?? NaN) - (thenDouble.get(id)[at] ?? NaN))) < 2e-4, id);
    assert.equal(full(before), then.get(id)[at], 'both numbers stand in the explanation');
    assert.equal(full(difference), shown);
  }
  assert.match(await walk.card('scores').innerText(), /no number has changed/);
  assert.match(await walk.card('weights').innerText(), /now − pinned: range ±\d/);
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('matrices of another shape are not subtracted, and a sentence says why', async () => {
  const walk = await pinned();
  await walk.playground.paste('only four words here');
  await walk.settle();
  await show(walk, 'Now − pinned');
  assert.match(await walk.card('weights').innerText(), /It was \[11 × 11\] and is \[4 × 4\]/);
  await show(walk, 'Pinned');
  const then = nativeStages(WORDS, DEFAULTS);
  const { row, column } = await walk.place('weights');
  assert.equal(full(await walk.value('weights')), then.get('weights')[row * 11 + column]);
  await show(walk, 'Now');
  assert.equal((await walk.array('weights')).extents.join(), '4,4,4');
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('unpinning shows the present again, and an element that goes frees what it had pinned', async () => {
  const walk = await pinned();
  await walk.playground.set({ scale: 'none' });
  await show(walk, 'Pinned');
  await walk.page.getByRole('button', { name: 'Unpin' }).click();
  await walk.settle();
  const now = nativeStages(WORDS, { ...DEFAULTS, scale: 'none' });
  const { row, column } = await walk.place('scaled_scores');
  assert.equal(full(await walk.value('scaled_scores')), now.get('scaled_scores')[row * 11 + column]);
  assert.equal(await walk.page.locator('.pin .segment').count(), 0);
  await walk.page.getByRole('button', { name: 'Pin this state' }).click();
  await walk.page.evaluate(() => {
    const element = document.querySelector('attention-playground') as HTMLElement;
    const parent = element.parentElement as HTMLElement;
    element.remove();
    parent.prepend(element);
  });
  await walk.settle();
  await walk.page.getByRole('button', { name: 'Pin this state' }).waitFor();
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});
