// What a language model makes of the sentence: its heads, what it expects next, and what the reader changed in it.
import { msg, str } from '@lit/localize';
import { type CSSResult, type TemplateResult, html, nothing, render } from 'lit';
import type { ModelState, Traceable, Traced } from '../../engine/training/types.ts';
import type { Selection } from '../../engine/types.ts';
import { Answers, type Steps, got } from '../../lib/answers.ts';
import { count, fixed, plural } from '../../lib/format.ts';
import { type Patch, type Place, allBut, sameCell, samePlace } from '../../parameters/language-model/edits.ts';
import type { Configuration } from '../../parameters/language-model/configuration.ts';
import type { ModelReader, Reading } from '../../parameters/language-model/reader.ts';
import { continued } from '../../parameters/language-model/writing.ts';
import { type Picture, largestOtherKey, rowOf } from '../../state/result.ts';
import type { Store } from '../../state/store.ts';
import type { Paint } from '../kit/paint.ts';
import { changes } from './edits.ts';
import { type Expected, type Guess, type HiddenRow, type LayerRow, type WordRow, afterWords, atWords, everyHidden, everyWord, expects, labelOf, noGuesses, nothingHidden, stream } from './predictions.ts';
import { ForwardFold } from './forwards.ts';
import { notes, unreadOf } from './notes.ts';
import { HeadSheet } from './sheet.ts';
import { Writing } from './writing.ts';

