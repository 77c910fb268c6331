// What heads do on a text, and their weights together, of a model that is read from a file.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadInNode } from '../lib/operators.ts';
import { fileOf, tinyNative } from '../lib/tiny-models.ts';
import { LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';

const IDS = [0, 2, 3, 4, 2, 3, 3, 5];
let model: LanguageModel;
before(async () => {
  model = await LanguageModel.open(fileOf(tinyNative('learned')), {}, { operators: () => loadInNode() });
});

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);
const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

test('what each head does is what plain loops find in its weights', () => {
  const run = model.run(IDS);
  const measures = model.measure(run);
  const T = IDS.length;
  const rows = IDS.map((_, t) => t).slice(1);
  // Rows 4 and 5 come back after another token; row 6 stands right behind its like, but also after an earlier one.
  const after = new Map([[4, 2], [5, 3], [6, 3]]);
  assert.equal(measures.repeated, 3);
  measures.facts.forEach((heads, layer) => heads.forEach((facts, head) => {
    const weights = run.weights(layer, head);
    const at = (t: number, key: number) => weights[t * T + key] as number;
    near(facts.previous, mean(rows.map((t) => at(t, t - 1))));
    near(facts.start, mean(rows.map((t) => at(t, 0))));
    near(facts.self, mean(rows.map((t) => at(t, t))));
    near(facts.induction, mean([...after].map(([t, key]) => at(t, key))));
    near(facts.entropy, mean(rows.map((t) => -IDS.reduce((sum, _, key) => sum + (at(t, key) > 0 ? at(t, key) * Math.log2(at(t, key)) : 0), 0))));
  }));
  assert.deepEqual(measures.facts.map(({ length }) => length), [2, 2]);
});

test('the mean of a layer, and rollout from the first layer up', () => {
  const run = model.run(IDS);
  const T = IDS.length;
  let below = Array.from({ length: T }, (_, i) => Array.from({ length: T }, (__, k) => Number(i === k)));
  model.measure(run).together.forEach(({ mean: average, rollout }, layer) => {
    const [a, b] = [run.weights(layer, 0), run.weights(layer, 1)];
    const own = below.map((_, i) => below.map((__, k) => ((a[i * T + k] as number) + (b[i * T + k] as number)) / 2));
    const mixed = own.map((row, i) => row.map((weight, k) => (weight + Number(i === k)) / 2));
    below = mixed.map((row) => below.map((_, k) => row.reduce((sum, share, j) => sum + share * ((below[j] as number[])[k] as number), 0)));
    own.flat().forEach((each, i) => near(average[i] as number, each));
    below.flat().forEach((each, i) => near(rollout[i] as number, each));
  });
});

test('a text of one token has no row to speak of', () => {
  const { facts, repeated, together } = model.measure(model.run([2]));
  assert.equal(repeated, 0);
  assert.ok(Object.values(facts[0]?.[0] ?? {}).every(Number.isNaN));
  assert.deepEqual([...together[1]?.rollout ?? []], [1]);
});
