// Arcs from token to token: over one line of text, between lines on a phone, or else beside the row's table.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DEFAULTS, referenceStages } from '../lib/native.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { DEFAULT_TEXT } from '../../web/src/state/settings.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const WORDS = DEFAULT_TEXT.split(' ');
const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };

async function assertArcs(page: Playground, selector: string, head: number, query: number, widest = 12, words = WORDS, own = true): Promise<void> {
  const weights = referenceStages(words, DEFAULTS).get('weights');
  const widths = await page.page.locator(`${selector} path`).evaluateAll((paths) => paths.map((path) => Number(path.getAttribute('stroke-width'))));
  const from = (head * words.length + query) * words.length;
  const expected = [...weights.subarray(from, from + query + Number(own))].filter((weight) => weight >= 0.015).map((weight) => Math.max(1, widest * weight));
  assert.equal(widths.length, expected.length, 'one arc to each word that gets a share of 2% or more, and none to later ones');
  const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
  sorted(widths).forEach((width, i) => assert.ok(Math.abs(width - (sorted(expected)[i] ?? NaN)) <= 0.051, `${width} for ${sorted(expected)[i]}`));
}

test('over the sentence, each arc is as wide as its weight, and follows the head and the row', async () => {
  const page = await reader.open();
  await assertArcs(page, '.arcs', 0, 7);
  await page.chooseHead(2);
  await assertArcs(page, '.arcs', 2, 7);
  await page.walkTo(3, 1);
  await assertArcs(page, '.arcs', 2, 3);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('shares under 2% have no arc, in any place that draws them, and keep their numbers', async () => {
  for (const [viewport, arcs] of [[{ width: 1280, height: 720 }, '.arcs path'], [{ width: 1000, height: 800 }, '.arcs path']] as const) {
    const page = await reader.open({ fragment: '#', context: { viewport } });
    await page.page.locator('.row-drawing [data-number^="weights "]').first().waitFor();
    assert.equal(await page.page.locator(arcs).count(), 2, `animal 94%, street 6%, at ${viewport.width} px`);
    const numbers = await page.page.locator('.row-drawing [data-number^="weights "]').allTextContents();
    assert.ok(numbers.filter((text) => text === '<1%').length >= 3, numbers.join(' '));
    await page.close();
  }
  const long = await reader.open({ fragment: link({ text: 'The old animal on the left side of the road did not cross the wide street because it was too tired', parameters: 'designed' }), context: { viewport: { width: 1280, height: 720 } } });
  await long.page.locator('.row-arcs').waitFor();
  const shares = await long.page.locator('.row-arc').evaluateAll((all) => all.map((each) => Number(each.getAttribute('data-arc'))));
  const weights = await long.stage('weights');
  const words = (await long.tokens()).length;
  const { head, query } = await long.page.evaluate(() => (document.querySelector('attention-playground') as AttentionPlayground).state.selection);
  const row = weights.subarray((head * words + query) * words, (head * words + query + 1) * words);
  for (const [key, weight] of row.entries()) assert.equal(shares.includes(key), weight >= 0.015 && [...row].filter((other) => other > weight).length < 12, `${key}: ${weight}`);
  await long.close();
});

test('on a phone they run between the lines of few words, and stand beside the row’s table of more', async () => {
  const page = await reader.open({ context: PHONE });
  await assertArcs(page, '.arcs', 0, 7, 6, WORDS, false);
  assert.equal(await page.page.locator('.upright-arcs').count(), 0);
  const longer = `${DEFAULT_TEXT} and because ${DEFAULT_TEXT}`;
  await page.paste(longer);
  assert.equal(await page.page.locator('.arcs').isVisible(), false);
  await assertArcs(page, '.upright-arcs', 0, 23, 18, longer.split(' '));
  assert.ok(await page.page.locator('.upright-arcs').isVisible());
  await page.close();
});

test('between the lines each arrow points at its own word, however short', async () => {
  for (const text of ['1 2 3 4 5 6 7', 'a b it c I am as d', WORDS.join(' ')]) {
    const page = await reader.open({ fragment: link({ text, mask: 'none' }), context: PHONE });
    await page.page.locator('.arcs path').first().waitFor({ state: 'attached' });
    const { head, query } = await page.page.evaluate(() => (document.querySelector('attention-playground') as AttentionPlayground).state.selection);
    const count = text.split(' ').length;
    const row = (await page.stage('weights')).subarray((head * count + query) * count, (head * count + query + 1) * count);
    const keys = [...row.keys()].filter((key) => key !== query && (row[key] ?? 0) >= 0.015);
    const { tips, words } = await page.page.locator('.sentence-box').evaluate((box) => {
      const tips = [...box.querySelectorAll<SVGPathElement>('.arcs path')].map((path) => {
        const { x, y } = path.getPointAtLength(0).matrixTransform(path.getScreenCTM() as DOMMatrix);
        return { x, y };
      });
      const text = (box.querySelector('.mirror') as HTMLElement);
      const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
      const words: { left: number; right: number; bottom: number; word: string }[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const { index, 0: word } of (node.nodeValue ?? '').matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const { left, right, bottom } = range.getBoundingClientRect();
          words.push({ left, right, bottom, word });
        }
      }
      return { tips, words };
    });
    assert.equal(tips.length, keys.length, text);
    for (const key of keys) {
      const { left, right, bottom, word } = words[key] as typeof words[0];
      const last = right - left < 24 ? right : right + 12;
      assert.equal(tips.filter(({ x, y }) => x >= left && x <= last && y > bottom && y - bottom < 24).length, 1, `${text}: “${word}” from ${left} to ${last}, arrows at ${tips.map(({ x }) => x)}`);
    }
    await page.close();
  }
});

test('at 768 px words become smaller, so that they stand over the sentence', async () => {
  const page = await reader.open({ context: { viewport: { width: 768, height: 1024 } } });
  await assertArcs(page, '.arcs', 0, 7);
  assert.equal(await page.page.locator('.upright-arcs').count(), 0);
  await page.close();
});

test('a sentence of two lines has its arcs beside the row’s table, one of one line over itself, never both', async () => {
  const page = await reader.open();
  const longer = `${DEFAULT_TEXT} and because ${DEFAULT_TEXT}`;
  const [over, beside] = [page.page.locator('.arcs path'), page.page.locator('.upright-arcs')];
  assert.equal(await beside.count(), 0);
  await page.paste(longer);
  assert.equal(await over.count(), 0);
  await assertArcs(page, '.upright-arcs', 0, 23, 18, longer.split(' '));
  // Each starts at the row of its key, and ends at the row of the query.
  const places = await beside.evaluate((picture) => {
    const middle = (element: Element) => { const { top, height } = element.getBoundingClientRect(); return top + height / 2 - picture.getBoundingClientRect().top; };
    const rows = [...(picture.parentElement?.querySelectorAll('tbody tr') ?? [])].map(middle);
    const ends = [...picture.querySelectorAll('path')].map((path) => [path.getPointAtLength(0).y, path.getPointAtLength(path.getTotalLength()).y]);
    return { rows, ends };
  });
  assert.equal(places.rows.length, 24);
  const weights = referenceStages(longer.split(' '), DEFAULTS).get('weights').subarray(23 * 24, 24 * 24);
  const keys = [...weights.keys()].filter((key) => (weights[key] ?? 0) >= 0.015);
  places.ends.slice(0, -1).forEach(([start = NaN, end = NaN], i) => {
    assert.ok(Math.abs(start - (places.rows[keys[i] ?? -1] ?? NaN)) < 1.5 && Math.abs(end - (places.rows[23] ?? NaN)) < 1.5, `${keys[i]}: ${start} to ${end}`);
  });
  await page.paste(DEFAULT_TEXT);
  assert.ok(await over.count() > 0);
  assert.equal(await beside.count(), 0);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('when a sentence grows past one line, and back, shares stay under their own words', async () => {
  const page = await reader.open();
  const shares = () => page.page.locator('.sentence-box .shares canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  for (const text of [`${DEFAULT_TEXT} and because ${DEFAULT_TEXT}`, DEFAULT_TEXT]) {
    await page.paste(text);
    const drawn = await shares();
    // Scrolling draws the words where they stand by now.
    await page.page.locator('.sentence-box').evaluate((box) => new Promise((done) => {
      box.dispatchEvent(new Event('scroll'));
      requestAnimationFrame(() => requestAnimationFrame(done));
    }));
    assert.equal(await shares(), drawn, text);
  }
  await page.close();
});
