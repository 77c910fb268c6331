// Any figure of the page is taken along as SVG and PNG: its cells are the engine's numbers in the page's own colours.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { type Playground, Reader, saved } from '../lib/page.ts';
import { type Theme, signedRamp, signedStep, step, weightRamp } from '../../web/src/lib/colour.ts';
import type { ArrayId } from '../../web/src/engine/engine.ts';
import { hex } from '../../web/src/ui/export/render.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const TEXT = 'the cat saw it';
const T = 4;

interface Drawn {
  name: string;
  texts: string[];
  rects: { x: number; y: number; width: number; height: number; fill: string }[];
  lines: number;
  paths: { width: number; stroke: string; from: number }[];
  paper: string;
}

async function open(theme: Theme): Promise<Playground> {
  const page = await reader.open({ context: { acceptDownloads: true, colorScheme: theme } });
  await page.paste(TEXT);
  await page.openTake();
  return page;
}

async function draw(page: Playground, figure: string): Promise<Drawn> {
  await page.page.locator('[data-take-figure]').selectOption(figure);
  const download = await saved(page.page, () => page.page.locator('[data-take=svg]').press('Enter'));
  const source = await readFile(await download.path(), 'utf8');
  const drawn = await page.page.evaluate((text) => {
    const { documentElement: root } = new DOMParser().parseFromString(text, 'image/svg+xml');
    if (root.getElementsByTagName('parsererror').length > 0) throw new Error('broken SVG');
    const all = (name: string) => [...root.getElementsByTagName(name)];
    const value = (element: Element, name: string) => Number(element.getAttribute(name));
    return {
      texts: all('text').map((each) => each.textContent ?? ''), lines: all('line').length, paper: all('rect')[0]?.getAttribute('fill') ?? '',
      rects: all('rect').slice(1).map((each) => ({ x: value(each, 'x'), y: value(each, 'y'), width: value(each, 'width'), height: value(each, 'height'), fill: each.getAttribute('fill') ?? '' })),
      paths: all('path').map((each) => ({ width: value(each, 'stroke-width'), stroke: each.getAttribute('stroke') ?? '', from: Number(/M([\d.]+)/.exec(each.getAttribute('d') ?? '')?.[1]) })),
    };
  }, source);
  return { name: download.suggestedFilename(), ...drawn };
}

/** Cells row by row: rectangles of the size that most have. */
function cellsOf({ rects }: Drawn): string[] {
  const sizes = new Map<string, number>();
  // The ramp's own steps are ten pixels high.
  const cells = rects.filter(({ height, fill }) => height !== 10 && height !== 4 && height !== 14 && fill !== 'none');
  for (const { width, height } of cells) sizes.set(`${width} ${height}`, (sizes.get(`${width} ${height}`) ?? 0) + 1);
  const [most] = [...sizes].sort((a, b) => b[1] - a[1])[0] ?? [''];
  return cells.filter(({ width, height }) => `${width} ${height}` === most).sort((a, b) => a.y - b.y || a.x - b.x).map(({ fill }) => fill);
}

const arrayOf = (page: Playground, id: string) => page.page.evaluate((wanted) => {
  const trace = (document.querySelector('attention-playground') as unknown as { trace: { present(id: string): boolean; extents(id: string): number[]; stage(id: string): Float32Array; parameter(id: string): Float32Array } }).trace;
  const extents = [...trace.extents(wanted)];
  return { extents, numbers: [...(/^[WbP]/.test(wanted) ? trace.parameter(wanted) : trace.stage(wanted))].map((x) => (Number.isFinite(x) ? x : null)) };
}, id);

const largest = (numbers: readonly (number | null)[]): number => Math.max(...numbers.map((x) => Math.abs(x ?? 0)));
const signed = (numbers: readonly (number | null)[], range: number, theme: Theme): string[] => (
  numbers.filter((x) => x !== null).map((x) => hex(signedRamp(theme).fill(signedStep(x, range)))));

