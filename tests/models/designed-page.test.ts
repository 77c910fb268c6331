// Designed heads on the page, used as a reader does: the sentences they are shown with, and the reader's own.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { type Playground, Reader, link } from '../lib/page.ts';
import { Walk, full } from '../lib/walk.ts';
import { assertWhole } from '../lib/page-checks.ts';
import { fingerprint } from '../../tools/lib/designed/attend.ts';
import { buildLexicon } from '../../web/lexicon/build.mjs';
import { MEASURED } from '../../web/src/parameters/designed/accuracy.ts';
import { D_MODEL, DIMENSIONS, dimension } from '../../web/src/parameters/designed/design.ts';
import { DESIGNED_HEADS, type HeadId } from '../../web/src/parameters/designed/heads.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const headOf = (id: HeadId) => DESIGNED_HEADS.findIndex((head) => head.id === id);

async function openDesigned(text: string): Promise<Playground> {
  const page = await reader.open({ fragment: link({ text }) });
  await page.set({ source: 'designed' });
  await page.page.locator('.designed').waitFor();
  await page.ready();
  return page;
}

const title = async (page: Playground) => (await page.page.locator('.matrix-title').innerText()).replace(/\s/g, ' ');

/** Head, word asked from, words it must look at, and how much. */
const SHOWN: readonly (readonly [text: string, id: HeadId, from: string, to: readonly string[]])[] = [
  ['a fluffy blue creature roamed the verdant forest', 'describers', 'creature', ['fluffy', 'blue']],
  ['a fluffy blue creature roamed the verdant forest', 'describers', 'forest', ['verdant']],
  ["the animal didn't cross the street because it was too tired", 'antecedent', 'it', ['animal']],
  ['the keys to the cabinet are here', 'subject', 'are', ['keys']],
  ['the author of the books is here', 'subject', 'is', ['author']],
  ['the cat sat on the mat', 'previous', 'sat', ['cat']],
  ['a cat saw a dog and the cat ran', 'same', 'cat', ['cat']],
];

