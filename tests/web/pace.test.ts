// How long a run will take is judged by the runs before it; a hitch is forgotten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../../web/src/state/run.ts';

const WORDS = 7e4, LONG = 1e8;

test('one slow run holds up no later run: neither a short one, nor a long one when the next shows it was a hitch', () => {
  const pace = new Pace();
  pace.learn(WORDS, 400);
  assert.ok(pace.expects(LONG) <= 100, 'a few words are no measure of the processor');
  pace.learn(LONG, 40_000);
  assert.ok(pace.expects(WORDS) > 20 && pace.expects(LONG) > 30_000);
  pace.learn(WORDS, 0.2);
  assert.ok(pace.expects(WORDS) <= 1, 'what it has just done, it can do again');
});

test('a slow processor is known by its long runs, and a fast one as well', () => {
  for (const speed of [1e4, 1e5, 1e6, 1e7]) {
    const pace = new Pace();
    pace.learn(LONG, LONG / speed);
    assert.ok(Math.abs(pace.expects(LONG / 2) - LONG / 2 / speed) < 1e-6);
  }
});