/** What can stand in a text: no mark of the model's own, such as that of its start. */
const WRITABLE = /^(?!\[.+\]$)[\p{L}\p{N}\p{P}']+$/u;
/** Guesses shown for one place. */
const GUESSES = 8;

/** None where there is no picture. */
type Input = { picture: Picture; selection: Selection; paint: Paint } | null;

/** What shows a model's gradients. */
export interface Backwards { view(data: BackwardsData): TemplateResult }
interface BackwardsData extends Walked { layer: number; head: number; place: { row: number; column: number }; paint: Paint }

/** A sentence forwards and backwards, and the model that it went through. */
interface Walked { run: Pick<Traceable, 'shape' | 'rule'> & { words: readonly string[] }; state: ModelState; tokens: readonly string[] }

export interface ModelEvents {
  select(part: Partial<Selection>): void;
  /** Gives the root more styles. */
  dress(more: readonly CSSResult[]): void;
  /** It comes once it is asked for. */
  fetchWalk(): Promise<{ StageWalk: new (host: HTMLElement, changed: () => void) => Backwards; walkStyles: CSSResult }>;
}

/** Of one picture: what follows every word, before and after the changes. */
interface Read { words: readonly WordRow[]; loss: number; trainedLoss: number }

export class ModelPanel {
  readonly #again = () => { if (!this.#isHeld) this.#draw(this.#input); };
  /** Of the model that is shown. */
  #answers = new Answers(this.#again);
  #reader: ModelReader | null = null;
  #sheet = new HeadSheet(this.#answers, this.#again);
  #input: Input = null;
  #isHeld = false;
  readonly #writing: Writing;

  readonly #back: BackFold;
  readonly #forward: ForwardFold;

  constructor(private readonly host: HTMLElement, private readonly store: Store, private readonly events: ModelEvents) {
    this.#back = new BackFold(host, events, this.#again);
    this.#forward = new ForwardFold(this.#again, (layer) => this.store.change({ layer: layer + 1 }));
    this.#writing = new Writing(host, store, this.#again);
  }

  /** A new picture is there, and is shown by the next `update`: until then nothing more is drawn of this one. */
  hold(): void {
    this.#isHeld = true;
    this.#sheet.stop();
  }

  update(input: Input): void {
    const wasHeld = this.#isHeld;
    this.#isHeld = false;
    this.#input = input;
    this.#writing.update(input?.picture ?? null);
    const { silenced, patches, drawing } = this.store.state;
    const seen = input && [input.picture, input.selection, input.paint, silenced, patches, drawing];
    // While the next text is read there is nothing new to be seen of this one.
    if (wasHeld || !(this.store.computing && seen?.every((each, i) => each === this.#seen?.[i]))) this.#draw(input);
    this.#seen = seen;
  }

  #seen: readonly unknown[] | null = null;

  #draw(input: Input): void {
    const reading = input?.picture.reading ?? null;
    this.host.hidden = !reading;
    if (!input || !reading) {
      this.#back.free();
      render(nothing, this.host);
      return;
    }
    const { picture, selection, paint } = input;
    const { head, query, key } = selection;
    const { configuration, predicts } = reader(reading);
    if (this.#reader !== reading.reader) {
      this.#reader = reading.reader;
      this.#answers = this.#sheet.answers = new Answers(this.#again);
    }
    const answers = this.#answers;
    const everyWordOf = () => this.#words(picture, reading);
    const words = (predicts === 'next' && answers.find('words', [picture], everyWordOf)?.words) || [];
    const hidden = hiddenIn(reading);
    // A hidden word is guessed wherever the reader looks.
    const at = predicts === 'next' || hidden.includes(query) ? query : hidden[0] ?? query;
    const { silenced, patches, settings, edits } = this.store.state;
    const place = { layer: reading.layer, head };
    const share = rowOf(picture, reading.run.weights(reading.layer, head), query)[key] ?? 0;
    const unread = unreadOf({ picture, reading });
    render(html`
      <h2>${msg('What the model makes of it')}</h2>
      <p class="model-about">${aboutWords(configuration, predicts)}</p>
      <div class="model-grid" data-unread=${unread.words.size === 0 ? nothing : unread.isAll ? 'all' : 'some'}>
        ${this.#sheet.template({ picture, reading, silenced, chosen: place, changed: patches, query, isPlain: (this.host.getRootNode() as ShadowRoot).host.hasAttribute('data-brief') }, { choose: (chosen) => this.#choose(chosen) })}
        <div class="model-side">
          ${predicts === 'next' ? this.#after(picture, reading, selection, words) : predicts === 'hidden' ? this.#hidden(picture, reading, hidden, at, query) : noGuesses()}
          ${changes(
            { picture, place, query, key, share, silenced, patches, predicts },
            {
              silence: (on) => this.#change({ silenced: on ? [...silenced, place] : silenced.filter((other) => !samePlace(other, place)) }),
              keepOnly: () => this.#change({ silenced: [...silenced.filter(({ layer }) => layer !== place.layer), ...allBut(place, configuration.heads)] }),
              share: (wanted) => this.#patch({ ...place, query, key, share: wanted }),
              putBack: (patch) => this.#change({ patches: patches.filter((other) => other !== patch) }),
              speak: (other) => this.#change({ silenced: silenced.filter((each) => !samePlace(each, other)) }),
              putAllBack: () => this.#change({ silenced: [], patches: [] }),
            },
          )}
          ${notes({ picture, reading, selection, mask: settings.mask, words, isEdited: edits.length > 0, unread }, { twice: () => this.#sayTwice(reading) })}
        </div>
      </div>
      <div class="model-tables">
        ${predicts === 'next' ? answers.part('words', [picture], everyWordOf, (read) => everyWord({ ...read, query, changed: reading.isChanged }, (row) => this.events.select({ query: row, key: Math.min(key, row) }))) : nothing}
        ${hidden.length > 1 ? answers.part('hidden', [picture], () => this.#everyHidden(reading, hidden), (rows) => everyHidden(rows, { hides: hidesOf(reading), query, changed: reading.isChanged }, (row) => this.events.select({ query: row }))) : nothing}
        ${predicts === 'nothing' ? nothing : answers.part('layers', [picture, at], () => this.#layers(reading, at), (rows) => stream(rows, picture.tokens[at]?.text ?? '', configuration.postNorm === true))}
      </div>
      ${this.#forward.template(answers, picture, reading, query)}
      ${reader(reading).backwards ? this.#back.template(answers, picture, reading, selection, paint) : nothing}
    `, this.host);
    this.#sheet.draw(this.host, reading, paint);
  }

  #after(picture: Picture, reading: Reading, selection: Selection, words: readonly WordRow[]) {
    const { query } = selection;
    const isLast = query === picture.tokens.length - 1;
    const mayWrite = this.store.may('text');
    const drawn = isLast && mayWrite ? this.#drawn(picture, reading) : null;
    return html`
      ${this.#expects(picture, reading, query, ({ goesOn, ...expected }) => expects(afterWords(picture.tokens[query]?.text ?? '', isLast), expected, {
        changed: reading.isChanged, drawn,
        writes: isLast && mayWrite ? { title: msg('Write on with this word'), can: ({ id }: Guess) => goesOn.has(id), write: ({ id }: Guess) => this.#writing.choose(id) } : null,
      }))}
      ${mayWrite ? this.#writing.render(picture, selection, { select: (row) => this.events.select({ query: row, key: largestOtherKey(picture, selection.head, row) }), chanceOf: (row) => words[row]?.own ?? null }) : nothing}
    `;
  }

  #expects(picture: Picture, reading: Reading, row: number, draw: (read: Expected & { goesOn: ReadonlySet<number> }) => TemplateResult): TemplateResult {
    return this.#answers.part('expected', [picture, row], () => this.#expected(picture, reading, row), draw);
  }

  /** The shares that the next word is drawn from; null while it is not drawn, and until they have come. */
  #drawn(picture: Picture, reading: Reading): Float32Array | null {
    const { manner } = this.#writing;
    if (!manner) return null;
    return this.#answers.find('shares', [picture, manner], () => got(reading.run.drawNext(manner)))?.shares ?? null;
  }

  #hidden(picture: Picture, reading: Reading, hidden: readonly number[], at: number, query: number) {
    const [token, mayWrite] = [picture.tokens[query], this.store.may('text')];
    if (hidden.length === 0) return nothingHidden(hidesOf(reading), token?.text ?? '', mayWrite && token && token.end > token.start ? () => this.#put(token, hidesOf(reading)) : null);
    const place = picture.tokens[at];
    const writes = mayWrite && place && reader(reading).hides ? { title: msg('Write this word there'), can: ({ word }: Guess) => WRITABLE.test(word), write: ({ word }: Guess) => this.#put(place, word) } : null;
    return this.#expects(picture, reading, at, (expected) => expects(atWords(labelOf(hidesOf(reading), hidden.indexOf(at), hidden.length)), expected, { changed: reading.isChanged, writes }));
  }

  /** In place of a word of the text; a piece stands close to what it continues. */
  #put({ start, end }: { start: number; end: number }, word: string): void {
    const { text } = this.store.state;
    const before = text.slice(0, start);
    this.store.caret = null;
    this.store.change({ text: `${word.startsWith(JOINT) ? `${before.trimEnd()}${word.slice(JOINT.length)}` : `${before}${word}`}${text.slice(end)}` });
  }

  #change(part: { silenced?: readonly Place[]; patches?: readonly Patch[] }, kind = ''): void {
    this.store.change(part, { kind });
  }

  #patch(patch: Patch): void {
    const others = this.store.state.patches.filter((other) => !sameCell(other, patch));
    this.#change({ patches: [...others, patch] }, `share ${patch.layer} ${patch.head} ${patch.query} ${patch.key}`);
  }

  #choose({ layer, head }: Place): void {
    if (layer + 1 !== this.store.state.layer) this.store.change({ layer: layer + 1 });
    this.events.select({ head });
  }

  /** The reader's own words once more, and the head that copies. */
  #sayTwice(reading: Reading): void {
    const { text } = this.store.state;
    const copies = reader(reading).evidence.find(({ relation, named }) => named && /induction|repeat/i.test(relation));
    this.store.caret = null;
    this.store.change({ text: `${text.trimEnd()} ${text.trim()}`, ...(copies && { layer: copies.layer + 1 }) });
    if (copies) this.events.select({ head: copies.head });
  }

  /** Of one row, and which guesses its text can go on with. */
  *#expected(picture: Picture, reading: Reading, query: number): Steps<Expected & { goesOn: ReadonlySet<number> }> {
    const now = yield* got(reading.run.predictions(query, GUESSES));
    const before = reading.isChanged ? yield* got(reading.trained) : null;
    const trained = before && (yield* got(before.probabilities(query, now.map(({ id }) => id))));
    const first = before && (yield* got(before.predictions(query, 1)))[0];
    const isLast = query === picture.tokens.length - 1 && reader(reading).predicts === 'next';
    return {
      guesses: now.map(({ id, word, piece, probability }, i) => ({ id, word: said(word, piece), probability, trained: trained?.[i] ?? null })),
      trainedFirst: first ? { word: said(first.word, first.piece), probability: first.probability } : null,
      goesOn: new Set(isLast ? now.map(({ id }) => id).filter((id) => continued(reader(reading), picture.text, id)) : []),
    };
  }

  /** What follows every word: the model's first guess, and how likely the reader's own next word was to it. */
  *#words(picture: Picture, reading: Reading): Steps<Read> {
    const now = yield* got(reading.run.outlooks(1));
    const before = reading.isChanged ? yield* got((yield* got(reading.trained)).outlooks(1)) : null;
    const words = now.map(({ predictions: [guess], ofNext }, t): WordRow => ({
      word: picture.tokens[t]?.text ?? '', guess: guess ? said(guess.word, guess.piece) : '', probability: guess?.probability ?? 0,
      next: picture.tokens[t + 1]?.text ?? null, own: ofNext, trained: before?.[t]?.ofNext ?? null,
    }));
    const loss = meanLoss(words.map(({ own }) => own));
    return { words, loss, trainedLoss: reading.isChanged ? meanLoss(words.map(({ trained: was }) => was)) : loss };
  }

  *#everyHidden(reading: Reading, hidden: readonly number[]): Steps<readonly HiddenRow[]> {
    const rows: HiddenRow[] = [];
    for (const row of hidden) {
      const [first] = yield* got(reading.run.predictions(row, 1));
      const trained = reading.isChanged && first ? (yield* got((yield* got(reading.trained)).probabilities(row, [first.id])))[0] ?? null : null;
      rows.push({ row, guess: first ? said(first.word, first.piece) : '', probability: first?.probability ?? 0, trained });
    }
    return rows;
  }

  /** What the model would say if it ended after each layer, and what each layer adds to the word's row. */
  *#layers({ run, reader: { configuration } }: Reading, query: number): Steps<readonly LayerRow[]> {
    const D = configuration.d_model;
    const rowAfter = (layer: number) => run.residual(layer).slice(query * D, (query + 1) * D);
    const length = (row: Float32Array) => this.store.compare(row, row)?.norm_a ?? 0;
    return (yield* got(run.afterLayers(query))).map(({ layer, guess, final }): LayerRow => {
      const added = layer < 0 ? null : this.store.subtract(rowAfter(layer), rowAfter(layer - 1));
      return { layer, guess: guess ? said(guess.word, guess.piece) : '', probability: guess?.probability ?? 0, final, length: length(rowAfter(layer)), added: added && length(added) };
    });
  }
}

