// What the page prints of a cell, a row and a head, against the double reference after rounding; the buffers against the native build.
import assert from 'node:assert/strict';
import { type Range, coarseness, holdsAs, numbersIn, read, readPercent, spanOf } from './shown-numbers.ts';
import { type Expected, type Known, STAGES } from './expected.ts';
import { firstDifference } from './native.ts';
import type { Playground } from './page.ts';
import type { Screen } from './screen.ts';
import type { Cell } from '../../web/src/engine/engine.ts';

function holds(range: Range, { bits, double, tolerance }: Known, what: string): void {
  if (range.value === -Infinity) return assert.deepEqual([bits, double], [-Infinity, -Infinity], what);
  const own = Math.abs(bits) * 2e-6 + 1e-37;  // exp and sums are printed from float32, where the smallest are 0
  assert.ok(range.low - own <= bits && bits <= range.high + own, `${what}: the page shows ${range.text}, the engine has ${bits}`);
  assert.ok(range.low - tolerance <= double && double <= range.high + tolerance, `${what}: the page shows ${range.text}, the reference has ${double}`);
}

/** At least three digits, or four decimals. */
function holdsFinely(text: string, known: Known, what: string): void {
  const range = read(text);
  holds(range, known, what);
  assert.ok(coarseness(range) < 0.011 || range.high - range.low < 2e-4, `${what}: ${text} is rounded too far`);
}

function checkScore(screen: Screen, expected: Expected, at: Cell, where: string): void {
  const [q, k, products] = [expected.query(at), expected.key(at), expected.products(at)];
  const last = q.length - 1;
  holdsFinely(screen.score, expected.score(at), `${where} score`);
  const factors = numbersIn(screen.scoreWork);
  const shown = q.length <= 3 ? [...q.keys()] : [0, 1, last];
  assert.equal(factors.length, 2 * shown.length, `${where}: ${screen.scoreWork}`);
  shown.forEach((i, n) => {
    holds(read(factors[2 * n] ?? ''), same(q[i]), `${where} q${i}`);
    holds(read(factors[2 * n + 1] ?? ''), same(k[i]), `${where} k${i}`);
  });
  const [count, low, high] = numbersIn(screen.products);
  assert.equal(Number(count), q.length, `${where}: ${screen.products}`);
  if (q.length > 1) {
    holds(read(low ?? ''), same(Math.min(...products)), `${where} least product`);
    holds(read(high ?? ''), same(Math.max(...products)), `${where} largest product`);
  }
}

const same = (number = NaN): Known => ({ bits: number, double: number, tolerance: 0 });

/** The steps from the score to the weight, as the inspector writes them out. */
function checkCell(screen: Screen, expected: Expected, at: Cell): void {
  const where = `head ${at.head + 1}, query ${at.query + 1}, key ${at.key + 1}`;
  const { scale } = expected.settings;
  assert.deepEqual([screen.head, screen.query, screen.key], [at.head, at.query, at.key]);
  checkScore(screen, expected, at, where);
  holdsFinely(screen.scaled, expected.scaled(at), `${where} scaled`);
  const scaling = numbersIn(screen.scaledWork);
  if (scale === 'none') assert.deepEqual(scaling, []);
  else {
    holds(read(scaling[0] ?? ''), expected.score(at), `${where} scaling from`);
    if (scale === 'sqrt-dk') assert.equal(Number(scaling[1]), expected.d_k, where);
    holds(read(scaling.at(-1) ?? '', 4), { ...same(expected.factor), tolerance: 1e-7 }, `${where} factor`);
  }
  holdsFinely(screen.masked, expected.masked(at), `${where} masked`);
  assert.equal(screen.masked === '−∞', !expected.allowed(at), `${where}: ${screen.maskedWork}`);
  const { max, exp, sum } = expected.softmax(at);
  const [from, less] = numbersIn(screen.softmaxWork);
  holds(read(from ?? ''), expected.masked(at), `${where} exp of`);
  holds(read(less ?? ''), max, `${where} row maximum`);
  holdsFinely(screen.exp, exp, `${where} exp`);
  holdsFinely(screen.expSum, sum, `${where} sum`);
  holdsFinely(screen.softmax, expected.weight(at), `${where} weight`);
  assert.equal(screen.weight, screen.softmax, where);
  const size = expected.products(at).reduce((all, x) => all + Math.abs(x), 0);
  holdsAs(screen.scoreWork, screen.score, `${where} score`, { size });
  holdsAs(screen.scaledWork, screen.scaled, `${where} scaled`, { before: spanOf(screen.score), size });
  holdsAs(screen.maskedWork, screen.masked, `${where} masked`, { before: spanOf(screen.scaled) });
  holdsAs(screen.softmaxWork, screen.softmax, `${where} softmax`, { before: spanOf(screen.masked), sum: screen.expSum ? spanOf(screen.expSum) : null });
  const share = /(?:<1|\d+)\s?%/.exec(screen.words)?.[0];
  if (share) holds(readPercent(share), expected.weight(at), `${where}: ${screen.words}`);
  const spoken = /weight (less than 0\.01|\S+)$/.exec(screen.label)?.[1] ?? '';
  holds(read(spoken.replace('less than 0.01', '<.01')), expected.weight(at), `${where}: ${screen.label}`);
}

