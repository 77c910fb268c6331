// Files that are made here for the reader.
import { msg, str } from '@lit/localize';
import type { ArrayId, Settings, Trace } from '../../engine/engine.ts';
import { isStage, side } from '../../engine/stages.ts';
import { shortest } from '../../lib/parse.ts';

const TYPES = { svg: 'image/svg+xml', png: 'image/png', csv: 'text/csv', json: 'application/json', py: 'text/x-python', safetensors: 'application/octet-stream' };

/** It goes to the reader's downloads. */
export function save(name: `${string}.${keyof typeof TYPES}`, content: string | Blob): string {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type: TYPES[name.slice(name.lastIndexOf('.') + 1) as keyof typeof TYPES] }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return msg(str`Saved as ${name}.`);
}

/** Twice as fine as on the page, so that it prints well; less where it would not fit a canvas. */
const SCALE = 2;
const MOST_PIXELS = 8192;

/** A PNG of what is drawn, `width` and `height` as on the page. @throws Error with a sentence */
export async function pixels(width: number, height: number, draw: (context: CanvasRenderingContext2D) => void): Promise<Blob> {
  const scale = Math.min(SCALE, MOST_PIXELS / Math.max(width, height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const context = canvas.getContext('2d');
  if (!context) throw new Error(msg('This browser gives no canvas to draw on. Take the SVG instead.'));
  context.scale(scale, scale);
  draw(context);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error(msg('The picture is too large for this browser. Take the SVG instead.'));
  return blob;
}

/** A line for each row. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string => (
  rows.map((row) => `${row.map((each) => (typeof each === 'string' ? cell(each) : written(each))).join(',')}\r\n`).join(''));

// One stage or parameter as CSV or JSON: every number with its place, words beside their rows.

export interface Table {
  id: ArrayId;
  label: string;
  axes: readonly string[];
  trace: Trace;
}

const written = (x: number): string => (Number.isFinite(x) ? shortest(x) : x > 0 ? 'inf' : x < 0 ? '-inf' : 'nan');
const values = ({ id, trace }: Table) => (isStage(id) ? trace.stage(id) : trace.parameter(id as 'W_Q'));

/** Quoted as RFC 4180 wants it; what a spreadsheet would take for a formula, full-width signs
 * among them, is made text by an apostrophe. */
export function cell(text: string): string {
  const safe = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Words of rows and columns; null where these are no words. */
function words({ id, trace }: Table): { rows: readonly string[] | null; columns: readonly string[] | null } {
  const whose = side(id);
  return {
    rows: whose === 'parameter' ? null : whose === 'key' ? trace.keyTokens : trace.tokens,
    columns: whose === 'pair' ? trace.keyTokens : null,
  };
}

/** A line a row; where there are heads, the head stands first. */
export function csv(table: Table): string {
  const numbers = values(table);
  const extents = table.trace.extents(table.id);
  const [columns = 1, rows = 1, heads = 1] = extents.toReversed();
  const { rows: beside, columns: above } = words(table);
  const frame = [...(extents.length > 2 ? ['head'] : []), 'row', ...(beside ? ['token'] : [])];
  const lines: (string | number)[][] = [[...frame, ...Array.from({ length: columns }, (_, i) => above?.[i] ?? i + 1)]];
  for (let head = 0; head < heads; head += 1) {
    for (let row = 0; row < rows; row += 1) {
      const from = (head * rows + row) * columns;
      lines.push([...(extents.length > 2 ? [head + 1] : []), row + 1, ...(beside ? [beside[row] ?? ''] : []), ...numbers.subarray(from, from + columns)]);
    }
  }
  return csvOf(lines);
}

type Nested = number | null | Nested[];

/** JSON has no infinity: null stands for −∞. */
function nested(numbers: Float32Array, extents: readonly number[]): Nested[] {
  const [first = 0, ...rest] = extents;
  const size = rest.reduce((product, extent) => product * extent, 1);
  return Array.from({ length: first }, (_, i) => (rest.length === 0
    ? (Number.isFinite(numbers[i] ?? NaN) ? Number(shortest(numbers[i] ?? 0)) : null)
    : nested(numbers.subarray(i * size, (i + 1) * size), rest)));
}

export function json(table: Table): string {
  const { id, label, axes, trace } = table;
  const settings: Settings = trace.settings;
  const { rows, columns } = words(table);
  return `${JSON.stringify({
    array: id, label, axes, extents: trace.extents(id), ...(rows && { rows }), ...(columns && { columns }), settings,
    numbers: nested(values(table), trace.extents(id)),
  })}\n`;
}
