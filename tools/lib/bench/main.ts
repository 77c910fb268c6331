// tools/bench: runs the benchmarks that are asked for and prints their tables.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cold } from './cold.ts';
import { embed } from './embed.ts';
import { engine } from './engine.ts';
import { keystroke } from './keystroke.ts';
import { motion } from './motion.ts';
import { memory, model, models } from './peers/models.ts';
import { peers } from './peers/peers.ts';
import { train } from './peers/train.ts';
import { playing } from './playing.ts';
import { type Benchmark, progress, writeReport } from './report.ts';
import { sizes } from './sizes.ts';

// A new benchmark is a file here, its name in this list, a paragraph in help.txt, and a place in a page of web/docs.
const BENCHMARKS: readonly Benchmark[] = [keystroke, engine, cold, embed, peers, model, models, memory, train, sizes, motion, playing];

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const OPTIONS = ['--write', '--quick'];

function machine(): string {
  const cpus = os.cpus();
  const model = (cpus[0]?.model ?? 'unknown processor').replace(/\((R|TM)\)/g, '').replace(/\s+/g, ' ').trim();
  const version = execFileSync(process.env['ATTENTION_CHROMIUM'] ?? 'chromium', ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const browser = /^[A-Za-z ]+[\d.]+/.exec(version.toString())?.[0] ?? version.toString().trim();
  return `${model}, ${cpus.length} ${cpus.length === 1 ? 'core' : 'cores'}; ${browser}, headless, without a GPU.`;
}

const wanted = process.argv.slice(2);
const names = wanted.filter((argument) => !OPTIONS.includes(argument));
const stranger = names.find((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
if (stranger !== undefined) {
  console.error(`There is no benchmark called “${stranger}”. There are: ${BENCHMARKS.map(({ name }) => name).join(', ')}; tools/bench --help says more.`);
  process.exit(2);
}

for (const benchmark of BENCHMARKS) {
  if (names.length > 0 ? !names.includes(benchmark.name) : benchmark.isLong) continue;
  const { about, table, note, pictures = {} } = await benchmark.run((done) => progress(`${benchmark.name}: ${done}`), wanted.includes('--quick'));
  progress('');
  const report = `${about}\n\n${table}\n\n${machine()} ${note}`;
  console.log(`${report}\n`);
  if (!wanted.includes('--write')) continue;
  await writeReport(path.join(ROOT, 'web/docs', benchmark.page ?? 'speed.md'), benchmark.name, report);
  for (const [file, contents] of Object.entries(pictures)) await writeFile(path.join(ROOT, file), contents);
}
