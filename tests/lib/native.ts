// The native build's numbers, to compare the shipped module and the page with; and the double reference's, as far as single
// precision can follow them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { built } from './built.ts';
import type { Request, Settings, StageId } from '../../web/src/engine/engine.ts';

export { DEFAULTS } from '../../web/src/engine/defaults.ts';

const TRACE_DUMP = built('native/tests/trace_dump');

export class Stages<Numbers extends Float32Array | Float64Array> {
  constructor(private readonly byId: Map<string, Numbers>) {}

  has(id: string): boolean {
    return this.byId.has(id as StageId);
  }

  get(id: StageId): Numbers {
    const numbers = this.byId.get(id);
    if (!numbers) throw new Error(`trace_dump wrote no stage ${id}`);
    return numbers;
  }
}

/** What trace_dump takes for a request; given numbers go through files in `folder`. */
function requestFields({ tokens, keyTokens = [], maskEdits = [], edits = [], given = {} }: Request, folder: string): string[] {
  const words = [...tokens, ...keyTokens];
  const fields = maskEdits.map(({ query, key }) => `mask_edit=${query},${key}`);
  for (const edit of edits) {
    fields.push('array' in edit
      ? `edit=${edit.array},${edit.row},${edit.column},${edit.value}`
      : `word_edit=${words.indexOf(edit.token)},${edit.column},${edit.value}`);
  }
  for (const [array, numbers] of Object.entries(given)) {
    const file = path.join(folder, array);
    writeFileSync(file, numbers);
    fields.push(`given=${array},${file}`);
  }
  return [...fields, `keys=${keyTokens.length}`, '--', ...words];
}

function dump(arguments_: string[], wanted: Request | readonly string[], settings: Partial<Settings>): Buffer {
  const fields = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'trace-dump-'));
  try {
    const request = 'tokens' in wanted ? wanted : { tokens: wanted };
    return execFileSync(TRACE_DUMP, [...arguments_, ...fields, ...requestFields(request, folder)], {
      maxBuffer: 2 ** 31 - 1,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function parse<Numbers extends Float32Array | Float64Array>(
  bytes: Buffer,
  type: { new (buffer: ArrayBuffer): Numbers; readonly BYTES_PER_ELEMENT: number },
): Stages<Numbers> {
  const stages = new Map<string, Numbers>();
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at);
    const [id = '', count = ''] = bytes.toString('latin1', at, end).split(' ');
    const start = end + 1;
    at = start + Number(count) * type.BYTES_PER_ELEMENT;
    stages.set(id, new type(new Uint8Array(bytes.subarray(start, at)).buffer));
  }
  return new Stages(stages);
}

/** Every stage as the native kernels compute it, float32; the core's own default where none is given. */
export function nativeStages(wanted: Request | readonly string[], settings: Partial<Settings>): Stages<Float32Array> {
  return parse(dump([], wanted, settings), Float32Array);
}

/** Every stage by plain loops in double. */
export function referenceStages(wanted: Request | readonly string[], settings: Settings): Stages<Float64Array> {
  return parse(dump(['--reference'], wanted, settings), Float64Array);
}

/** Index of the first element whose bits differ, or -1. */
export function firstDifference(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Math.min(a.length, b.length);
  const x = new Uint32Array(a.buffer, a.byteOffset, a.length);
  const y = new Uint32Array(b.buffer, b.byteOffset, b.length);
  return x.findIndex((bits, i) => bits !== y[i]);
}

const SLACK = 2e-3;

export const isNear = (a: number, b: number): boolean => a === b || Math.abs(a - b) <= SLACK * Math.max(1, Math.abs(b));

/** Of each [H, T] row of scores [H, T, S]: whether no other score comes so near the largest that a hard lookup could take it instead. */
function certainRows(scores: Float64Array, keys: number): boolean[] {
  return Array.from({ length: scores.length / keys }, (_, row) => {
    const all = scores.subarray(row * keys, (row + 1) * keys);
    const largest = all.reduce((most, x) => Math.max(most, x), -Infinity);
    return all.every((x) => x === largest || !isNear(x, largest));
  });
}

export interface Compared {
  readonly reference: Stages<Float64Array>;
  readonly temperature: number;
  readonly T: number;
  readonly S: number;
}

/** Index of the first number that is not near its double; -1 when there is none. At temperature 0, what hangs on a lookup that is not certain is left out. */
export function firstFar(id: StageId, numbers: Float32Array, { reference, temperature, T, S }: Compared): number {
  const double = reference.get(id);
  let isCertain = (_at: number) => true;
  if (temperature === 0 && ['weights', 'context', 'output'].includes(id)) {
    const rows = certainRows(reference.get('masked_scores'), S);
    const ofTokens = Array.from({ length: T }, (_, token) => rows.every((certain, row) => certain || row % T !== token));
    const known = id === 'output' ? ofTokens : rows;
    const width = numbers.length / known.length;
    isCertain = (at) => known[Math.floor(at / width)] ?? false;
  }
  return numbers.findIndex((x, at) => isCertain(at) && !isNear(x, double[at] ?? NaN));
}
