// A trained decoder: what its file says, its tokenizer and what is known of its heads; and its numbers, in the memory of
// operators that it owns: nothing else sees a tensor or a handle.
import { msg, str } from '@lit/localize';
import type { Soon } from '../../lib/answers.ts';
import type { Request, Settings, Stages } from '../../engine/engine.ts';
import { AttentionError } from '../../engine/error.ts';
import { type Decoder, type DecoderParameters, type Intervention, type Operators, type Tensor, loadOperators } from '../../engine/operators/operators.ts';
import { type Configuration, type HeadEvidence, keyHeads, mostTokens, requireRoom, valueWidth } from './configuration.ts';
import { type LayerChanges, interventionOf, isChanged, readsOn } from './edits.ts';
import { type AnyMeasures, HeadMeasures, type Kept } from './head-measures.ts';
import { type WalkedLayer, layerParameters, traceable, walkedLayer } from './layer-request.ts';
import type { Traceable } from '../../engine/training/types.ts';
import { type Beside, type Layout, type Loaded, type Progress, type Sources, load } from './load.ts';
import { native } from './native-layout.ts';
import { type AnyRun, type KeptStage, ModelRun, type ReadOut, type ReadRows, joined } from './run.ts';
import { Safetensors } from './safetensors.ts';
import type { ModelToken, Tokenizer, VocabularyWord } from './tokens.ts';

export { AttentionError };
export { fetchModel, shippedModel } from './fetch.ts';
export type { ShippedFile } from './fetch.ts';
export type { LayerChanges } from './edits.ts';
export type { Configuration, HeadEvidence } from './configuration.ts';
export type { AnyMeasures, Attribution, Followed, HeadFacts, HeadMeasures, Together } from './head-measures.ts';
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
  if (!stored) {
    const { OTHER_LAYOUTS, unknownLayout } = await import('./other-layouts.ts');
    for (layout of OTHER_LAYOUTS) if ((stored = layout.reads(written))) break;
    if (!stored) throw unknownLayout(beside, written.names);
  }
  const configuration = layout.configuration(stored, beside);
  requireRoom(stored.bytes(layout.isParameter), configuration);
  check(configuration);
  return { stored, layout, configuration, parameters: stored.numbers(layout.isParameter) };
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

  /** The token that ends the first of two sentences, where the model tells them apart. */
  get separator(): number | undefined {
    return this.configuration.segments ? this.cutter.separator : undefined;
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
  /** That divide what it computes among them. */
  readonly threads: number;
  /** Tensors of its file that it does not need, as the file names them. */
  readonly unread: readonly string[];
  /** @param dropped of a run that is wanted no longer */
  run(tokens: readonly number[], changes?: readonly (LayerChanges | undefined)[], dropped?: AbortSignal): Soon<AnyRun>;
  walk(run: AnyRun, layer: number): Soon<WalkedLayer>;
  /** What the page's own layer makes of a layer that was walked, where the page need not compute it. */
  attend(run: AnyRun, layer: number, asked: Attended): Soon<Stages | null>;
  measure(run: AnyRun): AnyMeasures;
  /** For what goes backwards through it; null, or left out, where that cannot be done. */
  readonly traceable?: Traceable | null;
  free(): void;
}

/** Tokens that the decoder holds, what they were changed by, and what was kept of them. */
interface Held { readonly tokens: readonly number[]; readonly changes: Changes; readonly parts: readonly ReadRows[] }
type Changes = readonly (LayerChanges | undefined)[];
const nothing = (changes: Changes = []): Held => ({ tokens: [], changes: [...changes], parts: [] });

/** A text with the same beginning as the one held is read on from there. A run of another text takes the decoder over. */
interface Track { readonly decoder: Decoder; held: Held }

export class LanguageModel extends ModelWords implements AnyModel {
  readonly isAway = false;
  readonly unread: readonly string[];
  readonly #operators: Operators;
  readonly #parameters: DecoderParameters;
  readonly #sources: Sources;
  /** What is written is read as it was trained, too, where it is read with changes: neither is in the way of the other. */
  readonly #trained: Track;
  #changed: Track | null = null;
  readonly #free: () => void;
  /** The layer that was walked last: the next text walks it, too. */
  #walked: { layer: number; parameters: WalkedLayer } | null = null;

