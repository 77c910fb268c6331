// Numbers in the operators' memory.
import type { ByteTensor as ByteHandle, FloatTensor as FloatHandle, MatrixTensor as MatrixHandle } from '../../../../build/wasm/bindings/attention_operators.mjs';
import type { Broken } from '../error.ts';
import { Held, type Numbers, call, choice, givenList, list, number, refuse } from './given.ts';
import { run } from './sentences.ts';

interface Handle<Own> {
  setShape(shape: ArrayLike<number>): Broken | null;
  shape(): ArrayLike<number> | null;
  write(numbers: Own): Broken | null;
  read(): Own;
  readInto(numbers: Own): Broken | null;
  delete(): void;
}

/** The module's own; null for none. */
interface HandleOf<T, H> {
  (tensor: T, name?: string): H;
  (tensor: T | null, name?: string): H | null;
}

let floatHandle: (tensor: Tensor) => FloatHandle;
let byteHandle: (tensor: ByteTensor) => ByteHandle;
let matrixHandle: (tensor: MatrixTensor) => MatrixHandle;

/** Numbers in the module's memory, row-major, of 1 to 4 extents. Call free() when done with it. */
class Resident<Own extends Float32Array | Uint8Array, H extends Handle<Own>> {
  readonly #held: Held<H>;

