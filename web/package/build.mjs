// Builds the npm package, build/package. Its dist/ is all that a page needs: the site serves it as embed/.
import { build } from 'esbuild';
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AT_ONCE, smallSources, smallStyles } from '../smaller.mjs';
import { buildClassic, hashOf, partsApart } from './parts.mjs';
import { atOnce } from './report.mjs';
import { OPERATORS_PART, carried, coreInside, operatorsApart, operatorsBeside, operatorsInside, trainingInside } from './plugins.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const source = (file) => path.join(here, '../src', file);
const ELEMENT = source('element/define.ts');
const SHEET = 'attention-playground.css';
/** As they are. */
const FILES = ['embed.css', 'embed.html'];
/** Of a module that may have come as a blob, which nothing lies beside. */
const ADDRESS = 'const SCRIPT_ADDRESS = /^(https?|file):/.test(import.meta.url) ? import.meta.url : document.baseURI;';

/**
 * @param root the repository
 * @param bindings the folder of the modules that Emscripten made
 * @param define what the sources are told by the build
 * @param beside files that the scripts ask for by their names: { name: file }
 */
export async function buildPackage({ root, bindings, define, beside }) {
  const folder = path.join(root, 'build/package');
  const dist = path.join(folder, 'dist');
  await rm(folder, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const { version } = JSON.parse(await readFile(path.join(here, '../package.json'), 'utf8'));
  const options = {
    outdir: dist, absWorkingDir: root, bundle: true, target: 'es2022', minify: true, legalComments: 'none', logLevel: 'warning',
    define: { ...define, PLAYGROUND: '""', VERSION: JSON.stringify(version) },
  };
  const single = { ...options, define: { ...options.define, 'import.meta.url': 'SCRIPT_ADDRESS' } };
  // A classic script knows whether it was checked, and then checks what it brings.
  const { SCRIPT_IS_CHECKED: _, SCRIPT_NONCE: __, HASHES: ___, MORE_HASHES, ...known } = single.define;
  const classic = { ...single, define: known, format: 'iife', inject: [source('embed/script-address.ts')] };
  const scripts = Object.entries(beside).filter(([name]) => name.endsWith('.js'));
  const hashes = Object.fromEntries(await Promise.all(scripts.map(async ([name, file]) => [name, hashOf('sha256', await readFile(file))])));
  const whole = [smallStyles, coreInside, operatorsInside, trainingInside, smallSources];
  const engines = await carried(bindings, 'CORE', 'OPERATORS', 'TRAINING');

  const parts = await buildClassic({
    dist, options: { ...classic, inject: [...classic.inject, source('embed/classic-parts.ts')] }, main: ELEMENT, file: 'attention-playground.js',
    plugins: [smallStyles, coreInside, operatorsBeside], found: { ...OPERATORS_PART },
    hashes, carried: { 'main.js': await carried(bindings, 'CORE'), 'operators-inline.js': await carried(bindings, 'OPERATORS') },
  });
  // For the benchmarks, which show it.
  await writeFile(path.join(folder, '../single-script.json'), `${JSON.stringify(parts)}\n`);
  await build({ ...classic, define: { ...known, HASHES: JSON.stringify(hashes), MORE_HASHES }, banner: { js: `(()=>{"use strict";${engines}` }, footer: { js: '})();' }, plugins: whole, entryPoints: { 'attention-playground.full': ELEMENT } });
  await build({ ...classic, entryPoints: { embed: source('embed/iframe.ts'), 'embed-host': source('embed/iframe-host.ts') } });
  await build({ ...single, plugins: whole, format: 'esm', banner: { js: ADDRESS + engines }, outExtension: { '.js': '.mjs' }, entryPoints: { anywidget: source('embed/anywidget.ts') } });
  await build({
    ...options, plugins: [smallStyles, operatorsApart(bindings), partsApart(source('embed/index.ts'), {}, (name) => `import('part:${name}')`)], format: 'esm', inject: [path.join(here, 'without-dom.js')],
    splitting: true, chunkNames: '[name]-[hash]', entryPoints: { index: source('embed/index.ts'), define: ELEMENT },
  });
  await askAtRunTime(dist);
  await compileAtOnce(dist, ['define.js', 'index.js']);
  await writeFile(path.join(dist, SHEET), await readFile(path.join(here, SHEET), 'utf8') + await heights());
  for (const name of FILES) await copyFile(path.join(here, name), path.join(dist, name));
  for (const [name, file] of Object.entries(beside)) await copyFile(file, path.join(dist, name));
  await writeFile(path.join(dist, 'sri.json'), `${JSON.stringify(await integrity(dist), null, 2)}\n`);
  await describe(folder, version, root);
}

/** Those of figures, for the time before the script: as their own style sheet has them, in an element with its padding. */
async function heights() {
  const [wide, narrow] = (await readFile(source('ui/styles/alone.ts'), 'utf8')).split('@container attention (max-width: 560px)');
  const rules = (text) => [...text.matchAll(/\.root((?:\[data-\w+='\w+'\])+) \{ --room: (\w+); \}/g)].map(([, which, height]) =>
    `attention-playground${which.replace(/data-(\w+)='(\w+)'/g, '$1=$2')}:not(:defined) { min-height: var(--attention-height, ${height}); }\n`).join('');
  return `${rules(wide)}@media (max-width: 592px) {\n${rules(narrow)}}\n`;
}

/** Addresses that are made at run time: bundlers are told to leave these imports as they are. Minifying takes such words away. */
async function askAtRunTime(dist) {
  for (const name of (await readdir(dist)).filter((file) => file.endsWith('.js'))) {
    const text = await readFile(path.join(dist, name), 'utf8');
    if (/^import[ "*{]|\bexport[ {]/.test(text)) await writeFile(path.join(dist, name), text.replace(/\bimport\((?=[^"'])/g, 'import(/*webpackIgnore:true*//*@vite-ignore*/'));
  }
}

/** The modules that each of these asks for first of all. */
async function compileAtOnce(dist, entries) {
  const names = (await Promise.all(entries.map((entry) => atOnce(dist, entry)))).flat();
  await Promise.all([...new Set(names)].map(async (name) => {
    const file = path.join(dist, name);
    await writeFile(file, `${AT_ONCE}\n${await readFile(file, 'utf8')}`);
  }));
}

/** What `integrity=` takes, of every script and style sheet. */
async function integrity(dist) {
  const files = (await readdir(dist)).filter((name) => /\.(m?js|css)$/.test(name)).sort();
  return Object.fromEntries(await Promise.all(files.map(async (name) => [name, hashOf('sha384', await readFile(path.join(dist, name)))])));
}

async function describe(folder, version, root) {
  const about = JSON.parse(await readFile(path.join(here, 'package.json'), 'utf8'));
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify({ name: about.name, version, ...about }, null, 2)}\n`);
  await copyFile(path.join(here, 'README.md'), path.join(folder, 'README.md'));
  for (const name of ['LICENSE', 'THIRD_PARTY.md']) await copyFile(path.join(root, name), path.join(folder, name));
}
