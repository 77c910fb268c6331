// The shipped module, loaded in Node from its bytes.
import { readFileSync } from 'node:fs';
import { Engine } from '../../web/src/engine.ts';

export const moduleFile = (name: string): URL =>
  new URL(`../../build/wasm/bindings/${name}`, import.meta.url);

export const loadEngine = (): Promise<Engine> =>
  Engine.load('', readFileSync(moduleFile('attention.wasm')));
