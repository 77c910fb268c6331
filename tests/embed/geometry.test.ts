// A figure inside containers that scale, turn, mirror, skew and zoom it: it looks as it does outside of them, and a pointer
// meets what is under it.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { embedFolder } from '../lib/embedded.ts';
import type { Playground } from '../lib/page.ts';

const { folder, reader } = await embedFolder();

/** What may be around a figure. */
const CONTAINERS: Readonly<Record<string, string>> = {
  smaller: 'transform: scale(0.69)',
  larger: 'transform: scale(1.5); transform-origin: 0 0',
  'of two scales': 'transform: scale(0.6, 1.3); transform-origin: 0 0',
  'turned by 7°': 'transform: rotate(7deg)',
  'turned by 45°': 'transform: rotate(45deg)',
  'turned by 90°': 'rotate: 90deg',
  'upside down': 'transform: rotate(180deg)',
  mirrored: 'transform: scaleX(-1)',
  skewed: 'transform: skew(20deg, 5deg)',
  'zoomed by 1.5': 'zoom: 1.5',
  'zoomed by 0.6': 'zoom: 0.6',
  'zoomed, scaled and turned': 'zoom: 1.25; scale: 0.7; rotate: -33deg',
};

/** Each in a container of its own, and where a pointer chooses a cell in it. */
const FIGURES = {
  arcs: { attributes: 'view="arcs" text="one two three four five six"', grid: null },
  matrix: { attributes: 'view="matrix" text="one two three four five six"', grid: '.matrix' },
  walk: { attributes: 'view="pipeline" text="one two three four"', grid: '[data-array=weights]' },
  lab: { attributes: 'view="lab-mask" text="one two three four"', grid: '.plot-grid-box' },
};

let pages = 0;

