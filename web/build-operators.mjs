// Builds the operators: one folder of files to copy beside a page of your own. Prints what such a page downloads, and holds it to a budget.
import { build, transform } from 'esbuild';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { writeDeclarations } from './declarations.mjs';

const web = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(web);
const bindings = path.join(root, 'build/wasm/bindings');
const folder = path.join(root, 'build/operators');
const KB = 1024;
const BUDGETS = { '.wasm': 64 * KB, '.mjs': 20 * KB, '.js': 5 * KB };
const MODULES = ['attention_operators', 'attention_operators_relaxed', 'attention_operators_threads'];

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await build({
  entryPoints: [path.join(web, 'src/operators.ts')],
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
await writeDeclarations(path.join(web, 'src/operators.ts'), bindings, folder);
await copyFile(path.join(root, 'LICENSE'), path.join(folder, 'licence.txt'));
await copyFile(path.join(root, 'THIRD_PARTY.md'), path.join(folder, 'third-party.txt'));

let isOver = false;
for (const file of ['operators.js', ...MODULES.flatMap((name) => [`${name}.mjs`, `${name}.wasm`])]) {
  const bytes = await readFile(path.join(folder, file));
  const gzip = gzipSync(bytes, { level: 9 }).length;
  const budget = BUDGETS[path.extname(file)];
  const kb = (count) => `${(count / KB).toFixed(1)} KB`;
  console.log(`${file.padEnd(34)} ${kb(bytes.length).padStart(9)} raw ${kb(gzip).padStart(9)} gzip  (budget ${kb(budget)} gzip)`);
  isOver ||= gzip > budget;
}
if (isOver) fail('A file is over its budget. Make it smaller.');

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
