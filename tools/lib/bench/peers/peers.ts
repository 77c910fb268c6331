// The operators beside other libraries for the browser: one page, one run, turn by turn.
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { serveFolder } from '../../../../tests/lib/serve.ts';
import { launch } from '../../../../tests/lib/page.ts';
import type { Benchmark, Result } from '../report.ts';
import { makePage } from '../serve.ts';
import { type Case, attention, decode, layer } from './competitors.ts';
import type * as InPage from './measure.ts';
import type { CompetitorId, Measured, Order } from './measure.ts';
import { type Curve, type Row, best, extraNotes, isDisturbed, mainTable, plot } from './tables.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const HERE = path.join(ROOT, 'tools/lib/bench/peers');
const FOLDER = path.join(ROOT, 'build/bench/peers');
const PICTURE = 'web/docs/pictures/speed.svg';

const require = createRequire(import.meta.url);
const beside = (specifier: string, file: string) => path.join(path.dirname(require.resolve(specifier)), file);

const buildPage = (): Promise<void> => makePage(FOLDER, path.join(HERE, 'measure.ts'), [
  ...['attention_operators', 'attention_operators_relaxed', 'attention_operators_threads'].flatMap((name) => [`${name}.mjs`, `${name}.wasm`]).map((file) => path.join(ROOT, 'build/wasm/bindings', file)),
  ...['limit.wasm', 'limit_relaxed.wasm'].map((file) => path.join(ROOT, 'build/bench', file)),
  beside('onnxruntime-web/wasm', 'ort-wasm-simd-threaded.wasm'),
  beside('@tensorflow/tfjs-backend-wasm', 'tfjs-backend-wasm-simd.wasm'),
]);

const PATIENCE_MS = 15_000;

class Bench {
  constructor(readonly page: Page, readonly address: string, readonly isQuick: boolean) {}

  measure(each: Case, competitors: readonly CompetitorId[]): Promise<Measured[]> {
    const order: Order = { each, competitors, repetitions: this.isQuick ? 3 : 7, patienceMs: PATIENCE_MS };
    return this.page.evaluate(async ([address, order]) => {
      const module = (await import(`${address}measure.js`)) as typeof InPage;
      return module.measure(order);
    }, [this.address, order] as const);
  }

  limit(file: string): Promise<number> {
    return this.page.evaluate(async ([address, file]) => {
      const module = (await import(`${address}measure.js`)) as typeof InPage;
      return module.limit(file);
    }, [this.address, file] as const);
  }
}

const EVERYONE: readonly CompetitorId[] = ['Attention', 'MultiHeadAttention', 'tfjs', 'simd128', 'relaxed', 'threads'];
const PAIRED: readonly CompetitorId[] = EVERYONE.filter((id) => id !== 'tfjs');

/** The table's rows, with what is promised and what is aimed at: how many times faster than the better of onnxruntime-web's two. */
const rows = (isQuick: boolean): Row[] => [
  { each: attention(128, false), competitors: EVERYONE, aims: { simd128: [1.6, 2] } },
  { each: attention(128, true), competitors: PAIRED, aims: { simd128: [2.5, 3] } },
  { each: attention(512, false), competitors: PAIRED },
  { each: attention(512, true), competitors: PAIRED },
  ...(isQuick ? [] : ([
    { each: attention(1024, false), competitors: EVERYONE, aims: { simd128: [1.7, 2], relaxed: [2.1, 2.5] } },
    { each: attention(1024, true), competitors: PAIRED, aims: { simd128: [3.3, 4], relaxed: [4.1, 5] } },
  ] satisfies Row[])),
  { each: layer(512), competitors: PAIRED, aims: { simd128: [1.8, 2.2] } },
  { each: decode(1024), competitors: PAIRED, aims: { simd128: [1.5, 3] } },
];

const LINES: Record<string, readonly CompetitorId[]> = {
  'onnxruntime-web': ['Attention', 'MultiHeadAttention'], tfjs: ['tfjs'], SIMD128: ['simd128'], 'relaxed SIMD': ['relaxed'],
};

