// A lesson on training is seen at once: question, what is to be seen, maps, curve and what runs it stand on one screen.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { LabTab } from '../lib/lab.ts';
import { Reader } from '../lib/page.ts';
import { LESSONS } from '../../web/src/state/views.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const exact = (tab: LabTab, step: number) => tab.find(`.training-walk[data-step="${step}"]`).waitFor({ state: 'attached', timeout: 30_000 });

const PARTS = ['.training-seen', '.training-job', '.training-lanes', '.training-curve', '.training-play', '.training-seed'];

/** Parts that are cut, that lie beneath the footer of the lesson, or on another part; the page stands at its top. */
const amiss = (page: Page, parts: readonly string[]): Promise<string[]> => page.evaluate((selectors) => {
  const all = (root: Document | ShadowRoot): Element[] => [...root.querySelectorAll('*')].flatMap((each) => [each, ...(each.shadowRoot ? all(each.shadowRoot) : [])]);
  const elements = all(document);
  const of = (selector: string) => elements.find((each) => each.matches(selector));
  const bottom = of('.lesson .footer')?.getBoundingClientRect().top ?? innerHeight;
  scrollTo(0, 0);
  const boxes = selectors.map((selector) => ({ selector, box: of(selector)?.getBoundingClientRect() ?? null }));
  const cut = boxes.flatMap(({ selector, box }) => (box && box.height > 0 && box.top >= 0 && box.bottom <= bottom + 1 && box.left >= 0 && box.right <= innerWidth ? [] : [`${selector} at ${box ? `${Math.round(box.top)} to ${Math.round(box.bottom)} of ${Math.round(bottom)}` : 'nowhere'}`]));
  const apart = boxes.flatMap(({ selector, box }, i) => boxes.slice(i + 1).filter(({ box: other }) => box && other && Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1).map((other) => `${selector} on ${other.selector}`));
  return [...cut, ...apart];
}, parts);

