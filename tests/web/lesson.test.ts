// The lesson as learners go through it: by mouse, keys and touch, at three sizes and in three languages.
// Every share on the screen is compared with what the engine computes here, in Node, of the same words.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test, { after } from 'node:test';
import { built } from '../lib/built.ts';
import { type Opened, SIZES, heading, lead, lessonFile, lessonOf, step } from '../lib/lesson.ts';
import { Reader } from '../lib/page.ts';
import { Engine } from '../../web/src/engine/engine.ts';
import type { Language } from '../../web/src/lib/language.ts';
import { DoorRun, type DoorRow } from '../../web/src/lesson/door-run.ts';
import { openingLexicon, parseLexicon } from '../../web/src/parameters/designed/lexicon.ts';
import { share } from '../../web/src/lesson/marking.ts';

const reader = await Reader.arrive();
after(() => reader.leave());
const open = lessonOf(reader);
const engine = await Engine.load('', await readFile(built('wasm/bindings/attention.wasm')));

const expected = async (language: Language): Promise<DoorRow> => {
  const { text, words = [] } = await lessonFile(language);
  return new DoorRun(engine, language).row(text, words) as DoorRow;
};

test('what the page knows without the list of words, it knows no otherwise with it', async () => {
  const list = await readFile(built('site/lexicon.txt'), 'utf8');
  const whole = parseLexicon(list);
  const listed = list.split('\n').filter((line) => /^[nvari]/.test(line)).flatMap((line) => line.split(' ').slice(1).reduce<string[]>((words, coded) => [...words, (words.at(-1) ?? '').slice(0, Number.parseInt(coded.charAt(0), 36)) + coded.slice(1)], []));
  const sentence = [...(await lessonFile('en')).text.split(' '), 'wide'];
  const forms = sentence.flatMap((word) => ['s', 'es', 'd', 'ed', 'ing', 'r', 'er', 'st', 'est', '’s', '’', '-wide'].flatMap((end) => [word + end, word.replace(/e$/, '') + end]));
  for (const language of ['en', 'es', 'zh-Hans'] as const) {
    const [opening, later] = [openingLexicon(language), openingLexicon(language, whole)];
    assert.ok(sentence.every((word) => opening.look(word).known), language);
    assert.ok(listed.length > 50_000);
    for (const word of [...listed, ...forms]) {
      const found = opening.look(word);
      if (found.known) assert.deepEqual(found, later.look(word), `${language}: ${word}`);
    }
  }
  assert.equal(openingLexicon('en').look('zebra').known, false);
});

/** Where the words stand, to a tenth of a pixel. */
const baselines = (page: Opened) => page.page.locator('.word .own').evaluateAll((words) => words.map((word) => {
  const { top, left } = word.getBoundingClientRect();
  return `${(top + scrollY).toFixed(1)} ${left.toFixed(1)}`;
}));

test('a learner: a guess is the answer, it is fooled in two clicks, and why stands on the screen', async () => {
  const row = await expected('en');
  const page = await open();
  assert.match(await heading(page), /Which word does “it” stand for/);
  assert.equal(await page.page.locator('.share').filter({ visible: true }).count(), 0, 'shares before the guess');
  await page.page.getByRole('button', { name: 'Guess “street”' }).click();
  assert.match(await heading(page), /“it” looks at “animal”/);
  assert.match(await lead(page), /Your guess was street\. This head looks elsewhere: 94% .*from animal, and 6% from street/);
  const shown = await page.page.locator('.word:not(.later)').evaluateAll((words) => words.map((word) => (word.querySelector('.share') as HTMLElement).innerText));
  assert.deepEqual(shown, [...row.weights.slice(0, row.query + 1)].map(share), 'the engine’s shares');
  assert.match(await page.page.locator('.why').innerText(), /designed by hand.*learnt nothing.*132 test cases.*71%.*58%/s);
  assert.match(await page.page.locator('.try').innerText(), /Does this head see that\?/);
  await page.page.getByRole('button', { name: 'tired → wide' }).click();
  assert.match(await page.page.locator('.sentence').innerText(), /wide/);
  assert.match(await heading(page), /looks at “animal”/);
  assert.match(await page.page.locator('.try [aria-live]').innerText(), /You now read street\. This head still says animal: it cannot see wide, which comes after it/);
  assert.deepEqual(page.problems, []);
});

test('in another language it never begins in English, and where that language does not come it does', async () => {
  const { steps } = await lessonFile('es');
  const page = await reader.open({ file: 'index.html', fragment: '#step=it&lang=es', before: (tab) => tab.route(/language-es\.js/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  }) });
  await page.page.locator('.word').first().waitFor();
  assert.equal(await heading(page), steps[0]?.question);
  await page.close();
  const late = await reader.open({ file: 'index.html', fragment: '#step=it&lang=es', before: (tab) => tab.route(/language-es\.js/, () => {}) });
  await late.page.locator('.word').first().waitFor();
  assert.equal(await heading(late), (await lessonFile('en')).steps[0]?.question);
  await late.close();
});

test('what fools it is offered for the opening sentence, however it is written, and for no other that has its word', async () => {
  const page = await open();
  const write = async (text: string) => {
    await page.page.getByRole('button', { name: /type your own sentence/i }).click();
    await page.page.locator('.own-sentence').fill(text);
    await page.page.getByRole('button', { name: 'Use it' }).click();
    await page.page.locator('.write').waitFor({ state: 'detached' });
    await page.page.keyboard.press('ArrowRight');
    await page.page.locator('.foot[data-open]').waitFor();
  };
  const offered = page.page.getByRole('button', { name: /→/ }).and(page.page.locator('.outlined'));
  for (const text of ['The dog slept because it was tired', 'A wide river is calm because it is deep']) {
    await write(text);
    assert.equal(await offered.count(), 0, text);
    assert.doesNotMatch(await page.page.locator('.foot').innerText(), /street|fool|tired|wide/);
    assert.match(await lead(page), /of what it takes in comes from/);
  }
  await write("the animal didn't cross the street because it was too tired.");
  await offered.click();
  assert.match(await page.page.locator('.try [aria-live]').innerText(), /You now read street\. This head still says animal/);
  await page.close();
});

