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
// The element in one file, to be copied to any page; and this page, whose parts come when they are needed.
await build({ ...options, entryPoints: { 'attention-playground': path.join(web, 'src/attention-playground.define.ts') } });
const { metafile } = await build({
  ...options, entryPoints: { page: path.join(web, 'src/page.ts') }, splitting: true, chunkNames: '[name]-[hash]',
});
await writeFile(path.join(site, 'index.html'), withChunks(await readFile(path.join(web, 'index.html'), 'utf8'), metafile));
await copyFile(path.join(web, 'page.css'), path.join(site, 'page.css'));
await copyFile(path.join(bindings, 'attention.wasm'), path.join(site, 'attention.wasm'));
// The words the designed heads know: loaded when they are chosen.
await writeFile(path.join(site, 'lexicon.txt'), await keptLexicon(path.join(root, 'build/lexicon.txt')));
await copyFile(path.join(root, 'LICENSE'), path.join(site, 'licence.txt'));
await copyFile(path.join(root, 'THIRD_PARTY.md'), path.join(site, 'third-party.txt'));
if (existsSync(path.join(web, 'docs'))) await cp(path.join(web, 'docs'), path.join(site, 'docs'), { recursive: true });
await report(metafile);

/** What the page's script imports at once is asked for at once, too. */
function withChunks(page, { outputs }) {
  const chunks = atOnce(outputs).slice(1).map((file) => `<link rel="modulepreload" href="${path.basename(file)}">`);
  return page.replace('<!-- chunks -->', chunks.join('\n  '));
}

/** The page's script, and the files that it imports before it runs. */
function atOnce(outputs) {
  const found = ['build/site/page.js'];
  for (const file of found) found.push(...importsOf(outputs[file]).filter((other) => !found.includes(other)));
  return found;
}

/** What it asks for after the first figure, without being told to. */
function afterwards(outputs) {
  const first = atOnce(outputs);
  const later = Object.keys(outputs).filter((file) => /\/below-parts-[^/]*\.js$/.test(file));
  return [...later, ...later.flatMap((file) => importsOf(outputs[file]).filter((other) => !first.includes(other)))];
}

function importsOf({ imports }) {
  return imports.filter(({ kind }) => kind === 'import-statement').map(({ path: file }) => file);
}

async function report({ outputs }) {
  const wasm = await weigh('attention.wasm');
  const lexicon = await weigh('lexicon.txt');
  const first = await weigh(...atOnce(outputs));
  const later = await weigh(...afterwards(outputs));
  const script = { raw: first.raw + later.raw, gzip: first.gzip + later.gzip };
  const element = await weigh('attention-playground.js');
  print('the page before its figure', first.raw, first.gzip);
  print('the rest, after the figure', later.raw, later.gzip);
  print('all JavaScript of the page', script.raw, script.gzip, BUDGETS.script);
  print('the element in one file', element.raw, element.gzip, BUDGETS.script);
  print('wasm', wasm.raw, wasm.gzip, BUDGETS.wasm);
  print('lexicon, on demand', lexicon.raw, lexicon.gzip, BUDGETS.lexicon);
  if (lexicon.gzip > BUDGETS.lexicon) fail(`The lexicon is over its budget of ${BUDGETS.lexicon / KB} KB gzipped. Make it smaller.`);
  if (Math.max(script.gzip, element.gzip) > BUDGETS.script) fail(`The JavaScript is over its budget of ${BUDGETS.script / KB} KB gzipped. Make it smaller, or load the new part on demand.`);
  if (wasm.gzip > BUDGETS.wasm) fail(`The wasm is over its budget of ${BUDGETS.wasm / KB} KB gzipped. Make it smaller.`);
}

async function weigh(...files) {
  let [raw, gzip] = [0, 0];
  for (const file of files) {
    const bytes = await readFile(path.join(site, path.basename(file)));
    raw += bytes.length;
    gzip += gzipSync(bytes, { level: 9 }).length;
  }
  return { raw, gzip };
}

function print(name, raw, gzip, budget) {
  const kb = (bytes) => `${(bytes / KB).toFixed(1)} KB`;
  console.log(`${name.padEnd(30)} ${kb(raw).padStart(9)} raw ${kb(gzip).padStart(9)} gzip${budget ? `  (budget ${kb(budget)} gzip)` : ''}`);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
