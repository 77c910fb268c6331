// The mask's lab: a later word is changed, and each row says how far it moved.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LabTab, apart, isShown } from '../lib/lab.ts';
import { DEFAULTS, referenceStages } from '../lib/native.ts';
import { Reader } from '../lib/page.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const WORDS = ['the', 'dog', 'bit', 'the', 'man', 'twice'];
const TEXT = WORDS.join(' ');
const LONE = (text: string) => text.split(/\s/)[0] ?? '';

function moved(mask: 'causal' | 'none', other: readonly string[]): number[] {
  const settings = { ...DEFAULTS, mask };
  const [a, b] = [referenceStages(WORDS, settings).get('output'), referenceStages(other, settings).get('output')];
  return WORDS.map((_, t) => apart(a, t, b, t, DEFAULTS.d_model));
}

test('a changed word moves its own row and later ones, and no other to the last bit; without the mask it moves all', async () => {
  const tab = await LabTab.open(reader, 'lab-mask', { text: TEXT, preset: 'word=3&by=kissed' });
  for (const [word, by] of [[2, 'kissed'], [0, 'every'], [5, 'often']] as const) {
    await tab.find('select').first().selectOption(String(word));
    await tab.find('input.field').fill(by);
    const other = WORDS.with(word, by);
    const rows = await tab.table('.moved');
    const expected = { causal: moved('causal', other), none: moved('none', other) };
    assert.equal(rows.length, WORDS.length);
    for (const [t, [name, causal = '', , none = '']] of rows.entries()) {
      assert.equal(name, t === word ? `${WORDS[t]} → ${by}` : WORDS[t]);
      if (t < word) assert.equal(causal, '0', `row ${t} of ${word}`);
      assert.ok(isShown(causal, expected.causal[t] ?? NaN), `${name} with the mask: ${causal}, in double ${expected.causal[t]}`);
      assert.ok(isShown(none, expected.none[t] ?? NaN), `${name} without: ${none}, in double ${expected.none[t]}`);
    }
    assert.match(await tab.said(), new RegExp(`with the mask ${word} of 6 rows stay exactly as they were, without it 0`));
  }
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('hidden by −∞ nothing leaks; by 0 what the scores say; by −10⁹ nothing, until a row may see nothing at all', async () => {
  const tab = await LabTab.open(reader, 'lab-mask', { text: TEXT });
  const rowList = tab.find('select').nth(1);
  await rowList.selectOption('1');
  const scores = referenceStages(WORDS, { ...DEFAULTS, mask: 'causal' }).get('scaled_scores');
  const row = Array.from(scores.subarray(WORDS.length, 2 * WORDS.length));
  const leaks = (hidden: number) => {
    const exps = row.map((score, key) => Math.exp(key > 1 ? hidden : score));
    return exps.slice(2).reduce((a, b) => a + b) / exps.reduce((a, b) => a + b);
  };
  const rows = await tab.table('.lab-figure > section:has(h3:text("Why")) .lab-table');
  assert.deepEqual(rows.map(([name]) => name), ['set to −∞', 'set to 0', 'lowered by 10⁹']);
  assert.deepEqual(rows.map(([, some, none]) => [LONE(some ?? ''), LONE(none ?? '')]), [['0', '0'], [`${Math.round(100 * leaks(0))}%`, '100%'], ['0', '100%']]);
  assert.match(rows[1]?.[1] ?? '', new RegExp(`\\(${leaks(0).toFixed(4)}\\)`));
  await tab.close();
});

test('the triangle is there before and after softmax, goes with the mask, and its numbers are the engine’s', async () => {
  const tab = await LabTab.open(reader, 'lab-mask', { text: TEXT });
  const hidden = () => tab.find('.plot [role=grid]').first().getAttribute('aria-label');
  assert.match(await hidden() ?? '', /15 of 36 are −∞/);
  const weights = referenceStages(WORDS, { ...DEFAULTS, mask: 'none' }).get('weights');
  await tab.find('input[value=none]').locator('xpath=ancestor::label').click();
  assert.match(await hidden() ?? '', /0 of 36 are −∞/);
  await tab.find('.plot-numbers summary').nth(1).click();
  const table = await tab.table('.plot-numbers >> nth=1 >> table');
  for (const [q, [, ...cells]] of table.entries()) cells.forEach((text, k) => assert.ok(isShown(text, weights[q * WORDS.length + k] ?? NaN), `[${q}, ${k}] is ${text}, in double ${weights[q * WORDS.length + k]}`));
  await tab.close();
});

test('a lab keeps what is typed and set in its link; what a link sets wrong is clamped and said; the sentence is the same in all', async () => {
  const tab = await LabTab.open(reader, 'lab-mask', { text: TEXT, preset: 'word=1000&head=9&colour=red&shown=none' });
  assert.equal(await tab.notices(), 'word cannot be “1000”; it is 99 now. head cannot be “9”; it is 4 now. One of the settings asked for is not one of this lab’s; it is left out.');
  await tab.type('<b>x</b> 动物 שלום');
  await tab.find('input.field').fill('y&z=1');
  await tab.page.waitForFunction(() => /preset=.*y/.test(location.hash));
  const address = tab.page.url();
  const again = await reader.open({ file: 'labs.html', fragment: new URL(address).hash });
  const field = again.page.locator('#lab-mask input.field');
  await field.waitFor();
  assert.equal(await field.inputValue(), 'y&z=1');
  await again.page.locator('#lab-heads').scrollIntoViewIfNeeded();
  await again.page.locator('#lab-heads .lab-sentence textarea').waitFor();
  for (const lab of ['lab-mask', 'lab-heads']) assert.equal(await again.page.locator(`#${lab} .lab-sentence textarea`).inputValue(), '<b>x</b> 动物 שלום');
  assert.deepEqual([...tab.problems, ...again.problems], []);
  await again.page.close();
  await tab.close();
});