  /** What each run was changed by: it is run again for what it did not keep. */
  readonly #changes = new WeakMap<ModelRun, Changes>();

  private constructor(operators: Operators, { parameters, sources, unread, free }: Loaded, { configuration, heads, cutter }: ModelWords) {
    super(configuration, heads, cutter);
    this.#operators = operators;
    this.#parameters = parameters;
    this.#sources = sources;
    this.unread = unread;
    this.#free = free;
    this.#trained = this.#track();
  }

  #track(): Track {
    return { decoder: this.#operators.decoder(this.#parameters, this.mostTokens), held: nothing() };
  }

  #trackOf(changes: Changes): Track {
    if (!changes.some((each) => each && isChanged(each))) return this.#trained;
    try {
      return (this.#changed ??= this.#track());
    } catch {
      return this.#trained; // no memory for another one
    }
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
  run(tokens: readonly number[], changes: Changes = []): ModelRun {
    return this.#runOf(tokens, changes, this.#readAtOnce(tokens, changes));
  }

  #readAtOnce(tokens: readonly number[], changes: Changes): readonly ReadRows[] {
    const reading = this.#read(tokens, changes, this.configuration.layers);
    for (;;) {
      const { done, value } = reading.next();
      if (done) return value;
    }
  }

  /** The same, a layer at a time. @param pause between two of them; what it throws ends the run */
  async runSlowly(tokens: readonly number[], changes: Changes, pause: () => Promise<void>): Promise<ModelRun> {
    const reading = this.#read(tokens, changes, 1);
    try {
      for (;;) {
        const { done, value } = reading.next();
        if (done) return this.#runOf(tokens, changes, value);
        await pause();
      }
    } finally {
      reading.return(undefined as never);
    }
  }

  /** Only the tokens that are not held. */
  *#read(tokens: readonly number[], changes: Changes, atOnce: number, track = this.#trackOf(changes), from = this.#shared(track.held, tokens, changes)): Generator<void, readonly ReadRows[]> {
    const { layers } = this.configuration;
    const [T, after] = [tokens.length, from.tokens.length];
    this.#check(T, changes);
    track.held = from;
    if (after === T) return from.parts;
    const kept: { free(): void }[] = [];
    try {
      const stages = this.#stages(T - after, T, kept);
      const interventions = this.#interventions(changes, after, T, kept);
      for (let first = 0; first < layers; first += atOnce) {
        if (first > 0) yield;
        if (track.held !== from && after > 0) return yield* this.#read(tokens, changes, atOnce, track, nothing(changes));
        if (track.held !== from) track.held = nothing();
        track.decoder.explore(tokens.slice(after), stages, interventions, { first, last: Math.min(first + atOnce, layers), after, places: this.#places(tokens) });
      }
      const read = eachStage((stage) => stages[stage].read());
      const parts = [...from.parts, { rows: T - after, ...read }];
      if (track.held === from) track.held = { tokens: [...tokens], changes: from.changes, parts };
      return parts;
    } finally {
      kept.forEach((each) => each.free());
    }
  }

  /** Rows of the positions where there is a second sentence: its own are behind those of the first. Such a model reads a text whole. */
  #places(tokens: readonly number[]): number[] | null {
    const end = this.separator === undefined ? -1 : tokens.indexOf(this.separator);
    return end < 0 || end === tokens.length - 1 ? null : tokens.map((_, t) => (t > end ? this.configuration.context + t : t));
  }

