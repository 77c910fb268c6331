// Training in the module is the core's own, to the bit, and every moment of it can be had again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { built } from '../lib/built.ts';
import { loadInNode } from '../lib/operators.ts';
import { SQUARES, hashesOfLessons } from '../lib/training.ts';
import { TrainingHost } from '../../web/src/engine/training/host.ts';
import { ModuleRun, TrainingModule } from '../../web/src/engine/training/module.ts';
import { LESSONS, type LessonId, type Training, type WantedTraining, openTraining } from '../../web/src/engine/training/open.ts';
import { LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';

const wasm = readFileSync(built('wasm/bindings/attention_training.wasm'));
const hashes = hashesOfLessons();

async function opened(wanted: WantedTraining, use: (training: Training) => Promise<void>): Promise<void> {
  const training = await openTraining({ seed: 1, ...wanted }, { wasm });
  try {
    await use(training);
  } finally {
    training.free();
  }
}
/** A text as the native tests learn it. */
const textFor = (run: string) => (run === 'own_paragraph' ? { text: SQUARES.join(' ') } : run.startsWith('characters') ? { text: SQUARES.join('') } : {});
const equal = (a: Float32Array, b: ArrayLike<number>) => assert.deepEqual([...a], Array.from(b));

test('the page’s table of lessons is the core’s', async () => {
  const module = await TrainingModule.start(() => WebAssembly.compile(wasm));
  assert.deepEqual(module.lessons().sort(), Object.entries(LESSONS).flatMap(([id, runs]) => runs.map((run) => `${id} ${run}`)).sort());
  assert.equal(hashes.size, module.lessons().length);
});

for (const [lesson, runs] of Object.entries(LESSONS) as [LessonId, readonly string[]][]) {
  for (const run of runs) {
    test(`after 50 steps, ${lesson} ${run} has the bits of the native core`, () => opened({ lesson, runs: [run], ...textFor(run) }, async (training) => {
      await training.advance(50);
      assert.equal(await training.hash(0), hashes.get(`${lesson} ${run}`));
    }));
  }
}

test('runs side by side are what each is alone, and any step can be had again', () => opened({ lesson: 'mask', runs: ['dice_masked', 'dice_unmasked'] }, async (training) => {
  const at: (readonly string[])[] = [];
  const both = async () => [await training.hash(0), await training.hash(1)];
  for (let step = 0; step <= 60; step += 1) {
    at.push(await both());
    if (step < 60) await training.advance(1);
  }
  assert.deepEqual(at[50], [hashes.get('mask dice_masked'), hashes.get('mask dice_unmasked')]);
  const loss = [...training.history(1).loss];
  const maps = Array.from({ length: 61 }, (_, step) => [...training.history(1).map(step) ?? []]);
  for (const step of [60, 0, 37, 25, 26, 24, 59, 1]) {
    await training.seek(step);
    assert.equal(training.step, step);
    assert.deepEqual(await both(), at[step], `step ${step}`);
    assert.deepEqual([...await training.map(1)].map((weight) => Math.floor(weight * 255 + 0.5)), maps[step]);
  }
  // On from there it is the same run.
  await training.advance(59);
  assert.deepEqual(await both(), at[60]);
  assert.equal(training.known, 60);
  assert.deepEqual([...training.history(1).loss], loss);
}));

test('a step is the same whole or in slices, and asking in between changes nothing', () => opened({ lesson: 'look_back', runs: ['two_layers', 'one_layer'] }, async (training) => {
  for (let step = 0; step < 50; step += 1) {
    void training.advance(1);
    if (step % 10 === 0) await training.state(0);
    if (step % 10 === 5) await training.fairTest(1);
    if (step % 10 === 7) await training.recite(0, { count: 3 });
  }
  await training.advance(0);
  while (training.step < 50) await training.advance(1);
  assert.deepEqual([await training.hash(0), await training.hash(1)], [hashes.get('look_back two_layers'), hashes.get('look_back one_layer')]);
}));

test('several steps in one message are what each is alone: none is lost, and none comes twice', async () => {
  const module = await TrainingModule.start(() => WebAssembly.compile(wasm));
  const [many, single] = [new TrainingHost(module), new TrainingHost(module)];
  for (const host of [many, single]) host.open({ lesson: 'mask', runs: ['dice_masked', 'dice_unmasked'], seed: 1 });
  const { taken, step } = many.advance(50, Infinity);
  assert.equal(step, 50);
  assert.deepEqual(taken.map((each) => each.step), Array.from({ length: 50 }, (_, i) => i + 1));
  assert.deepEqual(taken, Array.from({ length: 50 }, () => single.advance(1, Infinity).taken).flat());
  assert.deepEqual([many.hash(0), many.hash(1)], [hashes.get('mask dice_masked'), hashes.get('mask dice_unmasked')]);
  // In slices that end amid a step.
  many.open({ lesson: 'mask', runs: ['dice_masked', 'dice_unmasked'], seed: 1 });
  const sliced: typeof taken = [];
  while (sliced.length < 50) sliced.push(...many.advance(50 - sliced.length, 0.5).taken);
  assert.deepEqual(sliced, taken);
  many.free();
  single.free();
});

test('a page that asks for many steps at once has the history of every one', () => opened({ lesson: 'positions', runs: ['with_positions', 'without_positions'] }, async (many) => {
  await many.advance(50);
  await opened({ lesson: 'positions', runs: ['with_positions', 'without_positions'] }, async (single) => {
    while (single.step < 50) await single.advance(1);
    for (const run of [0, 1]) {
      const [a, b] = [many.history(run), single.history(run)];
      assert.equal(a.loss.length, 50);
      for (const of of ['loss', 'accuracy', 'smoothAccuracy', 'gradientNorm'] as const) assert.deepEqual(a[of], b[of], of);
      for (let step = 0; step <= 50; step += 1) assert.deepEqual(a.map(step), b.map(step), `map of step ${step}`);
    }
  });
}));

test('runs side by side keep their states at the same steps: the way back to any is short', () => opened({ lesson: 'stands_for', runs: ['seen_so_far', 'seen_whole', 'one_layer'] }, async (training) => {
  await training.advance(40);
  const [{ every }] = training.runs as [Training['runs'][number]];
  assert.deepEqual(training.runs.map((run) => run.every), [every, every, every]);
  const taken = { parts: 0 };
  const { stepPart } = ModuleRun.prototype;
  ModuleRun.prototype.stepPart = function () {
    taken.parts += 1;
    return stepPart.call(this);
  };
  try {
    for (const step of [39, 23, 24, 5]) {
      taken.parts = 0;
      await training.seek(step);
      assert.ok(taken.parts <= 3 * 3 * (step % every), `${taken.parts / 9} steps to step ${step}`);
    }
    taken.parts = 0;
    await training.seek(6);
    assert.ok(taken.parts <= 3 * 3, 'on from where it stands');
  } finally {
    ModuleRun.prototype.stepPart = stepPart;
  }
}));

test('states that are kept of all runs together are so many that a replay is short, and fit into memory', async () => {
  for (const [lesson, runs] of [['stands_for', ['seen_so_far', 'seen_whole', 'seen_whole']], ['heads', ['english_one_head', 'english_two_heads']], ['mask', ['characters_masked', 'characters_unmasked']], ['scale', ['width_256_divided', 'width_256_undivided']]] as const) {
    await opened({ lesson, runs }, async (training) => {
      const sum = (of: (run: Training['runs'][number]) => number) => training.runs.reduce((all, run) => all + of(run), 0);
      const [every, bytes] = [training.runs[0]?.every ?? NaN, sum(({ parameters, steps, every: own }) => (12 * parameters * steps) / own)];
      const work = every * sum(({ parameters, texts, length }) => 6 * parameters * texts * length);
      assert.ok(work <= 1.6e9 || bytes > 200e6, `${lesson}: ${work}`);
      assert.ok(bytes < 260e6, `${lesson}: ${bytes}`);
    });
  }
});

test('another text has maps of all steps that are known: at once of those that are kept, of others when they are gone to', () => opened({ lesson: 'stands_for', runs: ['seen_whole', 'seen_so_far'] }, async (training) => {
  await training.advance(40);
  const sentence = 'the trophy didn\'t fit in the suitcase because it was too small .';
  const every = training.runs[0]?.every ?? NaN;
  const before = await training.hash(0);
  await training.show(sentence);
  assert.equal(await training.hash(0), before, 'it stands where it stood');
  const has = () => Array.from({ length: 42 }, (_, step) => step).filter((step) => training.history(0).map(step) && training.history(1).map(step));
  const kept = Array.from({ length: 41 }, (_, step) => step).filter((step) => step % every === 0 || step === 40);
  assert.deepEqual(has(), kept);
  const as = async (run: number) => [...await training.map(run)].map((weight) => Math.floor(weight * 255 + 0.5));
  for (const step of [kept[1] ?? NaN, 2 * every - 1, 0]) {
    await training.seek(step);
    for (const run of [0, 1]) assert.deepEqual([...training.history(run).map(step) ?? []], await as(run), `step ${step}`);
  }
  assert.ok(Array.from({ length: every }, (_, i) => every + i).every((step) => has().includes(step)), 'also those on the way');
  await training.advance(41);
  assert.equal(training.known, 41);
  assert.ok(has().includes(41));
}));

test('a rule may change in the midst, and what was before is as it was', () => opened({ lesson: 'mask', runs: ['dice_masked', 'dice_unmasked'] }, async (training) => {
  await training.advance(40);
  const before = await training.hash(0);
  await training.change(0, { isCausal: false });
  assert.equal(training.runs[0]?.rule.isCausal, false);
  await training.advance(30);
  const after = await training.hash(0);
  await training.seek(40);
  assert.equal(await training.hash(0), before);
  await training.seek(20);
  await training.seek(70);
  assert.equal(await training.hash(0), after);
  await assert.rejects(training.change(0, { rate: -1 }), /rate of a training step must be a finite number, 0 or more/);
  assert.equal(await training.hash(0), after);
}));

test('a state is whole: scores to loss, forwards and backwards', () => opened({ lesson: 'heads', runs: ['two_heads'] }, async (training) => {
  await training.advance(20);
  const state = await training.state(0);
  assert.equal(state.step, 20);
  assert.equal(state.hash, await training.hash(0));
  const [layer] = state.layers;
  assert.ok(layer);
  const { scores, weights } = layer;
  equal(weights.values, await training.map(0));
  const [H, T] = weights.shape as [number, number];
  for (let row = 0; row < H * T; row += 1) {
    const of = (values: Float32Array) => values.subarray(row * T, (row + 1) * T);
    const [p, dp, ds] = [of(weights.values), of(weights.gradients), of(scores.gradients)];
    const mixed = p.reduce((sum, weight, k) => sum + weight * (dp[k] ?? 0), 0);
    p.forEach((weight, k) => assert.ok(Math.abs((ds[k] ?? NaN) - weight * ((dp[k] ?? 0) - mixed)) < 1e-7));
    const exps = of(scores.values).map((score) => Math.exp(score));
    const sum = exps.reduce((all, one) => all + one, 0);
    exps.forEach((exp, k) => assert.ok(Math.abs(exp / sum - (p[k] ?? NaN)) < 1e-5));
  }
  const count = state.parameters.reduce((all, { weights: numbers, gradients }) => all + (numbers.length === gradients.length ? numbers.length : NaN), 0);
  assert.equal(count, training.runs[0]?.parameters);
  const slots = state.text.targets.filter((target) => target >= 0).length;
  const loss = [...state.text.targets].reduce((sum, target, i) => (target < 0 ? sum : sum - Math.log(state.probabilities[i * 16 + target] ?? NaN) / slots), 0);
  assert.ok(Math.abs(loss - state.loss) < 1e-5);
}));

test('what the lesson on √d says of its models: gradients at step 0, softmax’s slope, and the division taken out at the end', async () => {
  const ratios: number[] = [];
  for (const width of [16, 64, 256]) {
    for (const seed of [1, 2, 3, 4, 5]) {
      await opened({ lesson: 'scale', runs: [`width_${width}_divided`, `width_${width}_undivided`], seed }, async (training) => {
        const [divided, undivided] = [await training.state(0), await training.state(1)];
        const size = ({ parameters }: typeof divided, name: string) => Math.hypot(...parameters.find((each) => each.name === `block_0.${name}`)?.gradients ?? []);
        for (const name of ['query', 'key']) ratios.push(size(undivided, name) / size(divided, name));
      });
    }
  }
  assert.deepEqual([Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(1)), ['1.6', '6.7']);
  await opened({ lesson: 'scale', runs: ['width_256_divided', 'width_256_undivided'] }, async (training) => {
    assert.ok(training.runs.every(({ shape }) => shape.layers === 1 && shape.heads === 1));
    await training.advance(1);
    const [on, off] = [training.history(0).record(1).heads[0], training.history(1).record(1).heads[0]];
    assert.ok(on && off && on.derivative > 0.9 && on.decided === 0 && off.derivative < 0.2 && off.decided > 0.5, JSON.stringify([on, off]));
  });
  await opened({ lesson: 'scale', runs: ['width_256_divided'] }, async (training) => {
    await training.advance(400);
    await training.change(0, { scales: false });
    const { asked, right } = await training.fairTest(0);
    assert.deepEqual([asked, right], [256, 256]);
  });
});

test('the model of a step is a file that opens as the same model', async () => {
  const operators = await loadInNode();
  const cases: [LessonId, string][] = [['look_back', 'two_layers'], ['mask', 'dice_unmasked'], ['heads', 'two_heads'], ['words', 'own_paragraph'], ['mask', 'characters_unmasked'], ['scale', 'width_256_undivided'], ['positions', 'without_positions'], ['stands_for', 'seen_whole']];
  for (const [lesson, run] of cases) {
    await opened({ lesson, runs: [run] }, async (training) => {
      await training.advance(10);
      const model = await LanguageModel.open(await training.file(0), {}, { operators: async () => operators });
      try {
        const { words, joint, shape } = training.runs[0] as Training['runs'][number];
        const { tokens: [...tokens], second } = training.displayed(0);
        const valueOf = (at: number) => second[at] ?? -1;
        // A record, two tokens at one place, is a word of its own: of 16 keys and 16 values the key’s values lie together.
        const ids = tokens.map((id, at) => (valueOf(at) < 0 ? id : 32 + 16 * id + valueOf(at) - 16));
        assert.equal(ids.some((id) => id >= shape.vocabulary), lesson === 'scale');
        const text = tokens.map((id, at) => `${words[id]}${words[valueOf(at)] ?? ''}`).join(joint);
        assert.deepEqual(model.tokenize(text).map(({ id }) => id), ids);
        const result = model.run(ids, Array.from({ length: shape.layers }, () => ({ ...(run.endsWith('undivided') && { scale: 1 }) })));
        if (shape.slots === 1) {
          const { probabilities } = await training.state(0);
          const last = probabilities.subarray(-shape.vocabulary);
          for (const { id, probability } of result.predictions(tokens.length - 1, shape.vocabulary)) assert.ok(Math.abs(probability - (last[id] ?? NaN)) < 2e-5, `${lesson} ${run}: ${id}`);
        }
        const own = await training.map(0);
        for (let layer = 0; layer < shape.layers; layer += 1) {
          for (let head = 0; head < shape.heads; head += 1) {
            const size = tokens.length ** 2;
            const at = (layer * shape.heads + head) * size;
            const got = result.weights(layer, head);
            own.subarray(at, at + size).forEach((weight, i) => assert.ok(Math.abs(weight - (got[i] ?? NaN)) < 2e-5, `${lesson} ${run}: ${weight} and ${got[i]}`));
          }
        }
        model.walk(result, 0);
      } finally {
        model.free();
      }
    });
  }
});

test('a paragraph is learnt by heart and recited; a held-out line is not', () => opened({ lesson: 'words', runs: ['own_paragraph'], heldOut: 'The wolf ate butter by the dark hill' }, async (training) => {
  await training.advance(300);
  assert.ok((training.history(0).smoothAccuracy.at(-1) ?? 0) > 0.95);
  const { text } = await training.recite(0, { prompt: 'Once upon a', count: 60 });
  assert.match(text, /^Once upon a time there was a little girl who lived in a small house at the edge of the dark wood, and every morning/);
  assert.ok((await training.fairTest(0)).loss < 0.5);
  assert.ok((await training.heldOut(0)).loss > 3);
  const drawn = await training.recite(0, { prompt: 'Once upon a', count: 20, temperature: 1, seed: 4 });
  assert.deepEqual(await training.recite(0, { prompt: 'Once upon a', count: 20, temperature: 1, seed: 4 }), drawn);
}));

for (const seed of [1, 2, 3, 4, 5]) {
  test(`without the mask more of a paragraph is right in training, and it cannot be recited: seed ${seed}`, () => opened({ lesson: 'words', runs: [{ run: 'own_paragraph', seed }, { run: 'own_paragraph', seed }] }, async (training) => {
    await training.change(1, { isCausal: false });
    await training.advance(300);
    const [on = NaN, off = NaN] = [0, 1].map((run) => training.history(run).smoothAccuracy.at(-1));
    assert.ok(off > on && on > 0.98, `${off} and ${on}`);
    const [recited, written] = [await training.recite(0, { prompt: 'Once upon a', count: 60 }), await training.recite(1, { prompt: 'Once upon a', count: 60 })];
    assert.match(recited.text, /^Once upon a time there was a little girl who lived in a small house at the edge of the dark wood, and every morning/);
    assert.doesNotMatch(written.text, /^Once upon a time there was a little/);
  }));
}

test('what is refused says why and leaves all as it was', () => opened({ lesson: 'mask', runs: ['dice_masked'] }, async (training) => {
  await training.advance(3);
  const before = await training.hash(0);
  const open = (wanted: Partial<WantedTraining>) => openTraining({ lesson: 'mask', runs: ['dice_masked'], ...wanted }, { wasm });
  await assert.rejects(open({ runs: [] }), /from 1 to 4 runs/);
  await assert.rejects(open({ runs: ['nothing'] }), /must be a whole number/);
  await assert.rejects(open({ lesson: 'words', runs: ['own_paragraph'], text: 'short' }), /needs more than/);
  await assert.rejects(open({ lesson: 'words', runs: ['own_paragraph'], text: 'a '.repeat(20_000) }), /at most 20,000 are learnt/);
  await assert.rejects(open({ runs: [{ run: 'dice_masked', shape: { heads: 3 } }] }), /must divide its d_model, 16/);
  await assert.rejects(open({ runs: [{ run: 'dice_masked', rule: { rate: NaN, clip: -1 } }] }), /clip of a training step/);
  await assert.rejects(training.show([7, 8]), /is not in the vocabulary/);
  await assert.rejects(training.show('7'), /“7” is not a word of this model/);
  await assert.rejects(training.seek(1.5), /whole number/);
  assert.throws(() => training.history(1), /no run 1/);
  assert.equal(await training.hash(0), before);
  assert.equal(training.displayed(0).tokens.length, 24);
}));

test('memory stays what it is over a hundred runs', async () => {
  const module = await TrainingModule.start(() => WebAssembly.compile(wasm));
  let first = 0;
  for (let i = 0; i < 100; i += 1) {
    const run = module.open('scale', 'width_64_divided', 1 + i, {}, {}, new Int32Array(), 0);
    for (let part = 0; part < 6; part += 1) run.stepPart();
    run.mapBytes();
    run.trace();
    run.fairTest();
    run.free();
    if (i === 2) first = module.heapBytes;
  }
  assert.equal(module.heapBytes, first);
});
