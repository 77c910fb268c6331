// The lab of order: shuffled words against the double reference, under every mask and position.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { read } from '../lib/shown-numbers.ts';
import { LabTab, apart, isShown } from '../lib/lab.ts';
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

async function shuffledWords(tab: LabTab): Promise<string[]> {
  return tab.find('.lab-columns .plot').nth(1).evaluate((plot) => [...plot.querySelectorAll('tbody th')].map((cell) => (cell as HTMLElement).textContent?.trim() ?? ''));
}

for (const mask of ['none', 'causal'] as const) {
  for (const positions of ['none', 'sinusoidal', 'rope', 'alibi'] as const) {
    test(`shuffled with mask ${mask} and positions ${positions}: outputs are shuffled alike only where nothing tells the order`, async () => {
      // Backwards: no two words of the same name can change places then.
      const tab = await LabTab.open(reader, 'lab-order', { text: WORDS.join(' '), preset: `mask=${mask}&positions=${positions}&seed=0` });
      const settings = { ...DEFAULTS, mask, positions };
      const backwards = WORDS.toReversed();
      const [before, later] = [referenceStages(WORDS, settings).get('output'), referenceStages(backwards, settings).get('output')];
      const expected = WORDS.map((_, t) => apart(before, t, later, WORDS.length - 1 - t, D));
      const rows = await tab.table('.plot-bars');
      assert.deepEqual(rows.map(([word]) => word), WORDS);
      const free = mask === 'none' && positions === 'none';
      rows.forEach(([word, , text = ''], t) => {
        if (free) assert.ok(read(text).value < 1e-5 && (expected[t] ?? NaN) < 1e-12, `${word}: ${text}, in double ${expected[t]}`);
        else assert.ok(isShown(text, expected[t] ?? NaN), `${word}: ${text}, in double ${expected[t]}`);
      });
      assert.match(await tab.said(), free ? /No output moves by more than .*rounding/ : /moves by/);
      assert.deepEqual(tab.problems, []);
      await tab.close();
    });
  }
}

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

test('a feed-forward network gives a word the same in any company, attention does not; and what is added to each row', async () => {
  const tab = await LabTab.open(reader, 'lab-order', { text: WORDS.join(' '), preset: 'mask=none&positions=none' });
  const settings = { ...DEFAULTS, mask: 'none', positions: 'none' } as const;
  const whole = referenceStages(WORDS, settings);
  const less = referenceStages(WORDS.slice(0, -1), settings);
  const layers = await tab.table('.lab-figure > section:has(h3:text("Fixed")) .lab-table');
  assert.equal(layers.length, WORDS.length - 1);
  layers.forEach(([word, network, attention = ''], t) => {
    assert.equal(network, '0', `${word} in the network`);
    assert.ok(isShown(attention, apart(whole.get('output'), t, less.get('output'), t, D)), `${word}: ${attention}`);
  });
  const stream = await tab.table('.lab-figure > section:has(h3:text("residual")) .lab-table');
  const zeros = new Float64Array(WORDS.length * D);
  const [x, added, sum] = (['embeddings', 'output', 'residual'] as const).map((id) => whole.get(id)) as [Float64Array, Float64Array, Float64Array];
  stream.forEach(([word, before = '', by = '', angle = '', after = ''], t) => {
    const length = (numbers: Float64Array) => apart(numbers, t, zeros, 0, D);
    let dot = 0;
    for (let i = 0; i < D; i += 1) dot += (x[t * D + i] ?? NaN) * (added[t * D + i] ?? NaN);
    for (const [text, numbers] of [[before, x], [by, added], [after, sum]] as const) assert.ok(isShown(text, length(numbers)), `${word}: ${text}, in double ${length(numbers)}`);
    assert.ok(Math.abs(Number(angle.replace('°', '')) - (Math.acos(dot / length(x) / length(added)) * 180) / Math.PI) <= 0.51, `${word}: ${angle}`);
  });
  await tab.close();
});
