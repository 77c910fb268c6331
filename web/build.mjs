// Builds the site: one folder of static files with relative addresses. Prints what a reader downloads, and holds it to a budget.
import { build } from 'esbuild';
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { keptLexicon } from './lexicon/build.mjs';

const web = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(web);
const bindings = path.join(root, 'build/wasm/bindings');
const site = path.join(root, 'build/site');
const KB = 1024;
const BUDGETS = { wasm: 40 * KB, script: 100 * KB, lexicon: 320 * KB };

if (!existsSync(path.join(bindings, 'attention.mjs'))) {
  fail('The engine is not built yet: build/wasm/bindings/attention.mjs is missing. Run tools/serve, which builds it first.');
}

await rm(site, { recursive: true, force: true });
await mkdir(site, { recursive: true });
const options = {
  external: ['./attention-playground.js'],
  outdir: site,
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  sourcemap: 'linked',
  legalComments: 'none', // third-party.txt holds them whole
  metafile: true,
  logLevel: 'warning',
};
// The element alone, for any page, with what it imports on demand in files of their own; and what makes this page of it.
const { metafile } = await build({
  ...options, entryPoints: { 'attention-playground': path.join(web, 'src/attention-playground.define.ts') },
  splitting: true, chunkNames: '[name]-[hash]',
});
await build({ ...options, entryPoints: { page: path.join(web, 'src/page.ts') } });
await copyFile(path.join(web, 'index.html'), path.join(site, 'index.html'));
await copyFile(path.join(web, 'page.css'), path.join(site, 'page.css'));
await copyFile(path.join(bindings, 'attention.wasm'), path.join(site, 'attention.wasm'));
// The words the designed heads know: loaded when they are chosen.
await writeFile(path.join(site, 'lexicon.txt'), await keptLexicon(path.join(root, 'build/lexicon.txt')));
await copyFile(path.join(root, 'LICENSE'), path.join(site, 'licence.txt'));
await copyFile(path.join(root, 'THIRD_PARTY.md'), path.join(site, 'third-party.txt'));
if (existsSync(path.join(web, 'docs'))) await cp(path.join(web, 'docs'), path.join(site, 'docs'), { recursive: true });
await report(metafile);

async function report({ outputs }) {
  const wasm = await weigh('attention.wasm');
  const lexicon = await weigh('lexicon.txt');
  const element = await weigh('attention-playground.js');
  const page = await weigh('page.js');
  const script = { raw: element.raw + page.raw, gzip: element.gzip + page.gzip };
  const bundle = outputs['build/site/attention-playground.js'];
  const glue = Object.entries(bundle?.inputs ?? {}).find(([file]) => file.endsWith('attention.mjs'))?.[1].bytesInOutput ?? 0;
  const code = await readFile(path.join(bindings, 'attention.mjs'));
  const { code: minified } = await (await import('esbuild')).transform(code.toString(), { minify: true, format: 'esm' });
  print('glue (part of all JavaScript)', glue, gzipSync(minified, { level: 9 }).length);
  print('the element, glue included', element.raw, element.gzip);
  print('all JavaScript of the page', script.raw, script.gzip, BUDGETS.script);
  print('wasm', wasm.raw, wasm.gzip, BUDGETS.wasm);
  print('lexicon, on demand', lexicon.raw, lexicon.gzip, BUDGETS.lexicon);
  if (lexicon.gzip > BUDGETS.lexicon) fail(`The lexicon is over its budget of ${BUDGETS.lexicon / KB} KB gzipped. Make it smaller.`);
  if (script.gzip > BUDGETS.script) fail(`The JavaScript is over its budget of ${BUDGETS.script / KB} KB gzipped. Make it smaller, or load the new part on demand.`);
  if (wasm.gzip > BUDGETS.wasm) fail(`The wasm is over its budget of ${BUDGETS.wasm / KB} KB gzipped. Make it smaller.`);
}

async function weigh(name) {
  const bytes = await readFile(path.join(site, name));
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
}

function print(name, raw, gzip, budget) {
  const kb = (bytes) => `${(bytes / KB).toFixed(1)} KB`;
  console.log(`${name.padEnd(30)} ${kb(raw).padStart(9)} raw ${kb(gzip).padStart(9)} gzip${budget ? `  (budget ${kb(budget)} gzip)` : ''}`);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
