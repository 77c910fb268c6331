// Bytes that a script carries: deflated, then base64. The build puts them before its code.
import { fromBase64 } from '../../lib/base64.ts';

declare const CORE: string;
declare const TRAINING: string;

/** The engine's. */
export const coreBytes = (): Promise<Uint8Array<ArrayBuffer>> => inflate(CORE);

/** Those of training's module. */
export const trainingBytes = (): Promise<Uint8Array<ArrayBuffer>> => inflate(TRAINING);

export async function inflate(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Blob([fromBase64(base64)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(whole).arrayBuffer());
}
