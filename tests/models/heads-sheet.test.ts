// Layers and heads as one sheet: sorted and filtered by what they do on the reader's sentence, together, and at any size.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type StoredTensors, numbers, storeTensors } from '../lib/model-files.ts';
import { type Opening, type Playground, Reader, link } from '../lib/page.ts';
import { distance, ramp } from '../lib/pixels.ts';
import { openShipped as shippedInNode } from '../lib/shipped-model.ts';

const TEXT = 'the old fox saw a red hen and the old fox ran to the red hen';

const reader = await Reader.arrive();
after(() => reader.leave());

async function openShipped(text = TEXT, context: Opening['context'] = {}): Promise<Playground> {
  const page = await reader.open({ fragment: link({ text, parameters: 'trained' }), context });
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  await page.ready();
  return page;
}

/** A GPT-2 of L layers of H heads that reads token numbers. */
async function openWide(L: number, H: number, context: Opening['context'] = {}): Promise<Playground> {
  const [V, D, C] = [40, 2 * H, 32];
  const tensors: Record<string, { shape: number[]; numbers: ArrayLike<number> }> = {};
  let seed = 0;
  const put = (name: string, ...shape: number[]) => {
    tensors[name] = { shape, numbers: numbers(shape.reduce((a, b) => a * b), seed += 1).map((x) => 2 * x) };
  };
  put('wte.weight', V, D);
  put('wpe.weight', C, D);
  for (let i = 0; i < L; i += 1) {
    for (const [name, from, to] of [['attn.c_attn', D, 3 * D], ['attn.c_proj', D, D], ['mlp.c_fc', D, D], ['mlp.c_proj', D, D]] as const) {
      put(`h.${i}.${name}.weight`, from, to);
      put(`h.${i}.${name}.bias`, to);
    }
    for (const name of ['ln_1', 'ln_2']) for (const part of ['weight', 'bias']) put(`h.${i}.${name}.${part}`, D);
  }
  for (const part of ['weight', 'bias']) put(`ln_f.${part}`, D);
  const file = (name: string, content: Uint8Array | string) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  const page = await reader.open({ fragment: link({ text: '5 9 7 5 9 7 3 3 5 8', parameters: 'yours' }), context });
  await page.page.locator('.yours').waitFor();
  const config = JSON.stringify({ n_head: H, n_layer: L, n_embd: D, activation_function: 'gelu_new' });
  await page.page.locator('.yours input[multiple]').setInputFiles([file('model.safetensors', storeTensors(tensors as StoredTensors)), file('config.json', config)]);
  await page.page.locator('[data-guess]').first().waitFor();
  await page.ready();
  return page;
}

/** The weights of all heads, as the page's element gives them layer by layer: [layer][head][query][key]. */
async function weightsOf(page: Playground, layers: number): Promise<number[][][][]> {
  const all: number[][][][] = [];
  for (let layer = 0; layer < layers; layer += 1) {
    await page.page.locator(`.model-head[data-layer="${layer}"][data-head="0"]`).click();
    await page.still();
    const T = (await page.tokens()).length;
    const flat = await page.stage('weights');
    all.push(Array.from({ length: flat.length / T ** 2 }, (_, head) => Array.from({ length: T }, (__, q) => [...flat.subarray((head * T + q) * T, (head * T + q + 1) * T)])));
  }
  return all;
}

const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length;
const before = (rows: readonly number[][]) => mean(rows.slice(1).map((row, i) => row[i] as number));
const bits = (rows: readonly number[][]) => mean(rows.slice(1).map((row) => -row.reduce((sum, w) => sum + (w > 0 ? w * Math.log2(w) : 0), 0)));

/** Those on the screen, in their order, with what is written under each. */
const shown = (page: Playground) => page.page.locator('.model-head').evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().width > 0)
  .map((each) => ({ place: `${Number(each.dataset['layer']) + 1}.${Number(each.dataset['head']) + 1}`, words: each.querySelector<HTMLElement>('.head-words')?.innerText ?? '' })));

const choose = async (page: Playground, list: 'show' | 'sort', words: string) => {
  await page.page.locator(`[data-sheet=${list}]`).selectOption({ label: words });
  await page.ready();
};
const share = (text: string) => Number(/([\d.]+)\s?%/.exec(text)?.[1]) / 100;

