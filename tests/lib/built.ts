// What tests take from build/: its files, and the shipped module, loaded in Node from its bytes.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Engine } from '../../web/src/engine/engine.ts';

/** The path of a built file or folder; without it, an error that says how it is built. */
export function built(name: string): string {
  const place = fileURLToPath(new URL(`../../build/${name}`, import.meta.url));
  if (!existsSync(place)) throw new Error(`build/${name} is missing. tools/test builds what a test needs before it runs it: tools/test LANE FILE, as in tools/test page switches.`);
  return place;
}

export const moduleFile = (name: string): URL => pathToFileURL(built(`wasm/bindings/${name}`));

export const loadEngine = (): Promise<Engine> =>
  Engine.load('', readFileSync(moduleFile('attention.wasm')));
