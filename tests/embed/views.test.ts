// Each figure alone, what an author may fix, and what comes in by other ways than attributes.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { LABS } from '../../web/src/state/views.ts';
import { embedFolder } from '../lib/embedded.ts';
import { DEFAULTS, firstDifference, nativeStages } from '../lib/native.ts';
import { type Playground, Reader } from '../lib/page.ts';
import { read as shown } from '../lib/shown-numbers.ts';

const { folder, reader } = await embedFolder();
const CONFIGURATION = { text: 'one two three', heads: 2, mask: 'none', 'd-model': 8, given: { W_O: Array.from({ length: 8 }, (_, i) => Array.from({ length: 8 }, (_, j) => (i === j ? 2 : 0))) } };
await writeFile(path.join(folder, 'configuration.json'), JSON.stringify(CONFIGURATION));

const WORDS = ['the', 'cat', 'sat', 'on', 'the', 'mat'];
const TEXT = `text="${WORDS.join(' ')}"`;
let pages = 0;

interface Host { before?: (tab: Page) => Promise<unknown>; attributes: string; inside?: string; html?: string; context?: BrowserContextOptions; after?: string }

async function host({ attributes, inside = '', html = '', context, after: behind = '', before }: Host): Promise<{ page: Playground; figure: Locator }> {
  const file = `host-${pages += 1}.html`;
  await writeFile(path.join(folder, file), `<!doctype html><html lang="en" ${html}><meta charset="utf-8"><title>Host</title><link rel="stylesheet" href="attention-playground.css"><script src="attention-playground.js" defer></script><body><attention-playground ${TEXT} ${attributes}>${inside}</attention-playground><p id="below">Below.</p>${behind}</html>`);
  const page = await reader.open({ file, ...(context && { context }), ...(before && { before }) });
  return { page, figure: page.page.locator('attention-playground') };
}

const ready = (page: Playground) => page.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground | null)?.trace);
const read = (page: Playground, id = 'weights') => page.page.evaluate((stage) => Array.from((document.querySelector('attention-playground') as AttentionPlayground).stage(stage as 'weights')), id);
const expected = (settings: object, id: 'weights' | 'scaled_scores' = 'weights', words = WORDS) => nativeStages(words, { ...DEFAULTS, ...settings }).get(id);
const set = (page: Playground, properties: Record<string, unknown>) => page.page.evaluate((all) => void Object.assign(document.querySelector('attention-playground') as object, all), properties);

/** As browsers count it: the share of the screen that moved, by how far. */
type Shift = PerformanceEntry & { value: number; sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[] };
/** What moved while the page came, and from where to where. */
const shiftOf = (page: Playground): Promise<readonly string[]> => page.page.evaluate(() => new Promise<string[]>((resolve) => new PerformanceObserver((list) => resolve((list.getEntries() as Shift[]).map(({ value, sources }) => `${value}: ${sources.map(({ node, previousRect: was, currentRect: is }) => `${node instanceof Element ? node.className || node.tagName : node?.nodeName} ${was.x},${was.y} ${was.width}x${was.height} to ${is.x},${is.y} ${is.width}x${is.height}`).join('; ')}`))).observe({ type: 'layout-shift', buffered: true }) ?? setTimeout(() => resolve([]), 200)));

async function assertWeights(page: Playground, settings: object, words = WORDS): Promise<void> {
  assert.equal(firstDifference(Float32Array.from(await read(page)), expected(settings, 'weights', words)), -1);
}

