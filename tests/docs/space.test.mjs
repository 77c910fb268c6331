// One file maps between the screen's coordinates and an element's own: web/src/lib/space.ts. Elsewhere they would be right only
// until somebody scales, turns or zooms a container.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';

const CLIENT = /\b(?:getBoundingClientRect|getClientRects|getBoxQuads|client[XY]|page[XY]|screen[XY]|movement[XY]|event\.offset[XY]|event\.layer[XY])\b/;
const src = new URL('../../web/src/', import.meta.url);

const wrong = (text) => text.split('\n').flatMap((line, i) => (CLIENT.test(line) ? [`${i + 1}: ${line.trim()}`] : []));

test('no file but lib/space.ts reads client coordinates', async () => {
  const files = (await readdir(src, { recursive: true })).filter((file) => file.endsWith('.ts') && file !== 'lib/space.ts');
  assert.ok(files.length > 200);
  const found = [];
  for (const file of files) for (const line of wrong(await readFile(new URL(file, src), 'utf8'))) found.push(`${file}:${line}`);
  assert.deepEqual(found, [], 'Use Space of lib/space.ts: point() for a pointer, box() for an element or a range.');
});

test('a second reader of client coordinates is found', () => {
  assert.equal(wrong('const x = event.clientX - box.left;').length, 1);
  assert.equal(wrong('element.getBoundingClientRect()').length, 1);
  assert.equal(wrong('hatch(context, { offsetX: x })').length, 0);
});
