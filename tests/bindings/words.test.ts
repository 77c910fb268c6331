// The page says what the core says: in English in the core's own words, and in every other language from its catalogue.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { RULES } from '../../build/wasm/bindings/rules.mjs';
import { built, loadEngine } from '../lib/built.ts';
import { readCatalogues, spoken } from '../lib/languages.ts';
import { DEFAULTS } from '../lib/native.ts';
import type { AttentionError } from '../../web/src/engine/error.ts';
import { LAYER, noticeWords, said } from '../../web/src/text/core-sentences.ts';
import { saying } from '../../web/src/engine/sentences.ts';
import type { Notice, Settings } from '../../web/src/engine/engine.ts';
import { LANGUAGES, type Language } from '../../web/src/lib/language.ts';
import { MASK_NUMBERS } from '../../web/src/engine/masks.ts';
import { OPERATORS } from '../../web/src/engine/operators/sentences.ts';
import { TRAINING } from '../../web/src/engine/training/sentences.ts';
import { STAGE_WORDS } from '../../web/src/text/stages.ts';

const engine = await loadEngine();
await readCatalogues();

/** What message_dump prints: what it is about, and its sentence in the core's English. */
const dumped = execFileSync(built('native/tests/message_dump'), { encoding: 'utf8' })
  .trim().split('\n').map((line) => line.split('\t') as [kind: string, name: string, about: string, sentence: string]);
const [NAME, VALUES] = ['W_Q', [12, 3456, 24, 0.95, -7]] as const;

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

const every = saying({ ...LAYER, ...OPERATORS, ...TRAINING });
const rules = dumped.filter(([kind]) => kind === 'rule').map(([, name, code, sentence]) => ({ name, sentence, broken: { code, rule: RULES.indexOf(name as never), name: NAME, numbers: VALUES } }));

test('the core’s rules are those that the page counts, in their order, and each is said in English word for word', () => {
  assert.deepEqual(rules.map(({ name }) => name), RULES.slice(1));
  for (const { sentence, broken } of rules) assert.equal(every(broken), sentence);
});

test('every rule is said in every language, with its numbers and its name', async () => {
  for (const language of Object.keys(LANGUAGES).filter((one) => one !== 'en') as Language[]) {
    const foreign = await spoken(language, () => rules.map(({ broken }) => every(broken)));
    for (const [i, { name, sentence }] of rules.entries()) {
      const own = foreign[i] ?? '';
      assert.notEqual(own, sentence, `${name} in ${language}`);
      assert.match(own, /[.。]$/, `${name} in ${language}`);
      // Divisors stand in a row, a few numbers of other meanings do not.
      for (const argument of [NAME, '1, 2, 3, 4, 6, 12', '12', '3456', '3,456', '0.95', '-7', '24']) {
        const has = (text: string) => text.split(argument).length - 1;
        assert.equal(has(own), has(sentence), `${argument} of ${name} in ${language}: ${own}`);
      }
    }
  }
});

/** The core calls a mask's number by its field, and the page by its switch. */
const labelled = (sentence: string) => MASK_NUMBERS.reduce((all, { field, label }) => all.replace(`Using ${field} `, `Using ${label()} `), sentence);

test('what is used instead of a setting is said of every field, in English word for word', async () => {
  const notices = dumped.filter(([kind]) => kind === 'notice');
  assert.ok(notices.length > 60);
  const broken = { code: 'invalid_setting', rule: RULES.indexOf('setting_heads_divide'), name: '', numbers: [12, 0, 0, 0, 0] };
  const words = () => notices.map(([, field, used]) => noticeWords({ broken, field: field as Notice['field'], used: used === '0.5' ? 0.5 : used }));
  assert.deepEqual(words(), notices.map(([, , , sentence]) => labelled(sentence)));
  for (const language of ['es', 'zh-Hans'] as const) assert.equal(new Set([...words(), ...await spoken(language, words)]).size, 2 * notices.length);
});

test('every field that is clamped says its rule, and what is used', () => {
  const seen = new Set<string>();
  for (const settings of wanted()) {
    for (const notice of engine.clamp(settings).notices) {
      seen.add(`${RULES[notice.broken.rule]} ${notice.field}`);
      assert.ok(RULES[notice.broken.rule]?.startsWith('setting_'));
      assert.ok(noticeWords(notice).startsWith(`${said(notice.broken)} Using `), noticeWords(notice));
    }
  }
  assert.ok(seen.size >= 25, [...seen].join('\n'));
});

/** With what the core refuses a run. */
function refusal(tokens: readonly string[], settings: Partial<Settings> = {}, keyTokens?: readonly string[]): AttentionError | null {
  const session = engine.session();
  try {
    session.run({ tokens, keyTokens }, { ...DEFAULTS, ...settings });
    return null;
  } catch (error) {
    return error as AttentionError;
  } finally {
    session.free();
  }
}

test('a refused run has a code for programs and a sentence in the language of the page', async () => {
  const words = (n: number) => Array.from({ length: n }, (_, i) => `w${i}`);
  const expected: [AttentionError | null, string, string][] = [
    [refusal([]), 'no_tokens', 'There is no token to attend to. Type a word.'],
    [refusal(['a'], {}, []), 'no_tokens', 'There is no token to attend to in the second text. Type a word.'],
    [refusal(words(5000)), 'too_many_tokens', 'The text has 5,000 tokens; the limit is 4,096. Shorten the text.'],
    [refusal(['a'], {}, words(5000)), 'too_many_tokens', 'The second text has 5,000 tokens; the limit is 4,096. Shorten it.'],
    [refusal(words(4000), { num_heads: 64 }, words(3999)), 'trace_too_large', ''],
    [refusal(['a'], { num_heads: 7 }), 'invalid_setting', 'The number of heads must divide d_model = 64: choose one of 1, 2, 4, 8, 16, 32, 64.'],
    [refusal(['a'], { d_model: 0 }), 'invalid_setting', 'd_model must be a whole number from 1 to 4096.'],
  ];
  for (const [error, code, sentence] of expected) {
    assert.equal(error?.code, code);
    if (sentence) assert.equal(error.message, sentence);
    const spanish = await spoken('es', () => error.message);
    assert.match(spanish, /[.]$/);
    assert.notEqual(spanish, error.message);
  }
  assert.match(expected[4]?.[0]?.message ?? '', /^4000 by 3999 tokens in 64 heads need \d+ MB to keep every stage; the limit is 1074 MB\. /);
});
