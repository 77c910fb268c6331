// The parts loaded after the first figure: those of the figure itself, then the walk, and the
// panels of the parameters and of one word's two senses.
import { msg } from '@lit/localize';
import { type CSSResult, type TemplateResult, nothing } from 'lit';
import { adopt } from '../lib/dom.ts';
import type { Dropped } from '../lib/dropped.ts';
import { Work, isTyping, painted } from '../lib/schedule.ts';
import type { Selection } from '../engine/types.ts';
import type { Picture } from '../state/result.ts';
import type { FocusLink, Only } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { Part } from '../state/views.ts';
import type { Paint } from '../ui/kit/paint.ts';
import type { TakeEvents } from '../ui/export/panel.ts';
import type { Taking } from '../ui/export/section.ts';
import type { ReadPanel } from '../ui/language-model/attention.ts';
import { type Late, fetchLate, screenSheet } from '../ui/late.ts';
import type { StageInput, StageView } from '../ui/stage/stage.ts';
import type { Panels } from '../ui/parameters/panels.ts';
import { styles } from '../ui/styles/first.ts';
import type { WalkInput } from '../ui/walk/view-model.ts';
import type { Walk, WalkEvents } from '../ui/walk/walk.ts';

export interface PagePartsEvents extends Pick<WalkEvents, 'select'>, TakeEvents {
  /** Something must be drawn again. */
  update(): void;
}

export class PageParts {
  #walk: Walk | null = null;
  #panels: Panels | null = null;
  #reads: ReadPanel | null = null;
  #modelPanel: Promise<void> | null = null;
  /** Of what is laid out in turn: what is still to come, and then shown. */
  #coming: { parts: (() => void)[]; picture: Picture | null } = { parts: [], picture: null };
  readonly #turn = new Work(() => this.#layNext());
  /** The data that all parts show. */
  #shown: Picture | null = null;
  #taking: Taking | null = null;
  #dropped: Dropped | null = null;
  #stage: StageView | null = null;
  #stageComing: Promise<void> | null = null;
  #stageStep: string | null = null;
  #later: readonly CSSResult[] = [];
  /** The number of the walk that is shown. */
  #focus: FocusLink | null = null;
  /** The one that a link leads to: it is brought on the screen. */
  #destination: FocusLink | null = null;
  #asked = false;
  #late: Late | null = null;
  #askedOf: Picture | null | undefined;
  #isMissing = false;
  #connected = true;

  /** The figure's late parts; null until they and their styles are loaded. */
  get late(): Late | null {
    return this.#late;
  }

  get isWaiting(): boolean {
    return !this.#late && !this.#isMissing;
  }

  /** The message if it cannot be loaded. */
  get missing(): string[] {
    return this.#isMissing ? [msg('The switches could not be loaded. Check your connection, then change anything to try again.')] : [];
  }

  constructor(private readonly store: Store, private readonly events: PagePartsEvents) {}

  /** Brings a number of the walk on the screen as soon as it is there. */
  scrollTo(focus: FocusLink): void {
    this.#destination = focus;
  }

  connect(): void {
    this.#connected = true;
    this.#walk?.connect();
    this.#stage?.connect();
  }

  disconnect(): void {
    this.#connected = false;
    this.#turn.stop();
    this.#walk?.disconnect();
    this.#stage?.disconnect();
  }

  /** Where it all lay is gone. */
  leave(): void {
    this.#walk?.disconnect();
    this.#stage?.disconnect();
    this.#stage = this.#stageComing = this.#stageStep = null;
    this.#walk = this.#panels = this.#reads = this.#modelPanel = this.#taking = null;
    this.#asked = false;
    this.#focus = null;
    this.#late = null;
    this.#askedOf = undefined;
  }

