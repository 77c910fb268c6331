// The walk: every stage of the run, one chosen number, and how that number was computed.
// It draws itself after the figure above has been painted, and only when it is near the screen or the page is idle.
import { render } from 'lit';
import type { ArrayId, Edit, StageId, Trace } from '../../engine/engine.ts';
import { type Focus, type Place, has, indexOf, placeOf, selects } from '../../engine/places.ts';
import { isStage, side } from '../../engine/stages.ts';
import type { Selection } from '../../engine/types.ts';
import { Work, inPhase } from '../../lib/schedule.ts';
import { CORE, ORDER, cardOf } from '../../state/stage-groups.ts';
import type { FocusLink, LockedRanges, Only } from '../../state/state.ts';
import { WalkDrawing } from './drawing.ts';
import { withEdit, withoutEdit } from './edits.ts';
import { FocusState, wayDown } from './focus.ts';
import { lockRanges } from './matrices.ts';
import { Player } from './player.ts';
import { section } from './template.ts';
import { type WalkInput, type WalkState, WalkView } from './view-model.ts';

export interface WalkEvents {
  select(part: Partial<Selection>): void;
  edit(edits: readonly Edit[]): void;
  /** The reader has gone to another number. */
  focused(focus: FocusLink): void;
  /** The reader locks the colour ranges as they are, or lets go of them. */
  lockRanges(shown: () => LockedRanges): void;
  /** The reader goes to another layer of a model, from 1. */
  layer(layer: number): void;
}

