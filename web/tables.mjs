// The tables of settings and attributes, as they are when the page runs: what manuals and the package's description are made from.
import { build } from 'esbuild';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const CONTENTS = "export * from './element/attributes.ts'; export * from './element/attributes-doc.ts'; export { SETTINGS, KNOBS } from './state/settings.ts';";

/** { ATTRIBUTES, ABOUT, ABOUT_SETTINGS, SETTINGS, KNOBS } */
export async function tables() {
  const resolveDir = path.join(path.dirname(fileURLToPath(import.meta.url)), 'src');
  const { outputFiles: [{ text }] } = await build({ stdin: { contents: CONTENTS, resolveDir }, bundle: true, format: 'esm', write: false, target: 'es2022' });
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
}
