// Masked, small and zero look different, and a colour means one weight, whatever the data.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { HATCH, PAPER, Pixels, RAMP, SIGNED, colour, distance, ramp } from '../lib/pixels.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import { read } from '../lib/shown-numbers.ts';
import { Walk } from '../lib/walk.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import type { Settings, StageId } from '../../web/src/engine/engine.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const T = 11;  // words of the default sentence

/** Where the matrix stands beside the row, its legend is shortened. */
const BELOW = { width: 1000, height: 1600 };

async function open(theme: 'light' | 'dark', settings: Partial<Settings> = {}, viewport?: { width: number; height: number }): Promise<Playground> {
  const page = await reader.open({ context: { colorScheme: theme, ...(viewport && { viewport }) } });
  await page.set(settings);
  await page.walkTo(0, 0);  // its frames stay out of the other rows
  return page;
}

/** How many hatch lines cross a line of pixels: steps from paper to something clearly nearer to the hatch. */
function crossings(line: readonly (readonly [number, number, number])[], theme: 'light' | 'dark'): number {
  const [paper, hatch] = [colour(PAPER[theme]), colour(HATCH[theme])];
  const dark = line.map((pixel) => distance(pixel, paper) > distance(paper, hatch) * 0.4);
  return dark.filter((on, i) => on && !dark[i - 1]).length;
}