/** Each picture has a dot a cell, of the documented colour of its number; a query of none but itself is left out. */
async function assertPictures(page: Playground, expected: (layer: number, head: number) => ArrayLike<number>): Promise<void> {
  const pictures = await page.page.locator('.model-head').evaluateAll((all) => all.map((each) => {
    const canvas = each.querySelector('canvas') as HTMLCanvasElement;
    return { place: [Number(each.dataset['layer']), Number(each.dataset['head'] ?? -1)] as const, T: canvas.width, dots: Array.from(canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []) };
  }));
  assert.ok(pictures.length > 0);
  for (const { place, T, dots } of pictures) {
    const numbers = expected(...place);
    assert.equal(numbers.length, T * T);
    for (let q = 1; q < T; q += 1) for (let k = 0; k <= q; k += 1) {
      const [number, at] = [numbers[q * T + k] as number, (q * T + k) * 4];
      const [red = NaN, green = NaN, blue = NaN] = dots.slice(at, at + 3);
      if (number > 0) assert.ok(distance([red, green, blue], ramp('light', number)) <= 2, `${place}, ${q}, ${k}: ${[red, green, blue]} for ${number}`);
    }
  }
}

test('sorted by the previous word, the head that most looks there stands first; the others of its kind alone stay', async () => {
  const page = await openShipped();
  const weights = await weightsOf(page, 4);
  const expected = weights.flatMap((heads, layer) => heads.map((rows, head) => ({ place: `${layer + 1}.${head + 1}`, previous: before(rows), entropy: bits(rows) })));
  const byLayer = await shown(page);
  assert.deepEqual(byLayer.map(({ place }) => place), expected.map(({ place }) => place));

  await choose(page, 'sort', 'previous word');
  const sorted = [...expected].sort((a, b) => b.previous - a.previous);
  const found = await shown(page);
  assert.deepEqual(found.map(({ place }) => place), sorted.map(({ place }) => place));
  found.forEach(({ words }, i) => assert.ok(Math.abs(share(words) - (sorted[i]?.previous ?? NaN)) <= 0.0051, `${words} for ${sorted[i]?.previous}`));

  await page.page.getByLabel('Only heads of this kind').check();
  const kind = sorted.filter(({ previous }) => previous >= 0.4);
  assert.ok(kind.length > 0 && kind.length < sorted.length);
  assert.deepEqual((await shown(page)).map(({ place }) => place), kind.map(({ place }) => place));
  assert.match(await page.page.locator('[data-folded]').innerText(), new RegExp(`^${kind.length} of 16 heads`));

  await choose(page, 'sort', 'entropy');
  const spread = [...expected].sort((a, b) => b.entropy - a.entropy);
  assert.deepEqual((await shown(page)).map(({ place }) => place), spread.map(({ place }) => place));

  // The chosen head's numbers stand beside it, by the keyboard, too.
  await page.page.locator('.model-head.chosen input').focus();
  await page.page.keyboard.press('ArrowRight');
  await page.still();
  const at = spread.findIndex(({ place }) => place === '4.1');
  const next = spread[(at + 1) % spread.length];
  const table = await page.page.locator('.head-facts').innerText();
  assert.ok(table.includes(`Head ${next?.place}`), table);
  const rows = weights.flat()[expected.findIndex(({ place }) => place === next?.place)] ?? [];
  const tokens = await page.tokens();
  const behind = tokens.map((token, t) => (t > 1 ? tokens.lastIndexOf(token, t - 2) + 1 : 0));
  for (const [role, of] of Object.entries({ previous: (t: number) => t - 1, start: () => 0, self: (t: number) => t, induction: (t: number) => behind[t] || -1 })) {
    const found = mean(rows.flatMap((row, t) => (t > 0 && of(t) >= 0 ? row[of(t)] as number : [])));
    const text = await page.page.locator(`.head-facts [data-fact=${role}] td`).innerText();
    assert.ok(text.startsWith('<') ? found < 0.01 : Math.abs((text === '0' ? 0 : share(text)) - found) <= 0.0051, `${role}: ${text} for ${found}`);
  }
  assert.ok(Math.abs(parseFloat(await page.page.locator('.head-facts [data-fact=entropy] td').innerText()) - (next?.entropy ?? NaN)) <= 0.0051);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a head without a measured name is called by what it does here, and induction is not claimed where no word comes back', async () => {
  const page = await openShipped('the old dog ran');
  assert.match(await page.page.locator('.model-heads').innerText(), /at least 40%.*No word comes back here/s);
  assert.equal(await page.page.locator('[data-fact=induction] td').innerText(), '–');
  const weights = await weightsOf(page, 4);
  const self = weights.flatMap((heads, layer) => heads.map((rows, head) => ({ place: `${layer + 1}.${head + 1}`, self: mean(rows.slice(1).map((row, i) => row[i + 1] as number)) })));
  await choose(page, 'sort', 'the word itself');
  const best = [...self].sort((a, b) => b.self - a.self)[0];
  assert.equal((await shown(page))[0]?.place, best?.place);
  await page.close();

  // Called by what takes the most of its rows, where that is at least 40 %; by nothing otherwise.
  const wide = await openWide(6, 8);
  const called = (await shown(wide)).map(({ words }) => words.replace(/^[\d.]+\s*/, '').trim());
  const ids = [5, 9, 7, 5, 9, 7, 3, 3, 5, 8];
  const followed = ids.map((id, t) => ids.lastIndexOf(id, t - 2) + 1).map((key, t) => (t > 1 ? key : 0));
  const expected = (await weightsOf(wide, 6)).flat().map((rows) => {
    const over = (of: (row: readonly number[], t: number) => number | undefined) => mean(rows.flatMap((row, t) => (t > 0 ? of(row, t) ?? [] : [])));
    const found = Object.entries({ 'previous word': over((row, t) => row[t - 1]), 'first token': over((row) => row[0]), 'the word itself': over((row, t) => row[t]), induction: over((row, t) => (followed[t] ? row[followed[t]] : undefined)) });
    const [name, most] = found.sort(([, a], [, b]) => b - a)[0] as [string, number];
    return most >= 0.4 ? name : '';
  });
  assert.ok(new Set(expected).size > 2, expected.join());
  assert.deepEqual(called, expected);
  await wide.close();
});

