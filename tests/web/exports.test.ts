// What is taken along holds the reader's very words, and nothing that another program would take for its own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import { Reader } from '../lib/page.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { words } from '../../web/src/ui/export/script.ts';
import { cell } from '../../web/src/ui/export/files.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const WORDS = ['the', '🐈', '👩\u200d👩\u200d👧', '𝛿', '\u{10ffff}', 'né', '语言', '"', '\\', '\\u0041', '\n', '\u007f', '\u2028', '\ufeff', '\ufffd', "'"];

test('Python reads the very words, character for character', () => {
  const read = execFileSync('python3', ['-c', 'import ast, json, sys; print(json.dumps([[len(word), word] for word in ast.literal_eval(sys.stdin.read())]))'], { input: words(WORDS), encoding: 'utf8' });
  assert.deepEqual(JSON.parse(read), WORDS.map((word) => [[...word].length, word]));
});

test('no cell of a CSV file is a formula, in whatever width its sign is', () => {
  for (const sign of ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\t', '\r', '\n']) {
    assert.equal(cell(`${sign}1`).replace(/^"|"$/g, ''), `'${sign}1`);
    assert.equal(cell(`1${sign}`).replace(/^"|"$/g, ''), `1${sign}`);
  }
  assert.equal(cell('−1'), '−1', 'a minus sign is none');
});

test('in the title of a picture a word keeps its direction to itself', async () => {
  const page = await reader.open({ fragment: `#v1&text=${encodeURIComponent('I say שלום, and the \u202ecat')}&row=3` });
  const svg = (row: number) => page.page.evaluate(async (wanted) => {
    const element = document.querySelector('attention-playground') as AttentionPlayground;
    element.row = String(wanted);
    await element.updateComplete;
    return element.toSVG('arcs');
  }, row);
  const hebrew = await svg(3);
  assert.match(hebrew, /<title>What “\u2068שלום\u2069” attends to, head 1 of/);
  const cat = await svg(7);
  assert.match(cat, /<title>What “cat” attends to/);
  assert.doesNotMatch(cat, /\u202e/);
  await page.close();
});
