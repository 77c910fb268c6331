// What the package's files weigh, each held to a budget; and what its single script is made of.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { KB, hold, weigh } from '../sizes.mjs';

const WHERE = 'web/package/report.mjs';
const LATER = 'Load the new part after the first figure (web/src/ui/late-chunk.ts), or on demand, with import(); tools/bench embed says what the script is made of.';
const WHOLE = 'Look for what another part has already, and for a package that grew.';
/** name, file, budget */
const SCRIPTS = [
  // Where the first figure, 4 × slowed down, still stands within 330 ms of the script's arrival.
  ['the element in one script', 'attention-playground.js', { size: 95 * KB, remedy: LATER }],
  // With the walk through a trained model’s stages, the presenter’s view and the claims and leads of labs and lessons. and links to runs whose rule was changed in the midst.
  ['with every view inside', 'attention-playground.full.js', { size: 552 * KB, remedy: WHOLE }],
  ['the same for anywidget', 'anywidget.mjs', { size: 552 * KB, remedy: WHOLE }],
  ['the page for iframes, besides', 'embed.js', { size: 4 * KB, remedy: WHOLE }],
  ['for the page around them', 'embed-host.js', { size: 1 * KB, remedy: WHOLE }],
];
const MODULES = { size: 120 * KB, remedy: LATER };

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
  for (const [name, file, budget] of SCRIPTS) hold(name, await weigh(dist, file), budget, WHERE);
  const modules = await atOnce(dist, 'define.js');
  hold(`its ${modules.length} modules, before wasm`, await weigh(dist, ...modules), MODULES, WHERE);
}

// What a script is made of, in compressed bytes.

/** name, the sources that it covers; the first that fits counts */
const PARTS = [
  ['its glue', /bindings\/attention\.mjs$/],
  ['Lit', /node_modules\//],
  ['style sheets', /src\/ui\/styles\//],
  ['the sentence, the heads, the matrix and what is said of them', /src\/(ui|text)\/|src\/state\/(result|comparison|row-selection)|src\/lib\/(colour|format)/],
  ['settings, attributes and links', /src\/(link|state\/(settings|views)|lib\/parse|element\/(attributes|author|configuration|open-link))|src\/parameters\/given/],
  ['the element and its calculation', /./],
];

const size = (text) => gzipSync(text, { level: 9 }).length;

/**
 * @param whole the script, and `code` the same without the modules that it carries
 * @param inputs of each source, the bytes that it has in the code: a share of the compressed code as large is taken for its own
 * @returns [name, compressed bytes][], which add up to the whole
 */
export function shares(whole, code, inputs) {
  const [all, compressed] = [Object.values(inputs).reduce((sum, bytes) => sum + bytes, 0), size(code)];
  const found = new Map(PARTS.map(([name]) => [name, 0]));
  for (const [source, bytes] of Object.entries(inputs)) {
    const [name] = PARTS.find(([, pattern]) => pattern.test(source));
    found.set(name, found.get(name) + compressed * bytes / all);
  }
  return [['the engine', size(whole) - compressed], ...found];
}
