// Reads the conformance cases, whose format tests/conformance/case_reader.h describes, for tests in TypeScript.
import { readFileSync, readdirSync } from 'node:fs';

const FOLDER = new URL('../conformance/cases/', import.meta.url);

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
  F32: (bytes) => Array.from(new Float32Array(bytes)),
  F64: (bytes) => Array.from(new Float64Array(bytes)),
  I64: (bytes) => Array.from(new BigInt64Array(bytes), Number),
  BOOL: (bytes) => Array.from(new Uint8Array(bytes)),
  I8: (bytes) => Array.from(new Int8Array(bytes), (x) => x / 1024),
};

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

function readFile(name: string): Case[] {
  const file = readFileSync(new URL(name, FOLDER));
  const data = 8 + Number(file.readBigUInt64LE());
  const { __metadata__: metadata, ...entries } = JSON.parse(file.toString('utf8', 8, data)) as { __metadata__: Record<string, string> } & Record<string, Entry>;
  const tensors = (side: string) => new Map(Object.entries(entries).filter(([path]) => path.startsWith(`${side}/`)).map(([path, entry]) => {
    const { dtype, shape, data_offsets: [begin, end] } = entry;
    const numbers = TYPES[dtype]?.(new Uint8Array(file.subarray(data + begin, data + end)).buffer);
    if (!numbers) throw new Error(`${name} has a tensor of the unknown type ${dtype}.`);
    return [path.slice(side.length + 1), { shape, type: dtype, numbers }];
  }));
  return Object.entries(metadata).map(([called, about]) => {
    const { op, attributes, rtol, atol } = JSON.parse(about) as { op: string; attributes: Record<string, number | string>; rtol: number; atol: number };
    return { name: called, op, attributes: new Map(Object.entries(attributes)), inputs: tensors(`${called}/in`), outputs: tensors(`${called}/out`), rtol, atol };
  });
}

export const readCases = (op: string): Case[] => readdirSync(FOLDER).flatMap(readFile).filter((each) => each.op === op);

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
