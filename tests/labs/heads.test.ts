// The heads' lab: the same numbers in more or fewer heads, and the output as a sum over heads.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { read } from '../lib/shown-numbers.ts';
import { LabTab, isShown } from '../lib/lab.ts';
import { loadEngine } from '../lib/module.ts';
import { DEFAULTS, referenceStages } from '../lib/native.ts';
import { Reader } from '../lib/page.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const WORDS = ['one', 'swallow', 'does', 'not', 'make', 'a', 'summer'];
const TEXT = WORDS.join(' ');
const D = 16;
const settingsOf = (heads: number) => ({ ...DEFAULTS, d_model: D, num_heads: heads });

for (const heads of [1, 2, 4, 8, 16]) {
  test(`in ${heads} heads: each head’s weights, and the heads’ updates that add up to the output`, async () => {
    const tab = await LabTab.open(reader, 'lab-heads', { text: TEXT, preset: `heads=${heads}&row=5` });
    const reference = referenceStages(WORDS, settingsOf(heads));
    const [T, row] = [WORDS.length, 4];
    // Every head's picture has a table of its numbers.
    const pictures = tab.find('.lab-head-card .plot-numbers');
    assert.equal(await pictures.count(), heads);
    const weights = reference.get('weights');
    const looked = new Set<number>();
    for (let head = 0; head < heads; head += 1) {
      await pictures.nth(head).locator('summary').click();
      const cells = (await tab.table(`.lab-head-card .plot-numbers >> nth=${head} >> table`))[row]?.slice(1) ?? [];
      const own = weights.subarray((head * T + row) * T, (head * T + row + 1) * T);
      cells.forEach((text, key) => assert.ok(text === 'masked' ? key > row : isShown(text, own[key] ?? NaN), `head ${head + 1}, key ${key}: ${text}, in double ${own[key]}`));
      looked.add(own.indexOf(Math.max(...own)));
    }
    const said = await tab.said();
    if (heads > 1) assert.ok(said.includes(`look most at ${looked.size} different words`), said);
    // Each head's update, from the reference's concat and the engine's W_O.
    const engine = await loadEngine();
    const session = engine.session();
    const W_O = session.run(WORDS, settingsOf(heads)).parameter('W_O');
    const [concat, output] = [reference.get('concat'), reference.get('output')];
    const width = D / heads;
    const updates = Array.from({ length: heads }, (_, head) => Array.from({ length: D }, (_, column) => {
      let sum = 0;
      for (let i = head * width; i < (head + 1) * width; i += 1) sum += (concat[row * D + i] ?? NaN) * (W_O[i * D + column] ?? NaN);
      return sum;
    }));
    session.free();
    const section = tab.find('.lab-figure > section:has(.lab-concat)');
    await section.locator('.plot-numbers summary').first().click();
    const table = await section.locator('.plot-numbers table').first().evaluate((each) => [...each.querySelectorAll('tbody tr')].map((line) => [...line.querySelectorAll<HTMLElement>('th, td')].map((cell) => cell.innerText.trim())));
    const expected = [...updates, Array.from(output.subarray(row * D, (row + 1) * D)), Array.from(output.subarray(row * D, (row + 1) * D))];
    assert.equal(table.length, heads + 2);
    table.forEach(([, ...cells], r) => cells.forEach((text, c) => assert.ok(isShown(text, expected[r]?.[c] ?? NaN), `update ${r}, number ${c}: ${text}, in double ${expected[r]?.[c]}`)));
    // How far apart the two are on the screen is rounding, no more.
    const apart = await section.locator('.lab-equal b').innerText();
    assert.ok(read(apart).value < 1e-5, apart);
    const lengths = await tab.table('.lab-figure > section:has(.lab-concat) > .lab-scroll .lab-table');
    lengths.forEach(([, text = ''], head) => assert.ok(isShown(text, Math.hypot(...(updates[head] ?? []))), `length ${head + 1}: ${text}`));
    assert.deepEqual(tab.problems, []);
    await tab.close();
  });
}

test('the split changes the width and the scale, never the number of parameters', async () => {
  const tab = await LabTab.open(reader, 'lab-heads', { text: TEXT });
  const rows = await tab.table('.lab-figure > section:not(:has(.lab-concat)) .lab-table');
  assert.deepEqual(rows.map(([heads, width, , parameters]) => [heads, width, parameters]), [['1', '16', '1,024'], ['2', '8', '1,024'], ['4', '4', '1,024'], ['8', '2', '1,024'], ['16', '1', '1,024']]);
  rows.forEach(([heads, , divisor = '']) => assert.ok(isShown(divisor, Math.sqrt(D / Number(heads)), 1e-3)));
  await tab.find('button:has-text("One head for everything")').click();
  assert.match(await tab.said(), /The only head of/);
  await tab.close();
});

test('a word that stands twice is one word, and a head of one number says which', async () => {
  const words = "the animal didn't cross the street because it was too tired".split(' ');
  const tab = await LabTab.open(reader, 'lab-heads', { text: words.join(' '), preset: 'heads=16&row=11' });
  const weights = referenceStages(words, settingsOf(16)).get('weights');
  const looked = new Set(Array.from({ length: 16 }, (_, head) => {
    const own = weights.subarray((head * 11 + 10) * 11, (head * 11 + 11) * 11);
    return words[own.indexOf(Math.max(...own))];
  }));
  const said = await tab.said();
  assert.ok(said.includes(`look most at ${looked.size} different words`), said);
  const names = (said.split(': ').at(-1) ?? '').replace(/\.$/, '').split(', ');
  assert.deepEqual(new Set(names), looked);
  assert.equal(names.length, looked.size, said);
  const titles = await tab.find('.lab-head-card').allInnerTexts();
  titles.forEach((title, head) => assert.ok(title.includes(`Head ${head + 1}: number ${head + 1}`) && !/numbers \d/.test(title), title));
  await tab.close();
});
