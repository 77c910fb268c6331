// embed.html, the page for iframes: its query, its fragment, its messages, and frames that are shut in.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Frame } from 'playwright-core';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { readMessage, readQuery } from '../../web/src/embed/iframe-query.ts';
import { embedFolder } from '../lib/embedded.ts';
import { DEFAULTS, firstDifference, nativeStages } from '../lib/native.ts';
import { type Playground, Reader } from '../lib/page.ts';
import { Random } from '../lib/random.ts';

const { folder, reader } = await embedFolder();

const NAMES = new Set(['text', 'key-text', 'heads', 'mask', 'view', 'readonly', 'playground', 'src']);

test('a query gives attributes by their names; texts, other sites’ addresses and what is unknown are left out and named', () => {
  const { attributes, texts, foreign, unknown, resize } = readQuery('?heads=4&mask=none&readonly&text=secret&key-text=x&onclick=alert(1)&__proto__=1&resize=a&playground=..%2Findex.html&src=https%3A%2F%2Felsewhere.invalid%2Fa.json', NAMES, 'https://here.invalid/embed/embed.html');
  assert.deepEqual([...attributes], [['heads', '4'], ['mask', 'none'], ['readonly', ''], ['playground', '../index.html']]);
  assert.deepEqual([texts, foreign, unknown, resize], [['text', 'key-text'], ['src'], true, 'a']);
});

test('messages are believed by their own keys alone, whatever they are', () => {
  assert.deepEqual(readMessage({ type: 'attention-playground:set', attributes: { heads: 4, readonly: true, mask: null, style: 'color:red', text: 'fine here' } }, NAMES, 'https://here.invalid/').attributes,
    [['heads', '4'], ['readonly', 'true'], ['mask', null], ['text', 'fine here']]);
  const inherited = Object.create({ type: 'attention-playground:set', attributes: { heads: 4 } });
  const odd = [null, undefined, 0, 'attention-playground:set', [], inherited, { type: 'attention-playground:set' }, { type: 'attention-playground:set', attributes: 'heads' }, { attributes: { heads: 4 } },
    { type: 'attention-playground:set', attributes: JSON.parse('{"__proto__": {"heads": 4}, "constructor": 1, "heads": {"toString": 1}}') }];
  for (const each of odd) assert.deepEqual(readMessage(each, NAMES, 'https://here.invalid/').attributes, [], JSON.stringify(each));
  assert.equal(({} as { heads?: unknown }).heads, undefined);
});

test('an address in a message leads to the own site or nowhere, whatever the page’s address is', () => {
  const message = (attributes: object) => ({ type: 'attention-playground:set', attributes });
  for (const [value, base, isOwn] of [
    ['https://elsewhere.invalid/', 'https://here.invalid/a/', false], ['//elsewhere.invalid/', 'https://here.invalid/a/', false], ['\\\\elsewhere.invalid', 'https://here.invalid/a/', false],
    ['../index.html', 'https://here.invalid/a/', true], ['http://here.invalid/', 'https://here.invalid/a/', false], ['javascript:alert(1)', 'file:///a/embed.html', false], ['data:text/html,x', 'file:///a/embed.html', false], ['../b.html', 'file:///a/embed.html', true],
  ] as const) {
    for (const name of ['playground', 'src']) {
      const { attributes, foreign } = readMessage(message({ [name]: value, heads: 4 }), NAMES, base);
      assert.deepEqual([attributes, foreign], isOwn ? [[[name, value], ['heads', '4']], []] : [[['heads', '4']], [name]], `${value} from ${base}`);
    }
  }
  assert.deepEqual(readMessage(message({ playground: null }), NAMES, 'https://here.invalid/'), { attributes: [['playground', null]], foreign: [] });
});

test('any query and any message at all is read without an exception, and gives no name that is not asked for', () => {
  const random = new Random(7);
  const pieces = ['heads', 'view', '__proto__', 'constructor', '=', '&', '?', '%', '%zz', '+', '<b>', '"', "'", '\u0000', '\ud800', '𝛿', 'text', '[]', '{}', 'javascript:', '.', ' '];
  for (let i = 0; i < 2000; i += 1) {
    const search = Array.from({ length: random.whole(0, 30) }, () => random.pick(pieces)).join('');
    const { attributes, unknown } = readQuery(search, NAMES, 'https://here.invalid/');
    for (const name of attributes.keys()) assert.ok(NAMES.has(name) && !name.endsWith('text'), search);
    assert.equal(typeof unknown, 'boolean');
    const value = random.pick<unknown>([1, NaN, Infinity, null, true, 'x', [], {}, () => {}, Symbol('x'), 2n]);
    for (const [name] of readMessage({ type: 'attention-playground:set', attributes: { [random.pick(pieces)]: value } }, NAMES, 'https://here.invalid/').attributes) assert.ok(NAMES.has(name));
  }
});

