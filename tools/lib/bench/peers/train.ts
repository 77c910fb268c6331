// Steps of training beside TensorFlow.js's: one page, one run, one thread, turn by turn.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveFolder } from '../../../../tests/lib/serve.ts';
import { launch } from '../../../../tests/lib/page.ts';
import { type Benchmark, type Result, markdown, median } from '../report.ts';
import { makePage } from '../serve.ts';
import type * as InPage from './measure-train.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDER = path.join(ROOT, 'build/bench/train');
const TEXTS = 16;

/** How many times the other trainer's steps are promised, and aimed at. */
const MODELS: readonly { shape: InPage.Shape; steps: number; promised: string }[] = [
  { shape: { d_model: 32, heads: 2, layers: 2, hidden: 0 }, steps: 400, promised: '1.4, aim 1.8' },
  { shape: { d_model: 64, heads: 4, layers: 2, hidden: 256 }, steps: 60, promised: '' },
  { shape: { d_model: 128, heads: 4, layers: 4, hidden: 512 }, steps: 12, promised: '1.15, aim 1.3' },
];

const require = createRequire(import.meta.url);

const buildPage = (): Promise<void> => makePage(FOLDER, path.join(ROOT, 'tools/lib/bench/peers/measure-train.ts'), [
  path.join(ROOT, 'build/wasm/bindings/attention_training.wasm'),
  path.join(ROOT, 'build/bench/limit.wasm'),
  require.resolve('@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm'),
]);

/** ATTENTION_OTHER_TRAINER names a C++ file whose program trains the same and prints “steps/s N”. */
function buildOther(): string | null {
  const source = process.env['ATTENTION_OTHER_TRAINER'];
  if (!source) return null;
  const script = 'other.mjs';
  execFileSync('em++', [source, '-std=c++20', '-O3', '-msimd128', '-ffp-contract=off', '-fno-exceptions', '-sMODULARIZE', '-sEXPORT_ES6', '-sENVIRONMENT=web', '-sALLOW_MEMORY_GROWTH',
    '-sSTACK_SIZE=4MB', '-sINCOMING_MODULE_JS_API=arguments,print', '-o', path.join(FOLDER, script)], { stdio: ['ignore', 'ignore', 'inherit'] });
  return script;
}

/**
 * Multiplications and additions of a step: of each product forwards, and twice as many backwards. Of attention's products only
 * what the causal mask leaves counts, of the look-up of embeddings, of norms and of AdamW nothing.
 */
function operations({ d_model, hidden, layers }: InPage.Shape, { length, vocabulary }: { length: number; vocabulary: number }): number {
  const rows = TEXTS * length;
  const products = layers * (4 * d_model ** 2 + 2 * d_model * hidden) + d_model * vocabulary;
  const attention = layers * 2 * d_model * ((length + 1) / 2);
  return 2 * 3 * rows * (products + attention);
}

const cell = (samples: readonly number[]) => `${Math.min(...samples).toPrecision(3)} (${median(samples).toPrecision(3)})`;

async function run(progress: (done: string) => void, isQuick: boolean): Promise<Result> {
  await buildPage();
  const script = buildOther();
  const server = await serveFolder(FOLDER);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.addInitScript({ content: 'globalThis.__name = (f) => f;' });
    await page.goto(`${server.address}measure-train.html`);
    const inPage = `${server.address}measure-train.js`;
    const limit = await page.evaluate(async ([address]) => ((await import(address)) as typeof InPage).limit('limit.wasm'), [inPage] as const);
    const rows: string[][] = [];
    for (const { shape, steps, promised } of MODELS) {
      const { d_model: D, heads: H, layers: L, hidden: F } = shape;
      progress(`d_model ${D}`);
      const words = ['ind', 'V=32', 'T=32', 'lo=6', 'hi=16', `D=${D}`, `H=${H}`, `L=${L}`, `F=${F}`, 'pos=1', 'B=16', 'v=0', `steps=${steps}`, `every=${steps}`];
      const order: InPage.Order = { shape, repetitions: isQuick ? 2 : 7, other: script ? { script, words } : null };
      const { ours, tfjs, other, ...model } = await page.evaluate(async ([address, order]) => ((await import(address)) as typeof InPage).measureTrain(order), [inPage, order] as const);
      const speed = operations(shape, model) / Math.min(...ours) / 1e6;
      rows.push([
        `${D}, ${L}, ${H}, ${F || '–'}`, String(model.parameters), cell(ours), (1000 / Math.min(...ours)).toFixed(0), speed.toFixed(1), `${((100 * speed) / limit).toFixed(0)} %`,
        cell(tfjs), `${(Math.min(...tfjs) / Math.min(...ours)).toFixed(1)}×`,
        ...(script ? [cell(other), `${(Math.min(...other) / Math.min(...ours)).toFixed(2)}×${promised && ` (${promised})`}`] : []),
      ]);
    }
    const { devDependencies: versions } = require('./package.json');
    return {
      about: `Milliseconds a step of training (forward, backward, AdamW), ${TEXTS} texts of 32 tokens over 32 symbols, causal: the least of ${isQuick ? 2 : 7} and, in brackets, the median; one thread. Loss and gradient of a batch were checked first to be the same in TensorFlow.js ${versions['@tensorflow/tfjs-core']} on its WebAssembly backend, whose times leave the making of batches out; ours have it. The limit is ${limit.toFixed(1)} GFLOP/s, chains of multiplications and additions without memory in the same page.`,
      table: markdown(['d_model, layers, heads, hidden', 'parameters', 'ours', 'steps a second', 'GFLOP/s', 'of the limit', 'TensorFlow.js', 'ratio', ...(script ? ['another trainer', 'ratio'] : [])], rows),
      note: 'Of attention’s products only what the mask leaves is counted. `tools/bench train --write`.',
    };
  } finally {
    await browser.close();
    await server.close();
  }
}

export const train: Benchmark = {
  name: 'train',
  isLong: true,
  run,
};
