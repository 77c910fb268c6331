// The numbers of a file, as float32.

/** Bytes of one number of each type that can be read. */
export const BYTES = { F32: 4, F16: 2, BF16: 2, I8: 1 } as const;
export type NumberType = keyof typeof BYTES;

export const isNumberType = (type: string): type is NumberType => Object.hasOwn(BYTES, type);

/** Of bytes that lie little-endian at the start of a buffer of their own; exact for every type. */
export function decode(type: NumberType, bytes: Uint8Array): Float32Array {
  switch (type) {
    case 'F32': return new Float32Array(bytes.buffer);
    case 'F16': return Float32Array.from(new Uint16Array(bytes.buffer), fromHalf());
    case 'BF16': return new Float32Array(Uint32Array.from(new Uint16Array(bytes.buffer), (bits) => bits << 16).buffer);
    case 'I8': return Float32Array.from(new Int8Array(bytes.buffer));
  }
}

let halves: Float32Array | undefined;

/** A sign, 5 bits of exponent, 10 of mantissa (IEEE 754 binary16); looked up. */
function fromHalf(): (bits: number) => number {
  const table = (halves ??= Float32Array.from({ length: 1 << 16 }, (_, bits) => {
    const [sign, exponent, mantissa] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
    if (exponent === 31) return mantissa ? NaN : sign * Infinity;
    return sign * (exponent ? (1024 + mantissa) * 2 ** (exponent - 25) : mantissa * 2 ** -24);
  }));
  return (bits) => table[bits] as number;
}
