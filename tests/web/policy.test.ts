// The page keeps to itself: a strict policy, no request elsewhere, any folder, any page around it.
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { firstDifference, nativeStages, DEFAULTS } from '../lib/native.ts';
import { type Playground, Reader, SITE } from '../lib/page.ts';
import { assertSound } from '../lib/page-checks.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';

const HOST = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page of someone else's</title>
<style>* { letter-spacing: 3px; } p, table, input, label { font: 40px serif; color: red; display: block; } :root { font-size: 30px; }</style>
<script type="module" src="define.js"></script>
<h1>Host</h1><p>Before.</p>
<attention-playground text="the cat sat on the mat" heads="2" mask="causal" scale="sqrt-dk">Weights of a sentence.</attention-playground>
<attention-playground loading="eager" text="a second one" mask="none" d-model="32" heads="8" scale="0.5" positions="none" biases="on" seed="7"></attention-playground>
<attention-playground loading="eager"></attention-playground></html>`;
const ONE_SCRIPT = HOST.replace('type="module" src="define.js"', 'src="attention-playground.js"');
const STRICT_HOST = HOST.replace('<title>', `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; connect-src 'self'"><title>`);

// A copy of the site in a folder of its own, below the server's root; host pages beside what the site offers for them; and
// one with the single script that it needs.
const folder = await mkdtemp(path.join(tmpdir(), 'attention-site-'));
const below = path.join(folder, 'some', 'deep er');
await mkdir(below, { recursive: true });
await cp(SITE, below, { recursive: true });
const host = path.join(folder, 'host');
await cp(path.join(SITE, 'embed'), host, { recursive: true });
await cp(path.join(SITE, 'embed/attention-playground.js'), path.join(folder, 'bare/attention-playground.js'));
await writeFile(path.join(host, 'index.html'), HOST);
await writeFile(path.join(host, 'strict.html'), STRICT_HOST);
await writeFile(path.join(host, 'one-script.html'), ONE_SCRIPT);
await writeFile(path.join(folder, 'bare/index.html'), ONE_SCRIPT);
const reader = await Reader.arrive(folder);
after(async () => {
  await reader.leave();
  await rm(folder, { recursive: true });
});

const PLAYGROUND = 'some/deep%20er/playground.html';

async function open(before?: (page: Page) => Promise<unknown>, file = PLAYGROUND): Promise<Playground> {
  const page = await reader.open({ file, ...(file === PLAYGROUND && { fragment: '#v1' }), ...(before && { before }) });
  if (file !== PLAYGROUND) return page;
  await page.ready();
  await page.settled();
  return page;
}

/** Uses everything on the page once. */
async function session(page: Playground): Promise<void> {
  await page.paste('one two three');
  await page.type(' four');
  await page.set({ mask: 'none', scale: 'factor', scale_factor: 2, num_heads: 8, positions: 'none', biases: true, seed: 3 });
  await page.chooseHead(2);
  await page.walkTo(1, 2);
  await page.openDetails('Every term');
  await page.openDetails('as a table');
  await page.page.locator('#theme').click();
  await page.page.waitForFunction(() => location.hash.includes('four'));
}

const watchPolicy = (page: Page) => page.addInitScript(() => {
  Object.assign(window, { violations: [] });
  document.addEventListener('securitypolicyviolation', (event) => {
    (window as unknown as { violations: string[] }).violations.push(`${event.violatedDirective} ${event.blockedURI}`);
  });
});
const violations = (page: Playground) => page.page.evaluate(() => (window as unknown as { violations: string[] }).violations);

