// Whole models beside onnxruntime-web: one page, one run, turn by turn. `models` has the sizes that people have, with numbers made in
// the page; `model` is the one that the page ships.
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { serveFolder } from '../../../../tests/lib/serve.ts';
import { launch } from '../../../../tests/lib/page.ts';
import { readExpected, shippedName } from '../../../../tests/lib/shipped-model.ts';
import { type Benchmark, type Result, markdown, median } from '../report.ts';
import { makePage } from '../serve.ts';
import { SHAPES, multiplied } from './decoder-graph.ts';
import type * as InPage from './measure-models.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDER = path.join(ROOT, 'build/bench/models');

const require = createRequire(import.meta.url);
const VERSION: string = require('./package.json').devDependencies['onnxruntime-web'];

const buildPage = (): Promise<void> => makePage(FOLDER, path.join(ROOT, 'tools/lib/bench/peers/measure-models.ts'), [
  ...['attention_operators', 'attention_operators_threads'].flatMap((name) => [`${name}.mjs`, `${name}.wasm`]).map((file) => path.join(ROOT, 'build/wasm/bindings', file)),
  path.join(ROOT, 'build/bench/limit.wasm'),
  path.join(ROOT, 'web/model', shippedName()),
  path.join(path.dirname(require.resolve('onnxruntime-web/wasm')), 'ort-wasm-simd-threaded.wasm'),
], { SHIPPED_MODEL: 'null' });

/** Each call with a page of its own, which gives its memory back. */
async function inPages<T>(use: (open: <U>(task: (page: Page, address: string) => Promise<U>) => Promise<U>) => Promise<T>): Promise<T> {
  await buildPage();
  const server = await serveFolder(FOLDER);
  const browser = await launch();
  try {
    return await use(async (task) => {
      const page = await browser.newPage();
      await page.addInitScript({ content: 'globalThis.__name = (f) => f;' });
      await page.goto(`${server.address}measure-models.html`);
      const result = await task(page, server.address);
      await page.close();
      return result;
    });
  } finally {
    await browser.close();
    await server.close();
  }
}

// --- the sizes that people have -----------------------------------------------------------------------------------

/** In the order of the columns; the first is what all others are checked against. */
const COLUMNS: Record<InPage.CompetitorId, { name: string; bytes: number }> = {
  f32: { name: 'float32', bytes: 4 },
  bf16: { name: 'bfloat16', bytes: 2 },
  f16: { name: 'float16', bytes: 2 },
  i8: { name: 'int8', bytes: 1 },
  f32Threads: { name: 'float32, 2 threads', bytes: 4 },
  peer: { name: 'onnxruntime-web, float32', bytes: 4 },
  peerInt8: { name: 'onnxruntime-web, int8', bytes: 1 },
};
const IDS = Object.keys(COLUMNS) as InPage.CompetitorId[];

type Row = Partial<Record<InPage.CompetitorId, readonly number[]>>;
const least = (row: Row, id: InPage.CompetitorId) => Math.min(...(row[id] ?? [Number.NaN]));
const times = (row: Row, slow: InPage.CompetitorId, fast: InPage.CompetitorId) => least(row, slow) / least(row, fast);
const both = (samples: readonly number[] = []) => `${Math.min(...samples).toFixed(1)} (${median(samples).toFixed(1)})`;

const HEAD = [...IDS.map((id) => COLUMNS[id].name), 'float32 against float32', 'int8 against int8', '2 threads against one'];
const ratios = (row: Row, promise: string) => [`${times(row, 'peer', 'f32').toFixed(2)}× (${promise})`, `${times(row, 'peerInt8', 'i8').toFixed(2)}×`, `${times(row, 'f32', 'f32Threads').toFixed(2)}× (1.7)`];

interface Measured {
  shape: keyof typeof SHAPES;
  tokens: number;
  reading: Row;
  next: Row;
}

const readingTable = (all: readonly Measured[]) => markdown(
  ['reading', ...HEAD],
  all.map(({ shape, tokens, reading }) => [`${SHAPES[shape].id}, ${tokens} tokens`, ...IDS.map((id) => both(reading[id])), ...ratios(reading, '1.5, aim 2')]),
);