for (const colorScheme of ['light', 'dark'] as const) {
  test(`each lesson is on one screen of 1280 × 720: ${colorScheme}`, async () => {
    for (const lesson of [...LESSONS, 'mask&part=characters', 'heads&part=english']) {
      const tab = await LabTab.open(reader, 'training', { preset: `lesson=${lesson}`, context: { viewport: { width: 1280, height: 720 }, colorScheme } });
      const first = tab.find('.training-ask [data-guess]').first();
      await first.waitFor();
      assert.deepEqual(await amiss(tab.page, ['.training-head h2', '.training-ask', '.training-lanes', '.training-curve', '.training-play', '.training-seed']), [], `${lesson}, before the guess`);
      await first.click();
      await tab.find('.training-lane output').first().waitFor({ timeout: 30_000 });
      await tab.find('.training-play').click();
      await tab.find('.training-walk').waitFor({ state: 'attached', timeout: 30_000 });
      assert.deepEqual(await amiss(tab.page, ['.training-head h2', '.training-guessed', ...PARTS]), [], `${lesson}, after it`);
      assert.ok(await tab.page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${lesson} is too wide`);
      await tab.page.context().close();
    }
  });
}

test('on a phone maps and curve come before what is looked up, and which runs there are', async () => {
  for (const lesson of ['stands_for', 'words', 'mask', 'heads']) {
    const tab = await LabTab.open(reader, 'training', { preset: `lesson=${lesson}&step=3`, context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } });
    await tab.find('.training-walk').waitFor({ state: 'attached', timeout: 30_000 });
    const tops = await tab.find(':is(.training-lanes, .training-deck, .training-seen, .training-answers, .training-sentences, .training-own-text, .training-runs, .training-small)').evaluateAll((all) => all.map((each) => ({ name: [...each.classList].find((name) => name !== 'lab-said' && name !== 'training-option') ?? '', top: each.getBoundingClientRect().top + scrollY })).sort((a, b) => a.top - b.top));
    assert.deepEqual(tops.slice(0, 3).map(({ name }) => name), ['training-lanes', 'training-deck', 'training-seen'], lesson);
    assert.ok((tops[0]?.top ?? NaN) < 700, `${lesson}: maps begin at ${tops[0]?.top}`);
    await tab.page.context().close();
  }
});

/** The design's own size in each language, and what is just too high for the layout of lower screens. */
const SCREENS = { en: [[1280, 720], [1440, 900]], es: [[1440, 900], [1280, 898], [1280, 896]], 'zh-Hans': [[1440, 900]] } as const;

for (const [language, sizes] of Object.entries(SCREENS)) for (const step of ['scale', 'future', 'heads', 'learn']) {
  test(`the step “${step}” of the page’s lesson is on one screen of ${sizes.map((size) => size.join(' × ')).join(', ')}, before the guess and after: ${language}`, async () => {
    const { page } = await reader.open({ file: 'index.html', fragment: `#step=${step}&lang=${language}` });
    const assertOnScreen = async (parts: readonly string[], when: string) => {
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(200);
        assert.deepEqual(await amiss(page, ['.lead', ...parts, '.training-small']), [], `${width} × ${height} ${when}`);
      }
    };
    await page.locator('.training-ask [data-guess]').first().waitFor({ timeout: 20_000 });
    await assertOnScreen(['.training-ask', '.training-lanes', '.training-curve', '.training-play'], 'before the guess');
    await page.locator('.training-ask [data-guess]').first().click();
    await page.locator('.training-lane output').first().waitFor({ timeout: 20_000 });
    await page.locator('.training-play').click();
    await page.locator('.training-walk').waitFor({ state: 'attached', timeout: 30_000 });
    await page.locator('.training-guessed').waitFor();
    await assertOnScreen(PARTS, 'after it');
    // Its last words are the longest.
    await page.locator('.training-pace label').last().click();
    await page.locator('.training-play').click();
    await page.waitForFunction((handle: HTMLInputElement) => handle.value === handle.max, await page.locator('.training-handle').elementHandle() as never, { timeout: 60_000 });
    await page.locator('.training-walk').waitFor({ state: 'attached', timeout: 60_000 });
    await assertOnScreen(PARTS, 'at the end');
    await page.context().close();
  });
}

const LEADS = {
  en: { dice: /throws of dice/, characters: /a tale, letter by letter/, letters: /At every letter/, english: /At the verb/ },
  es: { dice: /dados/, characters: /un cuento/, letters: /En cada letra/, english: /En el verbo/ },
  'zh-Hans': { dice: /骰子/, characters: /故事/, letters: /每个字母/, english: /动词/ },
} as const;

for (const [language, leads] of Object.entries(LEADS)) for (const [step, jobs] of [['future', ['characters', 'dice']], ['heads', ['english', 'letters']]] as const) {
  test(`in the step “${step}” each job has a lead of its own; nothing moves, and all of it is on one screen: ${language}`, async () => {
    const { page } = await reader.open({ file: 'index.html', fragment: `#step=${step}&lang=${language}`, context: { viewport: { width: 1280, height: 720 } } });
    const lead = page.locator('.ask-part[data-here] .lead');
    const top = () => page.locator('.step-figure').evaluate((figure) => figure.getBoundingClientRect().top);
    await page.locator('.training-ask [data-guess]').first().waitFor({ timeout: 20_000 });
    const before = await top();
    for (const job of jobs) {
      await page.locator(`.training-options label:has(input[value="${job}"])`).click();
      await lead.filter({ hasText: leads[job] }).waitFor({ timeout: 5000 });
      for (const other of jobs) assert.equal(leads[other].test(await lead.innerText()), other === job, `${job}: ${await lead.innerText()}`);
      assert.equal(await top(), before);
      assert.deepEqual(await amiss(page, ['.lead', '.training-ask', '.training-lanes', '.training-curve', '.training-play', ...(job === 'english' ? ['.training-sentences input'] : [])]), [], job);
    }
    if (step === 'future') {
      await page.locator('.training-options label:has(input[value="characters"])').click();
      // A tale, not the sentence of the lesson's first step.
      assert.match(await page.locator('.training-own-text textarea').inputValue(), /^Once upon a time/);
      await page.locator('.training-ask [data-guess]').first().click();
      await page.locator('.training-lane output').first().waitFor({ timeout: 30_000 });
      await page.locator('.training-play').click();
      assert.deepEqual(await amiss(page, ['.lead', ...PARTS]), []);
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.waitForTimeout(200);
      assert.deepEqual(await amiss(page, ['.lead', ...PARTS]), []);
    }
    await page.context().close();
  });
}

test('the step of the trained model is on one screen of 1280 × 720, also with a head taken away', async () => {
  const { page } = await reader.open({ file: 'index.html', fragment: '#step=trained', context: { viewport: { width: 1280, height: 720 } } });
  await page.locator('.expects').waitFor({ timeout: 30_000 });
  const parts = ['.lead', '.sentence-box', '.gallery', '.expects', '.writing', '.model-changes', '.why', '.try'];
  assert.deepEqual(await amiss(page, parts), []);
  await page.locator('[data-silence]').click();
  await page.locator('.yours-list li').first().waitFor();
  assert.deepEqual(await amiss(page, parts), [], 'without the head');
  await page.context().close();
});

/** Words that are too small to read, and what is too small for a finger. */
const small = (page: Page): Promise<string[]> => page.evaluate(() => {
  const all = (root: Element | ShadowRoot): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('*')].flatMap((each) => [each, ...(each.shadowRoot ? all(each.shadowRoot) : [])]);
  const isSeen = (each: Element) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.unseen, .training-arrow') && getComputedStyle(each).clipPath === 'none' && each.getBoundingClientRect().width > 1;
  const seen = all(document.querySelector('#lesson')?.shadowRoot as ShadowRoot).filter(isSeen);
  const words = seen.filter((each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim()) && !each.closest('[aria-hidden] .unseen, .rail :is(.number, .name), .small-heading:not(.expects *), .sentence-title'))
    .filter((each) => { const size = parseFloat(getComputedStyle(each).fontSize); return size > 0 && size < 14; }).map((each) => `${each.className || each.localName}: ${each.textContent?.trim().slice(0, 20)}`);
  const controls = seen.filter((each) => each.matches('button:not(.word, .rail button, .training-more, .sentence-title *), select, .segment > span, .training-seed label, .training-ask button'))
    .filter((each) => each.getBoundingClientRect().height < 43.5).map((each) => `${each.className || each.localName}: ${each.getBoundingClientRect().height}`);
  return [...words, ...controls];
});

