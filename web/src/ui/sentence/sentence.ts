// The sentence and the second sentence: typing, the caret, and rows that are read together.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { isTooLong } from '../../engine/tokens.ts';
import type { Selection, Settings } from '../../engine/types.ts';
import { type Picture, largestOtherKey, tokenAt } from '../../state/result.ts';
import { RowSelection, maskedForAll } from '../../state/row-selection.ts';
import type { Store } from '../../state/store.ts';
import type { Part } from '../../state/views.ts';
import { tokenCount } from '../../text/word.ts';
import { sentenceBox } from '../figure/template.ts';
import { goesRound, inBox } from '../kit/text-box.ts';
import type { Late } from '../late.ts';
import { captionArea } from './status.ts';
import type { SumEvents } from './summed-rows.ts';

export interface SentenceEvents {
  /** The part loaded after the first figure; null until then. */
  late(): Late | null;
  update(): void;
  /** Makes a change that a key has asked for. */
  key(change: () => void): void;
  select(part: Partial<Selection>): void;
  root(): ShadowRoot | null;
}

export class SentencePart {
  readonly past: Past;
  readonly rows: RowSelection;
  /** Before the second sentence came; null where it came otherwise. */
  #maskOfOne: Settings['mask'] | null = null;

  constructor(private readonly store: Store, private readonly events: SentenceEvents) {
    this.rows = new RowSelection(store);
    this.past = new Past(store, events.update);
  }

