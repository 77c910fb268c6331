// The page says what the core says: in English in the core's own words, and in every other language from its catalogue.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadEngine } from '../lib/module.ts';
import { DEFAULTS } from '../lib/native.ts';
import { isKnown, said, saidRule } from '../../web/src/core-words.ts';
import type { Settings } from '../../web/src/engine.ts';
import { MASK_NUMBERS } from '../../web/src/masks.ts';
import { STAGE_WORDS } from '../../web/src/stage-words.ts';

const engine = await loadEngine();

test('the page’s table of stages is the schema’s, label by label', () => {
  const labels = Object.fromEntries(engine.schema.stages.map(({ id, label }) => [id, label]));
  assert.deepEqual(Object.fromEntries(Object.entries(STAGE_WORDS).map(([id, say]) => [id, say()])), labels);
});

const NUMBERS = (Object.keys(DEFAULTS) as (keyof Settings)[]).filter((field) => typeof DEFAULTS[field] === 'number');
const WRONG = [NaN, -1, 1e12, 2.5, 1e-9, 7, 48];

/** Every field out of its range, every word unknown, and combinations that do not go together. */
function* wanted(): Generator<Settings> {
  for (const field of NUMBERS) for (const value of WRONG) yield { ...DEFAULTS, [field]: value };
  for (const field of (Object.keys(DEFAULTS) as (keyof Settings)[]).filter((each) => typeof DEFAULTS[each] === 'string')) yield { ...DEFAULTS, [field]: 'else' as never };
  yield { ...DEFAULTS, num_heads: 9, d_k: 5, d_v: 0 };
  yield { ...DEFAULTS, num_heads: 1000, d_k: 5, d_v: 5 };
  yield { ...DEFAULTS, num_heads: 64, d_k: 1024, d_v: 1024 };
  yield { ...DEFAULTS, num_heads: 4, num_kv_heads: 3 };
  yield { ...DEFAULTS, num_heads: 4, num_kv_heads: 2, tie: 'qk' };
  yield { ...DEFAULTS, tie: 'qkv', d_v: 3 };
  yield { ...DEFAULTS, tie: 'qkv', value_rank: 3 };
  yield { ...DEFAULTS, out_proj: false, d_v: 3 };
  yield { ...DEFAULTS, positions: 'rope', d_k: 1 };
  yield { ...DEFAULTS, scale: 'factor', scale_factor: 1e30 };
}

/** The core calls a mask's number by its field, and the page by its switch. */
const labelled = (sentence: string) => MASK_NUMBERS.reduce((all, { field, label }) => all.replace(`"${field}"`, `"${label()}"`), sentence);

test('every sentence of clamping is known to the page, which says it in English as the core does', () => {
  const seen = new Set<string>();
  for (const settings of wanted()) {
    for (const notice of engine.clamp(settings).notices) {
      seen.add(notice.replace(/-?\d[\d.e+-]*/g, '…'));
      assert.ok(isKnown(notice), notice);
      assert.equal(said(notice), labelled(notice));
      assert.equal(saidRule(notice), labelled(notice.slice(0, notice.lastIndexOf(' Using '))));
    }
  }
  assert.ok(seen.size >= 25, [...seen].join('\n'));
});

/** The sentence with which the core refuses a run. */
function refusal(tokens: readonly string[], settings: Partial<Settings> = {}, keyTokens?: readonly string[]): string {
  const session = engine.session();
  try {
    session.run({ tokens, keyTokens }, { ...DEFAULTS, ...settings });
  } catch (error) {
    return (error as Error).message;
  } finally {
    session.free();
  }
  return '';
}

test('every refusal that a reader can come by is known to the page', () => {
  const words = (n: number) => Array.from({ length: n }, (_, i) => `w${i}`);
  const refusals = [
    refusal([]), refusal(['a'], {}, []), refusal(words(5000)), refusal(words(4000), { num_heads: 64 }), refusal(words(4000), { num_heads: 64 }, words(3999)),
    refusal(['a'], { num_heads: 7 }), refusal(['a'], { d_model: 0 }),
  ];
  for (const sentence of refusals) {
    assert.match(sentence, /[.]$/);
    assert.ok(isKnown(sentence), sentence);
    assert.equal(said(sentence), sentence);
  }
});

test('what the core never says stays as it is', () => {
  assert.equal(isKnown('Something else.'), false);
  assert.equal(said('Something else.'), 'Something else.');
});
