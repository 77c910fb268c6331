// Small programs in React, Preact, Solid, Vue and Svelte, each checked by its framework's own checker: correct attributes,
// properties and events of the element pass, and mistakes in them are reported.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const exec = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../../build/package', import.meta.url));
const WEB = fileURLToPath(new URL('../../web', import.meta.url));
const { svelte2tsx } = createRequire(path.join(WEB, 'package.json'))('svelte2tsx');
const GUIDE = fileURLToPath(new URL('../../web/docs/embedding.md', import.meta.url));
const installed = (...names: string[]) => path.join(WEB, 'node_modules', ...names);

interface Program {
  /** Attributes as authors write them, each tried by itself. */
  right: readonly string[];
  wrong: readonly string[];
  program(attributes: string): string;
  /** What the checker reads of it, where that is something else. */
  translated?(program: string): string;
  extension: string;
  checker?: string;
  options?: object;
  files?: readonly string[];
}

const RIGHT = ['text="the cat"', 'key-text="a dog"', 'view="matrix"', 'mask="causal"', 'scale="0.5"', 'heads="2"', 'readonly', 'aria-label="Weights"',
  'view="training" lesson="mask" mask="none" scale="sqrt-dk" heads="4" seed="2" at-step="40"', 'parameters="trained-here" replay="positions.with_positions.1.40"'];
/** No such attribute, mask, view or lesson. */
const WRONG = ['mansk="causal"', 'mask="causl"', 'view="matrx"', 'lesson="masks"', 'replays="positions.with_positions.1.40"'];
const JSX = ['scale={0.5}', 'heads={2}', 'column={3}', 'biases={false}', 'keyText="a dog"', "config={{ text: 'the cat' }}", 'onClick={() => {}}', 'class="wide"'];
const WRONG_JSX = ['column={true}', 'heads={[2]}'];
const jsx = (framework: string) => (attributes: string) => `import 'attention-playground/${framework}';\nexport const figure = <attention-playground ${attributes}>Weights.</attention-playground>;`;
/** Its detail is { head, query, key }. */
const listening = (name: string) => [`${name}={({ detail: { head } }) => head.toFixed()}`];
const mistaken = (name: string) => [`${name}={(event: MouseEvent) => event.clientX}`, `${name}={({ detail: { column } }) => column}`];

const PROGRAMS: Readonly<Record<string, Program>> = {
  react: {
    right: [...RIGHT, ...JSX, 'className="wide"', 'key="first"', 'ref={(figure) => { figure?.stage("weights"); }}', ...listening('onattention-select')],
    wrong: [...WRONG, ...WRONG_JSX, ...mistaken('onattention-select')],
    program: jsx('react'), extension: 'tsx', options: { jsx: 'react-jsx', jsxImportSource: 'react' },
  },
  preact: {
    right: [...RIGHT, ...JSX, 'key="first"', 'ref={(figure) => { figure?.stage("weights"); }}', ...listening('onattention-select')],
    wrong: [...WRONG, ...WRONG_JSX, ...mistaken('onattention-select')],
    program: jsx('preact'), extension: 'tsx', options: { jsx: 'react-jsx', jsxImportSource: 'preact' },
  },
  solid: {
    right: [...RIGHT, ...JSX, 'prop:column={3}', 'attr:d-model={32}', 'ref={(figure) => { figure.stage("weights"); }}', ...listening('on:attention-select')],
    wrong: [...WRONG, ...WRONG_JSX, 'prop:mask="causl"', ...mistaken('on:attention-select')],
    program: jsx('solid'), extension: 'tsx', options: { jsx: 'preserve', jsxImportSource: 'solid-js' },
  },
  vue: {
    right: [...RIGHT, ':scale="0.5"', ':heads="2"', ':column="3"', ':biases="false"', ':config="{ text: \'the cat\' }"', 'class="wide"', '@click="() => {}"', '@attention-select="({ detail: { head } }) => head.toFixed()"'],
    wrong: [...WRONG, ':column="true"', ':heads="[2]"', '@attention-select="(event: MouseEvent) => event.clientX"', '@attention-select="({ detail: { column } }) => column"'],
    program: (attributes) => `<script setup lang="ts">\nimport 'attention-playground/vue';\n</script>\n<template>\n  <attention-playground ${attributes}>Weights.</attention-playground>\n</template>`,
    extension: 'vue', checker: 'vue-tsc',
  },
  svelte: {
    right: [...RIGHT, 'scale={0.5}', 'heads={2}', 'column={3}', 'biases={false}', "config={{ text: 'the cat' }}", 'class="wide"', 'onclick={() => {}}', ...listening('onattention-select'), ...listening('on:attention-change').map((each) => each.replaceAll('head', 'text').replace('toFixed', 'trim'))],
    wrong: [...WRONG, ...WRONG_JSX, ...mistaken('onattention-select')],
    program: (attributes) => `<script lang="ts">\nimport 'attention-playground/svelte';\n</script>\n<attention-playground ${attributes}>Weights.</attention-playground>`,
    translated: (program) => svelte2tsx(program, { filename: 'Figure.svelte', isTsFile: true, version: '5.0.0' }).code,
    extension: 'ts', files: [installed('svelte2tsx/svelte-shims-v4.d.ts'), installed('svelte/svelte-html.d.ts')],
  },
};

