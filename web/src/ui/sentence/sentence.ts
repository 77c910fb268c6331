// The sentence, and the second one when there is one: what is typed, where the caret stands, which rows are read together.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Selection } from '../../engine/types.ts';
import { type Picture, largestOtherKey, tokenAt } from '../../state/result.ts';
import { Sum, maskedForAll } from '../../state/row-selection.ts';
import type { Model } from '../../state/store.ts';
import type { Part } from '../../state/views.ts';
import { tokenCount } from '../../text/word.ts';
import { sentenceBox } from '../figure/template.ts';
import type { Rest } from '../late.ts';
import { FIRST_KEY_TEXT, secondSentence } from './boxes.ts';
import { Past } from './history.ts';
import { captionArea } from './status.ts';
import type { SumEvents } from './summed-rows.ts';

export interface SentenceEvents {
  /** What comes after the first figure; null until then. */
  rest(): Rest | null;
  update(): void;
  /** The same, and the element's properties follow. */
  settle(): void;
  select(part: Partial<Selection>): void;
  root(): ShadowRoot | null;
}

export class SentencePart {
  readonly past: Past;
  readonly sum = new Sum();
  /** Whether the last change came from the keyboard. */
  #typed = false;

  constructor(private readonly model: Model, private readonly events: SentenceEvents) {
    this.past = new Past(model, events.update, events.settle);
  }

  #change(act: () => void): void {
    act();
    this.events.update();
  }

  get area(): HTMLTextAreaElement | null {
    return this.events.root()?.querySelector<HTMLTextAreaElement>('#text') ?? null;
  }

  /** Says so once. */
  takeTyped(): boolean {
    const typed = this.#typed;
    this.#typed = false;
    return typed;
  }

  get #keyArea(): HTMLTextAreaElement | null {
    return this.events.root()?.querySelector<HTMLTextAreaElement>('#key-text') ?? null;
  }

  readonly #input = (event: Event): void => {
    const area = event.target as HTMLTextAreaElement;
    this.model.caret = area.selectionStart;
    this.sum.typed();
    this.#typed = true;
    this.model.change({ text: area.value }, 'text');
    this.events.settle();
  };

  readonly #inputKeys = (event: Event): void => {
    this.model.change({ keyText: (event.target as HTMLTextAreaElement).value }, 'keyText');
  };

  /** The caret in the second sentence chooses the key. */
  readonly #moveKeyCaret = (): void => {
    const area = this.#keyArea;
    const { picture, selection } = this.model;
    if (!area || !picture || this.events.root()?.activeElement !== area || picture.keyText !== area.value) return;
    const key = tokenAt(picture.keyTokens, area.selectionStart);
    if (key >= 0 && key !== selection.key) this.events.select({ key });
  };

  readonly moveCaret = (): void => {
    this.#moveKeyCaret();
    const area = this.area;
    const { picture, selection, caret } = this.model;
    if (!area || !picture || this.events.root()?.activeElement !== area) return;
    const { selectionStart, selectionEnd } = area;
    if (picture.text === area.value && this.sum.select(picture.tokens, selectionStart, selectionEnd)) this.events.update();
    if (selectionStart === caret) return;
    this.model.caret = selectionStart;
    if (picture.text !== this.model.wanted.text) return;
    const query = tokenAt(picture.tokens, area.selectionStart);
    if (query >= 0 && query !== selection.query) this.events.select({ query, key: largestOtherKey(picture, selection.head, query) });
  };

  render(parts: ReadonlySet<Part>): TemplateResult {
    const { picture, outcome, selection, settings, computing, tokens, wanted } = this.model;
    const [isFixed, isWhole] = [!this.model.may('text'), parts.has('rest')];
    const cross = wanted.keyText !== null;
    return html`
      <section class="sentence" ?hidden=${!parts.has('sentence')} aria-label=${msg('Sentence')} part="sentence">
        <div class="sentence-title">
          <label for="text">${cross ? msg('Your sentence: who looks (queries)') : msg('Your sentence')}</label>
          <span class="sentence-tools">
            ${isWhole ? this.past.tools() : nothing}
            ${cross || isFixed || !isWhole ? nothing : html`<button type="button" class="quiet" @click=${() => this.model.change({ keyText: FIRST_KEY_TEXT })}>${msg('Add a second sentence')}</button>`}
            <span class="muted">${tokenCount(tokens.length)}</span>
          </span>
        </div>
        ${isWhole ? this.past.list() : nothing}
        ${sentenceBox({ input: this.#input, caret: this.moveCaret }, isFixed)}
        ${cross ? this.#secondSentence(wanted.keyText ?? '') : nothing}
        <div class="caption" part="caption" ?hidden=${!parts.has('caption') && (outcome.kind === 'ready' || outcome.kind === 'loading')}>${captionArea({ outcome, computing, selection, tokens: tokens.length, heads: settings.num_heads })}${picture && !computing ? this.#summed(picture) : nothing}</div>
      </section>
    `;
  }

  #secondSentence(text: string): TemplateResult {
    return secondSentence(this.model.keyTokens.length, {
      input: this.#inputKeys,
      caret: this.#moveKeyCaret,
      swap: () => {
        this.model.change({ text, keyText: this.model.wanted.text });
        this.events.settle();
      },
      remove: () => this.model.change({ keyText: null }),
    });
  }

  /** Several rows read together, and the way to add one. */
  #summed(picture: Picture): TemplateResult | typeof nothing {
    const rest = this.events.rest();
    if (!rest) return nothing;
    const { head, query, key } = this.model.selection;
    const queries = this.sum.in(picture);
    const change = (act: () => void) => () => this.#change(act);
    const events: SumEvents = {
      clear: change(() => this.sum.clear()), pick: change(() => { this.sum.picking = true; }),
      add: (row) => this.#change(() => this.sum.add(row, query)), remove: (row) => this.#change(() => this.sum.remove(row)),
    };
    return html`${queries.length > 0 ? rest.summedCaption({ picture, queries, key, sums: picture.trace.summed(head, queries), masked: maskedForAll(picture, head, queries) }, events) : nothing}${rest.addRow(picture, queries, this.sum.picking, events)}`;
  }

  /** After it is drawn: fields hold what is wanted. */
  settled(): void {
    const { text, keyText } = this.model.wanted;
    const { area } = this;
    if (area && area.value !== text) area.value = text;
    const keyArea = this.#keyArea;
    if (keyArea && keyText !== null && keyArea.value !== keyText) keyArea.value = keyText;
    this.#placeCaret(area);
  }

  /** The caret starts behind the word whose row is shown, as if the reader had put it there. */
  #placeCaret(area: HTMLTextAreaElement | null): void {
    const token = this.model.picture?.tokens[this.model.selection.query];
    if (!area || !token || this.model.caret !== null) return;
    this.model.caret = token.end;
    area.setSelectionRange(token.end, token.end);
  }
}
