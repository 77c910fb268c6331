// The code that README.md shows is compiled and tested elsewhere, and the table of stages has every stage.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { STAGE_WORDS } from '../../web/src/text/stages.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const block = (language: string) => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(read('README.md'))?.[1];

test('the program in README.md is core/example/sentence.cpp, which the package lane builds', () => {
  assert.equal(block('cpp'), read('core/example/sentence.cpp'));
});

test('the element in README.md is that of the authors’ guide', () => {
  assert.ok(read('web/docs/embedding.md').includes(`\`\`\`html\n${block('html')}\`\`\``));
});

test('web/docs/stages.md describes each stage once, and nothing else', () => {
  const rows = read('web/docs/stages.md').match(/^\| \(?`.*?\|/gm) ?? [];
  assert.deepEqual(rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, id]) => id)).sort(), Object.keys(STAGE_WORDS).sort());
});
