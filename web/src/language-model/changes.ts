// What the reader changes in a model's layers.
import type { AttendOptions, Intervention, Operators } from '../operators.ts';

/** Of one layer; what is left out stays as it was trained. */
export interface LayerChanges {
  mask?: 'causal' | 'none' | 'window' | undefined;
  /** With `window`: words before and after, both ends included. */
  windowLeft?: number | undefined;
  windowRight?: number | undefined;
  /** Scores times this; 1 / √d_k when left out. */
  scale?: number | undefined;
  /** Masked scores are divided by it; 0 = arg-max. */
  temperature?: number | undefined;
  /** Scores become softcap · tanh(scores / softcap); 0 = off. */
  softcap?: number | undefined;
  /** One for each head: 0 takes it away, 1 leaves it. */
  headGains?: ArrayLike<number> | undefined;
  /** Weights [T, T] by hand, in place of a head's own. */
  patches?: readonly { head: number; weights: Float32Array }[] | undefined;
}

/** Whether a layer is asked to do anything else than it was trained for. */
export function isChanged({ mask = 'causal', scale, temperature = 1, softcap = 0, headGains = [], patches = [] }: LayerChanges): boolean {
  return mask !== 'causal' || scale !== undefined || temperature !== 1 || softcap !== 0 || patches.length > 0
    || Array.from(headGains).some((gain) => gain !== 1);
}

/** `patches` are put into `operators`' memory; free what `kept` then holds after the run. */
export function interventionOf(changes: LayerChanges, T: number, operators: Operators, kept: { free(): void }[]): Intervention {
  const { headGains, patches = [] } = changes;
  const inMemory = (numbers: Float32Array) => {
    const tensor = operators.tensor([T, T], numbers);
    kept.push(tensor);
    return tensor;
  };
  return {
    attention: optionsOf(changes), headGains,
    patches: patches.map(({ head, weights }) => ({ head, weights: inMemory(weights) })),
  };
}

function optionsOf({ mask = 'causal', windowLeft = -1, windowRight = -1, scale, temperature = 1, softcap = 0 }: LayerChanges): AttendOptions {
  return {
    isCausal: mask === 'causal', softcap, temperature,
    ...(mask === 'window' && { windowLeft, windowRight }),
    ...(scale !== undefined && { scale }), // left alone, it is the core's own
  };
}
