// Reproducible random settings and sentences (mulberry32).
import type { Edit, GivenId, MaskEdit, Request, Settings, Trace } from '../../web/src/engine/engine.ts';
import { MASK_IDS, MASK_NUMBERS } from '../../web/src/engine/masks.ts';
import { DEFAULTS } from '../../web/src/engine/defaults.ts';
import { SETTINGS } from '../../web/src/state/settings.ts';

/** All that a switch offers, so that a new one is drawn without being named. */
function choicesOf<Name extends 'positions' | 'tie'>(name: Name): Settings[Name][] {
  const control = SETTINGS.find((setting) => setting.name === name)?.control;
  return control && 'choices' in control ? control.choices.map(([id]) => id as Settings[Name]) : [];
}

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

  /** Any of the settings, each on or off; not always valid together, so to be clamped. */
  anySettings(): Settings {
    const own = (most: number) => this.pick([0, 0, this.whole(1, most)]);
    return {
      ...this.settings(),
      mask: this.pick(MASK_IDS),
      ...Object.fromEntries(MASK_NUMBERS.map(({ field }) => [field, this.whole(0, 6)])),
      num_kv_heads: own(6),
      d_k: own(9),
      d_v: own(9),
      softcap: this.pick([0, 0, 2, 15]),
      temperature: this.pick([1, 1, 0, 0.5, 3]),
      positions: this.pick(choicesOf('positions')),
      tie: this.pick(['none', ...choicesOf('tie')]),
      value_rank: own(5),
      dropout: this.pick([0, 0, Math.fround(0.3)]),
      dropout_seed: this.whole(0, 99),
      out_proj: this.pick([true, true, false]),
      residual: this.pick([true, true, false]),
    };
  }

  /** A text, perhaps a second one, and edits here and there, some of them outside. */
  request(count: number): Request {
    const tokens = this.tokens(count);
    const keyTokens = this.pick([undefined, this.tokens(this.whole(1, 20))]);
    const some = <T>(make: () => T): T[] => Array.from({ length: this.pick([0, 0, this.whole(1, 6)]) }, make);
    const value = () => Math.fround(this.number() * 4 - 2);
    return {
      tokens,
      keyTokens,
      maskEdits: some((): MaskEdit => ({ query: this.whole(0, count), key: this.whole(0, keyTokens?.length ?? count) })),
      edits: some((): Edit => this.pick([true, false])
        ? { array: this.pick(['W_Q', 'W_K', 'W_V', 'W_V_down', 'W_V_up', 'W_O', 'b_Q', 'b_K', 'b_V', 'b_O', 'P']), row: this.pick([0, this.whole(0, 9)]), column: this.whole(0, 9), value: value() }
        : { token: this.pick(tokens), column: this.whole(0, 9), value: value() }),
    };
  }

  /** Numbers for some of what a run of this shape may be given. */
  given(trace: Trace): Partial<Record<GivenId, Float32Array>> {
    const { tie, value_rank } = trace.settings;
    const ids: GivenId[] = ['content', 'query', 'key', 'value', 'W_Q', 'W_O', 'P', 'b_O'];
    if (tie === 'none') ids.push('W_K');
    if (value_rank === 0 && tie !== 'qkv') ids.push('W_V');
    const chosen = ids.filter((id) => trace.present(id) && this.whole(0, 3) === 0);
    return Object.fromEntries(chosen.map((id) => {
      const count = trace.extents(id).reduce((product, extent) => product * extent, 1);
      return [id, Float32Array.from({ length: count }, () => this.number() * 2 - 1)];
    }));
  }
}
