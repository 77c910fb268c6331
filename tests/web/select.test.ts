// A cell is chosen by mouse, by touch and by keys, and all three reach the same ones.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Playground, Reader } from '../lib/page.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const LAST = 10;  // of the default sentence

/** The middle of a cell that is in view, on the screen. */
async function middleOf(page: Playground, query: number, key: number): Promise<{ x: number; y: number }> {
  await page.page.locator('.matrix').scrollIntoViewIfNeeded();
  return page.page.evaluate(([row, column]) => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    const canvas = (root.querySelector('.matrix canvas') as HTMLElement).getBoundingClientRect();
    const size = (root.querySelector('[role=gridcell]') as HTMLElement).getBoundingClientRect().width;
    return { x: canvas.left + (column + 0.5) * size, y: canvas.top + (row + 0.5) * size };
  }, [query, key] as const);
}

async function chosen(page: Playground): Promise<[number, number]> {
  const { query, key } = await page.read();
  return [query, key];
}

test('mouse, touch and arrow keys reach the same cells and show the same things', async () => {
  const mouse = await reader.open();
  const touch = await reader.open({ context: { hasTouch: true, isMobile: true, viewport: { width: 768, height: 1024 } } });
  for (const [query, key] of [[0, 0], [3, 1], [7, 2], [2, 9], [LAST, LAST]] as const) {
    const at = await middleOf(mouse, query, key);
    await mouse.page.mouse.click(at.x, at.y);
    const byMouse = await mouse.read();
    assert.deepEqual([byMouse.query, byMouse.key], [query, key]);
    const spot = await middleOf(touch, query, key);
    await touch.page.touchscreen.tap(spot.x, spot.y);
    const byTouch = await touch.read();
    await mouse.walkTo(query, key);
    const byKeys = await mouse.read();
    for (const field of ['caption', 'title', 'words', 'score', 'scaled', 'masked', 'softmax', 'row', 'label'] as const) {
      assert.deepEqual(byTouch[field], byMouse[field], `touch, ${field}`);
      assert.deepEqual(byKeys[field], byMouse[field], `keys, ${field}`);
    }
  }
  assert.deepEqual([...mouse.problems, ...touch.problems], []);
  await Promise.all([mouse.close(), touch.close()]);
});

