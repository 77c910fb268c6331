// The heads' lab: designed heads on any sentence as the double reference has them, their sum, and two trained models beside them.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LabTab, isShown } from '../lib/lab.ts';
import { built } from '../lib/built.ts';
import { DEFAULTS, referenceStages } from '../lib/native.ts';
import { Reader } from '../lib/page.ts';
import { buildLexicon } from '../../web/lexicon/build.mjs';
import { openTraining } from '../../web/src/engine/training/open.ts';
import { TRAINED } from '../../web/src/labs/heads/trained.ts';
import { DESIGNED_SETTINGS, design } from '../../web/src/parameters/designed/design.ts';
import { DESIGNED_HEADS } from '../../web/src/parameters/designed/heads.ts';
import { parseLexicon } from '../../web/src/parameters/designed/lexicon.ts';

const reader = await Reader.arrive();
after(() => reader.leave());
const lexicon = parseLexicon(await buildLexicon());

/** The designed heads by name: each row's weights, in double. */
function headsOf(words: readonly string[]): Map<string, number[][]> {
  const { content, W_Q, W_K, W_V, W_O } = design(words, lexicon);
  const weights = referenceStages({ tokens: words, given: { content, W_Q, W_K, W_V, W_O } }, { ...DEFAULTS, ...DESIGNED_SETTINGS }).get('weights');
  const n = words.length;
  return new Map(DESIGNED_HEADS.map(({ name }, h) => [name, words.map((_, row) => [...weights.slice((h * n + row) * n, (h * n + row + 1) * n)])]));
}

const top = (row: readonly number[]) => row.indexOf(Math.max(...row));

