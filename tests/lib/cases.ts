// Reads the conformance cases, whose format tests/conformance/case_reader.h describes, for tests in TypeScript.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../conformance/cases', import.meta.url));

export interface CaseTensor {
  shape: number[];
  type: string;
  numbers: number[];
}

export interface Case {
  name: string;
  op: string;
  attributes: ReadonlyMap<string, number | string>;
  inputs: ReadonlyMap<string, CaseTensor>;
  outputs: ReadonlyMap<string, CaseTensor>;
  rtol: number;
  atol: number;
}

/** How each type lies in its file, little-endian. */
const TYPES: Record<string, (bytes: ArrayBuffer) => number[]> = {
  f32: (bytes) => Array.from(new Float32Array(bytes)),
  f64: (bytes) => Array.from(new Float64Array(bytes)),
  i64: (bytes) => Array.from(new BigInt64Array(bytes), Number),
  u8: (bytes) => Array.from(new Uint8Array(bytes)),
  q8: (bytes) => Array.from(new Int8Array(bytes), (x) => x / 1024),
};

function readTensor(folder: string, [type = '', , rank, ...rest]: string[]): CaseTensor {
  const shape = rest.slice(0, Number(rank)).map(Number);
  const bytes = readFileSync(path.join(folder, rest[Number(rank)] ?? ''));
  const numbers = TYPES[type]?.(new Uint8Array(bytes).buffer);
  if (!numbers) throw new Error(`${folder} has a tensor of the unknown type ${type}.`);
  return { shape, type, numbers };
}

function readCase(folder: string): Case {
  const lines = readFileSync(path.join(folder, 'case.txt'), 'utf8').trim().split('\n').map((line) => line.trim().split(/\s+/));
  const [, name = '', ...about] = lines[0] ?? [];
  const of = (kind: string) => lines.filter(([word]) => word === kind).map((words) => words.slice(1));
  const tensors = (kind: string) => new Map(of(kind).map(([name = '', ...rest]) => [name, readTensor(folder, rest)]));
  const tolerance = new Map(of('tol').map(([name, value]) => [name, Number(value)]));
  return {
    name,
    op: about[about.indexOf('op') + 1] ?? '',
    attributes: new Map(of('attr').map(([name = '', type, value = '']) => [name, type === 'str' ? value : Number(value)])),
    inputs: tensors('in'),
    outputs: tensors('out'),
    rtol: tolerance.get('rtol') ?? 0,
    atol: tolerance.get('atol') ?? 0,
  };
}

export const readCases = (op: string): Case[] =>
  readdirSync(FOLDER).map((name) => readCase(path.join(FOLDER, name))).filter((each) => each.op === op);

/** The first number outside the case's tolerance as a sentence, or undefined; NaN and infinity stand in the same places. */
export function firstWrong(got: ArrayLike<number>, expected: readonly number[], { name, rtol, atol }: Case): string | undefined {
  if (got.length !== expected.length) return `${name} has ${got.length} numbers, not ${expected.length}`;
  const at = expected.findIndex((number, i) => {
    const mine = got[i] as number;
    if (!Number.isFinite(number)) return !Object.is(mine, number);
    return !(Math.abs(mine - number) <= atol + rtol * Math.abs(number));
  });
  return at < 0 ? undefined : `${name}: number ${at} is ${got[at]}, not ${expected[at]}`;
}