test('on a phone, where cells are too small for numbers, the tapped cell’s stands over the matrix', async () => {
  const page = await reader.open({ context: { hasTouch: true, isMobile: true, viewport: { width: 360, height: 780 } } });
  const weights = await page.stage('weights');
  for (const [query, key, words] of [[6, 2, "because → didn't"], [3, 1, 'cross → animal'], [1, 3, 'animal → cross']] as const) {
    const at = await middleOf(page, query, key);
    await page.page.touchscreen.tap(at.x, at.y);
    const said = (await page.page.locator('.matrix-title .narrow-only').innerText()).trim();
    assert.equal(said, `${words} ${key > query ? 'masked' : weights[query * 11 + key]?.toFixed(2)}`);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a drag with the mouse follows, cell by cell', async () => {
  const page = await reader.open();
  const [from, to] = [await middleOf(page, 1, 1), await middleOf(page, 6, 4)];
  await page.page.mouse.move(from.x, from.y);
  await page.page.mouse.down();
  await page.page.mouse.move(to.x, to.y, { steps: 6 });
  await page.page.mouse.up();
  assert.deepEqual(await chosen(page), [6, 4]);
  await page.close();
});

test('every key of a grid does what it says, and stops at the edges', async () => {
  const page = await reader.open();
  await page.walkTo(5, 5);
  const steps: [string, number, number][] = [
    ['ArrowUp', 4, 5], ['ArrowLeft', 4, 4], ['ArrowDown', 5, 4], ['ArrowRight', 5, 5],
    ['Home', 5, 0], ['End', 5, LAST], ['Control+Home', 0, 0], ['ArrowUp', 0, 0], ['ArrowLeft', 0, 0],
    ['Control+End', LAST, LAST], ['ArrowDown', LAST, LAST], ['ArrowRight', LAST, LAST],
    ['PageUp', 2, LAST], ['PageUp', 0, LAST], ['PageDown', 8, LAST], ['PageDown', LAST, LAST],
  ];
  for (const [key, row, column] of steps) {
    await page.page.keyboard.press(key);
    assert.deepEqual(await chosen(page), [row, column], key);
  }
  await page.close();
});

test('keys reach every cell of a matrix that scrolls, and bring it into view', async () => {
  const page = await reader.open();
  await page.paste(Array.from({ length: 60 }, (_, i) => `w${i}`).join(' '));
  await page.cell.focus();
  for (const [key, row, column] of [['Control+End', 59, 59], ['Control+Home', 0, 0], ['End', 0, 59]] as const) {
    await page.page.keyboard.press(key);
    assert.deepEqual(await chosen(page), [row, column]);
    // It scrolls with the next frame.
    await page.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const inside = await page.page.evaluate(() => {
      const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
      const [cell, matrix] = ['[role=gridcell]', '.matrix'].map((selector) => (root.querySelector(selector) as HTMLElement).getBoundingClientRect());
      if (!cell || !matrix) return false;
      return cell.left >= matrix.left && cell.right <= matrix.right + 1 && cell.top >= matrix.top && cell.bottom <= matrix.bottom + 1;
    });
    assert.ok(inside, `${key}: the chosen cell is in view`);
  }
  const { rowLabels, columnLabels } = await page.read();
  assert.ok(rowLabels.includes('w0') && columnLabels.includes('w59'), 'labels follow the window');
  await page.close();
});

test('the matrix is one tab stop, after the heads', async () => {
  const page = await reader.open();
  await page.page.locator('.heads-scroll input:checked').focus();
  const focused = () => page.page.evaluate(() => {
    const element = document.querySelector('attention-playground')?.shadowRoot?.activeElement;
    return element?.getAttribute('role') ?? element?.tagName ?? '';
  });
  await page.page.keyboard.press('Tab');
  assert.equal(await focused(), 'gridcell');
  await page.page.keyboard.press('ArrowDown');
  assert.equal(await focused(), 'gridcell');
  await page.page.keyboard.press('Tab');
  assert.equal(await focused(), 'BUTTON');
  await page.page.keyboard.press('Shift+Tab');
  assert.equal(await focused(), 'gridcell');
  await page.close();
});

test('Tab goes through the whole page and comes back out', async () => {
  const page = await reader.open();
  await page.textBox.focus();
  const stops: string[] = [];
  for (let i = 0; i < 150; i += 1) {
    await page.page.keyboard.press('Tab');
    const stop = await page.page.evaluate(() => {
      const outer = document.activeElement;
      const element = outer?.shadowRoot?.activeElement ?? outer;
      return element === document.body ? 'out' : `${element?.tagName} ${element?.getAttribute('name') ?? ''}`;
    });
    if (stop === 'out' || stop === 'TEXTAREA ') break;
    stops.push(stop);
  }
  assert.ok(stops.length > 20 && stops.length < 120, stops.join(', '));
  for (const name of ['mask', 'scale', 'heads', 'head']) assert.equal(stops.filter((stop) => stop === `INPUT ${name}`).length, 1, name);
  await page.close();
});

test('the chosen cell says what it is', async () => {
  const page = await reader.open();
  const plain = (label: string) => label.replace(/[\u2068\u2069]/g, '');
  await page.walkTo(7, 1);
  assert.match(plain((await page.read()).label), /^query it, key animal, weight 0\.\d\d$/);
  await page.walkTo(1, 4);
  assert.equal(plain((await page.read()).label), 'query animal, key the (word 5), masked, weight 0');
  const tree = await page.page.locator('.matrix [role=grid]').ariaSnapshot();
  assert.match(tree, /grid "Weights of head 1: rows are queries, columns are keys"/);
  assert.match(tree, /gridcell "query .+animal.+, key .+the.+ \(word 5\), masked, weight 0"/);
  assert.equal(await page.page.locator('.matrix [role=grid]').getAttribute('aria-rowcount'), '11');
  const spoken = await page.page.getByRole('status').allInnerTexts();
  assert.ok(spoken.some((words) => plain(words).includes('query animal, key the')), spoken.join('|'));
  await page.close();
});

test('a head is chosen by mouse and by keys, and everything follows it', async () => {
  const page = await reader.open();
  await page.walkTo(7, 1);
  const before = await page.read();
  await page.chooseHead(2);
  const third = await page.read();
  assert.equal(third.head, 2);
  assert.deepEqual([third.query, third.key], [7, 1]);
  assert.notEqual(third.score, before.score);
  assert.match(await page.page.locator('.matrix-title').innerText(), /head 3 of 4/);
  await page.page.keyboard.press('ArrowDown');
  assert.equal((await page.read()).head, 3);
  await page.page.keyboard.press('ArrowUp');
  await page.page.keyboard.press('ArrowUp');
  await page.page.keyboard.press('ArrowUp');
  assert.deepEqual(await page.read(), before);
  await page.close();
});

test('a line of the row\'s table can be chosen too', async () => {
  const page = await reader.open();
  await page.page.locator('.row-table tbody tr').nth(3).click();
  const { key, row, title } = await page.read();
  assert.equal(key, 3);
  assert.ok(row[3]?.chosen);
  assert.match(title, /cross/);
  await page.close();
});
