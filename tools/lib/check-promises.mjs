// Every promise in tests/PROMISES.md names tests, and those tests exist: `file › "name of the test"`.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const list = 'tests/PROMISES.md';
const REFERENCE = /`([^`\s]+) › "((?:[^"\\]|\\.)+)"`/g;
const DECLARED = /\b(?:TEST_CASE|TEMPLATE_TEST_CASE|TEST_CASE_METHOD|SECTION|test|it|suite|describe|add_test)(?:\.\w+)?\s*\(\s*(?:NAME\s+)?(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g;

/** The promises: list items, each with the indented lines that follow it. */
function promises(text) {
  const found = [];
  let fenced = false;
  text.split('\n').forEach((line, index) => {
    if (line.startsWith('```')) fenced = !fenced;
    if (fenced) return;
    if (/^[-*] /.test(line)) found.push({ line: index + 1, text: line });
    else if (/^\s+\S/.test(line) && found.length) found[found.length - 1].text += ` ${line.trim()}`;
  });
  return found;
}

const names = new Map();
function testsIn(file) {
  if (!names.has(file)) {
    const source = readFileSync(path.join(root, file), 'utf8').replace(/"\s*\n\s*"/g, ''); // C++ joins strings over lines
    names.set(file, new Set([...source.matchAll(DECLARED)].map(([, , name]) => name.replace(/\\(.)/g, '$1'))));
  }
  return names.get(file);
}

const problems = [];
const found = existsSync(path.join(root, list)) ? promises(readFileSync(path.join(root, list), 'utf8')) : [];
if (!found.length) problems.push(`${list} holds no promise: each is a list item with \`file › "name of the test"\`.`);
for (const promise of found) {
  const references = [...promise.text.matchAll(REFERENCE)];
  if (!references.length) problems.push(`${list}:${promise.line} names no test, as \`file › "name of the test"\`.`);
  for (const [, file, name] of references) {
    if (!existsSync(path.join(root, file))) problems.push(`${list}:${promise.line} names ${file}, which does not exist.`);
    else if (!testsIn(file).has(name.replace(/\\(.)/g, '$1'))) problems.push(`${list}:${promise.line} names "${name}", which ${file} does not hold.`);
  }
}
console.log(problems.length ? problems.join('\n') : `${found.length} promises, each held by a test that exists.`);
process.exitCode = problems.length ? 1 : 0;
