// tools/bench: runs the benchmarks that are asked for and prints their tables.
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { engine } from './engine.ts';
import { keystroke } from './keystroke.ts';
import { type Benchmark, progress, writeReport } from './report.ts';

// A new benchmark is a file here, its name in this list, and a paragraph in help.txt.
const BENCHMARKS: readonly Benchmark[] = [keystroke, engine];

const README = fileURLToPath(new URL('../../../README.md', import.meta.url));

function machine(): string {
  const cpus = os.cpus();
  const model = (cpus[0]?.model ?? 'unknown processor').replace(/\((R|TM)\)/g, '').replace(/\s+/g, ' ').trim();
  const version = execFileSync(process.env['ATTENTION_CHROMIUM'] ?? 'chromium', ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const browser = /^[A-Za-z ]+[\d.]+/.exec(version.toString())?.[0] ?? version.toString().trim();
  return `${model}, ${cpus.length} ${cpus.length === 1 ? 'core' : 'cores'}; ${browser}, headless, without a GPU.`;
}

const wanted = process.argv.slice(2);
const names = wanted.filter((argument) => argument !== '--write');
const stranger = names.find((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
if (stranger !== undefined) {
  console.error(`There is no benchmark called “${stranger}”. There are: ${BENCHMARKS.map(({ name }) => name).join(', ')}; tools/bench --help says more.`);
  process.exit(2);
}

for (const benchmark of BENCHMARKS) {
  if (names.length > 0 && !names.includes(benchmark.name)) continue;
  const { about, table, note } = await benchmark.run((done) => progress(`${benchmark.name}: ${done}`));
  progress('');
  const report = `${about}\n\n${table}\n\n${machine()} ${note}`;
  console.log(`${report}\n`);
  if (wanted.includes('--write')) await writeReport(README, benchmark.name, report);
}
