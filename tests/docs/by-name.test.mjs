// A file of tests that awaits something between two of them cannot be run by name: Node takes its tests for ended when all so
// far were skipped, and closes the browser that the others need.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';

const tests = new URL('../', import.meta.url);

const waits = (text) => {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => /^ {0,2}test\(/.test(line));
  return lines.flatMap((line, i) => (first >= 0 && i > first && /^(?:(?:const|let) [^=]*=(?! *(?:async|\()).*\bawait |await )/.test(line) ? [`${i + 1}: ${line.trim()}`] : []));
};

test('what a file of tests waits for stands above its first test', async () => {
  const files = (await readdir(tests, { recursive: true })).filter((file) => /^[a-z-]+\/[^/]+\.test\.m?[jt]s$/.test(file));
  assert.ok(files.length > 100, `${files.length} files`);
  const found = [];
  for (const file of files) for (const line of waits(await readFile(new URL(file, tests), 'utf8'))) found.push(`${file}:${line}`);
  assert.deepEqual(found, [], 'Move these lines up.');
});

test('a wait below a test is found', () => {
  assert.equal(waits("test('a', () => {});\nconst reader = await Reader.arrive();").length, 1);
  assert.equal(waits("  test('a', () => {});\nawait writeFile(name, text);").length, 1);
  assert.equal(waits("const reader = await Reader.arrive();\ntest('a', () => {});\nconst open = async () => await one;").length, 0);
});
