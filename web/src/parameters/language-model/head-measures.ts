// What the heads of a model do on one text, layer by layer in the operators' memory.
import type { Decoder, DecoderBlock, DecoderParameters, HeadFacts, Linear, Operators, RowExplanation, RowOperand, Tensor, Weight } from '../../engine/operators/operators.ts';
import type { Configuration } from './configuration.ts';
import type { Soon } from '../../lib/answers.ts';
import type { Sources } from './load.ts';
import { scaleOf } from './safetensors.ts';
import type { AnyRun, ModelRun, ReadRows } from './run.ts';

export type { HeadFacts };

/** A number written out, and what its parameters are called in the file: “h.0.mlp.c_fc.weight[:, 5]”, counted from 0; numbers of 8 bits with their scale. */
export interface Followed extends RowExplanation { readonly files: Readonly<Record<string, string>> }

/** What numbers are followed to. */
export interface Origin {
  readonly parameters: DecoderParameters;
  readonly sources: Sources;
  /** Rows of the positions, where they are not one after another. */
  readonly places: readonly number[] | null;
}

/** Of one layer, [T, T] each. */
export interface Together {
  /** The average of its heads. */
  readonly mean: Float32Array;
  /** Attention rollout from the text up to this layer. */
  readonly rollout: Float32Array;
}

/** Parts of one logit, which add up to it. */
export interface Attribution {
  /** By layer, then head. */
  readonly heads: readonly (readonly number[])[];
  /** Of each layer's output projection. */
  readonly biases: readonly number[];
  readonly mlps: readonly number[];
  /** The biases of the final norm and of the output. */
  readonly constant: number;
  /** Their sums: embedding, heads, MLPs and all biases together are the logit. */
  readonly sums: Readonly<Record<'embedding' | 'heads' | 'mlps' | 'biases' | 'logit', number>>;
}

/** What heads do on a run; a model in a worker answers later what takes another reading. */
export interface AnyMeasures {
  readonly run: AnyRun;
  /** By layer, then head. */
  readonly facts: readonly (readonly HeadFacts[])[];
  /** Rows whose token stood before, with another behind it: induction is a mean over them. */
  readonly repeated: number;
  /** Whether a logit of this model is a sum of what its parts write. */
  readonly isSum: boolean;
  /** By layer. */
  readonly together: Soon<readonly Together[]>;
  weighted(layer: number, head: number): Soon<Float32Array>;
  attribution(position: number, token: number): Soon<Attribution>;
  /**
   * A number of a row on its way through a layer, its norms and its MLP; through what is before the first layer (−1), or behind the
   * last (as many as there are).
   */
  number(layer: number, position: number, stage: string, index: number): Soon<Followed>;
}

/** [L, T, width] each. */
export type Kept = Pick<ReadRows, 'values' | 'contexts'>;

/** Found when they are asked for, and kept. The model must not be freed before. */
export class HeadMeasures implements AnyMeasures {
  readonly #operators: Operators;
  readonly #decoder: Decoder;
  #facts: readonly (readonly HeadFacts[])[] | null = null;
  #together: readonly Together[] | null = null;
  #kept: Kept | null = null;
  #weighted: readonly Float32Array[] | null = null;

  /** @param keep what a run does not keep */
  constructor(
    operators: Operators, decoder: Decoder, readonly run: ModelRun, private readonly configuration: Configuration,
    private readonly keep: () => Kept, private readonly origin: Origin,
  ) {
    this.#operators = operators;
    this.#decoder = decoder;
  }

