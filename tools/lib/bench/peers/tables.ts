// What is said of the measurements, and time against n as a picture, both axes logarithmic.
import { markdown, median } from '../report.ts';
import { type Case, flops } from './competitors.ts';
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

// Time against n as a picture, both axes logarithmic.

export interface Curve {
  name: string;
  points: readonly { n: number; ms: number }[];
  /** Why there is no point further on. */
  end?: string;
}

const [WIDTH, HEIGHT] = [760, 460];
const PLOT = { left: 64, right: 600, top: 44, bottom: 408 };

/** Colours that colour-blind readers tell apart (Okabe and Ito), each with a shape of its own. */
const LOOKS: readonly { light: string; dark: string; mark(x: number, y: number): string }[] = [
  { light: '#b34700', dark: '#f0883e', mark: (x, y) => `<rect x="${x - 4}" y="${y - 4}" width="8" height="8"/>` },
  { light: '#6b6b6b', dark: '#a8a8a8', mark: (x, y) => `<path d="M${x} ${y - 5}l5 9h-10z"/>` },
  { light: '#0072b2', dark: '#58b4ec', mark: (x, y) => `<circle cx="${x}" cy="${y}" r="4.5"/>` },
  { light: '#007a5a', dark: '#2fc79a', mark: (x, y) => `<path d="M${x} ${y - 5.5}l5.5 5.5l-5.5 5.5l-5.5-5.5z"/>` },
];

const rounded = (value: number): number => Math.round(value * 10) / 10;

function scale(from: number, to: number, low: number, high: number): (value: number) => number {
  return (value) => rounded(low + ((high - low) * Math.log(value / from)) / Math.log(to / from));
}

const duration = (ms: number): string => (ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`);

function styles(): string {
  const colours = (theme: 'light' | 'dark') =>
    LOOKS.map((look, i) => `.c${i}{stroke:${look[theme]};fill:${look[theme]}}`).join('');
  return `<style>text{font:13px system-ui,sans-serif;fill:#1f2328}.paper{fill:#fff}.grid{stroke:#d8dee4}.title{font-weight:600}path.line{fill:none;stroke-width:2}text[class^=c]{stroke:none}${colours('light')}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.grid{stroke:#30363d}${colours('dark')}}</style>`;
}

/** Names at the lines' ends: above those that end early, beside those at the edge, moved apart where these are close. */
function labels(ends: readonly { y: number; x: number; name: string; index: number }[]): string {
  let last = -Infinity;
  return [...ends].sort((a, b) => a.y - b.y).map(({ x, y, name, index }) => {
    if (x < PLOT.right) return `<text class="c${index}" x="${x}" y="${rounded(y - 12)}" text-anchor="middle">${name}</text>`;
    last = Math.max(y, last + 17);
    return `<text class="c${index}" x="${x + 12}" y="${rounded(last + 4)}">${name}</text>`;
  }).join('\n');
}

export function plot(curves: readonly Curve[]): string {
  const all = curves.flatMap(({ points }) => points);
  const [least, most] = [Math.min(...all.map(({ n }) => n)), Math.max(...all.map(({ n }) => n))];
  const low = 10 ** Math.floor(Math.log10(Math.min(...all.map(({ ms }) => ms))));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...all.map(({ ms }) => ms))));
  const x = scale(least, most, PLOT.left, PLOT.right);
  const y = scale(low, high, PLOT.bottom, PLOT.top);
  const columns = Array.from({ length: Math.round(Math.log2(most / least)) + 1 }, (_, i) => least * 2 ** i);
  const decades = Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_, i) => Number((low * 10 ** i).toPrecision(1)));
  const grid = [
    ...columns.map((n) => `<path class="grid" d="M${x(n)} ${PLOT.top}V${PLOT.bottom}"/><text x="${x(n)}" y="${PLOT.bottom + 20}" text-anchor="middle">${n.toLocaleString('en')}</text>`),
    ...decades.map((ms) => `<path class="grid" d="M${PLOT.left} ${y(ms)}H${PLOT.right}"/><text x="${PLOT.left - 8}" y="${y(ms) + 4}" text-anchor="end">${duration(ms)}</text>`),
  ];
  const lines = curves.map(({ points }, i) => `<g class="c${i}"><path class="line" d="M${points.map(({ n, ms }) => `${x(n)} ${y(ms)}`).join('L')}"/>${points.map(({ n, ms }) => LOOKS[i]?.mark(x(n), y(ms)) ?? '').join('')}</g>`);
  const ends = curves.flatMap(({ name, points }, index) => {
    const end = points.at(-1);
    return end ? [{ x: x(end.n), y: y(end.ms), name, index }] : [];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Milliseconds against the number of tokens n for ${curves.map(({ name }) => name).join(', ')}">
<!-- Written by tools/bench peers, with its option write -->
${styles()}
<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>
<text class="title" x="${PLOT.left}" y="26">Causal attention, 12 heads, d = 64: time against tokens n</text>
${grid.join('\n')}
<text x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 42}" text-anchor="middle">tokens n (logarithmic, as is time)</text>
${lines.join('\n')}
${labels(ends)}
</svg>
`;
}
