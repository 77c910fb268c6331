// Every number on the page is the engine's: what is printed is compared with the double reference after
// rounding, and the full-precision buffers with the native build bit for bit.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Expected } from '../lib/expected.ts';
import { DEFAULTS } from '../lib/native.ts';
import { Reader } from '../lib/page.ts';
import { checkBits, checkTable, walkRows } from '../lib/printed-numbers.ts';
import type { Settings } from '../../web/src/engine/engine.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const SENTENCES = {
  default: "the animal didn't cross the street because it was too tired",
  'one word': 'attention',
  'repeated words': 'row, row, row your boat',
  Chinese: '动物没有过马路，因为它太累了。',
  Arabic: 'لم يعبر الحيوان الشارع لأنه كان متعبا',
  'emoji and combining marks': '👩‍👩‍👧 et l’e\u0301le\u0300ve 🇪🇺 ❤️‍🔥 a\u0308\u0301 ok',
};

const OTHER_SETTINGS: Partial<Settings>[] = [
  { mask: 'none' },
  { scale: 'none' },
  ...[0, 0.001, -1.5, 20].map((scale_factor): Partial<Settings> => ({ scale: 'factor', scale_factor })),
  ...[1, 2, 64].map((num_heads) => ({ num_heads })),
  ...[8, 512].map((d_model) => ({ d_model })),
  { positions: 'none' },
  { biases: true },
  { seed: 4294967295 },
  { d_model: 512, num_heads: 512, mask: 'none', scale: 'none', positions: 'none', biases: true, seed: 77 },
];

for (const [name, sentence] of Object.entries(SENTENCES)) {
  test(`all numbers of a sentence are the engine's: ${name}`, async () => {
    const page = await reader.open();
    await page.paste(sentence);
    const tokens = await page.tokens();
    const { rowLabels, columnLabels } = await page.read();
    assert.deepEqual(rowLabels, columnLabels);
    assert.deepEqual(rowLabels.map((label) => label.normalize('NFC').replace(/\p{Variation_Selector}/gu, '')), tokens, 'what does not show is in no token');
    assert.equal(rowLabels.join(''), sentence.replace(/\s/g, ''));
    const expected = new Expected(tokens, DEFAULTS);
    await checkBits(page, expected);
    await page.openDetails('Every term');
    await page.openDetails('as a table');
    for (const head of [0, 1, 2, 3]) {
      await page.chooseHead(head);
      checkTable(await page.read(), expected, head);
      await walkRows(page, expected, head, head === 0 ? [...tokens.keys()] : [tokens.length - 1]);
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('each value of each switch changes the numbers to the reference\'s', async () => {
  const page = await reader.open();
  await page.openDetails('Every term');
  const tokens = await page.tokens();
  for (const other of OTHER_SETTINGS) {
    const settings = { ...DEFAULTS, ...other };
    await page.set(settings);
    const expected = new Expected(tokens, settings);
    await checkBits(page, expected);
    const head = settings.num_heads - 1;
    await page.chooseHead(head);
    await walkRows(page, expected, head, [7], 5);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});
