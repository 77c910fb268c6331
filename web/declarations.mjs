// The types of build/operators: TypeScript's own declarations of its source and of what it is made of, in types/,
// with those that Emscripten wrote of the module.
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), 'src');

/** Writes operators.d.ts and types/ into `folder`. */
export async function writeDeclarations(source, bindings, folder) {
  const types = path.join(folder, 'types');
  await writeAll(emit(source), types);
  await copyFile(path.join(bindings, 'attention_operators.d.mts'), path.join(types, 'attention_operators.d.mts'));
  await writeFile(path.join(folder, 'operators.d.ts'), `export * from './types/${path.relative(root, source).replace(/\.ts$/, '.js')}';\n`);
}

/** The declarations in their folders; those of the modules, which Emscripten wrote, lie at the top. */
export async function writeAll(declarations, folder) {
  for (const [file, text] of declarations) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), asImported(text, file));
  }
}

/** Every import under the name that a program would use. */
function asImported(text, file) {
  const up = path.relative(path.dirname(file), '.') || '.';
  return text.replace(/(from |import\()(['"])[^'"]*\/bindings\/([^'"/]+?)(?:\.d)?\.mts\2/g, `$1$2${up}/$3.mjs$2`)
    .replace(/(from |import\()(['"])[^'"]*\/bindings\/([^'"/]+\.mjs)\2/g, `$1$2${up}/$3$2`)
    .replace(/(from |import\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2');
}

/** The declarations of a source and of what they import, by their places in src/. */
export function emit(source) {
  const options = {
    declaration: true, emitDeclarationOnly: true, allowImportingTsExtensions: true, strict: true, skipLibCheck: true,
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const all = new Map();
  ts.createProgram([source], options).emit(undefined, (file, text) => all.set(path.relative(root, file), text));
  const files = new Map([[path.relative(root, source).replace(/\.ts$/, '.d.ts'), '']]);
  for (const file of files.keys()) {
    const text = all.get(file);
    files.set(file, text);
    for (const [, other] of text.matchAll(/(?:from |import\()['"](\.[^'"]*)\.ts['"]/g)) {
      const needed = path.join(path.dirname(file), `${other}.d.ts`);
      if (!files.has(needed) && all.has(needed)) files.set(needed, '');
    }
  }
  return files;
}
