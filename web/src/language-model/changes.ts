// What the reader changes in a model's layers.
import type { AttendOptions, Intervention, Operators } from '../operators.ts';

/** Of one layer; what is left out stays as it was trained. */
export interface LayerChanges {
  /** [T, T], not 0 where a query may look at a key; left out: causal attention. */
  allowed?: Uint8Array | undefined;
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
export function isChanged({ allowed, scale, temperature = 1, softcap = 0, headGains = [], patches = [] }: LayerChanges): boolean {
  return allowed !== undefined || scale !== undefined || temperature !== 1 || softcap !== 0 || patches.length > 0
    || Array.from(headGains).some((gain) => gain !== 1);
}

/** `allowed` and `patches` are put into `operators`' memory; free what `kept` then holds after the run. */
export function interventionOf(changes: LayerChanges, T: number, operators: Operators, kept: { free(): void }[]): Intervention {
  const { allowed, headGains, patches = [] } = changes;
  const held = <Tensor extends { free(): void }>(tensor: Tensor): Tensor => {
    kept.push(tensor);
    return tensor;
  };
  return {
    attention: { ...optionsOf(changes), ...(allowed ? { allowed: held(operators.byteTensor([1, 1, T, T], allowed)) } : { isCausal: true }) },
    headGains,
    patches: patches.map(({ head, weights }) => ({ head, weights: held(operators.tensor([T, T], weights)) })),
  };
}

function optionsOf({ scale, temperature = 1, softcap = 0 }: LayerChanges): AttendOptions {
  return {
    softcap, temperature,
    ...(scale !== undefined && { scale }), // left alone, it is the core's own
  };
}
