// Every relative link and picture in the Markdown files leads to a file, and to a heading, that is there, but for those of the courses in
// tests/hosts, which lead to what their systems make of them. The code that README.md shows is compiled and tested elsewhere, and
// the table of stages has every stage. Lock files carry no address.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { STAGE_WORDS } from '../../web/src/text/stages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const LINK = /\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|<(?:img|a)\b[^>]*\b(?:src|href)="([^"]+)"/g;

/** As Markdown's readers name headings in an address. */
const headingsOf = (file: string): Set<string> => new Set([...readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)]
  .map(([, words = '']) => words.replace(/\]\([^)]*\)/g, '').toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replace(/ /g, '-')));

test('links and pictures of Markdown files lead to files that are there, and to headings in them', () => {
  const files = execFileSync('git', ['ls-files', '*.md', ':!tests/hosts/*/*'], { cwd: root, encoding: 'utf8' }).split('\n').filter((file) => file && existsSync(path.join(root, file)));
  assert.ok(files.length > 10);
  const broken = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    const targets = [...text.matchAll(LINK)].map(([, inline, html]) => inline ?? html ?? '').filter((target) => !/^[a-z][a-z+.-]*:/i.test(target));
    return targets.filter((target) => {
      const [to = '', heading] = decodeURIComponent(target).replace(/\?.*/, '').split('#');
      const at = to ? path.resolve(root, path.dirname(file), to) : path.join(root, file);
      return !existsSync(at) || (heading !== undefined && at.endsWith('.md') && !headingsOf(at).has(heading));
    }).map((target) => `${file} leads to ${target}, which does not exist.`);
  });
  assert.ok(broken.length === 0, broken.join('\n'));
});

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const block = (language: string) => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(read('README.md'))?.[1];

test('the call in README.md is that of core/example/attend.cpp, which the native lane runs', () => {
  const call = block('cpp') ?? '';
  assert.ok(call.split('\n').length > 5);
  assert.ok(read('core/example/attend.cpp').includes(call.replace(/^(?=.)/gm, '  ')));
});

test('what library.md shows of programs and of what they print stands in core/example', () => {
  const folder = new URL('../../core/example/', import.meta.url);
  const examples = readdirSync(folder);
  const texts = (suffix: RegExp) => examples.filter((name) => suffix.test(name)).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const programs = texts(/\.cpp$/), printed = texts(/\.txt$/);
  const blocks = [...read('web/docs/library.md').matchAll(/^```(cpp|text)\n(.*?)^```/gms)];
  assert.ok(blocks.length > 8);
  // A program may have lines of its own between two paragraphs of a snippet.
  const has = (place: string, parts: string[]): boolean => {
    const [part = '', ...rest] = parts, at = place.indexOf(part);
    return at >= 0 && (rest.length === 0 || has(place.slice(at + part.length), rest));
  };
  for (const [, language, text = ''] of blocks) {
    const parts = text.split('\n\n').map((part) => part.trimEnd());
    assert.ok((language === 'cpp' ? programs : printed).some((place) => has(place, parts)), `No example has\n${text}`);
  }
});

test('the version that library.md asks for is the library’s', () => {
  const header = read('core/include/attention/version.h');
  const number = (name: string) => new RegExp(`VERSION_${name} (\\d+)`).exec(header)?.[1];
  const asked = /find_package\(attention ([\d.]+) REQUIRED\)/.exec(read('web/docs/library.md'))?.[1];
  assert.equal(asked, `${number('MAJOR')}.${number('MINOR')}`);
  assert.ok(read('web/docs/changes.md').includes(`## ${asked}\n`));
});

test('manuals of the library lead to nothing that the built site lacks', () => {
  for (const manual of ['library.md', 'operators.md', 'changes.md', 'accuracy.md', 'speed.md']) {
    const targets = [...read(`web/docs/${manual}`).matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    assert.deepEqual(targets.filter((target) => target.startsWith('..') && !target.endsWith('.html')), [], manual);
  }
});

test('the element in README.md is that of the authors’ guide', () => {
  assert.ok(read('web/docs/embedding.md').includes(`\`\`\`html\n${block('html')}\`\`\``));
});

test('web/docs/stages.md describes each stage once, and nothing else', () => {
  const rows = read('web/docs/stages.md').match(/^\| \(?`.*?\|/gm) ?? [];
  assert.deepEqual(rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, id]) => id)).sort(), Object.keys(STAGE_WORDS).sort());
});

test('lock files say what is installed, and from no address', () => {
  const files = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  assert.ok(files.length > 5);
  assert.deepEqual(files.filter((file) => /"resolved": "https?:/.test(read(file))), []);
});
