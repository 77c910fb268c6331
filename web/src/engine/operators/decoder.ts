// A whole decoder in the operators' memory.
import type { Block as BlockHandle, Decoder as DecoderHandle, Interventions as InterventionsHandle, MainModule } from '../../../../build/wasm/bindings/attention_operators.mjs';
import type { Broken } from '../error.ts';
import { type AttendOptions, type Linear, type MultiHeadParameters, linearArguments, wanted } from './arguments.ts';
import { Held, type Numbers, choice, fields, givenList, list, number } from './given.ts';
import { run } from './sentences.ts';
import { type Tensor, type Weight, floats, weightHandle } from './tensors.ts';

/** LayerNorm of rows of gain's width, or RMSNorm, which takes no mean off. */
export interface Norm {
  gain: Tensor;
  bias?: Tensor | null;
  /** 1e-5 when left out. */
  epsilon?: number | null;
  kind?: 'layer' | 'rms' | null;
}

/**
 * x += attention(norm1(x)); x += mlp(norm2(x)), where mlp(y) is down(gelu(up(y))), or with a gate down(silu(gate(y)) · up(y)).
 * Post-norm, as BERT: x = norm1(x + attention(x)); x = norm2(x + mlp(x)).
 */
export interface DecoderBlock {
  norm1: Norm;
  attention: MultiHeadParameters;
  /** Left out with up and down: a block without an MLP. */
  norm2?: Norm | null;
  up?: Linear | null;
  down?: Linear | null;
  gate?: Linear | null;
  /** The MLP reads the same x as attention. Not with isPostNorm. */
  isParallel?: boolean | null;
  isPostNorm?: boolean | null;
  /** True when left out. False: every token sees all tokens, and a whole text is read in one call. */
  isCausal?: boolean | null;
  /** GPT-2's approximation by tanh when left out. */
  gelu?: 'tanh' | 'erf' | null;
  /** ALiBi: one for each head, as in AttendOptions. */
  alibiSlopes?: Numbers | null;
  /** (positions, D): added to norm1 of each token where queries and keys are made, not where values are. */
  queryKeyPositions?: Tensor | null;
}

export interface DecoderParameters {
  /** (vocabulary, D) */
  embeddings: Weight;
  /** (context, D), added to the embeddings. */
  positions?: Tensor | null;
  /** Of embeddings and positions. */
  embeddingsNorm?: Norm | null;
  blocks: readonly DecoderBlock[];
  /** From D to D: rows become gelu(transform(row)) before the final norm, as in BERT's head. */
  transform?: (Linear & { gelu?: 'tanh' | 'erf' | null }) | null;
  finalNorm?: Norm | null;
  /** From D to the vocabulary; the embeddings, transposed, when left out. */
  output?: Linear | null;
}

/** Changes to one block's attention, which show what it contributes. */
export interface Intervention {
  /** Replaces the block's own attention; positions count from the text's first token. */
  attention?: AttendOptions | null | undefined;
  /** One for each head, times its context: 0 takes the head away. */
  headGains?: Numbers | null | undefined;
  /** Weights (T, keys) by hand, in place of a head's own; used as they are. */
  patches?: readonly { head: number; weights: Tensor }[] | null | undefined;
}

/** Where to keep the intermediate results of T tokens; left out = not kept. */
export interface DecoderStages {
  /** (T, D), with positions where they are added. */
  embeddings?: Tensor | null;
  /** (blocks, T, D): the rows after each block. */
  residuals?: Tensor | null;
  /** (blocks, heads, T, keys), of the T tokens or of all that are read then. */
  weights?: Tensor | null;
  /** (blocks, T, all key heads' values side by side) */
  values?: Tensor | null;
  /** (blocks, T, all heads' contexts side by side): what the output projection reads. */
  contexts?: Tensor | null;
}

/** What explore() reads; by default all blocks and a whole text. */
export interface ExploredPart {
  /** Only blocks from `first` to before `last`: in parts one after another, with the same residuals, it comes to the same bits. */
  first?: number | null;
  last?: number | null;
  /**
   * Tokens, of those read before, that the new ones are read on from; the new ones are held then, too, once the last block has read
   * them. Left out: nothing is read before, and nothing is held.
   */
  after?: number | null;
  /** Rows of `positions` that are added, one a token, where they are not one after another. */
  places?: Numbers | null;
}

/** What stages keep of one row. */
export interface RowStages {
  /** (1, D) */
  embeddings: Tensor;
  /** (blocks, 1, D) */
  residuals: Tensor;
  /** (blocks, 1, all heads' contexts) */
  contexts: Tensor;
}

/** Number `index` of a stage or of a parameter; matrices are indexed as (in, out). */
export interface RowOperand { array: string; index: number; value: number }
export interface RowTerm { left: RowOperand; right?: RowOperand; product: number; partialSum: number }