let folder = '';
before(async () => {
  await stat(path.join(PACKAGE, 'dist/react.d.ts')).catch(() => assert.fail('build/package is not whole. In web/: npm run build && npm run package.'));
  folder = await mkdtemp(path.join(tmpdir(), 'attention-frameworks-'));
  await cp(PACKAGE, path.join(folder, 'node_modules/attention-playground'), { recursive: true });
  await mkdir(path.join(folder, 'node_modules/@types'));
  for (const name of ['@types/react', 'preact', 'solid-js', 'vue', 'svelte']) await symlink(installed(name), path.join(folder, 'node_modules', name));
  await writeFile(path.join(folder, 'package.json'), '{"private": true, "type": "module"}');
});
after(() => rm(folder, { recursive: true, force: true }));

for (const [name, { right, wrong, program, translated = String, extension, checker = 'tsc', options, files = [] }] of Object.entries(PROGRAMS)) {
  test(`${name}: correct attributes pass, mistakes are reported`, { timeout: 180_000 }, async () => {
    const own = path.join(folder, name);
    await mkdir(own);
    const guide = (await readFile(GUIDE, 'utf8')).split('```').find((block) => block.includes(`'attention-playground/${name}'`)) ?? '';
    const programs = new Map([guide.replace(/.*\n/, ''), ...right.map(program)].map((each, i) => [`right${i}.${extension}`, each]));
    const mistakes = new Map(wrong.map(program).map((each, i) => [`wrong${i}.${extension}`, each]));
    for (const [file, each] of [...programs, ...mistakes]) await writeFile(path.join(own, file), translated(each));
    await writeFile(path.join(own, 'tsconfig.json'), JSON.stringify({
      compilerOptions: { noEmit: true, strict: true, target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler', types: [], ...options },
      vueCompilerOptions: { strictTemplates: true },
      files: [...programs.keys(), ...mistakes.keys(), ...files],
    }));
    const said: string = await exec(installed('.bin', checker), ['--pretty', 'false', '-p', own], { cwd: own, maxBuffer: 2 ** 24 }).then(({ stdout }) => stdout, ({ stdout }) => stdout);
    const of = (file: string) => said.split('\n').filter((line) => line.startsWith(`${file}(`)).join('\n');
    for (const [file, each] of programs) assert.equal(of(file), '', each);
    for (const [file, each] of mistakes) assert.notEqual(of(file), '', `let through: ${each}`);
    assert.doesNotMatch(said, /attention-playground\/dist/, 'the package’s own declarations');
  });
}
