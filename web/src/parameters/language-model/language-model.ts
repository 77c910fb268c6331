// A trained decoder: what its file says, its tokenizer and what is known of its heads; and its numbers, in the memory of
// operators that it owns: nothing else sees a tensor or a handle.
import { msg, str } from '@lit/localize';
import type { Soon } from '../../lib/answers.ts';
import type { Request, Settings, Stages } from '../../engine/engine.ts';
import { AttentionError } from '../../engine/error.ts';
import { type Decoder, type DecoderParameters, type Intervention, type Operators, type Tensor, loadOperators } from '../../engine/operators/operators.ts';
import { type Configuration, type HeadEvidence, checkParameters, mostTokens, parseObject } from './configuration.ts';
import { type LayerChanges, interventionOf, isChanged } from './edits.ts';
import { type AnyMeasures, HeadMeasures } from './head-measures.ts';
import { type WalkedLayer, layerParameters, walkedLayer } from './layer-request.ts';
import { type Beside, type Layout, type Progress, load } from './load.ts';
import { native } from './native-layout.ts';
import { type AnyRun, ModelRun, type ReadOut } from './run.ts';
import { Safetensors, broken, quote } from './safetensors.ts';
import type { ModelToken, Tokenizer, VocabularyWord } from './tokens.ts';

export { AttentionError };
export { fetchModel, shippedModel } from './fetch.ts';
export type { ShippedFile } from './fetch.ts';
export type { LayerChanges } from './edits.ts';
export type { Configuration, HeadEvidence } from './configuration.ts';
export type { AnyMeasures, Attribution, HeadFacts, HeadMeasures, Together } from './head-measures.ts';
export type { Beside } from './load.ts';
export type { Progress } from './load.ts';
export type { AnyRun, Draw, LayerOutlook, Manner, ModelRun, Outlook, Prediction } from './run.ts';
export type { ModelToken, Tokenizer, VocabularyWord } from './tokens.ts';
export { OF_ROWS, withoutHeads } from './layer-request.ts';
export type { WalkedLayer } from './layer-request.ts';

export interface OpenOptions {
  progress?: Progress | undefined;
  /** Throws where its sizes cannot be used; nothing is loaded then. */
  check?: ((configuration: Configuration) => void) | undefined;
  /** Where else the operators come from (Node). */
  operators?: (() => Promise<Operators>) | undefined;
}

/** By its own name, where config.json says it. */
function unknownLayout({ config }: Beside): AttentionError {
  const kinds = 'GPT-2, GPT-Neo, Llama, GPT-NeoX, BERT';
  const { model_type: type } = config === undefined ? {} : parseObject(config, 'config.json');
  return broken(typeof type === 'string'
    ? msg(str`config.json calls this a model of the type ${quote(type)}, and its tensors have names that no model that can be run has. Models of these kinds can: ${kinds}. Choose one of them.`)
    : msg(str`The file’s tensors are named neither as this page’s models nor as those of these kinds: ${kinds}. Choose such a model.`));
}

/** What is known of a model before its numbers are read. */
interface Known {
  readonly stored: Safetensors;
  readonly layout: Layout;
  /** Its sizes, and how many numbers it has. */
  readonly configuration: Configuration;
  readonly parameters: number;
}

export type ModelFile = Blob | Uint8Array | readonly Blob[];

/**
 * @param file safetensors, of this page's layout or one of OTHER_LAYOUTS; or its parts
 * @param beside what lies beside it: config.json, tokenizer.json or vocab.json and merges.txt, what names special tokens
 * @throws AttentionError with a sentence
 */
export async function know(file: ModelFile, beside: Beside, check: (configuration: Configuration) => void = () => {}): Promise<Known> {
  const written = await Safetensors.open(file);
  let [stored, layout]: [Safetensors | null, Layout | undefined] = [native.reads(written), native];
  // What the page's own model does not need comes with the first file that does.
  if (!stored) for (layout of (await import('./other-layouts.ts')).OTHER_LAYOUTS) if ((stored = layout.reads(written))) break;
  if (!stored) throw unknownLayout(beside);
  const configuration = layout.configuration(stored, beside);
  const parameters = stored.numbers(layout.isParameter);
  checkParameters(parameters, configuration);
  check(configuration);
  return { stored, layout, configuration, parameters };
}

export async function wordsOf({ stored, layout, configuration }: Known, beside: Beside): Promise<ModelWords> {
  return new ModelWords(configuration, layout.heads(stored, configuration), await layout.tokenizer(stored, configuration, beside));
}

/** What a model is, without its numbers: how it cuts a text, and what was measured of its heads. */
export class ModelWords {
  constructor(
    /** Its sizes. */
    readonly configuration: Configuration,
    /** What was measured of its heads; empty where nothing was. */
    readonly heads: readonly HeadEvidence[],
    readonly cutter: Tokenizer,
  ) {}

  /** What the reader's text is cut by; with `ids`, token numbers are typed. */
  get tokenizer(): Tokenizer['kind'] {
    return this.cutter.kind;
  }

