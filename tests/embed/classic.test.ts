// The classic script: one file that a page of any kind loads, the engine inside.
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { AttentionPlayground } from '../../web/src/attention-playground.ts';
import { DEFAULTS, firstDifference, nativeStages } from '../lib/native.ts';
import { type Playground, Reader, SITE } from '../lib/page.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'attention-embed-'));
const reader = await Reader.arrive(folder);
after(async () => {
  await reader.leave();
  await rm(folder, { recursive: true });
});

const FIGURE = '<attention-playground text="the cat sat on the mat" heads="2">Weights of a sentence.</attention-playground>';
const EXPECTED = nativeStages(['the', 'cat', 'sat', 'on', 'the', 'mat'], { ...DEFAULTS, num_heads: 2 }).get('weights');

await mkdir(path.join(folder, 'alone'));
for (const file of ['attention-playground.js', 'attention-playground.full.js']) await cp(path.join(SITE, 'embed', file), path.join(folder, 'alone', file));
await cp(path.join(SITE, 'embed'), path.join(folder, 'whole'), { recursive: true });

async function host(file: string, script: string): Promise<string> {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title>${script}${FIGURE}</html>`;
  await writeFile(path.join(folder, file), page);
  return file;
}

async function assertComputes(page: Playground): Promise<void> {
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground | null)?.trace);
  assert.equal(firstDifference(Float32Array.from(await weights(page)), EXPECTED), -1);
}

const weights = (page: Playground) => page.page.evaluate(() => Array.from((document.querySelector('attention-playground') as AttentionPlayground).stage('weights')));

for (const file of ['attention-playground.js', 'attention-playground.full.js']) {
  for (const [how, attributes] of [['a classic script', ''], ['a module', ' type="module"'], ['a deferred script', ' defer']]) {
    test(`${file} as ${how} computes with nothing beside it`, async () => {
      const page = await reader.open({ file: await host('alone/index.html', `<script src="${file}"${attributes}></script>`) });
      await assertComputes(page);
      assert.deepEqual(page.problems.filter((problem) => !problem.includes('404')), []);
      await page.close();
    });
  }
}
