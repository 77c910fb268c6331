// What the reader pasted: what it is called, how it is laid out for the engine, and the settings under which it would fit.
import { msg, str } from '@lit/localize';
import type { GivenId, Settings } from '../engine/engine.ts';
import { clipped } from '../lib/format.ts';
import { type Sizes, extentsOf } from './given.ts';
import { MAX_NUMBERS, type Matrix } from './matrix-text.ts';

const NAMES: Partial<Record<GivenId, () => string>> = {
  query: () => 'Q', key: () => 'K', value: () => 'V', content: () => msg('embeddings'), key_content: () => msg('second sentence’s embeddings'),
};
export const nameOf = (id: GivenId): string => NAMES[id]?.() ?? id;

const same = (a: readonly number[], b: readonly number[]) => a.length === b.length && a.every((extent, i) => extent === b[i]);

/** The numbers in the engine's order, or null when they are not of this shape. Heads may also stand side by side. */
export function arrange(id: GivenId, { extents, values }: Matrix, sizes: Sizes): Float32Array | null {
  const wanted = extentsOf(id, sizes);
  if (same(extents, wanted)) return values;
  if (wanted.length === 1 && extents.length === 2 && Math.min(...extents) === 1 && values.length === wanted[0]) return values;
  const [heads = 1, rows = 0, width = 0] = wanted;
  if (wanted.length !== 3) return null;
  if (same(extents, [heads * rows, width])) return values;
  return same(extents, [rows, heads * width]) ? split(values, heads, rows, width) : null;
}

/** [rows, heads·width] to [heads, rows, width]. */
function split(values: Float32Array, heads: number, rows: number, width: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let h = 0; h < heads; h += 1) {
    for (let row = 0; row < rows; row += 1) {
      const from = (row * heads + h) * width;
      out.set(values.subarray(from, from + width), (h * rows + row) * width);
    }
  }
  return out;
}

/** Settings under which a matrix [rows, columns] would fit; null where words, not settings, decide. */
export function settingsFor(id: GivenId, { extents }: Matrix, settings: Readonly<Settings>): Partial<Settings> | null {
  const [rows = 0, columns = 0] = extents;
  if (extents.length !== 2) return null;
  const heads = (width: number) => (width % settings.num_heads === 0 && settings.num_heads <= rows ? settings.num_heads : 1);
  switch (id) {
    case 'W_Q': case 'W_K': case 'W_V': return sized(rows, columns, heads(columns), settings);
    case 'W_O': return sized(columns, rows, heads(rows), settings);
    case 'content': case 'key_content': return sized(columns, columns, columns % settings.num_heads === 0 ? settings.num_heads : 1, settings);
    default: return null;
  }
}

function sized(d_model: number, width: number, num_heads: number, settings: Readonly<Settings>): Partial<Settings> {
  const each = width / num_heads;
  const own = width === d_model ? 0 : each;
  return { d_model, num_heads, num_kv_heads: 0, d_k: own, d_v: own, value_rank: 0, tie: settings.tie };
}

// NumPy's own file of one array: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Read without trust.

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
