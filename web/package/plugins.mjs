// What makes one source into scripts that carry the engine inside, and that fetch the rest of themselves from beside them.
import { deflateAsync } from '@gfx/zopfli';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** As small as deflate goes, which takes seconds: kept beside the file, for as long as it is that file's. */
async function deflated(file) {
  const whole = await readFile(file);
  const kept = await readFile(`${file}.deflated`).catch(() => null);
  if (kept && inflateRawSync(kept).equals(whole)) return kept;
  const made = Buffer.from(await deflateAsync(whole, { numiterations: 15 }));
  await writeFile(`${file}.deflated`, made);
  return made;
}

const CARRIED = { CORE: 'attention.wasm', OPERATORS: 'attention_operators.wasm' };

/**
 * The modules that a script carries, by the names that it knows them by. They stand behind its code: in its midst they
 * would part what repeats, and a script that is sent compressed would be 2 KB longer.
 */
export async function carried(bindings, names) {
  return Promise.all(names.map(async (name) => [name, (await deflated(path.join(bindings, CARRIED[name]))).toString('base64')]));
}

/** Around a classic script, which runs at once. */
export async function around(bindings, ...names) {
  const modules = await carried(bindings, names);
  return { banner: { js: `((${names})=>{` }, footer: { js: `})(${modules.map(([, text]) => JSON.stringify(text))});` } };
}

/** Behind a module, which is asked for its first figure when it has run. */
export async function behind(bindings, ...names) {
  const modules = await carried(bindings, names);
  return { js: `var ${modules.map(([name, text]) => `${name}=${JSON.stringify(text)}`)};` };
}

/** A module of ours, written anew: `write` makes its text. */
const instead = (file, write) => ({
  name: file,
  setup: (on) => on.onLoad({ filter: new RegExp(`/src/${file}\\.ts$`) }, async ({ path: at }) => ({ resolveDir: path.dirname(at), contents: await write() })),
});

/** The engine inside: the bytes of attention.wasm. */
export const coreInside = instead('engine/bytes/core', () => "export { coreBytes } from './core-inline.ts';");

const glue = (bindings) => JSON.stringify(path.join(bindings, 'attention_operators.mjs'));

/** The operators inside, too. */
export const operatorsInside = instead('engine/bytes/operators', () => "export { operatorsSource } from './operators-inline.ts';");

/** The operators as a script of their own, bytes and all. */
export const OPERATORS_PART = { 'operators-inline': path.join(source, 'engine/bytes/operators-inline.ts') };
export const operatorsBeside = instead('engine/bytes/operators', () => "export const operatorsSource = async () => (await SCRIPT_PART('operators-inline')).operatorsSource();");

/** The operators as a part, and their bytes at an address that bundlers see. */
export const operatorsApart = (bindings) => instead('engine/bytes/operators', () => `export const operatorsSource = async () => ({
  create: (await import(${glue(bindings)})).default,
  options: { locateFile: () => new URL('attention_operators.wasm', import.meta.url).href },
});`);
