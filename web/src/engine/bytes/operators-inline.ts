// The operators' module with its bytes, which the build puts beside this.
import create from '../../../../build/wasm/bindings/attention_operators.mjs';
import { inflate } from './inline.ts';
import type { OperatorsSource } from './operators.ts';

declare const OPERATORS: string;

export const operatorsSource = async (): Promise<OperatorsSource> => ({
  create, options: { wasmBinary: await inflate(OPERATORS), locateFile: (name: string) => name },
});
