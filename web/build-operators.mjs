// node web/build-operators.mjs [plain]
// Builds the operators: one folder of files to copy beside a page of your own. Prints what such a page downloads, and holds it to a budget.
// plain: without the builds for relaxed SIMD and threads.
import { build, transform } from 'esbuild';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeDeclarations } from './declarations.mjs';
import { KB, fail, hold, weigh } from './sizes.mjs';

const web = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(web);
const bindings = path.join(root, 'build/wasm/bindings');
const folder = path.join(root, 'build/operators');
const BUDGETS = {
  '.wasm': { size: 87 * KB, remedy: 'Look at what the last change added to the core.' },
  'threads.wasm': { size: 97.6 * KB, remedy: 'Look at what the last change added to the core.' },
  '.mjs': { size: 20 * KB, remedy: 'Cross with fewer kinds of values in bindings/.' },
  '.js': { size: 10.5 * KB, remedy: 'Look at what web/src/engine/operators/operators.ts imports.' },
};
const VARIANTS = process.argv[2] === 'plain' ? [] : ['attention_operators_relaxed', 'attention_operators_threads'];
const MODULES = ['attention_operators', ...VARIANTS];

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await build({
  entryPoints: [path.join(web, 'src/engine/operators/operators.ts')],
  outfile: path.join(folder, 'operators.js'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  sourcemap: 'linked',
  logLevel: 'warning',
});
for (const name of MODULES) {
  await copyFile(path.join(bindings, `${name}.wasm`), path.join(folder, `${name}.wasm`)).catch(() =>
    fail(`build/wasm/bindings/${name}.wasm is missing. Build it first: cmake --preset wasm && cmake --build --preset operators.`));
  const glue = await readFile(path.join(bindings, `${name}.mjs`), 'utf8');
  const { code } = await transform(glue, { minify: true, format: 'esm', target: 'es2022' });
  await writeFile(path.join(folder, `${name}.mjs`), code);
}
await writeDeclarations(path.join(web, 'src/engine/operators/operators.ts'), bindings, folder);
await copyFile(path.join(root, 'LICENSE'), path.join(folder, 'licence.txt'));
await copyFile(path.join(root, 'THIRD_PARTY.md'), path.join(folder, 'third-party.txt'));

for (const file of ['operators.js', ...MODULES.flatMap((name) => [`${name}.mjs`, `${name}.wasm`])]) {
  hold(file, await weigh(folder, file), BUDGETS[file.endsWith('threads.wasm') ? 'threads.wasm' : path.extname(file)], 'web/build-operators.mjs');
}
