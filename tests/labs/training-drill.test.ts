// The walk through the stages as a reader goes it: every stage opens, its numbers are the engine's, and what is printed holds.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import type { AxeResults } from 'axe-core';
import { type LessonId, openTraining } from '../../web/src/engine/training/open.ts';
import { type Spot, Stages, nameOf } from '../../web/src/labs/training/stages.ts';
import { exact } from '../../web/src/text/numbers.ts';
import { built } from '../lib/built.ts';
import { LabTab, type LabOpening } from '../lib/lab.ts';
import { Reader } from '../lib/page.ts';

const axe = await readFile(createRequire(new URL('../../web/package.json', import.meta.url)).resolve('axe-core/axe.min.js'), 'utf8');
const wasm = await readFile(built('wasm/bindings/attention_training.wasm'));
const reader = await Reader.arrive();
after(() => reader.leave());

async function stagesOf(lesson: LessonId, run: string, seed: number, step: number): Promise<Stages> {
  const training = await openTraining({ lesson, runs: [run], seed }, { wasm });
  try {
    await training.advance(step);
    const [described] = training.runs;
    assert.ok(described);
    return new Stages(await training.state(0), described);
  } finally {
    training.free();
  }
}

const rests = (tab: LabTab, step: number): Promise<void> => tab.find(`.training-walk[data-step="${step}"]`).waitFor({ state: 'attached', timeout: 30_000 });

async function drill(preset: string, step: number, opening: LabOpening = {}): Promise<LabTab> {
  const tab = await LabTab.open(reader, 'training', { ...opening, preset: `${preset}&step=${step}` });
  await rests(tab, step);
  await tab.find('.training-walk > summary').click();
  assert.equal(await tab.find('.stage-matrix').count(), 0, 'nothing is drawn before it is opened');
  await tab.find('.training-drill > summary').click();
  await tab.find('.training-stage').waitFor();
  return tab;
}

const value = async (tab: LabTab): Promise<string> => (await tab.find('.training-number [data-value]').getAttribute('title')) ?? '';
const cell = (tab: LabTab) => tab.find('.training-stage [role=gridcell]');
const spoken = (tab: LabTab): Promise<string> => tab.find('.training-number').innerText();
const plain = (text: string): string => text.replaceAll('−', '-').replaceAll(',', '').replace(/×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, power: string) => `e${[...power].map((c) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c)).map((at) => (at === 0 ? '-' : String(at - 1))).join('')}`);

/** “= 0.5 × ( 0.2 − (−0.1) ) = 0.15”: whether it holds, as far as its digits go; null where terms are left out. */
function holds(line: string): boolean | null {
  const parts = plain(line).replaceAll('exp', 'Math.exp').replaceAll(/ln ([\d.e-]+)/g, 'Math.log($1)').replaceAll('√', 'Math.sqrt').replaceAll('×', '*').replaceAll('÷', '/').split('=').map((part) => part.trim()).filter(Boolean);
  if (/…|∞/.test(line) || parts.length < 2) return null;
  assert.ok(parts.every((part) => /^(Math\.(exp|log|sqrt)|[-+*/(). \de])+$/.test(part)), line);
  const [left, right] = parts.map((part) => Number(new Function(`return ${part.replace(/- -/g, '- 0-')}`)()));
  const size = Math.max(...(plain(line).match(/-?\d+(\.\d+)?(e-?\d+)?/g) ?? []).map((part) => Math.abs(Number(part))));
  return Math.abs((left ?? NaN) - (right ?? NaN)) <= 2e-3 * Math.max(Math.abs(right ?? 0), Math.min(1, size));
}

