// Whole models beside onnxruntime-web: one page, one run, turn by turn. `models` has the sizes that people have, with numbers made in
// the page; `model` is the one that the page ships. `memory`, by itself: what a tab takes for larger ones.
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { serveFolder } from '../../../../tests/lib/serve.ts';
import { Reader, launch, link } from '../../../../tests/lib/page.ts';
import { readExpected, shippedName } from '../../../../tests/lib/shipped-model.ts';
import { type Benchmark, type Result, markdown, median } from '../report.ts';
import { makePage } from '../serve.ts';
import { SHAPES, multiplied, operationsOf } from './decoder-graph.ts';
import type * as InPage from './measure-models.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDER = path.join(ROOT, 'build/bench/models');

const require = createRequire(import.meta.url);
const { 'onnxruntime-web': VERSION, '@huggingface/transformers': HUB_VERSION } = require('./package.json').devDependencies as Record<string, string>;
/** transformers.js brings a runtime of its own. */
const hubRuntime = (): string => path.dirname(createRequire(require.resolve('@huggingface/transformers')).resolve('onnxruntime-web/wasm'));

const buildPage = (): Promise<void> => makePage(FOLDER, path.join(ROOT, 'tools/lib/bench/peers/measure-models.ts'), [
  ...['attention_operators', 'attention_operators_threads'].flatMap((name) => [`${name}.mjs`, `${name}.wasm`]).map((file) => path.join(ROOT, 'build/wasm/bindings', file)),
  path.join(ROOT, 'build/bench/limit.wasm'),
  path.join(ROOT, 'web/model', shippedName()),
  path.join(path.dirname(require.resolve('onnxruntime-web/wasm')), 'ort-wasm-simd-threaded.wasm'),
  ...['mjs', 'wasm'].map((extension) => path.join(hubRuntime(), `ort-wasm-simd-threaded.asyncify.${extension}`)),
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
  bf16Threads: { name: 'bfloat16, 2 threads', bytes: 2 },
  peer: { name: 'onnxruntime-web, float32', bytes: 4 },
  peerInt8: { name: 'onnxruntime-web, int8', bytes: 1 },
  transformers: { name: 'transformers.js, float32', bytes: 4 },
};
const IDS = Object.keys(COLUMNS) as InPage.CompetitorId[];

type Row = Partial<Record<InPage.CompetitorId, readonly number[]>>;
const least = (row: Row, id: InPage.CompetitorId) => Math.min(...(row[id] ?? [Number.NaN]));
const times = (row: Row, slow: InPage.CompetitorId, fast: InPage.CompetitorId) => least(row, slow) / least(row, fast);
const both = (samples: readonly number[] = []) => `${Math.min(...samples).toFixed(1)} (${median(samples).toFixed(1)})`;

const HEAD = [...IDS.map((id) => COLUMNS[id].name), 'float32 against onnxruntime-web', 'float32 against transformers.js', 'int8 against int8', '2 threads against one', 'the same in bfloat16'];
const ratios = (row: Row, promise: string) => [`${times(row, 'peer', 'f32').toFixed(2)}× (${promise})`, `${times(row, 'transformers', 'f32').toFixed(2)}× (${promise})`, `${times(row, 'peerInt8', 'i8').toFixed(2)}×`, `${times(row, 'f32', 'f32Threads').toFixed(2)}× (1.7)`, `${times(row, 'bf16', 'bf16Threads').toFixed(2)}× (1.7)`];

interface Measured {
  shape: keyof typeof SHAPES;
  tokens: number;
  reading: Row;
  next: Row;
}

/** With the share of what one thread could multiply and add: one that is above it has more threads, or sums of whole numbers. */
const readingTable = (all: readonly Measured[], limit: number) => markdown(
  ['reading', ...HEAD],
  all.map(({ shape, tokens, reading }) => [
    `${SHAPES[shape].id}, ${tokens} tokens`,
    ...IDS.map((id) => `${both(reading[id])}, ${(operationsOf(SHAPES[shape], tokens) / least(reading, id) / 1e4 / limit).toFixed(0)} %`),
    ...ratios(reading, '1.5, aim 2'),
  ]),
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
    let [bestRate, bestLimit] = [0, 0];
    const all: Measured[] = [];
    const lengths = isQuick ? [64] : [64, 256];
    const repetitions = isQuick ? 3 : 7;
    for (const shape of Object.keys(SHAPES) as (keyof typeof SHAPES)[]) {
      progress(`${SHAPES[shape].id}: some minutes`);
      const order: InPage.Order = { shape, lengths, competitors: IDS, repetitions };
      const { measured, rate, limit } = await open((page, address) => page.evaluate(async ([address, order]) => ((await import(`${address}measure-models.js`)) as typeof InPage).measureModels(order), [address, order] as const));
      bestRate = Math.max(bestRate, rate);
      bestLimit = Math.max(bestLimit, limit);
      for (const tokens of lengths) {
        const rows = measured.filter((each) => each.tokens === tokens);
        const row = (what: 'reading' | 'next'): Row => Object.fromEntries(rows.map((each) => [each.competitor, each[what]]));
        all.push({ shape, tokens, reading: row('reading'), next: row('next') });
      }
    }
    return {
      about: `GPT-2's shape (124 million numbers) and SmolLM-135M's, random numbers of a fixed seed: milliseconds until the logits of the last token are there, the least of ${repetitions} and, in brackets, the median; one thread but in two columns. Logits were checked first: ours are the same bits in every width and with two threads; onnxruntime-web ${VERSION}, and transformers.js ${HUB_VERSION} on its own build of it, in float32 within 10⁻⁴ of the largest logit; in int8, where it rounds what is multiplied to 8 bits as well, within 10 %. Behind a time stands the share of what one thread can multiply and add: ${bestLimit.toFixed(1)} GFLOP/s in the same turns, chains of float32 in registers.`,
      table: `${readingTable(all, bestLimit)}\n\nOne token with the cache; behind it the share of the memory's rate, ${bestRate.toFixed(1)} GB/s on one thread in the same turns, at which its matrices are read:\n\n${nextTable(all, bestRate)}`,
      note: '`tools/bench models --write`.',
    };
  });
}

