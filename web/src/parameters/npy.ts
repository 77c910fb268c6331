// NumPy's own file of one array: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Read without trust.
import { msg, str } from '@lit/localize';
import { clipped } from '../lib/format.ts';
import { MAX_NUMBERS, type Matrix } from './matrix-text.ts';

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const READ: Readonly<Record<string, readonly [bytes: number, read: (view: DataView, at: number, little: boolean) => number]>> = {
  f4: [4, (view, at, little) => view.getFloat32(at, little)], f8: [8, (view, at, little) => view.getFloat64(at, little)], f2: [2, (view, at, little) => half(view.getUint16(at, little))],
  i1: [1, (view, at) => view.getInt8(at)], i2: [2, (view, at, little) => view.getInt16(at, little)], i4: [4, (view, at, little) => view.getInt32(at, little)], i8: [8, (view, at, little) => Number(view.getBigInt64(at, little))],
  u1: [1, (view, at) => view.getUint8(at)], u2: [2, (view, at, little) => view.getUint16(at, little)], u4: [4, (view, at, little) => view.getUint32(at, little)], u8: [8, (view, at, little) => Number(view.getBigUint64(at, little))],
  b1: [1, (view, at) => view.getUint8(at)],
};

export const isNpy = (bytes: Uint8Array): boolean => MAGIC.every((byte, i) => bytes[i] === byte);

/** @throws Error with a sentence */
export function readNpy(bytes: Uint8Array): Matrix {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = bytes[6] === 1 ? 10 : 12;
  if (bytes.length < start) throw damaged();
  const length = bytes[6] === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (start + length > bytes.length) throw damaged();
  const header = new TextDecoder('latin1').decode(bytes.subarray(start, start + length));
  const [, order = '', type = ''] = /'descr':\s*'([<>|=])(\w+)'/.exec(header) ?? [];
  const shape = /'shape':\s*\(([\d,\s]*)\)/.exec(header)?.[1]?.split(',').map((each) => each.trim()).filter(Boolean).map(Number);
  const kind = READ[type];
  if (!kind || !shape) {
    const written = /'descr':\s*('[^']*'|\[)/.exec(header)?.[1] ?? '?';
    throw new Error(msg(str`This .npy file holds ${clipped(written)}; whole and floating-point numbers of up to 64 bits are read. Save it as np.save(name, array.astype('float32')).`));
  }
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (shape.length < 1 || shape.length > 3 || count === 0) throw new Error(msg(str`This .npy file has the shape (${shape.join(', ')}); one, two or three extents that are not 0 are read. Save one matrix.`));
  if (count > MAX_NUMBERS) throw new Error(msg(str`This .npy file holds ${count.toLocaleString('en')} numbers, and no matrix has more than ${MAX_NUMBERS.toLocaleString('en')}. Save one matrix.`));
  const [size, read] = kind;
  if (start + length + count * size > bytes.length) throw damaged();
  const isFortran = /'fortran_order':\s*True/.test(header);
  const values = new Float32Array(count);
  for (let i = 0; i < count; i += 1) {
    const value = Math.fround(read(view, start + length + (isFortran ? turned(i, shape) : i) * size, order !== '>'));
    if (!Number.isFinite(value)) throw new Error(msg(str`Number ${i + 1} of this .npy file is ${String(value)}. Every number must be finite, and fit into 32 bits.`));
    values[i] = value;
  }
  return { extents: shape, values };
}

const damaged = () => new Error(msg('This .npy file is cut off or damaged. Save it anew.'));

/** Where a number lies whose first index runs fastest. */
function turned(at: number, shape: readonly number[]): number {
  let [rest, place] = [at, 0];
  const indices = shape.map(() => 0);
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    indices[axis] = rest % (shape[axis] as number);
    rest = Math.floor(rest / (shape[axis] as number));
  }
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) place = place * (shape[axis] as number) + (indices[axis] as number);
  return place;
}

/** IEEE 754 binary16. */
function half(bits: number): number {
  const [sign, exponent, mantissa] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return mantissa ? NaN : sign * Infinity;
  return sign * (exponent ? (1024 + mantissa) * 2 ** (exponent - 25) : mantissa * 2 ** -24);
}
