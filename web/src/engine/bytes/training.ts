// The bytes of training's module, where a build carries them inside its script; null where attention_training.wasm is fetched.
export const trainingBytes: (() => Promise<Uint8Array<ArrayBuffer>>) | null = null;
