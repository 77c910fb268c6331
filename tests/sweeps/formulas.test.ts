// Every stage's formula as MathML with the numbers of the cell that is looked at; every stage folded, linked to; every dot product as an angle.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { read } from '../lib/shown-numbers.ts';
import { referenceStages } from '../lib/native.ts';
import { type Opening, Reader, link, linkSettings } from '../lib/page.ts';
import { Walk, full } from '../lib/walk.ts';
import { wholeOf } from '../lib/page-checks.ts';
import { type Knobs, KNOBS } from '../../web/src/state/settings.ts';
import type { ArrayId, StageId } from '../../web/src/engine/engine.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const TEXT = 'one word and one more';
const RUNS: readonly Partial<Knobs>[] = [
  {},
  { positions: 'rope', softcap: 3, value_rank: 4, biases: true, dropout: 0.4, temperature: 2, num_heads: 2 },
  { positions: 'alibi', scale: 'factor', scale_factor: -0.5, num_kv_heads: 2, out_proj: false, mask: 'none' },
];

const open = async (opening: Opening) => new Walk(await reader.open(opening)).show();
const address = (settings: Partial<Knobs>, more = {}) => link({ text: TEXT, ...linkSettings({ ...KNOBS, ...settings }), ...more });
const run = (settings: Partial<Knobs>) => open({ fragment: address(settings) });

/** Printed to four digits or more. */
const isPrintOf = (printed: number, value: number) => printed === value || Math.abs(printed - value) <= 6e-4 * Math.abs(value) + 1e-9;

/** All numbers in MathML below a selector, and what is there as text. */
const mathIn = (walk: Walk, selector: string) => walk.page.locator(`${selector} math`).evaluateAll((all) => ({
  text: all.map((one) => one.textContent ?? '').join(' '),
  isMath: all.length > 0 && all.every((one) => one.namespaceURI === 'http://www.w3.org/1998/Math/MathML'),
  numbers: all.flatMap((one) => [...one.querySelectorAll('mn')].map((mn) => mn.textContent ?? '')),
}));

test('every stage’s formula is MathML, with the live numbers of the cell that is looked at', async () => {
  for (const settings of RUNS) {
    const walk = await run(settings);
    const { request, settings: inUse } = await wholeOf(walk.playground);
    const reference = referenceStages(request, inUse);
    for (const id of await walk.stages() as StageId[]) {
      const { extents } = await walk.array(id);
      const [columns = 1, rows = 1] = extents.toReversed();
      const [row, column] = [rows - 1, Math.min(1, columns - 1)];
      await walk.choose(id, row, column);
      const about = `${id}, ${JSON.stringify(settings)}`;
      const symbols = await mathIn(walk, `[data-stage-card=${id}] .stage-formula`);
      assert.ok(symbols.isMath && /=/.test(symbols.text), `${about}: ${symbols.text}`);
      const { operands, constants, value } = await walk.explained();
      const { isMath, numbers } = await mathIn(walk, '.explained-formula .live');
      assert.ok(isMath, about);
      const result = read(numbers.at(-1) ?? '').value;
      assert.ok(isPrintOf(result, full(value)), `${about} ends in ${result}, not ${value}`);
      const double = reference.get(id)[row * columns + column] ?? NaN;
      assert.ok(result === double || Math.abs(result - double) <= 2e-3 * Math.max(1, Math.abs(double)), `${about} ends in ${result}, in double ${double}`);
      const known = [...operands.map(({ text }) => full(text)), ...Object.values(constants).map(full), full(value)];
      const few = operands.map(({ text }, i) => full(text) * full(operands[i + 1]?.text ?? '0'));
      const slope = full(operands[1]?.text ?? '0') * full(constants['distance'] ?? '0');
      const products = [...few, slope, -slope, ...(await walk.terms()).map(({ product }) => full(product))];
      for (const text of numbers) assert.ok([...known, ...products].some((each) => isPrintOf(read(text).value, each)), `${about}: ${text} is a number of this cell`);
    }
    assert.deepEqual(walk.playground.problems, []);
    await walk.playground.close();
  }
});

test('every stage of every kind of run says the shape that it has, in as many symbols', async () => {
  for (const [settings, more] of [...RUNS.map((each) => [each, {}] as const), [RUNS[1] ?? {}, { 'key-text': 'some other words' }] as const]) {
    const walk = await open({ fragment: address(settings, more) });
    const ids = await walk.stages() as StageId[];
    assert.ok(ids.length >= 14, `${ids.length} stages`);
    for (const id of ids) {
      const [symbols = '', numbers = ''] = (await walk.card(id).locator('.shape').first().textContent() ?? '').split('=');
      const { extents } = await walk.array(id);
      assert.deepEqual((numbers.match(/\d+/g) ?? []).map(Number), extents, `${id}, ${JSON.stringify({ ...settings, ...more })}`);
      assert.equal(symbols.split('×').length, extents.length, `${id}: ${symbols}`);
    }
    await walk.playground.close();
  }
});

