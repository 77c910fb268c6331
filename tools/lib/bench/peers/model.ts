// The shipped model beside the same in onnxruntime-web: one page, one run, one thread, turn by turn.
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveFolder } from '../../../../tests/lib/serve.ts';
import { launch } from '../../../../tests/lib/page.ts';
import { readExpected, shippedName } from '../../../../tests/lib/shipped-model.ts';
import { type Benchmark, type Result, markdown, median } from '../report.ts';
import type * as InPage from './measure-model.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDER = path.join(ROOT, 'build/bench/model');
/** Milliseconds that a run may take. */
const MOST_MS = 5;

const require = createRequire(import.meta.url);

async function buildPage(): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const esbuild = createRequire(path.join(ROOT, 'web/package.json'))('esbuild');
  await esbuild.build({
    entryPoints: [path.join(ROOT, 'tools/lib/bench/peers/measure-model.ts')],
    outfile: path.join(FOLDER, 'measure-model.js'),
    bundle: true, format: 'esm', target: 'es2022', platform: 'browser', minify: true, logLevel: 'error', define: { SHIPPED_MODEL: 'null' },
  });
  for (const extension of ['mjs', 'wasm']) {
    await copyFile(path.join(ROOT, `build/wasm/bindings/attention_operators.${extension}`), path.join(FOLDER, `attention_operators.${extension}`));
  }
  await copyFile(path.join(ROOT, 'web/model', shippedName()), path.join(FOLDER, shippedName()));
  const ort = path.join(path.dirname(require.resolve('onnxruntime-web/wasm')), 'ort-wasm-simd-threaded.wasm');
  await copyFile(ort, path.join(FOLDER, 'ort-wasm-simd-threaded.wasm'));
  await writeFile(path.join(FOLDER, 'model.html'), '<!doctype html><html lang="en"><meta charset="utf-8"><title>Model</title><link rel="icon" href="data:,">');
}

/** The longest text whose numbers are known, and PyTorch's logits of its last token. */
function orderOf(repetitions: number): InPage.Order {
  const { every, cases } = readExpected();
  const [longest] = [...cases].sort((a, b) => b.ids.length - a.ids.length);
  if (!longest) throw new Error('tests/data/model/expected.json has no case.');
  const kept = longest.logits.length / longest.ids.length;
  return { file: shippedName(), ids: longest.ids, expected: { every, logits: [...longest.logits.slice(-kept)] }, repetitions };
}

const cell = (samples: readonly number[]) => `${Math.min(...samples).toFixed(2)} (${median(samples).toFixed(2)})`;

async function run(progress: (done: string) => void, isQuick: boolean): Promise<Result> {
  await buildPage();
  const server = await serveFolder(FOLDER);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.addInitScript({ content: 'globalThis.__name = (f) => f;' });
    await page.goto(`${server.address}model.html`);
    const order = orderOf(isQuick ? 3 : 15);
    progress(`${order.ids.length} tokens`);
    const { attention, multiHead, ours, page: whole } = await page.evaluate(async ([address, order]) => {
      const module = (await import(`${address}measure-model.js`)) as typeof InPage;
      return module.measureModel(order);
    }, [server.address, order] as const);
    const ratio = Math.min(...attention, ...multiHead) / Math.min(...ours);
    const { devDependencies: versions } = require('./package.json');
    return {
      about: `The page's own model, ${order.ids.length} tokens through all its layers, logits of the last: milliseconds, the least of ${order.repetitions} and, in brackets, the median; one thread; the logits of all were checked first against PyTorch's. onnxruntime-web ${versions['onnxruntime-web']} on its WebAssembly backend, its parameters in float32 as ours.`,
      table: markdown(
        ['onnxruntime-web, with Attention', 'onnxruntime-web, with MultiHeadAttention', 'SIMD128', 'SIMD128, every weight and row kept', 'SIMD128 against the better'],
        [[cell(attention), cell(multiHead), `${cell(ours)} (at most ${MOST_MS})`, cell(whole), `${ratio.toFixed(2)}× (more than 1)`]],
      ),
      note: 'The last but one is what the page does. `tools/bench model --write`.',
    };
  } finally {
    await browser.close();
    await server.close();
  }
}

export const model: Benchmark = {
  name: 'model',
  isLong: true,
  run,
};
