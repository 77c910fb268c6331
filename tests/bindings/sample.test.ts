// The next token, drawn from logits, through the operators' surface: beside plain sorting in double.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadInNode, sharesBySorting } from '../lib/operators.ts';
import { refusal } from '../lib/model-files.ts';
import { numbers } from '../lib/model-files.ts';
import type { Operators, SampleRule } from '../../web/src/engine/operators/operators.ts';

let operators: Operators;
before(async () => {
  operators = await loadInNode();
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
