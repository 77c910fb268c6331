// One row, stage by stage: its numbers, what stands on one screen with it, and what moves when a switch is flipped.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { StageId } from '../../web/src/engine/engine.ts';
import { Random } from '../lib/random.ts';
import { type Playground, Reader } from '../lib/page.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const SCREEN = { viewport: { width: 1280, height: 720 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const drawn = (page: Playground) => page.page.locator('.row-drawing').waitFor();
const link = (text: string) => `#v1&text=${encodeURIComponent(text)}`;

/** The table that stands behind the bars: each stage's numbers, key by key. */
const numbers = async (page: Playground): Promise<Record<string, string[]>> => {
  await page.page.locator('.row-figure .unseen[aria-busy=false]').waitFor({ state: 'attached' });
  return page.page.locator('.row-figure td').evaluateAll((cells) => {
    const found: Record<string, string[]> = {};
    for (const cell of cells) (found[(cell as HTMLElement).dataset['stage'] ?? ''] ??= []).push(cell.textContent ?? '');
    return found;
  });
};

/** Whether a number of the engine is written so: to the digits that are there, as a share of 100, or as less than 1 of it. */
function isRounded(word: string, number: number): boolean {
  if (word === '<1%') return number > 0 && number < 0.01;
  if (word === '−∞') return number === -Infinity;
  const [, sign = '', whole = '', digits = '', percent = ''] = /^(−?)(\d+)(?:\.(\d+))?(%?)$/.exec(word) ?? [];
  const written = Number(`${sign && '-'}${whole}.${digits}0`);
  return Math.abs(written - number * (percent ? 100 : 1)) <= 0.5 * 10 ** -digits.length * (1 + 1e-5);
}

async function assertNumbers(page: Playground, what: string): Promise<void> {
  const { head, query } = await page.read();
  const shown = await numbers(page);
  assert.ok(['scores', 'scaled_scores', 'masked_scores', 'weights'].every((id) => id in shown), what);
  for (const [id, words] of Object.entries(shown)) {
    const all = await page.stage(id as StageId);
    const at = (head * (await page.tokens()).length + query) * words.length;
    const those = [...all.subarray(at, at + words.length)];
    assert.ok(words.length > 0 && words.every((word, i) => isRounded(word, those[i] ?? NaN)), `${what}: ${id}: ${words.join(' ')} for ${those.join(' ')}`);
  }
}

test('its numbers are the engine’s, for random settings', async () => {
  const page = await reader.open();
  await drawn(page);
  const random = new Random(23);
  for (let i = 0; i < 6; i += 1) {
    const settings = random.anySettings();
    const wanted = { mask: settings.mask, scale: settings.scale, scale_factor: settings.scale_factor, temperature: settings.temperature, softcap: settings.softcap, dropout: settings.dropout, positions: settings.positions };
    await page.set(wanted);
    await page.ready();
    await assertNumbers(page, JSON.stringify(wanted));
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('everything named stands on one screen at 1280 × 720, and no switch moves the sentence', async () => {
  const page = await reader.open({ context: SCREEN });
  await drawn(page);
  for (const selector of ['.switch-bar', '#text', '.row-words', '.row-drawing', '.row-play', '.row-step >> nth=4', '.matrix canvas', '.heads-scroll label >> nth=3']) {
    const box = await page.page.locator(selector).boundingBox();
    assert.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 1280 && box.y + box.height <= 720, `${selector}: ${JSON.stringify(box)}`);
  }
  const places = async () => Promise.all(['#text', '.row-drawing', '.matrix canvas', '.switch-bar'].map(async (selector) => (await page.page.locator(selector).boundingBox())?.y));
  const before = await places();
  for (const wanted of [{ scale: 'none' }, { mask: 'none' }, { source: 'designed' }, { source: 'random' }] as const) {
    await page.set(wanted);
    await page.settled();
    await page.page.evaluate(() => scrollTo(0, 0));
    assert.deepEqual(await places(), before, JSON.stringify(wanted));
  }
  await page.close();
});

for (const language of ['en', 'es', 'zh-Hans']) {
  test(`on that screen every head stands by its name, whole, and a press chooses it, in ${language}`, async () => {
    const page = await reader.open({ context: SCREEN, fragment: `#v1&parameters=designed&lang=${language}` });
    await drawn(page);
    const heads = page.page.locator('.heads-scroll label');
    assert.equal(await heads.count(), 8);
    const heights = new Set<number>();
    for (const head of await heads.all()) {
      const name = await head.getAttribute('title') ?? '';
      assert.ok(name.length > 1);
      await head.click();
      assert.ok(await head.locator('input').isChecked());
      const words = head.locator('.says');
      assert.equal(await words.innerText(), name);
      const [box, own, area, legend] = await Promise.all([words, head, page.page.locator('.heads-area'), page.page.locator('.legend')].map(async (each) => await each.boundingBox() ?? assert.fail(name)));
      assert.ok(box && own && area && legend && box.y + box.height <= 720 && box.x + box.width <= own.x + own.width + 0.5 && box.height <= own.height + 0.5, `${name}: ${JSON.stringify({ box, own })}`);
      assert.ok(legend.y + legend.height <= area.y && area.y + area.height <= 720, `${name}: ${JSON.stringify({ legend, area })}`);
      assert.ok(await words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), name);
      heights.add(area.height);
      const title = await page.page.locator('.matrix-title').evaluate((line) => ({ words: (line.firstElementChild as HTMLElement).innerText, cut: (line.firstElementChild?.getBoundingClientRect().bottom ?? NaN) - line.getBoundingClientRect().bottom }));
      assert.ok(title.words.includes(name) && title.cut <= 0.5, JSON.stringify(title));
    }
    assert.equal(heights.size, 1);
    await page.set({ source: 'random' });
    await page.settled();
    assert.deepEqual((await heads.allInnerTexts()).map((words) => words.replace(/\D+/, '')), ['1', '2', '3', '4']);
    await page.close();
  });

  test(`no switch moves, whatever is typed and chosen, in ${language}`, async () => {
    for (const [width, hasTouch] of [[736, false], [744, true], [1024, false], [1280, false]] as const) {
      const page = await reader.open({ context: { viewport: { width, height: 1024 }, hasTouch }, fragment: `#v1&lang=${language}` });
      await drawn(page);
      const places = () => page.page.locator('.switch-bar, .switch-line fieldset, .more, .switch-line .segments, fieldset[data-setting=mask] .segment, fieldset[data-setting=scale] .segment').evaluateAll((all) => all.map((each) => {
        const { x, y, height } = each.getBoundingClientRect();
        return { name: each.className || (each as HTMLElement).dataset['setting'], x, y, height };
      }));
      const before = await places();
      // Where all stand in one line, other numbers of heads to choose from take a pixel more.
      const limit = width === 1280 ? 1.5 : 0;
      const moved = async () => (await places()).filter(({ x, y, height }, i) => [x - (before[i]?.x ?? NaN), y - (before[i]?.y ?? NaN), height - (before[i]?.height ?? NaN)].some((by) => !(Math.abs(by) <= limit)));
      const over = await page.page.locator('.switch-line .segments, .switch-line .slider, .more').evaluateAll((all) => {
        const boxes = all.map((each) => each.getBoundingClientRect());
        return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
      });
      assert.deepEqual(over, [], `${width} px`);
      for (const text of ['cat', Array.from({ length: 40 }, () => 'word').join(' '), '', 'the cat sat on the mat']) {
        await page.replace(text);
        await page.settled();
        assert.deepEqual(await moved(), [], `${width} px: ${text.slice(0, 20)}`);
      }
      for (const wanted of [{ mask: 'none' }, { scale: 'none' }, { source: 'designed' }, { source: 'random' }] as const) {
        await page.set(wanted);
        await page.settled();
        await page.page.evaluate(() => scrollTo(0, 0));
        assert.deepEqual(await moved(), [], `${width} px: ${JSON.stringify(wanted)}`);
      }
      await page.close();
    }
  });
}

test('a sentence of few words leaves room for its row, and one of several lines begins where its row does', async () => {
  const few = await reader.open({ context: SCREEN, fragment: link('the cat sat') });
  await drawn(few);
  const box = await few.page.locator('.row-play').boundingBox();
  assert.ok(box && box.y + box.height <= 720, JSON.stringify(box));
  await few.close();
  for (const width of [820, 1280]) {
    const page = await reader.open({ context: { viewport: { width, height: 900 } }, fragment: link(Array.from({ length: 18 }, (_, i) => `number${i}`).join(' ')) });
    await drawn(page);
    const left = async (selector: string) => Math.round((await page.page.locator(selector).boundingBox())?.x ?? NaN);
    assert.equal(await left('.sentence-box:not([data-keys])'), await left('.row-words'), `${width} px`);
    await page.close();
  }
});

test('on a phone all four switches are in view, and nothing scrolls sideways', async () => {
  const page = await reader.open({ context: PHONE });
  await drawn(page);
  for (const name of ['mask', 'scale', 'heads', 'parameters']) {
    const box = await page.page.locator(`[data-setting=${name}] select`).boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844 && box.height >= 44, `${name}: ${JSON.stringify(box)}`);
  }
  assert.equal(await page.page.locator('.row-drawing .bars').count(), 1, 'one stage at a time');
  await page.page.locator('.row-step[data-step=scores]').tap();
  assert.equal(await page.page.locator('[data-bar^="scores "]').count(), 11);
  await page.close();
});

