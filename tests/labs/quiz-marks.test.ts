// The marks of the self-test, on any sentence, against the double reference and formulas; no browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULTS, referenceStages } from '../lib/native.ts';
import { examiner, textOf } from '../lib/lab.ts';
import { Random } from '../lib/random.ts';
import type { Settings } from '../../web/src/engine/engine.ts';
import { KINDS, draw } from '../../web/src/labs/quiz/draw.ts';
import type { Draw, Kind } from '../../web/src/labs/quiz/kinds.ts';
import { DEFAULT_TEXT } from '../../web/src/state/settings.ts';
import { tokenize } from '../../web/src/engine/tokens.ts';

/** `doubtful` answers lie too near the border for float32 and are not compared. */
type Expected = { right: readonly string[]; doubtful?: readonly string[] } | { number: number };

const row = (numbers: Float64Array, at: number, width: number) => [...numbers.slice(at * width, (at + 1) * width)];
const norm = (numbers: readonly number[]) => Math.hypot(...numbers);
const apart = (a: readonly number[], b: readonly number[]) => norm(a.map((x, i) => x - (b[i] ?? 0)));

/** Equal to float32, different even to float32, or between. */
function verdict(value: number, near: number, far: number, small: string, large: string): Expected {
  return value <= near ? { right: [small] } : value >= far ? { right: [large] } : { right: [], doubtful: [small, large] };
}

function largestIn(weights: readonly number[]): Expected {
  const most = Math.max(...weights);
  const keys = weights.map((w, k) => ({ k: String(k), share: w / most }));
  return { right: keys.filter(({ share }) => share > 1 - 1e-6).map(({ k }) => k), doubtful: keys.filter(({ share }) => share <= 1 - 1e-6 && share > 1 - 1e-4).map(({ k }) => k) };
}

/** The answer by double and by formula, from the question's own words. */
function expected(kind: Kind, { words, row: at, head }: Draw, question: string): Expected {
  const n = words.length;
  const stages = (settings: Partial<Settings> = {}, tokens: readonly string[] = words) => referenceStages(tokens, { ...DEFAULTS, ...settings });
  const weightsRow = (settings: Partial<Settings> = {}) => row(stages(settings).get('weights'), head * n + at, n);
  const numbers = (question.match(/(?<![.\d])\d[\d,]*/g) ?? []).map((text) => Number(text.replaceAll(',', '')));
  const [first = NaN, second = NaN] = numbers;
  const places = [...question.matchAll(/\((\d+)\)/g)].map((match) => Number(match[1]) - 1);
  const byWord = /Change .+? to (\S+?)[.,]/.exec(question)?.[1] ?? '';
  switch (kind.name) {
    case 'largest': return largestIn(weightsRow());
    case 'exchange': {
      const [word = 0, output = 0] = places;
      const settings: Partial<Settings> = { mask: question.includes('Without any mask') ? 'none' : 'causal' };
      const moved = apart(row(stages(settings).get('output'), output, 64), row(stages(settings, words.with(word, byWord)).get('output'), output, 64));
      assert.equal(moved === 0, settings.mask === 'causal' && word > output, question);
      return { right: [moved === 0 ? 'stays' : 'moves'] };
    }
    case 'single': return { right: ['0'] };
    case 'scale': {
      if (at === 0) return { right: ['same'] };
      const change = Math.max(...weightsRow({ scale: 'factor', scale_factor: 2 / Math.sqrt(16) })) - Math.max(...weightsRow());
      return change > 1e-4 ? { right: ['grows'] } : change < 1e-6 ? { right: ['grows', 'same'] } : { right: ['grows'], doubtful: ['same'] };
    }
    case 'shuffle': {
      const settings: Partial<Settings> = { mask: question.includes('with the causal mask') ? 'causal' : 'none', positions: question.includes('with positions') ? 'sinusoidal' : 'none' };
      const a = row(stages(settings).get('output'), at, 64);
      const b = row(stages(settings, [...words].reverse()).get('output'), n - 1 - at, 64);
      return verdict(apart(a, b) / norm(a), 1e-6, 1e-3, 'same', 'moves');
    }
    case 'sum': return { number: 1 };
    case 'hidden': return { number: (n * (n - 1)) / 2 };
    case 'query-numbers': return { number: first ** 2 };
    case 'cold': return { right: at === 0 ? ['one', 'equal'] : ['one'] };
    case 'head-width': return { number: first / second };
    case 'hidden-weight': return { number: 0 };
    case 'all-cells': return { number: n * n * second };
    case 'doubled': return { number: 4 };
    case 'direction': {
      const [query = [], ...keys] = [...question.matchAll(/\[([^\]]+)\]/g)].map((match) => (match[1] ?? '').split(',').map((x) => Number(x.trim().replace('−', '-'))));
      const scores = keys.map((key) => key.reduce((sum, x, i) => sum + x * (query[i] ?? 0), 0));
      return { right: [String(scores.indexOf(Math.max(...scores)))] };
    }
    case 'itself': {
      const weights = stages({ tie: 'qk', mask: 'none' }).get('weights');
      const own = words.map((_, i) => { const each = row(weights, head * n + i, n); return (each[i] ?? 0) / Math.max(...each); });
      if (own.some((share) => share < 1 - 1e-4)) return { right: ['not-all'] };
      return own.every((share) => share > 1 - 1e-6) ? { right: ['all'] } : { right: [], doubtful: ['all', 'not-all'] };
    }
    case 'dynamic': {
      if (n === 1) return { right: ['neither'] };
      const [word = 0] = places;
      const [a, b] = [stages({ mask: 'none' }).get('weights'), stages({ mask: 'none' }, words.with(word, byWord)).get('weights')];
      assert.ok(apart([...a], [...b]) > 1e-6);
      return { right: ['weights'] };
    }
    case 'divisor': return { number: Math.sqrt(first / second) };
    case 'mixture': return { number: at + 1 };
    default: throw new Error(`There is no answer to ${kind.name} here.`);
  }
}

