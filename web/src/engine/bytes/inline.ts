// Bytes that a script carries: deflated, then base64. The build puts them before its code.

declare const CORE: string;
declare const TRAINING: string;

/** The engine's. */
export const coreBytes = (): Promise<Uint8Array<ArrayBuffer>> => inflate(CORE);

/** Those of training's module. */
export const trainingBytes = (): Promise<Uint8Array<ArrayBuffer>> => inflate(TRAINING);

export async function inflate(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Blob([decoded(base64)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(whole).arrayBuffer());
}

/** Older browsers have no function for it. */
function decoded(base64: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 } = Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  return fromBase64?.call(Uint8Array, base64) ?? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
