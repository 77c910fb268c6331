// The page for authors, used as an author does: choices, the figure changed by hand, lines copied and put into another page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { BrowserContextOptions } from 'playwright-core';
import { type Opening, type Playground, Reader, SITE, saved } from '../lib/page.ts';
import { DEFAULTS, firstDifference, nativeStages } from '../lib/native.ts';
import { Random } from '../lib/random.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { NAMES, START, readChosen, tidy, writeChosen } from '../../web/src/pages/configurator/choices.ts';
import { figureOf } from '../../web/src/pages/configurator/copy.ts';
import { SYSTEMS, type SystemId, snippet } from '../../web/src/pages/configurator/snippets.ts';

const axe = await readFile(createRequire(new URL('../../web/package.json', import.meta.url)).resolve('axe-core/axe.min.js'), 'utf8');
const reader = await Reader.arrive();
const folder = await mkdtemp(path.join(tmpdir(), 'attention-author-'));
// The files as an author gets them.
await mkdir(path.join(folder, 'attention'));
execFileSync('tar', ['-xzf', path.join(SITE, 'attention-playground.tgz'), '-C', path.join(folder, 'attention')]);
const course = await Reader.arrive(folder);
after(async () => {
  await reader.leave();
  await course.leave();
  await rm(folder, { recursive: true });
});

const HOSTILE = '"><script>hacked()</script> {{ 7*7 }} {% raw %} {{< x >}} ${a} `b` \\n \'&amp; <!-- --> ]]>';

async function open(fragment = '#v1&view=heads', context: BrowserContextOptions = {}, before?: Opening['before']): Promise<Playground> {
  const page = await reader.open({ file: 'configure.html', fragment, context, ...(before && { before }) });
  // It starts when it comes near the screen.
  await page.page.locator('#figure').scrollIntoViewIfNeeded();
  await computed(page);
  return page;
}

/** Until the figure has a picture of what is chosen; a lab has one of its own. */
const computed = (page: Playground) => page.page.waitForFunction(() => {
  const figure = document.querySelector('attention-playground') as AttentionPlayground | null;
  return figure?.trace ?? figure?.shadowRoot?.querySelector('.lab > [aria-busy=false]');
});
const choose = (page: Playground, choice: string, value: string) => page.page.locator(`[data-choice=${choice}] :is(.segment, .tile, .chip):has(input[value="${value}"])`).first().click();
const setting = (page: Playground, name: string, value: string) => page.page.locator(`#choices [data-setting=${name}] .segment:has(input[value="${value}"])`).click();
const code = (page: Playground, file = '') => page.page.locator(`pre[data-file="${file}"]`).innerText();
const hash = async (page: Playground, part: string) => {
  await page.page.waitForFunction((wanted) => location.hash.includes(wanted), part);
  return page.page.evaluate(() => location.hash);
};
const weights = (page: Playground) => page.page.evaluate(() => Array.from((document.querySelector('attention-playground') as AttentionPlayground).stage('weights')));
const use = async (page: Playground, name: string, value: string) => page.page.waitForFunction(([wanted, text]) =>
  String((document.querySelector('attention-playground') as unknown as Record<string, unknown>)[wanted as string]) === text, [name, value] as const);