for (const theme of ['light', 'dark'] as const) {
  test(`masked cells are hatched and hold no numeral, and no other cell is: ${theme}`, async () => {
    const page = await open(theme);
    const pixels = await Pixels.of(page);
    const size = pixels.size;
    for (let query = 2; query < T; query += 1) {
      for (let key = 0; key < T; key += 1) {
        const where = `query ${query + 1}, key ${key + 1}`;
        const lines = [4, size >> 1, size - 5].map((down) => crossings(pixels.line(query, key, down), theme));
        if (key > query) {
          for (const count of lines) assert.ok(count >= Math.floor(size / 10) && count <= Math.ceil(size / 6), `${where} is hatched: ${lines}`);
          const paper = pixels.line(query, key, size >> 1).filter((pixel) => distance(pixel, colour(PAPER[theme])) < 6).length;
          assert.ok(paper > size / 4, `${where}: the lines stand on paper`);
        } else {
          const [first, ...others] = pixels.line(query, key, size - 4);
          for (const other of others) assert.deepEqual(other, first, `${where} is of one colour under its numeral`);
        }
      }
    }
    await page.close();
  });

  test(`a cell's colour is the documented one of its weight, within 2 of 255: ${theme}`, async () => {
    const page = await open(theme);
    const sentences = ['the animal didn\'t cross the street because it was too tired', 'one two one two one two three three three four four'];
    for (const [sentence, settings] of [[0, {}], [1, { scale: 'none' }], [1, { mask: 'none', scale: 'factor', scale_factor: 0.05 }]] as const) {
      await page.paste(sentences[sentence] ?? '');
      await page.set(settings);
      await page.walkTo(0, 0);
      const [pixels, weights] = [await Pixels.of(page), await page.stage('weights')];
      const hidden = (query: number, key: number) => !('mask' in settings) && key > query;
      for (let query = 2; query < T; query += 1) {
        for (let key = 0; key < T; key += 1) {
          if (hidden(query, key)) continue;
          const weight = weights[query * T + key] ?? NaN;
          const seen = pixels.at(key * pixels.size + 3, query * pixels.size + 3);
          assert.ok(distance(seen, ramp(theme, weight)) <= 2, `weight ${weight} is painted ${seen}, not ${ramp(theme, weight).map(Math.round)}`);
        }
      }
    }
    await page.close();
  });

  test(`each head's small picture has the same colours, and clear pixels where masked: ${theme}`, async () => {
    const page = await open(theme);
    const thumbs = await page.page.evaluate(() => {
      const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
      return [...root.querySelectorAll<HTMLCanvasElement>('.heads-scroll canvas')].map((canvas) => Array.from(canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []));
    });
    const weights = await page.stage('weights');
    assert.equal(thumbs.length, 4);
    thumbs.forEach((bytes, head) => {
      const side = Math.sqrt(bytes.length / 4);
      const middle = (place: number) => Math.floor(((place + 0.5) * side) / T);
      for (let cell = 0; cell < T * T; cell += 1) {
        const at = (middle(Math.floor(cell / T)) * side + middle(cell % T)) * 4;
        const [red = NaN, green = NaN, blue = NaN, alpha] = bytes.slice(at, at + 4);
        const masked = cell % T > Math.floor(cell / T);
        assert.equal(alpha, masked ? 0 : 255);
        if (!masked) assert.ok(distance([red, green, blue], ramp(theme, weights[head * T * T + cell] ?? NaN)) <= 2);
      }
    });
    const behind = await page.page.locator('.heads-scroll canvas').first().evaluate((canvas) => getComputedStyle(canvas).backgroundImage);
    assert.match(behind, /repeating-linear-gradient/, 'the hatch lies behind the clear pixels');
    await page.close();
  });

  test(`pictures of many heads of a long text show the largest weight of each block: ${theme}`, async () => {
    const words = 500;
    const page = await open(theme, { mask: 'none', num_heads: 32, scale_factor: 6, scale: 'factor' }, { width: 1440, height: 1600 });
    await page.paste(Array.from({ length: words }, (_, i) => `w${i * 7919 % 101}`).join(' '));
    await page.page.locator('.heads-scroll').scrollIntoViewIfNeeded();
    await page.redrawn();
    const dots = await page.page.evaluate((words) => {
      const element = document.querySelector('attention-playground') as AttentionPlayground;
      const weights = element.stage('weights');
      const largest = (head: number, block: number, row: number, column: number) => {
        let most = 0;
        for (let i = row; i < Math.min(row + block, words); i += 1) for (let j = column; j < Math.min(column + block, words); j += 1) most = Math.max(most, weights[(head * words + i) * words + j] ?? NaN);
        return most;
      };
      const found: { head: number; weight: number; colour: number[] }[] = [];
      const box = element.shadowRoot?.querySelector('.heads-scroll')?.getBoundingClientRect() as DOMRect;
      (element.shadowRoot as ShadowRoot).querySelectorAll<HTMLCanvasElement>('.heads-scroll canvas').forEach((canvas, head) => {
        const { top, bottom } = canvas.getBoundingClientRect();
        const middle = (top + bottom) / 2;
        if (middle < Math.max(box.top, 0) || middle > Math.min(box.bottom, innerHeight)) return;
        const side = canvas.width;
        const bytes = canvas.getContext('2d')?.getImageData(0, 0, side, side).data ?? new Uint8ClampedArray();
        // As many dots as the picture has at most, each of a block of cells.
        const block = Math.ceil(words / side);
        const first = (place: number) => block * Math.floor(((place + 0.5) * Math.ceil(words / block)) / side);
        for (let at = 0; at < side * side; at += 101) {
          found.push({ head, weight: largest(head, block, first(Math.floor(at / side)), first(at % side)), colour: [...bytes.slice(4 * at, 4 * at + 3)] });
        }
      });
      return found;
    }, words);
    // More than fit on one strip of dots.
    assert.ok(new Set(dots.map(({ head }) => head)).size > 16, `${new Set(dots.map(({ head }) => head)).size} heads are in view`);
    for (const { head, weight, colour } of dots) {
      assert.ok(distance(colour as [number, number, number], ramp(theme, weight)) <= 2, `head ${head + 1}: ${weight} is painted ${colour}`);
    }
    await page.close();
  });

  test(`a weight of exactly 0 is paper with a numeral, unlike a masked one: ${theme}`, async () => {
    const page = await open(theme, { scale: 'factor', scale_factor: 3000 });
    const [pixels, weights] = [await Pixels.of(page), await page.stage('weights')];
    let zeros = 0;
    for (let query = 2; query < T; query += 1) {
      for (let key = 0; key <= query; key += 1) {
        if (weights[query * T + key] !== 0) continue;
        zeros += 1;
        assert.ok(distance(pixels.at(key * pixels.size + 3, query * pixels.size + 3), colour(PAPER[theme])) <= 1);
        const middle = pixels.line(query, key, pixels.size >> 1);
        assert.ok(middle.some((pixel) => distance(pixel, colour(PAPER[theme])) > 100), `a 0 stands in query ${query + 1}, key ${key + 1}`);
      }
    }
    assert.ok(zeros > 20, `${zeros} zeros`);
    await page.walkTo(5, 0);
    assert.match((await page.read()).weight, /^(0|1\.0000)$/);
    await page.close();
  });
}

