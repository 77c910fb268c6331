// Bytes as letters that an address may hold: base64 with - and _, without =.

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** Reads + and /, too. @throws for any other letter */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const plain = text.replace(/-/g, '+').replace(/_/g, '/');
  const { fromBase64: own } = Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  // Older browsers have no function of their own for it.
  return own?.call(Uint8Array, plain) ?? Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0));
}
