// The way back: undo, redo, and the sentences that were here before.
import type { TemplateResult, nothing } from 'lit';
import type { Model } from './model.ts';
import { type HistoryData, type HistoryEvents, earlierList, earlierTexts, historyTools } from './views/history-tools.ts';

export class Past {
  #open = false;

  /** `update` draws again; `settle` takes the element's properties along. */
  constructor(private readonly model: Model, private readonly update: () => void, private readonly settle: () => void) {}

  undo = (): void => {
    this.model.undo();
    this.settle();
  };

  redo = (): void => {
    this.model.redo();
    this.settle();
  };

  get #data(): HistoryData {
    const { canUndo, canRedo, past } = this.model.history;
    return { canUndo, canRedo, open: this.#open, earlier: this.#open ? earlierTexts(past, this.model.wanted.text) : [] };
  }

  readonly #events: HistoryEvents = {
    undo: this.undo,
    redo: this.redo,
    toggle: () => {
      this.#open = !this.#open;
      this.update();
    },
    back: (text) => {
      this.#open = false;
      this.model.caret = null;
      this.model.change({ text });
      this.settle();
    },
  };

  tools(): TemplateResult {
    return historyTools(this.#data, this.#events);
  }

  list(): TemplateResult | typeof nothing {
    return earlierList(this.#data, this.#events);
  }
}
