// What an author fixes in a lab, brings to it by other ways than attributes, and takes out of it by method.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { LABS } from '../../web/src/state/views.ts';
import { embedFolder } from '../lib/embedded.ts';
import { nativeHashes } from '../lib/training.ts';
import type { Playground } from '../lib/page.ts';

const { folder, reader } = await embedFolder();
const CONFIGURATION = { view: 'lab-lookup', text: 'one two three', preset: 'temperature=2', readonly: true };
await writeFile(path.join(folder, 'lab.json'), JSON.stringify({ ...CONFIGURATION, preset: 'd=128', view: 'lab-scale' }));
let pages = 0;

async function host(attributes: string, inside = ''): Promise<{ page: Playground; lab: Locator; figure: Locator }> {
  const file = `lab-${pages += 1}.html`;
  await writeFile(path.join(folder, file), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><link rel="stylesheet" href="attention-playground.css"><script src="attention-playground.js" defer></script><body><attention-playground loading="eager" ${attributes}>${inside}</attention-playground></html>`);
  const page = await reader.open({ file, context: { acceptDownloads: true } });
  const figure = page.page.locator('attention-playground');
  const lab = figure.locator('.lab');
  await settled(lab);
  return { page, figure, lab };
}

const settled = (lab: Locator) => lab.locator('xpath=self::*[not(contains(@class, "waiting"))]').locator('> [aria-busy=false] .lab-frame').waitFor();
const said = (figure: Locator): Promise<{ text: string; preset: string }> => figure.evaluate((element) => ({ text: (element as AttentionPlayground).text, preset: (element as AttentionPlayground).preset }));
const keys = (preset: string): string[] => [...new URLSearchParams(preset).keys()];

/** Presses and types on all that can be set, one after the other; what is drawn again is found again by its place. */
async function useAll(lab: Locator): Promise<number> {
  const all = lab.locator(':is(input, select, textarea, button:not([data-take])):visible');
  let used = 0;
  for (let i = 0, count = await all.count(); i < count; i += 1) {
    const one = all.nth(i);
    if (!(await one.isVisible()) || await one.isDisabled()) continue;
    used += 1;
    const kind = await one.evaluate((element) => (element instanceof HTMLInputElement ? element.type : element.localName));
    if (kind === 'select') await one.evaluate((element) => { (element as HTMLSelectElement).selectedIndex = (element as HTMLSelectElement).options.length - 1; element.dispatchEvent(new Event('change', { bubbles: true })); });
    else if (kind === 'range') await one.press('ArrowRight');
    else if (kind === 'radio') {
      await one.locator('xpath=ancestor::label').click();
      assert.ok(await one.isChecked(), await one.evaluate((each) => each.outerHTML));
    }
    else if (kind === 'button') await one.click();
    else if (kind !== 'color') await one.press('End').then(() => one.press('7'));
  }
  return used;
}

/** What may be looked at where nothing may be set: a row, a head, a mask, a question further on. */
const LOOKED: Readonly<Record<string, readonly string[]>> = { 'lab-mask': ['row', 'head', 'shown'], 'lab-numbers': ['row'], 'lab-quiz': ['q'], training: ['step', 'row', 'key', 'pace'] };

for (const view of LABS) {
  test(`readonly ${view}: it can be looked at, and nothing that sets it changes`, async () => {
    const { page, lab, figure } = await host(`view="${view}" text="the cat sat on the mat"`);
    await useAll(lab);
    const freely = keys((await said(figure)).preset);
    assert.notDeepEqual(await said(figure), { text: 'the cat sat on the mat', preset: '' }, 'without readonly it is set');
    await page.close();

    const fixed = await host(`view="${view}" text="the cat sat on the mat" readonly`);
    await useAll(fixed.lab);
    const { text, preset } = await said(fixed.figure);
    assert.equal(text, 'the cat sat on the mat');
    assert.deepEqual(keys(preset).filter((name) => !(LOOKED[view] ?? []).includes(name)), [], `of ${freely.join(' ')}`);
    assert.equal(await fixed.lab.locator('.lab-tries').filter({ visible: true }).count(), 0);
    // Its figures and what is said of them stay, and go along.
    assert.ok((await fixed.lab.locator('.lab-figure').innerText()).length > 20);
    for (const button of await fixed.lab.locator('[data-take]').all()) assert.ok(await button.isEnabled());
    // And it is the reader's again when the author takes the word back.
    await fixed.figure.evaluate((element) => element.removeAttribute('readonly'));
    await fixed.lab.locator('.lab-sentence textarea:not([readonly]), :is(.lab-controls, [data-sets]) :is(input, select):enabled').first().waitFor();
    assert.deepEqual(fixed.page.problems, []);
    await fixed.page.close();
  });
}

test('controls="none" leaves a lab’s figures alone; locked="text" its sentence', async () => {
  const bare = await host('view="lab-scale" text="the cat sat" preset="d=256" controls="none"');
  assert.equal(await bare.lab.locator(':is(.lab-controls, .lab-tries)').filter({ visible: true }).count(), 0);
  assert.match(await bare.lab.locator('.lab-said').innerText(), /256/);
  await bare.page.close();
  const { page, lab, figure } = await host('view="lab-scale" text="the cat sat" locked="text"');
  const sentence = lab.locator('.lab-sentence textarea');
  await sentence.press('End');
  await sentence.press('s');
  assert.equal(await sentence.inputValue(), 'the cat sat');
  await lab.locator('input[type=range]').first().press('ArrowRight');
  const { text, preset } = await said(figure);
  assert.equal(text, 'the cat sat');
  assert.notEqual(preset, '');
  await page.close();
});

test('locked="seed" keeps a training’s seed; what a lab cannot lock is said', async () => {
  const { page, lab } = await host('view="training" lesson="positions" at-step="2" locked="seed mask positions"');
  await lab.locator('.training-seed').waitFor();
  for (const setter of await lab.locator('.training-seed :is(input, button)').all()) assert.ok(await setter.isDisabled());
  assert.ok(await lab.locator('.training-lessons button').first().isEnabled());
  await lab.locator('.training-walk[data-step="2"]').waitFor({ state: 'attached' });
  await lab.locator('.training-walk > summary').click();
  assert.ok(await lab.locator('[data-rule=mask]').isDisabled());
  assert.ok(await lab.locator('[data-rule=scale]').isEnabled());
  assert.match(await lab.locator('.lab-notices').innerText(), /“locked” can name text, seed, mask, scale, heads here, and not positions\./);
  await page.close();
  const other = await host('view="lab-scale" text="the cat sat" locked="seed"');
  assert.match(await other.lab.locator('.lab-notices').innerText(), /“locked” can name text here, and not seed\./);
  await other.page.close();
});

test('mask, scale and heads are attributes of a training: runs that have them are shown, or all train by them; bad ones are said', async () => {
  const runs = (lab: Locator) => lab.locator('.training-lane-head h3').allInnerTexts();
  const trained = async (attributes: string, step: number) => {
    const opened = await host(`view="training" at-step="${step}" ${attributes}`);
    await opened.lab.locator(`.training-walk[data-step="${step}"]`).waitFor({ state: 'attached', timeout: 30_000 });
    await opened.lab.locator('.training-walk > summary').click();
    const hash = async () => (await opened.lab.locator('.training-walk > .training-note code').first().textContent())?.trim();
    return { ...opened, hash };
  };
  // A lesson that has such runs shows them alone.
  const dice = await trained('lesson="mask" mask="none"', 30);
  assert.deepEqual(await runs(dice.lab), ['Mask off']);
  assert.equal(await dice.hash(), nativeHashes('mask', 'dice_unmasked', 1, [30])[0]);
  assert.equal(await dice.figure.evaluate((element) => (element as AttentionPlayground).mask), 'none');
  assert.equal((await dice.lab.locator('.lab-notices').innerText()).trim(), '');
  // The author says another: a property, as attributes are.
  await dice.figure.evaluate((element) => { (element as AttentionPlayground).mask = 'causal'; });
  await dice.lab.locator('.training-lane-head h3', { hasText: 'Mask on' }).waitFor();
  assert.deepEqual(await runs(dice.lab), ['Mask on']);
  // The readers' own choice of a lesson is the lesson's.
  await dice.lab.locator('.training-lessons button').nth(3).click();
  await dice.lab.locator('[data-lesson=heads] .training-lane').nth(1).waitFor();
  await dice.page.close();

  const heads = await trained('lesson="heads" heads="4" seed="4"', 30);
  assert.deepEqual(await runs(heads.lab), ['Four heads']);
  assert.equal(await heads.hash(), nativeHashes('heads', 'four_heads', 4, [30])[0]);
  await heads.page.close();

  // One that has none trains all its runs so, from the first step, and says it.
  const without = await trained('lesson="positions" scale="none" seed="2" readonly', 30);
  assert.deepEqual(await runs(without.lab), ['Without positions', 'With positions']);
  assert.deepEqual(await without.lab.locator('[data-changes] li').allInnerTexts(), ['0: From this step on without ÷ √d']);
  assert.notEqual(await without.hash(), nativeHashes('positions', 'without_positions', 2, [30])[0]);
  assert.match(await without.lab.locator('[data-number=score]').innerText(), /not divided/);
  for (const rule of await without.lab.locator('[data-rule]').all()) assert.ok(await rule.isDisabled());
  await without.page.close();

  const bad = await trained('lesson="positions" mask="window" scale="0.5" heads="4"', 2);
  assert.match(await bad.lab.locator('.lab-notices').innerText(), /mask cannot be “window”; it is lesson now\..*scale cannot be “0\.5”; it is lesson now\./);
  assert.match(await bad.lab.locator('.problem', { hasText: 'heads' }).innerText(), /No run of this lesson has so many heads \(4\): its own are shown\./);
  assert.equal(await bad.hash(), nativeHashes('positions', 'without_positions', 1, [2])[0]);
  assert.deepEqual(bad.page.problems, []);
  await bad.page.close();

  // The question comes first, as without them.
  const asks = await host('view="training" lesson="heads" heads="2"');
  await asks.lab.locator('[data-guess=two]').click();
  assert.match(await asks.lab.locator('.training-guessed').innerText(), /two heads/);
  await asks.page.close();
});

test('a lab takes its configuration from a child, a file and a property', async () => {
  const inside = (configuration: object) => `<script type="application/json">${JSON.stringify(configuration)}</script>`;
  const child = await host('view="lab-scale" preset="d=32"', inside({ text: 'one two three', preset: 'd=512', given: { W_Q: [[1]] }, colour: 'red' }));
  const notices = child.lab.locator('.lab-notices');
  await notices.filter({ hasText: 'what is given is left out' }).waitFor();
  assert.match(await notices.innerText(), /“colour” is not known/);
  assert.equal(await child.lab.locator('.lab-sentence textarea').inputValue(), 'one two three');
  assert.match(await child.lab.locator('.lab-said').innerText(), /\b32\b/, 'an attribute says more than the configuration');
  await child.lab.locator('input[type=range]').first().press('ArrowRight');
  assert.equal((await notices.innerText()).trim(), '', 'read, and gone with the next change');
  await child.page.close();

  const file = await host('view="lab-scale" src="lab.json"');
  await file.lab.locator('.lab-said', { hasText: '128' }).waitFor();
  assert.equal(await file.lab.locator('.lab-sentence textarea').inputValue(), 'one two three');
  assert.equal(await file.lab.locator('.lab-sentence textarea').evaluate((area) => (area as HTMLTextAreaElement).readOnly), true);
  await file.figure.evaluate((element) => { (element as AttentionPlayground).config = { preset: 'd=64', text: 'four five', readonly: false }; });
  await file.lab.locator('.lab-said', { hasText: '64' }).waitFor();
  assert.equal(await file.lab.locator('.lab-sentence textarea').inputValue(), 'four five');
  assert.equal(await file.lab.locator('input[type=range]').first().isEnabled(), true);
  await file.page.close();

  // One that makes a lab of a figure.
  const other = await host('', inside(CONFIGURATION));
  await other.lab.locator('.lookup').waitFor();
  assert.equal(await other.lab.locator('.lookup input:enabled').count(), 0);
  assert.deepEqual(other.page.problems, []);
  await other.page.close();
});

test('what an attribute of a lab cannot be is said', async () => {
  const { page, lab } = await host('view="lab-heads" theme="purple" controls="some"');
  const words = await lab.locator('.lab-notices').innerText();
  assert.match(words, /theme cannot be “purple”/);
  assert.match(words, /controls cannot be “some”/);
  await page.close();
});

for (const view of ['lab-lookup', 'lab-order'] as const) {
  test(`the figures of ${view} go along by method as by their buttons, by number and by title`, async () => {
    const { page, lab } = await host(`view="${view}" text="the cat saw it"`);
    const figures = lab.locator('figure.plot:has([data-take])');
    const count = await figures.count();
    assert.ok(count > 1);
    const byTitle = new Map<string, string>();
    for (let i = 0; i < count; i += 1) {
      const title = (await figures.nth(i).locator('figcaption b').textContent())?.trim() ?? '';
      const files: string[] = [];
      for (const kind of ['svg', 'csv']) {
        const [download] = await Promise.all([page.page.waitForEvent('download'), figures.nth(i).locator(`[data-take=${kind}]`).press('Enter')]);
        files.push(await readFile(await download.path(), 'utf8'));
      }
      const taken = await page.page.evaluate(async ([number, name]) => {
        const element = document.querySelector('attention-playground') as AttentionPlayground;
        const { width } = await createImageBitmap(await element.toPNG(number));
        return { svg: await element.toSVG(number), csv: await element.toCSV(number), named: await element.toCSV(name), json: await element.toJSON(number), width };
      }, [String(i + 1), title]);
      assert.deepEqual([taken.svg, taken.csv], files, title);
      const { columns, rows, ...about } = JSON.parse(taken.json) as { columns: string[]; rows: string[][] };
      assert.deepEqual(about, { view, text: 'the cat saw it', preset: '', figure: title });
      assert.equal(rows.length + 1, taken.csv.trimEnd().split('\r\n').length);
      assert.ok(columns.length > 1 && rows.every((row) => row.length === columns.length), title);
      assert.ok(taken.width > 100);
      // Of several with one title, the first.
      if (!byTitle.has(title)) byTitle.set(title, taken.csv);
      assert.equal(taken.named, byTitle.get(title), title);
    }
    const [first, wrong] = await page.page.evaluate(async () => {
      const element = document.querySelector('attention-playground') as AttentionPlayground;
      return [await element.toCSV() === await element.toCSV('1'), await element.toSVG('nonsense').catch((error: Error) => error.message)];
    });
    assert.equal(first, true);
    assert.match(String(wrong), /There is no figure “nonsense” in this lab. It has 1 “/);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}
