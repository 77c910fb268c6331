// Whatever attributes, a configuration, a query or a message say, nothing of it is run or parsed, no prototype and no other
// server hears of it, and the element is alive after it. Random by ATTENTION_SEED, which a failure names.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { ATTRIBUTES } from '../../web/src/element/attributes.ts';
import { SETTINGS } from '../../web/src/state/settings.ts';
import { DIST, host, ready } from '../lib/embedded.ts';
import { type Engine, type Tab, type View, openEngine, wantedEngines } from '../lib/engines.ts';
import { Random } from '../lib/random.ts';
import { type Served, serve } from '../lib/serve.ts';

const SEED = Number(process.env['ATTENTION_SEED'] ?? 7);
const ROUNDS = Number(process.env['ATTENTION_ROUNDS'] ?? 40);

/** What has hurt others: markup, scripts, templates, addresses, names of prototypes, numbers that are none, odd letters, sizes. */
const EVIL = [
  '<img src=x onerror=owned++>', '"><script>owned++</script>', '<svg onload=owned++>', '</textarea><iframe srcdoc="<script>parent.owned++</script>">', '\'-owned++-\'',
  'javascript:owned++', 'data:text/html,<script>opener.owned++</script>', '${owned++}', '{{constructor.constructor("owned++")()}}', 'url(//third.invalid/a)', '__proto__', 'constructor',
  'prototype', 'toString', 'hasOwnProperty', 'NaN', 'Infinity', '-1', '0', '1e999', '0x10', '99999999999999999999', '-0.0000001', 'null', 'undefined', 'true', '[object Object]',
  '../../../etc/passwd', '\u202e\u2066', '\0\u0001\u001b', '\ud800', 'e\u0301'.repeat(500), 'a'.repeat(20_000), '1.1,'.repeat(5_000), ' ', '', '%00%ff', '&#60;b&#62;', 'lab-', 'lab-__proto__', 'weights:__proto__',
];
/** The author's own addresses are asked for, wherever they lead: those are tried with what leads nowhere. */
const ADDRESSES = new Set(['src', 'core-src']);
const NAMES = [...ATTRIBUTES.map(({ attribute }) => attribute), ...SETTINGS.map(({ attribute }) => attribute)];
const VALUES = new Map(ATTRIBUTES.map(({ attribute, values = [] }) => [attribute, values]));

function attributes(random: Random): Record<string, string> {
  const names = Array.from({ length: random.whole(1, 6) }, () => random.pick(NAMES)).filter((name) => !ADDRESSES.has(name));
  return Object.fromEntries(names.map((name) => [name, random.pick([random.pick(EVIL), random.pick(EVIL), String(random.whole(-3, 70)), random.pick(VALUES.get(name)?.length ? VALUES.get(name) ?? [''] : ['on'])])]).concat([['text', random.pick(EVIL)]]));
}

/** Any JSON at all, keys of prototypes among it. */
function json(random: Random, depth = 0): string {
  const kind = random.whole(0, depth > 3 ? 3 : 6);
  if (kind <= 1) return JSON.stringify(random.pick(EVIL));
  if (kind === 2) return random.pick(['1e999', '-5', '0', '1e-320', 'true', 'null', '12345678901234567890']);
  if (kind === 3) return '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
  const inside = Array.from({ length: random.whole(0, 4) }, () => json(random, depth + 1));
  if (kind === 4) return `[${inside.join()}]`;
  return `{${inside.map((value) => `${JSON.stringify(random.pick([...NAMES, 'given', 'W_Q', '__proto__', 'constructor', random.pick(EVIL)]))}:${value}`).join()}}`;
}
const CONFIGURATIONS = [
  '{"given":{"__proto__":[[1]]}}', '{"given":{"W_Q":[[1e999]]}}', `{"given":{"W_Q":${'['.repeat(500)}1${']'.repeat(500)}}}`, `${'['.repeat(20_000)}`, '{"text":{"toString":1}}', '{', '', '"text"',
  '{"text":"</script><script>owned++</script>"}'.replaceAll('/', '\\/'), '{"src":"https://third.invalid/x.json","core-src":"https://third.invalid/x.wasm"}',
];

/** Until it shows numbers, or says why there are none: 2 s are long for either. */
const settle = async (): Promise<void> => {
  const element = document.querySelector('attention-playground') as AttentionPlayground;
  for (let i = 0; i < 100; i += 1) {
    await element.updateComplete;
    await new Promise((resolve) => setTimeout(resolve, 20));
    // A configuration may come a moment after the first figure.
    if (i < 5) continue;
    if (element.trace || element.shadowRoot?.querySelector('.lab, .task, .problem, .state-title')) return;
  }
};

