// Runs inside the page: the processor's limit.

interface LimitModule {
  run(chains: number, steps: number, start: number, factor: number, term: number): number;
}

/** Multiplications and additions a second, in thousand millions: the best of many runs (see limit.cpp). */
export async function limit(file: string): Promise<number> {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(new URL(file, import.meta.url)));
  const { run } = instance.exports as unknown as LimitModule;
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
