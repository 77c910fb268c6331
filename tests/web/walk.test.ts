// The walk: every stage as a matrix, one number of it looked at by mouse, finger and keys, and stepped through.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { numbersIn, read } from '../lib/shown-numbers.ts';
import { DEFAULTS, nativeStages, referenceStages } from '../lib/native.ts';
import { type Opening, Reader, link, linkSettings } from '../lib/page.ts';
import { Walk, full } from '../lib/walk.ts';
import { DEFAULT_TEXT, KNOBS } from '../../web/src/state/settings.ts';
import type { Settings, StageId } from '../../web/src/engine/engine.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const WORDS = DEFAULT_TEXT.split(' ');
const STAGES: readonly StageId[] = [
  'content', 'position', 'embeddings', 'query', 'key', 'value', 'scores', 'scaled_scores', 'masked_scores', 'weights', 'context', 'concat', 'output', 'residual',
];

const open = async (opening: Opening = {}) => new Walk(await reader.open(opening)).show();

function largest(numbers: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < numbers.length; i += 1) if (Number.isFinite(numbers[i])) most = Math.max(most, Math.abs(numbers[i] ?? 0));
  return most;
}

function assertNear(value: number, double: number, stage: ArrayLike<number>, about: string): void {
  if (double === -Infinity) return assert.equal(value, -Infinity, about);
  assert.ok(Math.abs(value - double) <= 1e-4 * largest(stage) + 1e-6, `${about}: ${value} for ${double}`);
}

test('by keys alone: Enter leads from a number to its operands, Enter follows one, Escape leads to where it stands', async () => {
  const walk = await open();
  await walk.walkTo('weights', 7, 2);
  const { keyboard } = walk.page;
  const at = () => walk.page.evaluate(() => {
    const active = document.querySelector('attention-playground')?.shadowRoot?.activeElement;
    return [active?.className ?? '', active?.getAttribute('data-operand') ?? active?.closest('[data-array]')?.getAttribute('data-array') ?? ''];
  });
  await keyboard.press('Enter');
  await walk.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.activeElement?.matches('.operand'));
  const [, operand = ''] = await at();
  assert.match(operand, /^masked_scores \d+$/);
  await keyboard.press('Enter');
  await walk.settle();
  assert.match((await walk.explained()).name, /masked/i);
  await walk.page.locator('.explanation .operand').first().focus();
  await keyboard.press('Escape');
  assert.equal((await at())[1], 'masked_scores');
  await walk.playground.close();
});

