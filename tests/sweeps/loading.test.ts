// What comes after the first figure keeps nobody waiting: the figure is whole without it, its room is kept, and a link's
// number is found when it has come.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Reader } from '../lib/page.ts';
import { assertSound } from '../lib/page-checks.ts';
import { Walk } from '../lib/walk.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const LATER = '**/below-*.js';
const REST = '**/rest-*.js';
const STAGE = '**/stage-*.js';
const WORDS = '**/page-words-live-*.js';
const noted = { timeout: 20_000 };

/** The page with a later part held back until it is let go. */
async function held(fragment = '#v1', width = 1440, later = LATER) {
  let go = () => {};
  const gone = new Promise<void>((resolve) => { go = resolve; });
  const page = await reader.open({
    fragment, file: 'playground.html', context: { viewport: { width, height: 900 } },
    before: (tab: Page) => tab.route(later, (route) => gone.then(() => route.continue())),
  });
  await page.page.locator('.figure[data-state=ready]').waitFor(noted);
  if (later === LATER) await page.ready();
  return { page, go };
}

const topOf = (page: Page, selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().top + scrollY);

test('the engine is asked for while the page’s scripts are still on their way', async () => {
  const page = await reader.open({
    before: async (tab: Page) => {
      const client = await tab.context().newCDPSession(tab);
      await client.send('Network.enable');
      await client.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: 1e5, uploadThroughput: 1e5 });
    },
  });
  const { engine, scripts } = await page.page.evaluate(() => {
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const first = new Set([...document.querySelectorAll<HTMLLinkElement | HTMLScriptElement>('link[rel=modulepreload], script[src]')].map((element) => ('href' in element ? element.href : element.src)));
    return { engine: files.find(({ name }) => name.endsWith('/attention.wasm'))?.requestStart ?? NaN, scripts: files.filter(({ name }) => first.has(name)).map(({ responseEnd }) => responseEnd) };
  });
  assert.ok(scripts.length >= 4 && engine < Math.max(...scripts), `the engine is asked for at ${engine} ms, the last of the scripts is there at ${Math.max(...scripts)} ms`);
  await page.close();
});

test('before the walk has come, the figure is whole and can be typed on', async () => {
  const { page, go } = await held();
  await page.paste('typed before the walk');
  await assertSound(page, 'without the walk');
  assert.equal(await page.page.locator('.walk h2').count(), 0);
  assert.ok(await page.page.locator('.walk').isVisible(), 'its room is kept');
  go();
  const walk = await new Walk(page).show();
  assert.deepEqual(await walk.page.locator('.line-labels').first().locator('bdi').allInnerTexts(), ['typed', 'before', 'the', 'walk']);
  assert.deepEqual(page.problems, []);
  await page.close();
});

for (const width of [360, 768, 1440]) {
  test(`the walk takes the room that was kept for it, ${width} px wide`, async () => {
    const { page, go } = await held('#v1', width);
    const before = await topOf(page.page, '#how-to-read');
    go();
    await page.page.locator('.walk h2').waitFor(noted);
    await page.settled();
    const moved = await topOf(page.page, '#how-to-read') - before;
    assert.ok(Math.abs(moved) < 160, `what follows moves by ${moved}`);
    await page.close();
  });
}

for (const [what, part, selector] of [['the switches take', REST, '.switch-bar'], ['the stage takes', STAGE, '.row-figure']] as const) {
  for (const language of ['en', 'es', 'zh-Hans']) {
    for (const width of [320, 360, 600, 768, 1100, 1440]) {
      test(`${what} the room that was kept, in ${language}, ${width} px wide`, async () => {
        const { page, go } = await held(`#v1&lang=${language}`, width, part);
        const later = page.page.locator(selector);
        await page.page.locator(part === REST ? '.row-figure' : '.switch-bar').waitFor(noted);
        const tops = async () => [await topOf(page.page, '.figure'), await topOf(page.page, '.matrix')];
        const before = await tops();
        assert.equal(await later.count(), 0);
        go();
        await later.waitFor(noted);
        await page.ready();
        assert.deepEqual(await tops(), before);
        await page.close();
      });
    }
  }
}

for (const width of [320, 360, 600, 768, 820, 1440]) {
  test(`the page's own words in Spanish take the room of the English ones above the figure, ${width} px wide`, async () => {
    const { page, go } = await held('#v1&lang=es', width, WORDS);
    await page.ready();
    const before = await topOf(page.page, 'attention-playground');
    assert.equal(await page.page.locator('header nav', { hasText: 'How to read this' }).count(), 1);
    go();
    await page.page.locator('header nav', { hasText: 'Cómo leer esto' }).waitFor(noted);
    assert.equal(await topOf(page.page, 'attention-playground'), before);
    await page.close();
  });
}