test('the mean of each layer and rollout, with the selected word’s row in numbers', async () => {
  const page = await openShipped('the old fox saw the old hen');
  const weights = await weightsOf(page, 4);
  const T = (weights[0]?.[0] ?? []).length;
  const averages = weights.map((heads) => Array.from({ length: T }, (_, q) => Array.from({ length: T }, (__, k) => mean(heads.map((rows) => rows[q]?.[k] as number)))));
  const rolled: number[][][] = [];
  averages.forEach((average) => {
    const below = rolled.at(-1) ?? average.map((_, q) => average.map((__, k) => Number(q === k)));
    const mixed = average.map((row, q) => row.map((w, k) => (w + Number(q === k)) / 2));
    rolled.push(mixed.map((row) => row.map((_, k) => row.reduce((sum, w, j) => sum + w * (below[j]?.[k] as number), 0))));
  });
  await page.walkTo(T - 1, 0);
  await choose(page, 'show', 'rollout');
  assert.match(await page.page.locator('[data-definition=rollout]').innerText(), /Abnar and Zuidema 2020/);
  for (const layer of [0, 3]) {
    await page.page.locator(`.model-layer[data-layer="${layer}"]`).click();
    await page.still();
    const rows = await page.page.locator('.layer-row tbody tr').evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map(({ innerText }) => innerText)));
    assert.equal(rows.length, T);
    rows.forEach(([average = '', rollout = ''], key) => {
      for (const [text, expected] of [[average, averages[layer]?.[T - 1]?.[key]], [rollout, rolled[layer]?.[T - 1]?.[key]]] as const) {
        if (text.startsWith('<')) assert.ok((expected ?? 1) < 0.01);
        else assert.ok(Math.abs((text === '0' ? 0 : share(text)) - (expected ?? NaN)) <= 0.0051, `layer ${layer}, key ${key}: ${text} for ${expected}`);
      }
    });
  }
  await choose(page, 'show', 'mean of a layer');
  assert.equal(await page.page.locator('.model-layer').count(), 4);
  // The picture is drawn from the same numbers: a dot a cell.
  await assertPictures(page, (layer) => (averages[layer] ?? []).flat());
  await choose(page, 'show', 'rollout');
  await assertPictures(page, (layer) => (rolled[layer] ?? []).flat());
  await page.close();
});

test('value-weighted pictures are those of the weights times what each word brings, and what is said of the heads stays that of the weights', async () => {
  const page = await openShipped();
  const dots = () => page.page.locator('.model-head canvas').first().evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  const [plain, facts] = [await dots(), await page.page.locator('.head-facts').innerText()];
  await choose(page, 'show', 'value-weighted');
  assert.match(await page.page.locator('[data-definition=weighted]').innerText(), /Kobayashi/);
  assert.notEqual(await dots(), plain);
  const model = await shippedInNode();
  const run = model.run(model.tokenize(TEXT).map(({ id }) => id));
  const measures = model.measure(run);
  await assertPictures(page, (layer, head) => measures.weighted(layer, head));
  assert.equal(await page.page.locator('.head-facts').innerText(), facts);
  await choose(page, 'show', 'each head');
  assert.equal(await dots(), plain);
  await assertPictures(page, (layer, head) => run.weights(layer, head));
  model.free();
  await page.close();
});

