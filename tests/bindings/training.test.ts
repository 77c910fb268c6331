// Training in the module is the core's own, to the bit; and every moment of it can be had again.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { built } from '../lib/built.ts';
import { LESSONS, type LessonId, openTraining } from '../../web/src/engine/training/open.ts';

const wasm = readFileSync(built('wasm/bindings/attention_training.wasm'));
const open = (lesson: LessonId, runs: readonly string[], more = {}) => openTraining({ lesson, runs, seed: 1, ...more }, { wasm });

test('smoke', async () => {
  const training = await open('look_back', ['two_layers', 'one_layer']);
  console.log(training.runs[0], training.displayed(0));
  const t = performance.now();
  await training.advance(50);
  console.log(performance.now() - t, await training.hash(0), await training.hash(1), training.step, training.history(0).record(50));
  await training.seek(20);
  console.log(await training.hash(0));
  await training.advance(30);
  console.log(await training.hash(0));
  const s = await training.state(0);
  console.log(s.loss, s.layers[0]!.scores.values.slice(0, 40), s.parameters.length);
  console.log(await training.fairTest(0), await training.recite(0), (await training.file(0)).length);
  training.free();
});
