// Texts of any length are answered before anything is cut or measured, and kept. No clock: what the browser is asked is looked at.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Playground, Reader } from '../lib/page.ts';
import { Random } from '../lib/random.ts';
import { assertUnharmed } from '../lib/page-checks.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { isPlain, isTooLong, tokenize } from '../../web/src/engine/tokens.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const WORDS = 'lorem ipsum dolor sit amet '.repeat(120_000);
const LONG = {
  'three megabytes of words': WORDS, 'line breaks': `${'\n'.repeat(66_000)}a`, 'marks on one letter': `z${'\u0301\u0323'.repeat(50_000)}`,
  'fewer marks, which are as slow': `word z${'\u0301\u0323'.repeat(5000)}`, 'lines of a short text': 'a\n'.repeat(6000), 'no space at all': '注意力'.repeat(20_000),
};

for (const [name, text] of Object.entries(LONG)) {
  test(`no engine, segmenter or pattern sees it: ${name}`, () => {
    assert.ok(isTooLong(text));
    assert.deepEqual(tokenize(text), []);
  });
}

test('ten and more million characters overflow nothing', () => {
  for (const each of ['the cat ', 'a', ' ', '1.']) assert.equal(isPlain(each.repeat(12_000_000)), false);
});

test('a text that is cut in pieces has the very words that it has as a whole', () => {
  const random = new Random(5);
  const parts = ['word', "didn't", 'naïve', '3.14', '1,000', '语言', 'עולם', '👩‍👩‍👧', '🇫🇷🇩🇪', ' ', ' ', '\n', '.', ', ', 'e\u0301', 'ไทย', '—', 'x'.repeat(300)];
  for (let i = 0; i < 40; i += 1) {
    const text = Array.from({ length: random.whole(500, 1500) }, () => `${random.pick(parts)}${random.pick(['', ' '])}`).join('').slice(0, 29_000).replace(/\S*$/, '');
    const whole = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].filter(({ segment }) => !/^\s*$/.test(segment)).map(({ segment, index }) => [index, segment]);
    assert.equal(JSON.stringify(tokenize(text).map(({ text: word, start }) => [start, word])), JSON.stringify(whole));
  }
});

/** In every page: the longest text that the browser is asked to cut, to measure or to lay out. */
const WATCH = `
  globalThis.longest = 0;
  const watch = (owner, name) => { const own = owner[name]; owner[name] = function (text, ...more) { globalThis.longest = Math.max(globalThis.longest, String(text).length); return own.call(this, text, ...more); }; };
  watch(Intl.Segmenter.prototype, 'segment'); watch(CanvasRenderingContext2D.prototype, 'measureText'); watch(CanvasRenderingContext2D.prototype, 'fillText');
`;
const watched = (page: Page) => page.addInitScript(WATCH);
const open = (fragment = '') => reader.open({ fragment, before: watched, context: { permissions: ['clipboard-read', 'clipboard-write'] } });
const seen = (page: Playground) => page.page.evaluate(() => {
  const element = document.querySelector('attention-playground') as AttentionPlayground;
  const root = element.shadowRoot as ShadowRoot;
  const laid = Math.max(...[...root.querySelectorAll('textarea')].map(({ value }) => value.length), ...[...root.querySelectorAll('.mirror, .caption, .earlier')].map(({ textContent }) => textContent?.length ?? 0));
  return { text: element.text, longest: (globalThis as unknown as { longest: number }).longest, laid, problem: root.querySelector('#problem')?.textContent ?? '', box: root.querySelector<HTMLTextAreaElement>('#text')?.value ?? '' };
});
const settled = (page: Playground) => page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('#problem')?.textContent !== '');

async function assertAnswered(page: Playground, text: string): Promise<void> {
  await settled(page);
  const { text: kept, longest, laid, problem, box } = await seen(page);
  assert.ok(kept === text, 'it is kept');
  assert.match(problem, /^This text has [\d,]+ characters\. At most 30,000 are read/);
  assert.ok(text.startsWith(box) && box.length > 500, 'its beginning stands in the box');
  assert.ok(longest <= 2048 && laid <= 2000, `${longest} characters measured, ${laid} laid out`);
}

for (const name of ['three megabytes of words', 'marks on one letter', 'lines of a short text'] as const) {
  test(`set by a program: ${name}`, async () => {
    const page = await open();
    await page.page.evaluate((text) => { (document.querySelector('attention-playground') as AttentionPlayground).text = text; }, LONG[name]);
    await assertAnswered(page, LONG[name]);
    await assertUnharmed(page, name);
    await page.close();
  });
}

test('a link of line breaks', async () => {
  const text = `${'\n'.repeat(60_000)}a`;
  const page = await open(`#v1&text=${encodeURIComponent(text)}`);
  await assertAnswered(page, text);
  await page.close();
});

test('what is pasted goes round the box; what is typed there then is the text, and Undo brings all of it back', async () => {
  const page = await open();
  await page.page.evaluate((text) => navigator.clipboard.writeText(text), WORDS);
  await page.textBox.press('Control+a');
  await page.textBox.press('Control+v');
  await assertAnswered(page, WORDS);
  await page.textBox.press('Control+a');
  await page.type('a cat');
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.tokens.length === 2);
  await page.page.locator('[data-undo]').click();
  if ((await seen(page)).text !== WORDS) await page.page.locator('[data-undo]').click();
  await assertAnswered(page, WORDS);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a second sentence, and one word’s other sentence', async () => {
  const page = await open();
  await page.page.evaluate((text) => { (document.querySelector('attention-playground') as AttentionPlayground).keyText = text; }, WORDS);
  await settled(page);
  const { longest, laid, problem } = await seen(page);
  assert.match(problem, /^This text has 3,240,000 characters/);
  assert.ok(longest <= 2048 && laid <= 2000, `${longest} measured, ${laid} laid out`);
  await page.close();
});

test('a lab’s sentence', async () => {
  const page = await reader.open({ file: 'labs.html', fragment: '#v1&view=lab-mask', before: watched });
  const lab = page.page.locator('attention-playground[view=lab-mask]');
  await lab.locator('.lab-sentence textarea').waitFor();
  await lab.evaluate((element, text) => { (element as AttentionPlayground).text = text; }, WORDS);
  await lab.locator('.problem', { hasText: 'This text has 3,240,000 characters' }).waitFor();
  assert.ok((await lab.locator('.lab-sentence textarea').inputValue()).length <= 1000);
  assert.equal(await lab.evaluate((element) => (element as AttentionPlayground).text.length), WORDS.length);
  await page.close();
});
