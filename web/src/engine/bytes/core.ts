// The engine's bytes, where a build carries them inside its script; null where attention.wasm is fetched.
export const coreBytes: (() => Promise<Uint8Array<ArrayBuffer>>) | null = null;
