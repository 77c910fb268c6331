// What a script is made of, in compressed bytes.
import { gzipSync } from 'node:zlib';

/** name, the sources that it covers; the first that fits counts */
const PARTS = [
  ['its glue', /bindings\/attention\.mjs$/],
  ['Lit', /node_modules\//],
  ['style sheets', /src\/ui\/styles\//],
  ['the sentence, the heads, the matrix and what is said of them', /src\/(ui|text)\/|src\/state\/(result|comparison|row-selection)|src\/lib\/(colour|format)/],
  ['settings, attributes and links', /src\/(link|state\/(settings|permissions|views)|lib\/parse|element\/(attributes|author|configuration|open-link))|src\/parameters\/given/],
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
