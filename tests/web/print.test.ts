// On paper: ink on white whatever the theme, one column, everything whole, nothing to press.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Pixels, distance, ramp } from '../lib/pixels.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import { Walk } from '../lib/walk.ts';
import type { StageId } from '../../web/src/engine/engine.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

async function print(page: Playground): Promise<void> {
  await page.page.emulateMedia({ media: 'print' });
  await page.page.locator('attention-playground[data-printing]').waitFor();
}

/** Where canvases of the walk hold nothing, and what is wider than the paper. */
const onPaper = (page: Playground) => page.page.evaluate(() => {
  const host = document.querySelector('attention-playground') as HTMLElement;
  const root = host.shadowRoot as ShadowRoot;
  const edge = host.getBoundingClientRect().right + 1;
  const blank = [...root.querySelectorAll<HTMLElement>('.stage[open] .stage-matrix')].filter((matrix) => {
    const canvas = matrix.querySelector('canvas') as HTMLCanvasElement;
    const bytes = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    return new Set(Array.from({ length: Math.min(bytes.length / 4, 4000) }, (_, i) => `${bytes[4 * i]} ${bytes[4 * i + 1]} ${bytes[4 * i + 2]}`)).size < 3;
  }).map((matrix) => matrix.dataset['array']);
  const wide = [...root.querySelectorAll<HTMLElement>('canvas, p, table, math')].filter((part) => part.checkVisibility() && !part.closest('.unseen') && part.getBoundingClientRect().right > edge).map((part) => `${part.localName}.${part.className} in ${part.parentElement?.className}`);
  const seen = (selector: string) => [...root.querySelectorAll(selector)].filter((part) => part.checkVisibility()).length;
  return { blank, wide, cards: seen('[data-stage-card][open]'), formulas: seen('.stage-formula:has(math)'), controls: seen('button, input, select, textarea:not(#text, #key-text)'), width: host.getBoundingClientRect().width };
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a print is light on white from the ${colorScheme} theme: the figure, the row in words, every open card with its formula, no controls`, async () => {
    const page = await reader.open({ context: { colorScheme } });
    await print(page);
    const { blank, wide, cards, formulas, controls } = await onPaper(page);
    assert.deepEqual([blank, wide], [[], []]);
    assert.equal(cards, 4);
    assert.equal(formulas, cards);
    // Of the heads' radio buttons the pictures are left.
    assert.equal(controls, await page.page.locator('.heads-scroll input').count() + await page.page.locator('.operand, .explained-body button, .trail button').count());
    for (const part of ['.mirror', '.row-caption', '.legend', '.cell-title', '.row-table', '.explanation']) assert.ok(await page.page.locator(part).first().isVisible(), part);
    const pixels = await Pixels.of(page);
    const weights = await page.stage('weights');
    for (const [query, key] of [[0, 0], [2, 1], [10, 3]] as const) {
      assert.ok(distance(pixels.at(key * pixels.size + 4, query * pixels.size + 4), ramp('light', weights[query * 11 + key] ?? NaN)) <= 2, `${query} ${key}`);
    }
    const papers = await page.page.evaluate(() => {
      const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
      const thumb = getComputedStyle(root.querySelector('.heads-scroll canvas') as Element);
      return [getComputedStyle(document.body).backgroundColor, getComputedStyle(root.querySelector('.root') as Element).backgroundColor, thumb.printColorAdjust, getComputedStyle(root.querySelector('.swatch') as Element).printColorAdjust];
    });
    assert.deepEqual(papers, ['rgb(255, 255, 255)', 'rgb(255, 255, 255)', 'exact', 'exact'], 'hatch and light cells survive on white paper');
    await page.page.emulateMedia({ media: 'screen' });
    await page.page.locator('attention-playground:not([data-printing])').waitFor();
    await page.page.waitForFunction((theme) => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.root')?.getAttribute('data-theme') === theme, colorScheme);
    assert.ok(distance((await Pixels.of(page)).at(4, 4), ramp(colorScheme, 1)) <= 2, 'the screen is as it was');
    // Reading pixels back is the test's own doing.
    assert.deepEqual(page.problems.filter((problem) => !problem.includes('willReadFrequently')), []);
    await page.close();
  });
}

test('on paper what was open is open, and a folded card is one line with its name, its shape and what it does', async () => {
  const page = await reader.open();
  const walk = await new Walk(page).show();
  await walk.unfold('query');
  await walk.card('context').locator('summary').first().click();
  await print(page);
  const seen = await page.page.locator('[data-stage-card], [data-tokens-card]').evaluateAll((all) => all.filter((card) => card.checkVisibility()).map((card) => {
    const { left, right, height } = card.getBoundingClientRect();
    return { id: card.getAttribute('data-stage-card') ?? 'tokens', text: (card as HTMLElement).innerText.replace(/\s+/g, ' '), height, wide: right - left, open: card.hasAttribute('open') };
  }));
  assert.deepEqual(seen.filter(({ open }) => open).map(({ id }) => id), ['query', 'scaled_scores', 'masked_scores', 'weights']);
  const folded = seen.filter(({ open }) => !open);
  assert.equal(folded.length, 11);
  for (const { id, text, height, wide } of folded) {
    assert.ok(height < 34 && wide > 600, `${id}: ${wide} × ${height}`);
    assert.match(text, /^\d+ \p{L}.* .*\p{L}.*\. \[.*\d\]$/u, id);
  }
  await page.close();
});

test('a long text and wide matrices are printed whole', async () => {
  const page = await reader.open({ fragment: link({ text: Array.from({ length: 60 }, (_, i) => `word${i}`).join(' '), 'd-model': 512, heads: 2 }) });
  const walk = await new Walk(page).show();
  for (const id of await walk.stages() as StageId[]) await walk.unfold(id);
  await print(page);
  const { blank, wide } = await onPaper(page);
  assert.deepEqual([blank, wide], [[], []]);
  const whole = await page.page.evaluate(() => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    return [...root.querySelectorAll<HTMLElement>('.matrix, .stage-matrix')].filter((host) => host.scrollHeight > host.clientHeight + 12 || host.scrollWidth > host.clientWidth + 110).map((host) => host.dataset['array'] ?? host.className);
  });
  assert.deepEqual(whole, [], 'nothing scrolls');
  await page.close();
});

test('a printer that asks at once gets the light page at the paper’s width, on several sheets', async () => {
  const page = await reader.open({ context: { colorScheme: 'dark' } });
  await page.page.evaluate(() => addEventListener('beforeprint', () => {
    const host = document.querySelector('attention-playground') as HTMLElement;
    Object.assign(window, { asked: [host.shadowRoot?.querySelector('.root')?.getAttribute('data-theme'), host.getBoundingClientRect().width] });
  }));
  const pdf = (await page.page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1');
  assert.deepEqual(await page.page.evaluate(() => (window as unknown as { asked?: unknown }).asked), ['light', 680]);
  const sheets = pdf.match(/\/Type\s*\/Page[^s]/g)?.length ?? 0;
  assert.ok(sheets >= 4 && sheets <= 12, `${sheets} sheets`);
  await page.page.locator('attention-playground:not([data-printing])').waitFor();
  await page.close();
});
