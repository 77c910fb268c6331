// The walk through a layer of a model tells what the layer computes: its rows are the normed residual stream, values are made
// from these without places, and every number leads back through the layers to the embedding.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Reader, link } from '../lib/page.ts';
import { openShipped } from '../lib/shipped-model.ts';
import { Walk, full } from '../lib/walk.ts';
import type { ArrayId } from '../../web/src/engine/engine.ts';
import type { LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';

const TEXT = 'the old dog ran home';
const reader = await Reader.arrive();
after(() => reader.leave());
let model: LanguageModel;
before(async () => {
  model = await openShipped();
});

async function open(layer: number, locale = 'en-GB'): Promise<Walk> {
  const playground = await reader.open({ fragment: link({ text: TEXT, parameters: 'trained', layer }), context: { locale } });
  await playground.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  return new Walk(playground).show();
}

const formulaOf = async (walk: Walk, id: ArrayId) => {
  await walk.unfold(id);
  return (await walk.page.locator(`[data-stage-card=${id}] .stage-formula`).textContent() ?? '').replace(/\s/g, '');
};

for (const layer of [1, 2]) {
  test(`in layer ${layer}, E is the normed residual stream, V = E·W_V, and only queries and keys have places`, async () => {
    const walk = await open(layer);
    const run = model.run(model.tokenize(TEXT).map(({ id }) => id));
    const [E, W_V, V, P, X] = [await walk.array('content'), await walk.array('W_V'), await walk.array('value'), await walk.array('position'), await walk.array('embeddings')];
    const [T = 0, D = 0] = E.extents;
    // The residual stream, normed by plain loops; gain and bias are the model's own, so that each column is a line.
    const rows = run.residual(layer - 2);
    for (let column = 0; column < 5; column += 1) {
      const normed = Array.from({ length: T }, (_, row) => {
        const own = [...rows.subarray(row * D, (row + 1) * D)];
        const mean = own.reduce((sum, x) => sum + x, 0) / D;
        const deviation = Math.sqrt(own.reduce((sum, x) => sum + (x - mean) ** 2, 0) / D + 1e-5);
        return ((own[column] ?? NaN) - mean) / deviation;
      });
      const shown = Array.from({ length: T }, (_, row) => E.numbers[row * D + column] ?? NaN);
      const gain = ((shown[1] ?? 0) - (shown[0] ?? 0)) / ((normed[1] ?? 0) - (normed[0] ?? 0));
      normed.forEach((x, row) => assert.ok(Math.abs((shown[0] ?? 0) + gain * (x - (normed[0] ?? 0)) - (shown[row] ?? 0)) < 2e-3, `row ${row}, number ${column}`));
    }
    // V is E·W_V, and not X·W_V.
    const [heads = 1, , width = 0] = V.extents;
    const product = (from: Float32Array, head: number, row: number, i: number) => Array.from({ length: D }, (_, d) => (from[row * D + d] ?? NaN) * (W_V.numbers[d * heads * width + head * width + i] ?? NaN)).reduce((sum, x) => sum + x, 0);
    let apart = 0;
    for (let head = 0; head < heads; head += 1) {
      for (let row = 0; row < T; row += 1) {
        const own = V.numbers[(head * T + row) * width + 1] ?? NaN;
        assert.ok(Math.abs(product(E.numbers, head, row, 1) - own) < 1e-4, `head ${head}, row ${row}: ${own}`);
        apart = Math.max(apart, Math.abs(product(X.numbers, head, row, 1) - own));
      }
    }
    assert.ok(apart > 0.1, 'with places they would be others');
    assert.ok(P.numbers.some((x) => x !== 0));

    assert.equal(await formulaOf(walk, 'content'), layer === 1 ? 'E=norm(embedding[word])' : `E=norm(R${layer - 1})`);
    assert.match(await formulaOf(walk, 'value'), /^V=EWV(\+bV)?$/);
    for (const id of ['query', 'key'] as const) assert.match(await formulaOf(walk, id), /^[QK]=XW[QK](\+b[QK])?$/);
    assert.match(await formulaOf(walk, 'embeddings'), /^X=E\+P$/);
    assert.match(await walk.card('content').locator('summary').first().innerText(), /Residual stream, normed/);
    assert.match(await walk.card('embeddings').locator('summary').first().innerText(), /Input of queries and keys/);
    assert.match(await walk.page.locator('[data-group=input]').innerText(), /What this layer reads\s+Each word’s row of the residual stream is normed\. Places are added for queries and keys alone/);

    // A value leads to E and W_V, and E back through the layers.
    await walk.choose('value', 2, 1);
    const { value, words } = await walk.explained();
    assert.match(words, /dog?’s normed row, without its place|normed row, without its place/);
    const terms = await walk.terms();
    assert.deepEqual([...new Set(terms.flatMap(({ operands }) => operands.map(({ array }) => array)))], ['content', 'W_V']);
    assert.ok(Math.abs(terms.reduce((sum, { product: own }) => sum + full(own), 0) - full(value)) < 1e-4);
    await walk.page.locator('[data-down]').click();
    await walk.settle();
    assert.match((await walk.explained()).name, /^Residual stream, normed/);
    const { row, column } = await walk.place('content');
    for (let at = layer - 1; at >= 0; at -= 1) {
      const shown = await walk.page.locator(`[data-stream] [data-before="${at}"]`).innerText();
      assert.equal(full(shown), run.residual(at - 1)[row * D + column], `before layer ${at + 1}`);
    }
    assert.equal(await walk.page.locator('[data-to-layer]').count(), layer - 1);
    if (layer > 1) {
      await walk.page.locator('[data-to-layer="1"]').click();
      await walk.settle();
      await walk.page.waitForFunction(() => document.querySelector('attention-playground')?.state.layer === 1);
      await walk.settle();
      assert.equal(await formulaOf(walk, 'content'), 'E=norm(embedding[word])');
      assert.deepEqual(await walk.place('content').then(({ row: there, column: across }) => [there, across]), [row, column], 'the same number, a layer before');
    }
    assert.deepEqual(walk.playground.problems, []);
    await walk.playground.close();
  });
}

test('the same is said in the page’s other languages', async () => {
  for (const [locale, label, group] of [['es-ES', 'Flujo residual, normalizado', 'Lo que lee esta capa'], ['zh-CN', '残差流，已归一化', '这一层读入什么']] as const) {
    const walk = await open(2, locale);
    assert.ok((await walk.card('content').locator('summary').first().innerText()).includes(label));
    assert.ok((await walk.page.locator('[data-group=input]').innerText()).includes(group));
    assert.match(await formulaOf(walk, 'value'), /^V=EWV(\+bV)?$/);
    await walk.playground.close();
  }
});
