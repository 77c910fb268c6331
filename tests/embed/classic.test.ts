// The classic script: one file that a page of any kind loads, the engine inside.
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
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
      assert.deepEqual(page.requests.filter((address) => !/index\.html|attention-playground(\.full)?\.js|(below|rest|screen|stage|part-\w+)\.js/.test(address)), []);
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

test('the first figure does not wait for what is said of it, which comes after it', async () => {
  const waiting: (() => void)[] = [];
  let isHeld = true;
  const before = (tab: Page) => tab.route('**/rest.js*', (route) => (isHeld ? void waiting.push(() => void route.continue()) : route.continue()));
  const others = [
    '<attention-playground id="odd" loading="eager" text="the cat sat on the mat" heads="7"></attention-playground>',
    '<attention-playground id="alone" view="heads" controls="none" loading="eager" text="the cat sat" softcap="-1"></attention-playground>',
    `<attention-playground id="long" loading="eager" text="${'word '.repeat(4097).trim()}"></attention-playground>`,
  ];
  const listening = '<script>window.told = []; document.addEventListener("attention-error", ({ detail }) => told.push(detail));</script>';
  await writeFile(path.join(folder, 'held.html'), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title>${listening}<script src="whole/attention-playground.js"></script>${FIGURE}${others.join('')}</html>`);
  const page = await reader.open({ file: 'held.html', before });
  await assertComputes(page);
  const [odd, alone, long] = ['#odd', '#alone', '#long'].map((id) => page.page.locator(id));
  assert.ok(odd && alone && long);
  await page.page.waitForFunction(() => ['#odd', '#alone'].every((id) => (document.querySelector(id) as AttentionPlayground).trace));
  assert.equal(await odd.evaluate((element: AttentionPlayground) => element.trace?.shape.H), 4, 'the nearest that is valid');
  await long.locator('#problem', { hasText: 'The engine refused this (too_many_tokens).' }).waitFor();
  assert.deepEqual(await page.page.evaluate(() => (globalThis as unknown as { told: unknown[] }).told), [], 'an error is told with its sentence');
  isHeld = false;
  for (const go of waiting) go();

  await odd.locator('.notices', { hasText: 'The number of heads must divide d_model = 64: choose one of 1, 2, 4, 8, 16, 32, 64. Using heads 4.' }).waitFor();
  await alone.locator('.notices', { hasText: 'The softcap (0 = off) must be 0, or a number from 0.001 to 10000. Using softcap 0.' }).waitFor();
  const sentence = 'The text has 4,097 tokens; the limit is 4,096. Shorten the text.';
  await long.locator('#problem', { hasText: sentence }).waitFor();
  await page.page.waitForFunction(() => (globalThis as unknown as { told: unknown[] }).told.length > 0);
  assert.deepEqual(await page.page.evaluate(() => (globalThis as unknown as { told: unknown[] }).told), [{ code: 'too_many_tokens', message: sentence }]);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a script without the files beside it computes what it can, and says that the rest is missing', async () => {
  await writeFile(path.join(folder, 'alone/odd.html'), '<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><script src="attention-playground.js"></script><attention-playground text="the cat sat on the mat" heads="7"></attention-playground></html>');
  const page = await reader.open({ file: 'alone/odd.html' });
  const element = page.page.locator('attention-playground');
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground | null)?.trace?.shape.H === 4);
  await element.locator('.notices', { hasText: 'could not be loaded' }).waitFor();
  await element.evaluate((figure: AttentionPlayground) => { figure.heads = 2; });
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.shape.H === 2);
  await assertComputes(page);
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
