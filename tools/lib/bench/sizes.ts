// What the training module is made of: the bytes of its functions, by what they are for.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Benchmark, type Result, markdown } from './report.ts';

const FOLDER = new URL('../../../build/wasm/bindings/', import.meta.url);
const CODE = 10;
const DATA = 11;

/** In this order: the first that knows a function's name has it. */
const PARTS: readonly (readonly [part: string, names: RegExp])[] = [
  ['calls from the page', /^training_|^\(anonymous namespace\)::/],
  ['the standard library and memory', /^(void )?(\w+\*? )?std::|^operator (new|delete)|malloc|_memory$|^mem|^str|^__|^_Z.*std/],
  ['the toy English', /^attention::words::/],
  ['other tasks and lessons', /TaskSettings|TaskBatch|Task\b|TaskRow|Draws|[lL]esson/],
  ['kernels: products, softmax, norms, GELU', /kernels::|linear_backward|softmax|layer_norm|gelu|multiply|squared_norm|exp_row|tanh/],
  ['the model and its trainer', /Trainer|HeadsOfBatch|Activations|lay_out|Parameter|AdamW|optimizer|cross_entropy|Pass|rotate|attend/],
];
const REST = 'errors, random numbers, sinusoids and what else';

interface Section { id: number; start: number; end: number }

/** A module's sections, as section 5.5 of the WebAssembly specification has them. */
function sectionsOf(module: Uint8Array): Section[] {
  const sections: Section[] = [];
  for (let at = 8; at < module.length;) {
    const id = module[at] ?? 0;
    let [size, shift] = [0, 0];
    do size += ((module[at += 1] ?? 0) & 127) * 2 ** (7 * shift++); while ((module[at] ?? 0) & 128);
    const start = at + 1;
    sections.push({ id, start, end: at = start + size });
  }
  return sections;
}

const zipped = (bytes: Uint8Array): number => gzipSync(bytes, { level: 9 }).length;
const KB = (bytes: number): string => (bytes / 1024).toFixed(1);

async function run(): Promise<Result> {
  const file = fileURLToPath(new URL('attention_training.named.wasm', FOLDER));
  const [named, shipped] = await Promise.all([readFile(file), readFile(new URL('attention_training.wasm', FOLDER))]);
  const sections = sectionsOf(named);
  const section = (id: number) => sections.find((each) => each.id === id) as Section;
  const code = section(CODE);
  const parts = new Map<string, { functions: number; bytes: Uint8Array[] }>([...PARTS.map(([part]) => part), REST].map((part) => [part, { functions: 0, bytes: [] }]));
  // "0000cdc9 00002639 T training_open": where it begins in the code, its size, its kind, its name.
  for (const line of execFileSync('emnm', ['--print-size', '--defined-only', file], { encoding: 'utf8' }).split('\n')) {
    const [, start = '', size = '', name = ''] = /^([0-9a-f]+) ([0-9a-f]+) [tT] (.*)$/.exec(line) ?? [];
    if (name === '') continue;
    const part = parts.get(PARTS.find(([, names]) => names.test(name))?.[0] ?? REST);
    const from = code.start + Number.parseInt(start, 16);
    part?.bytes.push(named.subarray(from, from + Number.parseInt(size, 16)));
    if (part) part.functions += 1;
  }
  const data = section(DATA);
  const rows = [...parts].map(([part, { functions, bytes }]) => ({ part, functions: String(functions), bytes: Buffer.concat(bytes) }));
  rows.push({ part: 'constants: sentences of errors, words, lessons', functions: '', bytes: Buffer.from(named.subarray(data.start, data.end)) });
  return {
    about: 'The training module by what its functions are for: KB as they are, and gzipped, each part by itself. A function that was taken into its only caller counts there.',
    table: markdown(['part', 'functions', 'KB', 'gzipped'], [
      ...rows.map(({ part, functions, bytes }) => [part, functions, KB(bytes.length), KB(zipped(bytes))]),
      ['**the module as it is fetched**', '', KB(shipped.length), KB(zipped(shipped))],
    ]),
    note: '`tools/bench sizes --write`.',
  };
}

export const sizes: Benchmark = { name: 'sizes', isLong: true, run };
