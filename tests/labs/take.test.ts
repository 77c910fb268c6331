// Figures of labs go along, too: as SVG that needs no style sheet, as PNG, and their numbers as CSV.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { figure, numbersOf, openLab } from '../lib/lab.ts';
import { Reader } from '../lib/page.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

async function take(figures: Locator, what: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([figures.page().waitForEvent('download'), figures.locator(`[data-take=${what}]`).press('Enter')]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

for (const [view, colorScheme, paper] of [['lab-scale', 'light', 'rgb(253, 252, 249)'], ['lab-order', 'dark', 'rgb(21, 23, 27)']] as const) {
  test(`each figure of ${view} as SVG, PNG and CSV is what is seen: ${colorScheme}`, async () => {
    const { page, lab } = await openLab(reader, view, { text: 'the cat saw it', context: { colorScheme, acceptDownloads: true } });
    await lab.locator('[data-take=svg]').first().waitFor();
    const titles = await lab.locator('figure.plot:has([data-take=svg]) figcaption b').allInnerTexts();
    assert.ok(titles.length > 0);
    for (const title of titles.slice(0, 3)) {
      const seen = figure(lab, title).first();
      const { name, content } = await take(seen, 'svg');
      assert.match(name, /^[\p{L}\p{N}-]+\.svg$/u);
      const drawn = await page.page.evaluate((text) => {
        const { documentElement: root } = new DOMParser().parseFromString(text, 'image/svg+xml');
        const all = [...root.querySelectorAll('*')];
        const paper = document.createElement('i');
        paper.style.color = root.querySelector('rect')?.getAttribute('fill') ?? '';
        document.body.append(paper);
        const [background] = [getComputedStyle(paper).color, paper.remove()];
        return {
          broken: root.querySelectorAll('parsererror').length, styled: all.filter((each) => each.hasAttribute('class') || each.hasAttribute('style')).length,
          texts: all.filter(({ localName }) => localName === 'text').map((each) => each.textContent ?? ''), background,
          fills: all.filter(({ localName }) => localName === 'rect' || localName === 'path').map((each) => each.getAttribute('fill')),
          size: [root.getAttribute('width'), root.getAttribute('height')].map(Number),
        };
      }, content.toString('utf8'));
      assert.deepEqual([drawn.broken, drawn.styled], [0, 0], title);
      assert.equal(drawn.background, paper);
      assert.ok(drawn.texts[0]?.startsWith(title), drawn.texts[0]);
      const onScreen = await seen.locator('.plot-picture').first().evaluate((picture) => ({
        texts: [...picture.querySelectorAll('text')].map((text) => text.textContent ?? ''),
        fills: [...picture.querySelectorAll('rect, path')].map((mark) => getComputedStyle(mark).fill),
      }));
      for (const words of onScreen.texts) assert.ok(drawn.texts.includes(words), words);
      for (const fill of onScreen.fills) assert.ok(drawn.fills.includes(fill), fill);
      for (const words of await seen.locator('.plot-names li').allInnerTexts()) assert.ok(drawn.texts.includes(words.trim()), words);
      const picture = await take(seen, 'png');
      const size = await page.page.evaluate(async (bytes) => {
        const { width, height } = await createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: 'image/png' }));
        return [width, height];
      }, [...picture.content]);
      assert.deepEqual(size, drawn.size.map((side) => 2 * side));
      const { columns, rows } = await numbersOf(lab, title);
      const lines = (await take(seen, 'csv')).content.toString('utf8').trimEnd().split('\r\n');
      assert.equal(lines.length, 1 + rows.length);
      assert.equal(lines[0]?.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).length, columns.length);
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('a table that draws itself, and a strip of colours, go along as pictures and as numbers', async () => {
  const { page, lab } = await openLab(reader, 'lab-reach', { text: 'the cat saw it', preset: { show: 'next' }, context: { acceptDownloads: true } });
  const bars = lab.locator('figure.plot:has(.plot-bars)').first();
  await bars.locator('[data-take=svg]').waitFor();
  const rows = await bars.locator('.plot-bars tbody tr').evaluateAll((all) => all.map((row) => [row.children[0], row.children[2]].map((cell) => cell?.textContent?.trim() ?? '')));
  const shares = await bars.locator('.plot-bars tbody rect').evaluateAll((all) => all.map((rect) => Number.parseFloat(rect.getAttribute('width') ?? '')));
  const drawn = await page.page.evaluate((text) => {
    const { documentElement: root } = new DOMParser().parseFromString(text, 'image/svg+xml');
    return { texts: [...root.querySelectorAll('text')].map((each) => each.textContent), widths: [...root.querySelectorAll('rect')].slice(1).map((rect) => Number(rect.getAttribute('width'))) };
  }, (await take(bars, 'svg')).content.toString('utf8'));
  for (const words of rows.flat()) assert.ok(drawn.texts.includes(words), words);
  const longest = Math.max(...drawn.widths);
  drawn.widths.forEach((width, i) => assert.ok(Math.abs(width / longest - (shares[i] ?? NaN) / Math.max(...shares)) < 1e-3, `bar ${i}`));
  assert.equal(drawn.widths.length, rows.length);
  assert.ok((await take(bars, 'png')).content.length > 2000);
  const lines = (await take(bars, 'csv')).content.toString('utf8').trimEnd().split('\r\n');
  assert.deepEqual(lines.slice(1), rows.map((row) => row.join(',')));
  await page.close();
  const lookup = await openLab(reader, 'lab-lookup', { context: { acceptDownloads: true } });
  const strip = lookup.lab.locator('figure.plot:has([data-temperature])');
  await strip.locator('[data-take=svg]').waitFor();
  const fills = await strip.locator('[data-temperature]').evaluateAll((all) => all.map((rect) => getComputedStyle(rect).fill));
  const file = (await take(strip, 'svg')).content.toString('utf8');
  for (const fill of fills) assert.ok(file.includes(fill), fill);
  assert.equal((await take(strip, 'csv')).content.toString('utf8').trimEnd().split('\r\n').length, 1 + fills.length);
  assert.deepEqual([...page.problems, ...lookup.page.problems], []);
  await lookup.page.close();
});