/** With the share of the memory's rate at which a token's matrices are read. */
const nextTable = (all: readonly Measured[], rate: number) => markdown(
  ['one token', ...HEAD, 'bfloat16 against float32'],
  all.map(({ shape, tokens, next }) => [
    `${SHAPES[shape].id}, after ${tokens}`,
    ...IDS.map((id) => `${both(next[id])}, ${((multiplied(SHAPES[shape]) * COLUMNS[id].bytes) / least(next, id) / 1e4 / rate).toFixed(0)} %`),
    ...ratios(next, '1.5, aim 2.5'), `${times(next, 'peer', 'bf16').toFixed(2)}×`,
  ]),
);

async function runModels(progress: (done: string) => void, isQuick: boolean): Promise<Result> {
  return inPages(async (open) => {
    let best = 0;
    const all: Measured[] = [];
    const lengths = isQuick ? [64] : [64, 256];
    const repetitions = isQuick ? 3 : 7;
    for (const shape of Object.keys(SHAPES) as (keyof typeof SHAPES)[]) {
      progress(`${SHAPES[shape].id}: some minutes`);
      const order: InPage.Order = { shape, lengths, competitors: IDS, repetitions };
      const { measured, rate } = await open((page, address) => page.evaluate(async ([address, order]) => ((await import(`${address}measure-models.js`)) as typeof InPage).measureModels(order), [address, order] as const));
      best = Math.max(best, rate);
      for (const tokens of lengths) {
        const rows = measured.filter((each) => each.tokens === tokens);
        const row = (what: 'reading' | 'next'): Row => Object.fromEntries(rows.map((each) => [each.competitor, each[what]]));
        all.push({ shape, tokens, reading: row('reading'), next: row('next') });
      }
    }
    return {
      about: `GPT-2's shape (124 million numbers) and SmolLM-135M's, random numbers of a fixed seed: milliseconds until the logits of the last token are there, the least of ${repetitions} and, in brackets, the median; one thread but in one column. Logits were checked first: ours are the same bits in every width and with two threads; onnxruntime-web ${VERSION} in float32 within 10⁻⁴ of the largest logit, in int8, where it rounds what is multiplied to 8 bits as well, within 10 %.`,
      table: `${readingTable(all)}\n\nOne token with the cache; behind it the share of the memory's rate, ${best.toFixed(1)} GB/s on one thread in the same turns, at which its matrices are read:\n\n${nextTable(all, best)}`,
      note: '`tools/bench models --write`.',
    };
  });
}

export const models: Benchmark = { name: 'models', isLong: true, run: runModels };

// --- the shipped model --------------------------------------------------------------------------------------------

/** Milliseconds that a run may take. */
const MOST_MS = 5;

/** The longest text whose numbers are known, and PyTorch's logits of its last token. */
function orderOf(repetitions: number): InPage.ShippedOrder {
  const { every, cases } = readExpected();
  const [longest] = [...cases].sort((a, b) => b.ids.length - a.ids.length);
  if (!longest) throw new Error('tests/data/model/expected.json has no case.');
  const kept = longest.logits.length / longest.ids.length;
  return { file: shippedName(), ids: longest.ids, expected: { every, logits: [...longest.logits.slice(-kept)] }, repetitions };
}

const cell = (samples: readonly number[]) => `${Math.min(...samples).toFixed(2)} (${median(samples).toFixed(2)})`;

async function runModel(progress: (done: string) => void, isQuick: boolean): Promise<Result> {
  const order = orderOf(isQuick ? 3 : 15);
  progress(`${order.ids.length} tokens`);
  const { attention, multiHead, ours, page: whole } = await inPages((open) => open((page, address) => page.evaluate(
    async ([address, order]) => ((await import(`${address}measure-models.js`)) as typeof InPage).measureModel(order), [address, order] as const,
  )));
  const ratio = Math.min(...attention, ...multiHead) / Math.min(...ours);
  return {
    about: `The page's own model, ${order.ids.length} tokens through all its layers, logits of the last: milliseconds, the least of ${order.repetitions} and, in brackets, the median; one thread; the logits of all were checked first against PyTorch's. onnxruntime-web ${VERSION} on its WebAssembly backend, its parameters in float32 as ours.`,
    table: markdown(
      ['onnxruntime-web, with Attention', 'onnxruntime-web, with MultiHeadAttention', 'SIMD128', 'SIMD128, every weight and row kept', 'SIMD128 against the better'],
      [[cell(attention), cell(multiHead), `${cell(ours)} (at most ${MOST_MS})`, cell(whole), `${ratio.toFixed(2)}× (more than 1)`]],
    ),
    note: 'The last but one is what the page does. `tools/bench model --write`.',
  };
}

export const model: Benchmark = { name: 'model', isLong: true, run: runModel };