// What a reader sees of each figure, and what not.
const SEEN: Readonly<Record<string, { shown: readonly string[]; hidden: readonly string[] }>> = {
  tokens: { shown: ['.sentence-box'], hidden: ['.heads-scroll', '.matrix', '.inspector', '.walk', '.arched'] },
  arcs: { shown: ['.sentence-box.arched .arcs path >> nth=0', '.heads-scroll'], hidden: ['.matrix', '.inspector', '.walk'] },
  heads: { shown: ['.heads-scroll canvas >> nth=0'], hidden: ['.matrix', '.inspector', '.walk'] },
  matrix: { shown: ['.matrix canvas'], hidden: ['.heads-scroll', '.inspector', '.walk'] },
  cell: { shown: ['.inspector .cell-title'], hidden: ['.heads-scroll', '.matrix', '.walk'] },
  stage: { shown: ['.row-drawing .bar >> nth=0', '.row-play'], hidden: ['.heads-scroll', '.matrix', '.inspector', '.walk', '.sentence-box'] },
  pipeline: { shown: ['.walk [data-stage-card=query]'], hidden: ['.heads-scroll', '.matrix', '.inspector'] },
};
for (const [view, { shown, hidden }] of Object.entries(SEEN)) {
  test(`view="${view}" shows that figure alone`, async () => {
    const { page, figure } = await host({ attributes: `view="${view}" heads="2" controls="none"` });
    for (const selector of shown) await figure.locator(selector).waitFor();
    for (const selector of [...hidden, '.switch-bar', '.take-section', '.pin']) assert.equal(await figure.locator(selector).filter({ visible: true }).count(), 0, selector);
    await assertWeights(page, { num_heads: 2 });
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('what a figure alone does not show is not drawn, and is drawn of the newest numbers when it is shown', async () => {
  const { page, figure } = await host({ attributes: 'view="heads" heads="2" controls="none" loading="eager"' });
  await ready(page);
  const drawn = () => figure.evaluate((element) => {
    const { width, height } = element.shadowRoot?.querySelector('.matrix canvas') as HTMLCanvasElement;
    return { isEmpty: width === 300 && height === 150, heads: element.shadowRoot?.querySelectorAll('.heads-scroll canvas').length, columns: element.shadowRoot?.querySelectorAll('.columns > *').length };
  });
  assert.deepEqual(await drawn(), { isEmpty: true, heads: 2, columns: 0 });
  await set(page, { text: 'one two three', view: 'matrix' });
  await figure.locator('.matrix canvas').waitFor();
  await page.settled();
  assert.deepEqual(await drawn(), { isEmpty: false, heads: 2, columns: 3 });
  await set(page, { text: 'one two', heads: '4' });
  await page.settled();
  assert.equal((await drawn()).heads, 2, 'heads out of sight wait');
  await set(page, { view: 'arcs' });
  await figure.locator('.heads-scroll label >> nth=3').waitFor();
  assert.equal((await drawn()).heads, 4);
  const inked = await figure.evaluate((element) => [...(element.shadowRoot?.querySelectorAll<HTMLCanvasElement>('.heads-scroll canvas') ?? [])].map((canvas) => canvas.getContext('2d')?.getImageData(0, 0, 1, 1).data[3]));
  assert.deepEqual(inked, [255, 255, 255, 255], 'the first cell of each head is drawn');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('one matrix is any stage; one cell is any number', async () => {
  const { page, figure } = await host({ attributes: 'view="matrix" step="scaled_scores" row="3" column="2" controls="none"' });
  await figure.locator('[data-stage-card=scaled_scores] canvas').first().waitFor();
  assert.equal(await figure.locator('[data-stage-card]').count(), 1);
  const { low, high } = shown(await figure.locator('[data-value=scaled_scores]').innerText());
  const value = expected({}, 'scaled_scores')?.[2 * 6 + 1] ?? NaN;
  assert.ok(value >= low && value <= high && high - low < 0.002, `${value} is shown as ${low} to ${high}`);
  await set(page, { view: 'cell', step: 'weights' });
  await figure.locator('.inspector .cell-title', { hasText: 'sat' }).waitFor();
  await set(page, { step: 'context' });
  await figure.locator('.explanation', { hasText: 'Context' }).waitFor();
  assert.equal(await figure.locator('[data-stage-card]').filter({ visible: true }).count(), 0);
  await page.close();
});

test('attributes choose the head, the row and the column, and properties say what is looked at', async () => {
  const { page, figure } = await host({ attributes: 'view="cell" heads="4" head="3" row="5" column="2" controls="none"' });
  await figure.locator('.cell-title').waitFor();
  const weight = expected({ num_heads: 4 })?.[(2 * 6 + 4) * 6 + 1] ?? NaN;
  assert.ok((await figure.locator('.cell-title').innerText()).includes(weight.toPrecision(4).slice(0, 5)), 'the weight of that cell');
  await set(page, { row: '6', column: 4 });
  await figure.locator('.cell-title', { hasText: 'mat' }).waitFor();
  assert.deepEqual(await page.page.evaluate(() => {
    const { head, row, column } = document.querySelector('attention-playground') as AttentionPlayground;
    return [head, row, column];
  }), [3, 6, 4]);
  await page.close();
});

test('what an attribute cannot be is said, and nothing breaks', async () => {
  const { page, figure } = await host({ attributes: 'view="nothing" head="-1" controls="some" heads="3" locked="mask nonsense" task="x" mask-cells="9"' });
  await ready(page);
  const words = await figure.locator('.notices').innerText();
  for (const name of ['view', 'head', 'controls', 'locked', 'task', 'mask-cells']) assert.match(words, new RegExp(`${name} cannot be “`), name);
  await figure.locator('.walk').waitFor();
  await page.close();
});

test('controls: none leaves nothing to turn, basic the sentence and the main settings, all everything', async () => {
  const { page, figure } = await host({ attributes: 'view="matrix"' });
  await figure.locator('[data-setting=mask]').waitFor();
  assert.equal(await figure.locator('.more, .quiet').filter({ visible: true }).count(), 0);
  await figure.locator('textarea').fill('a new one');
  await figure.locator('[data-setting=mask] input[value=none]').locator('xpath=ancestor::label').click();
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.shape.T === 3);
  await assertWeights(page, { mask: 'none' }, ['a', 'new', 'one']);
  await set(page, { controls: 'all' });
  await figure.locator('.more').waitFor();
  await set(page, { controls: 'none' });
  await figure.locator('.switch-bar').waitFor({ state: 'detached' });
  assert.equal(await figure.locator('textarea').filter({ visible: true }).count(), 0);
  await page.close();
});

test('readonly: cells are looked at, and nothing changes, by mouse, keys or undo', async () => {
  const { page, figure } = await host({ attributes: 'readonly' });
  await figure.locator('.walk [data-stage-card]').first().waitFor();
  await figure.locator('textarea').press('x').catch(() => {});
  assert.equal(await figure.locator('textarea').inputValue(), WORDS.join(' '));
  assert.equal(await figure.locator('fieldset:not(:disabled)').filter({ visible: true }).count(), 0);
  assert.equal(await figure.locator('.mask-tools button, .explanation input').filter({ visible: true }).count(), 0);
  const cell = figure.locator('.matrix [role=gridcell]');
  const before = await cell.getAttribute('aria-label');
  await cell.press('ArrowUp');
  await cell.press('m');
  await page.page.waitForFunction((label) => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.matrix [role=gridcell]')?.getAttribute('aria-label') !== label, before);
  await cell.press('Control+z');
  await assertWeights(page, {});
  await page.close();
});

test('locked settings are shown and stay; the others can be turned', async () => {
  const { page, figure } = await host({ attributes: 'view="heads" locked="mask text" heads="2"' });
  await figure.locator('[data-setting=mask]:disabled').waitFor();
  assert.equal(await figure.locator('textarea').getAttribute('readonly'), '');
  await figure.locator('[data-setting=heads] input[value="4"]').locator('xpath=ancestor::label').click();
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.shape.H === 4);
  await assertWeights(page, { num_heads: 4 });
  await page.close();
});

test('a task keeps the numbers back until the reader has predicted, and the engine marks it', async () => {
  const { page, figure } = await host({ attributes: 'view="matrix" task="largest-key" head="2" row="6" heads="2"' });
  await figure.locator('.task-question', { hasText: 'mat' }).waitFor();
  for (const part of ['.matrix', '.caption .row-caption', '.switch-bar']) assert.equal(await figure.locator(part).filter({ visible: true }).count(), 0, part);
  await page.page.evaluate(() => document.addEventListener('attention-answer', (event) => Object.assign(window, { answer: (event as CustomEvent).detail })));
  const row = Array.from(expected({ num_heads: 2 }) ?? []).slice((6 + 5) * 6, (6 + 6) * 6);
  const best = row.indexOf(Math.max(...row)) + 1;
  const wrong = best === 1 ? 2 : 1;
  await figure.locator(`[data-option="${wrong}"]`).click();
  assert.match(await figure.locator('[data-wrong]').innerText(), /^No\./);
  assert.deepEqual(await page.page.evaluate(() => (window as unknown as { answer: object }).answer), { task: 'largest-key', answer: wrong, right: false });
  await figure.locator('.matrix canvas').waitFor();
  await figure.getByRole('button', { name: 'ask again' }).click();
  assert.equal(await figure.locator('.matrix').filter({ visible: true }).count(), 0);
  await figure.locator(`[data-option="${best}"]`).click();
  await figure.locator('[data-right]').waitFor();
  await page.close();
});

const WAYS: Readonly<Record<string, (page: Playground) => Promise<void>>> = {
  'a child of the element': async () => {},
  'a file': async (page) => set(page, { src: 'configuration.json' }),
  'a property': async (page) => set(page, { config: CONFIGURATION }),
};
for (const [way, bring] of Object.entries(WAYS)) {
  test(`a configuration comes from ${way}`, async () => {
    const inside = way === 'a child of the element' ? `<script type="application/json">${JSON.stringify(CONFIGURATION)}</script>` : '';
    const { page } = await host({ attributes: 'view="matrix"', inside });
    // The sentence is the attribute's, but where a script sets the property.
    const words = way === 'a property' ? ['one', 'two', 'three'] : WORDS;
    await ready(page);
    await bring(page);
    await page.page.waitForFunction(([count]) => {
      const { trace } = document.querySelector('attention-playground') as AttentionPlayground;
      return trace?.shape.H === 2 && trace.shape.T === count && trace.settings.mask === 'none' && trace.settings.d_model === 8;
    }, [words.length]);
    await assertWeights(page, { num_heads: 2, mask: 'none', d_model: 8 }, words);
    const [concat, output] = [await read(page, 'concat'), await read(page, 'output')];
    assert.deepEqual(output, concat.map((x) => 2 * x), 'W_O is the given one');
    await page.close();
  });
}

test('a configuration that is wrong is said, part by part', async () => {
  const { page, figure } = await host({ attributes: '', inside: '<script type="application/json">{"heads": 2, "colour": "red", "__proto__": {"x": 1}, "given": {"W_Q": ["a"]}, "src": "x"}</script>' });
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.shape.H === 2);
  const words = await figure.locator('.notices').innerText();
  for (const part of ['“colour” is not known', '“__proto__” is not known', 'W_Q is not made of finite numbers', '“src” is not known']) assert.ok(words.includes(part), `${part} in ${words}`);
  const broken = await host({ attributes: '', inside: '<script type="application/json">{oops</script>' });
  await broken.figure.locator('.notices', { hasText: 'not valid JSON' }).waitFor();
  await page.close();
  await broken.page.close();
});

test('the link opens the same state in the playground, and only a page’s address makes one', async () => {
  const { page, figure } = await host({ attributes: 'view="matrix" heads="2" row="4" playground="../index.html"' });
  const address = new URL(await figure.locator('.open-link a').getAttribute('href') ?? '');
  assert.equal(address.pathname, '/index.html');
  for (const part of ['text=the+cat+sat+on+the+mat', 'heads=2', 'row=4']) assert.ok(address.hash.includes(part), address.hash);
  const stateOf = (where: Playground) => where.page.evaluate(() => {
    const { tokens, settings, selection } = (document.querySelector('attention-playground') as AttentionPlayground).state;
    return { tokens, settings, selection };
  });
  const site = await Reader.arrive();
  const opened = await site.open({ fragment: address.hash });
  assert.deepEqual(await stateOf(opened), await stateOf(page));
  await opened.close();
  await site.leave();
  await set(page, { playground: 'javascript:alert(1)' });
  await figure.locator('.open-link').waitFor({ state: 'detached' });
  await page.close();
});

for (const [task, sought] of [['smallest-key', Math.min], ['largest-head', Math.max]] as const) {
  test(`the engine marks a ${task}, too`, async () => {
    const { page, figure } = await host({ attributes: `view="matrix" task="${task}" head="2" row="6" column="3" heads="4"` });
    await figure.locator('.task-question').waitFor();
    const weights = expected({ num_heads: 4 }) ?? new Float32Array();
    const of = (head: number, key: number) => weights[(head * 6 + 5) * 6 + key] ?? NaN;
    const choices = task === 'largest-head' ? [0, 1, 2, 3].map((head) => of(head, 2)) : [0, 1, 2, 3, 4, 5].map((key) => of(1, key));
    assert.equal(await figure.locator('.task-option').count(), choices.length);
    const best = choices.indexOf(sought(...choices)) + 1;
    await figure.locator(`[data-option="${best === 1 ? 2 : 1}"]`).click();
    await figure.locator('[data-wrong]').waitFor();
    await figure.getByRole('button', { name: 'ask again' }).click();
    await figure.locator(`[data-option="${best}"]`).click();
    await figure.locator('[data-right]').waitFor();
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('a page’s own variables and parts change how the figure looks', async () => {
  const style = '<style>attention-playground { --attention-height: 40rem; --attention-accent: rgb(1, 2, 3); --attention-ink: rgb(4, 5, 6); --attention-paper: rgb(250, 240, 230); --attention-font: monospace; --attention-cell-size: 30px; } attention-playground::part(caption) { border-top: 7px solid rgb(7, 8, 9); }</style>';
  const { page, figure } = await host({ attributes: 'view="matrix" controls="basic"', after: style });
  await ready(page);
  await page.settled();
  const styles = (selector: string, names: readonly string[]) => figure.locator(selector).first().evaluate((element, all) => all.map((name) => getComputedStyle(element).getPropertyValue(name)), names);
  assert.deepEqual(await styles('.root', ['height', 'color', 'background-color', 'font-family']), ['640px', 'rgb(4, 5, 6)', 'rgb(250, 240, 230)', 'monospace']);
  assert.deepEqual(await styles('.caption', ['border-top']), ['7px solid rgb(7, 8, 9)']);
  assert.deepEqual(await styles('.query', ['color']), ['rgb(1, 2, 3)']);
  // The selected cell's frame is drawn in the accent, in a cell of the size that was asked for.
  const drawn = await figure.locator('.matrix canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, width, height) ?? { data: [] };
    let accent = 0;
    for (let i = 0; i < data.length; i += 4) accent += Number(data[i] === 1 && data[i + 1] === 2 && data[i + 2] === 3);
    return { width, height, accent };
  });
  assert.deepEqual([drawn.width, drawn.height], [180, 180]);
  assert.ok(drawn.accent > 20, `${drawn.accent} dots`);
  await page.close();
});

for (const [view, controls] of Object.keys(SEEN).flatMap((each) => ['all', 'none'].map((which) => [each, which] as const))) {
  test(`on paper view="${view}" is light in a dark page, as long as it needs, and offers no controls: ${controls}`, async () => {
    const long = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ');
    const { page, figure } = await host({ attributes: `view="${view}" controls="${controls}"`, html: 'data-theme="dark"' });
    await ready(page);
    await set(page, { text: long });
    await page.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground).trace?.tokens.length === 60);
    for (const selector of SEEN[view]?.shown ?? []) await figure.locator(selector.replace('.arched .arcs path >> nth=0', '').replace('.row-drawing .bar', '.row-canvas')).waitFor();
    if (controls === 'all' && view !== 'pipeline') await figure.locator('.switch-bar').first().waitFor();
    assert.equal(await figure.locator('.root').getAttribute('data-theme'), 'dark');
    await page.page.emulateMedia({ media: 'print' });
    await page.page.locator('attention-playground[data-printing]').waitFor();
    const paper = await figure.evaluate(({ shadowRoot }) => {
      const root = shadowRoot?.querySelector('.root') as HTMLElement;
      const all = [...root.querySelectorAll<HTMLElement>('*')].filter((part) => part.checkVisibility({ visibilityProperty: true }) && !part.closest('.unseen'));
      const cut = all.filter((part) => /auto|scroll|hidden/.test(getComputedStyle(part).overflowY) && part.scrollHeight > part.clientHeight + 1);
      // Words and numbers of a sentence that lead somewhere stay as text; of the heads' radio buttons the pictures are left.
      const controls = all.filter((part) => part.matches('button, select, input:not([type=radio])') && !part.closest('.explanation, .trail, .row-table'));
      const [text, shares] = ['.mirror', '.shares canvas'].map((selector) => root.querySelector(selector)?.getBoundingClientRect().bottom ?? NaN) as [number, number];
      return {
        theme: root.dataset['theme'], paper: getComputedStyle(root).backgroundColor, cut: [root, ...cut].filter((part) => part.scrollHeight > part.clientHeight + 1).map(({ className }) => className),
        shares: shares >= text, controls: controls.map((part) => part.outerHTML.slice(0, 80)), below: (document.querySelector('#below')?.getBoundingClientRect().top ?? 0) >= root.getBoundingClientRect().bottom - 1,
      };
    });
    assert.deepEqual(paper, { theme: 'light', paper: 'rgb(255, 255, 255)', cut: [], shares: true, controls: [], below: true });
    const dots = await figure.locator('.matrix canvas').evaluate((canvas) => canvas.getBoundingClientRect().height);
    assert.ok(view !== 'matrix' || dots > 6 * 60, `a row is ${dots / 60} high`);
    await page.page.emulateMedia({ media: 'screen' });
    await figure.locator('.root[data-theme=dark]').waitFor();
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('on paper, before the engine has come, the author’s own words stand there', async () => {
  const { page, figure } = await host({ attributes: 'view="heads"', inside: '<p>In the author’s words.</p>', html: 'style="padding-top: 6000px"' });
  await figure.locator('.root').waitFor({ state: 'attached' });
  const words = figure.locator('p', { hasText: 'In the author’s words.' });
  assert.equal(await words.isVisible(), false);
  await page.page.emulateMedia({ media: 'print' });
  assert.equal(await words.isVisible(), true);
  assert.equal(await figure.locator('.state-late').isVisible(), false);
  await page.close();
});

test('the theme is the host’s, by the marks that systems leave, and follows it', async () => {
  const { page, figure } = await host({ attributes: 'view="heads"', html: 'data-theme="dark"', context: { colorScheme: 'light' } });
  await figure.locator('.root[data-theme=dark]').waitFor();
  for (const [mark, value, theme] of [['data-theme', 'light', 'light'], ['data-bs-theme', 'dark', 'dark'], ['data-md-color-scheme', 'slate', 'dark'], ['data-md-color-scheme', 'default', 'light'], ['class', 'dark', 'dark'], ['data-jp-theme-light', 'true', 'light']] as const) {
    await page.page.evaluate(([name, to]) => {
      const root = document.documentElement;
      for (const { name: each } of [...root.attributes]) if (each !== 'lang') root.removeAttribute(each);
      root.setAttribute(name, to);
    }, [mark, value] as const);
    await figure.locator(`.root[data-theme=${theme}]`).waitFor();
  }
  await set(page, { theme: 'dark' });
  await figure.locator('.root[data-theme=dark]').waitFor();
  await page.close();
});

test('a figure far below starts when the reader comes near, unless it is eager', async () => {
  const far = '<div style="height:4000px"></div>';
  const { page } = await host({ attributes: 'view="heads"', after: `${far}<attention-playground id="lazy" text="far away"></attention-playground><attention-playground id="eager" loading="eager" text="far away"></attention-playground>` });
  await ready(page);
  const state = (id: string) => page.page.evaluate((name) => (document.getElementById(name) as AttentionPlayground).trace !== null, id);
  await page.page.waitForFunction(() => (document.querySelector('#eager') as AttentionPlayground).trace !== null);
  assert.equal(await state('lazy'), false);
  await page.page.locator('#lazy').scrollIntoViewIfNeeded();
  await page.page.waitForFunction(() => (document.querySelector('#lazy') as AttentionPlayground).trace !== null);
  await page.close();
});

for (const view of Object.keys(SEEN)) {
  for (const width of [1000, 390]) {
    test(`nothing below view="${view}" moves when it comes, in a page ${width} px wide`, async () => {
      const { page } = await host({ attributes: `view="${view}" loading="eager"`, context: { viewport: { width, height: 1600 } } });
      const before = await page.page.locator('#below').evaluate((each) => each.getBoundingClientRect().top);
      await ready(page);
      await page.page.waitForTimeout(300);
      assert.equal(await page.page.locator('#below').evaluate((each) => each.getBoundingClientRect().top), before);
      assert.deepEqual(await shiftOf(page), []);
      await page.close();
    });
  }
}

test('nothing that is seen moves when a figure comes in another language than English, whose words come late', async () => {
  for (const view of ['playground', 'heads', 'cell', 'lab-scale']) {
    for (const lang of ['es', 'zh']) {
      const { page } = await host({ attributes: `view="${view}" lang="${lang}"`, context: { viewport: { width: 1000, height: 900 } }, before: (tab) => tab.route('**/language-*.js*', async (route) => {
        await tab.waitForTimeout(700);
        await route.continue();
      }) });
      await page.page.locator(view.startsWith('lab') ? '.lab:not(.waiting) .lab-frame' : view === 'playground' ? '.figure[data-state=ready]' : '[data-view]:not([data-waiting])').waitFor();
      await page.page.waitForTimeout(600);
      assert.ok(page.requests.some((address) => address.includes('language-')), 'the words were awaited');
      assert.deepEqual(await shiftOf(page), [], `${view} in ${lang}`);
      await page.close();
    }
  }
});

for (const before of ['lab-scale', 'lesson', 'heads']) {
  test(`a figure that was view="${before}" becomes the whole playground`, async () => {
    const { page, figure } = await host({ attributes: `view="${before}" loading="eager"`, context: { viewport: { width: 1280, height: 900 } } });
    await figure.locator({ 'lab-scale': '.lab-frame', lesson: '.lesson', heads: '.heads-scroll canvas' }[before] as string).first().waitFor();
    await set(page, { view: 'playground' });
    for (const part of ['.row-figure', '.matrix canvas', '.switch-bar', '.walk [data-stage-card=query]']) await figure.locator(part).first().waitFor();
    await assertWeights(page, {});
    await page.close();
  });
}

const OF_A_DOG = '{"key-text": "a dog", "heads": 2}';
for (const [way, attributes, inside, behind] of [
  ['inside the element', '', `<script type="application/json">${OF_A_DOG}</script>`, ''],
  ['in a file', 'src="configuration-of-a-dog.json"', '', ''],
  ['of an element that a script makes', '', '', `<script>customElements.whenDefined('attention-playground').then(() => {
    const made = Object.assign(document.createElement('attention-playground'), { view: 'heads', loading: 'eager', config: ${OF_A_DOG} });
    document.querySelector('attention-playground').replaceWith(made);
  });</script>`],
] as const) {
  test(`a configuration ${way} is in the first figure, however late what reads it comes`, async () => {
    await writeFile(path.join(folder, 'configuration-of-a-dog.json'), OF_A_DOG);
    const { page } = await host({ attributes: `view="heads" loading="eager" ${attributes}`, inside, after: behind, before: async (tab) => {
      await tab.addInitScript(() => {
        const first: unknown[] = [];
        Object.assign(globalThis, { first });
        document.addEventListener('attention-ready', ({ target }) => first.push((target as AttentionPlayground & { keyText: string }).keyText));
      });
      await tab.route('**/configuration*', async (route) => {
        await tab.waitForTimeout(500);
        await route.continue();
      });
    } });
    await ready(page);
    await page.page.unrouteAll({ behavior: 'wait' });
    assert.deepEqual(await page.page.evaluate(() => (globalThis as unknown as { first: unknown[] }).first), ['a dog']);
    assert.ok(page.requests.some((address) => address.includes('configuration')), 'it was awaited');
    assert.deepEqual(await shiftOf(page), []);
    await page.close();
  });
}

// What takes the height that it needs ends where nobody looks at first.
const COME: Readonly<Record<string, string>> = { playground: '.figure[data-state=ready]', lesson: '.lesson-place:not([data-waiting]) .lesson' };
for (const view of ['playground', 'lesson', ...LABS]) {
  for (const [width, height] of [[390, 844], [1000, 900], [1440, 1600]] as const) {
    test(`nothing that is seen moves when view="${view}" comes, on a screen of ${width} by ${height}`, async () => {
      const { page } = await host({ attributes: `view="${view}"`, context: { viewport: { width, height } } });
      await page.page.locator(COME[view] ?? '.lab:not(.waiting) .lab-frame').first().waitFor();
      await page.page.waitForTimeout(600);
      assert.deepEqual(await shiftOf(page), []);
      await page.close();
    });
  }
}

test('on a phone every switch of a figure alone can be brought into view', async () => {
  const { page, figure } = await host({ attributes: 'view="heads"', context: { viewport: { width: 320, height: 900 } } });
  for (const last of ['[data-setting=heads] .segment', '[data-setting=parameters] .segment']) {
    const segment = figure.locator(last).last();
    await segment.waitFor();
    // As focus brings it there.
    const cut = await segment.evaluate((each) => {
      each.querySelector('input')?.focus();
      each.scrollIntoView({ inline: 'nearest', block: 'nearest' });
      const [own, root] = [each.getBoundingClientRect(), each.closest('.root')?.getBoundingClientRect()];
      return Math.max(0, own.right - (root?.right ?? 0));
    });
    assert.equal(cut, 0, last);
  }
  await page.close();
});

test('figures and stages are taken along by method', async () => {
  const { page } = await host({ attributes: 'view="matrix" heads="2"' });
  await ready(page);
  const taken = await page.page.evaluate(async () => {
    const element = document.querySelector('attention-playground') as AttentionPlayground;
    const wrong = await element.toCSV('nonsense').catch((error: Error) => error.message);
    return { svg: await element.toSVG('all weights'), csv: await element.toCSV('weights'), json: await element.toJSON('scores'), png: (await element.toPNG()).type, wrong };
  });
  assert.match(taken.svg, /^<svg[^>]*>|^<\?xml/);
  assert.equal(taken.png, 'image/png');
  assert.deepEqual(JSON.parse(taken.json).shape ?? JSON.parse(taken.json).extents, [2, 6, 6]);
  assert.ok(taken.csv.split('\n').length > 12);
  assert.match(taken.wrong as string, /There is no “nonsense”/);
  await page.close();
});
