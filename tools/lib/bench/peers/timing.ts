// Timing inside the page: runs that are short are timed in a loop; and the processor's limit.

export interface Runs {
  run(): void | Promise<void>;
}

/** Short runs are timed in a loop: the clock's ticks must not show. */
const SAMPLE_MS = 25;
const WARM_UP_MS = 400;
const MOST_RUNS = 2000;

/** Milliseconds a run. */
export async function timed(competitor: Runs, runs: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < runs; i += 1) {
    const running = competitor.run();
    if (running) await running;
  }
  return (performance.now() - start) / runs;
}

/** Long enough for the browser's compiler to have done its best; returns what a run takes then. */
export async function warmUp(competitor: Runs, first: number): Promise<number> {
  const start = performance.now();
  let ms = first;
  if (first > WARM_UP_MS) return first;
  while (performance.now() - start < WARM_UP_MS) ms = await timed(competitor, Math.min(50, Math.ceil(SAMPLE_MS / ms)));
  return ms;
}

/** How many runs make a sample, of so many milliseconds each. */
export const runsOf = (ms: number): number => Math.min(MOST_RUNS, Math.ceil(SAMPLE_MS / ms));

interface LimitModule {
  run(chains: number, steps: number, start: number, factor: number, term: number): number;
  read(places: number): number;
  readBytes(): number;
}

async function limitModule(file: string): Promise<LimitModule> {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(new URL(file, import.meta.url)));
  return instance.exports as unknown as LimitModule;
}

/** Multiplications and additions a second, in thousand millions: the best of many runs (see limit.cpp). */
function most({ run }: LimitModule): number {
  const steps = 1_000_000;
  let best = 0;
  for (let i = 0; i < 80; i += 1) {
    const chains = 10 + (i % 4);
    const start = performance.now();
    run(chains, steps, 1, 0.5, 0.75);
    best = Math.max(best, (steps * chains * 4 * 2) / (performance.now() - start) / 1e6);
  }
  return best;
}

export const limit = async (file: string): Promise<number> => most(await limitModule(file));

/** Bytes a second, in thousand millions: the best of many runs. The browser's compiler does its best only after some. */
function mostRead({ read, readBytes }: LimitModule): number {
  let best = 0;
  for (let i = 0; i < 12; i += 1) {
    const start = performance.now();
    read(2 ** (i % 3));
    best = Math.max(best, readBytes() / (performance.now() - start) / 1e6);
  }
  return best;
}

/** What one thread reads of memory beyond its caches, and what it multiplies and adds (see limit.cpp). */
export async function mostOfThread(): Promise<{ rate(): number; limit(): number }> {
  const module = await limitModule('limit.wasm');
  module.read(1); // which writes what is read
  return { rate: () => mostRead(module), limit: () => most(module) };
}
