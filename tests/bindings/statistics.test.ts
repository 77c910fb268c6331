// What the operators say of whole tensors, and the next token that they draw from logits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AttentionError, type SampleRule, type Tensor } from '../../web/src/engine/operators/operators.ts';
import { loadInNode, sharesBySorting } from '../lib/operators.ts';
import { numbers, refusal } from '../lib/model-files.ts';

const operators = await loadInNode();
const { statistics } = operators;
const coded = (code: string) => (error: unknown) => error instanceof AttentionError && error.code === code && /[.]$/.test(error.message);
const near = (a: number, b: number, tolerance: number) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b} ± ${tolerance}`);

function normals(rows: number, width: number, place: Parameters<typeof statistics.normals>[1]): Float32Array {
  const tensor = operators.tensor([rows, width]);
  statistics.normals(tensor, place);
  const numbers = tensor.read();
  tensor.free();
  return numbers;
}

test('a sample grows by rows and columns without changing; seed and stream change it', () => {
  const all = normals(6, 10, { seed: 3, stream: 1 });
  const some = normals(2, 7, { seed: 3, stream: 1, firstRow: 4 });
  assert.deepEqual([...some], [...all.subarray(40, 47), ...all.subarray(50, 57)]);
  assert.notDeepEqual(normals(6, 10, { seed: 4, stream: 1 }), all);
  assert.notDeepEqual(normals(6, 10, { seed: 3, stream: 2 }), all);
  assert.deepEqual(normals(6, 10, { seed: 3 + 2 ** 32, stream: 1 }), all);
});

test('dots, moments and facts of rows are those of plain loops in double', () => {
  const [rows, width, used] = [300, 40, 33];
  const [a, b] = [normals(rows, width, { seed: 1, stream: 0 }), normals(rows, width, { seed: 1, stream: 1 })];
  const out = operators.tensor([rows]);
  statistics.dotRows(operators.tensor([rows, width], a), operators.tensor([rows, width], b), used, out);
  const dots = out.read();
  for (let r = 0; r < rows; r += 1) {
    let dot = 0;
    for (let c = 0; c < used; c += 1) dot += (a[r * width + c] as number) * (b[r * width + c] as number);
    near(dots[r] as number, dot, 1e-5);
  }
  const mean = dots.reduce((sum, x) => sum + x, 0) / rows;
  const variance = dots.reduce((sum, x) => sum + (x - mean) ** 2, 0) / rows;
  const found = statistics.moments(out);
  near(found.mean, mean, 1e-12);
  near(found.variance, variance, 1e-9);
  near(found.variance, used, 5 * Math.sqrt((2 * used ** 2 + 6 * used) / rows)); // five standard errors

  const weights = operators.tensor([2, 3, 50]);
  operators.softmax(operators.tensor([2, 3, 50], dots), weights);
  const numbers = weights.read();
  const facts = statistics.rowFacts(weights);
  assert.equal(facts.length, 6);
  facts.forEach(({ entropy, largest, jacobianNorm }, r) => {
    const row = [...numbers.subarray(50 * r, 50 * r + 50)];
    near(entropy, -row.reduce((sum, w) => sum + (w > 0 ? w * Math.log2(w) : 0), 0), 1e-5);
    assert.equal(largest, Math.max(...row));
    const jacobian = row.flatMap((w, i) => row.map((v, j) => w * ((i === j ? 1 : 0) - v)));
    near(jacobianNorm, Math.hypot(...jacobian), 1e-6);
  });
});

test('what attention keeps when asked is the reference’s, and its context is the fused one’s to rounding', () => {
  const [heads, n, width] = [2, 5, 3];
  const shape = [1, heads, n, width];
  const [q, k, v] = [0, 1, 2].map((stream) => normals(heads * n, width, { seed: 9, stream })) as [Float32Array, Float32Array, Float32Array];
  const tensors = [q, k, v].map((numbers) => operators.tensor(shape, numbers)) as [Tensor, Tensor, Tensor];
  const kept = { scores: operators.tensor([heads, n, n]), scaledScores: operators.tensor([heads, n, n]), maskedScores: operators.tensor([1, heads, n, n]), weights: operators.tensor([heads, n, n]) };
  const [context, fused] = [operators.tensor(shape), operators.tensor(shape)];
  operators.attend(...tensors, { isCausal: true }, context, kept);
  operators.attend(...tensors, { isCausal: true }, fused);
  fused.read().forEach((x, i) => near(x, context.read()[i] as number, 1e-6));
  const [scores, scaled, masked, weights] = [kept.scores, kept.scaledScores, kept.maskedScores, kept.weights].map((each) => each.read()) as [Float32Array, Float32Array, Float32Array, Float32Array];
  for (let row = 0; row < heads * n; row += 1) {
    const [head, query] = [Math.floor(row / n), row % n];
    const expected = Array.from({ length: n }, (_, key) => {
      let dot = 0;
      for (let c = 0; c < width; c += 1) dot += (q[row * width + c] as number) * (k[(head * n + key) * width + c] as number);
      return dot;
    });
    const shares = expected.map((dot, key) => (key <= query ? Math.exp(dot / Math.sqrt(width)) : 0));
    const sum = shares.reduce((all, share) => all + share, 0);
    expected.forEach((dot, key) => {
      const at = row * n + key;
      near(scores[at] as number, dot, 1e-5);
      near(scaled[at] as number, dot / Math.sqrt(width), 1e-5);
      assert.equal(masked[at], key <= query ? scaled[at] : -Infinity);
      near(weights[at] as number, (shares[key] as number) / sum, 1e-6);
    });
  }
});

test('samples and stages that do not fit are refused with a sentence', () => {
  const a = operators.tensor([4, 3]);
  const out = operators.tensor([4]);
  assert.throws(() => statistics.dotRows(a, a, 0, out), coded('invalid_shape'));
  assert.throws(() => statistics.dotRows(a, a, 4, out), coded('invalid_shape'));
  assert.throws(() => statistics.dotRows(a, a, 1.5, out), coded('invalid_shape'));
  assert.throws(() => statistics.dotRows(a, operators.tensor([3, 4]), 2, out), coded('invalid_shape'));
  assert.throws(() => statistics.dotRows(a, a, 2, operators.tensor([3])), coded('invalid_shape'));
  assert.throws(() => operators.attend(a, a, a, {}, a, { weights: operators.tensor([3, 3]) }), coded('invalid_shape'));
  assert.doesNotThrow(() => operators.attend(a, a, a, {}, operators.tensor([4, 3]), { weights: operators.tensor([4, 4]) }));
});

function shares(logits: readonly number[] | Float32Array, rule: SampleRule) {
  const [x, y] = [operators.tensor([1, logits.length], logits), operators.tensor([1, logits.length])];
  operators.sampleShares(x, rule, y);
  return { tensor: y, numbers: y.read() };
}

test('shares by temperature, top-k and top-p are those that sorting finds', () => {
  const logits = Float32Array.from(numbers(500, 3), (x) => 5 * x);
  for (const rule of [{}, { temperature: 0.6 }, { topK: 7 }, { topP: 0.8 }, { temperature: 1.4, topK: 60, topP: 0.9 }]) {
    const wanted = sharesBySorting(logits, rule);
    shares(logits, rule).numbers.forEach((share, i) => assert.ok(Math.abs(share - (wanted[i] ?? NaN)) < 2e-6 && (share > 0) === ((wanted[i] ?? 0) > 0), `${JSON.stringify(rule)}: ${i}`));
  }
});

test('the same seed and place draw the same token, others another; none can be drawn of nothing', () => {
  const { tensor } = shares(Array<number>(1000).fill(0), {});
  const of = (seed: number) => Array.from({ length: 8 }, (_, place) => operators.drawToken(tensor, seed, place));
  assert.deepEqual(of(5), of(5));
  assert.notDeepEqual(of(5), of(6));
  assert.equal(new Set(of(5)).size, 8);
  assert.equal(operators.drawToken(shares([-Infinity, -Infinity], {}).tensor, 1, 1), 2);
});

test('a rule that is none is refused in a sentence', () => {
  assert.throws(() => shares([1, 2], { topP: 0 }), refusal('invalid_option', /top_p must be more than 0/));
  assert.throws(() => shares([1, 2], { temperature: -1 }), refusal('invalid_option', /temperature/));
  assert.throws(() => shares([1, 2], { topK: 1.5 }), refusal('invalid_option', /topK takes whole numbers/));
  assert.throws(() => operators.sampleShares(operators.tensor([2]), {}, operators.tensor([3])), refusal('invalid_shape', /./));
});
