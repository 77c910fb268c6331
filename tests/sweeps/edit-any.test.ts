// Any parameter and any word's number, set by hand in the walk: every number after it is the reference's.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { firstDifference } from '../lib/native.ts';
import { Reader, link, linkSettings } from '../lib/page.ts';
import { Walk } from '../lib/walk.ts';
import { assertWhole, wholeOf } from '../lib/page-checks.ts';
import { type Knobs, KNOBS } from '../../web/src/state/settings.ts';
import type { ParameterId, StageId } from '../../web/src/engine/engine.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

async function setByHand(walk: Walk, value: string): Promise<void> {
  await walk.page.locator('.edit-number input').fill(value);
  await walk.page.locator('.edit-number input').press('Enter');
  await walk.settle();
}

/** Opens a parameter below its stage's card. */
async function lookInto(walk: Walk, stage: StageId, parameter: ParameterId): Promise<void> {
  await walk.unfold(stage);
  await walk.card(stage).evaluate((card) => card.scrollIntoView());
  await walk.settle();
  await walk.card(stage).locator(`[data-parameter=${parameter}] summary`).click();
  await walk.settle();
}

const RUNS: readonly (readonly [Partial<Knobs>, Partial<Record<StageId, readonly ParameterId[]>>])[] = [
  [{ biases: true, positions: 'learned' }, { position: ['P'], query: ['W_Q', 'b_Q'], key: ['W_K', 'b_K'], value: ['W_V', 'b_V'], output: ['W_O', 'b_O'] }],
  [{ value_rank: 3, num_kv_heads: 2, positions: 'sinusoidal' }, { position: ['P'], value_down: ['W_V_down'], value: ['W_V_up'] }],
];

test('any number of any parameter is set by hand, and all that follows is the reference’s', async () => {
  for (const [settings, parameters] of RUNS) {
    const walk = new Walk(await reader.open({ fragment: link({ text: 'one two three', ...linkSettings({ ...KNOBS, ...settings }) }) }));
    await walk.show();
    for (const [stage, ids] of Object.entries(parameters) as [StageId, readonly ParameterId[]][]) {
      for (const id of ids) {
        await lookInto(walk, stage, id);
        const { extents } = await walk.array(id);
        const [row, column] = [extents.length > 1 ? 2 : 0, Math.min(3, (extents.at(-1) ?? 1) - 1)];
        await walk.choose(id, row, column);
        const before = await walk.playground.stage(stage);
        await setByHand(walk, '-3.25');
        assert.deepEqual((await wholeOf(walk.playground)).edits.at(-1), { array: id, row, column, value: -3.25 });
        assert.ok(firstDifference(await walk.playground.stage(stage), before) >= 0, `${id} acts`);
        await assertWhole(walk.playground, `${id} by hand`);
      }
    }
    assert.deepEqual(walk.playground.problems, []);
    await walk.playground.close();
  }
});

test('any number of a word’s embedding is set by hand, in both sentences and in designed parameters', async () => {
  const walk = new Walk(await reader.open({ fragment: link({ text: 'the cat saw it', 'key-text': 'it was a cat' }) }));
  await walk.show();
  await walk.choose('content', 3, 60);
  await setByHand(walk, '7');
  await walk.choose('key_content', 2, 0);
  await setByHand(walk, '-7');
  const { whole } = await assertWhole(walk.playground, 'both sentences');
  assert.deepEqual(whole.edits, [{ token: 'it', column: 60, value: 7 }, { token: 'a', column: 0, value: -7 }]);
  const [asks, answers] = [await walk.playground.stage('content'), await walk.playground.stage('key_content')];
  assert.deepEqual([asks[3 * 64 + 60], answers[60]], [7, 7], 'the same word has the same numbers in both');
  await walk.playground.set({ source: 'designed' });
  await walk.page.locator('.designed').waitFor();
  await walk.settle();
  await walk.choose('content', 1, 3);
  await setByHand(walk, '0.5');
  const designed = await assertWhole(walk.playground, 'designed');
  assert.equal(designed.whole.source, 'designed');
  assert.deepEqual(designed.whole.edits.at(-1), { token: 'cat', column: 3, value: 0.5 });
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});
