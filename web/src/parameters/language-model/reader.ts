// A language model and the reader's sentence: which words it reads, what a layer gets, what the reader's changes do.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { DEFAULTS } from '../../engine/defaults.ts';
import type { Edit, MaskEdit, Session, Settings, Stages, Trace } from '../../engine/engine.ts';
import { type MaskId, maskSettings } from '../../engine/masks.ts';
import { Seen, type Token, engineKey } from '../../engine/tokens.ts';
import { AttentionError } from '../../engine/error.ts';
import type { Traceable, Traced } from '../../engine/training/types.ts';
import { Once, type Soon, type Steps, got, soon } from '../../lib/answers.ts';
import { clipped, comma, listed, percent } from '../../lib/format.ts';
import { type Patch, type Place, setShare, trainedMask, trainedScale } from './edits.ts';
import { evidenceWords, keyWidth, rotaryWidth } from './configuration.ts';
import { type Replay, encodeReplay } from '../trained-here.ts';
import { withoutHeads } from './layer-request.ts';
import type { AnyModel, AnyRun, Attended, Configuration, HeadEvidence, LayerChanges, ModelToken, VocabularyWord, WalkedLayer } from './language-model.ts';

/** What a model's run on a sentence depends on. */
export interface ReadRequest {
  /** Counted from 1. */
  readonly layer: number;
  readonly actsOn: 'every' | 'this';
  readonly silenced: readonly Place[];
  readonly patches: readonly Patch[];
  readonly settings: Readonly<Settings>;
  readonly edits: readonly Edit[];
  readonly maskEdits: readonly MaskEdit[];
}

/** The page's engine, for a reading: its sessions, the run that is looked at meanwhile, and what says that the reading is wanted no longer. */
export interface ReadingRoom {
  sessions: Session[];
  open(): Session;
  shown?: Trace | undefined;
  dropped?: AbortSignal | undefined;
}

/** What stands for the token before every text. */
const start = () => msg('start', { desc: 'the token before every text' });
/** Before a piece that continues a word. */
const JOINT = '·';
/** A token of nothing that shows. */
const SPACE = '␣';

/** Of a model that a link has made again: how, and 64-bit FNV-1a of all its weights. */
export interface TrainedAgain {
  readonly replay: Replay;
  readonly hash: string;
}

/** Names that a file may have any number of. */
const MOST_NAMED = 20;
const some = (names: readonly string[]): string => [...listed(names.slice(0, MOST_NAMED).map((name) => clipped(name))), ...(names.length > MOST_NAMED ? [comma(), '…'] : [])].join('');

export class ModelReader {
  /** Settings that the model was trained with. */
  readonly sizes: Partial<Settings>;
  /** The mask that was asked for last. */
  #masked: { key: string; allowed: Uint8Array } | null = null;

  /** @param aside names of files that lay beside it, and are not needed */
  constructor(readonly model: AnyModel, readonly aside: string[] = [], readonly again: TrainedAgain | null = null) {
    this.sizes = { ...model.sizes, residual: false };
  }

  get configuration(): Configuration {
    return this.model.configuration;
  }

  /** What it guesses: the next token, what stands at [MASK], or nothing. */
  get predicts(): 'next' | 'hidden' | 'nothing' {
    return this.configuration.predicts ?? 'next';
  }

  /** The mask that attention was trained with; of one that a link has made again, what the link says goes first: it leaves out the causal mask. */
  get mask(): MaskId {
    return this.again ? 'causal' : trainedMask(this.configuration);
  }

  /** The scale that attention was trained with; what a link says goes first here, too. */
  get scale(): 'sqrt-dk' | 'none' {
    return this.again ? 'sqrt-dk' : trainedScale(this.configuration);
  }

  /** The token that hides a word. */
  get hides(): { id: number; word: string } | null {
    return this.predicts !== 'hidden' || this.model.mask === undefined ? null : { id: this.model.mask, word: this.model.word(this.model.mask).word };
  }

  /** What stands between two sentences, as [SEP]; null where the model does not tell them apart. */
  get separates(): string | null {
    const { separator } = this.model;
    return separator === undefined ? null : this.model.word(separator).word;
  }

  /** How many numbers of each head are turned by places. */
  get turned(): number {
    return this.configuration.positions === 'rope' ? rotaryWidth(this.configuration) : 0;
  }