export const models: Benchmark = { name: 'models', page: 'models.md', isLong: true, run: runModels };

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

// --- memory -------------------------------------------------------------------------------------------------------

const SMOL = { id: 'SmolLM-135M', type: 'llama', layers: 30, D: 576, heads: 9, keyHeads: 3, MLP: 1536, V: 49152, isBiased: false };
const QWEN = { id: 'Qwen2.5-0.5B', type: 'qwen2', layers: 24, D: 896, heads: 14, keyHeads: 2, MLP: 4864, V: 151936, isBiased: true };
const LLAMA = { id: 'Llama-3.2-1B', type: 'llama', layers: 16, D: 2048, heads: 32, keyHeads: 8, MLP: 8192, V: 128256, isBiased: false };
const HEAD_WIDTH = 64;

/** A folder with a model of such a shape, of small numbers in bfloat16. @returns bytes of its file */
async function makeModel(folder: string, { type, layers, D, heads, keyHeads, MLP, V, isBiased }: typeof QWEN): Promise<number> {
  const [q, k] = [heads * HEAD_WIDTH, keyHeads * HEAD_WIDTH];
  const block: [string, ...number[]][] = [['input_layernorm.weight', D], ['post_attention_layernorm.weight', D], ['self_attn.o_proj.weight', D, q], ['mlp.gate_proj.weight', MLP, D], ['mlp.up_proj.weight', MLP, D], ['mlp.down_proj.weight', D, MLP]];
  for (const [name, rows] of [['q', q], ['k', k], ['v', k]] as const) block.push([`self_attn.${name}_proj.weight`, rows, D], ...(isBiased ? [[`self_attn.${name}_proj.bias`, rows] as [string, number]] : []));
  const all: [string, ...number[]][] = [['model.embed_tokens.weight', V, D], ['model.norm.weight', D], ...Array.from({ length: layers }, (_, i) => block.map(([name, ...shape]): [string, ...number[]] => [`model.layers.${i}.${name}`, ...shape])).flat()];
  let at = 0;
  const header = Object.fromEntries(all.map(([name, ...shape]) => [name, { dtype: 'BF16', shape, data_offsets: [at, at += 2 * shape.reduce((a, b) => a * b)] }]));
  const text = Buffer.from(JSON.stringify(header));
  const float = new Float32Array(1 << 20).map((_, i) => 0.05 * Math.sin(1e4 * Math.sin(i)));
  const some = Buffer.from(Uint16Array.from(new Uint32Array(float.buffer), (word) => word >>> 16).buffer);
  await mkdir(folder, { recursive: true });
  const file = await open(path.join(folder, 'model.safetensors'), 'w');
  await file.write(Buffer.from(new BigUint64Array([BigInt(text.length)]).buffer));
  await file.write(text);
  for (let left = at; left > 0; left -= some.length) await file.write(some.subarray(0, Math.min(left, some.length)));
  await file.close();
  await writeFile(path.join(folder, 'config.json'), JSON.stringify({ model_type: type, hidden_size: D, num_hidden_layers: layers, num_attention_heads: heads, num_key_value_heads: keyHeads, max_position_embeddings: 32768, rope_theta: 1e6, rms_norm_eps: 1e-6 }));
  return at;
}

