// Bytes that a script carries: deflated, then base64.

export async function inflate(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const deflated = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const whole = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(whole).arrayBuffer());
}
