// The classic script: one file that a page of any kind loads, the engine inside.
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
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

const FILES = ['attention-playground.js', 'attention-playground.full.js'];

for (const file of FILES) {
  for (const [how, attributes] of [['a classic script', ''], ['a module', ' type="module"'], ['a deferred script', ' defer']]) {
    test(`${file} as ${how} computes with nothing beside it`, async () => {
      const page = await reader.open({ file: await host('alone/index.html', `<script src="${file}"${attributes}></script>`) });
      await assertComputes(page);
      assert.deepEqual(page.requests.filter((address) => !/index\.html|attention-playground(\.full)?\.js|(below|rest|engine|core-inside|part-\w+)\.js/.test(address)), []);
      await page.close();
    });
  }
}

test('heads alone need no file but the script', async () => {
  const figure = '<attention-playground text="the cat sat on the mat" heads="2" view="heads" controls="none"></attention-playground>';
  await writeFile(path.join(folder, 'alone/heads.html'), `<!doctype html><meta charset="utf-8"><title>Host</title><script src="attention-playground.js"></script>${figure}`);
  const page = await reader.open({ file: 'alone/heads.html' });
  await assertComputes(page);
  await page.page.locator('.heads-scroll canvas').nth(1).waitFor();
  await page.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200))));
  assert.deepEqual(page.requests.filter((address) => !/heads\.html|attention-playground\.js/.test(address)), []);
  assert.equal(await page.page.locator('.notices').textContent(), '');
  await page.close();
});

const REST = 'The rest of the engine could not be loaded from beside the script. Connect again, and change anything to try once more.';