test('a long text fills its small pictures to the last row', async () => {
  const page = await reader.open({ context: { colorScheme: 'light' } });
  for (const words of [40, 200, 300]) {
    await page.paste('word '.repeat(words));
    await page.page.waitForFunction((count) => document.querySelector('attention-playground')?.trace?.shape.T === count, words);
    const lastRow = await page.page.evaluate(() => {
      const canvas = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.heads-scroll canvas') as HTMLCanvasElement;
      return Array.from(canvas.getContext('2d')?.getImageData(0, canvas.height - 1, canvas.width, 1).data ?? []).filter((_, i) => i % 4 === 3);
    });
    assert.ok(lastRow.length > 0 && lastRow.every((alpha) => alpha === 255), `${words} words: the last row masks nothing`);
  }
  await page.close();
});

test('the printed domain is 0 to 1, drawn with the same stops, and never follows the data', async () => {
  const page = await open('light', {}, BELOW);
  const legend = () => page.page.evaluate(() => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    const ticks = [...root.querySelectorAll<HTMLElement>('.ticks span')].map((tick) => tick.innerText);
    const stops = getComputedStyle(root.querySelector('.ramp') as HTMLElement).backgroundImage;
    return { ticks, stops, keys: (root.querySelector('.keys') as HTMLElement).innerText.replace(/\s+/g, ' ') };
  });
  const first = await legend();
  assert.deepEqual(first.ticks, ['0', '0.25', '0.5', '0.75', '1']);
  assert.match(first.keys, /masked.*<\.01 small.*0 zero/);
  for (const [at, hex] of RAMP.light) assert.ok(first.stops.includes(`rgb(${colour(hex).join(', ')}) ${at * 100}%`), `${hex} at ${at}`);
  for (const settings of [{ scale: 'none' }, { scale: 'factor', scale_factor: 0 }, { mask: 'none', num_heads: 1 }] as const) {
    await page.set(settings);
    await page.paste('quite another sentence');
    assert.deepEqual(await legend(), first);
  }
  await page.close();
});

test('a one-word text, whose only weight is 1, has the colour of 1', async () => {
  const page = await reader.open({ context: { colorScheme: 'light' } });
  await page.paste('word');
  const pixels = await Pixels.of(page);
  assert.ok(distance(pixels.at(5, 5), ramp('light', 1)) <= 2);
  await page.close();
});

for (const theme of ['light', 'dark'] as const) {
  test(`every cell of every matrix of the walk has the colour of the engine’s number, ${theme}`, async () => {
    const words = ['Sieben', 'kleine', 'Geißlein', 'warten', 'daheim', '…'];
    const page = await reader.open({ fragment: link({ text: words.join(' '), heads: 2, head: 2, row: 1, key: 1, softcap: 9 }), context: { colorScheme: theme } });
    const walk = await new Walk(page).show();
    let compared = 0;
    for (const id of await walk.stages() as StageId[]) {
      const { numbers, extents } = await walk.array(id);
      const [columns = 1, rows = 1] = extents.toReversed();
      const own = extents.length > 2 ? numbers.subarray(rows * columns) : numbers;
      await walk.value(id);
      const [, printed] = /range ±(\d[\d.]*)/.exec(await walk.card(id).innerText()) ?? [];
      const range = printed ? read(printed).value : null;
      const seen = await walk.coloursOf(id, rows, columns);
      for (const [i, colour] of seen.entries()) {
        const value = own[i] ?? NaN;
        // The first words are chosen: their rows have frames.
        if (!Number.isFinite(value) || i < columns || (id === 'weights' && Math.floor(i / columns) < i % columns)) continue;
        const wanted = range === null ? ramp(theme, value) : ramp(theme, Math.max(0, Math.min(1, 0.5 + value / range / 2)), SIGNED);
        assert.ok(distance(colour, wanted) <= 4, `${id}[${i}] = ${value}: ${colour} instead of ${wanted}`);
        compared += 1;
      }
    }
    assert.ok(compared > 2000, `${compared} cells`);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}
