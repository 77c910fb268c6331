// The boundary: what engine.ts gives, refuses and cleans up; and native and WebAssembly give the same bits, over the whole pipeline.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noticeWords } from '../../web/src/text/core-sentences.ts';
import { loadEngine } from '../lib/built.ts';
import { DEFAULTS, firstDifference, nativeStages } from '../lib/native.ts';
import { type ArrayId, AttentionError, type Edit, Engine, type ParameterId, type Request, type Settings, type StageId } from '../../web/src/engine/engine.ts';
import { Random } from '../lib/random.ts';

const engine = await loadEngine();

const coded = (code: string) => (error: unknown) =>
  error instanceof AttentionError && error.code === code && /[.]$/.test(error.message);

const all: Settings = {
  ...DEFAULTS, d_model: 12, num_heads: 4, num_kv_heads: 2, d_k: 5, d_v: 3, value_rank: 2, positions: 'rope',
  softcap: 20, dropout: 0.25, biases: true, mask: 'window',
};
const size = (extents: readonly number[]) => extents.reduce((product, extent) => product * extent, 1);

test('the schema describes every stage and parameter with a shape that fits its buffer', () => {
  const session = engine.session();
  const trace = session.run({ tokens: ['a', 'b', 'c'], keyTokens: ['d', 'e'] }, all);
  for (const { id, axes, label, symbol, formula } of engine.schema.stages) {
    assert.ok(label && symbol && formula, id);
    const stage = id as StageId;
    assert.ok(trace.present(stage), id);
    assert.equal(trace.extents(stage).length, axes.length, id);
    if (id === 'tokens' || id === 'key_tokens') continue;
    assert.equal(trace.stage(stage).length, size(trace.extents(stage)), id);
  }
  for (const { id, axes } of engine.schema.parameters) {
    const parameter = id as ParameterId;
    assert.equal(trace.present(parameter), id !== 'slopes', id);
    if (id === 'slopes') continue;
    assert.equal(trace.extents(parameter).length, axes.length, id);
    assert.equal(trace.parameter(parameter).length, size(trace.extents(parameter)), id);
  }
  session.free();
});

test('a run says which stages and parameters it has', () => {
  const session = engine.session();
  const trace = session.run(['a', 'b'], DEFAULTS);
  const absent = [...engine.schema.stages, ...engine.schema.parameters].map(({ id }) => id as ArrayId).filter((id) => !trace.present(id));
  assert.deepEqual(absent, [
    'key_tokens', 'key_content', 'key_position', 'key_embeddings', 'rotated_query', 'rotated_key', 'value_down', 'capped_scores',
    'dropped_weights', 'W_V_down', 'W_V_up', 'b_Q', 'b_K', 'b_V', 'b_O', 'cos', 'sin', 'slopes',
  ]);
  for (const id of absent) assert.deepEqual(trace.extents(id), []);
  assert.equal(trace.stage('rotated_query').length + trace.parameter('b_Q').length, 0);
  session.free();
});

test('one head is a part of its stage', () => {
  const session = engine.session();
  const trace = session.run({ tokens: ['a', 'b', 'c'], keyTokens: ['d', 'e'] }, all);
  for (const id of ['query', 'key', 'weights', 'context'] as const) {
    const heads = trace.extents(id)[0] as number;
    const joined = Array.from({ length: heads }, (_, head) => [...trace.head(id, head)]).flat();
    assert.deepEqual(joined, [...trace.stage(id)], id);
    assert.equal(trace.head(id, heads).length + trace.head(id, -1).length, 0, id);
  }
  assert.equal(trace.head('concat', 0).length, 0);
  session.free();
});