  get facts(): readonly (readonly HeadFacts[])[] {
    return (this.#facts ??= this.#eachLayer((weights) => this.#operators.statistics.headFacts(weights, this.run.tokens)));
  }

  get repeated(): number {
    return this.#operators.statistics.inductionRows(this.run.tokens);
  }

  get together(): readonly Together[] {
    return (this.#together ??= this.#rollOut());
  }

  weighted(layer: number, head: number): Float32Array {
    return ofHead(this.weightedLayers, layer, head, this.run.tokens.length);
  }

  /** [H, T, T] by layer. */
  get weightedLayers(): readonly Float32Array[] {
    return (this.#weighted ??= this.#weigh());
  }

  get isSum(): boolean {
    return this.configuration.predicts === undefined && this.#decoder.partCount > 0;
  }

  attribution(position: number, token: number): Attribution {
    const { layers, heads, d_model } = this.configuration;
    const { contexts } = this.#keep();
    const width = contexts.length / layers / this.run.tokens.length;
    // One row of each layer.
    const rows = (of: (layer: number) => Float32Array, count: number) => Float32Array.from({ length: layers * count }, (_, i) => of(Math.floor(i / count))[position * count + i % count] as number);
    const contextsOf = (layer: number) => contexts.subarray(layer * width * this.run.tokens.length);
    return this.#with([
      this.#operators.tensor([1, d_model], this.run.embeddings.slice(position * d_model, (position + 1) * d_model)),
      this.#operators.tensor([layers, 1, d_model], rows((layer) => this.run.residual(layer), d_model)),
      this.#operators.tensor([layers, 1, width], rows(contextsOf, width)),
      this.#operators.tensor([this.#decoder.partCount]),
    ], ([embeddings, residuals, taken, parts]) => {
      this.#decoder.logitParts({ embeddings, residuals, contexts: taken }, token, parts);
      const found = [...parts.read()];
      const [constant = NaN, embedding = NaN, ofHeads = NaN, ofMlps = NaN, ofBiases = NaN, logit = NaN] = found.slice(-6);
      const ofLayers = Array.from({ length: layers }, (_, layer) => found.slice(layer * (heads + 2), (layer + 1) * (heads + 2)));
      return { heads: ofLayers.map((each) => each.slice(0, heads)), biases: ofLayers.map((each) => each[heads] as number), mlps: ofLayers.map((each) => each[heads + 1] as number), constant, sums: { embedding, heads: ofHeads, mlps: ofMlps, biases: ofBiases, logit } };
    });
  }

  number(layer: number, position: number, stage: string, index: number): Followed {
    const block = this.origin.parameters.blocks[layer];
    const found = block ? this.#inLayer(layer, position, stage, index) : stage === 'places' ? this.#placed(position, index) : this.#outside(position, stage, index);
    return { ...found, files: this.#files(found, block ? ofBlock(block) : ofEnds(this.origin.parameters), index) };
  }

  #outside(position: number, stage: string, index: number): RowExplanation {
    const { configuration: { layers, d_model }, origin: { places, parameters: { positions }, sources } } = this;
    const row = this.run.residual(layers - 1).slice(position * d_model, (position + 1) * d_model);
    const found = this.#with([this.#operators.tensor([d_model], row)], ([x]) => this.#decoder.explainEnds(this.run.tokens[position] as number, places?.[position] ?? position, x, stage, index));
    if (found.rule === 'softmax') return shortened(found);
    // Rows that were added up when the file was opened are followed to their parts.
    const isSum = positions && sources.sums.has(positions);
    const followed = (operand: RowOperand) => (isSum && operand.array === 'P' ? { ...operand, array: 'places', index } : operand);
    return { ...found, terms: found.terms.map((term) => ({ ...term, left: followed(term.left) })) };
  }

  /** A number that is added to a token's own, where the file has it in two parts. */
  #placed(position: number, index: number): RowExplanation {
    const { configuration: { d_model }, origin: { places, parameters: { positions }, sources } } = this;
    const place = places?.[position] ?? position;
    const numberOf = (tensor: Tensor, row: number) => tensor.read()[row * d_model + index] as number;
    const result = numberOf(positions as Tensor, place);
    const rows = sources.sums.get(positions as Tensor)?.(place) ?? [];
    const terms = rows.map(({ tensor, row }, i) => {
      const value = numberOf(tensor, row);
      return { left: { array: PARTS[i] ?? '', index: row * d_model + index, value }, product: value, partialSum: i === 0 ? value : result };
    });
    return { rule: 'add', terms, constants: {}, result };
  }

