// Training as the page sees it: one lesson, one or more runs side by side on the same batches, all at the same step.

import type { DecoderParameters } from '../operators/operators.ts';

/** The lessons, and the runs of each, in the order in which they are shown: the core's own table, which a test compares. */
export const LESSONS = {
  look_back: ['two_layers', 'one_layer'],
  mask: ['dice_masked', 'dice_unmasked', 'characters_masked', 'characters_unmasked'],
  scale: ['width_16_divided', 'width_16_undivided', 'width_64_divided', 'width_64_undivided', 'width_256_divided', 'width_256_undivided', 'width_64_smaller'],
  heads: ['one_head', 'two_heads', 'four_heads', 'english_one_head', 'english_two_heads'],
  words: ['own_paragraph'],
  positions: ['with_positions', 'without_positions'],
  stands_for: ['seen_whole', 'seen_so_far', 'one_layer'],
} as const satisfies Record<string, readonly string[]>;

export type LessonId = keyof typeof LESSONS;

export type TaskId = 'repeat' | 'dice' | 'dictionary' | 'relations' | 'back' | 'recall' | 'sort' | 'brackets' | 'text' | 'stands_for' | 'who';
/** `added`: a learned row a position, added to the embeddings; `queries_keys`: added where queries and keys are made, and not values. */
export type TrainedPositions = 'none' | 'added' | 'queries_keys';

/** May change from one step to the next. */
export interface TrainingRule {
  isCausal: boolean;
  /** Scores are divided by √d_k. */
  scales: boolean;
  optimizer: 'adamw' | 'sgd';
  rate: number;
  /** Of matrices. */
  decay: number;
  /** The most that the gradient's norm may be; 0 = no limit. */
  clip: number;
  /** Steps over which the rate grows to what it is. */
  warmUp: number;
  /** Steps over which it falls, evenly, to a tenth; 0 = it does not. */
  fallsOver: number;
}

/** Of a pre-norm decoder; values are d_model / heads wide. */
export interface TrainingShape {
  vocabulary: number;
  /** Tokens of a text at most. */
  context: number;
  /** Answers to each token: 2 where a task asks for two. */
  slots: number;
  d_model: number;
  heads: number;
  d_k: number;
  layers: number;
  /** Of the MLP; 0 = none. */
  hidden: number;
  positions: TrainedPositions;
  /** The output matrix is the embeddings, transposed; left out: it is not. */
  tied?: boolean;
  /** Times the deviation that W_Q and W_K are drawn with. */
  queryKeyGain: number;
}

/** From this step on. */
export interface Change { at: number; rule: Partial<Pick<TrainingRule, 'isCausal' | 'scales'>> }

export interface WantedRun {
  run: string;
  /** Used instead of the lesson's seed; batches change with it. */
  seed?: number;
  rule?: Partial<TrainingRule>;
  shape?: Partial<Pick<TrainingShape, 'd_model' | 'heads' | 'd_k' | 'layers' | 'hidden' | 'positions' | 'queryKeyGain'>>;
}

export interface WantedTraining {
  lesson: LessonId;
  /** One to four of LESSONS[lesson]. */
  runs: readonly (string | WantedRun)[];
  /** The lesson's own when left out: 1, or one that was chosen for its picture. */
  seed?: number;
  /** What `words` and the runs by characters learn by heart; a tale when left out. */
  text?: string;
  /** A line that is not learnt, beside it: its words get ids, and no batch has it. */
  heldOut?: string;
}

/** Of the core's table: in every seed from 1 to `seeds`, the mean accuracy of the last 20 steps … */
export interface Promised {
  /** … passes this by step `byStep`; 0 = not promised. */
  reaches: number;
  byStep: number;
  /** … and stays at or below this; 1 = not promised. */
  neverPasses: number;
  seeds: number;
}

export interface RunDescription {
  lesson: LessonId;
  run: string;
  seed: number;
  task: TaskId;
  rule: TrainingRule;
  shape: TrainingShape;
  parameters: number;
  /** Texts of a batch, and tokens of each. */
  texts: number;
  length: number;
  /** The lesson's length; a run may go on beyond it. */
  steps: number;
  promise: Promised;
  /** How each id of the vocabulary is written. */
  words: readonly string[];
  /** What joins words to a text: a space, or nothing for characters. */
  joint: string;
  /** Of the mean loss of a model that knows nothing: ln of the symbols that may be an answer. */
  guessing: number;
  /** The relations that heads are scored by, as the task's places are: whether there is a first, and a second. */
  relations: 0 | 1 | 2;
  /** Steps between two states that are kept, of all runs alike. */
  every: number;
  /** What is learnt and what has ids besides, where the run learns a text: the same text and line make the same run. */
  learnt?: { readonly text: string; readonly heldOut: string };
}

