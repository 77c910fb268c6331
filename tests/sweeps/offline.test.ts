// The page as an app of the reader's: kept whole on the device, used without a network, renewed whole, never mixed.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { type StaticServer, serveFolder } from '../lib/serve.ts';
import { IN_PAGE, Playground, SITE, launch } from '../lib/page.ts';
import { assertSound } from '../lib/page-checks.ts';
import { writeWorker } from '../../web/offline/build.mjs';

const browser = await launch();
const folders: string[] = [];
after(async () => {
  await browser.close();
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** A copy of the site on a name that is not this machine's own, where builds may be kept. */
async function publish(isolated = false): Promise<{ folder: string; server: StaticServer; address: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'attention-offline-'));
  folders.push(folder);
  await cp(SITE, folder, { recursive: true });
  const server = await serveFolder(folder, { isolated });
  return { folder, server, address: server.address.replace('127.0.0.1', 'page.localhost') };
}

async function visit(context: BrowserContext, address: string, file = 'playground.html#v1'): Promise<Playground> {
  const tab = await context.newPage();
  await tab.addInitScript({ content: `${IN_PAGE} navigator.serviceWorker?.addEventListener('controllerchange', () => { globalThis.renewed = true; });` });
  const page = new Playground(tab);
  await tab.goto(address + file);
  await page.ready();
  await page.settled();
  return page;
}

const kept = (page: Page) => page.locator('#offline', { hasText: 'Kept on this device' }).waitFor();

/** Until another build has come, and opens whatever is opened next. */
const renewed = (page: Page) => page.waitForFunction(() => 'renewed' in globalThis);

/** What is kept, by build. */
const builds = (page: Page) => page.evaluate(async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith('attention-page'));
  return Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname.slice(1))));
});

test('loaded once, the page opens and works without a network: typing, switches, designed and trained parameters, the guide', async () => {
  const { server, address } = await publish();
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  const page = await visit(context, address);
  await kept(page.page);
  await server.close();
  await page.page.reload();
  await page.ready();
  await page.settled();
  await page.paste('the cat sat');
  await page.type(' on it');
  await page.set({ mask: 'none', num_heads: 2 });
  await assertSound(page, 'offline');
  await page.openTake();
  await page.set({ source: 'designed' });
  await page.page.locator('.designed').waitFor();
  await page.set({ source: 'trained' });
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  assert.deepEqual(page.problems, []);
  const answer = await page.page.goto(`${address}docs/page.md`);
  assert.match(await answer?.text() ?? '', /Using the page/);
  await page.page.goto(`${address}labs.html`);
  const lab = page.page.locator('attention-playground').nth(1);
  await lab.scrollIntoViewIfNeeded();
  await lab.locator('canvas, svg').first().waitFor();
  await context.close();
});

for (const isolated of [false, true]) test(`all that ${isolated ? 'an isolated' : 'the'} page may ask for is kept, and nothing else`, async () => {
  const { server, address } = await publish(isolated);
  const context = await browser.newContext();
  const page = await visit(context, address);
  await kept(page.page);
  const files = (await readdir(SITE, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    .map((entry) => path.relative(SITE, path.join(entry.parentPath, entry.name)));
  const wanted = files.filter((name) => (isolated || !/^attention_operators_threads/.test(name)) && !/\.map$|\.tgz$|^embed\/|^service-worker\.js$|^docs\/pictures/.test(name));
  assert.deepEqual((await builds(page.page)).map((names) => names.sort()), [wanted.sort()]);
  for (const name of ['lexicon.txt', 'designed.js', 'take.js', 'page.css', 'docs/page.md']) assert.ok(wanted.includes(name), name);
  await server.close();
  await context.close();
});

/** Another build of the same page: a word of its title and a file that comes on demand are others. */
async function renew(folder: string): Promise<void> {
  for (const [file, change] of [['playground.html', (text: string) => text.replace('<h1>', '<h1>New ')], ['take.js', (text: string) => `globalThis.newTake = true;\n${text}`]] as const) {
    await writeFile(path.join(folder, file), change(await readFile(path.join(folder, file), 'utf8')));
  }
  await writeWorker(folder);
}

const heading = (page: Playground) => page.page.locator('h1').innerText();

test('a new build replaces the old one at the next visit, whole; a window that is open keeps the files that it was opened with', async () => {
  const { folder, server, address } = await publish();
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  const first = await visit(context, address);
  await kept(first.page);
  await first.page.reload();
  await first.ready();
  await first.settled();
  await renew(folder);
  const second = await visit(context, address);
  assert.equal(await heading(second), 'Attention Playground', 'the old build while the new one is fetched');
  await renewed(second.page);
  const third = await visit(context, address);
  assert.equal(await heading(third), 'New Attention Playground');
  await server.close();
  for (const [page, isNew] of [[first, false], [second, false], [third, true]] as const) {
    await page.openTake();
    assert.equal(await page.page.evaluate(() => 'newTake' in globalThis), isNew);
  }
  await context.close();
});

test('half a build is never used: while one of its files is another than its own, the old one stays', async () => {
  const { folder, server, address } = await publish();
  const context = await browser.newContext();
  const page = await visit(context, address);
  await kept(page.page);
  await page.page.reload();
  await page.ready();
  await renew(folder);
  const style = await readFile(path.join(folder, 'page.css'));
  await writeFile(path.join(folder, 'page.css'), 'body { color: red }');
  const state = await page.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = new Promise<string>((resolve) => registration?.addEventListener('updatefound', () => {
      const next = registration.installing;
      next?.addEventListener('statechange', () => resolve(next.state));
    }));
    await registration?.update().catch(() => {});
    return found;
  });
  assert.equal(state, 'redundant');
  const other = await visit(context, address);
  assert.equal(await heading(other), 'Attention Playground');
  await writeFile(path.join(folder, 'page.css'), style);
  await other.page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await renewed(other.page);
  const last = await visit(context, address);
  assert.equal(await heading(last), 'New Attention Playground');
  await server.close();
  await context.close();
});

test('nothing is kept where the page is worked on, nor by an element in somebody else’s page', async () => {
  const { folder, server, address } = await publish();
  await writeFile(path.join(folder, 'host.html'), '<!doctype html><html lang="en"><title>Host</title><script type="module" src="embed/attention-playground.js"></script><attention-playground></attention-playground></html>');
  const context = await browser.newContext();
  for (const [each, file] of [[server.address], [address, 'host.html']] as const) {
    const page = await visit(context, each, file);
    await page.page.waitForTimeout(1500);
    const found = await page.page.evaluate(async () => [(await navigator.serviceWorker.getRegistrations()).length, (await caches.keys()).length]);
    assert.deepEqual(found, [0, 0], each);
  }
  await server.close();
  await context.close();
});

test('Chromium finds nothing that keeps the page from being installed, and an icon of any size', async () => {
  const { server, address } = await publish();
  const context = await browser.newContext();
  const page = await visit(context, address);
  const session = await context.newCDPSession(page.page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // A test's window is a private one, which installs nothing.
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'), []);
  const { errors, data } = await session.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  const manifest = JSON.parse(data ?? '') as { display: string; icons: { src: string; sizes: string }[] };
  assert.equal(manifest.display, 'standalone');
  for (const { src } of manifest.icons) {
    const size = await page.page.evaluate((source) => new Promise<number>((resolve, reject) => {
      const image = new Image();
      image.onload = () => resolve(image.width);
      image.onerror = reject;
      image.src = source;
    }), src);
    assert.ok(size > 0, src);
  }
  await server.close();
  await context.close();
});