/** How a number of a row's way through a block, or before and behind them all, came about; block.h and decoder.h say which stages there are, explanation.h what each rule computes. */
export interface RowExplanation {
  rule: 'given' | 'copy' | 'add' | 'dot' | 'softmax' | 'layer-norm' | 'rms-norm' | 'silu' | 'gelu' | 'multiply';
  terms: readonly RowTerm[];
  bias?: RowOperand;
  constants: Readonly<Record<string, number>>;
  result: number;
}

/** As bindings/decoder.cpp has it. */
interface FlatExplanation { error: Broken | null; rule: string; arrays: readonly string[]; places: Int32Array; numbers: Float32Array; constants: Record<string, number>; result: number }

function unpacked({ rule, arrays, places, numbers, constants, result }: FlatExplanation): RowExplanation {
  const operand = (at: number, value = NaN): RowOperand | null => {
    const array = arrays[places[2 * at] ?? -1];
    return array === undefined ? null : { array, index: places[2 * at + 1] ?? 0, value };
  };
  const count = (numbers.length - 1) / 4;
  const term = (_: unknown, i: number): RowTerm => {
    const right = operand(2 * i + 1, numbers[4 * i + 1]);
    return { left: operand(2 * i, numbers[4 * i]) as RowOperand, ...(right && { right }), product: numbers[4 * i + 2] ?? NaN, partialSum: numbers[4 * i + 3] ?? NaN };
  };
  const bias = operand(2 * count, numbers[4 * count]);
  return { rule: rule as RowExplanation['rule'], terms: Array.from({ length: count }, term), ...(bias && { bias }), constants, result };
}

export function normArguments(norm: Norm) {
  const { gain, bias, epsilon, kind } = fields(norm, 'A norm');
  return [floats(gain, 'gain'), floats(bias ?? null, 'bias'), number(epsilon, 'epsilon', 1e-5), choice(kind, 'kind', ['layer', 'rms']) === 'rms'] as const;
}

/** Reads a text, at once or token by token, with a cache of its own. It keeps its parameters' memory even after their free(). */
export class Decoder {
  readonly #module: MainModule;
  readonly #held: Held<DecoderHandle>;
  #blocks = 0;

  constructor(module: MainModule, parameters: DecoderParameters, capacity: number, setAttention: (block: BlockHandle, attention: MultiHeadParameters) => void) {
    this.#module = module;
    this.#held = new Held(new module.Decoder(), 'This decoder');
    try {
      this.#set(module, fields(parameters, 'The parameters'), setAttention);
      run(() => this.#handle.reserve(number(capacity, 'capacity')));
    } catch (error) {
      this.free();
      throw error;
    }
  }

  get #handle(): DecoderHandle {
    return this.#held.handle;
  }

