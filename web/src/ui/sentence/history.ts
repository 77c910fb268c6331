// The way back: undo, redo, and the sentences that were here before.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Store } from '../../state/store.ts';

export interface HistoryData {
  canUndo: boolean;
  canRedo: boolean;
  open: boolean;
  /** Sentences that were here before, the latest first; only while the list is open. */
  earlier: readonly string[];
}

export interface HistoryEvents {
  undo(): void;
  redo(): void;
  toggle(): void;
  back(text: string): void;
}

export function historyTools({ canUndo, canRedo, open }: HistoryData, events: HistoryEvents): TemplateResult {
  return html`
    <button type="button" class="quiet" data-undo aria-keyshortcuts="Control+Z" ?disabled=${!canUndo} @click=${events.undo}>${msg('Undo')}</button>
    <button type="button" class="quiet" data-redo aria-keyshortcuts="Control+Shift+Z" ?disabled=${!canRedo} @click=${events.redo}>${msg('Redo')}</button>
    <button type="button" class="quiet" data-earlier aria-expanded=${open} ?disabled=${!canUndo && !open} @click=${events.toggle}>${msg('Earlier')}</button>
  `;
}

export function earlierList({ open, earlier }: HistoryData, events: HistoryEvents): TemplateResult | typeof nothing {
  if (!open) return nothing;
  if (earlier.length === 0) return html`<p class="earlier muted">${msg('No other sentence was here before.')}</p>`;
  return html`
    <ul class="earlier" aria-label=${msg('Earlier sentences')}>
      ${earlier.map((text) => html`<li><button type="button" class="quiet" @click=${() => events.back(text)}><bdi lang="">${text.length > 90 ? `${text.slice(0, 88)}…` : text}</bdi></button></li>`)}
    </ul>
  `;
}

const MOST = 12;

/** Sentences as they were left: not the present one, none twice, and no beginnings of what was typed on. */
export function earlierTexts(past: readonly { text: string }[], present: string): string[] {
  const texts: string[] = [];
  for (const { text } of past) {
    if (text.trim() === '' || text === present || texts.includes(text)) continue;
    if (present.startsWith(text) || texts.some((later) => later.startsWith(text))) continue;
    texts.push(text);
    if (texts.length === MOST) break;
  }
  return texts;
}

export class Past {
  #open = false;

  /** `update` draws again. */
  constructor(private readonly store: Store, private readonly update: () => void) {}

  get #data(): HistoryData {
    const { canUndo, canRedo, past } = this.store.history;
    return { canUndo, canRedo, open: this.#open, earlier: this.#open ? earlierTexts(past, this.store.state.text) : [] };
  }

  readonly #events: HistoryEvents = {
    undo: () => this.store.undo(),
    redo: () => this.store.redo(),
    toggle: () => {
      this.#open = !this.#open;
      this.update();
    },
    back: (text) => {
      this.#open = false;
      this.store.caret = null;
      this.store.change({ text });
    },
  };

  tools(): TemplateResult {
    return historyTools(this.#data, this.#events);
  }

  list(): TemplateResult | typeof nothing {
    return earlierList(this.#data, this.#events);
  }
}