test('the button that fools the head stays under the pointer, and fools it back', async () => {
  for (const language of ['en', 'es', 'zh-Hans']) {
    for (const size of ['desk', 'large', 'phone'] as const) {
      const page = await open({ fragment: `#step=it&shown&lang=${language}` }, size);
      const button = page.page.locator('.ways .outlined');
      await button.waitFor();
      const said = () => page.page.locator('.try [aria-live]').innerText();
      const [before, asked] = [await button.boundingBox(), await said()];
      await button.click();
      assert.notEqual(await said(), asked);
      assert.deepEqual(await button.boundingBox(), before, `${language}, ${size}: pressed`);
      await button.click();
      assert.equal(await said(), asked);
      assert.deepEqual(await button.boundingBox(), before, `${language}, ${size}: pressed again`);
      await page.close();
    }
  }
});

test('the title stands at the same place in all seven steps', async () => {
  const { steps } = await lessonFile('en');
  for (const size of ['desk', 'large', 'phone'] as const) {
    const page = await open({}, size);
    const places: string[] = [];
    for (const { id } of steps) {
      await page.page.locator(`article.step[data-step=${id}]`).waitFor();
      await page.page.locator('.word, .row-word, .training-ask, .expects').first().waitFor({ state: 'attached', timeout: 20_000 });
      places.push(await page.page.locator('.ask-part[data-here] h2').evaluate((title) => {
        const range = document.createRange();
        range.selectNodeContents(title);
        const [{ left, top, height } = new DOMRect()] = range.getClientRects();
        return `${left.toFixed(1)} ${(top + scrollY).toFixed(1)} ${height.toFixed(1)}`;
      }));
      if (id !== steps.at(-1)?.id) await page.page.locator('.rail button').nth(places.length).evaluate((button) => (button as HTMLElement).click());
    }
    assert.deepEqual(places, steps.map(() => places[0]), size);
    await page.close();
  }
});

test('the sentence moves by no pixel over an answer, and everything named stands on one screen', async () => {
  for (const size of ['desk', 'large', 'phone'] as const) {
    const page = await open({}, size);
    const before = await baselines(page);
    await page.page.locator('[data-word="1"]').click();
    await page.page.locator('.share').first().waitFor({ state: 'attached' });
    assert.deepEqual(await baselines(page), before, `${size}: the words`);
    const { height } = SIZES[size];
    for (const part of ['.rail', '.ask-part[data-here] h2', '.sentence', '.why', '.try', '.go']) {
      const box = await page.page.locator(part).boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= height + 0.5, `${size}: ${part} ends at ${box ? box.y + box.height : 'nowhere'}`);
    }
    const ends = await page.page.evaluate(() => {
      const root = document.querySelector('#lesson')?.shadowRoot as ShadowRoot;
      const bottom = (selector: string) => (root.querySelector(selector) as HTMLElement).getBoundingClientRect();
      return { columns: bottom('.columns').bottom, footer: bottom('.footer').top, wide: document.documentElement.scrollWidth - document.documentElement.clientWidth };
    });
    assert.ok(ends.columns <= ends.footer + 1, `${size}: the footer covers nothing (${ends.columns} over ${ends.footer})`);
    assert.ok(ends.wide <= 0, `${size}: nothing scrolls sideways`);
  }
});

test('nothing shifts while it loads, nor after an answer', async () => {
  const page = await open({ before: (tab) => tab.addInitScript(() => {
    (globalThis as { shifts?: number }).shifts = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) if (!entry.hadRecentInput) (globalThis as unknown as { shifts: number }).shifts += entry.value; }).observe({ type: 'layout-shift', buffered: true });
  }) });
  await page.page.waitForTimeout(500);
  await page.page.locator('[data-word="1"]').click();
  await page.page.waitForTimeout(700);
  assert.equal(await page.page.evaluate(() => (globalThis as unknown as { shifts: number }).shifts), 0);
});

test('what is hidden is said of one word as of one, and of several as of several', async () => {
  for (const [language, said] of [['en', 'come later, so hidden'], ['es', 'viene después: oculta']] as const) {
    const page = await open({ fragment: `#step=it&shown&lang=${language}` });
    await page.page.locator('.hidden-note', { hasText: new RegExp(`^${said}$`) }).waitFor();
    await page.close();
  }
});

test('by keyboard: Tab meets the header first, Enter makes the guess, the answer has the focus', async () => {
  const page = await open();
  await page.page.keyboard.press('Tab');
  assert.match(await page.page.evaluate(() => document.activeElement?.textContent ?? ''), /Skip the lesson/);
  const focused = () => page.page.evaluate(() => (document.querySelector('#lesson')?.shadowRoot?.activeElement as HTMLElement | null)?.dataset['word'] ?? '');
  for (let i = 0; i < 14 && await focused() !== '1'; i += 1) await page.page.keyboard.press('Tab');
  assert.equal(await focused(), '1');
  await page.page.keyboard.press('Enter');
  assert.match(await heading(page), /looks at “animal”/);
  assert.equal(await page.page.evaluate(() => document.querySelector('#lesson')?.shadowRoot?.activeElement?.localName), 'h2');
  await page.page.keyboard.press('ArrowRight');
  assert.equal(await step(page), 'choose');
  await page.page.keyboard.press('ArrowLeft');
  assert.equal(await step(page), 'it');
});

test('by touch: words are at least 44 px high, and a tap is a guess', async () => {
  const page = await open({}, 'phone');
  const heights = await page.page.locator('button.word').evaluateAll((words) => words.map((word) => word.getBoundingClientRect().height + 14));
  for (const height of heights) assert.ok(height >= 44, `${height} px`);
  await page.page.locator('[data-word="1"]').tap();
  assert.match(await heading(page), /looks at “animal”/);
  assert.ok(await page.page.getByRole('button', { name: 'Guess again' }).isVisible());
  assert.ok(await page.page.locator('.arc.most').first().getAttribute('d'), 'the arc runs between the lines');
  for (const button of await page.page.locator('.footer button, .choice, .outlined').all()) assert.ok(((await button.boundingBox())?.height ?? 0) >= 44);
});