  #set(module: MainModule, { embeddings, positions, embeddingsNorm, blocks, transform, finalNorm, output }: DecoderParameters, setAttention: (block: BlockHandle, attention: MultiHeadParameters) => void): void {
    run(() => this.#handle.setEmbeddings(weightHandle(embeddings, 'embeddings')));
    if (positions) this.#handle.setPositions(floats(positions, 'positions'));
    this.#blocks = blocks.length;
    for (const each of blocks) {
      const block = new module.Block();
      try {
        setAttention(block, each.attention);
        setRest(block, each);
        this.#handle.addBlock(block);
      } finally {
        block.delete(); // the decoder holds it
      }
    }
    if (embeddingsNorm) run(() => this.#handle.setEmbeddingsNorm(...normArguments(embeddingsNorm)));
    if (transform) {
      const [weight, bias, isOutIn] = linearArguments(transform);
      run(() => this.#handle.setTransform(weight, bias, isOutIn, choice(transform.gelu, 'gelu', ['erf', 'tanh']) === 'erf'));
    }
    if (finalNorm) run(() => this.#handle.setFinalNorm(...normArguments(finalNorm)));
    if (output) {
      const [weight, bias, isOutIn] = linearArguments(output);
      run(() => this.#handle.setOutput(weight, bias, isOutIn));
    }
  }

  /** Tokens read. */
  get length(): number {
    return this.#handle.length();
  }

  /**
   * Reads tokens after those read before. logits (tokens, vocabulary), or (vocabulary): of the last token
   * alone. weights, when given, are kept of all blocks and heads: (blocks, heads, tokens, tokens read in all).
   */
  run(tokens: Numbers, logits: Tensor, weights?: Tensor | null): void {
    run(() => this.#handle.run(givenList(tokens, 'tokens'), floats(logits, 'logits'), floats(weights ?? null, 'weights')));
  }

  /**
   * Reads T tokens and keeps intermediate results; `interventions`, one for each block or none, change blocks. Continued with the same
   * changes, where all are causal, rows have the bits of a text that is read whole.
   */
  explore(tokens: Numbers, { embeddings, residuals, weights, values, contexts }: DecoderStages, interventions: readonly (Intervention | undefined)[] = [], part?: ExploredPart | null): void {
    const { first, last, after, places } = part ?? {};
    const changes = interventions.length ? new this.#module.Interventions(interventions.length) : null;
    try {
      if (changes) interventions.forEach((each, block) => each && change(changes, block, each));
      const kept = (tensor?: Tensor | null) => floats(tensor ?? null, 'A stage');
      run(() => this.#handle.explore(givenList(tokens, 'tokens'), changes, kept(embeddings), kept(residuals), kept(weights), kept(values), kept(contexts), number(first, 'first', 0), number(last, 'last', this.#blocks), number(after, 'after', 0), givenList(places ?? [], 'places')));
    } finally {
      if (after === undefined || after === null) this.truncate(0);
      changes?.delete();
    }
  }

  /**
   * Value-weighted attention of one block (Kobayashi et al. 2020): weighted (heads, T, T) = weights · ‖v·W_O‖ of each key,
   * each row over its sum. `values` are explore()'s of that block.
   */
  weighValues(block: number, weights: Tensor, values: Tensor, weighted: Tensor): void {
    run(() => this.#handle.weighValues(number(block, 'block'), floats(weights), floats(values), floats(weighted)));
  }

  /** As many numbers as one logit is a sum of, and their sum; 0 after a transform and after norms that come last. */
  get partCount(): number {
    return this.#handle.partCount();
  }

  /**
   * Direct logit attribution (Elhage et al. 2021): what was written to a row, in parts of the logit of `token` after it, with
   * the final norm held at this row's own scale. parts (partCount): of each block its heads, the bias of its output and its
   * MLP; then the biases of final norm and output; then sums: the embedding, all heads, all MLPs, all biases, and the logit.
   */
  logitParts({ embeddings, residuals, contexts }: RowStages, token: number, parts: Tensor): void {
    run(() => this.#handle.logitParts(floats(embeddings), floats(residuals), floats(contexts), number(token, 'token'), floats(parts)));
  }

  /**
   * One number of a row on its way through a block, written out to the bits of explore(): x (D) is the row before the block, contexts
   * those of the block that explore() kept of it.
   */
  explain(block: number, x: Tensor, contexts: Tensor, stage: string, index: number): RowExplanation {
    let flat!: FlatExplanation;
    run(() => (flat = this.#handle.explain(number(block, 'block'), floats(x, 'x'), floats(contexts, 'contexts'), stage, number(index, 'index')) as FlatExplanation).error);
    return unpacked(flat);
  }

  /**
   * The same before the blocks and behind them: `token` is the row's own, `place` the row of the positions that was added to it, x (D)
   * the row behind the last block. Stages are decoder.h's, from `embedding` to `chance`; a number of the last two is a token's.
   */
  explainEnds(token: number, place: number, x: Tensor, stage: string, index: number): RowExplanation {
    let flat!: FlatExplanation;
    run(() => (flat = this.#handle.explainEnds(number(token, 'token'), number(place, 'place'), floats(x, 'x'), stage, number(index, 'index')) as FlatExplanation).error);
    return unpacked(flat);
  }

  /** Forgets the tokens from `length` on. */
  truncate(length: number): void {
    this.#handle.truncate(number(length, 'length'));
  }

  free(): void {
    this.#held.free();
  }
}

function change(changes: InterventionsHandle, block: number, { attention, headGains, patches }: Intervention): void {
  if (attention) run(() => changes.setOptions(block, wanted(attention)));
  if (headGains) run(() => changes.setGains(block, list(headGains, 'headGains')));
  for (const { head, weights } of patches ?? []) run(() => changes.addPatch(block, number(head, 'head'), floats(weights, 'weights')));
}

function setRest(block: BlockHandle, { norm1, norm2, up, down, gate, isParallel, isPostNorm, isCausal, gelu, alibiSlopes, queryKeyPositions }: DecoderBlock): void {
  run(() => block.setNorm('norm_1', ...normArguments(norm1)));
  if (norm2) run(() => block.setNorm('norm_2', ...normArguments(norm2)));
  if (up) run(() => block.setLinear('up', ...linearArguments(up)));
  if (down) run(() => block.setLinear('down', ...linearArguments(down)));
  if (gate) run(() => block.setLinear('gate', ...linearArguments(gate)));
  block.setShape(isParallel === true, isPostNorm === true, isCausal !== false);
  block.setErf(choice(gelu, 'gelu', ['tanh', 'erf']) === 'erf');
  if (alibiSlopes) block.setSlopes(givenList(alibiSlopes, 'alibiSlopes'));
  if (queryKeyPositions) block.setQueryKeyPositions(floats(queryKeyPositions, 'queryKeyPositions'));
}
