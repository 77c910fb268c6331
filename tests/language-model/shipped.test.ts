// The model that ships, as WebAssembly and as PyTorch runs it from the same file.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { baselineOf, measureHeads, openShipped, readExpected, readExpectedHeads, readSentences, readTokens, shippedBytes, shippedName } from '../lib/shipped-model.ts';
import type { LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';

let model: LanguageModel;
before(async () => {
  model = await openShipped();
});

test('the file is named after its hash, takes at most 2 MB, and is the one that was measured', () => {
  const bytes = shippedBytes();
  assert.ok(bytes.length <= 2_000_000);
  assert.ok(shippedName().endsWith(`-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}.safetensors`));
  assert.equal(readExpected().model, shippedName());
  assert.equal(readExpectedHeads().model, shippedName());
});

test('texts are cut into the tokens that the model was trained on', () => {
  const cases = readTokens();
  assert.ok(cases.length >= 40, `${cases.length}`);
  for (const { text, tokens } of cases) {
    const [start, ...rest] = model.tokenize(text);
    assert.equal(start?.word, model.configuration.start);
    assert.deepEqual(rest.map(({ word, piece }) => (piece ? `##${word}` : word)), tokens, text);
    for (const token of rest) assert.equal(token.text, text.slice(token.start, token.end));
  }
});

test("all attention matrices and logits equal PyTorch's to 1e-4", () => {
  const { cases, every } = readExpected();
  const { layers, heads } = model.configuration;
  assert.ok(cases.length >= 8 && cases.some(({ ids }) => ids.length === model.configuration.context));
  for (const { text, ids, weights, logits } of cases) {
    assert.deepEqual(model.tokenize(text).slice(0, model.mostTokens).map(({ id }) => id), ids);
    const run = model.run(ids);
    const T = ids.length;
    let at = 0;
    for (let layer = 0; layer < layers; layer += 1) {
      for (let head = 0; head < heads; head += 1) {
        run.weights(layer, head).forEach((weight, i) => {
          const [row, column] = [Math.floor(i / T), i % T];
          const expected = column > row ? 0 : weights[at++] as number;
          if (!(Math.abs(weight - expected) <= 1e-4)) assert.fail(`weights ${layer} ${head} ${row} ${column} of “${text}”: ${weight}, not ${expected}`);
        });
      }
    }
    assert.equal(at, weights.length);
    const some = ids.flatMap((_, position) => [...run.logits(position)].filter((__, id) => id % every === 0));
    assert.equal(some.length, logits.length);
    some.forEach((logit, i) => assert.ok(Math.abs(logit - (logits[i] as number)) <= 1e-4, `logit ${i} of “${text}”: ${logit}, not ${logits[i]}`));
  }
});

test('rounding the matrices to int8 moved no weight by more than 0.05', () => {
  const { int8 } = readExpected();
  assert.ok(int8.weights > 0 && int8.weights <= 0.05, `${int8.weights}`);
});

test('the head table of the annotated sentences, recomputed, is PyTorch’s', () => {
  const sentences = readSentences();
  assert.ok(sentences.length >= 150, `${sentences.length}`);
  const expected = readExpectedHeads();
  assert.equal(expected.sentences, sentences.length);
  const found = measureHeads(model, sentences);
  for (const [relation, { cases, right, baseline, baseline_offset }] of Object.entries(expected.relations)) {
    const tally = found.get(relation);
    assert.equal(tally?.cases ?? 0, cases, relation);
    if (!tally) continue;
    const { share, offset } = baselineOf(tally);
    assert.deepEqual([Math.round(1e4 * share), offset], [Math.round(1e4 * baseline), baseline_offset], relation);
    // Two nearly equal weights may change places by rounding.
    tally.right.forEach((heads, layer) => heads.forEach((count, head) => {
      assert.ok(Math.abs(count - (right[layer]?.[head] ?? NaN)) <= 1, `${relation} ${layer}.${head}: ${count}, not ${right[layer]?.[head]}`);
    }));
  }
  assert.deepEqual([...found.keys()].filter((relation) => !Object.hasOwn(expected.relations, relation)), []);
});

test('the evidence of its heads is complete: every head has some, and those with a name beat position or need no tree', () => {
  const { layers, heads } = model.configuration;
  const seen = new Set(model.heads.map(({ layer, head }) => layer * heads + head));
  assert.equal(seen.size, layers * heads);
  const named = model.heads.filter((each) => each.named);
  assert.ok(named.length > 0);
  for (const { score, baseline, cases, sentences } of named) {
    assert.ok(score > baseline && cases > 0 && sentences > 0);
  }
});