  #change(act: () => void): void {
    act();
    this.events.update();
  }

  get area(): HTMLTextAreaElement | null {
    return this.events.root()?.querySelector<HTMLTextAreaElement>('#text') ?? null;
  }

  get #keyArea(): HTMLTextAreaElement | null {
    return this.events.root()?.querySelector<HTMLTextAreaElement>('#key-text') ?? null;
  }

  readonly #input = (event: Event): void => {
    const area = event.target as HTMLTextAreaElement;
    this.events.key(() => {
      this.store.caret = area.selectionStart;
      this.rows.typed();
      this.#take(area.value);
    });
  };

  readonly #before = (event: Event): void => {
    goesRound(event, (text) => {
      this.store.caret = 0;
      this.rows.typed();
      this.#take(text);
    });
  };

  /** What was too long is undone by itself: its beginning has been typed over. */
  #take(text: string): void {
    this.store.change({ text }, { kind: isTooLong(this.store.state.text) ? '' : 'text' });
  }

  readonly #inputKeys = (event: Event): void => {
    this.#takeKeys((event.target as HTMLTextAreaElement).value);
  };

  readonly #takeKeys = (keyText: string): void => {
    this.store.change({ keyText }, { kind: isTooLong(this.store.state.keyText ?? '') ? '' : 'keyText' });
  };

  /** “Later” applies to one sentence: with two, every word sees every other, until the reader masks some. */
  readonly #addSecond = (): void => {
    const separates = this.#separates;
    if (separates !== null) return this.store.change({ text: `${this.store.state.text.trimEnd()} ${separates} ${firstKeyText()}` });
    this.#maskOfOne = this.store.settings.mask;
    this.store.change({ keyText: firstKeyText(), mask: 'none' });
  };

  /** A model that reads two sentences reads them as one text. */
  get #separates(): string | null {
    return this.store.picture?.reading?.reader.separates ?? null;
  }

  /** The mask returns with the single sentence, unless the reader has chosen another meanwhile. */
  readonly #removeSecond = (): void => {
    const { mask } = this.store.settings;
    const back = mask === 'none' ? (this.#maskOfOne ?? mask) : mask;
    this.#maskOfOne = null;
    this.store.change({ keyText: null, mask: back });
  };

  /** The caret in the second sentence chooses the key. */
  readonly #moveKeyCaret = (): void => {
    const area = this.#keyArea;
    const { picture, selection } = this.store;
    if (!area || !picture || this.events.root()?.activeElement !== area || picture.keyText !== area.value) return;
    const key = tokenAt(picture.keyTokens, area.selectionStart);
    if (key >= 0 && key !== selection.key) this.events.select({ key });
  };

  readonly moveCaret = (): void => {
    this.#moveKeyCaret();
    const area = this.area;
    const { picture, selection, caret } = this.store;
    if (!area || !picture || this.events.root()?.activeElement !== area) return;
    const { selectionStart, selectionEnd } = area;
    if (picture.text === area.value && this.rows.select(picture.tokens, selectionStart, selectionEnd)) this.events.update();
    if (selectionStart === caret) return;
    this.store.caret = selectionStart;
    if (picture.text !== this.store.state.text) return;
    const query = tokenAt(picture.tokens, area.selectionStart);
    if (query >= 0 && query !== selection.query) this.events.select({ query, key: largestOtherKey(picture, selection.head, query) });
  };

  render(parts: ReadonlySet<Part>): TemplateResult {
    const { tokens, state } = this.store;
    const [isFixed, isWhole] = [!this.store.may('text'), parts.has('rest')];
    const cross = state.keyText !== null;
    const isPair = this.#separates !== null && state.text.includes(this.#separates);
    return html`
      <section class="sentence" ?hidden=${!parts.has('sentence')} aria-label=${msg('Sentence')} part="sentence">
        <div class="sentence-title">
          <label for="text">${cross ? msg('Your sentence: who looks (queries)') : msg('Your sentence')}</label>
          <span class="sentence-tools">
            ${isWhole ? this.past.tools() : nothing}
            ${cross || isPair || isFixed || !isWhole ? nothing : html`<button type="button" class="quiet" @click=${this.#addSecond}>${msg('Add a second sentence')}</button>`}
            <span class="muted">${tokenCount(tokens.length)}</span>
          </span>
        </div>
        ${isWhole ? this.past.list(this.events.late()) : nothing}
        ${sentenceBox({ before: this.#before, input: this.#input, caret: this.moveCaret }, isFixed)}
        ${cross ? this.#secondSentence(state.keyText ?? '') : nothing}
        ${isWhole ? nothing : this.caption(parts)}
      </section>
    `;
  }

  /** What is said of the row. In the whole page it lies beneath the stage, and its keys come after the stage's. */
  caption(parts: ReadonlySet<Part>): TemplateResult {
    const { picture, outcome, selection, settings, computing, tokens } = this.store;
    const isSummed = picture !== null && !computing && this.events.late() !== null && this.rows.in(picture).length > 0;
    return html`<div class=${isSummed ? 'caption summed' : 'caption'} part="caption" ?hidden=${!parts.has('caption') && (outcome.kind === 'ready' || outcome.kind === 'loading')}>${captionArea({ outcome, computing, selection, tokens: tokens.length, heads: settings.num_heads })}${picture && !computing ? this.#summed(picture) : nothing}</div>`;
  }

  #secondSentence(text: string): TemplateResult {
    return secondSentence(this.store.keyTokens.length, {
      before: (event) => goesRound(event, this.#takeKeys),
      input: this.#inputKeys,
      caret: this.#moveKeyCaret,
      swap: () => this.store.change({ text, keyText: this.store.state.text }),
      remove: this.#removeSecond,
    });
  }

  /** Several rows read together, and the way to add one. */
  #summed(picture: Picture): TemplateResult | typeof nothing {
    const late = this.events.late();
    if (!late) return nothing;
    const { head, query, key } = this.store.selection;
    const queries = this.rows.in(picture);
    const change = (act: () => void) => () => this.#change(act);
    const events: SumEvents = {
      clear: change(() => this.rows.clear()), pick: change(() => { this.rows.picking = true; }),
      add: (row) => this.#change(() => this.rows.add(row, query)), remove: (row) => this.#change(() => this.rows.remove(row)),
    };
    return html`${queries.length > 0 ? late.summedCaption({ picture, queries, key, sums: picture.trace.summed(head, queries), masked: maskedForAll(picture, head, queries) }, events) : nothing}${late.addRow(picture, queries, this.rows.picking, events)}`;
  }

  /** After it is drawn: fields hold what is wanted. */
  settled(): void {
    const { text, keyText } = this.store.state;
    const { area } = this;
    setText(area, text);
    if (keyText !== null) setText(this.#keyArea, keyText);
    this.#placeCaret(area);
  }

  /** The caret starts behind the word whose row is shown, as if the reader had put it there. */
  #placeCaret(area: HTMLTextAreaElement | null): void {
    const token = this.store.picture?.tokens[this.store.selection.query];
    if (!area || !token || this.store.caret !== null) return;
    this.store.caret = token.end;
    area.setSelectionRange(token.end, token.end);
  }
}

function setText(area: HTMLTextAreaElement | null, text: string): void {
  const shown = inBox(text);
  if (area && area.value !== shown) area.value = shown;
}

// The second sentence, where keys and values come from, under the first.

export interface SecondSentenceEvents {
  before(event: Event): void;
  input(event: Event): void;
  caret(): void;
  swap(): void;
  remove(): void;
}

/** A few words to begin with. */
const firstKeyText = (): string => msg('the tired animal stayed at home', { desc: 'a second sentence to begin with; what the first one looks at' });

function secondSentence(tokens: number, events: SecondSentenceEvents): TemplateResult {
  return html`
    <div class="key-sentence" part="key-sentence">
      <div class="sentence-title">
        <label for="key-text">${msg('Second sentence: what is looked at (keys and values)')}</label>
        <span class="sentence-tools">
          <button type="button" class="quiet" @click=${events.swap}>${msg('Swap')}</button>
          <button type="button" class="quiet" @click=${events.remove}>${msg('Remove')}</button>
          <span class="muted">${tokenCount(tokens)}</span>
        </span>
      </div>
      <div class="sentence-box" data-keys>
        <div class="stack">
          <div class="mirror" dir="auto" lang="" aria-hidden="true"></div>
          <textarea id="key-text" rows="1" dir="auto" lang="" spellcheck="false" autocomplete="off" autocapitalize="off" placeholder=${msg('Type a word.')}
            @beforeinput=${events.before} @input=${events.input} @keyup=${events.caret} @click=${events.caret}></textarea>
          <div class="shares" aria-hidden="true"><canvas></canvas></div>
          <svg class="arcs" aria-hidden="true"></svg>
        </div>
      </div>
    </div>
  `;
}

// Undo, redo, and the list of earlier sentences, which is loaded after the first figure.

interface HistoryData {
  canUndo: boolean;
  canRedo: boolean;
  /** Whether the list is open. */
  open: boolean;
}

interface HistoryEvents {
  undo(): void;
  redo(): void;
  toggle(): void;
}

function historyTools({ canUndo, canRedo, open }: HistoryData, events: HistoryEvents): TemplateResult {
  return html`
    <button type="button" class="quiet" data-undo aria-keyshortcuts="Control+Z" ?disabled=${!canUndo} @click=${events.undo}>${msg('Undo')}</button>
    <button type="button" class="quiet" data-redo aria-keyshortcuts="Control+Shift+Z" ?disabled=${!canRedo} @click=${events.redo}>${msg('Redo')}</button>
    <button type="button" class="quiet" data-earlier aria-expanded=${open} ?disabled=${!canUndo && !open} @click=${events.toggle}>${msg('Earlier')}</button>
  `;
}

class Past {
  #open = false;

  /** `update` draws again. */
  constructor(private readonly store: Store, private readonly update: () => void) {}

  readonly #events: HistoryEvents = {
    undo: () => this.store.undo(),
    redo: () => this.store.redo(),
    toggle: () => {
      this.#open = !this.#open;
      this.update();
    },
  };

  readonly #back = (text: string): void => {
    this.#open = false;
    this.store.caret = null;
    this.store.change({ text });
  };

  tools(): TemplateResult {
    const { canUndo, canRedo } = this.store.history;
    return historyTools({ canUndo, canRedo, open: this.#open }, this.#events);
  }

  list(late: Late | null): TemplateResult | typeof nothing {
    return this.#open && late ? late.earlierList(this.store.history.past, this.store.state.text, this.#back) : nothing;
  }
}
