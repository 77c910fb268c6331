// What makes one source into scripts that carry the engine inside, and that fetch the rest of themselves from beside them.
import { deflateAsync } from '@gfx/zopfli';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** As small as deflate goes, which takes seconds: kept beside the file, for as long as it is that file's. */
async function deflated(file) {
  const whole = await readFile(file);
  const kept = await readFile(`${file}.deflated`).catch(() => null);
  if (kept && inflateRawSync(kept).equals(whole)) return kept;
  const made = Buffer.from(await deflateAsync(whole, { numiterations: 60 }));
  // At once: a build beside this one, or one broken off, leaves no half of it.
  await writeFile(`${file}.${process.pid}`, made);
  await rename(`${file}.${process.pid}`, `${file}.deflated`);
  return made;
}

const CARRIED = { CORE: 'attention.wasm', OPERATORS: 'attention_operators.wasm', TRAINING: 'attention_training.wasm' };

/**
 * The modules that a script carries, as declarations that stand before its code. Sent compressed, a script would be 2 KB longer
 * with them in its midst, where they part what repeats, and 1 KB with them behind it: deflate would code the end of the code and
 * the beginning of the text by one table of 16,000 symbols, which fits neither.
 */
export async function carried(bindings, ...names) {
  const texts = await Promise.all(names.map(async (name) => `${name}=${JSON.stringify((await deflated(path.join(bindings, CARRIED[name]))).toString('base64'))}`));
  return `const ${texts};`;
}

/** A module of ours, rewritten: `write` makes its text. */
const instead = (file, write) => ({
  name: file,
  setup: (on) => on.onLoad({ filter: new RegExp(`/src/${file}\\.ts$`) }, async ({ path: at }) => ({ resolveDir: path.dirname(at), contents: await write() })),
});

/** The engine inside: the bytes of attention.wasm. */
export const coreInside = instead('engine/bytes/core', () => "export { coreBytes } from './inline.ts';");

const glue = (bindings) => JSON.stringify(path.join(bindings, 'attention_operators.mjs'));

/** The operators inside, too. */
export const operatorsInside = instead('engine/bytes/operators', () => "export { operatorsSource } from './operators-inline.ts';");

/** The operators as a script of their own, bytes and all. */
export const OPERATORS_PART = { 'operators-inline': path.join(source, 'engine/bytes/operators-inline.ts') };
export const operatorsBeside = instead('engine/bytes/operators', () => "export const operatorsSource = async () => (await SCRIPT_PART('operators-inline')).operatorsSource();");

/** The bytes of training inside. */
export const trainingInside = instead('engine/bytes/training', () => "export { trainingBytes } from './inline.ts';");

/** The operators as a part, and their bytes at an address that bundlers see. */
export const operatorsApart = (bindings) => instead('engine/bytes/operators', () => `export const operatorsSource = async () => ({
  create: (await import(${glue(bindings)})).default,
  options: { locateFile: () => new URL('attention_operators.wasm', import.meta.url).href },
});`);