test('it opens with designed heads, in the figure and in its lines', async () => {
  const page = await open('');
  await use(page, 'parameters', 'designed');
  assert.match(await code(page), /<attention-playground [^>]*view="heads"[^>]* parameters="designed"/);
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.textContent?.includes('pronoun'));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('choices become the figure, its lines and the address; the address brings them back', async () => {
  const page = await open();
  await choose(page, 'view', 'matrix');
  await page.page.locator('[data-choice=text] textarea').fill('the cat sat');
  await setting(page, 'mask', 'none');
  await setting(page, 'heads', '2');
  await use(page, 'mask', 'none');
  await use(page, 'heads', '2');
  await use(page, 'text', 'the cat sat');
  await computed(page);
  assert.match(await code(page), /^<link [^\n]*\n<script defer [^\n]*\n<attention-playground text="the cat sat" view="matrix" mask="none" heads="2">/);
  const address = await hash(page, 'heads=2');
  assert.equal(address, '#v1&text=the+cat+sat&view=matrix&mask=none&heads=2');
  const numbers = await weights(page);
  const settings = { ...DEFAULTS, num_heads: 2, mask: 'none' as const };
  assert.equal(firstDifference(Float32Array.from(numbers), nativeStages(['the', 'cat', 'sat'], settings).get('weights')), -1);
  // What is taken back is not said any more.
  await setting(page, 'mask', 'causal');
  await use(page, 'mask', 'causal');
  await page.page.waitForFunction(() => !location.hash.includes('mask'));
  assert.doesNotMatch(await code(page), /mask=/);
  assert.deepEqual(page.problems, []);
  await page.close();
  const again = await open(address);
  assert.deepEqual(await weights(again), numbers);
  assert.equal(await again.page.locator('[data-choice=text] textarea').inputValue(), 'the cat sat');
  await again.close();
});

test('a lesson is chosen with its file and its step; the preview plays the seven questions', async () => {
  const page = await open();
  await choose(page, 'view', 'lesson');
  await page.page.locator('attention-playground .lesson h2').first().waitFor();
  assert.match(await code(page), /view="lesson"/);
  assert.equal(await page.page.locator('[data-choice=controls]').count(), 0, 'a lesson has no switches of its own');
  await page.page.getByLabel(/^Address of the lesson/).fill('course/lesson.json');
  await page.page.getByLabel(/^Opens at the step/).fill('choose');
  await page.page.locator('attention-playground article[data-step=choose]').waitFor();
  assert.match(await code(page), /src="course\/lesson\.json" preset="step=choose"/);
  const address = await hash(page, 'preset=step');
  assert.deepEqual(page.problems, []);
  await page.close();
  const again = await reader.open({ file: 'configure.html', fragment: address });
  await again.page.locator('#figure').scrollIntoViewIfNeeded();
  await again.page.locator('attention-playground article[data-step=choose]').waitFor();
  assert.match(await code(again), /src="course\/lesson\.json" preset="step=choose"/);
  assert.deepEqual(again.problems, []);
  // Another view keeps nothing of it.
  await choose(again, 'view', 'matrix');
  assert.doesNotMatch(await code(again), /lesson/);
  await again.close();
});

test('an address with the older name of a column is read', async () => {
  const page = await open('#v1&view=matrix&text=the+cat+sat&row=3&key=2');
  assert.match(await code(page), / row="3" column="2"/);
  await page.close();
});

test('what is done to the figure by hand is in the lines', async () => {
  const page = await open('#v1&view=playground&text=the+cat+sat');
  await page.page.locator('#text').fill('a dog ran off');
  await page.page.waitForFunction(() => document.querySelector('pre')?.textContent?.includes('text="a dog ran off"'));
  await page.page.locator('#figure [data-setting=mask] select').selectOption('none');
  await page.page.waitForFunction(() => document.querySelector('pre')?.textContent?.includes('mask="none"'));
  await page.page.locator('#figure .heads-scroll label[data-head="2"]').click();
  await page.page.waitForFunction(() => document.querySelector('pre')?.textContent?.includes('head="3"'));
  assert.match(await code(page), /<attention-playground text="a dog ran off" mask="none" head="3" row="\d" column="\d">/);
  await page.page.locator('[data-choice=text] textarea').fill('the cat sat');
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.text === 'the cat sat');
  assert.equal(await page.page.locator('#choices [data-setting=mask] input[value=none]').isChecked(), true);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the copied lines show the same numbers in an empty page', async () => {
  const page = await open('#v1&view=heads&text=%E2%80%9Cit%E2%80%9D+%3Cb%3E+%26amp%3B+%22q%22&heads=8&mask=none&seed=7', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.page.locator('.part-head button').click();
  await page.page.waitForFunction(() => document.querySelector('#copied')?.textContent === 'Copied.');
  const copied = await page.page.evaluate(() => navigator.clipboard.readText());
  await writeFile(path.join(folder, 'index.html'), `<!doctype html><html lang="en"><meta charset="utf-8"><title>A course</title>${copied}</html>`);
  const host = await course.open({ file: 'index.html' });
  await computed(host);
  await computed(page);
  assert.deepEqual(await weights(host), await weights(page));
  assert.equal(await host.page.evaluate(() => document.querySelector('attention-playground')?.textContent), 'What the words of ““it” <b> &amp; "q"” attend to: a figure that needs JavaScript and WebAssembly.');
  assert.deepEqual([...page.problems, ...host.problems.filter((problem) => !problem.includes('404'))], []);
  await page.close();
  await host.close();
});

test('where a link has set whose files the lines load, the page says so before the lines, until the author changes it', async () => {
  const page = await open('#v1&view=heads&text=a+cat&playground=%2F%2Felsewhere.invalid%2F&files=https%3A%2F%2Felsewhere.invalid%2Fattention%2F');
  const warning = page.page.locator('.linked');
  await warning.waitFor();
  const words = await warning.innerText();
  assert.match(words, /whose files the lines load: https:\/\/elsewhere\.invalid\/attention\//);
  assert.match(words, /where “Open in the playground” leads: \/\/elsewhere\.invalid\//);
  assert.ok(await warning.evaluate((box) => Boolean(box.compareDocumentPosition(document.querySelector('#snippets pre') as Element) & Node.DOCUMENT_POSITION_FOLLOWING)), 'before the lines');
  await page.page.locator('[data-choice=base] input').fill('');
  await page.page.waitForFunction(() => !document.querySelector('.linked')?.textContent?.includes('whose files'));
  // What the author types is the author's.
  await page.page.locator('[data-choice=base] input').fill('https://mine.invalid/attention/');
  await page.page.waitForFunction(() => document.querySelector('pre')?.textContent?.includes('https://mine.invalid/'));
  assert.doesNotMatch(await warning.innerText(), /mine/);
  await page.close();
  for (const files of ['attention/', '..%2Fattention%2F', '%2Fattention%2F']) {
    const own = await open(`#v1&view=heads&text=a+cat&files=${files}`);
    assert.equal(await own.page.locator('.linked').count(), 0, files);
    await own.close();
  }
});

test('where the clipboard is refused, the lines are selected', async () => {
  const page = await open('', {}, (tab) => tab.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('refused')) } });
  }));
  await page.page.locator('.part-head button').click();
  await page.page.waitForFunction(() => document.querySelector('#copied')?.textContent?.includes('Ctrl+C'));
  assert.equal(await page.page.evaluate(() => getSelection()?.toString()), await code(page));
  await page.close();
});

