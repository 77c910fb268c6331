// The lab of reach: steps against a search through the net, counts against exact whole numbers, shares against the double reference.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DEFAULTS, referenceStages } from '../lib/native.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import { Random } from '../lib/random.ts';
import { DEFAULT_TEXT } from '../../web/src/state/settings.ts';

let reader: Reader;
before(async () => { reader = await Reader.arrive(); });
after(() => reader.leave());

const WORDS = DEFAULT_TEXT.split(' ');

async function open(preset = 'show=paths', text = DEFAULT_TEXT): Promise<Playground> {
  const page = await reader.open({ file: 'labs.html', fragment: link({ view: 'lab-reach', text, preset }) });
  await page.page.locator('#lab-reach .lab-frame').waitFor();
  return page;
}

const lab = ({ page }: Playground, selector: string) => page.locator(`#lab-reach ${selector}`);
const said = async (page: Playground) => (await lab(page, '.lab-said').innerText()).replaceAll('\u00a0', ' ');
const control = (page: Playground, label: string) => lab(page, 'label.lab-field').filter({ hasText: label }).locator('input, select, textarea');
const percent = (w: number) => (w < 0.005 ? '<1%' : `${Math.round(100 * w)}%`);

/** Steps from 0 to `distance`, by trying all ways: `moves` are the jumps of each layer, or of every step. */
function shortest(distance: number, moves: (step: number) => readonly number[]): number {
  let reached = new Set([0]);
  for (let step = 0; ; step += 1) {
    if (reached.has(distance)) return step;
    reached = new Set([...reached].flatMap((place) => [place, ...moves(step).map((jump) => place + jump)]).filter((place) => place <= distance));
  }
}

/** Every arc of every net is a step that this net can make, from the first word to the last; a convolution's each go one layer up. */
async function checkDrawing(page: Playground, early: number, late: number, k: number): Promise<void> {
  const can: Record<string, (jump: number, layer: number) => boolean> = {
    recurrent: (jump) => jump === 1, convolution: (jump) => jump < k, dilated: (jump, layer) => jump % k ** layer === 0 && jump / k ** layer < k, attention: () => true,
  };
  for (const [net, allows] of Object.entries(can)) {
    const { width, arcs } = await lab(page, `[data-net=${net}] svg.plot-picture`).evaluate((picture) => ({
      width: Number(picture.getAttribute('width')), arcs: [...picture.querySelectorAll('.lab-path')].map((path) => (path.getAttribute('d')?.match(/-?[\d.]+/g) ?? []).map(Number)),
    }));
    const place = (x = NaN) => Math.round(((x - 24) * (WORDS.length - 1)) / (width - 40));
    const steps = arcs.map(([x0, y0, , , x1, y1]) => ({ from: place(x0), to: place(x1), y0, y1 }));
    assert.deepEqual([steps[0]?.from, steps.at(-1)?.to], [early, late], net);
    steps.forEach(({ from, to, y0 = NaN, y1 = NaN }, layer) => {
      assert.ok(to >= from && allows(to - from, layer), `${net}, step ${layer}: ${from} to ${to}`);
      if (layer > 0) assert.equal(from, steps[layer - 1]?.to);
      if (net === 'convolution' || net === 'dilated') assert.ok(y1 < y0, 'each hop is one layer up');
      else assert.equal(y1, y0);
    });
    assert.equal(await lab(page, `[data-net=${net}] .lab-stop`).count(), steps.length + 1, 'a stop at each end');
  }
}

const jumps = (k: number, dilation: number) => Array.from({ length: k - 1 }, (_, i) => (i + 1) * dilation);

