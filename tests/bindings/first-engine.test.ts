// The small engine of a first figure: what it computes is the whole engine's, bit for bit, and what it does not do it leaves to that.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadEngine, moduleFile } from '../lib/module.ts';
import { DEFAULTS } from '../lib/native.ts';
import { Random } from '../lib/random.ts';
import type { ArrayId, Request, Settings, StageId, Trace } from '../../web/src/engine.ts';
import { AttentionError } from '../../web/src/attention-error.ts';
import { FirstEngine, startEngine, wholeEngine } from '../../web/src/first-engine.ts';
import { type Token, engineKey } from '../../web/src/tokenize.ts';

const engine = await loadEngine();
const first = await FirstEngine.load(readFileSync(moduleFile('attention_first.wasm')));
const ids = [...engine.schema.stages, ...engine.schema.parameters].map(({ id }) => id as ArrayId);
const stages = engine.schema.stages.map(({ id }) => id as StageId);

const bits = (numbers: Float32Array) => Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
const isLeft = (error: unknown) => error instanceof AttentionError && error.code === 'whole_engine' && /[.]$/.test(error.message);

function assertSame(trace: Trace, other: Trace, told: string): void {
  assert.deepEqual([trace.tokens, trace.keyTokens, trace.settings, trace.shape, trace.factor], [other.tokens, other.keyTokens, other.settings, other.shape, other.factor], told);
  for (const id of ids) assert.deepEqual(trace.extents(id), other.extents(id), `${id}: ${told}`);
  for (const id of stages) assert.ok(bits(trace.stage(id)).equals(bits(other.stage(id))), `${id}: ${told}`);
  const last = trace.shape.H - 1;
  for (const id of ['query', 'weights', 'output'] as const) {
    for (const head of [0, last, last + 1, -1]) assert.ok(bits(trace.head(id, head)).equals(bits(other.head(id, head))), `${id} of head ${head}: ${told}`);
  }
  const rows = [0, trace.shape.T - 1];
  assert.ok(bits(trace.summed(last, rows)).equals(bits(other.summed(last, rows))), `summed: ${told}`);
}

function assertSameRun(request: Request, settings: Settings): void {
  const [small, whole] = [first.session(), engine.session()];
  assertSame(small.run(request, settings), whole.run(request, settings), JSON.stringify({ request, settings }));
  small.free();
  whole.free();
}

test('what the first engine cannot answer waits for the whole one, which then answers for the same run', async () => {
  assert.equal(first.whole, null);
  assert.equal(await startEngine(''), first);
  const session = first.session();
  const request = { tokens: ['a', 'b', 'c'] };
  const trace = session.run(request, DEFAULTS);
  const asked: ((of: Trace) => unknown)[] = [
    (of) => of.explain('weights', 5), (of) => of.cell({ head: 2, query: 2, key: 1 }), (of) => of.measures(1),
    (of) => of.weightedValues(1, 2), (of) => of.parameter('W_O'),
  ];
  for (const ask of asked) assert.throws(() => ask(trace), isLeft);
  assert.throws(() => trace.cell({ head: 99, query: 0, key: 0 }), (error) => error instanceof AttentionError && error.code === 'index_out_of_range');
  assert.ok(trace.stage('weights').length > 0, 'the trace is as good as before');

  assert.equal(await wholeEngine(''), engine);
  assert.equal(first.whole, engine);
  assert.equal(await startEngine(''), engine, 'the next figures start with it');
  const whole = engine.session();
  const other = whole.run(request, DEFAULTS);
  for (const ask of asked) assert.deepEqual(ask(trace), ask(other));
  session.free();
  whole.free();
});

test('each stage is the whole engine’s bit for bit over random settings and sentences, one and two', () => {
  const random = new Random(7);
  for (let i = 0; i < 300; ++i) {
    const { settings } = engine.clamp(i % 2 ? random.anySettings() : random.settings());
    const tokens = random.tokens(random.whole(1, 40));
    assertSameRun(i % 3 ? { tokens } : { tokens, keyTokens: random.tokens(random.whole(1, 30)) }, settings);
  }
});

