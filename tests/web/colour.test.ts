// Colours for everyone: told apart without red, green or blue cones; and ranges that the reader keeps to compare.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Playground, Reader, link } from '../lib/page.ts';
import { Walk } from '../lib/walk.ts';
import { type Ramp, SIGNED_STOPS, WEIGHT_STOPS, parseHex, signedRamp, weightRamp } from '../../web/src/lib/colour.ts';
import type { StageId } from '../../web/src/engine/engine.ts';
import { hex } from '../../web/src/ui/export/render.ts';
import { headHues } from '../../web/src/ui/walk/matrices.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

/** Of linear RGB, as dichromats see it: Viénot, Brettel and Mollon 1999 for red and green, Machado et al. 2009 for blue. */
const EYES: Record<string, readonly (readonly [number, number, number])[]> = {
  protan: [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
  deutan: [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
};
type Rgb = readonly [number, number, number];

const linear = (value: number): number => (value <= 0.04045 * 255 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);

function lab(rgb: readonly number[], eye: string): Rgb {
  const light = rgb.map(linear);
  const [r, g, b] = (EYES[eye] ?? []).map((row) => Math.max(0, Math.min(1, row.reduce((sum, share, i) => sum + share * (light[i] ?? 0), 0)))) as [number, number, number];
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const [x, y, z] = [f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047), f(0.2126729 * r + 0.7151522 * g + 0.072175 * b), f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIE 1976; about 2.3 is a difference just noticed. */
const apart = (a: readonly number[], b: readonly number[], eye: string): number => Math.hypot(...lab(a, eye).map((x, i) => x - (lab(b, eye)[i] ?? 0)));
const at = (ramp: Ramp, share: number): number[] => [0, 8, 16].map((shift) => (ramp.pixel(Math.round(share * 512)) >> shift) & 255);

for (const theme of ['light', 'dark'] as const) {
  test(`to every kind of eye, weights of a tenth more look different, and ever darker or lighter: ${theme}`, () => {
    const ramp = weightRamp(theme);
    for (const eye of Object.keys(EYES)) {
      for (let i = 0; i < 10; i += 1) {
        const [low, high] = [at(ramp, i / 10), at(ramp, (i + 1) / 10)];
        assert.ok(apart(low, high, eye) > 5, `${eye}: ${i / 10} and ${(i + 1) / 10} are ${apart(low, high, eye)} apart`);
        const [a, b] = [lab(low, eye)[0], lab(high, eye)[0]];
        assert.ok(theme === 'light' ? b < a : b > a, `${eye}: lightness runs one way at ${i / 10}`);
      }
    }
    assert.equal(WEIGHT_STOPS[theme].length, 9);
  });

  test(`to every kind of eye, minus, nothing and plus look different at every size: ${theme}`, () => {
    const ramp = signedRamp(theme);
    const paper = at(ramp, 0.5);
    for (const eye of Object.keys(EYES)) {
      for (const size of [0.08, 0.15, 0.3, 0.5, 0.75, 1]) {
        const [minus, plus] = [at(ramp, 0.5 - size / 2), at(ramp, 0.5 + size / 2)];
        assert.ok(apart(minus, plus, eye) > 10, `${eye}: ±${size} are ${apart(minus, plus, eye).toFixed(1)} apart`);
        for (const one of [minus, plus]) assert.ok(apart(one, paper, eye) > 10, `${eye}: ${size} is ${apart(one, paper, eye).toFixed(1)} from 0`);
      }
    }
    assert.equal(SIGNED_STOPS[theme].length, 7);
  });

  test(`to every kind of eye, the hues of neighbouring heads look different, up to eight of them: ${theme}`, () => {
    for (const heads of [2, 4, 8]) {
      const hues = headHues(heads, theme).map((hue) => parseHex(hex(hue)));
      for (const eye of Object.keys(EYES)) {
        for (let head = 1; head < heads; head += 1) {
          const [a = [], b = []] = [hues[head - 1], hues[head]];
          assert.ok(apart(a, b, eye) > 5, `${heads} heads, ${eye}: ${head} and ${head + 1} are ${apart(a, b, eye).toFixed(1)} apart`);
        }
      }
    }
  });
}

async function rangeOf(walk: Walk, id: string): Promise<string> {
  await walk.unfold(id as StageId);
  return walk.page.locator(`[data-stage-card=${id}] .stage-words`).innerText();
}
const numbersOf = async (page: Playground, id: 'scores' | 'query') => [...(await page.stage(id))];
const sizeOf = (numbers: readonly number[]) => Math.max(...numbers.map(Math.abs));

test('every legend prints its domain: weights, differences, every matrix of the walk', async () => {
  const page = await reader.open({ fragment: link({ text: 'the cat saw it' }) });
  const walk = await new Walk(page).show();
  assert.match((await page.page.locator('.legend').innerText()).replace(/\s+/g, ' '), /0 0\.25 0\.5 0\.75 1/);
  for (const id of await walk.stages()) {
    await walk.unfold(id as StageId);
    await walk.card(id as StageId).scrollIntoViewIfNeeded();
    assert.match(await rangeOf(walk, id), /range (±[\d.,]+|0 … 1)/, id);
  }
  await page.close();
});

test('kept ranges stay while the numbers change; what lies outside is counted and marked; the link holds them', async () => {
  const page = await reader.open({ fragment: link({ text: 'the cat saw it', head: 1, scale: 0.1 }) });
  const walk = await new Walk(page).show();
  const lock = page.page.locator('.lock-range');
  assert.equal(await lock.innerText(), 'Keep these ranges');
  await lock.click();
  await walk.settle();
  const kept = /range ±([\d.]+), kept$/m.exec(await rangeOf(walk, 'scaled_scores'))?.[1] ?? '';
  assert.ok(Number(kept) >= sizeOf((await numbersOf(page, 'scores')).slice(0, 16)) && Number(kept) < 1.02 * sizeOf((await numbersOf(page, 'scores')).slice(0, 16)), kept);
  await page.paste('no dog or fox');
  await walk.show();
  const [scores, queries] = [(await numbersOf(page, 'scores')).slice(0, 16), (await numbersOf(page, 'query')).slice(0, 64)];
  for (const [id, numbers] of [['scores', scores], ['query', queries]] as const) {
    const words = await rangeOf(walk, id);
    const range = Number(/range ±([\d.]+), kept/.exec(words)?.[1]);
    const outside = numbers.filter((x) => Math.abs(x) > range).length;
    assert.match(words, outside === 0 ? /, kept$/m : outside === 1 ? /, kept; 1 number lies outside$/m : new RegExp(`, kept; ${outside} numbers lie outside$`, 'm'), `${id}: ${words}, ${outside}`);
  }
  await page.page.waitForFunction(() => location.hash.includes('ranges=') && location.hash.includes('fox'));
  const other = await reader.open({ fragment: await page.page.evaluate(() => location.hash) });
  const there = await new Walk(other).show();
  for (const id of ['scores', 'query', 'output']) assert.equal(await rangeOf(there, id), await rangeOf(walk, id));
  await other.page.locator('.lock-range').click();
  await there.settle();
  assert.doesNotMatch(await rangeOf(there, 'query'), /kept/);
  await other.page.waitForFunction(() => !location.hash.includes('ranges='));
  for (const each of [page, other]) assert.deepEqual(each.problems, []);
  await Promise.all([page.close(), other.close()]);
});

test('a number outside of its kept range has a dot, and no other number has', async () => {
  const page = await reader.open({ fragment: link({ text: 'the cat saw it', ranges: 'scores:1' }), context: { colorScheme: 'light' } });
  const walk = await new Walk(page).show();
  await page.page.locator('.range-lock', { hasText: 'lies outside of its kept range' }).waitFor();
  const scores = (await numbersOf(page, 'scores')).slice(0, 16);
  await walk.unfold('scores');
  const host = page.page.locator('[data-array=scores]');
  await host.scrollIntoViewIfNeeded();
  await walk.settle();
  const dotted = await host.evaluate((element) => {
    const canvas = element.querySelector('canvas') as HTMLCanvasElement;
    const cell = element.querySelector<HTMLElement>('[role=gridcell]') as HTMLElement;
    const [width, height] = [Number.parseFloat(cell.style.width), Number.parseFloat(cell.style.height)];
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    const colour = (x: number, y: number) => [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3).join(' ');
    return Array.from({ length: 16 }, (_, i) => {
      const [x, y] = [(i % 4) * width, Math.floor(i / 4) * height];
      return colour(x + width / 2, y + height / 2) !== colour(x + width / 2, y + height - 4);
    });
  });
  assert.deepEqual(dotted, scores.map((x) => Math.abs(x) > 1));
  assert.ok(new Set(dotted).size === 2, 'both kinds are there');
  await page.close();
});

test('ranges that a link gives wrongly are refused with a sentence', async () => {
  const page = await reader.open();
  for (const raw of ['scores:0', 'scores:-1', 'scores:1e99', 'nothing:1', 'scores:1,scores:2', 'scores', '', '__proto__:1', 'x'.repeat(9)]) {
    await page.page.goto('about:blank');
    await page.page.goto(`${reader.address}${link({ text: 'one two', ranges: raw })}`);
    await page.ready();
    assert.match((await page.read()).notices, /could not be read \(ranges\)/, raw);
  }
  await page.close();
});
