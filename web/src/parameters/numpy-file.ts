// NumPy's own files, read without trust: .npy, one array (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html),
// and .npz, a ZIP archive of them.
import { msg, str } from '@lit/localize';
import { clipped, count as said } from '../lib/format.ts';

/** One array in C order: numbers, or texts where it is of the kind U. */
export interface NumpyArray {
  readonly shape: readonly number[];
  readonly values: Float32Array;
  readonly texts: readonly string[] | null;
}

/** What an array may be, checked before its numbers are read. @throws Error with a sentence */
export type CheckShape = (shape: readonly number[], count: number) => void;

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const TYPES = {
  f2: Uint16Array, f4: Float32Array, f8: Float64Array, i1: Int8Array, i2: Int16Array, i4: Int32Array, i8: BigInt64Array,
  u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, u8: BigUint64Array, b1: Uint8Array,
} as const;
/** Letters of the longest text. */
const MOST_LETTERS = 1000;

export const isNpy = (bytes: Uint8Array): boolean => MAGIC.every((byte, i) => bytes[i] === byte);
export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

const damaged = () => new Error(msg('This .npy file is cut off or damaged. Save it again.'));

/** @throws Error with a sentence */
export function readNumpy(bytes: Uint8Array, check: CheckShape): NumpyArray {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = bytes[6] === 1 ? 10 : 12;
  if (bytes.length < start) throw damaged();
  const length = bytes[6] === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (start + length > bytes.length) throw damaged();
  const header = new TextDecoder('latin1').decode(bytes.subarray(start, start + Math.min(length, 4096)));
  const [, order = '', type = ''] = /'descr':\s*'([<>|=])(\w+)'/.exec(header) ?? [];
  const shape = /'shape':\s*\(([\d,\s]*)\)/.exec(header)?.[1]?.split(',').map((each) => each.trim()).filter(Boolean).map(Number);
  const letters = Number(/^U(\d+)$/.exec(type)?.[1] ?? 0);
  const isNumbers = Object.hasOwn(TYPES, type);
  if (!shape || !(isNumbers || (letters > 0 && letters <= MOST_LETTERS))) {
    const written = /'descr':\s*('[^']*'|\[)/.exec(header)?.[1] ?? '?';
    throw new Error(msg(str`This .npy file holds ${clipped(written)}; whole and floating-point numbers of up to 64 bits are read. Save it as np.save(name, array.astype('float32')).`));
  }
  const count = shape.reduce((product, extent) => product * extent, 1);
  check(shape, count);
  const size = isNumbers ? TYPES[type as keyof typeof TYPES].BYTES_PER_ELEMENT : 4 * letters;
  if (!Number.isSafeInteger(count) || start + length + count * size > bytes.length) throw damaged();
  const own = bytes.slice(start + length, start + length + count * size);
  if (order === '>') turnBytes(own, isNumbers ? size : 4);
  if (!isNumbers) return { shape, values: new Float32Array(), texts: textsOf(new Uint32Array(own.buffer), letters) };
  const values = numbersOf(own, type as keyof typeof TYPES);
  return { shape, values: /'fortran_order':\s*True/.test(header) ? turned(values, shape) : values, texts: null };
}

function turnBytes(bytes: Uint8Array, size: number): void {
  if (size > 1) for (let at = 0; at < bytes.length; at += size) bytes.subarray(at, at + size).reverse();
}

function numbersOf({ buffer }: Uint8Array<ArrayBuffer>, type: keyof typeof TYPES): Float32Array {
  if (type === 'f4') return new Float32Array(buffer);
  const stored = new TYPES[type](buffer);
  const values = new Float32Array(stored.length);
  const read = type === 'f2' ? half : Number;
  for (let i = 0; i < values.length; i += 1) values[i] = read(stored[i] as number);
  return values;
}

/** Of texts that are filled up with zeros. */
function textsOf(codes: Uint32Array, letters: number): string[] {
  return Array.from({ length: codes.length / letters }, (_, i) => (
    Array.from(codes.subarray(i * letters, (i + 1) * letters), (code) => (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code))).join('').replace(/\0+$/, '')));
}

/** In C order, of numbers whose first index runs fastest. */
function turned(numbers: Float32Array, shape: readonly number[]): Float32Array {
  const steps = shape.map((_, axis) => shape.slice(0, axis).reduce((product, extent) => product * extent, 1));
  const indices = shape.map(() => 0);
  const out = new Float32Array(numbers.length);
  for (let to = 0, from = 0; to < out.length; to += 1) {
    out[to] = numbers[from] as number;
    for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
      from += steps[axis] as number;
      if ((indices[axis] = (indices[axis] as number) + 1) < (shape[axis] as number)) break;
      from -= (steps[axis] as number) * (shape[axis] as number);
      indices[axis] = 0;
    }
  }
  return out;
}

/** IEEE 754 binary16. */
function half(bits: number): number {
  const [sign, exponent, mantissa] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return mantissa ? NaN : sign * Infinity;
  return sign * (exponent ? (1024 + mantissa) * 2 ** (exponent - 25) : mantissa * 2 ** -24);
}

// An archive of arrays, as np.savez and np.savez_compressed write it: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT

const [STORED, DEFLATED] = [0, 8];
const MOST_ARRAYS = 1000;
const noArchive = () => new Error(msg('This .npz file is cut off or damaged. Save it again.'));

/** Its arrays by their names. No more than `most` bytes are unpacked. @throws Error with a sentence */
export async function readNpz(bytes: Uint8Array, most: number, check: CheckShape): Promise<Map<string, NumpyArray>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  const [entries, first] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)];
  if (entries > MOST_ARRAYS) throw new Error(msg(str`This archive holds ${said(entries)} files; at most ${said(MOST_ARRAYS)} are read. Save one array with all layers.`));
  const found = new Map<string, NumpyArray>();
  let [at, unpacked] = [first, 0];
  for (let i = 0; i < entries; i += 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw noArchive();
    const [method, packed, size] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    const [name, extra, comment, local] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true), view.getUint32(at + 42, true)];
    const called = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
    if (!called.endsWith('.npy')) continue;
    unpacked += size;
    if (unpacked > most) throw new Error(msg(str`This archive holds more than ${said(most)} bytes, the most that are unpacked. Save fewer layers or a shorter text.`));
    if (local + 30 > bytes.length || view.getUint32(local, true) !== 0x04034b50) throw noArchive();
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (from + packed > bytes.length) throw noArchive();
    const own = bytes.subarray(from, from + packed);
    const array = method === STORED ? own : method === DEFLATED ? await inflated(own, size) : null;
    if (!array) throw new Error(msg('This archive is packed in a way that is not read. Save it with np.savez or np.savez_compressed.'));
    if (!isNpy(array)) throw noArchive();
    found.set(called.slice(0, -4), readNumpy(array, check));
  }
  return found;
}

/** Where the list of its files ends: within the last 64 KB. */
function endOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at -= 1) if (view.getUint32(at, true) === 0x06054b50) return at;
  throw noArchive();
}

/** Stops where more comes out than was said. */
async function inflated(packed: Uint8Array, size: number): Promise<Uint8Array> {
  const out = new Uint8Array(size);
  let at = 0;
  try {
    const reader = new Blob([packed as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      out.set(value, at); // throws where it is more
      at += value.length;
    }
  } catch {
    throw noArchive();
  }
  if (at !== size) throw noArchive();
  return out;
}