const pages = {
  'index.html': host('<div id="place"></div>', { head: '<script src="owned.js"></script>' }),
  'owned.js': 'globalThis.owned = 0; globalThis.plain = [Object, Array, Function, String, Number, Map, Element].map((each) => Object.getOwnPropertyNames(each.prototype).length).join();',
  'frame.html': host('<iframe width="600" height="400"></iframe><iframe width="100" height="100" src="stranger.html"></iframe>', { script: '<script src="embed-host.js"></script>' }),
  'stranger.html': '<!doctype html><title>stranger</title>',
};

/** What must be so after anything. */
async function assertUnhurt(view: View, what: string): Promise<void> {
  const found = await view.evaluate(() => {
    const all: Element[] = [];
    const collect = (root: ParentNode) => {
      for (const each of root.querySelectorAll('*')) {
        all.push(each);
        if (each.shadowRoot) collect(each.shadowRoot);
      }
    };
    collect(document.body);
    const state = globalThis as unknown as { owned?: number; plain?: string };
    return {
      owned: state.owned ?? 0, polluted: 'polluted' in {} || 'polluted' in [],
      grown: state.plain !== undefined && state.plain !== [Object, Array, Function, String, Number, Map, Element].map((each) => Object.getOwnPropertyNames(each.prototype).length).join(),
      parsed: all.filter((each) => each.matches('img[src="x"], svg[onload], iframe[srcdoc], [onerror], a[href^="javascript:" i], a[href^="data:" i]') || (each instanceof HTMLScriptElement && !each.src && each.type !== 'application/json')).map((each) => each.outerHTML.slice(0, 99)),
    };
  });
  assert.deepEqual(found, { owned: 0, polluted: false, grown: false, parsed: [] }, what);
}

async function assertAtHome(tab: Tab, site: Served): Promise<void> {
  for (const asked of await tab.requests()) assert.ok(/^(data|blob|about):/.test(asked) || asked.startsWith(new URL(site.address).origin), asked);
}