interface Followed { reader: ModelReader; run: Walked['run']; traced: Promise<Traced> }

/** From the loss of the reader's sentence back to every number: loaded and computed once its fold is open. */
class BackFold {
  #isOpen = false;
  #walk: Backwards | null = null;
  #of: Followed | null = null;

  constructor(private readonly host: HTMLElement, private readonly events: ModelEvents, private readonly again: () => void) {}

  template(answers: Answers, picture: Picture, reading: Reading, { head, query, key }: Selection, paint: Paint): TemplateResult {
    return html`
      <details class="model-backwards" ?open=${this.#isOpen} @toggle=${(event: Event) => this.#toggle((event.target as HTMLDetailsElement).open)}>
        <summary>${msg('Backwards: from the loss of your sentence to every number')}</summary>
        ${this.#isOpen ? answers.part('backwards', [reading.ids.join()], () => got(this.#ask(picture, reading)), (found) => (typeof found === 'string'
          ? html`<p class="problem" role="alert">${found}</p>`
          : html`${this.#about(found.state)}${this.#walk?.view({ ...found, layer: reading.layer, head, place: { row: query, column: key }, paint })}`)) : nothing}
      </details>
    `;
  }

  #about({ loss, text }: ModelState): TemplateResult {
    const asked = text.targets.filter((target) => target >= 0).length;
    return html`<p class="model-about">${msg(html`The loss of your sentence is <b>${fixed(loss, 4)}</b>: the mean of −ln p, where p is the chance of the word that comes next, over ${plural(asked, msg('1 next word'), msg(str`${count(asked)} next words`))}. A d before a stage’s name is the gradient of the loss by it: how much the loss would grow if that number grew.`)}
      ${msg('The model is taken as it was trained, without what you have switched or changed.')}</p>`;
  }

  #toggle(isOpen: boolean): void {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    this.again();
  }

  /** A sentence on what is wrong, where something is. */
  async #ask({ tokens }: Picture, { reader, ids }: Reading): Promise<Walked | string> {
    try {
      this.#walk ??= await this.#fetchWalk();
      const { run, traced } = this.#open(reader);
      return { run, state: await (await traced).state(ids), tokens: tokens.map(({ text }) => text) };
    } catch (error) {
      // For another sentence it may come.
      this.free();
      return error instanceof Error ? error.message : String(error);
    }
  }

  async #fetchWalk(): Promise<Backwards> {
    const { StageWalk, walkStyles } = await this.events.fetchWalk();
    this.events.dress([walkStyles]);
    return new StageWalk(this.host, this.again);
  }

  #open(reader: ModelReader): Followed {
    if (this.#of?.reader === reader) return this.#of;
    this.free();
    const { run: { shape, rule }, open } = reader.backwards as NonNullable<ModelReader['backwards']>;
    const words = Array.from({ length: shape.vocabulary }, (_, id) => { const { word, piece } = reader.word(id); return said(word, piece); });
    return (this.#of = { reader, run: { shape, rule, words }, traced: open() });
  }

  free(): void {
    void this.#of?.traced.then((traced) => traced.free(), () => {});
    this.#of = null;
  }
}

const reader = (reading: Reading) => reading.reader;

/** Places whose word is hidden from the model; all of them where token numbers are typed and none is known to hide. */
function hiddenIn({ reader, ids }: Reading): number[] {
  if (reader.predicts !== 'hidden') return [];
  const { hides } = reader;
  return ids.flatMap((id, at) => (hides === null || id === hides.id ? [at] : []));
}

const hidesOf = ({ reader }: Reading): string => reader.hides?.word ?? msg('the word');

function aboutWords({ layers, heads, causal = true }: Configuration, predicts: ModelReader['predicts']): string {
  if (predicts === 'next') return msg(str`${layers} layers of ${heads} heads read your sentence one after another and guess each next word. Choose a head; the figure above and the walk show it.`);
  if (causal) return msg(str`${layers} layers of ${heads} heads read your sentence one after another. Choose a head; the figure above and the walk show it.`);
  return predicts === 'hidden'
    ? msg(str`${layers} layers of ${heads} heads read your sentence one after another, every word seeing all words, and guess what is hidden. Choose a head; the figure above and the walk show it.`)
    : msg(str`${layers} layers of ${heads} heads read your sentence one after another, every word seeing all words. Choose a head; the figure above and the walk show it.`);
}

/** A piece that continues a word is told by a dot, as in the sentence. */
const said = (word: string, piece: boolean): string => (piece ? `${JOINT}${word}` : word.trim() || word);
const JOINT = '·';

function meanLoss(shares: readonly (number | null)[]): number {
  const known = shares.filter((share): share is number => share !== null);
  return known.length === 0 ? NaN : -known.reduce((sum, share) => sum + Math.log(share), 0) / known.length;
}
