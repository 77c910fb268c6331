// Reproducible random settings and sentences (mulberry32).
import type { Settings } from '../../web/src/engine.ts';
import { DEFAULTS } from '../../web/src/settings.ts';

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Uniform in [0, 1). */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  whole(least: number, most: number): number {
    return least + Math.floor(this.number() * (most - least + 1));
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.whole(0, choices.length - 1)] as T;
  }

  tokens(count: number): string[] {
    const words = ['the', 'animal', 'it', 'naïve', '动物', 'حيوان', '👩‍👩‍👧', '.', 'didn\'t', 'e\u0301'];
    return Array.from({ length: count }, () => this.pick(words));
  }

  settings(): Settings {
    const num_heads = this.whole(1, 6);
    return {
      ...DEFAULTS,
      d_model: num_heads * this.whole(1, 13),
      num_heads,
      mask: this.pick(['none', 'causal']),
      scale: this.pick(['sqrt-dk', 'none', 'factor']),
      scale_factor: Math.fround(this.number() * 4 - 2),
      positions: this.pick(['none', 'sinusoidal']),
      biases: this.pick([true, false]),
      seed: this.whole(0, 2 ** 32 - 1),
    };
  }
}
