// The self-test in the browser: asked before it is shown, marked as the engine marks it, by mouse, keys and screen reader.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DEFAULTS, referenceStages } from '../lib/native.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import { examiner, textOf } from '../lib/lab.ts';
import { Random } from '../lib/random.ts';
import { short } from '../../web/src/text/numbers.ts';
import { KINDS, draw } from '../../web/src/labs/quiz/draw.ts';
import type { Draw, Kind } from '../../web/src/labs/quiz/kinds.ts';
import { DEFAULT_TEXT } from '../../web/src/state/settings.ts';
import { tokenize } from '../../web/src/engine/tokens.ts';

let reader: Reader;
let examined: Awaited<ReturnType<typeof examiner>>;
before(async () => { [reader, examined] = await Promise.all([Reader.arrive(), examiner()]); });
after(async () => {
  examined.free();
  await reader.leave();
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

/** Right or wrong, the figure that answers is there, with the engine's numbers. */
async function assertAnswered(page: Playground, kind: Kind, drawn: Draw): Promise<void> {
  const { title, rows, columns, value } = kind.reveal(drawn, examined.asked);
  const expected = rows.map((name, row) => [name, ...columns.map((_, column) => value(row, column)).map((number) => (number === null ? 'masked' : short(number)))]);
  const plots = lab(page, '.plot');
  assert.equal(await plots.count(), 1, kind.name);
  assert.equal(await plots.locator('figcaption b').textContent().then((text) => text?.replaceAll('_', '')), title.replaceAll('_', ''), kind.name);
  const shown = await plots.locator('.plot-numbers tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
  assert.deepEqual(shown, expected, kind.name);
}

test('a wrong guess shows the cells that answer it: what the mask hides is hatched, and what is changed stands under what was', async () => {
  const page = await open(`seed=${seedOf('hidden')}`);
  assert.equal(await lab(page, '.plot').count(), 0, 'nothing is given away');
  await answerWith(page, '28');
  await go(page);
  assert.match(await lab(page, '.lab-result').innerText(), /^It is: 55\./);
  const masked = await lab(page, '.plot-numbers td').evaluateAll((all) => all.filter((cell) => cell.textContent === 'masked').length);
  assert.equal(masked, 55);
  assert.equal(await lab(page, '.plot-picture rect[data-cell]').count(), 121 - 55);
  await page.close();
  const cold = await open(`seed=${seedOf('cold')}`);
  await answerWith(cold, 'nothing');
  await go(cold);
  assert.deepEqual(await lab(cold, '.plot-numbers tbody th').allTextContents(), ['τ = 1', 'τ = 0']);
  const rows = await lab(cold, '.plot-numbers tbody tr').evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent === 'masked' ? 0 : cell.textContent))));
  // The row that was drawn, as the double reference has it, and the word that takes all at temperature 0.
  const { row, head } = draw(seedOf('cold'), 1, WORDS).draw;
  const reference = [...referenceStages(WORDS, DEFAULTS).get('weights').slice((head * 11 + row) * 11, (head * 11 + row + 1) * 11)];
  reference.forEach((weight, key) => assert.ok(Math.abs((rows[0]?.[key] ?? NaN) - weight) < 6e-5 * Math.max(1, weight), `${WORDS[key]}: ${rows[0]?.[key]}, in double ${weight}`));
  const winners = reference.filter((weight) => weight > Math.max(...reference) * (1 - 1e-6)).length;
  assert.deepEqual(rows[1], reference.map((weight) => (weight > Math.max(...reference) * (1 - 1e-6) ? 1 / winners : 0)));
  assert.deepEqual([...page.problems, ...cold.problems], []);
  await cold.close();
});

test('a round asks every kind once; the answer is seen only after it is given, marked and explained; the score counts', async () => {
  const page = await open('seed=5');
  const random = new Random(6);
  const kinds = new Set<string>();
  let right = 0;
  for (let q = 1; q <= KINDS.length; q += 1) {
    const { kind, draw: drawn } = draw(5, q, WORDS);
    kinds.add(kind.name);
    assert.equal((await lab(page, '.lab-question').innerText()).replace(/\s+/g, ' '), textOf(kind.ask(drawn)).replace(/\s+/g, ' ').replaceAll('_', ''), 'its small letters stand below');
    assert.equal(await lab(page, '.lab-result').innerText(), '', 'nothing is given away');
    assert.equal(await lab(page, '[data-mark]').count(), 0);
    await go(page);
    assert.match(await lab(page, '.lab-result').innerText(), /^(Choose an answer|Type a number) first\.$/);
    const marking = kind.mark(drawn, examined.asked);
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
    await assertAnswered(page, kind, drawn);
    await go(page);
  }
  assert.equal(kinds.size, KINDS.length);
  await lab(page, 'button').filter({ hasText: 'Other questions' }).click();
  assert.equal(await lab(page, '.lab-quiz-place').innerText(), 'Question 1');
  await page.page.waitForFunction(() => location.hash.includes('preset=seed%3D6'));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a teacher’s link leads to one question; another sentence is asked the same again', async () => {
  const page = await open('q=3&seed=5');
  const { kind, draw: drawn } = draw(5, 3, WORDS);
  assert.equal(await lab(page, '.lab-question').innerText(), textOf(kind.ask(drawn)).replaceAll('_', ''));
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
  const best = (kind.options?.(drawn) ?? []).find(kind.mark(drawn, examined.asked).isRight) ?? '';
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
  assert.match(tree, /group "Change .* to .*"/);
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
      const marking = kind.mark(drawn, examined.asked);
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
