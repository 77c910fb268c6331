// Every relative link and picture in the Markdown files leads to a file that is there. Those of the courses in
// tests/hosts lead to what their systems make of them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const LINK = /\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|<(?:img|a)\b[^>]*\b(?:src|href)="([^"]+)"/g;

const files = execFileSync('git', ['ls-files', '*.md', ':!tests/hosts/*/*'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
const broken = [];
for (const file of files) {
  const text = readFileSync(path.join(root, file), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  for (const [, inline, html] of text.matchAll(LINK)) {
    const target = decodeURIComponent((inline ?? html).replace(/[?#].*/, ''));
    if (!target || /^[a-z][a-z+.-]*:/i.test(inline ?? html)) continue;
    if (!existsSync(path.resolve(root, path.dirname(file), target))) broken.push(`${file} leads to ${target}, which does not exist.`);
  }
}
console.log(broken.length ? broken.join('\n') : `The links of ${files.length} Markdown files lead somewhere.`);
process.exitCode = broken.length ? 1 : 0;
