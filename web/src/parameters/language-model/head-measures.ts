// What the heads of a model do on one text, layer by layer in the operators' memory.
import type { HeadFacts, Operators, Tensor } from '../../engine/operators/operators.ts';
import type { Configuration } from './configuration.ts';
import type { ModelRun } from './run.ts';

export type { HeadFacts };

/** Of one layer, [T, T] each. */
export interface Together {
  /** The average of its heads. */
  readonly mean: Float32Array;
  /** Attention rollout from the text up to this layer. */
  readonly rollout: Float32Array;
}

/** Found when they are asked for, and kept. The model must not be freed before. */
export class HeadMeasures {
  readonly #operators: Operators;
  #facts: readonly (readonly HeadFacts[])[] | null = null;
  #together: readonly Together[] | null = null;

  constructor(operators: Operators, readonly run: ModelRun, private readonly configuration: Pick<Configuration, 'layers' | 'heads'>) {
    this.#operators = operators;
  }

  /** By layer, then head. */
  get facts(): readonly (readonly HeadFacts[])[] {
    return (this.#facts ??= this.#eachLayer((weights) => this.#operators.statistics.headFacts(weights, this.run.tokens)));
  }

  /** Rows whose token stood before, with another behind it: induction is a mean over them. */
  get repeated(): number {
    return this.#operators.statistics.inductionRows(this.run.tokens);
  }

  /** By layer. */
  get together(): readonly Together[] {
    return (this.#together ??= this.#rollOut());
  }

  #rollOut(): readonly Together[] {
    const T = this.run.tokens.length;
    const [mean, below, out] = [0, 1, 2].map(() => this.#operators.tensor([T, T])) as [Tensor, Tensor, Tensor];
    try {
      return this.#eachLayer((weights, layer) => {
        this.#operators.statistics.rollOut(weights, layer === 0 ? null : below, mean, out);
        const rollout = out.read();
        below.write(rollout);
        return { mean: mean.read(), rollout };
      });
    } finally {
      for (const each of [mean, below, out]) each.free();
    }
  }

  #eachLayer<Found>(find: (weights: Tensor, layer: number) => Found): Found[] {
    const { configuration: { layers, heads }, run } = this;
    const T = run.tokens.length;
    const weights = this.#operators.tensor([heads, T, T]);
    try {
      return Array.from({ length: layers }, (_, layer) => find(weights.write(run.layerWeights(layer)), layer));
    } finally {
      weights.free();
    }
  }
}
