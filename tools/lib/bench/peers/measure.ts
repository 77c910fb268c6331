// Runs inside the page: checks every competitor's numbers, warms up, and times them turn by turn.
import { ours } from './attention.ts';
import { type Case, type Competitor, assertRight, expectedOf } from './competitors.ts';
import { onnxruntime } from './onnxruntime.ts';
import { tfjs } from './tfjs.ts';
import { runsOf, timed, warmUp } from './timing.ts';

const MODULES = new URL('.', import.meta.url).href;
const THREADS = 2;

/** In the order of the tables' columns. */
const COMPETITORS = {
  Attention: onnxruntime('Attention'),
  MultiHeadAttention: onnxruntime('MultiHeadAttention'),
  tfjs: tfjs(),
  simd128: ours('SIMD128', { baseUrl: MODULES }),
  relaxed: ours('relaxed SIMD', { baseUrl: MODULES, relaxed: true }),
  threads: ours(`SIMD128, ${THREADS} threads`, { baseUrl: MODULES, threads: THREADS }),
};
export type CompetitorId = keyof typeof COMPETITORS;

export interface Order {
  each: Case;
  competitors: readonly CompetitorId[];
  repetitions: number;
  /** A run longer than this is the last, and not repeated. */
  patienceMs: number;
}

export interface Measured {
  competitor: CompetitorId;
  /** Milliseconds a run, a number a repetition; empty when it gave up. */
  samples: number[];
  /** Why it gave up. */
  problem?: string;
  heapBytes?: number;
}

/** The part of onnxruntime-web's messages that says something outside its own source tree. */
const reason = (message: string): string => (/ERROR_MESSAGE: (?:\/.*\) )?(.*)/.exec(message)?.[1] ?? message).trim();

/** Whatever state it is in. */
async function freeBroken(competitor: Competitor): Promise<void> {
  try {
    await competitor.free();
  } catch {
    // it had nothing left to give back
  }
}

export async function measure({ each, competitors, repetitions, patienceMs }: Order): Promise<Measured[]> {
  const expected = expectedOf(each);
  const measured: Measured[] = [];
  const running: { competitor: Competitor; runs: number; result: Measured }[] = [];
  for (const id of competitors) {
    const competitor = COMPETITORS[id];
    const result: Measured = { competitor: id, samples: [] };
    try {
      if (!(await competitor.prepare(each))) continue;
      measured.push(result);
      const first = await timed(competitor, 1);
      assertRight(competitor.name, each, competitor.output(), expected);
      if (first > patienceMs) {
        result.problem = `a run takes ${(first / 1000).toFixed(0)} s`;
        await competitor.free();
        continue;
      }
      const ms = await warmUp(competitor, first);
      running.push({ competitor, result, runs: runsOf(ms) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message.startsWith('Not measured')) throw error;
      result.problem = reason(message);
      if (!measured.includes(result)) measured.push(result);
      await freeBroken(competitor);
    }
  }
  for (let i = 0; i < repetitions; i += 1) {
    for (const { competitor, runs, result } of running) result.samples.push(await timed(competitor, runs));
  }
  for (const { competitor, result } of running) {
    if (competitor.heapBytes) result.heapBytes = competitor.heapBytes();
    await competitor.free();
  }
  return measured;
}

export { limit } from './timing.ts';