test('a lab’s own controls are in the lines', async () => {
  const page = await open('#v1&view=lab-scale&text=the+cat+sat');
  await page.page.locator('#figure .lab input[type=range]').first().press('ArrowRight');
  await page.page.waitForFunction(() => /preset="/.test(document.querySelector('pre')?.textContent ?? ''));
  assert.match(await code(page), /view="lab-scale" preset="[^"]+"/);
  await page.close();
});

test('what readers may do with a lab is chosen, seen in it, and in the lines', async () => {
  const page = await open('#v1&view=lab-scale&text=the+cat+sat');
  await page.page.locator('[data-choice=readonly]').click();
  await page.page.locator('[data-choice=locked-text]').click();
  await page.page.locator('#figure .lab [data-readonly] input[type=range]:disabled').first().waitFor();
  assert.match(await code(page), /view="lab-scale"[^>]* readonly[^>]* locked="text"/);
  await choose(page, 'controls', 'none');
  await page.page.locator('#figure .lab-controls').first().waitFor({ state: 'hidden' });
  assert.match(await code(page), /controls="none"/);
  await choose(page, 'controls', 'basic');
  await page.page.locator('#figure .lab-controls').first().waitFor();
  assert.doesNotMatch(await code(page), /controls=/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('matrices of the author’s own are a file beside the others, and the lines name it', async () => {
  const page = await open('#v1&view=playground&text=the+cat+sat&d-model=8&heads=2', { acceptDownloads: true });
  await page.page.evaluate(() => {
    (document.querySelector('attention-playground') as AttentionPlayground).config = { given: { W_Q: Array.from({ length: 64 }, (_, i) => i % 5 - 2) } };
  });
  await page.page.waitForFunction(() => document.querySelector('pre')?.textContent?.includes('src="attention/figure.json"'));
  assert.doesNotMatch(await code(page), /parameters=/);
  const download = await saved(page.page, () => page.page.getByText('Save the file').click());
  await cp(await download.path(), path.join(folder, 'attention/figure.json'));
  await writeFile(path.join(folder, 'index.html'), `<!doctype html><html lang="en"><meta charset="utf-8"><title>A course</title>${await code(page)}</html>`);
  const host = await course.open({ file: 'index.html' });
  await host.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground).trace && document.querySelector('attention-playground')?.parameters === 'yours');
  await computed(host);
  await computed(page);
  assert.deepEqual(await weights(host), await weights(page));
  await page.close();
  await host.close();
});

test('each system has its lines, and no sentence breaks out of them', async () => {
  const page = await open(`#v1&view=heads&text=${encodeURIComponent(HOSTILE)}&fallback=${encodeURIComponent(HOSTILE)}`, {}, (tab) => tab.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective}`));
  }));
  for (const id of Object.keys(SYSTEMS) as SystemId[]) {
    await choose(page, 'system', id);
    const shown = await page.page.locator('pre').allInnerTexts();
    const parts = snippet(id, figureOf({ ...START, said: tidy({ view: 'heads', text: HOSTILE }), fallback: HOSTILE }, {}));
    assert.deepEqual(shown, parts.map((part) => part.code), `${id}: what stands there is what the table says`);
    // Strings of code hold it whole; everywhere else its signs are written otherwise.
    const whole = shown.join('\n').split(JSON.stringify(HOSTILE)).join('');
    assert.doesNotMatch(whole, /"><script>|hacked\(\)<\/script>|\{\{ 7\*7|\{% raw|\{\{< x|\$\{a\}/, id);
  }
  assert.equal(await page.page.evaluate(() => document.querySelectorAll('body script, body attention-playground').length), 1);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('files from another host come with the hashes of the script and the style sheet, which are those beside this page', async () => {
  const page = await open();
  await page.page.locator('[data-choice=base] input').fill('https://example.org/attention');
  await page.page.waitForFunction(() => document.querySelector('pre')?.textContent?.includes('https://example.org/attention/attention-playground.js'));
  const lines = await code(page);
  const { createHash } = await import('node:crypto');
  for (const file of ['attention-playground.css', 'attention-playground.js']) {
    const hash = `sha384-${createHash('sha384').update(await readFile(path.join(SITE, 'embed', file))).digest('base64')}`;
    assert.ok(lines.includes(`"https://example.org/attention/${file}" integrity="${hash}" crossorigin="anonymous">`), lines);
  }
  await page.close();
});

test('what is said of hashes is what stands in the lines: none where none has a place, and none where they could not be loaded', async () => {
  const note = (page: Playground) => page.page.locator('#note-base').innerText();
  const page = await open();
  await page.page.locator('[data-choice=base] input').fill('https://example.org/attention');
  for (const [system, says] of [['html', /holds the hashes/], ['mkdocs', /holds the hashes/], ['myst', /only if that host sends CORS/], ['iframe', /^$/]] as const) {
    await choose(page, 'system', system);
    assert.match(await note(page), says, system);
    assert.equal((await code(page)).includes('sha384-'), says.test('holds the hashes'), system);
  }
  await page.close();
  const without = await open('', {}, (tab) => tab.route('**/sri.json', (route) => route.abort()));
  await without.page.locator('[data-choice=base] input').fill('https://example.org/attention');
  for (const system of ['html', 'mkdocs', 'sphinx']) {
    await choose(without, 'system', system);
    assert.match(await note(without), /could not be loaded, so the snippet is without them/);
    assert.doesNotMatch((await without.page.locator('pre').allInnerTexts()).join('\n'), /sha384|integrity|media/, system);
  }
  assert.match(await code(without, 'conf.py'), /html_css_files = \["https/);
  await without.close();
});

test('the box is as wide as chosen, dragged or moved by the keyboard', async () => {
  const page = await open();
  const width = () => page.page.locator('.frame-view').evaluate((box) => Math.round(box.getBoundingClientRect().width));
  await choose(page, 'width', '360');
  assert.equal(await width(), 360);
  await page.page.locator('.edge').focus();
  await page.page.keyboard.press('ArrowRight');
  assert.equal(await width(), 380);
  const edge = await page.page.locator('.edge').boundingBox();
  assert.ok(edge);
  await page.page.mouse.move(edge.x + 5, edge.y + 50);
  await page.page.mouse.down();
  await page.page.mouse.move(edge.x + 105, edge.y + 60, { steps: 3 });
  await page.page.mouse.up();
  assert.equal(await width(), 480);
  await page.page.mouse.move(edge.x + 108, edge.y + 80);
  assert.equal(await width(), 480, 'released');
  await hash(page, 'width=480');
  await page.close();
});

const random = new Random(7);
const any = <T>(of: readonly T[]): T => of[random.whole(0, of.length - 1)] as T;

test('any address is read: what is known and fits is kept, and written back as it was', () => {
  const values = ['', '1', '8', 'none', 'on', 'heads', 'lab-scale', 'all', HOSTILE, '-1', '1e9', 'NaN', '%', '\ud800', 'x'.repeat(3000), 'largest-key', 'mask text'];
  for (let i = 0; i < 2000; i += 1) {
    const keys = Array.from({ length: random.whole(0, 8) }, () => any([...NAMES, '__proto__', 'constructor', 'system', 'width', 'files', 'fallback', 'lang', 'src', 'onclick']));
    const fragment = `#v1&${keys.map((key) => `${key}=${random.whole(0, 3) ? encodeURIComponent(any(values).replace(/\p{Surrogate}/gu, '')) : any(values)}`).join('&')}`;
    const chosen = readChosen(fragment);
    if (!chosen) continue;
    assert.ok(Object.keys(chosen.said).every((name) => NAMES.includes(name)));
    assert.deepEqual(readChosen(writeChosen(chosen)), chosen, fragment);
  }
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

const STATES: readonly [string, BrowserContextOptions][] = [
  ['360 px, dark', { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, colorScheme: 'dark' }], ['768 px', { viewport: { width: 768, height: 1000 } }],
  ['1440 px', {}], ['forced colours', { forcedColors: 'active' }], ['Spanish, 360 px', { viewport: { width: 360, height: 780 }, locale: 'es' }],
];

for (const [name, context] of STATES) {
  test(`the page for authors fits, and axe finds nothing amiss: ${name}`, async () => {
    const page = await open('#v1&view=matrix&text=the+cat+sat&system=hugo', context);
    for (const summary of await page.page.locator('#choices details > summary').all()) await summary.click();
    const wide = await page.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `the page is ${wide} px too wide`);
    await page.page.evaluate(axe);
    const { violations } = await page.page.evaluate(() => (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({ resultTypes: ['violations'] }));
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`), []);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('by the keyboard alone, a figure is chosen and its lines are copied', async () => {
  const page = await open('#v1&view=heads', { permissions: ['clipboard-read', 'clipboard-write'] });
  const { keyboard } = page.page;
  const tabTo = async (selector: string) => {
    for (let i = 0; i < 120; i += 1) {
      if (await page.page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      await keyboard.press('Tab');
    }
    assert.fail(`${selector} is not to be reached`);
  };
  await tabTo('.tile input');
  await keyboard.press('ArrowRight');
  await use(page, 'view', 'matrix');
  await tabTo('[data-setting=mask] input');
  await keyboard.press('ArrowLeft');
  await use(page, 'mask', 'none');
  await tabTo('.chip input');
  await keyboard.press('ArrowRight');
  await tabTo('.part-head button');
  await keyboard.press('Enter');
  await page.page.waitForFunction(() => document.querySelector('#copied')?.textContent === 'Copied.');
  assert.match(await page.page.evaluate(() => navigator.clipboard.readText()), /^<div>[^]*view="matrix" mask="none">[^]*<\/div>$/);
  await page.close();
});