async function open(style: string, zoom = 1, ids = Object.keys(FIGURES)): Promise<Playground> {
  const isAlone = ids.length === 1;
  const file = `geometry-${pages += 1}.html`;
  const figures = Object.entries(FIGURES).filter(([id]) => ids.includes(id)).map(([id, { attributes }], i) => `<div style="position: absolute; left: ${isAlone ? 0 : 400 + 1600 * (i % 2)}px; top: ${isAlone ? 0 : 300 + 1500 * Math.floor(i / 2)}px"><div style="width: 640px; ${style}">
    <attention-playground id="${id}" loading="eager" controls="none" heads="2" ${attributes}></attention-playground></div></div>`);
  await writeFile(path.join(folder, file), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><script src="attention-playground.js" defer></script><body style="margin: 0">${figures.join('')}</html>`);
  const size = isAlone ? { width: Math.round(2600 / zoom), height: Math.round(2000 / zoom) } : { width: 3200, height: 4600 };
  const page = await reader.open({ file, context: { viewport: size, deviceScaleFactor: zoom } });
  await page.page.waitForFunction(() => [...document.querySelectorAll('attention-playground')].every(({ shadowRoot }) => (
    shadowRoot?.querySelector('.arcs path, .columns > *, [data-array=weights] [aria-label], .plot-grid-over'))));
  await page.page.waitForTimeout(100);
  return page;
}

/** The sentence's bars as pixels, and the numbers of its arcs. */
const drawn = (page: Playground) => page.page.evaluate(() => {
  const root = document.getElementById('arcs')?.shadowRoot as ShadowRoot;
  return { bars: root.querySelector<HTMLCanvasElement>('.shares canvas')?.toDataURL(), arcs: [...root.querySelectorAll('.arcs path')].flatMap((arc) => arc.getAttribute('d')?.match(/-?[\d.]+/g)?.map(Number) ?? []) };
});

const outside = await open('');
const asOutside = await drawn(outside);
await outside.close();

/** Where the one cell that stands for all is: on the screen, and in words. */
const cellOf = (page: Playground, id: string, grid: string) => page.page.evaluate(([id, grid]) => {
  const cell = document.getElementById(id)?.shadowRoot?.querySelector(`${grid} [role=gridcell]`) as Element;
  const { x, y, width, height } = cell.getBoundingClientRect();
  const own = cell.closest(grid)?.getBoundingClientRect() as DOMRect;
  // Of a box that is turned in any way, the middle is that of the rectangle around it.
  return { x: x + width / 2, y: y + height / 2, grid: { x: own.x, y: own.y }, said: `${cell.parentElement?.getAttribute('aria-rowindex')}, ${cell.getAttribute('aria-colindex')}` };
}, [id, grid] as const);

async function assertClicks(page: Playground, id: string, grid: string): Promise<void> {
  const cell = page.page.locator(`#${id} ${grid} [role=gridcell]`).first();
  const go = async (key: string, times: number) => {
    for (let i = 0; i < times; i += 1) await cell.press(key);
  };
  const becomes = (said: string) => page.page.waitForFunction(([id, grid, said]) => {
    const cell = document.getElementById(id)?.shadowRoot?.querySelector(`${grid} [role=gridcell]`);
    return `${cell?.parentElement?.getAttribute('aria-rowindex')}, ${cell?.getAttribute('aria-colindex')}` === said;
  }, [id, grid, said] as const, { timeout: 5000 }).catch(() => assert.fail(`#${id}: a click on ${said} chose another`));
  await cell.focus();
  for (const [down, right] of [[3, 1], [2, 2], [1, 0]] as const) {
    await go('ArrowUp', 6);
    await go('ArrowLeft', 6);
    await becomes('1, 1');
    await go('ArrowDown', down);
    await go('ArrowRight', right);
    await becomes(`${down + 1}, ${right + 1}`);
    const there = await cellOf(page, id, grid);
    await go('ArrowUp', down);
    await go('ArrowLeft', right);
    await becomes('1, 1');
    // The way back may have scrolled the figure's box.
    const { grid: now } = await cellOf(page, id, grid);
    await page.page.mouse.click(there.x + now.x - there.grid.x, there.y + now.y - there.grid.y);
    await becomes(there.said);
  }
}

for (const [name, style] of Object.entries(CONTAINERS)) {
  test(`${name}: arcs and bars stand at their words, and a click meets the cell under it`, async () => {
    const page = await open(style);
    const { bars, arcs } = await drawn(page);
    assert.ok(asOutside.arcs.length > 20);
    arcs.forEach((at, i) => assert.ok(Math.abs(at - (asOutside.arcs[i] ?? NaN)) < 1.5, `${arcs.join()} for ${asOutside.arcs.join()}`));
    // A text that is zoomed is laid out again, and of one that is slanted the letters' height is an estimate.
    if (!/zoom|45/.test(style)) assert.ok(bars === asOutside.bars, 'the bars are drawn as outside');
    for (const [id, { grid }] of Object.entries(FIGURES)) if (grid) await assertClicks(page, id, grid);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

// As a browser zooms a page: fewer CSS pixels in the window, each of more dots, or of fewer.
for (const zoom of [0.5, 1.25, 2.625, 4]) {
  test(`in a page at ${zoom * 100} % a click meets the cell under it`, async () => {
    const page = await open('', zoom, ['matrix']);
    await assertClicks(page, 'matrix', '.matrix');
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('a matrix uses the room of its column', async () => {
  for (const [attributes, least] of [['controls="none"', 44], ['', 40]] as const) {
    const file = `geometry-${pages += 1}.html`;
    await writeFile(path.join(folder, file), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><link rel="stylesheet" href="attention-playground.css"><script src="attention-playground.js" defer></script>
      <body><div style="width: 720px"><attention-playground view="matrix" ${attributes} text="one two three four five six"></attention-playground></div></html>`);
    const page = await reader.open({ file });
    await page.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground | null)?.trace);
    await page.settled();
    const { cell, cut } = await page.page.evaluate(() => {
      const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
      const around = root.querySelector('.matrix')?.getBoundingClientRect() as DOMRect;
      const labels = [...root.querySelectorAll('.columns > *, .rows > *')].filter((label) => {
        const { left, right, top, bottom } = label.getBoundingClientRect();
        return left < around.left || right > around.right + 1 || top < around.top || bottom > around.bottom;
      });
      return { cell: root.querySelector('.matrix [role=gridcell]')?.getBoundingClientRect().width ?? 0, cut: labels.map((label) => label.textContent) };
    });
    assert.ok(cell >= least, `cells of ${cell} px`);
    assert.deepEqual(cut, []);
    await page.close();
  }
});

test('hidden, moved into another document and back, a figure looks and works as before', async () => {
  for (const view of ['arcs', 'matrix', 'lab-mask']) {
    const file = `geometry-${pages += 1}.html`;
    await writeFile(path.join(folder, file), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><script src="attention-playground.js" defer></script>
      <body style="margin: 0"><div id="here" style="width: 720px" hidden><attention-playground view="${view}" loading="eager" heads="2" text="one two three four"></attention-playground></div><iframe style="width: 720px; height: 2000px; border: 0" srcdoc="<!doctype html><html lang=en><title>There</title><body style='margin: 0; width: 720px'>"></iframe></html>`);
    const page = await reader.open({ file, context: { viewport: { width: 900, height: 2400 } } });
    const looks = async () => {
      await page.page.waitForTimeout(400);
      return page.page.evaluate(() => {
        const element = [document, document.querySelector('iframe')?.contentDocument].flatMap((each) => each?.querySelector<AttentionPlayground>('attention-playground') ?? [])[0] as AttentionPlayground;
        const root = element.shadowRoot as ShadowRoot;
        const cell = root.querySelector('[role=gridcell]')?.getBoundingClientRect();
        return {
          sizes: [element.offsetWidth, element.offsetHeight, cell?.width, cell?.height].map((each) => Math.round(each ?? 0)),
          arcs: [...root.querySelectorAll('.arcs path')].map((arc) => arc.getAttribute('d')), text: element.text,
          colour: getComputedStyle(root.querySelector('.root, .lab') as Element).color,
        };
      });
    };
    await page.page.evaluate(() => { (document.querySelector('#here') as HTMLElement).hidden = false; });
    await page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.plot-grid-over, .columns > *, .arcs path'));
    const before = await looks();
    assert.ok((before.sizes[1] ?? 0) > 300);
    await page.page.evaluate(() => document.querySelector('iframe')?.contentDocument?.body.append(document.querySelector('attention-playground') as Element));
    await page.page.evaluate(() => { (document.querySelector('#here') as HTMLElement).hidden = true; });
    assert.deepEqual(await looks(), before, `${view}, in another document`);
    await page.page.evaluate(() => {
      (document.querySelector('#here') as HTMLElement).hidden = false;
      document.querySelector('#here')?.append(document.querySelector('iframe')?.contentDocument?.querySelector('attention-playground') as Element);
    });
    assert.deepEqual(await looks(), before, `${view}, back again`);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});