for (const [lesson, run, seed, step, head] of [['look_back', 'two_layers', 1, 40, 1], ['heads', 'two_heads', 4, 25, 0]] as const) {
  test(`${lesson}: every stage opens on the marked row and key, forwards and backwards; its number is the engine’s, its line holds`, async () => {
    const stages = await stagesOf(lesson, run, seed, step);
    const tab = await drill(`lesson=${lesson}&runs=${run}&row=21&key=19`, step);
    if (head > 0) await tab.find(`.training-map canvas[data-layer="0"][data-head="${head}"]`).locator('xpath=..').click({ position: { x: 40, y: 60 } });
    const [, row = 0, key = 0] = /Row (\d+).*Key (\d+)/.exec(await tab.find('.training-grid [role=gridcell][tabindex="0"]').getAttribute('aria-label') ?? '')?.map((part) => Number(part) - 1) ?? [];
    let held = 0;
    const walk = async (spots: readonly Spot[]) => {
      assert.equal(await tab.find('.training-symbols button').count(), spots.length);
      for (const spot of spots) {
        await tab.find(`[data-stage="${nameOf(spot)}"][data-layer="${spot.layer + 1}"]`).click();
        const where = `${nameOf(spot)}, layer ${spot.layer + 1}`;
        assert.equal(await tab.find('.training-stage').getAttribute('data-open'), nameOf(spot));
        const matrix = stages.matrix(spot);
        assert.equal(await tab.find('.training-stage [role=grid]').getAttribute('aria-rowcount'), String(matrix.rows), where);
        assert.equal(await tab.find('.training-stage [role=grid]').getAttribute('aria-colcount'), String(matrix.columns), where);
        const at = { row: Number(await tab.find('.training-stage [role=row]').getAttribute('aria-rowindex')) - 1, column: Number(await cell(tab).getAttribute('aria-colindex')) - 1 };
        if (/^d?[USP]$/.test(nameOf(spot))) assert.deepEqual(at, { row, column: key }, where);
        assert.equal(await value(tab), exact(matrix.at(at.row, at.column)), where);
        const said = await spoken(tab);
        assert.equal(await cell(tab).getAttribute('aria-label'), said, where);
        for (const line of await tab.find(':is([data-line], .training-sums dd)').allInnerTexts()) {
          const isRight = holds(line);
          assert.ok(isRight !== false, `${where}: ${line}`);
          held += Number(isRight === true);
        }
      }
    };
    await walk(stages.backwards(head));
    await tab.find('.training-stages .segment').last().click();
    await walk(stages.forwards(head));
    assert.ok(held > 10, `${held} lines`);
    assert.deepEqual(tab.problems, []);
    await tab.close();
  });
}

