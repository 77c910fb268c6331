// The page fits: every width, both themes, forced colours, print, a phone's fingers, and typing that moves nothing; and no name and
// no number of the walk's cards is cut.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { type Opening, type Playground, Reader, link, linkSettings } from '../lib/page.ts';
import { readWithModel } from '../lib/page-checks.ts';
import { Walk } from '../lib/walk.ts';
import type { StageId } from '../../web/src/engine/engine.ts';
import { KNOBS } from '../../web/src/state/settings.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const TEXTS = {
  'the default sentence': "the animal didn't cross the street because it was too tired",
  'a long sentence': `${'It is not down on any map; true places never are. '.repeat(5)}Unüberwindlichkeitsvoraussetzung لم يعبر الحيوان الشارع`,
  'four words': 'one two three four',
  'one endless word': 'x'.repeat(300),
};

const open = (context: BrowserContextOptions) => reader.open({ context });

/** Text that a reader cannot get to: cut by a box that hides what flows over, or beyond the page's sides. */
function cutTexts(): string[] {
  const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
  const cut: string[] = [];
  for (const scope of [document.body, root]) {
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || !node.nodeValue?.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue;
      if (parent.closest('.unseen, .mirror, .shares, script, style, textarea, option') || parent instanceof HTMLElement && parent.localName === 'attention-playground') continue;
      // For whoever hears the page.
      if (getComputedStyle(parent).clipPath === 'inset(50%)') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      let scrolls = false;
      let shortened = false;
      for (let element: Element | null = parent; element && !scrolls; element = element.parentElement ?? null) {
        const style = getComputedStyle(element);
        shortened ||= style.textOverflow === 'ellipsis';
        scrolls = /auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth && style.overflowX !== 'hidden';
        const edge = element.getBoundingClientRect();
        if (/hidden|clip/.test(style.overflowX) && !shortened && (box.right > edge.right + 1 || box.left < edge.left - 1)) {
          cut.push(`“${node.nodeValue.trim().slice(0, 40)}” in ${parent.className || parent.localName} by ${element.className || element.localName}`);
        }
      }
      if (!scrolls && !shortened && (box.right > document.documentElement.clientWidth + 1 || box.left < -1)) {
        cut.push(`“${node.nodeValue.trim().slice(0, 40)}” in ${parent.className || parent.localName} by the page`);
      }
    }
  }
  return cut;
}

async function assertFits(page: Playground, name: string): Promise<void> {
  const sideways = await page.page.evaluate(() => {
    scrollTo(1e6, scrollY);
    return scrollX;
  });
  assert.equal(sideways, 0, `${name}: the page scrolls sideways`);
  assert.deepEqual(await page.page.evaluate(cutTexts), [], name);
}