test('every stage folds, and a link to it opens it and looks at it', async () => {
  const fragment = (more = {}) => address(RUNS[1] ?? {}, { 'key-text': 'some other words', ...more });
  const walk = await open({ fragment: fragment() });
  const ids = await walk.stages() as StageId[];
  assert.ok(ids.length >= 20, `${ids.length} stages`);
  for (const id of ids) {
    await walk.unfold(id);
    await walk.card(id).locator('summary').first().click();
    await walk.settle();
    assert.equal(await walk.card(id).getAttribute('open'), null, `${id} folds`);
    assert.equal(await walk.card(id).locator('.stage-body').count(), 0, id);
  }
  for (const id of ids) {
    await walk.page.evaluate((hash) => { location.hash = hash; }, fragment({ stage: id }));
    await walk.page.waitForFunction((stage) => document.activeElement?.shadowRoot?.activeElement?.closest(`[data-array=${stage}]`), id).catch(() => assert.fail(`${id} is not focused`));
    await walk.settle();
    assert.notEqual(await walk.card(id).getAttribute('open'), null, `${id} opens`);
  }
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('any dot product is also ‖a‖ · ‖b‖ · cos θ, near the double reference', async () => {
  const walk = await run({ biases: true, value_rank: 4, positions: 'rope' });
  const { request, settings } = await wholeOf(walk.playground);
  const reference = referenceStages(request, settings);
  const [T, d] = [request.tokens.length, settings.d_model / settings.num_heads];
  const rowOf = (id: StageId, row: number, width: number) => [...reference.get(id).subarray(row * width, (row + 1) * width)];
  const columnOf = async (id: ArrayId, column: number) => {
    const { numbers, extents } = await walk.array(id);
    return [...numbers].filter((_, i) => i % (extents[1] ?? 1) === column);
  };
  const [row, column, D] = [3, 2, settings.d_model];
  const pairs: Partial<Record<StageId, () => Promise<[number[], number[]]>>> = {
    query: async () => [rowOf('embeddings', row, D), await columnOf('W_Q', column)],
    key: async () => [rowOf('embeddings', row, D), await columnOf('W_K', column)],
    value_down: async () => [rowOf('embeddings', row, D), await columnOf('W_V_down', column)],
    value: async () => [rowOf('value_down', row, settings.value_rank), await columnOf('W_V_up', column)],
    scores: async () => [rowOf('rotated_query', row, d), rowOf('rotated_key', column, d)],
    context: async () => [rowOf('weights', row, T), [...reference.get('value')].filter((_, i) => i % d === column).slice(0, T)],
    output: async () => [rowOf('concat', row, D), await columnOf('W_O', column)],
  };
  for (const [id, sides] of Object.entries(pairs) as [StageId, () => Promise<[number[], number[]]>][]) {
    await walk.choose(id, row, column);
    const [a, b] = await sides();
    const [left, right] = [Math.hypot(...a), Math.hypot(...b)];
    const expected = [left, right, a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0) / (left * right)];
    const printed = (await walk.explained()).norms.map((text) => read(text).value);
    assert.equal(printed.length, 3, id);
    expected.forEach((value, i) => assert.ok(Math.abs((printed[i] ?? NaN) - value) < 1e-3 * Math.abs(value) + 1e-4, `${id}: ${printed} for ${expected}`));
  }
  await walk.choose('embeddings', row, column);
  assert.equal((await walk.explained()).norms.length, 0, 'a sum of two numbers has no angle');
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

for (const width of [360, 1440]) {
  test(`at ${width} px formulas are whole, their subscripts stand below the line, and no heading runs into the next`, async () => {
    for (const settings of RUNS) {
      const walk = await open({ fragment: address(settings), context: { viewport: { width, height: 900 } } });
      for (const id of await walk.stages() as StageId[]) await walk.unfold(id);
      const found = await walk.page.evaluate(() => {
        const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
        const edges = (node: Node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          return range.getBoundingClientRect();
        };
        const subs = [...root.querySelectorAll('msub')].filter((each) => each.checkVisibility());
        const heads = [...root.querySelectorAll('.row-table thead th')].map(edges);
        return {
          subs: subs.length,
          level: subs.filter(({ children: [base, small] }) => base && small && !(edges(small).bottom > edges(base).bottom + 1)).map((each) => each.textContent),
          cut: [...root.querySelectorAll('.stage-formula')].filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent?.trim()),
          touching: heads.filter((head, i) => i > 0 && head.left < (heads[i - 1]?.right ?? 0) + 4).length,
          heads: heads.length,
        };
      });
      assert.ok(found.subs >= 3 && found.heads === 4, JSON.stringify(found));
      assert.deepEqual([found.level, found.cut, found.touching], [[], [], 0], JSON.stringify(settings));
      await walk.page.close();
    }
  });
}
