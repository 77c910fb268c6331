// web/src is a chain of rooms: every import goes to its own room or to one before it, and there is no cycle. And one file of it
// maps between the screen's coordinates and an element's own, web/src/lib/space.ts: elsewhere they would be right only until
// somebody scales, turns or zooms a container. No style sheet uses :has(). Its types, the package's and the tests' are sound.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { ROOMS, rooms, web } from '../../web/rooms.mjs';

test('every import of web/src goes to its own room or to one before it, without a cycle', async () => {
  const { files, problems } = await rooms();
  assert.deepEqual(problems, []);
  assert.deepEqual([...new Set(files.map(({ source }) => source.split('/')[1]))].sort(), Object.keys(ROOMS).sort());
});

for (const [fault, file, added, rule] of [
  ['a type from a later room', 'src/lib/format.ts', "import type { Paint } from '../ui/kit/paint.ts';\nexport type Planted = Paint;", /^lib imports from no room below it.*lib\/format\.ts → src\/ui\/kit\/paint\.ts/],
  ['a later room, on demand', 'src/state/store.ts', "export const planted = () => import('../ui/late-chunk.ts');", /^state imports from no room below it/],
  ['a cycle of types in a room', 'src/engine/error.ts', "import type { Say } from './sentences.ts';\nexport type Planted = Say;", /^no cycle/],
  ['one lab in another', 'src/labs/mask/view.ts', "import type * as other from '../order/view.ts';\nexport type Planted = typeof other;", /^no lab imports another/],
  ['a file outside of every room', 'src/planted.ts', 'export {};', /^every file lies in a room: src\/planted\.ts/],
]) {
  test(`${fault} is found`, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'attention-rooms-'));
    try {
      await cp(path.join(web, 'src'), path.join(folder, 'src'), { recursive: true });
      const text = await readFile(path.join(folder, file), 'utf8').catch(() => '');
      await writeFile(path.join(folder, file), `${text}${added}\n`);
      const { problems } = await rooms(folder);
      assert.ok(problems.some((problem) => rule.test(problem)), problems.join('\n'));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

test('the table of rooms in web/README.md is the one that is checked', async () => {
  const table = (await readFile(path.join(web, 'README.md'), 'utf8')).match(/^\| `src\/\w+\/` \|.*$/gm);
  assert.deepEqual(table, Object.entries(ROOMS).map(([name, about]) => `| \`src/${name}/\` | ${about} |`));
});

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

/** Files with a style sheet that selects by what stands within or behind an element. */
const selecting = (files) => files.filter(([file, text]) => (file.endsWith('.css') || /css`/.test(text)) && /:has\(/.test(text.replace(/\/\*.*?\*\//gs, ''))).map(([file]) => file);

test('no style sheet selects by :has()', async () => {
  const files = (await readdir(web, { recursive: true })).filter((file) => !file.includes('node_modules') && (/^src.*\.ts$/.test(file) || file.endsWith('.css')));
  const found = selecting(await Promise.all(files.map(async (file) => [file, await readFile(path.join(web, file), 'utf8')])));
  assert.deepEqual(found, [], 'With :has(), the browser computes styles of the whole page again whenever a node is added or removed. Set an attribute or a class where the element is drawn, and select by that.');
  assert.deepEqual(selecting([['a.ts', 'css`p:has(b) { }`'], ['b.ts', "find('p:has(b)')"], ['c.ts', 'css`/* :has() */`'], ['d.css', 'p:has(b) { }']]), ['a.ts', 'd.css']);
});

test('tsc finds no fault in the page, the package, the tests and the tools', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'check'], { cwd: web, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});

const LATER = /\b(?:requestAnimationFrame|requestIdleCallback|setTimeout|setInterval|queueMicrotask)\(/;

/** What else may wait by itself: it measures time, or is a clock of its own. */
const TIMED = {
  'lib/schedule.ts': 'the phases',
  'lib/ask-worker.ts': 'how long a worker may take to come', 'parameters/language-model/worker.ts': 'how long threads may take to come', 'lib/dom.ts': 'how long anything may take', 'lib/dropped.ts': 'how long no word of a drag has come',
  'engine/training/open.ts': 'the pace of training, in a worker, too', 'labs/training/playback.ts': 'a film, frame by frame', 'labs/training/lab.ts': 'a step that stays is kept',
  'ui/stage/canvas.ts': 'motion, frame by frame', 'ui/stage/stage.ts': 'a step every so often', 'ui/walk/player.ts': 'a stage every so often', 'ui/language-model/writing.ts': 'a word every so often',
  'ui/export/files.ts': 'a file is forgotten when it is saved',
  'lesson/player.ts': 'how often what plays is shown', 'lesson/figure.ts': 'when its template stands; the scheduler would make the first screen later',
  'pages/configure.ts': 'how often the address is written', 'pages/labs.ts': 'how often the address is written', 'pages/playground.ts': 'how often the address is written',
  'pages/switches.ts': 'when the page has nothing to do; the scheduler would make the first screen later',
};

test('what is painted or done later is in a phase of lib/schedule.ts', async () => {
  const files = (await readdir(src, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const found = [];
  for (const file of files) if (LATER.test(await readFile(new URL(file, src), 'utf8'))) found.push(file);
  assert.deepEqual(found.sort(), Object.keys(TIMED).sort(), 'Use Work or inPhase() of lib/schedule.ts; a timer that measures time is named here.');
});

const CODING = /\b(?:encodeURIComponent|decodeURIComponent|URLSearchParams|atob|btoa)\(/;

/** What is coded otherwise than a link of the page. */
const CODED = {
  'link/address.ts': 'how fields are written', 'link/fields.ts': 'how fields are read', 'lib/base64.ts': 'bytes as letters',
  'embed/iframe-query.ts': 'the query of embed.html, which the server sees', 'pages/configurator/escape.ts': 'the address of somebody else’s page', 'ui/export/render.ts': 'a picture as an address',
};

test('links are read and written in link/ alone', async () => {
  const files = (await readdir(src, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const found = [];
  for (const file of files) if (CODING.test(await readFile(new URL(file, src), 'utf8'))) found.push(file);
  assert.deepEqual(found.sort(), Object.keys(CODED).sort(), 'Use writeFields() of link/address.ts, readFields() of link/fields.ts, or lib/base64.ts.');
});
