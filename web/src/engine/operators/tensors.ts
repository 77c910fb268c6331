// Numbers in the operators' memory.
import type { ByteTensor as ByteHandle, FloatTensor as FloatHandle } from '../../../../build/wasm/bindings/attention_operators.mjs';
import type { Broken } from '../error.ts';
import { throwIfError } from './sentences.ts';

interface Handle<Numbers> {
  setShape(shape: readonly number[]): Broken | null;
  shape(): ArrayLike<number> | null;
  write(numbers: Numbers): Broken | null;
  read(): Numbers;
  readInto(numbers: Numbers): Broken | null;
  delete(): void;
}

export let floats: (tensor: Tensor) => FloatHandle;
export let bytes: (tensor: ByteTensor) => ByteHandle;

/** Numbers in the module's memory, row-major, of 1 to 4 extents. Call free() when done with it. */
class Resident<Numbers extends Float32Array | Uint8Array, H extends Handle<Numbers>> {
  protected readonly handle: H;

  constructor(handle: H, shape: readonly number[], numbers?: Numbers) {
    this.handle = handle;
    try {
      throwIfError(handle.setShape(shape));
      if (numbers) this.write(numbers);
    } catch (error) {
      handle.delete();
      throw error;
    }
  }

  get shape(): number[] {
    return Array.from(this.handle.shape() ?? []);
  }

  /** Copies in as many numbers as the tensor holds. */
  write(numbers: Numbers): this {
    throwIfError(this.handle.write(numbers));
    return this;
  }

  /** A copy, in a new array or in one of yours: then no memory is asked for. */
  read(into?: Numbers): Numbers {
    if (!into) return this.handle.read();
    throwIfError(this.handle.readInto(into));
    return into;
  }

  free(): void {
    this.handle.delete();
  }
}

export class Tensor extends Resident<Float32Array, FloatHandle> {
  static {
    floats = (tensor) => tensor.handle;
  }
}

export class ByteTensor extends Resident<Uint8Array, ByteHandle> {
  static {
    bytes = (tensor) => tensor.handle;
  }
}
