// Before and after: a pinned state, and the difference of any matrix after a change.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { read } from '../lib/shown-numbers.ts';
import { DEFAULTS, nativeStages, referenceStages } from '../lib/native.ts';
import { type Playground, Reader } from '../lib/page.ts';
import { Walk, full } from '../lib/walk.ts';
import { signedRamp, signedStep } from '../../web/src/lib/colour.ts';
import { DEFAULT_TEXT } from '../../web/src/state/settings.ts';
import { cellDifference } from '../../web/src/lib/format.ts';
import type { StageId } from '../../web/src/engine/engine.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const WORDS = DEFAULT_TEXT.split(' ');
const SIGNED = signedRamp('light');

/** Of a cell of the large matrix, beside its numeral. */
function colourAt(page: Playground, row: number, column: number): Promise<string> {
  return page.page.evaluate(([r, c]) => {
    const canvas = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.matrix canvas') as HTMLCanvasElement;
    const size = canvas.width / 11;
    const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    copy?.drawImage(canvas, -Math.floor((c + 0.5) * size), -Math.floor((r + 0.15) * size));
    const [red, green, blue] = copy?.getImageData(0, 0, 1, 1).data ?? [];
    return `rgb(${red} ${green} ${blue})`;
  }, [row, column] as const);
}

const UNMASKED = { ...DEFAULTS, mask: 'none' } as const;

async function pinned(): Promise<Walk> {
  const walk = await new Walk(await reader.open()).show();
  await walk.page.getByRole('button', { name: 'Pin this state' }).click();
  await walk.settle();
  return walk;
}

async function show(walk: Walk, mode: 'Now' | 'Pinned' | 'Now − pinned'): Promise<void> {
  await walk.page.locator('.pin .segment', { hasText: new RegExp(`^${mode}$`) }).click();
  await walk.settle();
}

