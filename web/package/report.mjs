// What the package's files weigh, each held to a budget.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { KB, fail, print, weigh } from '../sizes.mjs';

/** name, file, budget */
const SCRIPTS = [
  ['the element in one script', 'attention-playground.js', 78 * KB],
  ['with every view inside', 'attention-playground.full.js', 340 * KB],
  ['the same for anywidget', 'anywidget.mjs', 340 * KB],
  ['the page for iframes, besides', 'embed.js', 4 * KB],
  ['for the page around them', 'embed-host.js', 1 * KB],
];
const MODULES = 120 * KB;

/** A module and what it imports before it runs. */
export async function atOnce(dist, entry) {
  const found = [entry];
  for (const file of found) {
    const text = await readFile(path.join(dist, file), 'utf8');
    found.push(...[...text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(([, other]) => other).filter((other) => !found.includes(other)));
  }
  return found;
}

export async function reportPackage(dist) {
  const lines = await Promise.all(SCRIPTS.map(async ([name, file, budget]) => [name, await weigh(dist, file), budget]));
  const modules = await atOnce(dist, 'define.js');
  lines.push([`its ${modules.length} modules, before wasm`, await weigh(dist, ...modules), MODULES]);
  for (const [name, { raw, gzip }, budget] of lines) {
    print(name, raw, gzip, budget);
    if (gzip > budget) fail(`“${name}” is over its budget of ${(budget / KB).toFixed(1)} KB gzipped. Make it smaller, or load the new part on demand.`);
  }
}
