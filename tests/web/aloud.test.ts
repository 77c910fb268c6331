// Matrices for whoever does not see them: a grid with one tab stop, a sentence that sums it up, a table.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Playground, Reader, link } from '../lib/page.ts';
import { Walk } from '../lib/walk.ts';
import type { ArrayId } from '../../web/src/engine/engine.ts';
import { significant } from '../../web/src/lib/format.ts';

interface Value { value?: unknown }
interface Node { nodeId: string; ignored: boolean; role?: Value; name?: Value; description?: Value; childIds?: string[]; parentId?: string; properties?: { name: string; value: Value }[] }

const said = (value?: Value): string => String(value?.value ?? '').replace(/[\u2068\u2069]/g, '');

/** Every part that is not passed over, in reading order: its role, its name, its description, and the place it says. */
export async function aloud(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree') as unknown as { nodes: Node[] };
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  const read = (node: Node | undefined) => {
    if (!node) return;
    const [role, name, description] = [said(node.role), said(node.name), said(node.description)];
    if (!node.ignored && name && !/^(StaticText|InlineTextBox|none|generic)$/.test(role)) lines.push([`${role}: ${name}`, ...(description ? [description] : [])].join(' | '));
    for (const id of node.childIds ?? []) read(byId.get(id));
  };
  read(nodes.find(({ parentId }) => parentId === undefined));
  return lines;
}

const reader = await Reader.arrive();
after(() => reader.leave());

const WORDS = ['the', 'animal', 'was', 'tired'];
const T = WORDS.length;

const grids = async (page: Playground) => (await aloud(page.page)).filter((line) => line.startsWith('grid:'));

/** Where a row is largest and smallest, of numbers that are finite. */
function ends(row: readonly number[]): { most: number; least: number } {
  const finite = row.filter(Number.isFinite);
  return { most: row.indexOf(Math.max(...finite)), least: row.indexOf(Math.min(...finite)) };
}

test('read aloud, every matrix says what it is, how it lies, and where its row is largest: the engine’s own numbers', async () => {
  const page = await reader.open({ fragment: link({ text: WORDS.join(' '), row: 3, key: 2, head: 2 }) });
  const walk = await new Walk(page).show();
  for (const id of await walk.stages() as ArrayId[]) await walk.unfold(id);
  const lines = await grids(page);
  const weights = (await page.stage('weights')).slice(T * T + 2 * T, T * T + 3 * T);
  const { most } = ends([...weights]);
  const shares = `Row was attends most to ${WORDS[most]}, ${weights[most]?.toFixed(2)}.`;
  assert.equal(lines[0], `grid: Weights of head 2: rows are queries, columns are keys | ${shares}`);
  const stages = await walk.stages() as ArrayId[];
  assert.equal(lines.length, 1 + stages.length, lines.join('\n'));
  for (const [i, id] of stages.entries()) {
    const { numbers, extents } = await walk.array(id);
    const [columns = 0, rows = 0, heads = 1] = extents.toReversed();
    const head = heads > 1 ? 1 : 0;
    const at = /^key|^value/.test(id) ? 1 : 2;
    const row = [...numbers.slice((head * rows + at) * columns, (head * rows + at + 1) * columns)];
    const { most: largest, least } = ends(row);
    const place = (column: number) => (/scores|weights/.test(id) ? WORDS[column] : `number ${column + 1}`);
    const sentence = id === 'weights' ? shares
      : `Row ${WORDS[at]}: largest ${significant(row[largest] ?? NaN, 3)} at ${place(largest)}, smallest ${significant(row[least] ?? NaN, 3)} at ${place(least)}.`;
    assert.ok(lines[i + 1]?.endsWith(` | ${sentence}`), `${id}: ${lines[i + 1]} should end with ${sentence}`);
    assert.match(lines[i + 1] ?? '', heads > 1 ? / of head 2: rows are .* columns/ : /: rows are .* columns/);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the sentence follows the row, the head, the pinned state and the way that the matrix lies', async () => {
  const page = await reader.open({ fragment: link({ text: WORDS.join(' '), row: 4, key: 1 }) });
  const first = async () => (await grids(page))[0] ?? '';
  assert.match(await first(), /\| Row tired attends most to/);
  await page.walkTo(0, 0);
  assert.match(await first(), /\| Row the attends most to the, 1\.00\.$/);
  await page.page.keyboard.press('m');
  assert.match(await first(), /\| Row the sees nothing\.$/);
  await page.set({ rows: 'keys' });
  assert.match(await first(), /rows are keys, columns are queries \| Column the sees nothing\.$/);
  await page.page.getByRole('button', { name: 'Pin this state' }).click();
  await page.set({ mask: 'none' });
  await page.page.locator('.pin .segment', { hasText: 'Now − pinned' }).click();
  assert.match(await first(), /Weights now − pinned of head 1.*\| Column the: largest .* smallest/);
  await page.close();
});

test('the cell that has the focus is read with its words and its number, and so is the table', async () => {
  const page = await reader.open({ fragment: link({ text: WORDS.join(' ') }) });
  await page.walkTo(2, 1);
  const weights = await page.stage('weights');
  const cell = `gridcell: query was, key animal, weight ${weights[2 * T + 1]?.toFixed(2)}`;
  assert.ok((await aloud(page.page)).includes(cell), cell);
  await page.openDetails('as a table');
  const lines = await aloud(page.page);
  const table = lines.findIndex((line) => line.startsWith('table: Weights of head 1'));
  assert.ok(table >= 0);
  for (let query = 0; query < T; query += 1) {
    for (let key = 0; key < T; key += 1) {
      const words = key > query ? 'masked' : (weights[query * T + key] ?? 0).toFixed(4).replace(/^1\.0000$/, '1.0000');
      assert.ok(lines.slice(table).some((line) => line === `cell: ${words}`), `${query} ${key}: ${words}`);
    }
  }
  await page.close();
});

test('each matrix of the walk is one tab stop, and every key of a grid does what it says there', async () => {
  const page = await reader.open({ fragment: link({ text: Array.from({ length: 12 }, (_, i) => `w${i + 1}`).join(' ') }) });
  const walk = await new Walk(page).show();
  const cells = await page.page.locator('.walk [role=gridcell]').count();
  const stops = await page.page.locator('.walk [role=grid]').evaluateAll((all) => all.map((grid) => grid.querySelectorAll('[tabindex="0"]').length));
  assert.deepEqual(stops, Array(cells).fill(1));
  for (const [id, columns] of [['scores', 12], ['query', 16]] as const) {
    await walk.walkTo(id, 3, 2);
    const press = async (key: string) => {
      await page.page.keyboard.press(key);
      await walk.settle();
      const { row, column } = await walk.place(id);
      return [row, column];
    };
    assert.deepEqual(await press('ArrowRight'), [3, 3]);
    assert.deepEqual(await press('ArrowLeft'), [3, 2]);
    assert.deepEqual(await press('ArrowDown'), [4, 2]);
    assert.deepEqual(await press('ArrowUp'), [3, 2]);
    assert.deepEqual(await press('End'), [3, columns - 1]);
    assert.deepEqual(await press('Home'), [3, 0]);
    assert.deepEqual(await press('PageDown'), [11, 0]);
    assert.deepEqual(await press('PageUp'), [3, 0]);
    assert.deepEqual(await press('Control+End'), [11, columns - 1]);
    assert.deepEqual(await press('Control+Home'), [0, 0]);
    assert.deepEqual(await press('ArrowUp'), [0, 0], 'it stops at the edge');
  }
  await page.close();
});