test('steps between two words are those that a search finds: n, n over k − 1, the logarithm, and 1', async () => {
  const page = await open();
  assert.match(await said(page), /Steps from the to tired: 10 in a recurrent net, 5 in a convolution, 3 in a dilated one, 1 in attention\./);
  const weights = referenceStages(WORDS, DEFAULTS).get('weights');
  const random = new Random(11);
  for (let i = 0; i < 15; i += 1) {
    const [from, to, k] = [random.whole(1, 11), random.whole(1, 11), random.whole(2, 9)];
    await control(page, 'From').selectOption(String(from));
    await lab(page, 'label:has(> span:text-is("to")) select').selectOption(String(to));
    await control(page, 'Convolution').fill(String(k));
    const distance = Math.abs(to - from);
    const expected = [distance, shortest(distance, () => jumps(k, 1)), shortest(distance, (layer) => jumps(k, k ** layer)), Math.min(1, distance)];
    const titles = await lab(page, '.lab-ways figcaption b').allInnerTexts();
    assert.deepEqual(titles.map((title) => Number(/: (\d+) steps?$/.exec(title)?.[1])), expected, `from ${from} to ${to}, width ${k}`);
    const drawn = await Promise.all(['recurrent', 'convolution', 'dilated', 'attention'].map((net) => lab(page, `[data-net=${net}] .lab-path`).count()));
    assert.deepEqual(drawn, expected, 'as many arcs as steps');
    if (distance > 0) await checkDrawing(page, Math.min(from, to) - 1, Math.max(from, to) - 1, k);
    if (distance === 0) assert.match(await said(page), /one word/);
    else {
      const [early, late] = [Math.min(from, to) - 1, Math.max(from, to) - 1];
      assert.ok((await said(page)).includes(`takes ${percent(weights[late * 11 + early] ?? NaN)} straight from ${WORDS[early]}`), await said(page));
    }
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A count as it is printed, and how far its digits go. */
function read(text: string): { value: number; within: number } {
  const raised = /^([\d.]+)×10([⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/.exec(text);
  if (!raised) return { value: Number(text.replaceAll(',', '')), within: 0 };
  const power = Number([...(raised[2] ?? '')].map((c) => SUPERSCRIPTS.indexOf(c)).join(''));
  return { value: Number(raised[1]) * 10 ** power, within: 0.5 * 10 ** (power - 3) };
}

function isCount(text: string, exact: bigint, what: string): void {
  const { value, within } = read(text);
  assert.ok(Math.abs(value - Number(exact)) <= within * 1.001, `${what}: ${text}, exactly ${exact}`);
}

test('full, window and linear attention cost what the formulas say, to the last multiply-add; windows reach L·(w − 1)', async () => {
  const page = await open('show=cost');
  for (const [d, w, layers] of [[6, 8, 12], [10, 5, 1], [3, 13, 96], [14, 1, 7]] as const) {
    await control(page, 'd_model').fill(String(d));
    await control(page, 'Window').fill(String(w));
    await control(page, 'Layers').fill(String(layers));
    const [D, window, d_k] = [2n ** BigInt(d), 2n ** BigInt(w), BigInt(Math.min(64, 2 ** d))];
    for (const n of [11n, 1024n, 8192n, 131072n]) {
      const cell = async (way: string) => lab(page, `[data-cost="${way},${n}"]`).innerText();
      isCount(await cell('full'), 2n * n * n * D, `full, n = ${n}`);
      isCount(await cell('window'), 2n * n * (n < window ? n : window) * D, `window, n = ${n}`);
      isCount(await cell('linear'), 2n * n * d_k * D, `linear, n = ${n}`);
    }
    assert.equal(await lab(page, '[data-back]').innerText(), (BigInt(layers) * (window - 1n)).toLocaleString('en-GB'));
  }
  // The lines are drawn from the same counts: 18 points each, and full is twice as steep.
  assert.equal(await lab(page, '[data-series] .plot-mark').count() >= 3 * 18, true);
  const ends = await lab(page, 'svg.plot-picture [data-series] .plot-line').evaluateAll((all) => all.slice(0, 3).map((line) => {
    const numbers = (line.getAttribute('d') ?? '').match(/[\d.]+/g)?.map(Number) ?? [];
    return (numbers[1] ?? 0) - (numbers.at(-1) ?? 0);
  }));
  assert.ok(Math.abs((ends[0] ?? 0) / (ends[2] ?? 1) - 2) < 0.01, `rises ${ends.join(', ')}`);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a matrix for every pair holds n²·d·δ numbers, the three in its place 3·d·δ, in numbers and bytes', async () => {
  const page = await open('show=table');
  assert.match(await said(page), /11 × 11 pairs would hold 495,616 numbers, 1\.98 MB\. WQ, WK and WV hold 12,288, 49\.2 kB/);
  assert.equal(await lab(page, '[data-squares] rect').count(), 121);
  for (const [n, d, delta] of [[0, 3, 3], [11, 13, 7], [17, 14, 14], [4, 6, 5]] as const) {
    await control(page, 'Words, n').fill(String(n));
    await control(page, 'Width in').fill(String(d));
    await control(page, 'Width out').fill(String(delta));
    const [N, D, to] = [n === 0 ? 11n : 2n ** BigInt(n), 2n ** BigInt(d), 2n ** BigInt(delta)];
    const cells = async (id: string) => lab(page, `[data-size=${id}] td`).allInnerTexts();
    const [, pairs = ''] = await cells('pairs');
    const [, three = ''] = await cells('three');
    isCount(pairs, N * N * D * to, 'pairs');
    isCount(three, 3n * D * to, 'three');
    const [value = '', unit = ''] = ((await cells('pairs'))[2] ?? '').split(' ');
    const printed = Number(value) * 1000 ** ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'].indexOf(unit);
    assert.ok(Math.abs(printed / Number(4n * N * N * D * to) - 1) < 0.006, `${value} ${unit}`);
  }
  await lab(page, '.lab-tries button').first().click();
  assert.match(await said(page), /2,048 × 2,048 pairs would hold 4,398,046,511,104 numbers, 17\.6 TB/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a full context lets go of its first words, and the last row is made of those that are left alone', async () => {
  const page = await open('show=context');
  const all = [...WORDS, ...WORDS];
  for (const [context, read] of [[8, 22], [8, 5], [1, 7], [64, 22], [5, 6]] as const) {
    await control(page, 'Words in the context').fill(String(context));
    await control(page, 'Read up to word').fill(String(read));
    const first = Math.max(0, read - context);
    const shown = await lab(page, '.lab-context li').evaluateAll((items) => items.map((item) => ({
      word: item.querySelector('bdi')?.textContent, state: item.getAttribute('data-state'), share: (item.querySelector('small')?.textContent ?? '').replaceAll('\u00a0', ' '),
    })));
    const seen = all.slice(first, read);
    const weights = referenceStages(seen, DEFAULTS).get('weights').slice((seen.length - 1) * seen.length, seen.length ** 2);
    assert.deepEqual(shown, all.map((word, i) => ({
      word, state: i < first ? 'gone' : i < read ? 'seen' : 'later', share: i < first ? 'gone' : i < read ? percent(weights[i - first] ?? NaN) : '',
    })));
    assert.match(await said(page), first > 0 ? new RegExp(`All up to word ${first} is gone`) : new RegExp(`Places left: ${context - read}`));
  }
  await lab(page, '.lab-tries button').filter({ hasText: 'one word further' }).click();
  assert.match(await said(page), /At word 7, because,/);
  await control(page, 'repeated').fill('3');
  assert.equal(await lab(page, '.lab-context li').count(), 33);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('encoder, decoder and cross-attention stand side by side, with the reference’s weights and masks', async () => {
  const page = await open('show=masks');
  const check = async (text: string[], second: string[]) => {
    const tables = await lab(page, '.plot-numbers table').evaluateAll((all) => all.map((table) => [...table.querySelectorAll('td')].map((cell) => cell.textContent ?? '')));
    const runs = [
      referenceStages(text, { ...DEFAULTS, mask: 'none' }), referenceStages(text, DEFAULTS),
      ...(second.length > 0 ? [referenceStages({ tokens: text, keyTokens: second }, { ...DEFAULTS, mask: 'none' })] : []),
    ];
    assert.equal(tables.length, runs.length);
    runs.forEach((run, i) => {
      const S = i < 2 ? text.length : second.length;
      const weights = run.get('weights').slice(0, text.length * S);
      tables[i]?.forEach((cell, at) => {
        const masked = i === 1 && at % S > Math.floor(at / S);
        if (masked) assert.equal(cell, 'masked');
        else assert.ok(Math.abs(Number(cell.replace(/×10⁻(.)/, (_, digit: string) => `e-${SUPERSCRIPTS.indexOf(digit)}`)) - (weights[at] ?? NaN)) < 6e-5, `matrix ${i}, cell ${at}: ${cell}, in double ${weights[at]}`);
      });
    });
  };
  await check(WORDS, ['el', 'animal', 'no', 'cruzó', 'la', 'calle']);
  assert.match(await said(page), /11 × 11 = 121 cells, a decoder 11 · \(11 \+ 1\) ÷ 2 = 66\. .*11 × 6 = 66 cells/);
  await control(page, 'The other sentence').fill('das Tier');
  await check(WORDS, ['das', 'Tier']);
  assert.match(await said(page), /11 × 2 = 22 cells/);
  await control(page, 'The other sentence').fill('');
  await check(WORDS, []);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('every row is a training pair of one run, equal to the run of its beginning alone; the last carries all', async () => {
  const page = await open('show=next');
  assert.match(await said(page), /trains n − 1 = 10 pairs at once\. .* the largest difference is 0\. Only the last row, tired,/s);
  const pairs = await lab(page, '[data-pair]').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim() ?? '')));
  pairs.forEach(([read = '', asked, apart], row) => {
    assert.ok(WORDS.slice(0, row + 1).join(' ').endsWith(read.replace('… ', '')), read);
    assert.equal(asked, WORDS[row + 1] ?? 'the next word');
    assert.equal(apart, '0');
  });
  const weights = referenceStages(WORDS, DEFAULTS).get('weights').slice(110, 121);
  assert.deepEqual((await lab(page, '.plot-bars tbody td:last-child').allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' ')), [...weights].map(percent));
  assert.deepEqual(page.problems, []);
  await page.close();
});

const FIGURES = ['Steps between words', 'The context is full', 'Full, window, linear', 'Three masks', 'Every row predicts', 'A matrix for each pair'];

test('each figure has its heading, one claim, its controls and what it shows; the last two are folded', async () => {
  for (const width of [390, 1280]) {
    const page = await reader.open({ file: 'labs.html', fragment: link({ view: 'lab-reach', text: DEFAULT_TEXT }), context: { viewport: { width, height: 800 } } });
    await lab(page, '.lab-frame').waitFor();
    const parts = lab(page, '.lab-part');
    assert.deepEqual(await parts.locator(':scope > .lab-head h3').allTextContents(), FIGURES.slice(0, 4));
    await lab(page, '.lab-more > summary').click();
    await parts.nth(5).waitFor();
    assert.deepEqual(await parts.locator(':scope > .lab-head h3').allTextContents(), FIGURES);
    for (const part of await parts.all()) for (const one of ['.lab-claim', '.lab-said', '.lab-controls']) {
      const many = await part.locator(one).count();
      // Of one sentence all rows predict: nothing is set.
      assert.equal(many, one === '.lab-controls' && await part.locator(':scope > .lab-head h3').textContent() === 'Every row predicts' ? 0 : 1, `${one} of ${await part.textContent()}`);
    }
    assert.equal(new Set(await parts.locator('.lab-claim').allTextContents()).size, FIGURES.length);
    // One after the other, each below the one before.
    const tops = await Promise.all([0, 1, 2, 3].map(async (i) => (await parts.nth(i).boundingBox())?.y ?? NaN));
    assert.deepEqual(tops, [...tops].sort((a, b) => a - b));
    // A control moves its own figure.
    const before = await parts.locator('.lab-said').allInnerTexts();
    await parts.nth(0).locator('select').last().selectOption('3');
    const after = await parts.locator('.lab-said').allInnerTexts();
    assert.deepEqual(after.map((text, i) => text === before[i]), [false, true, true, true, true, true]);
    assert.ok(await page.page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
    // On a phone what opens a figure's numbers and what saves them share a line.
    const [numbers, take] = await Promise.all(['summary', '.plot-take'].map(async (selector) => await parts.nth(0).locator(`figure.plot >> ${selector}`).first().boundingBox()));
    if (width === 390) assert.ok(numbers && take && numbers.y < take.y + take.height && take.y < numbers.y + numbers.height && numbers.x + numbers.width <= take.x, 'one line');
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

test('through windows the first word comes on by w − 1 words a layer, each hop one layer up, as far as the layers go', async () => {
  const page = await open('show=cost');
  for (const [power, layers] of [[1, 12], [2, 12], [2, 2], [3, 1], [8, 1], [13, 96]] as const) {
    await control(page, 'Window').fill(String(power));
    await control(page, 'Layers').fill(String(layers));
    const window = 2 ** power;
    const ends: number[] = [];
    for (let at = 0; at < WORDS.length - 1 && ends.length < layers;) ends.push(at = Math.min(WORDS.length - 1, at + window - 1));
    const { width, arcs } = await lab(page, '[data-net=window] svg.plot-picture').evaluate((picture) => ({
      width: Number(picture.getAttribute('width')), arcs: [...picture.querySelectorAll('.lab-path')].map((path) => (path.getAttribute('d')?.match(/-?[\d.]+/g) ?? []).map(Number)),
    }));
    assert.deepEqual(arcs.map(([, , , , x]) => Math.round((((x ?? NaN) - 24) * (WORDS.length - 1)) / (width - 40))), ends, `windows of ${window}, ${layers} layers`);
    for (const [, from = NaN, , , , to = NaN] of arcs) assert.ok(to < from);
    assert.match(await lab(page, '[data-net=window] figcaption').innerText(), new RegExp(`: ${ends.length} steps?`));
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('any sentence at all has all six figures: none, one word, seventy, another script', async () => {
  const page = await open('');
  await lab(page, '.lab-more > summary').click();
  await lab(page, '.lab-part').nth(5).waitFor();
  for (const text of ['one', 'same same', Array.from({ length: 70 }, (_, i) => `w${i}`).join(' '), 'لم يعبر الحيوان الشارع', '动物没有过马路', '<b>x</b> & "y"', '']) {
    await lab(page, 'textarea').fill(text);
    const shown = await lab(page, '.lab-frame').innerText();
    assert.ok(!/NaN|undefined|not a number/.test(shown), `“${text.slice(0, 20)}”: ${shown.slice(0, 300)}`);
    assert.equal(await lab(page, '.lab-part').count(), text === '' ? 0 : FIGURES.length);
    if (text === '') assert.match(shown, /Type a word/);
    assert.equal(await lab(page, '.problem').innerText(), '');
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('an old link opens its figure alone, by its name; all are one press away, and a link keeps what was set', async () => {
  const shows = { paths: 0, context: 1, cost: 2, masks: 3, next: 4, table: 5 };
  for (const [show, i] of Object.entries(shows)) {
    const page = await open(`show=${show}`);
    assert.equal(await lab(page, 'h2').innerText(), FIGURES[i]);
    assert.equal(await lab(page, '.lab-claim').count(), 1);
    assert.equal(await lab(page, '.lab-part').count(), 0);
    await page.close();
  }
  const page = await open('show=context');
  await control(page, 'Words in the context').focus();
  await page.page.keyboard.press('End');
  assert.match(await said(page), /Places left: 42\./);
  await page.page.waitForFunction(() => location.hash.includes('show%3Dcontext%26context%3D64'));
  const again = await open('show=context&context=64');
  assert.equal(await said(again), await said(page));
  await lab(page, '.lab-tries button').last().click();
  assert.equal(await lab(page, '.lab-part').count(), 4);
  assert.match(await lab(page, '.lab-part').nth(1).locator('.lab-said').innerText(), /Places left: 42\./);
  assert.deepEqual([...page.problems, ...again.problems], []);
  await page.close();
  await again.close();
});