  /** Files that were dropped on the playground: opened at once, or as soon as its panels are there. */
  drop(dropped: Dropped): void {
    if (this.#panels) void this.#panels.drop(dropped);
    else this.#dropped = dropped;
  }

  source(picture: Picture | null): TemplateResult | typeof nothing {
    return this.#panels?.source(picture) ?? nothing;
  }

  senses(picture: Picture | null, head: number): TemplateResult | typeof nothing {
    return this.#panels?.senses(picture, head) ?? nothing;
  }

  print(on: boolean): void {
    this.#walk?.print(on);
    this.#stage?.print(on);
  }

  /** The mouse is over a cell of the figure: what its weight is made of lights up. */
  look(at: Selection | null): void {
    this.#walk?.look('weights', at && { head: at.head, row: at.query, column: at.key });
  }

  /** The first paint after a keystroke leaves out the parts below. */
  hold(): void {
    this.#walk?.hold();
  }

  update(root: ShadowRoot, input: WalkInput | null, parts: ReadonlySet<Part>, only: Only | null, wantsLate: boolean): void {
    if (!this.#late && wantsLate) void this.#loadLate(root, input?.picture ?? null);
    if (this.#late && input && !this.#walk && (parts.has('walk') || parts.has('rest'))) void this.#load(root);
    this.#taking?.update(parts.has('rest'));
    this.#inTurn(input, [() => this.#updateModel(root, input), () => this.#updateWalk(parts.has('walk') ? input : null, only)]);
  }

  /** What a worker has read takes long to lay out: it is done part by part, so that keys come between, and only after a pause in typing. */
  #inTurn(input: WalkInput | null, parts: (() => void)[]): void {
    this.#turn.stop();
    const picture = input?.picture ?? null;
    this.#coming = { parts, picture };
    if (picture !== this.#shown && picture?.reading?.reader.model.isAway) {
      this.#reads?.hold();
      return this.#turn.at(isTyping() ? 'pause' : 'task');
    }
    for (const part of parts) part();
    this.#shown = picture;
  }

  #layNext(): void {
    const { parts, picture } = this.#coming;
    if (isTyping()) return this.#turn.at('pause');
    parts.shift()?.();
    if (parts.length > 0) this.#turn.at('turn');
    else this.#shown = picture;
  }

  #updateWalk(input: WalkInput | null, only: Only | null): void {
    // The picture first: a link may lead to a number of another picture.
    this.#walk?.update(input, only);
    if (this.#walk && input) this.#followFocus(this.#walk);
  }

  /** The walk shows the number that the state says; where it has gone along with the selection, the state says so, too. */
  #followFocus(walk: Walk): void {
    const { focus, selection } = this.store.state;
    if (focus === null) walk.forget();
    else if (focus !== this.#focus) walk.reveal(focus.array, focus.cell && { head: selection.head, ...focus.cell }, focus === this.#destination);
    this.#noteFocus(walk);
  }

  #noteFocus({ visited }: Walk): void {
    const { focus } = this.store.state;
    const isSame = focus?.array === visited?.array && focus?.cell?.row === visited?.cell?.row && focus?.cell?.column === visited?.cell?.column;
    if (visited && !isSame) this.store.change({ focus: visited }, { by: 'view' });
    this.#focus = this.store.state.focus;
  }

  /** One row, stage by stage; `step` is the stage that the page opens it at. */
  updateStage(root: ShadowRoot, parts: ReadonlySet<Part>, step: string, over: StageInput['over'], paint: Paint): void {
    const { picture, selection } = this.store;
    if (!parts.has('stage') || !picture) return;
    this.#stageComing ??= this.#loadStage(root);
    if (this.#stage && step !== this.#stageStep) {
      this.#stageStep = step;
      this.#stage.open(step);
    }
    this.#stage?.update({ picture, selection, over, paint });
  }

  async #loadStage(root: ShadowRoot): Promise<void> {
    try {
      const { StageView, stageStyles } = await import('../ui/stage/stage.ts');
      const host = root.querySelector<HTMLElement>('.row-stages');
      if (!host) return;
      this.#adopt(root, [stageStyles]);
      this.#stage = new StageView(host, this.events);
      if (this.#connected) this.#stage.connect();
      this.events.update();
    } catch {
      // The next picture asks again.
      this.#stageComing = null;
    }
  }

  /** A language model's run on the sentence; its code is loaded with the first model. */
  #updateModel(root: ShadowRoot, input: WalkInput | null): void {
    if (this.store.models.isLoaded) this.#modelPanel ??= this.#loadModelPanel(root);
    this.#reads?.update(input);
  }

  async #loadModelPanel(root: ShadowRoot): Promise<void> {
    try {
      const { ReadPanel, modelStyles } = await import('../ui/language-model/attention.ts');
      this.#adopt(root, [modelStyles]);
      this.#reads = new ReadPanel(root.querySelector('.model') as HTMLElement, this.store, {
        select: this.events.select, dress: (more) => this.#adopt(root, more), fetchWalk: () => import('../labs/training/stage-walk.ts'),
      });
      this.events.update();
    } catch {
      // The next picture asks again.
      this.#modelPanel = null;
    }
  }

  #adopt(root: ShadowRoot, more: readonly CSSResult[]): void {
    this.#later = [...this.#later, ...more];
    this.dress(root);
  }

  /** Gives the root all styles that have come. */
  dress(root: ShadowRoot): void {
    const sheet = screenSheet();
    adopt(root, this.#late?.wholeStyles(this.#later) ?? [...styles, ...this.#later, ...(sheet ? [sheet] : [])]);
  }

  /** Each picture asks, until it has come. */
  async #loadLate(root: ShadowRoot, picture: Picture | null): Promise<void> {
    if (this.#askedOf === picture) return;
    this.#askedOf = picture;
    // After the figure's paint; of several that come together, after all of theirs.
    await painted();
    const come = await fetchLate().catch(() => null);
    // Another picture may have asked meanwhile, or a lab have taken the figure's place.
    if (this.#askedOf !== picture) return;
    this.#late = come;
    this.#isMissing = this.#late === null;
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
      this.#panels = new Panels(this.store, this.events.update);
      if (this.#dropped) this.drop(this.#dropped);
      this.#dropped = null;
      this.#walk = new Walk(host, {
        select: this.events.select,
        edit: (edits) => this.store.change({ edits }),
        focused: (focus) => {
          this.#focus = focus;
          this.store.change({ focus });
        },
        layer: (layer) => this.store.change({ layer }),
        lockRanges: (shown) => this.store.change({ lockedRanges: this.store.state.lockedRanges ? null : shown() }),
      });
      this.#taking = new Taking(root.querySelector('.take-section') as HTMLElement, this.events);
      if (this.#connected) this.#walk.connect();
      this.events.update();
    } catch {
      // The next picture asks again.
      this.#asked = false;
      host.textContent = msg('The walk could not be loaded. Check your connection, then change anything to try again.');
    }
  }
}