const TRAINING = ['.training-lanes', '.training-curve', '.training-play', '.training-pace', '.training-seed label', '.training-small'];
const QUESTION = ['.ask-part[data-here] h2', '.ask-part[data-here] .lead'];

for (const language of ['en', 'es', 'zh-Hans']) {
  test(`each step of the page’s lesson is on one screen of a phone, before the answer and after: ${language}`, async () => {
    for (const step of ['it', 'choose', 'scale', 'future', 'heads', 'learn', 'trained']) {
      const { page } = await reader.open({ file: 'index.html', fragment: `#step=${step}&lang=${language}`, context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' } });
      const assertSeen = async (parts: readonly string[], when: string) => {
        await page.waitForTimeout(200);
        assert.deepEqual([await amiss(page, [...QUESTION, ...parts]), await small(page)], [[], []], `${step} ${when}`);
        const { wide, end } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, end: document.querySelector('#lesson')?.shadowRoot?.querySelector('.go')?.getBoundingClientRect().bottom ?? Infinity }));
        assert.ok(wide <= 390 && end <= 844, `${step} ${when}: ${wide} px wide, the next step at ${end}`);
      };
      if (step === 'it') {
        await page.locator('[data-word="1"]').waitFor();
        await assertSeen(['.sentence', '.hint'], 'before');
        await page.locator('[data-word="1"]').tap();
        await assertSeen(['.sentence', '.why', '.try'], 'after');
      } else if (step === 'choose') {
        await page.locator('.row-word').first().waitFor({ timeout: 20_000 });
        const parts = ['.choices', '.row-play', '.row-steps', '.row-line', '.row-figure'];
        await assertSeen(parts, 'before');
        await page.locator('.choice').first().tap();
        await page.locator('.choice', { hasText: '✓' }).waitFor();
        await assertSeen(parts, 'after');
      } else if (step === 'trained') {
        await page.locator('.expects').waitFor({ timeout: 30_000 });
        const parts = ['.sentence-box', '.gallery', '.expects', '.write-line', '[data-silence]', '.why', '.try'];
        await assertSeen(parts, 'before');
        await page.locator('[data-silence]').tap();
        await page.locator('.expects > p').waitFor();
        await assertSeen(parts, 'after');
      } else {
        const first = page.locator('.training-ask [data-guess]').first();
        await first.waitFor({ timeout: 20_000 });
        await assertSeen(['.training-ask', ...TRAINING], 'before');
        await page.locator('.training-pace label').last().tap();
        await first.tap();
        await page.waitForFunction((handle: HTMLInputElement) => handle.value === handle.max, await page.locator('.training-handle').elementHandle() as never, { timeout: 60_000 });
        await page.locator('.training-walk').waitFor({ state: 'attached', timeout: 60_000 });
        const job = step === 'future' ? ['.training-losses tbody'] : ['.training-letters'];
        await assertSeen([...job, ...TRAINING, '.training-play + .training-button', '.training-seen'], 'after');
        const [answer, maps] = [await page.locator('.training-seen').boundingBox(), await page.locator('.training-lanes').boundingBox()];
        assert.ok(answer && maps && answer.y + answer.height <= maps.y, `${step}: what came of it stands where the question was`);
        const cut = await page.locator('.training-map figcaption, .training-map-aim, .training-map-aim span').evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0).map((each) => each.textContent?.trim()));
        assert.deepEqual(cut, [], `${step}: labels of the maps`);
      }
      await page.context().close();
    }
  });
}

