// Tensors for one calculation, freed after it.
import type { Operators } from '../operators.ts';
import type { Tensor } from '../tensors.ts';

export type MakeTensor = (shape: readonly number[], numbers?: Float32Array) => Tensor;

export function withTensors<T>(operators: Operators, work: (tensor: MakeTensor) => T): T {
  const made: Tensor[] = [];
  try {
    return work((shape, numbers) => {
      const tensor = operators.tensor(shape, numbers);
      made.push(tensor);
      return tensor;
    });
  } finally {
    for (const tensor of made) tensor.free();
  }
}