/** Of one head in one layer, over the rows of the step's batch that have a place to look at, or are asked. */
export interface HeadScore {
  /** Mean weight on the task's first place: the previous token, the right record, one back, who did it, the noun. NaN = none. */
  first: number;
  /** On its second: the token after the earlier twin, three back, to whom. NaN = none. */
  second: number;
  /** Share of the asked rows that have more than 0.95 on one key. */
  decided: number;
  /** 1 − Σp² of the asked rows, the mean: the softmax's own derivative. */
  derivative: number;
}

/** What one step was; its map is that of the displayed text after the step. */
export interface StepRecord {
  /** Taken so far, this one counted. */
  step: number;
  /** Mean cross-entropy of the batch before the update, in nats. */
  loss: number;
  asked: number;
  right: number;
  /** Of all weights together, before clipping. */
  gradientNorm: number;
  /** layers · heads, layer after layer. */
  heads: readonly HeadScore[];
}

/** All steps of one run so far; index 0 is step 1. Views that stay valid until more steps are taken. */
export interface History {
  readonly length: number;
  readonly loss: Float64Array;
  /** right / asked. */
  readonly accuracy: Float32Array;
  /** Of the last 20 steps together: what promises and curves speak of. */
  readonly smoothAccuracy: Float32Array;
  readonly gradientNorm: Float32Array;
  /** [length]: one head's score at every step. */
  score(layer: number, head: number, of: keyof HeadScore): Float32Array;
  record(step: number): StepRecord;
  /** [layers, heads, T, T] of the displayed text after `step` steps, 255 = a weight of 1; step 0 is before the first. Null where it was not kept. */
  map(step: number): Uint8Array | null;
}

/** A text whose maps are kept: T tokens, and what each should be answered with. */
export interface DisplayedText {
  readonly tokens: Int32Array;
  /** The second token of a record, -1 = none; empty where the task has none. */
  readonly second: Int32Array;
  /** [T, slots], -1 = not asked. */
  readonly targets: Int32Array;
  /** The places that a head of the first, or the second, relation looks at; -1 = nowhere. */
  readonly firstPlaces: Int32Array;
  readonly secondPlaces: Int32Array;
}

/** Of a place of the displayed text, from 0: one word of the vocabulary a slot. */
export interface Answered { place: number; words: readonly string[] }

/** An array of parameters: a matrix, or a vector of one row. Gradients are those of the displayed text's loss. */
export interface ParameterState {
  /** embeddings, positions, block_0.norm_1.gain, block_0.query, …, final_norm.gain, output */
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  readonly weights: Float32Array;
  readonly gradients: Float32Array;
}

/** A stage of a block on the displayed text, and the gradient of the text's loss by it. */
export interface StageState {
  readonly shape: readonly number[];
  readonly values: Float32Array;
  readonly gradients: Float32Array;
}

/** T tokens, H heads; `d` is a head's width. */
export interface LayerState {
  /** [T, D]: what came into the block, and its norm. */
  readonly x: StageState;
  readonly normed: StageState;
  /** [H, T, d_k], [H, T, d_k], [H, T, d_v] */
  readonly query: StageState;
  readonly key: StageState;
  readonly value: StageState;
  /** [H, T, T]: q·k, and the same times the factor; those that the mask hides are -Infinity, their gradient 0. dS = P ∘ (dP − Σ P dP). */
  readonly products: StageState;
  readonly scores: StageState;
  /** [H, T, T] */
  readonly weights: StageState;
  /** [H, T, d_v]: weights · values. */
  readonly context: StageState;
  /** [T, D]: what the attention adds to x. */
  readonly output: StageState;
  readonly mlp?: MlpState;
}

/** Of a block with an MLP. [T, D]: x with the attention's output, the norm of it, and what the MLP adds; [T, hidden]: before GELU, and after it. */
export interface MlpState {
  readonly between: StageState;
  readonly normed: StageState;
  readonly up: StageState;
  readonly hidden: StageState;
  readonly output: StageState;
}

/** All of one run at its step, exact: forward and backward on the displayed text. */
export interface ModelState {
  readonly step: number;
  readonly hash: string;
  /** 1 / √d_k, or 1. */
  readonly factor: number;
  readonly loss: number;
  readonly text: DisplayedText;
  readonly parameters: readonly ParameterState[];
  readonly layers: readonly LayerState[];
  /** [T, D]: the last block's result, and the final norm of it. */
  readonly residual: StageState;
  readonly normed: StageState;
  /** [T, slots · vocabulary] */
  readonly logits: StageState;
  /** [T, slots · vocabulary]: softmax of each slot's logits. */
  readonly probabilities: Float32Array;
}