  #files({ terms: [first, second], bias }: RowExplanation, parameters: Parameters, index: number): Record<string, string> {
    const { configuration: { d_model }, origin: { parameters: { positions }, sources: { names, turned, sums } } } = this;
    const files: Record<string, string> = {};
    const [places, kinds] = (positions && sums.get(positions)?.(0)) ?? [];
    const all: Parameters = { ...parameters, position: places?.tensor ?? positions, segment: kinds?.tensor };
    for (const operand of [first?.left, first?.right, second?.left, bias]) {
      const own = operand && all[operand.array];
      if (!operand || !own) continue;
      const [tensor, place] = 'weight' in own
        ? [own.weight, own.layout === 'out_in' && !turned.has(own.weight) ? `${index}, :` : `:, ${index}`]
        : [own, own.shape.length === 2 ? `${Math.floor(operand.index / d_model)}, ${index}` : index];
      const name = names.get(tensor) ?? (tensor === places?.tensor && positions ? names.get(positions) : undefined);
      if (name === undefined) continue;
      const isScaled = 'type' in tensor && tensor.type === 'i8';
      files[operand.array] = `${name}[${place}]${isScaled ? ` × ${scaleOf(name)}[${String(place).split(',')[0]}]` : ''}`;
    }
    return files;
  }

  #inLayer(layer: number, position: number, stage: string, index: number): RowExplanation {
    const { layers, d_model } = this.configuration;
    const T = this.run.tokens.length;
    const { contexts } = this.#keep();
    const width = contexts.length / layers / T;
    const row = this.run.residual(layer - 1).slice(position * d_model, (position + 1) * d_model);
    const first = (layer * T + position) * width;
    return this.#with([this.#operators.tensor([d_model], row), this.#operators.tensor([width], contexts.slice(first, first + width))], ([x, taken]) => this.#decoder.explain(layer, x, taken, stage, index));
  }

  #weigh(): readonly Float32Array[] {
    const { configuration: { layers, heads }, run: { tokens: { length: T } } } = this;
    const { values } = this.#keep();
    const count = values.length / layers;
    return this.#with([this.#operators.tensor([count]), this.#operators.tensor([heads, T, T])], ([value, weighted]) => this.#eachLayer((weights, layer) => {
      this.#decoder.weighValues(layer, weights, value.write(values.subarray(layer * count, (layer + 1) * count)), weighted);
      return weighted.read();
    }));
  }

  #keep(): Kept {
    return (this.#kept ??= this.keep());
  }

  #rollOut(): readonly Together[] {
    const T = this.run.tokens.length;
    const square = () => this.#operators.tensor([T, T]);
    return this.#with([square(), square(), square()], ([mean, below, out]) => this.#eachLayer((weights, layer) => {
      this.#operators.statistics.rollOut(weights, layer === 0 ? null : below, mean, out);
      const rollout = out.read();
      below.write(rollout);
      return { mean: mean.read(), rollout };
    }));
  }

  #eachLayer<Found>(find: (weights: Tensor, layer: number) => Found): Found[] {
    const { configuration: { layers, heads }, run } = this;
    const T = run.tokens.length;
    return this.#with([this.#operators.tensor([heads, T, T])], ([weights]) => Array.from({ length: layers }, (_, layer) => find(weights.write(run.layerWeights(layer)), layer)));
  }

  /** Frees them afterwards, whatever comes of it. */
  #with<Tensors extends readonly Tensor[], Found>(tensors: readonly [...Tensors], use: (tensors: readonly [...Tensors]) => Found): Found {
    try {
      return use(tensors);
    } finally {
      for (const each of tensors) each.free();
    }
  }
}

/** The parts of what is added to a token's own numbers. */
const PARTS = ['position', 'segment'];

/** By the names that explanations have. */
type Parameters = Readonly<Record<string, Weight | Linear | null | undefined>>;

function ofBlock({ norm1, norm2, attention: { outProj }, gate, up, down }: DecoderBlock): Parameters {
  return {
    gain_1: norm1.gain, bias_1: norm1.bias, gain_2: norm2?.gain, bias_2: norm2?.bias, W_O: outProj, b_O: outProj?.bias,
    W_gate: gate, b_gate: gate?.bias, W_up: up, b_up: up?.bias, W_down: down, b_down: down?.bias,
  };
}

function ofEnds({ embeddings, positions, embeddingsNorm, transform, finalNorm, output }: DecoderParameters): Parameters {
  return {
    E: embeddings, P: positions, gain_E: embeddingsNorm?.gain, bias_E: embeddingsNorm?.bias, W_T: transform, b_T: transform?.bias,
    gain_F: finalNorm?.gain, bias_F: finalNorm?.bias, W_U: output ?? { weight: embeddings, layout: 'out_in' }, b_U: output?.bias,
  };
}

/** Terms of a long softmax that are kept: the largest, and its own. */
const MOST_TERMS = 8;

function shortened(found: RowExplanation): RowExplanation {
  const { terms, constants } = found;
  const most = [...terms].sort((a, b) => b.product - a.product).slice(0, MOST_TERMS);
  const own = terms[constants.self ?? -1];
  return { ...found, terms: own && !most.includes(own) ? [...most, own] : most, constants: { ...constants, words: terms.length } };
}

/** [T, T] of a head, where its layer has them side by side. */
export function ofHead(layers: readonly Float32Array[], layer: number, head: number, T: number): Float32Array {
  return (layers[layer] as Float32Array).subarray(head * T * T, (head + 1) * T * T);
}