for (const viewport of [{ width: 390, height: 844 }, { width: 360, height: 740 }, { width: 320, height: 640 }]) {
  test(`on a phone ${viewport.width} px wide the four switches stay in reach while the stage scrolls, and a model's own go elsewhere`, async () => {
    const page = await reader.open({ fragment: '#', context: { ...PHONE, viewport } });
    await drawn(page);
    const line = page.page.locator('.switch-line:not(.added)');
    const places = () => page.page.locator('.switch-line:not(.added) select').evaluateAll((all) => all.map((each) => { const { x, y, width, height } = each.getBoundingClientRect(); return { x, y, width, height }; }));
    const before = await places();
    assert.ok(before.length === 4 && before.every(({ height, width }) => height >= 44 && width >= 44), JSON.stringify(before));
    await page.page.evaluate(() => scrollTo(0, 320));
    await page.page.waitForTimeout(100);
    const box = await line.boundingBox();
    assert.ok(box && Math.abs(box.y) < 1 && box.height <= 110, JSON.stringify(box));
    await page.page.locator('[data-setting=scale] select').selectOption('none');
    await page.still();
    assert.ok(Math.abs((await line.boundingBox())?.y ?? NaN) < 1, 'a switch is turned where it is');
    await page.page.evaluate(() => scrollTo(0, 0));
    await page.page.locator('[data-setting=parameters] select').selectOption('trained');
    await page.settled();
    await page.page.locator('.switch-line.added').waitFor();
    assert.deepEqual(await places(), before, 'no switch moves');
    const [added, figure] = [await page.page.locator('.switch-line.added').boundingBox(), await page.page.locator('.row-figure').boundingBox()];
    assert.ok(added && figure && added.y >= figure.y + figure.height, 'what a model adds comes behind the row');
    assert.ok(await page.page.evaluate(() => document.documentElement.scrollWidth) <= viewport.width);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

for (const [width, height, hasTouch] of [[600, 960, false], [768, 1024, true], [1000, 800, false]] as const) {
  test(`on a tablet ${width} px wide the four switches stay in reach while the stage scrolls, and none moves`, async () => {
    const page = await reader.open({ fragment: '#', context: { viewport: { width, height }, hasTouch } });
    await drawn(page);
    await page.still();
    const places = () => page.page.locator('.switch-line:not(.added) > *').evaluateAll((all) => all.map((each) => { const { x, y, width: wide, height: high } = each.getBoundingClientRect(); return [x, y, wide, high].map(Math.round).join(' '); }));
    const inReach = () => page.page.locator('.switch-line:not(.added)').evaluate((line) => {
      const controls = [...line.querySelectorAll<HTMLElement>('select, .segment')].map((each) => each.getBoundingClientRect());
      const root = line.getRootNode() as ShadowRoot;
      return controls.length >= 4 && controls.every(({ left, top, width: wide, height: high }) => top >= 0 && line.contains(root.elementFromPoint(left + wide / 2, top + high / 2)));
    });
    const before = await places();
    await page.page.evaluate(() => scrollTo(0, 700));
    await page.page.waitForTimeout(100);
    assert.ok(await inReach());
    const stuck = await places();
    const scale = page.page.locator('[data-setting=scale]');
    if (await scale.locator('select').count()) await scale.locator('select').selectOption('none');
    else await scale.locator('.segment', { hasText: 'none' }).click();
    await page.still();
    assert.ok(await inReach());
    assert.deepEqual(await places(), stuck, 'a switch is turned where it is');
    await page.page.evaluate(() => scrollTo(0, 0));
    await page.page.waitForTimeout(100);
    assert.deepEqual(await places(), before);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

for (const language of ['en', 'es', 'zh-Hans']) {
  test(`on a phone the head stands by its name and is changed there, arcs run between the lines of eleven words, and nothing lies on what is said, in ${language}`, async () => {
    const page = await reader.open({ fragment: `#v1&parameters=designed&lang=${language}`, context: PHONE });
    await drawn(page);
    await page.still();
    const arcs = await page.page.locator('.sentence-box').evaluate((box) => {
      const mirror = box.querySelector('.mirror') as HTMLElement;
      const text = document.createRange();
      const wordOf = (node: Node | null | undefined, word: string): DOMRect => {
        const from = node?.textContent?.indexOf(word) ?? 0;
        text.setStart(node as Node, from);
        text.setEnd(node as Node, from + word.length);
        return text.getBoundingClientRect();
      };
      const [animal, street, it] = [wordOf(mirror.firstChild, 'animal'), wordOf(mirror.firstChild, 'street'), wordOf(mirror.querySelector('.query')?.firstChild, 'it')];
      const within = ({ left, right, bottom }: DOMRect, path: Element) => path.getBoundingClientRect().top >= bottom - 1 && path.getBoundingClientRect().bottom <= it.top + 9 && path.getBoundingClientRect().right > left && path.getBoundingClientRect().left < right;
      const paths = [...box.querySelectorAll('.arcs path')];
      return { count: paths.length, most: paths.filter((path) => path.matches('.chosen') && within(animal, path)).length, some: paths.filter((path) => !path.matches('.chosen') && within(street, path)).length };
    });
    assert.deepEqual(arcs, { count: 2, most: 1, some: 1 }, 'to animal and street, between them and it');
    assert.equal(await page.page.locator('.row-arc').count(), 0, 'and not once more beside the rows');
    const head = page.page.locator('.head-switch select');
    const box = await head.boundingBox();
    assert.ok(box && box.height >= 44 && box.y + box.height < 300, JSON.stringify(box));
    const names = await page.page.locator('.heads-scroll label').evaluateAll((all) => all.map((each, i) => `${i + 1}: ${each.getAttribute('title')}`));
    assert.deepEqual((await head.locator('option').allTextContents()).map((words) => words.trim()), names);
    assert.equal(await head.inputValue(), '4');
    await head.selectOption('0');
    await page.still();
    assert.equal((await page.read()).head, 0);
    await head.selectOption('4');
    await page.still();
    const places = () => page.page.locator('.row-figure, .row-steps, .row-line').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().y));
    const before = await places();
    await page.page.locator('[data-setting=scale] select').selectOption('none');
    await page.page.locator('.row-was').waitFor();
    await page.still();
    assert.deepEqual(await places(), before, 'nothing moves for it');
    const over = await page.page.locator('.row-line').evaluate((line) => {
      const said = document.createRange();
      said.selectNodeContents(line.querySelector('.row-words') as Element);
      const was = line.querySelector('.row-was')?.getBoundingClientRect() as DOMRect;
      return [...said.getClientRects()].some((each) => each.left < was.right && was.left < each.right && each.top < was.bottom - 1 && was.top < each.bottom - 1);
    });
    assert.ok(!over, '“before the last change” lies on the sentence');
    assert.ok(await page.page.locator('.ghost-bar').count() > 0);
    await page.close();
  });

  test(`on a phone switches, sentence, stage and buttons stand on one screen, in ${language}`, async () => {
    const page = await reader.open({ fragment: `#v1&parameters=designed&lang=${language}`, context: PHONE });
    await drawn(page);
    const edge = async (selector: string) => (await page.page.locator(selector).last().boundingBox()) ?? { y: NaN, height: NaN };
    const [last, bar] = [await edge('.row-drawing .row-word'), await edge('.row-bar')];
    assert.equal(await page.page.locator('.row-drawing .row-word').count(), 11);
    assert.ok(last.y + last.height <= bar.y && bar.y + bar.height <= 844, `the last word ${JSON.stringify(last)}, the buttons ${JSON.stringify(bar)}`);
    await page.close();
  });
}

const WORDS = 'the animal did not cross the wide street because it was too tired'.split(' ');
for (const width of [390, 820, 1280]) {
  test(`5 to 64 words fit without scrolling sideways, ${width} px wide`, async () => {
    for (const count of [5, 11, 18, 40, 64]) {
      const text = Array.from({ length: count }, (_, i) => WORDS[i % WORDS.length]).join(' ');
      const page = await reader.open({ fragment: link(text), context: { viewport: { width, height: 800 } } });
      await drawn(page);
      assert.ok(await page.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${count} words`);
      const room = await page.page.locator('.row-figure').evaluate((figure) => {
        const [outer, inner] = [figure, figure.querySelector('svg') as SVGElement].map((each) => each.getBoundingClientRect());
        return { across: (outer?.right ?? 0) - (inner?.right ?? 0), down: (outer?.bottom ?? 0) - (inner?.bottom ?? 0) };
      });
      assert.ok(room.across >= -0.5 && room.down >= -0.5, `${count} words: ${JSON.stringify(room)}`);
      if (width === 1280) {
        const columns = await page.page.locator('.matrix').evaluate((matrix) => matrix.scrollWidth - matrix.clientWidth);
        assert.ok(columns <= 0, `${count} words: ${columns} px of the matrix are out of sight`);
      }
      await page.close();
    }
  });
}

/** Words that fill one screen: where each stands, its type, and what else stands there. */
const screenOf = (page: Playground) => page.page.evaluate(() => {
  const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
  const box = (each: Element) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return { of: `${each.getAttribute('class')} ${each.textContent?.slice(0, 20)}`, left, right, top, bottom };
  };
  const all = (selector: string) => [...root.querySelectorAll(selector)];
  const size = (each: Element) => Number(each.getAttribute('font-size'));
  const rows = all('.row-word').map((each) => ({ key: Number(each.getAttribute('data-word')), size: size(each), isStrong: each.matches('.query, .key'), ...box(each) }));
  return { rows, arcs: all('.row-arcs .row-arc').map(box), names: all('.strip-name').map(box), rest: all('.row-drawing, .row-words, .row-play, .row-step, .matrix canvas, .heads-scroll label, .sentence-box').map(box), matrix: all('.matrix').map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth) };
});

for (const count of [18, 40, 64]) {
  test(`${count} words stand on one screen of 1280 × 720: every row, legible, with arcs and every column of the matrix`, async () => {
    const text = Array.from({ length: count }, (_, i) => WORDS[i % WORDS.length]).join(' ');
    const page = await reader.open({ fragment: `${link(text)}&parameters=random`, context: { ...SCREEN, reducedMotion: 'reduce' } });
    await drawn(page);
    const look = async (what: string) => {
      await page.settled();
      const seen = await screenOf(page);
      const { query, key } = await page.read();
      assert.deepEqual(seen.rows.map((row) => row.key), [...Array(count).keys()], what);
      for (const { left, right, top, bottom, of } of [...seen.rows, ...seen.arcs, ...seen.names, ...seen.rest]) assert.ok(left >= 0 && right <= 1280 && top >= 0 && bottom <= 720.5, `${what}: ${of} at ${[left, top, right, bottom].map(Math.round)}`);
      const most = seen.rows.filter(({ isStrong }) => !isStrong).map(({ size }) => size);
      assert.ok(Math.min(...most) >= 10.5, `${what}: ${Math.min(...most)} px`);
      assert.deepEqual(seen.rows.filter(({ isStrong }) => isStrong).map((row) => row.key).sort((a, b) => a - b), [...new Set([query, key])].sort((a, b) => a - b), what);
      for (const { isStrong, size } of seen.rows) assert.ok(!isStrong || size > Math.min(...most), `${what}: the chosen are larger`);
      assert.ok(seen.arcs.length > 0, `${what}: arcs`);
      assert.equal(await page.page.locator(`[data-arc="${key}"].chosen`).count(), 1, `${what}: the chosen arc`);
      assert.ok(seen.names.length >= 5, `${what}: names of strips`);
      assert.ok(seen.matrix.every((over) => over <= 0), `${what}: columns of the matrix`);
      return new Map(seen.rows.filter(({ size }) => size === Math.min(...most)).map(({ key: at, top, right, left }) => [at, [Math.round(top), Math.round(count > 24 && at < count / 2 ? right : left)]]));
    };
    const before = await look('opened');
    for (const query of [0, Math.floor(count / 2), count - 1]) {
      await page.page.locator(`.row-word[data-word="${query}"]`).click();
      await look(`row ${query}`);
    }
    await page.set({ scale: 'none' });
    await look('undivided');
    assert.ok(await page.page.locator('.row-was').isVisible());
    await page.page.locator(`.row-word[data-word="${count - 1}"]`).click();
    for (const [key, at] of await look('the last row')) if (before.has(key)) assert.deepEqual(at, before.get(key), `word ${key} stays where it was`);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

for (const [width, height] of [[600, 900], [768, 1024], [900, 1024], [1024, 768]] as const) {
  test(`18, 40 and 64 words stand whole on a screen of ${width} × ${height}: on one line, or as rows with arcs`, async () => {
    for (const count of [18, 40, 64]) {
      const text = Array.from({ length: count }, (_, i) => WORDS[i % WORDS.length]).join(' ');
      const page = await reader.open({ fragment: `${link(text)}&parameters=random`, context: { viewport: { width, height }, reducedMotion: 'reduce' } });
      await drawn(page);
      await page.settled();
      assert.ok(await page.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${count} words`);
      const { rows, arcs } = await screenOf(page);
      if (await page.page.locator('.sentence-box.arched').count() === 1) {
        assert.equal(await page.page.locator('[data-bar^="weights "]').count(), count);
      } else {
        assert.deepEqual(rows.map(({ key }) => key), [...Array(count).keys()]);
        assert.ok(arcs.length > 0, `${count} words: arcs`);
        for (const { left, right, top, bottom, of, size } of rows) assert.ok(size >= 10.5 && left >= 0 && right <= width && top >= 0 && bottom <= height + 3, `${of} of ${count} at ${[left, top, right, bottom].map(Math.round)}`);
        const { query } = await page.read();
        const places = () => page.page.evaluate(() => ['.sentence-box', '.row-drawing'].map((selector) => document.querySelector('attention-playground')?.shadowRoot?.querySelector(selector)?.getBoundingClientRect().top));
        const before = await places();
        await page.set({ scale: 'none' });
        await page.settled();
        assert.deepEqual(await places(), before, `${count} words: a switch moves nothing`);
        await page.page.locator(`.row-word[data-word="${query - 1}"]`).click();
        assert.equal((await page.read()).query, query - 1);
      }
      assert.deepEqual(page.problems, []);
      await page.close();
    }
  });
}

for (const language of ['en', 'es']) {
  test(`with a second sentence nothing beside a long first one is covered, and the numbers under the second are whole, in ${language}`, async () => {
    const text = Array.from({ length: 40 }, (_, i) => WORDS[i % WORDS.length]).join(' ');
    for (const keys of [11, 30]) {
      const page = await reader.open({ fragment: `${link(text)}&key-text=${encodeURIComponent(text.split(' ').slice(0, keys).join(' '))}&parameters=designed&lang=${language}`, context: SCREEN });
      await drawn(page);
      await page.settled();
      const box = async (selector: string) => await page.page.locator(selector).boundingBox() ?? assert.fail(selector);
      const [matrix, legend, heads, second] = [await box('.matrix'), await box('.legend'), await box('.heads-area'), await box('[data-keys]')];
      assert.ok(matrix.y + matrix.height <= legend.y + 1 && legend.y + legend.height <= heads.y + 1 && heads.y + heads.height <= 721, JSON.stringify({ keys, matrix, legend, heads }));
      const words = await page.page.locator('[data-keys] .mirror').evaluate((mirror) => {
        const range = document.createRange();
        range.selectNodeContents(mirror);
        return range.getBoundingClientRect().bottom;
      });
      // Their numbers, of 14 px, begin 10 px under the words.
      assert.ok(second.y + second.height - words >= 24, `${keys} words: ${second.y + second.height - words} px under them`);
      await page.close();
    }
  });
}

test('the largest share’s stream is seen, wherever its word stands, and each of its numbers is written, whichever word is chosen', async () => {
  for (const row of [3, 12]) {
    const { page } = await reader.open({ fragment: `#v1&parameters=trained&row=${row}&key=2`, context: SCREEN });
    await page.locator('.row-drawing .outcome-room').waitFor({ timeout: 20_000 });
    const { stream, room, missing } = await page.locator('.row-drawing').evaluate((drawing) => {
      const streams = [...drawing.querySelectorAll<SVGPathElement>('.stream')];
      const most = streams.reduce((top, each) => (Number(each.getAttribute('stroke-width')) > Number(top.getAttribute('stroke-width')) ? each : top));
      const numbers = [...drawing.querySelectorAll('.number')].map((number) => number.textContent ?? '');
      const table = drawing.parentElement?.querySelectorAll('tbody tr')[Number(most.dataset['stream'])];
      return { stream: most.getBoundingClientRect().width, room: drawing.querySelector('.outcome-room')?.getBoundingClientRect().width ?? 0, missing: [...table?.querySelectorAll('td') ?? []].map((cell) => cell.textContent ?? '').filter((said) => !numbers.includes(said)) };
    });
    assert.ok(stream > room / 2, `row ${row}: a stream ${stream} px long`);
    assert.deepEqual(missing, [], `row ${row}`);
    await page.context().close();
  }
});

test('between narrow strips of rows every number ends before the next strip begins', async () => {
  const text = Array.from({ length: 24 }, (_, i) => WORDS[i % WORDS.length]).join(' ');
  const page = await reader.open({ fragment: `${link(text)}&parameters=random`, context: { ...SCREEN, reducedMotion: 'reduce' } });
  await drawn(page);
  for (const wanted of [{ scale: 'none' }, { scale: 'factor', scale_factor: 0.002 }] as const) {
    await page.set(wanted);
    for (const key of [23, 12, 5]) {
      await page.walkTo(23, key);
      const close = await page.page.locator('.row-drawing').evaluate((drawing) => {
        const marks = [...drawing.querySelectorAll('.bar, .zero, .number')].map((mark) => ({ of: (mark.getAttribute('data-bar') ?? mark.getAttribute('data-number') ?? '').split(' ')[0], ...mark.getBoundingClientRect().toJSON() as DOMRect }));
        return [...drawing.querySelectorAll<SVGElement>('.number')].flatMap((number) => {
          const [id = '', { left, right, top, bottom }] = [number.dataset['number']?.split(' ')[0], number.getBoundingClientRect()];
          return marks.filter((mark) => mark.of !== id && mark.left >= left + 2 && mark.left < right + 1 && mark.top < bottom - 4 && mark.bottom > top + 4).map((mark) => `${id}: ${number.textContent} at ${left} to ${right}, ${mark.of} at ${mark.left}`);
        });
      });
      assert.deepEqual(close, [], `${wanted.scale}, column ${key}`);
      assert.deepEqual(await coveredNumbers(page), [], `${wanted.scale}, column ${key}`);
    }
  }
  assert.ok(await page.page.locator('.number').count() > 0);
  await page.close();
});

test('names of strips over rows lie beside each other: of six strips, and on a tablet', async () => {
  const text = Array.from({ length: 18 }, (_, i) => WORDS[i % WORDS.length]).join(' ');
  for (const [language, viewport] of [['en', SCREEN.viewport], ['es', SCREEN.viewport], ['en', { width: 680, height: 1000 }], ['es', { width: 680, height: 1000 }]] as const) {
    const page = await reader.open({ fragment: `${link(text)}&parameters=random&lang=${language}`, context: { viewport } });
    await drawn(page);
    if (viewport.width > 1000) await page.set({ softcap: 5, dropout: 0.3 });
    await page.settled();
    const names = await page.page.locator('.row-drawing .strip-name text').evaluateAll((all) => all.map((name) => ({ of: name.textContent, ...name.getBoundingClientRect().toJSON() as DOMRect })));
    assert.ok(names.length >= 5);
    const over = names.flatMap((a, i) => names.slice(i + 1).filter((b) => a.left < b.right + 2 && b.left < a.right + 2 && a.top < b.bottom - 4 && b.top < a.bottom - 4).map((b) => `${a.of} and ${b.of}`));
    assert.deepEqual(over, [], `${language}, ${viewport.width} px`);
    await page.close();
  }
});

test('heads lie on none of the switches that are opened', async () => {
  const page = await reader.open({ context: SCREEN });
  await drawn(page);
  await page.openMore();
  const [more, heads] = await Promise.all(['.more-groups', '.heads-area'].map((selector) => page.page.locator(selector).boundingBox()));
  assert.ok(more && heads && heads.y >= more.y + more.height, JSON.stringify({ more, heads }));
  await page.close();
});

for (const count of [18, 40]) {
  test(`a share of 100% with itself is a loop that can be seen through, with its head, in the first and the last of ${count} rows`, async () => {
    const text = Array.from({ length: count }, (_, i) => WORDS[i % WORDS.length]).join(' ');
    const page = await reader.open({ fragment: `${link(text)}&parameters=random`, context: { ...SCREEN, reducedMotion: 'reduce' } });
    await drawn(page);
    await page.set({ mask: 'window', window_left: 0, window_right: 0 });
    for (const query of [0, count - 1]) {
      await page.page.locator(`.row-word[data-word="${query}"]`).click();
      const seen = await page.page.locator('.row-drawing').evaluate((drawing, at) => {
        const [arc, head] = ['.row-arc', '.row-head'].map((selector) => drawing.querySelector(`.row-arcs ${selector}`)) as [SVGPathElement, SVGPathElement];
        const [word, row] = [`[data-word="${at}"]`, '.own-row'].map((selector) => drawing.querySelector(selector)) as [SVGTextElement, SVGRectElement];
        const thick = Number(arc.getAttribute('stroke-width'));
        const [line, tip, letters] = [arc.getBBox(), head.getBBox(), word.getBBox()];
        const isInk = (x: number, y: number) => arc.isPointInStroke(new DOMPoint(x, y)) || head.isPointInFill(new DOMPoint(x, y));
        /** From above to below: how long ink and paper are. */
        const runsAt = (x: number) => {
          const runs: [boolean, number][] = [];
          for (let y = line.y - thick; y < line.y + line.height + thick; y += 0.25) {
            const last = runs.at(-1);
            if (last?.[0] === isInk(x, y)) last[1] += 0.25;
            else runs.push([isInk(x, y), 0.25]);
          }
          return runs;
        };
        const columns = Array.from({ length: Math.floor(line.width) }, (_, i) => runsAt(line.x + i)).filter(({ length }) => length === 5);
        return {
          thick, columns, headTo: tip.height / thick, away: Math.min(Math.abs(tip.x - letters.x - letters.width), Math.abs(tip.x + tip.width - letters.x)),
          off: Math.abs(tip.y + tip.height / 2 - row.y.baseVal.value - row.height.baseVal.value / 2), below: line.y + line.height + thick / 2 - drawing.clientHeight,
        };
      }, query);
      assert.ok(seen.thick >= 8.9, `${seen.thick} px thick`);
      const inside = seen.columns.map(([, , through]) => through?.[1] ?? 0);
      assert.ok(Math.max(...inside) >= 7 && inside.length >= 8, `row ${query}: paper inside, from column to column ${inside}`);
      for (const [, over, , under] of seen.columns) assert.ok((over?.[1] ?? 0) >= 8 && (under?.[1] ?? 0) >= 8, 'as thick all around');
      assert.ok(seen.headTo >= 1.5 && seen.away < 9 && seen.off < 1, `the head: ${JSON.stringify({ ...seen, columns: [] })}`);
      assert.ok(seen.below <= 0.5, `row ${query}: ${seen.below} px below the rows`);
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('on a phone nothing covers the row of a word that is typed, and the sheet about a chosen one leaves its row in view', async () => {
  const page = await reader.open({ context: { ...PHONE, viewport: { width: 360, height: 740 } } });
  await drawn(page);
  await page.textBox.press('Control+End');
  await page.type(' today');
  await page.page.keyboard.press('ArrowLeft');
  await page.page.keyboard.press('Control+ArrowLeft');
  await page.settled();
  assert.equal(await page.page.locator('.row-sheet').count(), 0);
  const words = page.page.locator('.row-drawing .row-word');
  for (const at of [0, await words.count() - 1]) {
    await words.nth(at).tap();
    await page.page.locator('.row-sheet').waitFor();
    await page.page.waitForFunction(() => {
      const root = document.querySelector('attention-playground')?.shadowRoot;
      const sheet = root?.querySelector('.row-sheet')?.getBoundingClientRect();
      return sheet && [...root?.querySelectorAll('.row-drawing .row-word:is(.query, .key)') ?? []].every((word) => word.getBoundingClientRect().bottom <= sheet.top && word.getBoundingClientRect().top >= 0);
    }, null, { timeout: 5000 });
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

const [LARGE, SMALL] = [{ width: 390, height: 844 }, { width: 375, height: 812 }];
for (const [count, language, viewport] of [[18, 'en', LARGE], [40, 'en', LARGE], [64, 'en', LARGE], [64, 'es', LARGE], [64, 'en', SMALL], [64, 'es', SMALL], [64, 'zh-Hans', SMALL]] as const) {
  test(`on a phone ${viewport.width} px wide the chosen of ${count} words and what comes of it are on the screen, in ${language}`, async () => {
    const text = Array.from({ length: count }, (_, i) => WORDS[i % WORDS.length]).join(' ');
    const page = await reader.open({ fragment: `${link(text)}&parameters=designed&lang=${language}`, context: { ...PHONE, viewport } });
    await drawn(page);
    await page.settled();
    const bar = (await page.page.locator('.row-bar').boundingBox())?.y ?? NaN;
    for (const selector of ['.row-words', '.row-word.query', `.row-word[data-word="${(await page.read()).key}"]`, `.row-word[data-word="${count - 1}"]`]) {
      const box = await page.page.locator(selector).boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= bar + 2 && box.x >= 0 && box.x + box.width <= viewport.width, `${selector}: ${JSON.stringify(box)}, the buttons at ${bar}`);
    }
    assert.equal(await page.page.locator('.row-word').count(), count);
    assert.equal(await page.page.locator('.row-arc.chosen').count(), 1);
    assert.deepEqual(await page.page.locator('.row-word.strong').evaluateAll((all) => all.map((each) => each.textContent ?? '').filter((word) => word.endsWith('…'))), [], 'what is said of is written whole');
    await page.close();
  });
}

for (const [shape, count, width, height] of [['under its sentence', 11, 1440, 1000], ['as rows of a phone', 18, 390, 844], ['as two blocks of rows', 64, 1280, 720]] as const) {
  test(`a click in the strips chooses the word that is looked at, one on its word the word that looks: ${shape}`, async () => {
    const text = Array.from({ length: count }, (_, i) => WORDS[i % WORDS.length]).join(' ');
    const page = await reader.open({ fragment: `${link(text)}&parameters=random&mask=none`, context: { viewport: { width, height }, reducedMotion: 'reduce' } });
    await drawn(page);
    await page.settled();
    for (const key of [0, 4, count - 1]) {
      const placesOf = () => page.page.evaluate((key) => {
        const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
        const middle = (element: Element) => { const { left, right, top, bottom } = element.getBoundingClientRect(); return { x: (left + right) / 2, y: (top + bottom) / 2 }; };
        const word = root.querySelector(`.row-word[data-word="${key}"]`);
        if (!word) return { strip: middle(root.querySelector(`[data-bar="scores ${key}"]`) as Element), word: null };
        const { x, y } = middle(word);
        // Of the areas in its row, the one that the word does not lie in.
        const strips = [...root.querySelectorAll('.hit')].map((area) => area.getBoundingClientRect()).filter(({ top, bottom, left, right }) => top <= y && y <= bottom && (x < left || x > right));
        const away = ({ left, right }: DOMRect) => Math.max(left - x, x - right);
        const nearest = strips.sort((a, b) => away(a) - away(b))[0] as DOMRect;
        return { strip: { x: (nearest.left + nearest.right) / 2, y }, word: { x, y } };
      }, key);
      const { strip } = await placesOf();
      await page.page.mouse.click(strip.x, strip.y);
      assert.equal((await page.read()).key, key);
      // The sheet about the chosen cell may have moved the rows.
      const { word } = await placesOf();
      if (!word) continue;
      await page.page.mouse.click(word.x, word.y);
      assert.equal((await page.read()).query, key);
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('keys play it and step through it; a switch leaves outlines of what was, until Escape', async () => {
  const page = await reader.open({ context: { reducedMotion: 'reduce' } });
  await drawn(page);
  const step = () => page.page.locator('.row-step[aria-current]').getAttribute('data-step');
  await page.page.locator('.row-figure').focus();
  assert.equal(await step(), 'weights');
  await page.page.keyboard.press('ArrowLeft');
  assert.equal(await step(), 'masked_scores');
  await page.page.keyboard.press('ArrowUp');
  assert.equal((await page.read()).query, 6);
  await page.page.keyboard.press('ArrowDown');
  await page.page.keyboard.press('Space');
  assert.equal(await step(), 'scores');
  assert.equal(await page.page.locator('[data-bar^="weights "]').count(), 0, 'later stages are empty');
  await page.page.locator('.row-step[data-step=context][aria-current]').waitFor();
  await page.page.locator('.row-play[aria-pressed=false]').waitFor();
  assert.equal(await page.page.locator('.ghost-bar').count(), 0);
  await page.set({ scale: 'none' });
  assert.ok(await page.page.locator('.ghost-bar').count() > 0);
  assert.match(await page.page.locator('.changed-shares').innerText(), /^\d+ of 66 shares changed$/);
  await page.page.locator('.row-figure').focus();
  await page.page.keyboard.press('Escape');
  assert.equal(await page.page.locator('.ghost-bar').count(), 0);
  // Other parameters change the head that is seen, too.
  for (const source of ['designed', 'random'] as const) {
    await page.set({ source });
    await page.settled();
    assert.ok(await page.page.locator('.ghost-bar').count() > 0, source);
    assert.match(await page.page.locator('.changed-shares').innerText(), /^\d+ of 66 shares changed$/, source);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('flipped, everything moves at once; played, bars drop from the strip before: each from where it was, and nothing is painted on the way', async () => {
  const page = await reader.open();
  await drawn(page);
  const at = (selector: string) => page.page.locator(selector).evaluateAll((all) => Object.fromEntries(all.map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [each.getAttribute('data-bar') ?? each.getAttribute('class') ?? '', [x, y, width, height].map(Math.round)];
  })));
  /** What moves now, held at its beginning, in the places that it then has. */
  const held = async () => {
    const found = await page.page.waitForFunction(() => {
      const moving = document.querySelector('attention-playground')?.shadowRoot?.getAnimations().filter(({ effect }) => (effect as KeyframeEffect).target?.closest('.row-drawing')) ?? [];
      for (const each of moving) {
        each.pause();
        each.currentTime = 0;
      }
      const known = new Set(['offset', 'computedOffset', 'easing', 'composite']);
      return moving.length > 0 && moving.map(({ effect }) => ({
        of: (effect as KeyframeEffect).target?.getAttribute('data-bar') ?? '',
        ways: [...new Set((effect as KeyframeEffect).getKeyframes().flatMap((frame) => Object.keys(frame)))].filter((name) => !known.has(name)),
      }));
    });
    return await found.jsonValue() as { of: string; ways: string[] }[];
  };
  const before = await at('[data-bar]');
  await page.page.locator('[data-setting=scale] label:has(input[value=none])').click();
  const flipped = await held();
  const ids = new Set(flipped.map(({ of }) => of.split(' ')[0]));
  assert.deepEqual([...ids].sort(), ['', 'masked_scores', 'scaled_scores', 'weights'], 'bars of three strips, and the mix');
  for (const { ways } of flipped) assert.ok(ways.every((way) => way === 'transform' || way === 'opacity'), ways.join());
  const begun = await at('[data-bar]');
  for (const { of } of flipped) if (of) assert.deepEqual(begun[of], before[of], of);
  await page.page.evaluate(() => document.querySelector('attention-playground')?.shadowRoot?.getAnimations().forEach((each) => each.finish()));
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelectorAll('.mix').length === 1);
  await page.page.locator('.row-play').click();
  const scores = await at('[data-bar^="scores "]');
  const dropped = await held();
  assert.equal(dropped.length, 11);
  const over = await at('[data-bar^="scaled_scores "]');
  for (let key = 0; key < 11; key += 1) assert.deepEqual(over[`scaled_scores ${key}`], scores[`scores ${key}`], `bar ${key}`);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('arcs over the sentence and cells of the matrix go along: what they were lies over them and fades', async () => {
  const page = await reader.open({ context: SCREEN, fragment: '#v1&parameters=designed' });
  await drawn(page);
  const look = () => page.page.evaluate(() => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    const of = (canvas: string) => {
      const found = root.querySelector<HTMLCanvasElement>(canvas);
      const { x, y, width, height } = found?.getBoundingClientRect() ?? {};
      return { place: [x, y, width, height], dots: found?.toDataURL() };
    };
    const arcs = (selector: string) => [...root.querySelectorAll(`${selector} path`)].map((path) => path.getAttribute('stroke-width'));
    return { arcs: arcs('.arcs'), arcsBefore: arcs('.arcs-before'), cells: of('.matrix canvas'), cellsBefore: of('.cells-before') };
  });
  const before = await look();
  await page.page.locator('[data-setting=scale] label:has(input[value=none])').click();
  const ways = await page.page.waitForFunction(() => {
    const fading = document.querySelector('attention-playground')?.shadowRoot?.getAnimations().filter(({ effect }) => (effect as KeyframeEffect).target?.matches('.arcs, .arcs-before, .cells-before')) ?? [];
    for (const each of fading) each.pause();
    return fading.length === 3 && fading.map(({ effect }) => Object.keys((effect as KeyframeEffect).getKeyframes()[0] ?? {}).includes('opacity') && effect?.getTiming().duration);
  });
  assert.deepEqual(await ways.jsonValue(), [300, 300, 300]);
  const flipped = await look();
  assert.deepEqual(flipped.arcsBefore, before.arcs);
  assert.deepEqual(flipped.cellsBefore, before.cells);
  assert.notDeepEqual(flipped.arcs, before.arcs);
  assert.notEqual(flipped.cells.dots, before.cells.dots);
  await page.page.evaluate(() => document.querySelector('attention-playground')?.shadowRoot?.getAnimations().forEach((each) => each.finish()));
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.arcs-before, .cells-before') === null);
  assert.deepEqual(page.problems, []);
  await page.close();

  const still = await reader.open({ context: { ...SCREEN, reducedMotion: 'reduce' }, fragment: '#v1&parameters=designed' });
  await drawn(still);
  await still.page.locator('[data-setting=scale] label:has(input[value=none])').click();
  await still.page.locator('.row-words', { hasText: /100%/ }).waitFor();
  assert.equal(await still.page.locator('.arcs-before, .cells-before').count(), 0, 'reduced motion');
  await still.close();
});

test('between one column and the wide screen, the sentence’s words stand once, over their bars', async () => {
  for (const width of [800, 900, 1090]) {
    const page = await reader.open({ context: { viewport: { width, height: 900 } } });
    await drawn(page);
    assert.equal(await page.page.locator('.row-word').count(), 0, `${width} px`);
    const [sentence, drawing] = await Promise.all(['#text', '.row-drawing'].map((selector) => page.page.locator(selector).boundingBox()));
    assert.ok(sentence && drawing && Math.abs(sentence.y + sentence.height - drawing.y) < 40, `${width} px: the sentence lies on its row`);
    assert.ok(await page.page.locator('.sentence-box.arched').count() === 1, `${width} px: with arcs`);
    await page.close();
  }
});

/** Numbers of one strip, or of two, that lie on one another, or on another word's bar: but for the two that are always written. */
const coveredNumbers = (page: Playground) => page.page.locator('.row-drawing').evaluate((drawing) => {
  const [paper, now] = [getComputedStyle(document.body).backgroundColor, getComputedStyle(drawing.querySelector('.strip.now') as Element).fill];
  const isOutlined = (mark: Element) => {
    const { paintOrder, stroke, strokeWidth } = getComputedStyle(mark);
    return mark.matches('.strong') && paintOrder.startsWith('stroke') && parseFloat(strokeWidth) >= 4 && stroke === (mark.closest('.now') ? now : paper);
  };
  const marks = [...drawing.querySelectorAll<SVGElement>('.number, .bar')].map((mark) => ({ of: mark.dataset['number'] ?? mark.dataset['bar'] ?? '', isBar: mark.matches('.bar'), isOutlined: isOutlined(mark), box: mark.getBoundingClientRect() }));
  // A line of text is some 4 px higher than its figures at each end.
  return marks.flatMap((a, i) => marks.filter((b, j) => !a.isBar && (b.isBar ? !a.isOutlined && b.of !== a.of : j > i)
    && a.box.left < b.box.right - 1 && b.box.left < a.box.right - 1 && a.box.top < b.box.bottom - 4 && b.box.top < a.box.bottom - 4).map((b) => `${a.of} and the ${b.isBar ? 'bar' : 'number'} of ${b.of}`));
});

test('no number lies on the bar of another word, but the two that are always written, which are outlined', async () => {
  const page = await reader.open({ fragment: `${link('The <b>cat</b> — 动物, isn’t it? "ok"')}&parameters=random`, context: { viewport: { width: 1440, height: 900 } } });
  await drawn(page);
  const { length } = await page.tokens();
  for (const scale of ['sqrt-dk', 'none'] as const) {
    await page.set({ scale });
    for (let key = 0; key < length; key += 3) {
      await page.walkTo(length - 1, key);
      assert.deepEqual(await coveredNumbers(page), [], `${scale}, column ${key}`);
    }
  }
  assert.ok(await page.page.locator('.number').count() > 2 * length);
  // Beside rows no number reaches another's bar.
  await page.page.setViewportSize({ width: 390, height: 844 });
  await page.redrawn();
  assert.deepEqual(await page.page.locator('.row-figure[data-turned] .number.strong').evaluateAll((numbers) => [...new Set(numbers.map((number) => getComputedStyle(number).stroke))]), ['none']);
  assert.deepEqual(page.problems, []);
  await page.close();
});

for (const text of ['a b c d', '我爱你吗', '山 水 火 土 木']) {
  test(`over words of one sign no number lies on another: ${text}`, async () => {
    const page = await reader.open({ fragment: `${link(text)}&parameters=random`, context: { viewport: { width: 1440, height: 900 } } });
    await drawn(page);
    const { length } = await page.tokens();
    for (const scale of ['sqrt-dk', 'none'] as const) {
      await page.set({ scale });
      for (let query = 1; query < length; query += 1) {
        for (let key = 0; key <= query; key += 1) {
          await page.walkTo(query, key);
          const at = `${scale}, row ${query}, column ${key}`;
          assert.deepEqual(await coveredNumbers(page), [], at);
          assert.equal(await page.page.locator(`[data-number="scores ${key}"].chosen`).count(), 1, at);
        }
      }
    }
    await page.close();
  });
}

test('after a change of the mask no number of a strip lies on another', async () => {
  const page = await reader.open({ fragment: '#v1&parameters=random', context: SCREEN });
  await drawn(page);
  for (const mask of ['none', 'window', 'causal'] as const) {
    for (const row of [2, 5, 7, 10]) {
      await page.walkTo(row, 0);
      await page.set({ mask });
      await page.set({ mask: mask === 'none' ? 'causal' : 'none' });
      assert.deepEqual(await coveredNumbers(page), [], `${mask}, row ${row}`);
    }
  }
  await page.close();
});

test('on a phone the matrix takes the row’s place and gives it back, and a sheet says what is chosen', async () => {
  const page = await reader.open({ context: PHONE });
  await drawn(page);
  const strips = await page.page.evaluate(() => [...(document.querySelector('attention-playground')?.shadowRoot?.querySelectorAll<HTMLElement>('.switch-line, .heads-scroll, .row-steps, .sentence-box, .row-bar') ?? [])]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(({ className }) => className));
  assert.deepEqual(strips, [], 'what scrolls sideways');
  for (const target of await page.page.locator('.row-bar button, .row-step').all()) assert.ok(((await target.boundingBox())?.height ?? 0) >= 44);
  const place = (await page.page.locator('.row-steps').boundingBox())?.y ?? 0;
  await page.page.locator('.row-swap').tap();
  assert.equal(await page.page.locator('.row-drawing').isVisible(), false);
  const matrix = await page.page.locator('.matrix canvas').boundingBox();
  assert.ok(matrix && matrix.y >= place && matrix.y < 600, `the matrix at ${matrix?.y}`);
  await page.page.locator('.matrix canvas').tap({ position: { x: 150, y: 220 } });
  const { head, query, key } = await page.read();
  const words = await page.tokens();
  const shares = await page.stage('weights');
  await page.page.locator('.row-sheet').waitFor();
  const sheet = await page.page.locator('.row-sheet').innerText();
  assert.ok(sheet.includes(`${words[query]} → ${words[key]}`), sheet);
  const share = shares[(head * words.length + query) * words.length + key] ?? NaN;
  assert.ok(sheet.includes(share === 0 ? '0' : share < 0.005 ? '<1%' : `${Math.round(100 * share)}%`), sheet);
  await page.page.locator('.row-close').tap();
  assert.equal(await page.page.locator('.row-sheet').count(), 0);
  await page.page.locator('.row-swap').tap();
  assert.ok(await page.page.locator('.row-drawing').isVisible());
  assert.deepEqual(page.problems, []);
  await page.close();
});

/** The largest difference of the canvas's rows from bars of these lengths, in CSS pixels: each row is read along its middle. */
const barsOn = (page: Playground, strip: { from: number; to: number }) => page.page.locator('.row-figure').evaluate((figure, { from, to }) => {
  const canvas = figure.querySelector<HTMLCanvasElement>('.row-canvas') as HTMLCanvasElement;
  const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
  context.drawImage(canvas, 0, 0);
  const [ratio, top] = [devicePixelRatio, Number.parseFloat(canvas.style.top)];
  return [...figure.querySelectorAll<SVGTextElement>('.row-word')].map((word) => {
    const y = Number(word.getAttribute('y')) - Number(word.getAttribute('font-size')) * 0.34 - top;
    const line = context.getImageData(0, Math.round(y * ratio), canvas.width, 1).data;
    let long = 0;
    for (let x = Math.round(from * ratio); x < Math.round(to * ratio) && (line[4 * x + 3] ?? 0) > 200; x += 1) long += 1;
    return { key: Number(word.dataset['word']), long: long / ratio };
  });
}, strip);

test('of many words the rows in view are drawn, as long as their numbers; scrolling draws the others', async () => {
  const text = Array.from({ length: 200 }, (_, i) => WORDS[i % WORDS.length]).join(' ');
  const page = await reader.open({ fragment: `${link(text)}&parameters=random&mask=none`, context: SCREEN });
  await drawn(page);
  await page.page.locator('.row-canvas').waitFor();
  const seen: number[] = [];
  const start = (await page.page.locator('.row-figure').boundingBox())?.y ?? NaN;
  for (const y of [0, 1500, 3000]) {
    await page.page.evaluate((top) => scrollTo(0, top), start + y);
    await page.settled();
    await page.page.waitForFunction(() => {
      const words = [...document.querySelector('attention-playground')?.shadowRoot?.querySelectorAll('.row-word') ?? []].map((word) => word.getBoundingClientRect());
      const figure = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.row-figure')?.getBoundingClientRect();
      return words.length > 0 && (words[0]?.top ?? 0) <= Math.max(0, (figure?.top ?? 0) + 60) && (words.at(-1)?.bottom ?? 0) >= innerHeight - 1;
    });
    const { head, query } = await page.read();
    const scores = await page.stage('scores');
    const values = [...scores.subarray((head * 200 + query) * 200, (head * 200 + query + 1) * 200)];
    const zero = Number(/^M(\S+) /.exec(await page.page.locator('.row-drawing .zero').first().getAttribute('d') ?? '')?.[1]);
    const bars = (await barsOn(page, { from: zero + 1, to: zero + 60 })).filter(({ key }) => (values[key] ?? 0) > 0);
    assert.ok(bars.length > 5 && bars.length < 60, `${bars.length} bars`);
    const [first] = bars.filter(({ long }) => long > 6);
    const unit = ((first?.long ?? 0) + 1) / (values[first?.key ?? 0] ?? NaN);
    for (const { key, long } of bars) assert.ok(Math.abs(long + 1 - unit * (values[key] ?? NaN)) < 2.5, `row ${key} at ${y}: ${long}, not ${unit * (values[key] ?? NaN)}`);
    seen.push(...bars.map(({ key }) => key));
  }
  assert.ok(new Set(seen).size > 60, 'other rows are drawn further down');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('of very many words the matrix is seen, and lies on nothing below it', async () => {
  const text = Array.from({ length: 512 }, (_, i) => WORDS[i % WORDS.length]).join(' ');
  for (const viewport of [{ width: 1440, height: 1000 }, SCREEN.viewport]) {
    const page = await reader.open({ fragment: link(text), context: { viewport } });
    await drawn(page);
    const box = async (selector: string) => await page.page.locator(selector).boundingBox() ?? assert.fail(selector);
    const [matrix, legend, heads] = [await box('.matrix'), await box('.legend'), await box('.heads-area')];
    assert.ok(matrix.y + matrix.height <= legend.y + 1 && legend.y + legend.height <= heads.y + 1, JSON.stringify({ viewport, matrix, legend, heads }));
    await page.close();
  }
});

test('of many words the bars go along with a switch, from where they were', async () => {
  const text = Array.from({ length: 40 }, (_, i) => WORDS[i % WORDS.length]).join(' ');
  const page = await reader.open({ fragment: `${link(text)}&parameters=random`, context: { viewport: { width: 1280, height: 1000 } } });
  await page.page.locator('.row-canvas').waitFor();
  await page.settled();
  /** How many dots of the divided scores’ strip are drawn, in each frame from now on. */
  const strip = page.page.locator('.row-drawing [data-name=scaled_scores] text').first();
  const [from, to] = [Number(await strip.getAttribute('x')), Number(await page.page.locator('.row-drawing [data-name=masked_scores] text').first().getAttribute('x'))];
  await page.page.evaluate(([left, right]) => {
    const seen: number[] = [];
    const look = () => {
      const canvas = document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLCanvasElement>('.row-canvas');
      if (canvas) {
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
        copy.drawImage(canvas, 0, 0);
        // Between the lines of numbers, where bars alone are; a bar is opaque and a number’s edge is not.
        const { data } = copy.getImageData(left as number, 0, (right as number) - (left as number) - 8, canvas.height);
        let dots = 0;
        for (let at = 3; at < data.length; at += 4) dots += Number((data[at] ?? 0) === 255);
        if (dots !== seen.at(-1)) seen.push(dots);
      }
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { seen });
  }, [from, to]);
  await page.page.locator('[data-setting=scale] label:has(input[value=none])').click();
  await page.page.waitForTimeout(900);
  const seen = await page.page.evaluate(() => (window as unknown as { seen: number[] }).seen);
  const [first, last] = [seen[0] ?? NaN, seen.at(-1) ?? NaN];
  assert.ok(last > 1.5 * first, `undivided they are longer: ${seen}`);
  assert.ok(seen.filter((dots) => dots > first * 1.1 && dots < last * 0.95).length >= 2, `and were in between: ${seen}`);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('on paper every row of many words is there', async () => {
  const text = Array.from({ length: 100 }, (_, i) => WORDS[i % WORDS.length]).join(' ');
  const page = await reader.open({ fragment: link(text), context: SCREEN });
  await page.page.locator('.row-canvas').waitFor();
  assert.ok(await page.page.locator('.row-word').count() < 100);
  await page.page.emulateMedia({ media: 'print' });
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelectorAll('[data-bar^="scores "]').length === 100);
  assert.equal(await page.page.locator('.row-word').count(), 100);
  await page.page.emulateMedia({ media: 'screen' });
  await page.page.locator('.row-canvas').waitFor();
  await page.close();
});
