// All labs alike: on their page and alone in somebody else's, at any width, in any theme, with any link.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { BrowserContextOptions } from 'playwright-core';
import { embedFolder } from '../lib/embedded.ts';
import { LabTab } from '../lib/lab.ts';
import { type Playground, Reader } from '../lib/page.ts';
import { Random } from '../lib/random.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { LABS as ALL, pageOf } from '../../web/src/state/views.ts';

/** Training has a page, and tests, of its own. */
const LABS = ALL.filter((view) => pageOf(view) === 'labs.html');

const GALLERY = process.env['ATTENTION_GALLERY'] ?? fileURLToPath(new URL('../../build/gallery', import.meta.url));
const axe = await readFile(createRequire(new URL('../../web/package.json', import.meta.url)).resolve('axe-core/axe.min.js'), 'utf8');

// The script in one file with what it asks for, and nothing else of the site, under somebody else's policy.
const { folder, reader: course } = await embedFolder();
await writeFile(path.join(folder, 'index.html'), `<!doctype html><html lang="en"><meta charset="utf-8"><title>A course</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'">
<script src="attention-playground.js" defer></script>
<h1>Course</h1>${LABS.map((view) => `<attention-playground view="${view}" text="the cat sat on the mat">A figure.</attention-playground>`).join('')}</html>`);

const reader = await Reader.arrive();
after(() => reader.leave());

/** Every lab of the page brought into view, and there. */
async function visit(page: Playground, each: (view: string) => Promise<void> = async () => {}): Promise<void> {
  for (const view of LABS) {
    const lab = page.page.locator(`attention-playground[view=${view}]`);
    await lab.scrollIntoViewIfNeeded();
    await lab.locator('.lab-frame').waitFor();
    await page.page.waitForFunction((name) => document.querySelector(`attention-playground[view=${name}]`)?.shadowRoot?.querySelector('.lab > [aria-busy=false]'), view);
    await each(view);
  }
}

const WHERE: readonly [string, BrowserContextOptions][] = ['en-GB', 'es', 'zh-CN'].flatMap((locale) => [360, 768, 1440].flatMap((width) => (['light', 'dark'] as const)
  // Another language changes no colours: one theme will do, unless pictures are wanted.
  .filter((theme) => locale === 'en-GB' || theme === 'light' || process.env['UPDATE_PICTURES'])
  .map((colorScheme): [string, BrowserContextOptions] => [`${width} px, ${colorScheme}, ${locale.slice(0, 2)}`, { viewport: { width, height: width === 360 ? 780 : 1000 }, colorScheme, hasTouch: width === 360, locale }])));

for (const [name, context] of WHERE) {
  test(`all labs fit, and can be looked at: ${name}`, async () => {
    const page = await reader.open({ file: 'labs.html', context });
    await visit(page, async (view) => {
      const width = await page.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(width <= 0, `${view} makes the page ${width} px too wide`);
      if (!process.env['UPDATE_PICTURES']) return;
      await mkdir(GALLERY, { recursive: true });
      await writeFile(path.join(GALLERY, `${view}-${name.replaceAll(/ px,|,/g, '').replaceAll(' ', '-')}.png`), await page.page.locator(`#${view}`).screenshot({ animations: 'disabled' }));
    });
    assert.deepEqual(page.problems, []);
    await page.page.close();
  });
}

const STATES: readonly [string, BrowserContextOptions][] = [
  ['light', { colorScheme: 'light' }], ['dark', { colorScheme: 'dark' }], ['forced colours', { forcedColors: 'active' }],
  ['a phone', { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true }], ['200 % zoom', { viewport: { width: 720, height: 500 }, deviceScaleFactor: 2 }],
];

for (const [name, context] of STATES) {
  test(`axe finds nothing amiss in the labs: ${name}`, async () => {
    const page = await reader.open({ file: 'labs.html', context });
    await visit(page);
    for (const summary of await page.page.locator('attention-playground .lab-frame details:not([open]) > summary').all()) if (await summary.isVisible()) await summary.click();
    await page.page.evaluate(axe);
    const { violations } = await page.page.evaluate(() => (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({ resultTypes: ['violations'] }));
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target }) => JSON.stringify(target)).join(' ')}`), []);
    await page.page.close();
  });
}

test('every lab, and every figure of reach, makes one claim; a word is changed, not exchanged', async () => {
  const page = await reader.open({ file: 'labs.html', context: { reducedMotion: 'reduce' } });
  await visit(page, async (view) => {
    const lab = page.page.locator(`#${view}`);
    assert.equal(await lab.locator('.lab-claim').count(), Math.max(1, await lab.locator('.lab-part').count()), view);
    for (const claim of await lab.locator('.lab-claim').all()) assert.equal(await claim.evaluate((each) => getComputedStyle(each).fontWeight), '700', view);
    assert.doesNotMatch(await lab.innerText(), /exchange/i, view);
  });
  const labels = await page.page.locator('#lab-mask .lab-field > span').allInnerTexts();
  assert.deepEqual(labels.slice(0, 3), ['Your sentence', 'Change a word', 'New word']);
  await page.page.close();
});