test('a whole session breaks no rule of the page\'s content security policy', async () => {
  const page = await open(watchPolicy);
  const policy = await page.page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*|https?:/);
  await session(page);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the policy is in force: foreign addresses, inline scripts and eval are refused', async () => {
  const page = await open(watchPolicy);
  await page.page.evaluate(async () => {
    await fetch('https://example.invalid/').catch(() => {});
    const script = document.createElement('script');
    script.textContent = 'window.ran = 1';
    document.body.append(script);
    const timer = setTimeout('window.ran = 2', 0);
    clearTimeout(timer);
  });
  await page.page.waitForFunction(() => (window as unknown as { violations: string[] }).violations.length >= 3);
  assert.equal(await page.page.evaluate(() => 'ran' in window), false);
  const seen = (await violations(page)).join('\n');
  assert.match(seen, /connect-src https:\/\/example\.invalid/);
  assert.match(seen, /script-src(-elem)? inline/);
  assert.match(seen, /script-src eval/);
  await page.close();
});

test('no request leaves the page\'s own folder, and none holds the text', async () => {
  const page = await open();
  await page.paste('my secret sentence');
  await session(page);
  const home = `${reader.address}some/deep%20er/`;
  assert.ok(page.requests.some((address) => address === `${home}attention.wasm`), 'the engine comes from a relative address');
  for (const address of page.requests) {
    assert.ok(address.startsWith(home) || address.startsWith('data:'), address);
    assert.ok(!/secret|four/.test(address), address);
  }
  assert.equal(new URL(page.page.url()).search, '', 'the text is only ever in the fragment');
  await page.close();
});

test('the page asks for nothing more once it is loaded, and works with the network off', async () => {
  const page = await open();
  const loaded = page.requests.length;
  await page.page.context().setOffline(true);
  await session(page);
  await assertSound(page, 'offline');
  assert.equal(page.requests.length, loaded, page.requests.slice(loaded).join(', '));
  assert.deepEqual(page.problems, []);
  await page.close();
});

for (const [name, answer] of Object.entries({ 'blocked': null, 'missing': { status: 404, body: 'no' }, 'broken': { status: 200, contentType: 'application/wasm', body: 'not wasm' } })) {
  test(`an engine that is ${name} gives a sentence, not a blank page`, async () => {
    const page = await open((tab) => tab.route('**/attention.wasm', (route) => (answer ? route.fulfill(answer) : route.abort())));
    const { problem, figure } = await page.read();
    assert.match(problem, /engine could not be started.*attention\.wasm/);
    assert.equal(figure, false);
    await page.paste('typed all the same');
    assert.equal(await page.text(), 'typed all the same');
    assert.match((await page.read()).problem, /engine/);
    await page.close();
  });
}

test('a browser without WebAssembly SIMD is told so', async () => {
  const page = await open((tab) => tab.addInitScript(() => Object.assign(WebAssembly, { validate: () => false })));
  assert.match((await page.read()).problem, /SIMD/);
  await page.close();
});

const weightsOf = (page: Playground, index: number) => page.page.evaluate((i) => {
  const element = document.querySelectorAll('attention-playground')[i] as AttentionPlayground;
  return Array.from(element.stage('weights'));
}, index);