/** A visit of a page in Spanish: where its figure stood, and how much of the screen moved; null when the browser was so slow that it came in English first. */
async function spanishVisit(width: number): Promise<{ tops: number[]; shift: number } | null> {
  const page = await reader.open({
    fragment: '#v1&lang=es', file: 'playground.html', context: { viewport: { width, height: 900 } },
    before: async (tab) => {
      await tab.addInitScript(() => {
        const tops = new Set<number>();
        const seen = { tops, shift: 0, first: '' };
        Object.assign(globalThis, { seen });
        new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value; }).observe({ type: 'layout-shift', buffered: true });
        const look = () => {
          const root = document.querySelector('attention-playground')?.shadowRoot;
          const figure = root?.querySelector('.figure[data-state=ready]');
          if (figure) tops.add(figure.getBoundingClientRect().top + scrollY);
          if (figure) seen.first ||= root?.querySelector('.row-caption')?.textContent?.trim() ?? '';
          requestAnimationFrame(look);
        };
        look();
      });
      await tab.route(WORDS, async (route) => {
        await tab.waitForTimeout(300);
        await route.continue();
      });
    },
  });
  await page.page.locator('header nav', { hasText: 'Cómo leer esto' }).waitFor(noted);
  await page.ready();
  await page.settled();
  const { tops, shift, first } = await page.page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: { tops: Set<number>; shift: number; first: string } };
    return { ...seen, tops: [...seen.tops] };
  });
  await page.close();
  return first.startsWith('Row') ? null : { tops, shift };
}

for (const width of [360, 1440]) {
  test(`a page in Spanish, whose words come late, stands still from its first figure on, ${width} px wide`, async () => {
    for (let tries = 0; tries < 6; tries += 1) {
      const seen = await spanishVisit(width);
      if (!seen) continue;
      assert.equal(seen.tops.length, 1, seen.tops.join(', '));
      assert.ok(seen.shift < 0.01, `what is seen shifts by ${seen.shift}`);
      return;
    }
    assert.fail('the words never came within two seconds');
  });
}

