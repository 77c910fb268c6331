// The numbers of a file, as float32.

/** Bytes of one number of each type that can be read. */
export const BYTES = { F32: 4, F16: 2, BF16: 2, I8: 1 } as const;
export type NumberType = keyof typeof BYTES;

export const isNumberType = (type: string): type is NumberType => Object.hasOwn(BYTES, type);

/** Bytes that lie little-endian in a buffer of their own, into as many numbers; exact for every type. */
export function decode(type: NumberType, { buffer }: Uint8Array, out: Float32Array): void {
  switch (type) {
    case 'F32': return out.set(new Float32Array(buffer));
    case 'F16': return widen(new Uint16Array(buffer), out);
    case 'BF16': return out.set(new Float32Array(shifted(new Uint16Array(buffer)).buffer));
    case 'I8': return out.set(new Int8Array(buffer));
  }
}

let halves: Float32Array | undefined;

/** A sign, 5 bits of exponent, 10 of mantissa (IEEE 754 binary16); looked up. */
function widen(numbers: Uint16Array, out: Float32Array): void {
  const table = (halves ??= Float32Array.from({ length: 1 << 16 }, (_, bits) => {
    const [sign, exponent, mantissa] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
    if (exponent === 31) return mantissa ? NaN : sign * Infinity;
    return sign * (exponent ? (1024 + mantissa) * 2 ** (exponent - 25) : mantissa * 2 ** -24);
  }));
  for (let i = 0; i < numbers.length; i += 1) out[i] = table[numbers[i] as number] as number;
}

/** The upper half of a float32. */
function shifted(numbers: Uint16Array): Uint32Array {
  const out = new Uint32Array(numbers);
  for (let i = 0; i < out.length; i += 1) out[i] = (out[i] as number) << 16;
  return out;
}