  /** The token that stands where a word is hidden. */
  get mask(): number | undefined {
    return this.cutter.mask;
  }

  /** The text as the model reads it, of any length. @throws AttentionError where ids are typed and one is none */
  tokenize(text: string): ModelToken[] {
    return this.cutter.tokenize(text);
  }

  /** How the vocabulary writes a token. */
  word(id: number): VocabularyWord {
    return this.cutter.word(id);
  }

  /** How many tokens one run takes. */
  get mostTokens(): number {
    return mostTokens(this.configuration);
  }

  /** @throws AttentionError when these are more tokens than one run takes */
  requireFits(T: number): void {
    if (T <= this.mostTokens) return;
    throw new AttentionError('too_many_tokens', msg(str`This model reads ${this.mostTokens} tokens at once, and these are ${T}. Shorten the text.`));
  }
}

/** A layer's own attention, as the page asks for it: without what walk() gives. */
export interface Attended {
  request: Omit<Request, 'given'>;
  settings: Settings;
  silenced: readonly number[];
}

/** A model that reads texts: on the page, or in a worker, which answers later. */
export interface AnyModel extends ModelWords {
  /** Settings of the page's own layer that it was trained with. */
  readonly sizes: WalkedLayer['settings'];
  /** Whether it reads without the page's time. */
  readonly isAway: boolean;
  /** @param dropped of a run that is wanted no longer */
  run(tokens: readonly number[], changes?: readonly (LayerChanges | undefined)[], dropped?: AbortSignal): Soon<AnyRun>;
  walk(run: AnyRun, layer: number): Soon<WalkedLayer>;
  /** What the page's own layer makes of a layer that was walked, where the page need not compute it. */
  attend(run: AnyRun, layer: number, asked: Attended): Soon<Stages | null>;
  measure(run: AnyRun): AnyMeasures;
  free(): void;
}

export class LanguageModel extends ModelWords implements AnyModel {
  readonly isAway = false;
  readonly #operators: Operators;
  readonly #parameters: DecoderParameters;
  readonly #decoder: Decoder;
  readonly #free: () => void;
  /** The layer that was walked last: the next text walks it, too. */
  #walked: { layer: number; parameters: WalkedLayer } | null = null;

  /** What each run was changed by: it is run again for what it did not keep. */
  readonly #changes = new WeakMap<ModelRun, readonly (LayerChanges | undefined)[]>();

  private constructor(operators: Operators, { parameters, free }: { parameters: DecoderParameters; free(): void }, { configuration, heads, cutter }: ModelWords) {
    super(configuration, heads, cutter);
    this.#operators = operators;
    this.#parameters = parameters;
    this.#free = free;
    this.#decoder = operators.decoder(parameters, this.mostTokens);
  }

  /** @throws AttentionError with a sentence; nothing stays behind */
  static async open(file: ModelFile, beside: Beside = {}, { check, ...options }: OpenOptions = {}): Promise<LanguageModel> {
    const known = await know(file, beside, check);
    return LanguageModel.load(known, await wordsOf(known, beside), options);
  }

  /** The numbers of a model that is known. */
  static async load({ stored, layout, configuration }: Known, words: ModelWords, { progress = () => {}, operators = loadOperators }: Omit<OpenOptions, 'check'> = {}): Promise<LanguageModel> {
    const module = await operators();
    const loaded = await load(stored, layout, configuration, module, progress);
    try {
      return new LanguageModel(module, loaded, words);
    } catch (error) {
      loaded.free();
      throw error;
    }
  }

  get sizes(): WalkedLayer['settings'] {
    return this.walk(this.run([0]), 0).settings;
  }

  /**
   * Reads T tokens at once. `changes` are by layer; a layer left out, or undefined, does what it was trained for.
   * @throws AttentionError when there is no token, more than `mostTokens`, or a change that cannot be made
   */
  run(tokens: readonly number[], changes: readonly (LayerChanges | undefined)[] = []): ModelRun {
    const reading = this.#read(tokens, changes, this.configuration.layers);
    for (;;) {
      const { done, value } = reading.next();
      if (done) return value;
    }
  }

  /** The same, a layer at a time. @param pause between two of them; what it throws ends the run */
  async runSlowly(tokens: readonly number[], changes: readonly (LayerChanges | undefined)[], pause: () => Promise<void>): Promise<ModelRun> {
    const reading = this.#read(tokens, changes, 1);
    try {
      for (;;) {
        const { done, value } = reading.next();
        if (done) return value;
        await pause();
      }
    } finally {
      reading.return(undefined as never);
    }
  }

