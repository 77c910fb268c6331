// Builds the npm package, build/package. Its dist/ is all that a page needs: the site serves it as embed/.
import { build } from 'esbuild';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { smallStyles } from '../smaller.mjs';
import { coreInside, partsBeside } from './plugins.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const source = (file) => path.join(here, '../src', file);

/**
 * @param root the repository
 * @param bindings the folder of the modules that Emscripten made
 * @param define what the sources are told by the build
 * @param beside files that the scripts ask for by their names: { name: file }
 */
export async function buildPackage({ root, bindings, define, beside }) {
  const folder = path.join(root, 'build/package');
  const dist = path.join(folder, 'dist');
  const wasm = path.join(bindings, 'attention.wasm');
  await rm(folder, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const { version } = JSON.parse(await readFile(path.join(here, '../package.json'), 'utf8'));
  const options = {
    outdir: dist, absWorkingDir: root, bundle: true, target: 'es2022', minify: true, legalComments: 'none', metafile: true, logLevel: 'warning',
    define: { ...define, VERSION: JSON.stringify(version) },
  };
  const classic = {
    ...options, format: 'iife', inject: [path.join(here, 'script-address.js')],
    define: { ...options.define, 'import.meta.url': 'SCRIPT_ADDRESS' },
  };
  const element = source('attention-playground.define.ts');
  const parts = {};
  await build({ ...classic, plugins: [smallStyles, coreInside(wasm), partsBeside(parts)], entryPoints: { 'attention-playground': element } });
  await build({ ...classic, plugins: [smallStyles, coreInside(wasm)], entryPoints: { 'attention-playground.full': element } });
  await build({ ...options, format: 'esm', plugins: [smallStyles], inject: [path.join(here, 'without-dom.js')], splitting: true, chunkNames: '[name]-[hash]', entryPoints: { index: source('attention-playground.ts'), define: element, ...parts } });
  await copyFile(path.join(here, 'attention-playground.css'), path.join(dist, 'attention-playground.css'));
  for (const [name, file] of Object.entries(beside)) await copyFile(file, path.join(dist, name));
  return { folder, dist };
}