for (const width of [360, 768, 1440]) {
  test(`with a design and every switch open, nothing is cut at ${width} px`, async () => {
    const page = await open({ viewport: { width, height: 900 } });
    await page.set({ source: 'designed' });
    await page.openMore();
    await page.page.getByText('What the heads look for').click();
    for (const head of [0, 5]) {
      await page.chooseHead(head);
      assert.match(await page.page.locator('.row-table').innerText(), /×10⁻\p{No}{2}/u, 'very small weights');
      await assertFits(page, `head ${head + 1}`);
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

for (const width of [360, 768, 1000, 1440, 1600]) {
  test(`nothing is cut and nothing reaches past the sides at ${width} px`, async () => {
    const page = await open({ viewport: { width, height: 900 } });
    for (const [name, text] of Object.entries(TEXTS)) {
      await page.paste(text);
      await page.walkTo(0, 0);
      await assertFits(page, name);
      for (const part of ['textarea', '.row-caption', '.heads-scroll', '.matrix canvas', '.legend', '.inspector']) {
        const box = await page.page.locator(part).boundingBox();
        assert.ok(box && box.width > 20 && box.height > 10, `${name}: ${part} is there`);
      }
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('under every kind of parameters nothing is cut and nothing reaches past the sides at 320 px', async () => {
  for (const parameters of ['random', 'designed', 'trained', 'trained-here', 'yours']) {
    const page = await reader.open({ context: { viewport: { width: 320, height: 900 } }, fragment: link({ text: 'the cat sat', parameters }) });
    await page.openMore();
    await assertFits(page, parameters);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

/** Along each line of the sentence, in pixels of the screen: where its words stand, and where shares are drawn under them. */
function underlined(): { words: boolean[]; drawn: boolean[] }[] {
  const box = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.sentence-box') as HTMLElement;
  const [mirror, canvas] = [box.querySelector('.mirror') as HTMLElement, box.querySelector('canvas') as HTMLCanvasElement];
  const [range, walker, origin] = [document.createRange(), document.createTreeWalker(mirror, NodeFilter.SHOW_TEXT), canvas.getBoundingClientRect()];
  const lines = new Map<number, boolean[]>();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { index, 0: { length } } of (node.nodeValue ?? '').matchAll(/[^\s\u200b]/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + length);
      const { left, right, bottom } = range.getBoundingClientRect();
      const line = lines.get(Math.round(bottom)) ?? lines.set(Math.round(bottom), Array(Math.round(origin.width)).fill(false)).get(Math.round(bottom)) as boolean[];
      line.fill(true, Math.round(left - origin.left), Math.round(right - origin.left));
    }
  }
  const scale = canvas.width / origin.width;
  return [...lines].map(([bottom, words]) => {
    const row = canvas.getContext('2d')?.getImageData(0, Math.round((bottom - origin.top + 2.5) * scale), canvas.width, 1).data ?? [];
    return { words, drawn: words.map((_, x) => (row[Math.round((x + 0.5) * scale) * 4 + 3] ?? 0) > 0) };
  });
}

const BROKEN = {
  360: 'the Donaudampfschifffahrtsgesellschaft, 动物没有过马路 — right?',
  1000: `the ship Donaudampfschifffahrtsgesellschaft had many many stokers many many stokers  and Vierwaldstätterseedampfer too, ${'动物没有过马路'.repeat(5)} — right?`,
};
for (const width of [360, 1000] as const) {
  test(`a word that is broken has its share under each of its pieces, and nothing has one elsewhere, at ${width} px`, async () => {
    const page = await open({ viewport: { width, height: 900 } });
    await page.paste(BROKEN[width]);
    // On the whole page so many words are rows, with bars of their own.
    if (width === 1000) await page.page.locator('attention-playground').evaluate((element) => element.setAttribute('view', 'tokens'));
    await page.settled();
    const lines = await page.page.evaluate(underlined);
    assert.ok(lines.length >= 2, `${lines.length} lines`);
    lines.forEach(({ words, drawn }, i) => {
      // The edges of words lie between pixels, and their shares stand a little apart.
      const isNear = (of: readonly boolean[], x: number) => of.slice(Math.max(0, x - 3), x + 4).includes(true);
      assert.deepEqual(words.flatMap((on, x) => (on && !isNear(drawn, x) ? [x] : [])), [], `line ${i + 1}: words without a share`);
      assert.deepEqual(drawn.flatMap((on, x) => (on && !isNear(words, x) ? [x] : [])), [], `line ${i + 1}: shares without a word`);
    });
    await page.close();
  });
}

test('on a wide screen the switches stand in one line, whatever the parameters', async () => {
  const page = await open({ viewport: { width: 1440, height: 900 } });
  for (const source of ['random', 'designed', 'yours'] as const) {
    await page.set({ source });
    await page.page.waitForFunction((name) => (document.querySelector('attention-playground') as unknown as { state: { source: string } }).state.source === name, source);
    const tops = await page.page.locator('.switch-line fieldset').evaluateAll((fields) => fields.map((field) => field.getBoundingClientRect().top));
    assert.equal(new Set(tops).size, 1, `${source}: ${tops.join()}`);
  }
  await page.close();
});

for (const width of [360, 768, 1440]) {
  test(`with a trained model nothing is cut at ${width} px`, async () => {
    const page = await open({ viewport: { width, height: 900 } });
    await readWithModel(page);
    for (const name of ['little', 'words in pieces']) {
      if (name !== 'little') await page.paste('Flibbertigibbets roamed antidisestablishmentarianism, internationalisation and more');
      await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
      await assertFits(page, name);
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

for (const width of [360, 412]) {
  test(`every control takes a finger on a phone of ${width} px`, async () => {
    const page = await open({ viewport: { width, height: 780 }, hasTouch: true, isMobile: true });
    const small = await page.page.evaluate(() => {
      const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
      const controls = [...document.querySelectorAll('button, nav a'), ...root.querySelectorAll('button, select, input.field, summary, .segment, .heads-scroll label, textarea')];
      return controls.filter((control) => control.checkVisibility({ visibilityProperty: true }) && !(control as HTMLButtonElement).disabled).map((control) => {
        const { width, height } = control.getBoundingClientRect();
        return { name: `${control.localName} ${control.textContent?.trim().slice(0, 20)}`, width, height };
      }).filter(({ width, height }) => width < 43.5 || height < 43.5);
    });
    assert.deepEqual(small, []);
    const cell = await page.cell.boundingBox();
    assert.ok(cell && cell.width >= 24 && cell.height >= 24);
    await page.close();
  });
}

test('both themes are drawn on their own paper, and the switch in the header changes them', async () => {
  const page = await open({ colorScheme: 'light' });
  const papers = () => page.page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const root = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.root') as HTMLElement;
    return [getComputedStyle(document.body).backgroundColor, getComputedStyle(root).backgroundColor];
  });
  const [light, dark] = ['rgb(253, 252, 249)', 'rgb(21, 23, 27)'];
  assert.deepEqual(await papers(), [light, light]);
  await page.page.locator('#theme').click();
  assert.deepEqual(await papers(), [dark, dark]);
  await page.page.locator('#theme').click();
  await page.page.emulateMedia({ colorScheme: 'dark' });
  assert.deepEqual(await papers(), [dark, dark], 'the system changes its mind');
  await page.close();
});

test('in forced colours the matrix keeps its colours and the chosen head and switch can be told', async () => {
  const page = await open({ forcedColors: 'active' });
  const kept = await page.page.locator('.matrix canvas').evaluate((canvas) => getComputedStyle(canvas).forcedColorAdjust);
  assert.equal(kept, 'none');
  for (const [chosen, other] of [['.segment input:checked + span', '.segment input:not(:checked) + span'], ['.heads-scroll .chosen', '.heads-scroll label:not(.chosen)']] as const) {
    const looks = await Promise.all([chosen, other].map((selector) => page.page.locator(selector).first().evaluate((element) => {
      const { borderTopColor, fontWeight, outlineStyle } = getComputedStyle(element);
      return `${borderTopColor} ${fontWeight} ${outlineStyle}`;
    })));
    assert.notEqual(looks[0], looks[1], chosen);
  }
  await page.close();
});

test('typing along a line moves no part of the page, and opening it shifts nothing', async () => {
  const page = await open({ viewport: { width: 1440, height: 1000 } });
  const shift = await page.page.evaluate(() => new Promise<number>((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0))).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
  }));
  assert.ok(shift < 0.01, `opening shifts the page by ${shift}`);
  await page.paste('');
  const tops = () => page.page.evaluate(() => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    return ['.switch-bar', '.row-figure', '.matrix-area', '.caption'].map((selector) => (root.querySelector(selector) as HTMLElement).getBoundingClientRect().top + scrollY);
  });
  await page.type('the');
  const before = await tops();
  for (const letter of ' animal didn\'t cross the street because') {
    await page.page.keyboard.type(letter);
    assert.deepEqual(await tops(), before, await page.text());
  }
  await page.close();
});

test('a print shows the sentence, the figure and the arithmetic', async () => {
  const page = await open({ colorScheme: 'light' });
  await page.page.emulateMedia({ media: 'print' });
  for (const part of ['.mirror', '.row-caption', '.matrix canvas', '.legend', '.cell-title', '.row-table']) assert.ok(await page.page.locator(part).isVisible(), part);
  for (const part of ['.switches', '#theme']) assert.equal(await page.page.locator(part).isVisible(), false, part);
  const pdf = await page.page.pdf();
  assert.ok(pdf.length > 10_000);
  await page.close();
});

const openWalk = async (opening: Opening) => new Walk(await reader.open(opening)).show();

for (const width of [360, 768, 1100, 1440]) {
  test(`no card’s name is cut, ${width} px wide`, async () => {
    const walk = await openWalk({ context: { viewport: { width, height: 900 } }, fragment: link(linkSettings({ ...KNOBS, positions: 'rope', softcap: 5, value_rank: 4, dropout: 0.1 } as typeof KNOBS)) });
    const names = async () => walk.page.locator('.stage > summary').evaluateAll((all) => all.map((summary) => {
      const [name, next] = [summary.querySelector('b') as HTMLElement, summary.parentElement?.nextElementSibling];
      const { right } = name.getBoundingClientRect();
      const end = next ? next.getBoundingClientRect() : null;
      return { text: name.innerText, cut: getComputedStyle(summary).overflow !== 'visible', over: end !== null && end.top < name.getBoundingClientRect().bottom && right > end.left, out: right > innerWidth };
    }));
    const assertWhole = async (how: string) => {
      const all = await names();
      assert.ok(all.length > 10);
      for (const { text, ...wrong } of all) assert.deepEqual(wrong, { cut: false, over: false, out: false }, `${text}, ${how}`);
    };
    await assertWhole('folded');
    for (const id of await walk.stages()) await walk.unfold(id as StageId);
    await assertWhole('open');
    await walk.playground.close();
  });
}

for (const width of [360, 768, 1440]) {
  test(`no card’s numbers are cut, ${width} px wide`, async () => {
    for (const settings of [{}, { temperature: 0.5, dropout: 0.1, positions: 'rope', softcap: 5 }, { parameters: 'designed' }]) {
      const walk = await openWalk({ context: { viewport: { width, height: 900 } }, fragment: link({ ...settings, stage: 'weights', cell: '8.3' }) });
      for (const id of await walk.stages()) await walk.unfold(id as StageId);
      const formulas = [];
      for (const card of await walk.page.locator('.stage', { has: walk.page.locator('.stage-live') }).all()) {
        await card.scrollIntoViewIfNeeded();
        await walk.settle();
        formulas.push(await card.locator('.stage-live').evaluate((line) => {
          const edge = line.getBoundingClientRect().right;
          return [line.textContent?.replace(/\s+/g, ' ').trim(), [...line.querySelectorAll('math *')].every((part) => part.getBoundingClientRect().right <= edge)];
        }));
      }
      assert.ok(formulas.filter(([text]) => text !== '').length > 6, JSON.stringify(formulas));
      assert.deepEqual(formulas.filter(([, fits]) => !fits), [], JSON.stringify(settings));
      await walk.playground.close();
    }
  });
}
