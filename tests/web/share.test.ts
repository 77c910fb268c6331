// The link to what a reader sees: copied, or shown where copying is forbidden; and what it asks for in vain is said.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Playground, Reader, link } from '../lib/page.ts';
import { wholeOf } from '../lib/page-checks.ts';
import { SETTINGS } from '../../web/src/state/settings.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

test('“Copy link” copies an address that opens the whole state elsewhere, says what it holds, and sends nothing', async () => {
  const page = await reader.open({ context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  await page.paste('one two three two');
  await page.set({ mask: 'window', temperature: 0.5, num_heads: 8 });
  await page.chooseHead(5);
  await page.walkTo(2, 1);
  await page.page.keyboard.press('m');
  await page.openTake();
  const asked = page.requests.length;
  await page.page.locator('[data-take=link]').click();
  const said = page.page.locator('.take [role=status]', { hasText: 'Copied' });
  await said.waitFor();
  const address = await page.page.evaluate(() => navigator.clipboard.readText());
  assert.equal(await said.innerText(), `Copied: a link of ${address.length} characters.`);
  assert.ok(address.startsWith(`${reader.address}playground.html#v1&text=one+two+three+two`), address);
  assert.match(await page.page.locator('.take-list').innerText(), /It holds your sentences, the switches.*send to no server/s);
  assert.equal(page.requests.length, asked, 'nothing is sent');
  const other = await reader.open({ fragment: new URL(address).hash });
  assert.deepEqual(await wholeOf(other), await wholeOf(page));
  assert.deepEqual((await other.read()).label, (await page.read()).label);
  for (const each of [page, other]) assert.deepEqual(each.problems, []);
  await Promise.all([page.close(), other.close()]);
});

test('where the clipboard is forbidden, the link stands in a field to be copied by hand', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two' }) });
  await page.openTake();
  await page.page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); });
  await page.page.locator('[data-take=link]').click();
  const field = page.page.locator('.take-link');
  await field.focus();
  const { value, chosen } = await field.evaluate((input: HTMLInputElement) => ({ value: input.value, chosen: (input.selectionEnd ?? 0) - (input.selectionStart ?? 0) }));
  assert.ok(value.startsWith(`${reader.address}playground.html#v1&text=one+two`));
  assert.equal(chosen, value.length, 'all of it is selected');
  await page.page.locator('.take [role=status]', { hasText: 'may not write to the clipboard' }).waitFor();
  await page.close();
});

test('what does not go into an address is said before it is copied', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two' }) });
  await page.openTake();
  const words = () => page.page.locator('.take-list').innerText();
  assert.doesNotMatch(await words(), /left out/);
  await page.set({ source: 'yours' });
  await page.page.locator('.paste').fill(Array.from({ length: 64 }, () => Array(64).fill(0.5).join(',')).join('\n'));
  await page.page.locator('[data-use]').click();
  await page.page.locator('.take-list', { hasText: 'Your matrices are too large for an address and are left out.' }).waitFor();
  await page.close();
});

test('an element in somebody else’s page offers no link, since that page does not read one', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two' }) });
  await page.page.evaluate(() => document.body.prepend(document.createElement('attention-playground')));
  const own = page.page.locator('attention-playground').first();
  await page.unfold('attention-playground >> nth=0 >> .take > summary');
  await own.locator('[data-take=svg]').waitFor();
  assert.equal(await own.locator('[data-take=link]').count(), 0);
  await page.close();
});

/** What the page says to a link, and what it then is. */
async function follow(page: Playground, fields: string): Promise<{ notices: string; state: Record<string, unknown> }> {
  await page.page.evaluate((hash) => { location.hash = hash; }, `#v1&text=one+two+three&${fields}`);
  await page.page.waitForFunction((hash) => location.hash.includes(hash), fields.slice(0, 8));
  await page.page.evaluate(() => new Promise((done) => setTimeout(done, 50)));
  await page.ready();
  const notices = (await page.read()).notices;
  return { notices, state: await page.page.evaluate(() => JSON.parse(JSON.stringify((document.querySelector('attention-playground') as unknown as { state: object }).state))) };
}