test('every stage of a run has a card, in order, with its shape in symbols and in numbers', async () => {
  const walk = await open();
  assert.deepEqual(await walk.stages(), STAGES);
  const shapes: Partial<Record<StageId, string>> = {
    content: '[T × D] = [11 × 64]', query: '[H × T × dk] = [4 × 11 × 16]', key: '[Hkv × S × dk] = [4 × 11 × 16]',
    scores: '[H × T × S] = [4 × 11 × 11]', context: '[H × T × dv] = [4 × 11 × 16]', concat: '[T × H·dv] = [11 × 64]', residual: '[T × D] = [11 × 64]',
  };
  for (const [id, shape] of Object.entries(shapes)) {
    assert.equal((await walk.card(id as StageId).locator('.shape').first().innerText()).replaceAll(/\s+/g, ' '), shape);
  }
  await walk.unfold('scores');
  assert.match(await walk.card('scores').locator('.stage-formula').first().textContent() ?? '', /S=QK/);
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('only the stages of the run are there', async () => {
  const walk = await open({ fragment: link(linkSettings({ ...KNOBS, positions: 'rope', residual: false, softcap: 5, value_rank: 4 } as Partial<typeof KNOBS>)) });
  const shown = await walk.stages();
  for (const id of ['rotated_query', 'rotated_key', 'capped_scores', 'value_down']) assert.ok(shown.includes(id), id);
  for (const id of ['residual', 'dropped_weights', 'key_content']) assert.ok(!shown.includes(id), id);
  await walk.playground.close();
});

test('any cell of any matrix is shown in full: the native build’s bits, near the double reference', async () => {
  const walk = await open({ fragment: link({ text: DEFAULT_TEXT, heads: 4, head: 3 }) });
  const [native, reference] = [nativeStages(WORDS, DEFAULTS), referenceStages(WORDS, DEFAULTS)];
  const T = WORDS.length;
  for (const [i, id] of STAGES.entries()) {
    const { extents } = await walk.array(id);
    const columns = extents.at(-1) ?? 0;
    const head = extents.length > 2 ? 2 : 0;
    for (const [row, column] of [[(i * 3) % T, (i * 7) % columns], [T - 1, Math.min(columns - 1, 5)]] as const) {
      await walk.choose(id, row, column);
      assert.deepEqual({ ...(await walk.place(id)), label: '' }, { row, column, label: '' }, id);
      const at = (head * T + row) * columns + column;
      const shown = full(await walk.value(id));
      assert.equal(shown, native.get(id)[at], `${id} ${row} ${column}`);
      assertNear(shown, reference.get(id)[at] ?? NaN, reference.get(id), id);
      assert.equal(full((await walk.explained()).value), shown, `${id}, explained`);
    }
  }
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('with a second sentence, keys and values are its words', async () => {
  const [tokens, keyTokens] = [['the', 'cat', 'sat'], ['le', 'chat', 'est', 'assis', 'ici']];
  const walk = await open({ fragment: link({ text: tokens.join(' '), 'key-text': keyTokens.join(' '), mask: 'none', row: 2, key: 4 }) });
  const native = nativeStages({ tokens, keyTokens }, { ...DEFAULTS, mask: 'none' });
  for (const [id, row, column, columns] of [['key', 4, 3, 16], ['value', 0, 9, 16], ['key_embeddings', 2, 40, 64], ['scores', 2, 4, 5], ['context', 1, 6, 16]] as const) {
    await walk.choose(id, row, column);
    assert.equal(full(await walk.value(id)), native.get(id)[row * columns + column], id);
    const { title } = await walk.explained();
    assert.match(title, new RegExp(id === 'scores' ? 'sat.*ici' : String((id === 'context' ? tokens : keyTokens)[row]), 's'));
  }
  const labels = await walk.page.locator('.line-side:has(+ [data-stage-card=key]) .line-labels bdi').allInnerTexts();
  assert.deepEqual(labels, keyTokens);
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('hover looks, a click stays; finger and keys reach the same numbers', async () => {
  const walk = await open();
  await walk.choose('scores', 7, 1);
  const chosen = await walk.explained();
  await walk.hover('query', 3, 5);
  const hovered = await walk.explained();
  assert.match(hovered.title, /cross/);
  assert.notEqual(hovered.value, chosen.value);
  await walk.page.mouse.move(2, 2);
  await walk.settle();
  assert.deepEqual(await walk.explained(), chosen, 'the mouse has left');
  await walk.walkTo('query', 3, 5);
  const byKeys = await walk.explained();
  assert.deepEqual([byKeys.value, byKeys.title, byKeys.operands], [hovered.value, hovered.title, hovered.operands]);
  const touch = await open({ context: { hasTouch: true, isMobile: true, viewport: { width: 768, height: 1024 } } });
  await touch.tap('query', 3, 5);
  assert.equal((await touch.explained()).value, hovered.value);
  await Promise.all([walk.playground.close(), touch.playground.close()]);
});

test('the selection and the walk move together', async () => {
  const walk = await open();
  await walk.choose('weights', 9, 4);
  let screen = await walk.playground.read();
  assert.deepEqual([screen.query, screen.key], [9, 4]);
  await walk.choose('key', 2, 3);
  screen = await walk.playground.read();
  assert.deepEqual([screen.query, screen.key], [9, 2], 'a row of keys is a key');
  await walk.playground.walkTo(5, 3);
  await walk.settle();
  assert.equal((await walk.place('scores')).row, 5);
  assert.equal((await walk.place('scores')).column, 3);
  assert.match((await walk.explained()).title, /cross/, 'the key’s row follows');
  await walk.playground.close();
});

test('scores and scaled scores share one printed range, and it is the largest size of the head', async () => {
  const walk = await open();
  await walk.unfold('scores');
  const range = async (id: StageId) => /±([\d.]+)/.exec(await walk.card(id).innerText())?.[1] ?? '';
  const [scores, scaled] = [await range('scores'), await range('scaled_scores')];
  assert.equal(scores, scaled);
  const { numbers } = await walk.array('scores');
  const most = largest(numbers.subarray(0, WORDS.length ** 2));
  const printed = read(scores);
  assert.ok(printed.low <= most && most <= printed.high, `${scores} for ${most}`);
  assert.match(await walk.card('weights').innerText(), /range 0 … 1/);
  await walk.playground.close();
});

test('the operands of a number light up in the matrices before it', async () => {
  const walk = await open();
  await walk.choose('value', 10, 9);
  const before = await walk.accentAt('query', 2, 7);
  await walk.choose('scores', 2, 1);
  assert.ok((await walk.accentAt('query', 2, 7)) > before, 'the query’s row');
  assert.ok((await walk.accentAt('key', 1, 7)) > 4, 'the key’s row');
  assert.equal(await walk.accentAt('key', 6, 7), 0, 'and no other');
  const looks = new Set((await walk.explained()).operands.map(({ array, look }) => `${array} ${look}`));
  assert.deepEqual([...looks].sort(), ['key operand right', 'query operand left']);
  await walk.playground.close();
});

test('a number of concat selects its head, and lights up in that head’s context; another head takes it along', async () => {
  const walk = await open();
  const width = 16;
  for (const head of [2, 0, 3]) {
    await walk.choose('concat', 4, head * width + 5);
    assert.equal((await walk.playground.read()).head, head);
    assert.deepEqual((await walk.explained()).operands.map(({ array, index }) => [array, index]), [['context', (head * 11 + 4) * width + 5]]);
    assert.ok((await walk.accentAt('context', 4, 5)) > 4, `of head ${head + 1}`);
  }
  await walk.page.locator('.heads-scroll label').nth(1).click();
  await walk.settle();
  assert.ok((await walk.accentAt('concat', 4, width + 5)) > 4, 'the same column of head 2');
  assert.ok((await walk.accentAt('context', 4, 5)) > 4);
  await walk.playground.close();
});

test('a number of concat under the mouse lights up in the context of its head, whichever is chosen', async () => {
  const walk = await open();
  const width = 16;
  const context = () => walk.card('context').innerText();
  await walk.choose('value', 2, 1);
  await walk.value('context');
  const before = await context();
  const { numbers } = await walk.array('context');
  for (const head of [3, 1]) {
    await walk.hover('concat', 6, head * width + 4);
    assert.ok((await walk.accentAt('context', 6, 4)) > 4, `of head ${head + 1}`);
    assert.match(await context(), new RegExp(`, head ${head + 1}$`, 'm'));
    assert.equal(full(await walk.page.locator('[data-value=context] > span').getAttribute('title') ?? ''), numbers[(head * 11 + 6) * width + 4]);
    assert.equal((await walk.playground.read()).head, 0, 'nothing is chosen');
  }
  await walk.page.mouse.move(2, 2);
  await walk.settle();
  assert.equal(await context(), before);
  await walk.playground.close();
});

test('a card folds and stays folded; a link opens it, brings it on the screen and focuses its cell', async () => {
  const walk = await open();
  await walk.card('weights').locator('summary').first().click();
  await walk.unfold('key');
  await walk.playground.type('!');
  await walk.settle();
  assert.deepEqual([await walk.isOpen('weights'), await walk.isOpen('key'), await walk.isOpen('query')], [false, true, false]);
  await walk.page.evaluate(() => { location.hash = '#v1&stage=query&cell=3.5'; });
  await walk.settle();
  assert.notEqual(await walk.card('query').getAttribute('open'), null);
  assert.deepEqual({ ...(await walk.place('query')), label: '' }, { row: 2, column: 4, label: '' });
  await walk.playground.close();
  for (const fragment of ['#stage=scaled_scores', '#v1&row=4&key=2&stage=scaled_scores']) {
    const linked = new Walk(await reader.open({ fragment }));
    await linked.page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.closest('[data-array=scaled_scores]'));
    const box = await linked.card('scaled_scores').boundingBox();
    assert.ok(box && box.y > -50 && box.y < 900, `${fragment}: on the screen, ${box?.y}`);
    assert.match((await linked.explained()).name, /Scaled scores/);
    if (fragment.includes('row')) assert.match((await linked.explained()).title, /cross.*animal/s);
    await linked.playground.close();
  }
});

test('below 1100 px the sheet of this number is small until a number is gone to, and stays as the reader leaves it', async () => {
  const page = await reader.open({ context: { viewport: { width: 768, height: 1024 } } });
  const walk = await new Walk(page).show();
  const [body, fold] = [page.page.locator('.explained-body'), page.page.locator('.fold')];
  assert.equal(await body.isVisible(), false);
  assert.ok(await page.page.locator('[data-explained]').isVisible(), 'the number itself is there');
  await walk.choose('query', 3, 2);
  assert.ok(await body.isVisible());
  await fold.click();
  await walk.choose('query', 3, 1);
  assert.equal(await body.isVisible(), false);
  await page.page.setViewportSize({ width: 1440, height: 1000 });
  await body.waitFor();
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the address says which stage the reader went to, and only then', async () => {
  const walk = await open();
  await walk.playground.walkTo(3, 1);
  await walk.page.waitForFunction(() => location.hash.includes('row=4'));
  assert.ok(!(await walk.page.evaluate(() => location.hash)).includes('stage='));
  await walk.choose('context', 4, 2);
  await walk.page.waitForFunction(() => location.hash.includes('stage=context&cell=5.3'));
  await walk.playground.close();
});

test('the attribute step opens the walk at a stage', async () => {
  const walk = await open();
  await walk.page.evaluate(() => document.querySelector('attention-playground')?.setAttribute('step', 'masked_scores'));
  await walk.settle();
  assert.match((await walk.explained()).name, /Masked scores/);
  await walk.playground.close();
});

test('stepping goes through the stages in order, one sentence each; it never plays by itself', async () => {
  const walk = await open();
  const step = () => walk.page.locator('.transport-words').innerText();
  const first = await step();
  await walk.page.waitForTimeout(2500);
  assert.equal(await step(), first);
  await walk.page.getByRole('button', { name: 'To the first stage' }).click();
  const sentences = new Set<string>();
  for (let i = 0; i < STAGES.length; i += 1) {
    await walk.settle();
    const words = await step();
    assert.match(words, new RegExp(`^${i + 2} of ${STAGES.length + 1} `));
    assert.equal(await walk.page.locator('.stage.focused .stage-number').first().innerText(), String(i + 2));
    sentences.add(words.replace(/^\d+ of \d+/, ''));
    assert.equal((await walk.page.locator('.stage.focused').getAttribute('data-stage-card')), STAGES[i]);
    if (i < STAGES.length - 1) await walk.page.getByRole('button', { name: 'One stage on' }).click();
  }
  assert.equal(sentences.size, STAGES.length);
  assert.ok(await walk.page.getByRole('button', { name: 'One stage on' }).isDisabled());
  await walk.page.locator('.transport input').fill('4');
  await walk.settle();
  assert.equal(await walk.page.locator('.stage.focused').getAttribute('data-stage-card'), 'embeddings');
  await walk.playground.close();
});

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`playing goes on by itself, with ${reducedMotion === 'reduce' ? 'no motion where that is unwelcome' : 'motion of less than 300 ms'}, until Space or Escape`, async () => {
    const walk = await open({ context: { reducedMotion } });
    await walk.page.evaluate(() => {
      const host = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.walk') as HTMLElement;
      const seen: number[] = [];
      Object.assign(globalThis, { seen });
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) {
          if (!(node instanceof HTMLElement) || !node.classList.contains('ghost')) continue;
          for (const animation of node.getAnimations()) seen.push(Number(animation.effect?.getTiming().duration));
        }
      }).observe(host, { childList: true });
    });
    await walk.choose('scores', 2, 2);
    await walk.page.locator('.transport .play').click();
    const focused = () => walk.page.locator('.stage.focused').getAttribute('data-stage-card');
    assert.equal(await focused(), 'scaled_scores', 'the next stage at once');
    await walk.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.stage.focused[data-stage-card=weights]'), undefined, { timeout: 15_000 });
    await walk.page.locator('[data-array=weights] [role=gridcell]').focus();
    await walk.page.keyboard.press(reducedMotion === 'reduce' ? 'Escape' : ' ');
    const stopped = await focused();
    await walk.page.waitForTimeout(2200);
    assert.equal(await focused(), stopped);
    const seen = await walk.page.evaluate(() => (globalThis as unknown as { seen: number[] }).seen);
    if (reducedMotion === 'reduce') assert.deepEqual(seen, []);
    else assert.ok(seen.length > 0 && seen.every((duration) => duration > 0 && duration < 300), String(seen));
    assert.equal(await walk.page.locator('.ghost').count(), 0);
    await walk.playground.close();
  });
}

