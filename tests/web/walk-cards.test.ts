// The walk's cards: of fifteen the four of the formula stand open, the others are a line each, until somebody or something leads
// there; and under unusual settings, with very many heads and long names.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Opening, Reader, link } from '../lib/page.ts';
import { read } from '../lib/shown-numbers.ts';
import { Walk, full } from '../lib/walk.ts';
import type { StageId } from '../../web/src/engine/engine.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const FOUR: readonly StageId[] = ['scaled_scores', 'masked_scores', 'weights', 'context'];
const open = async (opening: Opening = {}) => new Walk(await reader.open(opening)).show();

async function openOnes(walk: Walk): Promise<string[]> {
  await walk.settle();
  return walk.page.locator('[data-stage-card][open]').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-stage-card') ?? ''));
}

/** Folded cards as they are seen. */
const folded = (walk: Walk) => walk.page.locator('.walk .stage:not([open])').evaluateAll((cards) => cards.map((card) => {
  const summary = card.querySelector('summary') as HTMLElement;
  const part = (selector: string) => (summary.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim();
  return { name: part('b'), shape: part('.shape'), line: part('.stage-line'), height: card.getBoundingClientRect().height };
}));

for (const [width, language] of [[1440, 'en-GB'], [1440, 'es-ES'], [1440, 'zh-CN'], [390, 'en-GB'], [390, 'es-ES']] as const) {
  test(`four cards stand open on arrival; of each other there is a name, a shape and a sentence: ${width} px, ${language}`, async () => {
    const walk = await open({ context: { viewport: { width, height: 900 }, locale: language } });
    assert.deepEqual(await openOnes(walk), FOUR);
    const lines = await folded(walk);
    assert.equal(lines.length, 11);
    assert.equal(new Set(lines.map(({ line }) => line)).size, 11, 'each has its own sentence');
    for (const { name, shape, line, height } of lines) {
      assert.ok(name.length > 0 && line.length > 4 && /[.。]$/u.test(line), `${name}: ${line}`);
      assert.match(shape, /^\[.+\] = \[[\d ×]+\]$/, name);
      if (width === 1440) assert.ok(height <= 32, `${name} is one line, not ${height} px`);
      else assert.ok(height >= 44, `${name} has a finger's height, not ${height} px`);
    }
    for (const id of FOUR) {
      const canvas = await walk.page.locator(`[data-array=${id}]`).boundingBox();
      assert.ok(canvas && canvas.width > 200 && canvas.height > 200, `${id} is ${canvas?.width} × ${canvas?.height}`);
    }
    assert.deepEqual(walk.playground.problems, []);
    await walk.playground.close();
  });
}

test('the three that follow from each other stand side by side, their rows on one line', async () => {
  const walk = await open({ context: { viewport: { width: 1280, height: 720 } } });
  const boxes = await Promise.all(FOUR.slice(0, 3).map((id) => walk.page.locator(`[data-array=${id}]`).boundingBox()));
  assert.equal(new Set(boxes.map((box) => box?.y)).size, 1);
  assert.ok((boxes[0]?.x ?? 0) < (boxes[1]?.x ?? 0) && (boxes[1]?.x ?? 0) < (boxes[2]?.x ?? 0));
  await walk.playground.close();
});

test('cards that a reader opens stand side by side too, in one line with their neighbours', async () => {
  const walk = await open({ context: { viewport: { width: 1280, height: 720 } } });
  for (const id of ['query', 'key', 'value', 'scores'] as const) await walk.unfold(id);
  for (const line of [['query', 'key', 'value'], ['scores', 'scaled_scores', 'masked_scores', 'weights']] as const) {
    const boxes = await Promise.all(line.map((id) => walk.page.locator(`[data-array=${id}]`).boundingBox()));
    assert.equal(new Set(boxes.map((box) => box?.y)).size, 1, `${line}: ${JSON.stringify(boxes)}`);
    for (const [i, box] of boxes.slice(1).entries()) assert.ok((boxes[i]?.x ?? 0) + (boxes[i]?.width ?? 0) <= (box?.x ?? 0), `${line[i + 1]} stands beside ${line[i]}`);
  }
  await walk.playground.close();
});

test('the way back and the browser’s Back lead to the very cell that was left, in a card folded meanwhile', async () => {
  const walk = await open();
  const fold = async (id: StageId) => {
    await walk.card(id).locator('summary').first().click();
    await walk.settle();
    assert.equal(await walk.isOpen(id), false);
  };
  const place = async (id: StageId) => (({ row, column }) => [row, column])(await walk.place(id));
  await walk.choose('scaled_scores', 5, 2);
  await walk.follow(0);
  assert.deepEqual(await place('scores'), [5, 2]);
  await walk.follow(2);
  const query = await place('query');
  await fold('scores');
  await walk.page.locator('.trail button').nth(1).click();
  await walk.settle();
  assert.deepEqual([await walk.isOpen('scores'), await place('scores')], [true, [5, 2]]);
  assert.equal(await walk.page.locator('.trail button').count(), 1, 'the way ends where the reader is');
  assert.deepEqual(query, [5, 1], 'the second term of its row');
  for (const [stage, cell] of [['value', '4.3'], ['output', '2.6']]) {
    await walk.page.evaluate((hash) => { location.hash = hash; }, `#stage=${stage}&cell=${cell}`);
    await walk.page.waitForFunction((id) => document.activeElement?.shadowRoot?.activeElement?.closest(`[data-array=${id}]`), stage);
  }
  await fold('value');
  await walk.page.goBack();
  await walk.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.focused[open][data-stage-card=value]'));
  await walk.settle();
  assert.deepEqual(await place('value'), [3, 2]);
  await walk.playground.close();
});

test('playing passes over no stage, however many are folded', async () => {
  const walk = await open({ fragment: link({ text: 'the cat saw it', stage: 'query', cell: '2.3' }), context: { reducedMotion: 'reduce' } });
  await walk.page.evaluate(() => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    const seen = ((globalThis as { seen?: string[] }).seen = [] as string[]);
    const look = () => {
      const at = root.querySelector('.stage.focused[open]')?.getAttribute('data-stage-card') ?? '';
      if (seen.at(-1) !== at) seen.push(at);
    };
    look();
    new MutationObserver(look).observe(root.querySelector('.walk') as Element, { subtree: true, attributes: true, childList: true });
  });
  const stages = await walk.stages();
  await walk.page.locator('.transport .play').click();
  const wanted = stages.slice(stages.indexOf('query'), stages.indexOf('scaled_scores') + 1);
  await walk.page.waitForFunction((last) => (globalThis as unknown as { seen: string[] }).seen.includes(last), wanted.at(-1) ?? '');
  await walk.page.keyboard.press('Escape');
  assert.deepEqual((await walk.page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).filter(Boolean).slice(0, wanted.length), wanted);
  await walk.playground.close();
});

