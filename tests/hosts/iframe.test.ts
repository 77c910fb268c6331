// The snippet for systems that take a frame's address alone, in a page that lets the frame do nothing but run scripts.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { openEngine, wantedEngines } from '../lib/engines.ts';
import { serve } from '../lib/serve.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { snippet } from '../../web/src/pages/configurator/snippets.ts';
import { SECOND } from './systems.ts';

const PACKAGE = fileURLToPath(new URL('../../build/package/dist', import.meta.url));
const [part] = snippet('iframe', { ...SECOND, attributes: { ...SECOND.attributes, view: 'heads' }, base: '' });
const frame = part?.code.replace('<iframe', '<iframe sandbox="allow-scripts"') ?? '';

for (const name of wantedEngines()) {
  test(`the frame's address says the figure, whatever signs it holds: ${name}`, async (t) => {
    const site = await serve({ folders: [PACKAGE], pages: { 'host.html': `<!doctype html><html lang="en"><title>Host</title>${frame}</html>`, 'favicon.ico': '' } });
    const engine = await openEngine(name);
    t.after(() => Promise.all([engine.close(), site.close()]));
    const tab = await engine.newTab();
    await tab.goto(`${site.address}host.html`);
    const inner = await tab.frame(() => document.querySelector('iframe'));
    const read = await inner.waitFor(() => {
      const element = document.querySelector('attention-playground') as AttentionPlayground | null;
      return element?.trace && { text: element.text, view: element.view, heads: element.heads, mask: element.mask, readonly: element.hasAttribute('readonly'), tokens: element.trace.tokens.length };
    });
    assert.ok(read && read.tokens > 10);
    assert.deepEqual({ ...read, tokens: 0 }, { text: SECOND.text, view: 'heads', heads: '4', mask: 'none', readonly: true, tokens: 0 });
    assert.equal(await tab.evaluate(() => document.querySelector('iframe')?.title), SECOND.fallback);
    assert.deepEqual(await tab.problems(), []);
    assert.deepEqual(site.requests.filter((address) => /one|two|hacked/.test(address)), [], 'no sentence is sent');
  });
}

for (const name of wantedEngines()) {
  test(`a frame with an origin runs no file from elsewhere: ${name}`, async (t) => {
    const [site, other] = await Promise.all([serve({ folders: [PACKAGE], pages: { 'favicon.ico': '' } }), serve({ pages: { 'a.js': 'globalThis.ran = true' } })]);
    const engine = await openEngine(name);
    t.after(() => Promise.all([engine.close(), site.close(), other.close()]));
    const tab = await engine.newTab();
    await tab.goto(`${site.address}embed.html?view=heads#text=one+two`);
    await tab.waitFor(() => (document.querySelector('attention-playground') as AttentionPlayground | null)?.trace !== undefined);
    const ran = await tab.evaluate((src) => new Promise((resolve) => {
      const done = () => resolve('ran' in globalThis);
      document.head.append(Object.assign(document.createElement('script'), { src, onload: done, onerror: done }));
    }), `${other.address}a.js`);
    assert.equal(ran, false);
  });
}