/** A page with frames; the last of them is where the figure is. */
async function frames(html: string, name = 'host.html', by = reader): Promise<[Playground, Frame]> {
  await writeFile(path.join(folder, name), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Course</title>${html}</html>`);
  const page = await by.open({ file: name });
  return [page, page.page.frames().at(-1) as Frame];
}

const shown = (frame: Frame) => frame.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground | null)?.trace);
const weights = async (frame: Frame) => Float32Array.from(await frame.evaluate(() => Array.from((document.querySelector('attention-playground') as AttentionPlayground).stage('weights'))));
const said = (frame: Frame) => frame.locator('#said').innerText();

async function assertShows(frame: Frame, words: string[], settings: object): Promise<void> {
  await shown(frame);
  assert.equal(firstDifference(await weights(frame), nativeStages(words, { ...DEFAULTS, ...settings }).get('weights')), -1);
}

test('the query sets the figure, the fragment its text; what is wrong is said, and a text in the query is not shown', async () => {
  const page = await reader.open({ file: 'embed.html', fragment: '?view=matrix&heads=2&mask=none&onclick=1&text=from+the+query#text=a+cat+sat' });
  const frame = page.page.mainFrame();
  await assertShows(frame, ['a', 'cat', 'sat'], { num_heads: 2, mask: 'none' });
  assert.match(await said(frame), /text in the query is left out.*holds a name that is not an attribute/);
  assert.equal(await frame.locator('attention-playground').getAttribute('onclick'), null);
  await frame.evaluate(() => { location.hash = '#v1&text=others&heads=8'; });
  await frame.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.tokens[0] === 'others');
  await assertShows(frame, ['others'], { num_heads: 8 });
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('what the query wants too much of is clamped, and said in the figure', async () => {
  const page = await reader.open({ file: 'embed.html', fragment: '?view=heads&heads=7&dropout=5&seed=x' });
  const frame = page.page.mainFrame();
  await shown(frame);
  // The engine's sentences come behind the figure.
  for (const word of [/heads/i, /dropout/i, /seed/]) await frame.locator('.notices').filter({ hasText: word }).waitFor();
  await page.close();
});

test('a frame tells its height, and embed-host.js gives it; nobody else can', async () => {
  const [page, frame] = await frames(`<script src="embed-host.js"></script>
<iframe id="other" src="about:blank" style="height: 50px"></iframe>
<iframe id="own" src="embed.html?view=matrix&resize=one" style="width: 600px; height: 50px"></iframe>`);
  await shown(frame);
  await page.page.waitForFunction(() => parseFloat((document.querySelector('#own') as HTMLElement).style.height) > 200);
  const [height, inside] = [await page.page.evaluate(() => parseFloat((document.querySelector('#own') as HTMLElement).style.height)), await frame.evaluate(() => document.body.getBoundingClientRect().height)];
  assert.equal(height, Math.ceil(inside));
  await frame.evaluate(() => { document.querySelector('#figure')?.replaceChildren('gone'); });
  await page.page.waitForFunction(() => parseFloat((document.querySelector('#own') as HTMLElement).style.height) < 100);
  await page.page.evaluate(() => {
    const odd = [null, 1, 'x', {}, { type: 'attention-playground:resize' }, { type: 'attention-playground:resize', height: '900px' }, { type: 'attention-playground:resize', height: -1 }, { type: 'attention-playground:resize', height: NaN }, { type: 'attention-playground:resize', height: 900 }];
    for (const each of odd) window.postMessage(each, '*');
  });
  await page.page.waitForTimeout(100);
  assert.equal(await page.page.evaluate(() => (document.querySelector('#other') as HTMLElement).style.height), '50px');
  assert.ok(await page.page.evaluate(() => parseFloat((document.querySelector('#own') as HTMLElement).style.height)) < 100);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a frame that waits for its words does not grow with itself', async () => {
  await writeFile(path.join(folder, 'growing.html'), `<!doctype html><meta charset="utf-8"><title>Host</title><script src="embed-host.js"></script>
<iframe id="own" src="embed.html?resize=one&lang=es&unheard-of=1" style="width: 900px; height: 500px"></iframe>`);
  const page = await reader.open({ file: 'growing.html', before: async (tab) => {
    await tab.addInitScript(() => {
      const heights: number[] = [];
      Object.assign(globalThis, { heights });
      addEventListener('message', ({ data }) => heights.push(data.height));
    });
    await tab.route('**/language-es.js*', async (route) => {
      await tab.waitForTimeout(1000);
      await route.continue();
    });
  } });
  await page.page.frameLocator('#own').locator('.walk-grid').waitFor();
  const heights = await page.page.evaluate(() => (globalThis as unknown as { heights: number[] }).heights);
  assert.ok(heights.length < 12, `it said ${heights.join(', ')}`);
  await page.close();
});

test('the page around may change the figure by a message, and no other window can', async () => {
  const [page, frame] = await frames('<iframe id="other" src="about:blank"></iframe><iframe id="own" src="embed.html?view=matrix&heads=2#text=one+two" width="600" height="400"></iframe>');
  await assertShows(frame, ['one', 'two'], { num_heads: 2 });
  const send = (attributes: object) => page.page.evaluate((wanted) => (document.querySelector('#own') as HTMLIFrameElement).contentWindow?.postMessage({ type: 'attention-playground:set', attributes: wanted }, '*'), attributes);
  await send({ heads: 8, text: 'one two three', onclick: 'alert(1)', id: 'x' });
  await frame.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.shape.H === 8);
  await assertShows(frame, ['one', 'two', 'three'], { num_heads: 8 });
  assert.deepEqual(await frame.locator('attention-playground').evaluate((element) => [element.id, element.getAttribute('onclick')]), ['', null]);
  // The same from a sibling, and from the page itself.
  const message = { type: 'attention-playground:set', attributes: { heads: 1 } };
  await (page.page.frames()[1] as Frame).evaluate((data) => parent.frames[1]?.postMessage(data, '*'), message);
  await frame.evaluate((data) => postMessage(data, '*'), message);
  await send({ mask: 'none' });
  await frame.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.settings.mask === 'none');
  assert.equal(await frame.evaluate(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.shape.H), 8);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('no message and no configuration leads the reader’s text to another site', async () => {
  const [page, frame] = await frames('<iframe id="own" src="embed.html?view=matrix&playground=..%2Findex.html#text=one+two" width="600" height="400"></iframe>', 'lead.html');
  await assertShows(frame, ['one', 'two'], {});
  const way = frame.locator('.open-link a');
  const here = new URL(page.page.url()).origin;
  const leads = async () => new URL(await way.getAttribute('href') ?? '').origin;
  assert.equal(await leads(), here);
  await page.page.evaluate(() => (document.querySelector('#own') as HTMLIFrameElement).contentWindow?.postMessage({ type: 'attention-playground:set', attributes: { playground: 'https://elsewhere.invalid/', heads: 2 } }, '*'));
  await frame.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.shape.H === 2);
  assert.match(await said(frame), /playground in the message is left out: it leads to another site/);
  assert.equal(await leads(), here);
  await page.close();

  await writeFile(path.join(folder, 'lead.json'), JSON.stringify({ playground: 'https://elsewhere.invalid/', text: 'three four five' }));
  const other = await reader.open({ file: 'embed.html', fragment: '?view=heads&src=lead.json#heads=2' });
  const own = other.page.mainFrame();
  await own.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground | null)?.trace?.tokens.length === 3);
  await own.locator('.notices', { hasText: '“playground” is left out: it leads to another site' }).waitFor();
  assert.equal(await own.locator('.open-link').count(), 0);
  // Whoever sets it.
  await own.evaluate(() => { (document.querySelector('attention-playground') as AttentionPlayground).playground = 'https://elsewhere.invalid/'; });
  await own.evaluate(() => (document.querySelector('attention-playground') as AttentionPlayground).updateComplete);
  assert.equal(await own.locator('.open-link').count(), 0);
  await other.close();
});

test('what a link invents is not said in the page’s own words', async () => {
  const page = await reader.open({ file: 'embed.html', fragment: `?Your+account+is+locked=1&mask=${'call+555+'.repeat(30)}#text=a+cat` });
  const frame = page.page.mainFrame();
  await shown(frame);
  const words = `${await said(frame)} ${await frame.locator('.notices').innerText()}`;
  assert.doesNotMatch(words, /account/);
  assert.match(words, /“call 555 [^”]{20,32}…” is not understood/);
  await page.close();
});

