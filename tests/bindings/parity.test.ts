// Native and WebAssembly give the same bits, over the whole pipeline of the shipped module.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadEngine } from '../lib/module.ts';
import { DEFAULTS, firstDifference, nativeStages } from '../lib/native.ts';
import { Random } from '../lib/random.ts';
import type { Request, Settings } from '../../web/src/engine/engine.ts';

const engine = await loadEngine();

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