export class Walk {
  readonly #host: HTMLElement;
  readonly #events: WalkEvents;
  readonly #state: WalkState = {
    focus: new FocusState(), hover: null, closed: new Set<StageId>(['tokens', ...ORDER.filter((id) => !CORE.includes(id))]), opened: new Set(), allHeads: new Set(),
    termsOpen: false, folded: null, draft: null, playing: false, printing: false, only: null,
  };
  readonly #drawing: WalkDrawing;
  readonly #view: WalkView;
  readonly #player: Player;
  readonly #watch: IntersectionObserver;
  readonly #resize: ResizeObserver;
  #input: WalkInput | null = null;
  /** A number to open when there is a run. */
  #wanted: { array: ArrayId; place: Place | null; scroll: boolean } | null = null;
  #arriving: ArrayId | null = null;
  #visited = false;
  #near = false;
  #stale = false;
  readonly #next = new Work(() => { if (this.#stale) this.#show(); });
  #width = 0;

  constructor(host: HTMLElement, events: WalkEvents) {
    this.#host = host;
    this.#events = events;
    this.#drawing = new WalkDrawing(host, {
      hover: (array, place) => this.look(array, place),
      choose: (array, place) => this.#choose(array, place),
      chooseHead: (head) => events.select({ head }),
      seen: () => this.#show(),
    });
    this.#view = new WalkView(this.#state, (id) => this.#drawing.isSeen(id));
    this.#watch = new IntersectionObserver((entries) => {
      this.#near = entries.at(-1)?.isIntersecting === true;
      if (this.#near && this.#stale) this.#show();
    }, { rootMargin: '200px' });
    this.#resize = new ResizeObserver(([entry]) => {
      // Rounded up, the last card of a line would not fit into it.
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width === this.#width) return;
      this.#width = width;
      this.#later();
    });
    host.addEventListener('keydown', (event) => this.#cross(event), { capture: true });
    this.#player = new Player(host, {
      trace: () => this.#input?.picture.trace ?? null,
      focus: this.#state.focus,
      explain: (trace, focus) => this.#view.explain(trace, focus),
      boxOf: (space, array, frame) => this.#drawing.boxOf(space, array, frame),
      go: (stage) => this.#enter(stage),
      changed: (playing) => {
        this.#state.playing = playing;
        this.#show();
      },
    });
  }

  connect(): void {
    this.#watch.observe(this.#host);
    this.#resize.observe(this.#host);
  }

  disconnect(): void {
    this.#watch.disconnect();
    this.#resize.disconnect();
    this.#drawing.disconnect();
    this.#player.stop();
    this.#next.stop();
  }

  /** The number that the reader has gone to, for a link; null before that. */
  get visited(): FocusLink | null {
    return this.#visited ? { array: this.#state.focus.array, cell: this.#state.focus.place } : null;
  }

  /** The reader is at no number of the walk's own: the state has none. */
  forget(): void {
    this.#visited = false;
  }

  /** On paper every card is in view, and there is no frame to wait for. */
  print(on: boolean): void {
    this.#state.printing = this.#drawing.all = on;
    if (!on) return this.#later();
    this.#width = this.#host.querySelector('.walk-grid')?.clientWidth ?? this.#width;
    this.#show();
  }

  /** A new picture or selection; null while there is none. */
  update(input: WalkInput | null, only: Only | null = null): void {
    const before = this.#input;
    this.#input = input;
    const isOther = only?.array !== this.#state.only?.array;
    this.#state.only = only;
    if (!input) {
      this.#player.stop();
      return;
    }
    const same = !isOther && before && (['picture', 'selection', 'paint', 'edits', 'mayEdit', 'pinned', 'mode', 'lockedRanges'] as const).every((field) => before[field] === input[field]);
    if (same) return;
    if (before?.picture !== input.picture || before.selection !== input.selection) this.#state.hover = null;
    this.#state.draft = null;
    this.#state.focus.follow(input.picture.trace, input.selection);
    if (this.#wanted) this.#fulfil();
    this.#later();
  }

  /** Opens the card of a number, now or when there is a run, and looks at it. */
  reveal(array: ArrayId, place: Place | null, scroll: boolean): void {
    this.#wanted = { array, place, scroll };
    if (this.#input) this.#fulfil();
  }

  #fulfil(): void {
    const trace = this.#input?.picture.trace;
    const wanted = this.#wanted;
    if (!trace || !wanted) return;
    this.#wanted = null;
    const { array, place, scroll } = wanted;
    if (array === 'tokens') {
      this.#state.closed.delete(array);
      this.#later();
      if (scroll) inPhase('frame', () => this.#host.scrollIntoView());
    }
    if (!cardOf(trace, array)) return;
    this.#open(trace, array);
    this.#arriving = scroll ? array : null;
    this.#go(array, place);
    this.#later();
    // A link's number is not waited for, however far below it is.
    if (scroll) this.#next.at('frame');
  }

  /** The number of a link is brought on the screen as soon as its card is there. */
  #arrive(): void {
    const array = this.#arriving;
    if (!array) return;
    this.#arriving = null;
    this.#host.querySelector(`[data-array=${array}]`)?.scrollIntoView({ block: 'center' });
    this.#drawing.focusOn(array);
  }

  // The time of drawing.

  /** A newer run exists and will be shown soon: the present content stays, and the old run is not asked again. */
  hold(): void {
    if (!this.#input) return;
    this.#input = null;
    this.#wait();
  }

  #wait(): void {
    this.#stale = true;
    this.#host.setAttribute('aria-busy', 'true');
    this.#next.stop();
  }

  #later(): void {
    this.#wait();
    // After the parts above are painted; out of view, when the browser is idle.
    this.#next.at(this.#near ? 'full' : 'idle');
  }

  #show(): void {
    const input = this.#input;
    if (!input || this.#width === 0) return;
    this.#stale = false;
    const { view, drawing } = this.#view.section(input, this.#width, {
      follow: (array, index) => this.#follow(array, index),
      back: (to) => this.#back(to),
      down: () => this.#down(),
      layer: (to) => this.#events.layer(to),
      terms: (open) => this.#set({ termsOpen: open }),
      fold: () => this.#set({ folded: !(this.#state.folded ?? true) }),
      edit: (text) => this.#edit(text),
      unedit: () => this.#unedit(),
      nudge: (rows, columns) => this.#nudge(rows, columns),
      play: () => this.#player.toggle(),
      step: (to) => this.#player.step(to),
    });
    render(section(view, {
      toggle: (id, open) => this.#toggle(this.#state.closed, id, !open),
      toggleParameter: (id, open) => this.#toggle(this.#state.opened, id, open),
      toggleHeads: (id) => this.#toggle(this.#state.allHeads, id),
      chooseHead: (head) => this.#events.select({ head }),
      lockRanges: () => this.#events.lockRanges(() => lockRanges(drawing.matrices)),
    }), this.#host);
    this.#drawing.draw(drawing);
    this.#host.removeAttribute('aria-busy');
    this.#arrive();
  }

  #set(part: Partial<Pick<WalkState, 'termsOpen' | 'folded'>>): void {
    const changed = Object.entries(part).some(([name, value]) => this.#state[name as keyof typeof part] !== value);
    Object.assign(this.#state, part);
    if (changed) this.#show();
  }

  #toggle<Id>(set: Set<Id>, id: Id, wanted = !set.has(id)): void {
    if (set.has(id) === wanted) return;
    if (wanted) set.add(id);
    else set.delete(id);
    this.#show();
  }

  // What the reader does.

  /** Shows the arithmetic of a number without choosing it, until called with null. */
  look(array: ArrayId, place: Place | null): void {
    const trace = this.#input?.picture.trace;
    if (!trace || this.#player.playing) return;
    const hover = place && { array, index: indexOf(trace, array, place) };
    this.#state.hover = hover && has(trace, hover) ? hover : null;
    if (this.#near) this.#show();
  }

  #choose(array: ArrayId, place: Place): void {
    this.#player.stop();
    this.#go(array, place);
  }

  #nudge(rows: number, columns: number): void {
    const { array, place: { head, row, column } } = this.#state.focus;
    const [down, across] = this.#drawing.isTurned(array) ? [columns, rows] : [rows, columns];
    this.#choose(array, { head, row: row + down, column: column + across });
  }

  /** Keys: Enter goes from a number to its operands, Escape back to its cell. */
  #cross(event: KeyboardEvent): void {
    const from = event.target as Element;
    if (event.key === 'Enter' && from.matches('[role=gridcell]')) {
      // After the cell has taken it.
      inPhase('task', () => this.#host.querySelector<HTMLElement>('.explanation .operand')?.focus());
    } else if (event.key === 'Escape' && from.matches('.explanation *')) {
      this.#drawing.focusOn(this.#state.focus.array);
    }
  }

  /** Opens another number, and selects the words that it belongs to. */
  #go(array: ArrayId, place: Place | null, { trail = [] as readonly Focus[], selecting = true } = {}): void {
    const input = this.#input;
    if (!input) return;
    const { picture: { trace }, selection } = input;
    if (!trace.present(array)) return;
    this.#state.hover = null;
    this.#state.draft = null;
    this.#visited = true;
    this.#state.folded ??= false;
    this.#state.focus.go(trace, array, place, trail);
    const wanted = selects(trace, array, this.#state.focus.place, selection);
    // An operand is opened in its place; the row and key that led there stay selected.
    const next = selecting || side(array) === 'pair' ? wanted : { ...selection, head: wanted.head };
    if (next.head !== selection.head || next.query !== selection.query || next.key !== selection.key) {
      this.#state.focus.expect(next);
      this.#input = { ...input, selection: next };
      this.#events.select(next);
    }
    this.#show();
    this.#events.focused({ array, cell: this.#state.focus.place });
  }

  /** Goes to an operand, and keeps the path. */
  #follow(array: ArrayId, index: number): void {
    const trace = this.#input?.picture.trace;
    if (!trace || !has(trace, { array, index })) return;
    this.#player.stop();
    this.#open(trace, array);
    const { focus } = this.#state;
    this.#go(array, placeOf(trace, { array, index }), { trail: [...focus.trail, focus.focus(trace)], selecting: false });
    this.#bringIntoView(array);
  }

  #back(to: number): void {
    const trace = this.#input?.picture.trace;
    const { trail } = this.#state.focus;
    const step = trail[to];
    if (!trace || !step) return;
    this.#open(trace, step.array);
    this.#go(step.array, placeOf(trace, step), { trail: trail.slice(0, to), selecting: false });
    this.#bringIntoView(step.array);
  }

  #down(): void {
    const trace = this.#input?.picture.trace;
    if (!trace) return;
    const { focus } = this.#state;
    const from = focus.focus(trace);
    const way = wayDown(trace, from);
    const last = way.at(-1);
    if (!last) return;
    this.#open(trace, last.array);
    this.#go(last.array, placeOf(trace, last), { trail: [...focus.trail, from, ...way.slice(0, -1)], selecting: false });
    this.#bringIntoView(last.array);
  }

  /** Steps to a stage, at the chosen cell. */
  #enter(stage: StageId): void {
    const trace = this.#input?.picture.trace;
    if (!trace) return;
    this.#open(trace, stage);
    this.#go(stage, null);
    this.#bringIntoView(stage);
  }

  #open(trace: Trace, array: ArrayId): void {
    const card = cardOf(trace, array);
    if (card) this.#state.closed.delete(card);
    if (!isStage(array)) this.#state.opened.add(array);
  }

  #bringIntoView(array: ArrayId): void {
    this.#host.querySelector(`[data-array=${array}]`)?.scrollIntoView({ block: 'nearest' });
  }

  // Numbers by hand.

  #edit(text: string): void {
    const { picture, edits } = this.#input ?? {};
    if (!picture || !edits) return;
    const edited = withEdit(picture.trace, this.#state.focus, edits, text);
    if (typeof edited !== 'string') return this.#events.edit(edited);
    this.#state.draft = { value: text, problem: edited };
    this.#show();
  }

  #unedit(): void {
    const { picture, edits } = this.#input ?? {};
    if (picture && edits) this.#events.edit(withoutEdit(picture.trace, this.#state.focus, edits));
  }
}