for (const [view, seen] of [['matrix', '.matrix'], ['playground', '.walk-grid'], ['lab-mask', '.lab-frame'], ['lab-cost', '.lab-frame'], ['lab-order', '.lab-frame']]) {
  test(`in a sandboxed frame without an origin, from a server that allows no other: ${view}`, async () => {
    const [page, frame] = await frames(`<iframe sandbox="allow-scripts" src="embed.html?view=${view}#text=one+two" width="900" height="700"></iframe>`);
    assert.equal(await frame.evaluate(() => self.origin), 'null');
    await frame.locator(seen as string).first().waitFor();
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('it is there where the server isolates its pages, too', async () => {
  const isolated = await Reader.arrive(folder, { isolated: true });
  try {
    const [page, frame] = await frames('<iframe sandbox="allow-scripts" src="embed.html?view=matrix#text=one+two" width="900" height="700"></iframe>', 'isolated.html', isolated);
    assert.equal(await page.page.evaluate(() => crossOriginIsolated), true);
    await frame.locator('.matrix').first().waitFor();
    assert.deepEqual(page.problems, []);
  } finally {
    await isolated.leave();
  }
});

test('in such a frame other languages are spoken, too', async () => {
  const [page, frame] = await frames('<iframe sandbox="allow-scripts" src="embed.html?view=heads&lang=es&nothing=1#text=uno+dos" width="900" height="700"></iframe>');
  await frame.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.root')?.getAttribute('lang') === 'es');
  assert.deepEqual(page.problems, []);
  await page.close();
});