for (const [language, width] of [['en', 360], ['es', 360], ['zh-Hans', 360], ['en', 390], ['es', 390], ['en', 320]] as const) {
  test(`on a low phone ${width} px wide the maps, the curve and what came of it are seen without scrolling, and no control is cut off or wraps: ${language}`, async () => {
    for (const step of ['scale', 'future', 'heads', 'learn']) {
      const { page } = await reader.open({ file: 'index.html', fragment: `#step=${step}&lang=${language}`, context: { viewport: { width, height: 740 }, hasTouch: true, isMobile: true } });
      const first = page.locator('.training-ask [data-guess]').first();
      await first.waitFor({ timeout: 20_000 });
      await page.locator('.training-pace label').last().tap();
      await first.tap();
      await page.waitForFunction((handle: HTMLInputElement) => handle.value === handle.max, await page.locator('.training-handle').elementHandle() as never, { timeout: 60_000 });
      await page.locator('.training-walk').waitFor({ state: 'attached', timeout: 60_000 });
      assert.deepEqual(await amiss(page, ['.training-seen', '.training-lanes', ...(width > 320 ? ['.training-lines'] : [])]), [], step);
      const bar = await page.locator('.training-bar').evaluate((of) => {
        const spans = [...of.querySelectorAll<HTMLElement>('.segment > span')];
        const tops = [...of.querySelectorAll('.training-play, .training-pace .segments, .training-seed label')].map((each) => each.getBoundingClientRect().top);
        return { cut: spans.filter((span) => span.scrollWidth > span.clientWidth + 1).map((span) => span.textContent), rows: new Set(tops.map(Math.round)).size, wide: document.documentElement.scrollWidth };
      });
      assert.deepEqual(bar, { cut: [], rows: 1, wide: width }, step);
      await page.context().close();
    }
  });
}

test('while it plays, the same number is written alike everywhere: over the maps, under the curve and in what is said', async () => {
  const { page } = await reader.open({ file: 'index.html', fragment: '#step=learn', context: { viewport: { width: 1280, height: 720 } } });
  const guess = page.locator('.training-ask [data-guess]').first();
  await guess.waitFor({ timeout: 20_000 });
  await guess.click();
  await page.waitForFunction((handle: HTMLInputElement) => Number(handle.value) > 20, await page.locator('.training-handle').elementHandle() as never, { timeout: 60_000 });
  const frames = await page.locator('.training').evaluate((lab) => new Promise<string[][]>((done) => {
    const found: string[][] = [];
    const numbers = (selector: string) => [...lab.querySelectorAll(selector)].map((each) => /[\d.]+\s?%/.exec(each.textContent ?? '')?.[0] ?? '');
    const look = () => {
      const [one = '', two = ''] = numbers('.training-lane-head output');
      found.push([`${one} ${two}`, numbers('.training-name:not([data-run=chance])').sort().join(' '), numbers('.training-seen b').toReversed().join(' '), lab.querySelector('.training-step')?.textContent ?? '', lab.querySelector<HTMLInputElement>('.training-handle')?.value ?? '']);
      if (found.length < 100) requestAnimationFrame(look);
      else done(found);
    };
    requestAnimationFrame(look);
  }));
  assert.ok(new Set(frames.map((frame) => frame.at(-1))).size > 10, 'it plays');
  assert.ok(new Set(frames.map(([over]) => over)).size > 2, 'and its numbers change');
  for (const [over = '', curve, said, step] of frames) assert.ok(curve === over.split(' ').sort().join(' ') && (said === over || said === over.split(' ').toReversed().join(' ')), JSON.stringify({ over, curve, said, step }));
  await page.context().close();
});

for (const locale of ['en-GB', 'es', 'zh-CN']) {
  test(`on a phone everything is within the margins: ${locale.slice(0, 2)}`, async () => {
    for (const lesson of LESSONS) {
      const tab = await LabTab.open(reader, 'training', { preset: `lesson=${lesson}&step=3`, context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale } });
      await exact(tab, 3);
      const out = await tab.find('.training').evaluate((lab) => {
        const { right } = lab.getBoundingClientRect();
        return [...lab.querySelectorAll('.training-top *, .segments, .segment, .training-lane, .training-button, .training-begin > *')].filter((each) => each.getBoundingClientRect().right > right + 1).map((each) => each.outerHTML.slice(0, 60));
      });
      assert.deepEqual(out, [], lesson);
      assert.ok(await tab.page.evaluate(() => document.documentElement.scrollWidth <= 390), `${lesson} is too wide`);
      await tab.page.context().close();
    }
  });
}
