// The types of build/operators: TypeScript's own declarations of operators.ts, beside those that Emscripten wrote of the module.
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

const ERROR = /^import \{ AttentionError \} from '\.\/attention-error\.ts';\n/m;
const MODULE = /from '[^']*\/attention_operators\.mjs'/;

/** Writes operators.d.ts and attention_operators.d.mts into `folder`. */
export async function writeDeclarations(source, bindings, folder) {
  const emitted = emit(source);
  const own = emitted.get('operators.d.ts');
  if (!ERROR.test(own) || !MODULE.test(own)) throw new Error('operators.ts imports what its declarations do not bring along. See web/declarations.mjs.');
  const error = /^\/\*\*[^]*?^\}\n/m.exec(emitted.get('attention-error.d.ts'))[0].replace('export declare', 'declare');
  await writeFile(path.join(folder, 'operators.d.ts'), own.replace(ERROR, error).replace(MODULE, "from './attention_operators.mjs'"));
  await copyFile(path.join(bindings, 'attention_operators.d.mts'), path.join(folder, 'attention_operators.d.mts'));
}

function emit(source) {
  const options = {
    declaration: true, emitDeclarationOnly: true, allowImportingTsExtensions: true, strict: true, skipLibCheck: true,
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const files = new Map();
  ts.createProgram([source], options).emit(undefined, (file, text) => files.set(path.basename(file), text));
  return files;
}
