// The self-test: its marks against the double reference on any sentence, and its questions in the browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadEngine } from '../lib/module.ts';
import { DEFAULTS, referenceStages } from '../lib/native.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import { Random } from '../lib/random.ts';
import type { Engine, Session, Settings } from '../../web/src/engine.ts';
import { KINDS, draw } from '../../web/src/labs/quiz/draw.ts';
import type { Asked, Draw, Kind } from '../../web/src/labs/quiz/kinds.ts';
import { DEFAULT_TEXT } from '../../web/src/settings.ts';
import { tokenize } from '../../web/src/tokenize.ts';

let reader: Reader;
let engine: Engine;
let session: Session;
before(async () => {
  [reader, engine] = await Promise.all([Reader.arrive(), loadEngine()]);
  session = engine.session();
});
after(async () => {
  session.free();
  await reader.leave();
});

const asked = (): Asked => ({ engine, run: (_, tokens, settings, more) => session.run({ ...more, tokens: [...tokens] }, engine.clamp(settings).settings) });

/** The words of a template, as they are read. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (value && typeof value === 'object' && 'strings' in value) {
    const { strings, values } = value as unknown as { strings: readonly string[]; values: readonly unknown[] };
    return strings.map((part, i) => part.replace(/<[^>]*>/g, '') + (i < values.length ? textOf(values[i]) : '')).join('');
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

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
  const byWord = /exchanged for (\S+?)[.,]/.exec(question)?.[1] ?? '';
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

test('every question is marked as the double reference marks it, on any sentence, equals accepted both ways', () => {
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
    const marking = kind.mark(drawn, asked());
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
});

const WORDS = tokenize(DEFAULT_TEXT).map(({ text }) => text);
const lab = ({ page }: Playground, selector: string) => page.locator(`#lab-quiz ${selector}`);

async function open(preset = '', text = DEFAULT_TEXT): Promise<Playground> {
  const page = await reader.open({ file: 'labs.html', fragment: link({ view: 'lab-quiz', text, preset }) });
  await page.page.locator('#lab-quiz .lab-frame').waitFor();
  return page;
}

const go = (page: Playground) => lab(page, '.lab-quiz-go').click();

/** Gives an answer as a reader does. */
async function answerWith(page: Playground, answer: string): Promise<void> {
  const field = lab(page, '.lab-quiz-number');
  if (await field.count()) return field.fill(answer);
  const radio = lab(page, `.lab-answer input[value="${answer}"]`);
  if (await radio.count()) await radio.click();
  else await lab(page, '.lab-quiz select').selectOption(answer);
}

/** Of a seed whose question `q` is of that kind. */
const seedOf = (name: string, q = 1, words: readonly string[] = WORDS): number => Array.from({ length: 5000 }, (_, i) => i + 1).find((seed) => draw(seed, q, words).kind.name === name) ?? 0;

