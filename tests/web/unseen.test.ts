// What does not show makes no other word and no token, whatever the parameters are; the text itself stays as it was typed.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Reader } from '../lib/page.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { Seen, decodeBoundaries, encodeBoundaries, engineKey, tokenize } from '../../web/src/engine/tokens.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

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
