// The boundary: what engine.ts gives, refuses and cleans up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadEngine } from '../lib/module.ts';
import { DEFAULTS } from '../lib/native.ts';
import { AttentionError, Engine, type StageId } from '../../web/src/engine.ts';

const engine = await loadEngine();

const coded = (code: string) => (error: unknown) =>
  error instanceof AttentionError && error.code === code && /[.]$/.test(error.message);

test('the schema describes every stage with a shape that fits its buffer', () => {
  const session = engine.session();
  const trace = session.run(['a', 'b', 'c'], { ...DEFAULTS, d_model: 12, num_heads: 3 });
  const extents: Record<string, number> = { ...trace.shape, 'H·d_v': trace.shape.H * trace.shape.d_v };
  for (const { id, axes, label, symbol, formula } of engine.schema.stages) {
    assert.ok(label && symbol && formula, id);
    if (id === 'tokens') continue;
    const expected = axes.reduce((product, axis) => product * (extents[axis] as number), 1);
    assert.equal(trace.stage(id as StageId).length, expected, id);
  }
  session.free();
});

test('a stage is a copy: it survives the next run and the growth of memory', () => {
  const session = engine.session();
  const trace = session.run(['a', 'b'], DEFAULTS);
  const weights = trace.stage('weights');
  const before = [...weights];
  session.run(Array.from({ length: 900 }, (_, i) => `w${i}`), { ...DEFAULTS, num_heads: 8 });
  assert.deepEqual([...weights], before);
  session.free();
});

test('a trace that was replaced says so instead of giving newer numbers', () => {
  const session = engine.session();
  const old = session.run(['a', 'b'], DEFAULTS);
  session.run(['c'], DEFAULTS);
  assert.throws(() => old.stage('weights'), coded('stale_trace'));
  assert.throws(() => old.cell({ head: 0, query: 0, key: 0 }), coded('stale_trace'));
  session.free();
});

test('what the core refuses becomes an AttentionError with its sentence', () => {
  const session = engine.session();
  const many = (count: number) => Array.from({ length: count }, () => 'a');
  assert.throws(() => session.run([], DEFAULTS), coded('no_tokens'));
  assert.throws(() => session.run(many(engine.schema.limits.max_tokens + 1), DEFAULTS), coded('too_many_tokens'));
  assert.throws(() => session.run(many(4000), { ...DEFAULTS, num_heads: 64 }), coded('trace_too_large'));
  assert.throws(() => session.run(['a'], { ...DEFAULTS, num_heads: 3 }), coded('invalid_setting'));
  assert.throws(() => session.run(['a'], { ...DEFAULTS, scale: 'factor', scale_factor: NaN }), coded('invalid_setting'));
  const trace = session.run(['a'], DEFAULTS);
  assert.throws(() => trace.cell({ head: 4, query: 0, key: 0 }), coded('index_out_of_range'));
  session.free();
});

test('clamp gives valid settings and a sentence for each change', () => {
  const wanted = {
    ...DEFAULTS, d_model: NaN, num_heads: 1e300, mask: '__proto__', scale: '', scale_factor: Infinity,
    positions: 'constructor', biases: true, seed: -0.5,
  };
  const { settings, notices } = engine.clamp(wanted);
  const session = engine.session();
  session.run(['a'], settings);
  session.free();
  assert.equal(notices.length, 7);
  for (const notice of notices) assert.match(notice, /\. Using .+\.$/);
});

test('tokens are text of any kind, and equal text gives equal vectors', () => {
  const session = engine.session();
  const odd = ['<script>alert(1)</script>', '{{}}', '\0', '\u{1F469}\u200D\u{1F469}', '\uD800', 'שלום', '\0'];
  const trace = session.run(odd, DEFAULTS);
  const content = trace.stage('content');
  const row = (i: number) => [...content.subarray(i * 64, i * 64 + 64)];
  assert.deepEqual(row(2), row(6));
  assert.notDeepEqual(row(0), row(1));
  assert.ok(content.every(Number.isFinite));
  session.free();
});

test('a freed session cannot be used', () => {
  const session = engine.session();
  const trace = session.run(['a'], DEFAULTS);
  session.free();
  assert.throws(() => trace.stage('weights'), coded('stale_trace'));
  assert.throws(() => session.run(['a'], DEFAULTS));
});

test('ten thousand sessions made and freed leave the heap where it was', () => {
  const use = (times: number) => {
    for (let i = 0; i < times; ++i) {
      const session = engine.session();
      session.run(['a', 'b', 'c'], DEFAULTS).stage('residual');
      session.free();
    }
  };
  use(100);
  const before = process.memoryUsage().rss;
  use(10_000);
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 150e6, `grew by ${grown} bytes`);  // unfreed, they would hold 800 MB
});

test('one engine is shared, and a module that cannot be loaded says what to check', async () => {
  assert.equal(await loadEngine(), engine);
  await assert.rejects(Engine.load('broken.wasm', new Uint8Array([1, 2, 3])), coded('core_unavailable'));
});