test('the first figure is computed before the whole engine has come, which then does what the small one leaves to it', async () => {
  const waiting: (() => void)[] = [];
  let isHeld = true;
  const before = (tab: Page) => tab.route('**/core-inside.js*', (route) => (isHeld ? void waiting.push(() => void route.continue()) : route.continue()));
  const odd = '<attention-playground id="odd" loading="eager" text="the cat sat on the mat" heads="7"></attention-playground>';
  await writeFile(path.join(folder, 'held.html'), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><script src="whole/attention-playground.js"></script>${FIGURE}${odd}</html>`);
  const page = await reader.open({ file: 'held.html', before });
  const first = page.page.locator('attention-playground:not(#odd)');
  await page.page.waitForFunction(() => (document.querySelector('attention-playground:not(#odd)') as AttentionPlayground).trace);
  const numbers = () => first.evaluate((element: AttentionPlayground) => ['weights', 'scores', 'output'].map((stage) => Array.from(element.stage(stage as 'weights'))));
  const early = await numbers();
  assert.equal(firstDifference(Float32Array.from(early[0] ?? []), EXPECTED), -1);
  // Typing goes on meanwhile.
  await first.locator('#text').fill('the dog sat');
  await page.page.waitForFunction(() => (document.querySelector('attention-playground:not(#odd)') as AttentionPlayground).trace?.tokens.length === 3);
  await first.locator('#text').fill('the cat sat on the mat');
  await page.page.waitForFunction(() => (document.querySelector('attention-playground:not(#odd)') as AttentionPlayground).trace?.tokens.length === 6);
  assert.equal(await first.locator('.inspector').textContent(), '', 'a cell is written out by the whole engine');
  assert.equal(await page.page.evaluate(() => (document.querySelector('#odd') as AttentionPlayground).trace), null, 'seven heads break a rule, which the whole engine says');
  // What only the whole one does is waited for: the picture before stays and can be looked at, and its numbers are not said to be the new ones.
  await first.evaluate((element: AttentionPlayground) => { element.heads = 7; });
  const unsettled = await first.evaluate(async (element: AttentionPlayground) => {
    const at = [element.trace, element.stage('weights').length];
    await element.updateComplete;
    return [...at, element.trace, element.stage('weights').length];
  });
  assert.deepEqual(unsettled, [null, 0, null, 0]);
  await first.locator('.heads-scroll label').nth(1).click();
  await first.evaluate((element: AttentionPlayground) => { element.heads = 2; });
  await page.page.waitForFunction(() => (document.querySelector('attention-playground:not(#odd)') as AttentionPlayground).trace?.shape.H === 2);
  await page.page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/engine.js')));
  isHeld = false;
  for (const go of waiting) go();

  await first.locator('.walk-grid').waitFor();
  const odder = page.page.locator('#odd');
  await odder.locator('.notices', { hasText: 'The number of heads must divide d_model' }).waitFor();
  assert.equal(await odder.evaluate((element: AttentionPlayground) => element.trace?.shape.H), 4);
  await first.locator('.inspector h2, .inspector h3').first().waitFor();
  assert.deepEqual(await numbers(), early, 'the same bits by either engine');
  await first.evaluate((element: AttentionPlayground) => { element.heads = 4; });
  await page.page.waitForFunction(() => (document.querySelector('attention-playground:not(#odd)') as AttentionPlayground).trace?.shape.H === 4);
  assert.equal(firstDifference(Float32Array.from((await numbers())[0] ?? []), nativeStages(['the', 'cat', 'sat', 'on', 'the', 'mat'], DEFAULTS).get('weights')), -1);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('where the whole engine cannot come, what it is needed for says so, and keeps the text; the figure comes back with settings that do without', async () => {
  await writeFile(path.join(folder, 'alone/odd.html'), '<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><script src="attention-playground.js"></script><attention-playground text="the cat sat on the mat" heads="7"></attention-playground></html>');
  const page = await reader.open({ file: 'alone/odd.html' });
  const element = page.page.locator('attention-playground');
  await element.locator('#problem', { hasText: REST }).waitFor();
  assert.equal(await element.locator('#text').inputValue(), 'the cat sat on the mat');
  await element.evaluate((figure: AttentionPlayground) => { figure.heads = 2; });
  await assertComputes(page);
  assert.equal(await element.locator('#problem').textContent(), '');
  await page.close();
});

const walked = (page: Playground) => page.page.locator('attention-playground .walk-grid').waitFor();

for (const [how, script] of [
  ['a classic script', '<script src="whole/attention-playground.js"></script>'],
  ['a module', '<script type="module" src="whole/attention-playground.js"></script>'],
  ['a script with a query', '<script src="./whole/../whole/attention-playground.js?v=1#x"></script>'],
  ['a module under another name', '<script type="module" src="whole/renamed.js"></script>'],
  ['an import', '<script type="module">import("./whole/attention-playground.js");</script>'],
  ['a script that another script adds', '<script>document.head.append(Object.assign(document.createElement("script"), { src: "whole/attention-playground.js" }));</script>'],
] as const) {
  test(`what comes on demand is looked for beside the script: ${how}`, async () => {
    await cp(path.join(folder, 'whole/attention-playground.js'), path.join(folder, 'whole/renamed.js'));
    const page = await reader.open({ file: await host('index.html', script) });
    await assertComputes(page);
    await walked(page);
    assert.ok(page.requests.some((address) => address.startsWith(`${reader.address}whole/below.js?`)), page.requests.join('\n'));
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

for (const script of FILES) test(`from a file, ${script} shows the walk and labs, and takes things along`, async () => {
  await host('whole/file.html', `<script src="${script}"></script>`);
  const page = await reader.open({ file: 'alone/index.html' });
  page.requests.length = 0;
  await page.page.goto(pathToFileURL(path.join(folder, 'whole/file.html')).href);
  await assertComputes(page);
  await walked(page);
  await page.page.locator('.take > summary').evaluate((summary: HTMLElement) => summary.click());
  await page.page.locator('[data-take=svg]').waitFor();
  await page.page.evaluate(() => { (document.querySelector('attention-playground') as AttentionPlayground).view = 'lab-cost'; });
  await page.page.locator('.lab-frame').waitFor();
  assert.equal(page.requests.some((address) => /\/part-/.test(address)), script === 'attention-playground.js');
  assert.deepEqual(page.problems.filter((problem) => !problem.includes('404')), []);
  await page.close();
});

test('two versions on one page: the first registers the tag, the second says which and leaves it', async () => {
  const script = await readFile(path.join(folder, 'alone/attention-playground.js'), 'utf8');
  const { version } = JSON.parse(await readFile(new URL('../../web/package.json', import.meta.url), 'utf8'));
  await writeFile(path.join(folder, 'alone/newer.js'), script.replaceAll(`"${version}"`, '"99.0.0"'));
  await host('alone/two.html', '<script src="attention-playground.js"></script><script src="attention-playground.js"></script><script src="newer.js"></script>');
  const said: string[] = [];
  const page = await reader.open({ file: 'alone/two.html', before: async (tab) => void tab.on('console', (message) => { if (message.type() === 'info') said.push(message.text()); }) });
  await assertComputes(page);
  assert.deepEqual(said.length, 1, 'the same version twice needs no words');
  assert.ok(said[0]?.includes(version) && said[0].includes('99.0.0'), said[0]);
  assert.equal(await page.page.evaluate(() => (customElements.get('attention-playground') as unknown as typeof AttentionPlayground).version), version);
  await page.close();
});

test('two versions on one page, one a script and one of modules: whichever comes first registers the tag, and the other says so', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../web/package.json', import.meta.url), 'utf8'));
  const other = path.join(folder, 'other');
  await cp(path.join(folder, 'whole'), other, { recursive: true });
  for (const name of await readdir(other)) if (name.endsWith('.js')) {
    const script = await readFile(path.join(other, name), 'utf8');
    await writeFile(path.join(other, name), script.replaceAll(`"${version}"`, '"99.0.0"'));
  }
  const late = (tag: string) => `<script type="module">await customElements.whenDefined('attention-playground'); document.head.append(Object.assign(document.createElement('script'), ${tag}));</script>`;
  for (const [scripts, first] of [
    [`<script src="whole/attention-playground.js"></script><script type="module" src="other/define.js"></script>`, version],
    [`<script type="module" src="other/define.js"></script>${late("{ src: 'whole/attention-playground.js' }")}`, '99.0.0'],
    [`<script type="module" src="whole/define.js"></script>${late("{ type: 'module', src: 'other/define.js' }")}`, version],
  ] as const) {
    const said: string[] = [];
    const page = await reader.open({ file: await host('index.html', scripts), before: async (tab) => void tab.on('console', (message) => { if (message.type() === 'info') said.push(message.text()); }) });
    await assertComputes(page);
    await walked(page);
    for (const until = Date.now() + 10_000; said.length === 0 && Date.now() < until;) await page.page.waitForTimeout(20);
    assert.equal(said.length, 1, scripts);
    assert.ok(said[0]?.includes(version) && said[0].includes('99.0.0'), said[0]);
    assert.equal(await page.page.evaluate(() => (customElements.get('attention-playground') as unknown as typeof AttentionPlayground).version), first);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});
