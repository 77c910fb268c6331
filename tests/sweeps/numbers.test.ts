// Every number on the page is the engine's, after rounding; and what is said of shares where they are no plain ones.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Expected } from '../lib/expected.ts';
import { DEFAULTS } from '../lib/native.ts';
import { Reader, link } from '../lib/page.ts';
import { assertNumbers } from '../lib/page-checks.ts';
import { checkBits, checkTable, walkRows } from '../lib/printed-numbers.ts';
import type { Settings } from '../../web/src/engine/engine.ts';
import { KNOBS, SETTINGS } from '../../web/src/state/settings.ts';
import { standsAt } from '../../web/src/text/settings.ts';

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

test('with dropout, the share that is said is the one that goes into the context', async () => {
  const text = 'the cat sat and the dog saw it';
  for (const language of ['en', 'es', 'zh-Hans']) {
    const page = await reader.open({ fragment: link({ text, mask: 'none', dropout: 0.5, 'dropout-seed': 7, row: 4, key: 7 }), context: { locale: language === 'zh-Hans' ? 'zh-CN' : language } });
    const [dropped, weights] = [await page.stage('dropped_weights'), await page.stage('weights')];
    let kept = 0;
    for (let query = 0; query < 8; query += 1) {
      await page.walkTo(query, (query * 3) % 8);
      const { words, key } = await page.read();
      const share = dropped[query * 8 + key] ?? NaN;
      const printed = /(<1|\d+)\s?%/.exec(words)?.[1];
      if (share === 0) assert.ok(printed === undefined && /dropout/.test(words), words);
      else {
        kept += 1;
        assert.equal(printed, share < 0.005 ? '<1' : String(Math.round(share * 100)), `${words} for ${share}, before dropout ${weights[query * 8 + key]}`);
      }
    }
    assert.ok(kept > 0 && kept < 8, `${kept} kept`);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

test('at temperature 0 equals share, as many as they are, and the others take nothing', async () => {
  const open = (text: string, seed = 1) => reader.open({ fragment: link({ text, seed, temperature: 0, positions: 'none', mask: 'none', row: 1, key: 1 }) });
  const page = await open('one one one one one one');
  const { words, rest } = await page.read();
  assert.match(words, /takes 17\s?% of its context from it, the largest share in its row, shared with 5 others\.$/);
  assert.equal(rest, 'The other 2 share the rest.');
  await page.paste('one two three four five six seven');
  assert.equal((await page.read()).rest, 'The other 3 take nothing.');
  assert.deepEqual(page.problems, []);
  await page.close();
  // A seed by which "a" looks at itself most, six times.
  for (let seed = 1; ; seed += 1) {
    const other = await open('a a a a a a b c d', seed);
    const taking = (await other.stage('weights')).subarray(0, 9).filter((w) => w > 0).length;
    const said = (await other.read()).rest;
    await other.close();
    if (taking !== 6) continue;
    assert.equal(said, '2 more share the rest; the other 3 take nothing.');
    break;
  }
});

test('nothing is counted that is not there: no “0 masked”, no “the 1 later token”, no names of code', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two three', mask: 'none' }) });
  assert.equal((await page.read()).rowFoot[0], '');
  await page.set({ mask: 'causal' });
  await page.walkTo(1, 0);
  assert.equal((await page.read()).rowFoot[0], '1 masked');
  assert.equal((await page.read()).rest, 'The later token is hidden.');
  await page.set({ mask: 'window', window_left: 1, window_right: 0 });
  assert.equal((await page.read()).rest, 'The token outside the window is hidden.');
  assert.deepEqual(page.problems, []);
  await page.close();
  for (const setting of SETTINGS) assert.doesNotMatch(standsAt(setting, KNOBS), /sqrt-dk/, setting.name);
  assert.equal(standsAt(SETTINGS.find(({ name }) => name === 'scale') as never, { scale: 'sqrt-dk' }), '÷ √d_k');
});

test('every number of heads that there may be gives the reference\'s numbers', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two three' }) });
  for (const [d_model, num_heads] of [[64, 1], [64, 2], [64, 4], [64, 8], [64, 16], [64, 32], [64, 64], [8, 8], [512, 512]] as const) {
    await page.set({ ...DEFAULTS, d_model, num_heads });
    const settings = await assertNumbers(page, `${num_heads} heads of ${d_model}`);
    assert.deepEqual([settings.d_model, settings.num_heads, (await page.read()).heads], [d_model, num_heads, num_heads]);
  }
  await page.set({ ...DEFAULTS, d_model: 8, d_k: 3, d_v: 2 });
  const offered = await page.page.locator('[data-setting=heads] option').allInnerTexts();
  assert.deepEqual(offered.map(Number), [1, 2, 3, 4, 5, 6, 7, 8], 'with widths of their own heads need not divide d_model');
  for (const num_heads of [3, 5, 7]) {
    await page.set({ num_heads });
    assert.equal((await assertNumbers(page, `${num_heads} heads, 3 and 2 wide`)).num_heads, num_heads);
    assert.equal((await page.stage('concat')).length, 3 * num_heads * 2);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('switches are independent: many at once give the reference\'s numbers', async () => {
  const page = await reader.open();
  const many: Partial<Settings>[] = [
    { mask: 'window', window_left: 2, window_right: 1, scale: 'none', temperature: 2, softcap: 4, num_heads: 8, num_kv_heads: 4, value_rank: 5, biases: true, positions: 'rope' },
    { mask: 'none', positions: 'alibi', d_k: 5, d_v: 3, num_heads: 7, dropout: 0.25, residual: false, tie: 'qk', d_model: 16 },
    { mask: 'causal', scale: 'factor', scale_factor: -0.5, temperature: 0.25, out_proj: false, positions: 'learned', seed: 77 },
  ];
  for (const wanted of many) {
    await page.set({ ...DEFAULTS, ...wanted });
    await assertNumbers(page, JSON.stringify(wanted));
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});
