// The shipped module, loaded in Node from its bytes.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { built } from './built.ts';
import { Engine } from '../../web/src/engine/engine.ts';

export const moduleFile = (name: string): URL => pathToFileURL(built(`wasm/bindings/${name}`));

export const loadEngine = (): Promise<Engine> =>
  Engine.load('', readFileSync(moduleFile('attention.wasm')));