test('before the switches have come, the figure is whole and can be typed on', async () => {
  const { page, go } = await held('#v1', 1440, REST);
  await page.textBox.fill('typed before the switches');
  await page.page.locator('.rows', { hasText: 'switches' }).waitFor(noted);
  assert.equal(await page.page.locator('.inspector').getAttribute('aria-busy'), 'true');
  go();
  await page.ready();
  await assertSound(page, 'with the switches');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('in a figure alone, too, the switches take the room that was kept for them', async () => {
  for (const width of [360, 600, 700, 900, 1200]) {
    const { page, go } = await held('#v1', 1440, REST);
    await page.page.evaluate((wide) => {
      const element = document.querySelector('attention-playground') as HTMLElement;
      element.setAttribute('view', 'heads');
      element.style.width = `${wide}px`;
    }, width);
    await page.page.locator('[data-view=heads]').waitFor(noted);
    await page.redrawn();
    const before = await topOf(page.page, '.heads-area');
    go();
    await page.page.locator('.switch-bar').waitFor(noted);
    assert.equal(await topOf(page.page, '.heads-area'), before, `${width} px wide`);
    await page.close();
  }
});

test('switches that cannot come are missed in a sentence, and the next picture asks again', async () => {
  let broken = true;
  const page = await reader.open({ file: 'playground.html', before: (tab) => tab.route(REST, (route) => (broken ? route.abort() : route.continue())) });
  await page.page.locator('.notices', { hasText: 'could not be loaded' }).waitFor(noted);
  await page.ready();
  await assertSound(page, 'without the switches');
  broken = false;
  await page.paste('once more');
  await page.page.locator('.switch-bar').waitFor(noted);
  assert.doesNotMatch(await page.page.locator('.notices').innerText(), /could not be loaded/);
  await page.close();
});

test('a link’s number is gone to when the walk has come, and is in the address meanwhile', async () => {
  const { page, go } = await held('#v1&stage=query&cell=3.5');
  assert.deepEqual(await page.page.evaluate(() => document.querySelector('attention-playground')?.state.focus?.array), 'query');
  go();
  await page.page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.closest('[data-array=query]'), undefined, noted);
  const { row, column } = await new Walk(page).place('query');
  assert.deepEqual([row, column], [2, 4]);
  await page.close();
});

test('an element that was moved meanwhile has its walk all the same', async () => {
  const { page, go } = await held();
  await page.page.evaluate(() => {
    const element = document.querySelector('attention-playground') as HTMLElement;
    const parent = element.parentElement as HTMLElement;
    element.remove();
    setTimeout(() => parent.prepend(element), 300);
  });
  go();
  const walk = await new Walk(page).show();
  await walk.choose('weights', 3, 1);
  assert.match((await walk.explained()).title, /cross.*animal/s);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a walk that cannot come says so, and the next change asks again', async () => {
  let broken = true;
  const page = await reader.open({ file: 'playground.html', before: (tab) => tab.route(LATER, (route) => (broken ? route.abort() : route.continue())) });
  await page.ready();
  await page.page.locator('.walk', { hasText: 'could not be loaded' }).waitFor(noted);
  await assertSound(page, 'without the walk');
  broken = false;
  await page.paste('once more');
  const walk = await new Walk(page).show();
  assert.doesNotMatch(await walk.root.innerText(), /could not be loaded/);
  await page.close();
});

test('the part of two senses comes when it is opened; one that cannot come says so, and the reader asks again', async () => {
  let broken = true;
  const asked: string[] = [];
  const page = await reader.open({ file: 'playground.html', before: (tab) => tab.route('**/senses-*.js', (route) => {
    asked.push(route.request().url());
    return broken ? route.abort() : route.continue();
  }) });
  await page.ready();
  const part = page.page.locator('.senses');
  await part.locator('summary').scrollIntoViewIfNeeded();
  await page.settled();
  assert.equal(asked.length, 0, 'nobody has opened it');
  await part.locator('summary').click();
  await part.locator('.problem', { hasText: 'could not be loaded' }).waitFor(noted);
  broken = false;
  await part.getByRole('button', { name: 'Try again' }).click();
  await part.locator('#other-text').waitFor(noted);
  assert.equal(await part.locator('#other-text').inputValue(), "animal didn't cross the street because it was too tired");
  await page.close();
});

test('a question that cannot come is missed in a sentence and keeps its numbers back, and the next picture asks again', async () => {
  let broken = true;
  const page = await reader.open({ file: 'playground.html', before: (tab) => tab.route(REST, (route) => (broken ? route.abort() : route.continue())) });
  await page.ready();
  await page.page.locator('attention-playground').evaluate((element) => element.setAttribute('task', 'largest-key'));
  await page.page.locator('.notices', { hasText: 'could not be loaded' }).waitFor(noted);
  assert.ok(await page.page.locator('.figure').isHidden());
  broken = false;
  await page.textBox.fill('asked once more');
  await page.page.locator('.task-question').waitFor(noted);
  assert.doesNotMatch(await page.page.locator('.notices').innerText(), /could not be loaded/);
  await page.close();
});

test('what a link asks for in vain is not said of a text that was typed before the words for it had come', async () => {
  let come = () => {};
  const waits = new Promise<void>((resolve) => { come = resolve; });
  let ask = () => {};
  const asked = new Promise<void>((resolve) => { ask = resolve; });
  const page = await reader.open({ file: 'playground.html', fragment: '#v1&text=one%20two&head=40&numbers=W_Q:900:1:1', before: (tab) => tab.route('**/link-limits-*.js', async (route) => {
    ask();
    await waits;
    await route.continue();
  }) });
  await page.ready();
  await asked;
  await page.paste('three four five');
  const arrived = page.page.waitForResponse('**/link-limits-*.js');
  come();
  await (await arrived).finished();
  await page.settled();
  assert.doesNotMatch(await page.page.locator('.notices').innerText(), /The link/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('what is exported while its part comes is of the newest run', async () => {
  let come = () => {};
  const waits = new Promise<void>((resolve) => { come = resolve; });
  const page = await reader.open({ file: 'playground.html', before: (tab) => tab.route('**/take.js', async (route) => {
    await waits;
    await route.continue();
  }) });
  await page.ready();
  const asked = page.page.waitForRequest('**/take.js');
  const made = page.page.evaluate(() => (document.querySelector('attention-playground') as AttentionPlayground).toCSV('weights'));
  await asked;
  await page.paste('three four');
  come();
  assert.match(await made, /three/);
  assert.deepEqual(page.problems, []);
  await page.close();
});
