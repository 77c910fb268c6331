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

export function print(name, raw, gzip, budget) {
  const kb = (bytes) => `${(bytes / KB).toFixed(1)} KB`;
  console.log(`${name.padEnd(30)} ${kb(raw).padStart(9)} raw ${kb(gzip).padStart(9)} gzip${budget ? `  (budget ${kb(budget)} gzip)` : ''}`);
}

export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
