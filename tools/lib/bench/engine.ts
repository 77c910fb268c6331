// What the engine alone costs: the module as the page loads it, asked what the page asks at each keystroke.
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Reader } from '../../../tests/lib/page.ts';
import type { Engine, Settings, StageId } from '../../../web/src/engine/engine.ts';
import { CASES, CHECKED, assertRight, described, words } from './cases.ts';
import { type Benchmark, type Result, markdown, median, milliseconds, quantile } from './report.ts';
import { MainThread } from './trace.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const WARM_UP = 20;
const RUNS = 64;
const MARK = 'bench-engine';

/** A page with the engine and nothing else. */
async function buildPage(): Promise<string> {
  const folder = path.join(ROOT, 'build/bench/engine');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const esbuild = createRequire(new URL('../../../web/package.json', import.meta.url))('esbuild');
  await esbuild.build({
    entryPoints: [path.join(ROOT, 'web/src/engine/engine.ts')],
    outfile: path.join(folder, 'engine.js'),
    bundle: true, format: 'esm', target: 'es2022', minify: true, logLevel: 'warning',
  });
  await copyFile(path.join(ROOT, 'build/wasm/bindings/attention.wasm'), path.join(folder, 'attention.wasm'));
  await writeFile(path.join(folder, 'engine.html'), '<!doctype html><html lang="en"><meta charset="utf-8"><title>Engine</title><link rel="icon" href="data:,">');
  return folder;
}

interface Order {
  address: string;
  tokens: string[];
  settings: Settings;
  checked: readonly StageId[];
  runs: number;
  mark: string;
}

/** Runs inside the page. A run a task, so that the trace tells them apart; the last word changes, as in typing. */
async function runInPage({ address, tokens, settings, checked, runs, mark }: Order): Promise<number[][]> {
  const module = (await import(address)) as { Engine: typeof Engine };
  const session = (await module.Engine.load()).session();
  const compute = (last: string) => {
    const trace = session.run([...tokens.slice(0, -1), last], settings);
    for (const id of ['weights', 'masked_scores'] as const) trace.stage(id);
    trace.cell({ head: 0, query: tokens.length - 1, key: 0 });
    return trace;
  };
  for (let i = 0; i < runs; i += 1) {
    await new Promise<void>((resolve) => setTimeout(() => {
      compute(`word${i}`);
      performance.mark(mark);
      resolve();
    }));
  }
  const trace = compute(tokens.at(-1) ?? '');
  const bits = checked.map((id) => Array.from(new Uint32Array(trace.stage(id).slice().buffer)));
  session.free();
  return bits;
}

async function run(progress: (done: string) => void): Promise<Result> {
  const reader = await Reader.arrive(await buildPage());
  const rows: string[][] = [];
  try {
    for (const each of CASES) {
      progress(described(each));
      const { page } = await reader.open({ file: 'engine.html' });
      const tokens = words(each.tokens);
      const order: Order = { address: `${reader.address}engine.js`, tokens, settings: each.settings, checked: CHECKED, runs: WARM_UP, mark: 'warm-up' };
      const bits = await page.evaluate(runInPage, order);
      assertRight(tokens, each.settings, new Map(CHECKED.map((id, i) => [id, new Float32Array(Uint32Array.from(bits[i] ?? []).buffer)])));
      const thread = await MainThread.watch(page, [MARK], async () => {
        await page.evaluate(runInPage, { ...order, checked: [], runs: WARM_UP + RUNS, mark: MARK });
      });
      const work = thread.moments.filter(({ name }) => name === MARK).slice(WARM_UP)
        .map(({ at }) => thread.tasks[thread.taskAt(at)]?.work ?? Number.NaN);
      rows.push([each.tokens, each.settings.d_model].map(String).concat([median(work), quantile(work, 0.95)].map(milliseconds)));
      await page.context().close();
    }
  } finally {
    await reader.leave();
  }
  return {
    about: 'The engine’s part of it:',
    table: markdown(['tokens', 'd_model', 'engine, median (ms)', 'engine, p95 (ms)'], rows),
    note: `8 heads, ${RUNS} runs a line, after ${WARM_UP} to warm up.`,
  };
}

export const engine: Benchmark = {
  name: 'engine',
  run,
};