test('all heads of a stage as small multiples; heads have one hue each, in their names and in concat', async () => {
  const walk = await open();
  await walk.unfold('scores');
  await walk.card('scores').getByRole('button', { name: 'all 4 heads' }).click();
  await walk.settle();
  const pictures = walk.card('scores').locator('.multiples button');
  assert.equal(await pictures.count(), 4);
  await pictures.nth(2).click();
  await walk.settle();
  assert.equal((await walk.playground.read()).head, 2);
  assert.match((await walk.explained()).name, /head 3/);
  await walk.unfold('concat');
  await walk.page.locator('[data-array=concat]').evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await walk.settle();
  const { named, strip } = await walk.page.evaluate(() => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    const named = [...root.querySelectorAll('.walk-heads .hue')].map((mark) => getComputedStyle(mark).backgroundColor);
    const canvas = root.querySelector('[data-array=concat] canvas') as HTMLCanvasElement;
    const strip = [0, 1, 2, 3].map((head) => {
      const [r, g, b] = canvas.getContext('2d')?.getImageData(((head + 0.5) * canvas.width) / 4, 1, 1, 1).data ?? [];
      return `rgb(${r}, ${g}, ${b})`;
    });
    return { named, strip };
  });
  assert.equal(new Set(named).size, 4);
  assert.deepEqual(strip, named);
  await walk.playground.close();
});

