// What a reader changes in a language model besides the switches: heads taken away, single shares of attention; and what a layer then runs with.
import type { MaskId } from '../../engine/masks.ts';
import type { AttendOptions, Intervention, Operators } from '../../engine/operators/operators.ts';
import type { Configuration } from './configuration.ts';

/** The mask that a model was trained with, and the switch of its scale. */
export const trainedMask = ({ causal = true }: Pick<Configuration, 'causal'>): MaskId => (causal ? 'causal' : 'none');
export const trainedScale = ({ scaled = true }: Pick<Configuration, 'scaled'>): 'sqrt-dk' | 'none' => (scaled ? 'sqrt-dk' : 'none');

/** A head of a language model, both from 0. */
export interface Place { readonly layer: number; readonly head: number }

/** A share of attention set by hand: of a query's row in one head. */
export interface Patch extends Place { readonly query: number; readonly key: number; readonly share: number }

/** How a model that writes on draws each token. */
export interface Drawing { readonly temperature: number; readonly topK: number; readonly topP: number; readonly seed: number }

/** In the order of a link. */
export const DRAWING: readonly { readonly name: keyof Drawing; readonly least: number; readonly most: number; readonly isWhole: boolean }[] = [
  { name: 'temperature', least: 0.05, most: 10, isWhole: false }, { name: 'topK', least: 0, most: 1e6, isWhole: true },
  { name: 'topP', least: 0.01, most: 1, isWhole: false }, { name: 'seed', least: 0, most: 2 ** 32 - 1, isWhole: true },
];

// What the reader changes in a model's layers.

/** Of one layer; what is left out stays as it was trained. */
export interface LayerChanges {
  /** [T, T], not 0 where a query may look at a key; left out: as the model was trained. */
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

/** Whether two texts that begin with the same `rows` tokens have the same first rows, which see none but each other, and the second goes on causally. */
export function readsOn(before: LayerChanges = {}, now: LayerChanges = {}, rows: number): boolean {
  const said = ({ scale, temperature, softcap, headGains = [], patches = [] }: LayerChanges) => JSON.stringify([scale, temperature, softcap, Array.from(headGains), patches.length]);
  if (now.patches?.length || said(before) !== said(now)) return false;
  if (!before.allowed || !now.allowed) return before.allowed === now.allowed;
  const [earlier, T] = [before.allowed, now.allowed].map(({ length }) => Math.sqrt(length)) as [number, number];
  for (let query = 0; query < T; query += 1) {
    for (let key = 0; key < Math.max(T, earlier); key += 1) {
      const isSeen = key < T && now.allowed[query * T + key] !== 0;
      if (isSeen && key >= Math.max(rows, query + 1)) return false;
      if (query < rows && isSeen !== (key < earlier && before.allowed[query * earlier + key] !== 0)) return false;
    }
  }
  return true;
}

/**
 * Of tokens from `after` to before T. `allowed` and `patches` are put into `operators`' memory; free what `kept` then holds after the run.
 * @param isCausal where no other mask is given; what is read on is causal in any case
 */
export function interventionOf(changes: LayerChanges, { after, T, isCausal }: { after: number; T: number; isCausal: boolean }, operators: Operators, kept: { free(): void }[]): Intervention {
  const { allowed, headGains, patches = [] } = changes;
  const held = <Tensor extends { free(): void }>(tensor: Tensor): Tensor => {
    kept.push(tensor);
    return tensor;
  };
  return {
    attention: {
      ...optionsOf(changes), isCausal: after > 0 || (!allowed && isCausal),
      ...(allowed && { allowed: held(operators.byteTensor([1, 1, T - after, T], allowed.subarray(after * T))) }),
    },
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

// What a reader changes in a language model besides the switches: heads taken away, single shares of attention.

/** A row of weights with one share set; the others keep their proportions and fill the rest. A row that sees one word keeps it whole. */
export function setShare(row: Float32Array, query: number, key: number, share: number): Float32Array {
  const rest = row.reduce((sum, weight, i) => sum + (i === key ? 0 : weight), 0);
  // Where nothing else had a share, the words up to the query's own get the same.
  const others = row.map((weight, i) => (i === key ? 0 : rest > 0 ? weight / rest : Number(i <= query) / query));
  if (query === 0 && rest === 0) return row.map((_, i) => Number(i === key));
  return others.map((weight, i) => (i === key ? share : weight * (1 - share)));
}

export const samePlace = (a: Place, b: Place): boolean => a.layer === b.layer && a.head === b.head;

export const sameCell = (a: Patch, b: Omit<Patch, 'share'>): boolean => samePlace(a, b) && a.query === b.query && a.key === b.key;

/** All heads of a layer but one. */
export function allBut({ layer, head }: Place, heads: number): Place[] {
  return Array.from({ length: heads }, (_, other) => ({ layer, head: other })).filter((place) => place.head !== head);
}
