// Watch attention learn: each lesson run as a reader runs it. What the page has trained is what the native trainer has, to the bit.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { LESSONS as RUNS, openTraining } from '../../web/src/engine/training/open.ts';
import type { RunWords } from '../../web/src/labs/training/lesson.ts';
import { ALL } from '../../web/src/labs/training/lessons.ts';
import { LESSONS } from '../../web/src/state/views.ts';
import { built } from '../lib/built.ts';
import { LabTab, type LabOpening } from '../lib/lab.ts';
import { nativeHashes } from '../lib/training.ts';
import { type Playground, Reader, link } from '../lib/page.ts';

const axe = await readFile(createRequire(new URL('../../web/package.json', import.meta.url)).resolve('axe-core/axe.min.js'), 'utf8');
const reader = await Reader.arrive();
after(() => reader.leave());

type Preset = Record<string, string | number>;

const open = (preset: Preset = {}, opening: LabOpening = {}): Promise<LabTab> =>
  LabTab.open(reader, 'training', { ...opening, preset: new URLSearchParams(Object.entries(preset).map(([name, value]) => [name, String(value)])).toString() });

const slider = (tab: LabTab) => tab.find('.training-handle');
const stepOf = async (tab: LabTab): Promise<number> => Number(await slider(tab).inputValue());
/** Waits until the lesson is paused at that step, or at any, with exact numbers and its tests done. */
const rests = async (tab: LabTab, step: number | null = null): Promise<void> => {
  await tab.page.waitForFunction((wanted) => {
    const lab = document.querySelector('attention-playground')?.shadowRoot;
    const [handle, exact] = [lab?.querySelector<HTMLInputElement>('.training-handle'), lab?.querySelector('.training-walk')];
    const isTested = [...lab?.querySelectorAll('.training-writes bdi, .training-losses td:last-child') ?? []].every((each) => each.textContent !== '…');
    return isTested && handle?.value === exact?.getAttribute('data-step') && (wanted === null || Number(handle?.value) === wanted);
  }, step, { timeout: 30_000 });
};
const hash = async (tab: LabTab): Promise<string> => (await tab.find('.training-walk code').textContent() ?? '').trim();
const results = (tab: LabTab): Promise<string[]> => tab.find('.training-lane-head output').allInnerTexts();
/** The colours of a map, as they are on its canvas. */
const map = (tab: LabTab, at = 0): Promise<string> => tab.find('.training-map canvas').nth(at).evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
/** Picks a cell in a run's first map. */
const lookAt = async (tab: LabTab, run: number): Promise<void> => tab.find(`.training-lane[data-run="${run}"] .training-cells`).first().click({ position: { x: 8, y: 60 } });

/** Learnt where a lesson reads the reader’s own text: the last sentence is only tested. */
const [LEARNT, BESIDES] = ['Ein Hund schläft, ein Hund läuft. Der Mond 🌙 sieht den Hund, und der Hund sieht den Mond.', 'Der Hund sieht die Sonne.'];
const pieces = (run: string, text: string): string[] => (run.startsWith('characters') ? [...text] : text.split(' '));
const PARTS = ALL.flatMap((lesson) => lesson.parts.map((part) => ({ lesson: lesson.id, part })));
function native({ lesson, part }: (typeof PARTS)[number], { id, of: run = id, seed = part.seed, rule }: RunWords, step: number): string | undefined {
  return nativeHashes(lesson, run, seed, [...(rule?.isCausal === false ? ['mask=off'] as const : []), step], part.readsText && { learnt: pieces(run, LEARNT), besides: pieces(run, BESIDES) })[0];
}

test('the lessons show every run that there is', () => {
  const shown = PARTS.flatMap(({ lesson, part }) => part.runs.map(({ id, of = id }) => `${lesson} ${of}`));
  assert.deepEqual([...new Set(shown)].sort(), Object.entries(RUNS).flatMap(([lesson, runs]) => runs.map((run) => `${lesson} ${run}`)).sort());
});

for (const of of PARTS) {
  const { lesson, part } = of;
  test(`${lesson}, ${part.id}${part.readsText ? ', of the reader’s own text' : ''}: at three steps each run has the native trainer’s weights`, async () => {
    const tab = await open({ lesson, part: part.id, runs: part.runs.map(({ id }) => id).join(), step: 1 }, part.readsText && { text: `${LEARNT} ${BESIDES}` });
    for (const step of [1, 12, 45]) {
      if (step > 1) await slider(tab).fill(String(step));
      await rests(tab, step);
      for (const [i, run] of part.runs.entries()) {
        await lookAt(tab, i);
        await rests(tab, step);
        assert.equal(await hash(tab), native(of, run, step), `${run.id} at step ${step}`);
      }
    }
    assert.deepEqual(tab.problems, []);
    await tab.close();
  });
}

