// Numbers in the operators' memory.
import type { ByteTensor as ByteHandle, FloatTensor as FloatHandle, NarrowTensor as NarrowHandle } from '../../../../build/wasm/bindings/attention_operators.mjs';
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
let narrowHandle: (tensor: NarrowTensor) => NarrowHandle;

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

/** How a number is written: the upper half of a float32; IEEE 754's binary16; a whole number, times its row's scale, or that of 32 numbers, as llama.cpp's Q8_0. */
export type NarrowType = 'bf16' | 'f16' | 'i8' | 'q8_0';
const NARROW = ['bf16', 'f16', 'i8', 'q8_0'] as const;
/** Numbers of a block of Q8_0, and its bytes: a scale of 16 bits stands before them. */
const [BLOCK, BLOCK_BYTES] = [32, 34];

/** A parameter matrix in the width it came in. What reads it has the bits that the same numbers as float32 give. */
export class NarrowTensor {
  readonly #held: Held<NarrowHandle>;
  readonly type: NarrowType;

  constructor(handle: NarrowHandle, shape: Numbers, type: NarrowType, numbers?: NarrowNumbers | null, scales?: Numbers | null) {
    this.#held = new Held(handle, 'This tensor');
    try {
      this.type = choice(type, 'type', NARROW);
      const extents = givenList(shape, 'The shape');
      if (this.type === 'q8_0' && (extents[1] ?? 0) % BLOCK !== 0) refuse('The shape', shape, `rows of whole blocks of ${BLOCK} numbers`);
      run(() => handle.setShape(1 + NARROW.indexOf(this.type), extents));
      if (scales) this.writeScales(scales);
      if (numbers) this.#writeAll(numbers);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  static {
    narrowHandle = (tensor) => tensor.#held.handle;
  }

  /** [rows, columns] */
  get shape(): number[] {
    return Array.from(this.#held.handle.shape() ?? []);
  }

  /** Copies in numbers as they are written, in place of those from number `at` on: 16 bits each, or 8, or whole blocks of Q8_0. */
  write(numbers: NarrowNumbers, at = 0): this {
    const { handle } = this.#held;
    const size = this.type === 'i8' || this.type === 'q8_0' ? 1 : 2;
    if (!ArrayBuffer.isView(numbers) || numbers.BYTES_PER_ELEMENT !== size) refuse('What is written', numbers, size === 2 ? 'a Uint16Array' : this.type === 'i8' ? 'an Int8Array' : 'a Uint8Array');
    if (this.type === 'q8_0' && numbers.length % BLOCK_BYTES !== 0) refuse('What is written', numbers, `whole blocks of ${BLOCK_BYTES} bytes`);
    run(() => handle.writeBytes(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), number(at, 'at')));
    return this;
  }

  /** Of int8 numbers: one for each row; 0 until they are written. */
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

  #writeAll(numbers: NarrowNumbers): void {
    const [rows = 0, columns = 0] = this.shape;
    const length = this.type === 'q8_0' ? (rows * columns / BLOCK) * BLOCK_BYTES : rows * columns;
    if (numbers.length !== length) refuse('What is written', numbers, `of ${length} ${this.type === 'q8_0' ? 'bytes' : 'numbers'}`);
    this.write(numbers);
  }
}

/** Patterns of bits for 'bf16' and 'f16', bytes of blocks for 'q8_0'. */
export type NarrowNumbers = Uint16Array | Int8Array | Uint8Array;

/** A parameter matrix. */
export type Weight = Tensor | NarrowTensor;

export const weightHandle = (weight: Weight, name: string): FloatHandle | NarrowHandle => (weight instanceof NarrowTensor ? narrowHandle(weight) : floats(weight, name));

export const floats = ((tensor: Tensor | null, name = 'A tensor') => (
  tensor === null ? null : tensor instanceof Tensor ? floatHandle(tensor) : refuse(name, tensor, 'a Tensor, which tensor() makes'))) as HandleOf<Tensor, FloatHandle>;

export const bytes = ((tensor: ByteTensor | null, name = 'A tensor') => (
  tensor === null ? null : tensor instanceof ByteTensor ? byteHandle(tensor) : refuse(name, tensor, 'a ByteTensor, which byteTensor() makes'))) as HandleOf<ByteTensor, ByteHandle>;