for (const text of ["the animal didn't cross the street because it was too tired", 'two old dogs in the garden chased a small cat', 'one']) {
  test(`every designed head of “${text}” has its name, the reference’s largest shares, and an arc for each that is seen`, async () => {
    const words = text.split(' ');
    const tab = await LabTab.open(reader, 'lab-heads', { text });
    const expected = headsOf(words);
    const lab = tab.page.locator('#lab-heads');
    assert.deepEqual(new Set(await lab.locator('.lab-heads figcaption b').allInnerTexts()), new Set(expected.keys()));
    for (const [name, rows] of expected) {
      const picture = lab.locator('.lab-heads .plot').filter({ has: tab.page.locator('figcaption b', { hasText: new RegExp(`^${name}$`) }) });
      await picture.locator('.plot-numbers summary').click();
      const cells = await picture.locator('.plot-numbers tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
      cells.forEach(([word, aim, share = ''], row) => {
        const best = top(rows[row] ?? []);
        assert.equal(word, words[row]);
        assert.equal(aim, words[best], `${name}, ${word}`);
        assert.ok(isShown(share, rows[row]?.[best] ?? NaN), `${name}, ${word}: ${share}, in double ${rows[row]?.[best]}`);
      });
      const arcs = rows.flatMap((row, i) => row.filter((share, key) => share >= 0.1 && key !== i)).length;
      assert.equal(await picture.locator('.lab-look').count(), arcs, `${name} has as many arcs as shares that are seen`);
    }
    assert.deepEqual(tab.problems, []);
    await tab.close();
  });
}

test('one word asks several heads: what each finds for it is said, and its own arcs are marked', async () => {
  const tab = await LabTab.open(reader, 'lab-heads');
  assert.match(await tab.said(), /^it looks at animal \(pronoun → noun, 94%\), because \(previous word, 100%\), the \(idle, 100%\)\. The other heads find nothing for it: 5 of 8\.$/);
  assert.equal(await tab.find('.lab-look.own').count(), 3);
  assert.equal(await tab.find('.lab-self').count(), 5);
  await tab.find('.lab-controls select').selectOption('10');
  assert.match(await tab.said(), /^tired looks at .*animal \(adjective → its noun/);
  await tab.close();
});

test('of one, two, four or eight heads; a link from before opens as many as there are', async () => {
  const tab = await LabTab.open(reader, 'lab-heads', { preset: 'heads=16&row=5' });
  assert.equal(await tab.find('.lab-heads .plot').count(), 8);
  assert.match(await tab.notices(), /heads cannot be “16”; it is 8 now/);
  assert.match(await tab.said(), /^the looks at/);
  await tab.find('button:has-text("One head alone")').click();
  assert.deepEqual(await tab.find('.lab-heads figcaption b').allInnerTexts(), ['pronoun → noun']);
  await tab.find('.segment:has-text("4")').click();
  assert.equal(await tab.find('.lab-heads .plot').count(), 4);
  await tab.close();
});

test('the heads’ updates add up to the layer’s output', async () => {
  const tab = await LabTab.open(reader, 'lab-heads', { text: 'two old dogs in the garden chased a small cat' });
  assert.match(await tab.find('.lab-adds').innerText(), /(to the last bit|differ from the layer’s output by \d\.\d×10⁻[678] at most, which is rounding)\.$/);
  await tab.close();
});

test('words of another language are said not to be known', async () => {
  const tab = await LabTab.open(reader, 'lab-heads', { text: 'el perro duerme' });
  assert.match(await tab.find('.lab-note').innerText(), /They do not know .*perro/);
  assert.equal(await tab.find('.lab-heads .plot').count(), 8);
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('without the list of words the lab says so, and shows what it can', async () => {
  const tab = await LabTab.open(reader, 'lab-heads');
  await tab.page.route('**/lexicon.txt', (route) => route.abort());
  await tab.type('a zebra sleeps');
  assert.match(await tab.find('.lab-figure').innerText(), /The list of words could not be loaded/);
  assert.equal(await tab.find('.lab-heads .plot').count(), 8);
  await tab.close();
});

test('what is said of the trained models is what training them gives, and the lesson opens beneath', async () => {
  const training = await openTraining({ lesson: 'heads', seed: TRAINED.seed, runs: ['one_head', 'two_heads'] }, { wasm: readFileSync(built('wasm/bindings/attention_training.wasm')) });
  await training.advance(TRAINED.step);
  const right = (run: number) => training.history(run).smoothAccuracy[TRAINED.step - 1] ?? NaN;
  const [run] = training.runs;
  const same = Math.exp(-(run?.guessing ?? NaN));
  const found = { seed: TRAINED.seed, step: TRAINED.step, parameters: run?.parameters, one_head: right(0), two_heads: right(1), chance: same + (1 - same) / 2 };
  assert.equal(training.runs[1]?.parameters, run?.parameters);
  training.free();
  if (process.env['UPDATE_TABLES']) {
    const file = fileURLToPath(new URL('../../web/src/labs/heads/trained.ts', import.meta.url));
    writeFileSync(file, readFileSync(file, 'utf8').replace(/\{.*\}/, `{ ${Object.entries(found).map(([name, value]) => `${name}: ${Number(value?.toFixed(4))}`).join(', ')} }`));
    return;
  }
  for (const [name, value] of Object.entries(TRAINED)) assert.ok(Math.abs(value - (found[name as keyof typeof found] ?? NaN)) < 6e-5, `${name}: ${value}, trained ${found[name as keyof typeof found]}`);

  const tab = await LabTab.open(reader, 'lab-heads');
  const bars = await tab.table('.lab-trained .plot-bars');
  assert.deepEqual(bars.map(([name, , share]) => [name, share]), [['One head', '54%'], ['Two heads', '100%'], ['tossing a coin', '53%']]);
  assert.equal(await tab.find('attention-playground').locator('attention-playground').count(), 0, 'only on demand');
  const heard = await tab.page.evaluate(() => { (globalThis as { heard?: string[] }).heard = []; for (const name of ['attention-ready', 'attention-change']) document.querySelector('attention-playground[view=lab-heads]')?.addEventListener(name, (event) => (globalThis as { heard?: string[] }).heard?.push(event.type)); return true; });
  assert.ok(heard);
  await tab.find('.lab-trained summary').click();
  await tab.find('.lab-trained .training-lane').first().waitFor();
  await tab.find('.lab-trained').getByText('Which model will learn to give both answers?').waitFor();
  assert.deepEqual(await tab.page.evaluate(() => (globalThis as { heard?: string[] }).heard), [], 'the lesson is none of the page’s');
  assert.deepEqual(tab.problems, []);
  await tab.close();
});