  *#read(tokens: readonly number[], changes: readonly (LayerChanges | undefined)[], atOnce: number): Generator<void, ModelRun> {
    const { layers, heads, d_model } = this.configuration;
    const T = tokens.length;
    this.#check(T, changes);
    const kept: { free(): void }[] = [];
    const tensor = (...shape: number[]) => {
      const made = this.#operators.tensor(shape);
      kept.push(made);
      return made;
    };
    try {
      const stages = { embeddings: tensor(T, d_model), residuals: tensor(layers, T, d_model), weights: tensor(layers, heads, T, T) };
      const interventions = this.#interventions(changes, T, kept);
      for (let first = 0; first < layers; first += atOnce) {
        if (first > 0) yield;
        this.#decoder.explore(tokens, stages, interventions, { first, last: Math.min(first + atOnce, layers) });
      }
      const [embeddings, residuals, weights] = [stages.embeddings.read(), stages.residuals.read(), stages.weights.read()];
      const run = new ModelRun({ tokens: [...tokens], layers, heads, d_model, embeddings, residuals, weights }, this.#readOut());
      this.#changes.set(run, [...changes]);
      return run;
    } finally {
      kept.forEach((each) => each.free());
    }
  }

  /** One layer of a run, as the page's own layer takes it: its parameters and the rows that it read. */
  walk(run: ModelRun, layer: number): WalkedLayer {
    const block = this.#parameters.blocks[layer];
    if (!block) throw new AttentionError('index_out_of_range', `There is no layer ${layer}: they are 0 to ${this.configuration.layers - 1}. Choose one of these.`);
    if (this.#walked?.layer !== layer) this.#walked = { layer, parameters: layerParameters(this.configuration, block) };
    return walkedLayer(this.#operators, this.configuration, block, this.#walked.parameters, run.residual(layer - 1));
  }

  /** The page computes it. */
  attend(): null {
    return null;
  }

  /** What its heads do on the text of a run. */
  measure(run: ModelRun): HeadMeasures {
    const changes = this.#changes.get(run) ?? [];
    return new HeadMeasures(this.#operators, this.#decoder, run, this.configuration, (kept) => this.#interventions(changes, run.tokens.length, kept));
  }

  /** Its memory goes with it; runs keep what they hold. */
  free(): void {
    this.#decoder.free();
    this.#free();
  }

  /** One a layer; none where nothing is changed. */
  #interventions(changes: readonly (LayerChanges | undefined)[], T: number, kept: { free(): void }[]): (Intervention | undefined)[] {
    const { layers, causal = true, scaled = true } = this.configuration;
    // What a model was trained with, where that is not what attention does of itself.
    const own: LayerChanges = scaled ? {} : { scale: 1 };
    if (!isChanged(own) && !changes.some((each) => each && isChanged(each))) return [];
    const of = (each?: LayerChanges) => {
      const all = { ...each, scale: each?.scale ?? own.scale };
      return isChanged(all) ? interventionOf(all, T, causal, this.#operators, kept) : undefined;
    };
    return Array.from({ length: layers }, (_, layer) => of(changes[layer]));
  }

  #check(T: number, changes: readonly unknown[]): void {
    this.requireFits(T);
    if (T === 0) throw new AttentionError('no_tokens', msg('There is no token to read. Type at least one word.'));
    if (changes.length > this.configuration.layers) {
      throw new AttentionError('invalid_option', `Changes are for ${changes.length} layers, and the model has ${this.configuration.layers}. Leave some out.`);
    }
  }

  /** By the operators that the decoder itself ends with, so to the same bits. */
  #readOut(): ReadOut {
    const { embeddings, transform, finalNorm, output: own } = this.#parameters;
    const output = own ?? { weight: embeddings, layout: 'out_in' as const };
    const { d_model, vocabulary } = this.configuration;
    const of = (numbers: Float32Array, width: number): [number, number] => [numbers.length / width, width];
    const transformed = (rows: Float32Array) => (!transform ? rows : this.#compute(of(rows, d_model), rows, of(rows, d_model), (x, y) => {
      this.#operators.linear(x, transform, y);
      this.#operators.gelu(y, y, transform.gelu ?? 'erf');
    }));
    return {
      vocabulary,
      logits: (rows) => this.#compute(of(rows, d_model), transformed(rows), [rows.length / d_model, vocabulary], (x, y) => {
        if (finalNorm) this.#operators.layerNorm(x, finalNorm, x);
        this.#operators.linear(x, output, y);
      }),
      softmax: (logits) => this.#compute(of(logits, vocabulary), logits, of(logits, vocabulary), (x, y) => this.#operators.softmax(x, y)),
      draw: (logits, { seed, ...rule }, place) => {
        let id = vocabulary;
        const shares = this.#compute(of(logits, vocabulary), logits, of(logits, vocabulary), (x, y) => {
          this.#operators.sampleShares(x, rule, y);
          id = this.#operators.drawToken(y, seed, place);
        });
        return { id, shares };
      },
      word: (id) => this.word(id),
    };
  }

  #compute(from: readonly number[], numbers: Float32Array, to: readonly number[], run: (x: Tensor, y: Tensor) => void): Float32Array {
    const x = this.#operators.tensor(from, numbers);
    try {
      const y = this.#operators.tensor(to);
      try {
        run(x, y);
        return y.read();
      } finally {
        y.free();
      }
    } finally {
      x.free();
    }
  }
}
