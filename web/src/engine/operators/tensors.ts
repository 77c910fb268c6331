// Numbers in the operators' memory.
import type { ByteTensor as ByteHandle, FloatTensor as FloatHandle } from '../../../../build/wasm/bindings/attention_operators.mjs';
import type { Broken } from '../error.ts';
import { Held, type Numbers, call, givenList, list, refuse } from './given.ts';
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
  static {
    floatHandle = (tensor) => tensor.handle;
  }
}

export class ByteTensor extends Resident<Uint8Array, ByteHandle> {
  static {
    byteHandle = (tensor) => tensor.handle;
  }
}

export const floats = ((tensor: Tensor | null, name = 'A tensor') => (
  tensor === null ? null : tensor instanceof Tensor ? floatHandle(tensor) : refuse(name, tensor, 'a Tensor, which tensor() makes'))) as HandleOf<Tensor, FloatHandle>;

export const bytes = ((tensor: ByteTensor | null, name = 'A tensor') => (
  tensor === null ? null : tensor instanceof ByteTensor ? byteHandle(tensor) : refuse(name, tensor, 'a ByteTensor, which byteTensor() makes'))) as HandleOf<ByteTensor, ByteHandle>;