test('any number is explained by operands that are the arrays’ own, ending in its bits', () => {
  const session = engine.session();
  const trace = session.run({ tokens: ['a', 'b', 'c'], keyTokens: ['d', 'e'], edits: [{ token: 'a', column: 1, value: 2 }] }, all);
  const numbers = (id: ArrayId) => (engine.schema.stages.some((stage) => stage.id === id) ? trace.stage(id as StageId) : trace.parameter(id as ParameterId));
  const rules = new Set<string>();
  for (const { id } of [...engine.schema.stages, ...engine.schema.parameters]) {
    const array = id as ArrayId;
    const own = numbers(array);
    for (let index = 0; index < own.length; index += 1) {
      const { rule, terms, bias, result } = trace.explain(array, index);
      rules.add(rule);
      assert.equal(result, own[index], `${id}[${index}]`);
      for (const operand of [...terms.flatMap(({ left, right }) => (right ? [left, right] : [left])), ...(bias ? [bias] : [])]) {
        assert.equal(operand.value, numbers(operand.array)[operand.index], `${id}[${index}] reads ${operand.array}`);
      }
      if (rule !== 'dot') continue;
      const sum = terms.reduce((total, { left, right }) => Math.fround(total + Math.fround(left.value * (right?.value ?? NaN))), 0);
      assert.equal(sum, terms.at(-1)?.partial_sum);
      assert.equal(Math.fround(sum + (bias?.value ?? 0)), result);
    }
  }
  assert.deepEqual([...rules].sort(), ['add', 'angle', 'cap', 'copy', 'dot', 'draw', 'drop', 'edit', 'mask', 'rotate', 'scale', 'softmax', 'zero']);
  assert.throws(() => trace.explain('weights', 1e9), coded('index_out_of_range'));
  assert.throws(() => trace.explain('weights', -1), coded('index_out_of_range'));
  assert.throws(() => trace.explain('tokens', 0), coded('index_out_of_range'));
  session.free();
});

test('a request’s edits, masks and given numbers arrive where they belong', () => {
  const session = engine.session();
  const W_Q = Float32Array.from({ length: 64 * 64 }, (_, i) => i / 4096);
  const trace = session.run({
    tokens: ['it', 'was', 'it'],
    maskEdits: [{ query: 0, key: 2 }, { query: 1, key: 1 }, { query: 0.5, key: 1 }],
    edits: [{ array: 'W_Q', row: 1, column: 2, value: 9 }, { token: 'it', column: 3, value: -5 }, { array: 'P', row: -1, column: 0, value: 1 }],
    given: { W_Q },
  }, DEFAULTS);
  const expected = W_Q.slice();
  expected[64 + 2] = 9;
  assert.deepEqual(trace.parameter('W_Q'), expected);
  assert.deepEqual([trace.stage('content')[3], trace.stage('content')[2 * 64 + 3]], [-5, -5]);
  const masked = Array.from(trace.head('masked_scores', 0), (score) => Number(score === -Infinity));
  assert.deepEqual(masked, [0, 1, 0, 0, 1, 1, 0, 0, 0]);
  session.free();
});

test('what is given and does not fit is refused with the rule', () => {
  const session = engine.session();
  const refused = (request: Partial<Request>) => () => session.run({ tokens: ['a'], ...request }, DEFAULTS);
  assert.throws(refused({ given: { W_Q: new Float32Array(3) } }), /W_Q must have 64 x 64 = 4096 numbers; 3 were given/);
  assert.throws(refused({ given: { content: new Float32Array(64).fill(NaN) } }), coded('invalid_request'));
  assert.throws(refused({ given: { weights: new Float32Array(4) } as Request['given'] }), coded('invalid_request'));
  assert.throws(refused({ edits: [{ token: 'a', column: 0, value: Infinity }] }), coded('invalid_request'));
  assert.throws(refused({ edits: [{ array: 'W_X', row: 0, column: 0, value: 1 }] as unknown as Edit[] }), coded('invalid_request'));
  assert.throws(refused({ keyTokens: [] }), coded('no_tokens'));
  session.free();
});