  get evidence(): readonly HeadEvidence[] {
    return this.model.heads;
  }

  /** What makes it again, where it was trained in the page. */
  get replay(): Replay | null {
    return this.again?.replay ?? this.configuration.replay ?? null;
  }

  /** What of the state is the model's when it is opened. */
  get opening(): { replay?: string } {
    return this.replay ? { replay: encodeReplay(this.replay) } : {};
  }

  /** What is to be known of how it was opened, each a sentence. */
  get notes(): string[] {
    const { guesses = [] } = this.configuration;
    return [
      ...(this.again ? [msg(str`All its weights together have the hash ${this.again.hash}, as where it was trained first.`)] : []),
      ...guesses.map(() => msg('The file does not say which GELU it has; the exact one, as nanoGPT has it, is a guess. Add config.json with its activation_function.')),
      ...(this.model.threads > 1 ? [msg(str`It reads with ${this.model.threads} threads.`)] : []),
      ...(this.aside.length > 0 ? [msg(str`Not needed, and left aside: ${some(this.aside)}.`)] : []),
      ...(this.model.unread.length > 0 ? [msg(str`Tensors of the file that are not read: ${some(this.model.unread)}.`)] : []),
    ];
  }

  /** Of one that the reader opened, or trained in the page: where its numbers come from. */
  get honest(): TemplateResult {
    return this.replay
      ? msg(html`The parameters were trained in this page, from random numbers and on a small task; nobody has measured what its heads do.`)
      : msg(html`The parameters are those of your file, and nothing here was drawn. Nobody has measured what its heads do.`);
  }

  /** "trained: the word before, right in 86%; a fixed distance back gets 60%". */
  headWords(layer: number, head: number, isOwn: boolean): string {
    const own = this.#named(layer, head);
    if (own) return msg(str`trained: ${evidenceWords(own)}, right in ${percent(own.score)}; a fixed distance back gets ${percent(own.baseline)}`);
    return this.replay ? msg('trained here') : isOwn ? msg('your model') : msg('trained');
  }

  /** Empty without a name. */
  headName(layer: number, head: number): string {
    const own = this.#named(layer, head);
    return own ? evidenceWords(own) : '';
  }

