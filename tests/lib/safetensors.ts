// Small safetensors files, well and broken, made for tests.

export interface StoredTensor {
  /** F32 when left out. */
  type?: string;
  shape: readonly number[];
  numbers: ArrayLike<number>;
}

export type StoredTensors = Readonly<Record<string, StoredTensor>>;

const ARRAYS = { F64: Float64Array, F32: Float32Array, F16: Uint16Array, BF16: Uint16Array, I8: Int8Array, I64: BigInt64Array } as const;

function bytesOf({ type = 'F32', numbers }: StoredTensor): Uint8Array {
  const array = type === 'I64' ? BigInt64Array.from(Array.from(numbers, BigInt)) : ARRAYS[type as 'F32'].from(numbers);
  return new Uint8Array(array.buffer);
}

/** Numbers of F16 and BF16 are given as their bits. */
export function storeTensors(tensors: StoredTensors, metadata?: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  let end = 0;
  const header: Record<string, unknown> = metadata ? { __metadata__: metadata } : {};
  const parts = Object.entries(tensors).map(([name, tensor]) => {
    const bytes = bytesOf(tensor);
    header[name] = { dtype: tensor.type ?? 'F32', shape: tensor.shape, data_offsets: [end, end += bytes.length] };
    return bytes;
  });
  return withHeader(JSON.stringify(header), ...parts);
}

/** Any text as a header, and what follows it. */
export function withHeader(header: string, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(header);
  const file = new Uint8Array(8 + text.length + parts.reduce((sum, { length }) => sum + length, 0));
  new DataView(file.buffer).setUint32(0, text.length, true);
  let at = 8;
  for (const part of [text, ...parts]) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}