test('the entropy and the largest weight of a row are the engine’s, and right', async () => {
  const walk = await open();
  const reference = referenceStages(WORDS, DEFAULTS as Settings).get('weights');
  for (const query of [0, 4, 7]) {
    await walk.choose('weights', query, 0);
    const row = reference.subarray(query * WORDS.length, (query + 1) * WORDS.length);
    const entropy = row.reduce((sum, w) => sum - (w > 0 ? w * Math.log2(w) : 0), 0);
    const text = await walk.card('weights').locator('.row-measures').innerText();
    assertNear(full(await walk.card('weights').locator('[data-entropy] > span').getAttribute('title') ?? ''), entropy, [4], text);
    assertNear(full(await walk.card('weights').locator('[data-largest] > span').getAttribute('title') ?? ''), Math.max(...row), [1], text);
    assert.ok(text.includes(WORDS[row.indexOf(Math.max(...row))] ?? '?'), text);
  }
  await walk.playground.close();
});

test('the walk follows what is typed, whether it is looked at or not', async () => {
  const walk = await open();
  await walk.playground.paste('one two three');
  await walk.settle();
  const native = nativeStages(['one', 'two', 'three'], DEFAULTS);
  const { row, column } = await walk.place('residual');
  assert.equal(full(await walk.value('residual')), native.get('residual')[row * 64 + column]);
  const texts = await walk.page.locator('.line-labels').first().locator('bdi').allInnerTexts();
  assert.deepEqual(texts, ['one', 'two', 'three']);
  await walk.playground.paste('');
  await walk.settle();
  assert.equal(await walk.root.isVisible(), false);
  await walk.playground.paste('back');
  await walk.settle();
  assert.equal(await walk.root.isVisible(), true);
  assert.deepEqual(walk.playground.problems, []);
  await walk.playground.close();
});