  #named(layer: number, head: number): HeadEvidence | undefined {
    return this.evidence.find((each) => each.layer === layer && each.head === head && each.named);
  }

  word(id: number): VocabularyWord {
    return this.model.word(id);
  }

  /** The words as the model reads them, with what stands beside their rows. @throws AttentionError where ids are typed */
  tokenize(text: string): Token[] {
    // What does not show is no token of a model either.
    const seen = new Seen(text);
    const own = this.predicts !== 'next';
    return this.model.tokenize(seen.text).map(({ id, word, text, start, end, piece }, at) => (
      { id, ...seen.place(start, end), text: labelOf({ text: text === '' && (own || at > 0) ? word : text, piece }) }));
  }

  /**
   * One layer, walked through like any other: at once, or later where the model is away; then a text that is no longer wanted is read no further.
   * @throws AttentionError when the text is too long
   */
  walk<Made>(tokens: readonly Token[], keyTokens: readonly Token[] | null, wanted: ReadRequest, room: ReadingRoom, made: (trace: Trace, reading: Reading) => Made): Soon<Made> {
    if (keyTokens) throw new AttentionError('one_sentence', this.separates === null ? msg('A language model reads one sentence. Remove the second, or choose other parameters.') : msg(str`This model reads a second sentence in the same text, behind ${this.separates}. Remove the second field, and type it there.`));
    return soon(this.#walk(tokens, wanted, room, made));
  }

  *#walk<Made>(tokens: readonly Token[], wanted: ReadRequest, room: ReadingRoom, made: (trace: Trace, reading: Reading) => Made): Steps<Made> {
    const reading = yield* got(this.read(tokens, wanted, room.open, room.dropped));
    const { maskEdits, edits } = wanted;
    const [request, settings] = [{ tokens: tokens.map(engineKey), maskEdits, edits }, { ...wanted.settings, ...reading.settings }];
    const stages = yield* got(reading.attend(request, settings));
    const whole = { ...request, given: reading.given };
    const trace = stages ? this.#session(room).take(whole, settings, stages) : this.#session(room).run(whole, settings);
    yield* got(reading.settle(trace));
    return made(trace, reading);
  }

  /** What is looked at while a worker reads stays whole. */
  #session({ sessions, open, shown }: ReadingRoom): Session {
    const free = sessions.findIndex((session) => !(this.model.isAway && shown && session.holds(shown)));
    return (sessions[free < 0 ? sessions.length : free] ??= open());
  }

  /**
   * @param open a session of the page's engine, which says what the switches' mask allows
   * @throws AttentionError when the text is too long
   */
  read(tokens: readonly Token[], wanted: ReadRequest, open: () => Pick<Session, 'run' | 'free'>, dropped?: AbortSignal): Soon<Reading> {
    this.model.requireFits(tokens.length);
    return soon(new Reading(this, tokens.map(({ id = 0 }) => id), wanted, this.#allowed(wanted.settings, tokens.length, open), dropped).begin());
  }

  /** [T, T], not 0 where a query may look at a key; undefined for the mask of the training. */
  #allowed(settings: Settings, T: number, open: () => Pick<Session, 'run' | 'free'>): Uint8Array | undefined {
    if (settings.mask === trainedMask(this.configuration)) return undefined;
    const own = maskSettings(settings);
    const key = JSON.stringify([own, T]);
    if (this.#masked?.key !== key) this.#masked = { key, allowed: allowedBy(own, T, open()) };
    return this.#masked.allowed;
  }

  /** Backwards through the model; what computes it comes when it is asked for. Null where that cannot be done. */
  get backwards(): { run: Pick<Traceable, 'shape' | 'rule'>; open(): Promise<Traced> } | null {
    const { traceable } = this.model;
    return traceable ? { run: traceable, open: async () => (await import('../../engine/training/open.ts')).openTraced(traceable) } : null;
  }

  free(): void {
    this.model.free();
  }
}

/** The core's own rule, read off the smallest run that there is. */
function allowedBy(own: Partial<Settings>, T: number, session: Pick<Session, 'run' | 'free'>): Uint8Array {
  try {
    const trace = session.run({ tokens: Array<string>(T).fill('') }, { ...DEFAULTS, ...own, d_model: 1, num_heads: 1, positions: 'none' });
    return Uint8Array.from(trace.head('masked_scores', 0), (score) => Number(score !== -Infinity));
  } finally {
    session.free();
  }
}

function labelOf({ text, piece }: Pick<ModelToken, 'text' | 'piece'>): string {
  return text === '' ? start() : piece ? `${JOINT}${text}` : text.trim() || SPACE;
}

/** What the model made of one sentence, as it was trained and as the reader changed it. */
export class Reading {
  readonly layer: number;
  readonly #trained = new Once<AnyRun>();
  #made!: { run: AnyRun; isChanged: boolean };
  #walked!: Pick<Reading, 'settings' | 'given'>;

  constructor(readonly reader: ModelReader, readonly ids: readonly number[], private readonly wanted: ReadRequest, private readonly allowed: Uint8Array | undefined, private readonly dropped: AbortSignal | undefined) {
    this.layer = wanted.layer - 1;
  }

  *begin(): Steps<Reading> {
    this.#made = yield* this.#read(this.layer - 1, null);
    const { settings, given } = yield* this.#heard(this.reader.model.walk(this.run, this.layer));
    this.#walked = { settings: { ...settings, residual: false }, given: withoutHeads(given, this.#silenced, this.reader.configuration) };
    return this;
  }

  /** The layer's own attention, where a worker computes it. */
  attend(request: Attended['request'], settings: Settings): Soon<Stages | null> {
    return soon(this.#heard(this.reader.model.attend(this.run, this.layer, { request, settings, silenced: this.#silenced })));
  }

  /** Heads of the layer that are taken away. */
  get #silenced(): readonly number[] {
    return this.wanted.silenced.filter(({ layer }) => layer === this.layer).map(({ head }) => head);
  }

  /** What the layer that is looked at is made of, and what it reads: for the page's own walk through it. */
  get settings(): Partial<Settings> {
    return this.#walked.settings;
  }

  get given(): WalkedLayer['given'] {
    return this.#walked.given;
  }

  /** What is said of a head where it is shown. */
  headWords(head: number, isOwn: boolean): string {
    return this.reader.headWords(this.layer, head, isOwn);
  }

  headName(head: number): string {
    return this.reader.headName(this.layer, head);
  }

  /** The model with all changes. */
  get run(): AnyRun {
    return this.#made.run;
  }

  /** The same sentence as the model was trained. */
  get trained(): Soon<AnyRun> {
    return this.isChanged ? this.#trained.get(() => this.reader.model.run(this.ids)) : this.run;
  }

  get isChanged(): boolean {
    return this.#made.isChanged;
  }

  /** What was changed by hand in the layer's own walk goes on from there through the model. */
  settle(trace: Trace): Soon<void> {
    return soon(this.#settle(trace));
  }

  *#settle(trace: Trace): Steps<void> {
    const { maskEdits, edits, settings, patches } = this.wanted;
    const isByHand = maskEdits.length > 0 || edits.length > 0 || settings.dropout > 0;
    if (!isByHand && patches.every(({ layer }) => layer < this.layer)) return;
    this.#made = yield* this.#read(this.reader.configuration.layers - 1, isByHand ? trace : null);
  }

  /** Layer by layer, since a share is set among those that its layer then has. */
  *#read(last: number, byHand: Trace | null): Steps<{ run: AnyRun; isChanged: boolean }> {
    const { model, configuration } = this.reader;
    const changes = Array.from({ length: configuration.layers }, (_, layer) => this.#changes(layer));
    let run = yield* this.#heard(model.run(this.ids, changes, this.dropped));
    for (let layer = 0; layer <= last; layer += 1) {
      const patches = this.#patches(layer, run, layer === this.layer ? byHand : null);
      if (patches.length === 0) continue;
      changes[layer] = { ...changes[layer], patches };
      run = yield* this.#heard(model.run(this.ids, changes, this.dropped));
    }
    return { run, isChanged: changes.some((each) => each !== undefined) };
  }

  /** @throws AttentionError where the answer comes too late */
  *#heard<T>(answer: Soon<T>): Steps<T> {
    const heard = yield* got(answer);
    if (this.dropped?.aborted) throw new AttentionError('not_wanted', '');
    return heard;
  }

  /** What switches and silenced heads do to a layer; nothing where it stays as trained. */
  #changes(layer: number): LayerChanges | undefined {
    const { settings: { scale, scale_factor, temperature, softcap }, actsOn, silenced } = this.wanted;
    const gone = silenced.filter((place) => place.layer === layer).map(({ head }) => head);
    const switched = (actsOn === 'every' || layer === this.layer)
      && (this.allowed !== undefined || scale !== trainedScale(this.reader.configuration) || temperature !== 1 || softcap !== 0);
    if (!switched && gone.length === 0) return undefined;
    return {
      ...(switched && {
        allowed: this.allowed, softcap, temperature,
        ...(scale !== trainedScale(this.reader.configuration) && { scale: this.#factor(scale, scale_factor) }),
      }),
      headGains: Array.from({ length: this.reader.configuration.heads }, (_, head) => Number(!gone.includes(head))),
    };
  }

  #factor(scale: Settings['scale'], own: number): number {
    return scale === 'none' ? 1 : scale === 'factor' ? own : Math.fround(1 / Math.sqrt(keyWidth(this.reader.configuration)));
  }

  #patches(layer: number, run: AnyRun, byHand: Trace | null): { head: number; weights: Float32Array }[] {
    const T = this.ids.length;
    const own = this.wanted.patches.filter((patch) => patch.layer === layer && patch.query < T && patch.key < T);
    const heads = byHand ? Array.from({ length: byHand.shape.H }, (_, head) => head) : [...new Set(own.map(({ head }) => head))];
    return heads.map((head) => {
      const stage = byHand?.present('dropped_weights') ? 'dropped_weights' : 'weights';
      const weights = (byHand ? byHand.head(stage, head) : run.weights(layer, head)).slice();
      for (const patch of own) if (patch.head === head) patchRow(weights, T, patch);
      return { head, weights };
    });
  }

}

function patchRow(weights: Float32Array, T: number, { query, key, share }: Patch): void {
  weights.set(setShare(weights.subarray(query * T, (query + 1) * T), query, key, share), query * T);
}