test('the difference of any matrix is the reference’s now minus the reference’s then', async () => {
  const walk = await pinned();
  await walk.playground.set({ mask: 'none' });
  await walk.settle();
  assert.match(await walk.page.locator('.pin').innerText(), /Mask causal → none/);
  const [now, then] = [nativeStages(WORDS, UNMASKED), nativeStages(WORDS, DEFAULTS)];
  const [nowDouble, thenDouble] = [referenceStages(WORDS, UNMASKED), referenceStages(WORDS, DEFAULTS)];
  const cells: readonly (readonly [StageId, number, number])[] = [['weights', 2, 1], ['weights', 0, 0], ['context', 4, 7], ['output', 0, 12], ['scores', 3, 3]];
  for (const [id, row, column] of cells) {
    const columns = id === 'output' ? 64 : id === 'context' ? 16 : 11;
    const at = row * columns + column;
    await show(walk, 'Now');
    await walk.choose(id, row, column);
    assert.equal(full(await walk.value(id)), now.get(id)[at], `${id}, now`);
    const { pinned: before, difference } = await walk.explained();
    await show(walk, 'Pinned');
    assert.equal(full(await walk.value(id)), then.get(id)[at], `${id}, pinned`);
    await show(walk, 'Now − pinned');
    const shown = full(await walk.value(id));
    assert.equal(shown, Math.fround((now.get(id)[at] ?? NaN) - (then.get(id)[at] ?? NaN)), `${id}, difference`);
    assert.ok(Math.abs(shown - ((nowDouble.get(id)[at] ?? NaN) - (thenDouble.get(id)[at] ?? NaN))) < 2e-4, id);
    assert.equal(full(before), then.get(id)[at], 'both numbers stand in the explanation');
    assert.equal(full(difference), shown);
  }
  assert.match(await walk.card('scores').innerText(), /no number has changed/);
  assert.match(await walk.card('weights').innerText(), /now − pinned: range ±\d/);
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('after other parameters every stage has its difference, and so has a matrix of parameters', async () => {
  const walk = await pinned();
  const own = (await walk.array('W_Q')).numbers;
  await walk.playground.set({ seed: 7 });
  await walk.settle();
  const other = { ...DEFAULTS, seed: 7 };
  const [now, then] = [nativeStages(WORDS, other), nativeStages(WORDS, DEFAULTS)];
  const [nowDouble, thenDouble] = [referenceStages(WORDS, other), referenceStages(WORDS, DEFAULTS)];
  await show(walk, 'Now − pinned');
  const stages = (await walk.stages() as StageId[]).filter((id) => id !== 'tokens');
  assert.ok(stages.length >= 13, `${stages.length} stages`);
  for (const id of stages) {
    const { extents } = await walk.array(id);
    const [columns = 1] = extents.toReversed();
    await walk.choose(id, 3, 2);
    const at = 3 * columns + 2;
    const [a, b] = [now.get(id)[at] ?? NaN, then.get(id)[at] ?? NaN];
    const shown = full(await walk.value(id));
    assert.equal(shown, Math.fround(a - b), id);
    // Places come from no seed.
    assert.equal(shown === 0, id === 'position', id);
    assert.ok(Math.abs(shown - ((nowDouble.get(id)[at] ?? NaN) - (thenDouble.get(id)[at] ?? NaN))) < 1e-3, id);
  }
  await walk.unfold('query');
  await walk.card('query').locator('[data-parameter=W_Q] summary').click();
  await walk.choose('W_Q', 3, 2);
  const at = 3 * 64 + 2;
  assert.equal(full(await walk.value('W_Q')), Math.fround(((await walk.array('W_Q')).numbers[at] ?? NaN) - (own[at] ?? NaN)));
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('matrices of another shape are not subtracted, and a sentence says why', async () => {
  const walk = await pinned();
  await walk.playground.paste('only four words here');
  await walk.settle();
  await show(walk, 'Now − pinned');
  await walk.card('weights').scrollIntoViewIfNeeded();
  await walk.settle();
  assert.match(await walk.card('weights').innerText(), /It was \[11 × 11\] and is \[4 × 4\]/);
  await show(walk, 'Pinned');
  const then = nativeStages(WORDS, DEFAULTS);
  const { row, column } = await walk.place('weights');
  assert.equal(full(await walk.value('weights')), then.get('weights')[row * 11 + column]);
  await show(walk, 'Now');
  assert.equal((await walk.array('weights')).extents.join(), '4,4,4');
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('unpinning shows the present again, and an element that goes frees what it had pinned', async () => {
  const walk = await pinned();
  await walk.playground.set({ scale: 'none' });
  await show(walk, 'Pinned');
  await walk.page.getByRole('button', { name: 'Unpin' }).click();
  await walk.settle();
  const now = nativeStages(WORDS, { ...DEFAULTS, scale: 'none' });
  const { row, column } = await walk.place('scaled_scores');
  assert.equal(full(await walk.value('scaled_scores')), now.get('scaled_scores')[row * 11 + column]);
  assert.equal(await walk.page.locator('.pin .segment').count(), 0);
  await walk.page.getByRole('button', { name: 'Pin this state' }).click();
  await walk.page.evaluate(() => {
    const element = document.querySelector('attention-playground') as HTMLElement;
    const parent = element.parentElement as HTMLElement;
    element.remove();
    parent.prepend(element);
  });
  await walk.settle();
  await walk.page.getByRole('button', { name: 'Pin this state' }).waitFor();
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

for (const width of [1440, 360]) {
  test(`the bar of a pinned state covers nothing that is scrolled to, at ${width} px`, async () => {
    const playground = await reader.open({ context: { viewport: { width, height: 900 } } });
    const { page } = playground;
    await page.getByRole('button', { name: 'Pin this state' }).click();
    await page.locator('.pin-bar.pinned').waitFor();
    await playground.settled();
    const covered = await page.evaluate(() => {
      const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
      const bar = root.querySelector('.pin-bar.pinned') as Element;
      return ['.walk', '.group', '.stage-matrix'].filter((selector) => {
        const target = root.querySelectorAll(selector)[selector === '.group' ? 1 : 0] as Element;
        target.scrollIntoView();
        return target.getBoundingClientRect().top < bar.getBoundingClientRect().bottom - 0.5;
      });
    });
    assert.deepEqual(covered, []);
    await playground.close();
  });
}

test('the difference comes back when the words are as many again', async () => {
  const walk = await pinned();
  const { playground, page } = walk;
  await playground.set({ mask: 'none' });
  await show(walk, 'Now − pinned');
  const look = async () => ({ colour: await colourAt(playground, 0, 0), width: await page.locator('.matrix canvas').evaluate((canvas) => canvas.clientWidth) });
  const before = await look();
  assert.notEqual(before.colour, SIGNED.fill(signedStep(0, 1)));
  await playground.textBox.press('Control+End');
  await playground.type(' x');
  assert.equal(await page.locator('.matrix').isVisible(), false);
  for (const key of ['Backspace', 'Backspace']) await page.keyboard.press(key);
  await playground.ready();
  await walk.settle();
  assert.ok(await page.locator('.matrix').isVisible());
  assert.deepEqual(await look(), before);
  assert.deepEqual(playground.problems, []);
  await playground.close();
});

test('with a word more or less, a number is compared only with one of the same words', async () => {
  const walk = await pinned();
  const { playground, page } = walk;
  const [cell, number] = [page.locator('[data-cell-pinned]'), page.locator('[data-pinned]')];
  await playground.paste(`${DEFAULT_TEXT} today`);
  await playground.walkTo(7, 2);
  await walk.choose('scores', 7, 2);
  assert.equal(full(await cell.innerText()), nativeStages(WORDS, DEFAULTS).get('weights')[7 * 11 + 2], 'it → didn’t, then as now');
  assert.equal(full(await number.innerText()), nativeStages(WORDS, DEFAULTS).get('scores')[7 * 11 + 2]);
  await playground.paste(`so ${DEFAULT_TEXT}`);
  await playground.walkTo(7, 2);
  await walk.choose('scores', 7, 2);
  assert.equal(await cell.count(), 0, 'because → animal stood elsewhere');
  assert.equal(await number.count(), 0);
  await walk.unfold('query');
  await walk.card('query').locator('[data-parameter=W_Q] summary').click();
  await walk.settle();
  await walk.choose('W_Q', 3, 4);
  assert.equal(await page.locator('[data-difference]').innerText(), '0', 'a parameter is of no word');
  assert.deepEqual(playground.problems, []);
  await playground.close();
});

test('the large matrix shows the same: now, pinned or the difference, in signed colours with its domain', async () => {
  const walk = await pinned();
  const { playground, page } = walk;
  await playground.set({ mask: 'none' });
  await playground.chooseHead(1);
  await playground.walkTo(7, 2);
  const [now, then] = [nativeStages(WORDS, UNMASKED).get('weights').subarray(121, 242), nativeStages(WORDS, DEFAULTS).get('weights').subarray(121, 242)];
  const differences = now.map((x, i) => x - (then[i] ?? NaN));
  const at = 7 * 11 + 2;
  assert.equal(full(await page.locator('[data-cell-pinned]').innerText()), then[at], 'both numbers stand in the inspector');
  assert.equal(full(await page.locator('[data-cell-difference]').innerText()), differences[at]);
  await show(walk, 'Now − pinned');
  const [doubleNow, doubleThen] = [referenceStages(WORDS, UNMASKED), referenceStages(WORDS, DEFAULTS)].map((stages) => stages.get('weights').subarray(121, 242));
  const most = Math.max(...differences.map(Math.abs));
  assert.match(await page.locator('.matrix-title').innerText(), /Weights, now − pinned, head 2/);
  assert.match(await page.locator('.legend').innerText(), /\+<\.01\s+small/);
  assert.deepEqual([0.004, -0.004, 0.006, 0].map(cellDifference), ['+<.01', '−<.01', '+0.01', '0'], 'a small one is not +0.00');
  assert.ok(Math.abs(read((await page.locator('[data-range]').innerText()).slice(1)).value - most) < 0.0006, 'the printed domain is the largest size');
  for (const [query, key] of [[7, 2], [0, 10], [3, 3]] as const) {
    await playground.walkTo(query, key);
    const value = (doubleNow?.[query * 11 + key] ?? NaN) - (doubleThen?.[query * 11 + key] ?? NaN);
    const { label } = await playground.read();
    assert.ok(Math.abs(read(/now − pinned (\S+)$/.exec(label)?.[1]?.replace('+', '') ?? '').value - value) < 0.0051, `${label} for ${value}`);
    assert.equal(await colourAt(playground, query, key), SIGNED.fill(signedStep(differences[query * 11 + key] ?? NaN, most)));
  }
  await show(walk, 'Pinned');
  await playground.walkTo(2, 9);
  assert.match((await playground.read()).label, /masked/, 'as it was: a later word');
  await show(walk, 'Now');
  assert.doesNotMatch((await playground.read()).label, /masked/);
  assert.equal(await page.locator('.pin').count(), 1, 'one place to choose');
  assert.deepEqual(playground.problems, []);
  await playground.close();
});

test('what was pinned keeps its own words beside every matrix; other shapes are not subtracted', async () => {
  const walk = await pinned();
  const { playground, page } = walk;
  await playground.paste('only four words here');
  await show(walk, 'Now − pinned');
  assert.match(await page.locator('.matrix-area').innerText(), /It was \[11 × 11\] and is \[4 × 4\]/);
  assert.equal(await page.locator('.matrix').isVisible(), false);
  await show(walk, 'Pinned');
  assert.deepEqual((await playground.read()).rowLabels, WORDS);
  await page.locator('.line-labels').first().scrollIntoViewIfNeeded();
  await walk.settle();
  assert.deepEqual(await page.locator('.line-labels').first().locator('bdi').allInnerTexts(), WORDS);
  await walk.choose('scores', 9, 3);
  await show(walk, 'Now');
  assert.deepEqual((await playground.read()).rowLabels, ['only', 'four', 'words', 'here']);
  assert.deepEqual(playground.problems, []);
  await playground.close();
});

test('the choice stays in view from the figure to the end of the walk', async () => {
  for (const width of [360, 1440]) {
    const page = await reader.open({ context: { viewport: { width, height: 800 } } });
    const walk = await new Walk(page).show();
    await walk.page.getByRole('button', { name: 'Pin this state' }).click();
    for (const part of ['.matrix', '[data-group=project]', '[data-group=mix]']) {
      await walk.page.locator(part).evaluate((element) => element.scrollIntoView());
      const box = await walk.page.locator('.pin .segments').boundingBox();
      // The switches stay in view, too, on a phone, and where the matrix stands beside the row.
      const switches = await walk.page.locator('.switch-bar').boundingBox() ?? await walk.page.locator('.switch-line').first().boundingBox();
      const top = Math.max(0, switches ? switches.y + switches.height : 0);
      assert.ok(box && box.y >= top && box.y < top + 100 && box.x >= 0 && box.x + box.width <= width, `${part} at ${width}: ${JSON.stringify(box)}`);
    }
    await page.close();
  }
});
