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

const inflated = async (wasm) => `inflate('${(await deflated(wasm)).toString('base64')}')`;
const fromInside = "import { inflate } from './inflate.ts';\n";

/** A module of ours, written anew: `write` makes its text. */
const instead = (file, write) => ({
  name: file,
  setup: (on) => on.onLoad({ filter: new RegExp(`/${file}\\.ts$`) }, async ({ path: at }) => ({ resolveDir: path.dirname(at), contents: await write() })),
});

/** The engine inside: the bytes of attention.wasm. */
export const coreInside = (bindings) => instead('core-bytes', async () =>
  `${fromInside}export const coreBytes = () => ${await inflated(path.join(bindings, 'attention.wasm'))};`);

const glue = (bindings) => JSON.stringify(path.join(bindings, 'attention_operators.mjs'));

/** The operators inside, too. */
export const operatorsInside = (bindings) => instead('operators-source', async () => `${fromInside}import create from ${glue(bindings)};
export const operatorsSource = async () => ({ create, options: { wasmBinary: await ${await inflated(path.join(bindings, 'attention_operators.wasm'))}, locateFile: (name) => name } });`);

/** The operators as a part, and their bytes at an address that bundlers see. */
export const operatorsApart = (bindings) => instead('operators-source', () => `export const operatorsSource = async () => ({
  create: (await import(${glue(bindings)})).default,
  options: { locateFile: () => new URL('attention_operators.wasm', import.meta.url).href },
});`);

/** labs/parts.ts → labs, take/panel.ts → take */
const partName = (file) => path.relative(source, file).replace(/\.ts$/, '').replaceAll(path.sep, '-').replace(/-(parts|panel)$/, '');

/** Each `import('./part.ts')` asks for a file beside the script; `found` learns which: names and their sources. */
export const partsBeside = (found) => ({
  name: 'parts-beside',
  setup(on) {
    on.onLoad({ filter: /\/web\/src\/[^.]*\.ts$/ }, async ({ path: file }) => {
      const contents = (await readFile(file, 'utf8')).replace(/(?<!typeof )import\('(\.[^']*)'\)/g, (_, other) => {
        const part = path.resolve(path.dirname(file), other);
        found[partName(part)] = part;
        return `import(new URL('${partName(part)}.js', import.meta.url).href)`;
      });
      return { contents, loader: 'ts', resolveDir: path.dirname(file) };
    });
  },
});