test('every switch of a link that is too large, too small or broken is replaced by one that fits, in a sentence of its own', async () => {
  const page = await reader.open();
  for (const { key, control } of SETTINGS) {
    if (key === 'layer') continue;
    const numeric = control.kind !== 'choice' || control.own !== undefined;
    for (const raw of ['x', ...(numeric ? ['99999999999', '-99999999999'] : [''])]) {
      const { notices, state } = await follow(page, `${key}=${raw}`);
      const broken = raw === 'x' || raw === '';
      assert.match(notices, broken ? new RegExp(`could not be read \\(${key}\\)\\.`) : /must .*Using .*\./, `${key}=${raw}: “${notices}”`);
      if (!broken) assert.doesNotMatch(JSON.stringify(state), /-?99999999999/, key);
    }
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

/** What a link may ask for besides switches, and the sentence that says why it is not so. */
const IN_VAIN: Record<string, RegExp> = {
  'head=9': /head 9 of 4: head 4 is shown/, 'head=0': /could not be read \(head\)/, 'head=x': /could not be read \(head\)/,
  'row=40': /row of word 40 of 3/, 'row=-1': /could not be read \(row\)/, 'row=x': /could not be read \(row\)/,
  'key=40': /key of word 40 of 3/, 'key=-1': /could not be read \(key\)/, 'key=x': /could not be read \(key\)/,
  'stage=query&cell=99.99': /row 99, column 99 of query, which is 3 × 16/, 'stage=query&cell=0.0': /could not be read \(cell\)/, 'stage=query&cell=x': /could not be read \(cell\)/,
  'stage=nothing': /could not be read \(stage\)/, 'stage=rotated_query': /rotated_query, which is not part of this run/,
  'numbers=W_Q:900:1:1': /A number that the link sets has no place/, 'numbers=W_Q:1:1:1,word:absent:1:1,b_Q:1:1:2': /2 numbers that the link sets have no place/, 'numbers=W_Q:0:1:1': /could not be read \(numbers\)/, 'numbers=x': /could not be read \(numbers\)/,
  'mask-cells=1.1,50.50': /A cell that the link masks or shows lies outside/, 'mask-cells=9.9,50.50': /2 cells .* lie outside/, 'mask-cells=0.1': /could not be read \(mask-cells\)/, 'mask-cells=x': /could not be read \(mask-cells\)/,
  'matrices=x': /could not be read \(matrices\)/, 'matrices=W_Q:AAA': /could not be read \(matrices\)/,
  'tokens=9.9': /could not be read \(tokens\)/, 'key-text=a&key-tokens=7.9': /could not be read \(key-tokens\)/, 'other-text=%E0%A4%A': /could not be read \(other-text\)/,
  'silenced=1.1': /waits until one reads/, 'silenced=0.1': /could not be read \(silenced\)/, 'shares=1:1:2:1:7': /could not be read \(shares\)/, 'shares=1:1:2:1:0.5': /waits until one reads/,
  'parameters=trained&layer=99&head=9': /head 9 of 4: head 4 is shown\. The link asks for layer 99 of 4: layer 4 is shown/, 'parameters=trained&layer=0': /layer 0 of 4: layer 1 is shown/, 'layer=x': /could not be read \(layer\)/,
  'parameters=trained&silenced=9.9': /takes away heads that this model does not have: it has 4 layers of 4 heads/, 'parameters=trained&shares=1:1:300:2:0.5': /sets shares where this model or this sentence has none/,
  'strange=1': /holds something that the page does not know/,
};

test('whatever else a link asks for in vain is said in a sentence', async () => {
  const page = await reader.open();
  await page.set({ source: 'trained' });
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  for (const [fields, sentence] of Object.entries(IN_VAIN)) {
    assert.match((await follow(page, fields)).notices, sentence, fields);
  }
  const quiet = await follow(page, 'head=2&row=3&key=1&stage=query&cell=3.16&mask-cells=3.3&numbers=W_Q:64:64:1,word:one:64:2');
  assert.equal(quiet.notices, '', 'what is there is not said');
  assert.deepEqual(page.problems, []);
  await page.close();
});