test('a folded card opens by a click and by Enter, folds again, and keeps the focus', async () => {
  const walk = await open();
  const summary = walk.card('key').locator('summary').first();
  await summary.click();
  assert.deepEqual(await openOnes(walk), ['key', ...FOUR]);
  await summary.click();
  assert.deepEqual(await openOnes(walk), FOUR);
  for (const wanted of [['key', ...FOUR], FOUR]) {
    await walk.page.keyboard.press('Enter');
    assert.deepEqual(await openOnes(walk), wanted);
    const active = await walk.page.evaluate(() => document.querySelector('attention-playground')?.shadowRoot?.activeElement?.parentElement?.getAttribute('data-stage-card'));
    assert.equal(active, 'key', 'the same element, in whichever line it stands');
  }
  await walk.playground.close();
});

test('whatever leads to a folded card opens it: a link, a step, playing, an operand, the way back, the browser’s Back', async () => {
  const walk = await open({ fragment: link({ text: 'the cat saw it', stage: 'output', cell: '2.3' }) });
  assert.deepEqual(await openOnes(walk), [...FOUR, 'output']);
  await walk.page.getByRole('button', { name: 'One stage back' }).click();
  assert.deepEqual(await openOnes(walk), [...FOUR, 'concat', 'output']);
  await walk.page.locator('.transport .play').click();
  await walk.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.focused[open][data-stage-card=residual]'));
  await walk.choose('scaled_scores', 2, 1);
  await walk.follow(0);
  assert.deepEqual(await openOnes(walk), ['scores', ...FOUR, 'concat', 'output', 'residual']);
  await walk.follow(0);
  assert.ok(await walk.isOpen('query'));
  await walk.card('scores').locator('summary').first().click();
  await walk.settle();
  assert.equal(await walk.isOpen('scores'), false);
  await walk.page.locator('.trail button').nth(1).click();
  await walk.settle();
  assert.ok(await walk.isOpen('scores'), 'the way back leads there');
  for (const stage of ['value', 'embeddings']) {
    await walk.page.evaluate((id) => { location.hash = `#stage=${id}`; }, stage);
    await walk.page.waitForFunction((id) => document.activeElement?.shadowRoot?.activeElement?.closest(`[data-array=${id}]`), stage);
  }
  await walk.card('value').locator('summary').first().click();
  await walk.settle();
  assert.equal(await walk.isOpen('value'), false);
  await walk.page.goBack();
  await walk.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.focused[open][data-stage-card=value]'));
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('what is open and what is folded outlasts other words, other settings and other parameters', async () => {
  const walk = await open();
  await walk.unfold('query');
  await walk.card('masked_scores').locator('summary').first().click();
  const wanted = ['query', 'scaled_scores', 'weights', 'context'];
  assert.deepEqual(await openOnes(walk), wanted);
  await walk.playground.paste('something else is written here');
  assert.deepEqual(await openOnes(walk), wanted);
  await walk.playground.set({ mask: 'none', scale: 'none', positions: 'rope' });
  assert.deepEqual(await openOnes(walk), wanted);
  assert.ok((await walk.stages()).includes('rotated_query'));
  await walk.playground.set({ source: 'designed' });
  assert.deepEqual(await openOnes(walk), wanted);
  await walk.playground.close();
});

for (const width of [1440, 390]) {
  test(`a switch moves no card, and a card that opens moves nothing above it, at ${width} px`, async () => {
    const walk = await open({ context: { viewport: { width, height: 900 } } });
    // Everything has been seen, and nothing is still to be drawn.
    for (const id of FOUR) await walk.value(id);
    const tops = () => walk.page.evaluate(() => {
      const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
      const { top } = root.querySelector('.groups')?.getBoundingClientRect() as DOMRect;
      return [...root.querySelectorAll('.walk .stage, .walk .stage-matrix')].map((part) => [part.getAttribute('data-stage-card') ?? part.className, Math.round(part.getBoundingClientRect().top - top)]);
    });
    const before = await tops();
    for (const settings of [{ scale: 'none', mask: 'causal' }, { scale: 'none', mask: 'none' }, { mask: 'causal', scale: 'sqrt-dk' }] as const) {
      await walk.playground.set(settings);
      await walk.settle();
      assert.deepEqual(await tops(), before, JSON.stringify(settings));
    }
    await walk.unfold('output');
    assert.deepEqual((await tops()).slice(0, before.length - 2), before.slice(0, -2));
    await walk.playground.close();
  });
}

test('no number of the walk has all its digits until one is asked for; the mouse is told them', async () => {
  const walk = await open();
  const long = async () => (await walk.page.locator('.walk').innerText()).match(/[1-9]\d*\.\d{4,}|0\.0*[1-9]\d{4,}/g);
  for (const id of await walk.stages() as StageId[]) await walk.unfold(id);
  for (const id of await walk.stages() as StageId[]) {
    const { text, exact } = await walk.number(id);
    const { low, high } = read(text);
    assert.ok(low <= full(exact) && full(exact) <= high, `${id}: ${text} for ${exact}`);
    const { row, column } = await walk.place(id);
    const { numbers, extents } = await walk.array(id);
    assert.equal(full(exact), numbers[row * (extents.at(-1) ?? 1) + column], id);
  }
  assert.equal(await long(), null);
  await walk.choose('context', 4, 2);
  const { value } = await walk.explained();
  assert.equal(value, (await walk.number('context')).exact, 'its explanation has them');
  assert.notEqual(value, (await walk.number('context')).text);
  await walk.playground.close();
});


test('however many heads there are, each has its small multiple, drawn when it comes into view', async () => {
  const walk = await open({ fragment: link({ text: 'one two three', 'd-model': 128, heads: 128 }) });
  await walk.value('weights'); // on the screen and drawn: nothing moves under the pointer
  await walk.card('weights').getByRole('button', { name: 'all 128 heads' }).click();
  await walk.settle();
  const pictures = walk.card('weights').locator('.multiples button');
  // What has come into view is drawn when the browser says that it has: a canvas then has a dot a cell.
  const drawn = (head: number) => pictures.nth(head).locator('canvas[width="3"][height="3"]');
  await pictures.first().scrollIntoViewIfNeeded(); // the button is in view, what it opens may be below
  await drawn(0).waitFor();
  assert.equal(await pictures.count(), 128);
  assert.equal(await drawn(127).count(), 0, 'out of view, it costs nothing');
  await pictures.nth(127).scrollIntoViewIfNeeded();
  await drawn(127).waitFor();
  await pictures.nth(127).click();
  await walk.settle();
  assert.equal(await drawn(127).count(), 1);
  assert.equal((await walk.playground.read()).head, 127);
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('what is clicked before the walk has followed a change leads nowhere, and breaks nothing', async () => {
  for (const change of ['value-rank', 'text'] as const) {
    const walk = await open({ fragment: link({ text: 'one two three four five', 'value-rank': 3 }) });
    await walk.choose('value', 4, 2);
    const wanted = await walk.page.evaluate(async (attribute) => {
      const element = document.querySelector('attention-playground') as AttentionPlayground;
      const root = element.shadowRoot as ShadowRoot;
      element.setAttribute(attribute, attribute === 'text' ? 'one' : '0');
      await element.updateComplete;
      const operand = root.querySelector<HTMLElement>('.operands .operand');
      operand?.click();
      root.querySelector('[data-array=value_down] [role=gridcell]')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      return operand?.dataset['operand'] ?? '';
    }, change);
    assert.notEqual(wanted, '', 'there was something to click');
    await walk.settle();
    assert.deepEqual(walk.playground.problems, [], change);
    await walk.choose('weights', 0, 0);
    assert.match((await walk.explained()).name, /Weights/);
    await walk.playground.close();
  }
});

test('the words themselves are the first stage: by place, folded and unfolded, and linked to', async () => {
  const words = ['the', 'cat', 'and', 'the', '<b>', '动物'];
  const page = await reader.open({ fragment: link({ text: 'the cat and the <b> 动物', 'key-text': 'le chat' }) });
  const card = page.page.locator('[data-tokens-card]');
  const shown = async () => (await card.locator('.token-chips').first().locator('bdi').allTextContents());
  await new Walk(page).show();
  assert.deepEqual(await shown(), [], 'folded at first');
  await card.locator('summary').click();
  await card.locator('.token-chips').first().waitFor();
  assert.deepEqual(await shown(), (await page.tokens()));
  assert.ok((await shown()).includes(words[5] ?? ''));
  assert.deepEqual(await card.locator('.token-chips').nth(1).locator('bdi').allTextContents(), ['le', 'chat']);
  await card.locator('summary').click();
  await card.locator('.token-chips').first().waitFor({ state: 'detached' });
  assert.match(await card.locator('summary').innerText(), /\[T\] = \[\d+\], \[S\] = \[2\]/);
  await page.page.evaluate(() => { location.hash = '#stage=tokens'; });
  await card.locator('.token-chips').first().waitFor();
  assert.deepEqual(page.problems, []);
  await page.close();
});

for (const [language, head] of [['en', 'head'], ['es', 'cabeza'], ['zh-Hans', '头']] as const) {
  test(`a head of a model of several layers goes by its layer and its number wherever it is named, in ${language}`, async () => {
    const walk = await open({ fragment: `#v1&parameters=trained&layer=3&head=4&lang=${language}` });
    const { page } = walk;
    const own = new RegExp(`${head} 3\\.4(?!\\d)`, 'i');
    const said = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
    assert.match(said(await page.locator('.matrix-title').innerText()), own);
    assert.match(await page.locator('.matrix [role=grid]').getAttribute('aria-label') ?? '', own);
    assert.deepEqual((await page.locator('.heads-scroll .name').allInnerTexts()).map((name) => /[\d.]+$/.exec(said(name))?.[0]), ['3.1', '3.2', '3.3', '3.4']);
    assert.match(said(await page.locator('.walk-head').innerText()), own);
    assert.deepEqual((await page.locator('.walk-heads button').allInnerTexts()).map((name) => /[\d.]+$/.exec(said(name))?.[0]), ['3.1', '3.2', '3.3', '3.4']);
    assert.match(said(await walk.card('weights').innerText()), own);
    assert.match(said(await page.locator('.explained-name').innerText()), own);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('.head-switch').waitFor();
    assert.deepEqual((await page.locator('.head-switch option').allTextContents()).map((name) => /^[\d.]+/.exec(said(name))?.[0]), ['3.1', '3.2', '3.3', '3.4']);
    assert.doesNotMatch(said(await page.locator('attention-playground').evaluate((element) => element.shadowRoot?.querySelector<HTMLElement>('.root')?.innerText ?? '')), new RegExp(`${head} 4(?![\\d.])(?! *[×x])`, 'i'));
    await walk.playground.close();
  });
}
