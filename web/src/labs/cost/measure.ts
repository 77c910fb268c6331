// How long attention takes in this browser, now: fused, and with every stage kept. In pieces of a few milliseconds, so that
// the page goes on answering; median of several runs, in turns, after one that warms up.
import type { Operators, Tensor } from '../../engine/operators/operators.ts';
import { inPhase } from '../../lib/schedule.ts';

export interface CostKnobs {
  /** Tokens; 0 = as many as the sentence has words. */
  n: number;
  d_model: number;
  heads: number;
  d_k: number;
  blocks: number;
  /** Of a number. */
  bytes: '2' | '4';
}

export const SIZES = [64, 128, 256, 512, 1024, 2048] as const;
export const WIDTH = 64;
export const RUNS = 5;
/** Queries of one piece. */
const ROWS = 256;
/** Browsers' clocks tick in tenths of a millisecond: shorter pieces are repeated. */
const LEAST_MS = 2;
const WARM_UP = 60;

export interface Timing {
  n: number;
  /** Milliseconds of one head. */
  fused: number;
  trace: number;
  /** Largest difference between a number of the two contexts. */
  difference: number;
}

interface Piece { query: Tensor; fused: Tensor; traced: Tensor; kept: { scores: Tensor; scaledScores: Tensor; maskedScores: Tensor; weights: Tensor } }

/** One size after another, as they are done; ends early when `signal` says so. */
export async function* measure(operators: Operators, signal: AbortSignal): AsyncGenerator<Timing> {
  await warmUp(operators, signal);
  for (const n of SIZES) {
    const owned: Tensor[] = [];
    const tensor = (...shape: number[]) => (owned.push(operators.tensor(shape)), owned.at(-1) as Tensor);
    try {
      const [key, value] = [tensor(1, 1, n, WIDTH), tensor(1, 1, n, WIDTH)];
      [key, value].forEach((each, stream) => operators.statistics.normals(each, { seed: 1, stream }));
      const pieces = Array.from({ length: Math.ceil(n / ROWS) }, (_, i): Piece => {
        const rows = Math.min(ROWS, n - i * ROWS);
        const query = tensor(1, 1, rows, WIDTH);
        operators.statistics.normals(query, { seed: 1, stream: 2, firstRow: i * ROWS });
        const matrix = () => tensor(1, 1, rows, n);
        return { query, fused: tensor(1, 1, rows, WIDTH), traced: tensor(1, 1, rows, WIDTH), kept: { scores: matrix(), scaledScores: matrix(), maskedScores: matrix(), weights: matrix() } };
      });
      const ways = {
        fused: ({ query, fused }: Piece) => operators.attend(query, key, value, {}, fused),
        trace: ({ query, traced, kept }: Piece) => operators.attend(query, key, value, {}, traced, kept),
      };
      const times = { fused: [] as number[], trace: [] as number[] };
      for (let run = 0; run <= RUNS; run += 1) {
        for (const way of ['fused', 'trace'] as const) {
          let all = 0;
          for (const piece of pieces) {
            await breath();
            if (signal.aborted) return;
            all += time(() => ways[way](piece));
          }
          if (run > 0) times[way].push(all);
        }
      }
      yield { n, fused: median(times.fused), trace: median(times.trace), difference: Math.max(...pieces.map(({ fused, traced }) => apart(fused, traced))) };
    } finally {
      for (const each of owned) each.free();
    }
  }
}

/** Until the browser has compiled the module in earnest. */
async function warmUp(operators: Operators, signal: AbortSignal): Promise<void> {
  const [x, context, weights] = [[1, 1, ROWS, WIDTH], [1, 1, ROWS, WIDTH], [1, 1, ROWS, ROWS]].map((shape) => operators.tensor(shape)) as [Tensor, Tensor, Tensor];
  try {
    for (let i = 0; i < WARM_UP && !signal.aborted; i += 1) {
      await breath();
      operators.attend(x, x, x, {}, context, ...(i % 2 === 0 ? [] : [{ weights }]));
    }
  } finally {
    [x, context, weights].forEach((each) => each.free());
  }
}

/** Lets the browser draw and answer. */
const breath = (): Promise<void> => new Promise((resolve) => { inPhase('task', resolve); });

function time(work: () => void): number {
  const start = performance.now();
  let times = 0;
  do {
    work();
    times += 1;
  } while (performance.now() - start < LEAST_MS);
  return (performance.now() - start) / times;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? (sorted[Math.floor(middle)] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

function apart(a: Tensor, b: Tensor): number {
  const others = b.read();
  return a.read().reduce((most, x, i) => Math.max(most, Math.abs(x - (others[i] ?? NaN))), 0);
}