test('sums of rows, measures, differences and cosines are of the numbers shown', () => {
  const session = engine.session();
  const trace = session.run(['a', 'b', 'c', 'd'], DEFAULTS);
  const weights = trace.head('weights', 1);
  const sum = trace.summed(1, [1, 3]);
  assert.deepEqual([...sum], [0, 1, 2, 3].map((key) => Math.fround((weights[4 + key] ?? 0) + (weights[12 + key] ?? 0))));
  const { entropy, largest, largestKey } = trace.measures(1);
  for (let query = 0; query < 4; query += 1) {
    const row = weights.subarray(4 * query, 4 * query + 4);
    const bits = row.reduce((total, w) => total - (w > 0 ? w * Math.log2(w) : 0), 0);
    assert.ok(Math.abs((entropy[query] ?? NaN) - bits) < 1e-5);
    assert.equal(largest[query], Math.max(...row));
    assert.equal(row[largestKey[query] ?? -1], largest[query]);
  }
  assert.deepEqual([...engine.subtract(Float32Array.of(3, 5), Float32Array.of(1, 7))], [2, -2]);
  assert.deepEqual(engine.compare(Float32Array.of(3, 4), Float32Array.of(6, 8)), { dot: 50, norm_a: 5, norm_b: 10, cosine: 1 });
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

test('clamp gives valid settings and a notice for each change', () => {
  const wanted = {
    ...DEFAULTS, d_model: NaN, num_heads: 1e300, mask: '__proto__', scale: '', scale_factor: Infinity,
    positions: 'constructor', biases: true, seed: -0.5,
  };
  const { settings, notices } = engine.clamp(wanted);
  const session = engine.session();
  session.run(['a'], settings);
  session.free();
  assert.equal(notices.length, 7);
  for (const notice of notices) assert.match(noticeWords(notice), /\. Using .+\.$/);
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
  assert.throws(() => session.run(['a'], DEFAULTS), coded('freed_session'));
  session.free();
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

function assertSameBits(wanted: Request | string[], settings: Settings): void {
  const session = engine.session();
  const trace = session.run(wanted, settings);
  const native = nativeStages(wanted, settings);
  const { tokens } = trace;
  for (const { id } of engine.schema.stages) {
    const stage = id as Parameters<typeof trace.stage>[0];
    if (id === 'tokens' || id === 'key_tokens' || !trace.present(stage)) continue;
    const at = firstDifference(trace.stage(stage), native.get(stage));
    assert.equal(at, -1, `${id}[${at}] differs for ${JSON.stringify({ tokens: tokens.length, settings })}`);
  }
  session.free();
}

test('native and wasm agree bit for bit over random settings and sentences', () => {
  const random = new Random(1);
  for (let trial = 0; trial < 120; ++trial) {
    assertSameBits(random.tokens(random.whole(1, 40)), random.settings());
  }
});

test('native and wasm agree bit for bit whatever is switched on, edited or given', () => {
  const random = new Random(3);
  const session = engine.session();
  for (let trial = 0; trial < 150; ++trial) {
    const { settings } = engine.clamp(random.anySettings());
    const request = random.request(random.whole(1, 30));
    assertSameBits({ ...request, given: random.given(session.run(request, settings)) }, settings);
  }
  session.free();
});

test('native and wasm agree bit for bit at a page\'s sizes', () => {
  const random = new Random(2);
  for (const d_model of [8, 64, 512, 1000]) {
    assertSameBits(random.tokens(130), { ...DEFAULTS, d_model, num_heads: 8, biases: true });
  }
  assertSameBits(random.tokens(1500), { ...DEFAULTS, d_model: 16, num_heads: 1 });
});

test("the page opens with the core's own defaults", () => {
  const tokens = ['the', 'animal', 'it'];
  const [page, core] = [nativeStages(tokens, DEFAULTS), nativeStages(tokens, {})];
  for (const id of ['residual', 'weights', 'masked_scores'] as const) {
    assert.equal(firstDifference(page.get(id), core.get(id)), -1, id);
  }
});