/** Each prefix of fresh texts alone, asked for what follows its last token, or the task's own questions. */
export interface FairTest {
  loss: number;
  asked: number;
  right: number;
}

export interface Recital {
  /** Ids and words that followed the prompt, one by one, and how likely the model took each to be. */
  readonly tokens: readonly number[];
  readonly words: readonly string[];
  readonly probabilities: Float32Array;
  /** Prompt and continuation, joined. */
  readonly text: string;
}

/** A model that was trained elsewhere: its arrays one after another, as ParameterState has them; matrices lie (in, out). */
export interface GivenModel {
  shape: TrainingShape;
  rule: Pick<TrainingRule, 'isCausal' | 'scales'>;
  weights: Float32Array;
}

/** The same, whose numbers are still where the operators have them. */
export interface Traceable extends Omit<GivenModel, 'weights'> {
  parameters: DecoderParameters;
}

/** What is asked of a model that was trained elsewhere. */
export interface Traced {
  /** A text forwards and backwards. Its loss is the mean of −ln p of each next token. */
  state(tokens: readonly number[]): Promise<ModelState>;
  free(): void;
}

export type Pace = 'paused' | 'slow' | 'frame' | 'flat';

export interface TrainingEvents {
  /** After one or more steps, or a seek: once for all runs. */
  onStep?(training: Training): void;
  /** The pace changed: by play() and pause(), or because the lesson's steps are over. */
  onPace?(pace: Pace): void;
  /** A run that cannot go on: a sentence. The pace is then 'paused', and all is as it was before the step. */
  onError?(error: Error): void;
}

/** Where the work is done. */
export type TrainingPlace = 'worker' | 'page';

/** A lesson that is open. What answers with a promise speaks of the step that all runs are at when it is asked. */
export interface Training {
  readonly place: TrainingPlace;
  readonly runs: readonly RunDescription[];
  /** Steps that every run has taken: where it stands, as seek() and play() move it. */
  readonly step: number;
  /** The largest step that is known: history goes so far. */
  readonly known: number;
  readonly pace: Pace;

  history(run: number): History;
  displayed(run: number): DisplayedText;

  /** Steps until `until` (the lesson's end when left out): one a frame, eight frames a step, or as many as there is time for. A hidden page pauses. */
  play(pace?: Exclude<Pace, 'paused'>, until?: number): void;
  pause(): void;
  /** So many steps of every run, at once. */
  advance(steps: number): Promise<void>;
  /** To any step, exactly: back to a kept state and on from there, or forwards. */
  seek(step: number): Promise<void>;
  /** From here on; what was known of later steps goes. */
  change(run: number, rule: Partial<TrainingRule>): Promise<void>;
  /** Another text to show: token ids, or words of the vocabulary; null = the lesson's own, text `n` of it. Kept steps that are known have their maps again at once, others when they are gone through. */
  show(text: string | readonly number[] | null, n?: number): Promise<void>;

  /** What is right in the displayed text, and asked: then it has a loss, and gradients. */
  answer(answered: readonly Answered[]): Promise<void>;

  /** [layers, heads, T, T] of the displayed text. */
  map(run: number): Promise<Float32Array>;
  state(run: number): Promise<ModelState>;
  /** 16 hexadecimal digits: 64-bit FNV-1a of all weights. */
  hash(run: number): Promise<string>;
  /** On fresh texts of the task, or on the reader's text. */
  fairTest(run: number): Promise<FairTest>;
  /** Next-token loss on words that are not learnt: `heldOut`, or this text; words without an id are not asked. */
  heldOut(run: number, text?: string): Promise<FairTest>;
  /** Greedy at temperature 0, the default; otherwise drawn by the seed. */
  recite(run: number, wanted?: { prompt?: string; count?: number; temperature?: number; seed?: number }): Promise<Recital>;
  /** The model as a file, which the page's model opener reads. Slot 0 of two where `slot` is left out. */
  file(run: number, slot?: number): Promise<Uint8Array<ArrayBuffer>>;

  /** Stops, and gives all memory back. */
  free(): void;
}

export interface TrainingOptions extends TrainingEvents {
  /** Where attention_training.wasm and training-worker.js lie; beside the script when left out. */
  baseUrl?: string | undefined;
  /** On the page even where a worker could do it. */
  place?: TrainingPlace | undefined;
  /** The module's bytes, where nothing can be fetched (Node). */
  wasm?: BufferSource | undefined;
}

/** web/src/engine/training/open.ts; @throws AttentionError with a sentence: nothing stays behind. */
export type OpenTraining = (wanted: WantedTraining, options?: TrainingOptions) => Promise<Training>;