test('by touch: the field for a sentence of one’s own shows it whole, with its buttons, above the footer', async () => {
  // The styles that come after the first screen are not waited for.
  for (const [fragment, isWhole] of [['#step=it', true], ['#step=it', false], ['#step=it&shown', true], ['#step=it&shown', false]] as const) {
    const page = await open({ fragment, before: async (tab) => { if (!isWhole) await tab.route(/-presenter-/, () => {}); } }, 'phone');
    await page.page.getByRole('button', { name: /ype your own sentence/ }).tap();
    const { value, top, field, ends, footer } = await page.page.evaluate(() => {
      const root = document.querySelector('#lesson')?.shadowRoot as ShadowRoot;
      const area = root.querySelector('.own-sentence') as HTMLTextAreaElement;
      return {
        value: area.value, top: area.getBoundingClientRect().top, field: Math.max(area.scrollHeight - area.clientHeight, area.scrollWidth - area.clientWidth),
        ends: [...root.querySelectorAll('.write button')].map((button) => button.getBoundingClientRect().bottom), footer: (root.querySelector('.footer') as Element).getBoundingClientRect().top,
      };
    });
    assert.match(value, /^The animal.*tired$/);
    assert.ok(field <= 0 && top >= 0, `${field} px are not seen`);
    assert.ok(ends.length === 2 && ends.every((end) => end <= footer), `${ends.join()} under ${footer}`);
    await page.close();
  }
});

test('styles that come after the first screen move nothing', async () => {
  for (const [size, fragment, isTyping] of [['desk', '#step=it', false], ['desk', '#step=it&shown', true], ['phone', '#step=it&shown', false], ['phone', '#step=it', true], ['phone', '#step=it&text=the+cat+sat+on+the+mat', false]] as const) {
    let release = () => {};
    const held = new Promise<void>((resolve) => { release = resolve; });
    const page = await open({ fragment, before: (tab) => tab.route(/-presenter-/, async (route) => { await held; await route.continue(); }) }, size);
    if (isTyping) await page.page.getByRole('button', { name: /ype your own sentence/ }).click();
    const adopted = () => page.page.evaluate(() => document.querySelector('#lesson')?.shadowRoot?.adoptedStyleSheets.length ?? 0);
    const boxes = () => page.page.evaluate(() => [...document.querySelector('#lesson')?.shadowRoot?.querySelectorAll('.lesson *') ?? []].map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return `${each.localName}.${each.getAttribute('class')} ${x} ${y + scrollY} ${width} ${height}`;
    }));
    const [sheets, before] = [await adopted(), await boxes()];
    release();
    await page.page.waitForFunction((count) => (document.querySelector('#lesson')?.shadowRoot?.adoptedStyleSheets.length ?? 0) > count, sheets);
    assert.deepEqual(await boxes(), before, `${size} ${fragment}`);
    await page.close();
  }
});