test('by keys: arrows choose a cell, its sentence is told, an operand leads to its stage and back again', async () => {
  const stages = await stagesOf('positions', 'with_positions', 1, 12);
  const tab = await drill('lesson=positions&runs=with_positions&row=10&key=8', 12);
  await tab.find('[data-stage=dP]').click();
  const spot: Spot = { symbol: 'P', isGradient: true, layer: 0, head: 0 };
  await cell(tab).focus();
  for (const [press, row, column] of [['ArrowLeft', 9, 6], ['ArrowDown', 10, 6], ['Home', 10, 0], ['ArrowUp', 9, 0], ['Control+End', 23, 23]] as const) {
    await tab.page.keyboard.press(press);
    assert.equal(await value(tab), exact(stages.matrix(spot).at(row, column)), press);
    assert.match(await spoken(tab), new RegExp(`^query ${row + 1} \\S+, key ${column + 1} `), press);
    assert.ok(await cell(tab).evaluate((own) => (own.getRootNode() as ShadowRoot).activeElement === own));
  }
  assert.equal(await tab.find('.training-number').getAttribute('role'), 'status');
  // Hidden by the mask, one up: the note says so.
  await tab.page.keyboard.press('ArrowUp');
  assert.match(await tab.find('.training-of').innerText(), /comes later, so it is hidden/);
  await tab.page.keyboard.press('ArrowLeft');
  const before = await value(tab);
  const first = tab.find('[data-line] .operand').first();
  assert.equal(await first.getAttribute('data-operand'), 'dO');
  const number = (await first.innerText()).replace(/[()]/g, '');
  await first.focus();
  await tab.page.keyboard.press('Enter');
  assert.equal(await tab.find('.training-stage').getAttribute('data-open'), 'dO');
  assert.equal(await tab.find('.training-number [data-value]').innerText(), number);
  assert.ok(await cell(tab).evaluate((own) => (own.getRootNode() as ShadowRoot).activeElement === own), 'the focus goes along');
  await tab.find('.training-back').click();
  assert.equal(await tab.find('.training-stage').getAttribute('data-open'), 'dP');
  assert.equal(await value(tab), before);
  // A number that is no gradient lies on the way forwards.
  await tab.find('[data-line] .operand').nth(1).click();
  assert.equal(await tab.find('.training-stages .segment input').last().isChecked(), true);
  assert.deepEqual(await tab.find('.training-symbols [aria-current]').evaluateAll((all) => all.map((each) => each.getAttribute('data-stage'))), ['V']);
  await tab.find('.training-back').click();
  assert.equal(await tab.find('.training-stages .segment input').first().isChecked(), true);
  // All terms, and their sum.
  await tab.find('.training-terms summary').click();
  const terms = (await tab.table('.training-terms table')).map((row) => Number(plain(row.at(-1) ?? '')));
  assert.equal(terms.length, 32);
  const sum = terms.reduce((all, term) => all + term, 0);
  assert.ok(Math.abs(sum - Number(plain(before))) < 1e-3 * terms.reduce((all, term) => all + Math.abs(term), 0), `${sum}, not ${before}`);
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('before anything is learnt the softmax has decided without the division by √d: its slope is a number of the walk', async () => {
  const slope = async (run: string): Promise<number> => {
    const tab = await drill(`lesson=scale&part=256&runs=${run}&ask=off`, 0);
    await tab.find('[data-stage=dS]').click();
    const words = await tab.find('.training-of').innerText();
    const [, own, mean] = /slope, 1 − Σ P², is ([\d.e×⁻\d]+) in this row and ([\d.]+) on average/.exec(words) ?? [];
    assert.ok(own, words);
    const stages = await stagesOf('scale', run, 1, 0);
    const { state: { layers: [layer], text: { targets, tokens } } } = stages;
    const T = tokens.length;
    const rows = [...targets].flatMap((target, t) => (target < 0 ? [] : [1 - (layer?.weights.values.subarray(t * T, (t + 1) * T).reduce((all, p) => all + p * p, 0) ?? NaN)]));
    const expected = rows.reduce((all, each) => all + each, 0) / rows.length;
    assert.ok(Math.abs(Number(mean) - expected) < 2e-3, `${mean}, not ${expected}`);
    assert.deepEqual(tab.problems, []);
    await tab.close();
    return Number(mean);
  };
  const [divided, undivided] = [await slope('width_256_divided'), await slope('width_256_undivided')];
  assert.ok(divided > 0.8 && undivided < 0.3, `${divided} and ${undivided}`);
});

test('it stays open at another step, at the same stage and cell, with that step’s number', async () => {
  const tab = await drill('lesson=positions&runs=with_positions&row=10&key=8', 12);
  await tab.find('[data-stage=dW_Q]').click();
  await cell(tab).focus();
  await tab.page.keyboard.press('ArrowRight');
  for (const step of [30, 3]) {
    await tab.find('.training-handle').fill(String(step));
    assert.ok(await tab.find('.training-stage').isVisible(), 'it stays while the step is on its way');
    await rests(tab, step);
    const stages = await stagesOf('positions', 'with_positions', 1, step);
    const expected = exact(stages.matrix({ symbol: 'W_Q', isGradient: true, layer: 0, head: 0 }).at(0, 1));
    await tab.page.waitForFunction((wanted) => document.querySelector('#training attention-playground')?.shadowRoot?.querySelector('.training-number [data-value]')?.getAttribute('title') === wanted, expected);
    assert.equal(await cell(tab).getAttribute('aria-label'), await spoken(tab), 'as it is drawn');
  }
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('another run’s map takes the walk along; what its model lacks it does not show', async () => {
  const tab = await drill('lesson=positions&runs=without_positions,with_positions&row=10&key=8', 8);
  const pick = (run: number) => tab.find(`.training-lane[data-run="${run}"] .training-cells`).first().click({ position: { x: 30, y: 60 } });
  const all = () => tab.find('.training-symbols button').evaluateAll((buttons) => buttons.map((each) => each.getAttribute('data-stage')));
  await pick(1);
  await tab.find('[data-stage=dE_pos]').click();
  await pick(0);
  assert.equal(await tab.find('.training-stage').getAttribute('data-open'), 'L');
  assert.ok(!(await all()).includes('dE_pos'));
  await tab.find('[data-stage=dS]').click();
  const before = await value(tab);
  await pick(1);
  assert.equal(await tab.find('.training-stage').getAttribute('data-open'), 'dS');
  assert.notEqual(await value(tab), before);
  const stages = await stagesOf('positions', 'with_positions', 1, 8);
  const [, row = 0, key = 0] = /Row (\d+).*Key (\d+)/.exec(await tab.find('.training-grid [role=gridcell][tabindex="0"]').getAttribute('aria-label') ?? '')?.map((part) => Number(part) - 1) ?? [];
  assert.equal(await value(tab), exact(stages.matrix({ symbol: 'S', isGradient: true, layer: 0, head: 0 }).at(row, key)));
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('a large matrix follows the arrows at once, and the walk follows the language', async () => {
  const words = Array.from({ length: 400 }, (_, i) => `w${(i * i) % 397}`).join(' ');
  const tab = await drill('lesson=words', 2, { text: `${words}. And this is the rest.` });
  await tab.find('[data-stage=dW_U]').click();
  assert.ok(Number(await tab.find('.training-stage [role=grid]').getAttribute('aria-colcount')) > 150);
  await cell(tab).focus();
  const held = await tab.page.evaluate(async () => {
    const own = document.querySelector('#training attention-playground')?.shadowRoot?.querySelector('.training-stage [role=gridcell]') as HTMLElement;
    const told = new Set<string | null>();
    for (let i = 0; i < 40; i += 1) {
      own.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
      told.add(own.getAttribute('aria-label'));
      await new Promise(requestAnimationFrame);
    }
    return told.size;
  });
  assert.ok(held >= 39, `${held} cells`);
  assert.equal(await tab.find('.stage-matrix').evaluate((host) => host.clientWidth <= (host.parentElement?.clientWidth ?? 0)), true);
  await tab.page.evaluate(() => document.querySelector('#training attention-playground')?.setAttribute('lang', 'es'));
  await tab.page.waitForFunction(() => document.querySelector('#training attention-playground')?.shadowRoot?.querySelector('.training-stage h4')?.textContent?.includes('Gradiente de'));
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('a sentence of the lesson is asked about, and its gradients are there; the reader’s own has no answer, and the walk says so', async () => {
  const tab = await drill('lesson=stands_for&runs=seen_whole', 4);
  await tab.find('[data-stage=dW_Q]').first().click();
  assert.doesNotMatch(await tab.find('.training-stages').innerText(), /nothing is asked/);
  assert.notEqual(await value(tab), '0');
  await tab.find('.training-sentences input').fill('the animal didn\'t cross the street because it was too hungry .');
  await tab.find('.training-sentences input').press('Enter');
  await tab.find('.training-stages > p').waitFor();
  assert.match(await tab.find('.training-stages > p').innerText(), /nothing is asked/);
  assert.equal(await value(tab), '0');
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

for (const [name, context] of [['light', { colorScheme: 'light' }], ['dark', { colorScheme: 'dark' }], ['a phone', { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true }]] as const) {
  test(`axe finds nothing amiss in the walk, and nothing is too wide: ${name}`, async () => {
    const tab = await drill('lesson=look_back&runs=two_layers', 9, { context });
    await tab.page.evaluate(axe);
    for (const stage of ['dX', 'dS', 'dE']) {
      await tab.find(`[data-stage=${stage}]`).first().click();
      const { violations } = await tab.page.evaluate(() => (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({ resultTypes: ['violations'] }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${stage} ${id}: ${nodes.slice(0, 3).map(({ target }) => JSON.stringify(target)).join(' ')}`), []);
      assert.ok(await tab.page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${stage} is too wide`);
    }
    await tab.close();
  });
}
