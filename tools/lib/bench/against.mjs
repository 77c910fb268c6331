// tools/bench against COMMIT BENCHMARK…: measures this tree and that commit in turn, each with its own tools/bench, and prints
// the second table's numbers over the first's. A ratio below 1 is faster, or smaller.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ROUNDS = Number(process.env.ATTENTION_ROUNDS ?? 4);
/** A cell's own number: what stands behind it in brackets is another. */
const NUMBER = /^\*{0,2}(-?\d[\d,]*(?:\.\d+)?)\b/;

const [commit, ...benchmarks] = process.argv.slice(2);
if (!commit || benchmarks.length === 0) {
  console.error('usage: tools/bench against COMMIT BENCHMARK…, for instance: tools/bench against HEAD~1 keystroke cold embed');
  process.exit(2);
}

function checkOut() {
  const git = (...words) => execFileSync('git', ['-C', ROOT, ...words], { encoding: 'utf8' }).trim();
  const hash = git('rev-parse', '--verify', '--short', `${commit}^{commit}`);
  const folder = path.join(ROOT, 'build/bench', hash);
  if (!existsSync(folder)) git('worktree', 'add', '--detach', folder, hash);
  return { name: hash, folder };
}

/** What tools/bench prints. Its progress goes to the terminal. */
function measure({ folder }, name) {
  return new Promise((resolve, reject) => {
    const run = spawn(path.join(folder, 'tools/bench'), [name, '--quick'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    run.stdout.on('data', (part) => { text += part; });
    run.on('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`${folder}/tools/bench ${name} failed:\n${text.slice(-2000)}`))));
  });
}

/** "table, row, column" → number. Cells that are no numbers name their row. */
function numbersOf(text) {
  const found = new Map();
  let [head, given] = [null, []];
  for (const line of text.split('\n')) {
    if (!line.startsWith('|')) {
      head = null;
      continue;
    }
    const cells = line.split('|').slice(1, -1).map((cell) => cell.trim());
    // Several columns may have one name, such as p95: each is said with the one before.
    if (!head) {
      head = cells.map((name, i) => (cells.indexOf(name) === cells.lastIndexOf(name) ? name : `${cells[i - 1]}, ${name}`));
      given = cells.map((name) => /^(|tokens|d_model|slowdown)$/.test(name));
    } else if (!/^-+:?$/.test(cells[0])) {
      const isInput = (i) => given[i] || !NUMBER.test(cells[i]);
      const row = cells.filter((_, i) => isInput(i)).join(', ');
      cells.forEach((cell, i) => { if (!isInput(i)) found.set(`${row} | ${head[i]}`, Number(NUMBER.exec(cell)[1].replace(/,/g, ''))); });
    }
  }
  return found;
}

/** A row's number, also where the commit's table has not yet said of which page it is. */
const numberOf = (numbers, key) => numbers.get(key) ?? numbers.get(key.slice(key.indexOf(', ') + 2));

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
const spread = (values) => `${median(values)} (${Math.min(...values)}–${Math.max(...values)})`;

const before = checkOut();
const now = { name: 'this tree', folder: ROOT };
for (const name of benchmarks) {
  const seen = new Map([[before, []], [now, []]]);
  for (let round = 0; round < ROUNDS; round += 1) {
    // Turned about, so that what grows or falls with time falls on both.
    for (const each of round % 2 ? [now, before] : [before, now]) {
      console.error(`${name}, round ${round + 1} of ${ROUNDS}: ${each.name}`);
      seen.get(each).push(numbersOf(await measure(each, name)));
    }
  }
  console.log(`\n| ${name} | ${before.name}: median of ${ROUNDS} (least–most) | ${now.name} | ratio |\n|---|--:|--:|--:|`);
  for (const key of seen.get(now)[0].keys()) {
    const [old, fresh] = [before, now].map((each) => seen.get(each).map((numbers) => numberOf(numbers, key)).filter((value) => value !== undefined));
    if (old.length > 0 && fresh.length > 0) console.log(`| ${key.replaceAll('|', '·')} | ${spread(old)} | ${spread(fresh)} | ${(median(fresh) / median(old)).toFixed(2)} |`);
  }
}
