// The SIMD build has not silently become scalar.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadEngine, moduleFile } from '../lib/built.ts';

// Each kernel and the vector instruction it must be made of. Binaryen may inline a kernel into its only
// caller, which is then the function to look at.
const KERNELS: [names: string[], instruction: string][] = [
  [['kernels::in_use::(anonymous namespace)::multiply_panel('], 'f32x4.mul'],
  [['kernels::in_use::scale('], 'f32x4.mul'],
  [['kernels::in_use::exp_row('], 'f32x4.mul'],
  [['kernels::in_use::divide('], 'f32x4.div'],
  [['kernels::in_use::softcap('], 'f32x4.div'],
  [['kernels::in_use::row_max('], 'f32x4.pmax'],
  [['kernels::in_use::add('], 'f32x4.add'],
  [['(anonymous namespace)::normal_block(', 'attention::fill_normal('], 'f32x4.mul'],
  [['(anonymous namespace)::sinusoid_columns(', 'attention::fill_sinusoids('], 'f64x2.mul'],
];

/** Function name → its instructions, from binaryen's disassembly. */
function functionsOf(wasm: URL): Map<string, string> {
  const text = execFileSync('wasm-dis', [fileURLToPath(wasm), '--all-features'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const functions = new Map<string, string>();
  for (const body of text.split(/\n (?=\(func )/).slice(1)) {
    const escaped = /^\(func \$(\S+)/.exec(body)?.[1] ?? '';
    const name = escaped.replace(/\\([0-9a-f]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
    functions.set(name, body);
  }
  return functions;
}

/** The sections of a module but for its custom ones, as bytes. */
function codeOf(wasm: Uint8Array): string {
  const sections: string[] = [];
  for (let at = 8; at < wasm.length; ) {
    const id = wasm[at++] as number;
    let size = 0;
    for (let shift = 0, byte = 0x80; byte & 0x80; shift += 7) {
      byte = wasm[at++] as number;
      size |= (byte & 0x7f) << shift;
    }
    if (id !== 0) sections.push(`${id}:${Buffer.from(wasm.subarray(at, at + size)).toString('base64')}`);
    at += size;
  }
  return sections.join('\n');
}

test('the engine names WebAssembly SIMD as its architecture', async () => {
  assert.equal((await loadEngine()).schema.arch, 'wasm');
});

test('each kernel is there by name and made of vector instructions', () => {
  const functions = functionsOf(moduleFile('attention.named.wasm'));
  for (const [names, instruction] of KERNELS) {
    const found = names.find((name) => [...functions.keys()].some((f) => f.includes(name)));
    assert.ok(found, `no function named ${names[0]} in the module`);
    const body = [...functions].find(([name]) => name.includes(found))?.[1];
    assert.ok(body?.includes(instruction), `${found} has no ${instruction}`);
  }
});

test('no reader of the page downloads the kernels that widen matrices of other types', () => {
  assert.deepEqual([...functionsOf(moduleFile('attention.named.wasm')).keys()].filter((name) => /widen|matmul_n[nt]_/.test(name)), []);
});

test('the module that is shipped is the disassembled one without its names', () => {
  const named = readFileSync(moduleFile('attention.named.wasm'));
  const shipped = readFileSync(moduleFile('attention.wasm'));
  assert.ok(shipped.length < named.length);
  assert.equal(codeOf(shipped), codeOf(named));
});