test('words of any script, empty ones, long ones and long texts cross as they are', () => {
  const tokens = ['naïve', '注意力', 'انتباه', '👩‍🚀', '', '\0', 'a\0b', '<b>&', '\uFFFD', 'x'.repeat(100_000)];
  assertSameRun({ tokens, keyTokens: [...tokens].reverse() }, DEFAULTS);
  assertSameRun({ tokens: new Random(8).tokens(1200) }, { ...DEFAULTS, d_model: 16, num_heads: 1 });
});

test('half a character, which has no UTF-8, is one sign for both engines; a whole one stays', () => {
  const key = (text: string) => engineKey({ text, start: 0, end: text.length } as Token);
  assert.deepEqual(['a\uD83Db', '\uDE80', '🚀', 'e\u0301'].map(key), ['a\uFFFDb', '\uFFFD', '🚀', 'é']);
});

test('a run after another, in one session, is as in a new one', () => {
  const random = new Random(9);
  const session = first.session();
  for (let i = 0; i < 50; ++i) {
    const settings = random.settings();
    const request = { tokens: random.tokens(random.whole(1, 60)) };
    const whole = engine.session();
    assertSame(session.run(request, settings), whole.run(request, settings), JSON.stringify({ i, request, settings }));
    whole.free();
  }
  session.free();
});

test('what breaks a rule, and numbers and cells set by hand, are left to the whole engine; the trace before goes on answering', () => {
  const session = first.session();
  const whole = engine.session();
  const tokens = ['a', 'b', 'c'];
  const expected = whole.run({ tokens }, DEFAULTS);
  const left: [Request, Settings][] = [
    [{ tokens }, { ...DEFAULTS, num_heads: 7 }],
    [{ tokens }, { ...DEFAULTS, d_model: NaN }],
    [{ tokens }, { ...DEFAULTS, seed: -1 }],
    [{ tokens }, { ...DEFAULTS, mask: 'sideways' as Settings['mask'] }],
    [{ tokens: [] }, DEFAULTS],
    [{ tokens, keyTokens: [] }, DEFAULTS],
    [{ tokens: Array.from({ length: 5000 }, String) }, DEFAULTS],
    [{ tokens: Array.from({ length: 4096 }, String) }, { ...DEFAULTS, d_model: 1024, num_heads: 16 }],
    [{ tokens, maskEdits: [{ query: 0, key: 1 }] }, DEFAULTS],
    [{ tokens, edits: [{ array: 'W_Q', row: 0, column: 0, value: 1 }] }, DEFAULTS],
    [{ tokens, given: { content: new Float32Array(3 * DEFAULTS.d_model) } }, DEFAULTS],
  ];
  for (const [request, settings] of left) {
    const said = JSON.stringify([request.tokens.length, settings]);
    const before = session.run({ tokens, maskEdits: [], edits: [], given: undefined }, DEFAULTS);
    assert.throws(() => session.run(request, settings), isLeft, said);
    assertSame(before, expected, said);
  }
  session.free();
  whole.free();
});

test('a trace that another has replaced, or whose session is freed, is refused', () => {
  const session = first.session();
  const trace = session.run({ tokens: ['a'] }, DEFAULTS);
  const looked = trace.stage('weights');
  const next = session.run({ tokens: ['a', 'b'] }, DEFAULTS);
  const isStale = (error: unknown) => error instanceof AttentionError && error.code === 'stale_trace';
  assert.throws(() => trace.stage('scores'), isStale);
  assert.equal(trace.stage('weights'), looked, 'what was looked at stays');
  session.free();
  session.free();
  assert.throws(() => next.stage('scores'), isStale);
});

test('sessions that come and go take no more memory', () => {
  // 6 MB each, of the 2 GB that a module may have.
  const request = { tokens: new Random(10).tokens(300) };
  for (let i = 0; i < 600; ++i) {
    const session = first.session();
    assert.ok(session.run(request, DEFAULTS).stage('weights').length > 0);
    session.free();
  }
});