test('every question is marked as the double reference marks it, on any sentence, equals accepted both ways', async () => {
  const { asked, free } = await examiner();
  const random = new Random(2024);
  const sentences = [
    tokenize(DEFAULT_TEXT).map(({ text }) => text), ['one'], ['same', 'same', 'same'], Array.from({ length: 64 }, (_, i) => `w${i % 40}`),
    ...Array.from({ length: 14 }, () => random.tokens(random.whole(1, 20))),
  ];
  const seen = new Map<string, Set<string>>();
  const rounds = sentences.flatMap((words) => Array.from({ length: KINDS.length }, (_, i) => ({ words, seed: 1 + words.length, q: i + 1 })));
  // Kinds that have variants are asked more often.
  const varied = Array.from({ length: 900 }, (_, i) => ({ words: sentences[0] as string[], seed: 5 + Math.floor(i / 18), q: 1 + (i % 18) }))
    .filter(({ words, seed, q }) => ['shuffle', 'exchange', 'direction', 'largest'].includes(draw(seed, q, words).kind.name)).slice(0, 100);
  for (const { words, seed, q } of [...rounds, ...varied]) {
    const { kind, draw: drawn } = draw(seed, q, words);
    const question = textOf(kind.ask(drawn));
    const what = `${kind.name}, seed ${seed}, question ${q} of “${words.join(' ').slice(0, 60)}”: ${question}`;
    const answer = expected(kind, drawn, question);
    const marking = kind.mark(drawn, asked);
    const rights = seen.get(kind.name) ?? new Set();
    seen.set(kind.name, rights);
    if ('number' in answer) {
      assert.ok(marking.isRight(String(Number(answer.number.toFixed(2)))), `${what} accepts ${answer.number}`);
      for (const wrong of [answer.number + 1, answer.number - 1, answer.number * 1.02 + 0.02]) assert.ok(!marking.isRight(String(wrong)), `${what} refuses ${wrong}`);
      assert.ok(Math.abs(Number(marking.number?.replaceAll(',', '')) - answer.number) < 0.005, `${what} says ${marking.number}`);
    } else {
      const options = kind.options?.(drawn) ?? [];
      for (const option of options.filter((each) => !answer.doubtful?.includes(each))) {
        assert.equal(marking.isRight(option), answer.right.includes(option), `${what} answer ${option}`);
      }
      assert.ok(options.some(marking.isRight), `${what} has a right answer`);
      answer.right.forEach((each) => rights.add(each));
    }
    assert.ok(!/NaN|undefined|null/.test(question + textOf(marking.why)), what + textOf(marking.why));
  }
  assert.equal(seen.size, KINDS.length, 'every kind was asked');
  // Neither answer is always the right one.
  for (const name of ['exchange', 'shuffle', 'scale', 'itself', 'direction', 'largest']) assert.ok((seen.get(name)?.size ?? 0) > 1, `${name}: ${[...(seen.get(name) ?? [])].join()}`);
  free();
});
