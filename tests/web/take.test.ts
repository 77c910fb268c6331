// What readers take along is read again: figures, numbers, scripts. It holds their very words, hostile ones too, and nothing
// that another program would take for its own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { loadEngine } from '../lib/built.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import type { Settings } from '../../web/src/engine/engine.ts';
import { step, weightRamp } from '../../web/src/lib/colour.ts';
import { script, words } from '../../web/src/ui/export/script.ts';
import { hex } from '../../web/src/ui/export/render.ts';
import { DEFAULTS } from '../../web/src/engine/defaults.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { cell } from '../../web/src/ui/export/files.ts';

const TEXT = 'the "quick", =SUM(A1) <script>alert(1)</script> & naïve 动物';

const reader = await Reader.arrive();
after(() => reader.leave());

async function open(text = TEXT, fields: Record<string, string | number> = {}): Promise<Playground> {
  const page = await reader.open({ fragment: link({ text, ...fields }), context: { acceptDownloads: true, colorScheme: 'light', permissions: ['clipboard-read', 'clipboard-write'] } });
  await page.openTake();
  return page;
}

async function take(page: Playground, what: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([page.page.waitForEvent('download'), page.page.locator(`[data-take="${what}"]`).click()]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

/** RFC 4180: fields between commas, lines between CR LF, quotes doubled inside quotes. */
function parseCsv(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.trimEnd().concat('\r\n').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

for (const stage of ['weights', 'masked_scores', 'embeddings', 'query', 'W_Q'] as const) {
  test(`${stage} as CSV and JSON hold the engine's very numbers, and the words`, async () => {
    const page = await open();
    await page.page.locator('[data-take-array]').selectOption(stage);
    const expected = await page.page.evaluate((id) => {
      const trace = (document.querySelector('attention-playground') as unknown as { trace: { stage(id: string): Float32Array; parameter(id: string): Float32Array } }).trace;
      return [...(id === 'W_Q' ? trace.parameter(id) : trace.stage(id))].map((x) => (x === -Infinity ? '-inf' : x));
    }, stage);
    const tokens = await page.tokens();
    const table = await take(page, 'csv');
    assert.equal(table.name, `${stage}.csv`);
    const [head = [], ...lines] = parseCsv(table.content.toString('utf8'));
    const first = head.findIndex((name) => name === '1' || name === tokens[0]);
    const numbers = lines.flatMap((line) => line.slice(first)).map((x) => (x === '-inf' ? x : Math.fround(Number(x))));
    assert.deepEqual(numbers, expected);
    if (stage !== 'W_Q') assert.deepEqual(lines.slice(0, tokens.length).map((line) => line[head.indexOf('token')]), tokens.map((word) => (/^[=+\-@]/.test(word) ? `'${word}` : word)));
    const { content } = await take(page, 'json');
    const read = JSON.parse(content.toString('utf8')) as { array: string; extents: number[]; numbers: unknown[]; rows?: string[] };
    assert.equal(read.array, stage);
    assert.equal(read.extents.reduce((a, b) => a * b), expected.length);
    assert.deepEqual((read.numbers.flat(3) as (number | null)[]).map((x) => (x === null ? '-inf' : Math.fround(x))), expected);
    if (stage !== 'W_Q') assert.deepEqual(read.rows, tokens);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('the figure as SVG holds every cell, its axes, words and legend; the PNG shows the same colours', async () => {
  const page = await open();
  const tokens = await page.tokens();
  const T = tokens.length;
  const weights = (await page.stage('weights')).slice(0, T * T);
  const ramp = weightRamp('light');
  const drawing = await take(page, 'svg');
  const found = await page.page.evaluate((text) => {
    const { documentElement: root } = new DOMParser().parseFromString(text, 'image/svg+xml');
    const all = (name: string) => [...root.getElementsByTagName(name)];
    return {
      broken: all('parsererror').length, scripts: all('script').length, texts: all('text').map((each) => each.textContent),
      rects: all('rect').map((each) => ['x', 'y', 'width', 'height', 'fill'].map((name) => each.getAttribute(name) ?? '')),
      size: [root.getAttribute('width'), root.getAttribute('height')].map(Number),
    };
  }, drawing.content.toString('utf8'));
  assert.deepEqual([found.broken, found.scripts], [0, 0]);
  for (const word of tokens) assert.ok(found.texts.filter((text) => text === word).length >= 2, word);
  assert.ok(found.texts.some((text) => /query \(row\).*key \(column\)/.test(text ?? '')) && found.texts.includes('masked') && found.texts.includes('0.75'));
  const cells = found.rects.filter(([, , width, height]) => width === '39' && height === '39');
  const seen = Array.from({ length: T * T }, (_, i) => i).filter((i) => i % T <= Math.floor(i / T));
  assert.deepEqual(cells.map(([, , , , fill]) => fill), seen.map((i) => hex(ramp.fill(step(weights[i] ?? 0)))));
  const picture = await take(page, 'png');
  const pixels = await page.page.evaluate(async ([bytes, places]) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
    context.drawImage(bitmap, 0, 0);
    return { size: [bitmap.width, bitmap.height], colours: places.map(([x = 0, y = 0]) => [...context.getImageData(2 * x, 2 * y, 1, 1).data].slice(0, 3).join(' ')) };
  }, [[...picture.content], cells.map(([x, y]) => [Number(x) + 3, Number(y) + 3])] as const);
  assert.deepEqual(pixels.size, found.size.map((side) => Math.ceil(2 * side)));
  assert.deepEqual(pixels.colours.map((colour) => hex(`rgb(${colour})`)), cells.map(([, , , , fill]) => fill));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the script is copied and saved as it is made, for PyTorch and for NumPy', async () => {
  const page = await open('one two three');
  const engine = await loadEngine();
  const session = engine.session();
  const trace = session.run(['one', 'two', 'three'], DEFAULTS);
  for (const dialect of ['torch', 'numpy'] as const) {
    await page.page.locator(`[data-take=${dialect}]`).click();
    await page.page.locator('.take [role=status]', { hasText: 'Copied' }).waitFor();
    assert.equal(await page.page.evaluate(() => navigator.clipboard.readText()), script(trace, dialect));
    const saved = await take(page, `${dialect}-file`);
    assert.equal(saved.content.toString('utf8'), script(trace, dialect));
  }
  session.free();
  await page.close();
});

test('where the largest takes all, equal keys share one score in the script: libraries round equal ones differently', async () => {
  const session = (await loadEngine()).session();
  const sharing = (change: Partial<Settings>): unknown => {
    const trace = session.run(['one', 'two', 'one'], { ...DEFAULTS, ...change });
    return JSON.parse(/^scores = scores\[\.\.\., (\[.*?\])\]/m.exec(script(trace, 'numpy'))?.[1] ?? 'null');
  };
  assert.deepEqual(sharing({ temperature: 0, positions: 'none' }), [0, 1, 0]);
  assert.deepEqual(sharing({ temperature: 0, positions: 'sinusoidal' }), [0, 1, 2]);
  assert.deepEqual(sharing({ temperature: 0, positions: 'rope' }), [0, 1, 2], 'turned by their places, they are no longer equal');
  assert.equal(sharing({ temperature: 1, positions: 'none' }), null);
  session.free();
});

test('without leave to copy, a sentence says so; a layer that is too large for a script says that', async () => {
  const page = await open('one two');
  await page.page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); });
  await page.page.locator('[data-take=torch]').click();
  await page.page.locator('.take .problem', { hasText: 'may not write to the clipboard. Save the script instead.' }).waitFor();
  await page.set({ d_model: 512 });
  assert.match(await page.page.locator('.take').innerText(), /It would hold [\d,]+ numbers; 500,000 are the most/);
  await page.close();
});

test('between a keystroke’s first paint and its second, what is taken is of the newest run', async () => {
  const page = await open('one two three');
  const said = await page.page.evaluate(() => {
    const element = document.querySelector('attention-playground') as HTMLElement & { trace: { tokens: string[] } | null };
    const root = element.shadowRoot as ShadowRoot;
    const box = root.querySelector('#text') as HTMLTextAreaElement;
    box.focus();
    box.value += ' four';
    box.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    return new Promise<{ busy: string | null; tokens: string[] }>((resolve) => requestAnimationFrame(() => {
      const busy = root.querySelector('.inspector')?.getAttribute('aria-busy') ?? null;
      const list = root.querySelector('[data-take-array]') as HTMLSelectElement;
      list.value = 'scores';
      list.dispatchEvent(new Event('change', { bubbles: true }));
      root.querySelector<HTMLElement>('[data-take=torch]')?.click();
      resolve({ busy, tokens: element.trace?.tokens ?? [] });
    }));
  });
  assert.deepEqual(said, { busy: 'true', tokens: ['one', 'two', 'three', 'four'] });
  await page.page.locator('.take [role=status]', { hasText: 'Copied' }).waitFor();
  assert.match(await page.page.evaluate(() => navigator.clipboard.readText()), /four/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

const WORDS = ['the', '🐈', '👩\u200d👩\u200d👧', '𝛿', '\u{10ffff}', 'né', '语言', '"', '\\', '\\u0041', '\n', '\u007f', '\u2028', '\ufeff', '\ufffd', "'"];

test('Python reads the very words, character for character', () => {
  const read = execFileSync('python3', ['-c', 'import ast, json, sys; print(json.dumps([[len(word), word] for word in ast.literal_eval(sys.stdin.read())]))'], { input: words(WORDS), encoding: 'utf8' });
  assert.deepEqual(JSON.parse(read), WORDS.map((word) => [[...word].length, word]));
});

test('no cell of a CSV file is a formula, in whatever width its sign is', () => {
  for (const sign of ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\t', '\r', '\n']) {
    assert.equal(cell(`${sign}1`).replace(/^"|"$/g, ''), `'${sign}1`);
    assert.equal(cell(`1${sign}`).replace(/^"|"$/g, ''), `1${sign}`);
  }
  assert.equal(cell('−1'), '−1', 'a minus sign is none');
});

test('in the title of a picture a word keeps its direction to itself', async () => {
  const page = await reader.open({ fragment: `#v1&text=${encodeURIComponent('I say שלום, and the \u202ecat')}&row=3` });
  const svg = (row: number) => page.page.evaluate(async (wanted) => {
    const element = document.querySelector('attention-playground') as AttentionPlayground;
    element.row = String(wanted);
    await element.updateComplete;
    return element.toSVG('arcs');
  }, row);
  const hebrew = await svg(3);
  assert.match(hebrew, /<title>What “\u2068שלום\u2069” attends to, head 1 of/);
  const cat = await svg(7);
  assert.match(cat, /<title>What “cat” attends to/);
  assert.doesNotMatch(cat, /\u202e/);
  await page.close();
});
