// What makes one source into scripts that carry the engine inside, and that fetch the rest of themselves from beside them.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** The engine inside: `core-bytes.ts` with the bytes of attention.wasm. */
export const coreInside = (wasm) => ({
  name: 'core-inside',
  setup(on) {
    on.onLoad({ filter: /\/core-bytes\.ts$/ }, async ({ path: file }) => {
      const base64 = deflateRawSync(await readFile(wasm), { level: 9 }).toString('base64');
      return { resolveDir: path.dirname(file), contents: `import { inflate } from './inflate.ts';\nexport const coreBytes = () => inflate('${base64}');` };
    });
  },
});

/** labs/parts.ts → labs, take/panel.ts → take */
const partName = (file) => path.relative(source, file).replace(/\.ts$/, '').replaceAll(path.sep, '-').replace(/-(parts|panel)$/, '');

/** Each `import('./part.ts')` asks for a file beside the script; `found` learns which: names and their sources. */
export const partsBeside = (found) => ({
  name: 'parts-beside',
  setup(on) {
    on.onLoad({ filter: /\/web\/src\/[^.]*\.ts$/ }, async ({ path: file }) => {
      if (file.endsWith('core-bytes.ts')) return null;
      const contents = (await readFile(file, 'utf8')).replace(/(?<!typeof )import\('(\.[^']*)'\)/g, (_, other) => {
        const part = path.resolve(path.dirname(file), other);
        found[partName(part)] = part;
        return `import(new URL('${partName(part)}.js', import.meta.url).href)`;
      });
      return { contents, loader: 'ts', resolveDir: path.dirname(file) };
    });
  },
});
