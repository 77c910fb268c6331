// What shows a language model, or ready weights; it comes when the first of them has.
import type { Selection } from '../../engine/types.ts';
import type { Picture } from '../../state/result.ts';
import type { Store } from '../../state/store.ts';
import type { Paint } from '../kit/paint.ts';
import { AttentionPanel } from './attention.ts';
import { ModelPanel } from './panel.ts';

export { modelStyles } from '../styles/language-model.ts';

export class ReadPanel {
  readonly #model: ModelPanel;
  readonly #ready: AttentionPanel;
  #isReady = false;

  constructor(host: HTMLElement, store: Store, events: { select(part: Partial<Selection>): void }) {
    this.#model = new ModelPanel(host, store, events);
    this.#ready = new AttentionPanel(host, store, events);
  }

  update(input: { picture: Picture; selection: Selection; paint: Paint } | null): void {
    const wasReady = this.#isReady;
    this.#isReady = Boolean(input?.picture.ready);
    // What the model's panel showed is taken away once.
    if (!this.#isReady || !wasReady) this.#model.update(this.#isReady ? null : input);
    if (input?.picture.ready) this.#ready.update(input);
  }
}
