// The types of build/operators: TypeScript's own declarations of operators.ts and of what it is made of, in types/,
// with those that Emscripten wrote of the module.
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

/** Writes operators.d.ts and types/ into `folder`. */
export async function writeDeclarations(source, bindings, folder) {
  const types = path.join(folder, 'types');
  await mkdir(types);
  for (const [file, text] of emit(source)) await writeFile(path.join(types, file), beside(text));
  await copyFile(path.join(bindings, 'attention_operators.d.mts'), path.join(types, 'attention_operators.d.mts'));
  await writeFile(path.join(folder, 'operators.d.ts'), "export * from './types/operators.js';\n");
}

/** Everything that is imported lies beside it, under the name that a program would import. */
export const beside = (text) => text.replace(/(from |import\()(['"])[^'"]*\/([^'"/]+?)(?:\.d)?\.(m?)[jt]s\2/g, '$1$2./$3.$4js$2');

/** The declarations of a source and of what it imports, by the names of their files. */
export function emit(source) {
  const options = {
    declaration: true, emitDeclarationOnly: true, allowImportingTsExtensions: true, strict: true, skipLibCheck: true,
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const files = new Map();
  ts.createProgram([source], options).emit(undefined, (file, text) => files.set(path.basename(file), text));
  return files;
}