test('nothing is shown before the reader has guessed; the guess stays beside the question and is told to the page', async () => {
  const tab = await open({ lesson: 'heads' });
  assert.deepEqual(await results(tab), []);
  assert.equal(await tab.find('.training-line').count(), 0);
  assert.ok(await tab.find('.training-play').isDisabled());
  assert.equal(await tab.find('.training-small').isVisible(), false, 'the small print says what the run will show');
  await tab.page.keyboard.press(' ');
  assert.equal(await stepOf(tab), 0);
  await tab.page.evaluate(() => document.addEventListener('attention-answer', (event) => { (window as unknown as { answer: unknown }).answer = (event as CustomEvent).detail; }));
  await tab.find('[data-guess=both]').click();
  assert.deepEqual(await tab.page.evaluate(() => (window as unknown as { answer: unknown }).answer), { task: 'training heads letters', answer: 'both', right: false });
  assert.match(await tab.find('.training-guessed').innerText(), /You predicted: both ✗/);
  await tab.page.waitForFunction(() => Number(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLInputElement>('.training-handle')?.value) > 5);
  await tab.find('.training-play').click();
  assert.equal((await results(tab)).length, 2);
  assert.ok(await tab.find('.training-small').isVisible());
  // Another lesson asks again.
  await tab.find('.training-lessons button').nth(1).click();
  assert.equal(await tab.find('.training-ask').count(), 1);
  assert.equal(await stepOf(tab), 0);
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('at once to the end: two heads are right, one tosses a coin; back by the handle, each map is what it was', async () => {
  const tab = await open({ lesson: 'heads', step: 160, pace: 'flat' });
  await rests(tab, 160);
  const [maps, right] = [await Promise.all([0, 1, 2].map((at) => map(tab, at))), await results(tab)];
  assert.equal(new Set(maps).size, 3);
  await tab.find('.training-play').click();
  await rests(tab, 400);
  for (const [i, run] of ['one_head', 'two_heads'].entries()) {
    await lookAt(tab, i);
    await rests(tab, 400);
    assert.equal(await hash(tab), nativeHashes('heads', run, 4, [400])[0], run);
  }
  const [one, two] = (await results(tab)).map((words) => Number.parseInt(words, 10));
  assert.ok(one !== undefined && one >= 50 && one <= 60 && two !== undefined && two >= 95, `${one} and ${two} %`);
  assert.match(await tab.find('.training-seen').innerText(), /One head looks at both places at once and mixes the two letters up/);
  assert.notDeepEqual(await Promise.all([0, 1, 2].map((at) => map(tab, at))), maps);
  await slider(tab).fill('160');
  await rests(tab, 160);
  assert.deepEqual(await Promise.all([0, 1, 2].map((at) => map(tab, at))), maps);
  assert.deepEqual(await results(tab), right);
  assert.equal(await tab.find('.training-line.to-come').count(), 2, 'what is to come is pale');
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('by keys: space plays and pauses, full stop and comma go one step, arrows move the handle and the marked row', async () => {
  const tab = await open({ lesson: 'positions', step: 3 });
  await rests(tab, 3);
  await slider(tab).focus();
  await tab.page.keyboard.press('.');
  await rests(tab, 4);
  await tab.page.keyboard.press(',');
  await tab.page.keyboard.press(',');
  await rests(tab, 2);
  await tab.page.keyboard.press('ArrowRight');
  await rests(tab, 3);
  await tab.page.keyboard.press(' ');
  // Longer than it takes until a step that was gone to is kept.
  await tab.page.waitForFunction(() => Number(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLInputElement>('.training-handle')?.value) > 100);
  await tab.page.keyboard.press(' ');
  await rests(tab);
  const paused = await stepOf(tab);
  const cell = () => tab.find('[role=gridcell][tabindex="0"]').getAttribute('aria-label');
  const row = Number(/Row (\d+)/.exec(await cell() ?? '')?.[1]);
  await tab.find('[role=gridcell][tabindex="0"]').focus();
  await tab.page.keyboard.press('ArrowUp');
  assert.match(await cell() ?? '', new RegExp(`Row ${row - 1},`));
  await tab.page.keyboard.press('ArrowUp');
  assert.match(await cell() ?? '', new RegExp(`Row ${row - 2},`), 'the focus goes along');
  assert.equal(await stepOf(tab), paused);
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('by keys alone: after the guess and after a restart space goes on working', async () => {
  const tab = await open({ lesson: 'positions' });
  const moves = (from: number) => tab.page.waitForFunction((least) => Number(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLInputElement>('.training-handle')?.value) > least, from);
  await tab.find('[data-guess=with]').focus();
  await tab.page.keyboard.press('Enter');
  await moves(5);
  await tab.page.keyboard.press(' ');
  await rests(tab);
  // Also where it pauses while it goes back to the last known step, to train on from there.
  for (const from of [5, 7, 9, 11, 13]) {
    await tab.find('.training-begin > button.plain').focus();
    await tab.page.keyboard.press('Enter');
    await rests(tab, 0);
    await tab.page.keyboard.press(' ');
    await moves(from);
    await tab.page.keyboard.press(' ');
    await rests(tab);
  }
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('the address brings back lesson, seed, step and row; another seed is another run', async () => {
  const tab = await open({ lesson: 'positions', step: 30 });
  await rests(tab, 30);
  const first = await hash(tab);
  await tab.find('.training-seed input').fill('7');
  await tab.find('.training-seed input').press('Enter');
  await slider(tab).fill('30');
  await rests(tab, 30);
  await tab.find('.training-cells').first().click({ position: { x: 20, y: 50 } });
  await rests(tab, 30);
  const other = await hash(tab);
  assert.notEqual(other, first);
  assert.equal(other, nativeHashes('positions', 'without_positions', 7, [30])[0]);
  await tab.page.waitForFunction(() => /seed%3D7/.test(location.hash) && /step%3D30/.test(location.hash) && /row/.test(location.hash));
  const words = await tab.find('.training-map figcaption').first().innerText();
  const again = await reader.open({ file: 'training.html', fragment: new URL(tab.page.url()).hash });
  await again.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.training-walk')?.getAttribute('data-step') === '30');
  assert.equal((await again.page.locator('.training-walk code').textContent())?.trim(), other);
  assert.equal(await again.page.locator('.training-map figcaption').first().innerText(), words);
  assert.deepEqual([...tab.problems, ...again.problems], []);
  await again.close();
  await tab.close();
});

test('a model that was trained here opens in the playground by a link, which trains it again to the same weights', async () => {
  const tab = await open({ lesson: 'positions', runs: 'with_positions', step: 40 });
  await rests(tab, 40);
  const seen = await tab.find('[role=gridcell][tabindex="0"]').getAttribute('aria-label') ?? '';
  const [row, key, share] = [/Row (\d+)/, /Key (\d+)/, /(\d+)\s?%$/].map((part) => Number(part.exec(seen)?.[1]));
  await tab.find('.training-walk > summary').click();
  const address = await tab.find('[data-take=playground]').getAttribute('href') ?? '';
  assert.match(address, /^playground\.html#v1&parameters=trained-here&replay=positions\.with_positions\.1\.40&text=/);
  const opened = await reader.open({ file: 'playground.html', fragment: new URL(address, tab.page.url()).hash });
  const trained = () => opened.page.waitForFunction(() => /positions, with_positions, seed 1, step 40/.test(document.querySelector('attention-playground')?.shadowRoot?.querySelector('.trained-here')?.textContent ?? ''), undefined, { timeout: 30_000 });
  await trained();
  const weight = await opened.page.evaluate(([row, key]) => {
    const { trace } = document.querySelector('attention-playground') as AttentionPlayground;
    const T = trace?.tokens.length ?? 0;
    return trace?.head('weights', 0)[row * T + key] ?? NaN;
  }, [(row ?? 0) - 1, (key ?? 0) - 1] as const);
  assert.equal(Math.round(100 * weight), share);
  assert.match(await opened.page.locator('.honest').innerText(), /trained in this page/);
  assert.match(await opened.page.locator('.trained-here').innerText(), /A link to this page trains it again/);
  // The page's own address holds it, too.
  await opened.page.waitForFunction(() => /replay=positions\.with_positions\.1\.40/.test(location.hash));
  await opened.page.reload();
  await trained();
  assert.deepEqual([...tab.problems, ...opened.problems], []);
  await opened.close();
  await tab.close();
});

/** Layer 1 of what the native trainer has, as its hash says: [heads][rows × keys]. */
async function weightsOf(of: (typeof PARTS)[number], own: RunWords, step: number): Promise<Float32Array[]> {
  const { lesson, part } = of;
  const { id, of: run = id, seed = part.seed } = own;
  const training = await openTraining({ lesson, runs: [run], seed, ...(part.readsText && { text: LEARNT, heldOut: BESIDES }) }, { wasm: await readFile(built('wasm/bindings/attention_training.wasm')) });
  try {
    if (own.rule) await training.change(0, own.rule);
    await training.advance(step);
    assert.equal(await training.hash(0), native(of, own, step));
    if (part.sentences) await training.show(part.sentences[0]?.text ?? '');
    const [map, size] = [await training.map(0), training.displayed(0).tokens.length ** 2];
    return Array.from({ length: training.runs[0]?.shape.heads ?? 0 }, (_, head) => map.slice(head * size, (head + 1) * size));
  } finally {
    training.free();
  }
}

for (const of of PARTS) {
  const { lesson, part } = of;
  test(`${lesson}, ${part.id}${part.readsText ? ', of the reader’s own text' : ''}: the link of each run makes the weights of its lesson, run, seed and step`, async () => {
    const [step, seed] = [23, 3];
    const tab = await open({ lesson, part: part.id, runs: part.runs.map(({ id }) => id).join(), seed, step }, part.readsText && { text: `${LEARNT} ${BESIDES}` });
    await rests(tab, step);
    await tab.find('.training-walk > summary').click();
    for (const [i, run] of part.runs.entries()) {
      await lookAt(tab, i);
      await rests(tab, step);
      const address = await tab.find('[data-take=playground]').getAttribute('href') ?? '';
      const opened = await reader.open({ file: 'playground.html', fragment: new URL(address, tab.page.url()).hash });
      const own = { ...run, seed: run.seed ?? seed };
      await opened.page.waitForFunction((words) => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.trained-here')?.textContent?.includes(words), `${lesson}, ${run.of ?? run.id}, seed ${own.seed}, step ${step}`, { timeout: 30_000 });
      assert.deepEqual([await hash(tab), /hash ([\da-f]{16})/.exec(await opened.page.locator('.trained-here [data-note=opened]').innerText())?.[1]], Array(2).fill(native(of, own, step)));
      for (const [head, expected] of (await weightsOf(of, own, step)).entries()) {
        const got = await opened.page.evaluate((at) => [...(document.querySelector('attention-playground') as AttentionPlayground).trace?.head('weights', at) ?? []], head);
        assert.equal(got.length, expected.length);
        const worst = Math.max(...expected.map((weight, n) => Math.abs(weight - (got[n] ?? NaN))));
        assert.ok(worst < 2e-5, `${run.id}, head ${head + 1}: ${worst} apart`);
      }
      assert.deepEqual(opened.problems, []);
      await opened.close();
    }
    assert.deepEqual(tab.problems, []);
    await tab.close();
  });
}

test('what is typed while a run plays stays until it is taken', async () => {
  const tab = await open({ lesson: 'heads', part: 'english', step: 2 });
  await rests(tab, 2);
  await tab.find('.training-play').click();
  const [seed, own] = [tab.find('.training-seed input'), tab.find('.training-sentences input')];
  for (const [field, typed] of [[seed, '12'], [own, 'the cat bit the dog .']] as const) {
    await field.fill(typed);
    // Four times a second the words are drawn again.
    await tab.page.waitForTimeout(900);
    assert.equal(await field.inputValue(), typed);
  }
  await tab.close();
});

/** The shown model, saved and opened by hand in the playground. */
async function openSaved(tab: LabTab, text = 'wa wa'): Promise<Playground> {
  const [download] = await Promise.all([tab.page.waitForEvent('download'), tab.find('[data-take=safetensors]').click()]);
  const opened = await reader.open({ file: 'playground.html', fragment: link({ text, parameters: 'yours' }) });
  await opened.page.locator('.yours input[multiple]').setInputFiles({ name: download.suggestedFilename(), mimeType: '', buffer: await readFile(await download.path()) });
  await opened.page.locator('.trained-here [data-recipe]').waitFor();
  await opened.ready();
  return opened;
}
const replayIn = async ({ page }: Playground): Promise<string | null> => {
  await page.waitForFunction(() => /parameters=trained-here/.test(location.hash));
  return new URLSearchParams(new URL(page.url()).hash.slice(1)).get('replay');
};

test('a text that is longer than a link holds is not linked to; the page says why, and what to do', async () => {
  const tab = await open({ lesson: 'words', step: 2 });
  const takes = async (text: string) => {
    await tab.find('.training-own-text textarea').fill(text);
    await tab.find('.training-own-text textarea').blur();
    await tab.find('.training-note q').filter({ hasText: text.slice(-11).trim() }).waitFor();
    await slider(tab).fill('2');
    await rests(tab, 2);
    await tab.find('.training-walk').evaluate((fold) => { (fold as HTMLDetailsElement).open = true; });
    return tab.find('.training-takes:has([data-take=safetensors])');
  };
  const [learnt, besides] = [`${'wa '.repeat(6661)}wa be.`, 'do re mi f.'];
  const linked = await takes(`${learnt} ${besides}`);
  const address = await linked.locator('[data-take=playground]').getAttribute('href') ?? '';
  const replay = new URLSearchParams(address.split('#')[1]).get('replay') ?? '';
  assert.equal(replay, `words.own_paragraph.1.2.${learnt}\n${besides}`);
  assert.equal(learnt.length + besides.length, 20_000);
  assert.equal(await linked.locator('[data-too-long]').count(), 0);
  const unlinked = await takes(`${learnt} ${besides.replace('f.', 'fa.')}`);
  assert.equal(await unlinked.locator('[data-take=playground]').count(), 0);
  assert.match(await unlinked.innerText(), /20,000 characters at most.*Save the model/s);
  // Its file makes it one that was trained here all the same, and no address promises more.
  const opened = await openSaved(tab);
  await opened.page.locator('.trained-here [data-recipe]').filter({ hasText: /20,000 characters at most.*keep its file/s }).waitFor();
  assert.equal(await replayIn(opened), null);
  assert.deepEqual([...tab.problems, ...opened.problems], []);
  await opened.close();
  await tab.close();
});

test('a saved model of the reader’s own text is one that was trained here when it is opened again: its words are there, and the address trains the same weights', async () => {
  for (const [preset, rules] of [[{ lesson: 'words', runs: 'own_paragraph_unmasked' }, '~0.mask.off'], [{ lesson: 'mask', part: 'characters', runs: 'characters_masked' }, '']] as const) {
    const tab = await open({ ...preset, step: 23 }, { text: `${LEARNT} ${BESIDES}` });
    await rests(tab, 23);
    await tab.find('.training-walk > summary').click();
    assert.match(await tab.find('.training-takes').last().innerText(), /link and its file hold the text/);
    const wanted = await hash(tab);
    const text = new URLSearchParams((await tab.find('[data-take=playground]').getAttribute('href') ?? '').split('#')[1]).get('text') ?? '';
    const opened = await openSaved(tab, text);
    const recipe = opened.page.locator('.trained-here [data-recipe]');
    await recipe.filter({ hasText: /step 23.*A link to this page trains it again/s }).waitFor();
    assert.match(await recipe.innerText(), /seed 1/);
    const run = preset.lesson === 'words' ? 'own_paragraph' : 'characters_masked';
    assert.equal(await replayIn(opened), `${preset.lesson}.${run}.1.23${rules}.${LEARNT}\n${BESIDES}`);
    assert.match(await opened.page.locator('.honest').innerText(), /trained in this page/);
    const weights = await opened.stage('weights');
    // Trained again, to the same bits, from the page's own address.
    await opened.page.reload();
    await opened.page.locator('.trained-here [data-note=opened]').filter({ hasText: wanted }).waitFor({ timeout: 30_000 });
    await opened.ready();
    assert.deepEqual(await opened.stage('weights'), weights);
    assert.deepEqual([...tab.problems, ...opened.problems], []);
    await opened.close();
    await tab.close();
  }
});

test('the mask and the division can be taken from a run in the midst: the curve changes there, and the address, the link and the file hold it', async () => {
  const wasm = await readFile(built('wasm/bindings/attention_training.wasm'));
  const training = await openTraining({ lesson: 'mask', runs: ['dice_masked'] }, { wasm });
  await training.advance(60);
  await training.change(0, { isCausal: false });
  await training.advance(30);
  await training.change(0, { scales: false });
  await training.advance(110);
  const [wanted, { factor }, accuracy] = [await training.hash(0), await training.state(0), training.history(0).smoothAccuracy[199] ?? NaN];
  await training.seek(30);
  const before = await training.state(0);
  training.free();
  assert.deepEqual([factor, before.factor], [1, 0.25]);

  const tab = await open({ lesson: 'mask', part: 'dice', runs: 'dice_masked', step: 60 });
  await rests(tab, 60);
  await tab.find('.training-walk > summary').click();
  await tab.find('[data-rule=mask]').click();
  await tab.find('[data-changes] li').waitFor();
  await slider(tab).fill('90');
  await rests(tab, 90);
  await tab.find('[data-rule=scale]').click();
  await tab.find('[data-changes] li').nth(1).waitFor();
  await slider(tab).fill('200');
  await rests(tab, 200);
  assert.deepEqual(await tab.find('[data-changes] li').allInnerTexts(), ['60: From this step on without the mask', '90: From this step on without ÷ √d']);
  assert.equal(await hash(tab), wanted);
  const [right] = await results(tab);
  assert.match(right ?? '', new RegExp(`^${Math.round(100 * accuracy)}\\s?%`));
  assert.ok(accuracy > 0.3, 'it foretells throws');
  const address = await tab.find('[data-take=playground]').getAttribute('href') ?? '';
  assert.match(address, /&replay=mask\.dice_masked\.1\.200~60\.mask\.off,90\.scale\.off&mask=none&scale=none&text=/);
  const [download] = await Promise.all([tab.page.waitForEvent('download'), tab.find('[data-take=safetensors]').click()]);
  const opened = await reader.open({ file: 'playground.html', fragment: new URL(address, tab.page.url()).hash });
  const note = opened.page.locator('.trained-here [data-note=opened]');
  await note.waitFor({ timeout: 30_000 });
  assert.equal(/hash ([\da-f]{16})/.exec(await note.innerText())?.[1], wanted);
  await opened.close();
  // The saved file says as much, so that a link to it trains the same.
  const byHand = await reader.open({ file: 'playground.html', fragment: link({ text: '1 2 3 4', parameters: 'yours' }) });
  await byHand.page.locator('.yours input[multiple]').setInputFiles({ name: download.suggestedFilename(), mimeType: '', buffer: await readFile(await download.path()) });
  await byHand.page.waitForFunction(() => /replay=mask\.dice_masked\.1\.200~60\.mask\.off(?:%2C|,)90\.scale\.off/.test(location.hash));
  await byHand.page.reload();
  await byHand.page.waitForFunction((words) => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.trained-here [data-note=opened]')?.textContent?.includes(words), wanted, { timeout: 30_000 });
  assert.deepEqual([...opened.problems, ...byHand.problems], []);
  await byHand.close();
  await tab.page.waitForFunction(() => /rules%3D60\.mask\.off/.test(location.hash) && /step%3D200/.test(location.hash));
  const again = await reader.open({ file: 'training.html', fragment: new URL(tab.page.url()).hash });
  await again.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector('.training-walk')?.getAttribute('data-step') === '200');
  assert.equal((await again.page.locator('.training-walk code').textContent())?.trim(), wanted);
  await again.close();
  // Before the change all is as the lesson has it, and put back it is so behind it, too.
  await slider(tab).fill('30');
  await rests(tab, 30);
  assert.equal(await hash(tab), nativeHashes('mask', 'dice_masked', 1, [30])[0]);
  assert.match(await tab.find('[data-rule=mask]').innerText(), /without the mask/);
  assert.equal(await tab.find('[data-take=playground]').count(), 1);
  await tab.find('[data-rule=back]').click();
  await slider(tab).fill('200');
  await rests(tab, 200);
  assert.equal(await hash(tab), nativeHashes('mask', 'dice_masked', 1, [200])[0]);
  assert.equal(await tab.find('[data-changes]').count(), 0);
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('a saved model that is opened by hand has the mask that it was trained with, and the same weights', async () => {
  const of = PARTS.find(({ lesson, part }) => lesson === 'mask' && part.id === 'dice') as (typeof PARTS)[number];
  const tab = await open({ lesson: 'mask', part: 'dice', runs: 'dice_unmasked', step: 23 });
  await rests(tab, 23);
  await tab.find('.training-walk > summary').click();
  const [download] = await Promise.all([tab.page.waitForEvent('download'), tab.find('[data-take=safetensors]').click()]);
  const address = await tab.find('[data-take=playground]').getAttribute('href') ?? '';
  const text = new URLSearchParams(address.split('#')[1]).get('text') ?? '';
  const opened = await reader.open({ file: 'playground.html', fragment: link({ text, parameters: 'yours' }) });
  await opened.page.locator('.yours input[multiple]').setInputFiles({ name: download.suggestedFilename(), mimeType: '', buffer: await readFile(await download.path()) });
  await opened.page.locator('.model:not([hidden])').waitFor();
  await opened.ready();
  assert.equal((await opened.switches())['mask'], 'none');
  const [expected = new Float32Array()] = await weightsOf(of, of.part.runs.find(({ id }) => id === 'dice_unmasked') as RunWords, 23);
  const got = await opened.stage('weights');
  assert.equal(got.length, expected.length);
  assert.ok(expected.some((weight, at) => weight > 0.01 && at % Math.sqrt(expected.length) > at / Math.sqrt(expected.length)), 'a later throw is seen');
  assert.ok(Math.max(...expected.map((weight, at) => Math.abs(weight - (got[at] ?? NaN)))) < 2e-5);
  assert.deepEqual([...tab.problems, ...opened.problems], []);
  await opened.close();
  await tab.close();
});

test('the last of single steps keeps the keyboard’s focus', async () => {
  const tab = await open({ lesson: 'positions', step: 299 });
  await rests(tab, 299);
  const one = tab.find('.training-button').filter({ hasText: '1 step' });
  await one.focus();
  await tab.page.keyboard.press('Enter');
  await rests(tab, 300);
  assert.equal(await one.getAttribute('aria-disabled'), 'true');
  assert.ok(await one.evaluate((button) => (button.getRootNode() as ShadowRoot).activeElement === button));
  await tab.page.keyboard.press('Enter');
  await rests(tab, 300);
  await tab.close();
});

test('the chosen cell’s arithmetic holds, forwards and backwards, as its numbers say it', async () => {
  const tab = await open({ lesson: 'heads', step: 60, row: 20, key: 18 });
  await rests(tab, 60);
  await tab.find('.training-walk > summary').click();
  const number = async (id: string) => (await tab.find(`[data-number=${id}] td`).last().innerText()).replaceAll('−', '-').replaceAll(',', '');
  const last = async (id: string) => Number((await number(id)).split(/[=:]/).at(-1)?.replace(/×10.*/, '').trim());
  const weight = Number((await number('weight')).split('=')[0]);
  const [dp, mean, ds] = [await last('weight-gradient'), await last('mean'), await last('score-gradient')];
  assert.ok(weight > 0.005 && weight < 1, String(weight));
  assert.ok(Math.abs(weight * (dp - mean) - ds) < 2e-3 * Math.abs(ds) + 1e-6, `${weight} × (${dp} − ${mean}) is not ${ds}`);
  assert.equal(await tab.find('.training-matrices tbody tr').count(), 4);
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('while it plays, several steps come in one message; paused, no further step is taken', async () => {
  const tab = await open({ lesson: 'positions', step: 2 });
  await rests(tab, 2);
  await tab.page.evaluate(() => {
    const [sent, post] = [{ count: 0 }, Worker.prototype.postMessage];
    Worker.prototype.postMessage = function (...args: unknown[]) {
      if ((args[0] as { call?: string }).call === 'advance') sent.count += 1;
      return (post as (...args: unknown[]) => void).apply(this, args);
    };
    Object.assign(window, { sent });
  });
  const sent = () => tab.page.evaluate(() => (window as unknown as { sent: { count: number } }).sent.count);
  await tab.find('.training-play').click();
  await tab.page.waitForFunction(() => Number(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLInputElement>('.training-handle')?.value) > 120);
  // How many steps fit a message depends on the machine; one each would be 118.
  const playing = await sent();
  assert.ok(playing < 110, `${playing} messages for some 120 steps`);
  await tab.find('.training-play').click();
  await rests(tab);
  const paused = await sent();
  await tab.page.waitForTimeout(300);
  assert.equal(await sent(), paused);
  await tab.close();
});

test('while it plays, what is read is drawn a few times a second, what moves much more often', async () => {
  const tab = await open({ lesson: 'positions', ask: 'off' });
  await rests(tab, 0);
  await tab.page.evaluate(() => {
    const lab = document.querySelector('attention-playground')?.shadowRoot;
    const drawn = { read: new Set<string>(), moved: new Set<string>() };
    const step = () => lab?.querySelector<HTMLInputElement>('.training-handle')?.value ?? '';
    const watch = (selector: string, steps: Set<string>) => new MutationObserver(() => steps.add(step())).observe(lab?.querySelector(selector) as Element, { subtree: true, childList: true, characterData: true, attributes: true });
    watch('.training-top', drawn.read);
    watch('.training-maps', drawn.read);
    watch('.training-curve', drawn.moved);
    Object.assign(window, { drawn, from: performance.now() });
  });
  await tab.find('.training-play').click();
  await tab.page.waitForFunction(() => Number(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLInputElement>('.training-handle')?.value) > 100);
  const { read, moved, seconds } = await tab.page.evaluate(() => {
    const { drawn, from } = window as unknown as { drawn: { read: Set<string>; moved: Set<string> }; from: number };
    return { read: drawn.read.size, moved: drawn.moved.size, seconds: (performance.now() - from) / 1000 };
  });
  assert.ok(read > 1 && read <= 4 * seconds + 3, `${read} times in ${seconds} s`);
  assert.ok(moved > 4 * read, `${moved} steps, ${read} with words`);
  await tab.close();
});

test('while it plays, a summary is spoken every few seconds, not at every step', async () => {
  const tab = await open({ lesson: 'positions', ask: 'off' });
  await rests(tab, 0);
  await tab.page.evaluate(() => {
    const status = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.training > [role=status]') as Element;
    const spoken: string[] = [];
    new MutationObserver(() => spoken.push(status.textContent ?? '')).observe(status, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { spoken, from: performance.now() });
  });
  await tab.find('.training-play').click();
  await rests(tab, 300);
  const { spoken, seconds } = await tab.page.evaluate(() => ({ spoken: (window as unknown as { spoken: string[] }).spoken, seconds: (performance.now() - (window as unknown as { from: number }).from) / 1000 }));
  assert.ok(spoken.length > 0 && spoken.length <= seconds / 4 + 2, `${spoken.length} in ${seconds} s`);
  for (const words of spoken) assert.match(words, /^Step \d+\. Without positions: \d+%\. With positions: \d+%\.$/);
  assert.match(spoken.at(-1) ?? '', /^Step 300\./, 'in the end it says where it rests');
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('of frames that follow at once all draw the maps, and every other one draws the rest', async () => {
  const tab = await open({ lesson: 'positions', step: 200 });
  await rests(tab, 200);
  await tab.find('.training-begin > button.plain').click();
  await rests(tab, 0);
  // Kept: no timer of before is left.
  await tab.page.waitForFunction(() => !/step/.test(location.hash));
  await tab.page.clock.install();
  await tab.find('.training-play').click();
  await tab.page.clock.pauseAt(Date.now() + 20_000);
  const frames: { step: number; map: string }[] = [];
  for (let i = 0; i < 24; i += 1) {
    await tab.page.clock.runFor(16);
    frames.push({ step: await stepOf(tab), map: await map(tab, 1) });
  }
  const changes = (of: (frame: (typeof frames)[number]) => unknown) => frames.slice(1).filter((frame, i) => of(frame) !== of(frames[i] ?? frame)).length;
  const [maps, steps] = [changes(({ map: picture }) => picture), changes(({ step }) => step)];
  assert.ok(maps >= 16 && steps >= 8 && steps <= 0.7 * maps, `${maps} times other maps, ${steps} times another step`);
  await tab.page.clock.runFor(100);
  await tab.find('.training-play').click();
  await tab.page.clock.runFor(2000);
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

for (const pace of ['frame', 'flat'] as const) {
  test(`a page that is hidden trains no step, and goes on where it was: pace ${pace}`, async () => {
    const tab = await open({ lesson: 'scale', ask: 'off', pace });
    await rests(tab, 0);
    await tab.page.evaluate(() => {
      const [draw, post] = [requestAnimationFrame, Worker.prototype.postMessage];
      const waiting: FrameRequestCallback[] = [];
      const page = { isHidden: false, sent: 0, answered: 0, quietSince: 0 };
      const heard = new WeakSet<Worker>();
      Worker.prototype.postMessage = function (this: Worker, ...args: unknown[]) {
        page.sent += 1;
        if (!heard.has(this)) this.addEventListener('message', () => { page.answered += 1; page.quietSince = performance.now(); });
        heard.add(this);
        return (post as (...args: unknown[]) => void).apply(this, args);
      };
      // The browser of these tests shows all of its pages: one is hidden as the standard has it, where none draws a frame.
      window.requestAnimationFrame = (callback) => (page.isHidden ? -waiting.push(callback) : draw(callback));
      Object.defineProperties(document, { hidden: { get: () => page.isHidden }, visibilityState: { get: () => (page.isHidden ? 'hidden' : 'visible') } });
      const hide = (isHidden: boolean) => {
        page.isHidden = isHidden;
        document.dispatchEvent(new Event('visibilitychange'));
        if (!isHidden) waiting.splice(0).forEach((callback) => draw(callback));
      };
      const isQuiet = () => page.sent === page.answered && performance.now() - page.quietSince > 300;
      Object.assign(window, { hide, sent: () => page.sent, isQuiet });
    });
    const hide = (isHidden: boolean) => tab.page.evaluate((on) => (window as unknown as { hide(on: boolean): void }).hide(on), isHidden);
    const sent = () => tab.page.evaluate(() => (window as unknown as { sent(): number }).sent());
    const passes = (step: number) => tab.page.waitForFunction((least) => Number(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLInputElement>('.training-handle')?.value) > least, step);
    await tab.find('.training-play').click();
    await passes(10);
    await hide(true);
    // What was asked for is answered, however slow the machine.
    await tab.page.waitForFunction(() => (window as unknown as { isQuiet(): boolean }).isQuiet(), null, { polling: 50 });
    const [step, before] = [await stepOf(tab), await sent()];
    assert.ok(step < 380, `it was at its end, step ${step}, before the page was hidden`);
    await tab.page.waitForTimeout(1000);
    assert.equal(await sent(), before);
    assert.equal(await stepOf(tab), step);
    await hide(false);
    await passes(step + 12);
    assert.deepEqual(tab.problems, []);
    await tab.close();
  });
}

test('with reduced motion it goes from one checkpoint to the next', async () => {
  const tab = await open({ lesson: 'positions', ask: 'off' }, { context: { reducedMotion: 'reduce' } });
  await tab.page.evaluate(() => {
    const seen = new Set<number>();
    Object.assign(window, { seen });
    const look = () => {
      seen.add(Number(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLInputElement>('.training-handle')?.value));
      requestAnimationFrame(look);
    };
    look();
  });
  await tab.find('.training-play').click();
  await tab.page.waitForFunction(() => (window as unknown as { seen: Set<number> }).seen.has(60));
  const seen = await tab.page.evaluate(() => [...(window as unknown as { seen: Set<number> }).seen]);
  assert.deepEqual(seen.filter((step) => step % 20 !== 0), []);
  await tab.close();
});

test('a paragraph of the reader’s is learnt by heart and recited; a line that is not learnt is the test', async () => {
  const tab = await open({ lesson: 'words', ask: 'off', pace: 'flat' }, { text: 'The red fox ran over the old bridge and slept in the warm barn until the farmer came with a lamp. The barn was cold.' });
  await tab.find('.training-play').click();
  await rests(tab, 300);
  const [on = '', off = ''] = await tab.find('.training-writes bdi').allInnerTexts();
  assert.match(on, /red fox ran over the old bridge/);
  assert.notEqual(off, on, 'without the mask it recites nothing');
  assert.match(await tab.find('.training-seen').innerText(), /Without the mask (9\d|100)%, since the next word is there to be read/);
  assert.match(await tab.find('.training-seen').innerText(), /by heart.*memory, not language/s);
  assert.match(await tab.find('.training-own-text').innerText(), /Never read in training, only tested: .?The barn was cold/);
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('every head says how much it gives to the place that it serves', async () => {
  const told = async (preset: Preset, step: number, count: number, opening: LabOpening = {}) => {
    const tab = await open({ ...preset, step }, opening);
    await rests(tab, step);
    const aims = await tab.find('.training-map-aim').evaluateAll((all) => all.map((each) => ((each as HTMLElement).offsetWidth > 0 ? each.textContent : '')));
    assert.equal(aims.length, count);
    assert.deepEqual(tab.problems, []);
    await tab.close();
    return aims;
  };
  assert.ok((await told({ lesson: 'look_back' }, 5, 6)).every((words) => /^\d+\s?% (1 back|came next)$/.test(words ?? '')));
  assert.ok((await told({ lesson: 'stands_for', runs: 'seen_so_far,seen_whole,seen_whole_8,one_layer' }, 2, 14)).every((words) => /^\d+\s?% the noun$/.test(words ?? '')));
  const [alone, ...two] = await told({ lesson: 'heads' }, 160, 3);
  assert.match(alone ?? '', /^[3-6]\d\s?% → [13] back$/);
  assert.deepEqual(two.map((words) => (words ?? '').replace(/^(9\d|100)\s?% → /, '')).sort(), ['1 back', '3 back']);
  assert.ok((await told({ lesson: 'heads' }, 2, 3, { context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'zh-CN' } })).every((words) => /^\d+\s?% → /.test(words ?? '')));
  await told({ lesson: 'mask' }, 2, 0);
});

test('the tale is asked letter by letter, a paragraph word by word', async () => {
  for (const [preset, title] of [[{ lesson: 'mask', part: 'characters' }, 'The job, at one letter'], [{ lesson: 'words' }, 'The job, at one word']] as const) {
    const tab = await open({ ...preset, step: 1 });
    await rests(tab, 1);
    assert.equal(await tab.find('.training-job h3').innerText(), title);
    await tab.close();
  }
});

/** What each frame shows from now on. */
const film = (tab: LabTab): Promise<void> => tab.page.evaluate(() => {
  const shots: { step: number; writes: string; seen: string; fair: string; maps: string }[] = [];
  Object.assign(window, { shots });
  const shoot = () => {
    const lab = document.querySelector('attention-playground')?.shadowRoot;
    const words = (selector: string) => lab?.querySelector(selector)?.textContent?.trim() ?? '';
    const step = Number(lab?.querySelector<HTMLInputElement>('.training-handle')?.value);
    if (shots.at(-1)?.step !== step) {
      const maps = [...lab?.querySelectorAll<HTMLCanvasElement>('.training-map canvas') ?? []].map((canvas) => canvas.toDataURL()).join();
      shots.push({ step, writes: words('.training-writes bdi'), seen: words('.training-seen'), fair: words('.training-losses'), maps });
    }
    requestAnimationFrame(shoot);
  };
  shoot();
});
const shots = (tab: LabTab) => tab.page.evaluate(() => (window as unknown as { shots: { step: number; writes: string; seen: string; fair: string; maps: string }[] }).shots);

test('replayed steps show what they wrote and were tested by, never what another step did', async () => {
  const tab = await open({ lesson: 'words', runs: 'own_paragraph', step: 80, pace: 'slow' });
  await rests(tab, 80);
  await tab.find('.training-begin > button.plain').click();
  await rests(tab, 0);
  const first = await tab.find('.training-writes bdi').innerText();
  await film(tab);
  await tab.find('.training-play').click();
  await tab.page.waitForFunction(() => Number(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLInputElement>('.training-handle')?.value) > 70);
  await tab.find('.training-play').click();
  const replayed = (await shots(tab)).filter(({ step }) => step > 25);
  assert.ok(replayed.length > 15, `${replayed.length} steps were seen`);
  assert.deepEqual(replayed.filter((shot) => shot.writes === first), []);
  assert.ok(new Set(replayed.map((shot) => shot.writes)).size > 2, 'it goes on writing');
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('exact numbers come first: what a model writes, and how it is tested, are asked for after them', async () => {
  for (const preset of [{ lesson: 'words' }, { lesson: 'mask', part: 'dice' }]) {
    const tab = await open({ ...preset, step: 12 });
    await rests(tab, 12);
    await tab.page.evaluate(() => {
      const [calls, post] = [[] as string[], Worker.prototype.postMessage];
      Worker.prototype.postMessage = function (...args: unknown[]) {
        calls.push((args[0] as { call: string }).call);
        return (post as (...args: unknown[]) => void).apply(this, args);
      };
      Object.assign(window, { calls });
    });
    await slider(tab).fill('5');
    await rests(tab, 5);
    const calls = await tab.page.evaluate(() => (window as unknown as { calls: string[] }).calls);
    const tests = calls.findIndex((call) => /fairTest|heldOut|recite/.test(call));
    assert.ok(tests > calls.indexOf('seek') && calls.lastIndexOf('state') < tests, calls.join());
    await tab.close();
  }
});

test('another sentence has its own map at every step that is replayed, and where the handle is put', async () => {
  const tab = await open({ lesson: 'stands_for', runs: 'seen_whole', step: 60, pace: 'slow' });
  await rests(tab, 60);
  await tab.find('.training-sentences select').selectOption({ index: 1 });
  await rests(tab, 60);
  await film(tab);
  const put = (step: number) => slider(tab).evaluate((handle, at) => new Promise<void>((settle) => {
    (handle as HTMLInputElement).value = String(at);
    handle.dispatchEvent(new Event('input', { bubbles: true }));
    requestAnimationFrame(() => requestAnimationFrame(() => settle()));
  }), step);
  await put(26);
  await rests(tab, 26);
  await tab.find('.training-begin > button.plain').click();
  await rests(tab, 0);
  await tab.find('.training-play').click();
  await tab.page.waitForFunction(() => Number(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLInputElement>('.training-handle')?.value) > 40);
  await tab.find('.training-play').click();
  const seen = await shots(tab);
  const at = (step: number) => seen.find((shot) => shot.step === step)?.maps;
  assert.notEqual(at(26), at(60), 'at once');
  assert.notEqual(at(0), at(26));
  const replayed = seen.slice(seen.findIndex(({ step }) => step === 0)).filter(({ step }) => step > 0 && step < 40);
  const others = new Set(replayed.map(({ maps }) => maps)).size;
  assert.ok(others >= 0.9 * replayed.length, `${others} maps of ${replayed.length} steps`);
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('readonly: it plays and can be looked at, and nothing that sets it is to be used', async () => {
  const tab = await open({ lesson: 'heads', step: 2 });
  await tab.page.evaluate(() => document.querySelector('attention-playground')?.setAttribute('readonly', ''));
  await tab.find('[data-readonly]').waitFor();
  for (const setter of await tab.find(':is(.training-lessons button, .training-options input, .training-seed input, .training-seed button)').all()) assert.ok(await setter.isDisabled());
  await slider(tab).fill('5');
  await rests(tab, 5);
  assert.ok(await tab.find('.training-play').isEnabled());
  await tab.close();
});

for (const [width, locale] of [[360, 'en-GB'], [390, 'es'], [390, 'zh-CN'], [768, 'es'], [1440, 'en-GB']] as const) {
  test(`every lesson fits at ${width} pixels in ${locale.slice(0, 2)}, and targets are as large as a finger on a phone`, async () => {
    const tab = await open({ lesson: 'heads', step: 2 }, { context: { viewport: { width, height: 844 }, hasTouch: width < 400, locale } });
    for (const lesson of LESSONS) {
      await tab.page.evaluate((id) => { (document.querySelector('attention-playground') as AttentionPlayground).preset = `lesson=${id}&step=2`; }, lesson);
      await tab.find(`[data-lesson=${lesson}]`).waitFor();
      await rests(tab, 2);
      assert.ok(await tab.page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${lesson} is too wide`);
      if (width > 400) continue;
      const small = await tab.find('.training :is(button, summary, .segment > span, .training-handle, .training-seed label):visible').evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().height < 43.5).map((each) => each.outerHTML.slice(0, 80)));
      assert.deepEqual(small, [], lesson);
    }
    assert.deepEqual(tab.problems, []);
    await tab.close();
  });
}

for (const [name, context] of [['light', { colorScheme: 'light' }], ['dark', { colorScheme: 'dark' }], ['a phone', { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true }]] as const) {
  test(`axe finds nothing amiss in any lesson: ${name}`, async () => {
    const tab = await open({ lesson: 'heads' }, { context });
    await tab.page.evaluate(axe);
    for (const [lesson, step] of [['heads', 0], ...LESSONS.map((each) => [each, 3] as const)] as const) {
      await tab.page.evaluate(([id, at]) => { (document.querySelector('attention-playground') as AttentionPlayground).preset = `lesson=${id}&step=${at}`; }, [lesson, step] as const);
      await tab.find(`[data-lesson=${lesson}]`).waitFor();
      if (step > 0) {
        await rests(tab, step);
        await tab.find('.training-walk').evaluate((details) => { (details as HTMLDetailsElement).open = true; });
      }
      const { violations } = await tab.page.evaluate(() => (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({ resultTypes: ['violations'] }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${lesson} ${id}: ${nodes.slice(0, 3).map(({ target }) => JSON.stringify(target)).join(' ')}`), []);
    }
    await tab.close();
  });
}
