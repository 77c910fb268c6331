// What a build prints of its files: as they lie, as they come over the line, and what they may be.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

export const KB = 1024;

/** Of several files together: { raw, gzip } */
export async function weigh(folder, ...files) {
  let [raw, gzip] = [0, 0];
  for (const file of files) {
    const bytes = await readFile(path.join(folder, file));
    raw += bytes.length;
    gzip += gzipSync(bytes, { level: 9 }).length;
  }
  return { raw, gzip };
}

const kb = (bytes) => `${(bytes / KB).toFixed(1)} KB`;
/** How far a size may grow beyond its budget before a build fails. */
const AIR = 1.03;

export function print(name, raw, gzip, budget) {
  console.log(`${name.padEnd(30)} ${kb(raw).padStart(9)} raw ${kb(gzip).padStart(9)} gzip${budget ? `  (budget ${kb(budget)} gzip)` : ''}`);
}

/**
 * Prints a size and holds it to its budget: one over it is warned of; one over `most`, 3 % more unless it says otherwise, fails the build.
 * @param budget { size, most?, remedy }
 * @param where the file that the budget stands in
 */
export function hold(name, { raw, gzip }, { size, most = Math.floor(size * AIR), remedy }, where) {
  print(name, raw, gzip, size);
  if (gzip <= size) return;
  if (gzip <= most) {
    console.warn(`  Warning: “${name}” is ${kb(gzip - size)} over its budget; the build fails in another ${kb(most - gzip)}. ${remedy}`);
    return;
  }
  console.error(`“${name}” is ${kb(gzip)} gzipped, ${kb(gzip - most)} more than the ${kb(most)} that it may be. ${remedy} If every byte is needed, raise its budget in ${where} and say why in the commit.`);
  process.exitCode = 1;
}

export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
