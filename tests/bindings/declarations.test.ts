// Whoever copies build/operators into a project in TypeScript gets its types, strict ones, and nothing has to be added.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const project = mkdtempSync(path.join(tmpdir(), 'operators-types-'));
after(() => rmSync(project, { recursive: true }));
cpSync(fileURLToPath(new URL('../../build/operators', import.meta.url)), path.join(project, 'operators'), { recursive: true });

const USE = `
import { AttentionError, type AttendOptions, type KeyValueCache, loadOperators, type Operators, type Tensor } from './operators/operators.js';
export async function use(): Promise<Float32Array> {
  const operators: Operators = await loadOperators({ relaxed: 'auto' });
  const query: Tensor = operators.tensor([1, 2, 3, 4], new Float32Array(24));
  const options: AttendOptions = { isCausal: true, softcap: 30, allowed: operators.byteTensor([3]) };
  const cache: KeyValueCache = operators.cache({ keyHeads: 2, capacity: 8, keyWidth: 4 });
  const layer = operators.multiHead({ heads: 2, query: { weight: query }, key: { weight: query }, value: { weight: query, layout: 'out_in' } });
  try {
    operators.attend(query, query, query, options, query);
    layer.run({ x: query, cache }, {}, query);
  } catch (error) {
    if (error instanceof AttentionError) throw new Error(error.code + error.message);
  }
  return query.read();
}
`;

/** What TypeScript says of a program in a stranger's project, in sentences. */
function faults(program: string, moduleResolution: ts.ModuleResolutionKind, module: ts.ModuleKind): string[] {
  const file = path.join(project, 'use.mts');
  writeFileSync(file, program);
  const options: ts.CompilerOptions = { strict: true, noEmit: true, skipLibCheck: false, types: [], target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], module, moduleResolution };
  return ts.getPreEmitDiagnostics(ts.createProgram([file], options)).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

const WAYS = { bundler: [ts.ModuleResolutionKind.Bundler, ts.ModuleKind.ESNext], node: [ts.ModuleResolutionKind.NodeNext, ts.ModuleKind.NodeNext] } as const;

for (const [name, [resolution, module]] of Object.entries(WAYS)) {
  test(`the copied folder has types of its own: ${name}`, () => {
    assert.deepEqual(faults(USE, resolution, module), []);
    const wrong: readonly (readonly [from: string, to: string, says: RegExp])[] = [
      ['[1, 2, 3, 4]', "'1234'", /not assignable.*Numbers/],
      ['isCausal', 'causal', /'causal' does not exist/],
      ['capacity: 8, ', '', /'capacity' is missing/],
      ["'out_in'", "'xW'", /'"xW"' is not assignable/],
    ];
    for (const [from, to, says] of wrong) assert.match(faults(USE.replace(from, to), resolution, module).join(' '), says, to);
  });
}
