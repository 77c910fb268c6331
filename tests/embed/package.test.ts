// The npm package, packed and installed in an empty folder as a stranger does it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import type { State } from '../../web/src/embed/types.ts';
import type { LinkState } from '../../web/src/state/state.ts';
import { DEFAULTS, firstDifference, nativeStages } from '../lib/native.ts';
import { Reader } from '../lib/page.ts';

const exec = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../../build/package', import.meta.url));
const WEB = fileURLToPath(new URL('../../web', import.meta.url));
const esbuild = createRequire(path.join(WEB, 'package.json'))('esbuild');
const FIGURE = '<attention-playground text="the cat sat on the mat" heads="2" loading="eager">Weights.</attention-playground>';
const EXPECTED = nativeStages(['the', 'cat', 'sat', 'on', 'the', 'mat'], { ...DEFAULTS, num_heads: 2 }).get('weights');

let folder = '';
let reader: Reader;
let packed = '';
const installed = (...names: string[]) => path.join(folder, 'node_modules/attention-playground', ...names);
const json = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

before(async () => {
  await stat(path.join(PACKAGE, 'custom-elements.json')).catch(() => assert.fail('build/package is not whole. In web/: npm run build && npm run package.'));
  folder = await mkdtemp(path.join(tmpdir(), 'attention-package-'));
  const { stdout } = await exec('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: PACKAGE });
  packed = path.join(folder, stdout.trim());
  await writeFile(path.join(folder, 'package.json'), '{"private": true, "type": "module"}');
  await exec('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', packed], { cwd: folder });
  reader = await Reader.arrive(folder);
});
after(async () => {
  await reader?.leave();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a page of the folder and reads a figure's numbers back. */
async function assertComputes(script: string): Promise<string[]> {
  await writeFile(path.join(folder, 'page.html'), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Course</title>${script}${FIGURE}</html>`);
  const page = await reader.open({ file: 'page.html' });
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground | null)?.trace);
  const weights = await page.page.evaluate(() => Array.from((document.querySelector('attention-playground') as AttentionPlayground).stage('weights')));
  assert.equal(firstDifference(Float32Array.from(weights), EXPECTED), -1);
  assert.deepEqual(page.problems, []);
  const { requests } = page;
  await page.close();
  return requests;
}

test('it can be imported in Node: the class and nothing else, defined nowhere, no global added but Lit’s marks', async () => {
  const ask = `const before = Object.getOwnPropertyNames(globalThis);
    const own = await import('attention-playground'); const { AttentionPlayground: defining } = await import('attention-playground/define');
    console.log(JSON.stringify([Object.keys(own), own.AttentionPlayground.version, own.AttentionPlayground === defining, Object.getOwnPropertyNames(globalThis).filter((name) => !before.includes(name) && !/^(lit|reactiveElement)/.test(name)), typeof customElements, typeof HTMLElement]))`;
  const { stdout } = await exec(process.execPath, ['--input-type=module', '-e', ask], { cwd: folder });
  const { version } = await json(path.join(WEB, 'package.json'));
  assert.deepEqual(JSON.parse(stdout), [['AttentionPlayground'], version, true, [], 'undefined', 'undefined']);
});

test('bundled, it computes; what is not used is left out, and what registers the tag is not', async () => {
  const bundle = async (entry: string, outdir: string) => {
    await writeFile(path.join(folder, 'entry.js'), entry);
    const { metafile } = await esbuild.build({ absWorkingDir: folder, entryPoints: ['entry.js'], outdir, bundle: true, splitting: true, format: 'esm', minify: true, metafile: true, logLevel: 'silent' });
    return metafile.outputs[`${outdir}/entry.js`].bytes as number;
  };
  assert.ok(await bundle("import { AttentionPlayground } from 'attention-playground'; console.log(1);", 'unused') < 50);
  await bundle("import 'attention-playground/define';", 'used');
  await cp(installed('dist/attention.wasm'), path.join(folder, 'used/attention.wasm'));
  await assertComputes('<script type="module" src="used/entry.js"></script>');
  await bundle("import { AttentionPlayground } from 'attention-playground'; customElements.define('attention-playground', AttentionPlayground);", 'used');
  await assertComputes('<script type="module" src="used/entry.js"></script>');
});

test('in a plain page it computes, as one script and as modules, each under its hash', async () => {
  const hashes = await json(installed('dist/sri.json'));
  const at = 'node_modules/attention-playground/dist/';
  for (const [file, type] of [['attention-playground.js', ''], ['attention-playground.full.js', ''], ['define.js', ' type="module"']] as const) {
    assert.match(hashes[file], /^sha384-[A-Za-z0-9+/]{64}$/);
    const requests = await assertComputes(`<script src="${at}${file}" integrity="${hashes[file]}"${type}></script>`);
    assert.equal(requests.some((address) => address.endsWith('.wasm')), file === 'define.js', 'a classic script has the engine inside');
  }
});

test('a script that is another than its hash is not run', async () => {
  const hashes = await json(installed('dist/sri.json'));
  await writeFile(path.join(folder, 'page.html'), `<!doctype html><script src="node_modules/attention-playground/dist/attention-playground.js" integrity="${hashes['embed.js']}"></script>${FIGURE}`);
  const page = await reader.open({ file: 'page.html' });
  assert.equal(await page.page.evaluate(() => customElements.get('attention-playground')), undefined);
  assert.match(page.problems.join(), /integrity/);
  await page.close();
});

test('sri.json has the hash of every script and style sheet, and every address that a script asks for is in the package', async () => {
  const files = await readdir(installed('dist'));
  const scripts = files.filter((name) => /\.m?js$/.test(name));
  assert.deepEqual(Object.keys(await json(installed('dist/sri.json'))), [...scripts, ...files.filter((name) => name.endsWith('.css'))].sort());
  for (const name of scripts) {
    const text = await readFile(installed('dist', name), 'utf8');
    for (const [, asked] of text.matchAll(/(?:new URL\(|import\(|from|import)\s*["'](?:\.\/)?([\w-][\w.-]*\.(?:js|mjs|wasm|txt))["']/g)) assert.ok(files.includes(asked as string), `${name} asks for ${asked}`);
  }
});

test('publint and are-the-types-wrong find nothing', async () => {
  const bin = (name: string) => path.join(WEB, 'node_modules/.bin', name);
  await exec(bin('publint'), [packed, '--strict']);
  // Not code: a style sheet and a module of WebAssembly have no types.
  await exec(bin('attw'), [packed, '--profile', 'esm-only', '--no-color', '--exclude-entrypoints', 'attention-playground.css', 'attention.wasm'])
    .catch(({ stdout }: { stdout: string }) => assert.fail(stdout));
});

test('the types hold in a program of somebody else’s, by both ways of finding them', async () => {
  await writeFile(path.join(folder, 'program.ts'), `
import { AttentionPlayground, type State } from 'attention-playground';
import 'attention-playground/define';
import 'attention-playground/single';
import widget from 'attention-playground/anywidget';
const element = document.createElement('attention-playground');
element.heads = '4';
element.addEventListener('attention-select', ({ detail: { head } }) => head.toFixed());
element.addEventListener('click', () => {});
const same: AttentionPlayground = element;
export const state: State = same.state;
export const numbers: Float32Array = same.stage('weights');
widget.render({ model: { get: () => numbers }, el: document.body })();
// @ts-expect-error
element.stage('nothing');
// @ts-expect-error
element.view = 'nothing';
`);
  const tsc = path.join(WEB, 'node_modules/.bin/tsc');
  for (const [module, resolution] of [['NodeNext', 'NodeNext'], ['ESNext', 'Bundler']] as const) {
    await exec(tsc, ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom', '--module', module, '--moduleResolution', resolution, 'program.ts'], { cwd: folder })
      .catch(({ stdout }: { stdout: string }) => assert.fail(stdout));
  }
  // What the package declares of a state is in the real one.
  const real = (state: LinkState): State => state;
  assert.ok(real);
});

test('every file that the package names is in it', async () => {
  const about = await json(installed('package.json'));
  const named = (value: unknown): string[] => (typeof value === 'string' ? [value] : Object.values(value as object).flatMap(named));
  for (const file of [...named(about.exports), about.customElements].filter((name) => !name.includes('*'))) await stat(installed(file)).catch(() => assert.fail(`${file} is missing`));
  for (const file of ['README.md', 'LICENSE', 'THIRD_PARTY.md', 'vscode.html-custom-data.json', 'dist/embed.html', 'dist/language-es.js']) await stat(installed(file));
  assert.deepEqual([about.dependencies, about.scripts], [undefined, undefined]);
});