test('on the sentences they are shown with, each head looks at what its name says, and the caption says so', async () => {
  const page = await openDesigned('one');
  for (const [text, id, from, to] of SHOWN) {
    await page.paste(text);
    const { reference } = await assertWhole(page, text);
    const tokens = await page.tokens();
    const [head, query] = [headOf(id), tokens.lastIndexOf(from)];
    await page.chooseHead(head);
    await page.walkTo(query, 0);
    const double = [...reference.get('weights').subarray((head * tokens.length + query) * tokens.length)].slice(0, tokens.length);
    const share = to.reduce((sum, word) => sum + (double[tokens.indexOf(word)] ?? 0), 0);
    assert.ok(share > 0.9, `${id}: ${from} gives ${share} to ${to}`);
    const { caption } = await page.read();
    for (const word of to) assert.match(caption, new RegExp(`from ${word}`), caption);
    assert.ok((await title(page)).includes(`designed: ${DESIGNED_HEADS[head]?.name}`), `the head is called ${id}`);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a design opens at the head that has most to say of the row, its name beside it at any width', async () => {
  const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };
  for (const context of [{}, phone]) {
    const page = await reader.open({ context });
    await page.set({ source: 'designed' });
    await page.page.locator('.designed').waitFor();
    const { head, caption } = await page.read();
    assert.equal(head, headOf('antecedent'));
    assert.match(caption, /^Row it: (100|9\d)\s?%\sfrom animal/);
    assert.match(await title(page), /designed: pronoun → noun, right in 71%; a fixed distance back gets 58%/);
    for (const [h, { name }] of DESIGNED_HEADS.entries()) {
      assert.equal(await page.page.locator(`.heads-scroll label[data-head="${h}"]`).getAttribute('title'), name);
      assert.equal(await page.page.getByRole('radio', { name: `Head ${h + 1}, ${name}`, exact: true }).count(), 1);
    }
    await page.chooseHead(headOf('previous'));
    assert.match(await title(page), /right in 100%, no more than a fixed distance/);
    await page.paste('the cat sat');
    assert.equal((await page.read()).head, headOf('previous'), 'and stays at the reader’s head');
    await page.set({ source: 'random' });
    assert.equal(await page.page.getByRole('radio', { name: 'Head 1', exact: true }).count(), 1);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

test('every number of a word has a name: in a list, and where the number is looked at', async () => {
  const page = await openDesigned('the old keys are here');
  await page.page.locator('.designed > details > summary').click();
  await page.page.locator('.designed details details summary').click();
  const names = (await page.page.locator('.dimensions li').allInnerTexts()).map((name) => name.replace(/\s+/g, ' ').trim());
  assert.deepEqual(names, DIMENSIONS.map(({ name, group }) => `${name} ${group}`));
  assert.equal(names.length, D_MODEL);
  const walk = await new Walk(page).show();
  for (const [row, name] of [[2, 'plural'], [1, 'adjective']] as const) {
    await walk.choose('content', row, dimension(name));
    const { title, value } = await walk.explained();
    assert.match(title, new RegExp(name), title);
    assert.ok(full(value) > 0.5, `${name}: ${value}`);
  }
  await page.close();
});

test('the figures of the designed heads are of this very lexicon and design', async () => {
  const guide = await readFile(new URL('../../web/docs/designed.md', import.meta.url), 'utf8');
  const now = fingerprint(await buildLexicon());
  assert.equal(/with the fingerprint ([0-9a-f]{12})\./.exec(guide)?.[1], now, 'Something has changed since they were measured: measure again, as web/docs/designed.md says.');
});

test('beside each head stands how often it is right and the best fixed distance, as measured and as the guide says', async () => {
  const guide = await readFile(new URL('../../web/docs/designed.md', import.meta.url), 'utf8');
  const [, known = ''] = /The lexicon knows (\d+\.\d) % of \d+ words/.exec(guide) ?? [];
  assert.ok(Number(known) >= 90, `the lexicon knows ${known} % of the words`);
  const page = await openDesigned('the old keys are here');
  await page.page.locator('.designed > details > summary').click();
  const lines = await page.page.locator('.designed-heads tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim().replace(/\s+/g, ' ') ?? '')));
  assert.equal(lines.length, DESIGNED_HEADS.length);
  for (const [h, { id, name }] of DESIGNED_HEADS.entries()) {
    const [heading = '', , right = '', fixed = '', cases = ''] = lines[h] ?? [];
    const measured = MEASURED[id];
    assert.equal(heading, `${h + 1} ${name}`);
    if (!measured) {
      assert.equal(right, 'not measured');
      continue;
    }
    const said = new RegExp(`\\| ${name} \\| ([\\d.]+) % \\| ([\\d.]+) % \\((\\d+) back\\) \\| (\\d+) \\|`).exec(guide);
    assert.deepEqual(said?.slice(1), [(measured.accuracy * 100).toFixed(1), (measured.baseline * 100).toFixed(1), String(measured.back), String(measured.cases)], name);
    assert.ok(Math.abs(Number.parseInt(right, 10) - measured.accuracy * 100) <= 0.51, right);
    assert.ok(Math.abs(Number.parseInt(fixed, 10) - measured.baseline * 100) <= 0.51 && fixed.endsWith(`always ${measured.back} back`), fixed);
    assert.equal(Number(cases.replaceAll(',', '')), measured.cases);
    if (id !== 'previous') assert.ok(measured.accuracy > measured.baseline + 0.04, `${name} is clearly above a fixed distance`);
    await page.chooseHead(h);
    const beside = measured.accuracy > measured.baseline ? `; a fixed distance back gets ${Math.round(measured.baseline * 100)}%` : ', no more than a fixed distance';
    assert.ok((await title(page)).includes(`designed: ${name}, right in ${right}${beside}`.replace(/\s/g, ' ')), `${name}: beside its name`);
  }
  await page.close();
});

test('while the list of words is on its way the opening sentence is there, with the same bits; other words wait for it', async () => {
  let bring = () => {};
  const held = new Promise<void>((resolve) => { bring = resolve; });
  const page = await reader.open({ fragment: '#', before: (tab) => tab.route('**/lexicon.txt', async (route) => { await held; await route.continue(); }) });
  await page.page.locator('.designed').waitFor({ state: 'attached' });
  const { whole, shown } = await assertWhole(page, 'before the list');
  assert.equal(whole.source, 'designed');
  await page.replace('the zebra was tired');
  await page.page.locator('.notices', { hasText: 'Loading the list of words' }).waitFor();
  bring();
  await page.page.locator('.notices', { hasText: 'Loading the list of words' }).waitFor({ state: 'hidden' });
  await page.still();
  assert.equal((await assertWhole(page, 'a word of the list')).whole.request.tokens[1], 'zebra');
  await page.paste(whole.text);
  assert.deepEqual((await assertWhole(page, 'with the list')).shown, shown);
  assert.deepEqual(page.problems, []);
  await page.close();
});