test('what the address names stands at the top while labs above it come, until the reader moves', async () => {
  for (const width of [390, 1280]) {
    const places = [...LABS.map((view): [string, string, string] => ['labs.html', `#${view}`, view]), ['labs.html', '#v1&view=lab-reach&preset=show%3Dmasks', 'lab-reach'], ['training.html', '#training', 'training']] as const;
    for (const [file, fragment, id] of places) {
      const page = await reader.open({ file, fragment, context: { viewport: { width, height: 720 } } });
      await page.page.locator(`#${id} .lab-frame, #${id} .training`).first().waitFor();
      await page.page.waitForTimeout(1000);
      const at = () => page.page.locator(`#${id}`).evaluate((section) => {
        const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
        return scrollTop + clientHeight >= scrollHeight - 1 ? 16 : section.getBoundingClientRect().top;
      });
      assert.ok(Math.abs(await at() - 16) <= 1, `${fragment} at ${width} px: ${await at()} px from the top`);
      if (id === 'lab-scale' || file === 'training.html') await page.close();
      else {
        // Then a lab that grows holds nobody.
        await page.page.mouse.move(width / 2, 360);
        await page.page.mouse.wheel(0, -200);
        await page.page.waitForFunction((top) => Math.abs((document.getElementById(top)?.getBoundingClientRect().top ?? 0) - 16) > 100, id);
        await page.page.evaluate(() => document.body.append(Object.assign(document.createElement('p'), { textContent: 'more' })));
        await page.page.waitForTimeout(400);
        assert.ok(await at() > 116, `${fragment} at ${width} px, scrolled`);
        await page.close();
      }
    }
  }
});

test('the sentence that was typed in the playground is that of every lab', async () => {
  const page = await reader.open({ file: 'playground.html' });
  await page.textBox.fill('seven grey wolves howl');
  await page.page.getByRole('navigation').getByRole('link', { name: 'Labs' }).click();
  await page.page.waitForURL(/labs\.html/);
  const read: string[] = [];
  await visit(page, async (view) => {
    const lab = page.page.locator(`attention-playground[view=${view}]`);
    if (await lab.locator('.lab-sentence').count()) {
      assert.equal(await lab.locator('.lab-sentence textarea').inputValue(), 'seven grey wolves howl', view);
      read.push(view);
    }
  });
  // A dictionary and worked numbers have words of their own.
  assert.deepEqual(LABS.filter((view) => !read.includes(view)), ['lab-lookup', 'lab-numbers']);
  assert.match(await page.page.locator('#lab-heads .lab-said').innerText(), /wolves|howl|grey/);
  assert.deepEqual(page.problems, []);
  await page.page.close();
});

test('every lab is a view of the element, in a page of somebody else’s, under a strict policy; views change, come and go', async () => {
  const page = await course.open({ file: 'index.html' });
  await visit(page);
  const heard = await page.page.evaluate(async (views) => {
    const element = document.querySelector('attention-playground') as AttentionPlayground;
    const titles: string[] = [];
    const until = (selector: string) => new Promise<string>((resolve) => {
      const look = () => {
        const found = element.shadowRoot?.querySelector<HTMLElement>(selector);
        if (found?.innerText.trim()) resolve(found.innerText.trim());
        else requestAnimationFrame(look);
      };
      look();
    });
    element.scrollIntoView();
    for (const view of [...views, '', 'lab-mask', 'no-such-view', 'lab-heads']) {
      element.view = view;
      await element.updateComplete;
      titles.push(view.startsWith('lab-') ? await until('.lab-frame h2') : await until('.figure .row-caption, .caption'));
    }
    const parent = element.parentElement as HTMLElement;
    element.remove();
    parent.prepend(element);
    titles.push(await until('.lab-frame h2'));
    return titles;
  }, [...LABS]);
  assert.equal(new Set(heard.slice(0, LABS.length)).size, LABS.length, heard.join(' | '));
  assert.equal(heard[LABS.length + 1], heard[LABS.indexOf('lab-mask')]);
  assert.equal(heard.at(-1), heard[LABS.indexOf('lab-heads')]);
  const elsewhere = page.requests.filter((url) => !url.startsWith(course.address) && !url.startsWith('data:'));
  assert.deepEqual([elsewhere, page.problems], [[], []]);
  await page.page.close();
});

test('whatever a link or an attribute says, a lab shows a figure or a sentence, and runs nothing of it', async () => {
  const random = new Random(Number(process.env['ATTENTION_SEED'] ?? 5));
  const hostile = ['', '0', '-1', '1e999', 'NaN', '<img src=x onerror=alert(1)>', '__proto__', '%E0%A4%A', '99999999999999999999', '动物', '{{x}}', 'on', 'causal', ',,,', '1,2,3', ' '];
  const names = ['d', 'pairs', 'seed', 'heads', 'row', 'word', 'by', 'mask', 'positions', 'n', 'show', 'example', 'q', 'constructor', 'toString', 'temperature'];
  const texts = ['', 'a', '<b>x</b>', '👩‍👩‍👧 é', 'x'.repeat(5000), 'w '.repeat(300), 'שלום עולם', 'the cat sat'];
  for (const view of LABS) {
    const tab = await LabTab.open(reader, view, { text: 'one two three' });
    for (let i = 0; i < 12; i += 1) {
      const preset = Array.from({ length: random.whole(0, 6) }, () => `${encodeURIComponent(random.pick(names))}=${encodeURIComponent(random.pick(hostile))}`).join('&');
      const text = random.pick(texts);
      await tab.page.evaluate(async ([name, to, words]) => {
        const element = document.querySelector(`attention-playground[view=${name}]`) as AttentionPlayground;
        Object.assign(element, { preset: to, text: words });
        await element.updateComplete;
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }, [view, preset, text] as const);
      const shown = await tab.find('.lab').innerText();
      assert.ok(shown.trim().length > 40 && !/NaN|undefined|\[object/.test(shown.replaceAll('“NaN”', '')), `${view} with ${preset} and “${text.slice(0, 20)}”: ${/.{0,60}(NaN|undefined|\[object).{0,40}/.exec(shown)?.[0] ?? shown}`);
      assert.deepEqual(await tab.find(':is(img, script)').evaluateAll((all) => all.map((each) => each.outerHTML)), [], view);
    }
    assert.deepEqual(tab.problems, [], view);
    await tab.close();
  }
});