test('between the lines of a narrow screen, no arc and no head crosses a share', async () => {
  for (const [language, width] of [['en', 390], ['en', 360], ['es', 390], ['zh-Hans', 390]] as const) {
    const page = await reader.open({ file: 'index.html', fragment: `#step=it&shown&lang=${language}`, context: { viewport: { width, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' } });
    await page.page.locator('.arc.most.tip').waitFor();
    const crossed = await page.page.locator('.door').evaluate((door) => {
      const corner = door.getBoundingClientRect();
      const shares = [...door.querySelectorAll<HTMLElement>('.share')].filter((share) => share.checkVisibility()).map((share) => {
        const range = document.createRange();
        range.selectNodeContents(share);
        return { text: share.textContent ?? '', box: range.getBoundingClientRect(), letter: parseFloat(getComputedStyle(share).fontSize) };
      });
      return [...door.querySelectorAll<SVGPathElement>('.arc')].flatMap((arc) => {
        const half = arc.classList.contains('tip') ? 0 : Number(arc.getAttribute('stroke-width')) / 2;
        const points = Array.from({ length: 200 }, (_, i) => arc.getPointAtLength((arc.getTotalLength() * i) / 199));
        // Digits have no part below the line of writing, and none in the room above them.
        return shares.filter(({ box, letter }) => {
          const [top, bottom] = [(box.top + box.bottom - 0.74 * letter) / 2, (box.top + box.bottom + 0.74 * letter) / 2];
          return points.some(({ x, y }) => x + corner.left > box.left - half && x + corner.left < box.right + half && y + corner.top > top - half && y + corner.top < bottom + half);
        }).map(({ text }) => text);
      });
    });
    assert.deepEqual(crossed, [], `${language}, ${width} px`);
    assert.ok(await page.page.locator('.share.most').isVisible());
    await page.close();
  }
});

test('between the lines, a share stands under its own word, however short, and no arc crosses it', async () => {
  for (const text of ['text=The+cat+and+I+saw+a+dog+when+it+ran+home', 'text=My+uncle+had+a+dog+and+in+a+box+by+a+fir+tree+it+slept+for+years+and+years', 'lang=zh-Hans']) {
    const page = await reader.open({ file: 'index.html', fragment: `#step=it&shown&${text}`, context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' } });
    await page.page.locator('.share.most').waitFor();
    const shares = await page.page.locator('.word:has(.filled)').evaluateAll((words) => words.map((word) => {
      const [range, own, bar] = [document.createRange(), word.querySelector('.own') as HTMLElement, word.querySelector('.bar') as HTMLElement];
      range.selectNodeContents(word.querySelector('.share') as HTMLElement);
      const [share, at] = [range.getBoundingClientRect(), own.getBoundingClientRect()];
      const heads = [...(word.getRootNode() as ShadowRoot).querySelectorAll('.arc.tip')].map((tip) => tip.getBoundingClientRect());
      return {
        word: own.innerText, aside: Math.abs((share.left + share.right - at.left - at.right) / 2), outside: Math.max(at.left - share.left, share.right - at.right), isBelow: share.bottom > bar.getBoundingClientRect().bottom,
        pointed: heads.filter((head) => (head.left + head.right) / 2 > at.left && (head.left + head.right) / 2 < at.right && head.top >= at.bottom && head.top < at.bottom + 44).length,
      };
    }));
    assert.ok(shares.length > 0);
    for (const { word, aside, outside, isBelow, pointed } of shares) {
      assert.ok(aside < 2 || outside < 16, `${text}: the share of ${word} is ${outside} px from under it`);
      assert.ok(isBelow && pointed >= 1, `${text}: ${pointed} heads at ${word}`);
    }
    await page.close();
  }
});

test('an answer moves by what the browser does without painting', async () => {
  for (const size of ['desk', 'phone'] as const) {
    const page = await open({ context: { reducedMotion: 'no-preference' } }, size);
    await page.page.getByRole('button', { name: 'Guess “street”' }).click();
    await page.page.locator('.arc-way').first().waitFor();
    const moved = await page.page.locator('.door').evaluate((door) => door.getAnimations({ subtree: true }).flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes().flatMap((frame) => Object.keys(frame))).filter((name) => !['offset', 'computedOffset', 'easing', 'composite'].includes(name)));
    assert.deepEqual([...new Set(moved)].sort(), ['opacity', 'transform'], size);
    const still = () => page.page.locator('.arc.most.tip').boundingBox();
    await page.page.waitForTimeout(1000);
    const at = await still();
    await page.page.emulateMedia({ reducedMotion: 'reduce' });
    assert.deepEqual(await still(), at, 'it ends where it stands without motion');
    await page.close();
  }
});

test('on a phone the trained model’s shares have arcs between the lines, and no share stands on a word', async () => {
  for (const language of ['en', 'es']) {
    const { page } = await reader.open({ file: 'index.html', fragment: `#step=trained&lang=${language}`, context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } });
    await page.locator('.arcs path.chosen').waitFor({ state: 'attached', timeout: 30_000 });
    const { arcs, inked } = await page.locator('.sentence-box').evaluate((box) => {
      const canvas = box.querySelector('.shares canvas') as HTMLCanvasElement;
      const range = document.createRange();
      range.selectNodeContents(box.querySelector('.mirror') as Element);
      const corner = canvas.getBoundingClientRect();
      const scale = canvas.width / corner.width;
      // Lines of words, less the part of a letter's box that has no letter.
      const lines = [...new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))].map((top) => top - corner.top + 5);
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      const inked = lines.filter((top) => context.getImageData(0, Math.round(top * scale), canvas.width, Math.round(8 * scale)).data.some((value, i) => i % 4 === 3 && value > 0));
      return { arcs: box.querySelectorAll('.arcs path').length, inked };
    });
    assert.ok(arcs > 0, `${language}: ${arcs} arcs`);
    assert.deepEqual(inked, [], language);
    await page.context().close();
  }
});

test('read aloud, the numbers of “How does it choose?” are written as on the screen, and the trained model’s row is said', async () => {
  const { page } = await open({ fragment: '#step=choose&shown' });
  await page.locator('td[data-stage=weights]').first().waitFor({ state: 'attached', timeout: 20_000 });
  const tree = await page.locator('article.step').ariaSnapshot();
  assert.match(tree, /row "animal 187 46\.8 46\.8 94%"/);
  const door = await open({ fragment: '#step=it&shown' });
  const shares = await page.locator('td[data-stage=weights]').allInnerTexts();
  assert.deepEqual(await door.page.locator('.share').allInnerTexts(), shares.slice(0, 8), 'the question before writes the same');
  assert.doesNotMatch(tree, /\d\.\d{4}|10⁻/);
  const { page: trained } = await open({ fragment: '#step=trained' });
  await trained.locator('.arcs path.chosen').waitFor({ state: 'attached', timeout: 20_000 });
  assert.match(await trained.locator('article.step').ariaSnapshot(), /paragraph: "Row tired: \d+% from/);
});

for (const language of ['en', 'es', 'zh-Hans'] as const) {
  test(`in presenter view all is large, stands above the footer, and no title or answer moves: ${language}`, async () => {
    const { steps } = await lessonFile(language);
    for (const [width, height, zoom] of [[1280, 720, 1], [1920, 1080, 1.5]] as const) {
      if (zoom > 1 && language !== 'en') continue;
      const titles: string[] = [];
      for (const { id } of steps) {
        const { page } = await open({ fragment: `#step=${id}&presenter&lang=${language}`, context: { viewport: { width, height } } });
        await page.locator('.training-ask [data-guess=""], .row-figure, .expects, [data-step=it] .word').first().waitFor({ timeout: 30_000 });
        const look = () => page.evaluate(() => {
          const lesson = document.querySelector('#lesson')?.shadowRoot as ShadowRoot;
          const title = lesson.querySelector('.ask-part[data-here] h2') as HTMLElement;
          const scale = title.getBoundingClientRect().height / title.offsetHeight;
          const small: string[] = [];
          const walk = (root: ShadowRoot) => root.querySelectorAll<HTMLElement>('*').forEach((each) => {
            if (each.shadowRoot) walk(each.shadowRoot);
            const words = [...each.childNodes].flatMap((child) => (child.nodeType === 3 ? child.textContent?.trim() ?? '' : [])).join('');
            const { width: wide, height: high, top } = each.getBoundingClientRect();
            const { fontSize, clipPath, position } = getComputedStyle(each);
            const size = parseFloat(fontSize) * ((each as HTMLElement & { currentCSSZoom?: number }).currentCSSZoom ?? 1) / scale;
            if (words && each.checkVisibility({ visibilityProperty: true }) && wide > 4 && high > 4 && top < innerHeight && size > 0 && size < 15.9 && clipPath === 'none' && !each.closest('.unseen, .caption, [aria-hidden=true]:not(svg)') && position !== 'fixed') small.push(`${size}: ${words}`);
          });
          walk(lesson);
          const shown = [...lesson.querySelectorAll('.step-figure, .foot, .door')].map((part) => part.getBoundingClientRect().bottom);
          const { left, top, height: high } = title.getBoundingClientRect();
          const words = title.firstElementChild as HTMLElement;
          const cells = lesson.querySelector('attention-playground')?.shadowRoot?.querySelector('.training-cells')?.getBoundingClientRect();
          return {
            title: [left, top, high].map((each) => (each / scale).toFixed(0)).join(' '), type: parseFloat(getComputedStyle(words).fontSize), wide: words.offsetWidth <= title.clientWidth + 1,
            small, bottom: Math.max(...shown), footer: (lesson.querySelector('.footer') as Element).getBoundingClientRect().top, scrolls: document.documentElement.scrollHeight > innerHeight + 1, scale,
            cells: cells ? [cells.left, cells.top, cells.width] : null,
          };
        });
        await page.locator('.lesson[data-presenter] .rail').waitFor();
        await page.waitForTimeout(300);
        const asked = await look();
        const ask = page.locator('.training-ask [data-guess=""]');
        if (id !== 'trained') await page.keyboard.press('PageDown');
        await ask.waitFor({ state: 'detached' });
        if (asked.cells) await page.locator('.training-lane output').first().waitFor({ timeout: 20_000 });
        await page.waitForTimeout(300);
        const shown = await look();
        for (const [now, { title, type, wide, small, bottom, footer, scrolls, scale }] of [['asked', asked], ['shown', shown]] as const) {
          titles.push(title);
          assert.ok(type >= 42 && wide, `${id}, ${now}: a title of ${type} px`);
          assert.deepEqual(small, [], `${id}, ${now}`);
          assert.ok(bottom <= footer + 1 && !scrolls, `${id}, ${now}: ends at ${bottom}, the footer begins at ${footer}`);
          assert.ok(Math.abs(scale - zoom) < 0.02, `${scale}`);
        }
        asked.cells?.forEach((at, i) => assert.ok(Math.abs(at - (shown.cells?.[i] ?? NaN)) <= 1, `${id}: maps stay where they are: ${asked.cells?.join()}, then ${shown.cells?.join()}`));
        if (id === 'choose') assert.ok(await page.locator('.row-drawing .number').first().evaluate((number) => parseFloat(getComputedStyle(number).fontSize)) >= 20, 'numbers that are read from afar');
        await page.context().close();
      }
      assert.deepEqual(new Set(titles), new Set([titles[0]]), 'the titles’ places');
    }
  });
}

test('by accessibility tree: the step reads as a paragraph with its answer', async () => {
  const page = await open({ fragment: '#step=it&shown' });
  const tree = await page.page.locator('article.step').ariaSnapshot();
  assert.match(tree, /article "“it” looks at “animal”\."/);
  assert.match(tree, /heading "“it” looks at “animal”\." \[level=2\]/);
  assert.match(tree, /94%.*of what.*it.*takes in comes from/s);
  assert.doesNotMatch(tree, /You knew at once/, 'what is not shown is not read');
});

test('in three languages: the sentence, the answer and the engine’s shares', async () => {
  for (const [language, asked, other] of [['en', /Which word/, /tired → wide/], ['es', /¿A qué palabra/, /leyó → cerró/], ['zh-Hans', /“它”指的是哪个词/, /累 → 宽/]] as const) {
    const row = await expected(language);
    const page = await open({ fragment: `#step=it&lang=${language}` });
    await page.page.locator('.ask-part[data-here] h2', { hasText: asked }).waitFor();
    await page.page.locator('.word').first().waitFor();
    await page.page.locator(`[data-word="${row.top}"]`).click();
    const shown = await page.page.locator('.share.most, .share.some').allInnerTexts();
    const percent = (weight: number) => `${Math.round(100 * weight)}${language === 'es' ? '\u00a0' : ''}%`;
    assert.deepEqual(shown, [...row.weights].filter((weight) => weight >= 0.01).map(percent), language);
    assert.match(await page.page.locator('.ways').innerText(), other);
    assert.equal((await heading(page)).includes(row.words[row.top]?.text ?? '?'), true);
    assert.deepEqual(page.problems, []);
  }
});

for (const [language, own] of [['en', 'The tired animal didn’t cross it'], ['es', 'El libro y Ana lo cerró'], ['zh-Hans', '动物因为它累']] as const) {
  test(`“How does it choose?” shows the sentence of the question before, or the one that was typed there, with the same numbers: ${language}`, async () => {
    const lesson = await lessonFile(language);
    const door = new DoorRun(engine, language);
    for (const [fragment, text, words] of [['', lesson.text, lesson.words ?? []], [`&text=${encodeURIComponent(own)}`, own, []]] as const) {
      const page = await open({ fragment: `#step=choose&lang=${language}${fragment}` });
      const row = door.row(text, words) as DoorRow;
      assert.deepEqual(row.unknown, []);
      const seen = () => page.page.evaluate(() => {
        const element = document.querySelector('#lesson')?.shadowRoot?.querySelector('attention-playground') as unknown as { text: string; trace: { tokens: string[]; shape: { S: number }; head(id: string, head: number): Float32Array } | null; state: { selection: { head: number; query: number } } } | null;
        if (!element?.trace) return null;
        const { text, trace, state: { selection: { head, query } } } = element;
        const { S } = trace.shape;
        return { text, words: [...trace.tokens], query, weights: [...trace.head('weights', head).slice(query * S, (query + 1) * S)] };
      });
      await page.page.locator('.row-word').first().waitFor({ timeout: 10_000 });
      // The stage may be there a moment before the word that it is to show.
      for (let tries = 0; tries < 400 && (await seen())?.query !== row.query; tries += 1) await page.page.waitForTimeout(50);
      assert.deepEqual(await seen(), { text, words: row.words.map((word) => word.text.normalize('NFC')), query: row.query, weights: [...row.weights] });
      assert.deepEqual(page.problems, []);
      await page.close();
    }
  });
}

test('an answer that is asked for before the figure’s code has come is shown when it comes', async () => {
  for (const presenter of ['', '&presenter']) {
    let release = () => {};
    const held = new Promise<void>((resolve) => { release = resolve; });
    const page = await open({ fragment: `#step=choose${presenter}`, before: (tab) => tab.route(/lesson-element-/, async (route) => { await held; await route.continue(); }) });
    await page.page.keyboard.press('ArrowRight');
    await page.page.locator('.lesson[data-shown]').waitFor();
    release();
    await page.page.locator('attention-playground:not([data-held]) [data-number^="weights "]').first().waitFor();
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

test('“How does it choose?” shows the right row, also where its word is known before the first state can be read', async () => {
  const own = 'El libro y Ana lo cerró';
  const row = new DoorRun(engine, 'es').row(own, []) as DoorRow;
  let held = 0;
  const page = await reader.open({
    file: 'index.html', fragment: `#step=choose&lang=es&text=${encodeURIComponent(own)}`,
    // The script that reads states comes when the list of words has long been there.
    before: (tab) => tab.route(/lesson-link-(?!limits)/, async (route) => {
      held += 1;
      await new Promise((done) => setTimeout(done, 2500));
      await route.continue();
    }),
  });
  const query = () => page.page.evaluate(() => (document.querySelector('#lesson')?.shadowRoot?.querySelector('attention-playground') as unknown as { state?: { selection: { query: number } } } | null)?.state?.selection.query);
  await page.page.locator('.row-word').first().waitFor({ timeout: 10_000 });
  await page.page.waitForTimeout(1000);
  assert.equal(held, 1);
  assert.equal(await query(), row.query);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a link to “How does it choose?” with words that the page has to look up shows the row of the question before', async () => {
  for (const text of ['The zorblax ate the flimmer because it was hungry', 'Ana saw the otters before they swam away']) {
    const fragment = `&text=${encodeURIComponent(text)}`;
    const before = await open({ fragment: `#step=it${fragment}` });
    await before.page.locator('.word.query').waitFor();
    const query = await before.page.locator('.word').evaluateAll((words) => words.findIndex((word) => word.matches('.query')));
    assert.ok(query > 0 && query < text.split(' ').length - 1, `word ${query} of “${text}”`);
    await before.close();
    for (const shown of ['', '&shown']) {
      const page = await open({ fragment: `#step=choose${shown}${fragment}` });
      await page.page.locator(`.row-word.query[data-word="${query}"]`).waitFor({ timeout: 10_000 });
      assert.deepEqual(page.problems, []);
      await page.close();
    }
  }
});

test('the reader’s own sentence is in the next steps, the address and the playground', async () => {
  const page = await open();
  await page.page.getByRole('button', { name: 'type your own sentence' }).click();
  await page.page.locator('.own-sentence').fill('The trophy did not fit because it was too big');
  await page.page.keyboard.press('Enter');
  await page.page.locator('.word', { hasText: 'trophy' }).waitFor();
  await page.page.getByRole('button', { name: 'Guess “trophy”' }).click();
  assert.match(await heading(page), /“it” looks at “trophy”/);
  await page.page.keyboard.press('ArrowRight');
  const figure = page.page.locator('attention-playground');
  await figure.waitFor();
  await page.page.waitForFunction(() => {
    const element = document.querySelector('#lesson')?.shadowRoot?.querySelector('attention-playground') as { trace?: unknown; text?: string } | null;
    return element?.trace && element.text === 'The trophy did not fit because it was too big';
  });
  assert.match(page.page.url(), /text=The\+trophy/);
  await page.page.locator('a.skip').click();
  await page.page.waitForURL(/playground\.html/);
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as { text?: string } | null)?.text?.startsWith('The trophy'));
});

test('another sentence is asked anew, and what to try is said of the lesson’s own alone', async () => {
  const page = await open({ fragment: '#step=it&shown' });
  await page.page.getByRole('button', { name: 'or type your own sentence' }).click();
  await page.page.locator('.own-sentence').fill('My brother lost the keys because he was careless');
  await page.page.keyboard.press('Enter');
  await page.page.locator('button.word', { hasText: 'brother' }).waitFor();
  assert.match(await heading(page), /Which word/);
  assert.equal(await page.page.evaluate(() => document.querySelector('#lesson')?.shadowRoot?.activeElement?.localName), 'h2', 'the focus');
  await page.page.getByRole('button', { name: 'Guess “brother”' }).click();
  assert.match(await lead(page), /: 100% of what he takes in comes from brother\.$/, 'next to nothing is not said');
  assert.doesNotMatch(await page.page.locator('.try').innerText(), /tired|wide|fool/);
  assert.match(await page.page.locator('.ask-part[data-here] h2').getAttribute('aria-describedby') ?? '', /^lead$/, 'the focus reads the answer, once');
  assert.equal(await page.page.locator('.ask[aria-live]').count(), 0);
  assert.deepEqual(page.problems, []);
});

test('a first visit is the lesson; a link and a returning reader open where they point', async () => {
  const linked = await reader.open({ file: 'index.html', fragment: '#v1&text=one+two&heads=2' });
  await linked.page.waitForURL(/playground\.html#v1&text=one\+two&heads=2/);
  const first = await open();
  assert.match(await heading(first), /Which word/);
  await first.page.locator('a.skip').click();
  await first.page.waitForURL(/playground\.html/);
  // The heads are those of the lesson, not random ones, which look elsewhere.
  const looks = () => first.page.locator('.row-words b').first().waitFor().then(() => first.page.locator('.row-words').innerText());
  assert.match(await looks(), /94%/);
  await first.page.goto(reader.address);
  await first.page.waitForURL(/playground\.html/);
  assert.match(await looks(), /94%/);
  await first.page.goto(`${reader.address}#lesson`);
  await first.page.locator('.word').first().waitFor();
});

/** What the playground shows, and the share that its row leads with. */
const playgroundSeen = async (page: Opened['page']) => {
  const seen = await page.evaluate(() => {
    const { parameters, text, trace } = document.querySelector('attention-playground') as unknown as { parameters: string; text: string; trace: { tokens: string[] } };
    return { parameters, text, words: [...trace.tokens] };
  });
  return { ...seen, share: await page.locator('.row-words b').filter({ hasText: '%' }).first().innerText() };
};
const shareOf = async (language: Language) => {
  const row = await expected(language);
  return `${Math.round(100 * (row.weights[row.top] ?? 0))}${language === 'es' ? '\u00a0' : ''}%`;
};

for (const language of ['en', 'es', 'zh-Hans'] as const) {
  test(`the way past the lesson keeps its sentence, its words and its row: ${language}`, async () => {
    const page = await open({ fragment: `#step=it&lang=${language}` });
    const { text } = await lessonFile(language);
    await page.page.locator('.word', { hasText: text.slice(0, 2) }).first().waitFor();
    await page.page.locator('a.skip').click();
    await page.page.waitForURL(/playground\.html/);
    await page.page.locator('.row-words b').first().waitFor();
    const seen = await playgroundSeen(page.page);
    const row = await expected(language);
    assert.deepEqual(seen, { parameters: 'designed', text, words: row.words.map((word) => word.text), share: await shareOf(language) });
    assert.equal(await page.page.evaluate(() => (document.querySelector('attention-playground') as unknown as { state: { selection: { query: number } } }).state.selection.query), row.query);
    await page.close();
  });
}

test('the playground opens with designed heads, on a first visit and in each language; a link says what else', async () => {
  for (const [fragment, language] of [['#', 'en'], ['#lang=es', 'es'], ['#lang=zh-Hans', 'zh-Hans'], ['#how-to-read', 'en']] as const) {
    const { page, problems } = await reader.open({ file: 'playground.html', fragment });
    await page.locator('.row-words b').first().waitFor();
    const { text, words } = language === 'en' ? { text: 'the animal didn\'t cross the street because it was too tired', words: undefined } : await lessonFile(language);
    assert.deepEqual(await playgroundSeen(page), { parameters: 'designed', text, words: words ?? text.split(' '), share: await shareOf(language) }, fragment);
    // Typed, linked to, and back to where it opened.
    await page.evaluate(() => { location.hash = '#v1&text=one+two'; });
    await page.waitForFunction(() => (document.querySelector('attention-playground') as unknown as { parameters: string; text: string }).parameters === 'random');
    await page.evaluate(() => { location.hash = ''; });
    await page.waitForFunction(() => (document.querySelector('attention-playground') as unknown as { parameters: string }).parameters === 'designed');
    assert.deepEqual(problems, []);
    await page.context().close();
  }
});

test('a trained model’s guess is written on with, and its words go to the next steps', async () => {
  const page = await open({ fragment: '#step=trained' }, 'large');
  const guess = page.page.locator('.expects [data-guess] button').first();
  await guess.waitFor({ timeout: 20_000 });
  assert.ok(await page.page.locator('.model-head').count() > 4, 'its heads');
  const small = (of: Opened, least: number) => of.page.locator('.model').evaluate((model, side) => [...model.querySelectorAll<HTMLElement>('button')].filter((button) => button.checkVisibility()).map((button) => ({ words: button.innerText, box: button.getBoundingClientRect() }))
    .filter(({ box }) => Math.min(box.width, box.height) < side).map(({ words, box: { width, height } }) => `${words}: ${width} × ${height}`), least);
  assert.deepEqual(await small(page, 24), [], 'by mouse');
  for (const context of [{ viewport: SIZES.phone }, { viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true }]) {
    const touched = await open({ fragment: '#step=trained', context });
    await touched.page.locator('.expects [data-guess] button').first().waitFor({ timeout: 20_000 });
    assert.deepEqual(await small(touched, 44), [], `${context.viewport.width} px`);
    await touched.close();
  }
  const word = await guess.innerText();
  await guess.click();
  await page.page.waitForFunction((written) => {
    const element = document.querySelector('#lesson')?.shadowRoot?.querySelector('attention-playground') as { text?: string } | null;
    return element?.text?.endsWith(`tired ${written}`);
  }, word);
  await page.page.waitForFunction((written) => new URLSearchParams(location.hash.slice(1)).get('text')?.endsWith(` ${written}`), word);
  await page.page.locator('.expects .accent', { hasText: word }).waitFor();
  assert.deepEqual(page.problems, []);
});

test('a trained model says in its step what it cannot read, and names no head by it', async () => {
  const page = await open({ fragment: `#step=trained&text=${encodeURIComponent('我喜欢猫因为它很可爱')}` });
  await page.page.locator('[role=status]', { hasText: /It does not know this: .*猫.*never met such a word or script/ }).waitFor({ timeout: 20_000 });
  const named = () => page.page.locator('[data-named] .head-words').evaluateAll((all) => all.filter((each) => parseFloat(getComputedStyle(each).fontSize) > 0).length);
  assert.equal(await named(), 0);
  const { bottom, footer } = await page.page.evaluate(() => {
    const lesson = document.querySelector('#lesson')?.shadowRoot as ShadowRoot;
    const note = lesson.querySelector('attention-playground')?.shadowRoot?.querySelector('[data-note=unread]') as Element;
    return { bottom: note.getBoundingClientRect().bottom, footer: (lesson.querySelector('.footer') as Element).getBoundingClientRect().top };
  });
  assert.ok(bottom <= footer, `the note ends at ${bottom}, the footer begins at ${footer}`);
  await page.close();
  const known = await open({ fragment: '#step=trained' });
  await known.page.locator('.expects').waitFor({ timeout: 20_000 });
  assert.equal(await known.page.locator('[data-note=unread]').count(), 0);
  assert.ok(await known.page.locator('[data-named] .head-words').evaluateAll((all) => all.filter((each) => parseFloat(getComputedStyle(each).fontSize) > 0).length) > 0);
});

test('a link to a step without an answer of its own keeps its question, whatever else it says', async () => {
  for (const id of ['scale', 'trained']) {
    const page = await open({ fragment: `#step=${id}&shown` });
    const { question } = (await lessonFile('en')).steps.find((each) => each.id === id) ?? { question: '' };
    assert.equal(await heading(page), question);
    assert.match(await page.page.locator('article.step').ariaSnapshot(), new RegExp(`article "${question.replace('?', '\\?')}"`));
    await page.close();
  }
});

test('training steps ask first, mark the guess and train, in the lesson’s own frame', async () => {
  const page = await open({ fragment: '#step=heads' }, 'large');
  await page.page.locator('.training-ask [data-guess]').first().waitFor({ timeout: 20_000 });
  assert.match(await heading(page), /Why more than one head/);
  assert.equal(await page.page.locator('.training-head h2').filter({ visible: true }).count(), 0, 'its own title');
  const look = (button: string) => page.page.locator(button).evaluate((each) => {
    const { color, backgroundColor, borderTopColor } = getComputedStyle(each);
    return [color, backgroundColor, borderTopColor, each.getBoundingClientRect().width, (each as HTMLElement).title];
  });
  const [waiting, ready] = [await look('.training-play'), await look('.training-ask [data-guess=one]')];
  for (const i of [0, 1, 2]) assert.notEqual(waiting[i], ready[i], 'Play looks as if it could be pressed');
  assert.equal(waiting[4], 'Guess first');
  await page.page.locator('.training-ask [data-guess]').first().click();
  await page.page.locator('.training-lane output').first().waitFor({ timeout: 20_000 });
  assert.equal((await look('.training-play'))[4], '');
  await page.page.keyboard.press('PageDown');
  assert.equal(await step(page), 'learn');
});

test('“How does it choose?” gives nothing away before the guess, or before the reader plays', async () => {
  for (const [press, count] of [['', 0], ['.choice', 1], ['.row-step >> nth=3', 1]] as const) {
    const page = await open({ fragment: '#step=choose' });
    await page.page.locator('.row-figure').getByText('Score').first().waitFor({ timeout: 10_000 });
    await page.page.waitForTimeout(300);
    if (press) await page.page.locator(press).first().click();
    await page.page.waitForTimeout(300);
    const drawn = await page.page.locator('.row-figure').innerText() + await page.page.locator('.row-figure svg').first().textContent();
    assert.equal(/94%/.test(drawn), count > 0, press);
    assert.equal(await page.page.locator('.row-arcs').evaluate((arcs) => getComputedStyle(arcs).visibility === 'visible'), count > 0, `${press}: arcs`);
    const now = press ? 'Softmax' : 'Score';
    assert.equal(await page.page.locator('.row-step[aria-current]').innerText(), now, `${press}: the stage that is marked`);
    assert.match(await page.page.locator('.row-words').innerText(), new RegExp(`^${now} `));
    await page.close();
  }
});

test('“How does it choose?” marks the shares in a link to its answer, and its scores again once it is asked again', async () => {
  const page = await open({ fragment: '#step=choose&shown' });
  const now = (stage: string) => page.page.locator('.row-step[aria-current]', { hasText: stage }).waitFor({ timeout: 10_000 });
  await now('Softmax');
  await page.page.locator('.rail button').nth(1).click();
  await now('Score');
  assert.doesNotMatch(await page.page.locator('.row-figure').innerText(), /94%/);
  await page.page.locator('.row-step').last().click();
  await page.page.locator('.choice').first().click();
  await now('Mix');
});

/** What of the lesson's figure is named on the screen, and must be above the footer. */
const STAGE_PARTS = ['.ask-part[data-here] h2', '.ask-part[data-here] .lead', '.choices', '.row-words', '.row-drawing'];
/** Not on a projector. */
const STAGE_BUTTONS = ['.row-play', '.row-step >> nth=4'];

for (const language of ['en', 'es', 'zh-Hans'] as const) {
  test(`“How does it choose?” stands on one screen, and no answer or stage moves its words or steps: ${language}`, async () => {
    for (const [presenter, size] of [['', 'desk'], ['&presenter', 'desk'], ['', 'large']] as const) {
      const page = await open({ fragment: `#step=choose&lang=${language}${presenter}` }, size);
      await page.page.locator('.row-word').first().waitFor({ timeout: 10_000 });
      const words = () => page.page.locator('.row-word, .row-step').evaluateAll((all) => all.map((word) => {
        const { top, left } = word.getBoundingClientRect();
        return `${top.toFixed(1)} ${left.toFixed(1)}`;
      }));
      const assertSeen = async () => {
        const footer = (await page.page.locator('.footer').boundingBox())?.y ?? 0;
        for (const part of presenter ? STAGE_PARTS : [...STAGE_PARTS, ...STAGE_BUTTONS]) {
          const box = await page.page.locator(part).boundingBox();
          assert.ok(box && box.y >= 0 && box.y + box.height <= footer + 0.5, `${part} ${size}${presenter} ends at ${box ? box.y + box.height : 'nowhere'}, the footer begins at ${footer}`);
        }
      };
      await assertSeen();
      const before = await words();
      await page.page.locator('.choice').first().click();
      await page.page.locator('.choice', { hasText: '✓' }).waitFor();
      assert.equal(await page.page.locator('.row-step[aria-current]').getAttribute('data-step'), 'weights', 'the stage that the answer is about');
      await page.page.locator('.row-step').last().evaluate((button) => (button as HTMLElement).click());
      await assertSeen();
      assert.deepEqual(await words(), before);
      await page.close();
    }
  });

  test(`by keys through all seven steps, in the language of the page: ${language}`, async () => {
    const { steps } = await lessonFile(language);
    const skip = { 'en': /^Skip/, 'es': /^Saltar/, 'zh-Hans': /^跳过/ }[language];
    const page = await open({ fragment: `#step=it&lang=${language}` }, 'large');
    for (const { id, question } of steps) {
      await page.page.locator(`article.step[data-step=${id}]`).waitFor();
      await page.page.locator('.ask-part[data-here] h2', { hasText: question.replaceAll('*', '') }).waitFor();
      if (id !== 'it') await page.page.locator('attention-playground').waitFor();
      await page.page.waitForTimeout(300);
      assert.match(await page.page.locator('a.skip').innerText(), skip, `${id}: the page’s own words`);
      if (id === steps.at(-1)?.id) break;
      await page.page.keyboard.press('ArrowRight');
      if (await page.page.locator('article.step').getAttribute('data-step') === id) await page.page.keyboard.press('ArrowRight');
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('by touch at 390 px through all seven steps: nothing scrolls sideways, and every target is 44 px high', async () => {
  const { steps } = await lessonFile('en');
  const page = await open({}, 'phone');
  for (const { id } of steps) {
    await page.page.locator(`article.step[data-step=${id}]`).waitFor();
    if (id !== 'it') await page.page.locator('attention-playground').waitFor();
    await page.page.waitForTimeout(800);
    const found = await page.page.evaluate(() => {
      const lesson = document.querySelector('#lesson')?.shadowRoot as ShadowRoot;
      const low = [...lesson.querySelectorAll<HTMLElement>('button:not(.word, .rail button), a')].filter((target) => target.checkVisibility()).map((target) => ({ words: target.innerText, height: target.getBoundingClientRect().height })).filter(({ height }) => height < 43.5);
      return { low, wide: document.documentElement.scrollWidth - innerWidth };
    });
    assert.deepEqual(found, { low: [], wide: 0 }, id);
    assert.deepEqual(page.problems, [], id);
    if (await page.page.locator('.go:not(.primary)').count() > 0) await page.page.locator('.go').tap();
    if (id !== steps.at(-1)?.id) await page.page.locator('.go.primary').tap();
  }
});