for (const name of wantedEngines()) {
  describe(`${name}, seed ${SEED}`, () => {
    let engine: Engine;
    let site: Served;
    before(async () => {
      site = await serve({ folders: [DIST], pages });
      engine = await openEngine(name);
    });
    after(async () => {
      await engine?.close();
      await site?.close();
    });
    const open = async (page = ''): Promise<Tab> => {
      const tab = await engine.newTab();
      await tab.goto(site.address + page);
      return tab;
    };
    /** Errors that nobody caught; that a thing is not there may well be logged. */
    const uncaught = async (tab: Tab) => (await tab.problems()).filter((problem) => problem.startsWith('error:'));

    test('attributes: any values, together, before and after it is there', async () => {
      const [random, tab] = [new Random(SEED), await open()];
      for (let round = 0; round < ROUNDS; round += 1) {
        const [first, then] = [attributes(random), attributes(random)];
        await tab.evaluate((before) => {
          const element = document.createElement('attention-playground');
          for (const [key, value] of Object.entries({ ...before, loading: 'eager' })) element.setAttribute(key, value);
          document.querySelector('#place')?.replaceChildren(element);
        }, first);
        await tab.evaluate(settle);
        await tab.evaluate((after) => {
          for (const [key, value] of Object.entries(after)) document.querySelector('attention-playground')?.setAttribute(key, value);
        }, then);
        await tab.evaluate(settle);
        await assertUnhurt(tab, JSON.stringify([first, then]));
      }
      await tab.evaluate(() => {
        const element = document.querySelector('attention-playground') as AttentionPlayground;
        for (const { name: given } of [...element.attributes]) element.removeAttribute(given);
        element.setAttribute('text', 'alive after it');
        element.setAttribute('loading', 'eager');
      });
      await ready(tab);
      assert.deepEqual(await tab.waitFor(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.tokens), ['alive', 'after', 'it']);
      assert.deepEqual(await uncaught(tab), []);
      await assertAtHome(tab, site);
      await tab.close();
    });

    test('configurations: any JSON in a child, any object as a property', async () => {
      const [random, tab] = [new Random(SEED + 1), await open()];
      const texts = [...CONFIGURATIONS, ...Array.from({ length: ROUNDS }, (_, i) => (i % 2 ? json(random) : `{"text":${JSON.stringify(random.pick(EVIL))},"${random.pick(NAMES)}":${json(random)}}`))];
      for (const text of texts) {
        await tab.evaluate(async (child) => {
          const element = document.createElement('attention-playground');
          element.setAttribute('loading', 'eager');
          element.append(Object.assign(document.createElement('script'), { type: 'application/json', textContent: child }));
          document.querySelector('#place')?.replaceChildren(element);
          await element.updateComplete;
          try {
            element.config = JSON.parse(child);
          } catch {}
        }, text);
        await tab.evaluate(settle);
        await assertUnhurt(tab, text.slice(0, 500));
      }
      await tab.evaluate(async () => {
        const element = document.querySelector('attention-playground') as AttentionPlayground;
        const cyclic: unknown[] = [];
        cyclic.push(cyclic);
        const odd = [cyclic, { given: { W_Q: cyclic } }, () => 1, Symbol.iterator, 12n, new Proxy({}, {}), Object.create(null), new Date(), [1], { text: 5n }, { get text() { throw new Error('a getter of the author’s'); } }];
        for (const each of odd) {
          element.config = each;
          await element.updateComplete;
        }
        element.config = { text: 'alive after it', view: 'playground' };
      });
      assert.deepEqual(await tab.waitFor(() => {
        const words = (document.querySelector('attention-playground') as AttentionPlayground).trace?.tokens;
        return words?.join(' ') === 'alive after it' && words;
      }), ['alive', 'after', 'it']);
      await assertUnhurt(tab, 'odd objects');
      assert.deepEqual(await uncaught(tab), []);
      await assertAtHome(tab, site);
      await tab.close();
    });

    test('embed.html: any query and any fragment', async () => {
      const random = new Random(SEED + 2);
      const addresses = ['src=https://third.invalid/x.json&core-src=https://third.invalid/x.wasm', 'playground=javascript:owned%2B%2B', '__proto__=1&constructor=2&resize=__proto__', '%', '?&&==&=1'];
      for (let round = 0; round < ROUNDS / 4; round += 1) addresses.push(new URLSearchParams({ ...attributes(random), [random.pick(EVIL)]: random.pick(EVIL) }).toString().slice(0, 4000));
      // A half of a letter cannot be written in an address.
      const words = () => Buffer.from(random.pick(EVIL).slice(0, 2000)).toString();
      const tab = await open('stranger.html');
      for (const query of addresses) {
        const fragment = random.pick(['', `#text=${encodeURIComponent(words())}`, `#v1&t=${encodeURIComponent(words())}&__proto__=1`, '#%', '#v1&&=']);
        await tab.goto(`${site.address}embed.html?${query}${fragment}`);
        await tab.waitFor(() => {
          const root = document.querySelector('attention-playground')?.shadowRoot;
          return root?.querySelector('.root') && root.querySelector<HTMLElement>('.root')?.innerText.trim();
        });
        await assertUnhurt(tab, query + fragment);
        assert.deepEqual(await uncaught(tab), []);
        await assertAtHome(tab, site);
      }
      await tab.close();
    });

    test('messages: of any kind, and from windows that are not asked', async () => {
      const [random, tab] = [new Random(SEED + 3), await open('frame.html')];
      await tab.evaluate(() => new Promise((resolve) => {
        const one = document.querySelector('iframe');
        one?.addEventListener('load', resolve, { once: true });
        one?.setAttribute('src', 'embed.html?view=matrix&resize=one#text=still here');
      }).then(() => null));
      const frame = await tab.frame(() => document.querySelector('iframe'));
      await ready(frame);
      const height = () => tab.waitFor(() => document.querySelector('iframe')?.style.height);
      const known = await height();
      const texts = Array.from({ length: ROUNDS }, () => `{"type":${random.pick(['"attention-playground:resize"', '"attention-playground:set"', JSON.stringify(random.pick(EVIL))])},"id":"one","height":${random.pick(['1e999', '-5', '"9px;background:url(//third.invalid)"', 'null', '[77]', '{"valueOf":1}'])},"attributes":${json(random)}}`);
      // From the frame beside it, which has no say in either page.
      await (await tab.frame(() => document.querySelectorAll('iframe')[1])).evaluate((messages) => {
        for (const text of messages) {
          parent.postMessage(JSON.parse(text), '*');
          parent.frames[0]?.postMessage({ ...JSON.parse(text), type: 'attention-playground:set', attributes: { text: 'from a stranger' } }, '*');
        }
        parent.postMessage({ type: 'attention-playground:resize', id: 'one', height: 7 }, '*');
      }, texts);
      // From the page around it, which has; and from the frame itself.
      await tab.evaluate((messages) => {
        const inner = document.querySelector('iframe')?.contentWindow;
        for (const text of messages) inner?.postMessage(JSON.parse(text), '*');
        for (const each of [null, 0, '', [], 'x', new Map([['type', 'attention-playground:set']])]) {
          inner?.postMessage(each, '*');
          postMessage(each, '*');
        }
      }, texts);
      await frame.evaluate((messages) => { for (const text of messages) parent.postMessage(JSON.parse(text), '*'); }, texts);
      await frame.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
      await assertUnhurt(frame, 'messages');
      assert.notEqual(await height(), '7px', 'a stranger sets no other frame’s height');
      assert.match((await height()) ?? '', /^\d+px$/);
      assert.ok(known);
      await tab.evaluate(() => document.querySelector('iframe')?.contentWindow?.postMessage({ type: 'attention-playground:set', attributes: { text: 'alive after it', view: 'matrix' } }, '*'));
      await frame.waitFor(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.tokens.join(' ') === 'alive after it');
      assert.deepEqual(await uncaught(tab), []);
      await assertAtHome(tab, site);
      await tab.close();
    });
  });
}
