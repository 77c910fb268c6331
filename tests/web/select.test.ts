// A cell is chosen by mouse, by touch and by keys, and all three reach the same ones.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { read as rounded } from '../lib/shown-numbers.ts';
import { DEFAULTS, referenceStages } from '../lib/native.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import { Walk } from '../lib/walk.ts';

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
    await page.redrawn();
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
  await page.page.locator('header a').first().focus();
  const stops: string[] = [];
  for (let i = 0; i < 150; i += 1) {
    await page.page.keyboard.press('Tab');
    const stop = await page.page.evaluate(() => {
      const outer = document.activeElement;
      const element = outer?.shadowRoot?.activeElement ?? outer;
      return element === document.body ? 'out' : `${element?.tagName} ${element?.getAttribute('name') ?? ''}`;
    });
    if (stop === 'out') break;
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

/** What lies under the mouse: its frame, and the words beside it; null without one. */
const looked = (page: Playground) => page.page.evaluate(() => {
  const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
  const { left, top, width, height } = (root.querySelector('.looked-cell') as HTMLElement).getBoundingClientRect();
  const words = (of: string) => root.querySelector<HTMLElement>(`.${of} .looked`)?.innerText ?? '';
  return width === 0 ? null : { x: left + width / 2, y: top + height / 2, row: words('rows'), column: words('columns') };
});

for (const rows of ['queries', 'keys'] as const) {
  test(`the mouse over a cell of the large matrix writes it out without choosing it, with ${rows} as rows`, async () => {
    const words = ['Zwei', 'blaue', 'Quallen', 'trieben', 'im', 'Hafenbecken'];
    const page = await reader.open({ fragment: link({ text: words.join(' '), rows, mask: 'none', row: 2, key: 2 }) });
    const double = referenceStages(words, { ...DEFAULTS, mask: 'none' });
    const before = await page.read();
    for (const [query, key] of [[0, 5], [4, 2], [5, 5], [3, 0]] as const) {
      const at = await (rows === 'queries' ? middleOf(page, query, key) : middleOf(page, key, query));
      await page.page.mouse.move(at.x, at.y);
      const now = await page.read();
      assert.match(now.title, new RegExp(`${words[query]}.*${words[key]}`, 's'));
      const { low, high } = rounded(now.weight);
      const weight = double.get('weights')[query * 6 + key] ?? NaN;
      assert.ok(low - 1e-6 <= weight && weight <= high + 1e-6, `${now.weight} for ${weight}`);
      assert.deepEqual([now.query, now.key, now.label, now.caption], [before.query, before.key, before.label, before.caption], 'what is chosen stays');
      const frame = await looked(page);
      assert.ok(frame && Math.abs(frame.x - at.x) < 2 && Math.abs(frame.y - at.y) < 2, 'the frame lies under the mouse');
      assert.deepEqual([frame.row, frame.column], rows === 'queries' ? [words[query], words[key]] : [words[key], words[query]]);
    }
    await page.page.mouse.move(2, 2);
    assert.deepEqual(await page.read(), before, 'the mouse has left');
    assert.equal(await looked(page), null);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('keys choose on while the mouse rests over another cell, and what is below stays in its place as cells pass', async () => {
  // Few words, so that the cell is higher than the matrix.
  const page = await reader.open({ fragment: link({ text: 'Yesterday it rained', heads: 1, row: 3, key: 2 }) });
  const below = () => page.page.locator('.walk').evaluate((walk) => walk.getBoundingClientRect().top + scrollY);
  const top = await below();
  for (const [query, key] of [[2, 0], [0, 2], [1, 2], [1, 0]] as const) {
    const at = await middleOf(page, query, key);
    await page.page.mouse.move(at.x, at.y);
    assert.ok((await looked(page)), `${query}, ${key}`);
    assert.equal(await below(), top, 'a masked cell has less to say');
  }
  await page.cell.focus();
  await page.page.keyboard.press('ArrowUp');
  assert.deepEqual(await chosen(page), [1, 1]);
  assert.match((await page.read()).title, /it.*it/s);
  assert.equal(await looked(page), null);
  await page.page.mouse.move(2, 2);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a cell under the mouse that is then chosen, or passed by by keys, leaves the walk at what is chosen', async () => {
  const page = await reader.open({ context: { viewport: { width: 1440, height: 6000 } } });
  const walk = await new Walk(page).show();
  const { title: first } = await walk.explained();
  const at = await middleOf(page, 9, 3);
  await page.page.mouse.move(at.x, at.y);
  await walk.settle();
  await page.page.mouse.down();
  await page.page.mouse.up();
  await page.page.mouse.move(2, 2);
  await walk.settle();
  const clicked = (await walk.explained()).title;
  assert.notEqual(clicked, first);
  const other = await middleOf(page, 8, 2);
  await page.page.mouse.move(other.x, other.y);
  await page.cell.focus();
  await page.page.keyboard.press('ArrowUp');
  await page.page.keyboard.press('ArrowDown');
  await walk.settle();
  assert.equal((await walk.explained()).title, clicked, 'the same number as after the click, of scores and not of weights');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a look that a change of theme has ended is over when the mouse leaves', async () => {
  const page = await reader.open();
  const before = await page.read();
  const at = await middleOf(page, 9, 3);
  await page.page.mouse.move(at.x, at.y);
  assert.notEqual((await page.read()).title, before.title);
  await page.page.emulateMedia({ colorScheme: 'dark' });
  await page.page.locator('.root[data-theme=dark]').waitFor();
  await page.page.mouse.move(2, 2);
  assert.equal((await page.read()).title, before.title);
  await page.close();
});

test('what a weight under the mouse is made of lights up in the walk; a shorter sentence beside a pinned one has no such cell', async () => {
  const page = await reader.open({ context: { viewport: { width: 1440, height: 6000 } } });
  const walk = await new Walk(page).show();
  const chosenNumber = await walk.explained();
  const at = await middleOf(page, 9, 3);
  await page.page.mouse.move(at.x, at.y);
  await walk.settle();
  const { title, operands } = await walk.explained();
  assert.match(title, /too.*cross/s);
  assert.ok(operands.length > 0 && operands.every(({ array }) => array === 'masked_scores'), JSON.stringify(operands));
  assert.ok((await walk.accentAt('masked_scores', 9, 5)) > 4, 'the row that softmax took');
  await page.page.mouse.move(2, 2);
  await walk.settle();
  assert.deepEqual(await walk.explained(), chosenNumber);
  await page.page.getByRole('button', { name: /^Pin/ }).click();
  await page.paste('the animal slept');
  await page.page.locator('.pin .segment', { hasText: /^Pinned$/ }).click();
  const beyond = await middleOf(page, 9, 8);
  await page.page.mouse.move(beyond.x, beyond.y);
  await page.ready();
  assert.match((await page.read()).title, /slept.*slept/s, 'the nearest that there is');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('typing keeps the chosen cell in view, also where a letter joins two tokens and the next makes another', async () => {
  const page = await reader.open();
  for (let round = 0; round < 8; round += 1) {
    await page.paste('');
    await page.type('a b c d e f g h i j k l m n o p 3.14!');
    await page.page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
    const [cell, host] = await Promise.all([page.cell.boundingBox(), page.page.locator('.matrix').boundingBox()]);
    assert.ok(cell && host && cell.y >= host.y && cell.y + cell.height <= host.y + host.height + 1, `round ${round}: ${JSON.stringify([cell, host])}`);
  }
  await page.close();
});
