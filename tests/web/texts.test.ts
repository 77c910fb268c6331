// Texts of any length are answered before anything is cut or measured, and kept: no clock, what the browser is asked is looked
// at. And what does not show makes no other word and no token, whatever the parameters are.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Playground, Reader } from '../lib/page.ts';
import { Random } from '../lib/random.ts';
import { assertUnharmed } from '../lib/page-checks.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { Seen, encodeBoundaries, engineKey, isPlain, isTooLong, tokenize } from '../../web/src/engine/tokens.ts';
import { decodeBoundaries } from '../../web/src/link/codecs.ts';

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
const open = (fragment = '#v1') => reader.open({ fragment, before: watched, context: { permissions: ['clipboard-read', 'clipboard-write'] } });
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

/** Of every kind: marks of direction, soft hyphens, joiners, selectors, byte order marks, fillers, tags, controls. */
const UNSEEN = [
  '\u200e', '\u200f', '\u061c', '\u202a', '\u202c', '\u202e', '\u2066', '\u2068', '\u2069', '\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\u2061', '\u2064', '\ufeff', '\u034f', '\u180e', '\u180b',
  '\ufe00', '\ufe0e', '\ufe0f', '\u{e0100}', '\u{e0041}', '\u{e0001}', '\u115f', '\u1160', '\u17b4', '\ufff9', '\ufffb', '\u{1d173}', '\u{1bca0}', '\u0001', '\u0007', '\u007f', '\u0080', '\u009f',
];
const keys = (text: string) => tokenize(text).map(engineKey);
const named = (sign: string) => `U+${sign.codePointAt(0)?.toString(16)}`;

test('no sign that does not show changes a word, joins two or is one', () => {
  const text = 'the cat didn’t sit, né 语言 3.14 👩‍👩‍👧 .';
  const wanted = keys(text);
  for (const sign of UNSEEN) {
    for (const place of [0, 1, 3, 4, 6, 12, 20, text.length]) {
      const typed = text.slice(0, place) + sign + text.slice(place);
      assert.deepEqual(keys(typed), wanted, `${named(sign)} at ${place}`);
    }
    assert.deepEqual(keys(sign), [], named(sign));
    assert.deepEqual(keys(`${sign} ${sign}`), [], named(sign));
    assert.deepEqual(keys(sign.repeat(3) + text + sign.repeat(3)), wanted, named(sign));
  }
});

test('every format and every ignorable sign of Unicode, but those that are drawn or joined', () => {
  const drawn = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1345f}]/u;
  for (let code = 0; code < 0xe1000; code += 1) {
    const sign = String.fromCodePoint(code);
    if (!/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(sign) || drawn.test(sign) || /[\u3164\uffa0]/.test(sign)) continue;
    assert.deepEqual(keys(`the c${sign}at${sign} sat`), ['the', 'cat', 'sat'], named(sign));
  }
  assert.deepEqual(keys('\u0600\u0661 \u06dd'), ['\u0600\u0661', '\u06dd']);
});

test('what joins letters or emoji, and what parts words without spaces, stays', () => {
  for (const text of ['می\u200cخواهم', 'क्\u200dष', 'ක්\u200dර', '👩\u200d👩\u200d👧', '🏳\u200d🌈', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}']) assert.deepEqual(keys(text), [text]);
  assert.deepEqual(keys('ไทย\u200bไทย'), ['ไทย', 'ไทย']);
  for (const [text, words] of [['می\u200c ok\u200c', ['می', 'ok']], ['👩\u200d x\u200d', ['👩', 'x']], ['a\u3164b \u2800', ['a', 'b']], ['❤\ufe0f ❤ ❤\ufe0e', ['❤', '❤', '❤']], ['🏳\ufe0f\u200d🌈', ['🏳\u200d🌈']]] as const) assert.deepEqual(keys(text), words, text);
});

test('a word says where it was typed, and a link brings the same words back', () => {
  for (const sign of UNSEEN) {
    const text = `${sign}the c${sign}at${sign} sat${sign}`;
    const tokens = tokenize(text);
    for (const { text: word, start, end } of tokens) assert.equal(text.slice(start, end).replaceAll(sign, ''), word.replaceAll(sign, ''), named(sign));
    assert.deepEqual(decodeBoundaries(text, encodeBoundaries(tokens)), tokens, named(sign));
  }
  const seen = new Seen('\ufeffa\u00adb \u200ec');
  assert.deepEqual([seen.text, seen.place(0, 2), seen.place(3, 4), seen.place(0, 0), seen.part(0, 4)], ['ab c', { start: 1, end: 4 }, { start: 6, end: 7 }, { start: 1, end: 1 }, 'ab']);
});

for (const parameters of ['random', 'designed', 'trained']) {
  test(`the same numbers and labels with ${parameters} parameters, and the text as it was typed`, async () => {
    const text = 'the cat sat on the mat because it was tired';
    const typed = '\ufeffthe c\u00adat\u200e sat\u200b on\ufe0f \u202athe\u202c mat be\u2060cause it\u200d was tir\u{e0041}ed\u200f';
    const page = await reader.open({ fragment: `#v1&parameters=${parameters}&text=${encodeURIComponent(text)}` });
    const shown = async () => {
      await page.page.waitForFunction((wanted) => (document.querySelector('attention-playground') as AttentionPlayground | null)?.trace && ((document.querySelector('attention-playground') as AttentionPlayground).parameters === wanted), parameters);
      return page.page.evaluate(() => {
        const element = document.querySelector('attention-playground') as AttentionPlayground;
        return { tokens: element.trace?.tokens ?? [], weights: Array.from(element.stage('weights')), output: Array.from(element.stage('output')) };
      });
    };
    const plain = await shown();
    await page.page.evaluate((wanted) => { (document.querySelector('attention-playground') as AttentionPlayground).text = wanted; }, typed);
    await page.page.waitForFunction((wanted) => (document.querySelector('attention-playground') as AttentionPlayground).state.text === wanted, typed);
    await page.page.evaluate(() => (document.querySelector('attention-playground') as AttentionPlayground).updateComplete);
    assert.deepEqual(await shown(), plain);
    assert.equal(await page.text(), typed);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}