test('a round asks every kind once; the answer is seen only after it is given, marked and explained; the score counts', async () => {
  const page = await open('seed=5');
  const random = new Random(6);
  const kinds = new Set<string>();
  let right = 0;
  for (let q = 1; q <= KINDS.length; q += 1) {
    const { kind, draw: drawn } = draw(5, q, WORDS);
    kinds.add(kind.name);
    assert.equal((await lab(page, '.lab-question').innerText()).replace(/\s+/g, ' '), textOf(kind.ask(drawn)).replace(/\s+/g, ' '));
    assert.equal(await lab(page, '.lab-result').innerText(), '', 'nothing is given away');
    assert.equal(await lab(page, '[data-mark]').count(), 0);
    await go(page);
    assert.match(await lab(page, '.lab-result').innerText(), /^(Choose an answer|Type a number) first\.$/);
    const marking = kind.mark(drawn, asked());
    const options = kind.options?.(drawn);
    const good = options ? options.filter(marking.isRight)[0] ?? '' : (marking.number ?? '');
    const bad = options ? options.find((each) => !marking.isRight(each)) ?? '' : '77777';
    const isRight = random.whole(0, 1) === 1;
    await answerWith(page, isRight ? good : bad);
    await go(page);
    right += Number(isRight);
    assert.equal(await lab(page, '.lab-result').getAttribute('data-right'), isRight ? 'yes' : 'no', kind.name);
    const words = await lab(page, '.lab-result').innerText();
    assert.ok(words.startsWith(isRight ? 'Yes. ' : 'It is: '), words);
    assert.ok(words.length > 50 && !/NaN|undefined/.test(words), words);
    if (options && options.length <= 16) {
      assert.equal(await lab(page, '.lab-answer[data-mark=right]').count(), options.filter(marking.isRight).length);
      assert.equal(await lab(page, '.lab-answer[data-mark=wrong]').count(), isRight ? 0 : 1);
    }
    assert.equal(await lab(page, '.lab-quiz-place .muted').innerText(), `Right so far: ${right} of ${q}`);
    await go(page);
  }
  assert.equal(kinds.size, KINDS.length);
  await lab(page, 'button').filter({ hasText: 'Other questions' }).click();
  assert.equal(await lab(page, '.lab-quiz-place').innerText(), 'Question 1');
  await page.page.waitForFunction(() => location.hash.includes('preset=seed%3D6'));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a teacher’s link leads to one question; another sentence is asked the same anew', async () => {
  const page = await open('q=3&seed=5');
  const { kind, draw: drawn } = draw(5, 3, WORDS);
  assert.equal(await lab(page, '.lab-question').innerText(), textOf(kind.ask(drawn)));
  assert.match(await lab(page, '.lab-quiz-place').innerText(), /^Question 3/);
  const hidden = await open(`seed=${seedOf('hidden')}`);
  await answerWith(hidden, '55');
  await go(hidden);
  assert.equal(await lab(hidden, '.lab-result').getAttribute('data-right'), 'yes');
  await lab(hidden, 'textarea').fill('only four words here');
  assert.match(await lab(hidden, '.lab-question').innerText(), /of the 16 cells .* your 4 words/);
  assert.equal(await lab(hidden, '.lab-result').innerText(), '');
  await answerWith(hidden, '7');
  await go(hidden);
  assert.equal(await lab(hidden, '.lab-result').getAttribute('data-right'), 'no');
  assert.equal(await lab(hidden, '.lab-quiz-place .muted').innerText(), 'Right so far: 1 of 1', 'a question counts once');
  assert.deepEqual([...page.problems, ...hidden.problems], []);
  await page.close();
  await hidden.close();
});

test('a press on the matrix is an answer, and so are its arrow keys; after the check it shows the weights', async () => {
  const page = await open(`seed=${seedOf('single')}`);
  const cells = lab(page, '.plot-picture rect[data-cell]');
  assert.equal(await cells.count(), WORDS.length ** 2, 'no mask is given away');
  await lab(page, '.plot-picture rect[data-cell="4,2"]').click({ position: { x: 4, y: 4 } });
  assert.equal(await lab(page, '.lab-answer input:checked').getAttribute('value'), '4');
  await lab(page, '[role=gridcell]').focus();
  for (let i = 0; i < 4; i += 1) await page.page.keyboard.press('ArrowUp');
  assert.equal(await lab(page, '.lab-answer input:checked').getAttribute('value'), '0');
  await go(page);
  assert.equal(await lab(page, '.lab-result').getAttribute('data-right'), 'yes');
  assert.equal(await cells.count(), (WORDS.length * (WORDS.length + 1)) / 2, 'the masked cells are hatched');
  await page.close();

  const row = await open(`seed=${seedOf('largest')}`);
  const { kind, draw: drawn } = draw(seedOf('largest'), 1, WORDS);
  const best = (kind.options?.(drawn) ?? []).find(kind.mark(drawn, asked()).isRight) ?? '';
  await lab(row, `.plot-picture rect[data-cell="0,${best}"]`).click({ position: { x: 4, y: 4 } });
  await go(row);
  assert.equal(await lab(row, '.lab-result').getAttribute('data-right'), 'yes');
  assert.deepEqual([...page.problems, ...row.problems], []);
  await row.close();
});

