// The way back: undo, redo, and the list of the sentences that were here before, which comes after the first figure.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Store } from '../../state/store.ts';
import type { Late } from '../late.ts';

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

export class Past {
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
