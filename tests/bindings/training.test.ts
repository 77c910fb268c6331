// Training in the module is the core's own, to the bit, and every moment of it can be had again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { built } from '../lib/built.ts';
import { NATIVE_HASHES } from '../lib/training-hashes.ts';
import { TrainingModule } from '../../web/src/engine/training/module.ts';
import { LESSONS, type LessonId, type Training, type WantedTraining, openTraining } from '../../web/src/engine/training/open.ts';

const wasm = readFileSync(built('wasm/bindings/attention_training.wasm'));
const open = (wanted: Omit<WantedTraining, 'seed'>): Promise<Training> => openTraining({ seed: 1, ...wanted }, { wasm });
const opened = async (wanted: Omit<WantedTraining, 'seed'>, use: (training: Training) => Promise<void>) => {
  const training = await open(wanted);
  try {
    await use(training);
  } finally {
    training.free();
  }
};

test('the page’s table of lessons is the core’s', async () => {
  const module = await TrainingModule.start(() => WebAssembly.compile(wasm));
  assert.deepEqual(module.lessons().sort(), Object.entries(LESSONS).flatMap(([id, runs]) => runs.map((run) => `${id} ${run}`)).sort());
});

for (const [id, runs] of Object.entries(LESSONS) as [LessonId, readonly string[]][]) {
  for (const run of runs) {
    test(`after 50 steps, ${id} ${run} has the bits of the native core`, () => opened({ lesson: id, runs: [run], text: 'tale' in NATIVE_HASHES ? undefined : undefined }, async (training) => {
      await training.advance(50);
      assert.equal(await training.hash(0), NATIVE_HASHES[`${id} ${run}`]);
    }));
  }
}