const STAGES: readonly ArrayId[] = ['content', 'embeddings', 'query', 'key', 'value', 'scores', 'scaled_scores', 'masked_scores', 'context', 'concat', 'output', 'residual', 'W_Q'];
for (const theme of ['light', 'dark'] as const) {
  test(`every stage is drawn as the walk shows it, with words, axes and the printed range: ${theme}`, async () => {
    const page = await open(theme);
    await page.chooseHead(1);
    for (const id of STAGES) {
      const { extents, numbers } = await arrayOf(page, id);
      const [columns = 0, rows = 0, heads = 1] = extents.toReversed();
      const own = heads > 1 ? numbers.slice(rows * columns, 2 * rows * columns) : numbers;
      const scores = (await arrayOf(page, 'scores')).numbers.slice(T * T, 2 * T * T);
      const range = id.endsWith('scores') ? largest(scores) : largest(own);
      const drawn = await draw(page, id);
      assert.deepEqual(cellsOf(drawn), signed(own, range, theme), id);
      assert.equal(drawn.paper, theme === 'light' ? '#fdfcf9' : '#15171b');
      assert.ok(drawn.texts.includes(`+${range.toPrecision(3)}`) && drawn.texts.includes(`−${range.toPrecision(3)}`), `${id}: ${drawn.texts.join('|')}`);
      if (id !== 'W_Q') for (const word of TEXT.split(' ')) assert.ok(drawn.texts.includes(word), `${id}: ${word}`);
      assert.equal(drawn.texts.some((text) => text === 'masked: −∞'), id === 'masked_scores', id);
      assert.equal(drawn.lines > 0, id === 'masked_scores', `${id}: hatched where masked, and nowhere else`);
      assert.match(drawn.texts[1] ?? '', /row.*; .*column/, id);
      assert.equal(drawn.name, `${id}${heads > 1 ? '-head-2' : ''}.svg`);
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('all heads are drawn as small multiples in one range', async () => {
  const page = await open('light');
  for (const [id, kind] of [['weights', 'weights'], ['scores', 'signed']] as const) {
    const { numbers } = await arrayOf(page, id);
    const drawn = await draw(page, `all ${id}`);
    const range = largest(numbers);
    const fills = kind === 'signed' ? signed(numbers, range, 'light')
      : numbers.filter((_, i) => i % T <= Math.floor(i / T) % T).map((x) => hex(weightRamp('light').fill(step(x ?? 0))));
    assert.deepEqual(cellsOf(drawn).sort(), fills.sort(), id);
    for (let head = 1; head <= 4; head += 1) assert.ok(drawn.texts.includes(`Head ${head}`));
    if (kind === 'signed') assert.ok(drawn.texts.includes(`+${range.toPrecision(3)}`));
  }
  await page.close();
});

test('the arcs over the sentence are as wide as the row’s weights from 2% on, the chosen one in the accent', async () => {
  const page = await open('light');
  await page.walkTo(3, 1);
  const weights = (await page.stage('weights')).slice(3 * T, 4 * T);
  const drawn = await draw(page, 'arcs');
  assert.deepEqual(drawn.paths.map(({ width }) => width).sort(), [...weights].filter((weight) => weight >= 0.015).map((weight) => Number(Math.max(1, 12 * weight).toFixed(2))).sort());
  assert.deepEqual(drawn.paths.map(({ stroke }) => stroke).filter((stroke) => stroke === '#b8321a').length, 1);
  for (const word of TEXT.split(' ')) assert.ok(drawn.texts.includes(word));
  assert.ok([...weights].every((weight) => drawn.texts.some((text) => text.replace(/\s/g, '') === `${Math.round(weight * 100)}%`)), drawn.texts.join('|'));
  await page.close();
});

test('while a state is pinned, the figure is the difference, or the pinned one, as the page shows it', async () => {
  const page = await open('light');
  const before = (await arrayOf(page, 'weights')).numbers;
  await page.page.getByRole('button', { name: 'Pin this state' }).click();
  await page.set({ scale: 'none' });
  const now = (await arrayOf(page, 'weights')).numbers;
  const show = (mode: string) => page.page.locator('.pin .segment', { hasText: mode }).last().click();
  await show('Now − pinned');
  const difference = now.slice(0, T * T).map((x, i) => Math.fround((x ?? 0) - (before[i] ?? 0)));
  const seen = difference.filter((_, i) => i % T <= Math.floor(i / T));
  const drawn = await draw(page, 'weights');
  assert.deepEqual(cellsOf(drawn), signed(seen, largest(difference), 'light'));
  assert.ok(drawn.texts[0]?.endsWith('now − pinned') && drawn.texts.some((text) => text.includes('Since then: Scale')) && drawn.texts.includes('masked in both'));
  assert.equal(drawn.name, 'weights-head-1-difference.svg');
  await page.paste('two words');
  await page.page.locator('[data-take=svg]').press('Enter');
  await page.page.locator('.take .problem', { hasText: 'only matrices of one shape' }).waitFor();
  await page.close();
});

test('rows that are keys lie so in the figure, too', async () => {
  const page = await open('light');
  await page.set({ rows: 'keys' });
  const { numbers } = await arrayOf(page, 'scores');
  const own = numbers.slice(0, T * T);
  const turned = own.map((_, i) => own[(i % T) * T + Math.floor(i / T)] ?? null);
  const drawn = await draw(page, 'scores');
  assert.deepEqual(cellsOf(drawn), signed(turned, largest(own), 'light'));
  assert.match(drawn.texts[1] ?? '', /^key \(row\)/);
  await page.close();
});

test('a picture of more cells than programs open is refused with a sentence', async () => {
  const page = await open('light');
  await page.set({ d_model: 512 });
  await page.page.locator('[data-take-figure]').selectOption('W_Q');
  await page.page.locator('[data-take=svg]').click();
  await page.page.locator('.take .problem', { hasText: '262,144 cells; 100,000 are the most' }).waitFor();
  await page.close();
});