/** The whole row: its table, its sum, and the caption's shares. */
function checkRow(screen: Screen, expected: Expected, at: Cell): void {
  const keys = [...expected.tokens.keys()].filter((key) => expected.allowed({ ...at, key }) || key === at.key);
  assert.equal(screen.row.length, keys.length);
  keys.forEach((key, i) => {
    const cell = { ...at, key };
    const line = screen.row[i];
    assert.equal(line?.word.normalize('NFC').replace(/\p{Variation_Selector}/gu, ''), expected.tokens[key]);
    assert.equal(line?.chosen, key === at.key);
    const where = `row of query ${at.query + 1}, key ${key + 1}`;
    holds(read(line?.score ?? ''), expected.masked(cell), `${where} s`);
    holds(read(line?.exp ?? ''), expected.softmax(cell).exp, `${where} exp`);
    holds(read(line?.weight ?? ''), expected.weight(cell), `${where} weight`);
  });
  holds(read(numbersIn(screen.rowFoot[2] ?? '')[0] ?? ''), expected.softmax(at).sum, 'sum of the row');
  const largest = keys.map((key) => expected.weight({ ...at, key })).sort((a, b) => b.bits - a.bits);
  const shares = screen.caption.match(/(?:<1|\d+)\s?% from/g) ?? [];
  assert.ok(shares.length >= Math.min(4, expected.settings.mask === 'none' ? expected.T : at.query + 1), screen.caption);
  shares.forEach((share, i) => holds(readPercent(share.replace(' from', '')), largest[i] as Known, screen.caption));
}

function checkTerms(screen: Screen, expected: Expected, at: Cell): void {
  const [q, k, products] = [expected.query(at), expected.key(at), expected.products(at)];
  assert.equal(screen.terms.length, q.length);
  let sum = 0;
  const exactly = (text: string, number = NaN) => assert.equal(Math.fround(read(text).value), number, `${text} is not ${number} in full`);
  screen.terms.forEach((term, i) => {
    exactly(term.q, q[i]);
    exactly(term.k, k[i]);
    exactly(term.product, products[i]);
    sum += products[i] ?? 0;
    assert.ok(Math.abs(read(term.sum).value - sum) <= expected.score(at).tolerance, `running sum ${i + 1}: ${term.sum}, not ${sum}`);
  });
  exactly(screen.terms.at(-1)?.sum ?? '', expected.score(at).bits);
}

export function checkTable(screen: Screen, expected: Expected, head: number): void {
  assert.equal(screen.table.length, expected.T);
  screen.table.forEach((line, query) => line.forEach((text, key) => {
    const at = { head, query, key };
    if (expected.allowed(at)) holdsFinely(text, expected.weight(at), `table, query ${query + 1}, key ${key + 1}`);
    else assert.equal(text, 'masked');
  }));
}

export async function checkBits(page: Playground, expected: Expected): Promise<void> {
  const shown = await page.stages(STAGES);
  for (const id of STAGES) assert.equal(firstDifference(shown.get(id) as Float32Array, expected.native.get(id)), -1, id);
}

/** Along the given rows with the arrow keys, reading each cell. */
export async function walkRows(page: Playground, expected: Expected, head: number, rows: readonly number[], stride = 1): Promise<void> {
  for (const query of rows) {
    if (query === (await page.read()).query) await page.cell.press('Home');
    else await page.walkTo(query, 0);
    for (let key = 0; key < expected.T; key += 1) {
      if (key > 0) await page.page.keyboard.press('ArrowRight');
      if (key % stride > 0 && key !== query) continue;
      const screen = await page.read();
      checkCell(screen, expected, { head, query, key });
      if (key % 5 === 0) checkRow(screen, expected, { head, query, key });
      if (screen.terms.length) checkTerms(screen, expected, { head, query, key });
    }
  }
}