test('many elements live on one plain page, each with its own attributes', async () => {
  const page = await open(undefined, 'host/index.html');
  await page.page.waitForFunction(() => [...document.querySelectorAll('attention-playground')].every((element) => (element as AttentionPlayground).trace));
  const expected = [
    nativeStages(['the', 'cat', 'sat', 'on', 'the', 'mat'], { ...DEFAULTS, num_heads: 2 }),
    nativeStages(['a', 'second', 'one'], { d_model: 32, num_heads: 8, mask: 'none', scale: 'factor', scale_factor: 0.5, positions: 'none', biases: true, seed: 7 }),
  ];
  for (const [i, stages] of expected.entries()) assert.equal(firstDifference(Float32Array.from(await weightsOf(page, i)), stages.get('weights')), -1);
  assert.equal(await page.page.evaluate(() => document.activeElement?.tagName), 'BODY', 'an embedded element leaves the focus alone');
  const before = await weightsOf(page, 1);
  await page.page.locator('textarea').first().fill('changed');
  assert.deepEqual(await weightsOf(page, 1), before, 'typing into one leaves the others alone');
  assert.equal((await weightsOf(page, 0)).length, 2);
  assert.equal(page.requests.filter((address) => address.endsWith('.wasm')).length, 1, 'the engine is fetched once');
  await page.page.waitForTimeout(600);  // the page itself would write its address after 300 ms
  assert.equal(new URL(page.page.url()).hash, '', 'an embedded element leaves the address alone');
  const spacing = await page.page.locator('textarea').first().evaluate((area) => getComputedStyle(area).letterSpacing);
  assert.match(spacing, /^(normal|0px)$/, 'the host\'s style stays outside');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('what comes on demand comes from beside the element; where it is missing, a sentence says so and the figure stays', async () => {
  const choose = (page: Playground, source: string) => page.page.locator('attention-playground').first()
    .locator('[data-setting=parameters] .segment', { has: page.page.locator(`input[value=${source}]`) }).click();
  for (const file of ['host/index.html', 'host/one-script.html']) {
    const whole = await open(undefined, file);
    await choose(whole, 'trained');
    await whole.page.locator('attention-playground').first().locator('.model:not([hidden]) [data-guess]').first().waitFor();
    await choose(whole, 'designed');
    await whole.page.locator('attention-playground').first().locator('.designed').waitFor();
    assert.deepEqual(whole.problems, []);
    await whole.close();
  }
  const bare = await open(undefined, 'bare/index.html');
  const notices = bare.page.locator('attention-playground').first().locator('.notices');
  await notices.filter({ hasText: /switches could not be loaded/ }).waitFor();
  const ask = (source: string) => bare.page.evaluate((wanted) => { (document.querySelector('attention-playground') as AttentionPlayground).parameters = wanted; }, source);
  await ask('trained');
  await notices.filter({ hasText: /whole folder must lie beside the script/ }).waitFor();
  await ask('designed');
  await notices.filter({ hasText: /designed\.js must lie beside the script/ }).waitFor();
  assert.ok((await bare.stage('weights')).length > 0);
  await bare.close();
});

test('an element works in a page whose policy allows no inline style, or says what the policy lacks', async () => {
  const page = await open(undefined, 'host/strict.html');
  const problem = page.page.locator('.problem').first();
  await problem.filter({ hasText: /\w/ }).waitFor();
  assert.match(await problem.innerText(), /'wasm-unsafe-eval'/);
  await page.close();
});

test('a removed element frees what it held, and works again when it is put back', async () => {
  // The module's own memory only grows: a page that leaks sees it grow with every element.
  const page = await open((tab) => tab.addInitScript(() => {
    WebAssembly.Memory = class extends WebAssembly.Memory {
      constructor(size: WebAssembly.MemoryDescriptor) {
        super(size);
        Object.assign(window, { engineMemory: this });
      }
    };
  }), 'host/index.html');
  const grown = await page.page.evaluate(async () => {
    const text = Array.from({ length: 300 }, (_, i) => `w${i}`).join(' ');
    const size = () => (window as unknown as { engineMemory: WebAssembly.Memory }).engineMemory.buffer.byteLength;
    const use = async () => {
      const element = document.createElement('attention-playground') as AttentionPlayground;
      element.text = text;
      element.loading = 'eager';
      const drawn = new Promise((resolve) => element.addEventListener('attention-ready', resolve, { once: true }));
      document.body.append(element);
      await drawn;
      element.remove();
      element.text = `${text} and more`;
      await element.updateComplete;
      return element;
    };
    for (let i = 0; i < 3; i += 1) await use();
    const before = size();
    let last: AttentionPlayground | undefined;
    for (let i = 0; i < 30; i += 1) last = await use();
    const gone = last?.trace === null && last.stage('weights').length === 0;
    if (last) document.body.append(last);
    return { before, after: size(), gone };
  });
  assert.ok(grown.before > 1e6);
  assert.equal(grown.after, grown.before, `grew by ${grown.after - grown.before} bytes`);
  assert.ok(grown.gone, 'a removed element holds no trace');
  await page.page.waitForFunction(() => ([...document.querySelectorAll('attention-playground')].at(-1) as AttentionPlayground).trace?.shape.T === 302);
  assert.deepEqual(page.problems, []);
  await page.close();
});