  /** What is held, as far as a text begins with it and these rows come out the same. */
  #shared({ tokens: before, changes: changed, parts }: Held, tokens: readonly number[], changes: Changes): Held {
    const { causal = true, layers } = this.configuration;
    let rows = 0;
    while (rows < tokens.length && tokens[rows] === before[rows]) rows += 1;
    const isWhole = rows === before.length;
    const isRight = rows > 0 && (causal || (isWhole && rows === tokens.length));
    if (!isRight || !Array.from({ length: layers }, (_, layer) => readsOn(changed[layer], changes[layer], rows)).every(Boolean)) return nothing(changes);
    return { tokens: tokens.slice(0, rows), changes: [...changes], parts: isWhole ? parts : [{ rows, ...eachStage((stage) => this.#joined(parts, stage, rows)) }] };
  }

  #stages(rows: number, keys: number, kept: { free(): void }[]): Record<KeptStage, Tensor> {
    const { configuration, configuration: { layers, heads, d_model } } = this;
    const shapes = { embeddings: [rows, d_model], residuals: [layers, rows, d_model], weights: [layers, heads, rows, keys], values: [layers, rows, keyHeads(configuration) * valueWidth(configuration)], contexts: [layers, rows, heads * valueWidth(configuration)] };
    return eachStage((stage) => {
      const tensor = this.#operators.tensor(shapes[stage]);
      kept.push(tensor);
      return tensor;
    });
  }

  #joined(parts: readonly ReadRows[], stage: KeptStage, T: number): Float32Array {
    const { layers, heads } = this.configuration;
    return joined(parts, stage, stage === 'embeddings' ? 1 : stage === 'weights' ? layers * heads : layers, T);
  }

  #runOf(tokens: readonly number[], changes: Changes, parts: readonly ReadRows[]): ModelRun {
    const { layers, heads, d_model } = this.configuration;
    const of = (stage: KeptStage) => this.#joined(parts, stage, tokens.length);
    const run = new ModelRun({ tokens: [...tokens], layers, heads, d_model, embeddings: of('embeddings'), residuals: of('residuals'), weights: of('weights') }, this.#readOut());
    this.#changes.set(run, [...changes]);
    return run;
  }

  /** One layer of a run, as the page's own layer takes it: its parameters and the rows that it read. */
  walk(run: ModelRun, layer: number): WalkedLayer {
    const block = this.#parameters.blocks[layer];
    if (!block) throw new AttentionError('index_out_of_range', `There is no layer ${layer}: they are 0 to ${this.configuration.layers - 1}. Choose one of these.`);
    if (this.#walked?.layer !== layer) this.#walked = { layer, parameters: layerParameters(this.configuration, block) };
    return walkedLayer(this.#operators, this.configuration, block, this.#walked.parameters, run.residual(layer - 1));
  }

  get threads(): number {
    return this.#operators.threads;
  }

  get traceable(): Traceable | null {
    return traceable(this.configuration, this.#parameters);
  }

  /** The page computes it. */
  attend(): null {
    return null;
  }

  /** What its heads do on the text of a run. */
  measure(run: ModelRun): HeadMeasures {
    return new HeadMeasures(this.#operators, this.#trained.decoder, run, this.configuration, () => this.#kept(run, this.#changes.get(run) ?? []), { parameters: this.#parameters, sources: this.#sources, places: this.#places(run.tokens) });
  }

  #kept({ tokens }: ModelRun, changes: Changes): Kept {
    const parts = this.#readAtOnce(tokens, changes);
    return { values: this.#joined(parts, 'values', tokens.length), contexts: this.#joined(parts, 'contexts', tokens.length) };
  }

  /** Its memory goes with it; runs keep what they hold. */
  free(): void {
    this.#trained.decoder.free();
    this.#changed?.decoder.free();
    this.#free();
  }

  /** One a layer; none where nothing is changed. */
  #interventions(changes: Changes, after: number, T: number, kept: { free(): void }[]): (Intervention | undefined)[] {
    const { layers, causal = true, scaled = true } = this.configuration;
    // What a model was trained with, where that is not what attention does of itself.
    const own: LayerChanges = scaled ? {} : { scale: 1 };
    if (!isChanged(own) && !changes.some((each) => each && isChanged(each))) return [];
    const of = (each?: LayerChanges) => {
      const all = { ...each, scale: each?.scale ?? own.scale };
      return isChanged(all) ? interventionOf(all, { after, T, isCausal: causal }, this.#operators, kept) : undefined;
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

const eachStage = <Made>(make: (stage: KeptStage) => Made): Record<KeptStage, Made> => (
  { embeddings: make('embeddings'), residuals: make('residuals'), weights: make('weights'), values: make('values'), contexts: make('contexts') });
