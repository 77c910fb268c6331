// What benchmarks have in common: their shape, statistics, tables, progress, and their place in the documents.
import { readFile, writeFile } from 'node:fs/promises';

export interface Result {
  /** What the table shows: a sentence to stand above it. */
  about: string;
  /** Markdown. */
  table: string;
  /** A sentence or two to stand under the table. */
  note: string;
  /** Pictures to be written with it: path from the repository's root → contents. */
  pictures?: Record<string, string>;
}

export interface Benchmark {
  name: string;
  /** Runs only when it is named. */
  isLong?: boolean;
  /** Of web/docs: where its table stands. */
  page?: 'models.md';
  run(progress: (done: string) => void, isQuick: boolean): Promise<Result>;
}

/** The smallest sample that at least this share of all does not exceed (nearest rank). */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('There is no sample to take a quantile of.');
  return value;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

export function milliseconds(ms: number): string {
  return ms < 100 ? ms.toFixed(1) : ms.toFixed(0);
}

export function markdown(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'--:|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** One line that is written over, or a line each where there is no terminal. On standard error: the table is the output. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text) process.stderr.write(`${text}\n`);
}

/** Puts a report where the file has a place for it: between `<!-- bench:NAME -->` and the next `<!-- bench:end -->`. */
export async function writeReport(file: string, name: string, report: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const [begin, end] = [`<!-- bench:${name} -->\n`, '<!-- bench:end -->'];
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end, from);
  if (!text.includes(begin) || to < 0) throw new Error(`${file} has no place for the table: put ${begin.trim()} and ${end} on lines of their own where it should stand.`);
  await writeFile(file, `${text.slice(0, from)}${report}\n${text.slice(to)}`);
}
