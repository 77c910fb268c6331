// Every relative link and picture in the Markdown files leads to a file that is there. Those of the courses in
// tests/hosts lead to what their systems make of them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const LINK = /\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|<(?:img|a)\b[^>]*\b(?:src|href)="([^"]+)"/g;

test('links and pictures of Markdown files lead to files that are there', () => {
  const files = execFileSync('git', ['ls-files', '*.md', ':!tests/hosts/*/*'], { cwd: root, encoding: 'utf8' }).split('\n').filter((file) => file && existsSync(path.join(root, file)));
  assert.ok(files.length > 10);
  const broken = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    const targets = [...text.matchAll(LINK)].map(([, inline, html]) => inline ?? html ?? '').filter((target) => !/^[a-z][a-z+.-]*:/i.test(target));
    return targets.map((target) => decodeURIComponent(target.replace(/[?#].*/, ''))).filter((target) => target && !existsSync(path.resolve(root, path.dirname(file), target))).map((target) => `${file} leads to ${target}, which does not exist.`);
  });
  assert.ok(broken.length === 0, broken.join('\n'));
});
