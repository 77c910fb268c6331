// How far and at what price: counts by formula, no run of anything.

/** Layers until one word reaches another `distance` words on, through kernels of width k: each layer carries k − 1 words. */
export const convolutionLayers = (distance: number, k: number): number => Math.ceil(distance / (k - 1));

/** With dilations 1, k, k², …: layer l carries up to (k − 1)·kˡ words, all layers together k^L − 1. */
export function dilatedLayers(distance: number, k: number): number {
  let layers = 0;
  for (let reach = 0; reach < distance; layers += 1) reach += (k - 1) * k ** layers;
  return layers;
}

export type Net = 'recurrent' | 'convolution' | 'dilated' | 'attention';

/** Where the word is after each step, from 0 to `distance`. */
export function pathOf(net: Net, distance: number, k: number): number[] {
  switch (net) {
    case 'recurrent': return Array.from({ length: distance + 1 }, (_, i) => i);
    case 'convolution': return Array.from({ length: convolutionLayers(distance, k) + 1 }, (_, i) => Math.min(distance, i * (k - 1)));
    // A digit of the distance, to base k, in each layer.
    case 'dilated': return Array.from({ length: dilatedLayers(distance, k) + 1 }, (_, i) => distance % k ** i);
    case 'attention': return distance === 0 ? [0] : [0, distance];
  }
}

/** How far apart the words are that a layer of a convolution reads, its first layer 0. */
export const dilationOf = (net: Net | 'window', k: number, layer: number): number => (net === 'dilated' ? k ** layer : 1);

/** Sizes that cost is made of: d_model in heads of d_k, a window of so many keys a row. */
export interface Sizes { d: number; d_k: number; window: number }

/** Multiply-adds of attention over n words, projections left out: scores and weighted values, or sums of φ(k)·vᵀ. */
export const COSTS = {
  full: (n: number, { d }: Sizes): number => 2 * n * n * d,
  window: (n: number, { d, window }: Sizes): number => 2 * n * Math.min(window, n) * d,
  linear: (n: number, { d, d_k }: Sizes): number => 2 * n * d_k * d,
} as const;

export type Way = keyof typeof COSTS;

/** How many words back a row can hear of, through `layers` windows of so many keys, its own among them. */
export const windowReach = (window: number, layers: number): number => layers * (window - 1);

/** Where the first word of a sentence has been heard after each layer, up to `last`. */
export const windowPath = (last: number, window: number, layers: number): number[] => {
  const path = [0];
  while (path.length <= layers && (path.at(-1) ?? 0) < last && window > 1) path.push(Math.min(last, (path.at(-1) ?? 0) + window - 1));
  return path;
};

/** A d × δ matrix for every pair of words; and W_Q, W_K and W_V in their place. */
export const pairTable = (n: number, d: number, delta: number): number => n * n * d * delta;
export const threeMatrices = (d: number, delta: number): number => 3 * d * delta;

export const FLOAT_BYTES = 4;
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/** "18.9 MB", in thousands. */
export function bytes(count: number): string {
  const power = Math.min(UNITS.length - 1, count < 1000 ? 0 : Math.floor(Math.log10(count) / 3 + 1e-12));
  const value = count / 1000 ** power;
  return `${power === 0 ? value : Number(value.toPrecision(3))} ${UNITS[power] ?? ''}`;
}