async function runMemory(progress: (done: string) => void, isQuick: boolean): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'memory-'));
  const readers = [await Reader.arrive(), await Reader.arrive(undefined, { isolated: true })];
  const rows: (string | number)[][] = [];
  try {
    for (const [i, reader, shape] of (isQuick ? [SMOL] : [SMOL, QWEN, LLAMA]).flatMap((shape) => readers.map((reader, i) => [i, reader, shape] as const))) {
      progress(`${shape.id}${i ? ', isolated' : ''}: a minute`);
      const size = await makeModel(folder, shape);
      const { page, ...playground } = await opened(reader);
      const before = await peakOf(page);
      const seconds = await timed(async () => {
        await page.locator('.yours input[multiple]').setInputFiles(['model.safetensors', 'config.json'].map((name) => path.join(folder, name)));
        await page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
        await playground.still();
      });
      const there = await peakOf(page);
      const threads = /with (\d+) threads/.exec(await page.locator('.yours').innerText())?.[1] ?? 1;
      await page.evaluate(() => {
        const keys: number[] = [];
        let came = 0;
        Object.assign(window, { keys });
        addEventListener('keydown', ({ timeStamp }) => { came = timeStamp; }, { capture: true });
        addEventListener('input', () => { keys.push(performance.now() - came); });
      });
      await page.locator('#text').focus();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' 7 12 99 100 5', { delay: 200 });
      await playground.still();
      const keys = await page.evaluate(() => (window as unknown as { keys: number[] }).keys);
      const written: number[] = [];
      for (let i = 0; i < 5; i += 1) written.push(await timed(async () => {
        const words = await page.locator('#text').inputValue();
        await page.locator('[data-write=one]').click();
        await page.waitForFunction((text) => (document.querySelector('attention-playground')?.shadowRoot?.querySelector('#text') as HTMLTextAreaElement).value !== text, words);
        await playground.still();
      }));
      const most = await peakOf(page);
      rows.push([shape.id, threads, (size / 1e6).toFixed(0), seconds.toFixed(1), ...[before, there, most].map((bytes) => (bytes / 1e6).toFixed(0)), (most / size).toFixed(2), Math.max(...keys).toFixed(1), median(keys).toFixed(1), `${Math.min(...written).toFixed(2)} (${median(written).toFixed(2)})`]);
      await page.close();
    }
  } finally {
    for (const reader of readers) await reader.leave();
    await rm(folder, { recursive: true });
  }
  return {
    about: 'Models of these shapes, random numbers in bfloat16, opened in the built page from files, and on the same page isolated, where threads read: the most that the process of the tab, its worker included, ever held (VmHWM). Then five token numbers are typed behind 64, and five tokens are written. Keys come while a text is read. A word is written when all that the page shows of it stands: the least of five and, in brackets, the median.',
    table: markdown(['shape', 'threads', 'file, MB', 'opened and read, s', 'before, MB', 'opened, MB', 'in the end, MB', 'of the file', 'slowest key, ms', 'a key, median', 'a word written, s'], rows),
    note: 'A key’s time is from its coming to the end of what hears it, without the paint. `tools/bench memory --write`.',
  };
}

async function opened(reader: Reader): Promise<{ page: Page; still(): Promise<void> }> {
  const playground = await reader.open({ fragment: link({ text: Array.from({ length: 64 }, (_, i) => (7919 * i) % 1000).join(' '), parameters: 'yours' }) });
  playground.page.setDefaultTimeout(300_000);
  return { page: playground.page, still: async () => {
    await playground.ready();
    await playground.page.waitForFunction(() => !document.querySelector('attention-playground')?.shadowRoot?.querySelector('.answer[aria-busy], .model-heads[data-drawing]'));
  } };
}

async function timed(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return (performance.now() - began) / 1000;
}

/** Bytes: of the largest process that shows pages. */
async function peakOf(page: Page): Promise<number> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo = [] } = await session?.send('SystemInfo.getProcessInfo') ?? {};
  await session?.detach();
  const peaks = await Promise.all(processInfo.filter(({ type }) => type === 'renderer').map(async ({ id }) => 1024 * Number(/^VmHWM:\s+(\d+)/m.exec(await readFile(`/proc/${id}/status`, 'utf8'))?.[1])));
  return Math.max(...peaks);
}

export const memory: Benchmark = { name: 'memory', page: 'models.md', isLong: true, run: runMemory };