test('by keys alone: arrows choose, Enter checks and goes on, focus is never lost', async () => {
  const page = await open(`seed=${seedOf('cold')}`);
  const focused = () => page.page.evaluate(() => (document.querySelector('#lab-quiz attention-playground')?.shadowRoot?.activeElement as HTMLElement | null)?.className ?? '');
  await lab(page, '.lab-answer input').first().focus();
  await page.page.keyboard.press('ArrowDown');
  await page.page.keyboard.press('ArrowUp');
  assert.equal(await lab(page, '.lab-answer input:checked').getAttribute('value'), 'one');
  await page.page.keyboard.press('Enter');
  assert.equal(await lab(page, '.lab-result').getAttribute('data-right'), 'yes');
  assert.match(await focused(), /lab-quiz-go/);
  await page.page.keyboard.press('Enter');
  assert.match(await lab(page, '.lab-quiz-place').innerText(), /^Question 2/);
  assert.equal(await focused(), 'lab-question');
  await page.page.keyboard.press('Tab');
  assert.equal(await page.page.evaluate(() => document.querySelector('#lab-quiz attention-playground')?.shadowRoot?.activeElement?.closest('.lab-quiz') !== null), true);
  assert.deepEqual(page.problems, []);
  await page.close();

  const number = await open(`seed=${seedOf('head-width')}`);
  await lab(number, '.lab-quiz-number').focus();
  await number.page.keyboard.type('wide');
  await number.page.keyboard.press('Enter');
  assert.equal(await lab(number, '.lab-result').innerText(), 'Type a number first.');
  await number.page.keyboard.press('Control+A');
  await number.page.keyboard.type('1,000');
  await number.page.keyboard.press('Enter');
  assert.equal(await lab(number, '.lab-result').getAttribute('data-right'), 'no');
  assert.deepEqual(number.problems, []);
  await number.close();
});

test('the question names its answers for a screen reader, and the result is read out', async () => {
  const page = await open(`seed=${seedOf('exchange')}`);
  const tree = await lab(page, '.lab-quiz').ariaSnapshot();
  assert.match(tree, /group "Word .* is exchanged for .*"/);
  assert.match(tree, /radio "It stays as it is, to the last bit"/);
  await answerWith(page, 'moves');
  await go(page);
  assert.match(await lab(page, '.lab-quiz').ariaSnapshot(), /status: (Yes|It is)|status:\s+- strong: (Yes\.|It is:)/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('any sentence at all has questions: none, one word, seventy, another script, markup', async () => {
  const page = await open('seed=9');
  for (const text of ['one', 'same same', Array.from({ length: 70 }, (_, i) => `w${i}`).join(' '), 'لم يعبر الحيوان الشارع', '<b>x</b> & "y"']) {
    await lab(page, 'textarea').fill(text);
    for (let q = 0; q < 6; q += 1) {
      const words = tokenize(text).slice(0, 64).map((token) => token.text);
      const number = Number(/Question (\d+)/.exec(await lab(page, '.lab-quiz-place').innerText())?.[1]);
      const { kind, draw: drawn } = draw(9, number, words);
      const marking = kind.mark(drawn, asked());
      await answerWith(page, kind.options ? kind.options(drawn).find(marking.isRight) ?? '' : marking.number ?? '');
      await go(page);
      assert.equal(await lab(page, '.lab-result').getAttribute('data-right'), 'yes', `${kind.name} of “${text.slice(0, 20)}”`);
      await go(page);
    }
  }
  await lab(page, 'textarea').fill('');
  assert.match(await lab(page, '.lab-figure').innerText(), /Type a word/);
  assert.deepEqual(page.problems, []);
  await page.close();
});