  constructor(handle: H, shape: Numbers, numbers?: Numbers | null) {
    this.#held = new Held(handle, 'This tensor');
    try {
      const extents = givenList(shape, 'The shape');
      run(() => handle.setShape(extents));
      if (numbers) this.write(numbers);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  protected get handle(): H {
    return this.#held.handle;
  }

  get shape(): number[] {
    return Array.from(this.handle.shape() ?? []);
  }

  /** Copies in as many numbers as the tensor holds. */
  write(numbers: Numbers): this {
    const { handle } = this;
    const given = givenList(numbers, 'What is written') as Own;
    run(() => handle.write(given));
    return this;
  }

  /** A copy, in a new array or in one of yours: then no memory is asked for. */
  read(into?: Own | null): Own {
    const { handle } = this;
    if (!into) return call(() => handle.read());
    list(into, 'What is read into');
    run(() => handle.readInto(into));
    return into;
  }

  free(): void {
    this.#held.free();
  }
}

export class Tensor extends Resident<Float32Array, FloatHandle> {
  /** Copies in numbers in place of those from number `at` on. */
  writePart(numbers: Numbers, at: number): this {
    const { handle } = this;
    const given = givenList(numbers, 'What is written') as Float32Array;
    run(() => handle.writePart(given, number(at, 'at')));
    return this;
  }

  static {
    floatHandle = (tensor) => tensor.handle;
  }
}

export class ByteTensor extends Resident<Uint8Array, ByteHandle> {
  static {
    byteHandle = (tensor) => tensor.handle;
  }
}

/**
 * How a number is written: a float32; its upper half; IEEE 754's binary16; a whole number, times its row's scale, or that of 32 numbers, as
 * llama.cpp's Q8_0.
 */
export type MatrixType = 'f32' | 'bf16' | 'f16' | 'i8' | 'q8_0';
const TYPES = ['f32', 'bf16', 'f16', 'i8', 'q8_0'] as const;
const ARRAYS = { f32: Float32Array, bf16: Uint16Array, f16: Uint16Array, i8: Int8Array, q8_0: Uint8Array } as const;
/** Row after row, or sixteen rows at a time side by side: products by an (out, in) matrix are faster so. */
export type MatrixOrder = 'rows' | 'interleaved';
const ORDERS = ['rows', 'interleaved'] as const;
/** (in, out) is for x·W, this library's own; (out, in) is for x·Wᵀ, torch.nn.Linear's. */
export type MatrixLayout = 'in_out' | 'out_in';
export const LAYOUTS = ['in_out', 'out_in'] as const;
/** Numbers of a block of Q8_0, and its bytes: a scale of 16 bits stands before them. */
const [BLOCK, BLOCK_BYTES] = [32, 34];

/** A parameter matrix in the width it came in. What reads it has the bits that the same numbers as float32 give. */
export class MatrixTensor {
  readonly #held: Held<MatrixHandle>;
  readonly type: MatrixType;

  constructor(handle: MatrixHandle, shape: Numbers, type: MatrixType, numbers?: MatrixNumbers | null, scales?: Numbers | null, order: MatrixOrder = 'rows') {
    this.#held = new Held(handle, 'This tensor');
    try {
      this.type = choice(type, 'type', TYPES);
      const isInterleaved = choice(order, 'order', ORDERS) === 'interleaved';
      const extents = givenList(shape, 'The shape');
      if (this.type === 'q8_0' && (extents[1] ?? 0) % BLOCK !== 0) refuse('The shape', shape, `rows of whole blocks of ${BLOCK} numbers`);
      run(() => handle.setShape(TYPES.indexOf(this.type), isInterleaved, extents));
      if (scales) this.writeScales(scales);
      if (numbers) this.#writeAll(numbers);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  static {
    matrixHandle = (tensor) => tensor.#held.handle;
  }

  /** [rows, columns] */
  get shape(): number[] {
    return Array.from(this.#held.handle.shape() ?? []);
  }

  /**
   * Copies in numbers row after row as they are written, in place of those from number `at` on; of Q8_0, whole blocks. An interleaved matrix may
   * also be given as the (in, out) one of the same linear layer, whose rows are its columns; 'i8' and 'q8_0' may not, since their scales are those of rows.
   */
  write(numbers: MatrixNumbers, at = 0, layout: MatrixLayout = 'out_in'): this {
    const { handle } = this.#held;
    const wanted = ARRAYS[this.type];
    // Of the others, only the bits are looked at.
    const isOther = this.type === 'f32' && (numbers as Partial<Float32Array>)?.[Symbol.toStringTag] !== 'Float32Array';
    if (!ArrayBuffer.isView(numbers) || numbers.BYTES_PER_ELEMENT !== wanted.BYTES_PER_ELEMENT || isOther) refuse('What is written', numbers, `${wanted === Int8Array ? 'an' : 'a'} ${wanted.name}`);
    if (this.type === 'q8_0' && numbers.length % BLOCK_BYTES !== 0) refuse('What is written', numbers, `whole blocks of ${BLOCK_BYTES} bytes`);
    run(() => handle.writeBytes(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), number(at, 'at'), choice(layout, 'layout', LAYOUTS) === 'in_out'));
    return this;
  }

  /** Of int8 numbers: one for each row, 0 or at least 2^-102 in size; 0 until they are written. */
  writeScales(scales: Numbers): this {
    const { handle } = this.#held;
    const given = givenList(scales, 'What is written') as Float32Array;
    run(() => handle.writeScales(given));
    return this;
  }

  /** A copy as float32: of all rows, or of `count` rows from `first` on. */
  read(first = 0, count?: number | null): Float32Array {
    const { handle } = this.#held;
    const [rows = 0, columns = 0] = this.shape;
    const numbers = new Float32Array(Math.max(0, Math.min(number(count, 'count', rows - first), rows)) * columns);
    run(() => handle.readRows(number(first, 'first'), numbers));
    return numbers;
  }

  free(): void {
    this.#held.free();
  }

  #writeAll(numbers: MatrixNumbers): void {
    const [rows = 0, columns = 0] = this.shape;
    const length = this.type === 'q8_0' ? (rows * columns / BLOCK) * BLOCK_BYTES : rows * columns;
    if (numbers.length !== length) refuse('What is written', numbers, `of ${length} ${this.type === 'q8_0' ? 'bytes' : 'numbers'}`);
    this.write(numbers);
  }
}

/** Patterns of bits for 'bf16' and 'f16', bytes of blocks for 'q8_0'. */
export type MatrixNumbers = Float32Array | Uint16Array | Int8Array | Uint8Array;

/** A parameter matrix. */
export type Weight = Tensor | MatrixTensor;

export const weightHandle = (weight: Weight, name: string): FloatHandle | MatrixHandle => (weight instanceof MatrixTensor ? matrixHandle(weight) : floats(weight, name));

export const floats = ((tensor: Tensor | null, name = 'A tensor') => (
  tensor === null ? null : tensor instanceof Tensor ? floatHandle(tensor) : refuse(name, tensor, 'a Tensor, which tensor() makes'))) as HandleOf<Tensor, FloatHandle>;

export const bytes = ((tensor: ByteTensor | null, name = 'A tensor') => (
  tensor === null ? null : tensor instanceof ByteTensor ? byteHandle(tensor) : refuse(name, tensor, 'a ByteTensor, which byteTensor() makes'))) as HandleOf<ByteTensor, ByteHandle>;