/** Doubling n until a competitor runs out of memory or patience. */
async function curves(bench: Bench, progress: (done: string) => void): Promise<Curve[]> {
  const lines = Object.keys(LINES).map((name): Curve & { points: { n: number; ms: number }[] } => ({ name, points: [] }));
  const gone = new Set<CompetitorId>();
  for (let n = 64; n <= (bench.isQuick ? 512 : 16_384); n *= 2) {
    const racing = Object.values(LINES).flat().filter((id) => !gone.has(id));
    progress(`time against n: ${n.toLocaleString('en')} (${racing.length} still run)`);
    const measured = await bench.measure(attention(n, true), racing);
    for (const { competitor, samples } of measured) if (samples.length === 0) gone.add(competitor);
    for (const line of lines) {
      const mine = measured.filter(({ competitor }) => LINES[line.name]?.includes(competitor));
      const ms = Math.min(...mine.map(({ samples }) => best(samples)).filter(Number.isFinite));
      if (Number.isFinite(ms)) line.points.push({ n, ms });
      else if (mine.length > 0) line.end ??= `${n.toLocaleString('en')}: ${mine[0]?.problem?.split('\n')[0]?.slice(0, 160)}`;
      // Twice the length takes four times as long: no need to wait for it.
      if (Number.isFinite(ms) && ms * 4 > PATIENCE_MS * 1.5) {
        LINES[line.name]?.forEach((id) => gone.add(id));
        if (n < 16_384) line.end = `${(n * 2).toLocaleString('en')}: longer than ${PATIENCE_MS / 1000} s`;
      }
    }
  }
  return lines;
}

const endings = (lines: readonly Curve[]): string =>
  lines.flatMap(({ name, end }) => (end ? [`${name} stops before n = ${end.replace(/[.]$/, '')}. `] : [])).join('');

async function run(progress: (done: string) => void, isQuick: boolean): Promise<Result> {
  await buildPage();
  const server = await serveFolder(FOLDER);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.addInitScript({ content: 'globalThis.__name = (f) => f;' });
    await page.goto(`${server.address}measure.html`);
    const bench = new Bench(page, server.address, isQuick);
    const limits = { simd128: await bench.limit('limit.wasm'), relaxed: await bench.limit('limit_relaxed.wasm') };
    const table = rows(isQuick);
    for (const [i, row] of table.entries()) {
      progress(`${i + 1} of ${table.length}: ${row.each.id}`);
      row.measured = await bench.measure(row.each, row.competitors);
    }
    const short = { each: attention(1024, true, 1), competitors: ['simd128'], measured: [] } as Row;
    const long = { each: attention(isQuick ? 2048 : 16_384, true, 1), competitors: ['simd128'] } as Row;
    await page.reload(); // a module that has grown for nothing else
    for (const row of [short, long]) {
      progress(`growth with n: ${row.each.id}`);
      row.measured = await bench.measure(row.each, row.competitors);
    }
    const curve = await curves(bench, progress);
    const { devDependencies: versions } = createRequire(import.meta.url)('./package.json');
    return {
      about: `Milliseconds, the least of ${isQuick ? 3 : 7} and, in brackets, the median; 12 heads, d = 64, one thread but in the last column; every result was checked first against plain loops in double. onnxruntime-web ${versions['onnxruntime-web']} and TensorFlow.js ${versions['@tensorflow/tfjs-core']} on their WebAssembly backends. \`tools/bench --help\` says how it is measured.`,
      table: `${mainTable(table)}\n\n${extraNotes(table, limits, short, long)}\n\n![Time against the number of tokens, both axes logarithmic](pictures/speed.svg)\n\nTime for a causal mask over n tokens, 12 heads. ${endings(curve)}This page's figures and the picture: \`tools/bench peers --write\`.`,
      note: isDisturbed(table) ? 'Other programs were running: measure again when the machine does nothing else.' : '',
      pictures: { [PICTURE]: plot(curve) },
    };
  } finally {
    await browser.close();
    await server.close();
  }
}

export const peers: Benchmark = {
  name: 'peers',
  isLong: true,
  run,
};