test('words beside the matrices end at one edge, whichever way they are read', async () => {
  const walk = await new Walk(await reader.open({ fragment: link({ text: 'the שלום cat مرحبا' }) })).show();
  const edges = await walk.page.locator('.line-labels').first().evaluate((labels) => [...labels.children].map((label) => {
    const range = document.createRange();
    range.selectNodeContents(label);
    return range.getBoundingClientRect().right;
  }));
  assert.equal(edges.length, 4);
  assert.ok(Math.max(...edges) - Math.min(...edges) < 1, edges.join(' '));
  await walk.playground.close();
});

test('a long text scrolls inside its matrices, every word on one line in all of them', async () => {
  const words = Array.from({ length: 120 }, (_, i) => `w${i}`);
  const walk = await open({ fragment: link({ text: words.join(' '), row: 101, key: 90 }) });
  await walk.unfold('scores');
  const box = await walk.page.locator('[data-array=scores]').boundingBox();
  assert.ok(box && box.height < 400);
  await walk.page.locator('[data-array=scores]').evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await walk.settle();
  const tops = await walk.page.evaluate(() => [...(document.querySelector('attention-playground')?.shadowRoot?.querySelectorAll('[data-group=compare] .stage-matrix') ?? [])].map(({ scrollTop }) => scrollTop));
  assert.ok(tops[0] && tops[0] > 0, 'the chosen row is in view');
  assert.equal(new Set(tops).size, 1, String(tops));
  assert.ok((await walk.page.locator('[data-group=compare] .line-labels .chosen').first().innerText()).includes('w100'));
  assert.ok(numbersIn(await walk.value('scores')).length === 1);
  await walk.playground.close();
});
