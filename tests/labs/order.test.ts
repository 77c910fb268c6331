// The lab of order: shuffled words against the double reference, under every mask and position.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LabTab, apart, isShown, numbersOf } from '../lib/lab.ts';
import { DEFAULTS, referenceStages } from '../lib/native.ts';
import { Reader } from '../lib/page.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const WORDS = ['cats', 'chase', 'mice', 'but', 'mice', 'never', 'chase', 'dogs'];
const D = DEFAULTS.d_model;

/** Where each word stands after the shuffle, found by the words themselves and their own turn. */
function orderOf(shuffled: readonly string[]): number[] {
  const used = new Set<number>();
  return shuffled.map((word) => {
    const from = WORDS.findIndex((each, i) => each === word && !used.has(i));
    used.add(from);
    return from;
  });
}

const shuffledWords = (tab: LabTab): Promise<string[]> => tab.find('.lab-order bdi').allInnerTexts();

for (const mask of ['none', 'causal'] as const) {
  for (const positions of ['none', 'sinusoidal', 'rope', 'alibi'] as const) {
    test(`backwards with mask ${mask} and positions ${positions}: weights and outputs go along only where nothing tells the order`, async () => {
      // Backwards: no two words of the same name can change places then.
      const tab = await LabTab.open(reader, 'lab-order', { text: WORDS.join(' '), preset: `mask=${mask}&positions=${positions}&seed=0` });
      const settings = { ...DEFAULTS, mask, positions };
      const [before, later] = [referenceStages(WORDS, settings), referenceStages(WORDS.toReversed(), settings)];
      const n = WORDS.length;
      const moved = WORDS.map((_, t) => apart(before.get('output'), t, later.get('output'), n - 1 - t, D));
      // ALiBi knows how far apart two words are, not which comes first: backwards nothing changes for it, either.
      const free = Math.max(...moved) < 1e-10;
      assert.equal(free, mask === 'none' && (positions === 'none' || positions === 'alibi'));
      // The change alone: the same two words, wherever they stand.
      const { rows } = await numbersOf(tab.page.locator('#lab-order'), 'What the shuffle changed');
      rows.forEach(([word, ...texts], q) => texts.forEach((text, k) => {
        const [here, there] = [q * n + k, (n - 1 - q) * n + (n - 1 - k)];
        const isMasked = [before.get('masked_scores')[here], later.get('masked_scores')[there]].every((score) => score === -Infinity);
        const change = (later.get('weights')[there] ?? NaN) - (before.get('weights')[here] ?? NaN);
        assert.ok(isMasked ? text === 'masked' : isShown(text, change), `${word}, key ${k}: ${text}, in double ${change}`);
        if (free) assert.ok(Math.abs(change) < 1e-12);
      }));
      const shownChange = await tab.find('.plot').nth(1).locator('.plot-picture rect[data-cell] + text').count();
      assert.equal(shownChange === 0, free, 'nothing is written into a matrix in which nothing has changed');
      assert.deepEqual(await tab.find('.lab-order li').evaluateAll((all) => all.map((each) => each.hasAttribute('data-moved'))), moved.map((by) => by > 1e-4).toReversed());
      const said = await tab.said();
      if (free) assert.match(said, /^Nothing changes\. No output moves by more than .*rounding/);
      else {
        const most = Math.max(...moved);
        assert.ok(said.startsWith(`${moved.filter((by) => by > 1e-4).length} of ${n} outputs move, that of ${WORDS[moved.indexOf(most)]} the farthest`), said);
        assert.ok(isShown(/by ([\d.]+)\.$/.exec(said)?.[1] ?? '', most), said);
      }
      assert.deepEqual(tab.problems, []);
      await tab.close();
    });
  }
}

test('the table says under which settings order matters, by the largest movement', async () => {
  const tab = await LabTab.open(reader, 'lab-order', { text: WORDS.join(' '), preset: 'seed=0' });
  const rows = await tab.table('.lab-figure > section .lab-table');
  (['none', 'sinusoidal', 'rope', 'alibi'] as const).forEach((positions, i) => (['none', 'causal'] as const).forEach((mask, column) => {
    const [before, later] = [WORDS, WORDS.toReversed()].map((words) => referenceStages(words, { ...DEFAULTS, mask, positions }).get('output')) as [Float64Array, Float64Array];
    const most = Math.max(...WORDS.map((_, t) => apart(before, t, later, WORDS.length - 1 - t, D)));
    const text = rows[i]?.[column + 1] ?? '';
    assert.ok(most < 1e-4 ? text === 'no' : isShown(text.replace('yes ', ''), most), `${mask}, ${positions}: ${text}, in double ${most}`);
  }));
  await tab.close();
});

test('every shuffle is one of the same words, another than before, and the same for the same seed', async () => {
  const tab = await LabTab.open(reader, 'lab-order', { text: WORDS.join(' '), preset: 'seed=5' });
  const first = await shuffledWords(tab);
  assert.deepEqual(first.toSorted(), WORDS.toSorted());
  assert.notDeepEqual(first, WORDS);
  assert.deepEqual(orderOf(first).toSorted((a, b) => a - b), WORDS.map((_, i) => i));
  await tab.find('button:has-text("Shuffle")').click();
  assert.notDeepEqual(await shuffledWords(tab), first);
  await tab.close();
  const again = await LabTab.open(reader, 'lab-order', { text: WORDS.join(' '), preset: 'seed=5' });
  assert.deepEqual(await shuffledWords(again), first);
  await again.close();
});
