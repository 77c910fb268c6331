// Watch attention learn: each lesson run as a reader runs it. What the page has trained is what the native trainer has, to the bit.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { LESSONS } from '../../web/src/state/views.ts';
import { LabTab, type LabOpening } from '../lib/lab.ts';
import { nativeHashes } from '../lib/native-training.ts';
import { Reader } from '../lib/page.ts';

const axe = await readFile(createRequire(new URL('../../web/package.json', import.meta.url)).resolve('axe-core/axe.min.js'), 'utf8');
const reader = await Reader.arrive();
after(() => reader.leave());

type Preset = Record<string, string | number>;

const open = (preset: Preset = {}, opening: LabOpening = {}): Promise<LabTab> =>
  LabTab.open(reader, 'training', { ...opening, preset: new URLSearchParams(Object.entries(preset).map(([name, value]) => [name, String(value)])).toString() });

const slider = (tab: LabTab) => tab.find('.training-handle');
const stepOf = async (tab: LabTab): Promise<number> => Number(await slider(tab).inputValue());
/** It stands still at a step, and its numbers are exact. */
const rests = async (tab: LabTab, step: number): Promise<void> => {
  await tab.page.waitForFunction((wanted) => {
    const lab = document.querySelector('attention-playground')?.shadowRoot;
    const [handle, exact] = [lab?.querySelector<HTMLInputElement>('.training-handle'), lab?.querySelector('.training-walk')];
    return Number(handle?.value) === wanted && Number(exact?.getAttribute('data-step')) === wanted;
  }, step, { timeout: 30_000 });
};
const hash = async (tab: LabTab): Promise<string> => (await tab.find('.training-walk code').textContent() ?? '').trim();
const results = (tab: LabTab): Promise<string[]> => tab.find('.training-lane-head output').allInnerTexts();
/** The colours of a map, as they are on its canvas. */
const map = (tab: LabTab, at = 0): Promise<string> => tab.find('.training-map canvas').nth(at).evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
/** Picks a cell in a run's first map. */
const lookAt = async (tab: LabTab, run: number): Promise<void> => tab.find(`.training-lane[data-run="${run}"] .training-cells`).first().click({ position: { x: 8, y: 60 } });

/** The runs that a lesson shows, and the seed that it shows them with. */
const SHOWN: Readonly<Record<string, { preset: Preset; seed: number; runs: readonly string[] }>> = {
  look_back: { preset: {}, seed: 1, runs: ['one_layer', 'two_layers'] },
  mask: { preset: {}, seed: 1, runs: ['dice_masked', 'dice_unmasked'] },
  'scale, 256 wide': { preset: {}, seed: 1, runs: ['width_256_divided', 'width_256_undivided'] },
  'scale, 64 wide with smaller weights': { preset: { part: '64', runs: 'width_64_divided,width_64_undivided,width_64_smaller' }, seed: 1, runs: ['width_64_divided', 'width_64_undivided', 'width_64_smaller'] },
  heads: { preset: {}, seed: 4, runs: ['one_head', 'two_heads'] },
  'heads, in English': { preset: { part: 'english' }, seed: 1, runs: ['english_one_head', 'english_four_heads'] },
  positions: { preset: {}, seed: 1, runs: ['without_positions', 'with_positions'] },
  stands_for: { preset: {}, seed: 4, runs: ['seen_so_far', 'seen_whole'] },
};

for (const [name, { preset, seed, runs }] of Object.entries(SHOWN)) {
  test(`${name}: at three steps each run has the native trainer’s weights`, async () => {
    const lesson = name.split(',')[0] ?? '';
    const steps = [1, 12, 45];
    const tab = await open({ lesson, step: 1, ...preset });
    for (const step of steps) {
      if (step > 1) await slider(tab).fill(String(step));
      await rests(tab, step);
      for (const [i, run] of runs.entries()) {
        await lookAt(tab, i);
        await rests(tab, step);
        assert.equal(await hash(tab), nativeHashes(lesson, run, seed, [step])[0], `${run} at step ${step}`);
      }
    }
    assert.deepEqual(tab.problems, []);
    await tab.close();
  });
}