test('the parts of a next word’s logit: most positive first, and together the difference of two logits is that of their chances', async () => {
  const page = await openShipped();
  const called = new Map((await shown(page)).map(({ place, words }) => [place, words.replace(place, '').trim()]));
  await choose(page, 'show', 'part of the next word');
  assert.match(await page.page.locator('[data-definition=parts]').innerText(), /Elhage.*mean and scale are held/s);
  const numbers = (rows: string) => page.page.locator(`${rows} td:nth-child(2)`).allInnerTexts().then((all) => all.map((text) => Number(text.replace('−', '-'))));
  const heads = await numbers('.by-head tbody tr');
  assert.equal(heads.length, 10);
  assert.deepEqual(heads, [...heads].sort((a, b) => b - a));
  const model = await shippedInNode();
  const run = model.run(model.tokenize(TEXT).map(({ id }) => id));
  const { query } = await page.read();
  const parts = model.measure(run).attribution(query, run.predictions(query, 1)[0]?.id ?? -1);
  model.free();
  const most = parts.heads.flatMap((each, layer) => each.map((added, head) => ({ place: `${layer + 1}.${head + 1}`, added }))).sort((a, b) => Math.abs(b.added) - Math.abs(a.added)).slice(0, 10).sort((a, b) => b.added - a.added);
  const lines = (await page.page.locator('.by-head tbody tr').allInnerTexts()).map((text) => text.split('\t').map((each) => each.trim()));
  assert.deepEqual(lines, most.map(({ place, added }) => [place, added.toFixed(2).replace(/^-(?!0\.00$)/, '−').replace('-', ''), called.get(place)]));
  for (const [part, added] of Object.entries(parts.sums)) {
    const text = await page.page.locator(`.parts [data-part=${part}] td`).innerText();
    assert.ok(Math.abs(Number(text.replace('−', '-')) - added) <= 0.0051, `${part}: ${text} for ${added}`);
  }
  const sums = async () => {
    const [embedding = NaN, ofHeads = NaN, mlps = NaN, biases = NaN, logit = NaN] = await numbers('.parts:not(.by-head) tbody tr');
    assert.ok(Math.abs(embedding + ofHeads + mlps + biases - logit) <= 0.021, 'as written, to two decimals each');
    return logit;
  };
  // Softmax: the logits of two words differ by the logarithm of their chances' ratio, which stand beside.
  const chances = (await page.page.locator('[data-guess] td:nth-child(2)').allInnerTexts()).map((text) => parseFloat(text));
  const first = await sums();
  await page.page.locator('[data-sheet=word]').selectOption({ index: 1 });
  await page.ready();
  const second = await sums();
  assert.ok(Math.abs(first - second - Math.log((chances[0] ?? NaN) / (chances[1] ?? NaN))) < 0.12, `${first} − ${second}, ${chances}`);
  // A row of the list chooses its head.
  const row = page.page.locator('.by-head tbody tr').first();
  const place = await row.getAttribute('data-part');
  await row.click();
  await page.still();
  await choose(page, 'show', 'each head');
  assert.match(await page.page.locator('.head-facts').innerText(), new RegExp(`Head ${place?.replace('.', '\\.')} `));
  assert.deepEqual(page.problems, []);
  await page.close();
});

for (const [name, context] of [['1280', { viewport: { width: 1280, height: 900 } }], ['390', { viewport: { width: 390, height: 844 } }]] as const) {
  test(`144 heads stand as one sheet, and can be made larger: ${name} pixels`, async () => {
    const page = await openWide(12, 12, context);
    const boxes = () => page.page.locator('.model-head').evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).map(({ left, top, width }) => ({ left, top, width })));
    const small = await boxes();
    assert.equal(small.length, 144);
    assert.equal(new Set(small.map(({ top }) => Math.round(top))).size, 12, 'a line a layer');
    assert.equal(new Set(small.map(({ left }) => Math.round(left))).size, 12, 'a column a head');
    const widths = [small[0]?.width ?? 0];
    for (const size of ['M', 'L']) {
      await page.page.locator('[data-sheet=size] .segment', { hasText: size }).click();
      widths.push((await boxes())[0]?.width ?? 0);
    }
    assert.ok(widths.every((width, i) => i === 0 || width > (widths[i - 1] ?? 0)), widths.join());
    assert.ok(await page.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing is wider than the page');
    await page.close();
  });
}
