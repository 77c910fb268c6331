// npm run package, after npm run build: what the package says of itself, to editors, to TypeScript and to manuals.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { attributes, editorData, manifest } from './manifest.mjs';
import { writeTypes } from './types.mjs';

const folder = fileURLToPath(new URL('../../build/package', import.meta.url));
if (!existsSync(path.join(folder, 'dist/index.js'))) {
  console.error('build/package is not there yet. Run npm run build in web/ first.');
  process.exit(1);
}
const write = (name, data) => writeFile(path.join(folder, name), `${JSON.stringify(data, null, 2)}\n`);
const described = await manifest();
await write('custom-elements.json', described);
await write('vscode.html-custom-data.json', editorData(described, await attributes()));
await writeTypes(path.join(folder, 'dist'), fileURLToPath(new URL('../../build/wasm/bindings', import.meta.url)), described);
