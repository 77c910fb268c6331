// What is said of the measurements.
import { markdown, median } from '../report.ts';
import { type Case, flops } from './cases.ts';
import type { CompetitorId, Measured } from './measure.ts';

export interface Row {
  each: Case;
  competitors: readonly CompetitorId[];
  /** Times faster than the better of onnxruntime-web's two operators: at least, and aimed at. */
  aims?: Partial<Record<CompetitorId, readonly [number, number]>>;
  measured?: Measured[];
}

const COLUMNS: readonly [CompetitorId, string][] = [
  ['Attention', 'onnxruntime-web Attention'],
  ['MultiHeadAttention', 'onnxruntime-web MultiHeadAttention'],
  ['tfjs', 'tfjs'],
  ['simd128', 'SIMD128'],
  ['relaxed', 'relaxed SIMD'],
  ['threads', '2 threads'],
];

export const best = (samples: readonly number[]): number => (samples.length > 0 ? Math.min(...samples) : Number.NaN);

const ms = (value: number): string => (value < 1 ? value.toFixed(3) : value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0));
const times = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)}×`;

const of = ({ measured = [] }: Row, id: CompetitorId) => measured.find(({ competitor }) => competitor === id);
const bestOf = (row: Row, id: CompetitorId): number => best(of(row, id)?.samples ?? []);

/** The faster of onnxruntime-web's two operators. */
export const better = (row: Row): number =>
  Math.min(...(['Attention', 'MultiHeadAttention'] as const).map((id) => bestOf(row, id)).filter(Number.isFinite));

function cell(row: Row, id: CompetitorId): string {
  const measured = of(row, id);
  if (!measured) return '';
  if (measured.samples.length === 0) return measured.problem ?? 'none';
  return `${ms(best(measured.samples))} (${ms(median(measured.samples))})`;
}

function gain(row: Row, id: CompetitorId): string {
  const aims = row.aims?.[id];
  const ratio = better(row) / bestOf(row, id);
  if (!Number.isFinite(ratio)) return '';
  return `${times(ratio)}${aims ? ` (${aims[0]}, aim ${aims[1]})` : ''}`;
}

export const mainTable = (rows: readonly Row[]): string =>
  markdown(
    ['', ...COLUMNS.map(([, name]) => name), 'SIMD128 against the better', 'relaxed against the better'],
    rows.map((row) => [row.each.id, ...COLUMNS.map(([id]) => cell(row, id)), gain(row, 'simd128'), gain(row, 'relaxed')]),
  );

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

export function extraNotes(rows: readonly Row[], limits: Record<'simd128' | 'relaxed', number>, short: Row, long: Row): string {
  const largest = [...rows].filter(({ each }) => each.kind === 'attention' && !each.causal).at(-1) as Row;
  const share = (id: 'simd128' | 'relaxed') => flops(largest.each) / bestOf(largest, id) / 1e6 / limits[id];
  const perPair = (row: Row) => bestOf(row, 'simd128') / row.each.queries ** 2;
  const heap = of(long, 'simd128')?.heapBytes ?? 0;
  const tensors = (4 * long.each.queries * long.each.headDim * 4) / 2 ** 20;
  const tfjsRow = [...rows].filter((row) => Number.isFinite(bestOf(row, 'tfjs'))).at(-1);
  return [
    `- The limit of one thread in the same page, chains of multiplications and additions without any memory: ${limits.simd128.toFixed(1)} GFLOP/s with SIMD128, ${limits.relaxed.toFixed(1)} with relaxed SIMD. At ${largest.each.id}, attention reaches ${percent(share('simd128'))} of it (65 %, aim 80 %), and ${percent(share('relaxed'))} with relaxed SIMD. At the whole limit, softmax left out, it would be ${times(better(largest) / (flops(largest.each) / 1e6 / limits.simd128))} and ${times(better(largest) / (flops(largest.each) / 1e6 / limits.relaxed))} faster than the better.`,
    ...(tfjsRow ? [`- Against TensorFlow.js at ${tfjsRow.each.id}: ${times(bestOf(tfjsRow, 'tfjs') / bestOf(tfjsRow, 'simd128'))} (12×, aim 16×).`] : []),
    `- ${long.each.id}: ${ms(bestOf(long, 'simd128'))} ms, which divided by n² is ${times(perPair(long) / perPair(short))} what n = ${short.each.queries.toLocaleString('en')} takes (at most 1.25×, aim 1.1×). A module that did nothing else then has ${(heap / 2 ** 20).toFixed(0)} MiB of memory (it begins with 16); query, key, value and context are ${tensors.toFixed(0)} of them, and the scores alone would be ${((long.each.queries ** 2 * 4) / 2 ** 20).toFixed(0)}.`,
  ].join('\n');
}

/** Where the medians lie far above the least, the machine did something else as well. */
export function isDisturbed(rows: readonly Row[]): boolean {
  const ratios = rows.flatMap(({ measured = [] }) => measured.filter(({ samples }) => samples.length > 0))
    .map(({ samples }) => median(samples) / best(samples));
  return median(ratios) > 1.15;
}
