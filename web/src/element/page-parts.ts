// What comes after the first figure, so that nobody waits for it: what belongs to the figure, then the walk, and the
// panels of the parameters and of one word's two senses.
import { msg } from '@lit/localize';
import { type CSSResult, type TemplateResult, adoptStyles, nothing } from 'lit';
import type { Selection } from '../engine/types.ts';
import type { Picture } from '../state/result.ts';
import type { FocusLink, KeptRanges, Only } from '../state/state.ts';
import type { Model } from '../state/store.ts';
import type { Part } from '../state/views.ts';
import type { TakeEvents } from '../ui/export/panel.ts';
import type { Taking } from '../ui/export/section.ts';
import type { ModelPanel } from '../ui/language-model/panel.ts';
import { type Rest, fetchRest } from '../ui/late.ts';
import type { Panels } from '../ui/parameters/panels.ts';
import { styles } from '../ui/styles/index.ts';
import type { WalkInput } from '../ui/walk/view-model.ts';
import type { Walk, WalkEvents } from '../ui/walk/walk.ts';

export interface BelowEvents extends Omit<WalkEvents, 'keepRanges'>, TakeEvents {
  /** Something is to be drawn again. */
  update(): void;
  /** The same, and the element's properties follow. */
  settle(): void;
}

export class Below {
  #walk: Walk | null = null;
  #panels: Panels | null = null;
  #reads: ModelPanel | null = null;
  #modelPanel: Promise<void> | null = null;
  #taking: Taking | null = null;
  #later: readonly CSSResult[] = [];
  /** A number of the walk that a link or an attribute leads to. */
  #destination: (FocusLink & { scroll: boolean }) | null = null;
  #asked = false;
  #rest: Rest | null = null;
  #askedOf: Picture | null | undefined;
  #isMissing = false;
  #connected = true;
  /** Colour ranges that the reader has locked. */
  keptRanges: KeptRanges | null = null;

  /** What belongs to the figure; null until it is here, with its styles. */
  get rest(): Rest | null {
    return this.#rest;
  }

  get isWaiting(): boolean {
    return !this.#rest && !this.#isMissing;
  }

  /** What is said while it cannot come. */
  get missing(): string[] {
    return this.#isMissing ? [msg('The switches and the numbers of a cell could not be loaded. Connect again, and change anything to try once more.')] : [];
  }

  constructor(private readonly model: Model, private readonly events: BelowEvents) {}

  /** The number that the reader has gone to, or is on the way to. */
  get visited(): FocusLink | null {
    return this.#walk?.visited ?? this.#destination;
  }

  goTo({ array, cell }: FocusLink, scroll: boolean): void {
    this.#destination = { array, cell, scroll };
    this.events.update();
  }

  connect(): void {
    this.#connected = true;
    this.#walk?.connect();
  }

  disconnect(): void {
    this.#connected = false;
    this.#walk?.disconnect();
  }

  /** Where it all lay is gone. */
  leave(): void {
    this.#walk?.disconnect();
    this.#walk = this.#panels = this.#reads = this.#modelPanel = this.#taking = null;
    this.#asked = false;
    this.#rest = null;
    this.#askedOf = undefined;
  }

  source(picture: Picture | null): TemplateResult | typeof nothing {
    return this.#panels?.source(picture) ?? nothing;
  }

  senses(picture: Picture | null, head: number): TemplateResult | typeof nothing {
    return this.#panels?.senses(picture, head) ?? nothing;
  }

  print(on: boolean): void {
    this.#walk?.print(on);
  }

  /** The mouse is over a cell of the figure: what its weight is made of lights up. */
  look(at: Selection | null): void {
    this.#walk?.look('weights', at && { head: at.head, row: at.query, column: at.key });
  }

  /** A keystroke's first paint comes without what is below. */
  hold(): void {
    this.#walk?.hold();
  }

  update(root: ShadowRoot, input: WalkInput | null, parts: ReadonlySet<Part>, only: Only | null, wantsRest: boolean): void {
    if (!this.#rest && wantsRest) void this.#loadRest(root, input?.picture ?? null);
    if (this.#rest && input && !this.#walk && (parts.has('walk') || parts.has('rest'))) void this.#load(root);
    this.#updateModel(root, input);
    this.#taking?.update(parts.has('rest'));
    // First what it is of: a link may lead to another picture's number.
    this.#walk?.update(parts.has('walk') ? input : null, only);
    const destination = this.#destination;
    if (!destination || !this.#walk) return;
    this.#destination = null;
    this.#walk.reveal(destination.array, destination.cell && { head: this.model.selection.head, ...destination.cell }, destination.scroll);
  }

  /** What a language model makes of the sentence; its code comes with the first model. */
  #updateModel(root: ShadowRoot, input: WalkInput | null): void {
    if (this.model.models.isLoaded) this.#modelPanel ??= this.#loadModelPanel(root);
    this.#reads?.update(input);
  }

  async #loadModelPanel(root: ShadowRoot): Promise<void> {
    try {
      const { ModelPanel, modelStyles } = await import('../ui/language-model/index.ts');
      this.#adopt(root, [modelStyles]);
      this.#reads = new ModelPanel(root.querySelector('.model') as HTMLElement, this.model, this.events);
      this.events.update();
    } catch {
      // The next picture asks again.
      this.#modelPanel = null;
    }
  }

  #adopt(root: ShadowRoot, more: readonly CSSResult[]): void {
    this.#later = [...this.#later, ...more];
    adoptStyles(root, [...(this.#rest?.wholeStyles(this.#later) ?? [...styles, ...this.#later])]);
  }

  /** Each picture asks, until it has come. */
  async #loadRest(root: ShadowRoot, picture: Picture | null): Promise<void> {
    if (this.#askedOf === picture) return;
    this.#askedOf = picture;
    // After the figure's paint; of several that come together, after all of theirs.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const come = await fetchRest().catch(() => null);
    // Another picture may have asked meanwhile, or a lab have taken the figure's place.
    if (this.#askedOf !== picture) return;
    this.#rest = come;
    this.#isMissing = this.#rest === null;
    this.#adopt(root, []);
    this.events.update();
  }

  async #load(root: ShadowRoot): Promise<void> {
    if (this.#asked) return;
    this.#asked = true;
    const host = root.querySelector('.walk') as HTMLElement;
    try {
      const { Panels, Taking, Walk, laterStyles } = await import('../ui/page-chunk.ts');
      host.replaceChildren();
      this.#adopt(root, laterStyles);
      this.#panels = new Panels(this.model, this.events.update, this.events.settle);
      this.#walk = new Walk(host, {
        ...this.events,
        keepRanges: (shown) => {
          this.keptRanges = this.keptRanges ? null : shown();
          this.events.focused();
        },
      });
      this.#taking = new Taking(root.querySelector('.take-section') as HTMLElement, this.events);
      if (this.#connected) this.#walk.connect();
      this.events.update();
    } catch {
      // The next picture asks again.
      this.#asked = false;
      host.textContent = msg('The walk could not be loaded. Connect again, and change anything to try once more.');
    }
  }
}
