// A whole decoder in the operators' memory.
import type { Block as BlockHandle, Decoder as DecoderHandle, Interventions as InterventionsHandle, MainModule } from '../../../../build/wasm/bindings/attention_operators.mjs';
import { type AttendOptions, wanted } from './attend-options.ts';
import { type Linear, type MultiHeadParameters, linearArguments } from './parameters.ts';
import { throwIfError } from './sentences.ts';
import { type Tensor, floats } from './tensors.ts';

/** LayerNorm of rows of gain's width. */
export interface Norm {
  gain: Tensor;
  bias?: Tensor;
  /** 1e-5 when left out. */
  epsilon?: number;
}

/** x += attention(norm1(x)); x += down(gelu(up(norm2(x)))) */
export interface DecoderBlock {
  norm1: Norm;
  attention: MultiHeadParameters;
  norm2: Norm;
  up: Linear;
  down: Linear;
  /** GPT-2's approximation by tanh when left out. */
  gelu?: 'tanh' | 'erf';
  /** ALiBi: one for each head, as in AttendOptions. */
  alibiSlopes?: ArrayLike<number>;
  /** (positions, D): added to norm1 of each token where queries and keys are made, not where values are. */
  queryKeyPositions?: Tensor;
}

export interface DecoderParameters {
  /** (vocabulary, D) */
  embeddings: Tensor;
  /** (context, D), added to the embeddings. */
  positions?: Tensor;
  blocks: readonly DecoderBlock[];
  finalNorm?: Norm;
  /** From D to the vocabulary; the embeddings, transposed, when left out. */
  output?: Linear;
}

/** What one block's attention does otherwise, to see what it was for. */
export interface Intervention {
  /** In place of causal attention; places count from the text's first token. */
  attention?: AttendOptions | undefined;
  /** One for each head, times its context: 0 takes the head away. */
  headGains?: ArrayLike<number> | undefined;
  /** Weights (T, T) by hand, in place of a head's own; used as they are. */
  patches?: readonly { head: number; weights: Tensor }[] | undefined;
}

/** Where to keep what lies between; left out = not kept. */
export interface DecoderStages {
  /** (T, D), with positions where they are added. */
  embeddings?: Tensor;
  /** (blocks, T, D): the rows after each block. */
  residuals?: Tensor;
  /** (blocks, heads, T, T) */
  weights?: Tensor;
}

const normArguments = ({ gain, bias, epsilon = 1e-5 }: Norm) => [floats(gain), bias ? floats(bias) : null, epsilon] as const;

/** Reads a text, at once or token by token, with a cache of its own. It keeps its parameters' memory even after their free(). */
export class Decoder {
  readonly #module: MainModule;
  readonly #handle: DecoderHandle;

  constructor(module: MainModule, parameters: DecoderParameters, capacity: number, setAttention: (block: BlockHandle, attention: MultiHeadParameters) => void) {
    this.#module = module;
    this.#handle = new module.Decoder();
    try {
      this.#set(module, parameters, setAttention);
      throwIfError(this.#handle.reserve(capacity));
    } catch (error) {
      this.#handle.delete();
      throw error;
    }
  }

  #set(module: MainModule, { embeddings, positions, blocks, finalNorm, output }: DecoderParameters, setAttention: (block: BlockHandle, attention: MultiHeadParameters) => void): void {
    throwIfError(this.#handle.setEmbeddings(floats(embeddings)));
    if (positions) this.#handle.setPositions(floats(positions));
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
    if (finalNorm) throwIfError(this.#handle.setFinalNorm(...normArguments(finalNorm)));
    if (output) {
      const [weight, bias, isOutIn] = linearArguments(output);
      throwIfError(this.#handle.setOutput(weight, bias, isOutIn));
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
  run(tokens: ArrayLike<number>, logits: Tensor, weights?: Tensor): void {
    throwIfError(this.#handle.run(tokens, floats(logits), weights ? floats(weights) : null));
  }

  /**
   * Reads a whole text of T tokens for what lies between, with some blocks changed: interventions are one a
   * block, or none. Nothing is read before it, and nothing of it is kept.
   */
  explore(tokens: ArrayLike<number>, { embeddings, residuals, weights }: DecoderStages, interventions: readonly (Intervention | undefined)[] = []): void {
    const changes = interventions.length ? new this.#module.Interventions(interventions.length) : null;
    try {
      if (changes) interventions.forEach((each, block) => each && change(changes, block, each));
      const kept = (tensor?: Tensor) => (tensor ? floats(tensor) : null);
      throwIfError(this.#handle.explore(tokens, changes, kept(embeddings), kept(residuals), kept(weights)));
    } finally {
      changes?.delete();
    }
  }

  /** Forgets the tokens from `length` on. */
  truncate(length: number): void {
    this.#handle.truncate(length);
  }

  free(): void {
    this.#handle.delete();
  }
}

function change(changes: InterventionsHandle, block: number, { attention, headGains, patches = [] }: Intervention): void {
  if (attention) throwIfError(changes.setOptions(block, wanted(attention)));
  if (headGains) throwIfError(changes.setGains(block, headGains));
  for (const { head, weights } of patches) throwIfError(changes.addPatch(block, head, floats(weights)));
}

function setRest(block: BlockHandle, { norm1, norm2, up, down, gelu = 'tanh', alibiSlopes, queryKeyPositions }: DecoderBlock): void {
  throwIfError(block.setNorm('norm_1', ...normArguments(norm1)));
  throwIfError(block.setNorm('norm_2', ...normArguments(norm2)));
  throwIfError(block.setLinear('up', ...linearArguments(up)));
  throwIfError(block.setLinear('down', ...linearArguments(down)));
  block.setErf(gelu === 'erf');
  if (alibiSlopes) block.setSlopes(alibiSlopes);
  if (queryKeyPositions) block.setQueryKeyPositions(floats(queryKeyPositions));
}
