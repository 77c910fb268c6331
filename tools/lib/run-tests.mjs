// node --import ./tools/lib/web-packages.mjs tools/lib/run-tests.mjs PATTERN FILE…
// Runs files of tests, three at once or as many as there are processors to spare: a browser waits for much of its time.
// The largest begin first, so that none is left alone at the end.
// Only tests whose names match the pattern; an empty one matches all. Ends with the slowest tests, and CTest's sentence.
import { statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const [pattern, ...files] = process.argv.slice(2);
const ran = [];

const tests = run({
  files: files.map((file) => path.resolve(file)).toSorted((a, b) => statSync(b).size - statSync(a).size),
  concurrency: Math.max(3, availableParallelism() - 1),
  timeout: 1_800_000, // of a file
  ...(pattern && { testNamePatterns: [new RegExp(pattern)] }),
});
const keep = (passes) => ({ name, file, skip, todo, details: { type, duration_ms: ms } }) => {
  if (skip === undefined && todo === undefined && type !== 'suite') ran.push({ passes, ms, name, file: path.relative('', file ?? '') });
};
tests.on('test:pass', keep(true)).on('test:fail', keep(false));
tests.compose(spec).on('end', () => {
  const slow = ran.toSorted((a, b) => b.ms - a.ms).map(({ ms, file, name }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}  ${name}`);
  const failed = ran.filter(({ passes }) => !passes).length;
  console.log(`\nThe slowest:\n${slow.slice(0, 10).join('\n')}\n${failed} tests failed out of ${ran.length}`);
  if (process.env.TEST_TIMES) writeFileSync(process.env.TEST_TIMES, `${slow.join('\n')}\n`);
  process.exitCode = failed ? 1 : 0;
}).pipe(process.stdout);
