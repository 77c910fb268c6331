// The package in other people's builds: what a bundler makes of it computes, and finds all its parts.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { DEFAULTS, firstDifference, nativeStages } from '../lib/native.ts';
import { Reader } from '../lib/page.ts';

const PACKAGE = fileURLToPath(new URL('../../build/package', import.meta.url));
/** The bundlers that two of the documentation systems bring. */
const from = (system: string) => createRequire(new URL(`${system}/package.json`, import.meta.url));
const html = (script: string) => `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Course</title>
  <attention-playground text="the cat sat on the mat" heads="2" loading="eager">Weights.</attention-playground><script type="module" src="${script}"></script></html>`;

let folder = '';
let reader: Reader;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'attention-bundlers-'));
  await cp(PACKAGE, path.join(folder, 'node_modules/attention-playground'), { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"private": true, "type": "module"}');
  await writeFile(path.join(folder, 'main.js'), "import 'attention-playground/define';");
  await writeFile(path.join(folder, 'index.html'), html('/main.js'));
  reader = await Reader.arrive(folder);
});
after(async () => {
  await reader?.leave();
  await rm(folder, { recursive: true, force: true });
});

const BUNDLERS: Readonly<Record<string, (out: string) => Promise<void>>> = {
  Vite: async (out) => {
    const vite = from('vitepress')('vite');
    await vite.build({ root: folder, base: './', logLevel: 'silent', build: { outDir: out } });
  },
  webpack: async (out) => {
    const webpack = from('docusaurus')('webpack');
    const stats = await new Promise<{ hasErrors(): boolean; toString(): string; toJson(): { warnings: { message: string }[] } }>((resolve, reject) => {
      webpack({ mode: 'production', context: folder, entry: './main.js', output: { path: out } }, (error: Error | null, made: never) => (error ? reject(error) : resolve(made)));
    });
    assert.ok(!stats.hasErrors(), stats.toString());
    assert.deepEqual(stats.toJson().warnings.filter(({ message }) => !/size limit|performance/.test(message)), []);
    await writeFile(path.join(out, 'index.html'), html('main.js'));
  },
  // What Rollup takes by itself: scripts. The rest is put beside them, as the package's README says.
  Rollup: async (out) => {
    const { rollup } = from('vitepress')('rollup');
    const bundle = await rollup({ input: path.join(folder, 'node_modules/attention-playground/dist/define.js'), logLevel: 'silent' });
    await bundle.write({ dir: out });
    const dist = path.join(PACKAGE, 'dist');
    for (const name of await readdir(dist)) if (/\.(wasm|txt|safetensors)$|^language-/.test(name)) await cp(path.join(dist, name), path.join(out, name));
    await writeFile(path.join(out, 'index.html'), html('define.js'));
  },
};

for (const [name, bundle] of Object.entries(BUNDLERS)) {
  test(`bundled by ${name}, it computes, and finds its words, its models, its languages and its labs`, { timeout: 180_000 }, async () => {
    const out = path.join(folder, name);
    await bundle(out);
    const page = await reader.open({ file: `${name}/index.html` });
    const { page: tab } = page;
    await tab.waitForFunction(() => (document.querySelector('attention-playground') as AttentionPlayground | null)?.trace);
    const weights = await tab.evaluate(() => Array.from((document.querySelector('attention-playground') as AttentionPlayground).stage('weights')));
    assert.equal(firstDifference(Float32Array.from(weights), nativeStages(['the', 'cat', 'sat', 'on', 'the', 'mat'], { ...DEFAULTS, num_heads: 2 }).get('weights')), -1);
    const becomes = async (attribute: string, value: string, selector: string, hasText: RegExp) => {
      await tab.locator('attention-playground').evaluate((element, given) => element.setAttribute(given[0] as string, given[1] as string), [attribute, value]);
      await tab.locator(selector, { hasText }).first().waitFor({ timeout: 30_000 });
    };
    await becomes('parameters', 'designed', '.honest', /designed by hand/);
    await becomes('parameters', 'trained', '.honest', /learnt from stories/);
    await becomes('lang', 'es', '.figure', /Pesos/);
    await becomes('view', 'lab-scale', '.lab', /√d/);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}
